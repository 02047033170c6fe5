"""The compiled game of Hakka cards agrees with the slow reading, move by move, in thousands of games of any rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from simkit.driver import Table
from simkit.games import get_game
from simkit.games.hakka.cards import PATTERNS, names_of
from simkit.games.hakka.counts import CLAUSE_IDS
from simkit.transcript import events as told_events
from tests.games.hakka_positions import decision_of, legal_moves
from tests.games.told import Match, check_clauses, check_columns, never_fired, told_matches
from tests.slow import hakka as slow
from tests.slow.hakka import Play, Rules, random_rules
from tests.slow.hakka_columns import Follower, columns, plays_of
from tests.slow.hakka_game import Dealt, Hand, Move
from tests.slow.hakka_referee import referee
from tests.tables import shipped, table_of

STRATEGIES = ("random", "random", "caller")
CHUNKS, TABLES = 6, 40  # with all rotations 960 games


def random_table(rng: random.Random) -> Table:
    """Four strategies under random rules."""
    game, options = get_game("hakka"), random_rules(rng)
    players = [shipped("hakka", name) for name in rng.choices(STRATEGIES, k=4)]
    return Table(game, players, game.resolve(options), rng.getrandbits(64))


@pytest.fixture(scope="module", params=range(CHUNKS))
def matches(request: pytest.FixtureRequest) -> list[Match]:
    """Games of random tables under random rules."""
    return told_matches(random_table, request.param, TABLES, 4)


def test_transcripts_pass_the_referee_and_end_as_the_batch_said(matches: list[Match]) -> None:
    for match in matches:
        verdict, outcome = referee(match.events), match.outcome
        assert verdict == {
            "winner": None if outcome["winner"] < 0 else outcome["winner"],
            "reason": "max_redeals" if outcome["unfinished"] else "hands",
            "points": outcome["scores"].tolist(),
            "hands": outcome["hands_played"],
            "cancelled": outcome["hands_cancelled"],
        }


def test_every_column_counted_from_the_transcript_is_the_batch_s(matches: list[Match]) -> None:
    probes = [name for name in matches[0].outcome.dtype.names or () if name.startswith("probe_")]
    check_columns(matches, columns, CLAUSE_IDS, probes)


def test_the_clauses_told_in_a_transcript_are_those_the_batch_counted(matches: list[Match]) -> None:
    check_clauses(matches, CLAUSE_IDS)


def test_every_clause_fires_in_games_of_any_rules() -> None:
    assert never_fired(random_table, CLAUSE_IDS, 100) == []


# --- legal moves and views --------------------------------------------------------------------------------------------


def replay(hand: Hand, told: list[dict[str, Any]]) -> Iterator[tuple[Hand, Move]]:
    """The slow reading's hand at each decision of a hand as told, and what was decided."""
    for event in told:
        if hand.decision in ("claim", "five_tigers") and event["type"] != hand.decision:  # declined by silence
            yield hand, Move(hand.decision, False)
            hand.move(hand.to_move, Move(hand.decision, False))
        for move in moves_of(event):
            yield hand, move
            hand.move(hand.to_move, move)


def moves_of(event: dict[str, Any]) -> list[Move]:
    """The decisions that an event tells."""
    kind = event["type"]
    if kind == "trick":
        lead, *rest = plays_of(event)
        return [Move("lead", lead.cards), *(Move("discard" if p.discard else "beat", p.cards) for p in rest)]
    if kind == "call":
        return [Move("call", event["call"])]
    return [Move(kind, True)] if kind in ("claim", "five_tigers") else []


def hands_of(events: list[dict[str, Any]]) -> Iterator[tuple[Hand, list[dict[str, Any]]]]:
    """The hands of a game: dealt in the slow reading, and the events told of each."""
    rules = Rules.from_options(events[0]["rules"])
    starts = [number for number, event in enumerate(events) if event["type"] == "hand"]
    for start, stop in zip(starts, [*starts[1:], len(events)], strict=True):
        deal = events[start]
        dealt = Dealt({int(seat): cards for seat, cards in deal["hands"].items()}, deal["dreamer_card"])
        yield Hand(rules, deal["dealer"], dealt), events[start + 1 : stop]


def test_the_legal_moves_are_those_of_the_slow_reading() -> None:
    rng, seen = random.Random("moves"), Counter[str]()
    for _ in range(60):
        table, deal = random_table(rng), rng.getrandbits(40)
        known = (now for hand, told in hands_of(list(told_events(table, deal))) for now in replay(hand, told))
        state = table.record[0]["state"]
        for _ in table.steps(deal, 0, np.zeros(1, table.engine.outcome)):
            if state["turn"] >= 0:
                hand, _ = next(known)
                assert (hand.to_move, hand.decision) == (state["turn"], decision_of(state))
                found = legal_moves(table)
                assert len(set(found)) == len(found)
                assert set(found) == {tuple(move) for move in hand.moves()}
                seen.update(kind for kind, _ in found)
        assert next(known, None) is None
    assert seen.keys() >= {"call", "lead", "beat", "discard", "claim"}


