"""The solver of Sixty-Six's endings against brute force, and in endings that can be worked out by hand."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from simkit.games import get_game
from simkit.games.sixty_six.cards import CARDS, code_of, name_of
from simkit.games.sixty_six.moves import CARD, MARRIAGE
from simkit.games.sixty_six.solver import add_values, reaches, solved
from simkit.games.sixty_six.state import VIEW
from simkit.jit import kernel
from tests.games.sixty_six_positions import cards, suit
from tests.slow import sixty_six_endings as brute
from tests.slow.sixty_six import PACK, Rules, random_rules

GAME = get_game("sixty_six")


@kernel
def all_values(views: Any, rules: Any, theirs: Any, totals: Any) -> None:
    for n in range(len(views)):
        view = views[n]
        add_values(view, rules[n], view.hand, theirs[n], view.closer, view.legal, totals[n])


@kernel
def all_reached(views: Any, rules: Any, theirs: Any, least: int, found: Any) -> None:
    for n in range(len(views)):
        view = views[n]
        found[n] = reaches(view, rules[n], view.hand, theirs[n], view.closer, least)


@kernel
def all_solved(views: Any, rules: Any, found: Any) -> None:
    for n in range(len(views)):
        move, value = solved(views[n], rules[n])
        found[n, 0], found[n, 1] = move, value


def view_of(ending: brute.Ending, seat: int) -> np.ndarray:
    """What seat 0 of an ending sees; in the view it has the seat given."""
    view = np.zeros(1, VIEW)
    hand, other = ending.hands
    couples = {card for card, declared in brute.moves(ending) if declared}
    fields = {
        "hand": cards(hand),
        "legal": cards({card for card, _ in brute.moves(ending)}),
        "couples": cards(couples),
        "led": -1 if ending.led is None else code_of(ending.led),
        "trumps": suit(ending.trump),
        "their_played": cards(set(PACK) - {*hand, *other}),
        "closer": -1 if ending.closer is None else ending.closer ^ seat,
        "seat": seat,
    }
    pairs = {"points": ending.points, "pending": ending.pending, "tricks": ending.tricks_won}
    for name, (mine, theirs) in pairs.items():
        fields |= {name: mine, f"their_{name}": theirs}
    for name, number in fields.items():
        view[name] = number
    return view


def rules_of(rules: Rules, **lab: Any) -> np.ndarray:
    return GAME.rules_record(GAME.resolve(vars(rules)), **lab)


def records(endings: Sequence[brute.Ending], **lab: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Views, rules and the opponent's hands; the player has seat 0 and seat 1 by turns."""
    views = np.concatenate([view_of(ending, n % 2) for n, ending in enumerate(endings)])
    rules = np.concatenate([rules_of(ending.rules, **lab) for ending in endings])
    return views, rules, np.array([cards(ending.hands[1]) for ending in endings], np.uint64)


def solver_values(endings: Sequence[brute.Ending], **lab: Any) -> np.ndarray:
    """The worth of each card of the pack in each ending, 0 for those that may not be played."""
    totals = np.zeros((len(endings), CARDS), np.int64)
    all_values(*records(endings, **lab), totals)
    return totals


def solver_moves(endings: Sequence[brute.Ending]) -> list[tuple[tuple[str, bool], int]]:
    """The move chosen in each ending, as in brute force, and its value."""
    views, rules, _ = records(endings)
    found = np.zeros((len(endings), 2), np.int64)
    all_solved(views, rules, found)
    return [((name_of(int(move) & CARD), bool(move & MARRIAGE)), int(value)) for move, value in found]


@cache
def random_endings() -> tuple[brute.Ending, ...]:
    """Thousands of endings of every kind: at a lead and a reply, closed by either or not, few cards or many."""
    rng = random.Random("endings of sixty-six")
    sizes = [1] * 300 + [2] * 1200 + [3] * 2000 + [4] * 800 + [5] * 50
    return tuple(brute.random_ending(rng, Rules(**random_rules(rng)), size) for size in sizes)


