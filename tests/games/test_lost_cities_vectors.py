"""The compiled game of Lost Cities against every known answer, through the very loop that plays batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from simkit.games.base import Game
from simkit.games.lost_cities import tell
from simkit.games.lost_cities.cards import CARDS, INVESTMENTS, LETTERS, SLOTS, name_of
from simkit.games.lost_cities.moves import laid_in, may_follow, score_of
from tests.games.lost_cities_positions import Position, codes_of, piles_of
from tests.slow.lost_cities import (
    DECK,
    DISCARD,
    EXPEDITION,
    NUMBERS,
    Piles,
    Rules,
    expedition_score,
    is_wager,
    pack,
)
from tests.slow.transcript import known_answers
from tests.tables import table_of

SOME_HANDS = [["Y2"], ["Y3"]]
CASES: list[dict[str, Any]] = known_answers("lost_cities")["cases"]


def of_kind(kind: str) -> pytest.MarkDecorator:
    """Parametrises a test with the known answers of one kind, as `case`."""
    return pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in CASES if c["kind"] == kind])


def last_turn(position: Position, expeditions: Sequence[Piles]) -> list[dict[str, Any]]:
    """Plays the last half-turn of a round that leaves these expeditions; returns the transcript's events."""
    laid = [card for piles in expeditions for cards in piles.values() for card in cards]
    free = list((Counter(pack(position.rules)) - Counter(laid)).elements())
    size = position.rules.hand_size
    hands, deck, rest = [free[:size], free[size : 2 * size]], free[2 * size : 2 * size + 1], free[2 * size + 1 :]
    discards = {letter: [card for card in rest if card[0] == letter] for letter in LETTERS}
    position.put(hands, expeditions, discards, deck)
    return position.play(hands[position.to_move][0], DISCARD, DECK)


def end_with(options: Mapping[str, Any], expeditions: Sequence[Piles]) -> dict[str, Any]:
    """The transcript's end of a game that leaves these expeditions."""
    position = Position({**options, "hand_size": 1}, 0, SOME_HANDS)
    last_turn(position, expeditions)
    return position.end()


@of_kind("expedition")
def test_an_expedition_scores_as_known(case: dict[str, Any]) -> None:
    expedition = {case["cards"][0][0]: case["cards"]} if case["cards"] else {}
    for seat in (0, 1):
        found = end_with(case.get("rules", {}), [expedition, {}][:: 1 - 2 * seat])
        assert found["scores"][seat] == case["expect"]["score"]


@of_kind("total")
def test_a_total_is_as_known(case: dict[str, Any]) -> None:
    found = end_with(case.get("rules", {}), [{}, case["expeditions"]])
    assert found["scores"] == [0, case["expect"]["total"]]


@of_kind("result")
def test_a_result_is_as_known(case: dict[str, Any]) -> None:
    found = end_with(case.get("rules", {}), case["expeditions"])
    assert {"scores": found["scores"], "winner": found["winner"]} == case["expect"]


@of_kind("follow")
def test_what_may_follow_is_as_known(case: dict[str, Any]) -> None:
    """By `is_legal` of each card that is left, in a hand of one; and by the helper for strategies."""
    options, colour, expect = {**case.get("rules", {}), "hand_size": 1}, case["colour"], case["expect"]["cards"]
    cards = pack(Rules.from_options(options))
    left = Counter(card for card in cards if card[0] == colour) - Counter(case["gone"] + case["expedition"])
    free = Counter(cards) - Counter(case["expedition"] + case["other"])
    discards = [*(free & Counter(case["gone"])).elements()]
    theirs = next(card for card in cards if card[0] != colour)
    laid = [{colour: case["expedition"]}, {colour: case["other"]}]
    positions = {card: Position(options, 0, [[card], [theirs]], laid, {colour: discards}) for card in left}
    assert [card for card, position in positions.items() if position.is_legal(card, EXPEDITION, DECK)] == expect
    slots = sum(1 << code % SLOTS for code in codes_of(case["expedition"]))
    follow = [name_of(LETTERS.index(colour) * SLOTS + slot) for slot in range(SLOTS) if may_follow(slots) >> slot & 1]
    assert [card for card in left if card in follow] == expect


def position_of(case: dict[str, Any]) -> Position:
    options, hand, seat = case.get("rules", {}), case["hand"], case["seat"]
    rules = Rules.from_options(options)
    lies = [*case["own"].values(), *case["other"].values(), *case["discards"].values()]
    rest = Counter(pack(rules)) - Counter(hand) - sum(map(Counter, lies), Counter[str]())
    held = sorted(rest.elements())[: rules.hand_size]  # by the opponent, as far as it matters
    hands, expeditions = [hand, held], [case["own"], case["other"]]
    turn = 1 - 2 * seat
    return Position(options, seat, hands[::turn], expeditions[::turn], case["discards"], turns=seat)


@of_kind("legal")
def test_the_moves_of_a_position_are_as_known(case: dict[str, Any]) -> None:
    position, expect = position_of(case), case["expect"]
    found = position.moves()
    assert len(found) == expect["count"]
    assert sorted(set(found)) == [*map(tuple, expect["moves"])]
    assert int(position.state["pile"]) == case["deck_count"]
    sources = ["deck", *LETTERS[: Rules.from_options(case.get("rules", {})).colors]]
    for move in product(sorted(set(case["hand"])), (EXPEDITION, DISCARD), sources):
        assert position_of(case).is_legal(*move) is (move in found)


