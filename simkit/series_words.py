"""What a series of a plan is, in words that need no knowledge of the plan: for whoever lays two runs side by side."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import singledispatch

from simkit.course_measures import CLASSES, GamesWith, LeaderWins, OfGame, OfWon, OfWonAtMost, WonWithChance
from simkit.games.base import HELD, Game
from simkit.measures import (
    Count,
    Measure,
    PerCount,
    PerGame,
    ScoreAboveMean,
    ScoreLead,
    SeatLead,
    SeatScoreAboveMean,
    SeatWinRate,
    Spread,
    UnfinishedShare,
    WinnerBehind,
    WinRate,
    WinRateWith,
    WinRateWithout,
    WithoutWinnerShare,
)
from simkit.plan import Arm
from simkit.questions.base import Lineup, arm_name, under
from simkit.series import Difference, Ratio
from simkit.trace import PER_CENT

ORDINALS = ("first", "second", "third", "fourth")
OF_COURSE: dict[OfGame, str] = {
    "decided": "part of the decisions after which games are decided",
    "lowest": "lowest chance of the winner",
    "drama": "drama",
    "behind": "part of the decisions at which the winner is behind",
    "winner_behind": "how far the winner was behind",
}
SEEN = dict(zip(HELD, ("in the first hand", "once in hand", "played"), strict=True))
TRACED = {"bits": "bits of choice", "moves": "legal moves", "forced": "forced decisions", "decisions": "decisions"}


def series_words(series: Ratio | Difference, arms: Mapping[str, Arm], game: Game) -> str:
    """A series in words: what is measured, under which line-up and changes, and what is taken from it.

    Args:
        series: of a plan.
        arms: the plan's arms by name.
        game: that they play.
    """
    (name, measure), *others = series.parts
    arm = arms[name]
    what, where = measure_words(measure, game, arm.lineup), ", ".join([_who(arm), *_changes(arm)])
    for other_name, other in others:
        if other != measure:
            return f"{what} less {measure_words(other, game, arms[other_name].lineup)}, {where}"
        return f"{what}, {where}, less {_other_words(arm, arms[other_name])}"
    return f"{what}, {where}"


def _other_words(arm: Arm, other: Arm) -> str:
    """What makes another arm, told after the first one."""
    if other == arm:
        return "itself"
    if other.lineup != arm.lineup:
        return f"the same under {', '.join([_who(other), *_changes(other)])}"
    changes = _changes(other)
    return f"the same with {', '.join(changes) or 'the rules as they are'}"


def _who(arm: Arm) -> str:
    if not arm.name.startswith(arm_name(arm.lineup)):  # named by more than its strategies: by their parameters
        return arm.name.replace(" v ", " against ").replace(" | ", ", ")
    many = f" ({len(arm.lineup)} players)" if len(arm.lineup) > 2 else ""
    return under(arm.lineup) + many


def _changes(arm: Arm) -> list[str]:
    """What else makes an arm: rules, parameters, a card that is off or barred, as its name tells it."""
    head = arm_name(arm.lineup)
    rest = arm.name.removeprefix(head) if arm.name.startswith(head) else ""
    rest = re.sub(r"player (\d+)", lambda found: _player(arm.lineup, int(found[1])), rest)
    return [part.strip() for part in rest.split("|") if part.strip()]


def _player(lineup: Lineup, p: int) -> str:
    """A player by its strategy, by its number where several have the same one."""
    if lineup.count(lineup[p]) == 1:
        return lineup[p]
    return f"the {ORDINALS[p]} player" if p < len(ORDINALS) else f"player {p + 1}"


@singledispatch
def measure_words(measure: Measure, game: Game, lineup: Lineup) -> str:
    """What a measure counts, in the game's words."""
    return type(measure).__name__


@measure_words.register
def _(measure: WinRate, game: Game, lineup: Lineup) -> str:
    return f"games won by {_player(lineup, measure.player)}"


@measure_words.register
def _(measure: WinRateWith, game: Game, lineup: Lineup) -> str:
    seen = (dict(game.seen) | SEEN).get(measure.field, measure.field)
    return (
        f"games won by {_player(lineup, measure.player)} with the {_entry(measure.field, measure.index, game)} {seen}"
    )


@measure_words.register
def _(measure: WinRateWithout, game: Game, lineup: Lineup) -> str:
    return measure_words.dispatch(WinRateWith)(measure, game, lineup).replace(" with ", " without ", 1)


