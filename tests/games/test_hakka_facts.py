"""Hakka cards as compiled against exact facts, an independent engine's figures, and what its rules imply.

Facts and figures are in the game's rule document: "Exact facts to test against" and "Figures from an independent
engine". Seeds are fixed; a tolerance is four standard errors, ours combined with theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, sqrt

import numpy as np
import pytest

from simkit.games import get_game
from simkit.games.hakka.cards import WAN_PLACE, cards_of
from tests.slow.hakka import ELDERS, PACK
from tests.tables import table_of

DEALS = 20_000  # of one rotation: 80,000 hands and more
HANDS = 40_000

Counts = Callable[[np.ndarray], np.ndarray]


def mean(values: np.ndarray) -> tuple[float, float]:
    """The mean and its standard error."""
    return float(values.mean()), float(values.std()) / sqrt(len(values))


# --- exact facts ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def dealt() -> np.ndarray:
    """The dealer's cards, shape (HANDS, 37) in the order of PACK, and behind them the Dreamer's, (HANDS, 74) in all."""
    table = table_of(get_game("hakka"), seed=21)
    outcome, sets = np.zeros(1, table.engine.outcome), np.zeros((2, HANDS), np.uint64)
    state = table.record[0]["state"]
    for deal in range(HANDS):
        table.engine.begin(table.record[0], outcome[0], table.seed, np.uint64(deal), 0)
        dealer = int(np.flatnonzero(state["dealt"] == 0)[0] + 2) % 4
        sets[:, deal] = state["dealt"][dealer], state["dream"]
    bits = np.array([cards_of([card]) for card in PACK], np.uint64)
    cards: np.ndarray = np.concatenate([(sets[i, :, None] & bits) != 0 for i in range(2)], 1).astype(np.int64)
    return cards


def by_suit(cards: np.ndarray) -> np.ndarray:
    """Which cards are held, by suit and number, shape (hands, 4, 9)."""
    suits: np.ndarray = cards[:, :36].reshape(-1, 4, 9)
    return suits


def by_number(cards: np.ndarray) -> np.ndarray:
    """How many cards are held of each number, the Wan Sin being a 1, shape (hands, 9)."""
    counts: np.ndarray = by_suit(cards).sum(1)
    counts[:, 0] += cards[:, 36]
    return counts


def elders(cards: np.ndarray) -> np.ndarray:
    """How many Elders of the start are held."""
    held: np.ndarray = cards[:, [PACK.index(card) for card in ELDERS]].sum(1)
    return held


def has_run(cards: np.ndarray) -> np.ndarray:
    suits = by_suit(cards)
    found: np.ndarray = (suits[:, :, :-2] * suits[:, :, 1:-1] * suits[:, :, 2:]).any((1, 2))
    return found


def matches(cards: np.ndarray) -> np.ndarray:
    """How many cards of the hand have the number of the Dreamer's card."""
    found: np.ndarray = (by_number(cards) * by_number(cards[:, 37:])).sum(1)
    return found


EXACT: dict[str, tuple[Counts, float]] = {
    "five tigers": (lambda cards: by_number(cards)[:, 0] == 5, 8 / 4403),
    "elders": (elders, 84 / 37),
    "six elders or more": (lambda cards: elders(cards) >= 6, 0.0023206318),
    "a set": (lambda cards: by_number(cards).max(1) >= 3, 0.7100241691),
    "a run": (has_run, 0.5276169007),
    "dreamer matches": (matches, 116 / 111),
    "a dreamer match": (lambda cards: matches(cards) > 0, 16081 / 22015),
}


@pytest.mark.parametrize("fact", EXACT)
def test_what_is_dealt_has_the_exact_chances(fact: str, dealt: np.ndarray) -> None:
    counts, exact = EXACT[fact]
    value, error = mean(counts(dealt))
    assert value == pytest.approx(exact, abs=4 * error)


