"""A referee for Saloon transcripts: follows a game event by event and stops at the first breach.

It knows the rules (tests/slow/saloon.py) and the transcript format, and nothing of the program that wrote the
transcript. Every event is read for what chance or a player decided; that is done, and what it comes to is compared.
Fields beyond the required ones are ignored. The order of cards within an event has no meaning.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from tests.slow.saloon import Rules, client_pack, number_pack, option_names
from tests.slow.saloon_game import ACT, DRAW, Game
from tests.slow.transcript import Event, Reader, RefereeError, RuleError, check_cards, check_head, is_whole, require

__all__ = ["RefereeError", "referee"]

FIELDS = {
    "game": ("game", "rules", "strategies", "seed", "index"),
    "setup": ("clients", "hands"),
    "turn": ("player",),
    "pay": ("player", "client", "cards", "judge", "doubted", "honest", "freed"),
    "draw": ("player", "cards", "reshuffled"),
    "discard": ("player", "cards", "why"),
    "closed": ("player",),
    "end": ("winner", "reason", "ranking"),
}
NUMBER_CARDS = frozenset(number_pack(Rules()))
CLIENT_CARDS = frozenset(client_pack(Rules()))


def referee(events: Iterable[Event]) -> dict[str, Any]:
    """Check a whole transcript; return winner, reason, ranking and turns, or raise RefereeError."""
    reader = Reader(events, FIELDS)
    try:
        game = read_setup(reader, read_rules(reader.take("game")))
        while game.due is not None:
            read_step(reader, game)
        reader.finish()
    except (RuleError, ValueError) as breach:
        raise RefereeError(f"event {reader.taken}: {breach}") from breach
    return {"winner": game.winner, "reason": game.reason, "ranking": game.ranking, "turns": game.turns}


def read_rules(event: Event) -> Rules:
    """The rules of the game line, which must name every option and say how many packs there are."""
    options = event["rules"]
    require(isinstance(options, Mapping), "rules must be an object")
    players = options.get("players")
    require(is_whole(players), f"players must be a whole number, not {players!r}")
    rules = Rules.from_options(check_head(event, "saloon", players, option_names()))
    require(options["packs"] == rules.packs, f"packs must be 1 or 2, not {options['packs']!r}")
    return rules


def read_setup(reader: Reader, rules: Rules) -> Game:
    """Deal the cards that the next event names."""
    event = reader.take("setup")
    for field, known in (("clients", CLIENT_CARDS), ("hands", NUMBER_CARDS)):
        dealt = event[field]
        require(isinstance(dealt, list), f"{field} must be a list, not {dealt!r}")
        for cards in dealt:
            check_cards(cards, known)
    game = Game(rules, event["clients"], event["hands"])
    check_told(reader, event, game.told)
    return game


def read_step(reader: Reader, game: Game) -> None:
    """Do what the next event says, and compare what it comes to."""
    assert game.due is not None
    event = reader.take(kind_of_step(reader, game.due.what))
    before = len(game.told)
    seat = seat_of(event, "player")
    check_cards(event["cards"], NUMBER_CARDS)
    if event["type"] == "pay":
        read_payment(game, event, seat)
    elif event["type"] == "draw":
        if game.due.what == ACT:
            game.draw_one(seat)
        game.draw(seat, event["cards"])
    elif game.due.what == ACT:
        require(len(event["cards"]) == 1, f"a swap discards one card, not {len(event['cards'])}")
        game.swap(seat, event["cards"][0])
    else:
        game.discard(seat, event["cards"])
    check_told(reader, event, game.told[before:])


def kind_of_step(reader: Reader, what: str) -> str:
    """What the next event of a turn is: a draw or a discard that is due, or the action that it says it is."""
    if what != ACT:
        return "draw" if what == DRAW else "discard"
    upcoming = reader.events[reader.taken : reader.taken + 1]
    for kind in ("pay", "discard"):
        if upcoming and isinstance(upcoming[0], Mapping) and upcoming[0].get("type") == kind:
            return kind
    return "draw"


def read_payment(game: Game, event: Event, seat: int) -> None:
    """A payment and what its judge says."""
    check_cards([event["client"]], CLIENT_CARDS)
    doubted, judge = event["doubted"], seat_of(event, "judge")
    require(isinstance(doubted, bool), f"doubted must be true or false, not {doubted!r}")
    game.pay(seat, event["client"], event["cards"], judge)
    game.answer(judge, doubted)


def check_told(reader: Reader, event: Event, told: list[dict[str, Any]]) -> None:
    """Compare the event in hand, and then those that must follow by themselves: closing, the next turn, the end."""
    compare(event, told[0])
    for expected in told[1:]:
        compare(reader.take(expected["type"]), expected)


def compare(event: Event, expected: Event) -> None:
    """Require every field of `expected`, to the type of JSON, where 1, 1.0 and true are three."""
    for field, value in expected.items():
        told = event[field]
        if field == "cards":
            check_cards(told, NUMBER_CARDS)
            told, value = sorted(told), sorted(value)
        require(json.dumps(told) == json.dumps(value), f"{field} is {told!r}, must be {value!r}")


def seat_of(event: Event, field: str) -> int:
    """The seat that the event names."""
    seat = event[field]
    require(is_whole(seat), f"{field} must be a seat, not {seat!r}")
    return int(seat)
