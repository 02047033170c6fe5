"""The compiled game of Sixty-Six agrees with the slow reading, move by move, in thousands of games of any rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from simkit.driver import Table
from simkit.games import base, get_game
from simkit.games.sixty_six.cards import name_of, names_of
from simkit.games.sixty_six.counts import CLAUSE_IDS
from simkit.games.sixty_six.rules import MAX_DEALS
from simkit.games.sixty_six.tell import move_words
from simkit.games.sixty_six.words import CLOSER, LED, NONE, STOCK, TRICKS, told_byte
from simkit.transcript import events as told_events
from tests.games.sixty_six_positions import asked
from tests.games.told import Match, check_clauses, check_columns, never_fired, told_matches
from tests.slow import sixty_six as slow
from tests.slow.sixty_six import Rules, leads, random_rules, rank_of, replies, suit_of
from tests.slow.sixty_six_columns import SUBJECTS, Follower, columns
from tests.slow.sixty_six_referee import referee
from tests.tables import shipped, table_of

STRATEGIES = ("random", "random", "greedy")
CHUNKS, TABLES = 8, 125  # with both rotations 2,000 games
SHORT = 2  # game points of most matches: some of two deals and more, at an affordable price


def random_table(rng: random.Random, long: float = 0.1) -> Table:
    """Two strategies under random rules; this share of the tables may play long matches."""
    game, options = get_game("sixty_six"), random_rules(rng)
    if rng.random() >= long:
        options["match_points"] = min(options["match_points"], SHORT)
    players = [shipped("sixty_six", name) for name in rng.choices(STRATEGIES, k=2)]
    return Table(game, players, game.resolve(options), rng.getrandbits(64))


@pytest.fixture(scope="module", params=range(CHUNKS))
def matches(request: pytest.FixtureRequest) -> list[Match]:
    """Games of random tables under random rules."""
    return told_matches(random_table, request.param, TABLES)


def test_transcripts_pass_the_referee_and_end_as_the_batch_said(matches: list[Match]) -> None:
    for match in matches:
        verdict, outcome = referee(match.events), match.outcome
        assert verdict == {
            "winner": None if outcome["winner"] < 0 else outcome["winner"],
            "reason": match.events[-1]["reason"],
            "game_points": outcome["scores"].tolist(),
            "deals": outcome["deals"],
        }


def test_every_column_counted_from_the_transcript_is_the_batch_s(matches: list[Match]) -> None:
    check_columns(matches, columns, CLAUSE_IDS)


def test_the_clauses_told_in_a_transcript_are_those_the_batch_counted(matches: list[Match]) -> None:
    check_clauses(matches, CLAUSE_IDS)


def test_every_clause_fires_in_these_games() -> None:
    assert never_fired(random_table, CLAUSE_IDS) == ["SS-7.4 unfinished"]


def test_a_match_that_cannot_end_is_stopped_and_unfinished() -> None:
    """Every deal is closed at once and fails, for no game points, or is won by its closer: too few of these to end."""
    rules = {"failed_close_points": 0, "match_points": 1_000_000}
    table = table_of(get_game("sixty_six"), rules=rules)
    outcomes = table.play(0, 2)
    assert (outcomes["unfinished"] == 1).all() and (outcomes["winner"] == -1).all()
    assert (outcomes["deals"] == MAX_DEALS).all()
    told = list(told_events(table, 0))
    assert (told[-1]["reason"], told[-1]["winner"]) == ("max_deals", None)
    counted = columns(told)
    assert counted.pop("clauses")["SS-7.4 unfinished"] == 1
    assert counted == {name: outcomes[0, 0][name].tolist() for name in counted}


# --- legal moves ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Decision:
    """What the compiled game says of a decision: its table in the words of the slow reading, hand, and legal moves."""

    table: slow.Table
    led: str | None
    hand: list[str]
    seat: int
    moves: list[str]


def decisions(table: Table, rng: random.Random) -> Iterator[Decision]:
    """Every decision of one game."""
    for record in table.steps(rng.getrandbits(40), 0, np.zeros(1, table.engine.outcome)):
        state = record["state"]
        seat, led = int(state["turn"]), told_byte(state["table"], LED)
        if seat < 0:
            continue
        with asked(table, seat):
            moves = [move_words(record["sight"], int(move)) for move in table.legal_moves()]
        turned, closer = names_of(int(state["turned"])), told_byte(state["table"], CLOSER)
        known = slow.Table(
            trump=names_of(int(state["trumps"]))[0][-1],
            turned_up=turned[0] if turned else None,
            stock=told_byte(state["table"], STOCK),
            closer=None if closer == NONE else closer,
            leader=seat if led == NONE else 1 - seat,
            tricks_won=(told_byte(state["standing"][0], TRICKS), told_byte(state["standing"][1], TRICKS)),
        )
        hand = names_of(int(state["hand"][seat]))
        yield Decision(known, None if led == NONE else name_of(led), hand, seat, moves)


def expected(rules: Rules, now: Decision) -> list[str]:
    """The legal moves by the slow reading."""
    if now.led is not None:
        return replies(rules, now.table.trump, now.table.is_open, now.led, now.hand)
    return [str(lead) for lead in leads(rules, now.table, now.hand)]


@pytest.mark.parametrize("chunk", range(4))
def test_at_every_decision_the_legal_moves_are_those_of_the_slow_reading(chunk: int) -> None:
    rng = random.Random(f"moves {chunk}")
    for _ in range(60):
        table = random_table(rng)
        rules = Rules.from_options(table.rules[0])
        for now in decisions(table, rng):
            assert sorted(now.moves) == sorted(expected(rules, now))


def test_a_seat_barred_from_subjects_has_all_moves_but_those_with_them() -> None:
    rng, barred_moves = random.Random("barred"), 0
    for _ in range(100):
        table = random_table(rng)
        barred = [[name for name in SUBJECTS if rng.random() < 0.4] for _ in range(2)]
        bits = [sum(1 << SUBJECTS.index(name) for name in names) for names in barred]
        lab = [{"barred": bits}, {"barred": bits[::-1]}]
        table = Table(table.game, table.players, table.rules[0], rng.getrandbits(64), lab)
        rules = Rules.from_options(table.rules[0])
        for now in decisions(table, rng):
            whole = expected(rules, now)
            left = [move for move in whole if not uses(move, now.table.trump, barred[now.seat])]
            assert sorted(now.moves) == sorted(left)
            barred_moves += len(whole) - len(left)
    assert barred_moves > 100


def uses(move: str, trump: str, names: list[str]) -> bool:
    """Whether a move uses one of these subjects."""
    kind = "trump_marriage" if suit_of(move) == trump else "marriage"
    return ("marriage" in move and kind in names) or ("exchange" in move and "nine" in names)


def test_a_seat_barred_from_the_nine_never_exchanges_it_by_itself() -> None:
    game = get_game("sixty_six")
    free = table_of(game, ["greedy"], seed=4)
    barred = Table(game, free.players, free.rules[0], 4, [{"barred": [4, 0]}] * 2)
    exchanges = [table.play(0, 2000, 1)["exchanges"].sum((0, 1)) for table in (free, barred)]
    assert exchanges[0].min() > 300
    assert exchanges[1][0] == 0 and exchanges[1][1] > 300


# --- views ------------------------------------------------------------------------------------------------------------


def moments(events: list[dict[str, Any]]) -> Iterator[tuple[Follower, int, str | None]]:
    """The follower of a transcript at each decision, the seat that decides, and the card led to it."""
    rules = Rules.from_options(events[0]["rules"])
    now, announced = Follower(rules), False
    for event in events[1:]:
        kind = event["type"]
        by_itself = kind == "exchange" and rules.nine_exchange == "automatic"
        if kind in ("exchange", "close", "marriage", "trick") and not by_itself:
            if not announced:
                yield now, now.leader, None
            announced = kind != "trick"
            if kind == "trick":
                yield now, 1 - now.leader, event["cards"][0]
        announced &= kind != "deal_end"
        now.read(event)


def test_a_view_shows_what_a_perfect_memory_knows_and_nothing_else() -> None:
    rng = random.Random("views")
    for _ in range(60):
        table, deal = random_table(rng), rng.getrandbits(40)
        known = moments(list(told_events(table, deal)))
        record = table.record[0]
        for _ in table.steps(deal, 0, np.zeros(1, table.engine.outcome)):
            seat = int(record["state"]["turn"])
            if seat >= 0:
                now, decides, led = next(known)
                assert decides == seat
                with asked(table, seat):
                    table.legal_moves()  # writes the view
                assert shown(record["sight"]) == expected_view(now, seat, led)
        assert next(known, None) is None


NUMBERS = ("points", "pending", "tricks", "game_points")
SETS = ("hand", "played", "their_played", "shown", "their_shown", "turned")


def shown(view: np.void) -> dict[str, Any]:
    """A view in words and numbers, as far as it is no list of legal moves."""
    fields = [f"{whose}{name}" for whose in ("", "their_") for name in NUMBERS]
    sets = {name: set(names_of(int(view[name]))) for name in SETS}
    rest = {name: int(view[name]) for name in (*fields, "stock", "open", "closer", "seat", "dealer")}
    led = None if view["led"] < 0 else name_of(int(view["led"]))
    return sets | rest | {"led": led, "trump": {card[-1] for card in names_of(int(view["trumps"]))}}


def expected_view(now: Follower, seat: int, led: str | None) -> dict[str, Any]:
    """The same from the transcript; a card on the table is played, though its trick is not told yet."""
    other = 1 - seat
    on_table = set() if led is None else {led}
    held = [set(hand) - on_table for hand in now.hands]
    numbers = {"points": now.points, "pending": now.pending, "tricks": now.tricks, "game_points": now.game_points}
    return {
        **{name: pair[seat] for name, pair in numbers.items()},
        **{f"their_{name}": pair[other] for name, pair in numbers.items()},
        "hand": set(now.hands[seat]),
        "played": set(now.played[seat]),
        "their_played": set(now.played[other]) | on_table,
        "shown": now.shown[seat] & held[seat],
        "their_shown": now.shown[other] & held[other],
        "turned": set() if now.turned is None else {now.turned},
        "stock": now.stock,
        "open": now.is_open,
        "closer": -1 if now.closer is None else now.closer,
        "seat": seat,
        "dealer": now.dealer,
        "led": led,
        "trump": {now.trump},
    }


# --- the same cards ---------------------------------------------------------------------------------------------------


def cards_of(names: tuple[str, str], deal: int, **rules: Any) -> list[tuple[Any, list[str]]]:
    """For each deal of a game what was dealt, and the cards drawn after it in their order."""
    found: list[tuple[Any, list[str]]] = []
    for event in told_events(table_of(get_game("sixty_six"), names, rules, seed=3), deal):
        if event["type"] == "deal":
            found.append(([sorted(hand) for hand in event["hands"]] + [event["turned_up"]], []))
        elif event["type"] == "draw":
            found[-1][1].append(event["card"])
    return found


@pytest.mark.parametrize("deal", range(5))
def test_every_deal_of_a_match_has_the_same_cards_whoever_plays(deal: int) -> None:
    off = {"match_points": 30, "nine_exchange": "off"}
    first = cards_of(("random", "random"), deal, **off)
    for names in (("greedy", "greedy"), ("greedy", "random")):
        other = cards_of(names, deal, **off)
        assert min(len(first), len(other)) > 10
        for (dealt, drawn), (dealt_too, drawn_too) in zip(first, other, strict=False):
            shared = min(len(drawn), len(drawn_too))
            assert (dealt, drawn[:shared]) == (dealt_too, drawn_too[:shared])


def test_the_default_rules_are_those_of_the_slow_reading() -> None:
    assert Rules.from_options(base.Game.resolve(get_game("sixty_six"), {})) == Rules()


def test_ranks_and_suits_are_named_as_in_the_slow_reading() -> None:
    assert [name_of(card) for card in range(24)] == list(slow.PACK)
    assert {rank_of(name_of(card)) for card in range(20, 24)} == {"A"}
