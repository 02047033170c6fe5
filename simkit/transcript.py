"""Tells single games from the very compiled functions that play batches: as JSON events, or in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from simkit.driver import Table


def events(table: Table, deal: int, rotation: int = 0) -> Iterator[dict[str, Any]]:
    """The transcript of one game: a `game` line, what happened in order, an `end` line.

    Args:
        table: who plays, under which rules, from which seed.
        deal: number of the deal.
        rotation: player p sits at seat (p + rotation) mod seats.

    Raises:
        StrategyError: a strategy failed.
    """
    game = table.game
    teller = game.module("tell").Teller()
    labels = [table.players[(seat - rotation) % table.seats].label for seat in range(table.seats)]
    yield {
        "type": "game",
        "game": game.name,
        "rules": dict(table.rules[rotation]),
        "strategies": labels,
        "seed": int(table.seed),
        "index": deal,
        "rotation": rotation,
    }
    outcome = np.zeros(1, table.engine.outcome)
    before = None
    for record in table.steps(deal, rotation, outcome):
        state = record["state"].copy()
        yield from teller.start(state) if before is None else teller.after(before, state, int(record["seat"]))
        before = state
    yield teller.end(table.record[0]["state"], outcome[0])


def words(table: Table, deal: int, rotation: int = 0) -> Iterator[str]:
    """The same game in words, a line or two an event; rules that were changed are named first."""
    told = events(table, deal, rotation)
    game = next(told)
    names = [f"{label} (seat {seat})" for seat, label in enumerate(game["strategies"])]
    yield f"{table.game.title}, deal {deal}, seed {game['seed']}: {' against '.join(names)}"
    usual = table.game.resolve({})
    if changed := [f"{name} = {written(value)}" for name, value in game["rules"].items() if value != usual[name]]:
        yield f"rules: {', '.join(changed)}"
    narrator = table.game.module("tell").Narrator(names)
    yield from map(narrator.words, told)


def written(value: Any) -> str:
    """A rule's value as it is written in an experiment."""
    return str(value).lower() if isinstance(value, bool) else str(value)
