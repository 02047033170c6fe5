"""The slow reading of Lost Cities against every known answer, exact facts and the rule document's own examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import pytest

from tests.slow.lost_cities import (
    DECK,
    DISCARD,
    EXPEDITION,
    NUMBERS,
    WAGER,
    Game,
    Round,
    Rules,
    colours,
    expedition_score,
    fault,
    is_expedition,
    is_wager,
    may_follow,
    moves,
    pack,
    starters,
    top_card,
    total_score,
    winner_of,
)
from tests.slow.transcript import RuleError, known_answers

DEFAULT = Rules()
CASES: list[dict[str, Any]] = known_answers("lost_cities")["cases"]


def of_kind(kind: str) -> pytest.MarkDecorator:
    """Parametrises a test with the known answers of one kind, as `case`."""
    return pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in CASES if c["kind"] == kind])


def rules_of(case: dict[str, Any]) -> Rules:
    return Rules.from_options(case.get("rules", {}))


def red(text: str) -> list[str]:
    """Red cards by rank."""
    return [f"R{rank}" for rank in text.split()]


# --- known answers, one case a test -----------------------------------------------------------------------------------


@of_kind("expedition")
def test_an_expedition_scores_as_known(case: dict[str, Any]) -> None:
    assert is_expedition(case["cards"])
    assert expedition_score(rules_of(case), case["cards"]) == case["expect"]["score"]


@of_kind("total")
def test_a_total_is_as_known(case: dict[str, Any]) -> None:
    assert all(map(is_expedition, case["expeditions"].values()))
    assert total_score(rules_of(case), case["expeditions"]) == case["expect"]["total"]


@of_kind("result")
def test_a_result_is_as_known(case: dict[str, Any]) -> None:
    first, second = (total_score(rules_of(case), expeditions) for expeditions in case["expeditions"])
    assert {"scores": [first, second], "winner": winner_of((first, second))} == case["expect"]


@of_kind("follow")
def test_what_may_follow_is_as_known(case: dict[str, Any]) -> None:
    laid, colour = case["expedition"], case["colour"]
    cards = Counter(card for card in pack(rules_of(case)) if card[0] == colour)
    left = cards - Counter(case["gone"]) - Counter(laid)
    assert [card for card in cards if left[card] and may_follow(laid, card)] == case["expect"]["cards"]


@of_kind("legal")
def test_the_moves_of_a_position_are_as_known(case: dict[str, Any]) -> None:
    rules, hand, own, discards = rules_of(case), case["hand"], case["own"], case["discards"]
    found = moves(rules, hand, own, discards)
    assert len(found) == case["expect"]["count"]
    assert sorted({(hand[place], to, source) for place, to, source in found}) == [*map(tuple, case["expect"]["moves"])]
    lies = [*own.values(), *case["other"].values(), *discards.values()]
    rest = Counter(pack(rules)) - Counter(hand) - sum(map(Counter, lies), Counter[str]())
    held = sorted(rest.elements())[: rules.hand_size]  # by the opponent, as far as it matters
    seat, hands, expeditions = case["seat"], [hand, held], [own, case["other"]]
    round_ = Round.at(rules, seat, hands[:: 1 - 2 * seat], expeditions[:: 1 - 2 * seat], discards, turns=seat)
    assert (round_.moves(), round_.pile.total(), round_.starter) == (found, case["deck_count"], 0)


@of_kind("replay")
def test_a_replay_goes_as_known(case: dict[str, Any]) -> None:
    round_, pile, expect = Round(rules_of(case), 0, case["hands"]), list(case["pile"]), case["expect"]
    assert Counter(pile) == round_.pile
    drawn: list[str] = []
    illegal_at = None
    for number, (card, to, source) in enumerate(case["moves"]):
        seat = number % 2
        top = (pile or ["Y2"])[0] if source == DECK else top_card(round_.discards, card, to, source) or "Y2"
        try:
            round_.turn(seat, card, to, source, top)
        except RuleError:
            illegal_at = number
            break
        drawn.append(top)
        pile = pile[1:] if source == DECK else pile
    found: dict[str, Any] = {"illegal_at": illegal_at, "over": round_.reason is not None, "reason": round_.reason}
    found |= {"scores": list(round_.scores), "drawn": drawn, "pile_left": round_.pile.total()}
    found |= {"to_move": round_.to_move, "winner": winner_of(round_.scores)}
    assert {name: found[name] for name in expect} == expect


@of_kind("count")
def test_the_pack_is_as_known(case: dict[str, Any]) -> None:
    rules = rules_of(case)
    cards = pack(rules)
    found = {"cards": len(cards), "investments": sum(map(is_wager, cards)), "colours": colours(rules)}
    assert found | {"pile": len(cards) - 2 * rules.hand_size} == case["expect"]


@of_kind("length")
def test_a_round_is_as_long_as_known(case: dict[str, Any]) -> None:
    rules, taken = rules_of(case), case["taken_from_piles"]
    cards = pack(rules)
    size = rules.hand_size
    round_, pile = Round(rules, 0, [cards[:size], cards[size : 2 * size]]), cards[2 * size :]
    seat = 0
    while round_.reason is None:
        seat = round_.to_move
        card = round_.hands[seat][0]
        source = next((colour for colour, lie in round_.discards.items() if lie and colour != card[0]), DECK)
        if source == DECK or taken == 0:
            round_.turn(seat, card, DISCARD, DECK, pile.pop())
        else:
            round_.turn(seat, card, DISCARD, source, round_.discards[source][-1])
            taken -= 1
    assert {"half_turns": round_.turns, "last_seat": seat} == case["expect"]


@of_kind("match")
def test_a_match_goes_as_known(case: dict[str, Any]) -> None:
    scores = [(first, second) for first, second in case["round_scores"]]
    totals = sum(first for first, _ in scores), sum(second for _, second in scores)
    expect = {"starters": starters(rules_of(case), scores[:-1]), "scores": list(totals), "winner": winner_of(totals)}
    assert expect == case["expect"]


def test_every_known_answer_has_a_kind_tested_here() -> None:
    tested = {"expedition", "total", "result", "follow", "legal", "replay", "count", "length", "match"}
    assert {case["kind"] for case in CASES} == tested


# --- expeditions ------------------------------------------------------------------------------------------------------

WORKED = {
    "3 7 9 10": 9,
    "2 3 4 5 6": 0,
    "9 10": -1,
    "$": -40,
    "$ $ $": -80,
    "$ 4": -32,
    "2 3 4 5 6 7 8 9": 44,
    "2 3 4 5 6 7 8 9 10": 54,
    "$ $ $ 2 3 4 5 6 7 8 9 10": 156,
    "$ $ $ 2 3 4 5 6": 20,
    "$ $ 10": -30,
    "10": -10,
    "": 0,
}


@pytest.mark.parametrize(("cards", "score"), WORKED.items(), ids=[f"[{cards}]" for cards in WORKED])
def test_the_worked_cases(cards: str, score: int) -> None:
    assert expedition_score(DEFAULT, red(cards)) == score


def all_expeditions() -> Iterator[list[str]]:
    """Investments times sets of numbers, the empty one included."""
    sets = (chosen for size in range(len(NUMBERS) + 1) for chosen in combinations(NUMBERS, size))
    for wagers, chosen in product(range(DEFAULT.wagers + 1), sets):
        yield ["R" + WAGER] * wagers + [f"R{number}" for number in chosen]


def test_the_facts_of_all_expeditions() -> None:
    found = list(all_expeditions())
    assert len(found) == 2048 and all(map(is_expedition, found))
    scores = [expedition_score(DEFAULT, cards) for cards in found]
    assert (sum(scores), sum(score * score for score in scores)) == (44_700, 3_381_040)
    started = [score for cards, score in zip(found, scores, strict=True) if cards]
    assert len(started) == 2047
    assert sum(score > 0 for score in started) == 1513
    assert sum(score == 0 for score in started) == 63
    assert sum(score < 0 for score in started) == 471
    no_bonus = Rules(bonus=0)
    assert sum(expedition_score(no_bonus, cards) != score for cards, score in zip(found, scores, strict=True)) == 442


def extremes() -> tuple[list[int], list[int]]:
    """The best and the worst score by number of cards, from none to 12."""
    by_size: dict[int, list[int]] = {size: [] for size in range(13)}
    for cards in all_expeditions():
        by_size[len(cards)].append(expedition_score(DEFAULT, cards))
    return [max(scores) for scores in by_size.values()], [min(scores) for scores in by_size.values()]


def test_the_best_and_the_worst_expedition_of_every_size() -> None:
    best, worst = extremes()
    assert best[1:] == [-10, -1, 7, 14, 28, 42, 60, 100, 120, 136, 148, 156]
    assert worst[1:] == [-40, -60, -80, -72, -60, -44, -24, 20, 48, 80, 116, 156]


def best_total(most: int) -> int:
    """The best total of one player with at most this many cards laid."""
    best = extremes()[0]
    totals = {0: 0}  # by number of cards
    for _ in colours(DEFAULT):
        larger: dict[int, int] = {}
        for (laid, total), (size, score) in product(totals.items(), enumerate(best)):
            larger[laid + size] = max(total + score, larger.get(laid + size, -1000))
        totals = larger
    return max(total for laid, total in totals.items() if laid <= most)


def test_the_bounds_of_a_total() -> None:
    """At the end 16 cards are in hand; if seat 1 discards to the end, its last discard cannot be taken any more."""
    assert 5 * min(extremes()[1]) == -400
    assert best_total(60 - 16) == 592  # only if that discard was its own draw: LC-2.3
    assert best_total(60 - 16 - 1) == 580


@pytest.mark.parametrize("cards", ["4 4", "4 3", "2 $", "$ 3 $", "10 2", "2 10 9"])
def test_what_is_no_expedition(cards: str) -> None:
    assert not is_expedition(red(cards))
    assert not is_expedition(["R2", "B3"])


# --- exact facts of the opening hand ----------------------------------------------------------------------------------


def hands_by_colour(most: int, size: int) -> int:
    """The number of hands of this size with at most `most` cards of each of the five colours of twelve cards."""
    ways = [1]  # by number of cards
    for _ in range(5):
        longer = [0] * (len(ways) + most)
        for held, count in enumerate(ways):
            for more in range(most + 1):
                longer[held + more] += count * comb(12, more)
        ways = longer
    return ways[size]


def test_the_exact_facts_of_an_opening_hand() -> None:
    hands = comb(len(pack(DEFAULT)), 8)
    assert hands_by_colour(8, 8) == hands
    no_wager = Fraction(comb(sum(not is_wager(card) for card in pack(DEFAULT)), 8), hands)
    assert no_wager == Fraction(22919, 272049)
    assert float(no_wager) == pytest.approx(0.0842458528, abs=5e-11)
    all_colours = Fraction(sum((-1) ** n * comb(5, n) * comb(60 - 12 * n, 8) for n in range(5)), hands)
    assert float(all_colours) == pytest.approx(0.3779876342, abs=5e-11)
    assert float(1 - Fraction(hands_by_colour(3, 8), hands)) == pytest.approx(0.2161443053, abs=5e-11)


# --- legality ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("laid", "allowed"), [("4", "5 6 7 8 9 10"), ("$", "$ 2 3 4 5 6 7 8 9 10"), ("$ 3", "4 5 6 7 8 9 10")]
)
def test_what_may_follow(laid: str, allowed: str) -> None:
    cards = dict.fromkeys(card for card in pack(DEFAULT) if card[0] == "R")
    assert [card for card in cards if may_follow(red(laid), card)] == red(allowed)


def test_an_8_of_the_opponent_does_not_stop_a_5() -> None:
    hands = [["R5", "Y2"], ["Y3", "Y4"]]
    round_ = Round.at(Rules(hand_size=2), 0, hands, [{"R": ["R3"]}, {"R": ["R4", "R8"]}])
    round_.turn(0, "R5", EXPEDITION, DECK, "R2")
    assert round_.expeditions[0]["R"] == ["R3", "R5"]


@pytest.mark.parametrize("redraw", [False, True])
def test_an_own_discard_comes_back_only_by_the_option(redraw: bool) -> None:
    rules = Rules(redraw_own_discard=redraw)
    reason = fault(rules, ["R5"], {}, {"R": ["R3"]}, "R5", DISCARD, "R")
    assert reason == (None if redraw else "R5 was discarded this very turn")
    assert top_card({"R": ["R3"]}, "R5", DISCARD, "R") == "R5"
    assert top_card({"R": ["R3"]}, "R5", EXPEDITION, "R") == "R3"


def test_two_cards_that_look_alike_give_two_moves() -> None:
    assert moves(DEFAULT, ["R$", "R$"], {}, {}) == [
        (place, to, DECK) for place in (0, 1) for to in (EXPEDITION, DISCARD)
    ]


def test_a_breach_changes_nothing() -> None:
    round_ = Round(Rules(hand_size=1), 0, [["R5"], ["B6"]])
    before = repr(vars(round_))
    for turn in [
        (1, "B6", DISCARD, DECK, "Y2"),
        (0, "R5", DISCARD, DECK, "B6"),
        (0, "R5", DISCARD, "R", "R5"),
        (0, "R5", EXPEDITION, "P", "P2"),
    ]:
        with pytest.raises(RuleError):
            round_.turn(*turn)
    assert repr(vars(round_)) == before


@pytest.mark.parametrize(("most", "reason"), [(2, "max_turns"), (3, "deck_empty")])
def test_the_last_card_goes_before_the_last_turn(most: int, reason: str) -> None:
    rules = Rules(colors=1, wagers=0, hand_size=3, max_turns=most)
    round_, pile = Round(rules, 0, [["Y2", "Y3", "Y4"], ["Y5", "Y6", "Y7"]]), ["Y8", "Y9", "Y10"]
    while round_.reason is None:
        round_.turn(round_.to_move, round_.hands[round_.to_move][0], EXPEDITION, DECK, pile.pop(0))
    assert (round_.turns, round_.reason) == (most, reason)


def test_a_match_with_a_round_cut_short_is_unfinished_but_won() -> None:
    game = Game(Rules(colors=1, wagers=0, hand_size=3, max_turns=3, rounds=2))
    hands = [["Y2", "Y3", "Y4"], ["Y5", "Y6", "Y7"]]
    game.deal(hands)
    with pytest.raises(RuleError, match="no round is due"):
        game.deal(hands)
    game.turn(0, "Y2", DISCARD, DECK, "Y8")
    game.turn(1, "Y5", EXPEDITION, "Y", "Y2")
    game.turn(0, "Y3", EXPEDITION, DECK, "Y9")  # the third half-turn, with a card left in the draw pile
    assert (game.round.reason, game.scores, game.reason, game.winner) == ("max_turns", (-17, -15), None, None)
    game.deal(hands)
    game.turn(1, "Y5", EXPEDITION, DECK, "Y8")
    game.turn(0, "Y2", EXPEDITION, DECK, "Y9")
    game.turn(1, "Y6", EXPEDITION, DECK, "Y10")
    assert (game.round.reason, game.scores, game.reason, game.winner) == ("deck_empty", (-35, -24), "max_turns", 1)
    with pytest.raises(RuleError, match="the round has ended"):
        game.turn(0, "Y3", EXPEDITION, DECK, "Y10")
    with pytest.raises(RuleError, match="no round is due"):
        game.deal(hands)


@pytest.mark.parametrize("next_starter", ["alternate", "higher_score"])
def test_a_shared_round_changes_the_starter(next_starter: str) -> None:
    rules = Rules(rounds=3, next_starter=next_starter)
    assert starters(rules, [(7, 7), (0, 0)]) == [0, 1, 0]
    assert starters(rules, [(9, 7), (0, 5)]) == ([0, 1, 0] if next_starter == "alternate" else [0, 0, 1])


# --- options ----------------------------------------------------------------------------------------------------------

WRONG: Sequence[dict[str, Any]] = [
    {"colors": 0},
    {"colors": 7},
    {"wagers": -1},
    {"wagers": 4},
    {"hand_size": 0},
    {"hand_size": 13},
    {"hand_size": True},
    {"hand_size": 6, "colors": 1},
    {"hand_size": 9, "colors": 2, "wagers": 0},
    {"redraw_own_discard": 1},
    {"max_turns": 0},
    {"embark_cost": -1},
    {"embark_cost": 2.0},
    {"bonus": -1},
    {"bonus_cards": 0},
    {"rounds": 4},
    {"next_starter": "winner"},
    {"hand_sizes": 8},
]


@pytest.mark.parametrize("options", WRONG, ids=str)
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        Rules.from_options(options)


def test_the_defaults() -> None:
    assert [*vars(DEFAULT).values()] == [5, 3, 8, False, 1000, 20, 20, 8, 1, "alternate"]


def test_a_draw_pile_of_one_card_is_enough() -> None:
    assert len(pack(Rules(colors=1, wagers=0, hand_size=4))) == 9


@pytest.mark.parametrize(("cards", "wagers", "warned"), [(12, 3, False), (13, 3, True), (9, 0, False), (10, 0, True)])
def test_a_bonus_out_of_reach_is_warned_of(cards: int, wagers: int, warned: bool) -> None:
    assert bool(Rules(bonus_cards=cards, wagers=wagers).warnings()) is warned
    longest = [f"R{WAGER}"] * wagers + [f"R{number}" for number in NUMBERS]
    score = expedition_score(Rules(bonus_cards=cards, wagers=wagers), longest)
    assert score == (54 - 20) * (1 + wagers) + (0 if warned else 20)
