"""The compiled game of Colina against every known answer, through the very loop that plays batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import pytest

from simkit.games.base import Game
from simkit.games.colina.cards import name_of
from simkit.games.colina.counts import E_SIAMESE
from tests.games.colina_positions import Position, dead_cards, hand_of
from tests.slow.colina import JOKER, Play, is_support, is_value
from tests.slow.colina_cases import BACKS, MATRIX, VECTORS, WORKED, named, of_kind, worked_side
from tests.tables import table_of


def plays_of(case: dict[str, Any]) -> list[Play]:
    return [(play["front"], play["back"]) for play in case["plays"]]


def result_of(hands: list[list[str]], plays: list[Play], options: dict[str, Any] | None = None) -> dict[str, Any]:
    """The transcript's result of one round in which nobody can run out of TP."""
    played = Position(options or {}, hands, points=(1000, 1000)).play(plays)
    return next(event for event in played.events if event["type"] == "result")


@of_kind("resolve")
def test_a_round_resolves_as_known(case: dict[str, Any]) -> None:
    result = result_of([play["hand"] for play in case["plays"]], plays_of(case), case.get("rules"))
    assert {field: result[field] for field in ("totals", "damage")} == case["expect"]


@of_kind("legal")
def test_a_play_is_legal_as_known(case: dict[str, Any]) -> None:
    position = Position(case.get("rules", {}), [case["hand"], ["2s"]])
    move = position.code(0, (case["front"], case["back"]))
    assert move is not None
    listed = [(Counter(front), back) for front, back in position.moves(0)]
    legal = case["expect"]["legal"]
    assert ((Counter(case["front"]), case["back"]) in listed) is legal
    assert position.is_legal(move) is legal


@of_kind("moves")
def test_the_moves_of_a_hand_are_as_known(case: dict[str, Any]) -> None:
    moves = Position(case.get("rules", {}), [case["hand"], ["2s"]]).moves(0)
    found, expect = Counter((tuple(sorted(front)), back) for front, back in moves), case["expect"]
    assert (found.total(), len(found)) == (expect["count"], expect["distinct_looking"])
    if "moves" in expect:
        assert found == {(tuple(sorted(move["front"])), move["back"]): move["ways"] for move in expect["moves"]}


@of_kind("round")
def test_a_whole_round_goes_as_known(case: dict[str, Any]) -> None:
    position = Position(case.get("rules", {}), case["hands"], case["points"], case["round"], case.get("draw_pile"))
    played, expect = position.play(plays_of(case)), case["expect"]
    result = next(event for event in played.events if event["type"] == "result")
    draws = [event for event in played.events if event["type"] == "draw"]
    assert result["round"] == case["round"]
    assert {field: result[field] for field in ("totals", "damage", "points")} == {
        field: expect[field] for field in ("totals", "damage", "points")
    }
    assert [event["player"] for event in draws] == expect["draws"]
    end = None if played.end is None else {field: played.end[field] for field in ("winner", "reason")}
    assert end == expect["end"]
    if "draw_pile" in case:
        assert [event["reshuffled"] for event in draws] == expect["reshuffled"]
        for event, must_get in zip(draws, expect["must_get"], strict=True):
            assert Counter(must_get) <= Counter(event["cards"])
        after = int(position.state["pile"]), len(dead_cards(position.state))
        assert after == (expect["draw_pile_after"], expect["dead_pile_after"])


@of_kind("pack")
def test_the_pack_is_as_known(case: dict[str, Any], colina: Game) -> None:
    table = table_of(colina, rules=case.get("rules"))
    next(table.steps(0, 0, np.zeros(1, table.engine.outcome)))
    state = table.record[0]["state"]
    cards = [card for seat in state["seats"] for card in hand_of(seat)]
    cards += [name_of(int(code)) for code in state["deck"][: int(state["pile"])]]
    counts = {"cards": len(cards), "value": sum(map(is_value, cards)), "support": sum(map(is_support, cards))}
    assert counts | {"jokers": cards.count(JOKER)} == case["expect"]
    assert max(Counter(card for card in cards if card != JOKER).values()) == 2


EXACT: dict[str, Callable[[np.ndarray], np.ndarray]] = {  # from outcomes, the share of the two seats that have it
    "P(at least one joker in a fresh hand)": lambda o: np.mean(o["opening"][:, :, 4] > 0, axis=1),
    "P(no value card in a fresh hand)": lambda o: np.mean(o["opening"].sum(2) == 6, axis=1),
    # A hand of two: both cards, which `shedder` plays in the first round whenever it can.
    "P(a value siamese is available in a fresh hand)": lambda o: o["clauses"][:, E_SIAMESE] / 2,
}


@of_kind("exact")
def test_an_exact_chance_is_met_within_four_standard_errors(case: dict[str, Any], colina: Game) -> None:
    deals = 200_000
    table = table_of(colina, ["shedder"], {"max_rounds": 1, **case["rules"]}, seed=11)
    outcomes = table.play(0, deals, rotations=1)[:, 0]
    share = EXACT[case["note"]](outcomes)
    assert share.mean() == pytest.approx(float(Fraction(case["expect"]["fraction"])), abs=4 * share.std() / sqrt(deals))


def test_every_known_answer_has_a_kind_tested_here() -> None:
    assert {case["kind"] for case in VECTORS["cases"]} == {"resolve", "legal", "moves", "round", "pack", "exact"}


@pytest.mark.parametrize("of_b", BACKS)
@pytest.mark.parametrize("of_a", BACKS)
def test_six_against_ten_under_every_pair_of_backs(of_a: str | None, of_b: str | None) -> None:
    plays: list[Play] = [(["6h"], named(of_a, "s")), (["10d"], named(of_b, "c"))]
    hands = [[*front, "2c", *([back] if back else [])] for front, back in plays]
    damage = result_of(hands, plays)["damage"]
    assert damage[1] - damage[0] == MATRIX[of_a][BACKS.index(of_b)]


@pytest.mark.parametrize(("of_a", "of_b", "lost"), WORKED, ids=[f"{a}-{b}" for a, b, _ in WORKED])
def test_the_worked_cases(of_a: str, of_b: str, lost: tuple[int, int]) -> None:
    sides = [worked_side(of_a), worked_side(of_b)]
    assert tuple(result_of([hand for hand, _ in sides], [play for _, play in sides])["damage"]) == lost


@pytest.mark.parametrize(("factor", "total"), [(1, 25), (1.16, 29), (1.1, 27), (2, 50), (2.5, 62), (10, 250)])
def test_the_jack_factor_is_exact_and_rounds_down(factor: float, total: int) -> None:
    front = ["10h", "8h", "7h"]
    result = result_of([[*front, "Js"], ["2c", "3c"]], [(front, "Js"), (["2c"], None)], {"jack_factor": factor})
    assert result["totals"] == [total, 2]
