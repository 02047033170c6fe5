"""Every shipped experiment can be asked, played and answered, its charts drawn, its comments in step with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from simkit.prepared import prepare
from simkit.questions import KINDS
from simkit.report.page import render
from simkit.strategy import shipped_folder
from tests.questions.lab import Lab, check_answer
from tests.report.examples import facts

DEALS = 30
EXPERIMENTS = sorted(shipped_folder("experiments").glob("*.toml"))


@pytest.mark.parametrize("path", EXPERIMENTS, ids=[path.stem for path in EXPERIMENTS])
def test_it_is_asked_played_and_answered(path: Path) -> None:
    made = Lab(prepare(path), DEALS)
    check_answer(made.answer, list(made.prepared.experiment.strategies))
    assert made.prepared.experiment.title
    assert "<svg" in render(made.answer, facts())
    named = KINDS[made.prepared.experiment.kind].subjects
    if named is not None:  # else only play can tell
        assert {verdict.subject for verdict in made.answer.verdicts} <= set(named(made.prepared.asked))


def test_each_game_has_experiments() -> None:
    from simkit.games import SHIPPED

    asked = {prepare(path).experiment.game for path in EXPERIMENTS}
    assert asked == {game.name for game in SHIPPED}
