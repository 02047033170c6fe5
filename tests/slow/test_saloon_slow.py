"""The slow reading of Saloon against every known answer and the rule document's worked cases."""

from __future__ import annotations

import copy
import random
from collections import Counter
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.slow.saloon import (
    Action,
    Draw,
    Move,
    Pay,
    Rules,
    Swap,
    actions,
    client_pack,
    deal,
    draw,
    is_honest,
    judges,
    next_seat,
    number_pack,
    option_names,
    outcome,
    random_rules,
    ranking,
)
from tests.slow.saloon_game import ACT, ANSWER, DRAW, Game, play, random_move, take
from tests.slow.transcript import RuleError, known_answers

Case = dict[str, Any]
DEFAULT = Rules()
CASES: list[Case] = known_answers("saloon")["cases"]


def of_kind(kind: str) -> pytest.MarkDecorator:
    """Parametrises a test with the known answers of one kind, as `case`."""
    return pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in CASES if c["kind"] == kind])


def rules_of(case: Case) -> Rules:
    return Rules.from_options(case["options"])


def game_of(case: Case) -> Game:
    return Game.at(rules_of(case), case["given"]["position"])


# --- known answers, one case a test -----------------------------------------------------------------------------------


@of_kind("honest")
def test_honesty_is_as_known(case: Case) -> None:
    assert {"honest": is_honest(case["given"]["client"], case["given"]["cards"])} == case["expect"]


@of_kind("outcome")
def test_an_outcome_is_as_known(case: Case) -> None:
    known = case["given"]
    honest = is_honest(known["client"], known["cards"])
    found = outcome(rules_of(case), honest, known["doubted"], known["judge_hand"])._asdict()
    cards_to = "hand" if found.pop("returned") else "discard"
    assert found | {"cards_to": cards_to} == case["expect"]


@of_kind("judges")
def test_the_judges_are_as_known(case: Case) -> None:
    assert {"judges": judges(**case["given"])} == case["expect"]


def worded(game: Game, move: Move) -> list[Any]:
    """A legal action as the known answers write it."""
    hand, clients = game.hands[game.to_move], game.clients[game.to_move]
    match move:
        case Swap(card):
            return ["swap", hand[card]]
        case Pay(client, cards, judge):
            return ["pay", clients[client], sorted(hand[card] for card in cards), judge]
    return ["draw"]


@of_kind("legal")
def test_the_actions_are_as_known(case: Case) -> None:
    game, expect = game_of(case), case["expect"]
    moves = game.moves()
    assert len(moves) == len(set(moves)) == expect["count"]
    distinct = {str(words): words for words in (worded(game, move) for move in moves)}
    assert sorted(distinct) == sorted(map(str, expect["moves"]))
    payments = [words for words in distinct.values() if words[0] == "pay"]
    pay = {  # every combination is legal
        "clients": list(dict.fromkeys(client for _, client, _, _ in payments)),
        "cards": len(payments[0][2]) if payments else 0,
        "judges": sorted({judge for *_, judge in payments}),
    }
    swaps = [game.hands[game.to_move][move.card] for move in moves if isinstance(move, Swap)]
    found = {"draw": Draw() in moves, "swap": swaps, "pay": pay if payments else None}
    assert found == {name: expect[name] for name in found}


@of_kind("draw")
def test_a_draw_is_served_as_known(case: Case) -> None:
    known, expect = case["given"], dict(case["expect"])
    pile, discard_pile = number_pack(DEFAULT)[: known["pile"]], number_pack(DEFAULT)[-known["discard"] or 36 :]
    served = draw(len(pile), len(discard_pile), known["need"])
    drawn = take(pile, discard_pile, known["need"], random.Random(1))
    assert (sum(served), served.reshuffled) == (expect["drawn"], expect["reshuffled"])
    assert len(drawn) == expect["drawn"] and drawn[: served.from_pile] == number_pack(DEFAULT)[: served.from_pile]
    assert len(pile) == expect["pile_after"]
    assert (0 if served.reshuffled else len(discard_pile)) == expect["discard_after"]


@of_kind("deal")
def test_a_deal_is_as_known(case: Case) -> None:
    if not case["expect"]["playable"]:
        with pytest.raises(ValueError, match="clients"):
            rules_of(case)
        return
    rules = rules_of(case)
    clients, hands, pile = deal(rules, random.Random(1))
    game = Game(rules, clients, hands)
    assert game.pile == Counter(pile)
    found = {"playable": True, "packs": rules.packs, "pile": len(pile), "freed": len(game.freed)}
    assert found == case["expect"]


