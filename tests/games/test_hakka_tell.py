"""A game of Hakka cards in words: what was played can be followed, and why a hand ended as it did."""

from __future__ import annotations

from typing import Any

import pytest

from simkit.games.hakka.cards import cards_of
from simkit.games.hakka.moves import DISCARD, NO, YES
from simkit.games.hakka.tell import Narrator, move_words, view_words
from tests.games.hakka_positions import Position, legal_moves

HAND = {
    **{"type": "hand", "dealer": 0, "dreamer": 2, "dreamer_card": "W", "clauses": []},
    "hands": {"0": ["S9", "G1"], "1": ["S4", "G5"], "3": ["N1", "N2"]},
}


@pytest.fixture
def narrator() -> Narrator:
    """A narrator who has told a deal."""
    teller = Narrator(["a", "b", "c", "d"])
    assert teller.words(HAND) == "a deals, c dreams on W: a holds S9 G1; b holds S4 G5; d holds N1 N2"
    return teller


def said(narrator: Narrator, kind: str, **event: Any) -> str:
    return narrator.words({"type": kind, "clauses": [], **event})


def test_a_trick_is_told_play_by_play(narrator: Narrator) -> None:
    cards = ((0, "G1", False), (1, "G5", False), (3, "N2", True))
    plays = [{"player": seat, "cards": [card], "discard": discard} for seat, card, discard in cards]
    told = said(narrator, "trick", leader=0, pattern="single", plays=plays, winner=1, tricks=[0, 1, 0, 0])
    assert told == "  a leads G1, b beats with G5, d discards N2: b takes it; tricks by seat 0 1 0 0"
    assert narrator.hands == {0: ["S9"], 1: ["S4"], 3: ["N1"]}


def test_calls_and_claims_name_their_player(narrator: Narrator) -> None:
    assert said(narrator, "call", player=0, call=False) == "  a passes"
    assert said(narrator, "call", player=1, call=True) == "  b calls"
    assert said(narrator, "five_tigers", player=3) == "  d shows the Five Tigers"
    assert said(narrator, "claim", player=3, tricks=5, elders=["N1"]) == "  d claims with 5 tricks and the Elders N1"
    assert said(narrator, "claim", player=3, tricks=6, elders=[]) == "  d claims with 6 tricks"
    assert said(narrator, "cancelled") == "  nobody called: the hand is cancelled"


def test_the_end_of_a_hand_says_who_won_what(narrator: Narrator) -> None:
    end = {"winner": 0, "winner_tricks": 6, "dreamer_tricks": 7, "points": [2, -3, 4, -3]}
    told = said(narrator, "hand_end", **end)
    assert told == "  a wins the hand with 6 tricks, the Dreamer wakes with 7 tricks; points 2 -3 4 -3"
    nothing = dict.fromkeys(("winner", "winner_tricks", "dreamer_tricks"))
    told = said(narrator, "hand_end", **nothing, points=[0, 0, 0, 0])
    assert told == "  the cards ran out and nobody has 6 tricks: nothing is scored"


@pytest.mark.parametrize(
    ("winner", "reason", "text"),
    [
        (3, "hands", "d wins; points 1 0 -3 2"),
        (None, "hands", "Nobody wins, the highest total is shared; points 1 0 -3 2"),
        (None, "max_redeals", "The game is stopped, as hand after hand was cancelled; points 1 0 -3 2"),
    ],
)
def test_the_end_of_a_game(winner: int | None, reason: str, text: str, narrator: Narrator) -> None:
    assert said(narrator, "end", winner=winner, reason=reason, points=[1, 0, -3, 2]) == text


HANDS = {0: ["S9", "S4", "Z2"], 1: ["S6", "G5", "G6"], 3: ["N1", "N2", "W"]}


def seen(position: Position) -> str:
    """What the seat whose turn it is sees, in words."""
    legal_moves(position.table)  # writes the view
    return view_words(position.table.record[0]["sight"])


def test_a_view_says_what_is_asked_and_by_whom() -> None:
    position = Position({}, 0, HANDS)
    end = "tricks by seat 0 0 0 0, 0 hands over, points by seat 0 0 0 0"
    assert seen(position) == f"call or pass, dealer, hand S4 S9 Z2, Elders S9, {end}"
    position.play(("call", False))
    assert seen(position).startswith("call or pass, active, hand S6 G5 G6, Elders none")
    position.play(("call", True))
    position.play(("lead", ("S4",)))
    assert seen(position).startswith("to follow S4, Privileged, hand S6 G5 G6")


def test_the_move_of_a_seat_is_named_by_what_was_asked() -> None:
    view = Position({}, 0, HANDS).table.record[0]["sight"]
    view["decision"] = 1
    assert (move_words(view, YES), move_words(view, NO)) == ("call", "pass")
    view["decision"] = 4
    assert (move_words(view, YES), move_words(view, NO)) == ("claim", "play on")
    run = cards_of(["G5", "G6", "G7"])
    assert move_words(view, run) == "G5 G6 G7"
    assert move_words(view, run | DISCARD) == "discard G5 G6 G7"
    assert move_words(view, 0) == "0 (no such move)"
    assert move_words(view, 1 << 9) == "512 (no such move)"
    assert move_words(view, -1) == "-1 (no such move)"


def test_what_was_declined_is_told_with_what_comes_next() -> None:
    """A player with enough tricks who does not claim makes no event; the clause is in the next trick's."""
    hands = {0: ["S9", "G9", "Z9", "N9", "S1", "N1", "W", "Z2"], 1: ["S2", "S3"], 3: ["G2", "G3"]}
    position = Position({}, 0, hands)
    position.play(("call", True))
    position.play(("lead", ("Z2",)))
    position.play(("discard", ("S2",)))
    assert [event["type"] for event in position.play(("discard", ("G2",)))] == ["trick"]
    assert position.play(("claim", False)) == []
    position.play(("lead", ("W",)))
    position.play(("discard", ("S3",)))
    assert position.play(("discard", ("G3",)))[0]["clauses"][0] == "HK-6.2 played on"
