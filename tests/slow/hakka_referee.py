"""A referee for Hakka transcripts: follows a game event by event and stops at the first breach.

It knows the rules (tests/slow/hakka.py) and the transcript format, and nothing of the program that wrote the
transcript. Every event is read for what chance or a player decided; that is done, and what it comes to is compared.
Five Tigers or a claim that somebody could have told and did not are declined. Fields beyond the required ones are
ignored. The order of the cards in a list has no meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tests.slow.hakka import PACK, SEATS, Play, Rules, in_order, option_names
from tests.slow.hakka_game import Dealt, Game, Hand, Move
from tests.slow.transcript import (
    Event,
    Reader,
    RefereeError,
    RuleError,
    check_cards,
    check_head,
    check_numbers,
    check_winner,
    is_whole,
    require,
)

__all__ = ["RefereeError", "referee"]

FIELDS = {
    "game": ("game", "rules", "strategies", "seed", "index"),
    "hand": ("dealer", "dreamer", "hands", "dreamer_card"),
    "five_tigers": ("player",),
    "call": ("player", "call"),
    "cancelled": (),
    "trick": ("leader", "pattern", "plays", "winner", "tricks"),
    "claim": ("player", "tricks", "elders"),
    "hand_end": ("winner", "winner_tricks", "dreamer_tricks", "points"),
    "end": ("winner", "reason", "points"),
}


def referee(events: Iterable[Event]) -> dict[str, Any]:
    """Check a whole transcript; return winner, reason, points, hands and cancelled, or raise RefereeError.

    `points` are those of the game, `hands` and `cancelled` how many hands counted and how many did not.
    """
    reader = Reader(events, FIELDS)
    try:
        game = Game(read_rules(reader.take("game")))
        while game.reason is None:
            read_hand(reader, game)
        check_end(reader.take("end"), game)
        reader.finish()
    except (RuleError, ValueError) as breach:
        raise RefereeError(f"event {reader.taken}: {breach}") from breach
    cancelled = sum(hand.cancelled for hand in game.hands)
    return {
        "winner": game.standing.winner,
        "reason": game.reason,
        "points": game.standing.points,
        "hands": len(game.hands) - cancelled,
        "cancelled": cancelled,
    }


def read_rules(event: Event) -> Rules:
    """The rules of the game line, which must name every option."""
    return Rules.from_options(check_head(event, "hakka", 4, option_names()))


def read_hand(reader: Reader, game: Game) -> None:
    """A deal and all that follows from it."""
    hand = read_deal(reader.take("hand"), game)
    while hand.decision is not None:
        read_step(reader, hand)
    if hand.result is None:
        reader.take("cancelled")
        return
    event, result = reader.take("hand_end"), hand.result
    check_winner(event, result.winner)
    check_count(event, "winner_tricks", result.winner_tricks)
    check_count(event, "dreamer_tricks", result.dreamer_tricks)
    check_numbers(event, "points", result.points)


def read_deal(event: Event, game: Game) -> Hand:
    """Carry out a deal."""
    hands = event["hands"]
    require(isinstance(hands, Mapping), f"hands must be an object, not {hands!r}")
    seats = {str(seat): seat for seat in SEATS}
    require(set(hands) <= set(seats), f"hands must be those of seats, not of {', '.join(map(repr, hands))}")
    for cards in [*hands.values(), [event["dreamer_card"]]]:
        check_cards(cards, PACK)
    dealt = {seats[name]: cards for name, cards in hands.items()}
    hand = game.deal(seat_of(event, "dealer"), Dealt(dealt, event["dreamer_card"]))
    check_count(event, "dreamer", hand.dreamer)
    return hand


def read_step(reader: Reader, hand: Hand) -> None:
    """What the seat to move does: said by the next event, or by its silence."""
    seat, upcoming = hand.to_move, next_kind(reader)
    if upcoming == "claim":
        read_claim(reader.take("claim"), hand)
    elif upcoming == "five_tigers":
        hand.move(seat_of(reader.take("five_tigers"), "player"), Move("five_tigers", True))
    elif hand.decision in ("claim", "five_tigers"):
        hand.move(seat, Move(hand.decision, False))
    elif hand.decision == "call":
        read_call(reader.take("call"), hand)
    else:
        read_trick(reader.take("trick"), hand)


def next_kind(reader: Reader) -> object:
    """The type of the next event, None if there is none."""
    upcoming = reader.events[reader.taken : reader.taken + 1]
    return upcoming[0].get("type") if upcoming and isinstance(upcoming[0], Mapping) else None


def read_call(event: Event, hand: Hand) -> None:
    """A call, or a pass."""
    called = event["call"]
    require(isinstance(called, bool), f"call must be true or false, not {called!r}")
    hand.move(seat_of(event, "player"), Move("call", called))


def read_claim(event: Event, hand: Hand) -> None:
    """A claim, compared with what the claimer has."""
    seat = seat_of(event, "player")
    old, tricks = hand.elders(seat) if seat in hand.hands else (), hand.tricks_won[seat]
    hand.move(seat, Move("claim", True))
    check_count(event, "tricks", tricks)
    check_cards(event["elders"], PACK)
    told = in_order(event["elders"])
    require(told == old, f"elders are {' '.join(told) or 'none'}, must be {' '.join(old) or 'none'}")


def read_trick(event: Event, hand: Hand) -> None:
    """Three plays, and what they come to."""
    plays = event["plays"]
    require(isinstance(plays, list) and len(plays) == 3, f"plays must be a list of three, not {plays!r}")
    before = len(hand.told)
    for number, told in enumerate(plays):
        play = play_of(told)
        kind = "discard" if play.discard else "beat" if number else "lead"
        hand.move(play.player, Move(kind, play.cards))
    check_count(event, "leader", plays[0]["player"])
    expected = hand.told[before]  # the end of the hand may follow
    require(
        event["pattern"] == expected["pattern"], f"pattern is {event['pattern']!r}, must be {expected['pattern']!r}"
    )
    check_winner(event, expected["winner"])
    check_numbers(event, "tricks", expected["tricks"])


def play_of(told: object) -> Play:
    """A play as told, not yet known to be legal."""
    require(isinstance(told, Mapping), f"a play must be an object, not {told!r}")
    assert isinstance(told, Mapping)
    missing = [field for field in Play._fields if field not in told]
    require(not missing, f"a play lacks {', '.join(missing)}")
    check_cards(told["cards"], PACK)
    require(isinstance(told["discard"], bool), f"discard must be true or false, not {told['discard']!r}")
    return Play(seat_of(told, "player"), tuple(told["cards"]), told["discard"])


def check_end(event: Event, game: Game) -> None:
    """Compare the end line with how the game ended."""
    check_winner(event, game.standing.winner)
    require(event["reason"] == game.reason, f"reason is {event['reason']!r}, must be {game.reason!r}")
    check_numbers(event, "points", game.standing.points)


def seat_of(event: Event, field: str) -> int:
    """The seat that the event names."""
    seat = event[field]
    require(is_whole(seat) and seat in SEATS, f"{field} must be a seat, not {seat!r}")
    return int(seat)


def check_count(event: Event, field: str, expected: int | None) -> None:
    """Require this whole number, or null."""
    told = event[field]
    require(type(told) is type(expected) and told == expected, f"{field} is {told!r}, must be {expected!r}")
