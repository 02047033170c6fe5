"""A referee for Colina transcripts: follows a game event by event and stops at the first breach.

It knows the rules (tests/slow/colina.py) and the transcript format, and nothing of the program that wrote the
transcript. Fields beyond the required ones are ignored. The order of cards within one list has no meaning.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.slow.colina import Game, Play, RoundResult, Rules, option_names, pack
from tests.slow.transcript import (
    Event,
    Reader,
    RefereeError,
    RuleError,
    check_cards,
    check_head,
    check_seat,
    check_winner,
    is_list,
    is_whole,
    require,
)

FIELDS = {
    "game": ("game", "rules", "strategies", "seed", "index"),
    "draw": ("player", "cards", "reshuffled"),
    "play": ("round", "player", "front", "back"),
    "result": ("round", "totals", "damage", "points"),
    "end": ("winner", "reason", "points"),
}
KNOWN_CARDS = frozenset(pack(Rules()))


def referee(events: Iterable[Event]) -> dict[str, Any]:
    """Check a whole transcript; return winner, reason, points and rounds, or raise RefereeError."""
    reader = Reader(events, FIELDS)
    try:
        game = Game(read_rules(reader.take("game")))
        while game.reason is None:
            for seat in list(game.due):
                read_draw(reader.take("draw"), game, seat)
            plays = [read_play(reader.take("play"), game, seat) for seat in (0, 1)]
            check_result(reader.take("result"), game.play(plays))
        check_end(reader.take("end"), game)
        reader.finish()
    except (RuleError, ValueError) as breach:
        raise RefereeError(f"event {reader.taken}: {breach}") from breach
    return {"winner": game.winner, "reason": game.reason, "points": list(game.points), "rounds": game.rounds}


def read_rules(event: Event) -> Rules:
    """The rules of the game line, which must name every option."""
    options = check_head(event, "colina", 2, option_names())
    require(not isinstance(options["jack_factor"], str), "jack_factor must be a number")
    return Rules.from_options(options)


def read_draw(event: Event, game: Game, seat: int) -> None:
    """Carry out the draw that `seat` is due."""
    check_seat(event, seat)
    cards, reshuffled = event["cards"], event["reshuffled"]
    check_cards(cards, KNOWN_CARDS)
    require(isinstance(reshuffled, bool), f"reshuffled must be true or false, not {reshuffled!r}")
    game.draw(seat, cards, reshuffled)


def read_play(event: Event, game: Game, seat: int) -> Play:
    """The play of `seat` in the round that begins now."""
    check_round(event, game.rounds + 1)
    check_seat(event, seat)
    front, back = event["front"], event["back"]
    check_cards(front, KNOWN_CARDS)
    check_cards([] if back is None else [back], KNOWN_CARDS)
    game.check_play(seat, (front, back))
    return front, back


def check_result(event: Event, expected: RoundResult) -> None:
    """Compare the result line with what the round comes to."""
    check_round(event, expected.round)
    for field in ("totals", "damage", "points"):
        check_pair(event, field, getattr(expected, field))


def check_end(event: Event, game: Game) -> None:
    """Compare the end line with how the game ended."""
    check_winner(event, game.winner)
    require(event["reason"] == game.reason, f"reason is {event['reason']!r}, must be {game.reason!r}")
    check_pair(event, "points", game.points)


def check_round(event: Event, number: int) -> None:
    """Require that the event is of this round."""
    require(is_whole(event["round"]) and event["round"] == number, f"round is {event['round']!r}, must be {number}")


def check_pair(event: Event, field: str, expected: tuple[int, int]) -> None:
    """Require a list of exactly these two whole numbers."""
    pair = event[field]
    require(is_list(pair, int) and all(map(is_whole, pair)), f"{field} must be two whole numbers, not {pair!r}")
    require(list(pair) == list(expected), f"{field} is {pair}, must be {list(expected)}")
