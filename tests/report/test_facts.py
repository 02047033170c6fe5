"""The facts of a run travel as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict

from tests.report.examples import facts


def test_facts_are_json_with_names() -> None:
    read = json.loads(json.dumps(asdict(facts())))
    assert read["rules"][0]["option"] == "start_points"
    assert read["strategies"][0]["label"] == "greedy plain"
    assert read["seed"] == 2026
