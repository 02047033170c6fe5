"""The compiled Lost Cities agrees with the slow reading, move by move, in thousands of games under random rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from simkit.driver import Table
from simkit.games import base, get_game
from simkit.games.lost_cities import moves as helpers
from simkit.games.lost_cities.cards import COLOURS, LETTERS, SLOTS, name_of
from simkit.games.lost_cities.counts import CLAUSE_IDS, RANKS
from simkit.games.lost_cities.kernel import actor
from simkit.transcript import events as told_events
from tests.games.lost_cities_positions import piles_of, told
from tests.games.told import Match, check_clauses, check_columns, never_fired, told_matches
from tests.slow.lost_cities import EXPEDITION, Game, Round, Rules, moves, random_rules
from tests.slow.lost_cities_columns import columns
from tests.slow.lost_cities_referee import referee
from tests.tables import shipped, table_of

STRATEGIES = ("random", "first_fit")
CHUNKS, TABLES = 8, 125  # with both rotations 2,000 games
MOST_TURNS = 300  # of most rounds, at an affordable price


def random_table(rng: random.Random, long: float = 0.1, **lab: Any) -> Table:
    """Two strategies under random rules; this share of the tables may play as long as these allow."""
    game = get_game("lost_cities")
    options = random_rules(rng)
    if rng.random() >= long:
        options["max_turns"] = min(options["max_turns"], MOST_TURNS)
    players = [shipped("lost_cities", name) for name in rng.choices(STRATEGIES, k=2)]
    return Table(game, players, game.resolve(options), rng.getrandbits(64), [lab, lab] if lab else ())


@pytest.fixture(scope="module", params=range(CHUNKS))
def matches(request: pytest.FixtureRequest) -> list[Match]:
    """Games of random tables under random rules."""
    return told_matches(random_table, request.param, TABLES)


def test_transcripts_pass_the_referee_and_end_as_the_batch_said(matches: list[Match]) -> None:
    for match in matches:
        verdict, outcome = referee(match.events), match.outcome
        assert {name: verdict[name] for name in ("winner", "reason", "scores")} == {
            "winner": None if outcome["winner"] < 0 else outcome["winner"],
            "reason": "max_turns" if outcome["unfinished"] else "deck_empty",
            "scores": outcome["scores"].tolist(),
        }
        assert (sum(verdict["turns"]), len(verdict["rounds"])) == (outcome["turns"], outcome["rounds"])
        assert [event["starter"] for event in match.events if event["type"] == "deal"] == verdict["starters"]


def test_every_column_counted_from_the_transcript_is_the_batch_s(matches: list[Match]) -> None:
    probes = [name for name in matches[0].outcome.dtype.names or () if name.startswith("probe_")]
    check_columns(matches, columns, CLAUSE_IDS, probes)


def test_the_clauses_told_in_a_transcript_are_those_the_batch_counted(matches: list[Match]) -> None:
    check_clauses(matches, CLAUSE_IDS)


def test_every_clause_fires_in_these_games() -> None:
    assert never_fired(random_table, CLAUSE_IDS) == []


def follow(table: Table, deal: int, rotation: int = 0) -> Iterator[tuple[np.void, int, Round]]:
    """The table before every decision of a game, whose turn it is, and the slow round at that moment."""
    told_first = list(told_events(table, deal, rotation))
    game = Game(Rules.from_options(told_first[0]["rules"]))
    steps = table.steps(deal, rotation, np.zeros(1, table.engine.outcome))
    for event in told_first:
        if event["type"] == "deal":
            game.deal(event["hands"])
        elif event["type"] == "turn":
            record = next(steps)
            record["seat"] = seat = int(actor(record["state"], record["rules"][rotation]))
            assert seat == game.round.to_move
            yield record, seat, game.round
            game.turn(seat, event["card"], event["to"], event["from"], event["drawn"])


def slow_moves(round_: Round, seat: int) -> list[tuple[str, str, str]]:
    """All legal moves by the slow reading; cards that look alike give moves that look alike."""
    hand = round_.hands[seat]
    found = moves(round_.rules, hand, round_.expeditions[seat], round_.discards)
    return sorted((hand[place], to, source) for place, to, source in found)


@pytest.mark.parametrize("chunk", range(4))
def test_at_every_decision_the_legal_moves_are_those_of_the_slow_reading(chunk: int) -> None:
    rng = random.Random(f"moves {chunk}")
    for _ in range(50):
        table = random_table(rng, long=0)
        for _, seat, round_ in follow(table, rng.getrandbits(40), rng.randrange(2)):
            assert sorted(told(int(move)) for move in table.legal_moves()) == slow_moves(round_, seat)


def test_a_seat_barred_from_ranks_has_all_moves_but_laying_them() -> None:
    rng = random.Random("barred")
    for _ in range(50):
        barred = [[rank for rank in RANKS if rng.random() < 0.4] for _ in range(2)]
        table = random_table(rng, long=0, barred=[sum(1 << RANKS.index(rank) for rank in ranks) for ranks in barred])
        for _, seat, round_ in follow(table, rng.getrandbits(40)):
            expected = [m for m in slow_moves(round_, seat) if m[1] != EXPEDITION or m[0][1:] not in barred[seat]]
            assert sorted(told(int(move)) for move in table.legal_moves()) == expected


def test_a_view_shows_what_the_slow_reading_knows() -> None:
    rng = random.Random("views")
    for _ in range(40):
        table, deal = random_table(rng, long=0), rng.getrandbits(40)
        events = [event for event in told_events(table, deal) if event["type"] == "turn"]
        known: list[Counter[str]] = [Counter(), Counter()]
        scores, rounds = [0, 0], 0
        last: Round | None = None
        for number, (record, seat, round_) in enumerate(follow(table, deal)):
            if round_ is not last:
                if last is not None:
                    scores = [a + b for a, b in zip(scores, last.scores, strict=True)]
                known, rounds, last = [Counter(), Counter()], rounds + 1, round_
            table.legal_moves()  # writes the view
            view = record["sight"]
            assert shown(view) == expected_view(round_, seat, known, scores, rounds)
            assert_helpers_agree(view, round_, seat)
            if round_.turns:
                before = events[number - 1]
                assert told(int(view["their_move"])) == (before["card"], before["to"], before["from"])
            else:
                assert view["their_move"] == -1
            note(known[seat], events[number])


def note(known: Counter[str], turn: dict[str, Any]) -> None:
    """A turn changes what the other player knows for sure in the hand."""
    known[turn["card"]] -= known[turn["card"]] > 0
    known[turn["drawn"]] += turn["from"] != "deck"


def shown(view: np.void) -> dict[str, Any]:
    """A view in words and numbers; sets as sorted cards."""
    fields = ("seat", "round", "turn", "pile", "score", "their_score")
    return {
        **{field: int(view[field]) for field in fields},
        **{name: sorted(of_colours(read, view)) for name, read in SETS.items()},
        "piles": piles_of(view),
        "sources": int(view["sources"]),
    }


def expected_view(
    round_: Round, seat: int, known: list[Counter[str]], scores: list[int], rounds: int
) -> dict[str, Any]:
    """The same from the slow reading."""
    other = 1 - seat
    piles = {letter: cards for letter, cards in round_.discards.items() if cards}
    theirs = Counter(round_.hands[other]) - known[other]
    return {
        "seat": seat,
        "round": rounds,
        "turn": round_.turns,
        "pile": round_.pile.total(),
        "score": scores[seat],
        "their_score": scores[other],
        "hand": sorted(round_.hands[seat]),
        "playable": sorted(
            round_.hands[seat][place] for place, to, source in round_.moves() if to == EXPEDITION and source == "deck"
        ),
        "laid": sorted(card for cards in round_.expeditions[seat].values() for card in cards),
        "theirs": sorted(card for cards in round_.expeditions[other].values() for card in cards),
        "unseen": sorted((round_.pile + theirs).elements()),
        "known": sorted(known[other].elements()),
        "piles": piles,
        "sources": 64 + sum(1 << LETTERS.index(letter) for letter in piles),
    }


def assert_helpers_agree(view: np.void, round_: Round, seat: int) -> None:
    """Other helpers for strategies."""
    assert helpers.count_hand(view) == round_.rules.hand_size
    assert helpers.count_playable(view) == sum(to == EXPEDITION for _, to, source in round_.moves() if source == "deck")
    for colour, letter in enumerate(LETTERS[: round_.rules.colors]):
        pile, top = round_.discards[letter], helpers.top_of(view, colour)
        assert helpers.has_pile(view, colour) == bool(pile)
        assert (name_of(top) if top >= 0 else None) == (pile[-1] if pile else None)
        assert sorted(named(colour, helpers.pile_in(view, colour))) == sorted(pile)


SETS: dict[str, Callable[[np.void, int], int]] = {
    "hand": helpers.hand_in,
    "playable": helpers.playable_in,
    "laid": helpers.laid_in,
    "theirs": helpers.theirs_in,
    "known": helpers.known_in,
    "unseen": helpers.unseen_in,
}


def of_colours(read: Callable[[np.void, int], int], view: np.void) -> list[str]:
    """The names of the cards that a helper finds in a view, colour by colour."""
    return [card for colour in range(COLOURS) for card in named(colour, int(read(view, colour)))]


def named(colour: int, slots: int) -> list[str]:
    return [name_of(colour * SLOTS + slot) for slot in range(SLOTS) if slots >> slot & 1]


def draws(names: tuple[str, str], deal: int) -> list[str]:
    """All cards drawn from the draw pile in a game, in order."""
    table = table_of(get_game("lost_cities"), names, seed=3)
    return [event["drawn"] for event in told_events(table, deal) if event.get("from") == "deck"]


@pytest.mark.parametrize("deal", range(5))
def test_the_draw_pile_is_the_same_whoever_plays(deal: int) -> None:
    first = draws(("random", "random"), deal)
    assert len(first) == 44
    assert draws(("first_fit", "first_fit"), deal) == draws(("first_fit", "random"), deal) == first


def test_the_default_rules_are_those_of_the_slow_reading(lost_cities: base.Game) -> None:
    assert Rules.from_options(lost_cities.resolve({})) == Rules()
    assert len(LETTERS) == COLOURS
