"""The course of a hand and of a game of Hakka cards, for the rules in tests/slow/hakka.py."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from tests.slow.hakka import (
    DREAM_TRICKS,
    HAND_SIZE,
    PACK,
    SEATS,
    SINGLE,
    TIGER_TRICKS,
    Cards,
    Play,
    Rules,
    Standing,
    best_of,
    dreamer_of,
    dreamer_tricks,
    elders,
    follows,
    has_five_tigers,
    in_order,
    is_elder,
    leads,
    may_claim,
    next_dealer,
    pattern_of,
    privileged_of,
    publicly_gone,
    run_out,
    score,
    standing,
    turn_order,
)
from tests.slow.transcript import require


class Dealt(NamedTuple):
    """The cards of a hand: twelve for each active seat, one for the Dreamer (HK-2.1)."""

    hands: Mapping[int, Sequence[str]]
    dreamer_card: str


def deal(rng: random.Random, dealer: int) -> Dealt:
    """A deal of the whole pack; no card is left over (HK-1.1, HK-2.1)."""
    pack = rng.sample(PACK, len(PACK))
    hands = {seat: in_order(pack.pop() for _ in range(HAND_SIZE)) for seat in turn_order(dealer, dealer)}
    return Dealt(hands, *pack)


class Move(NamedTuple):
    """What a player decides: five_tigers, call or claim, yes or no; lead, beat or discard these cards."""

    kind: str
    choice: bool | Cards

    def __str__(self) -> str:
        """As a player would say it."""
        if isinstance(self.choice, bool):
            return f"{self.kind} {'yes' if self.choice else 'no'}"
        return f"{self.kind} {' '.join(self.choice) or 'nothing'}"


class Result(NamedTuple):
    """What a hand that counts comes to; without a winner the first three are None (HK-6.2)."""

    winner: int | None
    winner_tricks: int | None
    dreamer_tricks: int | None
    points: list[int]


NO_WINNER = Result(None, None, None, [0, 0, 0, 0])


class Hand:
    """A hand whose deal and choices come from outside, and are checked.

    Whoever drives it calls `move` for the seat `to_move`, which has the `decision` five_tigers, call, lead, follow or
    claim, until that is None; the hand then has a `result`, or is cancelled. Breaches raise RuleError and change
    nothing. What happens is put on `told` as events of a transcript.
    """

    def __init__(self, rules: Rules, dealer: int, dealt: Dealt) -> None:
        """Deal (HK-2); the Five Tigers or the dealer's call come first."""
        self.rules = rules
        self.dealer = dealer
        self.dreamer = dreamer_of(dealer)
        self.dealt = {seat: in_order(cards) for seat, cards in dealt.hands.items()}
        self.dreamer_card = dealt.dreamer_card
        self._check_deal()
        self.hands = {seat: list(cards) for seat, cards in self.dealt.items()}
        self.caller: int | None = None
        self.table: list[Play] = []  # the trick being played
        self.plays: list[Play] = []  # of the tricks before
        self.tricks: list[tuple[int, int]] = []  # who won them, and how many they count
        self.winning: dict[int, list[str]] = {seat: [] for seat in self.dealt}  # cards that took tricks (HK-6.4)
        self.result: Result | None = None
        self.told: list[dict[str, Any]] = []
        self.fired: Counter[str] = Counter()  # how often each clause had a say
        hands = {str(seat): list(cards) for seat, cards in sorted(self.dealt.items())}
        self._tell("hand", dealer=dealer, dreamer=self.dreamer, hands=hands, dreamer_card=self.dreamer_card)
        self._offer_tigers("after_deal")

    def _check_deal(self) -> None:
        active = turn_order(self.dealer, self.dealer)
        require(set(self.dealt) == set(active), f"cards are dealt to {sorted(self.dealt)}, not to {sorted(active)}")
        for seat, cards in self.dealt.items():
            require(len(cards) == HAND_SIZE, f"seat {seat} is dealt {len(cards)} cards instead of {HAND_SIZE}")
        everything = Counter([*(card for cards in self.dealt.values() for card in cards), self.dreamer_card])
        wrong = [card for card in {*everything, *PACK} if everything[card] != 1 or card not in PACK]
        require(not wrong, f"not in the pack, or not dealt once: {' '.join(sorted(wrong))}")

    @property
    def cancelled(self) -> bool:
        """Whether the hand has ended without a call (HK-3.4)."""
        return self.decision is None and self.result is None

    @property
    def privileged(self) -> int | None:
        """The Privileged player (HK-3.3)."""
        return privileged_of(self.dealer, self.caller)

    @property
    def tricks_won(self) -> list[int]:
        """The tricks that each seat has won (HK-4.5)."""
        return [sum(count for seat, count in self.tricks if seat == one) for one in SEATS]

    @property
    def gone(self) -> set[str]:
        """The cards publicly gone (HK-5.2)."""
        return publicly_gone(self.rules, self.plays)

    def elders(self, seat: int) -> Cards:
        """The Elders in the hand of a seat."""
        return elders(self.hands[seat], self.gone)

    def moves(self) -> list[Move]:
        """Every distinct legal move of the seat to move."""
        require(self.decision is not None, "the hand has ended")
        hand = self.hands[self.to_move]
        if self.decision == "lead":
            found = leads(hand, self.gone, self.to_move == self.privileged)
            return [Move("lead", cards) for cards in (*found.singles, *found.runs, *found.sets)]
        if self.decision == "follow":
            beating, discards = follows(self.rules, self.table, hand)
            return [Move("beat", cards) for cards in beating] + [Move("discard", cards) for cards in discards]
        assert self.decision is not None
        return [Move(self.decision, True), Move(self.decision, False)]

    def move(self, seat: int, move: Move) -> None:
        """Carry out one of `moves`."""
        require(self.decision is not None, f"seat {seat} moves after the end of the hand")
        require(seat == self.to_move, f"seat {seat} moves, but seat {self.to_move} must {self.decision}")
        allowed = self.moves()
        kinds = {legal.kind for legal in allowed}
        words = f"seat {seat} may not {move}"
        require(move.kind in kinds, f"{words}, but must {' or '.join(sorted(kinds))}")
        if isinstance(move.choice, tuple):
            cards = in_order(move.choice)
            missing = Counter(cards) - Counter(self.hands[seat])
            require(not missing, f"{words}: not in hand, or not so often: {' '.join(missing)}")
            move = Move(move.kind, cards)
        some = "; ".join(map(str, allowed[:6]))
        require(move in allowed, f"{words}, but: {some}{'; ...' if len(allowed) > 6 else ''}")
        self._note(move, allowed)
        self._carry_out(move)

    def _note(self, move: Move, allowed: Sequence[Move]) -> None:
        if move.kind == "lead":
            singles = sum(pattern_of(choice) == SINGLE for _, choice in allowed if not isinstance(choice, bool))
            self.fired["HK-5.3"] += singles < len(self.hands[self.to_move])
        elif move.kind == "beat":
            self.fired["HK-4.4"] += self.rules.must_beat
        elif move.kind == "discard":
            self.fired["HK-4.4 by choice"] += allowed[0].kind == "beat"

    def _carry_out(self, move: Move) -> None:
        if move.kind == "five_tigers":
            self._answer_tigers(bool(move.choice))
        elif move.kind == "call":
            self._call(bool(move.choice))
        elif move.kind == "claim":
            self._claim(bool(move.choice))
        else:
            assert isinstance(move.choice, tuple)
            self._play(Play(self.to_move, move.choice, move.kind == "discard"))

    def _ask(self, decision: str | None, seat: int) -> None:
        self.decision, self.to_move = decision, seat

    def _offer_tigers(self, when: str) -> None:
        """At most one player has them (HK-2.2)."""
        for seat in self.dealt:
            if has_five_tigers(self.rules, self.dealt[seat], when):
                self._ask("five_tigers", seat)
                return
        self._after_tigers()

    def _answer_tigers(self, taken: bool) -> None:
        self.fired["HK-2.2" if taken else "HK-2.2 declined"] += 1
        if not taken:
            self._after_tigers()
            return
        seat = self.to_move
        self._tell("five_tigers", player=seat)
        self._win(seat, TIGER_TRICKS, ())  # HK-6.7: no cards took tricks

    def _after_tigers(self) -> None:
        self._ask("call" if self.caller is None else "lead", self.dealer)  # HK-3.1, HK-4.1

    def _call(self, called: bool) -> None:
        seat = self.to_move
        self._tell("call", player=seat, call=called)
        *_, last = turn_order(self.dealer, self.dealer)
        if called:  # HK-3.2
            self.caller = seat
            self.fired["HK-3.3"] += self.privileged is not None
            self._offer_tigers("after_call")
        elif seat != last:
            self._ask("call", turn_order(self.dealer, seat)[1])  # HK-3.1
        else:  # HK-3.4
            self.fired["HK-3.4"] += 1
            self._ask(None, seat)
            self._tell("cancelled")

    def _play(self, play: Play) -> None:
        self.table.append(play)
        for card in play.cards:
            self.hands[play.player].remove(card)
        if len(self.table) < len(self.dealt):
            self._ask("follow", turn_order(self.dealer, play.player)[1])  # HK-1.2
        else:
            self._end_trick()

    def _end_trick(self) -> None:
        best, led = best_of(self.table), self.table[0]
        winner = best.player
        self.tricks.append((winner, len(best.cards)))  # HK-4.5
        self.winning[winner] += best.cards
        self.plays += self.table
        plays = [play._asdict() | {"cards": list(play.cards)} for play in self.table]
        told = {"pattern": pattern_of(led.cards), "plays": plays, "winner": winner, "tricks": self.tricks_won}
        self._tell("trick", leader=led.player, **told)
        self.table = []
        if may_claim(self.tricks_won[winner], self.hands[winner], self.gone):  # HK-6.1
            self._ask("claim", winner)
        else:
            self._go_on(winner)

    def _claim(self, claimed: bool) -> None:
        seat = self.to_move
        if not claimed:
            self._go_on(seat)
            return
        tricks, old = self.tricks_won[seat], self.elders(seat)
        self.fired["HK-5.2"] += any(not is_elder(card, ()) for card in old)
        self.fired["HK-6.1"] += 1
        self._tell("claim", player=seat, tricks=tricks, elders=list(old))
        self._win(seat, tricks + len(old), old)

    def _go_on(self, winner: int) -> None:
        """The next trick (HK-4.1), if there are cards for it."""
        if self.hands[winner]:
            self._ask("lead", winner)
            return
        won = run_out(self.tricks)  # HK-6.2
        self.fired["HK-6.2" if won else "HK-6.2 no winner"] += 1
        if won:
            self._win(*won, ())
        else:
            self._end(NO_WINNER)

    def _win(self, winner: int, tricks: int, old: Cards) -> None:
        by_deal = self.rules.dream_match == "dealt_hand"
        dream = dreamer_tricks(self.dreamer_card, self.dealt[winner] if by_deal else [*self.winning[winner], *old])
        points = score(self.rules, self.dealer, self.caller, winner, tricks, dream)
        self.fired["HK-6.4"] += dream > DREAM_TRICKS
        self.fired["HK-6.6"] += self.privileged not in (None, winner)
        self._end(Result(winner, tricks, dream, points))

    def _end(self, result: Result) -> None:
        self.result = result
        self._ask(None, self.to_move)
        self._tell("hand_end", **result._asdict())

    def _tell(self, kind: str, **told: Any) -> None:
        self.told.append({"type": kind, **told})


