"""The Lost Cities referee: it accepts correct games, known and random, and names the breach in tampered ones."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.slow.lost_cities import DECK, Game, Round, Rules, option_names, pack, random_rules, top_card
from tests.slow.lost_cities_referee import referee
from tests.slow.transcript import RefereeError, check_refused, known_answers

Event = dict[str, Any]
Events = list[Event]

TRANSCRIPTS: list[Events] = known_answers("lost_cities")["transcripts"]
KNOWN: list[Event] = [
    {"starters": [0], "rounds": [[-1, -31]], "turns": [31]},
    {"starters": [0], "rounds": [[64, -9]], "turns": [16]},
    {"starters": [0, 1], "rounds": [[0, 0], [-2, 4]], "turns": [14, 14]},
]


@pytest.mark.parametrize("number", range(len(TRANSCRIPTS)))
def test_the_referee_accepts_the_known_games(number: int) -> None:
    end = TRANSCRIPTS[number][-1]
    expect = {field: end[field] for field in ("winner", "reason", "scores")} | KNOWN[number]
    assert referee(TRANSCRIPTS[number]) == expect


# --- whole games ------------------------------------------------------------------------------------------------------


def play_round(game: Game, rng: random.Random) -> Events:
    """A round of random moves, told."""
    cards = pack(game.rules)
    rng.shuffle(cards)
    hands = [[cards.pop() for _ in range(game.rules.hand_size)] for _ in (0, 1)]
    game.deal(hands)
    told: Events = [{"type": "deal", "hands": hands}]
    round_ = game.round
    while round_.reason is None:
        seat = round_.to_move
        place, to, source = rng.choice(round_.moves())
        card = round_.hands[seat][place]
        drawn = cards.pop() if source == DECK else top_card(round_.discards, card, to, source)
        assert drawn is not None
        game.turn(seat, card, to, source, drawn)
        told.append({"type": "turn", "player": seat, "card": card, "to": to, "from": source, "drawn": drawn})
    return told


def random_game(options: dict[str, Any], rng: random.Random) -> tuple[Game, Events]:
    """A game of random moves and its transcript."""
    game = Game(Rules.from_options(options))
    events: Events = [
        {"type": "game", "game": "lost_cities", "rules": options, "strategies": ["random"] * 2, "seed": 0, "index": 0}
    ]
    while game.reason is None:
        events += play_round(game, rng)
        if game.rules.rounds > 1:
            events.append({"type": "round", "scores": game.round.scores})
    events.append({"type": "end", "winner": game.winner, "reason": game.reason, "scores": game.scores})
    told: Events = json.loads(json.dumps(events))
    return game, told


def lying(round_: Round) -> Counter[str]:
    """All cards, wherever they lie."""
    laid = [cards for expeditions in round_.expeditions for cards in expeditions.values()]
    return sum(map(Counter, [*round_.hands, *laid, *round_.discards.values()]), round_.pile.copy())


def from_deck(events: Events) -> int:
    return sum(event.get("from") == DECK for event in events)


@pytest.mark.parametrize("seed", range(60))
def test_the_referee_accepts_random_games_under_random_rules(seed: int) -> None:
    rng = random.Random(seed)
    options = random_rules(rng)
    game, events = random_game(options, rng)
    found = referee(events)
    assert found["rounds"] == [list(round_.scores) for round_ in game.rounds]
    assert found["turns"] == [round_.turns for round_ in game.rounds]
    for round_ in game.rounds:
        assert lying(round_) == Counter(pack(game.rules))
        assert all(len(hand) == game.rules.hand_size for hand in round_.hands)
        assert round_.turns <= game.rules.max_turns
        last = 1 - round_.to_move
        assert last == (round_.starter + round_.turns + 1) % 2
    left = sum(round_.pile.total() for round_ in game.rounds)
    pile = len(pack(game.rules)) - 2 * game.rules.hand_size
    assert from_deck(events) == pile * game.rules.rounds - left
    assert (left == 0) == (game.reason == "deck_empty")


def test_random_games_reach_every_clause() -> None:
    fired: Counter[str] = Counter()
    for seed in range(20):
        rng = random.Random(seed)
        fired += random_game(random_rules(rng), rng)[0].fired
    assert set(fired) == {"LC-2.3", "LC-2.4", "LC-4.1", "LC-4.2"}


def test_random_rules_vary_every_option() -> None:
    rng = random.Random(1)
    seen = [random_rules(rng) for _ in range(300)]
    for options in seen:
        assert list(options) == option_names()
        Rules.from_options(options)
    for name in option_names():
        values = {options[name] for options in seen}
        assert len(values) >= {"redraw_own_discard": 2, "next_starter": 2, "rounds": 3, "wagers": 4}.get(name, 6), name


# --- tampered transcripts ---------------------------------------------------------------------------------------------


def put(number: int, **values: Any) -> Callable[[Events], None]:
    """A tampering that sets fields of one event; `source` stands for "from"."""
    fields = {"from" if name == "source" else name: value for name, value in values.items()}
    return lambda events: events[number].update(fields)


def option(**values: Any) -> Callable[[Events], None]:
    return lambda events: events[0]["rules"].update(values)


def cut(number: int, field: str) -> Callable[[Events], None]:
    return lambda events: events[number].__delitem__(field)


def drop(number: int) -> Callable[[Events], None]:
    return lambda events: events.__delitem__(number)


def swap(first: int, second: int) -> Callable[[Events], None]:
    def tamper(events: Events) -> None:
        events[first], events[second] = events[second], events[first]

    return tamper


def hand(seat: int, *cards: str) -> Callable[[Events], None]:
    """A tampering with the first deal."""
    return lambda events: events[1]["hands"].__setitem__(seat, list(cards))


def line(number: int, **event: Any) -> Callable[[Events], None]:
    return lambda events: events.insert(number, event)


def again(number: int) -> Callable[[Events], None]:
    """A tampering that tells the last turn once more, by the other seat, as event `number`."""

    def tamper(events: Events) -> None:
        turn = events[number - 1]
        events.insert(number, {**turn, "player": 1 - turn["player"]})

    return tamper


def exchange_seats(events: Events) -> None:
    """The second round started by the other seat, with everything that seat holds."""
    events[17]["hands"].reverse()
    for event in events[18:32]:
        event["player"] = 1 - event["player"]


def no_object(events: list[Any]) -> None:
    events[5] = []


# Transcript 0: one round, three colours; 1: redraw_own_discard, cut short at 16 half-turns; 2: two rounds.
TAMPERED: dict[str, tuple[int, Callable[[Events], None], str]] = {  # name: (transcript, what is done, the complaint)
    "no game line": (0, drop(0), r"event 1: type 'game' must follow here, not 'deal'"),
    "another game": (0, put(0, game="colina"), r"game is 'colina', not 'lost_cities'"),
    "seed missing": (0, cut(0, "seed"), r"missing fields: seed"),
    "index no integer": (0, put(0, index=1.0), r"index must be a whole number"),
    "three strategies": (0, put(0, strategies=["random"] * 3), r"one name a seat"),
    "rules no object": (0, put(0, rules=[]), r"rules must be an object"),
    "option missing": (0, lambda events: events[0]["rules"].pop("bonus"), r"rules lack bonus"),
    "option unknown": (0, option(colours=3), r"no such rule of lost_cities: colours"),
    "option out of range": (0, option(wagers=4), r"wagers must be"),
    "option of another type": (0, option(redraw_own_discard=0), r"redraw_own_discard must be true or false"),
    "options that leave no draw pile": (2, option(hand_size=10), r"hand_size 10 leaves no draw pile of 20 cards"),
    "deal missing": (0, drop(1), r"event 2: type 'deal' must follow here, not 'turn'"),
    "deal of another hand size": (0, option(hand_size=5), r"seat 0 is dealt 4 cards instead of 5"),
    "deal too short": (0, hand(1, "W$", "B5", "B4"), r"seat 1 is dealt 3 cards instead of 4"),
    "deal to one seat": (0, lambda events: events[1]["hands"].pop(), r"to 2 seats, not to 1"),
    "hands no list": (0, put(1, hands={"0": [], "1": []}), r"hands must be a list"),
    "hand no list": (0, put(1, hands=["W3", "W4"]), r"cards must be a list of names"),
    "card in no pack": (0, hand(0, "W3", "Y1", "Y8", "Y10"), r"no such cards: \['Y1'\]"),
    "colour not in the game": (0, hand(0, "W3", "R$", "Y8", "Y10"), r"not in the pack, or not so often: R\$"),
    "number dealt twice": (0, hand(0, "W3", "Y$", "Y8", "B5"), r"not in the pack, or not so often: B5"),
    "investment card too many": (0, hand(0, "W$", "W$", "Y8", "Y10"), r"not in the pack, or not so often: W\$"),
    "turn missing": (0, drop(2), r"event 3: player is 1, must be 0"),
    "turns out of order": (0, swap(2, 3), r"event 3: player is 1, must be 0"),
    "turn of the other seat": (0, put(3, player=0), r"event 4: player is 0, must be 1"),
    "player no seat": (0, put(3, player=True), r"player is True, must be 1"),
    "turn without a source": (0, cut(2, "from"), r"missing fields: from"),
    "card not in hand": (0, put(2, card="B2"), r"seat 0: B2 is not in the hand W3 Y\$ Y8 Y10"),
    "card of the opponent": (0, put(2, card="W$"), r"seat 0: W\$ is not in the hand"),
    "card no name": (0, put(2, card=None), r"cards must be a list of names"),
    "card laid nowhere": (0, put(2, to="table"), r"a card goes to 'expedition' or 'discard', not to 'table'"),
    "to no word": (0, put(2, to=["discard"]), r"to must be a word"),
    "drawn from nowhere": (0, put(2, source="pile"), r"no cards come from 'pile'"),
    "drawn from a colour not in the game": (0, put(2, source="R"), r"no cards come from 'R'"),
    "drawn from an empty pile": (0, put(3, source="Y", drawn="Y6"), r"the discard pile Y is empty"),
    "own discard taken back": (0, put(3, source="B", drawn="B5"), r"B5 was discarded this very turn"),
    "own discard taken back without the option": (1, option(redraw_own_discard=False), r"event 6: .* this very turn"),
    "not the top of the pile": (0, put(14, drawn="B9"), r"event 15: B9 is not the top card of B, which is B5"),
    "beneath the own discard": (1, put(5, drawn="B8"), r"event 6: B8 is not the top card of B, which is B4"),
    "draw of a card in a hand": (0, put(2, drawn="B4"), r"event 3: B4 is not in the draw pile"),
    "draw of a card laid before": (0, put(6, drawn="Y6"), r"event 7: Y6 is not in the draw pile"),
    "draw of a discard called deck": (0, put(14, source="deck"), r"event 15: B5 is not in the draw pile"),
    "draw of no card": (0, put(2, drawn="Y11"), r"no such cards: \['Y11'\]"),
    "another card drawn than played later": (0, put(2, drawn="B$"), r"event 5: seat 0: Y6 is not in the hand"),
    "lower number laid": (0, put(32, to="expedition"), r"event 33: seat 0: Y7 may not follow Y\$ Y6 Y8 Y10"),
    "investment laid after a number": (0, put(30, to="expedition"), r"seat 0: Y\$ may not follow Y\$ Y6 Y8 Y10"),
    "round line in a single round": (0, line(33, type="round", scores=[-1, -31]), r"'end' must follow here, not 'rou"),
    "round line missing": (2, drop(16), r"event 17: type 'round' must follow here, not 'deal'"),
    "round scores wrong": (2, put(16, scores=[0, 1]), r"event 17: scores is \[0, 1\], must be \[0, 0\]"),
    "round scores no integers": (2, put(16, scores=[0, False]), r"scores must be 2 integers"),
    "round scores of three": (2, put(16, scores=[0, 0, 0]), r"scores must be 2 integers"),
    "second deal missing": (2, drop(17), r"event 18: type 'deal' must follow here, not 'turn'"),
    "second round started by the same seat": (2, exchange_seats, r"event 19: player is 0, must be 1"),
    "second round missing": (
        2,
        lambda events: events.__delitem__(slice(17, 33)),
        r"'deal' must follow here, not 'end'",
    ),
    "third round missing": (2, option(rounds=3), r"event 34: type 'deal' must follow here, not 'end'"),
    "second round too many": (2, option(rounds=1), r"event 17: type 'end' must follow here, not 'round'"),
    "turn after the last card": (0, again(33), r"event 34: type 'end' must follow here, not 'turn'"),
    "end before the last card": (0, drop(32), r"event 33: type 'turn' must follow here, not 'end'"),
    "turn after max_turns": (1, option(max_turns=15), r"event 18: type 'end' must follow here, not 'turn'"),
    "end before max_turns": (1, option(max_turns=17), r"event 19: type 'turn' must follow here, not 'end'"),
    "end missing": (0, drop(-1), r"event 34: the transcript stops where 'end' must follow"),
    "line after the end": (0, lambda events: events.append(events[-1]), r"events follow the end"),
    "event no object": (0, no_object, r"event 6: not a JSON object"),
    "winner wrong": (0, put(33, winner=1), r"winner is 1, must be 0"),
    "winner withheld from an unfinished game": (1, put(18, winner=None), r"winner is None, must be 0"),
    "winner no seat": (0, put(33, winner=False), r"winner must be a seat or null"),
    "reason wrong": (0, put(33, reason="max_turns"), r"reason is 'max_turns', must be 'deck_empty'"),
    "reason of an unfinished game wrong": (1, put(18, reason="deck_empty"), r"reason is 'deck_empty', must be 'max_t"),
    "end scores wrong": (0, put(33, scores=[-1, -30]), r"scores is \[-1, -30\], must be \[-1, -31\]"),
    "embark cost read otherwise": (0, option(embark_cost=21), r"scores is \[-1, -31\], must be"),
    "bonus read otherwise": (1, option(bonus=21), r"scores is \[64, -9\], must be \[65, -9\]"),
    "bonus cards read otherwise": (1, option(bonus_cards=6), r"scores is \[64, -9\], must be \[44, -9\]"),
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
        for cards in event.get("hands", []):
            cards.reverse()
    assert referee(events) == referee(TRANSCRIPTS[2])


@pytest.mark.parametrize(
    ("next_starter", "first_winner", "second_starter"),
    [("higher_score", 0, 0), ("higher_score", None, 1), ("alternate", 0, 1), ("alternate", None, 1)],
)
def test_who_starts_the_second_round(next_starter: str, first_winner: int | None, second_starter: int) -> None:
    """Two rounds of a single half-turn each: seat 0 lays the 10 in the first, or discards it."""
    rules = Rules(colors=1, wagers=0, hand_size=4, embark_cost=0, rounds=2, next_starter=next_starter)
    deal = {"type": "deal", "hands": [["Y7", "Y8", "Y9", "Y10"], ["Y3", "Y4", "Y5", "Y6"]]}
    turn = {"type": "turn", "from": "deck", "drawn": "Y2"}
    to, scores = ("discard", [0, 0]) if first_winner is None else ("expedition", [10, 0])
    events = [
        {**TRANSCRIPTS[0][0], "rules": vars(rules)},
        deal,
        {**turn, "player": 0, "card": "Y10", "to": to},
        {"type": "round", "scores": scores},
        deal,
        {**turn, "player": second_starter, "card": "Y5" if second_starter else "Y8", "to": "discard"},
        {"type": "round", "scores": [0, 0]},
        {"type": "end", "winner": first_winner, "reason": "deck_empty", "scores": scores},
    ]
    assert referee(events)["starters"] == [0, second_starter]
    events[5]["player"] = 1 - second_starter
    with pytest.raises(RefereeError, match=f"event 6: player is {1 - second_starter}, must be {second_starter}"):
        referee(events)
