"""The slow reading of Colina against every known answer, exact facts and the rule document's own tables."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations
from math import comb
from typing import Any

import pytest

from tests.slow.colina import (
    JOKER,
    SUITS,
    Game,
    Rules,
    is_support,
    is_value,
    legal,
    moves,
    pack,
    random_rules,
    resolve,
)
from tests.slow.colina_cases import BACKS, MATRIX, VECTORS, WORKED, named, of_kind, worked_side
from tests.slow.transcript import RuleError

DEFAULT = Rules()


# --- known answers, one case a test -----------------------------------------------------------------------------------


def rules_of(case: dict[str, Any]) -> Rules:
    return Rules.from_options(case.get("rules", {}))


def plays_of(case: dict[str, Any]) -> list[Any]:
    return [(play["front"], play["back"]) for play in case["plays"]]


@of_kind("resolve")
def test_a_round_resolves_as_known(case: dict[str, Any]) -> None:
    rules, hands = rules_of(case), [play["hand"] for play in case["plays"]]
    for seat, play in enumerate(plays_of(case)):
        assert legal(rules, hands[seat], *play)
    result = resolve(rules, hands, plays_of(case))
    assert {"totals": list(result.totals), "damage": list(result.damage)} == case["expect"]


@of_kind("legal")
def test_a_play_is_legal_as_known(case: dict[str, Any]) -> None:
    assert legal(rules_of(case), case["hand"], case["front"], case["back"]) is case["expect"]["legal"]


def looks(hand: list[str], rules: Rules) -> Counter[tuple[tuple[str, ...], str | None]]:
    return Counter(
        (tuple(sorted(hand[place] for place in front)), None if back is None else hand[back])
        for front, back in moves(rules, hand)
    )


@of_kind("moves")
def test_the_moves_of_a_hand_are_as_known(case: dict[str, Any]) -> None:
    found, expect = looks(case["hand"], rules_of(case)), case["expect"]
    assert (found.total(), len(found)) == (expect["count"], expect["distinct_looking"])
    if "moves" in expect:
        assert found == {(tuple(sorted(move["front"])), move["back"]): move["ways"] for move in expect["moves"]}


def play_position(case: dict[str, Any]) -> tuple[Game, Any]:
    points = (case["points"][0], case["points"][1])
    game = Game.at(rules_of(case), case["round"], points, case["hands"], case.get("draw_pile"))
    return game, game.play(plays_of(case))


@of_kind("round")
def test_a_whole_round_goes_as_known(case: dict[str, Any]) -> None:
    result, expect = play_position(case)[1], case["expect"]
    assert result.round == case["round"]
    for field in ("totals", "damage", "points", "draws"):
        assert list(getattr(result, field)) == expect[field]
    end = None if result.reason is None else {"winner": result.winner, "reason": result.reason}
    assert end == expect["end"]


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case["id"]) for case in VECTORS["cases"] if "draw_pile" in case]
)
def test_a_refill_through_a_reshuffle_goes_as_known(case: dict[str, Any]) -> None:
    game, expect = play_position(case)[0], case["expect"]
    for seat, reshuffled, must_get in zip(expect["draws"], expect["reshuffled"], expect["must_get"], strict=True):
        dead = [card for card in game.dead.elements() if card not in must_get]
        fresh = dead[: game.rules.hand_size - len(must_get)]
        with pytest.raises(RuleError, match="left in the draw pile"):
            game.draw(seat, [*must_get[1:], *fresh, dead[-1]], reshuffled)
        with pytest.raises(RuleError, match="reshuffled is"):
            game.draw(seat, [*must_get, *fresh], not reshuffled)
        game.draw(seat, [*must_get, *fresh], reshuffled)
    assert (game.pile.total(), game.dead.total()) == (expect["draw_pile_after"], expect["dead_pile_after"])


@of_kind("pack")
def test_the_pack_is_as_known(case: dict[str, Any]) -> None:
    cards = pack(rules_of(case))
    counts = {"cards": len(cards), "value": sum(map(is_value, cards)), "support": sum(map(is_support, cards))}
    assert counts | {"jokers": cards.count(JOKER)} == case["expect"]


def test_every_known_answer_has_a_kind_tested_here() -> None:
    assert {case["kind"] for case in VECTORS["cases"]} == {"resolve", "legal", "moves", "round", "pack", "exact"}


# --- exact facts ------------------------------------------------------------------------------------------------------


def chance_of_none(rules: Rules, wanted: Callable[[str], bool]) -> Fraction:
    """P(no wanted card in a fresh hand)."""
    cards = pack(rules)
    return Fraction(comb(sum(not wanted(card) for card in cards), rules.hand_size), comb(len(cards), rules.hand_size))


def chance_of_siamese(rules: Rules, kind: Callable[[str], bool]) -> Fraction:
    """P(a siamese of this kind is available): all hands but those with at most one such card a suit."""
    cards, size = pack(rules), rules.hand_size
    a_suit = sum(kind(card) and card[-1] == SUITS[0] for card in cards)
    others = sum(not kind(card) for card in cards)
    without = sum(comb(4, n) * a_suit**n * comb(others, size - n) for n in range(min(4, size) + 1))
    return 1 - Fraction(without, comb(len(cards), size))


def mean_moves(rules: Rules) -> Fraction:
    """The mean number of legal moves in a fresh hand: every legal move of the pack, times P(the hand holds it)."""
    cards, size = pack(rules), rules.hand_size
    jokers = cards.count(JOKER)
    backs = sum(map(is_support, cards)) + jokers
    fronts: Counter[tuple[int, int]] = Counter()  # by (size, how many of its cards could have been the back)
    for kind in (is_value, is_support):
        a_suit = sum(kind(card) and card[-1] == SUITS[0] for card in cards)
        for n in range(1, size + 1):
            for j in range(size - n + 1 if n > 1 else 1):
                fronts[n + j, j + (n if kind is is_support else 0)] += 4 * comb(a_suit, n) * comb(jokers, j)
    fronts[1, 1] += jokers
    mean = Fraction(0)
    for (n, spent), ways in fronts.items():
        mean += ways * Fraction(comb(len(cards) - n, size - n), comb(len(cards), size))
        if n < size:
            pairs = ways * (backs - spent)
            mean += pairs * Fraction(comb(len(cards) - n - 1, size - n - 1), comb(len(cards), size))
    return mean


EXACT: dict[str, Callable[[Rules], Fraction]] = {
    "P(at least one joker in a fresh hand)": lambda rules: 1 - chance_of_none(rules, lambda card: card == JOKER),
    "P(no value card in a fresh hand)": lambda rules: chance_of_none(rules, is_value),
    "P(a value siamese is available in a fresh hand)": lambda rules: chance_of_siamese(rules, is_value),
}


@of_kind("exact")
def test_an_exact_chance_is_as_known(case: dict[str, Any]) -> None:
    chance = EXACT[case["note"]](rules_of(case))
    assert chance == Fraction(case["expect"]["fraction"])
    assert float(chance) == pytest.approx(case["expect"]["decimal"], abs=5e-11)


@pytest.mark.parametrize("rank", list("JQKA"))
def test_the_chance_to_hold_a_rank_of_support(rank: str) -> None:
    assert 1 - chance_of_none(DEFAULT, lambda card: card[:-1] == rank) == Fraction(8589307, 22780407)


def test_the_other_exact_facts_of_a_fresh_hand() -> None:
    assert comb(len(pack(DEFAULT)), 6) == 1_913_554_188
    assert float(1 - chance_of_none(DEFAULT, lambda card: card == JOKER)) == pytest.approx(0.2070349565, abs=5e-11)
    assert float(chance_of_none(DEFAULT, is_value)) == pytest.approx(0.0010178923, abs=5e-11)
    assert chance_of_siamese(DEFAULT, is_value) == Fraction(18300653, 22780407)
    assert float(chance_of_siamese(DEFAULT, is_support)) == pytest.approx(0.2380021276, abs=5e-11)
    assert mean_moves(DEFAULT) == Fraction(497058643, 22780407)


def test_every_hand_of_two_agrees_with_the_combinatorics() -> None:
    rules = Rules(hand_size=2)
    hands = [list(hand) for hand in combinations(pack(rules), 2)]
    found = [moves(rules, hand) for hand in hands]
    siamese = sum(is_value(hand[0]) and ((0, 1), None) in legal_ for hand, legal_ in zip(hands, found, strict=True))
    assert Fraction(siamese, len(hands)) == chance_of_siamese(rules, is_value) == Fraction(34, 321)
    assert Fraction(sum(map(len, found)), len(hands)) == mean_moves(rules)


def test_two_random_value_cards_tie_and_differ_as_known() -> None:
    cards = [card for card in pack(DEFAULT) if is_value(card)]
    rest = ["2s", "3h"]  # so that neither card is the last
    lost = [
        sum(resolve(DEFAULT, [[a, *rest], [b, *rest]], [([a], None), ([b], None)]).damage)
        for a, b in permutations(cards, 2)
    ]
    assert Fraction(lost.count(0), len(lost)) == Fraction(7, 71)
    assert Fraction(sum(lost), len(lost)) == Fraction(640, 213)


def test_no_round_costs_more_than_92() -> None:
    hand = ["10h", "10h", "9h", "9h", "8h", "Js"]
    assert legal(DEFAULT, hand, hand[:5], "Js")
    assert resolve(DEFAULT, [hand, ["*", "2s"]], [(hand[:5], "Js"), (["*"], None)]).damage == (0, 92)
    suit = sorted((int(card[:-1]) for card in pack(DEFAULT) if is_value(card) and card[-1] == "h"), reverse=True)
    assert max(2 * sum(suit[:5]), sum(suit[:6])) == 92  # the best five with a jack, the best six without


# --- the worked cases and the matrix of the rule document -------------------------------------------------------------


@pytest.mark.parametrize("of_b", BACKS)
@pytest.mark.parametrize("of_a", BACKS)
def test_six_against_ten_under_every_pair_of_backs(of_a: str | None, of_b: str | None) -> None:
    plays = [(["6h"], named(of_a, "s")), (["10d"], named(of_b, "c"))]
    hands = [[*front, "2c", *([back] if back else [])] for front, back in plays]
    lost = resolve(DEFAULT, hands, plays).damage
    assert lost[1] - lost[0] == MATRIX[of_a][BACKS.index(of_b)]


@pytest.mark.parametrize(("of_a", "of_b", "lost"), WORKED, ids=[f"{a}-{b}" for a, b, _ in WORKED])
def test_the_worked_cases(of_a: str, of_b: str, lost: tuple[int, int]) -> None:
    sides = [worked_side(of_a), worked_side(of_b)]
    hands, plays = [hand for hand, _ in sides], [play for _, play in sides]
    assert all(legal(DEFAULT, hand, *play) for hand, play in sides)
    assert resolve(DEFAULT, hands, plays).damage == lost


# --- points where a reading could slip --------------------------------------------------------------------------------


@pytest.mark.parametrize(("factor", "total"), [(1.16, 29), ("1.16", 29), (1.1, 27), (2, 50), (Fraction(5, 2), 62)])
def test_the_jack_factor_is_exact(factor: Any, total: int) -> None:
    rules, front = Rules.from_options({"jack_factor": factor}), ["10h", "8h", "7h"]
    hands = [[*front, "Js"], ["2c", "3c"]]
    assert resolve(rules, hands, [(front, "Js"), (["2c"], None)]).totals == (total, 2)


def test_a_pair_of_switches_holds_for_each_seat_alone() -> None:
    rules = Rules.from_options({"queen_on": [True, False], "ace_on": [False, True]})
    hands = [["9s"], ["Ah"]]
    assert resolve(rules, hands, [(["9s"], None), (["Ah"], None)]).damage == (4, 0)
    assert resolve(rules, hands[::-1], [(["Ah"], None), (["9s"], None)]).damage == (4, 0)
    jack_and_queen = [["9s", "Jh", "2c"], ["8d", "Qh", "2c"]]
    plays = [(["9s"], "Jh"), (["8d"], "Qh")]
    assert resolve(rules, jack_and_queen, plays).totals == (18, 8)
    assert resolve(rules, jack_and_queen[::-1], plays[::-1]).totals == (8, 9)


def test_one_switched_off_mirror_leaves_the_other_alone_under_void_round() -> None:
    rules = Rules.from_options({"double_mirror": "void_round", "ace_on": [True, False]})
    hands = [["4s", "Ah", "2c"], ["9c", "Ad", "2c"]]
    assert resolve(rules, hands, [(["4s"], "Ah"), (["9c"], "Ad")]).damage == (0, 5)


def test_a_last_card_mirror_and_a_back_line_mirror_are_two() -> None:
    hands, plays = [["Ac"], ["9d", "Ah", "2s"]], [(["Ac"], None), (["9d"], "Ah")]
    assert resolve(DEFAULT, hands, plays).damage == (4, 0)
    assert resolve(Rules(double_mirror="void_round"), hands, plays).damage == (0, 0)


def test_a_joker_may_lead_but_no_support_card_while_value_cards_are_held() -> None:
    rules, hand = Rules(support_front="no_value_cards"), ["2h", "*", "Ks", "Qs"]
    assert legal(rules, hand, ["*"], "Ks")
    assert not legal(rules, hand, ["Ks", "Qs"], None)
    assert legal(rules, hand[1:], ["Ks", "Qs", "*"], None)


def test_a_play_may_use_a_card_only_as_often_as_it_is_held() -> None:
    assert not legal(DEFAULT, ["9d", "4c"], ["9d", "9d"], None)
    assert not legal(DEFAULT, ["Ks", "4c"], ["Ks"], "Ks")
    assert not legal(DEFAULT, ["Ks"], [], "Ks")


def test_the_clauses_that_fired_are_told() -> None:
    hands, plays = [["7c", "Qh", "4c"], ["Ad"]], [(["7c"], "Qh"), (["Ad"], None)]
    assert resolve(DEFAULT, hands, plays).fired == {"COL-4.1", "COL-4.4", "COL-4.7"}
    queens = [["7c", "Qh"], ["8c", "Qs"]]
    assert resolve(DEFAULT, queens, [(["7c"], "Qh"), (["8c"], "Qs")]).fired == {"COL-4.4"}  # COL-4.8


@pytest.mark.parametrize("seed", range(20))
def test_seats_exchanged_exchange_the_outcome(seed: int) -> None:
    rng = random.Random(seed)
    options = random_rules(rng)
    turned = {name: value[::-1] if isinstance(value, list) else value for name, value in options.items()}
    rules, turned_rules = Rules.from_options(options), Rules.from_options(turned)
    for _ in range(100):
        cards = rng.sample(pack(rules), 12)
        hands = [cards[: rng.randint(1, 6)], cards[6 : rng.randint(7, 12)]]
        chosen = [(hand, rng.choice(moves(rules, hand))) for hand in hands]
        plays = [([hand[n] for n in front], None if back is None else hand[back]) for hand, (front, back) in chosen]
        result, other = resolve(rules, hands, plays), resolve(turned_rules, hands[::-1], plays[::-1])
        assert (other.totals, other.damage) == (result.totals[::-1], result.damage[::-1])
        assert min(result.damage) == 0  # COL-6.2


@pytest.mark.parametrize(
    "options",
    [
        {"hand_size": 0},
        {"hand_size": 7},
        {"jokers": 9},
        {"jokers": True},
        {"start_points": 0},
        {"max_rounds": 1.0},
        {"jack_factor": 0.99},
        {"jack_factor": 10.01},
        {"jack_factor": 1.005},
        {"jack_factor": float("nan")},
        {"jack_factor": True},
        {"king_on": [True]},
        {"king_on": 1},
        {"siamese_ranks": "all"},
        {"king_onn": True},
    ],
    ids=str,
)
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        Rules.from_options(options)
