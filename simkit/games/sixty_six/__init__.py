"""Sixty-Six: two players, 24 cards, trumps, marriages and the gamble of closing. Rules: docs/rules/sixty_six.md.

A strategy imports what it needs from here: the constants of the cards and the compiled helpers of `cards` and `moves`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from simkit.games.base import Counted, Game, Progress, Subject
from simkit.games.sixty_six.counts import CARD_KINDS, CLAUSE_IDS, CLAUSES, OPEN_POINTS, SUBJECTS
from simkit.games.sixty_six.rules import OPTIONS

if TYPE_CHECKING:
    from simkit.games.sixty_six.cards import *  # noqa: F403
    from simkit.games.sixty_six.moves import *  # noqa: F403
    from simkit.games.sixty_six.solver import *  # noqa: F403

COLUMNS = {
    "winner": "seat that won, −1 without a winner",
    "unfinished": "1 when a match was stopped",
    "no_winner": "deals without a winner",
    "tricks": "tricks played",
    "deals": "deals played",
    "points": "card and marriage points that counted, summed over the deals",
    "scores": "game points",
    "deals_won": "deals won",
    "won_tricks": "tricks won",
    "closes": "deals that the seat closed",
    "closes_won": "of these, deals that it won",
    "failed_closes": "of these, deals that it lost",
    "marriages": "marriages declared",
    "marriage_points": "points of marriages that counted",
    "exchanges": "times the nine of trumps was exchanged",
    "schneider": "deals won for 2 game points, failed closes aside",
    "schwarz": "deals won for 3 game points, failed closes aside",
    "opening": "of the subject in the first hands of the deals",
    "drawn": "of the subject held at some time: nines of trumps, or marriages with both cards in hand together",
    "used": "of the subject used: nines exchanged, marriages declared",
    "clauses": "how often the clause fired",
}

MEASURES = (
    Counted("closed", "deals closed", "closes", "deals", kind="share"),
    Counted("closer_wins", "closed deals that the closer wins", "closes_won", "closes", kind="share"),
    Counted("failed_closes", "deals lost by their closer", "failed_closes", "deals", kind="share"),
    Counted("no_winner", "deals without a winner", "no_winner", "deals", kind="share"),
    Counted("schneider", "deals won for 2 game points", "schneider", "deals", kind="share"),
    Counted("schwarz", "deals won for 3 game points", "schwarz", "deals", kind="share"),
    Counted("marriages", "marriages a deal", "marriages", "deals"),
    Counted("exchanges", "exchanges of the nine a deal", "exchanges", "deals"),
    Counted("tricks", "tricks a deal", "tricks", "deals"),
    Counted("game_points", "game points of a player", "scores"),
)

_SUBJECT_NAMES = tuple(name for name, _ in SUBJECTS)

GAME = Game(
    name="sixty_six",
    title="Sixty-Six",
    about="Two players take tricks and declare marriages to reach 66 points first; who closes the stock must make it.",
    package=__name__,
    options=OPTIONS,
    max_seats=2,
    seats=lambda rules: 2,
    columns=COLUMNS,
    labels=dict.fromkeys(("opening", "drawn", "used"), _SUBJECT_NAMES) | {"clauses": CLAUSE_IDS},
    check=lambda rules: [],
    length="tricks",
    score_unit="game points",
    start_score=lambda rules: 0,
    seat_fields=frozenset(
        {
            "points", "scores", "deals_won", "won_tricks", "closes", "closes_won", "failed_closes", "marriages",
            "marriage_points", "exchanges", "opening", "drawn", "used",
        }
    ),
    clauses=CLAUSES,
    open_points=OPEN_POINTS,
    subjects=tuple(Subject(name, words, i, 1 << i) for i, (name, words) in enumerate(SUBJECTS))
    + tuple(Subject(name, words, i, looked_for=True) for i, (name, words) in enumerate(CARD_KINDS)),
    seen=(("opening", "in the first hand"), ("drawn", "held"), ("used", "used")),
    barred_words="Barred: must not declare the marriage, or exchange the nine; the cards may be played.",
    without_winner="gap",
    gap_words="deals without a winner",
    measures=MEASURES,
    progress=Progress(
        "points", "points of the deal, in a match game points", "tricks played, in a match the higher game points"
    ),
    bench=("random", "greedy"),
)  # fmt: skip


def __getattr__(name: str) -> Any:
    """Constants and helpers of the cards and moves, imported on first use: they need numba."""
    for home in ("cards", "moves", "solver"):
        # Not `from … import`: that would ask this very function for the module's name.
        module = import_module(f"{__name__}.{home}")
        if not name.startswith("_") and hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