Moment = tuple[Follower, int, str]  # the follower of a transcript at a decision, the seat that decides, and what


def moments(events: list[dict[str, Any]]) -> Iterator[Moment]:
    """Every decision of a game as told."""
    now = Follower(Rules.from_options(events[0]["rules"]))
    for event in events[1:]:
        if now.may_say:
            yield now, now.may_say[1], now.may_say[0]
        if event["type"] == "trick":
            for number, play in enumerate(plays_of(event)):
                yield now, play.player, "follow" if number else "lead"
                now.play(play)
        elif event["type"] == "call":
            yield now, event["player"], "call"
        now.read(event)


def test_a_view_shows_what_a_perfect_memory_knows_and_nothing_else() -> None:
    rng = random.Random("views")
    for _ in range(60):
        table, deal = random_table(rng), rng.getrandbits(40)
        known = moments(list(told_events(table, deal)))
        record = table.record[0]
        for _ in table.steps(deal, 0, np.zeros(1, table.engine.outcome)):
            if record["state"]["turn"] >= 0:
                now, decides, decision = next(known)
                assert (decides, decision) == (record["state"]["turn"], decision_of(record["state"]))
                legal_moves(table)  # writes the view
                assert shown(record["sight"]) == expected_view(now, decides)
        assert next(known, None) is None


SETS = ("hand", "best", "elders", "gone", "trick", "dealt", "winning")
SEAT_SETS = ("played", "lacks")
SEATS_OR_NONE = ("leader", "best_seat", "dealer", "dreamer", "privileged", "caller", "first_six", "seat")
NUMBERS = ("size", "left", "passes", "hands", "redeals")


def shown(view: np.void) -> dict[str, Any]:
    """A view in words and numbers, as far as it is no list of legal moves."""
    return {
        **{name: set(names_of(int(view[name]))) for name in SETS},
        **{name: [set(names_of(int(cards))) for cards in view[name]] for name in SEAT_SETS},
        **{name: None if view[name] < 0 else int(view[name]) for name in SEATS_OR_NONE},
        **{name: int(view[name]) for name in NUMBERS},
        **{name: view[name].tolist() for name in ("won", "points")},
        "pattern": None if view["pattern"] < 0 else PATTERNS[view["pattern"]],
    }


def expected_view(now: Follower, seat: int) -> dict[str, Any]:
    """The same from the transcript."""
    table = now.table
    best = now.best if table else Play(seat, (), False)
    return {
        "hand": now.hands[seat],
        "best": set(best.cards),
        "elders": set(slow.elders(set(slow.PACK) - now.gone, now.gone)),
        "gone": now.gone,
        "trick": slow.publicly_gone(now.rules, table),
        "dealt": now.dealt[seat],
        "winning": now.winning[seat],
        "played": now.played,
        "lacks": now.lacks,
        "leader": table[0].player if table else None,
        "best_seat": best.player if table else None,
        "dealer": now.dealer,
        "dreamer": now.dreamer,
        "privileged": now.privileged,
        "caller": now.caller,
        "first_six": now.first_six,
        "seat": seat,
        "size": len(best.cards),
        "left": 2 - len(table) if table else 0,
        "passes": now.passes,
        "hands": now.hands_over,
        "redeals": now.redeals,
        "won": now.won,
        "points": now.points,
        "pattern": slow.pattern_of(table[0].cards) if table else None,
    }


# --- the same cards ---------------------------------------------------------------------------------------------------


def deals_of(names: tuple[str, ...], deal: int) -> list[list[list[str]]]:
    """For each hand of a game what was dealt, from the dealer on, and the Dreamer's card."""
    found = []
    for event in told_events(table_of(get_game("hakka"), names, {"hands": 8}, seed=3), deal):
        if event["type"] == "hand":
            order = slow.turn_order(event["dealer"], event["dealer"])
            found.append([event["hands"][str(seat)] for seat in order] + [[event["dreamer_card"]]])
    return found


@pytest.mark.parametrize("deal", range(5))
def test_every_hand_of_a_game_has_the_same_cards_whoever_plays(deal: int) -> None:
    first = deals_of(("random",), deal)
    for names in (("caller",), ("caller", "random")):
        other = deals_of(names, deal)
        shared = min(len(first), len(other))
        assert shared >= 8
        assert first[:shared] == other[:shared]


def test_the_default_rules_are_those_of_the_slow_reading() -> None:
    assert Rules.from_options(get_game("hakka").resolve({})) == Rules()


def test_cards_are_named_and_ordered_as_in_the_slow_reading() -> None:
    assert names_of(2**64 - 1) == list(slow.PACK)
