"""Compiles a game's loop and plays deals with it: one entry point a game, whatever the strategies and rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numba import from_dtype, types

from simkit import _branch, _loop, _trace, branch, jit, rng, trace
from simkit.branch import BRANCH, NOBODY, WHEN
from simkit.errors import SimkitError, StrategyError
from simkit.games import get_game
from simkit.games.base import Game
from simkit.player import Function, Player, compile_player, place_of
from simkit.strategy import MAX_PARAMETERS, StrategyFile
from simkit.trace import trace_dtype

PARAMS = np.dtype([("value", "f8", (MAX_PARAMETERS,))], align=True)
# What a branch has of its own: parameters of its two functions, who of them was `asked` last and what was `found`.
FORK = np.dtype(
    [("params", PARAMS, (2,)), ("stream", rng.STREAM), ("classes", "i8"), ("asked", "i8"), ("found", "i8")], align=True
)
CHANCE = np.dtype([("deal", rng.STREAM), ("shuffle", rng.STREAM)], align=True)
OVER, ILLEGAL, PLAYING = _loop.OVER, _loop.ILLEGAL, _loop.PLAYING
_CORE = ("jit", "bits", "rng", "_loop", "driver", "strategy", "player", "games/options", "games/base")


class Engine:
    """The compiled loop of one game; an entry point is compiled, or loaded from the cache, when it is first asked for.

    Attributes:
        game: the game.
        table: dtype of the record that a game is played in.
        outcome: dtype of the row that a game leaves.
        strategy: numba signature that every strategy of the game is compiled for.
        folder: where the game's machine code is kept.
    """

    def __init__(self, game: Game) -> None:
        state = game.module("state")
        self.game = game
        self.table, self.outcome = table_dtype(game), state.OUTCOME
        view, rules, params, stream = (from_dtype(d) for d in (state.VIEW, state.RULES, PARAMS, rng.STREAM))
        self.strategy = types.int64(view, rules, params, stream)
        self.folder = jit.cache_folder(game.name, sources(game))
        self._loop = loop_of(game)

    def _entry(self, name: str, make: Any) -> Any:
        return jit.entry_point(getattr(self._loop, name), make(*self._types), self.folder)

    @property
    def _types(self) -> tuple[Any, Any, Any]:
        """Of a table, an outcome and the players, as the compiler knows them."""
        players = types.UniTuple(types.FunctionType(self.strategy), self.game.max_seats)  # type: ignore[no-untyped-call]
        return from_dtype(self.table), from_dtype(self.outcome), players

    @cached_property
    def play(self) -> Any:
        """simkit._loop.play, compiled."""
        u, i = types.uint64, types.int64
        return self._entry("play", lambda t, o, p: i(t, types.Array(o, 1, "C"), p, u, u, i))

    @cached_property
    def play_traced(self) -> Any:
        """simkit._trace.play_traced, compiled into a folder of its own: plain runs never wait for it."""
        table, outcome, players = self._types
        arrays = (types.Array(each, 1, "C") for each in (outcome, from_dtype(trace_dtype(self.game))))
        signature = types.int64(table, *arrays, players, types.uint64, types.uint64, types.int64)
        folder = jit.cache_folder(f"{self.game.name}-trace", (*sources(self.game), *trace_sources()))
        return jit.entry_point(trace_of(self.game, self._loop).play_traced, signature, folder)

    @cached_property
    def play_branched(self) -> Any:
        """simkit._branch.play_branched, compiled into a folder of its own."""
        table, outcome, players = self._types
        arrays = (types.Array(each, 1, "C") for each in (outcome, from_dtype(BRANCH)))
        functions = types.UniTuple(types.FunctionType(self.strategy), 2)  # type: ignore[no-untyped-call]
        rest = (players, functions, types.uint64, types.uint64, types.int64)
        signature = types.int64(table, *arrays, from_dtype(FORK), *rest)
        folder = jit.cache_folder(f"{self.game.name}-branch", (*sources(self.game), *branch_sources()))
        return jit.entry_point(branch_of(self.game, self._loop).play_branched, signature, folder)

    @cached_property
    def begin(self) -> Any:
        """simkit._loop.begin, compiled."""
        return self._entry("begin", lambda t, o, p: types.void(t, o, types.uint64, types.uint64, types.int64))

    @cached_property
    def step(self) -> Any:
        """simkit._loop.step, compiled; types of arguments are taken for granted."""
        return jit.bare(self._entry("step", lambda t, o, p: types.int64(t, o, p)))

    @cached_property
    def legal_moves(self) -> Any:
        """simkit._loop.legal_moves, compiled."""
        return self._entry("legal_moves", lambda t, o, p: types.int64(t, types.int64[::1]))


def sources(game: Game) -> tuple[bytes, ...]:
    """All source files that the compiled loop of the game is made of."""
    here = Path(__file__).parent
    return tuple((here / f"{name}.py").read_bytes() for name in _CORE) + jit.sources_below(game.folder)


def trace_sources() -> tuple[bytes, ...]:
    """What a traced game is made of beside the sources of the loop."""
    return tuple(Path(str(module.__file__)).read_bytes() for module in (_trace, trace))


def branch_sources() -> tuple[bytes, ...]:
    """What a game with a branch is made of beside the sources of the loop."""
    return tuple(Path(str(module.__file__)).read_bytes() for module in (_branch, branch))


def table_dtype(game: Game) -> np.dtype[np.void]:
    """The record of one table: state, view, chance, and what each player has."""
    state = game.module("state")
    n = game.max_seats
    return np.dtype(
        [
            ("state", state.STATE),
            ("sight", state.VIEW),
            ("rules", state.RULES, (n,)),  # one a rotation: a balance switch may move with the player
            ("seen_rules", state.RULES, (n,)),  # the copy that strategies get
            ("params", PARAMS, (n,)),
            ("streams", rng.STREAM, (n,)),
            ("chance", CHANCE),
            ("seats", "i8"),
            ("deal", "u8"),
            ("rotation", "i8"),
            ("seat", "i8"),
            ("move", "i8"),
            ("decisions", "i8"),
        ],
        align=True,
    )


@cache
def engine(game: Game) -> Engine:
    """The one engine of a game in this process."""
    return Engine(game)


def revive_player(
    game: str, file: StrategyFile, label: str, row: tuple[float, ...], function: Function = "act"
) -> Player:
    """A player that came from another process, compiled here from the sources that came along."""
    values = {name: p.type(value) for (name, p), value in zip(file.parameters.items(), row, strict=True)}
    with jit.compiling:  # a cluster's worker may unpickle in several threads
        return compile_player(engine(get_game(game)), file, label, values, function)


def loop_of(game: Game) -> ModuleType:
    """The game's own copy of the loop module."""
    kernel, moves = game.module("kernel"), game.module("moves")
    names = {n: getattr(kernel, n) for n in ("setup", "actor", "observe", "is_legal", "apply", "finish")}
    names |= {n: getattr(moves, n) for n in ("count_moves", "nth_move")}
    return jit.module_with(f"simkit_loop_{game.name}", _loop, names)


