"""The Hakka referee: it accepts correct games, known and random, and names the breach in tampered ones."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.slow.hakka import FIVE_TIGERS, Rules, random_rules
from tests.slow.hakka_game import Chooser, Dealt, Game, Hand, Move, deal, play_hand
from tests.slow.hakka_referee import RefereeError, referee
from tests.slow.transcript import check_refused, known_answers

Events = list[dict[str, Any]]

TRANSCRIPTS: list[Events] = known_answers("hakka")["transcripts"]
COUNTS = [(1, 0), (1, 2), (2, 0)]  # hands that counted, and cancelled ones


@pytest.mark.parametrize("number", range(len(TRANSCRIPTS)))
def test_the_referee_accepts_the_known_games(number: int) -> None:
    end, (hands, cancelled) = TRANSCRIPTS[number][-1], COUNTS[number]
    expect = {field: end[field] for field in ("winner", "reason", "points")}
    assert referee(TRANSCRIPTS[number]) == {**expect, "hands": hands, "cancelled": cancelled}


# --- whole games ------------------------------------------------------------------------------------------------------


def with_tigers(dealt: Dealt, seat: int) -> Dealt:
    """A deal with the Five Tigers exchanged into one hand."""
    hands, dreamer_card = {one: list(cards) for one, cards in dealt.hands.items()}, [dealt.dreamer_card]
    spare = [card for card in hands[seat] if card not in FIVE_TIGERS]
    for cards in (*hands.values(), dreamer_card):
        for place, card in enumerate(cards):
            if card in FIVE_TIGERS and cards is not hands[seat]:
                given = spare.pop()
                cards[place], hands[seat][hands[seat].index(given)] = given, card
    return Dealt(hands, *dreamer_card)


def patient(rng: random.Random) -> Chooser:
    """Plays at random, but claims only now and then."""

    def choose(hand: Hand) -> Move:
        rarely = hand.decision == "claim" and rng.random() < 0.8
        return Move("claim", False) if rarely else rng.choice(hand.moves())

    return choose


def random_game(options: dict[str, Any], rng: random.Random) -> tuple[Game, Events]:
    """A game of random moves, the Five Tigers often dealt, and its transcript."""
    game, choose = Game(Rules.from_options(options)), patient(rng)
    while game.reason is None:
        dealer = rng.randrange(4) if game.dealer is None else game.dealer
        dealt = deal(rng, dealer)
        if rng.random() < 0.2:
            dealt = with_tigers(dealt, rng.choice([*dealt.hands]))
        play_hand(game.deal(dealer, dealt), choose)
    return game, json.loads(json.dumps(game.events(["random"] * 4, 5, 0)))


@pytest.mark.parametrize("seed", range(100))
def test_the_referee_accepts_random_games_under_random_rules(seed: int) -> None:
    rng = random.Random(seed)
    options = random_rules(rng)
    game, events = random_game(options, rng)
    kinds = Counter(event["type"] for event in events)
    assert events[0]["rules"] == options
    assert referee(events) == {
        **{"winner": game.standing.winner, "reason": game.reason, "points": game.standing.points},
        **{"hands": kinds["hand_end"], "cancelled": kinds["cancelled"]},
    }
    assert kinds["hand"] == len(game.hands) == kinds["hand_end"] + kinds["cancelled"]
    assert sum(game.standing.points) == 0


def test_random_games_reach_every_clause_and_every_end() -> None:
    fired: Counter[str] = Counter()
    reasons = set()
    for seed in range(60):
        rng = random.Random(seed)
        game, _ = random_game(random_rules(rng), rng)
        fired += game.fired
        reasons.add(game.reason)
    clauses = ("2.2", "2.2 declined", "3.3", "3.4", "4.4", "4.4 by choice", "5.2", "5.3", "6.1", "6.2", "6.2 no winner")
    assert set(fired) == {f"HK-{clause}" for clause in (*clauses, "6.4", "6.6")}
    assert reasons == {"hands", "max_redeals"}


# --- tampered transcripts ---------------------------------------------------------------------------------------------

Tamper = Callable[[Events], object]


def put(number: int, **values: Any) -> Tamper:
    """A tampering that sets fields of one event, counted from 0."""
    return lambda events: events[number].update(values)


def play(number: int, place: int, **values: Any) -> Tamper:
    """A tampering with one play of a trick; `cards` are written in a row."""
    told = values | ({"cards": values["cards"].split()} if isinstance(values.get("cards"), str) else {})
    return lambda events: events[number]["plays"][place].update(told)


def option(**values: Any) -> Tamper:
    return lambda events: events[0]["rules"].update(values)


def cut(number: int, field: str) -> Tamper:
    return lambda events: events[number].pop(field)


def drop(*numbers: int) -> Tamper:
    return lambda events: [events.pop(number) for number in sorted(numbers, reverse=True)]


def insert(number: int, **event: Any) -> Tamper:
    return lambda events: events.insert(number, event)


def swap(number: int) -> Tamper:
    """Exchange an event with the next."""
    return lambda events: events.insert(number, events.pop(number + 1))


def both(*tampers: Tamper) -> Tamper:
    return lambda events: [tamper(events) for tamper in tampers]


def exchange(number: int, one: str, other: str, seat: str = "0", with_seat: str = "2") -> Tamper:
    """A tampering with a deal: a card of each of two hands changes place."""

    def tamper(events: Events) -> None:
        hands = events[number]["hands"]
        hands[seat][hands[seat].index(one)], hands[with_seat][hands[with_seat].index(other)] = other, one

    return tamper


def hand(number: int, seat: str, *cards: str) -> Tamper:
    """A tampering with a deal: these cards in the place of the first ones of a hand."""
    return lambda events: events[number]["hands"][seat].__setitem__(slice(0, len(cards)), cards)


def no_object(events: list[Any]) -> None:
    events[5] = []


LAST_NINE = play(11, 1, cards="G9")  # in transcript 1: discarded just before a claim with G6 in hand

# Transcript 0: seat 3 claims 5 + 1; 1: one hand claimed, two cancelled in a row, must_beat false, discards face down;
# 2: one hand without a winner, one won by Five Tigers after the call.
TAMPERED: dict[str, tuple[int, Tamper, str]] = {  # name: (transcript, what is done, the complaint)
    "no game line": (0, drop(0), r"event 1: type 'game' must follow here, not 'hand'"),
    "another game": (0, put(0, game="colina"), r"game is 'colina', not 'hakka'"),
    "seed missing": (0, cut(0, "seed"), r"missing fields: seed"),
    "index no integer": (0, put(0, index=True), r"index must be a whole number"),
    "three strategies": (0, put(0, strategies=["random"] * 3), r"one name a seat"),
    "rules no object": (0, put(0, rules=[]), r"rules must be an object"),
    "option missing": (0, lambda events: events[0]["rules"].pop("values"), r"rules lack values"),
    "option unknown": (0, option(jokers=1), r"no such rule of hakka: jokers"),
    "option out of range": (0, option(max_redeals=0), r"max_redeals must be"),
    "option of another type": (0, option(must_beat=1), r"must_beat must be true or false"),
    "six values": (0, option(values=[1] * 6), r"values must be seven"),
    "hand missing": (0, drop(1), r"event 2: type 'hand' must follow here, not 'call'"),
    "hands no object": (0, put(1, hands=[]), r"hands must be an object"),
    "hand of no seat": (0, lambda e: e[1]["hands"].update({"4": []}), r"those of seats, not of .*'4'"),
    "hand of the dreamer": (
        0,
        lambda e: e[1]["hands"].update({"1": []}),
        r"dealt to \[0, 1, 2, 3\], not to \[0, 2, 3\]",
    ),
    "hand lacking": (0, lambda e: e[1]["hands"].pop("2"), r"dealt to \[0, 3\], not to \[0, 2, 3\]"),
    "hand of eleven": (0, lambda e: e[1]["hands"]["2"].pop(), r"seat 2 is dealt 11 cards instead of 12"),
    "card unknown": (0, hand(1, "0", "S0"), r"no such cards: \['S0'\]"),
    "card dealt twice": (0, hand(1, "0", "W"), r"not dealt once: S3 W"),
    "dreamer's card dealt twice": (0, put(1, dreamer_card="W"), r"not dealt once: G7 W"),
    "dreamer's card no name": (0, put(1, dreamer_card=None), r"cards must be a list of names"),
    "dreamer beside the dealer": (0, put(1, dreamer=0), r"dreamer is 0, must be 1"),
    "dealer asleep": (0, put(1, dealer=1), r"dealt to \[0, 2, 3\], not to \[0, 1, 2\]"),
    "dealer no seat": (0, put(1, dealer=4), r"dealer must be a seat, not 4"),
    "dealer true": (0, put(1, dealer=True), r"dealer must be a seat, not True"),
    "deal kept after another's call": (1, put(14, dealer=2, dreamer=0), r"event 15: seat 2 deals, but seat 0 must"),
    "deal passed on by a cancelled hand": (1, put(19, dealer=1), r"event 20: seat 1 deals, but seat 0 must"),
    "first call by another": (0, put(2, player=0), r"event 3: seat 0 moves, but seat 3 must call"),
    "call out of turn": (0, put(3, player=2), r"event 4: seat 2 moves, but seat 0 must call"),
    "call by the dreamer": (0, put(3, player=1), r"event 4: seat 1 moves, but seat 0 must call"),
    "call no word": (0, put(3, call=1), r"call must be true or false, not 1"),
    "call after a call": (0, insert(4, type="call", player=2, call=False), r"event 5: type 'trick' must follow here"),
    "call missing": (0, drop(3), r"event 4: type 'call' must follow here, not 'trick'"),
    "nobody called": (0, put(3, call=False), r"event 5: type 'call' must follow here, not 'trick'"),
    "cancelled after two": (1, drop(17), r"event 18: type 'call' must follow here, not 'cancelled'"),
    "cancelled line missing": (1, drop(18), r"event 19: type 'cancelled' must follow here, not 'hand'"),
    "played on without a call": (1, drop(23), r"type 'cancelled' must follow here, not 'end'"),
    "third deal after two cancelled": (1, option(max_redeals=3), r"event 25: type 'hand' must follow here, not 'end'"),
    "second deal after one cancelled": (1, option(max_redeals=1), r"event 20: type 'end' must follow here, not 'hand'"),
    "tigers not held": (0, insert(2, type="five_tigers", player=3), r"may not five_tigers yes, but must call"),
    "tigers after the call barred": (
        2,
        option(five_tigers="after_deal"),
        r"event 18: seat 2 moves, but seat 1 must lead",
    ),
    "tigers barred": (2, option(five_tigers="off"), r"event 18: seat 2 moves, but seat 1 must lead"),
    "tigers before the call": (2, swap(16), r"event 17: seat 2 moves, but seat 1 must call"),
    "tigers of another": (2, put(17, player=0), r"event 18: seat 0 moves, but seat 2 must five_tigers"),
    "tigers incomplete": (2, exchange(15, "W", "S2", "2", "0"), r"event 18: seat 2 moves, but seat 1 must lead"),
    "tigers for nine tricks": (2, put(18, winner_tricks=9), r"winner_tricks is 9, must be 8"),
    "tigers for no tricks": (2, put(18, winner_tricks=None), r"winner_tricks is None, must be 8"),
    "leader not the dealer": (0, play(4, 0, player=0), r"event 5: seat 0 moves, but seat 3 must lead"),
    "leader misnamed": (0, put(4, leader=0), r"event 5: leader is 0, must be 3"),
    "pattern misnamed": (0, put(4, pattern="set"), r"pattern is 'set', must be 'run'"),
    "pattern of two": (0, play(4, 0, cards="Z2 Z3"), r"may not lead Z2 Z3, but"),
    "run over a hole": (0, play(4, 0, cards="Z2 Z3 Z7"), r"may not lead Z2 Z3 Z7, but"),
    "no cards led": (0, play(4, 0, cards=[]), r"seat 3 may not lead nothing, but"),
    "lead of a card not held": (0, play(4, 0, cards="Z2 Z3 Z5"), r"may not lead .* not in hand, or not so often: Z5"),
    "lead of a card twice": (0, play(4, 0, cards="Z2 Z2 Z3"), r"may not lead .* not in hand, or not so often: Z2"),
    "lead of a card played": (0, play(11, 0, cards="W"), r"event 12: .* not in hand, or not so often: W"),
    "lead called a discard": (0, play(4, 0, discard=True), r"may not discard Z2 Z3 Z4, but must lead"),
    "Elder led before others": (0, play(5, 0, cards="S1"), r"event 6: seat 3 may not lead S1, but: lead S4"),
    "lower suit led": (0, play(5, 0, cards="G1"), r"event 6: seat 3 may not lead G1, but: lead S4"),
    "lower suit led by the Privileged": (0, play(8, 0, cards="Z5"), r"event 9: seat 0 may not lead Z5, but"),
    "discard where he must beat": (0, play(5, 1, discard=True), r"seat 0 may not discard S7, but must beat"),
    "beaten by a lower card": (0, play(5, 2, cards="S6"), r"event 6: seat 2 may not beat S6, but: beat S9"),
    "beaten by another suit": (0, play(9, 2, discard=False), r"event 10: seat 0 may not beat Z8, but must discard"),
    "beaten by nothing": (0, play(4, 1, discard=False), r"event 5: seat 0 may not beat G4 Z6 N7, but must discard"),
    "discard of two for three": (0, play(4, 1, cards="G4 Z6"), r"seat 0 may not discard G4 Z6, but"),
    "discard of four for three": (0, play(4, 1, cards="G4 Z6 N7 S3"), r"may not discard G4 Z6 N7 S3, but"),
    "discard of a card not held": (0, play(4, 1, cards="G4 Z6 W"), r"not in hand, or not so often: W"),
    "must beat after all": (1, option(must_beat=True), r"event 5: seat 2 may not discard Z1 Z5 Z8, but must beat"),
    "plays out of turn": (0, lambda e: e[4]["plays"].reverse(), r"seat 2 moves, but seat 3 must lead"),
    "dreamer plays": (0, play(4, 1, player=1), r"event 5: seat 1 moves, but seat 0 must follow"),
    "two plays": (0, lambda e: e[4]["plays"].pop(), r"plays must be a list of three"),
    "play no object": (0, lambda e: e[4]["plays"].__setitem__(1, []), r"a play must be an object"),
    "play without a flag": (0, lambda e: e[4]["plays"][1].pop("discard"), r"a play lacks discard"),
    "flag no word": (0, play(4, 1, discard=1), r"discard must be true or false, not 1"),
    "card of no name": (0, play(4, 1, cards=["G4", "Z6", 7]), r"cards must be a list of names"),
    "trick won by the lead": (0, put(5, winner=3), r"event 6: winner is 3, must be 2"),
    "one trick for three cards": (0, put(4, tricks=[0, 0, 0, 1]), r"tricks is \[0, 0, 0, 1\], must be \[0, 0, 0, 3\]"),
    "tricks of three": (0, put(4, tricks=[0, 0, 3]), r"tricks must be 4 integers"),
    "trick missing": (0, drop(6), r"event 7: seat 0 moves, but seat 2 must lead"),
    "claim with too little": (
        0,
        insert(11, type="claim", player=2, tricks=3, elders=[]),
        r"may not claim yes, but must",
    ),
    "claim by another": (0, put(12, player=0), r"event 13: seat 0 moves, but seat 3 must claim"),
    "claim by the dreamer": (0, put(12, player=1), r"event 13: seat 1 moves, but seat 3 must claim"),
    "claim counting Elders as tricks": (0, put(12, tricks=6), r"tricks is 6, must be 5"),
    "claim without its Elder": (0, put(12, elders=[]), r"elders are none, must be S1"),
    "claim with another's Elder": (0, put(12, elders=["S1", "Z9"]), r"elders are S1 Z9, must be S1"),
    "claim with an Elder twice": (0, put(12, elders=["S1", "S1"]), r"elders are S1 S1, must be S1"),
    "claim of no Elder": (1, put(12, elders=["G6"]), r"elders are G6, must be none"),
    "claim missing": (0, drop(12), r"event 13: type 'trick' must follow here, not 'hand_end'"),
    "hand end missing": (0, drop(13), r"event 14: type 'hand_end' must follow here, not 'end'"),
    "winner of the hand wrong": (0, put(13, winner=0), r"event 14: winner is 0, must be 3"),
    "winner's Elders uncounted": (0, put(13, winner_tricks=5), r"winner_tricks is 5, must be 6"),
    "dreamer's tricks too few": (0, put(13, dreamer_tricks=5), r"dreamer_tricks is 5, must be 6"),
    "dreamer's tricks true": (0, put(13, dreamer_tricks=True), r"dreamer_tricks is True, must be 6"),
    "privileged loser not alone": (
        0,
        put(13, points=[-2, 2, -2, 2]),
        r"points is \[-2, 2, -2, 2\], must be \[-4, 2, 0, 2\]",
    ),
    "dreamer unpaid": (0, put(13, points=[-2, 0, 0, 2]), r"must be \[-4, 2, 0, 2\]"),
    "values read otherwise": (0, option(values=[2, 2, 4, 8, 16, 32, 128]), r"must be \[-8, 4, 0, 4\]"),
    "match read otherwise": (1, option(dream_match="dealt_hand"), r"event 14: dreamer_tricks is 6, must be 7"),
    "face-down discards seen": (1, both(option(discards="face_up"), LAST_NINE), r"elders are none, must be G6"),
    "winner where nobody has six": (2, put(14, winner=0), r"event 15: winner is 0, must be None"),
    "tricks where nobody has six": (2, put(14, winner_tricks=5), r"winner_tricks is 5, must be None"),
    "dreamer awake without a winner": (2, put(14, dreamer_tricks=5), r"dreamer_tricks is 5, must be None"),
    "points without a winner": (2, put(14, points=[1, -1, 0, 0]), r"must be \[0, 0, 0, 0\]"),
    "hand without a winner uncounted": (2, option(hands=3), r"event 20: type 'hand' must follow here, not 'end'"),
    "hand too many": (2, option(hands=1), r"event 16: type 'end' must follow here, not 'hand'"),
    "end missing": (0, drop(14), r"event 15: the transcript stops where 'end' must follow"),
    "end too early": (2, drop(15, 16, 17, 18), r"event 16: type 'hand' must follow here, not 'end'"),
    "line after the end": (0, lambda events: events.append(events[-1]), r"events follow the end"),
    "event no object": (0, no_object, r"event 6: not a JSON object"),
    "shared first place decided": (0, put(14, winner=1), r"event 15: winner is 1, must be None"),
    "winner withheld": (2, put(19, winner=None), r"event 20: winner is None, must be 2"),
    "winner no seat": (2, put(19, winner=True), r"winner must be a seat or null"),
    "reason wrong": (0, put(14, reason="max_redeals"), r"reason is 'max_redeals', must be 'hands'"),
    "reason of an unfinished game wrong": (1, put(24, reason="hands"), r"reason is 'hands', must be 'max_redeals'"),
    "winner of an unfinished game": (1, put(24, winner=1), r"event 25: winner is 1, must be None"),
    "points of the game wrong": (2, put(19, points=[-2, -2, 3, 1]), r"points is .*, must be \[-2, -2, 4, 0\]"),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_the_referee_rejects_a_tampered_game(name: str) -> None:
    number, tamper, complaint = TAMPERED[name]
    check_refused(referee, TRANSCRIPTS[number], tamper, complaint)


def test_the_referee_ignores_fields_that_the_format_does_not_ask_for() -> None:
    events = [{**event, "note": "welcome"} for event in TRANSCRIPTS[0]]
    assert referee(events) == referee(TRANSCRIPTS[0])


def test_the_order_of_cards_in_a_list_has_no_meaning() -> None:
    events = copy.deepcopy(TRANSCRIPTS[2])
    for event in events:
        for cards in (*event.get("hands", {}).values(), *(told["cards"] for told in event.get("plays", ()))):
            cards.reverse()
    assert referee(events) == referee(TRANSCRIPTS[2])


def test_a_card_discarded_face_down_makes_no_elder() -> None:
    events = copy.deepcopy(TRANSCRIPTS[1])
    LAST_NINE(events)
    assert referee(events) == referee(TRANSCRIPTS[1])


@pytest.mark.parametrize("number", range(len(TRANSCRIPTS)))
def test_no_line_can_be_left_out_or_told_twice(number: int) -> None:
    for place in range(len(TRANSCRIPTS[number])):
        for tamper in (drop(place), insert(place, **TRANSCRIPTS[number][place])):
            events = copy.deepcopy(TRANSCRIPTS[number])
            tamper(events)
            with pytest.raises(RefereeError):
                referee(events)
