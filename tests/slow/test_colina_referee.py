"""The Colina referee: it accepts correct games, known and random, and names the breach in tampered ones."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.slow.colina import Game, Rules, moves, option_names, pack, random_rules
from tests.slow.colina_referee import referee
from tests.slow.transcript import RefereeError, check_refused

Events = list[dict[str, Any]]

TRANSCRIPTS: list[Events] = json.loads(
    (Path(__file__).parents[1] / "data" / "colina.json").read_text(encoding="utf-8")
)["transcripts"]


@pytest.mark.parametrize("number", range(len(TRANSCRIPTS)))
def test_the_referee_accepts_the_known_games(number: int) -> None:
    events = TRANSCRIPTS[number]
    end = events[-1]
    expect = {field: end[field] for field in ("winner", "reason", "points")} | {"rounds": events[-2]["round"]}
    assert referee(events) == expect


# --- whole games ------------------------------------------------------------------------------------------------------


class Dealer:
    """A shuffled draw pile that is rebuilt from the game's dead pile when it runs out."""

    def __init__(self, game: Game, rng: random.Random) -> None:
        self.game, self.rng = game, rng
        self.cards: list[str] = []
        self._shuffle(list(game.pile.elements()))

    def _shuffle(self, cards: list[str]) -> None:
        self.rng.shuffle(cards)
        self.cards = cards

    def deal(self) -> tuple[list[str], bool]:
        drawn, reshuffled = [], False
        for _ in range(self.game.rules.hand_size):
            if not self.cards:
                self._shuffle(list(self.game.dead.elements()))
                reshuffled = True
            drawn.append(self.cards.pop())
        return drawn, reshuffled


def play_round(game: Game, rng: random.Random) -> list[dict[str, Any]]:
    plays, told = [], []
    for seat in (0, 1):
        hand = game.hands[seat]
        front, back = rng.choice(moves(game.rules, hand))
        plays.append(([hand[place] for place in front], None if back is None else hand[back]))
        told.append(
            {"type": "play", "round": game.rounds + 1, "player": seat, "front": plays[-1][0], "back": plays[-1][1]}
        )
    result = game.play(plays)
    told.append({"type": "result", **{name: getattr(result, name) for name in ("round", "totals", "damage", "points")}})
    return told


def random_game(options: dict[str, Any], rng: random.Random) -> tuple[Game, list[dict[str, Any]]]:
    """A game of random moves and its transcript."""
    game = Game(Rules.from_options(options))
    dealer = Dealer(game, rng)
    head = {"type": "game", "game": "colina", "rules": options, "strategies": ["random"] * 2, "seed": 0, "index": 0}
    events = [head]
    while game.reason is None:
        for seat in list(game.due):
            cards, reshuffled = dealer.deal()
            game.draw(seat, cards, reshuffled)
            events.append({"type": "draw", "player": seat, "cards": cards, "reshuffled": reshuffled})
        events += play_round(game, rng)
    events.append({"type": "end", "winner": game.winner, "reason": game.reason, "points": game.points})
    return game, json.loads(json.dumps(events))


@pytest.mark.parametrize("seed", range(60))
def test_the_referee_accepts_random_games_under_random_rules(seed: int) -> None:
    rng = random.Random(seed)
    game, events = random_game(random_rules(rng), rng)
    assert referee(events)["rounds"] == game.rounds
    held = Counter([*game.hands[0], *game.hands[1]])
    assert held + game.pile + game.dead == Counter(pack(game.rules))
    assert not any(all(event["damage"]) for event in events if event["type"] == "result")  # COL-6.2 is dead


def test_random_games_reach_every_clause() -> None:
    fired: Counter[str] = Counter()
    for seed in range(25):
        rng = random.Random(seed)
        fired += random_game(random_rules(rng), rng)[0].fired
    clauses = ["4.1", "4.2", "4.3", "4.4", "4.5", "4.7", "5.2", "5.3", "6.1", "6.3"]
    assert set(fired) == {f"COL-{clause}" for clause in clauses}


def test_random_rules_vary_every_option() -> None:
    rng = random.Random(1)
    seen = [random_rules(rng) for _ in range(300)]
    for options in seen:
        assert list(options) == option_names()
        Rules.from_options(options)
    for name in option_names():
        assert len({json.dumps(options[name]) for options in seen}) >= (4 if name.endswith("_on") else 2), name


# --- tampered transcripts ---------------------------------------------------------------------------------------------


def nth(events: Events, kind: str, number: int = 0) -> dict[str, Any]:
    """The event of this kind with this number, from the end if negative."""
    return [event for event in events if event["type"] == kind][number]


def put(kind: str, number: int = 0, **values: Any) -> Callable[[Events], None]:
    """A tampering that sets fields of one event."""
    return lambda events: nth(events, kind, number).update(values)


def option(name: str, value: Any) -> Callable[[Events], None]:
    return lambda events: events[0]["rules"].update({name: value})


