"""A game of Saloon told: transcript events, the words of a move and of a view, read off the compiled records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from simkit.games.saloon import counts as c
from simkit.games.saloon.cards import NO_CLIENT, SUITS, client_name, members, names, suit_of
from simkit.games.saloon.moves import (
    DOUBT,
    DRAW,
    HAND_LIMIT,
    JUDGE,
    PAY,
    TURN,
    WRONG_DOUBT,
    client_of,
    judge_of,
    places_of,
)
from simkit.games.saloon.piles import (
    ALL_IT_HAS,
    FEW_CARDS_DRAW,
    JUDGE_DRAW,
    LAST_BILL,
    OTHER_JUDGE,
    PAYER_DRAW,
    RESHUFFLED,
    RETURNED,
    SHORT,
    VOID,
)
from simkit.games.saloon.rules import MAX_PLAYERS
from simkit.games.saloon.turns import FIRST_CLOSE_REASON, LAST_STANDING_REASON, MAX_TURNS_REASON, REASONS

_ASKED = ("turn", "judge", "wrong doubt", "hand limit")
_RETURNED_ID = c.CLAUSE_IDS[c.C_RETURNED]
_REASON_WORDS = {
    "swap": " to swap it",
    "wrong_doubt": " for the wrong doubt",
    "hand_limit": " down to the hand limit",
    "closed": ", all that is left",
}
_WHY = {WRONG_DOUBT: "wrong_doubt", HAND_LIMIT: "hand_limit"}
_CHOICE_CLAUSES = ((LAST_BILL, c.C_LAST_BILL), (OTHER_JUDGE, c.C_OTHER_JUDGE), (VOID, c.C_VOID))
_AFTER_CLAUSES = ((ALL_IT_HAS, c.C_ALL_IT_HAS), (RETURNED, c.C_RETURNED))
_VERDICT_CLAUSES = (c.C_BELIEVED_HONEST, c.C_BELIEVED_BLUFF, c.C_WRONG_DOUBT, c.C_CAUGHT)


def _cards_at(hand: Any, hand_2: Any, places: int) -> list[str]:
    """The names of the cards at these places of a hand; a place beyond it is named by its number."""
    held = names(hand, hand_2)
    return [held[i] if i < len(held) else f"place {i}" for i in range(places.bit_length()) if places >> i & 1]


def move_words(view: np.void, move: int) -> str:
    """A move as `draw`, `swap 5h`, `pay 2h 5h 9h for Ah, judge 1`, `believe`, `doubt` or `discard 2h 3s`."""
    hand, hand_2, asked = view["hand"], view["hand_2"], int(view["asked"])
    if move < 0:
        return f"{move} (no such move)"
    if asked == JUDGE:
        return ("believe", "doubt")[move] if move <= DOUBT else f"{move} (no such move)"
    if asked != TURN:
        return f"discard {' '.join(_cards_at(hand, hand_2, move))}"
    if move == DRAW:
        return "draw"
    if move < PAY:
        if move > len(names(hand, hand_2)):
            return f"{move} (no such move)"
        return f"swap {' '.join(_cards_at(hand, hand_2, 1 << (move - 1)))}"
    client, judge = client_of.py_func(move), judge_of.py_func(move)
    cards = " ".join(_cards_at(hand, hand_2, places_of.py_func(move)))
    return f"pay {cards} for {client_name(client)}, judge {judge}"


def view_words(view: np.void) -> str:
    """What a seat saw, in one line."""
    clients = [" ".join(client_name(code) for code in members(word)) or "none" for word in view["clients"]]
    there = view["clients"] | view["sizes"] | view["places"]
    seats = [seat for seat in range(MAX_PLAYERS) if there[seat]]
    table = "; ".join(f"seat {seat} has clients {clients[seat]} and {view['sizes'][seat]} cards" for seat in seats)
    asked = _ASKED[int(view["asked"])]
    if int(view["client"]) != NO_CLIENT and asked == "judge":
        asked = f"to judge {view['count']} cards that seat {view['payer']} pays for {client_name(int(view['client']))}"
    elif asked != "turn":
        asked = f"to discard {view['count']} cards ({asked})"
    hand, discarded = (" ".join(names(view[field], view[f"{field}_2"])) for field in ("hand", "discard"))
    piles = f"{view['pile']} cards to draw, discarded {discarded or 'nothing'}"
    return f"turn {view['turns']}, asked: {asked}, hand {hand or 'empty'}; {table}; {piles}"


def _event(kind: str, clauses: Sequence[int] = (), **told: Any) -> dict[str, Any]:
    """An event with the clauses that belong to it."""
    return {"type": kind, **told, "clauses": [c.CLAUSE_IDS[clause] for clause in clauses]}


class Teller:
    """Turns the states of a game before and after each decision into transcript events."""

    def start(self, state: np.void) -> Iterator[dict[str, Any]]:
        """Clients and hands as dealt."""
        seats = range(int(state["open"]).bit_count())
        clients = [[client_name(code) for code in members(state["clients"][seat])] for seat in seats]
        hands = [names(state["hand"][seat], state["hand_2"][seat]) for seat in seats]
        yield _event("setup", clients=clients, hands=hands)

    def after(self, before: np.void, state: np.void, seat: int) -> Iterator[dict[str, Any]]:
        """What a decision of `seat` led to."""
        asked, move, payer = int(before["asked"]), int(state["move"]), int(before["payer"])
        if asked == TURN:
            yield _event("turn", player=seat)
            if move >= PAY:
                return  # the payment is told with its verdict
            if move != DRAW:
                cards = _cards_at(before["hand"][seat], before["hand_2"][seat], 1 << (move - 1))
                yield _event("discard", [c.C_SWAP], player=seat, cards=cards, why="swap")
            yield from _draw(state, seat, PAYER_DRAW, [c.C_DRAW] if move == DRAW else [])
        elif asked == JUDGE:
            yield _pay(before, state)
            yield from _draw(state, payer, PAYER_DRAW)
            yield from _draw(state, seat, JUDGE_DRAW)
        else:
            cards = _cards_at(before["hand"][seat], before["hand_2"][seat], move)
            clauses = [c.C_HAND_LIMIT] if asked == HAND_LIMIT else []
            yield _event("discard", clauses, player=seat, cards=cards, why=_WHY[asked])
        yield from _draw(state, payer, FEW_CARDS_DRAW, [c.C_FEW_CARDS])
        if int(state["closed"]) > int(before["closed"]):
            yield from _closed(before, state, payer)

    def end(self, state: np.void, outcome: np.void) -> dict[str, Any]:
        """How the game ended."""
        winner, reason = int(outcome["winner"]), int(state["end_reason"])
        ranks = [int(rank) for rank in outcome["rank"]]
        ranking = sorted((seat for seat in range(MAX_PLAYERS) if ranks[seat]), key=lambda seat: ranks[seat])
        clauses = {LAST_STANDING_REASON: [c.C_LAST_STANDING], MAX_TURNS_REASON: [c.C_UNFINISHED]}.get(reason, [])
        return _event(
            "end",
            clauses,
            winner=None if winner < 0 else winner,
            reason=REASONS[reason],
            ranking=ranking,
            scores=[int(outcome["scores"][seat]) for seat in range(len(ranking))],
        )


def _pay(before: np.void, state: np.void) -> dict[str, Any]:
    """A payment with its verdict."""
    payer, judge, client = (int(before[name]) for name in ("payer", "judge", "client"))
    doubted, cards = int(state["move"]), names(before["payment"], before["payment_2"])
    honest = all(SUITS.index(card[-1]) == suit_of.py_func(client) for card in cards)
    clauses = [clause for bit, clause in _CHOICE_CLAUSES if int(before["choice"]) >> bit & 1]
    clauses += [c.C_HONEST if honest else c.C_BLUFF, _VERDICT_CLAUSES[2 * doubted + (not honest)]]
    clauses += [clause for bit, clause in _AFTER_CLAUSES if int(state["events"]) >> bit & 1]
    return _event(
        "pay",
        clauses,
        player=payer,
        client=client_name(client),
        cards=cards,
        judge=judge,
        doubted=bool(doubted),
        honest=honest,
        freed=honest or not doubted,
    )


def _draw(state: np.void, player: int, place: int, clauses: Sequence[int] = ()) -> Iterator[dict[str, Any]]:
    """What was drawn at a place of the last decision, if a draw was called for."""
    events = int(state["events"])
    if not events >> place & 1:
        return
    reshuffled = bool(events >> RESHUFFLED + place & 1)
    fired = [*clauses]
    fired += [c.C_RESHUFFLED] if reshuffled else []
    fired += [c.C_SHORT] if events >> SHORT + place & 1 else []
    cards = names(state["drawn"][place], state["drawn_2"][place])
    yield _event("draw", fired, player=player, cards=cards, reshuffled=reshuffled)


def _closed(before: np.void, state: np.void, player: int) -> Iterator[dict[str, Any]]:
    """A saloon that closed, and the hand that its player lays off if the game is played to the last saloon."""
    yield _event("closed", [c.C_CLOSED], player=player)
    if int(state["end_reason"]) == FIRST_CLOSE_REASON and int(state["turn"]) < 0:
        return
    cards = names(before["hand"][player], before["hand_2"][player])
    if int(state["events"]) >> PAYER_DRAW & 1:
        cards += names(state["drawn"][PAYER_DRAW], state["drawn_2"][PAYER_DRAW])
    if cards:
        yield _event("discard", player=player, cards=cards, why="closed")


class Narrator:
    """Says the events of one game as a player would, in order: it keeps track of the hands.

    Args:
        names: what each seat is called.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.hands: list[list[str]] = [[] for _ in names]

    def words(self, event: Mapping[str, Any]) -> str:
        """One event, with the clauses that fired."""
        say: dict[str, Callable[[Mapping[str, Any]], str]] = {
            "setup": self._setup,
            "turn": self._turn,
            "pay": self._pay,
            "draw": self._draw,
            "discard": self._discard,
            "closed": lambda told: f"  {self.names[told['player']]} closes the saloon",
            "end": self._end,
        }
        clauses = f"   [{'; '.join(event['clauses'])}]" if event["clauses"] else ""
        return f"{say[event['type']](event)}{clauses}"

    def _setup(self, event: Mapping[str, Any]) -> str:
        self.hands = [list(hand) for hand in event["hands"]]
        told = zip(self.names, event["clients"], self.hands, strict=True)
        return "dealt: " + "; ".join(
            f"{name} has clients {' '.join(clients)} and holds {_listed(hand)}" for name, clients, hand in told
        )

    def _turn(self, event: Mapping[str, Any]) -> str:
        return f"turn of {self.names[event['player']]}, who holds {_listed(self.hands[event['player']])}"

    def _pay(self, event: Mapping[str, Any]) -> str:
        payer, judge = event["player"], self.names[event["judge"]]
        if _RETURNED_ID not in event["clauses"]:
            self._lay_off(payer, event["cards"])
        kind = "an honest payment" if event["honest"] else "a bluff"
        verdict = "doubts" if event["doubted"] else "believes"
        client = f"{event['client']} {'is freed' if event['freed'] else 'stays'}"
        paid = f"{self.names[payer]} pays {' '.join(event['cards'])} for {event['client']}, {kind}"
        return f"  {paid}; {judge} {verdict}: {client}"

    def _draw(self, event: Mapping[str, Any]) -> str:
        self.hands[event["player"]] += event["cards"]
        shuffled = " after the discard pile was shuffled" if event["reshuffled"] else ""
        return f"    {self.names[event['player']]} draws {_listed(event['cards'])}{shuffled}"

    def _discard(self, event: Mapping[str, Any]) -> str:
        self._lay_off(event["player"], event["cards"])
        return f"    {self.names[event['player']]} discards {_listed(event['cards'])}{_REASON_WORDS[event['why']]}"

    def _lay_off(self, player: int, cards: Sequence[str]) -> None:
        for card in cards:
            self.hands[player].remove(card)

    def _end(self, event: Mapping[str, Any]) -> str:
        ranking = ", ".join(self.names[seat] for seat in event["ranking"])
        if event["winner"] is None:
            return f"end: the limit of turns is reached and nobody has closed; ranking by seats {ranking}"
        why = {
            "first_close": "closed first and wins",
            "last_standing": "closed first and wins; one saloon is left open",
            "max_turns": "closed first; the limit of turns is reached",
        }[event["reason"]]
        return f"end: {self.names[event['winner']]} {why}; ranking {ranking}"


def _listed(cards: Sequence[str]) -> str:
    return " ".join(cards) if cards else "nothing"