@of_kind("replay")
def test_a_replay_goes_as_known(case: dict[str, Any]) -> None:
    options, expect = case.get("rules", {}), case["expect"]
    position = Position(options, 0, case["hands"], deck=case["pile"])
    drawn: list[str] = []
    illegal_at, over = None, False
    for number, (card, to, source) in enumerate(case["moves"]):
        if over or (card, to, source) not in position.moves():
            illegal_at = number
            break
        event = position.play(card, to, source)[0]
        assert (event["player"], event["card"], event["to"], event["from"]) == (number % 2, card, to, source)
        drawn.append(event["drawn"])
        over = position.to_move < 0
    found: dict[str, Any] = {"illegal_at": illegal_at, "over": over, "reason": None, "drawn": drawn}
    found |= {"to_move": position.to_move, "pile_left": int(position.state["pile"])}
    if over:
        found |= position.end()
    elif "scores" in expect:
        found["scores"] = [standing(position, options, seat) for seat in (0, 1)]
    assert {name: found[name] for name in expect} == expect


def standing(position: Position, options: Mapping[str, Any], seat: int) -> int:
    """What a seat's expeditions would score as they lie, by the helper for strategies."""
    game = position.table.game
    rules, record = game.rules_record(game.resolve(options))[0], position.state["seats"][seat]
    return sum(int(score_of(rules, laid_in(record, colour))) for colour in range(len(LETTERS)))


@of_kind("count")
def test_the_pack_is_as_known(case: dict[str, Any], lost_cities: Game) -> None:
    table = table_of(lost_cities, rules=case.get("rules"))
    next(table.steps(0, 0, np.zeros(1, table.engine.outcome)))
    state = table.record[0]["state"]
    pile = [name_of(int(code)) for code in state["deck"][: int(state["pile"])]]
    cards = [card for seat in state["seats"] for card in tell.hand_of(seat)] + pile
    assert Counter(cards) == Counter(pack(Rules.from_options(case.get("rules", {}))))
    found = {"cards": len(cards), "investments": sum(map(is_wager, cards)), "pile": len(pile)}
    assert found | {"colours": "".join(sorted({card[0] for card in cards}, key=LETTERS.index))} == case["expect"]


@of_kind("length")
def test_a_round_is_as_long_as_known(case: dict[str, Any]) -> None:
    rules = Rules.from_options(case.get("rules", {}))
    cards, taken, seat = pack(rules), case["taken_from_piles"], 0
    size = rules.hand_size
    position = Position(case.get("rules", {}), 0, [cards[:size], cards[size : 2 * size]])
    while (seat_now := position.to_move) >= 0:
        seat = seat_now
        card = tell.hand_of(position.state["seats"][seat])[0]
        source = next((colour for colour in piles_of(position.state) if colour != card[0]), DECK)
        if taken == 0:
            source = DECK
        taken -= source != DECK
        position.play(card, DISCARD, source)
    position.end()
    assert {"half_turns": int(position.outcome["turns"][0]), "last_seat": seat} == case["expect"]


def worth(score: int, colours: str) -> Piles:
    """Expeditions of at most two colours that score so much together, under the default rules."""
    numbers = [chosen for size in range(4) for chosen in combinations(map(str, NUMBERS), size)]
    by_score: dict[int, list[str]] = {}
    for ranks in ([*["$"] * wagers, *chosen] for wagers in range(4) for chosen in numbers):
        by_score.setdefault(expedition_score(Rules(), ["R" + rank for rank in ranks]), ranks)
    first = next(first for first in by_score if score - first in by_score)
    pairs = zip(colours, (by_score[first], by_score[score - first]), strict=True)
    return {colour: [colour + rank for rank in ranks] for colour, ranks in pairs}


@of_kind("match")
def test_a_match_goes_as_known(case: dict[str, Any]) -> None:
    position, starters = Position({**case["rules"], "hand_size": 1}, 0, SOME_HANDS), []
    for first, second in case["round_scores"]:
        starters.append(int(position.state["starter"]))
        assert position.to_move == starters[-1]
        told = last_turn(position, [worth(first, "YB"), worth(second, "WG")])
        assert next(event["scores"] for event in told if event["type"] == "round") == [first, second]
    end = position.end()
    assert {"starters": starters, "scores": end["scores"], "winner": end["winner"]} == case["expect"]


def test_every_known_answer_has_a_kind_tested_here() -> None:
    tested = {"expedition", "total", "result", "follow", "legal", "replay", "count", "length", "match"}
    assert {case["kind"] for case in CASES} == tested


def test_the_facts_of_all_expeditions(lost_cities: Game) -> None:
    """All 2,048 (0–3 investments times sets of numbers), as the rule document adds them up."""
    rules = lost_cities.rules_record(lost_cities.resolve({}))[0]
    sets = (chosen for size in range(len(NUMBERS) + 1) for chosen in combinations(NUMBERS, size))
    slots = [
        (1 << wagers) - 1 | sum(1 << number + 1 for number in chosen) for wagers, chosen in product(range(4), sets)
    ]
    scores = np.array([score_of(rules, mask) for mask in slots])
    assert (len(scores), scores.sum(), (scores**2).sum()) == (2048, 44_700, 3_381_040)
    started = scores[np.array(slots) > 0]
    assert [(started > 0).sum(), (started == 0).sum(), (started < 0).sum()] == [1513, 63, 471]
    sizes = np.array([mask.bit_count() for mask in slots])
    assert (sizes >= 8).sum() == 442
    assert [scores[sizes == n].max() for n in range(1, 13)] == [-10, -1, 7, 14, 28, 42, 60, 100, 120, 136, 148, 156]
    assert [scores[sizes == n].min() for n in range(1, 13)] == [
        -40, -60, -80, -72, -60, -44, -24, 20, 48, 80, 116, 156,
    ]  # fmt: skip
    assert (INVESTMENTS, CARDS) == (7, 72)
