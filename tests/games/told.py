"""Games told as transcripts and checked against the batch, for the agreement of every game with its slow reading."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simkit.driver import Table
from simkit.transcript import events as told_events

RandomTable = Callable[[random.Random], Table]
Events = list[dict[str, Any]]


@dataclass(frozen=True)
class Match:
    """A game as told and as the batch said it ended."""

    events: Events
    outcome: np.void


def told_matches(random_table: RandomTable, seed: int, tables: int, rotations: int = 2) -> list[Match]:
    """Games of random tables, each in the middle of a batch of three deals, told through JSON and back.

    Args:
        random_table: line-up and rules, drawn by chance.
        seed: of the drawing.
        tables: how many.
        rotations: how many of its rotations are told of each deal, drawn by chance.
    """
    rng, found = random.Random(seed), []
    for _ in range(tables):
        table, deal = random_table(rng), rng.getrandbits(40)
        outcomes = table.play(deal, 3)
        for rotation in rng.sample(range(table.seats), rotations):
            events = [json.loads(json.dumps(event)) for event in told_events(table, deal + 1, rotation)]
            found.append(Match(events, outcomes[1, rotation]))
    return found


def check_columns(
    matches: Sequence[Match],
    columns: Callable[[Events], dict[str, Any]],
    clause_ids: Sequence[str],
    always_0: Sequence[str] = (),
) -> None:
    """Every column of the outcome, counted from the transcript in plain Python, is the batch's."""
    for match in matches:
        counted = columns(match.events) | dict.fromkeys(always_0, 0)
        clauses = counted.pop("clauses")
        names = [name for name in match.outcome.dtype.names or () if name != "clauses"]
        assert counted == {name: match.outcome[name].tolist() for name in names}
        _check(clauses, match, clause_ids)


def check_clauses(matches: Sequence[Match], clause_ids: Sequence[str]) -> None:
    """The clauses told in a transcript are those the batch counted."""
    for match in matches:
        _check(Counter(clause for event in match.events for clause in event.get("clauses", ())), match, clause_ids)


def _check(counted: dict[str, int], match: Match, clause_ids: Sequence[str]) -> None:
    left = dict(counted)
    assert [left.pop(clause, 0) for clause in clause_ids] == match.outcome["clauses"].tolist()
    assert not left


def never_fired(random_table: RandomTable, clause_ids: Sequence[str], deals: int = 20) -> list[str]:
    """The clauses that fire in no game of a hundred tables."""
    rng = random.Random(1)
    fired = sum(random_table(rng).play(0, deals)["clauses"].sum((0, 1)) for _ in range(100))
    return [clause for clause, times in zip(clause_ids, np.asarray(fired), strict=True) if not times]