def play_script(game: Game, script: list[Case], pile: list[str], rng: random.Random) -> None:
    """Carry out turns of the known answers, up to the next choice that they do not name."""
    turns = iter(script)
    turn: Case = {}
    while (step := game.due) is not None:
        if step.what == DRAW:
            game.draw(step.seat, take(pile, game.discards, step.cards, rng))
        elif step.what == ACT:
            if not (turn := next(turns, {})):
                return
            act(game, step.seat, turn)
        elif step.what == ANSWER:
            game.answer(step.seat, turn["doubted"])
        else:  # without a choice, all of the hand goes
            game.discard(step.seat, turn.get(step.what, game.hands[step.seat]))


def act(game: Game, seat: int, turn: Case) -> None:
    if turn["action"] == "draw":
        game.draw_one(seat)
    elif turn["action"] == "swap":
        game.swap(seat, turn["card"])
    else:
        game.pay(seat, turn["client"], turn["cards"], turn["judge"])


def check_events(told: list[Case], expect: list[Case]) -> None:
    """Compare events, whatever the order of cards in them; `then` says what comes at random."""
    assert len(told) == len(expect)
    for event, known in zip(told, expect, strict=True):
        known, event = dict(known), dict(event)
        then = known.pop("then", None)
        if then:
            certain = len(known["cards"])
            event["cards"], later = event["cards"][:certain], event["cards"][certain:]
            assert len(later) == then["count"] and not Counter(later) - Counter(then["of"])
        for field in ("cards",) if "cards" in known else ():
            event[field], known[field] = sorted(event[field]), sorted(known[field])
        assert event == known


@of_kind("turn")
@pytest.mark.parametrize("seed", range(3))
def test_turns_go_as_known(case: Case, seed: int) -> None:
    game = game_of(case)
    play_script(game, case["given"]["script"], list(case["given"]["position"]["pile"]), random.Random(seed))
    told = game.told[1:] if game.due is None else game.told[1:-1]  # without the first turn line and the next
    check_events(told, case["expect"]["events"])
    found: Case = {"next": None if game.due is None else game.to_move, "pile_size": game.pile.total()}
    found |= {"clients": game.clients, "last_judge": game.last_judge, "closed": game.closed}
    found |= {"hands": list(map(sorted, game.hands)), "hand_sizes": list(map(len, game.hands))}
    found |= {"discard": sorted(game.discards)}
    for field, value in case["expect"]["after"].items():
        if field in ("hands", "discard"):
            value = list(map(sorted, value)) if field == "hands" else sorted(value)
        assert found[field] == value, field


def kind_of(action: Action) -> str:
    return type(action).__name__.lower()


@of_kind("odds")
def test_random_acts_with_the_known_odds(case: Case) -> None:
    game = game_of(case)
    moves = actions(game.rules, game.hands[0], game.clients[0], game.judges())
    odds = {kind: str(Fraction(count, len(moves))) for kind, count in Counter(map(kind_of, moves)).items()}
    assert odds == case["expect"]


def test_every_known_answer_has_a_kind_tested_here() -> None:
    tested = {"honest", "outcome", "judges", "legal", "draw", "deal", "turn", "odds"}
    assert {case["kind"] for case in CASES} == {*tested, "fact"}  # facts have a file of their own


# --- points where a reading could slip --------------------------------------------------------------------------------

OPENING: Case = {
    **{"player": 0, "clients": [["Ah", "Js"], ["Kd", "Qd"]], "pile": ["6s", "7s", "8s", "9s"], "discard": []},
    "hands": [["2h", "5h", "9h", "3s", "4s"], ["2c", "3c", "4c"]],
}


def test_a_draw_that_gets_nothing_is_told_and_one_of_nothing_is_not() -> None:
    rules = Rules(believed_bluff_draw=0, max_turns=2)
    game = Game.at(rules, {**OPENING, "pile": [], "hands": [["2h", "3s", "4s"], ["2c", "3c", "4c"]]})
    game.pay(0, "Ah", ["2h", "3s", "4s"], 1)
    game.answer(1, False)
    assert game.due == (DRAW, 0, 2)  # the end of the turn: an empty hand
    game.draw(0, ["3s", "2h"])  # out of the payment, which has been shuffled
    game.draw_one(1)
    game.draw(1, ["4s"])
    assert [event["type"] for event in game.told] == ["turn", "pay", "draw", "turn", "draw", "end"]
    empty = Game.at(rules, {**OPENING, "pile": []})
    empty.draw_one(0)
    empty.draw(0, [])
    assert empty.told[1] == {"type": "draw", "player": 0, "cards": [], "reshuffled": False}


