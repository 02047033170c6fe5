"""Plays a strategy under a spread of rules, or tries a game, with every index checked: the process of `simkit check`.

Whatever the strategy or the game does, the parent lives on. It is told in JSON lines on stdout: `{"doing": …}` before
each deal or check, so that it knows where a crash happened, and at the end `{"ok": …}`, `{"fault": …}` or, when it is
not the strategy's or the game's, `{"obstacle": …}`.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from simkit import strategy
from simkit.check import BARE_INDEX
from simkit.driver import Table, engine
from simkit.errors import GameError, SimkitError, StrategyError
from simkit.games import get_game
from simkit.games.base import Game
from simkit.games.options import AnyOption, Choice, Integers, Switch
from simkit.player import Player, compile_player, place_of

DEALS = 100  # of each variant, against each opponent, when there is time
SHARE_OF_TIME = 0.6  # of the limit that is played; then it is enough
TENFOLD = 10  # numbers are tried up to this multiple of their default (or 100): beyond, games may hardly end
LOADING_SECONDS = 120.0  # for compiling a strategy, whose limit is for playing


Report = Callable[..., None]


def extremes(option: AnyOption) -> list[Any]:
    """The values of an option that are worth a try besides its default."""
    if isinstance(option, Switch):
        found: list[Any] = [True, False, *([[True, False], [False, True]] if option.per_seat else [])]
    elif isinstance(option, Choice):
        found = list(option.choices)
    elif isinstance(option, Integers):
        found = [[end] * len(option.default) for end in (option.low, _high(option, max(option.default)))]
    else:
        found = [option.low, _high(option, option.default)]
    return [value for value in found if option.encode(value) != option.encode(option.default)]


def _high(option: Any, default: float) -> int:
    high = min(option.high, max(100, int(TENFOLD * default)))
    return int(high - (high - option.low) % getattr(option, "step", 1))


def variants(game: Game) -> Iterator[tuple[str, dict[str, Any]]]:
    """(words, all rule values): the rules as they are, then each option at its extremes, if the game allows it."""
    yield "the default rules", game.resolve({})
    for option in game.options:
        for value in extremes(option):
            try:
                yield f"{option.name} = {value}", game.resolve({option.name: value})
            except SimkitError:  # it goes with other options only
                continue


class Watch:
    """Ends the process when something takes too long: compiled code cannot be stopped, but a thread can look on."""

    def __init__(self, report: Report, path: Path) -> None:
        self.report, self.path = report, path
        self.table: Table | None = None
        self._timer: threading.Timer | None = None

    def start(self, seconds: float) -> None:
        """Starts the clock anew."""
        self.stop()
        self._timer = threading.Timer(seconds, self._expire, [seconds])
        self._timer.daemon = True
        self._timer.start()

    def stop(self) -> None:
        """Stops the clock."""
        if self._timer:
            self._timer.cancel()

    def _expire(self, seconds: float) -> None:
        self.report(fault=self._words(seconds))
        os._exit(0)

    def _words(self, seconds: float) -> str:
        late = f"did not finish within {seconds:g} s"
        if self.table is None:
            return f"{self.path}: loading and compiling {late}."
        before = self._decisions()
        time.sleep(min(1.0, seconds))
        label = self.table.player_asked.label
        if self._decisions() == before:
            return f"{self.path}: strategy {label} {late}: an endless loop in act?\n{self.table.situation()}"
        why = "play is too slow, or this game does not end; --seconds gives it longer"
        return f"{self.path}: a game {late}: {why}.\n{self.table.situation()}"

    def _decisions(self) -> int:
        assert self.table is not None
        return int(self.table.record["decisions"][0])


def lineups(game: Game, player: Player) -> Iterator[tuple[str, list[Player]]]:
    """(words, who sits down): the strategy with itself, and with random players where there are any."""
    yield "against itself", [player] * game.max_seats
    if "random" in strategy.available(game.name, Path.cwd()):
        file = strategy.find(game.name, "random", Path.cwd())
        other = compile_player(engine(game), file, "random", {})
        yield "against random", [player] + [other] * (game.max_seats - 1)


def place_in_python(table: Table) -> str | None:
    """`file:line` of an index out of bounds, which compiled code does not tell: the same call once more, in Python."""
    player = table.player_asked
    modules = {m.__file__: m for name, m in list(sys.modules.items()) if name.startswith("simkit_strategy_")}
    for module in modules.values():
        _uncompile(module)
    own = modules[str(player.file.path)]
    params = own.Params(**player.parameters) if player.parameters else ()
    record, rotation = table.record, int(table.record["rotation"][0])
    sight, rules, stream = (
        array.view((_Record, array.dtype))[0]
        for array in (record["sight"], record["seen_rules"][:, rotation], record["streams"][:, 0])
    )
    try:
        own.act(sight, rules, params, stream)
    except IndexError as wrong:
        return place_of(wrong, player.file.sources)
    except Exception:  # it does not run the same in Python
        return None
    return None


class _Record(np.record):  # type: ignore[misc]  # NumPy's stub says final; it is not
    """A record as compiled code sees it: `round` is its field, and not the method that NumPy's records have."""

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("_") and name in (super().__getattribute__("dtype").names or ()):
            return self[name]
        return super().__getattribute__(name)


