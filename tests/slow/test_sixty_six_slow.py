"""The slow reading of Sixty-Six against every known answer, exact facts and the rule document's worked cases."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb
from typing import Any

import pytest

from tests.slow.sixty_six import (
    HAND_SIZE,
    PACK,
    SUITS,
    Pair,
    Rules,
    Table,
    beats,
    dealer_of,
    exchanged,
    leads,
    match_winner,
    may_exchange,
    option_names,
    points_of,
    random_rules,
    replies,
    score,
)
from tests.slow.sixty_six_deal import Deal, Game
from tests.slow.transcript import RuleError, known_answers

Case = dict[str, Any]
DEFAULT = Rules()
CASES: list[Case] = known_answers("sixty_six")["cases"]


# --- known answers, one case a test -----------------------------------------------------------------------------------


def of_kind(kind: str) -> pytest.MarkDecorator:
    """Parametrises a test with the known answers of one kind, as `case`."""
    return pytest.mark.parametrize(
        "case", [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] == kind]
    )


def rules_of(case: Case) -> Rules:
    return Rules.from_options(case["options"])


@of_kind("trick")
def test_a_trick_goes_as_known(case: Case) -> None:
    led, reply = case["led"], case["reply"]
    winner = "second" if beats(case["trump"], led, reply) else "leader"
    assert {"winner": winner, "points": points_of(led) + points_of(reply)} == case["expect"]


@of_kind("trick_totals")
def test_all_tricks_come_to_the_known_totals(case: Case) -> None:
    tricks = list(permutations(PACK, 2))
    assert len(tricks) == 552
    taken = [points_of(led) + points_of(reply) for led, reply in tricks if beats(case["trump"], led, reply)]
    everything = sum(points_of(led) + points_of(reply) for led, reply in tricks)
    totals = {"second_wins": len(taken), "points_to_second": sum(taken), "points_to_leader": everything - sum(taken)}
    assert {field: totals[field] for field in case["expect"]} == case["expect"]


@of_kind("score")
def test_a_deal_scores_as_known(case: Case) -> None:
    points, won = tuple(case["points"]), tuple(case["tricks_won"])
    reached = [seat for seat in (0, 1) if points[seat] >= 66]
    assert reached == ([] if case["ended_by"] == "cards_out" else [case["reached_by"]])
    found = score(rules_of(case), points, won, case["closer"], case["last_trick_winner"])
    assert found._asdict() | {"game_points": list(found.game_points)} == case["expect"]


@of_kind("match")
def test_a_match_goes_as_known(case: Case) -> None:
    total, played, winner = (0, 0), 0, None
    while winner is None:
        first, second = case["deals"][played]
        total, played = (total[0] + first, total[1] + second), played + 1
        winner = match_winner(rules_of(case), total)
    dealers = [dealer_of(number) for number in range(played)]
    found = {"dealers": dealers, "over_after": played, "winner": winner, "total": list(total)}
    assert found == case["expect"]


def table_of(position: Case) -> Table:
    won: Pair = tuple(position["tricks_won"])
    return Table(**{field: position[field] for field in Table._fields[:-1]}, tricks_won=won)


@of_kind("legal")
def test_the_moves_are_as_known(case: Case) -> None:
    rules, position = rules_of(case), case["position"]
    table, hand, led, exchange = table_of(position), position["hand"], position["led"], None
    if led is not None:
        found = replies(rules, table.trump, table.is_open, led, hand)
    else:
        if rules.nine_exchange == "automatic" and may_exchange(rules, table, hand):
            exchange = {"gives": f"9{table.trump}", "takes": table.turned_up}
            hand = exchanged(table, hand)
        found = [str(lead) for lead in leads(rules, table, hand)]
    assert {"automatic_exchange": exchange, "moves": sorted(found)} == case["expect"]


def play_on(deal: Deal, moves: list[str], talon: list[str]) -> None:
    """Carry out moves, with every draw that comes up between them; the turned-up card comes after the talon."""
    stock = [*talon]
    for move in moves:
        deal.move(move)
        for seat in list(deal.due):
            card = stock.pop(0) if stock else deal.turned_up
            assert card is not None
            deal.draw(seat, card)


@of_kind("play")
def test_a_position_plays_on_as_known(case: Case) -> None:
    position, expect = case["position"], case["expect"]
    deal = Deal.at(rules_of(case), position)
    play_on(deal, case["moves"], position["talon"])
    if "events" in expect:
        assert deal.told == expect["events"]
    for field, value in expect.get("deal_end", {}).items():
        assert deal.told[-1][field] == value
    assert (deal.score is None) is ("next" in expect)
    for field, value in expect.get("next", {}).items():
        found = deal.moves() if field == "legal" else getattr(deal, field)
        assert (list(found) if isinstance(value, list) else found) == value


def test_every_known_answer_has_a_kind_tested_here() -> None:
    assert {case["kind"] for case in CASES} == {"trick", "trick_totals", "score", "match", "legal", "play"}


# --- exact facts ------------------------------------------------------------------------------------------------------

HANDS = comb(23, HAND_SIZE)  # the hands of one player, once a card is turned up
Counts = dict[Pair, int]  # in how many ways two hands can hold (a, b) cards


def joined(*parts: Counts) -> Counts:
    """The ways of several groups of cards together."""
    whole: Counts = {(0, 0): 1}
    for part in parts:
        new: Counter[Pair] = Counter()
        for (a, b), (c, d) in product(whole, part):
            new[a + c, b + d] += whole[a, b] * part[c, d]
        whole = dict(new)
    return whole


CARD: Counts = {(0, 0): 1, (1, 0): 1, (0, 1): 1}  # in neither hand, the first, the second
PARTED: Counts = {at: ways for at, ways in joined(CARD, CARD).items() if at not in ((2, 0), (0, 2))}  # K and Q
LOOSE: Counts = {**PARTED, (2, 0): 1}  # K and Q, together in the first hand if at all


def ways_without_marriage(pair: Counts) -> Fraction:
    """The ways to deal both hands with each suit's K and Q dealt as `pair`; the mean over cards turned up."""
    plain = joined(*[CARD] * 4, pair)
    of_others = joined(*[CARD] * 3, pair)  # turned up is another trump than K and Q
    of_pair = joined(*[CARD] * 5)  # it is K or Q: no marriage in trumps
    ways = [joined(plain, plain, plain, trumps)[HAND_SIZE, HAND_SIZE] for trumps in (of_others, of_pair)]
    return Fraction(4, 6) * ways[0] + Fraction(2, 6) * ways[1]