def trace_of(game: Game, loop: ModuleType) -> ModuleType:
    """The game's own copy of the module that traces games; without a `progress` nobody ever leads.

    Where no kinds of cards are looked for, none are found.
    """
    names = {n: getattr(loop, n) for n in ("begin", "step", "actor", "observe", "count_moves")}
    names |= {"progress": _trace.no_progress, "stage": _trace.no_stage}
    names |= {"holding": _trace.no_holding, "using": _trace.no_using}
    if game.kinds:
        names |= {n: getattr(game.module("holdings"), n) for n in ("holding", "using")}
    if game.progress:
        names |= {n: getattr(game.module("progress"), n) for n in ("progress", "stage")}
    return jit.module_with(f"simkit_trace_{game.name}", _trace, names)


def branch_of(game: Game, loop: ModuleType) -> ModuleType:
    """The game's own copy of the module that plays games with a branch."""
    names = {n: getattr(loop, n) for n in ("begin", "step", "actor", "observe", "is_legal", "apply")}
    return jit.module_with(f"simkit_branch_{game.name}", _branch, names)


class Table:
    """A line-up at a table: players and rules in place, ready to play deals. One thread uses it at a time.

    Args:
        game: the game.
        players: one a seat; player p sits at seat (p + rotation) mod seats.
        rules: the values of all options, or one such mapping for each rotation.
        seed: 0 … 2^64 − 1.
        lab: for each rotation the values of fields of RULES that are no options (`barred`: bits a seat may not use).
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[Player],
        rules: Mapping[str, Any] | Sequence[Mapping[str, Any]],
        seed: int,
        lab: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        self.game, self.players, self.seed = game, tuple(players), np.uint64(seed)
        self.engine = engine(game)
        by_rotation = [rules] * len(players) if isinstance(rules, Mapping) else list(rules)
        self.rules = by_rotation
        self.record = np.zeros(1, self.engine.table)
        self.record["seats"] = len(players)
        for rotation, values in enumerate(by_rotation):
            self.record["rules"][0, rotation] = game.rules_record(values, **(lab[rotation] if lab else {}))[0]
        for p, player in enumerate(players):
            self.record["params"][0, p]["value"][: len(player.row)] = player.row
        self.record["seen_rules"] = self.record["rules"]
        self._params = self.record["params"].copy()
        self._fork = np.zeros(1, FORK)
        self._others: tuple[Player, ...] = ()
        self._fork["asked"] = NOBODY
        missing = game.max_seats - len(players)
        self.acts = tuple(p.act for p in players) + (players[0].act,) * missing

    @property
    def seats(self) -> int:
        """Number of players at the table."""
        return len(self.players)

    def play(self, first: int, deals: int, rotations: int | None = None) -> np.ndarray:
        """Plays `deals` deals from number `first` in all rotations (or the first few).

        Returns:
            OUTCOME records of shape (deals, rotations).

        Raises:
            StrategyError: a strategy made an illegal move, raised an exception or wrote to its rules.
        """
        return self._play(first, deals, self.seats if rotations is None else rotations)

    def play_traced(self, first: int, deals: int, cards: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Plays the very games that `play` does, and looks at every position on the way; for kinds of cards if asked.

        Returns:
            OUTCOME records and records of simkit.trace.trace_dtype, both of shape (deals, rotations).

        Raises:
            StrategyError: as `play`.
        """
        traces = np.zeros(deals * self.seats, trace_dtype(self.game))
        traces["cards"] = cards

        def go(outcomes: np.ndarray, *rest: Any) -> int:
            return int(self.engine.play_traced(self.record[0], outcomes, traces, *rest))

        return self._play(first, deals, self.seats, go), traces.reshape(deals, self.seats)

    def play_branched(
        self, first: int, deals: int, when: Player, choice: Player, classes: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Plays deals in all rotations; one decision of player 0 a game at most is made by `choice`.

        Args:
            first, deals: as for `play`.
            when: the function `when` of a strategy file: −1 for a decision that is not the one, else its class.
            choice: whose move is made at the first such decision.
            classes: how many classes there are.

        Returns:
            OUTCOME records and records of simkit.branch.BRANCH, both of shape (deals, rotations).

        Raises:
            StrategyError: as `play`, or `when` gave the number of no class.
        """
        self._others = (when, choice)
        self._fork["classes"] = classes
        for place, player in enumerate(self._others):
            self._fork["params"][0, place]["value"][: len(player.row)] = player.row
        params, branches = self._fork["params"].copy(), np.zeros(deals * self.seats, BRANCH)
        functions = (when.act, choice.act)

        def go(outcomes: np.ndarray, *rest: Any) -> int:
            acts, *where = rest
            played = self.engine.play_branched
            return int(played(self.record[0], outcomes, branches, self._fork[0], acts, functions, *where))

        outcomes = self._play(first, deals, self.seats, go)
        if (self._fork["params"] != params).any():
            raise StrategyError(_writes(f"{when.label} or {choice.label}"))
        return outcomes, branches.reshape(deals, self.seats)

    def _play(self, first: int, deals: int, turns: int, go: Callable[..., int] | None = None) -> np.ndarray:
        outcomes = np.zeros(deals * turns, self.engine.outcome)
        rest = (self.acts, self.seed, np.uint64(first), turns)
        with self._strategy_faults():
            status = self.engine.play(self.record[0], outcomes, *rest) if go is None else go(outcomes, *rest)
            if status == ILLEGAL:
                raise StrategyError(self._illegal())
        self._check_untouched()
        return outcomes.reshape(deals, turns)

    def steps(self, deal: int, rotation: int, outcome: np.ndarray) -> Iterator[np.void]:
        """Plays one game a decision at a time, with the functions of a batch; yields the table before and after each.

        Args:
            deal, rotation: which game.
            outcome: one zeroed OUTCOME record in an array of shape (1,), filled as the game goes on.

        Raises:
            StrategyError: as `play`.
        """
        self.engine.begin(self.record[0], outcome[0], self.seed, np.uint64(deal), rotation)
        status = PLAYING
        while status == PLAYING:
            yield self.record[0]
            with self._strategy_faults():
                status = self.engine.step(self.record[0], outcome[0], self.acts)
                if status == ILLEGAL:
                    raise StrategyError(self._illegal())
        self._check_untouched()

    def legal_moves(self, most: int = 4096) -> np.ndarray:
        """The legal moves (int64 codes) of the seat that was asked last, at most `most` of them."""
        moves = np.zeros(most, np.int64)
        n = self.engine.legal_moves(self.record[0], moves)
        return moves[: min(n, most)]

    @property
    def player_asked(self) -> Player:
        """The player that was asked last, or whoever was asked in its place."""
        if (asked := int(self._fork["asked"][0])) != NOBODY:
            return self._others[asked]
        seat, rotation = int(self.record["seat"][0]), int(self.record["rotation"][0])
        return self.players[(seat - rotation) % self.seats]

    @contextmanager
    def _strategy_faults(self) -> Iterator[None]:
        """Numba raises a strategy's own exceptions through the loop: say whose they are and where."""
        try:
            yield
        except SimkitError:
            raise
        except Exception as wrong:
            player = self.player_asked
            words = f"raised {type(wrong).__name__}: {wrong}" if str(wrong) else f"raised {type(wrong).__name__}"
            where = place_of(wrong, player.file.sources) or player.file.path
            raise StrategyError(f"{where}: strategy {player.label} {words}\n{self.situation()}") from None

    def _illegal(self) -> str:
        player, tell = self.player_asked, self.game.module("tell")
        if int(self._fork["asked"][0]) == WHEN:
            found, last = int(self._fork["found"][0]), int(self._fork["classes"][0]) - 1
            wanted = f"−1 (this is not the decision) or the number of a class, 0 to {last}"
            return f"{player.file.path}: when of {player.label} returned {found}, not {wanted}\n{self.situation()}"
        self.legal_moves()  # writes the view anew, as it was handed out
        move = tell.move_words(self.record["sight"][0], int(self.record["move"][0]))
        return f"{player.file.path}: strategy {player.label} made an illegal move: {move}\n{self.situation()}"

    def situation(self) -> str:
        """Where the seat that was asked last stands, in words: the game, its view, its legal moves; three lines."""
        record, tell = self.record[0], self.game.module("tell")
        moves = self.legal_moves()
        view = record["sight"]
        legal = [tell.move_words(view, int(m)) for m in moves[:12]]
        more = f" … and {len(moves) - 12} more" if len(moves) > 12 else ""
        place = f"deal {record['deal']}, rotation {record['rotation']}, seat {record['seat']}, seed {self.seed}"
        return f"  in {place}\n  it saw: {tell.view_words(view)}\n  legal: {'; '.join(legal)}{more}"

    def _check_untouched(self) -> None:
        """A strategy that writes to its rules or parameters would carry a memory from game to game."""
        record = self.record
        if (record["seen_rules"] != record["rules"]).any() or (record["params"] != self._params).any():
            names = " or ".join(dict.fromkeys(p.label for p in self.players))
            raise StrategyError(_writes(names))


def _writes(names: str) -> str:
    return f"strategy {names} writes to its rules or parameters; they are not its to change."