def _uncompile(module: ModuleType) -> None:
    """Puts a strategy's plain functions back in the place of the compiled ones."""
    for name, value in list(vars(module).items()):
        plain = getattr(value, "py_func", None)
        if plain is not None and plain.__module__.startswith("simkit_strategy_"):
            setattr(module, name, plain)


def trial(game: Game, path: Path, seconds: float, report: Report) -> str:
    """Compiles a strategy and plays it; what was played, in words. Raises StrategyError."""
    compiled = engine(game)
    _ = compiled.play, compiled.legal_moves
    watch = Watch(report, path)
    watch.start(LOADING_SECONDS)
    file = strategy.read(path)
    player = compile_player(compiled, file, file.name, {})
    if file.has_when:
        file.check_when()
        compile_player(compiled, file, file.name, {}, "when")
    tables = [
        (f"{opponents}, {words}", Table(game, players[: game.seats(rules)], rules, seed=0))
        for words, rules in variants(game)
        for opponents, players in lineups(game, player)
    ]
    watch.start(seconds)
    began = time.monotonic()
    plays = games = 0
    for (words, table), deal in ((each, deal) for deal in range(DEALS) for each in tables):
        if time.monotonic() - began > SHARE_OF_TIME * seconds:
            break
        report(doing=f"deal {deal} {words}")
        watch.table = table
        _play(table, deal, words)
        plays += 1
        games += table.seats
    speed = sum(int(table.record["decisions"][0]) for _, table in tables) / (time.monotonic() - began)
    watch.stop()
    played = len({str(table.rules[0]) for _, table in tables[:plays]})
    variations = f"{played} variant{'s' if played > 1 else ''} of the rules"
    return f"{games:,} games of {game.name} under {variations}, {speed:,.0f} decisions/s with all indices checked"


def _play(table: Table, deal: int, words: str) -> None:
    try:
        table.play(deal, 1)
    except StrategyError as fault:
        text, path = str(fault), str(table.player_asked.file.path)
        if f"{path}: " in text and BARE_INDEX in text:
            text = text.replace(f"{path}: ", f"{place_in_python(table) or path}: ", 1)
        raise StrategyError(f"{text}\n  {words}") from None


def trial_of_game(game: Game, seconds: float, report: Report) -> str:
    """Tries whether a game keeps what every game keeps; what was tried, in words. Raises GameError or StrategyError."""
    from simkit import contract

    for check in contract.CHECKS:
        promise = str(check.__doc__).splitlines()[0]
        report(doing=promise)
        clock = threading.Timer(LOADING_SECONDS + seconds, _too_late, [report, game, promise])
        clock.daemon = True
        clock.start()
        try:
            check(game)
        except SimkitError as fault:
            raise type(fault)(f"{game.name}: {fault}\n  asked for: {promise}") from None
        except (AttributeError, KeyError, TypeError, ValueError, IndexError) as wrong:  # in the game's Python
            text = f"{type(wrong).__name__}: {wrong}"
            raise GameError(f"{_place_of(game, wrong)}: {text}\n  asked for: {promise}") from None
        finally:
            clock.cancel()
    hidden = "" if contract.shuffle_of(game) else "; what is hidden was not tried: its package has no module hidden"
    return f"keeps all {len(contract.CHECKS)} promises of a game, with all indices checked{hidden}"


def _too_late(report: Report, game: Game, promise: str) -> None:
    report(fault=f"{game.name}: did not come to an end: do games end, whatever is played?\n  asked for: {promise}")
    os._exit(0)


def _place_of(game: Game, wrong: Exception) -> str:
    return place_of(wrong, game.folder.rglob("*.py")) or game.name


def main() -> None:
    """`python -m simkit.trial FILE GAME SECONDS`; an empty FILE is for the game itself."""
    path, game, seconds = sys.argv[1:]
    channel = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a strategy may print

    def report(**told: str) -> None:
        channel.write(json.dumps(told) + "\n")
        channel.flush()

    try:
        if path:
            report(ok=trial(get_game(game), Path(path), float(seconds), report))
        else:
            report(ok=trial_of_game(get_game(game), float(seconds), report))
    except (StrategyError, GameError) as fault:
        report(fault=str(fault))
    except SimkitError as fault:  # not the strategy's: a cache that cannot be written, say
        report(obstacle=str(fault))


if __name__ == "__main__":
    main()