def test_the_chance_of_a_trump_marriage() -> None:
    held = Fraction(4, 6) * Fraction(comb(21, 4), HANDS)
    assert held == Fraction(10, 253)
    assert float(held) == pytest.approx(0.0395256917, abs=5e-11)


def test_the_chance_of_any_marriage() -> None:
    both = HANDS * comb(17, HAND_SIZE)
    in_second = 1 - ways_without_marriage(LOOSE) / both  # by symmetry that of any given hand
    assert in_second == Fraction(7031, 33649)
    assert float(in_second) == pytest.approx(0.2089512318, abs=5e-11)
    in_neither = ways_without_marriage(PARTED) / both
    assert in_neither == Fraction(97007, 156009)
    assert float(in_neither) == pytest.approx(0.6218038703, abs=5e-11)


def test_the_chances_of_trumps() -> None:
    assert Fraction(5, 6) * Fraction(HAND_SIZE, 23) == Fraction(5, 23)  # the nine: not turned up, and dealt here
    assert Fraction(comb(18, HAND_SIZE), HANDS) == Fraction(884, 4807)
    assert float(Fraction(884, 4807)) == pytest.approx(0.1838984814, abs=5e-11)


def test_the_points_of_a_hand() -> None:
    worth = Counter(sum(map(points_of, hand)) for hand in combinations(PACK, HAND_SIZE))
    hands = worth.total()
    mean = Fraction(sum(points * ways for points, ways in worth.items()), hands)
    variance = Fraction(sum(points * points * ways for points, ways in worth.items()), hands) - mean**2
    assert (mean, variance, min(worth), max(worth)) == (Fraction(30), Fraction(1800, 23), 4, 64)
    enough = Fraction(sum(ways for points, ways in worth.items() if points >= 33), hands)
    assert enough == Fraction(24987, 67298)
    assert float(enough) == pytest.approx(0.3712888942, abs=5e-11)