def cut(kind: str, field: str) -> Callable[[Events], None]:
    def tamper(events: Events) -> None:
        del nth(events, kind)[field]

    return tamper


def swap(first: int, second: int) -> Callable[[Events], None]:
    def tamper(events: Events) -> None:
        events[first], events[second] = events[second], events[first]

    return tamper


def drop(number: int) -> Callable[[Events], None]:
    return lambda events: events.__delitem__(number)


def first_refill(events: Events) -> int:
    return next(number for number, event in enumerate(events) if number > 2 and event["type"] == "draw")


def lose_a_refill(events: Events) -> None:
    del events[first_refill(events)]


def refill_early(events: Events) -> None:
    events.insert(6, {"type": "draw", "player": 0, "cards": ["2h"] * 6, "reshuffled": False})


def refill_the_other_seat(events: Events) -> None:
    event = events[first_refill(events)]
    event["player"] = 1 - event["player"]


def shorten_a_refill(events: Events) -> None:
    events[first_refill(events)]["cards"].pop()


def draw_a_card_thrice(events: Events) -> None:
    events[1]["cards"] = ["7h"] * 3 + events[1]["cards"][3:]


def draw_from_the_dead(events: Events) -> None:
    """The last refill before the reshuffle gets a card of which both copies were drawn before."""
    before = events[: reshuffle(events)]
    draws = [event for event in before if event["type"] == "draw"]
    seen = Counter(card for event in draws[:-1] for card in event["cards"])
    draws[-1]["cards"][0] = next(card for card, times in seen.items() if times == 2)


def reshuffle(events: Events) -> int:
    return next(number for number, event in enumerate(events) if event.get("reshuffled"))


def hide_the_reshuffle(events: Events) -> None:
    events[reshuffle(events)]["reshuffled"] = False


def forget_the_pile(events: Events) -> None:
    """The refill with the reshuffle takes only dead cards, though the draw pile was not empty."""
    number = reshuffle(events)
    played = [card for event in events[:number] if event["type"] == "play" for card in event["front"]]
    events[number]["cards"] = [card for card in played if card not in events[number]["cards"]][:5]


def draw_a_joker_at_the_reshuffle(events: Events) -> None:
    """The card that came from the dead pile is now a joker, in a game without any."""
    events[reshuffle(events)]["cards"][-1] = "*"


def play_what_is_not_held(events: Events) -> None:
    held = events[1]["cards"]
    events[3]["front"] = [next(card for card in ("2h", "3h", "4h", "5h", "6h", "7h", "8h") if card not in held)]


def back_with_a_value_card(events: Events) -> None:
    values = [card for card in events[1]["cards"] if card[:-1].isdigit()]
    events[3].update(front=[values[0]], back=values[1])


def front_of_two_suits(events: Events) -> None:
    cards = [card for card in events[1]["cards"] if card != "*"]
    other = next(card for card in cards if card[-1] != cards[0][-1])
    events[3].update(front=[cards[0], other], back=None)


def heal(events: Events) -> None:
    """The loser of the last round keeps 1 TP, in every line that says so."""
    for event in events[-2:]:
        event["points"] = [max(1, points) for points in event["points"]]


def play_on(events: Events) -> None:
    events.insert(-1, {**nth(events, "play", -2), "round": nth(events, "play", -1)["round"] + 1})


def refill_after_the_end(events: Events) -> None:
    events.insert(-1, nth(events, "draw", -1))


