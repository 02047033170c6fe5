"""Lost Cities: two players, expeditions of rising numbers that cost points to start. Rules: docs/rules/lost_cities.md.

A strategy imports what it needs from here: the constants of the cards and the compiled helpers of `moves`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from simkit.games.base import Counted, Feature, Game, Probe, Progress, Subject
from simkit.games.lost_cities.counts import CLAUSE_IDS, CLAUSES, HAND_KINDS, OPEN_POINTS, RANKS
from simkit.games.lost_cities.rules import OPTIONS, check, warn

if TYPE_CHECKING:
    from simkit.games.lost_cities.cards import (  # noqa: F401
        ALL,
        COLOURS,
        DECK,
        DISCARD,
        EXPEDITION,
        FIRST_NUMBER,
        INVESTMENTS,
        NUMBERS,
        SLOTS,
    )
    from simkit.games.lost_cities.moves import *  # noqa: F403

COLUMNS = {
    "winner": "seat that won, −1 for a draw",
    "unfinished": "1 when the limit of half-turns cut a round short",
    "turns": "half-turns taken",
    "rounds": "rounds played",
    "scores": "points",
    "started": "expeditions started",
    "paying": "expeditions that scored more than 0",
    "losing": "expeditions that scored less than 0",
    "laid": "cards laid on expeditions",
    "wagers": "investment cards laid",
    "bonuses": "expeditions that earned the bonus",
    "discarded": "cards discarded",
    "taken": "cards taken from discard piles",
    "opening": "cards of the rank in the first hand",
    "drawn": "cards of the rank that came to the hand, the first hand included",
    "laid_rank": "cards of the rank laid on expeditions",
    "probe_turn": "own turn at which the probe came, 0 without one",
    "probe_cards": "number cards of the probe's colour in hand that could be laid",
    "probe_sum": "their sum",
    "probe_wagers": "investment cards of the probe's colour in hand that could be laid",
    "probe_laid": "investment cards of the probe's colour that lay already",
    "probe_theirs": "1 when the opponent had started the probe's colour",
    "clauses": "how often the clause fired",
}

# What a probe is sorted by.
_IN_HAND = Feature("wagers", "probe_wagers", "investment cards in hand", (0, 1, 2, 3))
_LAID = Feature("laid", "probe_laid", "investment cards laid before", (0, 1, 2))
_CARDS = Feature("cards", "probe_cards", "number cards in hand", (0, 1, 2, 3, 4))
_SUM = Feature("sum", "probe_sum", "sum of the numbers in hand", (0, 5, 10, 15, 20, 25))
_TURN = Feature("turn", "probe_turn", "own turn", (1, 5, 10, 15))

_BY_RANK = ("opening", "drawn", "laid_rank")
_COUNTS = ("started", "paying", "losing", "laid", "wagers", "bonuses", "discarded", "taken")

GAME = Game(
    name="lost_cities",
    title="Lost Cities",
    about="Two players lay rising numbers on expeditions, which cost points to start; investments multiply the result.",
    package=__name__,
    options=OPTIONS,
    max_seats=2,
    seats=lambda rules: 2,
    columns=COLUMNS,
    labels=dict.fromkeys(_BY_RANK, RANKS) | {"clauses": CLAUSE_IDS},
    check=check,
    warn=warn,
    length="turns",
    score_unit="points",
    start_score=lambda rules: 0,
    seat_fields=frozenset({"scores", *_COUNTS, *_BY_RANK}),
    clauses=CLAUSES,
    open_points=OPEN_POINTS,
    subjects=tuple(Subject(rank, "investment card" if rank == "$" else rank, i, 1 << i) for i, rank in enumerate(RANKS))
    + tuple(Subject(name, words, i, looked_for=True) for i, (name, words) in enumerate(HAND_KINDS)),
    seen=(("opening", "in the first hand"), ("drawn", "ever in hand"), ("laid_rank", "laid")),
    barred_words="Barred: must not lay this card on an expedition, but may discard it.",
    without_winner="draw",
    measures=(
        Counted("score", "points", "scores"),
        Counted("score_spread", "spread of points", "scores", kind="spread"),
        Counted("started", "expeditions started", "started"),
        Counted("paying", "started expeditions that score above 0", "paying", of="started", kind="share"),
        Counted("losing", "started expeditions that score below 0", "losing", of="started", kind="share"),
        Counted("laid", "cards laid", "laid"),
        Counted("wagers", "investment cards laid", "wagers"),
        Counted("bonuses", "bonuses", "bonuses"),
        Counted("taken", "cards taken from discard piles", "taken"),
        Counted("turns", "half-turns", "turns"),
    ),
    probes=(
        Probe("expedition", "starting an expedition", 1, 2, 3, (_IN_HAND, _SUM, _CARDS, _TURN)),
        Probe("wager", "laying an investment card", 4, 5, 6, (_SUM, _TURN, _CARDS, _LAID)),
    ),
    progress=Progress(
        "points",
        "points of the expeditions as they lie, and of the rounds before",
        "cards that have left the draw pile",
    ),
    bench=("random", "first_fit"),
)


def __getattr__(name: str) -> Any:
    """Constants and helpers of the cards and moves, imported on first use: they need numba."""
    for home in ("cards", "moves"):
        # Not `from … import`: that would ask this very function for the module's name.
        module = import_module(f"{__name__}.{home}")
        if not name.startswith("_") and hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