def test_the_pack_is_worth_120_and_a_suit_30() -> None:
    assert (len(set(PACK)), sum(map(points_of, PACK))) == (24, 120)
    assert {sum(points_of(card) for card in PACK if card[-1] == suit) for suit in SUITS} == {30}


# --- the worked cases of the rule document ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "allowed"), [("9h As Kd", "9h"), ("As Kd", "As"), ("Kd Qc", "Kd Qc")], ids=["follow", "trump", "any"]
)
def test_replies_after_closing_with_a_heart_led(hand: str, allowed: str) -> None:
    assert replies(DEFAULT, "s", False, "Jh", hand.split()) == allowed.split()


@pytest.mark.parametrize(
    ("points", "won", "closer", "last", "expect"),
    [
        ((66, 33), (5, 4), None, None, (1, 0)),
        ((66, 32), (5, 1), None, None, (2, 0)),
        ((70, 0), (5, 0), None, None, (3, 0)),
        ((60, 40), (4, 2), 0, 0, (0, 2)),
        ((10, 66), (1, 5), 0, None, (0, 2)),
    ],
)
def test_the_worked_scores(points: Pair, won: Pair, closer: int | None, last: int | None, expect: Pair) -> None:
    assert score(DEFAULT, points, won, closer, last).game_points == expect


# --- points where a reading could slip --------------------------------------------------------------------------------

OPENING: Case = {  # a first lead with the nine of trumps, the turned-up king's queen, and a plain pair
    **{"trump": "s", "turned_up": "Ks", "talon": ["Jc", "9c", "Qd"], "closer": None, "leader": 0},
    "hands": [["9s", "Qs", "Kh", "Qh", "Ad", "10c"], ["Ah", "As", "10s", "Kd", "Qc", "Kc"]],
    **{"tricks_won": [0, 0], "points": [0, 0], "pending": [0, 0]},
}
LATER: Case = {**OPENING, "tricks_won": [1, 1], "points": [10, 10]}


def deal_at(position: Case, **options: Any) -> Deal:
    return Deal.at(Rules(**options), position)


def test_an_optional_exchange_comes_with_every_lead_of_the_new_hand() -> None:
    moves = deal_at(LATER, nine_exchange="optional").moves()
    plain = ["9s", "Qs", "Kh", "Qh", "Ad", "10c", "marriage Kh", "marriage Qh"]
    after = ["Ks", *plain[1:], "marriage Ks", "marriage Qs"]
    expect = [*plain, *(f"close {move}" for move in plain)]
    expect += [f"exchange {move}" for move in after] + [f"exchange close {move}" for move in after]
    assert sorted(moves) == sorted(expect)


@pytest.mark.parametrize(
    ("position", "options"),
    [
        (OPENING, {}),
        (LATER, {"min_stock": 6}),
        (LATER, {"min_stock": 6, "closing": False}),
        (LATER, {"closing": False}),
    ],
)
def test_the_exchange_needs_a_trick_and_the_stock(position: Case, options: Case) -> None:
    allowed = options == {"closing": False}
    moves = deal_at(position, nine_exchange="optional", **options).moves()
    assert any("exchange" in move for move in moves) is allowed
    assert bool(deal_at(position, **options).told) is allowed
    assert not deal_at(position, **options | {"nine_exchange": "off"}).told


def test_an_exchange_and_closing_and_a_marriage_in_one_lead() -> None:
    deal = deal_at({**LATER, "points": [26, 10]}, nine_exchange="optional")
    deal.move("exchange close marriage Qs")
    assert [event["type"] for event in deal.told] == ["exchange", "close", "marriage", "deal_end"]
    assert deal.score == (0, (2, 0), "66")


