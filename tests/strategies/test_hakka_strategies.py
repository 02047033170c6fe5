"""Strategies of Hakka cards: legal under any rules, what each is about, and which is the strongest."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from simkit.driver import PLAYING, Table
from simkit.games.hakka import GAME
from simkit.games.hakka.counts import CLAUSE_IDS, DEALER
from tests.games.hakka_positions import Move, Position, decision_of, move_of
from tests.slow.hakka import random_rules
from tests.tables import shipped, shipped_names, table_of

NAMES = shipped_names("hakka")
PLANNED = ["greedy_claim", "patient", "tracker"]
OTHERS = [name for name in NAMES if name != "tracker"]
PLAYED_ON = next(number for number, clause in enumerate(CLAUSE_IDS) if clause == "HK-6.2 played on")


def some_rules(rng: random.Random) -> dict[str, Any]:
    """Random options; a table where nobody likes to call soon ends."""
    options = random_rules(rng)
    return GAME.resolve(options | {"max_redeals": min(options["max_redeals"], 5)})


def mirror(name: str, deals: int = 1000, rules: Mapping[str, Any] | None = None, **parameters: Any) -> np.ndarray:
    """Games of a strategy against itself, with its seats not changed."""
    player = shipped("hakka", name).with_parameters(parameters)
    return Table(GAME, [player] * 4, GAME.resolve(rules or {}), 31).play(0, deals, rotations=1)


def of_the_first(outcomes: np.ndarray, by_seat: np.ndarray) -> np.ndarray:
    """What player 0 has of something by seat: (deals, rotations)."""
    rotations = np.arange(outcomes.shape[1])
    return by_seat[:, rotations, rotations]


def interval(values: np.ndarray) -> tuple[float, float]:
    """The 95 % interval of a mean, from its values by deal and rotation."""
    by_deal = values.mean(axis=1)
    half = 1.96 * by_deal.std(ddof=1) / np.sqrt(len(by_deal))
    return by_deal.mean() - half, by_deal.mean() + half


def winners_tricks(outcomes: np.ndarray) -> float:
    return float(outcomes["winner_tricks"].sum() / outcomes["hands_with_winner"].sum())


# --- legal play -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_move_is_legal_under_any_rules(name: str) -> None:
    rng = random.Random(f"legal {name}")
    for number in range(60):
        values = some_rules(rng)
        for line_up in ([name], [name, "random"], [name, "patient", "random", "caller"]):
            players = [shipped("hakka", line_up[seat % len(line_up)]) for seat in range(4)]
            assert (Table(GAME, players, values, number).play(0, 2)["hands"] > 0).all()  # an illegal move raises


@pytest.mark.parametrize("name", PLANNED)
def test_every_move_is_legal_with_absurd_parameters(name: str) -> None:
    rng, player = random.Random(f"absurd {name}"), shipped("hakka", name)
    for number in range(60):
        values = {}
        for key, parameter in player.file.parameters.items():
            if rng.random() < 0.5:
                high = 2**53 if parameter.type is int else 1e300
                values[key] = parameter.type(rng.choice([0, 1, -1, high, -high, rng.uniform(-20, 20)]))
        line_up = [player.with_parameters(values), player, shipped("hakka", "random"), shipped("hakka", "caller")]
        assert (Table(GAME, line_up, some_rules(rng), number).play(0, 2)["hands"] > 0).all()


@pytest.mark.parametrize("name", PLANNED)
def test_a_table_of_its_like_does_not_stall(name: str) -> None:
    outcomes = mirror(name, deals=300)
    assert not outcomes["unfinished"].any()
    assert outcomes["hands_cancelled"].sum() < 0.5 * outcomes["hands"].sum()


# --- strength ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", OTHERS)
def test_tracker_makes_more_points_and_wins_more_games_than_three_of_any_other(other: str) -> None:
    """Points sum to zero: above zero is above the others' mean. Of four players alike, each wins a quarter at most."""
    outcomes = table_of(GAME, ["tracker", other, other, other], seed=20268).play(0, 1000)
    assert interval(of_the_first(outcomes, outcomes["scores"]))[0] > 1
    assert interval(of_the_first(outcomes, outcomes["winner"][..., None] == np.arange(4)))[0] > 0.25


