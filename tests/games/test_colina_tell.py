"""A game of Colina in words: the hands can be followed, and why a round went as it did."""

from __future__ import annotations

from typing import Any

import pytest

from simkit.games.base import Game
from simkit.games.colina.tell import Narrator
from simkit.transcript import words
from tests.tables import table_of

DRAW = {"type": "draw", "player": 1, "cards": ["2h", "2h", "9s", "Kd"], "reshuffled": False, "clauses": []}


def play(front: list[str], back: str | None = None) -> dict[str, Any]:
    return {"type": "play", "round": 3, "player": 1, "front": front, "back": back, "clauses": []}


def result(*clauses: str, damage: tuple[int, int] = (4, 0)) -> dict[str, Any]:
    return {"type": "result", "totals": [6, 10], "damage": damage, "points": [50, 60], "clauses": list(clauses)}


def test_a_play_says_what_stays_in_the_hand() -> None:
    narrator = Narrator(["a", "b"])
    assert narrator.words(DRAW) == "b draws 2h 2h 9s Kd"
    assert narrator.words(play(["2h"], "Kd")) == "  b plays 2h, behind it Kd (king); keeps 2h 9s"
    assert narrator.words(play(["9s"])) == "  b plays 9s; keeps 2h"
    assert narrator.words(play(["2h"])) == "  b plays 2h; keeps nothing"


@pytest.mark.parametrize(
    ("clauses", "why"),
    [
        ([], ""),
        (["COL-4.3 hill"], ", the lower total wins"),
        (["COL-4.5 mirror"], ", the mirror swaps the loss"),
        (["COL-4.5 mirror", "COL-4.3 hill"], ", the lower total wins, the mirror swaps the loss"),
    ],
)
def test_a_result_says_what_turned_the_round_around(clauses: list[str], why: str) -> None:
    said = Narrator(["a", "b"]).words(result(*clauses))
    assert said.startswith(f"  6 against 10{why}: a loses 4 TP; TP 50 and 60")


def test_changed_rules_are_named_before_the_game(colina: Game) -> None:
    players, short = ["greedy", "random"], {"start_points": 5, "jokers": 0}
    assert "rules: start_points = 5, jokers = 0" in list(words(table_of(colina, players, short), 0))
    assert not any(line.startswith("rules") for line in words(table_of(colina, players), 0))