def test_two_cards_drawn_at_the_end_of_a_turn_may_pass_the_limit() -> None:
    """Each half of SAL-5.2 applies once: a hand of three stands against a limit of two."""
    game = Game.at(Rules(hand_limit=2), {**OPENING, "hands": [[], ["2c"]]})
    play_script(game, [{"action": "draw"}], list(OPENING["pile"]), random.Random(1))
    assert (game.hands[0], game.to_move) == (["6s", "7s", "8s"], 1)


def test_a_judge_keeps_to_neither_the_limit_nor_the_two_cards_before_its_own_turn() -> None:
    game = Game.at(Rules(wrong_doubt_discard=9), OPENING)
    pay = {"action": "pay", "client": "Ah", "cards": ["2h", "5h", "9h"], "judge": 1, "doubted": True}
    play_script(game, [pay], list(OPENING["pile"]), random.Random(1))
    assert (game.hands[1], game.to_move) == ([], 1)


@pytest.mark.parametrize(("play_to", "left"), [("first_close", ["6s"]), ("last_standing", [])])
def test_only_in_the_long_game_a_closed_hand_is_discarded(play_to: str, left: list[str]) -> None:
    game = Game.at(Rules(play_to=play_to, last_bill=5), {**OPENING, "clients": [["Ah"], ["Kd"]]})
    pay = {"action": "pay", "client": "Ah", "cards": OPENING["hands"][0], "judge": 1, "doubted": False}
    play_script(game, [pay], list(OPENING["pile"]), random.Random(1))
    assert game.hands[0] == (["6s", "7s", "8s"] if left else [])
    assert (game.reason, game.winner, game.ranking) == (play_to, 0, [0, 1])
    with pytest.raises(RuleError, match="the game has ended"):
        game.draw_one(1)


def test_an_empty_hand_is_not_discarded_on_closing() -> None:
    rules = Rules(play_to="last_standing", last_bill=5, believed_bluff_draw=0)
    game = Game.at(rules, {**OPENING, "clients": [["Ah"], ["Kd"]]})
    game.pay(0, "Ah", OPENING["hands"][0], 1)
    game.answer(1, False)
    assert [event["type"] for event in game.told] == ["turn", "pay", "closed", "end"]


def test_a_long_game_cut_short_is_won_by_the_first_to_close() -> None:
    closed = {**OPENING, "clients": [["Ah"], ["Kd"], [], ["Kc"]], "hands": [["2h", "3h"], ["4h"], [], []]}
    rules = Rules(players=4, play_to="last_standing", max_turns=9)
    game = Game.at(rules, {**closed, "closed": [2], "turns_done": 8})
    play_script(game, [{"action": "draw"}], ["6s"], random.Random(1))
    assert (game.reason, game.winner, game.ranking) == ("max_turns", 2, [2, 0, 1, 3])


def test_the_circle_passes_over_closed_seats() -> None:
    assert [next_seat(4, seat, [1, 2]) for seat in range(4)] == [3, 3, 3, 0]
    assert ranking(5, [3, 1]) == [3, 1, 0, 2, 4]


def test_breaches_change_nothing() -> None:
    game = Game.at(DEFAULT, {**OPENING, "pile": ["6s"], "discard": ["7s", "8s"]})
    breaches: list[tuple[str, tuple[Any, ...], str]] = [
        ("draw_one", (1,), "seat 0 must"),
        ("draw", (0, ["6s"]), "due is act"),
        ("answer", (1, True), "due is act"),
        ("discard", (0, ["2h"]), "due is act"),
        ("swap", (0, "2c"), "seat 0 discards 2c from"),
        ("pay", (0, "Kd", ["2h", "5h", "9h"], 1), "seat 0 pays for Kd"),
        ("pay", (0, "Ah", ["2h", "5h"], 1), "the bill is 3"),
        ("pay", (0, "Ah", ["2h", "2h", "5h"], 1), "seat 0 pays 2h from"),
        ("pay", (0, "Ah", ["2h", "5h", "9h"], 0), r"seat 0 may not judge seat 0, only \[1\]"),
    ]
    later: list[tuple[str, tuple[Any, ...], str]] = [
        ("draw", (0, ["6s"]), "1 cards instead of 2"),
        ("draw", (0, ["7s", "8s"]), "6s must be drawn before"),
        ("draw", (0, ["6s", "9s"]), "not in the draw pile: 9s"),
    ]
    for stage in (breaches, later):
        for method, arguments, message in stage:
            before = copy.deepcopy(vars(game))
            with pytest.raises(RuleError, match=message):
                getattr(game, method)(*arguments)
            assert vars(game) == before
        if stage is breaches:
            game.swap(0, "2h")


