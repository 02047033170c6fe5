"""A deal of Sixty-Six in words: the hands can be followed, and why a deal ended as it did."""

from __future__ import annotations

from typing import Any

import pytest

from simkit.driver import Table
from simkit.games.base import Game
from simkit.games.sixty_six.tell import Narrator, move_words, view_words
from simkit.transcript import words
from tests.games.sixty_six_positions import Position, asked
from tests.tables import table_of

DEAL = {
    **{"type": "deal", "dealer": 1, "turned_up": "Ah", "clauses": []},
    "hands": [["9h", "Kd", "Qd"], ["10s", "As", "9c"]],
}


@pytest.fixture
def narrator() -> Narrator:
    """A narrator who has told a deal."""
    teller = Narrator(["a", "b"])
    assert teller.words(DEAL) == "b deals: a holds 9h Kd Qd; b holds 10s As 9c; Ah is turned up, hearts are trump"
    return teller


def said(narrator: Narrator, kind: str, **event: Any) -> str:
    return narrator.words({"type": kind, "clauses": [], **event})


def test_hands_are_followed_from_event_to_event(narrator: Narrator) -> None:
    assert said(narrator, "exchange", player=0, gives="9h", takes="Ah") == "  a exchanges 9h for Ah"
    trick = {"leader": 0, "cards": ["Kd", "As"], "winner": 0, "points": [35, 0]}
    assert said(narrator, "trick", **trick) == "  a leads Kd, b replies As: a takes the trick; points 35 and 0"
    assert said(narrator, "draw", player=0, card="Jc") == "    a draws Jc, now Ah Qd Jc"


def test_a_marriage_says_whether_it_waits(narrator: Narrator) -> None:
    declared = {"player": 0, "suit": "d", "points": 20}
    now = said(narrator, "marriage", pending=False, **declared)
    assert now == "  a declares the marriage of diamonds: 20 points"
    assert said(narrator, "marriage", pending=True, **declared) == f"{now}, pending until a trick is won"


@pytest.mark.parametrize(
    ("winner", "game_points", "reason", "why"),
    [
        (0, [1, 0], "66", "a wins it, 1 game point"),
        (1, [0, 2], "failed_close", "b wins it, as a closed and did not make it, 2 game points"),
        (0, [3, 0], "last_trick", "a wins it with the last trick, 3 game points"),
        (None, [0, 0], "no_winner", "nobody has 66, nobody wins it"),
    ],
)
def test_the_end_of_a_deal_says_why(
    winner: int | None, game_points: list[int], reason: str, why: str, narrator: Narrator
) -> None:
    end = {"points": [60, 50], "game_points": game_points, "winner": winner, "reason": reason}
    assert said(narrator, "deal_end", **end) == f"  the deal ends 60 to 50: {why}"


@pytest.mark.parametrize(
    ("winner", "reason", "text"),
    [
        (0, "66", "a wins, game points 2 and 0"),
        (None, "no_winner", "Nobody wins"),
        (None, "max_deals", "The match is stopped without a winner, game points 2 and 0"),
    ],
)
def test_the_end_of_a_game(winner: int | None, reason: str, text: str, narrator: Narrator) -> None:
    assert said(narrator, "end", winner=winner, reason=reason, scores=[2, 0]) == text


KNOWN = {
    **{"trump": "s", "turned_up": "Ks", "talon": ["Jc", "9c", "Qd"], "closer": None, "leader": 0},
    "hands": [["9s", "Qs", "Kh"], ["Ah", "As", "10s"]],
    **{"tricks_won": [1, 2], "points": [10, 25], "pending": [0, 0]},
}


def seen(position: Position) -> str:
    """What the seat whose turn it is sees, in words."""
    table: Table = position.table
    with asked(table, int(position.state["turn"])):
        table.legal_moves()
        return view_words(table.record[0]["sight"])


def test_a_view_says_how_the_stock_stands() -> None:
    position = Position({"nine_exchange": "optional"}, KNOWN)
    start = "spades trump, 4 cards in the stock with Ks turned up, 10 points against 25, 1 tricks against 2"
    assert seen(position) == f"about to lead, hand 9s Qs Kh, {start}"
    position.play("close Kh")
    assert seen(position).startswith("Kh led, hand 10s As Ah, spades trump, the stock closed by seat 0, 25 points")
    out = Position({}, {**KNOWN, "talon": [], "turned_up": None})
    assert "the stock exhausted" in seen(out)


def test_moves_are_named_in_the_order_in_which_they_happen() -> None:
    view = Position({}, KNOWN).table.record[0]["sight"]
    assert move_words(view, 224 + 12) == "exchange close marriage Ks"
    assert move_words(view, 24) == "24 (no such move)"
    assert move_words(view, 256) == "256 (no such move)"
    assert move_words(view, -1) == "-1 (no such move)"


def test_changed_rules_are_named_before_the_game(sixty_six: Game) -> None:
    assert "rules: closing = false" in list(words(table_of(sixty_six, ["greedy"], {"closing": False}), 0))
    assert not any(line.startswith("rules") for line in words(table_of(sixty_six, ["greedy"]), 0))
