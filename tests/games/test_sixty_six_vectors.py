"""The compiled game of Sixty-Six against every known answer, through the very loop that plays batches."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from simkit.games.base import Game
from simkit.games.sixty_six.score import REASONS, is_last_deal, judge
from simkit.games.sixty_six.words import CLOSER, GAME_POINTS, NONE, POINTS, STOCK, TRICKS, told_byte
from simkit.transcript import events as told_events
from tests.games.sixty_six_positions import Position, move_of, word
from tests.slow.sixty_six import PACK, SUITS
from tests.slow.transcript import known_answers
from tests.tables import table_of

Case = dict[str, Any]
CASES: list[Case] = known_answers("sixty_six")["cases"]
TALON = {"talon": [], "turned_up": None, "closer": None, "leader": 0}
NOTHING = {"points": [0, 0], "pending": [0, 0], "tricks_won": [0, 0]}


def of_kind(kind: str) -> pytest.MarkDecorator:
    """Parametrises a test with the known answers of one kind, as `case`."""
    return pytest.mark.parametrize(
        "case", [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] == kind]
    )


def trick(trump: str, led: str, reply: str) -> tuple[str, int]:
    """Who wins a trick of the last two cards, leader or second, and its points."""
    position = Position({}, {**TALON, **NOTHING, "trump": trump, "hands": [[led], [reply]]})
    position.play(led)
    told = position.play(reply)[0]
    return ("leader", "second")[told["winner"]], max(told["points"])


@of_kind("trick")
def test_a_trick_goes_as_known(case: Case) -> None:
    winner, points = trick(case["trump"], case["led"], case["reply"])
    assert {"winner": winner, "points": points} == case["expect"]


@of_kind("trick_totals")
def test_all_tricks_come_to_the_known_totals(case: Case) -> None:
    found = [trick(case["trump"], led, reply) for led, reply in permutations(PACK, 2)]
    assert len(found) == 552
    second = [points for winner, points in found if winner == "second"]
    totals = {"second_wins": len(second), "points_to_second": sum(second)}
    totals["points_to_leader"] = sum(points for _, points in found) - sum(second)
    assert {field: totals[field] for field in case["expect"]} == case["expect"]


@of_kind("score")
def test_a_deal_scores_as_known(case: Case, sixty_six: Game) -> None:
    table = table_of(sixty_six, rules=case["options"])
    record, last = table.record[0], case["reached_by"]
    state, closer = record["state"], case["closer"]
    state["table"] = word({CLOSER: NONE if closer is None else closer})
    for seat in (0, 1):
        state["standing"][seat] = word({POINTS: case["points"][seat], TRICKS: case["tricks_won"][seat]})
    judge(state, record["rules"][0], case["last_trick_winner"] if last is None else last)
    winner, worth = int(state["end_winner"]), int(state["end_worth"])
    assert case["expect"] == {
        "winner": None if winner < 0 else winner,
        "game_points": [worth if seat == winner else 0 for seat in (0, 1)],
        "reason": REASONS[int(state["end_reason"])],
    }


@of_kind("match")
def test_a_match_goes_as_known(case: Case, sixty_six: Game) -> None:
    table, expect = table_of(sixty_six, rules=case["options"]), case["expect"]
    record = table.record[0]
    played = 0
    while not is_last_deal(record["state"], record["rules"][0]):
        for seat in (0, 1):
            record["state"]["standing"][seat] += case["deals"][played][seat] * GAME_POINTS
        played += 1
        record["state"]["deals"] = played
    total = [int(standing) // GAME_POINTS for standing in record["state"]["standing"]]
    assert (played, total, total.index(max(total))) == (expect["over_after"], expect["total"], expect["winner"])
    long = told_events(table_of(sixty_six, rules={"match_points": 40}), 0)
    dealers = [event["dealer"] for event in long if event["type"] == "deal"]
    assert dealers[:played] == expect["dealers"]


def at_lead(case: Case) -> Position:
    """The position of a known answer about legal moves, with its lead played if there is one."""
    known, led = case["position"], case["position"]["led"]
    mover = known["leader"] if led is None else 1 - known["leader"]
    hands: list[list[str]] = [[], []]
    hands[mover] = known["hand"]
    hands[1 - mover] = [] if led is None else [led]
    free = [card for card in PACK if card not in [*known["hand"], known["turned_up"], led]]
    talon = free[: max(0, known["stock"] - 1)]
    position = Position(case["options"], {**known, **NOTHING, "hands": hands, "talon": talon, **won(known)})
    if led is not None:
        position.play(led)
    return position


def won(known: Case) -> Case:
    return {"tricks_won": known["tricks_won"]}


@of_kind("legal")
def test_the_moves_are_as_known(case: Case) -> None:
    position = at_lead(case)
    assert {"automatic_exchange": position.exchange, "moves": sorted(position.moves())} == case["expect"]
    everything = [*PACK] + [f"marriage {rank}{suit}" for rank in "KQ" for suit in SUITS]
    for words in ("", "close ", "exchange ", "exchange close "):
        for move in everything:
            legal = words + move in case["expect"]["moves"]
            assert position.is_legal(move_of(words + move)) is legal


def plain(event: Case) -> Case:
    """An event without the fields that known answers do not have."""
    return {field: value for field, value in event.items() if field != "clauses"}


@of_kind("play")
def test_a_position_plays_on_as_known(case: Case) -> None:
    known, expect = case["position"], case["expect"]
    position = Position(case["options"], known)
    told = []
    if position.exchange:
        told.append({"type": "exchange", "player": known["leader"], **position.exchange})
    for move in case["moves"]:
        told += [plain(event) for event in position.play(move) if event["type"] != "end"]
    if "events" in expect:
        assert told == expect["events"]
    for field, value in expect.get("deal_end", {}).items():
        assert told[-1][field] == value
    assert (int(position.state["turn"]) >= 0) is ("next" in expect)
    if "next" in expect:
        now = now_of(position)
        known_next = {**expect["next"], "legal": sorted(expect["next"].get("legal", now["legal"]))}
        assert {field: now[field] for field in known_next} == known_next


def now_of(position: Position) -> Case:
    """Where a position stands, in the words of known answers."""
    state = position.state
    standings = state["standing"]
    return {
        "to_move": int(state["turn"]),
        "points": [told_byte(standing, POINTS) for standing in standings],
        "tricks_won": [told_byte(standing, TRICKS) for standing in standings],
        "stock": told_byte(state["table"], STOCK),
        "legal": sorted(position.moves()),
    }


def test_every_known_answer_has_a_kind_tested_here() -> None:
    assert {case["kind"] for case in CASES} == {"trick", "trick_totals", "score", "match", "legal", "play"}


@pytest.mark.parametrize(
    ("hand", "allowed"), [("9h As Kd", "9h"), ("As Kd", "As"), ("Kd Qc", "Kd Qc")], ids=["follow", "trump", "any"]
)
def test_replies_after_closing_with_a_heart_led(hand: str, allowed: str) -> None:
    """The worked cases of the rule document."""
    known = {**TALON, **NOTHING, "trump": "s", "turned_up": "9s", "talon": ["Jc", "10c", "Ac"]}
    position = Position({}, {**known, "hands": [["Jh", "9c"], hand.split()], "tricks_won": [2, 2]})
    position.play("close Jh")
    assert set(position.moves()) == set(allowed.split())


def test_a_lost_marriage_of_the_first_lead_comes_in_with_a_later_trick() -> None:
    """Worked case: declared at the first lead, that trick lost: pending; a later trick won brings it in."""
    known = {**TALON, **NOTHING, "trump": "s", "turned_up": "10s", "talon": ["Jc", "9h", "Qd"]}
    position = Position({}, {**known, "hands": [["Kh", "Qh", "9d"], ["Ah", "Kd", "Qc"]]})
    told = [*position.play("marriage Kh"), *position.play("Ah"), *position.play("Qc"), *position.play("9d")]
    tricks = [(event["winner"], event["points"]) for event in told if event["type"] == "trick"]
    assert tricks == [(1, [0, 15]), (1, [0, 18])]
    position.play("Jc")
    assert position.play("10s")[0]["points"] == [32, 18]
