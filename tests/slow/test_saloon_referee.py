"""The Saloon referee: it accepts correct games, known and random, and names the breach in tampered ones."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.slow.saloon import Rules, deal, random_rules
from tests.slow.saloon_game import Game, play, random_move
from tests.slow.saloon_referee import RefereeError, referee
from tests.slow.transcript import check_refused, known_answers

Event = dict[str, Any]
Events = list[Event]

TRANSCRIPTS: list[Events] = known_answers("saloon")["transcripts"]


@pytest.mark.parametrize(("number", "turns"), [(0, 12), (1, 15), (2, 13)])
def test_the_referee_accepts_the_known_games(number: int, turns: int) -> None:
    end = TRANSCRIPTS[number][-1]
    assert referee(TRANSCRIPTS[number]) == {
        **{field: end[field] for field in ("winner", "reason", "ranking")},
        "turns": turns,
    }


# --- whole games ------------------------------------------------------------------------------------------------------


def random_game(options: Event, rng: random.Random) -> tuple[Game, Events]:
    """A game of `random` against itself, and its transcript."""
    rules = Rules.from_options(options)
    game = play(rules, deal(rules, rng), lambda game: random_move(game, rng), rng)
    head = {"type": "game", "game": "saloon", "rules": options, "seed": 1, "index": 0}
    return game, json.loads(json.dumps([head | {"strategies": ["random"] * rules.players}, *game.told]))


@pytest.mark.parametrize("seed", range(100))
def test_the_referee_accepts_random_games_under_random_rules(seed: int) -> None:
    rng = random.Random(seed)
    game, events = random_game(random_rules(rng), rng)
    found = {"winner": game.winner, "reason": game.reason, "ranking": game.ranking, "turns": game.turns}
    assert referee(events) == found
    assert sum(event["type"] == "turn" for event in events) == game.turns
    assert [event["player"] for event in events if event["type"] == "closed"] == game.closed


def test_random_games_reach_every_clause() -> None:
    fired: Counter[str] = Counter()
    for seed in range(60):
        rng = random.Random(seed)
        fired += random_game(random_rules(rng), rng)[0].fired
    assert set(fired) == {
        *("SAL-2.2", "SAL-2.3", "SAL-3.2", "SAL-3.6", "SAL-4.1", "SAL-4.1 short", "SAL-5.1"),
        *(f"SAL-3.{clause} {kind}" for clause in (4, 5) for kind in ("honest", "bluff")),
        *("SAL-5.2 limit", "SAL-5.2 draw", "SAL-5.3 first_close", "SAL-5.3 last_standing", "SAL-5.4 max_turns"),
    }


def turned(event: Event, field: str) -> Events:
    return [{**event, field: not event[field]}]


def faults(event: Event) -> list[Events]:
    """What may not stand in the place of an event of a correct game, whatever the game."""
    found: list[Events] = [[event, event]]
    found += [turned(event, field) for field in ("honest", "freed", "reshuffled") if field in event]
    found += [[{**event, "player": (event["player"] + 1) % 9}]] if "player" in event else []
    found += [[{**event, "cards": [*event["cards"], "2h"]}]] if "cards" in event else []
    found += [[{**event, "why": "closing"}]] if "why" in event else []
    found += [[]] if event["type"] in ("game", "setup", "turn", "closed", "end") else []
    found += [[{**event, "winner": 9}], [{**event, "ranking": [9]}]] if event["type"] == "end" else []
    return found + [[{name: value for name, value in event.items() if name != missing}] for missing in event]


@given(st.integers(0, 2**32).map(random.Random))
@settings(deadline=None, max_examples=40)
def test_the_referee_rejects_any_game_with_one_fault(rng: random.Random) -> None:
    _, events = random_game(random_rules(rng) | {"max_turns": rng.randint(1, 15)}, rng)
    for _ in range(15):
        at = rng.randrange(len(events))
        fault = rng.choice(faults(events[at]))
        with pytest.raises(RefereeError):
            referee([*events[:at], *fault, *events[at + 1 :]])


# --- tampered transcripts ---------------------------------------------------------------------------------------------

Tamper = Callable[[Events], object]


def put(number: int, **values: Any) -> Tamper:
    """A tampering that sets fields of one event."""
    return lambda events: events[number].update(values)


def cards(number: int, text: str) -> Tamper:
    return put(number, cards=text.split())


def option(**values: Any) -> Tamper:
    return lambda events: events[0]["rules"].update(values)


def cut(number: int, field: str) -> Tamper:
    return lambda events: events[number].pop(field)


def drop(number: int) -> Tamper:
    return lambda events: events.pop(number)


def insert(number: int, **event: Any) -> Tamper:
    return lambda events: events.insert(number, event)


def swap(number: int) -> Tamper:
    """Exchange an event with the next."""
    return lambda events: events.insert(number, events.pop(number + 1))


def both(*tampers: Tamper) -> Tamper:
    return lambda events: [tamper(events) for tamper in tampers]


def dealt(what: str, seat: int, text: str) -> Tamper:
    """A tampering with the setup: `what` is "clients" or "hands"."""
    return lambda events: events[1][what].__setitem__(seat, text.split())


def no_object(events: list[Any]) -> None:
    events[5] = []


DRAW = {"type": "draw", "player": 1, "cards": ["2d"], "reshuffled": False}
GIVE_UP = {"type": "discard", "player": 1, "cards": ["4d", "6c"], "why": "hand_limit"}

# Transcript 0: two players, first_close; 1: three players, last_standing, a reshuffle; 2: five players, two packs.
TAMPERED: dict[str, tuple[int, Tamper, str]] = {  # name: (transcript, what is done, the complaint)
    "no game line": (0, drop(0), r"event 1: type 'game' must follow here, not 'setup'"),
    "another game": (0, put(0, game="hakka"), r"game is 'hakka', not 'saloon'"),
    "seed missing": (0, cut(0, "seed"), r"missing fields: seed"),
    "index no integer": (0, put(0, index=0.0), r"index must be a whole number"),
    "a strategy too few": (1, put(0, strategies=["a", "b"]), r"one name a seat"),
    "rules no object": (0, put(0, rules=[]), r"rules must be an object"),
    "players missing": (0, lambda events: events[0]["rules"].pop("players"), r"players must be a whole number"),
    "option missing": (0, lambda events: events[0]["rules"].pop("bill"), r"rules lack bill"),
    "option unknown": (0, option(judges=2), r"no such rule of saloon: judges"),
    "option out of range": (0, option(hand_limit=1), r"hand_limit must be"),
    "option of another type": (0, option(bill=3.0), r"bill must be"),
    "option of no such word": (0, option(play_to="first"), r"play_to must be"),
    "packs not told": (0, option(packs=None), r"packs must be 1 or 2, not None"),
    "packs too few": (2, option(packs=1), r"not in the pack, or not so often: Jc Jh Qd"),
    "more clients than there are": (0, option(clients=9), r"clients 9 for 2 players"),
    "setup missing": (0, drop(1), r"event 2: type 'setup' must follow here, not 'turn'"),
    "clients of one seat": (0, lambda events: events[1]["clients"].pop(), r"dealt to 1 seats instead of 2"),
    "clients too few": (0, dealt("clients", 0, "Qh Jd As"), r"seat 0 is dealt 3 cards instead of 4"),
    "hand too large": (0, dealt("hands", 1, "8s 5c 8c 2h 6d 7d"), r"seat 1 is dealt 6 cards instead of 5"),
    "client dealt twice": (0, dealt("clients", 1, "Kc Ac Ks Qh"), r"not in the pack, or not so often: Qh"),
    "card dealt twice": (0, dealt("hands", 1, "8s 5c 8c 2h 3s"), r"not in the pack, or not so often: 3s"),
    "card dealt three times": (2, dealt("hands", 0, "7d 8d 6d 6h 3s 2d"), r"not so often: 7d"),
    "number among the clients": (0, dealt("clients", 0, "Qh Jd As 2d"), r"no such cards: \['2d'\]"),
    "client in a hand": (0, dealt("hands", 0, "3s 3d 3h 5d Kd"), r"no such cards: \['Kd'\]"),
    "hands no list": (0, put(1, hands={}), r"hands must be a list"),
    "hand no list": (0, put(1, hands=["3s", "8s"]), r"cards must be a list of names"),
    "hands of the other seats": (0, lambda events: events[1]["hands"].reverse(), r"seat 0 pays 3d 5d 8d from 8s"),
    "clients of the other seats": (0, lambda events: events[1]["clients"].reverse(), r"seat 0 pays for Qd, but has Kc"),
    "turn missing": (0, drop(2), r"event 3: type 'turn' must follow here, not 'pay'"),
    "turn of another seat": (0, put(2, player=1), r"event 3: player is 1, must be 0"),
    "turn of the same seat again": (0, put(6, player=0), r"event 7: player is 0, must be 1"),
    "turn of a closed seat": (1, put(25, player=1), r"event 26: player is 1, must be 2"),
    "player no seat": (0, put(9, player=False), r"player is False, must be 0"),
    "two actions in a turn": (0, insert(9, **DRAW), r"event 10: type 'turn' must follow here, not 'draw'"),
    "no action in a turn": (0, both(drop(7), drop(7)), r"event 8: type 'draw' must follow here, not 'turn'"),
    "paid by another seat": (0, put(3, player=1), r"seat 1 may not act: seat 0 must"),
    "client of another seat": (0, put(3, client="Kc"), r"seat 0 pays for Kc, but has Qh Jd As Qd"),
    "client freed before": (0, put(22, client="Qd"), r"event 23: seat 0 pays for Qd, but has Qh Jd As"),
    "client no card": (0, put(3, client="Q"), r"no such cards: \['Q'\]"),
    "paid with cards of another seat": (0, cards(3, "3d 5d 6d"), r"seat 0 pays 6d from"),
    "paid with one card twice": (0, cards(3, "3d 3d 8d"), r"seat 0 pays 3d from"),
    "paid too little": (0, cards(3, "3d 5d"), r"seat 0 pays 2 cards, but the bill is 3"),
    "paid too much": (0, cards(13, "2h 4h 9s 8s"), r"seat 1 pays 4 cards, but the bill is 3"),
    "last client for three": (0, cards(37, "6s 3c 2d"), r"seat 1 pays 3 cards, but the bill is 4"),
    "judge of its own payment": (0, put(3, judge=0), r"seat 0 may not judge seat 0, only \[1\]"),
    "judge at no seat": (0, put(3, judge=2), r"seat 2 may not judge seat 0"),
    "judge no number": (0, put(3, judge=True), r"judge must be a seat, not True"),
    "judge of the payment before": (2, put(21, judge=4), r"event 22: seat 4 may not judge seat 0, only \[1, 2, 3\]"),
    "judge of the payment before, seat 0": (2, put(29, judge=0), r"event 30: seat 0 may not judge seat 2, only"),
    "judge who has closed": (1, put(32, judge=1), r"event 33: seat 1 may not judge seat 2, only \[0\]"),
    "doubted no bool": (0, put(3, doubted=1), r"doubted must be true or false"),
    "honest payment called a bluff": (0, put(3, honest=False), r"honest is False, must be True"),
    "bluff called honest": (0, put(13, honest=True), r"honest is True, must be False"),
    "caught, and yet freed": (0, put(34, freed=True), r"freed is True, must be False"),
    "believed, and yet not freed": (0, put(13, freed=False), r"freed is False, must be True"),
    "freed no bool": (0, put(3, freed=1), r"freed is 1, must be True"),
    "doubt of a bluff called belief": (0, put(34, doubted=False), r"freed is False, must be True"),
    "doubt of honest cards called belief": (0, put(3, doubted=False), r"'turn' must follow here, not 'discard'"),
    "draw of a bluffer too small": (0, cards(14, "2s 7s"), r"seat 1 draws 2 cards instead of 3"),
    "draw of an honest payer too large": (0, cards(20, "6h 2d"), r"seat 1 draws 2 cards instead of 1"),
    "draw of a payer missing": (0, drop(4), r"event 5: type 'draw' must follow here, not 'discard'"),
    "draw of a payer after the judge's": (0, swap(4), r"event 5: type 'draw' must follow here, not 'discard'"),
    "draw of a judge by the payer": (0, put(35, player=0), r"seat 0 may not draw: seat 1 must"),
    "draw of a judge too large": (1, cards(4, "2d 10c 7h"), r"seat 1 draws 3 cards instead of 2"),
    "draw of a payer who was caught": (0, insert(36, **DRAW), r"event 37: type 'turn' must follow here, not 'draw'"),
    "draw of a card in a hand": (0, cards(4, "8s"), r"not in the draw pile: 8s"),
    "draw of a discard": (0, cards(8, "3d 9s"), r"not in the draw pile: 3d"),
    "draw of one card twice": (0, cards(8, "4h 4h"), r"not in the draw pile: 4h"),
    "draw of a card drawn before": (0, cards(11, "5s 4h"), r"event 12: not in the draw pile: 4h"),
    "draw of a client": (0, cards(25, "Kh"), r"no such cards: \['Kh'\]"),
    "draw of two for one": (0, cards(25, "9h 6s"), r"event 26: seat 1 draws 2 cards instead of 1"),
    "draw no list": (0, put(25, cards="9h"), r"cards must be a list of names"),
    "reshuffled without need": (0, put(8, reshuffled=True), r"reshuffled is True, must be False"),
    "reshuffled in secret": (1, put(37, reshuffled=False), r"event 38: reshuffled is False, must be True"),
    "reshuffled no bool": (0, put(8, reshuffled=0), r"reshuffled is 0, must be False"),
    "draw from a hand after a reshuffle": (1, cards(37, "3h"), r"event 38: not in the draw pile: 3h"),
    "two cards at the end forgotten": (1, drop(14), r"event 15: type 'draw' must follow here, not 'turn'"),
    "two cards at the end told with the first": (1, both(cards(13, "4h 5h 8c"), drop(14)), r"3 cards instead of 1"),
    "only one card at the end": (1, cards(14, "5h"), r"seat 0 draws 1 cards instead of 2"),
    "two cards at the end before the judge's": (1, swap(33), r"event 34: seat 2 may not draw: seat 0 must"),
    "wrong doubt unpunished": (0, drop(5), r"event 6: type 'discard' must follow here, not 'turn'"),
    "wrong doubt of the payer": (0, put(5, player=0), r"seat 0 may not discard: seat 1 must"),
    "wrong doubt for a card less": (0, cards(5, "5c"), r"seat 1 discards 1 cards instead of 2"),
    "wrong doubt with cards not held": (0, cards(5, "5c 4s"), r"seat 1 discards 4s from"),
    "wrong doubt of a small hand for less": (1, cards(11, "5c"), r"seat 0 discards 1 cards instead of 2"),
    "wrong doubt called a limit": (0, put(5, why="hand_limit"), r"why is 'hand_limit', must be 'wrong_doubt'"),
    "swap called a limit": (0, put(7, why="hand_limit"), r"why is 'hand_limit', must be 'swap'"),
    "swap of two cards": (0, cards(7, "8c 8s"), r"a swap discards one card, not 2"),
    "swap of no card": (0, cards(7, ""), r"a swap discards one card, not 0"),
    "swap of a card not held": (0, cards(7, "3s"), r"seat 1 discards 3s from"),
    "swap by another seat": (0, put(7, player=0), r"seat 0 may not act: seat 1 must"),
    "swap after its draw": (0, swap(7), r"event 8: seat 1 draws 2 cards instead of 1"),
    "swap for one card": (0, cards(8, "4h"), r"seat 1 draws 1 cards instead of 2"),
    "limit forgotten": (0, drop(29), r"event 30: type 'discard' must follow here, not 'turn'"),
    "limit not reached": (2, cards(13, "9c"), r"seat 2 discards 1 cards instead of 2"),
    "limit undercut": (0, cards(29, "8h 7c"), r"seat 0 discards 2 cards instead of 1"),
    "limit of a judge": (0, insert(36, **GIVE_UP), r"event 37: type 'turn' must follow here, not 'discard'"),
    "limit with a card not held": (0, cards(29, "2c"), r"seat 0 discards 2c from"),
    "closing untold": (0, drop(39), r"event 40: type 'closed' must follow here, not 'end'"),
    "closing of another seat": (0, put(39, player=0), r"event 40: player is 0, must be 1"),
    "closing too early": (0, insert(33, type="closed", player=1), r"'turn' must follow here, not 'closed'"),
    "closing before the draws": (0, swap(38), r"event 39: type 'draw' must follow here, not 'closed'"),
    "closed hand kept": (1, drop(19), r"event 20: type 'discard' must follow here, not 'turn'"),
    "closed hand partly kept": (1, cards(19, "7h 10h 6h"), r"event 20: cards is \['10h', '6h', '7h'\], must be"),
    "closed hand discarded first": (1, swap(18), r"event 19: type 'closed' must follow here, not 'discard'"),
    "closed hand called a limit": (1, put(19, why="hand_limit"), r"why is 'hand_limit', must be 'closed'"),
    "last closed hand kept": (1, drop(51), r"event 52: type 'discard' must follow here, not 'end'"),
    "hand discarded at the first close": (0, insert(40, **GIVE_UP), r"'end' must follow here, not 'discard'"),
    "game goes on after the first close": (1, option(play_to="first_close"), r"event 20: type 'end' must follow"),
    "game stops before the last": (2, option(play_to="last_standing"), r"event 47: type 'discard' must follow"),
    "turn after max_turns": (0, option(max_turns=5), r"event 19: type 'end' must follow here, not 'turn'"),
    "end before its time": (0, insert(36, **TRANSCRIPTS[0][-1]), r"event 37: type 'turn' must follow here, not 'end'"),
    "end missing": (0, drop(-1), r"event 41: the transcript stops where 'end' must follow"),
    "line after the end": (0, lambda events: events.append(events[-1]), r"events follow the end"),
    "event no object": (0, no_object, r"event 6: not a JSON object"),
    "winner wrong": (0, put(40, winner=0), r"winner is 0, must be 1"),
    "winner withheld": (0, put(40, winner=None), r"winner is None, must be 1"),
    "winner no seat": (0, put(40, winner=True), r"winner is True, must be 1"),
    "winner the last to close": (1, put(52, winner=0), r"winner is 0, must be 1"),
    "reason wrong": (0, put(40, reason="last_standing"), r"reason is 'last_standing', must be 'first_close'"),
    "reason of a long game wrong": (1, put(52, reason="first_close"), r"must be 'last_standing'"),
    "ranking not in order of closing": (1, put(52, ranking=[0, 1, 2]), r"must be \[1, 0, 2\]"),
    "ranking of open seats not in seat order": (2, put(46, ranking=[2, 3, 4, 0, 1]), r"must be \[2, 0, 1, 3, 4\]"),
    "ranking without the open seats": (2, put(46, ranking=[2]), r"ranking is \[2\], must be"),
    "clients read otherwise": (0, option(clients=3), r"seat 0 is dealt 4 cards instead of 3"),
    "hand size read otherwise": (0, option(hand_size=6), r"seat 0 is dealt 5 cards instead of 6"),
    "bill read otherwise": (0, option(bill=2), r"seat 0 pays 3 cards, but the bill is 2"),
    "last bill read otherwise": (0, option(last_bill=3), r"seat 1 pays 4 cards, but the bill is 3"),
    "believed bluff read otherwise": (0, option(believed_bluff_draw=2), r"event 15: seat 1 draws 3 cards instead of 2"),
    "believed honest read otherwise": (
        0,
        option(believed_honest_draw=0),
        r"event 21: seat 1 draws 1 cards instead of 2",
    ),
    "caught bluff read otherwise": (0, option(caught_bluff_judge_draw=3), r"event 36: seat 1 draws 2 cards instead of"),
    "doubted honest read otherwise": (0, option(doubted_honest_draw=0), r"event 5: type 'discard' must follow here"),
    "wrong doubt read otherwise": (0, option(wrong_doubt_discard=1), r"event 6: seat 1 discards 2 cards instead of 1"),
    "payment not returned": (2, option(caught_bluff_cards="discard"), r"event 10: type 'turn' must follow"),
    "hand limit read otherwise": (0, option(hand_limit=6), r"event 30: type 'turn' must follow here, not 'discard'"),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_the_referee_rejects_a_tampered_game(name: str) -> None:
    number, tamper, complaint = TAMPERED[name]
    check_refused(referee, TRANSCRIPTS[number], tamper, complaint)


def test_the_cards_left_in_the_pile_come_before_the_reshuffled_ones() -> None:
    """Seat 0 draws one of the two cards left and discards ten; seat 1 swaps, and gets the other and one of eleven."""
    options = {**TRANSCRIPTS[0][0]["rules"], "hand_size": 17, "hand_limit": 8, "max_turns": 2}
    hearts_and_clubs = [f"{number}{suit}" for suit in "hc" for number in range(2, 11)]
    others = [card.replace("h", "s").replace("c", "d") for card in hearts_and_clubs]
    events: Events = [
        {**TRANSCRIPTS[0][0], "rules": options},
        {**TRANSCRIPTS[0][1], "hands": [hearts_and_clubs[1:], others[1:]]},
        {"type": "turn", "player": 0},
        {"type": "draw", "player": 0, "cards": ["2s"], "reshuffled": False},
        {"type": "discard", "player": 0, "cards": hearts_and_clubs[1:11], "why": "hand_limit"},
        {"type": "turn", "player": 1},
        {"type": "discard", "player": 1, "cards": ["5s"], "why": "swap"},
        {"type": "draw", "player": 1, "cards": ["5s", "2h"], "reshuffled": True},
        {"type": "discard", "player": 1, "cards": others[1:3] + others[9:17], "why": "hand_limit"},
        {"type": "end", "winner": None, "reason": "max_turns", "ranking": [0, 1]},
    ]
    assert referee(events) == {"winner": None, "reason": "max_turns", "ranking": [0, 1], "turns": 2}
    events[7]["cards"] = ["5s", "3h"]
    with pytest.raises(RefereeError, match="event 8: 2h must be drawn before the discards are shuffled"):
        referee(events)


def test_the_referee_ignores_fields_that_the_format_does_not_ask_for() -> None:
    events = [{**event, "note": "welcome"} for event in TRANSCRIPTS[0]]
    assert referee(events) == referee(TRANSCRIPTS[0])


def test_the_order_of_cards_in_an_event_has_no_meaning() -> None:
    events = copy.deepcopy(TRANSCRIPTS[1])
    for event in events:
        for dealt_cards in [event.get("cards", []), *event.get("hands", []), *event.get("clients", [])]:
            dealt_cards.reverse()
    assert referee(events) == referee(TRANSCRIPTS[1])