class Game:
    """A game whose deals come from outside: while `standing` is not over, `deal` a hand and play it to its end."""

    def __init__(self, rules: Rules) -> None:
        """Nothing dealt yet."""
        self.rules = rules
        self.hands: list[Hand] = []

    @property
    def standing(self) -> Standing:
        """How the game stands after the hands that have ended."""
        ended = [hand for hand in self.hands if hand.decision is None]
        return standing(self.rules, [hand.result.points if hand.result else None for hand in ended])

    @property
    def reason(self) -> str | None:
        """Why the game has ended, None while it goes on."""
        if not self.standing.over:
            return None
        return "max_redeals" if self.standing.unfinished else "hands"

    @property
    def dealer(self) -> int | None:
        """The dealer of the next hand, None if chance decides (HK-1.2)."""
        return next_dealer(self.hands[-1].dealer, self.hands[-1].caller) if self.hands else None

    @property
    def fired(self) -> Counter[str]:
        """How often each clause had a say."""
        return sum((hand.fired for hand in self.hands), Counter[str]())

    def deal(self, dealer: int, dealt: Dealt) -> Hand:
        """Deal these cards."""
        require(not self.standing.over, "nobody deals after the end of the game")
        require(all(hand.decision is None for hand in self.hands), "nobody deals before the end of the hand")
        require(self.dealer in (None, dealer), f"seat {dealer} deals, but seat {self.dealer} must")
        self.hands.append(Hand(self.rules, dealer, dealt))
        return self.hands[-1]

    def events(self, strategies: Sequence[str], seed: int, index: int) -> list[dict[str, Any]]:
        """The transcript of a game that has ended."""
        head = {"rules": self.rules.options(), "strategies": list(strategies), "seed": seed, "index": index}
        end = {"winner": self.standing.winner, "reason": self.reason, "points": self.standing.points}
        told = [event for hand in self.hands for event in hand.told]
        return [{"type": "game", "game": "hakka", **head}, *told, {"type": "end", **end}]


Chooser = Callable[[Hand], Move]  # one of the hand's `moves`, for the seat to move


def play_hand(hand: Hand, choose: Chooser) -> None:
    """Play a hand to its end."""
    while hand.decision is not None:
        hand.move(hand.to_move, choose(hand))


def play_game(rules: Rules, choose: Chooser, rng: random.Random) -> Game:
    """A whole game: chance decides the first dealer and the cards, `choose` the moves of all seats."""
    game = Game(rules)
    while not game.standing.over:
        dealer = rng.randrange(4) if game.dealer is None else game.dealer
        play_hand(game.deal(dealer, deal(rng, dealer)), choose)
    return game


def at_random(rng: random.Random) -> Chooser:
    """Chooses evenly among the distinct legal moves."""
    return lambda hand: rng.choice(hand.moves())