@measure_words.register
def _(measure: ScoreAboveMean, game: Game, lineup: Lineup) -> str:
    return f"score of {_player(lineup, measure.player)} above the table's mean ({game.score_unit} a game)"


@measure_words.register
def _(measure: SeatScoreAboveMean, game: Game, lineup: Lineup) -> str:
    return f"score of seat {measure.seat} above the table's mean ({game.score_unit} a game)"


@measure_words.register
def _(measure: SeatWinRate, game: Game, lineup: Lineup) -> str:
    return f"games won from seat {measure.seat}"


@measure_words.register
def _(measure: ScoreLead, game: Game, lineup: Lineup) -> str:
    return f"lead of {_player(lineup, measure.player)} ({game.score_unit} a game)"


@measure_words.register
def _(measure: SeatLead, game: Game, lineup: Lineup) -> str:
    return f"lead of seat {measure.seat} ({game.score_unit} a game)"


@measure_words.register
def _(measure: UnfinishedShare, game: Game, lineup: Lineup) -> str:
    return "games that did not end"


@measure_words.register
def _(measure: WithoutWinnerShare, game: Game, lineup: Lineup) -> str:
    return "drawn games" if game.without_winner == "draw" else game.gap_words


@measure_words.register
def _(measure: PerGame, game: Game, lineup: Lineup) -> str:
    whose = "" if measure.player is None else f" by {_player(lineup, measure.player)}"
    if measure.field == "clauses":
        return f"times a game: {game.clauses[measure.index[0]][0]}"
    what = game.length if measure.field == game.length else _field(measure.field, measure.index, game)
    return f"{what} a game{whose}"


@measure_words.register
def _(measure: PerCount, game: Game, lineup: Lineup) -> str:
    of = _field(measure.of_field, measure.of_index, game)
    return f"{_field(measure.field, measure.index, game)}, for each of {of}, {_player(lineup, measure.player)}"


@measure_words.register
def _(measure: Count, game: Game, lineup: Lineup) -> str:
    for own in game.measures:
        if (own.field, own.of, own.index) == (measure.field, measure.of, measure.index):
            return own.words
    what = _field(measure.field, measure.index, game)
    if measure.of is None:
        return f"{what} a player" if measure.by_seat[0] else f"{what} a game"
    of = _field(measure.of, (), game)
    return f"{what}, of all {of}" if measure.is_share else f"{what}, for each of the {of}"


@measure_words.register
def _(measure: Spread, game: Game, lineup: Lineup) -> str:
    return f"spread of {_field(measure.field, measure.index, game)}"


@measure_words.register
def _(measure: WinnerBehind, game: Game, lineup: Lineup) -> str:
    return f"games won from {measure.least} {game.score_unit} behind or more"


@measure_words.register
def _(measure: GamesWith, game: Game, lineup: Lineup) -> str:
    is_clause = measure.field == "clauses"
    return (
        f"games with {game.clauses[measure.index[0]][0] if is_clause else _field(measure.field, measure.index, game)}"
    )


@measure_words.register
def _(measure: OfWon, game: Game, lineup: Lineup) -> str:
    return OF_COURSE[measure.name]


@measure_words.register
def _(measure: OfWonAtMost, game: Game, lineup: Lineup) -> str:
    return f"games won from a chance of {measure.most / 10:g} % or less"


@measure_words.register
def _(measure: LeaderWins, game: Game, lineup: Lineup) -> str:
    return f"games won by who led after {measure.part} % of the decisions"


@measure_words.register
def _(measure: WonWithChance, game: Game, lineup: Lineup) -> str:
    low, high = (PER_CENT * place // CLASSES for place in (measure.place, measure.place + 1))
    return f"positions won at a chance of {low} to {high} %"


def _field(field: str, index: tuple[int, ...], game: Game) -> str:
    """What a field of the outcome counts, and of what."""
    words = TRACED.get(field) or game.columns.get(field, field)
    entry = _entry(field, index, game)
    return f"{words} ({entry})" if entry else words


def _entry(field: str, index: tuple[int, ...], game: Game) -> str:
    """The entries of a field's axes by their names."""
    if field in HELD:
        return next(s.words for s in game.subjects if s.looked_for and s.index == index[0])
    axes = zip((field, f"{field}/2"), index, strict=False)
    names = [game.labels[axis][i] if axis in game.labels else str(i) for axis, i in axes]
    subjects = {subject.name: subject.words for subject in game.subjects}
    return ", ".join(subjects.get(name, name) for name in names)
