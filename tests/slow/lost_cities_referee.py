"""A referee for Lost Cities transcripts: follows a game event by event and stops at the first breach.

It knows the rules (tests/slow/lost_cities.py) and the transcript format, and nothing of the program that wrote the
transcript. Fields beyond the required ones are ignored. The order of cards in a hand has no meaning.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.slow.lost_cities import Game, Rules, option_names, pack
from tests.slow.transcript import (
    Event,
    Reader,
    RefereeError,
    RuleError,
    check_cards,
    check_head,
    check_numbers,
    check_seat,
    check_winner,
    require,
)

FIELDS = {
    "game": ("game", "rules", "strategies", "seed", "index"),
    "deal": ("hands",),
    "turn": ("player", "card", "to", "from", "drawn"),
    "round": ("scores",),
    "end": ("winner", "reason", "scores"),
}
KNOWN_CARDS = frozenset(pack(Rules(colors=6)))


def referee(events: Iterable[Event]) -> dict[str, Any]:
    """Check a whole transcript; return what the game came to, or raise RefereeError.

    `rounds`, `starters` and `turns` have an item a round: its scores, who started it, and its half-turns.
    """
    reader = Reader(events, FIELDS)
    try:
        game = Game(read_rules(reader.take("game")))
        while game.reason is None:
            read_round(reader, game)
        check_end(reader.take("end"), game)
        reader.finish()
    except (RuleError, ValueError) as breach:
        raise RefereeError(f"event {reader.taken}: {breach}") from breach
    return {
        "winner": game.winner,
        "reason": game.reason,
        "scores": list(game.scores),
        "rounds": [list(round_.scores) for round_ in game.rounds],
        "starters": [round_.starter for round_ in game.rounds],
        "turns": [round_.turns for round_ in game.rounds],
    }


def read_rules(event: Event) -> Rules:
    """The rules of the game line, which must name every option."""
    return Rules.from_options(check_head(event, "lost_cities", 2, option_names()))


def read_round(reader: Reader, game: Game) -> None:
    """A deal, its turns and, in a match, the line that closes it (LC-4.6)."""
    read_deal(reader.take("deal"), game)
    while game.round.reason is None:
        read_turn(reader.take("turn"), game)
    if game.rules.rounds > 1:
        check_numbers(reader.take("round"), "scores", game.round.scores)


def read_deal(event: Event, game: Game) -> None:
    """Carry out a deal."""
    hands = event["hands"]
    require(isinstance(hands, list), f"hands must be a list, not {hands!r}")
    for hand in hands:
        check_cards(hand, KNOWN_CARDS)
    game.deal(hands)


def read_turn(event: Event, game: Game) -> None:
    """Carry out a turn."""
    seat = game.round.to_move
    check_seat(event, seat)
    check_cards([event["card"], event["drawn"]], KNOWN_CARDS)
    for field in ("to", "from"):
        require(isinstance(event[field], str), f"{field} must be a word, not {event[field]!r}")
    game.turn(seat, event["card"], event["to"], event["from"], event["drawn"])


def check_end(event: Event, game: Game) -> None:
    """Compare the end line with how the game ended."""
    check_winner(event, game.winner)
    require(event["reason"] == game.reason, f"reason is {event['reason']!r}, must be {game.reason!r}")
    check_numbers(event, "scores", game.scores)
