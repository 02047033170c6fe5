"""Calls of Hakka cards in the laboratory: one forced or forbidden, in games the same up to it; and seats barred."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from simkit.driver import Table
from simkit.games.hakka import GAME
from simkit.games.hakka.counts import BAR_OUT_OF_TURN
from simkit.games.hakka.probe import (
    CALL,
    CALL_LATER,
    CALL_NEVER,
    OUT_OF_TURN,
    OUT_OF_TURN_LATER,
    OUT_OF_TURN_NEVER,
)
from simkit.transcript import events
from tests.slow.hakka import Rules, elders, in_order, random_rules, runs, sets
from tests.slow.hakka_columns import Follower
from tests.slow.hakka_referee import referee
from tests.tables import shipped, table_of

NOW, NEVER, LATER = 0, 1, 2
OUT = "call_out_of_turn"
KINDS = {
    OUT: (OUT_OF_TURN, OUT_OF_TURN_NEVER, OUT_OF_TURN_LATER),
    "call": (CALL, CALL_NEVER, CALL_LATER),
}
COLUMNS = [f"probe_{name}" for name in ("turn", "passes", "elders", "longest", "ahead")]
Events = list[dict[str, Any]]


class Question(NamedTuple):
    """A question whether a seat calls: where the answer is among the events, and what a probe's columns would tell."""

    place: int
    called: bool
    noted: dict[str, int]


def questions(told: Events, seat: int, out_of_turn: bool) -> Iterator[Question]:
    """All such questions to a seat, as the dealer or out of turn, in order."""
    now = Follower(Rules.from_options(told[0]["rules"]))
    for place, event in enumerate(told[1:], 1):
        if event["type"] == "call" and event["player"] == seat and out_of_turn == (seat != now.dealer):
            hand = in_order(now.hands[seat])
            yield Question(
                place,
                event["call"],
                {
                    "probe_turn": now.hands_over + 1,
                    "probe_passes": now.passes,
                    "probe_elders": len(elders(hand, ())),
                    "probe_longest": max(map(len, runs(hand) + sets(hand)), default=0),
                    "probe_ahead": sum(points > now.points[seat] for points in now.points),
                },
            )
        now.read(event)


class Probed(NamedTuple):
    """A game with a probe."""

    events: Events
    outcome: np.void


def in_laboratory(table: Table, **lab: Any) -> Table:
    """The same table, the fields of the laboratory set."""
    return Table(table.game, table.players, table.rules[0], int(table.seed), [lab] * table.seats)


def play(table: Table, probe: int, seat: int, deal: int) -> Probed:
    """The game of that deal at such a table, with a probe."""
    probed = in_laboratory(table, probe=probe, probe_seat=seat)
    return Probed(list(events(probed, deal)), probed.play(deal, 1, 1)[0, 0])


def probe_in(game: Probed, seat: int, kind: str) -> Question | None:
    """The question of the probe: the first one in the hand that the outcome tells."""
    hand = game.outcome["probe_turn"]
    return next((q for q in questions(game.events, seat, kind == OUT) if q.noted["probe_turn"] == hand), None)


def calls_after(come: Question, game: Probed, seat: int, out_of_turn: bool) -> bool:
    """Whether the seat calls so after the probe."""
    return any(q.called for q in questions(game.events, seat, out_of_turn) if q.place > come.place)


def some_table(rng: random.Random) -> Table:
    options = random_rules(rng)
    options["hands"] = min(options["hands"], 4)
    players = [shipped("hakka", name) for name in rng.choices(["random", "caller"], k=4)]
    return Table(GAME, players, GAME.resolve(options), rng.getrandbits(60))


