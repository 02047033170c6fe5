"""The probe of Lost Cities: one decision forced, forbidden, or put off, in games that are the same up to it."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import numpy as np
import pytest

from simkit.driver import Table
from simkit.games import get_game
from simkit.games.base import Game
from simkit.games.lost_cities.probe import INVEST, INVEST_LATER, INVEST_NEVER, START, START_LATER, START_NEVER
from simkit.transcript import events
from tests.slow.lost_cities import EXPEDITION, Round, Rules, is_wager, may_follow, numbers_of, random_rules
from tests.tables import shipped, table_of

NOW, NEVER, LATER = 0, 1, 2
KINDS = {"start": (START, START_NEVER, START_LATER), "invest": (INVEST, INVEST_NEVER, INVEST_LATER)}
COLUMNS = [f"probe_{name}" for name in ("turn", "cards", "sum", "wagers", "laid", "theirs")]


class Probed(NamedTuple):
    """A game with a probe."""

    events: list[dict[str, Any]]  # deal and turns of the first round
    outcome: np.void
    rules: Rules


def play(table: Table, probe: int, seat: int, deal: int) -> Probed:
    """The game of that deal at such a table, with a probe."""
    lab = {"probe": probe, "probe_seat": seat}
    probed = Table(table.game, table.players, table.rules[0], int(table.seed), [lab, lab])
    told = list(events(probed, deal))
    first = [event["type"] for event in told[2:]]
    end = 2 + next(i for i, kind in enumerate(first) if kind != "turn")
    return Probed(told[1:end], probed.play(deal, 1, 1)[0, 0], Rules.from_options(told[0]["rules"]))


def some_table(rng: random.Random) -> Table:
    game, options = get_game("lost_cities"), random_rules(rng)
    options["max_turns"] = min(options["max_turns"], 200)
    names = rng.choices(["random", "first_fit"], k=2)
    players = [shipped("lost_cities", name) for name in names]
    return Table(game, players, game.resolve(options), rng.getrandbits(60))


def place_of(probed: Probed, seat: int) -> int:
    """Where the turn of the probe is among the events, the deal being the first; 0 without one."""
    own = [i for i, event in enumerate(probed.events) if event.get("player") == seat]
    return own[int(probed.outcome["probe_turn"]) - 1] if probed.outcome["probe_turn"] else 0


def round_at(probed: Probed, place: int) -> Round:
    """The slow round before that event."""
    found = Round(probed.rules, 0, probed.events[0]["hands"])
    for event in probed.events[1:place]:
        found.turn(event["player"], event["card"], event["to"], event["from"], event["drawn"])
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_the_three_ways_are_one_game_up_to_the_probe_and_differ_there_as_they_should(kind: str) -> None:
    rng, probes = random.Random(kind), 0
    for _ in range(150):
        table, seat, deal = some_table(rng), rng.randrange(2), rng.getrandbits(30)
        games = [play(table, mode, seat, deal) for mode in KINDS[kind]]
        assert len({tuple(game.outcome[name] for name in COLUMNS) for game in games}) == 1
        place = place_of(games[NOW], seat)
        assert all(game.events[:place] == games[NOW].events[:place] for game in games)
        if not place:
            assert games[0].events == games[1].events == games[2].events == play(table, 0, seat, deal).events
            continue
        probes += 1
        check_probe(kind, games, place, seat, play(table, 0, seat, deal).events[place])
    assert probes > 40


def check_probe(kind: str, games: list[Probed], place: int, seat: int, free: dict[str, Any]) -> None:
    """What the three ways do at the probe and after it; `free` is the turn that the strategy would have taken."""
    now, never, later = (game.events for game in games)
    round_, turn = round_at(games[NOW], place), now[place]
    hand, own = round_.hands[seat], round_.expeditions[seat]
    card, colour = turn["card"], turn["card"][0]
    able = [c for c in hand if c[0] == colour and may_follow(own[colour], c)]
    assert turn["to"] == EXPEDITION
    assert number(card) == min(map(number, able))
    assert is_wager(card) if kind == "invest" else not own[colour]
    legal = free["from"] in ("deck", *(c for c, pile in round_.discards.items() if pile))
    assert turn["from"] == (free["from"] if legal else "deck")
    asked = [c for c in able if kind == "start" or is_wager(c)]
    forbidden = [e["card"] for e in never[place:] if e["player"] == seat and e["to"] == EXPEDITION]
    assert not [c for c in forbidden if c[0] == colour and (kind == "start" or is_wager(c))]
    assert later[place]["to"] != EXPEDITION or later[place]["card"] not in asked
    noted = {
        "probe_cards": sum(not is_wager(c) for c in able),
        "probe_sum": sum(numbers_of(able)),
        "probe_wagers": sum(map(is_wager, able)),
        "probe_laid": sum(map(is_wager, own[colour])),
        "probe_theirs": bool(round_.expeditions[1 - seat][colour]),
    }
    assert {name: games[NOW].outcome[name] for name in noted} == noted


def number(card: str) -> int:
    return 0 if is_wager(card) else int(card[1:])


@pytest.mark.parametrize(("kind", "seat"), [("start", 0), ("start", 1), ("invest", 0)])
def test_what_was_put_off_can_be_done_later(kind: str, seat: int, lost_cities: Game) -> None:
    """By `first_fit`, which lays whatever it can."""
    table, done = table_of(lost_cities, ["first_fit"], seed=41), 0
    for deal in range(150):
        now, _, later = (play(table, mode, seat, deal) for mode in KINDS[kind])
        if place := place_of(now, seat):
            colour = now.events[place]["card"][0]
            rest = [e for e in later.events[place + 1 :] if e["player"] == seat and e["to"] == EXPEDITION]
            done += any(e["card"][0] == colour and (kind == "start" or is_wager(e["card"])) for e in rest)
    assert done > 5


@pytest.mark.parametrize("seat", [0, 1])
def test_the_turn_of_the_probe_is_any_of_the_first_round_s(seat: int, lost_cities: Game) -> None:
    """Each of the 22 own turns is as likely; at the first one there is always something to start."""
    table, deals = table_of(lost_cities, ["first_fit"], {"rounds": 2}, seed=42), 20_000
    lab = {"probe": START_LATER, "probe_seat": seat}
    turns = Table(lost_cities, table.players, table.rules[0], 42, [lab, lab]).play(0, deals, 1)[:, 0]["probe_turn"]
    first = (turns == 1).mean()
    assert first == pytest.approx(1 / 22, abs=4 * np.sqrt(1 / 22 / deals))
    assert set(np.unique(turns)) <= set(range(23))


def test_a_probe_that_nobody_asked_for_is_not_in_the_outcome(lost_cities: Game) -> None:
    outcomes = table_of(lost_cities, seed=43).play(0, 50)
    assert all((outcomes[name] == 0).all() for name in COLUMNS)


def test_probes_name_the_modes_of_the_kernel(lost_cities: Game) -> None:
    found = {probe.name: (probe.now, probe.never, probe.later) for probe in lost_cities.probes}
    assert found == {"expedition": KINDS["start"], "wager": KINDS["invest"]}
