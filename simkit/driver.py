"""Compiles the game loop of a game and plays deals with it: one entry point a game, whatever the strategies and rules."""

from __future__ import annotations

from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numba import from_dtype, types

from simkit import _loop, jit, rng
from simkit.games.base import Game

MAX_PARAMETERS = 32
PARAMS = np.dtype([("value", "f8", (MAX_PARAMETERS,))], align=True)
CHANCE = np.dtype([("deal", rng.STREAM), ("shuffle", rng.STREAM)], align=True)
OVER, ILLEGAL, PLAYING = _loop.OVER, _loop.ILLEGAL, _loop.PLAYING
_CORE = ("jit.py", "rng.py", "_loop.py", "driver.py", "strategy.py", "games/options.py", "games/base.py")


class Engine:
    """The compiled loop of one game; each entry point is compiled, or loaded from the cache, when it is first asked for.

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
        table, outcome = from_dtype(self.table), from_dtype(self.outcome)
        players = types.UniTuple(types.FunctionType(self.strategy), self.game.max_seats)
        return jit.entry_point(getattr(self._loop, name), make(table, outcome, players), self.folder)

    @cached_property
    def play(self) -> Any:
        """simkit._loop.play, compiled."""
        u, i = types.uint64, types.int64
        return self._entry("play", lambda t, o, p: i(t, types.Array(o, 1, "C"), p, u, u, i))

    @cached_property
    def begin(self) -> Any:
        """simkit._loop.begin, compiled."""
        return self._entry("begin", lambda t, o, p: types.void(t, o, types.uint64, types.uint64, types.int64))

    @cached_property
    def step(self) -> Any:
        """simkit._loop.step, compiled."""
        return self._entry("step", lambda t, o, p: types.int64(t, o, p))

    @cached_property
    def legal_moves(self) -> Any:
        """simkit._loop.legal_moves, compiled."""
        return self._entry("legal_moves", lambda t, o, p: types.int64(t, types.int64[::1]))


def sources(game: Game) -> tuple[bytes, ...]:
    """All source files that the compiled loop of the game is made of."""
    here = Path(__file__).parent
    return tuple((here / name).read_bytes() for name in _CORE) + jit.sources_below(game.folder)


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


def loop_of(game: Game) -> ModuleType:
    """The game's own copy of the loop module."""
    kernel, moves = game.module("kernel"), game.module("moves")
    names = {n: getattr(kernel, n) for n in ("setup", "actor", "observe", "is_legal", "apply", "finish")}
    names |= {n: getattr(moves, n) for n in ("count_moves", "nth_move")}
    return jit.module_with(f"simkit_loop_{game.name}", _loop, names)
