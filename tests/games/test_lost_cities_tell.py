"""A game of Lost Cities in words: hands and expeditions can be followed, and how a round was scored."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simkit.games.base import Game
from simkit.games.lost_cities.tell import Narrator, move_words
from simkit.transcript import words
from tests.games.lost_cities_positions import Position
from tests.tables import table_of

DEAL = {"type": "deal", "hands": [["R$", "R5", "B2"], ["Y3", "Y4", "G10"]], "starter": 0, "clauses": []}


def turn(player: int, card: str, to: str, source: str, drawn: str) -> dict[str, Any]:
    return {"type": "turn", "player": player, "card": card, "to": to, "from": source, "drawn": drawn, "clauses": []}


def test_a_turn_says_what_lies_there_and_what_stays_in_the_hand() -> None:
    narrator = Narrator(["a", "b"])
    assert narrator.words(DEAL).splitlines() == ["Round 1: a starts", "  a holds R$ R5 B2", "  b holds Y3 Y4 G10"]
    assert narrator.words(turn(0, "R$", "expedition", "deck", "W2")) == (
        "   1 a lays R$, a new expedition, and takes W2 from the draw pile; beside it R5 B2"
    )
    assert narrator.words(turn(1, "Y3", "discard", "deck", "W3")) == (
        "   2 b discards Y3 and takes W3 from the draw pile; beside it Y4 G10"
    )
    assert narrator.words(turn(0, "R5", "expedition", "Y", "Y3")) == (
        "   3 a lays R5 on R$ and takes Y3 from the yellow discards; beside it B2 W2"
    )


@pytest.mark.parametrize(
    ("winner", "scores", "last"), [(1, [-3, 4], "b wins, 4 to -3"), (None, [7, 7], "A draw: 7 points each")]
)
def test_the_end_tells_the_expeditions_and_the_result(winner: int | None, scores: list[int], last: str) -> None:
    expeditions = [[{"cards": ["R2", "R3"], "score": -15, "bonus": False}], []]
    end = {"type": "end", "winner": winner, "scores": scores, "expeditions": expeditions, "clauses": []}
    lines = Narrator(["a", "b"]).words(end).splitlines()
    assert lines == ["The expeditions:", "  a: R2 R3: -15", "  b: none", last]


def test_a_round_says_that_it_was_cut_short_and_which_expedition_earned_the_bonus() -> None:
    expeditions = [[], [{"cards": ["Y2"], "score": 2, "bonus": True}]]
    round_ = {"type": "round", "scores": [0, 2], "expeditions": expeditions, "clauses": ["LC-4.2 cut short"]}
    narrator = Narrator(["a", "b"])
    narrator.words(DEAL)
    assert narrator.words(round_).splitlines() == [
        "The expeditions (cut short by the limit of half-turns):",
        "  a: none",
        "  b: Y2: 2 with the bonus",
        "Round 1 scores 0 and 2",
    ]


def test_changed_rules_are_named_before_the_game(lost_cities: Game) -> None:
    told = list(words(table_of(lost_cities, ["first_fit", "random"], {"colors": 3, "rounds": 2}), 0))
    assert told[1] == "rules: colors = 3, rounds = 2"
    assert told[-1].endswith("points each") or " wins, " in told[-1]


def test_moves_in_words() -> None:
    view = Position({}, 0, [["Y2"] * 1, ["Y3"]]).table.record["sight"][0]
    codes = {"lay R7, draw": 56 | 6 << 8, "discard Y2, take from blue": 3 | 1 << 7 | 1 << 8}
    assert {words_: move_words(view, code) for words_, code in codes.items()} == {words_: words_ for words_ in codes}
    for code in (-1, 72, 7 << 8, 2**40):
        assert move_words(view, code) == f"{code} (no such move)"
    assert isinstance(view, np.void)