def test_every_card_is_as_likely_in_a_hand_and_with_the_dreamer(dealt: np.ndarray) -> None:
    assert (dealt[:, :37].sum(1) == 12).all() and (dealt[:, 37:].sum(1) == 1).all()
    for cards, chance in ((dealt[:, :37], 12 / 37), (dealt[:, 37:], 1 / 37)):
        error = sqrt(chance * (1 - chance) / HANDS)
        assert cards.mean(0) == pytest.approx(np.full(37, chance), abs=4.5 * error)  # of 37 cards each


def test_the_five_tigers_come_to_an_active_player_as_often_as_they_should(random_play: np.ndarray) -> None:
    """At most one of the three has them."""
    agree(ratio(random_play, "tigers_dealt", "active_hands"), 8 / 4403, 0)


def test_with_the_five_tigers_taken_at_once_eight_tricks_are_won(random_play: np.ndarray) -> None:
    """`caller` always takes them; `random` declines half of them, and is not sure to win then."""
    taken = table_of(get_game("hakka"), ["caller"], seed=27).play(0, DEALS, 1)[:, 0]
    assert taken["tigers_dealt"].sum() > 300
    assert (taken["tigers_won"] == taken["tigers_dealt"]).all()
    assert (taken["tigers_points"] == 8 * taken["tigers_dealt"]).all()
    assert random_play["tigers_won"].sum() < random_play["tigers_dealt"].sum()
    assert random_play["tigers_points"].sum() < 8 * random_play["tigers_dealt"].sum()


# --- an independent engine's random play ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def random_play() -> np.ndarray:
    """Outcomes of `random` against itself, shape (DEALS,)."""
    return table_of(get_game("hakka"), seed=22).play(0, DEALS, 1)[:, 0]


def entry(outcomes: np.ndarray, field: str, role: int | None) -> np.ndarray:
    """A count of each game; of one by seat and role over all seats."""
    values = outcomes[field] if role is None else outcomes[field][:, :, role]
    total: np.ndarray = values.astype(float) if values.ndim == 1 else values.sum(1).astype(float)
    return total


def ratio(outcomes: np.ndarray, field: str, of: str, role: int | None = None) -> tuple[float, float]:
    """The sum of one count for each of another, and its standard error by the delta method."""
    a, b = entry(outcomes, field, role), entry(outcomes, of, role if "role" in of else None)
    value = a.sum() / b.sum()
    return value, float((a - value * b).std() / (b.mean() * sqrt(len(a))))


def agree(ours: tuple[float, float], theirs: float, their_error: float, unit: float = 0) -> None:
    """Our (value, error) is theirs within four combined standard errors and half a unit of their last digit."""
    assert ours[0] == pytest.approx(theirs, abs=4 * hypot(ours[1], their_error) + unit / 2)


DEALER, PRIVILEGED, ACTIVE, DREAMER = range(4)
FIGURES: dict[str, tuple[str, str, int | None, float, float, float]] = {  # field, of, role, theirs, error, unit
    "cancelled": ("hands_cancelled", "hands", None, 0.126, 0.001, 0.001),
    "claimed": ("claims", "hands_played", None, 0.804, 0.001, 0.001),
    "no winner": ("hands_without_winner", "hands_played", None, 0.114, 0.001, 0.001),
    "points of the Dreamer": ("points_role", "hands_role", DREAMER, 1.865, 0.007, 0.001),
    "points of the dealer": ("points_role", "hands_role", DEALER, -0.07, 0.03, 0.01),
    "wins of a Privileged caller": ("wins_role", "hands_role", PRIVILEGED, 0.343, 0.001, 0.001),
    "points of a Privileged caller": ("points_role", "hands_role", PRIVILEGED, -2.18, 0.05, 0.01),
    "tricks of the winner": ("winner_tricks", "hands_with_winner", None, 6.730, 0.001, 0.001),
    "tricks of the Dreamer": ("dreamer_tricks", "hands_with_winner", None, 6.007, 0.002, 0.001),
    "tricks a hand": ("tricks", "hands_played", None, 5.82, 0.005, 0.01),
}


