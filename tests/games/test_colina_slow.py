"""The compiled game of Colina agrees with the slow reading, move by move, in thousands of games under random rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from simkit.driver import Table
from simkit.games import base, get_game
from simkit.games.colina.counts import CLAUSE_IDS, E_RESHUFFLE, E_RESHUFFLE_MID
from simkit.games.colina.moves import dead_count, dead_jokers
from simkit.rng import BLOCKS
from simkit.transcript import events as told_events
from tests.games.colina_positions import asked, dead_cards, hand_of
from tests.games.told import Match, check_clauses, check_columns, never_fired, told_matches
from tests.slow.colina import JOKER, SUITS, Game, Move, Rules, moves, random_rules, rank_of
from tests.slow.colina_columns import KINDS, columns
from tests.slow.colina_referee import referee
from tests.tables import shipped, table_of

STRATEGIES = ("random", "greedy", "hill_hunter")
CHUNKS, TABLES = 8, 125  # with both rotations 2,000 games
MOST_ROUNDS = 40  # of most games: two times through the pack, at an affordable price


def random_table(rng: random.Random, long: float = 0.1) -> Table:
    """Two strategies under random rules; this share of the tables may play as long as these allow."""
    colina = get_game("colina")
    options = random_rules(rng)
    if rng.random() >= long:
        options["max_rounds"] = min(options["max_rounds"], MOST_ROUNDS)
    players = [shipped("colina", name) for name in rng.choices(STRATEGIES, k=2)]
    return Table(colina, players, colina.resolve(options), rng.getrandbits(64))


@pytest.fixture(scope="module", params=range(CHUNKS))
def matches(request: pytest.FixtureRequest) -> list[Match]:
    """Games of random tables under random rules."""
    return told_matches(random_table, request.param, TABLES)


def test_transcripts_pass_the_referee_and_end_as_the_batch_said(matches: list[Match]) -> None:
    for match in matches:
        verdict, outcome = referee(match.events), match.outcome
        assert verdict == {
            "winner": None if outcome["winner"] < 0 else outcome["winner"],
            "reason": "max_rounds" if outcome["unfinished"] else "points",
            "points": outcome["points"].tolist(),
            "rounds": outcome["rounds"],
        }


def test_every_column_counted_from_the_transcript_is_the_batch_s(matches: list[Match]) -> None:
    check_columns(matches, columns, CLAUSE_IDS)


def test_the_clauses_told_in_a_transcript_are_those_the_batch_counted(matches: list[Match]) -> None:
    check_clauses(matches, CLAUSE_IDS)


def test_every_clause_but_the_dead_one_fires_in_these_games() -> None:
    assert never_fired(random_table, CLAUSE_IDS) == ["COL-6.2 both at 0"]


def decisions(table: Table, rng: random.Random) -> Iterator[tuple[int, list[str], list[Move]]]:
    """Seat, hand and compiled legal moves at every decision of one game."""
    for record in table.steps(rng.getrandbits(40), 0, np.zeros(1, table.engine.outcome)):
        seat = int(record["state"]["turn"])
        if seat >= 0:
            with asked(table, seat):
                found = [positions(record["sight"], int(move)) for move in table.legal_moves()]
            yield seat, hand_of(record["state"]["seats"][seat]), found


@pytest.mark.parametrize("chunk", range(4))
def test_at_every_decision_the_legal_moves_are_those_of_the_slow_reading(chunk: int) -> None:
    rng = random.Random(f"moves {chunk}")
    for _ in range(100):
        table = random_table(rng)
        rules = Rules.from_options(table.rules[0])
        for _, hand, found in decisions(table, rng):
            assert sorted(found, key=str) == sorted(moves(rules, hand), key=str)


def test_a_seat_barred_from_kinds_of_cards_has_all_moves_but_those_with_them() -> None:
    rng = random.Random("barred")
    for _ in range(100):
        table = random_table(rng)
        barred = [[kind for kind in KINDS if rng.random() < 0.4] for _ in range(2)]
        bits = [sum(1 << KINDS.index(kind) for kind in kinds) for kinds in barred]
        lab = [{"barred": tuple(bits)}, {"barred": tuple(bits[::-1])}]
        table = Table(table.game, table.players, table.rules[0], rng.getrandbits(64), lab)
        rules = Rules.from_options(table.rules[0])
        for seat, hand, found in decisions(table, rng):
            expected = [move for move in moves(rules, hand) if not uses(hand, move, barred[seat])]
            assert sorted(found, key=str) == sorted(expected, key=str)


def uses(hand: list[str], move: Move, kinds: list[str]) -> bool:
    """Whether a move puts one of these kinds in the back line, or a joker, if it is one of them, into a siamese."""
    front, back = move
    in_siamese = len(front) > 1 and JOKER in kinds and any(hand[place] == JOKER for place in front)
    return in_siamese or (back is not None and rank_of(hand[back]) in kinds)


def positions(view: np.void, move: int) -> Move:
    """A move as places among the cards held, front line and back line, as the slow reading has it."""
    place = [slot for slot in range(6) if int(view["held"]) >> slot & 1].index
    front = tuple(place(slot) for slot in range(6) if move >> slot & 1)
    return front, place((move >> 6) - 1) if move >> 6 else None


@dataclass(frozen=True)
class Known:
    """What there is to know before a round, by the slow reading."""

    game: Game
    totals: tuple[int, int]
    backs: list[int]


def rounds_of(events: list[dict[str, Any]]) -> Iterator[Known]:
    """The slow game before each round that a transcript tells."""
    game, plays = Game(Rules.from_options(events[0]["rules"])), []
    totals, backs = (-1, -1), [-1, -1]
    for event in events:
        if event["type"] == "draw":
            game.draw(event["player"], event["cards"], event["reshuffled"])
        elif event["type"] == "play":
            plays.append((event["front"], event["back"]))
        elif event["type"] == "result":
            yield Known(deepcopy(game), totals, backs)
            totals = game.play(plays).totals
            backs = [-1 if back is None else KINDS.index(rank_of(back)) for _, back in plays]
            plays = []


def test_a_view_shows_what_the_slow_reading_knows_of_the_other_seat_and_the_piles() -> None:
    rng = random.Random("views")
    for _ in range(40):
        table, deal = random_table(rng, long=0), rng.getrandbits(40)
        known = list(rounds_of(list(told_events(table, deal))))
        record = table.record[0]
        for number, _ in enumerate(table.steps(deal, 0, np.zeros(1, table.engine.outcome))):
            seat, view = number % 2, record["sight"]
            if number < 2 * len(known):
                now = known[number // 2]
                with asked(table, seat):
                    table.legal_moves()  # writes the view
                assert shown(view) == expected_view(now, seat, number // 2 + 1)


def shown(view: np.void) -> dict[str, Any]:
    """A view in words and numbers, the piles as sorted cards."""
    fields = ("seat", "round", "points", "their_points", "cards", "their_cards", "pile", "their_total", "their_back")
    return {
        **{field: int(view[field]) for field in fields},
        "hand": sorted(hand_of(view)),
        "dead": sorted(dead_cards(view)),
        "dead counts": [[dead_count(view, suit, rank) for rank in range(2, 15)] for suit in range(4)],
        "dead jokers": dead_jokers(view),
    }


def expected_view(known: Known, seat: int, round_: int) -> dict[str, Any]:
    """The same from the slow reading."""
    game, other = known.game, 1 - seat
    ranks = [*map(str, range(2, 11)), "J", "Q", "K", "A"]
    return {
        "seat": seat,
        "round": round_,
        "points": game.points[seat],
        "their_points": game.points[other],
        "cards": len(game.hands[seat]),
        "their_cards": len(game.hands[other]),
        "pile": game.pile.total(),
        "their_total": known.totals[other],
        "their_back": known.backs[other],
        "hand": sorted(game.hands[seat]),
        "dead": sorted(game.dead.elements()),
        "dead counts": [[game.dead[rank + suit] for rank in ranks] for suit in SUITS],
        "dead jokers": game.dead[JOKER],
    }


def drawn(names: tuple[str, str], deal: int) -> list[str]:
    """All cards drawn in a game, in order."""
    table = table_of(get_game("colina"), names, seed=3)
    return [card for event in told_events(table, deal) if event["type"] == "draw" for card in event["cards"]]


@pytest.mark.parametrize("deal", range(5))
def test_the_first_time_through_the_pack_everyone_draws_the_same_cards(deal: int) -> None:
    first = drawn(("random", "random"), deal)
    for names in (("greedy", "greedy"), ("hill_hunter", "random"), ("shedder", "greedy")):
        other = drawn(names, deal)
        shared = min(len(first), len(other), 108)
        assert shared > 30
        assert other[:shared] == first[:shared]


def test_later_shuffles_leave_the_stream_of_the_deal_alone() -> None:
    table = table_of(get_game("colina"), rules={"start_points": 1000}, seed=4)
    for deal in range(20):
        outcome = table.play(deal, 1, 1)[0, 0]
        chance = table.record["chance"][0]
        assert outcome["clauses"][[E_RESHUFFLE, E_RESHUFFLE_MID]].sum() > 1
        assert chance["deal"]["block"] == 4 * BLOCKS  # 128 words, of which a pack of 108 takes all but a few
        assert chance["shuffle"]["block"] > 4 * BLOCKS


def test_the_default_rules_are_those_of_the_slow_reading(colina: base.Game) -> None:
    assert Rules.from_options(colina.resolve({})) == Rules()
