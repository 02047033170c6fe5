"""Saloon: two to eight players pay their clients' bills face down, honestly or not. Rules: docs/rules/saloon.md.

A strategy imports what it needs from here: the constants of the cards and the compiled helpers of `moves` and `sight`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from simkit.games.base import HELD, Counted, Feature, Game, Probe, Progress, Subject
from simkit.games.saloon.counts import CARD_KINDS, CLAUSE_IDS, CLAUSES, OPEN_POINTS
from simkit.games.saloon.rules import MAX_PLAYERS, OPTIONS, check

if TYPE_CHECKING:
    from simkit.games.saloon.cards import *  # noqa: F403
    from simkit.games.saloon.counts import (  # noqa: F401
        BELIEVED_BLUFF,
        BELIEVED_HONEST,
        DOUBTED_BLUFF,
        DOUBTED_HONEST,
    )
    from simkit.games.saloon.moves import *  # noqa: F403
    from simkit.games.saloon.sight import *  # noqa: F403

COLUMNS = {
    "winner": "seat that closed first, −1 if none did",
    "unfinished": "1 when the game was stopped at the limit of turns",
    "turns": "turns of single players",
    "payments": "payments of all players",
    "scores": "1 for the first to close; when played to the last saloon, how many closed later or not at all",
    "rank": "place in the ranking, from 1; saloons that are still open come last",
    "freed": "clients freed",
    "draws": "turns used to draw a card",
    "swaps": "turns used to swap",
    "honest": "honest payments",
    "bluffs": "bluffs",
    "believed_bluffs": "bluffs that were believed",
    "doubts": "payments of others that the seat doubted",
    "caught": "bluffs that the seat caught as a judge",
    "wrong_doubts": "honest payments that the seat doubted",
    "reshuffles": "times the discard pile was shuffled",
    "probe_turn": "turn of the game at which the probe came, 0 without one",
    "probe_bill": "cards of the probe's payment",
    "probe_hand": "cards left in the payer's hand then",
    "probe_clients": "clients of the payer then, the one being paid for included",
    "probe_seen": "cards of that client's suit in the judge's hand or in the discard pile then",
    "probe_own": "cards in the judge's hand then",
    "clauses": "how often the clause fired",
}

# What a judge knows of a payment.
_JUDGED = (
    Feature("bill", "probe_bill", "cards paid", (1, 2, 3, 4, 5)),
    Feature("hand", "probe_hand", "cards left in the payer's hand", (0, 1, 2, 3, 4)),
    Feature("clients", "probe_clients", "clients of the payer", (1, 2, 3, 4)),
    Feature("seen", "probe_seen", "cards of the suit in own hand or discarded", (0, 2, 4, 5, 6, 7)),
    Feature("own", "probe_own", "cards in own hand", (0, 3, 5)),
)

MEASURES = (
    Counted("payments", "payments", "payments"),
    Counted("honest", "payments that are honest", "honest", of="payments", kind="share"),
    Counted("believed", "bluffs that are believed", "believed_bluffs", of="bluffs", kind="share"),
    Counted("doubts", "payments that are doubted", "doubts", of="payments", kind="share"),
    Counted("caught", "doubts that catch a bluff", "caught", of="doubts", kind="share"),
    Counted("wrong_doubts", "honest payments that are doubted", "wrong_doubts", of="honest", kind="share"),
    Counted("freed", "clients freed by a player", "freed"),
    Counted("swaps", "swaps of a player", "swaps"),
    Counted("draws", "single draws of a player", "draws"),
    Counted("reshuffles", "reshuffles", "reshuffles"),
    Counted("turns", "turns", "turns"),
)

GAME = Game(
    name="saloon",
    title="Saloon",
    about="Two to eight players empty their saloons by paying clients' bills face down, honestly or as a bluff.",
    package=__name__,
    options=OPTIONS,
    max_seats=MAX_PLAYERS,
    seats=lambda rules: int(rules["players"]),
    columns=COLUMNS,
    labels={"clauses": CLAUSE_IDS},
    check=check,
    length="turns",
    score_unit="saloons",
    start_score=lambda rules: 0,
    only_wins=lambda rules: rules["players"] == 2 or rules["play_to"] == "first_close",
    seat_fields=frozenset(
        {
            "scores", "rank", "freed", "draws", "swaps", "honest", "bluffs", "believed_bluffs", "doubts", "caught",
            "wrong_doubts",
        }
    ),
    clauses=CLAUSES,
    open_points=OPEN_POINTS,
    subjects=tuple(Subject(name, words, i, looked_for=True) for i, (name, words) in enumerate(CARD_KINDS)),
    seen=tuple(zip(HELD, ("in the first hand", "ever in hand", "paid"), strict=True)),
    without_winner="gap",
    gap_words="games that nobody has won",
    measures=MEASURES,
    probes=(
        Probe(
            "doubt",
            "doubting a payment",
            now=1,
            never=2,
            later=3,
            features=_JUDGED,
            never_words="believing it and all later ones",
            later_words="believing it",
        ),
    ),
    progress=Progress("clients", "clients freed", "clients that all have freed"),
    bench=("random", "honest"),
)  # fmt: skip


def __getattr__(name: str) -> Any:
    """Constants and helpers of the cards, moves, verdicts and views, imported on first use: most of them need numba."""
    for home in ("cards", "moves", "counts", "sight"):
        # Not `from … import`: that would ask this very function for the module's name.
        module = import_module(f"{__name__}.{home}")
        if not name.startswith("_") and hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
