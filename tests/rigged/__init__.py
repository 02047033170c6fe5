"""Rigged dice, a game for tests: who wins is drawn by a die, and how the die is loaded is set by the rules.

So every effect that can be asked for is known exactly, in thousandths of a win. Seat 0 wins with the chance of a half,
more by `first` and `tilt`, by the cards that it plays less those of the other, and by what its throw wins.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from simkit.games import games
from simkit.games.base import Counted, Feature, Game, Probe, Subject
from tests.rigged.rules import CARDS, CLAUSES, OPTIONS

GAME = Game(
    name="rigged",
    title="Rigged dice",
    about="Two players throw, and a loaded die decides.",
    package=__name__,
    options=OPTIONS,
    max_seats=2,
    seats=lambda rules: 2,
    columns={
        "winner": "seat that won, −1 for a draw",
        "unfinished": "always 0",
        "rounds": "1, and one more with a chance of a half, again and again",
        "scores": "points won, below 0 when lost",
        "opening": "1 for a card that was dealt",
        "used": "1 for a card that was played",
        "probe_turn": "turn at which the probe came, counted from 1; 0 without one",
        "probe_seat": "seat of the probe",
        "probe_king": "1 when that seat holds a king as well",
        "clauses": "how often the clause fired",
    },
    labels={"opening": CARDS, "used": CARDS, "clauses": tuple(clause for clause, _ in CLAUSES)},
    check=lambda rules: [],
    length="rounds",
    score_unit="points",
    start_score=lambda rules: 0,
    seat_fields=frozenset({"scores", "opening", "used"}),
    clauses=CLAUSES,
    measures=(Counted("score_spread", "spread of points won", "scores", kind="spread"),),
    subjects=tuple(Subject(card[0].upper(), card, i, 1 << i, f"{card}s") for i, card in enumerate(CARDS)),
    seen=(("opening", "dealt"), ("used", "played")),
    barred_words="Barred from a card, its holder may not play it.",
    probes=(
        Probe(
            "ace",
            "playing an ace",
            now=1,
            never=2,
            later=2,
            features=(
                Feature("seat", "probe_seat", "seat", (0, 1), top=1),
                Feature("king", "probe_king", "kings in hand", (0, 1), top=1),
            ),
        ),
    ),
)


@contextmanager
def known() -> Iterator[Game]:
    """The game is known by its name meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(games(), GAME.name, GAME)
        yield GAME
