"""The course of a game of Saloon, for the rules in tests/slow/saloon.py."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from math import comb
from typing import Any, NamedTuple

from tests.slow.saloon import (
    Action,
    Answer,
    Discard,
    Draw,
    Move,
    Opening,
    Pay,
    Rules,
    Swap,
    actions,
    answers,
    bill,
    client_pack,
    discards,
    draw,
    is_honest,
    judges,
    next_seat,
    number_pack,
    outcome,
    ranking,
)
from tests.slow.transcript import require

ACT, ANSWER, DRAW, WRONG_DOUBT, HAND_LIMIT = "act", "answer", "draw", "wrong_doubt", "hand_limit"


class Step(NamedTuple):
    """What must be done next, and by whom; `cards` is how many to draw or to give up."""

    what: str
    seat: int
    cards: int = 0


class Payment(NamedTuple):
    """A payment on the table, waiting for its judge."""

    client: str
    cards: list[str]


def lacking(cards: Iterable[str], there: Iterable[str]) -> str:
    """Which of the cards are not there, or not so often; empty if all are."""
    return " ".join(sorted((Counter(cards) - Counter(there)).elements()))


class Game:
    """A game whose chance and choices come from outside, and are checked.

    Whoever drives it does what is `due` until that is None: `draw` when cards must be drawn; else one of `moves`, with
    `move` or, in the names of cards, with `draw_one`, `swap`, `pay`, `answer` and `discard`. Breaches raise RuleError
    and change nothing. What happens is put on `told` as events of a transcript. `pile` is the draw pile as a multiset,
    since nobody knows its order; `discards` is the discard pile, the last card on top.
    """

    def __init__(self, rules: Rules, clients: Sequence[Sequence[str]], hands: Sequence[Sequence[str]]) -> None:
        """Deal (SAL-1): the other number cards are the draw pile, the other clients are out of play."""
        for cards, size in ((clients, rules.clients), (hands, rules.hand_size)):
            require(len(cards) == rules.players, f"dealt to {len(cards)} seats instead of {rules.players}")
            for seat, dealt in enumerate(cards):
                require(len(dealt) == size, f"seat {seat} is dealt {len(dealt)} cards instead of {size}")
        for cards, pack in ((clients, client_pack(rules)), (hands, number_pack(rules))):
            wrong = lacking(chain(*cards), pack)
            require(not wrong, f"not in the pack, or not so often: {wrong}")
        self._set_up(rules, clients, hands)
        self.pile += Counter(number_pack(rules)) - Counter(chain(*hands))
        self.freed += (Counter(client_pack(rules)) - Counter(chain(*clients))).elements()
        self._tell("setup", clients=[list(own) for own in clients], hands=[list(hand) for hand in hands])
        self._begin_turn(0)

    def _set_up(self, rules: Rules, clients: Sequence[Sequence[str]], hands: Sequence[Sequence[str]]) -> None:
        self.rules = rules
        self.clients = [list(own) for own in clients]
        self.hands = [list(hand) for hand in hands]
        self.pile: Counter[str] = Counter()
        self.discards: list[str] = []
        self.freed: list[str] = []  # clients out of play
        self.last_judge: list[int | None] = [None] * rules.players
        self.closed: list[int] = []  # seats, the first to close first
        self.turns = 0  # finished ones
        self.to_move = 0  # whose turn it is
        self.payment: Payment | None = None
        self.steps: list[Step] = []  # of this turn, the one due first
        self.settled = False  # whether SAL-5.1 and SAL-5.2 have been applied to this turn
        self.reason: str | None = None  # "first_close", "last_standing" or "max_turns" once it has ended
        self.told: list[dict[str, Any]] = []
        self.fired: Counter[str] = Counter()  # how often each clause had a say

    @classmethod
    def at(cls, rules: Rules, position: Mapping[str, Any]) -> Game:
        """A game at a position of the known answers, at the start of a turn; no other cards exist in it."""
        game = cls.__new__(cls)
        game._set_up(rules, position["clients"], position["hands"])
        game.pile = Counter(position["pile"])
        game.discards = list(position["discard"])
        game.last_judge = list(position.get("last_judge", game.last_judge))
        game.closed = list(position.get("closed", []))
        game.turns = position.get("turns_done", 0)
        game._begin_turn(position["player"])
        return game

    @property
    def due(self) -> Step | None:
        """What must be done next; None when the game has ended."""
        return self.steps[0] if self.steps else None

    @property
    def ranking(self) -> list[int]:
        """The seats, the first to close first (SAL-5.3)."""
        return ranking(self.rules.players, self.closed)

    @property
    def winner(self) -> int | None:
        """The first to close, if anyone has (SAL-5.1, SAL-5.4)."""
        return self.closed[0] if self.closed else None

    def judges(self) -> list[int]:
        """Who may judge a payment of the seat to move (SAL-3.2)."""
        return judges(self.rules.players, self.to_move, self.closed, self.last_judge[self.to_move])

    def moves(self) -> Sequence[Move]:
        """All legal moves of the seat that is due."""
        step = self.due
        require(step is not None and step.what != DRAW, f"nobody is to choose: {step}")
        assert step is not None
        if step.what == ACT:
            return actions(self.rules, self.hands[step.seat], self.clients[step.seat], self.judges())
        return answers() if step.what == ANSWER else discards(self.hands[step.seat], step.cards)

    def move(self, move: Move) -> None:
        """Carry out one of `moves`."""
        step = self.due
        require(step is not None, "the game has ended")
        assert step is not None
        seat, hand = step.seat, self.hands[step.seat]
        match move:
            case Draw():
                self.draw_one(seat)
            case Swap(card):
                self.swap(seat, hand[card])
            case Pay(client, cards, judge):
                self.pay(seat, self.clients[seat][client], [hand[card] for card in cards], judge)
            case Answer(doubted):
                self.answer(seat, doubted)
            case Discard(cards):
                self.discard(seat, [hand[card] for card in cards])

    def _check(self, what: tuple[str, ...], seat: int, says: str) -> Step:
        """The step that is due, which must be one of these and this seat's."""
        step = self.due
        require(step is not None, f"seat {seat} may not {says}: the game has ended")
        assert step is not None
        require(step.what in what, f"seat {seat} may not {says}: due is {step.what}, by seat {step.seat}")
        require(step.seat == seat, f"seat {seat} may not {says}: seat {step.seat} must")
        return step

    # --- actions (SAL-2, SAL-3) ---

    def draw_one(self, seat: int) -> None:
        """Choose to draw a card (SAL-2.2)."""
        self._check((ACT,), seat, "act")
        self.fired["SAL-2.2"] += 1
        self.steps.append(Step(DRAW, seat, 1))
        self._go_on()

    def swap(self, seat: int, card: str) -> None:
        """Discard a card and choose to draw two (SAL-2.3)."""
        self._check((ACT,), seat, "act")
        self._give_up(seat, [card], "swap")
        self.fired["SAL-2.3"] += 1
        self.steps.append(Step(DRAW, seat, 2))
        self._go_on()

    def pay(self, seat: int, client: str, cards: Sequence[str], judge: int) -> None:
        """Lay cards face down for a client and choose a judge (SAL-3.1, SAL-3.2)."""
        self._check((ACT,), seat, "act")
        own, hand, allowed = self.clients[seat], self.hands[seat], self.judges()
        require(client in own, f"seat {seat} pays for {client}, but has {' '.join(own)}")
        cost, wrong = bill(self.rules, len(own)), lacking(cards, hand)
        require(len(cards) == cost, f"seat {seat} pays {len(cards)} cards, but the bill is {cost}")
        require(not wrong, f"seat {seat} pays {wrong} from {' '.join(hand)}")
        require(judge in allowed, f"seat {judge} may not judge seat {seat}, only {allowed}")
        for card in cards:
            hand.remove(card)
        self.fired["SAL-3.2"] += judge == self.last_judge[seat]  # the restriction is void
        self.last_judge[seat] = judge
        self.payment = Payment(client, list(cards))
        self.steps.append(Step(ANSWER, judge))
        self._go_on()

    def answer(self, seat: int, doubted: bool) -> None:
        """Believe or doubt the payment, which is then revealed (SAL-3.3 to SAL-3.7)."""
        self._check((ANSWER,), seat, "judge")
        assert self.payment is not None
        client, cards = self.payment
        payer, honest = self.to_move, is_honest(client, cards)
        result = outcome(self.rules, honest, doubted, len(self.hands[seat]))
        if result.freed:
            self.clients[payer].remove(client)
            self.freed.append(client)
        (self.hands[payer] if result.returned else self.discards).extend(cards)  # SAL-3.6: before anyone draws
        self.payment = None
        self.fired[f"SAL-3.{5 if doubted else 4} {'honest' if honest else 'bluff'}"] += 1
        self.fired["SAL-3.6"] += result.returned
        told = {"client": client, "cards": cards, "judge": seat, "doubted": doubted, "honest": honest}
        self._tell("pay", player=payer, **told, freed=result.freed)
        after = [(DRAW, payer, result.payer_draws), (DRAW, seat, result.judge_draws)]  # SAL-3.7: the payer first
        after.append((WRONG_DOUBT, seat, result.judge_discards))
        self.steps += [Step(*step) for step in after if step[-1] > 0]
        self._go_on()

    # --- cards (SAL-3.5, SAL-4, SAL-5.2) ---

    def draw(self, seat: int, cards: Sequence[str]) -> None:
        """Give these cards to the seat that is due to draw (SAL-4.1)."""
        step = self._check((DRAW,), seat, "draw")
        served = draw(self.pile.total(), len(self.discards), step.cards)
        size, there = sum(served), self.pile + Counter(self.discards if served.reshuffled else [])
        require(len(cards) == size, f"seat {seat} draws {len(cards)} cards instead of {size}")
        left, wrong = lacking(self.pile.elements(), cards), lacking(cards, there.elements())
        require(not (served.reshuffled and left), f"{left} must be drawn before the discards are shuffled")
        require(not wrong, f"not in the draw pile: {wrong}")
        self.pile = there - Counter(cards)
        if served.reshuffled:
            self.discards = []
        self.hands[seat] += cards
        self.fired["SAL-4.1"] += served.reshuffled
        self.fired["SAL-4.1 short"] += size < step.cards
        self._tell("draw", player=seat, cards=list(cards), reshuffled=served.reshuffled)
        self._go_on()

    def discard(self, seat: int, cards: Sequence[str]) -> None:
        """Give up the cards that the seat must (SAL-3.5, SAL-5.2)."""
        step = self._check((WRONG_DOUBT, HAND_LIMIT), seat, "discard")
        require(len(cards) == step.cards, f"seat {seat} discards {len(cards)} cards instead of {step.cards}")
        self._give_up(seat, cards, step.what)
        self._go_on()

    def _give_up(self, seat: int, cards: Sequence[str], why: str) -> None:
        hand, given = self.hands[seat], list(cards)  # `cards` may be the hand itself
        wrong = lacking(given, hand)
        require(not wrong, f"seat {seat} discards {wrong} from {' '.join(hand)}")
        for card in given:
            hand.remove(card)
        self.discards += given
        self._tell("discard", player=seat, cards=given, why=why)

    # --- turns (SAL-5) ---

    def _begin_turn(self, seat: int) -> None:
        self.to_move, self.steps, self.settled = seat, [Step(ACT, seat)], False
        self._tell("turn", player=seat)

    def _go_on(self) -> None:
        """Strike the step off that has just been done; after the last one the turn ends."""
        self.steps.pop(0)
        if not self.steps and not self.settled:
            self.settled = True
            self._settle(self.to_move)
        if not self.steps:
            self._pass_on()

    def _settle(self, seat: int) -> None:
        size, limit = len(self.hands[seat]), self.rules.hand_limit
        if not self.clients[seat]:  # SAL-5.1
            self._close(seat)
        elif size > limit:  # SAL-5.2
            self.fired["SAL-5.2 limit"] += 1
            self.steps.append(Step(HAND_LIMIT, seat, size - limit))
        elif size <= 1:
            self.fired["SAL-5.2 draw"] += 1
            self.steps.append(Step(DRAW, seat, 2))

    def _close(self, seat: int) -> None:
        self.closed.append(seat)
        self.fired["SAL-5.1"] += 1
        self._tell("closed", player=seat)
        if self.rules.play_to == "last_standing" and self.hands[seat]:  # SAL-5.3
            self._give_up(seat, self.hands[seat], "closed")

    def _pass_on(self) -> None:
        self.turns += 1
        self.reason = self._reason()
        if self.reason is None:
            self._begin_turn(next_seat(self.rules.players, self.to_move, self.closed))
        else:
            self.fired[f"SAL-{'5.4' if self.reason == 'max_turns' else '5.3'} {self.reason}"] += 1
            self._tell("end", winner=self.winner, reason=self.reason, ranking=self.ranking)

    def _reason(self) -> str | None:
        if self.closed and self.rules.play_to == "first_close":
            return "first_close"
        if len(self.closed) == self.rules.players - 1:  # SAL-5.3: one saloon is left
            return "last_standing"
        return "max_turns" if self.turns >= self.rules.max_turns else None

    def _tell(self, kind: str, **told: Any) -> None:
        self.told.append({"type": kind, **told})


