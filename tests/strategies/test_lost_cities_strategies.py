"""Strategies of Lost Cities: legal under any rules and restrictions, what each is about, and which is the strongest."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from simkit.driver import PLAYING, Table
from simkit.games.base import Game
from simkit.games.lost_cities.counts import CLAUSE_IDS
from simkit.transcript import events
from tests.games.lost_cities_positions import Position, told
from tests.slow.lost_cities import Piles, random_rules
from tests.tables import shipped, shipped_names, table_of

NAMES = shipped_names("lost_cities")
PLANNED = ["cautious", "committer", "counter"]
OTHERS = [name for name in NAMES if name != "counter"]
# Ranks that a seat may not lay: none, each kind in turn, all numbers, all but the 10, everything.
EVERY_RANK = 2**10 - 1
BARRED = [0, 1, 2, 1 << 9, EVERY_RANK & ~1, EVERY_RANK >> 1, EVERY_RANK]


def mirror(game: Game, name: str, rules: Mapping[str, Any] | None = None, deals: int = 1000) -> np.ndarray:
    """Games of a strategy against itself, with its seats not swapped."""
    return table_of(game, [name], rules, seed=31).play(0, deals, rotations=1)


def per_seat(outcomes: np.ndarray, field: str) -> float:
    return float(outcomes[field].mean())


# --- legal play -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_turn_is_legal_under_any_rules_and_restrictions(lost_cities: Game, name: str) -> None:
    rng = random.Random(f"legal {name}")
    players = [shipped("lost_cities", name), shipped("lost_cities", "random")]
    for number in range(140):
        values = lost_cities.resolve(random_rules(rng))
        mine, theirs = BARRED[number % len(BARRED)], rng.choice(BARRED)
        lab = [{"barred": bits} for bits in ((mine, theirs), (theirs, mine))]
        for line_up in (players, players[:1] * 2):
            outcomes = Table(lost_cities, line_up, values, seed=number, lab=lab).play(0, 20)
            assert (outcomes["turns"] > 0).all()  # an illegal turn raises, with the position in words


@pytest.mark.parametrize("name", NAMES)
def test_with_every_rank_barred_nothing_is_laid_and_the_round_comes_to_its_end(lost_cities: Game, name: str) -> None:
    lab = [{"barred": (EVERY_RANK, EVERY_RANK)}] * 2
    players = [shipped("lost_cities", name)] * 2
    outcomes = Table(lost_cities, players, lost_cities.resolve({}), seed=3, lab=lab).play(0, 200)
    assert outcomes["laid"].sum() == 0
    assert not outcomes["unfinished"].any()
    assert (outcomes["turns"] >= 44).all()


@pytest.mark.parametrize("name", PLANNED)
def test_no_round_gets_long(lost_cities: Game, name: str) -> None:
    """Without a card from a discard pile it has 44 half-turns."""
    for other in PLANNED:
        turns = table_of(lost_cities, [name, other], seed=4).play(0, 500)["turns"]
        assert turns.max() < 88
        assert turns.mean() < 55


@pytest.mark.parametrize("name", PLANNED)
def test_every_turn_is_legal_with_absurd_parameters(lost_cities: Game, name: str) -> None:
    rng, player = random.Random(f"absurd {name}"), shipped("lost_cities", name)
    for number in range(60):
        values = {}
        for key, parameter in player.file.parameters.items():
            if rng.random() < 0.4:
                high = 2**53 if parameter.type is int else 1e300
                values[key] = parameter.type(rng.choice([0, 1, -1, high, -high, rng.uniform(-20, 20)]))
        absurd = player.with_parameters(values)
        assert (Table(lost_cities, [absurd, player], lost_cities.resolve({}), number).play(0, 20)["turns"] > 0).all()


def test_only_counter_passes_by_taking_back_what_it_discarded(lost_cities: Game) -> None:
    """Two that pass never end the round, which is what LC-2.3 is for."""
    passed = CLAUSE_IDS.index("LC-2.3 own discard")
    for name in PLANNED:
        outcomes = mirror(lost_cities, name, {"redraw_own_discard": True}, deals=300)
        assert (outcomes["clauses"][..., passed].sum() > 0) == (name == "counter")
        assert outcomes["unfinished"].any() == (name == "counter")


# --- strength ---------------------------------------------------------------------------------------------------------


LEAST = {"random": 0.95, "first_fit": 0.9, "cautious": 0.6, "committer": 0.6}


@pytest.mark.parametrize("other", OTHERS)
def test_counter_beats_every_other_strategy(lost_cities: Game, other: str) -> None:
    outcomes = table_of(lost_cities, ["counter", other], seed=20260).play(0, 4000)
    points = (outcomes["winner"] == [0, 1]) + (outcomes["winner"] == -1) / 2
    share = points.mean(axis=1)  # of the two games of a deal, seats swapped
    low = share.mean() - 1.96 * share.std(ddof=1) / np.sqrt(len(share))
    assert low > LEAST[other]


@pytest.mark.parametrize("name", PLANNED)
def test_players_who_plan_gain_points_against_their_like(lost_cities: Game, name: str) -> None:
    outcomes = mirror(lost_cities, name)
    scores = outcomes["scores"].mean(axis=1)
    assert scores.mean() - 1.96 * scores.std(ddof=1) / np.sqrt(len(scores)) > 15


def test_counter_plays_much_as_people_do(lost_cities: Game) -> None:
    """People score about 20–60 points each, from two to four expeditions, most of which pay."""
    outcomes = mirror(lost_cities, "counter")
    assert 20 < per_seat(outcomes, "scores") < 60
    assert 2 < per_seat(outcomes, "started") < 4
    assert outcomes["paying"].sum() > 0.6 * outcomes["started"].sum()


# --- what each of them is about ---------------------------------------------------------------------------------------


def with_parameters(game: Game, name: str, rules: Mapping[str, Any] | None = None, **values: Any) -> np.ndarray:
    """Games of a strategy with other parameters against itself."""
    player = shipped("lost_cities", name).with_parameters(values)
    return Table(game, [player, player], game.resolve(rules or {}), 31).play(0, 500, rotations=1)


def test_a_higher_threshold_makes_committer_start_fewer_expeditions(lost_cities: Game) -> None:
    started = [per_seat(with_parameters(lost_cities, "committer", start=s), "started") for s in (0.3, 0.6, 0.9, 1.2)]
    assert started == sorted(started, reverse=True)
    assert started[0] > started[-1] + 1


def test_a_wider_margin_makes_cautious_start_fewer_expeditions(lost_cities: Game) -> None:
    started = [per_seat(with_parameters(lost_cities, "cautious", margin=m), "started") for m in (-8.0, 0.0, 8.0)]
    assert started == sorted(started, reverse=True)
    assert started[0] > started[-1] + 0.5


def early_wagers(name: str, game: Game, half_turns: int) -> int:
    """Investment cards laid in the first half-turns of a hundred games against itself."""
    table = table_of(game, [name], seed=8)
    found = 0
    for deal in range(100):
        turns = [event for event in events(table, deal) if event["type"] == "turn"][:half_turns]
        found += sum(event["to"] == "expedition" and event["card"][1] == "$" for event in turns)
    return found


def test_cautious_starts_fewer_expeditions_and_lays_fewer_early_wagers_than_committer(lost_cities: Game) -> None:
    cautious, committer = mirror(lost_cities, "cautious"), mirror(lost_cities, "committer")
    assert per_seat(cautious, "started") < per_seat(committer, "started") - 1
    assert per_seat(cautious, "wagers") < per_seat(committer, "wagers") - 1
    assert early_wagers("cautious", lost_cities, 12) < 0.5 * early_wagers("committer", lost_cities, 12)


def test_cautious_seldom_loses_points_on_an_expedition(lost_cities: Game) -> None:
    losing = {}
    for name in PLANNED:
        outcomes = mirror(lost_cities, name)
        losing[name] = outcomes["losing"].sum() / outcomes["started"].sum()
    assert losing["cautious"] < 0.1
    assert losing["cautious"] < min(losing["committer"], losing["counter"])


@pytest.mark.parametrize("name", PLANNED)
def test_the_dearer_the_start_the_fewer_the_expeditions(lost_cities: Game, name: str) -> None:
    started = [per_seat(mirror(lost_cities, name, {"embark_cost": cost}), "started") for cost in (0, 10, 20, 30, 40)]
    assert started == sorted(started, reverse=True)
    assert started[0] > 4
    assert started[-1] < 1.5


def test_counter_lengthens_its_expeditions_for_a_bigger_bonus(lost_cities: Game) -> None:
    bonuses = [per_seat(mirror(lost_cities, "counter", {"bonus": bonus}), "bonuses") for bonus in (0, 20, 100)]
    assert bonuses == sorted(bonuses)
    assert bonuses[-1] > bonuses[0] + 0.1


# --- positions by hand ------------------------------------------------------------------------------------------------


def choice(position: Position, name: str = "counter") -> tuple[str, str, str]:
    """What a strategy does for the seat to move, as (card, to, source)."""
    table, player = position.table, shipped("lost_cities", name)
    table.record["params"][0]["value"][:, : len(player.row)] = player.row
    assert table.engine.step(table.record[0], position.outcome[0], (player.act, player.act)) == PLAYING
    return told(int(table.record["move"][0]))


def test_counter_keeps_what_the_opponent_waits_for() -> None:
    """Neither card is of use to it; blue 9 would bring the opponent 36 points."""
    theirs = {"B": ["B$", "B$", "B$", "B2", "B7"], "Y": ["Y8"]}
    hand = ["B9", "Y3", "W2", "W3", "W4", "G5", "G6", "R9"]
    mine = {"B": ["B10"], "Y": ["Y10"]}
    hands = [hand, ["Y5", "Y6", "Y7", "W8", "G2", "G3", "R2", "R3"]]
    position = Position({}, 0, hands, expeditions=[mine, theirs], turns=20)
    assert choice(position)[:2] == ("Y3", "discard")


def test_counter_takes_a_discard_that_its_expedition_needs() -> None:
    hand = ["B6", "B8", "Y3", "W2", "W8", "G5", "G9", "R9"]
    hands = [hand, ["Y5", "Y6", "Y7", "W9", "G2", "G3", "R2", "R3"]]
    position = Position({}, 0, hands, expeditions=[{"B": ["B$", "B$", "B2"]}, {}], discards={"B": ["B7"]}, turns=20)
    assert choice(position)[2] == "B"


def end_position(hand: list[str], mine: Piles, deck: list[str], theirs: Piles) -> Position:
    """Seat 0 to move with a few cards left in the draw pile and a useless card on the yellow discards."""
    return Position({}, 0, [hand, ["Y2", "B2", "W2"]], [mine, theirs], {"Y": ["Y3"]}, deck, turns=40)


def test_counter_lays_its_best_card_on_its_last_turn() -> None:
    mine = {"B": ["B$", "B4", "B5"], "G": ["G2", "G3"], "Y": ["Y10"]}
    assert choice(end_position(["B6", "B8", "G10"], mine, ["W3"], {}))[:2] == ("B8", "expedition")
    assert choice(end_position(["B6", "G9", "G10"], mine, ["W3"], {}))[:2] == ("B6", "expedition")


def test_counter_makes_a_round_longer_that_is_too_short_for_its_cards() -> None:
    """Three cards to lay and two in the draw pile: one turn, or two when it leaves the draw pile as it is."""
    mine = {"B": ["B$", "B4", "B5"], "Y": ["Y10"]}
    assert choice(end_position(["B6", "B8", "B9"], mine, ["W3", "W4"], {}))[1:] == ("expedition", "Y")


def test_counter_ends_a_round_in_which_only_the_opponent_has_cards_to_lay() -> None:
    mine, theirs = {"B": ["B$", "B4", "B10"], "Y": ["Y10"]}, {"W": ["W$", "W$", "W4"], "R": ["R2"]}
    assert choice(end_position(["B6", "B8", "B9"], mine, ["W3"], theirs))[2] == "deck"


def test_counter_starts_nothing_that_it_cannot_pay_for_in_the_turns_left() -> None:
    hand = ["G5", "G6", "G7", "G8", "G9", "R2", "W$", "Y4"]
    for deck in (["W3"], ["W3", "W4", "W5"]):
        position = Position({}, 0, [hand, ["Y2", "B2", "W2"]], [{"Y": ["Y10"]}, {}], {}, deck, turns=40)
        assert choice(position)[1] == "discard"


def test_counter_starts_what_is_sure_to_pay_as_long_as_there_is_time() -> None:
    """Five cards for five turns, worth 35 points."""
    hand = ["G5", "G6", "G7", "G8", "G9", "R2", "W2", "Y4"]
    deck = ["W4", "W5", "W6", "W7", "W8", "W9", "B3", "B4", "B5"]
    hands = [hand, ["Y2", "B2", "W3", "R3", "R4", "R5", "Y6", "Y7"]]
    assert choice(Position({}, 0, hands, deck=deck, turns=30))[:2] == ("G5", "expedition")
    assert choice(Position({"embark_cost": 40}, 0, hands, deck=deck, turns=30))[1] == "discard"


def test_committer_starts_with_its_investment_cards_and_cautious_waits() -> None:
    hand = ["G$", "G4", "G7", "G8", "R2", "W5", "Y4", "B9"]
    hands = [hand, ["Y2", "B2", "W2", "R3", "R4", "R5", "Y6", "Y7"]]
    assert choice(Position({}, 0, hands), "committer")[:2] == ("G$", "expedition")
    assert choice(Position({}, 0, hands), "cautious")[1] == "discard"


@pytest.mark.parametrize("name", ["cautious", "committer"])
def test_the_others_discard_what_is_of_no_use_to_anyone_first(name: str) -> None:
    hand = ["B9", "Y3", "W2", "W3", "W4", "G5", "G6", "R9"]
    hands = [hand, ["Y5", "Y6", "Y7", "W8", "G2", "G3", "R2", "R3"]]
    expeditions = [{"B": ["B10"], "Y": ["Y10"]}, {"B": ["B2", "B7"], "Y": ["Y8"]}]
    assert choice(Position({}, 0, hands, expeditions, turns=20), name)[:2] == ("Y3", "discard")
