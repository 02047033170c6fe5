"""The slow reading of Saloon against the exact facts of the rule document and the figures of an independent engine."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, prod, sqrt

import pytest

from tests.slow.saloon import SUITS, Pay, Rules, actions, client_pack, deal, is_honest, number_pack, suit_of
from tests.slow.saloon_game import play, random_move
from tests.slow.transcript import known_answers

DEFAULT = Rules()
FACTS = [case["expect"] for case in known_answers("saloon")["cases"] if case["kind"] == "fact"]


def hands_by_suits(pack: list[str], size: int) -> dict[tuple[int, ...], Fraction]:
    """The chance of every division of a random hand among the suits."""
    each = Counter(map(suit_of, pack))
    divisions = [counts for counts in product(range(size + 1), repeat=4) if sum(counts) == size]
    ways = {counts: prod(map(comb, (each[suit] for suit in SUITS), counts)) for counts in divisions}
    return {counts: Fraction(number, comb(len(pack), size)) for counts, number in ways.items() if number}


def can_pay_honestly(rules: Rules) -> Fraction:
    """The chance that the opening hand can pay some client honestly, by every deal."""
    chance = Fraction(0)
    for (held, share), (there, part) in product(
        hands_by_suits(number_pack(rules), rules.hand_size).items(),
        hands_by_suits(client_pack(rules), rules.clients).items(),
    ):
        hand = [f"2{suit}" for suit, count in zip(SUITS, held, strict=True) for _ in range(count)]
        clients = [f"A{suit}" for suit, count in zip(SUITS, there, strict=True) for _ in range(count)]
        payments = [pay for pay in actions(rules, hand, clients, [1]) if isinstance(pay, Pay)]
        chance += any(is_honest(clients[pay.client], [hand[n] for n in pay.cards]) for pay in payments) * share * part
    return chance


def exact_facts() -> list[Fraction]:
    """The facts of the rule document in their order."""
    numbers, clients = number_pack(DEFAULT), client_pack(DEFAULT)
    hands = hands_by_suits(numbers, DEFAULT.hand_size).items()
    suits = [(sum(map(bool, there)), part) for there, part in hands_by_suits(clients, DEFAULT.clients).items()]
    return [
        sum((share for held, share in hands if held[0] >= 3), Fraction(0)),
        sum((share for held, share in hands if max(held) >= 3), Fraction(0)),
        sum((many * part for many, part in suits), Fraction(0)),
        can_pay_honestly(DEFAULT),
        *(hands_by_suits(numbers, size)[size, 0, 0, 0] for size in (3, 4)),
    ]


def test_the_exact_facts() -> None:
    found = exact_facts()
    assert [str(fact) for fact in found] == [fact["value"] for fact in FACTS]
    assert [float(fact) for fact in found] == pytest.approx([fact["decimal"] for fact in FACTS], abs=5e-11)


def test_the_chance_of_an_honest_payment_with_two_packs() -> None:
    assert float(can_pay_honestly(Rules(packs=2))) == pytest.approx(0.2701907046, abs=5e-11)


def test_random_play_goes_as_in_an_independent_engine() -> None:
    """The rule document's figures for two players, which had a standard error of their own."""
    rng, games = random.Random(2), 1200
    fired: Counter[str] = Counter()
    turns, first = [], 0
    for _ in range(games):
        game = play(DEFAULT, deal(DEFAULT, rng), lambda game: random_move(game, rng), rng)
        turns.append(game.turns)
        first += game.winner == 0
        fired += game.fired
    mean = sum(turns) / games
    error = sqrt(sum((number - mean) ** 2 for number in turns)) / games
    assert abs(mean - 19.451) < 4 * sqrt(error**2 + 0.022**2)
    assert abs(first / games - 0.5179) < 4 * 0.5 / sqrt(games)
    paid = sum(number for clause, number in fired.items() if clause.startswith(("SAL-3.4", "SAL-3.5")))
    shares = [number / sum(turns) for number in (paid, fired["SAL-2.3"], fired["SAL-2.2"])]
    assert shares == pytest.approx([0.6128, 0.2995, 0.0878], abs=0.015)
    assert (fired["SAL-3.4 honest"] + fired["SAL-3.5 honest"]) / paid == pytest.approx(0.0102, abs=0.004)
    assert fired["SAL-4.1"] / games == pytest.approx(1.208, abs=0.12)
