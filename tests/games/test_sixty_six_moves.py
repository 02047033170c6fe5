"""What strategies are offered to read off a view of Sixty-Six, against plain Python on the whole state."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from simkit.games import get_game
from simkit.games.sixty_six import moves
from simkit.games.sixty_six.cards import names_of
from simkit.games.sixty_six.moves import CLOSE, EXCHANGE, MARRIAGE
from tests.games.sixty_six_positions import asked, cards
from tests.slow.sixty_six import PACK, RANKS, SUITS, beats, points_of, rank_of, suit_of
from tests.tables import table_of

Moment = tuple[np.void, np.void]  # the view of the seat whose turn it is, and the state


def moments(deals: int) -> Iterator[Moment]:
    """Every decision of some games, closed and not."""
    for names, closing in ((["random"], True), (["greedy", "random"], False)):
        table = table_of(get_game("sixty_six"), names, {"closing": closing, "nine_exchange": "optional"}, seed=31)
        for deal in range(deals):
            for record in table.steps(deal, 0, np.zeros(1, table.engine.outcome)):
                seat = int(record["state"]["turn"])
                if seat >= 0:
                    with asked(table, seat):
                        table.legal_moves()  # writes the view
                    yield record["sight"], record["state"]


def hand_of_other(view: np.void, state: np.void) -> set[str]:
    return set(names_of(int(state["hand"][1 - int(view["seat"])])))


def test_the_opponent_s_hand_is_known_as_far_as_it_was_shown_and_wholly_at_the_end_of_the_stock() -> None:
    partly = wholly = 0
    for view, state in moments(60):
        known, held = set(names_of(int(moves.theirs(view)))), hand_of_other(view, state)
        assert known <= held
        partly += 0 < len(known) < len(held)
        if view["stock"] == 0:
            assert known == held
            wholly += 1
    assert partly > 100 and wholly > 100


def test_unseen_cards_are_those_in_the_opponent_s_hand_and_the_stock_that_were_never_shown() -> None:
    for view, state in moments(60):
        hidden = hand_of_other(view, state) - set(names_of(int(view["their_shown"])))
        assert set(names_of(int(moves.unseen(view)))) == hidden | set(names_of(int(state["stock"])))


def test_the_size_of_the_opponent_s_hand_is_counted_off() -> None:
    for view, state in moments(30):
        assert moves.their_hand_size(view) == len(hand_of_other(view, state))
        assert moves.is_lead(view) == (len(names_of(int(view["hand"]))) == len(hand_of_other(view, state)))


def test_winning_replies_are_the_legal_ones_that_beat_the_lead() -> None:
    seen = 0
    for view, _ in moments(60):
        if not moves.is_lead(view):
            trump, led = names_of(int(view["trumps"]))[0][-1], names_of(1 << int(view["led"]))[0]
            legal = names_of(int(view["legal"]))
            assert set(names_of(int(moves.winning(view)))) == {card for card in legal if beats(trump, led, card)}
            seen += 1
    assert seen > 500


def test_the_cheapest_card_is_no_trump_then_the_lowest_then_the_first_suit() -> None:
    rng = random.Random("cheapest")
    view = next(moments(1))[0]
    trump = names_of(int(view["trumps"]))[0][-1]
    for _ in range(200):
        some = rng.sample(PACK, rng.randint(1, 6))

        def price(card: str) -> tuple[bool, int, int]:
            return suit_of(card) == trump, RANKS.index(rank_of(card)), SUITS.index(suit_of(card))

        assert names_of(1 << moves.cheapest(view, np.uint64(cards(some)))) == [min(some, key=price)]


def test_a_set_of_cards_is_worth_the_sum_of_their_points() -> None:
    rng = random.Random("worth")
    for size in range(25):
        some = rng.sample(PACK, size)
        assert moves.worth(np.uint64(cards(some))) == sum(map(points_of, some))


@pytest.mark.parametrize("card", [0, 12, 23])
@pytest.mark.parametrize("flags", [0, MARRIAGE, CLOSE, CLOSE | EXCHANGE, MARRIAGE | CLOSE | EXCHANGE])
def test_a_move_can_be_taken_apart(card: int, flags: int) -> None:
    move = card | flags
    assert moves.card_of(move) == card
    parts = (moves.is_marriage(move), moves.is_close(move), moves.is_exchange(move))
    assert parts == (bool(flags & MARRIAGE), bool(flags & CLOSE), bool(flags & EXCHANGE))
