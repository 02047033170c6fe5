"""The options of Sixty-Six, in the order of docs/rules/sixty_six.md; their record is in `state`."""

from __future__ import annotations

from simkit.games.options import Choice, Integer, Switch

INT_MAX = 2**31 - 1
MAX_DEALS = 1000  # of a match that does not end (SS-7.4)
MOST_FAILED = 1_000_000  # such that the game points of MAX_DEALS deals fit 32 bits

AUTOMATIC, OPTIONAL, OFF = range(3)
NONE, BONUS10, WINS = range(3)

OPTIONS = (
    Switch("must_head", False, "SS-3.2", "the second player must win the trick if the duty to follow or trump lets it"),
    Choice(
        "nine_exchange",
        "automatic",
        ("automatic", "optional", "off"),
        "SS-4.3",
        "whether the nine of trumps is exchanged by itself, by choice, or never",
    ),
    Switch("marriage_after_close", True, "SS-5.3", "marriages may be declared once the stock is closed or exhausted"),
    Integer(
        "min_stock",
        2,
        2,
        12,
        "SS-6.2",
        "cards the stock must hold, the turned-up one counted, to close or to exchange the nine",
        step=2,
    ),
    Switch("free_first_lead", True, "SS-6.2", "closing and marriages are allowed before the first trick has been won"),
    Integer("failed_close_points", 2, 0, MOST_FAILED, "SS-6.3", "game points for the other when the closer fails"),
    Switch("closing", True, "SS-6.4", "the leader may close the stock"),
    Choice(
        "last_trick",
        "none",
        ("none", "bonus10", "wins"),
        "SS-7.3",
        "the last trick of a deal that was not closed: nothing more, ten points more, or the deal",
    ),
    Integer("match_points", 0, 0, INT_MAX, "SS-7.4", "game points that win a match; 0 for single deals"),
)
