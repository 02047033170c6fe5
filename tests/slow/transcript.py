"""What the slow readings and their referees share: errors, a reader of transcripts, checks of single fields."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

Event = Mapping[str, Any]


class RuleError(AssertionError):
    """Something happened that the rules do not allow."""


class RefereeError(AssertionError):
    """The transcript breaks the rules or the format; the message names the event, counted from 1."""


def require(condition: bool, message: str) -> None:
    """Raise RuleError with `message` unless `condition` holds."""
    if not condition:
        raise RuleError(message)


def known_answers(game: str) -> dict[str, Any]:
    """The known answers of a game: `cases` and `transcripts`."""
    path = Path(__file__).parents[1] / "data" / f"{game}.json"
    answers: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return answers


class Reader:
    """Hands out the events in order, each checked for its type and its fields."""

    def __init__(self, events: Iterable[Event], fields: Mapping[str, Sequence[str]]) -> None:
        """`fields` are the required ones of each type."""
        self.events = list(events)
        self.fields = fields
        self.taken = 0  # the number of the event in hand, counted from 1

    def take(self, kind: str) -> Event:
        """The next event, which must be of this type."""
        self.taken += 1
        require(self.taken <= len(self.events), f"the transcript stops where {kind!r} must follow")
        event = self.events[self.taken - 1]
        require(isinstance(event, Mapping), "not a JSON object")
        require(event.get("type") == kind, f"type {kind!r} must follow here, not {event.get('type')!r}")
        missing = [field for field in self.fields[kind] if field not in event]
        require(not missing, f"missing fields: {', '.join(missing)}")
        return event

    def finish(self) -> None:
        """Require that no event is left."""
        require(self.taken == len(self.events), "events follow the end")


def check_head(event: Event, game: str, seats: int, names: Sequence[str]) -> Mapping[str, Any]:
    """Check a game line; return its rules, which must give every option of `names`."""
    require(event["game"] == game, f"game is {event['game']!r}, not {game!r}")
    strategies = event["strategies"]
    fits = is_list(strategies, str) and len(strategies) == seats
    require(fits, f"strategies must be one name a seat, not {strategies!r}")
    for field in ("seed", "index"):
        require(is_whole(event[field]), f"{field} must be a whole number, not {event[field]!r}")
    options = event["rules"]
    require(isinstance(options, Mapping), "rules must be an object")
    missing = [name for name in names if name not in options]
    require(not missing, f"rules lack {', '.join(missing)}")
    assert isinstance(options, Mapping)
    return options


def check_seat(event: Event, seat: int) -> None:
    """Require that the event is this seat's."""
    player = event["player"]
    require(is_whole(player) and player == seat, f"player is {player!r}, must be {seat}")


def check_winner(event: Event, winner: int | None) -> None:
    """Require this winner, a seat or null."""
    told = event["winner"]
    require(told is None or is_whole(told), f"winner must be a seat or null, not {told!r}")
    require(told == winner, f"winner is {told}, must be {winner}")


def check_numbers(event: Event, field: str, expected: Sequence[int]) -> None:
    """Require a list of exactly these integers."""
    told = event[field]
    fits = isinstance(told, list) and all(type(number) is int for number in told)
    require(fits and len(told) == len(expected), f"{field} must be {len(expected)} integers, not {told!r}")
    require(told == list(expected), f"{field} is {told}, must be {list(expected)}")


def check_cards(cards: object, known: Collection[str]) -> None:
    """Require a list of cards that exist."""
    require(is_list(cards, str), f"cards must be a list of names, not {cards!r}")
    assert isinstance(cards, list)
    unknown = [card for card in cards if card not in known]
    require(not unknown, f"no such cards: {unknown}")


def is_list(value: object, kind: type) -> bool:
    """Whether this is a list with items of one type."""
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)


def is_whole(value: object) -> bool:
    """Whether this is a whole number from 0 on; JSON's true and 1.0 are none."""
    return type(value) is int and value >= 0


def check_refused(
    referee: Callable[[Any], Any], transcript: Any, tamper: Callable[[list[Any]], None], complaint: str
) -> None:
    """The referee refuses a transcript that was tampered with, and says why (a regular expression)."""
    events = copy.deepcopy(transcript)
    tamper(events)
    assert json.dumps(events) != json.dumps(transcript)  # 0 is no False here
    try:
        referee(events)
    except RefereeError as refused:
        assert re.search(complaint, str(refused)), str(refused)
    else:
        raise AssertionError(f"not refused: {complaint}")
