"""What seats hold and play by kind of card, counted in plain Python from nothing but a transcript.

Of each kind: how many cards were dealt to the first hand (−1 to who takes no part), the most that was held when
somebody decided, and how many were played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Event = Mapping[str, Any]
Kinds = dict[str, int]


class Recount:
    """Counts of every seat by kind.

    Attributes:
        dealt, held, played: kind -> count, by seat.
        unsure: kinds of cards that were led without being told, when a marriage ended a deal (SS-7.1).
    """

    def __init__(self, seats: int) -> None:
        self.dealt: list[Kinds] = []
        self.held: list[Counter[str]] = [Counter() for _ in range(seats)]
        self.played: list[Counter[str]] = [Counter() for _ in range(seats)]
        self.unsure: list[tuple[int, tuple[str, str]]] = []

    def note(self, now: Sequence[Kinds]) -> None:
        """What all hold now; the first time it is what they were dealt."""
        if not self.dealt:
            self.dealt = list(now)
        for most, kinds in zip(self.held, now, strict=True):
            most |= Counter(kinds)


# --- Hakka cards ------------------------------------------------------------------------------------------------------

HAKKA_ELDERS = {"S9", "G9", "Z9", "N9", "S1", "N1", "W"}


def hakka_kind(card: str) -> str:
    """The kind of a card."""
    return card if card in ("W", "S1", "N1") else card[1:]


def hakka_kinds(hand: Sequence[str] | None) -> Kinds:
    """What a hand holds; the Dreamer has none."""
    names = ["W", "S1", "N1", *map(str, range(1, 10)), "elders_3", "run", "set"]
    if hand is None:
        return dict.fromkeys(names, -1)
    numbers = Counter(card[1:] if card != "W" else "1" for card in hand)
    runs = [{f"{suit}{n + i}" for i in range(3)} for suit in "SGZN" for n in range(1, 8)]
    found = dict.fromkeys(names, 0) | Counter(map(hakka_kind, hand))
    found["elders_3"] = int(len(HAKKA_ELDERS & set(hand)) >= 3)
    found["run"] = int(any(run <= set(hand) for run in runs))
    return found | {"set": int(max(numbers.values(), default=0) >= 3)}


def hakka(events: Sequence[Event]) -> Recount:
    """A game of Hakka cards."""
    found = Recount(4)
    for event in events:
        if event["type"] == "hand":
            hands = [event["hands"].get(str(seat)) for seat in range(4)]
            found.note([hakka_kinds(hand) for hand in hands])
        elif event["type"] == "trick":
            for play in event["plays"]:
                if not play["discard"]:
                    found.played[play["player"]].update(map(hakka_kind, play["cards"]))
    return found


# --- Lost Cities ------------------------------------------------------------------------------------------------------


def lost_cities_kinds(hand: Sequence[str]) -> Kinds:
    """The features of a hand."""
    wagers = Counter(card[0] for card in hand if card[1:] == "$")
    colours = Counter(card[0] for card in hand)
    return {
        "wager_pair": sum(n >= 2 for n in wagers.values()),
        "colour_4": sum(n >= 4 for n in colours.values()),
    }


def lost_cities(events: Sequence[Event]) -> Recount:
    """A game of Lost Cities; what is drawn as a round ends is never looked at, when another round is dealt at once."""
    found, hands = Recount(2), [[""], [""]]
    for place, event in enumerate(events):
        if event["type"] == "deal":
            hands = [list(hand) for hand in event["hands"]]
        elif event["type"] == "turn":
            hand = hands[event["player"]]
            hand.remove(event["card"])
            hand.append(event["drawn"])
            if [each["type"] for each in events[place + 1 : place + 3]] == ["round", "deal"]:
                continue
        else:
            continue
        found.note([lost_cities_kinds(hand) for hand in hands])
    return found


# --- Sixty-Six --------------------------------------------------------------------------------------------------------


def sixty_six_kind(card: str, trump: str) -> str:
    """The kind of a card; that of the nine of trumps is none of these."""
    return f"trump_{card[:-1]}" if card[-1] == trump else card[:-1]


def sixty_six_kinds(hand: Sequence[str], trump: str) -> Kinds:
    """What a hand holds."""
    found = Counter(sixty_six_kind(card, trump) for card in hand)
    return found | Counter(trumps_3=int(sum(card[-1] == trump for card in hand) >= 3))


def sixty_six(events: Sequence[Event]) -> Recount:
    """A game of Sixty-Six."""
    found, hands, trump = Recount(2), [[""], [""]], ""
    for event, after in zip(events, [*events[1:], {"type": ""}], strict=True):
        match event["type"]:
            case "deal":
                hands, trump = [list(hand) for hand in event["hands"]], event["turned_up"][-1]
            case "exchange":
                hand = hands[event["player"]]
                hand[hand.index(event["gives"])] = event["takes"]
            case "draw":
                hands[event["player"]].append(event["card"])
            case "trick":
                for seat, card in zip((event["leader"], 1 - event["leader"]), event["cards"], strict=True):
                    hands[seat].remove(card)
                    found.played[seat][sixty_six_kind(card, trump)] += 1
            case "marriage" if after["type"] == "deal_end":
                couple = [sixty_six_kind(f"{rank}{event['suit'][0]}", trump) for rank in ("K", "Q")]
                found.unsure.append((event["player"], (couple[0], couple[1])))
        if trump:
            found.note([sixty_six_kinds(hand, trump) for hand in hands])
    return found


# --- Saloon -----------------------------------------------------------------------------------------------------------


def saloon_kinds(hand: Sequence[str], clients: Sequence[str], rules: Mapping[str, Any]) -> Kinds:
    """What a hand is to the clients, and these to each other."""
    cards, waiting = Counter(card[-1] for card in hand), Counter(client[-1] for client in clients)
    bill = rules["last_bill"] if len(clients) == 1 else rules["bill"]
    return {
        "off_suit": sum(n for suit, n in cards.items() if suit not in waiting) * bool(clients),
        "pair": sum(cards[suit] >= 2 for suit in waiting),
        "bill": sum(cards[suit] >= bill for suit in waiting),
        "triplet_clients": sum(n >= 3 for n in waiting.values()),
        "four_suits": int(len(waiting) == 4),
    }


def saloon(events: Sequence[Event]) -> Recount:
    """A game of Saloon."""
    rules: Mapping[str, Any] = events[0]["rules"]
    hands = [list(hand) for hand in events[1]["hands"]]
    clients = [list(own) for own in events[1]["clients"]]
    found = Recount(len(hands))
    for event in events[1:]:
        if event["type"] == "pay":
            _saloon_payment(found, event, hands, clients, rules)
        elif event["type"] == "draw":
            hands[event["player"]] += event["cards"]
        elif event["type"] == "discard":
            for card in event["cards"]:
                hands[event["player"]].remove(card)
        found.note([saloon_kinds(hand, own, rules) for hand, own in zip(hands, clients, strict=True)])
    return found


def _saloon_payment(
    found: Recount, event: Event, hands: list[list[str]], clients: list[list[str]], rules: Mapping[str, Any]
) -> None:
    seat, client, cards = event["player"], event["client"], event["cards"]
    suits = {each[-1] for each in clients[seat]}
    right = sum(card[-1] == client[-1] for card in cards)
    kinds = {"off_suit": sum(card[-1] not in suits for card in cards), "pair": int(right >= 2)}
    found.played[seat].update(kinds | {"bill": int(right == len(cards))})
    for card in cards:
        hands[seat].remove(card)
    if event["freed"]:
        clients[seat].remove(client)
    elif rules["caught_bluff_cards"] == "return":
        hands[seat] += cards


READERS: dict[str, Callable[[Sequence[Event]], Recount]] = {
    "hakka": hakka, "lost_cities": lost_cities, "sixty_six": sixty_six, "saloon": saloon
}  # fmt: skip
