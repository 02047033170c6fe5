"""The Sixty-Six referee: it accepts correct games, known and random, and names the breach in tampered ones."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.slow.sixty_six import PACK, Rules, random_rules
from tests.slow.sixty_six_deal import Deal, Game
from tests.slow.sixty_six_referee import RefereeError, referee
from tests.slow.transcript import check_refused, known_answers

Events = list[dict[str, Any]]

TRANSCRIPTS: list[Events] = known_answers("sixty_six")["transcripts"]


@pytest.mark.parametrize("number", range(len(TRANSCRIPTS)))
def test_the_referee_accepts_the_known_games(number: int) -> None:
    events = TRANSCRIPTS[number]
    ends = [event["game_points"] for event in events if event["type"] == "deal_end"]
    expect = {field: events[-1][field] for field in ("winner", "reason")}
    expect |= {"deals": len(ends), "game_points": [sum(half) for half in zip(*ends, strict=True)]}
    assert referee(events) == expect


# --- whole games ------------------------------------------------------------------------------------------------------


def finish(deal: Deal, stock: list[str], rng: random.Random) -> None:
    """Play a deal to its end at random; `stock` holds the face-down cards, top first."""
    while deal.score is None:
        if deal.due:
            card = stock.pop(0) if stock else deal.turned_up
            assert card is not None
            deal.draw(deal.due[0], card)
        else:
            deal.move(rng.choice(deal.moves()))


def random_game(options: dict[str, Any], rng: random.Random) -> tuple[Game, Events]:
    """A game of `random` against itself, and its transcript."""
    game, events = Game(Rules.from_options(options)), [dict[str, Any](type="game", game="sixty_six")]
    events[0] |= {"rules": options, "strategies": ["random", "random"], "seed": 66, "index": 0}
    while game.reason is None:
        cards = rng.sample(PACK, len(PACK))
        deal = game.deal([cards[:6], cards[6:12]], cards[12])
        finish(deal, cards[13:], rng)
        game.count()
        events += deal.told
    events.append({"type": "end", "winner": game.winner, "reason": game.reason})
    return game, json.loads(json.dumps(events))


@pytest.mark.parametrize("seed", range(100))
def test_the_referee_accepts_random_games_under_random_rules(seed: int) -> None:
    rng = random.Random(seed)
    game, events = random_game(random_rules(rng), rng)
    assert referee(events) == {
        **{"winner": game.winner, "reason": game.reason},
        **{"game_points": list(game.total), "deals": len(game.deals)},
    }
    for deal in game.deals:
        tricks = [event["cards"] for event in deal.told if event["type"] == "trick"]
        gone = Counter(card for cards in tricks for card in cards)
        left = [deal.turned_up] if deal.turned_up else []
        assert gone + Counter([*deal.hands[0], *deal.hands[1], *deal.hidden, *left]) == Counter(PACK)
        assert sum(deal.tricks_won) == len(tricks)


def test_random_games_reach_every_clause_and_every_end() -> None:
    fired: Counter[str] = Counter()
    reasons = set()
    for seed in range(60):
        rng = random.Random(seed)
        game, events = random_game(random_rules(rng), rng)
        fired += sum((deal.fired for deal in game.deals), Counter[str]())
        reasons |= {event["reason"] for event in events if event["type"] in ("deal_end", "end")}
    clauses = ("2.4", "3.1", "4.1", "5.1", "5.2", "6.1", "6.3", "7.1", "7.2", "7.3")
    assert set(fired) == {f"SS-{clause}" for clause in clauses}
    assert reasons == {"66", "failed_close", "last_trick", "no_winner", "match_points"}


# --- tampered transcripts ---------------------------------------------------------------------------------------------

Tamper = Callable[[Events], object]


def nth(events: Events, kind: str, number: int = 0) -> dict[str, Any]:
    """The event of this kind with this number, from the end if negative."""
    return [event for event in events if event["type"] == kind][number]


def put(kind: str, number: int = 0, **values: Any) -> Tamper:
    """A tampering that sets fields of one event."""
    return lambda events: nth(events, kind, number).update(values)


def option(name: str, value: Any) -> Tamper:
    return lambda events: events[0]["rules"].update({name: value})


def cut(kind: str, field: str) -> Tamper:
    return lambda events: nth(events, kind).pop(field)


def drop(number: int) -> Tamper:
    return lambda events: events.pop(number)


def insert(number: int, **event: Any) -> Tamper:
    return lambda events: events.insert(number, event)


def swap(number: int) -> Tamper:
    """Exchange an event with the next."""
    return lambda events: events.insert(number, events.pop(number + 1))


def both(*tampers: Tamper) -> Tamper:
    return lambda events: [tamper(events) for tamper in tampers]


def deal_the_other_hands(events: Events) -> None:
    nth(events, "deal")["hands"].reverse()


def deal_a_card_twice(events: Events) -> None:
    nth(events, "deal")["hands"][0][0] = "10s"


def deal_seven(events: Events) -> None:
    nth(events, "deal")["hands"][0].append("Ad")


def draw_the_same_again(events: Events) -> None:
    nth(events, "draw", 2)["card"] = nth(events, "draw", 0)["card"]


def draw_the_turned_up_card_early(events: Events) -> None:
    """The last two draws change their cards."""
    one, two = nth(events, "draw", -2), nth(events, "draw", -1)
    one["card"], two["card"] = two["card"], one["card"]


def trick(number: int, *cards: str) -> Tamper:
    return put("trick", number, cards=list(cards))


CLOSE = {"type": "close", "player": 0}
EXCHANGE = {"type": "exchange", "player": 1, "gives": "9c", "takes": "Ac"}
MARRIAGE = {"type": "marriage", "player": 0, "suit": "s", "points": 20, "pending": True}

TAMPERED: dict[str, tuple[int, Tamper, str]] = {  # name: (transcript, what is done, the complaint)
    "no game line": (0, drop(0), r"event 1: type 'game' must follow here, not 'deal'"),
    "another game": (0, put("game", game="hakka"), r"game is 'hakka'"),
    "index no integer": (0, put("game", index=7.0), r"index must be a whole number"),
    "three strategies": (0, put("game", strategies=["a", "b", "c"]), r"one name a seat"),
    "option missing": (0, lambda events: events[0]["rules"].pop("closing"), r"rules lack closing"),
    "option unknown": (0, option("bonus", 10), r"no such rule of sixty_six: bonus"),
    "option out of range": (0, option("min_stock", 3), r"min_stock must be even"),
    "no deal": (0, drop(1), r"event 2: type 'deal' must follow here, not 'marriage'"),
    "the other one deals": (0, put("deal", dealer=0), r"event 2: dealer is 0, must be 1"),
    "the same one deals again": (2, put("deal", 1, dealer=1), r"dealer is 1, must be 0"),
    "hands no lists": (0, put("deal", hands=["Ks", "10s"]), r"hands must be two lists"),
    "hands of the other seats": (0, deal_the_other_hands, r"event 3: seat 0 may not declare s"),
    "hand with a card of the other": (0, deal_a_card_twice, r"twice there, or in no pack: 10s"),
    "turned-up card in a hand": (0, put("deal", turned_up="Ks"), r"twice there, or in no pack: Ks"),
    "turned-up card in no pack": (0, put("deal", turned_up="8c"), r"no such cards: \['8c'\]"),
    "hand of seven": (0, deal_seven, r"seat 0 is dealt 7 cards instead of 6"),
    "marriage of the follower": (0, put("marriage", player=1), r"seat 1 may not declare: seat 0 is to move"),
    "marriage without the pair": (0, put("marriage", suit="d"), r"seat 0 may not declare d"),
    "marriage in no suit": (0, put("marriage", suit="sh"), r"no such suit: 'sh'"),
    "marriage worth 40": (0, put("marriage", points=40), r"points is 40, must be 20"),
    "marriage not pending": (0, put("marriage", pending=False), r"pending is False, must be True"),
    "pending no bool": (0, put("marriage", pending=1), r"pending is 1, must be True"),
    "marriage twice in a turn": (0, insert(3, **MARRIAGE), r"may not declare after a marriage"),
    "marriage before it is free": (0, option("free_first_lead", False), r"event 3: seat 0 may not declare s"),
    "marriage after the stock": (0, option("marriage_after_close", False), r"event 23: seat 1 may not declare h"),
    "marriage led with another card": (0, trick(0, "Kd", "As"), r"leads Kd, but must lead one of the marriage in s"),
    "marriage after its trick": (0, swap(2), r"event 4: type 'draw' must follow here, not 'marriage'"),
    "pending marriage never counted": (0, put("trick", 1, points=[6, 15]), r"points is \[6, 15\], must be \[26, 15\]"),
    "trick led by the other": (0, put("trick", 1, leader=0), r"seat 0 may not lead: seat 1 is to move"),
    "trick led from nowhere": (0, trick(1, "Js", "Kd"), r"seat 1 leads Js from"),
    "reply from nowhere": (0, trick(1, "Jd", "Ad"), r"seat 0 plays Ad from"),
    "trick of one card": (0, trick(0, "Ks"), r"a trick has two cards"),
    "trick turned round": (0, trick(1, "Kd", "Jd"), r"seat 1 leads Kd from"),
    "card led twice": (0, trick(3, "9d", "10s"), r"seat 0 leads 9d from"),
    "trick to the wrong winner": (0, put("trick", winner=0), r"winner is 0, must be 1"),
    "winner no seat": (0, put("trick", winner=True), r"winner is True, must be 1"),
    "leader no seat": (0, put("trick", leader=False), r"leader must be a seat, not False"),
    "points of a trick": (0, put("trick", points=[0, 14]), r"points is \[0, 14\], must be \[0, 15\]"),
    "points no integers": (0, put("trick", points=[0, 15.0]), r"points is \[0, 15.0\]"),
    "points of three": (0, put("trick", points=[0, 15, 0]), r"points is \[0, 15, 0\]"),
    "draws out of order": (0, swap(4), r"seat 0 draws, but due are \[1, 0\]"),
    "draw missing": (0, drop(5), r"event 6: type 'draw' must follow here, not 'exchange'"),
    "drawn twice": (0, draw_the_same_again, r"Jd is not among the face-down cards"),
    "drawn from a hand": (0, put("draw", card="As"), r"As is not among the face-down cards"),
    "drawn from no pack": (0, put("draw", card="*"), r"no such cards"),
    "turned-up card not last": (0, draw_the_turned_up_card_early, r"9c is not among the face-down cards"),
    "another last card": (0, put("draw", -1, card="Ac"), r"Ac is drawn last, but 9c is turned up"),
    "draw after the stock": (0, insert(22, type="draw", player=0, card="9c"), r"type 'trick' must follow here"),
    "automatic exchange forgotten": (0, drop(6), r"event 7: type 'exchange' must follow here, not 'trick'"),
    "exchange by the other": (0, put("exchange", player=0), r"player is 0, must be 1"),
    "exchange for another card": (0, put("exchange", takes="10c"), r"takes is '10c', must be 'Ac'"),
    "exchange when off": (0, option("nine_exchange", "off"), r"nine_exchange is 'off'"),
    "exchange before a trick": (0, both(option("nine_exchange", "optional"), insert(2, **EXCHANGE)), r"seat 0 is to"),
    "exchange without the nine": (
        0,
        both(option("nine_exchange", "optional"), insert(7, **EXCHANGE)),
        r"event 8: seat 1 may not exchange",
    ),
    "exchange below min_stock": (0, option("min_stock", 12), r"event 7: nine_exchange is 'automatic'"),
    "chosen exchange below min_stock": (
        0,
        both(option("nine_exchange", "optional"), option("min_stock", 12)),
        r"event 7: seat 1 may not exchange",
    ),
    "closed by the follower": (1, put("close", player=1), r"seat 1 may not close: seat 0 is to move"),
    "closed when off": (1, option("closing", False), r"seat 0 may not close"),
    "closed below min_stock": (1, option("min_stock", 10), r"event 10: seat 0 may not close"),
    "closed twice": (1, insert(10, **CLOSE), r"event 11: seat 0 may not close"),
    "closed after the marriage": (0, insert(3, **CLOSE), r"may not close after a marriage"),
    "closed with a card on the table": (1, swap(9), r"event 11: type 'draw' must follow here, not 'close'"),
    "closing forgotten": (1, drop(9), r"event 11: type 'draw' must follow here, not 'marriage'"),
    "draw after closing": (1, insert(11, type="draw", player=1, card="Qh"), r"type 'trick' must follow here"),
    "suit not followed": (1, trick(3, "Qs", "9c"), r"seat 0 may not play 9c on Qs"),
    "not trumped": (1, trick(4, "10h", "Js"), r"seat 0 may not play Js on 10h"),
    "not headed": (1, trick(2, "Kc", "Jc"), r"seat 1 may not play Jc on Kc"),
    "deal end missing": (0, drop(-2), r"type 'deal_end' must follow here, not 'end'"),
    "deal ends too early": (0, drop(-3), r"type 'trick' must follow here, not 'deal_end'"),
    "deal goes on after 66": (0, insert(-2, type="trick"), r"type 'deal_end' must follow here, not 'trick'"),
    "deal won by the closer": (1, put("deal_end", winner=0), r"winner is 0, must be 1"),
    "closing failed for 2": (1, put("deal_end", game_points=[0, 2]), r"game_points is \[0, 2\], must be \[0, 3\]"),
    "reason of a failed closing": (1, put("deal_end", reason="66"), r"reason is '66', must be 'failed_close'"),
    "game points too many": (0, put("deal_end", game_points=[0, 2]), r"game_points is \[0, 2\], must be \[0, 1\]"),
    "points at the end": (0, put("deal_end", points=[51, 66]), r"points is \[51, 66\], must be \[51, 76\]"),
    "winner with the most points": (2, put("deal_end", winner=0), r"winner is 0, must be None"),
    "last trick unpaid": (2, option("last_trick", "bonus10"), r"points is \[63, 57\], must be \[73, 57\]"),
    "last trick not decisive": (2, option("last_trick", "wins"), r"game_points is \[0, 0\], must be \[1, 0\]"),
    "trick after a marriage of 66": (2, insert(-2, type="trick"), r"type 'deal_end' must follow here, not 'trick'"),
    "match over too early": (2, option("match_points", 3), r"type 'deal' must follow here, not 'end'"),
    "single deal goes on": (2, option("match_points", 0), r"type 'end' must follow here, not 'deal'"),
    "match reason": (2, put("end", reason="66"), r"reason is '66', must be 'match_points'"),
    "end missing": (0, drop(-1), r"the transcript stops where 'end' must follow"),
    "winner wrong": (0, put("end", winner=0), r"winner is 0, must be 1"),
    "nobody wins": (0, put("end", winner=None), r"winner is None, must be 1"),
    "end without a reason": (0, cut("end", "reason"), r"missing fields: reason"),
    "line after the end": (0, lambda events: events.append(events[-1]), r"events follow the end"),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_the_referee_rejects_a_tampered_game(name: str) -> None:
    number, tamper, complaint = TAMPERED[name]
    check_refused(referee, TRANSCRIPTS[number], tamper, complaint)


def test_the_referee_ignores_fields_that_the_format_does_not_ask_for() -> None:
    events = [{**event, "note": "welcome"} for event in TRANSCRIPTS[0]]
    assert referee(events) == referee(TRANSCRIPTS[0])


def test_the_order_of_cards_in_a_hand_has_no_meaning() -> None:
    events = copy.deepcopy(TRANSCRIPTS[2])
    for event in events:
        for hand in event.get("hands", []):
            hand.reverse()
    assert referee(events) == referee(TRANSCRIPTS[2])


def test_an_exchange_may_be_left_out_if_it_is_optional() -> None:
    events = copy.deepcopy(TRANSCRIPTS[1])
    events[0]["rules"]["nine_exchange"] = "optional"
    assert referee(events) == referee(TRANSCRIPTS[1])
    del events[5]  # the exchange; the ace of trumps, taken with it, is played on the ten of hearts
    with pytest.raises(RefereeError, match="seat 0 plays Ah from"):
        referee(events)