# --- playing ----------------------------------------------------------------------------------------------------------

Chooser = Callable[[Game], Move]


def take(pile: list[str], discard_pile: Sequence[str], need: int, rng: random.Random) -> list[str]:
    """Take cards off an ordered pile, its top card first; when it runs short the discards are shuffled (SAL-4.1)."""
    served = draw(len(pile), len(discard_pile), need)
    drawn = [pile.pop(0) for _ in range(served.from_pile)]
    if served.reshuffled:
        pile[:] = rng.sample(discard_pile, len(discard_pile))
    return drawn + [pile.pop(0) for _ in range(served.from_discards)]


def play_on(game: Game, pile: list[str], choose: Chooser, rng: random.Random) -> None:
    """Play a game to its end; `pile` is its draw pile, the top card first, and `rng` shuffles the discards."""
    while game.due is not None:
        if game.due.what == DRAW:
            game.draw(game.due.seat, take(pile, game.discards, game.due.cards, rng))
        else:
            game.move(choose(game))


def play(rules: Rules, opening: Opening, choose: Chooser, rng: random.Random) -> Game:
    """A whole game from this opening."""
    game = Game(rules, opening.clients, opening.hands)
    play_on(game, list(opening.pile), choose, rng)
    return game


def random_move(game: Game, rng: random.Random) -> Move:
    """One of `Game.moves`, each as likely as the others, without listing them."""
    step = game.due
    assert step is not None
    places = range(len(game.hands[step.seat]))
    if step.what == ACT:
        return random_action(game, step.seat, rng)
    if step.what == ANSWER:
        return Answer(rng.random() < 0.5)
    return Discard(tuple(sorted(rng.sample(places, step.cards))))


def random_action(game: Game, seat: int, rng: random.Random) -> Action:
    """One of the legal actions of a turn, each as likely as the others."""
    size, clients, allowed = len(game.hands[seat]), len(game.clients[seat]), game.judges()
    cost = bill(game.rules, clients)
    number = rng.randrange(1 + size + clients * comb(size, cost) * len(allowed))
    if number == 0:
        return Draw()
    if number <= size:
        return Swap(number - 1)
    return Pay(rng.randrange(clients), tuple(sorted(rng.sample(range(size), cost))), rng.choice(allowed))
