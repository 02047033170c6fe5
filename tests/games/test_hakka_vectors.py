"""The compiled game of Hakka cards against every known answer, through the very loop that plays batches."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest

from simkit.driver import OVER
from simkit.games.hakka.cards import cards_of, names_of
from simkit.games.hakka.hands import decide_claim, next_hand
from simkit.games.hakka.score import run_out, score
from simkit.games.hakka.tricks import end_trick
from simkit.games.hakka.words import CALLER, DEALER, DREAMER, PRIVILEGED, told_tricks, trick
from tests.games.hakka_positions import Move, Position, decision_of, with_byte
from tests.slow.hakka import PACK, Rules, pattern_of, turn_order
from tests.slow.transcript import known_answers

Case = dict[str, Any]
Cards = tuple[str, ...]
CASES: list[Case] = known_answers("hakka")["cases"]


def of_kind(kind: str) -> pytest.MarkDecorator:
    """Parametrises a test with the known answers of one kind, as `case`."""
    return pytest.mark.parametrize(
        "case", [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] == kind]
    )


def gone_of(case: Case) -> list[str]:
    """The cards publicly gone in a known answer, where it tells plays by the rules on discards."""
    given, rules = case["given"], Rules.from_options(case["options"])
    if "gone" in given:
        return list(given["gone"])
    seen = (play for play in given["plays"] if not play["discard"] or rules.discards == "face_up")
    return [card for play in seen for card in play["cards"]]


def chosen(position: Position, kind: str) -> list[Cards]:
    """The cards of the legal moves of one kind."""
    return sorted((choice for found, choice in position.moves() if found == kind), key=by_pack)


def by_pack(cards: Cards) -> list[int]:
    return [PACK.index(card) for card in cards]


def tuples(lists: list[list[str]]) -> list[Cards]:
    return [tuple(cards) for cards in lists]


@of_kind("elders")
def test_the_elders_are_as_known(case: Case) -> None:
    position = Position(case["options"], 0, {0: case["given"]["hand"]})
    position.start_tricks(0, gone_of(case))
    state = position.state
    assert names_of(int(state["elders"]) & int(state["hand"][0])) == case["expect"]["elders"]


def expect_leads(position: Position, expect: Case) -> None:
    """The legal leads are the known ones and no other set of up to four cards is one."""
    hand = names_of(int(position.state["hand"][int(position.state["turn"])]))
    known = [(card,) for card in expect["singles"]] + tuples(expect["runs"]) + tuples(expect["sets"])
    assert chosen(position, "lead") == sorted(known, key=by_pack)
    for size in (1, 2, 3, 4):
        for cards in combinations(hand, size):
            assert position.is_legal(("lead", cards)) is (cards in known)


@of_kind("leads")
def test_the_leads_are_as_known(case: Case) -> None:
    given = case["given"]
    position = Position(case["options"], 0, {0: given["hand"]})
    position.start_tricks(0, given["gone"], given["privileged"])
    expect_leads(position, case["expect"])


def expect_follows(position: Position, expect: Case) -> None:
    """The legal follows are the known ones, and every other way to play so many cards is refused."""
    state = position.state
    hand, size = names_of(int(state["hand"][int(state["turn"])])), len(names_of(int(state["best"])))
    beats = tuples(expect["beats"])
    assert chosen(position, "beat") == sorted(beats, key=by_pack)
    discards = comb(len(hand), size) if expect["discards"] == "any" else 0
    assert len(chosen(position, "discard")) == discards
    assert len(position.moves()) == expect["moves"] == len(beats) + discards
    for cards in combinations(hand, size):
        assert position.is_legal(("beat", cards)) is (cards in beats)
        assert position.is_legal(("discard", cards)) is (discards > 0)


@of_kind("follows")
def test_the_follows_are_as_known(case: Case) -> None:
    table, hand = case["given"]["table"], case["given"]["hand"]
    seats = [0, 1, 3][: len(table)]
    hands = {seat: play["cards"] for seat, play in zip(seats, table, strict=True)}
    position = Position(case["options"], 0, {**hands, [0, 1, 3][len(table)]: hand})
    position.start_tricks(0)
    for number, play in enumerate(table):
        position.play(("lead" if number == 0 else "discard" if play["discard"] else "beat", tuple(play["cards"])))
    expect_follows(position, case["expect"])


@of_kind("trick")
def test_a_trick_goes_as_known(case: Case) -> None:
    plays = case["given"]["plays"]
    seats = [play["player"] for play in plays]
    dealer = next(seat for seat in seats if (seat + 2) % 4 not in seats)
    assert turn_order(dealer, seats[0]) == seats
    position = Position(case["options"], dealer, {play["player"]: play["cards"] for play in plays})
    position.start_tricks(seats[0])
    events, discards = [], []
    for number, play in enumerate(plays):
        kinds = ["lead"] if number == 0 else ["beat", "discard"]
        kind = next(kind for kind in kinds if position.is_legal((kind, tuple(play["cards"]))))
        discards.append(kind == "discard")
        events = position.play((kind, tuple(play["cards"])))
    told = events[0]
    assert told["pattern"] == pattern_of(plays[0]["cards"])
    found = {"discard": discards, "winner": told["winner"], "won": max(told["tricks"])}
    assert found == case["expect"]


def win_trick(position: Position, seat: int, size: int) -> bool:
    """The seat wins a trick of so many cards; true if the cards ran out without a claim."""
    position.state["table"] = trick(0, size, seat)
    position.state["trick"] = 0
    return bool(end_trick(position.state, position.outcome[0]))


@of_kind("claim")
def test_a_claim_is_as_known(case: Case) -> None:
    given = case["given"]
    position = Position(case["options"], 0, {0: given["hand"]})
    position.start_tricks(0, gone_of(case))
    win_trick(position, 0, given["tricks_won"])
    elders = names_of(int(position.state["elders"]) & int(position.state["hand"][0]))
    may_claim, tricks = decision_of(position.state) == "claim", told_tricks(position.state["won"])[0] + len(elders)
    assert {"may_claim": may_claim, "elders": elders, "tricks": tricks} == case["expect"]
    if may_claim:
        events = position.play(("claim", True))
        assert (events[0]["tricks"], events[0]["elders"]) == (given["tricks_won"], elders)
        assert events[1]["winner_tricks"] == tricks


@of_kind("calling")
def test_the_calls_go_as_known(case: Case) -> None:
    dealer, calls, expect = case["given"]["dealer"], case["given"]["calls"], case["expect"]
    order = turn_order(dealer, dealer)
    position = Position(case["options"], dealer, {seat: ["S2", "S3"] for seat in order})
    assert position.seat_of(DREAMER) == expect["dreamer"]
    asked = []
    for call in calls:
        assert decision_of(position.state) == "call"
        asked.append(int(position.state["turn"]))
        events = position.play(("call", call))
    assert asked == expect["order"][: len(calls)]
    cancelled = any(event["type"] == "cancelled" for event in events)
    assert cancelled is expect["cancelled"]
    if cancelled:
        assert position.seat_of(DEALER) == expect["next_dealer"]
        return
    found = {"caller": position.seat_of(CALLER), "privileged": position.seat_of(PRIVILEGED)}
    assert found == {field: expect[field] for field in found}
    assert (decision_of(position.state), int(position.state["turn"])) == ("lead", expect["leads"])
    next_hand(position.state, position.rules, position.table.record[0]["chance"], position.outcome[0])
    assert position.seat_of(DEALER) == expect["next_dealer"]


@of_kind("five_tigers")
def test_the_five_tigers_are_offered_as_known(case: Case) -> None:
    given = case["given"]
    others = [card for card in PACK if card not in given["dealt"]]
    position = Position(case["options"], 0, {0: others[:12], 1: given["dealt"], 3: others[12:24]}, others[24])
    if given["when"] == "after_call":
        if decision_of(position.state) == "five_tigers":  # offered before: not again
            position.play(("five_tigers", False))
        position.play(("call", True))
    offered = decision_of(position.state) == "five_tigers" and int(position.state["turn"]) == 1
    assert {"may_win": offered} == case["expect"]


@of_kind("score")
def test_a_hand_scores_as_known(case: Case) -> None:
    given, expect = case["given"], case["expect"]
    position = Position(case["options"], given["dealer"], {given["winner"]: given["dealt"]}, given["dreamer_card"])
    state, caller = position.state, given["caller"]
    if caller not in (None, given["dealer"]):
        with_byte(state, "roles", PRIVILEGED, caller)
    state["winning"][given["winner"]] = cards_of(given.get("winning", ()))
    score(state, position.rules, position.outcome[0], given["winner"], given["winner_tricks"])
    found = {"dreamer_tricks": int(state["end_dreamer"]), "points": state["end_points"].tolist()}
    assert found == expect


@of_kind("run_out")
def test_cards_run_out_as_known(case: Case) -> None:
    """Whoever could claim does not: all have one card that is no Elder until the last trick."""
    tricks = case["given"]["tricks"]
    position = Position(case["options"], 0, {seat: ["Z5"] for seat in range(4)})
    state, outcome = position.state, position.outcome[0]
    for number, (winner, size) in enumerate(tricks):
        if number == len(tricks) - 1:
            state["hand"] = 0
        over = win_trick(position, winner, size)
        if decision_of(state) == "claim":
            over = decide_claim(state, position.rules, outcome, winner, False)
        elif over:
            run_out(state, position.rules, outcome)
        assert over is (number == len(tricks) - 1)
    won = state["end_winner"] >= 0
    found = {"winner": int(state["end_winner"]), "winner_tricks": int(state["end_tricks"])}
    assert (found if won else dict.fromkeys(found)) == case["expect"]


@of_kind("end")
def test_a_game_ends_as_known(case: Case) -> None:
    position = Position(case["options"], 0, {0: PACK[:12], 1: PACK[12:24], 3: PACK[24:36]})
    state = position.state
    for result in case["given"]["hands"]:
        dealt_before = int(position.outcome["hands"][0])
        assert state["turn"] >= 0
        if result == "cancelled":
            for _ in range(3):
                position.play(("five_tigers", False)) if decision_of(state) == "five_tigers" else None
                position.play(("call", False))
        else:
            state["points"] = state["points"] + np.array(result)
            state["won"] = (int(state["won"]) & (1 << 48) - 1) + (1 << 32)  # one hand more, no redeal
            next_hand(state, position.rules, position.table.record[0]["chance"], position.outcome[0])
        assert (int(position.outcome["hands"][0]) > dealt_before) == (state["turn"] >= 0)
    over = bool(state["turn"] < 0)
    if over:
        assert position.step(("call", False)) == OVER
    winner, outcome = int(position.outcome["winner"][0]) if over else -1, position.outcome[0]
    assert case["expect"] == {
        "over": over,
        "unfinished": bool(outcome["unfinished"]),
        "winner": None if winner < 0 else winner,
        "points": state["points"].tolist(),
    }


def scripted_move(told: Case) -> Move:
    """A move as scripts write it."""
    kind = next(field for field in told if field != "player")
    choice = told[kind]
    return kind, choice if isinstance(choice, bool) else tuple(choice)


@of_kind("script")
def test_a_script_plays_out_as_known(case: Case) -> None:
    given, expect = case["given"], case["expect"]
    hands = {int(seat): cards for seat, cards in given["hands"].items()}
    position = Position(case["options"], given["dealer"], hands, given["dreamer_card"])
    events: list[dict[str, Any]] = []
    for told in given["moves"]:
        assert int(position.state["turn"]) == told["player"]
        events += position.play(scripted_move(told))
    ends = [event for event in events if event["type"] == "hand_end"]
    assert bool(ends) is expect["hand_over"]
    state = position.state
    if ends:
        fields = ("winner", "winner_tricks", "dreamer_tricks", "points")
        assert {field: ends[0][field] for field in fields} == {field: expect[field] for field in fields}
        assert position.seat_of(DEALER) == expect["next_dealer"]
        return
    now = (int(state["turn"]), decision_of(state), told_tricks(state["won"]))
    assert now == (expect["to_move"], expect["decision"], expect["tricks"])
    if "singles" in expect:
        expect_leads(position, expect)
    if "beats" in expect:
        expect_follows(position, expect)
    if "elders" in expect:
        assert names_of(int(state["elders"]) & int(state["hand"][now[0]])) == expect["elders"]


def test_every_known_answer_has_a_kind_tested_here() -> None:
    kinds = {"elders", "leads", "follows", "trick", "claim", "calling", "five_tigers", "score", "run_out", "end"}
    assert {case["kind"] for case in CASES} == kinds | {"script"}
