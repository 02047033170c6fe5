"""Colina's strategies: legal under any rules and restrictions, what each is about, and which is the strongest."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from simkit.driver import PLAYING, Table
from simkit.games.base import Game
from tests.games.colina_positions import Position
from tests.slow.colina import random_rules
from tests.tables import shipped, shipped_names, table_of

NAMES = shipped_names("colina")
OTHERS = [name for name in NAMES if name != "planner"]
# What a seat may be barred from: each kind in turn (J, Q, K, A, joker), and all of them.
BARRED = [0, 1, 2, 4, 8, 16, 31]


@pytest.mark.parametrize("name", NAMES)
def test_every_play_is_legal_under_any_rules_and_restrictions(colina: Game, name: str) -> None:
    rng = random.Random(f"legal {name}")
    players = [shipped("colina", name), shipped("colina", name)]
    for number in range(140):
        values = colina.resolve(random_rules(rng) | {"max_rounds": 200})
        mine, theirs = BARRED[number % len(BARRED)], rng.choice(BARRED)
        table = Table(
            colina, players, values, seed=number, lab=[{"barred": bits} for bits in ((mine, theirs), (theirs, mine))]
        )
        assert (table.play(0, 25)["rounds"] > 0).all()  # an illegal play raises, with the position in words


@pytest.mark.parametrize("name", NAMES)
def test_every_play_is_legal_when_both_seats_are_barred_alike(colina: Game, name: str) -> None:
    for barred in BARRED:
        for supports in ("anytime", "no_value_cards"):
            values = colina.resolve({"support_front": supports, "jokers": 8, "max_rounds": 200})
            table = Table(
                colina, [shipped("colina", name)] * 2, values, seed=barred, lab=[{"barred": (barred, barred)}] * 2
            )
            assert (table.play(0, 100)["rounds"] > 0).all()


@pytest.mark.parametrize("other", OTHERS)
def test_the_planner_beats_every_other_strategy(colina: Game, other: str) -> None:
    outcomes = table_of(colina, ["planner", other], seed=20260).play(0, 3000)
    assert not outcomes["unfinished"].any()
    share = (outcomes["winner"] == [0, 1]).mean(axis=1)  # of the two games of a deal, seats swapped
    low = share.mean() - 1.96 * share.std(ddof=1) / np.sqrt(len(share))
    assert low > 0.8


def test_players_who_think_beat_those_who_play_at_random(colina: Game) -> None:
    for name in NAMES:
        if name != "random":
            outcomes = table_of(colina, [name, "random"], seed=7).play(0, 500)
            assert (outcomes["winner"] == [0, 1]).mean() > 0.6, name


# --- what each of them is about --------------------------------------------------------------------------------------


def choice(
    name: str, hand: str, rules: Mapping[str, Any] | None = None, theirs: str = "2s 3h 4d 5c 6s 7h"
) -> tuple[set[str], str | None]:
    """What a strategy plays from a hand as seat 0, with the opponent's hand dealt too: (front line, back line)."""
    position = Position(rules or {}, [hand.split(), theirs.split()])
    table, player = position.table, shipped("colina", name)
    plays = dict(zip(map(int, table.legal_moves()), position.moves(0), strict=True))
    table.record["params"][0, 0]["value"][: len(player.row)] = player.row
    assert table.engine.step(table.record[0], position.outcome[0], (player.act, player.act)) == PLAYING
    front, back = plays[int(table.record["move"][0])]
    return set(front), back


def test_greedy_doubles_its_most_valuable_suit() -> None:
    assert choice("greedy", "7h 9h 10s 2c 3c Jd") == ({"7h", "9h"}, "Jd")
    assert choice("greedy", "2h 3h 10s Ac Qd Ks") == ({"10s"}, None)


def test_hill_hunter_hides_its_lowest_card_behind_a_king_if_kings_work() -> None:
    assert choice("hill_hunter", "7h 9h 10s 2c Kd As") == ({"2c"}, "Kd")
    assert choice("hill_hunter", "7h 9h 10s 6c Kd As", {"support_front": "no_value_cards"}) == ({"7h", "9h"}, None)
    assert choice("hill_hunter", "7h 9h 10s 2c Kd As", {"king_on": [False, True]}) == ({"7h", "9h"}, None)


def test_shedder_plays_as_many_cards_as_it_can() -> None:
    assert choice("shedder", "2h 3h 4h 10s 9s Qd") == ({"2h", "3h", "4h"}, "Qd")
    assert choice("shedder", "2h 3h * 10s 9c Kd") == ({"2h", "3h", "*"}, None)


def test_mirror_guard_turns_a_weak_hand_into_a_win_if_aces_work() -> None:
    assert choice("mirror_guard", "2h 4s 6c Ad 3d Kc") == ({"2h"}, "Ad")
    assert choice("mirror_guard", "2h 9h 8h Ad 3d Kc") == ({"2h", "9h", "8h"}, None)
    assert choice("mirror_guard", "2h 4s 6c Ad 3d Kc", {"ace_on": False}) == ({"6c"}, None)


def test_blocker_guards_against_a_full_hand_and_guards_what_is_big() -> None:
    hand = "2h 3h 10s Qd Jd 9c"
    assert choice("blocker", hand) == ({"2h", "3h"}, "Qd")
    assert choice("blocker", hand, theirs="2s 3s") == ({"2h", "3h"}, "Jd")
    assert choice("blocker", "8h 9h 10s Qd Jd 9c", theirs="2s 3s") == ({"8h", "9h"}, "Qd")


def test_planner_empties_a_hand_that_one_play_can_empty() -> None:
    assert choice("planner", "2c Kd") == ({"2c"}, "Kd")
    assert choice("planner", "7h 9h 10h Js", theirs="2s 3s") == ({"7h", "9h", "10h"}, "Js")


def test_planner_keeps_from_turning_its_own_win_when_the_opponent_is_weak() -> None:
    front, back = choice("planner", "10h 9h 8h 7h 2c As", theirs="2s")
    assert front == {"10h", "9h", "8h", "7h"} and back is None
