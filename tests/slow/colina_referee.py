"""A referee for Colina transcripts: follows a game event by event and stops at the first breach.

It knows the rules (tests/slow/colina.py) and the transcript format, and nothing of the program that wrote the
transcript. Fields beyond the required ones are ignored. The order of cards within one list has no meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tests.slow.colina import Game, Play, RoundResult, RuleError, Rules, option_names, pack, require

Event = Mapping[str, Any]

FIELDS = {
    "game": ("game", "rules", "strategies", "seed", "index"),
    "draw": ("player", "cards", "reshuffled"),
    "play": ("round", "player", "front", "back"),
    "result": ("round", "totals", "damage", "points"),
    "end": ("winner", "reason", "points"),
}
KNOWN_CARDS = frozenset(pack(Rules()))


class RefereeError(AssertionError):
    """The transcript breaks the rules or the format; the message names the event, counted from 1."""


class Reader:
    """Hands out the events in order, each checked for its type and its fields."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.events = list(events)
        self.taken = 0  # the number of the event in hand, counted from 1

    def take(self, kind: str) -> Event:
        """The next event, which must be of this type."""
        self.taken += 1
        require(self.taken <= len(self.events), f"the transcript stops where {kind!r} must follow")
        event = self.events[self.taken - 1]
        require(isinstance(event, Mapping), "not a JSON object")
        require(event.get("type") == kind, f"type {kind!r} must follow here, not {event.get('type')!r}")
        missing = [field for field in FIELDS[kind] if field not in event]
        require(not missing, f"missing fields: {', '.join(missing)}")
        return event


def referee(events: Iterable[Event]) -> dict[str, Any]:
    """Check a whole transcript; return winner, reason, points and rounds, or raise RefereeError."""
    reader = Reader(events)
    try:
        game = Game(read_rules(reader.take("game")))
        while game.reason is None:
            for seat in list(game.due):
                read_draw(reader.take("draw"), game, seat)
            plays = [read_play(reader.take("play"), game, seat) for seat in (0, 1)]
            check_result(reader.take("result"), game.play(plays))
        check_end(reader.take("end"), game)
        require(reader.taken == len(reader.events), "events follow the end")
    except (RuleError, ValueError) as breach:
        raise RefereeError(f"event {reader.taken}: {breach}") from breach
    return {"winner": game.winner, "reason": game.reason, "points": list(game.points), "rounds": game.rounds}


def read_rules(event: Event) -> Rules:
    """The rules of the game line, which must name every option."""
    require(event["game"] == "colina", f"game is {event['game']!r}, not 'colina'")
    names = event["strategies"]
    require(is_list(names, str) and len(names) == 2, f"strategies must be one name a seat, not {names!r}")
    for field in ("seed", "index"):
        require(is_whole(event[field]), f"{field} must be a whole number, not {event[field]!r}")
    options = event["rules"]
    require(isinstance(options, Mapping), "rules must be an object")
    missing = [name for name in option_names() if name not in options]
    require(not missing, f"rules lack {', '.join(missing)}")
    require(not isinstance(options["jack_factor"], str), "jack_factor must be a number")
    return Rules.from_options(options)


def read_draw(event: Event, game: Game, seat: int) -> None:
    """Carry out the draw that `seat` is due."""
    check_seat(event, seat)
    cards, reshuffled = event["cards"], event["reshuffled"]
    check_cards(cards)
    require(isinstance(reshuffled, bool), f"reshuffled must be true or false, not {reshuffled!r}")
    game.draw(seat, cards, reshuffled)


def read_play(event: Event, game: Game, seat: int) -> Play:
    """The play of `seat` in the round that begins now."""
    check_round(event, game.rounds + 1)
    check_seat(event, seat)
    front, back = event["front"], event["back"]
    check_cards(front)
    check_cards([] if back is None else [back])
    game.check_play(seat, (front, back))
    return front, back


def check_result(event: Event, expected: RoundResult) -> None:
    """Compare the result line with what the round comes to."""
    check_round(event, expected.round)
    for field in ("totals", "damage", "points"):
        check_pair(event, field, getattr(expected, field))


def check_end(event: Event, game: Game) -> None:
    """Compare the end line with how the game ended."""
    winner = event["winner"]
    require(winner is None or is_whole(winner), f"winner must be a seat or null, not {winner!r}")
    require(winner == game.winner, f"winner is {winner}, must be {game.winner}")
    require(event["reason"] == game.reason, f"reason is {event['reason']!r}, must be {game.reason!r}")
    check_pair(event, "points", game.points)


def check_seat(event: Event, seat: int) -> None:
    """Require that the event is this seat's."""
    player = event["player"]
    require(is_whole(player) and player == seat, f"player is {player!r}, must be {seat}")


def check_round(event: Event, number: int) -> None:
    """Require that the event is of this round."""
    require(is_whole(event["round"]) and event["round"] == number, f"round is {event['round']!r}, must be {number}")


def check_pair(event: Event, field: str, expected: tuple[int, int]) -> None:
    """Require a list of exactly these two whole numbers."""
    pair = event[field]
    require(is_list(pair, int) and all(map(is_whole, pair)), f"{field} must be two whole numbers, not {pair!r}")
    require(list(pair) == list(expected), f"{field} is {pair}, must be {list(expected)}")


def check_cards(cards: object) -> None:
    """Require a list of cards that exist."""
    require(is_list(cards, str), f"cards must be a list of names, not {cards!r}")
    assert isinstance(cards, list)
    unknown = [card for card in cards if card not in KNOWN_CARDS]
    require(not unknown, f"no such cards: {unknown}")


def is_list(value: object, kind: type) -> bool:
    """Whether this is a list with items of one type."""
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)


def is_whole(value: object) -> bool:
    """Whether this is a whole number from 0 on; JSON's true and 1.0 are none."""
    return type(value) is int and value >= 0