@pytest.mark.parametrize("figure", FIGURES)
def test_random_play_has_the_figures_of_the_independent_engine(figure: str, random_play: np.ndarray) -> None:
    field, of, role, theirs, their_error, unit = FIGURES[figure]
    agree(ratio(random_play, field, of, role), theirs, their_error, unit)


def test_cards_run_out_as_often_as_in_the_independent_engine(random_play: np.ndarray) -> None:
    clauses = get_game("hakka").labels["clauses"]
    ran_out = random_play["clauses"][:, clauses.index("HK-6.2 ran out")]
    error = ratio(random_play, "hands_without_winner", "hands_played")[1]
    agree((ran_out.sum() / random_play["hands_played"].sum(), error), 0.079, 0.001, 0.001)


@pytest.mark.parametrize(("steps", "theirs"), [(0, -0.07), (1, -1.17), (3, -0.62)])
def test_points_by_turn_to_call_are_those_of_the_independent_engine(steps: int, theirs: float) -> None:
    """Games of one hand: the dealer, the second and the third to decide on a call."""
    outcomes = table_of(get_game("hakka"), rules={"hands": 1}, seed=26).play(0, 4 * DEALS, 1)[:, 0]
    dealers = outcomes["hands_role"][:, :, DEALER].argmax(1)
    points = np.take_along_axis(outcomes["scores"], ((dealers + steps) % 4)[:, None], 1)[:, 0]
    agree(mean(points), theirs, 0.03, 0.01)


def test_a_random_game_takes_as_many_decisions_as_there() -> None:
    table = table_of(get_game("hakka"), seed=23)
    table.play(0, 5_000, 1)
    decisions = float(table.record["decisions"][0]) / 5_000
    assert decisions == pytest.approx(84.3, abs=4 * 25 / sqrt(5_000) + 0.05)  # 25: the spread of a game's length


# --- what a C program of the same players printed, in 100,000 games ---------------------------------------------------

CALLERS: dict[str, tuple[str, str, float, float]] = {  # field, of, theirs, unit
    "cancelled": ("hands_cancelled", "hands", 0.08705, 0.0005),
    "claimed": ("claims", "hands_played", 0.90178, 0.0005),
    "no winner": ("hands_without_winner", "hands_played", 0.09228, 0.0005),
    "tricks a hand": ("tricks", "hands_played", 3.0877, 0.002),
    "tricks of the winner": ("winner_tricks", "hands_with_winner", 6.5081, 0.001),
}


@pytest.fixture(scope="module")
def callers() -> np.ndarray:
    """Outcomes of `caller` against itself, shape (DEALS,)."""
    return table_of(get_game("hakka"), ["caller"], seed=24).play(0, DEALS, 1)[:, 0]


@pytest.mark.parametrize("figure", CALLERS)
def test_callers_play_as_those_of_an_independent_program(figure: str, callers: np.ndarray) -> None:
    field, of, theirs, unit = CALLERS[figure]
    ours = ratio(callers, field, of)
    agree(ours, theirs, ours[1] / sqrt(5), unit)  # five times as many games


# --- bounds -----------------------------------------------------------------------------------------------------------


def test_points_sum_to_zero_and_hands_to_those_dealt(random_play: np.ndarray) -> None:
    for outcomes in (random_play, table_of(get_game("hakka"), ["caller", "random"], seed=25).play(0, 500).ravel()):
        assert not outcomes["scores"].sum(1).any()
        assert not outcomes["points_role"].sum((1, 2)).any()
        assert (outcomes["points_role"].sum(2) == outcomes["scores"]).all()
        assert (outcomes["hands_role"].sum((1, 2)) == 4 * outcomes["hands_played"]).all()
        assert (outcomes["hands_played"] + outcomes["hands_cancelled"] == outcomes["hands"]).all()
        assert (outcomes["won_with"].sum(1) == outcomes["hands_won"].sum(1)).all()
        assert (outcomes["points_role"][:, :, DREAMER] >= 0).all()


def test_the_wan_sin_has_a_place_of_its_own() -> None:
    assert cards_of(PACK).bit_count() == 37 and cards_of(["W"]) == 1 << WAN_PLACE