# --- the probe --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_the_three_ways_are_one_game_up_to_the_probe_and_differ_there_as_they_should(kind: str) -> None:
    rng, probes, calls = random.Random(kind), 0, 0
    for _ in range(60):
        table, seat, deal = some_table(rng), rng.randrange(4), rng.getrandbits(30)
        games = [play(table, mode, seat, deal) for mode in KINDS[kind]]
        free = play(table, 0, seat, deal)
        come = probe_in(games[NOW], seat, kind)
        if come is None:
            assert all(game.outcome["probe_turn"] == 0 and game.events == free.events for game in games)
            continue
        probes += 1
        for game in games:
            assert game.events[: come.place] == free.events[: come.place]
            assert {name: game.outcome[name] for name in COLUMNS} == come.noted
        assert [game.events[come.place]["call"] for game in games] == [True, False, False]
        referee(games[NOW].events)
        called = free.events[come.place]["call"]
        calls += called
        assert free.events == games[NOW if called else LATER].events
        assert not calls_after(come, games[NEVER], seat, kind == OUT)
    assert probes > 20
    assert 5 < calls < probes - 5


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_put_off_can_be_done_later_and_the_other_kind_of_call_as_well(kind: str) -> None:
    """By players who toss a coin. But who never calls out of turn is never the dealer any more."""
    table = table_of(GAME, rules={"hands": 12}, seed=41)
    turns = in_laboratory(table, probe=KINDS[kind][LATER], probe_seat=0).play(0, 200, 1)[:, 0]["probe_turn"]
    early = np.flatnonzero((turns > 0) & (turns < 4))[:8]
    later, other = 0, 0
    for deal in map(int, early):
        put_off, never = (play(table, KINDS[kind][mode], 0, deal) for mode in (LATER, NEVER))
        come = probe_in(put_off, 0, kind)
        assert come is not None
        later += calls_after(come, put_off, 0, kind == OUT)
        other += calls_after(come, never, 0, kind != OUT)
    assert later > 4
    assert other == 0 if kind == OUT else other > 4


@pytest.mark.parametrize("hands", [1, 4, 7])
def test_the_probe_comes_from_any_hand_on(hands: int) -> None:
    """Each hand is as likely to be the first of those in which it may come."""
    table, deals = table_of(GAME, rules={"hands": hands}, seed=42), 4_000
    table = in_laboratory(table, probe=CALL, probe_seat=2)
    record, outcome, drawn = table.record[0], np.zeros(1, table.engine.outcome), np.zeros(deals, np.int64)
    for deal in range(deals):
        table.engine.begin(record, outcome[0], table.seed, np.uint64(deal), 0)
        drawn[deal] = record["state"]["probe_at"]
    assert set(drawn) == set(range(1, hands + 1))
    assert np.bincount(drawn)[1:] / deals == pytest.approx(1 / hands, abs=4 * np.sqrt(1 / hands / deals))


def test_probes_name_the_modes_of_the_kernel() -> None:
    assert {probe.name: (probe.now, probe.never, probe.later) for probe in GAME.probes} == KINDS


# --- barred seats -----------------------------------------------------------------------------------------------------


def test_a_seat_barred_from_calling_out_of_turn_passes_where_it_would_have_called() -> None:
    rng, changed, as_dealer = random.Random("barred"), 0, 0
    for _ in range(50):
        table, seat, deal = some_table(rng), rng.randrange(4), rng.getrandbits(30)
        bits = tuple(BAR_OUT_OF_TURN * (other == seat) for other in range(4))
        told, free = (list(events(some, deal)) for some in (in_laboratory(table, barred=bits), table))
        assert not any(question.called for question in questions(told, seat, True))
        as_dealer += any(question.called for question in questions(told, seat, False))
        first = next((question.place for question in questions(free, seat, True) if question.called), len(free))
        assert told[:first] == free[:first]
        if first < len(free):
            changed += 1
            referee(told)
            assert told[first] == {**free[first], "call": False, "clauses": told[first]["clauses"]}
    assert changed > 10
    assert as_dealer > 5


def test_a_table_barred_from_calling_out_of_turn_has_no_privileged_player() -> None:
    outcomes = in_laboratory(table_of(GAME, seed=43), barred=(BAR_OUT_OF_TURN,) * 4).play(0, 500)
    assert not outcomes["privileged"].any()
    assert (outcomes["calls"].sum(-1) == outcomes["hands_role"][..., 0].sum(-1) - outcomes["tigers_taken"]).all()
