"""The slow reading of Hakka cards: the course of hands and games where it could slip, and general properties."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.slow.hakka import (
    ELDERS,
    NEVER_BEATING,
    PACK,
    SEATS,
    SUITS,
    Cards,
    Play,
    Rules,
    beats,
    dreamer_of,
    dreamer_tricks,
    elders,
    follows,
    in_order,
    leads,
    number_of,
    pattern_of,
    random_rules,
    score,
    standing,
    suit_of,
    turn_order,
    value_of,
)
from tests.slow.hakka_game import Dealt, Game, Hand, Move, deal, play_hand
from tests.slow.transcript import RuleError

DEFAULT = Rules()

# --- points where a reading could slip --------------------------------------------------------------------------------

TIGERS = Dealt(  # seat 1 has the Five Tigers and an Elder that matches the Dreamer's card
    {
        0: [f"S{number}" for number in range(2, 9)] + [f"G{number}" for number in range(2, 7)],
        1: ["S1", "G1", "Z1", "N1", "W"] + [f"Z{number}" for number in range(3, 10)],
        3: ["S9", "G7", "G8", "G9", "Z2"] + [f"N{number}" for number in range(2, 9)],
    },
    "N9",
)
YOUNG = [card for card in PACK if card not in ELDERS]
ALL_ELDERS = Dealt({0: [*ELDERS, *YOUNG[:5]], 1: YOUNG[5:17], 3: YOUNG[17:29]}, YOUNG[29])  # seat 0 has them
YES, NO = (Move("call", answer) for answer in (True, False))
TAKE, DECLINE = (Move("five_tigers", answer) for answer in (True, False))


def played(rules: Rules, *moves: Move, dealt: Dealt = TIGERS, dealer: int = 0) -> Hand:
    """A hand after these moves of whoever is to move."""
    hand = Hand(rules, dealer, dealt)
    for move in moves:
        hand.move(hand.to_move, move)
    return hand


def test_declined_tigers_are_not_offered_again() -> None:
    hand = played(DEFAULT, DECLINE)
    assert (hand.decision, hand.to_move) == ("call", 0)
    assert played(DEFAULT, DECLINE, NO, YES).decision == "lead"
    assert played(Rules(five_tigers="after_call"), NO, YES, DECLINE).decision == "lead"
    assert played(Rules(five_tigers="off")).decision == "call"


def test_tigers_before_the_call_leave_the_dealer_and_nobody_privileged() -> None:
    game = Game(DEFAULT)
    game.deal(0, TIGERS).move(1, TAKE)
    assert game.hands[0].result == (1, 8, 6, [-5, 8, 2, -5])  # Z9 matches
    assert (game.dealer, game.hands[0].privileged) == (0, None)


@pytest.mark.parametrize(
    ("calls", "points", "dealer"),
    [([YES], [-5, 8, 2, -5], 0), ([NO, YES], [-5, 8, 2, -5], 1), ([NO, NO, YES], [0, 8, 2, -10], 3)],
)
def test_tigers_after_the_call_win_against_a_privileged_player(
    calls: list[Move], points: list[int], dealer: int
) -> None:
    game = Game(Rules(five_tigers="after_call"))
    hand = game.deal(0, TIGERS)
    for move in [*calls, TAKE]:
        hand.move(hand.to_move, move)
    assert hand.result == (1, 8, 6, points)
    assert game.dealer == dealer


def test_a_cancelled_hand_gives_no_chance_of_tigers_after_the_call() -> None:
    assert played(Rules(five_tigers="after_call"), NO, NO, NO).cancelled


def test_tigers_take_no_trick_that_could_match() -> None:
    assert played(Rules(dream_match="winning_cards"), TAKE).result == (1, 8, 5, [-4, 8, 0, -4])


def test_the_five_tigers_can_be_led_together() -> None:
    found = leads(TIGERS.hands[1], (), False).sets
    assert Counter(map(len, found)) == {3: 10, 4: 5, 5: 1}


def test_elders_alone_are_no_claim_before_a_trick_is_won() -> None:
    hand = played(Rules(five_tigers="off"), YES, dealt=ALL_ELDERS)
    assert len(hand.elders(0)) == 7 and hand.decision == "lead"


def test_a_dealer_who_called_leads_no_elder_as_a_single() -> None:
    hand = played(DEFAULT, YES, dealt=ALL_ELDERS)
    assert [move.choice for move in hand.moves() if len(str(move).split()) == 2] == [(card,) for card in YOUNG[:5]]


def test_neither_the_own_hand_nor_the_dreamers_card_is_gone() -> None:
    hand = played(DEFAULT, DECLINE, YES)
    assert hand.gone == set()
    hand.move(0, Move("lead", ("S8",)))
    assert hand.gone == set()  # an Elder only with the next lead
    for seat in (1, 3):
        hand.move(seat, next(move for move in hand.moves() if move.kind != "lead"))
    assert hand.gone == {"S8", *hand.plays[1].cards, *hand.plays[2].cards}


def test_breaches_change_nothing() -> None:
    hand = played(DEFAULT, DECLINE, YES)
    before = {name: str(value) for name, value in vars(hand).items()}
    for seat, move, message in (
        (1, Move("lead", ("S1",)), "seat 0 must lead"),
        (0, Move("claim", True), "may not claim yes, but must lead"),
        (0, Move("lead", ("S9",)), "not in hand, or not so often: S9"),
        (0, Move("lead", ("S2", "S2", "S3")), "not in hand, or not so often: S2"),
        (0, Move("lead", ("G2",)), "may not lead G2, but: lead S2"),
        (0, Move("lead", ("S2", "S3")), "may not lead S2 S3, but"),
        (0, Move("lead", ()), "may not lead nothing, but"),
    ):
        with pytest.raises(RuleError, match=message):
            hand.move(seat, move)
    assert before == {name: str(value) for name, value in vars(hand).items()}


def test_deals_are_checked() -> None:
    hands = dict(TIGERS.hands)
    short, twice, unknown = hands[0][:11], ["S9", *hands[0][1:]], ["S0", *hands[0][1:]]
    for dealer, dealt, message in (
        (1, TIGERS, r"dealt to \[0, 1, 3\], not to \[0, 1, 2\]"),
        (0, Dealt({**hands, 0: short}, "N9"), "seat 0 is dealt 11 cards"),
        (0, Dealt({**hands, 0: twice}, "N9"), "not dealt once: S2 S9"),
        (0, Dealt(hands, "N3"), "not dealt once: N3 N9"),
    ):
        with pytest.raises(RuleError, match=message):
            Game(DEFAULT).deal(dealer, dealt)
    with pytest.raises(ValueError, match="not in tuple"):
        Game(DEFAULT).deal(0, Dealt({**hands, 0: unknown}, "N9"))


def test_the_next_hand_has_its_dealer_and_its_time() -> None:
    game = Game(Rules(max_redeals=2))
    game.deal(0, TIGERS)
    with pytest.raises(RuleError, match="before the end of the hand"):
        game.deal(0, TIGERS)
    for move in (DECLINE, NO, NO, NO):
        game.hands[0].move(game.hands[0].to_move, move)
    with pytest.raises(RuleError, match="seat 2 deals, but seat 0 must"):
        game.deal(2, TIGERS)
    game.deal(0, TIGERS)
    for move in (DECLINE, NO, NO, NO):
        game.hands[1].move(game.hands[1].to_move, move)
    assert game.reason == "max_redeals"
    with pytest.raises(RuleError, match="after the end of the game"):
        game.deal(0, TIGERS)


def test_an_unfinished_game_has_no_winner() -> None:
    rules, first = Rules(max_redeals=2), [2, -1, 0, -1]
    assert standing(rules, [first, None]) == (False, False, None, first)
    assert standing(rules, [first, None, None]) == (True, True, None, first)


# --- properties -------------------------------------------------------------------------------------------------------

ORDERS = st.permutations(PACK)
RULES = st.builds(Rules, ones_set=st.sampled_from(["lowest", "below_nine"]), must_beat=st.booleans())


def strength(rules: Rules, cards: Cards, led: bool) -> tuple[object, float]:
    """A second reading of HK-4.3: what can be compared, and how strong it is there."""
    kind, low = pattern_of(cards), min(map(number_of, cards))
    if kind == "single":
        return (kind, suit_of(cards[0])), 10 if led and cards[0] in NEVER_BEATING else low
    if kind == "run":
        return (kind, len(cards)), low - 10 * SUITS.index(suit_of(cards[0]))
    ones = 8.5 if led or rules.ones_set == "below_nine" else 0
    return (kind, len(cards)), low if low > 1 else ones


@settings(deadline=None)
@given(ORDERS, RULES, st.data())
def test_following_goes_by_strength(order: list[str], rules: Rules, data: st.DataObject) -> None:
    hand, other = order[:12], order[12:24]
    led = data.draw(st.sampled_from([cards for found in leads(hand, (), True) for cards in found]))
    kind, least = strength(rules, led, True)
    patterns = leads(other, set(order), False)  # all gone: every single is an Elder
    rivals = {cards: strength(rules, cards, False) for found in patterns for cards in found}
    expect = {cards for cards, (same, power) in rivals.items() if same == kind and power > least}
    found = follows(rules, [Play(0, led, False)], other)
    assert set(found.beats) == expect
    assert len(found.discards) == (0 if expect and rules.must_beat else comb(12, len(led)))


@settings(deadline=None, max_examples=30)
@given(ORDERS, st.integers(1, 9), st.integers(0, 25), st.booleans())
def test_the_leads_are_all_patterns_but_barred_singles(
    order: list[str], size: int, gone: int, privileged: bool
) -> None:
    hand, away = order[:size], set(order[size : size + gone])
    old = set(elders(hand, away))
    best = min((SUITS.index(suit_of(card)) for card in {*hand} - old), default=None)
    singles = {card for card in hand if card in old and (privileged or best is None)}
    singles |= {card for card in {*hand} - old if SUITS.index(suit_of(card)) == best}
    choices = [cards for number in range(1, size + 1) for cards in combinations(in_order(hand), number)]
    expect = {cards for cards in choices if pattern_of(cards) and (len(cards) > 1 or cards[0] in singles)}
    moves = [cards for found in leads(hand, away, privileged) for cards in found]
    assert set(moves) == expect and len(moves) == len(expect)
    assert moves, "somebody with cards cannot lead"


@given(ORDERS, st.integers(0, 36), st.integers(0, 36))
def test_elders_stay_elders_and_nothing_left_beats_them_as_singles(order: list[str], some: int, more: int) -> None:
    gone, left = set(order[:some]), order[some:]
    old = elders(left, gone)
    assert not any(beats(DEFAULT, [card], [other]) for card in old for other in left)
    assert set(old) <= set(elders(left, {*gone, *order[: some + more]}))


@given(st.integers(0, 3), st.integers(0, 2), st.integers(0, 3), st.integers(6, 12), st.integers(5, 9))
def test_points_sum_to_zero_and_turn_with_the_seats(
    dealer: int, winner: int, caller: int, tricks: int, dream: int
) -> None:
    order = turn_order(dealer, dealer)
    called = [None, *order][caller]
    points = score(DEFAULT, dealer, called, order[winner], tricks, dream)
    each, dreamed = value_of(DEFAULT, tricks), value_of(DEFAULT, dream)
    assert sum(points) == 0
    assert (points[order[winner]], points[dreamer_of(dealer)]) == (2 * each, 2 * dreamed)
    losers = sorted(points[seat] for seat in order if seat != order[winner])
    alone = called not in (None, dealer, order[winner])
    assert losers == ([-2 * (each + dreamed), 0] if alone else [-each - dreamed] * 2)
    turned = score(
        DEFAULT, (dealer + 1) % 4, None if called is None else (called + 1) % 4, (order[winner] + 1) % 4, tricks, dream
    )
    assert turned == [points[seat - 1] for seat in SEATS]


@settings(deadline=None, max_examples=30)
@given(st.randoms(use_true_random=False), st.integers(0, 3))
def test_hands_stay_equal_and_no_card_is_lost(rng: random.Random, dealer: int) -> None:
    hand = Hand(Rules.from_options(random_rules(rng)), dealer, deal(rng, dealer))

    def choose(hand: Hand) -> Move:
        if hand.decision == "lead":
            assert len({len(cards) for cards in hand.hands.values()}) == 1
        gone, lying = ([card for play in plays for card in play.cards] for plays in (hand.plays, hand.table))
        held = [card for cards in hand.hands.values() for card in cards]
        assert Counter([*gone, *lying, *held, hand.dreamer_card]) == Counter(PACK)
        assert 3 * sum(hand.tricks_won) == len(gone)
        return rng.choice(hand.moves())

    play_hand(hand, choose)
    assert hand.cancelled or (hand.result is not None and sum(hand.result.points) == 0)


@settings(deadline=None, max_examples=30)
@given(st.randoms(use_true_random=False), st.booleans())
def test_winning_cards_are_those_of_the_tricks_won_and_the_elders_claimed(rng: random.Random, claims: bool) -> None:
    hand = Hand(Rules(dream_match="winning_cards", five_tigers="off"), 0, deal(rng, 0))
    play_hand(hand, lambda hand: rng.choice(hand.moves()) if hand.decision != "claim" else Move("claim", claims))
    if hand.result is None or hand.result.winner is None:
        return
    winner, tricks, dream, _ = hand.result
    winning = [card for event in hand.told if event["type"] == "claim" for card in event["elders"]]
    for event in hand.told:
        if event["type"] == "trick" and event["winner"] == winner:
            winning += next(play["cards"] for play in event["plays"] if play["player"] == winner)
    assert len(winning) == len(set(winning)) == tricks
    assert dream == dreamer_tricks(hand.dreamer_card, winning)
