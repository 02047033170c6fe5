"""What a sweep can show of each setting: measures that every game has, and those that a game counts itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from simkit.games.base import Counted, Game
from simkit.measures import (
    Count,
    Luck,
    Measure,
    PerGame,
    ScoreLead,
    SeatLead,
    SeatWinRate,
    Spread,
    UnfinishedShare,
    WinnerBehind,
    WinRate,
    WithoutWinnerShare,
)
from simkit.questions.base import Lineup, is_mirror

JUDGED_BY = "first_player"  # the measure that verdicts and the best values rest on
COMEBACK_SHARE = 0.25


@dataclass(frozen=True)
class Shown:
    """A measure as a sweep shows it.

    Attributes:
        name: as experiments write it.
        words: as tables and sentences write it.
        kind: "share" of 1, or "count" for a plain number.
        make: the measure of a line-up under some rules.
        meaning: what a reader must know; empty when the words say it all.
        of_a_match: whether it says something only where two different strategies meet; it has no changes.
    """

    name: str
    words: str
    kind: Literal["share", "count"]
    make: Callable[[Lineup, Mapping[str, Any]], Measure]
    meaning: str = ""
    of_a_match: bool = False


FIRST_PLAYER = "The first player is the one named first; against itself, whoever sits in seat 0."
CHANCE = "Decided by luck: 0 % when the better strategy wins every game, 100 % when each wins half, as between equals."
LUCK = (
    "Luck of the deal: how far the winner changes with the seats when a deal is played again with the seats "
    "swapped. Cards drawn later depend on what is played before, so that it is about the first hands above all, and "
    "below 0 % when a deal suits one strategy from both seats. A strategy without chance has 100 % against itself."
)


def known_measures(game: Game) -> dict[str, Shown]:
    """The measures of a game by name."""
    found = [*_general(game), *(m for m in _of_fields(game)), *(_counted(game, own) for own in game.measures)]
    return {measure.name: measure for measure in found}


def _general(game: Game) -> list[Shown]:
    shared = " A draw is shared by those who tied." if game.without_winner == "draw" else ""
    without = "draws" if game.without_winner == "draw" else game.gap_words
    return [
        Shown(
            JUDGED_BY,
            "games won by the first player",
            "share",
            lambda lineup, rules: SeatWinRate(0) if is_mirror(lineup) else WinRate(0),
            FIRST_PLAYER + shared,
        ),
        Shown(
            "lead",
            f"the first player's lead ({game.score_unit} a game)",
            "count",
            lambda lineup, rules: SeatLead(0) if is_mirror(lineup) else ScoreLead(0),
            FIRST_PLAYER,
        ),
        Shown("length", f"{game.length} a game", "count", lambda lineup, rules: PerGame(game.length)),
        Shown("chance", "games decided by luck", "share", lambda lineup, rules: WinRate(0), CHANCE, of_a_match=True),
        Shown("luck", "luck of the deal", "share", lambda lineup, rules: Luck(), LUCK, of_a_match=True),
        Shown("without_winner", without, "share", lambda lineup, rules: WithoutWinnerShare()),
        Shown("unfinished", "games that did not end", "share", lambda lineup, rules: UnfinishedShare()),
    ]


def _of_fields(game: Game) -> list[Shown]:
    """What can be shown of a game whose outcome has the field for it."""

    def comebacks(lineup: Lineup, rules: Mapping[str, Any]) -> Measure:
        return WinnerBehind("behind_most", math.ceil(COMEBACK_SHARE * game.start_score(rules)))

    meaning = f"A comeback: the winner was once behind by a quarter of the starting {game.score_unit} or more."
    shown = {
        "behind_most": Shown("comebacks", "comebacks", "share", comebacks, meaning),
        "lead_changes": Shown(
            "lead_changes", "lead changes a game", "count", lambda lineup, rules: PerGame("lead_changes")
        ),
    }
    return [measure for field, measure in shown.items() if field in game.columns]


def _counted(game: Game, own: Counted) -> Shown:
    """A measure that the game counts itself."""
    if own.kind == "spread":
        return Shown(own.name, own.words, "count", lambda lineup, rules: Spread(own.field, own.index), own.meaning)
    by_seat = (own.field in game.seat_fields, own.of in game.seat_fields)
    measure = Count(own.field, own.of, own.index, by_seat, own.kind == "share")
    kind: Literal["share", "count"] = "share" if own.kind == "share" else "count"
    return Shown(own.name, own.words, kind, lambda lineup, rules: measure, own.meaning)