# --- properties -------------------------------------------------------------------------------------------------------

SEEDS = st.integers(0, 2**32).map(random.Random)


@given(SEEDS)
@settings(deadline=None, max_examples=60)
def test_every_legal_move_of_a_random_position_is_accepted_and_no_card_is_lost(rng: random.Random) -> None:
    rules = Rules.from_options(random_rules(rng) | {"max_turns": rng.randint(1, 30)})
    numbers, clients = Counter(number_pack(rules)), Counter(client_pack(rules))

    def tried(game: Game) -> Move:
        lie = [*game.hands, game.discards, game.payment.cards if game.payment else []]
        assert sum(map(Counter, lie), game.pile.copy()) == numbers
        assert sum(map(Counter, game.clients), Counter(game.freed)) == clients
        moves = game.moves()
        assert len(set(moves)) == len(moves) > 0 and random_move(game, rng) in moves
        for move in rng.sample(moves, min(4, len(moves))):
            copy.deepcopy(game).move(move)
        return rng.choice(moves)

    game = play(rules, deal(rules, rng), tried, rng)
    assert game.turns <= rules.max_turns
    assert sorted(game.ranking) == list(range(rules.players))
    assert game.closed == [seat for seat in game.ranking if not game.clients[seat]]


@given(st.integers(0, 80), st.integers(0, 80), st.integers(0, 20))
def test_a_draw_gives_what_there_is(pile: int, discard_pile: int, need: int) -> None:
    served = draw(pile, discard_pile, need)
    assert sum(served) == min(need, pile + discard_pile)
    assert served.reshuffled == (need > pile and discard_pile > 0)
    assert served.from_discards == 0 or served.from_pile == pile


@given(st.data())
def test_there_is_always_another_judge_unless_nobody_else_is_left(data: st.DataObject) -> None:
    players = data.draw(st.integers(2, 8))
    payer, last = (data.draw(st.integers(0, players - 1)) for _ in (0, 1))
    closed = data.draw(st.sets(st.integers(0, players - 1), max_size=players - 2)) - {payer}
    found = judges(players, payer, closed, None if last == payer else last)
    assert found and not {payer, *closed} & {*found}
    assert last not in found or found == [last]


def test_random_moves_are_as_likely_as_each_other() -> None:
    position = {**OPENING, "clients": [["Ah", "Js"], ["Kd"], ["Qd"]], "hands": [["2h", "2h", "9h"], ["2c"], []]}
    game, rng = Game.at(Rules(players=3, bill=2), position), random.Random(3)
    drawn = Counter(random_move(game, rng) for _ in range(16_000))
    assert set(drawn) == set(game.moves()) and len(drawn) == 1 + 3 + 2 * 3 * 2
    assert all(abs(number - 1000) < 5 * sqrt(1000) for number in drawn.values())


# --- options ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        *({"players": value} for value in (1, 9, 2.0, None)),
        *({"packs": value} for value in (0, 3, True)),
        *({"clients": value} | more for value, more in ((0, {}), (9, {}), (4, {"players": 5, "packs": 1}))),
        *({"hand_size": value} | more for value, more in ((-1, {}), (19, {}), (10, {"players": 4}))),
        *({name: value} for name in ("bill", "last_bill", "max_turns") for value in (0, 1.0, "3")),
        *({name: -1} for name in option_names() if name.endswith(("_draw", "_discard"))),
        *({"hand_limit": value} for value in (1, False)),
        *({name: value} for name in ("caught_bluff_cards", "play_to") for value in ("", None, True)),
        {"hand_sizes": 5},
    ],
    ids=str,
)
def test_wrong_options_are_refused(options: Case) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        Rules.from_options(options)


def test_the_defaults() -> None:
    assert [*vars(DEFAULT).values()] == [2, 1, 4, 5, 3, 4, 3, 1, 2, 1, 2, "discard", 5, "first_close", 2000]
    assert [Rules(players=players).packs for players in range(2, 9)] == [1, 1, 1, 2, 2, 2, 2]


def test_the_largest_deals_are_playable() -> None:
    for options in ({"clients": 8}, {"hand_size": 18}, {"players": 8, "hand_size": 9}, {"players": 3, "hand_size": 12}):
        rules = Rules.from_options(options)
        assert len(deal(rules, random.Random(1)).pile) == 36 * (rules.packs or 0) - rules.players * rules.hand_size


def test_random_rules_vary_every_option() -> None:
    rng = random.Random(1)
    seen = [random_rules(rng) for _ in range(300)]
    assert all(list(options) == option_names() and Rules.from_options(options) for options in seen)
    for name in option_names():
        assert len({options[name] for options in seen}) >= 2, name