@pytest.mark.parametrize("one", OTHERS)
def test_none_of_the_others_holds_its_own_against_three_trackers(one: str) -> None:
    outcomes = table_of(GAME, [one, "tracker", "tracker", "tracker"], seed=20269).play(0, 300)
    assert interval(of_the_first(outcomes, outcomes["scores"]))[1] < 0


@pytest.mark.parametrize("other", ["caller", "random"])
def test_leads_and_discards_with_a_thought_beat_those_by_rote(other: str) -> None:
    """greedy_claim calls and claims as caller does."""
    outcomes = table_of(GAME, ["greedy_claim", other, other, other], seed=20270).play(0, 2000)
    assert interval(of_the_first(outcomes, outcomes["scores"]))[0] > 0.5


# --- claims -----------------------------------------------------------------------------------------------------------


def test_greedy_claim_never_plays_on() -> None:
    assert mirror("greedy_claim")["clauses"][..., PLAYED_ON].sum() == 0
    assert mirror("patient")["clauses"][..., PLAYED_ON].sum() > 0


def test_the_winners_of_patient_have_more_tricks_than_those_of_greedy_claim() -> None:
    greedy, patient = mirror("greedy_claim"), mirror("patient")
    assert winners_tricks(greedy) < 6.7
    assert winners_tricks(patient) > winners_tricks(greedy) + 0.3
    assert patient["moved"].sum() > greedy["moved"].sum()


def test_patience_pays_against_three_that_have_none() -> None:
    outcomes = table_of(GAME, ["patient", *["greedy_claim"] * 3], seed=20271).play(0, 2000)
    assert interval(of_the_first(outcomes, outcomes["scores"]))[0] > 1


def test_the_lower_its_threshold_the_more_tricks_patient_wins_with() -> None:
    tricks = [winners_tricks(mirror("patient", play_on=chance)) for chance in (1.1, 0.9, 0.5, 0.0)]
    assert tricks == sorted(tricks)
    assert tricks[0] == winners_tricks(mirror("greedy_claim"))  # nothing is more than certain
    assert tricks[-1] > tricks[0] + 0.5


# --- calls ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "thresholds"), [("patient", (4, 6, 8)), ("tracker", (-5.0, 0.0, 5.0))])
def test_the_higher_its_threshold_the_fewer_hands_it_calls(name: str, thresholds: tuple[float, ...]) -> None:
    cancelled = []
    for call_at in thresholds:
        outcomes = mirror(name, deals=200, call_at=call_at)
        cancelled.append(outcomes["hands_cancelled"].sum() / outcomes["hands"].sum())
    assert cancelled == sorted(cancelled)
    assert cancelled[-1] > cancelled[0] + 0.1


STRONG = ["S5", "S6", "S7", "S8", "S9", "G7", "G8", "G9", "Z9", "N9", "N1", "W"]
WEAK = ["S2", "S4", "S6", "G1", "G3", "G5", "Z2", "Z4", "Z6", "N2", "N3", "N6"]
MIDDLING = ["S1", "S3", "S7", "G2", "G4", "G6", "Z1", "Z3", "Z7", "N4", "N5", "N7"]


@pytest.mark.parametrize("name", PLANNED)
def test_a_strong_hand_is_called_and_a_weak_one_passed(name: str) -> None:
    for hand, called in ((STRONG, True), (WEAK, False)):
        position = Position({}, 0, {0: hand, 1: WEAK if called else STRONG, 3: MIDDLING}, "Z8")
        assert choice(position, name) == ("call", called)


