"""The probe of Saloon: one payment doubted, believed, or believed with all later ones, in games alike up to it."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import numpy as np
import pytest

from simkit.driver import Table
from simkit.games import get_game
from simkit.games.base import Game
from simkit.games.saloon.probe import DOUBT_LATER, DOUBT_NEVER, DOUBT_NOW
from simkit.transcript import events
from tests.slow.saloon import bill, random_rules, suit_of
from tests.slow.saloon_game import Game as SlowGame
from tests.slow.saloon_referee import FIELDS, read_rules, read_setup, read_step, referee
from tests.slow.transcript import Reader
from tests.tables import shipped, table_of

NONE = 0
MODES = (DOUBT_NOW, DOUBT_NEVER, DOUBT_LATER)
COLUMNS = [f"probe_{name}" for name in ("turn", "bill", "hand", "clients", "seen", "own")]
TABLES = 20  # for each number of players


class Probed(NamedTuple):
    """A game with a probe: its transcript and its outcome."""

    events: list[dict[str, Any]]
    outcome: np.void

    @property
    def noted(self) -> dict[str, int]:
        """What the probe noted."""
        return {name: int(self.outcome[name]) for name in COLUMNS}

    @property
    def place(self) -> int:
        """Where the payment of the probe is in the transcript; 0 without one."""
        turn, turns = int(self.outcome["probe_turn"]), 0
        for place, event in enumerate(self.events):
            turns += event["type"] == "turn"
            if turns == turn > 0 and event["type"] == "pay":
                return place
        return 0

    def verdicts(self, judge: int) -> list[tuple[int, bool]]:
        """The payments that a seat judges: where in the transcript, and whether it doubts."""
        judged = [(place, event) for place, event in enumerate(self.events) if event["type"] == "pay"]
        return [(place, event["doubted"]) for place, event in judged if event["judge"] == judge]


def play(table: Table, probe: int, seat: int, deal: int) -> Probed:
    """The game of that deal at such a table, with a probe."""
    lab = [{"probe": probe, "probe_seat": seat}] * table.seats
    probed = Table(table.game, table.players, table.rules[0], int(table.seed), lab)
    return Probed(list(events(probed, deal)), probed.play(deal, 1, 1)[0, 0])


def some_table(rng: random.Random, players: int) -> Table:
    """Strategies under random rules with so many players."""
    game, options = get_game("saloon"), {"players": 0}
    while options["players"] != players:
        options = random_rules(rng)
    options["max_turns"] = min(options["max_turns"], 150)
    seated = [shipped("saloon", name) for name in rng.choices(["random", "honest", "bluffer"], k=players)]
    return Table(game, seated, game.resolve(options), rng.getrandbits(60))


# --- against the slow reading -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 9))
def test_the_three_ways_are_one_game_up_to_the_probe_and_differ_there_as_they_should(players: int) -> None:
    rng, probes = random.Random(players), 0
    for _ in range(TABLES):
        table, seat, deal = some_table(rng, players), rng.randrange(players), rng.getrandbits(30)
        free, *games = (play(table, mode, seat, deal) for mode in (NONE, *MODES))
        assert set(free.noted.values()) == {0}
        assert games[0].noted == games[1].noted == games[2].noted
        if not games[0].place:
            assert free.events == games[0].events == games[1].events == games[2].events
            assert games[0].noted == free.noted
            continue
        probes += 1
        for game in games:
            assert referee(game.events)["turns"] == game.outcome["turns"]
        check_probe(free, games, seat)
    assert probes > 2


def check_probe(free: Probed, games: list[Probed], seat: int) -> None:
    """What the three ways do at the probe and after it; `free` is the game without one."""
    place = games[0].place
    asked = {name: free.events[place][name] for name in ("type", "player", "client", "cards", "judge", "honest")}
    for game, doubted in zip(games, (True, False, False), strict=True):
        assert game.place == place
        assert game.events[:place] == free.events[:place]
        assert game.events[place].items() >= {**asked, "judge": seat, "doubted": doubted}.items()
        if free.events[place]["doubted"] == doubted and game is not games[1]:
            assert game.events == free.events  # as its player would have it
    assert not any(doubted for at, doubted in games[1].verdicts(seat) if at >= place)
    assert 1 <= [at for at, _ in free.verdicts(seat)].index(place) + 1 <= 2 * free.events[0]["rules"]["clients"]
    assert games[0].noted == known_to_the_judge(slow_game(free.events, place), free.events[place])


def slow_game(told: list[dict[str, Any]], place: int) -> SlowGame:
    """The slow game before that event."""
    reader = Reader(told, FIELDS)
    game = read_setup(reader, read_rules(reader.take("game")))
    while reader.taken < place:
        read_step(reader, game)
    assert reader.taken == place
    return game


def known_to_the_judge(game: SlowGame, payment: dict[str, Any]) -> dict[str, int]:
    """What the probe should note of a payment that is about to be made."""
    payer, hand = payment["player"], game.hands[payment["judge"]]
    cost = bill(game.rules, len(game.clients[payer]))
    return {
        "probe_turn": game.turns + 1,
        "probe_bill": cost,
        "probe_hand": len(game.hands[payer]) - cost,
        "probe_clients": len(game.clients[payer]),
        "probe_seen": sum(suit_of(card) == suit_of(payment["client"]) for card in [*hand, *game.discards]),
        "probe_own": len(hand),
    }


# --- judges whose own word is known -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("judge", "usual"), [("sceptic", True), ("believer", False)])
@pytest.mark.parametrize("mode", MODES)
def test_only_the_probe_s_payment_is_judged_otherwise_but_for_never(
    saloon: Game, judge: str, usual: bool, mode: int
) -> None:
    table, probes, after = table_of(saloon, [judge, "bluffer"], seed=51), 0, 0
    for deal in range(60):
        game = play(table, mode, 0, deal)
        place, found = game.place, game.verdicts(0)
        never = mode == DOUBT_NEVER
        expected = [mode == DOUBT_NOW if at == place else usual and not (never and 0 < place < at) for at, _ in found]
        assert [doubted for _, doubted in found] == expected
        probes += place > 0
        after += sum(0 < place < at for at, _ in found)
    assert probes > 15
    assert after > 15


@pytest.mark.parametrize("clients", [1, 4])
def test_any_of_the_first_payments_is_as_likely_whatever_the_way(saloon: Game, clients: int) -> None:
    """Two for each client of a player; they are counted down, the probe's being the one at which none is left."""
    deals, drawn = 4000, []
    for mode in MODES:
        lab = [{"probe": mode, "probe_seat": 1}] * 2
        rules = saloon.resolve({"clients": clients})
        table = Table(saloon, table_of(saloon).players, rules, 52, lab)
        outcome, found = np.zeros(1, table.engine.outcome), np.zeros(deals, np.int64)
        for deal in range(deals):
            table.engine.begin(table.record[0], outcome[0], table.seed, np.uint64(deal), 0)
            found[deal] = table.record[0]["state"]["probe_left"]
        drawn.append(found)
    assert (drawn[0] == drawn[1]).all() and (drawn[0] == drawn[2]).all()
    count, share = np.bincount(drawn[0]), 1 / (2 * clients)
    assert count[0] == 0 and len(count) == 2 * clients + 1
    assert count[1:] / deals == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / deals))


def test_the_probe_s_seat_alone_is_probed(saloon: Game) -> None:
    """The judges at other seats say what they like."""
    table, probes = table_of(saloon, ["sceptic"], {"players": 3}, seed=53), 0
    for deal in range(20):
        game = play(table, DOUBT_NEVER, 1, deal)
        assert all(doubted for other in (0, 2) for _, doubted in game.verdicts(other))
        probes += game.place > 0
    assert probes > 5


def test_probes_name_the_modes_of_the_kernel(saloon: Game) -> None:
    found = {probe.name: (probe.now, probe.never, probe.later) for probe in saloon.probes}
    assert found == {"doubt": MODES}
