"""The records of Hakka cards: the state, the view of a seat, and the outcome of a game with its columns."""

from __future__ import annotations

import numpy as np

from simkit.games.hakka.counts import CLAUSES, ROLES
from simkit.games.hakka.rules import OPTIONS
from simkit.games.options import rules_dtype

SEATS = 4
WINS = 7  # ways to win by tricks: 6 … 12

# `barred`: see counts.BAR_OUT_OF_TURN. `probe`: which decision of `probe_seat` is forced or forbidden, see `probe`; 0
# for none.
RULES = rules_dtype(OPTIONS, ("barred", "i8", (SEATS,)), ("probe", "i8"), ("probe_seat", "i8"))

# A set of cards is a uint64 with a bit a card (see cards). Cards on the table count as gone once the trick is over.
VIEW = np.dtype(
    [
        ("hand", "u8"),  # my cards
        ("choices", "u8"),  # at a lead: cards that may be led as a single; at a follow: what beats, see cards.beaters
        ("best", "u8"),  # the best pattern on the table, empty at a lead
        ("elders", "u8"),  # the Elders now, in whatever hand
        ("gone", "u8"),  # cards publicly gone in the tricks that are over
        ("trick", "u8"),  # cards that lie face up in this trick
        ("dealt", "u8"),  # my hand as dealt
        ("winning", "u8"),  # my cards that have won me tricks
        ("played", "u8", (SEATS,)),  # by seat: cards that were seen to be played or discarded
        ("lacks", "u8", (SEATS,)),  # by seat: cards it cannot have, having had to beat a single and not done so
        # The next three lines are words of the state, see `words`.
        ("decision", "i1"),  # what is asked: FIVE_TIGERS, CALL, LEAD, FOLLOW or CLAIM
        ("pattern", "i1"),  # of the trick: SINGLE, RUN or SET, −1 at a lead
        ("size", "i1"),  # cards of the pattern, 0 at a lead
        ("leader", "i1"),  # seat that led, −1 at a lead
        ("best_seat", "i1"),  # seat whose pattern is the best, −1 at a lead
        ("left", "i1"),  # followers that come after me
        ("_unused", "i1", (2,)),
        ("dealer", "i1"),
        ("dreamer", "i1"),
        ("privileged", "i1"),  # seat of the Privileged player, −1 for none
        ("caller", "i1"),  # seat that called, −1 as long as nobody has
        ("passes", "i1"),  # players who have passed, the dealer first
        ("first_six", "i1"),  # the first seat with six tricks, −1 for none
        ("seat", "i1"),
        ("_unused_too", "i1"),
        ("won", "i1", (SEATS,)),  # tricks won by each seat in this hand
        ("hands", "i2"),  # hands that are over, cancelled ones not counted
        ("redeals", "i2"),  # hands cancelled in a row before this one
        ("points", "i8", (SEATS,)),  # of the game so far
    ],
    align=True,
)

OUTCOME = np.dtype(
    [
        ("winner", "i4"),
        ("unfinished", "i4"),
        ("hands", "i4"),
        ("hands_played", "i4"),
        ("hands_cancelled", "i4"),
        ("hands_without_winner", "i4"),
        ("hands_with_winner", "i4"),
        ("active_hands", "i4"),
        ("tricks", "i4"),
        ("scores", "i4", (SEATS,)),
        ("hands_won", "i4", (SEATS,)),
        ("calls", "i4", (SEATS,)),
        ("claims", "i4", (SEATS,)),
        ("hands_role", "i4", (SEATS, len(ROLES))),
        ("wins_role", "i4", (SEATS, len(ROLES))),
        ("points_role", "i4", (SEATS, len(ROLES))),
        ("privileged", "i4"),
        ("winner_tricks", "i4"),
        ("dreamer_tricks", "i4"),
        ("won_with", "i4", (WINS,)),
        ("won_from_10", "i4"),
        ("moved_with", "i4", (WINS,)),
        ("moved", "i4"),
        ("moved_from_10", "i4"),
        ("tigers_dealt", "i4"),
        ("tigers_taken", "i4"),
        ("tigers_won", "i4"),
        ("tigers_points", "i4"),
        ("probe_turn", "i4"),
        ("probe_passes", "i4"),
        ("probe_elders", "i4"),
        ("probe_longest", "i4"),
        ("probe_ahead", "i4"),
        ("clauses", "i4", (len(CLAUSES),)),
    ],
    align=True,
)


# Fields that are written together in the loop do not lie together: read back at once as one they would have to wait.
STATE = np.dtype(
    [
        ("turn", "i8"),  # seat that decides; −1 when the game is over
        ("best", "u8"),  # see VIEW
        ("won", "u8"),  # see words
        ("elders", "u8"),
        ("table", "u8"),  # see words
        ("trick", "u8"),
        ("choices", "u8"),  # see VIEW; of the seat whose turn it is
        ("gone", "u8"),
        ("roles", "u8"),  # see words
        ("hand", "u8", (SEATS,)),
        ("dealt", "u8", (SEATS,)),
        ("winning", "u8", (SEATS,)),  # cards that have won the seat tricks
        ("played", "u8", (SEATS,)),
        ("lacks", "u8", (SEATS,)),
        ("dream", "u8"),  # the Dreamer's card
        ("tigers", "i8"),  # seat that was dealt the Five Tigers, −1 for none
        ("probe_at", "i8"),  # from this hand on the probe may come; 0 once it has
        ("points", "i8", (SEATS,)),
        ("events", "u8"),  # clauses that fired in the last decision, a bit each
        ("move", "i8"),  # the last decision
        ("deals", "i8"),  # hands that are over, cancelled ones counted
        # Of the last hand that ended: winner or −1, its tricks and the Dreamer's, the points, the tricks won by all,
        # and who won the last trick.
        ("end_winner", "i8"),
        ("end_tricks", "i8"),
        ("end_dreamer", "i8"),
        ("end_points", "i8", (SEATS,)),
        ("end_won", "u8"),
        ("end_seat", "i8"),
    ],
    align=True,
)

# Where the three words lie in a VIEW, and fields by seat that are copied at once.
TABLE, ROLES_WORD, WON = (VIEW.fields[name][1] for name in ("decision", "dealer", "won"))  # type: ignore[index]
LACKS, POINTS = (VIEW.fields[name][1] for name in ("lacks", "points"))  # type: ignore[index]
STATE_LACKS, STATE_POINTS = (STATE.fields[name][1] for name in ("lacks", "points"))  # type: ignore[index]
