"""A referee for Sixty-Six transcripts: follows a game event by event and stops at the first breach.

It knows the rules (tests/slow/sixty_six.py) and the transcript format, and nothing of the program that wrote the
transcript. Every event is read for what chance or a player decided; that is done, and what it comes to is compared.
Fields beyond the required ones are ignored. The order of cards within a hand has no meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tests.slow.sixty_six import PACK, SUITS, Rules, option_names
from tests.slow.sixty_six_deal import Deal, Game
from tests.slow.transcript import Event, Reader, RefereeError, RuleError, check_cards, check_head, is_list, require

__all__ = ["RefereeError", "referee"]

FIELDS = {
    "game": ("game", "rules", "strategies", "seed", "index"),
    "deal": ("dealer", "hands", "turned_up"),
    "exchange": ("player", "gives", "takes"),
    "close": ("player",),
    "marriage": ("player", "suit", "points", "pending"),
    "trick": ("leader", "cards", "winner", "points"),
    "draw": ("player", "card"),
    "deal_end": ("points", "game_points", "winner", "reason"),
    "end": ("winner", "reason"),
}


def referee(events: Iterable[Event]) -> dict[str, Any]:
    """Check a whole transcript; return winner, reason, game_points and deals, or raise RefereeError."""
    reader = Reader(events, FIELDS)
    try:
        options = check_head(reader.take("game"), "sixty_six", 2, option_names())
        game = Game(Rules.from_options(options))
        while game.reason is None:
            deal = read_deal(reader, game)
            while deal.score is None:
                read_step(reader, deal)
            game.count()
        compare(reader.take("end"), {"winner": game.winner, "reason": game.reason})
        reader.finish()
    except (RuleError, ValueError) as breach:
        raise RefereeError(f"event {reader.taken}: {breach}") from breach
    return {
        "winner": game.winner,
        "reason": game.reason,
        "game_points": list(game.total),
        "deals": len(game.deals),
    }


def read_deal(reader: Reader, game: Game) -> Deal:
    """Deal the cards that the next event names."""
    event = reader.take("deal")
    hands = event["hands"]
    require(is_list(hands, list) and len(hands) == 2, f"hands must be two lists, not {hands!r}")
    for cards in [*hands, [event["turned_up"]]]:
        check_cards(cards, PACK)
    deal = game.deal(hands, event["turned_up"])
    check_told(reader, event, deal.told)
    return deal


def read_step(reader: Reader, deal: Deal) -> None:
    """Do what the next event says, and compare what it comes to."""
    event = reader.take("draw" if deal.due else kind_of_turn(reader))
    before = len(deal.told)
    STEPS[event["type"]](deal, event)
    check_told(reader, event, deal.told[before:])


def kind_of_turn(reader: Reader) -> str:
    """What the next event of a turn is: a trick, unless it says that it is something before the trick."""
    upcoming = reader.events[reader.taken : reader.taken + 1]
    for kind in ("exchange", "close", "marriage"):
        if upcoming and isinstance(upcoming[0], Mapping) and upcoming[0].get("type") == kind:
            return kind
    return "trick"


def check_told(reader: Reader, event: Event, told: list[dict[str, Any]]) -> None:
    """Compare the event in hand, and then those that must follow by themselves: an exchange, the end of the deal."""
    compare(event, told[0])
    for expected in told[1:]:
        compare(reader.take(expected["type"]), expected)


def read_draw(deal: Deal, event: Event) -> None:
    """A card from the stock."""
    check_cards([event["card"]], PACK)
    deal.draw(seat_of(event, "player"), event["card"])


def read_exchange(deal: Deal, event: Event) -> None:
    """An exchange by choice."""
    deal.exchange(seat_of(event, "player"))


def read_close(deal: Deal, event: Event) -> None:
    """The stock is closed."""
    deal.close(seat_of(event, "player"))


def read_marriage(deal: Deal, event: Event) -> None:
    """A marriage is declared."""
    suit = event["suit"]
    require(isinstance(suit, str) and suit in tuple(SUITS), f"no such suit: {suit!r}")
    deal.marry(seat_of(event, "player"), suit)


def read_trick(deal: Deal, event: Event) -> None:
    """A lead and its reply."""
    leader, cards = seat_of(event, "leader"), event["cards"]
    check_cards(cards, PACK)
    require(len(cards) == 2, f"a trick has two cards, not {cards}")
    deal.lead(leader, cards[0])
    deal.reply(1 - leader, cards[1])


STEPS: dict[str, Callable[[Deal, Event], None]] = {
    "draw": read_draw,
    "exchange": read_exchange,
    "close": read_close,
    "marriage": read_marriage,
    "trick": read_trick,
}


def seat_of(event: Event, field: str) -> int:
    """The seat that the event names."""
    seat = event[field]
    require(type(seat) is int and seat in (0, 1), f"{field} must be a seat, not {seat!r}")
    return int(seat)


def compare(event: Event, expected: Event) -> None:
    """Require every field of `expected`, to the type; the order within hands is the event's own."""
    for field, value in expected.items():
        require(same(event[field], value), f"{field} is {event[field]!r}, must be {value!r}")


def same(one: object, other: object) -> bool:
    """Whether two values are the same in JSON, where 1, 1.0 and true are three."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other
