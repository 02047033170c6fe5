"""Sixty-Six's strategies: legal under any rules and restrictions, what each is about, and which is the strongest."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from simkit.driver import PLAYING, Table
from simkit.games import get_game
from simkit.games.sixty_six.cards import name_of, names_of
from simkit.games.sixty_six.moves import CARD, CLOSE, MARRIAGE
from simkit.games.sixty_six.tell import move_words
from tests.games.sixty_six_positions import Position, cards
from tests.slow import sixty_six_endings as brute
from tests.slow.sixty_six import PACK, Rules, random_rules
from tests.tables import shipped, shipped_names, table_of

SIXTY_SIX = get_game("sixty_six")
NAMES = shipped_names("sixty_six")
OTHERS = [name for name in NAMES if name != "counter"]
# What a seat may be barred from: marriages of trumps, plain ones, the nine; two of them, and all.
BARRED = [0, 1, 2, 4, 3, 7]


@pytest.mark.parametrize("name", NAMES)
def test_every_move_is_legal_under_any_rules_and_restrictions(name: str) -> None:
    rng = random.Random(f"legal {name}")
    for number in range(120):
        values = SIXTY_SIX.resolve(random_rules(rng) | {"match_points": number % 3})
        mine, theirs = BARRED[number % len(BARRED)], rng.choice(BARRED)
        lab = [{"barred": bits} for bits in ((mine, theirs), (theirs, mine))]
        table = Table(SIXTY_SIX, [shipped("sixty_six", name)] * 2, values, seed=number, lab=lab)
        assert (table.play(0, 10)["tricks"] > 0).all()  # an illegal move raises, with the position in words


@pytest.mark.parametrize("name", NAMES)
def test_nobody_declares_or_exchanges_what_it_is_barred_from(name: str) -> None:
    for exchange in ("automatic", "optional"):
        values = SIXTY_SIX.resolve({"nine_exchange": exchange})
        players = [shipped("sixty_six", name)] * 2
        outcomes = Table(SIXTY_SIX, players, values, seed=3, lab=[{"barred": (7, 7)}] * 2).play(0, 200)
        assert outcomes["used"].sum() == 0
        assert outcomes["drawn"].sum() > 0


@pytest.mark.parametrize("other", OTHERS)
def test_the_counter_beats_every_other_strategy(other: str) -> None:
    """The interval of its share of decided deals, paired, is above 60 %, and above 90 % against random."""
    outcomes = table_of(SIXTY_SIX, ["counter", other], seed=20266).play(0, 4000)
    won = (outcomes["winner"] == [0, 1]).sum(axis=1)  # of the two games of a deal, seats swapped
    decided = (outcomes["winner"] >= 0).sum(axis=1)
    share = won.sum() / decided.sum()
    error = np.sqrt(((won - share * decided) ** 2).sum()) / decided.sum()
    assert share - 1.96 * error > (0.9 if other == "random" else 0.6)


def test_players_who_think_beat_those_who_play_at_random() -> None:
    for name in NAMES:
        if name != "random":
            outcomes = table_of(SIXTY_SIX, [name, "random"], seed=7).play(0, 500)
            assert (outcomes["winner"] == [0, 1]).mean() > 0.8, name


# --- the counter's endings --------------------------------------------------------------------------------------------


def ending_of(view: np.void, rules: Rules) -> brute.Ending:
    """The position that a view shows once the stock is exhausted; who sees it is seat 0 in the ending."""
    hand = int(view["hand"])
    other = cards(PACK) & ~(hand | int(view["played"]) | int(view["their_played"]))
    points, pending, tricks = (
        (int(view[field]), int(view[f"their_{field}"])) for field in ("points", "pending", "tricks")
    )
    trump, led = names_of(int(view["trumps"]))[0][-1], None if view["led"] < 0 else name_of(int(view["led"]))
    hands = tuple(names_of(hand)), tuple(names_of(other))
    return brute.Ending(rules, trump, None, hands, 0, led, points, pending, tricks)


def endings(options: Mapping[str, Any], seed: int, deals: int) -> Iterator[tuple[brute.Ending, int]]:
    """Each position with the stock exhausted and few cards left that a counter meets, and the move that it makes."""
    table, rules = table_of(SIXTY_SIX, ["counter", "greedy"], options, seed), Rules.from_options(options)
    for deal in range(deals):
        asked = 0
        for record in table.steps(deal, deal % 2, np.zeros(1, table.engine.outcome)):
            view, before, asked = record["sight"], asked, int(record["decisions"])
            mine = asked > before and record["seat"] == deal % 2
            if mine and view["stock"] == 0 and 2 <= int(view["hand"]).bit_count() <= 4:
                yield ending_of(view, rules), int(record["move"])


@pytest.mark.parametrize("last_trick", ["none", "bonus10", "wins"])
def test_with_the_stock_exhausted_the_counter_plays_a_best_move(last_trick: str) -> None:
    met = 0
    for number, options in enumerate(
        {"last_trick": last_trick, "must_head": heads, "marriage_after_close": declares, "closing": False}
        for heads in (False, True)
        for declares in (False, True)
    ):
        for ending, move in endings(options, seed=number, deals=100):
            values = brute.values(ending)
            assert values[name_of(move & CARD), bool(move & MARRIAGE)] == max(values.values()), ending
            met += len(values) > 1
    assert met > 200


# --- closing ----------------------------------------------------------------------------------------------------------


def closes(close_at: float, **parameters: int) -> tuple[float, float]:
    """How many deals a counter closes against greedy, a deal, and the share of them that it wins."""
    counter = shipped("sixty_six", "counter").with_parameters({"close_at": close_at, **parameters})
    table = Table(SIXTY_SIX, [counter, shipped("sixty_six", "greedy")], SIXTY_SIX.resolve({}), seed=91)
    outcomes = table.play(0, 1500)
    closed = outcomes["closes"][:, 0, 0].sum() + outcomes["closes"][:, 1, 1].sum()
    won = outcomes["closes_won"][:, 0, 0].sum() + outcomes["closes_won"][:, 1, 1].sum()
    return closed / outcomes.size, won / max(closed, 1)


def test_the_threshold_moves_how_often_the_counter_closes_and_how_safely() -> None:
    shares, won = zip(*[closes(close_at) for close_at in (-10, 0, 0.5, 1, 1.5, 10)], strict=True)
    assert list(shares) == sorted(shares, reverse=True)
    assert shares[0] > 0.99 > shares[1] > shares[2] > shares[3] > shares[4] > shares[5] == 0
    assert list(won[:5]) == sorted(won[:5])


def test_a_close_is_safer_after_a_look_at_many_hands_than_at_one() -> None:
    few, many = (closes(1.0, samples=n, trials=n)[1] for n in (1, 20))
    assert many > few + 0.2


# --- what each of them is about ---------------------------------------------------------------------------------------


def choice(
    name: str,
    hand: str,
    theirs: str,
    turned_up: str | None = "9s",
    led: str | None = None,
    options: Mapping[str, Any] | None = None,
    **position: Any,
) -> str:
    """What a strategy plays as seat 0 with spades trump: at a lead, or in reply to the card led by seat 1."""
    hands = [hand.split(), theirs.split()]
    gone = {*hands[0], *hands[1], turned_up}
    talon = [card for card in PACK if card not in gone] if turned_up else []
    given = {
        "trump": "s",
        "turned_up": turned_up,
        "talon": talon,
        "closer": None,
        "leader": 0 if led is None else 1,
        "hands": hands,
        "tricks_won": [0, 0],
        "points": [0, 0],
        "pending": [0, 0],
    }
    place = Position(options or {}, given | position)
    if led is not None:
        place.play(led)
    table, player = place.table, shipped("sixty_six", name)
    table.record["params"][0, 0]["value"][: len(player.row)] = player.row
    assert table.engine.step(table.record[0], place.outcome[0], (player.act, player.act)) == PLAYING
    return move_words(table.record["sight"][0], int(table.record["move"][0]))


def test_greedy_wins_as_cheaply_as_it_can() -> None:
    theirs = "Kd 9d Jc Qc Kc 10c"
    assert choice("greedy", "Ad 10d 9h Jh Qs Kh", theirs, led="Kd") == "10d"
    assert choice("greedy", "Ad 10d 9h Jh Qs Kh", theirs) == "9h"


@pytest.mark.parametrize("name", ["greedy", "trump_saver", "counter"])
def test_all_declare_their_marriages(name: str) -> None:
    assert choice(name, "Kd Qd 9h Jh 9c Jd", "As 10s Ah 10h Ac 10c") == "marriage Qd"
    assert choice(name, "Kd Qd Ks Qs 9c Jd", "As 10s Ah 10h Ac 10c") == "marriage Qs"


def test_trump_saver_takes_with_plain_cards_and_keeps_its_trumps_from_small_tricks() -> None:
    theirs = "Kd 10h Jh Qc Kc 9c"
    assert choice("trump_saver", "Ad 10d 9h As Js 9d", theirs, led="Kd") == "Ad"
    assert choice("trump_saver", "9h As Js Ac Qh Kh", theirs, led="Kd") == "9h"
    assert choice("trump_saver", "9d As Js Ac Qd Kh", theirs, led="10h") == "9d"
    assert choice("trump_saver", "9d As Qs Ac Qd Kh", theirs, led="10h", points=[54, 0], tricks_won=[2, 0]) == "Qs"


def test_trump_saver_leads_low_plain_cards_and_at_the_end_its_trumps_from_the_top() -> None:
    assert choice("trump_saver", "As 10s Qd 9s 10h Jc", "Ad 10d 9h Jh Qh Kh", turned_up="Js") == "Jc"
    assert choice("trump_saver", "As Js", "Qs Ks", turned_up=None, tricks_won=[5, 5], points=[40, 45]) == "As"


def test_counter_keeps_its_marriages_and_half_marriages() -> None:
    """It throws off another card rather than a king or queen whose partner it holds, or may still draw."""
    theirs = "Ad 10d Ah 9h Jh 9d"
    assert choice("counter", "Kc Qc Jc 10h Ac Jd", theirs, led="Ad") == "Jd"
    assert choice("counter", "Kc Jc Qh Ac Ks Jd", theirs, led="9d") == "Jd"


def test_counter_takes_tricks_with_tens() -> None:
    assert choice("counter", "10d 9h Jh Qs Kc Jc", "Kd 9d 9c Qc Ah 10h", led="Kd") == "10d"


def test_counter_takes_any_trick_that_wins_the_deal_and_gives_none_away_that_loses_it() -> None:
    theirs = "10d Qd 9c Qc Ah 10h"
    behind = {"tricks_won": [1, 2], "points": [20, 56]}
    assert choice("counter", "As 9h Jh Qs Kc Jc", theirs, led="10d", **behind) in ("As", "Qs")
    ahead = {"tricks_won": [2, 1], "points": [53, 20]}
    assert choice("counter", "As 9h Jh 10s Kc Qc", theirs, led="Qd", **ahead) in ("As", "10s")


def test_counter_closes_with_a_hand_that_cannot_fail_and_not_with_one_that_can_only_fail() -> None:
    strong = {"tricks_won": [1, 1], "points": [20, 6], "turned_up": "9s"}
    assert choice("counter", "As 10s Ks Qs Ad 10d", "9d Jd Qd 9h Jh 9c", **strong).startswith("close")
    assert "close" not in choice("counter", "9d Jd Qd 9h Jh 9c", "As 10s Ks Qs Ad 10d", **strong)


def test_counter_declares_with_a_close_where_the_rules_let_it() -> None:
    """Where they do not, the move would be illegal and stop the game."""
    for allowed in (True, False):
        table = table_of(SIXTY_SIX, ["counter"], {"marriage_after_close": allowed}, seed=94)
        moves = [int(r["move"]) for deal in range(200) for r in table.steps(deal, 0, np.zeros(1, table.engine.outcome))]
        closing = [move for move in moves if move & CLOSE]
        assert len(closing) > 50
        assert any(move & MARRIAGE for move in closing) == allowed


def test_counter_exchanges_the_nine_when_it_may_choose() -> None:
    options = {"nine_exchange": "optional", "closing": False}
    found = choice("counter", "9s 9d Jc Qh Ac 10h", "Ad 10d 9h Jh Kh Kd", "Js", options=options, tricks_won=[1, 0])
    assert found.startswith("exchange")