def test_never_calling_beats_always_calling_among_random_players() -> None:
    """Who calls out of turn and loses pays for both losers; who passes pays a share or nothing, and dreams more."""
    never, always = (shipped("hakka", "caller").with_parameters({"call_at": at}) for at in (99, 0))
    chance = shipped("hakka", "random")
    outcomes = Table(GAME, [never, chance, always, chance], GAME.resolve({}), 20272).play(0, 3000)
    rotations = np.arange(4)
    of_never, of_always = (outcomes["scores"][:, rotations, (player + rotations) % 4] for player in (0, 2))
    assert interval(of_never - of_always)[0] > 2


# --- the Dreamer ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_between_equals_the_dreamer_who_never_pays_has_the_best_seat(name: str) -> None:
    """Games of one hand: points of the dealer, the next two to decide on a call, and the Dreamer."""
    outcomes = mirror(name, deals=2_000, rules={"hands": 1})
    dealers = outcomes["hands_role"][:, 0, :, DEALER].argmax(1)[:, None]
    by_turn = [np.take_along_axis(outcomes["scores"][:, 0], (dealers + steps) % 4, 1) for steps in (0, 1, 3, 2)]
    *others, dreamer = map(interval, by_turn)
    assert dreamer[0] > max(high for _, high in others)


# --- positions by hand ------------------------------------------------------------------------------------------------


def choice(position: Position, name: str) -> Move:
    """What a strategy does for the seat whose turn it is."""
    table, player = position.table, shipped("hakka", name)
    decision = decision_of(position.state)
    table.record["params"]["value"][0, :, : len(player.row)] = player.row
    assert table.engine.step(table.record[0], position.outcome[0], (player.act,) * 4) == PLAYING
    return move_of(decision, int(table.record["move"][0]))


def after_five_tricks(rest: list[str]) -> Position:
    """Seat 0 has won five tricks with a run, the others having given up low cards, and may claim with its Elders."""
    left = ["S2", "Z3", "G4", "N5", "Z6", "N7", "G1"][: len(rest)]
    right = ["Z1", "G2", "N2", "Z4", "N4", "G6", "S1"][: len(rest)]
    hands = {0: ["S5", "S6", "S7", "S8", "S9", *rest], 1: ["G3", "N3", "G5", "Z5", "N6", *left]}
    position = Position({}, 0, hands | {3: ["Z2", "S3", "S4", "Z7", "G7", *right]}, "N8")
    position.start_tricks(0)
    position.play(("lead", ["S5", "S6", "S7", "S8", "S9"]))
    position.play(("discard", ["G3", "N3", "G5", "Z5", "N6"]))
    position.play(("discard", ["Z2", "S3", "S4", "Z7", "G7"]))
    assert decision_of(position.state) == "claim"
    return position


def test_only_greedy_claim_claims_with_a_set_in_hand_that_nobody_can_beat() -> None:
    rest = ["G9", "Z9", "N9", "W", "Z8"]
    assert choice(after_five_tricks(rest), "greedy_claim") == ("claim", True)
    assert choice(after_five_tricks(rest), "tracker") == ("claim", False)


def test_patient_plays_on_with_a_good_lead_and_claims_with_a_bad_one() -> None:
    assert choice(after_five_tricks(["G1", "Z9", "N9", "W"]), "patient") == ("claim", True)
    assert choice(after_five_tricks(["G9", "Z7", "Z8", "Z9"]), "patient") == ("claim", False)


@pytest.mark.parametrize("name", PLANNED)
def test_with_nothing_but_elders_all_claim(name: str) -> None:
    assert choice(after_five_tricks(["G9", "Z9", "N9", "W"]), name) == ("claim", True)


@pytest.mark.parametrize("name", PLANNED)
def test_elders_are_not_discarded_while_there_is_another_card(name: str) -> None:
    hands = {0: ["S7", "S8", "S9", "Z2"], 1: ["N9", "G2", "W", "Z3"], 3: ["Z9", "G4", "N1", "G9"]}
    position = Position({}, 0, hands)
    position.start_tricks(0)
    position.play(("lead", ["S7", "S8", "S9"]))
    kind, cards = choice(position, name)
    assert kind == "discard"
    assert {"G2", "Z3"} < set(cards)
