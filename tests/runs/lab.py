"""What the tests of runs share: changes of the small experiment, and what a run left."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from simkit.runs import RunResult

Change = tuple[str, str]
Write = Callable[..., Path]
UNTIL = ("deals = 100", "until = { half_width = 0.005, max_deals = 100_000 }")
SEATS = ('[card_strength]\ncards = ["K"]\n', "")  # with the two below: a cheap question with a well-behaved headline
CHEAP = (SEATS, ('"card_strength"', '"seat_advantage"'), ("greedy = {}\n", ""))


def tables(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "tables").iterdir())}


def said(result: RunResult) -> dict[str, Any]:
    return result.to_json() | {"report": None}


def manifest(folder: Path) -> Any:
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