def test_the_endings_are_of_every_kind() -> None:
    endings = random_endings()
    kinds = {(e.closer, e.led is None, e.rules.last_trick, e.rules.must_head) for e in endings}
    assert len(kinds) == 3 * 2 * 3 * 2
    assert sum(max(e.pending) > 0 for e in endings) > 300
    assert sum(any(declared for _, declared in brute.moves(e)) for e in endings) > 200
    values = [max(brute.values(e).values()) for e in endings]
    assert {-3, -2, -1, 0, 1, 2, 3, 4, 5, -4, -5} == {*values}  # failed closes count up to 5


def test_the_solver_gives_every_card_the_value_that_brute_force_gives_it() -> None:
    """A card that may be led with its marriage or without it is worth what the better of the two is."""
    endings = random_endings()
    for ending, row in zip(endings, solver_values(endings), strict=True):
        expected = dict.fromkeys(PACK, 0)
        for (card, declared), value in brute.values(ending).items():
            if not declared or value > expected[card]:  # the undeclared lead comes first
                expected[card] = value
        assert {card: int(row[code_of(card)]) for card in PACK} == expected, ending


def test_a_marriage_that_may_be_declared_never_costs_anything() -> None:
    for ending in random_endings():
        values = brute.values(ending)
        assert all(value >= values[card, False] for (card, declared), value in values.items() if declared), ending


def test_the_solver_chooses_a_best_move() -> None:
    endings = [ending for ending in random_endings() if ending.closer is None]
    assert len(endings) > 1000
    for ending, (move, value) in zip(endings, solver_moves(endings), strict=True):
        expected = brute.values(ending)
        assert value == expected[move] == max(expected.values()), ending


def test_the_solver_knows_which_values_can_be_reached() -> None:
    endings = random_endings()
    best = np.array([max(brute.values(ending).values()) for ending in endings])
    for least in range(-5, 6):
        found = np.zeros(len(endings), np.bool_)
        all_reached(*records(endings), least, found)
        assert (found == (best >= least)).all()


# --- endings to work out by hand --------------------------------------------------------------------------------------


def ending(mine: str, theirs: str, points: brute.Pair, led: str | None = None, **options: Any) -> brute.Ending:
    """The stock exhausted, hearts trump, both have won a trick."""
    hands = tuple(mine.split()), tuple(theirs.split())
    return brute.Ending(Rules(**options), "h", None, hands, 0, led, points, (0, 0), (5, 5))


def worth_of(position: brute.Ending, card: str, **lab: Any) -> int:
    return int(solver_values([position], **lab)[0, code_of(card)])


def test_the_ace_of_trumps_takes_the_ten_home() -> None:
    """45 and 21 by the ace are 66."""
    assert worth_of(ending("Ah 9s", "10h As", (45, 43)), "Ah") == 1
    assert worth_of(ending("Ah 9s", "10h As", (44, 44)), "Ah") == 0  # 65, and then 55: nobody has 66
    assert worth_of(ending("Ah 9s", "10h As", (44, 44), last_trick="wins"), "Ah") == -1
    assert worth_of(ending("Ah 9s", "10h As", (34, 54), last_trick="bonus10"), "Ah") == -1  # 54 + 11 + 10


def test_a_marriage_is_worth_nothing_to_whom_it_is_barred() -> None:
    """46 and 20 are 66 at once; without them the opponent's ace and ten take 28 more."""
    position = ending("Ks Qs", "As 10s", (46, 46))
    assert worth_of(position, "Qs") == worth_of(position, "Ks") == 1
    assert worth_of(position, "Qs", barred=(2, 2)) == worth_of(position, "Ks", barred=(2, 2)) == -1
    assert worth_of(position, "Ks", barred=(1, 1)) == 1  # that of trumps is another
    assert worth_of(ending("Ks Qs", "As 10s", (46, 46), marriage_after_close=False), "Ks") == -1
