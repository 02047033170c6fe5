"""The compiled game of Saloon against every known answer, through the very loop that plays batches."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from simkit.errors import UsageError
from simkit.games.base import Game
from simkit.games.saloon.cards import client_name, members, names
from simkit.games.saloon.moves import BELIEVE, DOUBT, DRAW, JUDGE, PAY, TURN, WRONG_DOUBT
from simkit.games.saloon.piles import JUDGE_DRAW, PAYER_DRAW, RESHUFFLED, draw
from tests.games.saloon_positions import Position, heap, move_parts, put
from tests.slow.transcript import known_answers
from tests.tables import table_of

Case = dict[str, Any]
CASES: list[Case] = known_answers("saloon")["cases"]
CLIENTS = ["Ac", "Jc", "Qc", "Kc", "Ah", "Js", "Qd", "Kd"]
NUMBERS = [f"{number}{suit}" for suit in "shdc" for number in range(2, 11)]


def of_kind(kind: str) -> pytest.MarkDecorator:
    """Parametrises a test with the known answers of one kind, as `case`."""
    return pytest.mark.parametrize(
        "case", [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] == kind]
    )


# --- payments ---------------------------------------------------------------------------------------------------------


def judged(case: Case, clients: int, judge_hand: int, verdict: int) -> tuple[Position, Case]:
    """The position after a payment of a known answer and a verdict, and the event that tells of it."""
    known = case["given"]
    more = [client for client in CLIENTS if client != known["client"]][: clients - 1]
    free = [card for card in NUMBERS if card not in known["cards"]]
    players = case["options"]["players"]
    hands = [known["cards"], free[:judge_hand], *[[]] * (players - 2)]
    others = [["Kh"], *[["Jh"]] * (players - 2)] if known["client"] != "Kh" else [["Ks"]] * (players - 1)
    tables = [[known["client"], *more], *others[:1], *[[f"{rank}h"] for rank in "JQA"][: players - 2]]
    position = Position(
        case["options"], {"player": 0, "clients": tables, "hands": hands, "pile": free[judge_hand:], "discard": []}
    )
    position.play(position.payment(known["client"], known["cards"], 1))
    return position, position.play(verdict)[0]


@of_kind("honest")
def test_honesty_is_as_known(case: Case) -> None:
    clients = 1 if len(case["given"]["cards"]) == 4 else 2
    assert judged(case, clients, 0, BELIEVE)[1]["honest"] is case["expect"]["honest"]


@of_kind("outcome")
def test_a_payment_ends_as_known(case: Case) -> None:
    known = case["given"]
    verdict = DOUBT if known["doubted"] else BELIEVE
    position, told = judged(case, known["clients_left"], known["judge_hand"], verdict)
    state, left = position.state, 0
    drawn = [len(names(state["drawn"][place], state["drawn_2"][place])) for place in range(2)]
    called = [int(state["events"]) >> place & 1 for place in (PAYER_DRAW, JUDGE_DRAW)]
    if position.turn == 1 and state["asked"] == WRONG_DOUBT:
        left = int(state["count"])
    returned = set(known["cards"]) <= set(position.hand(0))
    assert case["expect"] == {
        "honest": told["honest"],
        "freed": told["freed"],
        "payer_draws": drawn[0] * called[0],
        "judge_draws": drawn[1] * called[1],
        "judge_discards": left,
        "cards_to": "hand" if returned else "discard",
    }


@of_kind("judges")
def test_the_judges_are_as_known(case: Case) -> None:
    known = case["given"]
    seats = range(known["players"])
    last = [known["last_judge"] if seat == known["payer"] else None for seat in seats]
    position = {
        **{"player": known["payer"], "closed": known["closed"], "last_judge": last, "pile": [], "discard": []},
        "clients": [[] if seat in known["closed"] else [CLIENTS[seat]] for seat in seats],
        "hands": [[] for _ in seats],
    }
    assert {"judges": Position({**case["options"], "players": known["players"]}, position).judges()} == case["expect"]


# --- legal moves ------------------------------------------------------------------------------------------------------


def words_of(position: Position, move: int) -> list[Any]:
    """A move of a turn as the known answers write it."""
    hand = position.hand(position.turn)
    if move == DRAW:
        return ["draw"]
    if move < PAY:
        return ["swap", hand[move - 1]]
    places, client, judge = move_parts(move)
    return ["pay", client_name(client), [hand[place] for place in members(places)], judge]


@of_kind("legal")
def test_the_actions_are_as_known(case: Case) -> None:
    position, expect = Position(case["options"], case["given"]["position"]), case["expect"]
    moves = position.moves()
    assert len(moves) == len(set(moves)) == expect["count"]
    told = [words_of(position, move) for move in moves]
    key = [[*words[:2], sorted(words[2]), words[3]] if words[0] == "pay" else words for words in told]
    known = [[*words[:2], sorted(words[2]), words[3]] if words[0] == "pay" else words for words in expect["moves"]]
    assert {str(words) for words in key} == {str(words) for words in known}
    assert sorted(words[1] for words in told if words[0] == "swap") == sorted(expect["swap"])
    assert all(position.is_legal(move) for move in moves)


@of_kind("odds")
def test_random_acts_with_the_known_odds(case: Case) -> None:
    position = Position(case["options"], case["given"]["position"])
    kinds = Counter(words_of(position, move)[0] for move in position.moves())
    assert {kind: str(Fraction(count, kinds.total())) for kind, count in kinds.items()} == case["expect"]


# --- deals, draws and turns -------------------------------------------------------------------------------------------


@of_kind("draw")
def test_a_draw_is_served_as_known(case: Case, saloon: Game) -> None:
    known, table = case["given"], table_of(saloon)
    record, outcome = table.record[0], fresh_outcome(saloon)
    table.engine.begin(record, outcome, table.seed, np.uint64(0), 0)
    state = record["state"]
    put(state, "hand", [], 0)
    put(state, "pile", range(known["pile"]))
    put(state, "discard", range(known["pile"], known["pile"] + known["discard"]))
    state["events"] = 0
    draw(state, record["rules"][0], record["chance"], outcome, 0, known["need"], PAYER_DRAW)
    assert case["expect"] == {
        "drawn": len(heap(state, "hand", 0)),
        "reshuffled": bool(int(state["events"]) >> RESHUFFLED & 1),
        "pile_after": len(heap(state, "pile")),
        "discard_after": len(heap(state, "discard")),
    }


def fresh_outcome(saloon: Game) -> np.void:
    """A zeroed OUTCOME record."""
    outcome: np.void = np.zeros(1, saloon.module("state").OUTCOME)[0]
    return outcome


@of_kind("deal")
def test_a_deal_is_as_known(case: Case, saloon: Game) -> None:
    if not case["expect"]["playable"]:
        with pytest.raises(UsageError, match="too many"):
            saloon.resolve(case["options"])
        return
    table = table_of(saloon, rules=case["options"])
    record = table.record[0]
    table.engine.begin(record, fresh_outcome(saloon), table.seed, np.uint64(0), 0)
    state, packs = record["state"], table.rules[0]["packs"]
    dealt = sum(len(members(word)) for word in state["clients"])
    pile = len(heap(state, "pile"))
    assert case["expect"] == {"playable": True, "packs": packs, "pile": pile, "freed": 16 * packs - dealt}


def check_events(told: list[Case], expect: list[Case]) -> None:
    """Compares events, whatever the order of cards in them; `then` says what comes at random."""
    assert len(told) == len(expect)
    for event, known in zip(told, expect, strict=True):
        known = dict(known)
        then = known.pop("then", {"count": 0, "of": []})
        if "cards" in known:
            later: Counter[str] = Counter(event["cards"]) - Counter(known["cards"])
            assert later.total() == then["count"] and not later - Counter(then["of"])
            known["cards"] = sorted([*known["cards"], *later.elements()])
            event["cards"] = sorted(event["cards"])
        assert {field: event[field] for field in known} == known


@of_kind("turn")
def test_turns_go_as_known(case: Case) -> None:
    position = Position(case["options"], case["given"]["position"])
    told = [event for turn in case["given"]["script"] for event in position.take(turn)]
    check_events(told[1:], case["expect"]["events"])  # the first turn line is not among the known events
    found = now_of(position)
    for field, value in case["expect"]["after"].items():
        if field in ("hands", "clients"):
            value = [sorted(cards) for cards in value]
        assert found[field] == (sorted(value) if field == "discard" else value), field


def now_of(position: Position) -> Case:
    """Where a position stands, in the words of known answers."""
    state, seats = position.state, range(position.table.seats)
    last = [members(int(state["last"]) >> 8 * seat & 255) for seat in seats]
    places = {int(state["places"]) >> 8 * seat & 255: seat for seat in seats}
    return {
        "next": None if position.turn < 0 else position.turn,
        "pile_size": len(heap(state, "pile")),
        "clients": [sorted(position.clients(seat)) for seat in seats],
        "hands": [sorted(position.hand(seat)) for seat in seats],
        "hand_sizes": [int(state["sizes"]) >> 8 * seat & 255 for seat in seats],
        "discard": sorted(names(state["discard"], state["discard_2"])),
        "last_judge": [judges[0] if judges else None for judges in last],
        "closed": [places[place] for place in sorted(places) if place],
    }


def test_every_known_answer_has_a_kind_tested_here() -> None:
    tested = {"honest", "outcome", "judges", "legal", "draw", "deal", "turn", "odds"}
    assert {case["kind"] for case in CASES} == {*tested, "fact"}  # facts have a file of their own


# --- the worked cases of the rule document ----------------------------------------------------------------------------

OPENING: Case = {
    **{"player": 0, "clients": [["Ah", "Js"], ["Kd", "Qd"]], "discard": []},
    **{"hands": [["2h", "5h", "9h", "9s"], ["3c", "4c", "5c"]], "pile": NUMBERS[20:27]},
}


@pytest.mark.parametrize(
    ("cards", "verdict", "freed", "payer", "judge"),
    [
        ("2h 5h 9h", DOUBT, True, 2, 1),  # draws one; discards two
        ("2h 5h 9s", DOUBT, False, 3, 5),  # draws nothing but two for the single card; draws two
        ("2h 5h 9s", BELIEVE, True, 4, 3),  # draws three
    ],
)
def test_three_payments_for_a_heart(cards: str, verdict: int, freed: bool, payer: int, judge: int) -> None:
    position = Position({}, OPENING)
    position.play(position.payment("Ah", cards.split(), 1))
    assert (position.turn, int(position.state["asked"])) == (1, JUDGE)
    told = position.play(verdict)
    if int(position.state["asked"]) == WRONG_DOUBT:
        position.play(position.places(["3c", "4c"]))
    assert told[0]["freed"] is freed
    assert ("Ah" in position.clients(0)) is not freed
    assert [len(position.hand(seat)) for seat in (0, 1)] == [payer, judge]
    assert (position.turn, int(position.state["asked"])) == (1, TURN)


@pytest.mark.parametrize(("cards", "legal"), [(3, False), (4, True)])
def test_the_last_client_costs_four_cards(cards: int, legal: bool) -> None:
    position = Position({}, {**OPENING, "clients": [["Ah"], ["Kd"]], "hands": [["2h", "5h", "9h", "9s"][:cards], []]})
    assert any(move >= PAY for move in position.moves()) is legal


def test_of_three_players_the_judge_of_the_last_payment_may_not_be_asked_again() -> None:
    three = {"clients": [["Ah", "Js"], ["Kd"], ["Kc"]], "hands": [["2h", "5h", "9h"], [], []]}
    position = Position({"players": 3}, {**OPENING, **three, "last_judge": [1, None, None]})
    assert {move_parts(move)[2] for move in position.moves() if move >= PAY} == {2}


def test_a_judge_with_one_card_discards_that_one_for_a_wrong_doubt() -> None:
    position = Position({}, {**OPENING, "hands": [["2h", "5h", "9h"], ["3c"]]})
    position.play(position.payment("Ah", ["2h", "5h", "9h"], 1))
    position.play(DOUBT)
    assert position.moves() == [1]
    told = position.play(1)
    assert (told[0]["cards"], told[0]["why"]) == (["3c"], "wrong_doubt")
