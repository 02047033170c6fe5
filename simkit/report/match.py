"""The result of a match on one screen of a terminal: who won how often, the scores, how long it took."""

from __future__ import annotations

from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Screen
from rich.text import Text

from simkit.games import get_game
from simkit.games.base import Game
from simkit.matches import MatchResult
from simkit.report import numbers

_Z = 1.96  # half-widths of means over thousands of deals; the intervals of the win rates come with the result


def print_match(result: MatchResult, console: Console) -> None:
    """Prints a match: a row a player, and in a line each what was played, how long a game is, and the speed."""
    game = get_game(result.game)
    mirror = len({s["strategy"] for s in result.seats}) == 1
    console.print(Text(_title(game, result, mirror), style="bold"))
    console.print(Text(f"{_size(result)}, seed {result.seed}; {_rules(game, result)}"))
    console.print(_table(game, result, mirror))
    if game.roles:
        console.print(_roles(game, result, mirror))
    console.print(Text(_length(game, result)))
    if result.without_winner:
        count = numbers.count(result.without_winner)
        if game.without_winner == "draw":
            console.print(Text(f"draws: {count}; each is shared by those who tied"))
        else:
            console.print(Text(f"{game.gap_words}: {count}; they are in no win rate", style="yellow"))
    if result.unfinished:
        unfinished = f"unfinished games: {numbers.count(result.unfinished)}; they are in no win rate"
        console.print(Text(unfinished, style="yellow"))
    console.print(Text(_speed(result), style="dim"))


def _title(game: Game, result: MatchResult, mirror: bool) -> str:
    names = list(dict.fromkeys(result.strategies))
    return f"{game.title}: {names[0]} against itself" if mirror else f"{game.title}: {' against '.join(names)}"


def _size(result: MatchResult) -> str:
    seatings = result.games // result.deals
    how = "" if seatings == 1 else f", each in {seatings} seatings: {numbers.count(result.games)} games"
    return f"{numbers.count(result.deals)} deal{'s' if result.deals != 1 else ''}{how}"


def _rules(game: Game, result: MatchResult) -> str:
    from simkit.questions.words import toml_value

    usual = game.resolve({})
    changed = [f"{name} = {toml_value(value)}" for name, value in result.rules.items() if value != usual[name]]
    return ", ".join(changed) or "rules as in the rule document"


def _table(game: Game, result: MatchResult, mirror: bool) -> Screen:
    screen = Screen(box=SIMPLE_HEAD, pad_edge=False, header_style="dim")
    screen.add_column("seat" if mirror else "player", overflow="fold")
    without = "drawn" if game.without_winner == "draw" else "no winner"
    for heading in ("games won", without, f"mean score\n({game.score_unit})", "its spread\n(sd)"):
        screen.add_column(heading, justify="right", no_wrap=True)
    for seat in result.seats:
        who = f"{seat['seat']}: {seat['strategy']}" if mirror else seat["strategy"]
        drawn = numbers.percent(seat["draws"] / seat["games"])
        screen.add_row(Text(who), _won(seat), drawn, *_score(seat))
    return screen


def _roles(game: Game, result: MatchResult, mirror: bool) -> Screen:
    """What each player makes a hand in each part that it has."""
    screen = Screen(box=SIMPLE_HEAD, pad_edge=False, header_style="dim", title=f"{game.score_unit} a hand, by part")
    screen.add_column("seat" if mirror else "player", overflow="fold")
    for role in game.roles:
        screen.add_column(role.words, justify="right")
    for seat in result.seats:
        made = [seat["roles"][role.name]["score_a_hand"] for role in game.roles]
        who = f"{seat['seat']}: {seat['strategy']}" if mirror else seat["strategy"]
        told = [numbers.MISSING if points is None else numbers.number(points, decimals=2) for points in made]
        screen.add_row(Text(who), *told)
    return screen


def _won(seat: dict[str, Any]) -> str:
    if seat["win_rate"] is None:
        return numbers.MISSING
    return numbers.percent(seat["win_rate"], max(seat["high"] - seat["win_rate"], seat["win_rate"] - seat["low"]))


def _score(seat: dict[str, Any]) -> tuple[str, str]:
    spread = seat["score_sd"]
    return numbers.number(seat["score_mean"]), numbers.MISSING if spread is None else numbers.number(spread)


def _length(game: Game, result: MatchResult) -> str:
    column = result.outcome[game.length]
    mean = numbers.number(column["mean"], None if column["se"] is None else _Z * column["se"])
    return f"{mean} {game.length} a game ({column['min']} to {column['max']})"


def _speed(result: MatchResult) -> str:
    made = f"{numbers.count(result.decisions)} decisions"
    if not result.seconds:
        return made
    return f"{made} in {result.seconds:.2f} s: {numbers.count(result.games / result.seconds)} games/s"
