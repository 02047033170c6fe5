"""A question asked, played and answered without a run's folder."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from simkit import strategy
from simkit.answer import Answer
from simkit.driver import engine
from simkit.plan import Results
from simkit.player import compile_player
from simkit.prepared import Prepared, prepare
from simkit.questions import KINDS
from simkit.runner import Work


@dataclass(frozen=True)
class Lab:
    """A prepared experiment of `deals` deals, with everything that can be asked of it."""

    prepared: Prepared
    deals: int

    @cached_property
    def work(self) -> Work:
        asked = self.prepared.asked
        players, whens = {}, {}
        for label, use in asked.experiment.strategies.items():
            file = strategy.find(asked.game.name, use.use, Path.cwd())
            players[label] = compile_player(engine(asked.game), file, label, use.parameters)
            if label in self.prepared.plan.deciders:
                whens[label] = compile_player(engine(asked.game), file, label, use.parameters, "when")
        return Work(asked.game, self.prepared.plan, players, asked.experiment.seed, whens=whens)

    @cached_property
    def results(self) -> Results:
        tallies = self.work.batch(0, self.deals)
        assert tallies is not None
        return Results(self.prepared.plan, tallies)

    @cached_property
    def answer(self) -> Answer:
        return KINDS[self.prepared.experiment.kind].answer(self.prepared.asked, self.results)

    def outcomes(self, arm_name: str) -> np.ndarray:
        """The outcomes of one arm, shape (deals, rotations)."""
        arm = next(arm for arm in self.prepared.plan.arms if arm.name == arm_name)
        return self.work.play(arm, 0, self.deals).outcomes

    def frame(self, table: str) -> list[dict[str, Any]]:
        """The rows of a table of the answer."""
        frame = next(t.frame for t in self.answer.tables if t.name == table)
        return [{str(k): v for k, v in row.items()} for row in frame.to_dict("records")]


def lab(folder: Path, text: str, deals: int = 200, game: str = "colina") -> Lab:
    """The experiment of this text (without game and seed)."""
    path = folder / "asked.toml"
    path.write_text(f'deals = {deals}\ngame = "{game}"\nseed = 5\n{text}', encoding="utf-8")
    return Lab(prepare(path), deals)


def check_answer(answer: Answer, strategies: list[str]) -> None:
    """What holds for every answer: tables that fit their frames, dashes explained, strategies named."""
    for table in answer.tables:
        for key, column in table.columns.items():
            assert key in table.frame
            assert column.half_width is None or column.half_width in table.frame
        if table.frame[list(table.columns)].isna().any(axis=None):
            assert "dash" in table.how_to_read, table.name
    assert len({table.name for table in answer.tables}) == len(answer.tables)
    assert len({chart.name for chart in answer.charts}) == len(answer.charts)
    assert all(chart.alt and chart.title for chart in answer.charts)
    assert "nan" not in answer.summary
    for verdict in answer.verdicts:
        assert any(name in verdict.under for name in strategies)
        assert verdict.under in verdict.sentence
        assert (verdict.more_deals is None) == (verdict.verdict != "undecided")
    for text in (answer.summary, *answer.notes, *(v.sentence for v in answer.verdicts)):
        assert text.endswith(".")


def replayed(command: str) -> tuple[list[str], dict[str, str], int]:
    """A replay command taken apart: strategies, rules and the deal."""
    words = shlex.split(command)
    assert words[:3] == ["simkit", "replay", "colina"]
    first_option = next(i for i, word in enumerate(words) if word.startswith("-"))
    pairs = list(pairwise(words))
    rules = dict(v.removeprefix("rules.").split("=", 1) for k, v in pairs if k == "-s")
    return words[3:first_option], rules, int(next(v for k, v in pairs if k == "--deal"))
