"""A game of Saloon in words: the hands can be followed, and moves and views are named."""

from __future__ import annotations

from typing import Any

import pytest

from simkit.games.base import Game
from simkit.games.saloon.moves import BELIEVE, DOUBT, DRAW
from simkit.games.saloon.tell import Narrator, move_words, view_words
from simkit.transcript import words
from tests.games.saloon_positions import Position
from tests.tables import table_of

SETUP = {
    **{"type": "setup", "clauses": []},
    **{"clients": [["Ah", "Js"], ["Kd"]], "hands": [["2h", "5h", "9s", "3c"], []]},
}


@pytest.fixture
def narrator() -> Narrator:
    """A narrator who has told a deal."""
    teller = Narrator(["a", "b"])
    assert teller.words(SETUP) == "dealt: a has clients Ah Js and holds 2h 5h 9s 3c; b has clients Kd and holds nothing"
    return teller


def said(narrator: Narrator, kind: str, clauses: tuple[str, ...] = (), **event: Any) -> str:
    return narrator.words({"type": kind, "clauses": clauses, **event})


PAY: dict[str, Any] = {"player": 0, "client": "Ah", "cards": ["2h", "5h", "9s"], "judge": 1, "honest": False}


def test_hands_are_followed_from_event_to_event(narrator: Narrator) -> None:
    told = said(narrator, "pay", **PAY, doubted=False, freed=True)
    assert told == "  a pays 2h 5h 9s for Ah, a bluff; b believes: Ah is freed"
    told = said(narrator, "draw", player=0, cards=["4d"], reshuffled=True)
    assert told == "    a draws 4d after the discard pile was shuffled"
    assert said(narrator, "draw", player=1, cards=[], reshuffled=False) == "    b draws nothing"
    assert said(narrator, "turn", player=0) == "turn of a, who holds 3c 4d"
    assert said(narrator, "discard", player=0, cards=["3c"], why="swap") == "    a discards 3c to swap it"
    assert said(narrator, "turn", player=0) == "turn of a, who holds 4d"


@pytest.mark.parametrize(
    ("clauses", "held"), [(("SAL-3.5 caught",), "3c"), (("SAL-3.5 caught", "SAL-3.6 returned"), "2h 5h 9s 3c")]
)
def test_cards_of_a_caught_bluff_are_gone_unless_they_return(
    clauses: tuple[str, ...], held: str, narrator: Narrator
) -> None:
    told = said(narrator, "pay", clauses, **PAY, doubted=True, freed=False)
    assert told == f"  a pays 2h 5h 9s for Ah, a bluff; b doubts: Ah stays   [{'; '.join(clauses)}]"
    assert said(narrator, "turn", player=0) == f"turn of a, who holds {held}"


@pytest.mark.parametrize(
    ("winner", "reason", "text"),
    [
        (1, "first_close", "b closed first and wins; ranking b, a"),
        (1, "last_standing", "b closed first and wins; one saloon is left open; ranking b, a"),
        (1, "max_turns", "b closed first; the limit of turns is reached; ranking b, a"),
        (None, "max_turns", "the limit of turns is reached and nobody has closed; ranking by seats b, a"),
    ],
)
def test_the_end_of_a_game_says_why(winner: int | None, reason: str, text: str, narrator: Narrator) -> None:
    assert said(narrator, "end", winner=winner, reason=reason, ranking=[1, 0]) == f"end: {text}"


def test_a_closed_saloon_is_told(narrator: Narrator) -> None:
    assert said(narrator, "closed", player=0) == "  a closes the saloon"
    told = said(narrator, "discard", player=0, cards=["2h", "5h", "9s", "3c"], why="closed")
    assert told == "    a discards 2h 5h 9s 3c, all that is left"


KNOWN = {
    **{"player": 0, "clients": [["Ah", "Js"], ["Kd", "Qd"]], "pile": ["6s", "7s"], "discard": ["2d"]},
    "hands": [["2h", "5h", "9h"], ["3c", "4c"]],
}


def seen(position: Position) -> tuple[str, list[str]]:
    """What the seat that decides sees, in words, and its moves."""
    moves = position.moves()
    view = position.table.record[0]["sight"]
    return view_words(view), [move_words(view, move) for move in moves]


def test_a_view_and_its_moves_have_words_at_every_kind_of_decision() -> None:
    position = Position({"hand_limit": 2}, KNOWN)
    table = "seat 0 has clients Js Ah and {} cards; seat 1 has clients Qd Kd and 2 cards"
    piles = "2 cards to draw, discarded 2d"
    view, moves = seen(position)
    assert view == f"turn 1, asked: turn, hand 2h 5h 9h; {table.format(3)}; {piles}"
    assert moves[:4] == ["draw", "swap 2h", "swap 5h", "swap 9h"]
    assert moves[4:] == ["pay 2h 5h 9h for Js, judge 1", "pay 2h 5h 9h for Ah, judge 1"]
    position.play(position.payment("Ah", ["2h", "5h", "9h"], 1))
    view, moves = seen(position)
    judging = "to judge 3 cards that seat 0 pays for Ah"
    assert view == f"turn 1, asked: {judging}, hand 3c 4c; {table.format(0)}; {piles}"
    assert moves == ["believe", "doubt"]
    position.play(DOUBT)
    view, moves = seen(position)
    assert "asked: to discard 2 cards (wrong doubt)" in view
    assert moves == ["discard 3c 4c"]
    over = Position({"hand_limit": 2}, KNOWN)
    over.play(DRAW)
    view, moves = seen(over)
    assert "asked: to discard 2 cards (hand limit)" in view
    assert moves[0] == "discard 6s 2h"


def test_codes_that_are_no_move_are_named_as_such() -> None:
    position = Position({}, KNOWN)
    position.moves()
    view = position.table.record[0]["sight"]
    for code in (-1, 4, 1 << 40):
        assert move_words(view, code) == f"{code} (no such move)"
        assert not position.is_legal(code)
    position.play(position.payment("Ah", ["2h", "5h", "9h"], 1))
    position.moves()
    assert move_words(position.table.record[0]["sight"], 2) == "2 (no such move)"
    position.play(BELIEVE)
    assert position.turn == 1


def test_changed_rules_are_named_first(saloon: Game) -> None:
    lines = list(words(table_of(saloon, ["random", "honest"], {"players": 3, "bill": 2}), 0))
    assert lines[0] == "Saloon, deal 0, seed 1: random (seat 0) against honest (seat 1) against random (seat 2)"
    assert lines[1] == "rules: players = 3, bill = 2"
    assert lines[-1].startswith("end: ")


def test_the_hands_of_the_narrator_are_those_of_the_game(saloon: Game) -> None:
    """A discard of a card that the narrator does not have would raise."""
    rules = {"players": 5, "play_to": "last_standing", "caught_bluff_cards": "return"}
    table = table_of(saloon, ["random", "bluffer", "honest"], rules)
    for deal in range(10):
        told = list(words(table, deal))
        assert sum(" closes the saloon" in line for line in told) == 4