def test_a_pending_marriage_that_is_never_counted_is_lost() -> None:
    hands = [["Kh", "Qh"], ["Ah", "10h"]]
    deal = deal_at({**OPENING, "hands": hands, "points": [0, 30]}, failed_close_points=5)
    play_on(deal, ["close marriage Kh", "Ah", "10h", "Qh"], [])
    assert (deal.points, deal.pending) == ((0, 58), (20, 0))
    assert deal.score == (1, (0, 5), "failed_close")


def test_a_pending_marriage_can_win_with_the_first_trick() -> None:
    deal = deal_at({**OPENING, "points": [40, 10]})
    play_on(deal, ["marriage Kh", "Kd"], [])
    assert deal.told[-2:] == [
        {"type": "trick", "leader": 0, "cards": ["Kh", "Kd"], "winner": 0, "points": [68, 10]},
        {"type": "deal_end", "points": [68, 10], "game_points": [3, 0], "winner": 0, "reason": "66"},
    ]


def test_the_bonus_can_bring_66_and_then_gives_its_reason() -> None:
    last = {"trump": "h", "turned_up": None, "talon": [], "closer": None, "leader": 0, "hands": [["Kd"], ["9s"]]}
    rest = {"tricks_won": [5, 6], "points": [52, 64], "pending": [0, 0]}
    deal = deal_at({**last, **rest}, last_trick="bonus10")
    play_on(deal, ["Kd", "9s"], [])
    assert deal.told[0]["points"] == [66, 64]
    assert deal.score == (0, (1, 0), "66")


def test_breaches_change_nothing() -> None:
    deal = deal_at(LATER, nine_exchange="optional")
    breaches: list[tuple[Callable[[], None], str]] = [
        (lambda: deal.reply(0, "9s"), "may not reply to nothing"),
        (lambda: deal.lead(1, "Ah"), "seat 0 is to move"),
        (lambda: deal.lead(0, "Ah"), "leads Ah from"),
        (lambda: deal.marry(0, "s"), "may not declare s"),
        (lambda: deal.draw(0, "Jc"), "but due are"),
        (lambda: deal.move("exchange 9s"), "is no legal move of seat 0"),
    ]
    before = {name: str(value) for name, value in vars(deal).items()}
    for breach, message in breaches:
        with pytest.raises(RuleError, match=message):
            breach()
    assert before == {name: str(value) for name, value in vars(deal).items()}
    deal.marry(0, "h")
    for breach in (lambda: deal.close(0), lambda: deal.exchange(0), lambda: deal.marry(0, "h")):
        with pytest.raises(RuleError, match="after a marriage"):
            breach()
    with pytest.raises(RuleError, match="must lead one of the marriage in h"):
        deal.lead(0, "Ad")


def test_cards_dealt_are_checked() -> None:
    game, (one, two) = Game(DEFAULT), (list(PACK[:6]), list(PACK[6:12]))
    for hands, turned_up, message in (
        ([one[:5], two], "As", "seat 0 is dealt 5 cards"),
        ([one, one], "As", "twice there"),
        ([one, two], two[0], "twice there"),
        ([one, two], "1s", "twice there"),
    ):
        with pytest.raises(RuleError, match=message):
            game.deal(hands, turned_up)


@pytest.mark.parametrize(
    "options",
    [
        *({"min_stock": value} for value in (0, 3, 14, 2.0, True)),
        *({"failed_close_points": value} for value in (-1, 1.0, False)),
        *({"match_points": value} for value in (-1, "7", None)),
        *({name: value} for name in ("must_head", "marriage_after_close") for value in (1, "yes")),
        *({name: value} for name in ("free_first_lead", "closing") for value in (0, None)),
        *({name: value} for name in ("nine_exchange", "last_trick") for value in ("", "None", True)),
        {"closed": True},
    ],
    ids=str,
)
def test_wrong_options_are_refused(options: Case) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        Rules.from_options(options)


def test_random_rules_vary_every_option() -> None:
    rng = random.Random(1)
    seen = [random_rules(rng) for _ in range(300)]
    assert all(list(options) == option_names() and Rules.from_options(options) for options in seen)
    for name in option_names():
        assert len({options[name] for options in seen}) >= 2, name
