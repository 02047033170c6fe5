"""The slow reading of Hakka cards against every known answer, exact facts, worked cases and general properties."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import pytest

from tests.slow.hakka import (
    ELDERS,
    HAND_SIZE,
    PACK,
    SUITS,
    Cards,
    Play,
    Rules,
    beats,
    best_of,
    dreamer_tricks,
    elders,
    follows,
    has_five_tigers,
    leads,
    may_claim,
    next_dealer,
    number_of,
    option_names,
    publicly_gone,
    random_rules,
    run_out,
    runs,
    score,
    sets,
    standing,
    suit_of,
    turn_order,
)
from tests.slow.hakka_game import Dealt, Hand, Move, at_random, deal, play_game
from tests.slow.transcript import known_answers

Case = dict[str, Any]
DEFAULT = Rules()
CASES: list[Case] = known_answers("hakka")["cases"]


# --- known answers, one case a test -----------------------------------------------------------------------------------


def of_kind(kind: str) -> pytest.MarkDecorator:
    """Parametrises a test with the known answers of one kind, as `case`."""
    return pytest.mark.parametrize(
        "case", [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] == kind]
    )


def rules_of(case: Case) -> Rules:
    return Rules.from_options(case["options"])


def plays_of(told: list[Case]) -> list[Play]:
    return [Play(play.get("player", 0), tuple(play["cards"]), play["discard"]) for play in told]


def gone_of(case: Case) -> set[str]:
    """The cards publicly gone, as given or by the plays."""
    given = case["given"]
    return set(given["gone"]) if "gone" in given else publicly_gone(rules_of(case), plays_of(given["plays"]))


def listed(cards: list[Cards]) -> list[list[str]]:
    return [list(pattern) for pattern in sorted(cards, key=lambda pattern: [PACK.index(card) for card in pattern])]


def told_leads(hand: list[str], gone: set[str], privileged: bool) -> Case:
    singles, run_leads, set_leads = leads(hand, gone, privileged)
    return {"singles": [card for (card,) in singles], "runs": listed(run_leads), "sets": listed(set_leads)}


def told_follows(rules: Rules, table: list[Play], hand: list[str]) -> Case:
    beating, discards = follows(rules, table, hand)
    assert not discards or len(discards) == comb(len(hand), len(table[0].cards)) == len(set(discards))
    moves = len(beating) + len(discards)
    return {"beats": listed(beating), "discards": "any" if discards else "none", "moves": moves}


@of_kind("elders")
def test_the_elders_are_as_known(case: Case) -> None:
    assert {"elders": list(elders(case["given"]["hand"], gone_of(case)))} == case["expect"]


@of_kind("leads")
def test_the_leads_are_as_known(case: Case) -> None:
    assert told_leads(case["given"]["hand"], gone_of(case), case["given"]["privileged"]) == case["expect"]


@of_kind("follows")
def test_the_ways_to_follow_are_as_known(case: Case) -> None:
    table, hand = plays_of(case["given"]["table"]), case["given"]["hand"]
    assert told_follows(rules_of(case), table, hand) == case["expect"]


@of_kind("trick")
def test_a_trick_goes_as_known(case: Case) -> None:
    table: list[Play] = []
    for play in case["given"]["plays"]:
        beaten = not table or beats(rules_of(case), best_of(table).cards, play["cards"])
        table.append(Play(play["player"], tuple(play["cards"]), not beaten))
    best = best_of(table)
    found = {"discard": [play.discard for play in table], "winner": best.player, "won": len(best.cards)}
    assert found == case["expect"]


@of_kind("claim")
def test_a_claim_is_as_known(case: Case) -> None:
    hand, won, gone = case["given"]["hand"], case["given"]["tricks_won"], gone_of(case)
    old = elders(hand, gone)
    found = {"may_claim": may_claim(won, hand, gone), "elders": list(old), "tricks": won + len(old)}
    assert found == case["expect"]


@of_kind("calling")
def test_the_calling_goes_as_known(case: Case) -> None:
    dealer = case["given"]["dealer"]
    hand = Hand(Rules(five_tigers="off"), dealer, deal(random.Random(1), dealer))
    for called in case["given"]["calls"]:
        hand.move(hand.to_move, Move("call", called))
    assert {
        **{"dreamer": hand.dreamer, "order": turn_order(dealer, dealer), "cancelled": hand.cancelled},
        **{"caller": hand.caller, "privileged": hand.privileged, "next_dealer": next_dealer(dealer, hand.caller)},
        "leads": hand.to_move if hand.decision == "lead" else None,
    } == case["expect"]


@of_kind("five_tigers")
def test_the_five_tigers_win_as_known(case: Case) -> None:
    may_win = has_five_tigers(rules_of(case), case["given"]["dealt"], case["given"]["when"])
    assert {"may_win": may_win} == case["expect"]


@of_kind("score")
def test_a_hand_scores_as_known(case: Case) -> None:
    rules, given = rules_of(case), case["given"]
    assert ("winning" in given) is (rules.dream_match == "winning_cards")
    dream = dreamer_tricks(given["dreamer_card"], given.get("winning", given["dealt"]))
    points = score(rules, given["dealer"], given["caller"], given["winner"], given["winner_tricks"], dream)
    assert {"dreamer_tricks": dream, "points": points} == case["expect"]


@of_kind("run_out")
def test_the_cards_run_out_as_known(case: Case) -> None:
    winner, tricks = run_out(case["given"]["tricks"]) or (None, None)
    assert {"winner": winner, "winner_tricks": tricks} == case["expect"]


@of_kind("end")
def test_a_game_stands_as_known(case: Case) -> None:
    results = [None if points == "cancelled" else points for points in case["given"]["hands"]]
    assert standing(rules_of(case), results)._asdict() == case["expect"]


def state_of(hand: Hand) -> Case:
    """How a hand stands, in the words of the known answers."""
    if hand.decision is None:
        assert hand.result is not None
        end = {"hand_over": True, "next_dealer": next_dealer(hand.dealer, hand.caller)}
        return hand.result._asdict() | end
    state = {"to_move": hand.to_move, "decision": hand.decision, "tricks": hand.tricks_won}
    own = hand.hands[hand.to_move]
    if hand.decision == "lead":
        state |= told_leads(own, hand.gone, hand.privileged == hand.to_move)
    elif hand.decision == "follow":
        state |= told_follows(hand.rules, hand.table, own)
    elif hand.decision == "claim":
        state |= {"elders": list(hand.elders(hand.to_move))}
    return {"hand_over": False, **state}


def move_of(told: Case) -> tuple[int, Move]:
    """The seat and the move of a script."""
    ((kind, choice),) = [(field, value) for field, value in told.items() if field != "player"]
    return told["player"], Move(kind, tuple(choice) if isinstance(choice, list) else choice)


@of_kind("script")
def test_a_script_plays_as_known(case: Case) -> None:
    given = case["given"]
    dealt = Dealt({int(seat): cards for seat, cards in given["hands"].items()}, given["dreamer_card"])
    hand = Hand(rules_of(case), given["dealer"], dealt)
    for told in given["moves"]:
        hand.move(*move_of(told))
    assert state_of(hand) == case["expect"]


def test_every_known_answer_has_a_kind_tested_here() -> None:
    kinds = {"elders", "leads", "follows", "trick", "claim", "calling", "five_tigers", "score", "run_out", "end"}
    assert {case["kind"] for case in CASES} == {*kinds, "script"}


# --- exact facts ------------------------------------------------------------------------------------------------------

DEALS = comb(37, HAND_SIZE)  # the hands that one active player can be dealt


def without(groups: list[list[str]], pattern: Any) -> int:
    """The hands whose cards of each group hold no pattern; `pattern` lists those among some cards."""
    ways = Counter({0: 1})
    for group in groups:
        new: Counter[int] = Counter()
        for size in range(len(group) + 1):
            plain = sum(not pattern(cards) for cards in combinations(group, size))
            for before, number in ways.items():
                new[before + size] += number * plain
        ways = new
    return ways[HAND_SIZE]


def test_the_chance_of_five_tigers() -> None:
    chance = Fraction(comb(32, 7), DEALS)
    assert chance == Fraction(8, 4403)
    assert float(chance) == pytest.approx(0.0018169430, abs=5e-11)


def test_the_elders_in_a_dealt_hand() -> None:
    old = elders(PACK, ())
    assert set(old) == set(ELDERS) and len(old) == 7
    ways = [comb(7, number) * comb(30, HAND_SIZE - number) for number in range(8)]
    assert Fraction(sum(number * count for number, count in enumerate(ways)), DEALS) == Fraction(84, 37)
    assert sum(ways[6:]) / DEALS == pytest.approx(0.0023206318, abs=5e-11)


def test_the_chances_of_a_set_and_of_a_run() -> None:
    numbers = [[card for card in PACK if number_of(card) == number] for number in range(1, 10)]
    suits = [[card for card in PACK if suit_of(card) == suit] for suit in (*SUITS, "W")]
    assert 1 - without(numbers, sets) / DEALS == pytest.approx(0.7100241691, abs=5e-11)
    assert 1 - without(suits, runs) / DEALS == pytest.approx(0.5276169007, abs=5e-11)


def test_the_matches_of_the_dreamers_card() -> None:
    alike = [dreamer_tricks(card, PACK) - dreamer_tricks(card, [card]) for card in PACK]  # others of its number
    expected = sum(Fraction(number * HAND_SIZE, 36) for number in alike) / 37
    none = sum(Fraction(comb(36 - number, HAND_SIZE), comb(36, HAND_SIZE)) for number in alike) / 37
    assert expected == Fraction(116, 111)
    assert 1 - none == Fraction(16081, 22015)


def test_random_play_is_as_an_independent_engine_found_it() -> None:
    """Figures of the rule document, within five standard errors of this smaller sample."""
    rng, counted = random.Random(7), Counter[str]()
    hands = [hand for _ in range(150) for hand in play_game(DEFAULT, at_random(rng), rng).hands]
    for hand in hands:
        counted["cancelled"] += hand.cancelled
        counted["claim"] += hand.told[-2]["type"] == "claim"
        counted["run out"] += hand.fired["HK-6.2"]
        counted["no winner"] += hand.fired["HK-6.2 no winner"]
    found = {name: number / (len(hands) if name == "cancelled" else 600) for name, number in counted.items()}
    tricks = sum(len(hand.tricks) for hand in hands) / 600
    dream = sum(hand.result.points[hand.dreamer] for hand in hands if hand.result) / 600
    for name, chance in {"cancelled": 0.126, "claim": 0.804, "run out": 0.079, "no winner": 0.114}.items():
        assert found[name] == pytest.approx(chance, abs=5 * (chance * (1 - chance) / 600) ** 0.5), name
    assert tricks == pytest.approx(5.82, abs=0.4)
    assert dream == pytest.approx(1.865, abs=0.6)


# --- the worked cases of the rule document ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("caller", "tricks", "dream", "points"),
    [(0, 6, 5, [2, -1, 0, -1]), (1, 6, 5, [2, -2, 0, 0]), (0, 8, 8, [8, -8, 8, -8])],
)
def test_the_worked_scores(caller: int, tricks: int, dream: int, points: list[int]) -> None:
    assert score(DEFAULT, 0, caller, 0, tricks, dream) == points


@pytest.mark.parametrize(
    ("led", "beating", "failing"),
    [
        ("Z4", ["Z5"], ["G9", "W"]),
        ("S1 G1 W", ["S9 G9 Z9"], ["S8 G8 Z8"]),
        ("G3 G4 G5", ["S1 S2 S3", "G6 G7 G8"], ["Z7 Z8 Z9"]),
    ],
)
def test_the_worked_tricks(led: str, beating: list[str], failing: list[str]) -> None:
    found = [cards for cards in beating + failing if beats(DEFAULT, led.split(), cards.split())]
    assert found == beating


@pytest.mark.parametrize(("hand", "singles"), [("S9 S4 Z2 N9", "S4"), ("S9 N9 Z2", "Z2"), ("S9 N9", "S9 N9")])
def test_the_worked_leads(hand: str, singles: str) -> None:
    assert leads(hand.split(), (), False) == ([(card,) for card in singles.split()], [], [])


# --- options ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        *({name: value} for name in ("hands", "max_redeals") for value in (0, -1, 1.0, True, "4", None)),
        *({"must_beat": value} for value in (1, "yes", None)),
        *({"values": value} for value in ([1] * 6, [1] * 8, [-1] * 7, [1.0] * 7, [True] * 7, 1, None, "1234567")),
        *({name: value} for name in ("five_tigers", "ones_set", "discards", "dream_match") for value in ("", True)),
        {"hand": 4},
    ],
    ids=str,
)
def test_wrong_options_are_refused(options: Case) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        Rules.from_options(options)


def test_random_rules_vary_every_option() -> None:
    rng = random.Random(1)
    seen = [random_rules(rng) for _ in range(300)]
    assert all(list(options) == option_names() and Rules.from_options(options).options() == options for options in seen)
    for name in option_names():
        assert len({str(options[name]) for options in seen}) >= 2, name