TAMPERED: dict[str, tuple[int, Callable[[Events], None], str]] = {  # name: (transcript, what is done, the complaint)
    "no game line": (0, drop(0), r"event 1: type 'game' must follow here, not 'draw'"),
    "another game": (0, put("game", game="hakka"), r"game is 'hakka'"),
    "seed missing": (0, cut("game", "seed"), r"missing fields: seed"),
    "seed no integer": (0, put("game", seed="6"), r"seed must be a whole number"),
    "one strategy": (0, put("game", strategies=["random"]), r"one name a seat"),
    "option missing": (0, lambda events: events[0]["rules"].pop("king_on"), r"rules lack king_on"),
    "option unknown": (0, option("king_onn", True), r"no such rule of colina: king_onn"),
    "option out of range": (0, option("hand_size", 7), r"hand_size must be"),
    "option of another type": (0, option("jack_factor", "2"), r"jack_factor must be a number"),
    "first deal missing": (0, drop(1), r"event 2: player is 1, must be 0"),
    "first deal out of order": (0, swap(1, 2), r"event 2: player is 1, must be 0"),
    "first deal reshuffled": (0, put("draw", reshuffled=True), r"reshuffled is True with 108 cards left"),
    "deal of another hand size": (0, option("hand_size", 5), r"draws 6 cards instead of 5"),
    "card in no pack": (0, put("draw", cards=["1h", "Ac", "2s", "Qh", "10h", "4s"]), r"no such cards: \['1h'\]"),
    "card drawn three times": (0, draw_a_card_thrice, r"not in the draw pile: 7h"),
    "joker in a pack without": (2, put("draw", cards=["*", "9s", "Ac", "Qd", "Kh"]), r"not in the draw pile: \*"),
    "refill missing": (0, lose_a_refill, r"type 'draw' must follow here, not 'play'"),
    "refill with cards in hand": (0, refill_early, r"type 'play' must follow here, not 'draw'"),
    "refill of the other seat": (0, refill_the_other_seat, r"player is [01], must be [01]"),
    "refill too short": (0, shorten_a_refill, r"draws 5 cards instead of 6"),
    "refill from the dead pile": (2, draw_from_the_dead, r"not in the draw pile"),
    "reshuffle not marked": (2, hide_the_reshuffle, r"reshuffled is False"),
    "reshuffle before its time": (2, put("draw", 2, reshuffled=True), r"reshuffled is True"),
    "reshuffled flag no bool": (2, put("draw", 2, reshuffled=0), r"reshuffled must be true or false"),
    "card left in the pile at a reshuffle": (2, forget_the_pile, r"left in the draw pile"),
    "card in no pile at a reshuffle": (2, draw_a_joker_at_the_reshuffle, r"not in the reshuffled dead pile"),
    "play missing": (0, drop(3), r"player is 1, must be 0"),
    "plays out of order": (0, swap(3, 4), r"player is 1, must be 0"),
    "play of another round": (0, put("play", round=2), r"event 4: round is 2, must be 1"),
    "play without a back field": (0, cut("play", "back"), r"missing fields: back"),
    "front no list": (0, put("play", front="Qh"), r"cards must be a list"),
    "front empty": (0, put("play", front=[]), r"may not play"),
    "card not in hand": (0, play_what_is_not_held, r"seat 0 may not play"),
    "value card in the back line": (0, back_with_a_value_card, r"seat 0 may not play"),
    "front of two suits": (0, front_of_two_suits, r"seat 0 may not play"),
    "support leads against the option": (0, option("support_front", "no_value_cards"), r"event 4: seat 0 may not play"),
    "result missing": (0, drop(5), r"type 'result' must follow here"),
    "result of another round": (0, put("result", round=2), r"round is 2, must be 1"),
    "totals wrong": (0, put("result", totals=[0, 1]), r"totals is \[0, 1\]"),
    "totals no integers": (0, put("result", 14, totals=[4.0, 4.0]), r"totals must be two whole numbers"),
    "damage wrong": (0, put("result", damage=[1, 1]), r"damage is \[1, 1\]"),
    "points wrong": (0, put("result", points=[40, 41]), r"points is \[40, 41\]"),
    "start points wrong": (0, option("start_points", 41), r"points is"),
    "double mirror read otherwise": (0, option("ace_on", False), r"damage is"),
    "jack factor read otherwise": (1, option("jack_factor", 3), r"totals is"),
    "end missing": (0, drop(-1), r"the transcript stops where 'end' must follow"),
    "end too early": (0, lambda events: events.__delitem__(slice(-4, -1)), r"must follow here, not 'end'"),
    "TP kept above 0": (0, heal, r"points is"),
    "another round after the end": (0, play_on, r"type 'end' must follow here, not 'play'"),
    "refill after the last round": (2, refill_after_the_end, r"type 'end' must follow here, not 'draw'"),
    "line after the end": (0, lambda events: events.append(events[-1]), r"events follow the end"),
    "winner wrong": (0, put("end", winner=1), r"winner is 1, must be 0"),
    "winner of an unfinished game": (2, put("end", winner=0), r"winner is 0, must be None"),
    "winner no seat": (0, put("end", winner=False), r"winner must be a seat"),
    "reason wrong": (0, put("end", reason="max_rounds"), r"reason is 'max_rounds', must be 'points'"),
    "end points wrong": (0, put("end", points=[6, 1]), r"points is \[6, 1\]"),
    "game not stopped at max_rounds": (0, option("max_rounds", 15), r"type 'end' must follow here"),
    "game stopped before max_rounds": (2, option("max_rounds", 33), r"must follow here, not 'end'"),
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
        for field in ("cards", "front"):
            event.get(field, []).reverse()
    assert referee(events) == referee(TRANSCRIPTS[2])


def test_damage_is_told_in_full_though_points_stop_at_0() -> None:
    events = copy.deepcopy(TRANSCRIPTS[0])
    events[0]["rules"]["start_points"] -= 1  # the loser has 2 TP left for the last 3
    for event in events:
        if "points" in event:
            event["points"] = [max(0, points - 1) for points in event["points"]]
    assert events[-2]["damage"] == [0, 3]
    assert referee(events)["points"] == [5, 0]
    events[-2]["damage"] = [0, 2]
    with pytest.raises(RefereeError, match=r"damage is \[0, 2\], must be \[0, 3\]"):
        referee(events)
