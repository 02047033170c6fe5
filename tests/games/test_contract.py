"""What every game keeps: seed and deal alone decide, legal moves are complete, columns are described."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import pytest

from simkit.driver import Table
from simkit.errors import UsageError
from simkit.games import games
from simkit.games.base import Game
from simkit.games.options import AnyOption, Choice, Decimal, Integer, Switch
from simkit.jit import kernel
from simkit.rng import DEAL, FIRST_PLAYER, SHUFFLE
from simkit.transcript import events, words
from tests.tables import shipped_names, table_of

pytestmark = pytest.mark.parametrize("game", [pytest.param(game, id=name) for name, game in games().items()])

BIG_CODES = (2**31, 2**32 + 1, 2**62, -(2**62))


def mixed(game: Game, seed: int = 1) -> Table:
    """A table at which `random` and another shipped strategy take turns."""
    others = [name for name in shipped_names(game.name) if name != "random"]
    return table_of(game, ["random", *others[:1]], seed=seed)


def some_rules(game: Game, rng: random.Random) -> dict[str, Any]:
    """A random value for about half of the options, such that they go together."""
    while True:
        chosen = [option for option in game.options if rng.random() < 0.5]
        try:
            return game.resolve({option.name: some_value(option, rng) for option in chosen})
        except UsageError:
            continue


def some_value(option: AnyOption, rng: random.Random) -> Any:
    if isinstance(option, Integer):
        highest = min(option.high, max(2 * option.default, option.low))
        return rng.choice([option.low, option.default, rng.randrange(option.low, highest + 1, option.step)])
    if isinstance(option, Decimal):
        return rng.randint(option.low * option.scale, option.high * option.scale) / option.scale
    if isinstance(option, Choice):
        return rng.choice(option.choices)
    if isinstance(option, Switch):
        return [rng.random() < 0.5, rng.random() < 0.5] if option.per_seat else rng.random() < 0.5
    return [rng.randint(option.low, option.high) for _ in option.default]


# --- a game is a function of seed, deal, rotation, strategies and rules -----------------------------------------------


def test_the_same_seed_gives_the_same_bits_and_another_seed_others(game: Game) -> None:
    first = mixed(game).play(0, 64)
    assert mixed(game).play(0, 64).tobytes() == first.tobytes()
    assert mixed(game, seed=2).play(0, 64).tobytes() != first.tobytes()


def test_a_table_that_has_played_before_plays_the_same(game: Game) -> None:
    table = mixed(game)
    first = table.play(100, 20)
    table.play(7, 33)
    list(events(table, 3))
    assert table.play(100, 20).tobytes() == first.tobytes()


def test_the_size_of_the_batches_does_not_matter(game: Game) -> None:
    table = mixed(game)
    parts = [table.play(first, deals) for first, deals in ((0, 10), (10, 53), (63, 1))]
    assert np.concatenate(parts).tobytes() == table.play(0, 64).tobytes()


def test_deals_far_out_and_seeds_of_64_bits_are_played_too(game: Game) -> None:
    table = mixed(game, seed=2**64 - 1)
    outcomes = table.play(2**63, 4)
    assert outcomes.tobytes() == np.concatenate([table.play(2**63 + n, 1) for n in range(4)]).tobytes()


def test_two_threads_give_the_same_bits(game: Game) -> None:
    table = mixed(game)
    alone = table.play(0, 400)  # compiled by now
    with ThreadPoolExecutor(2) as threads:
        parts = list(threads.map(lambda first: mixed(game).play(first, 100), range(0, 400, 100)))
    assert np.concatenate(parts).tobytes() == alone.tobytes()


def test_the_first_rotations_alone_are_those_of_all(game: Game) -> None:
    table = mixed(game)
    everything = table.play(0, 20)
    assert everything.shape == (20, table.seats)
    for rotations in range(1, table.seats):
        assert table.play(0, 20, rotations).tobytes() == everything[:, :rotations].tobytes()


def test_rotations_move_the_players_and_their_streams_but_not_the_deal(game: Game) -> None:
    table, outcome = mixed(game), np.zeros(1, mixed(game).engine.outcome)
    deals = []
    for rotation in range(table.seats):
        told = next(events(table, 5, rotation))
        labels = [player.label for player in table.players]
        assert told["strategies"] == [labels[(seat - rotation) % table.seats] for seat in range(table.seats)]
        deals.append(opening(table, rotation))
        record = next(table.steps(5, rotation, outcome))
        assert record["streams"]["stream"][: table.seats].tolist() == list(
            range(FIRST_PLAYER, FIRST_PLAYER + table.seats)
        )
        assert (record["chance"]["deal"]["stream"], record["chance"]["shuffle"]["stream"]) == (DEAL, SHUFFLE)
    assert all(deal == deals[0] for deal in deals)


def opening(table: Table, rotation: int = 0, deal: int = 5) -> list[dict[str, Any]]:
    """What the transcript tells before the first decision."""
    record = next(table.steps(deal, rotation, np.zeros(1, table.engine.outcome)))
    return list(table.game.module("tell").Teller().start(record["state"].copy()))


def test_a_mirror_match_both_ways_round_is_two_games(game: Game) -> None:
    outcomes = table_of(game, ["random"]).play(0, 50)
    assert any(row[0].tobytes() != row[1].tobytes() for row in outcomes)


def test_switching_a_card_off_leaves_every_opening_deal_alone(game: Game) -> None:
    default = table_of(game)
    for option in game.options:
        if isinstance(option, Switch) and option.name.endswith("_on"):
            for off in [False, *([[True, False], [False, True]] if option.per_seat else [])]:
                table = table_of(game, rules={option.name: off})
                assert [opening(table, 0, deal) for deal in range(20)] == [
                    opening(default, 0, deal) for deal in range(20)
                ]


# --- what comes of a game ---------------------------------------------------------------------------------------------


def test_random_play_ends_under_any_rules(game: Game) -> None:
    rng = random.Random(game.name)
    for _ in range(40):
        table = table_of(game, rules=some_rules(game, rng), seed=rng.getrandbits(64))
        outcomes = table.play(0, 10)
        assert np.isin(outcomes["unfinished"], (0, 1)).all()
        assert ((outcomes["winner"] >= -1) & (outcomes["winner"] < table.seats)).all()
        assert (outcomes[game.length] > 0).all()


def test_each_column_of_the_outcome_has_a_name_of_its_own_and_a_description(game: Game) -> None:
    dtype = game.module("state").OUTCOME
    assert set(game.columns) == set(dtype.names)
    assert {dtype[field].base for field in dtype.names} == {np.dtype(np.int32)}
    rows = game.outcome_columns(game.max_seats)
    names = [name for name, *_ in rows]
    assert len(set(names)) == len(names) == sum(int(np.prod(dtype[field].shape)) for field in dtype.names)
    assert all(description.strip() for *_, description in rows)
    outcome = table_of(game).play(0, 1)[0, 0]
    assert all(int(outcome[field][index]) >= -(2**31) for _, field, index, _ in rows)


def test_what_it_says_of_itself_names_fields_that_are_there(game: Game) -> None:
    state = game.module("state")
    outcome, rules = state.OUTCOME, state.RULES
    seats = (game.max_seats,)
    for field in game.seat_fields:
        assert outcome[field].shape[:1] == seats
    for field, _ in game.seen:
        assert outcome[field].shape == (*seats, len(game.subjects))
    for own in game.measures:
        for field in filter(None, (own.field, own.of)):
            behind = len(outcome[field].shape) - (field in game.seat_fields)
            assert len(own.index) == behind, own.name
        assert not own.name.endswith(("_pm", "_low", "_high", "_change")), "a table's other columns are called so"
        assert own.kind != "spread" or own.field in game.seat_fields
    for probe in game.probes:
        assert {"probe", "probe_seat"} <= set(rules.names)
        assert all(outcome[feature.field].shape == () for feature in probe.features)
        assert all(list(f.lows) == sorted(set(f.lows)) for f in probe.features)
    assert game.length in outcome.names
    assert {"winner", "unfinished", "scores"} <= set(outcome.names)


def test_each_clause_that_can_fire_is_counted_and_described(game: Game) -> None:
    ids = [clause for clause, _ in game.clauses]
    assert len(set(ids)) == len(ids) == game.module("state").OUTCOME["clauses"].shape[0]
    assert all(text.strip() for _, text in game.clauses)


def test_a_transcript_is_json_and_ends_as_the_batch_does(game: Game) -> None:
    table = mixed(game)
    outcomes = table.play(0, 10)
    for deal in range(10):
        for rotation in range(table.seats):
            told = json.loads(json.dumps(list(events(table, deal, rotation))))
            assert (told[0]["type"], told[0]["game"], told[0]["index"]) == ("game", game.name, deal)
            assert told[0]["rules"] == json.loads(json.dumps(table.rules[rotation]))
            winner = int(outcomes[deal, rotation]["winner"])
            assert (told[-1]["type"], told[-1]["winner"]) == ("end", None if winner < 0 else winner)


def test_a_game_is_told_in_words_line_by_line(game: Game) -> None:
    lines = list(words(mixed(game), 0))
    assert len(lines) > 3
    assert all(line.strip() for line in lines)


# --- legal moves ------------------------------------------------------------------------------------------------------


@cache
def legality(game: Game) -> Callable[..., None]:
    """is_legal of many codes at once."""
    is_legal = game.module("kernel").is_legal

    @kernel
    def fill(state: Any, rules: Any, seat: int, codes: Any, legal: Any) -> None:
        for i in range(len(codes)):
            legal[i] = is_legal(state, rules, seat, codes[i])

    filled: Callable[..., None] = fill
    return filled


def decisions(table: Table, deals: int) -> Iterator[tuple[np.void, int]]:
    """The table before every decision of some games, made ready to list the legal moves, and whose turn it is."""
    actor = table.game.module("kernel").actor
    for deal in range(deals):
        for record in table.steps(deal, 0, np.zeros(1, table.engine.outcome)):
            seat = int(actor(record["state"], record["rules"][0]))
            if seat >= 0:
                record["seat"] = seat
                yield record, seat


def test_the_legal_moves_are_distinct_and_are_all_there_are(game: Game) -> None:
    """With cards barred and without; `is_legal` is asked of every code of up to 12 bits."""
    rng = random.Random(game.name)
    codes = np.array([*range(-16, 4096), *BIG_CODES], np.int64)
    for _ in range(20):
        table = table_of(game, rules=some_rules(game, rng))
        bits = tuple(sum(s.bar for s in game.subjects if rng.random() < 0.3) for _ in range(game.max_seats))
        lab = rng.choice([(), ({"barred": bits},) * table.seats]) if game.subjects else ()
        table = Table(game, table.players, table.rules[0], rng.getrandbits(64), lab)
        for record, seat in decisions(table, 1):
            moves = table.legal_moves()
            assert len(np.unique(moves)) == len(moves) > 0
            asked = np.concatenate([codes, moves])
            legal = np.zeros(len(asked), np.bool_)
            legality(game)(record["state"], record["rules"][0], seat, asked, legal)
            assert (legal == np.isin(asked, moves)).all()


def test_every_view_and_every_legal_move_has_words(game: Game) -> None:
    table, tell = table_of(game), game.module("tell")
    for record, _ in decisions(table, 3):
        assert all(tell.move_words(record["sight"], int(move)).strip() for move in table.legal_moves())
        assert tell.view_words(record["sight"]).strip()


def test_random_chooses_among_all_legal_moves_each_as_likely(game: Game) -> None:
    table = table_of(game, seed=3)
    chosen: dict[tuple[int, int], int] = {}
    for deal in range(3000):
        steps = table.steps(deal, 0, np.zeros(1, table.engine.outcome))
        next(steps), next(steps)  # one decision
        table.engine.begin(table.record[0], np.zeros(1, table.engine.outcome)[0], table.seed, np.uint64(deal), 0)
        moves = table.legal_moves().tolist()
        place = moves.index(int(table.record["move"][0]))
        chosen[len(moves), place] = chosen.get((len(moves), place), 0) + 1
    share = sum((place + 0.5) / count * times for (count, place), times in chosen.items()) / 3000
    assert share == pytest.approx(0.5, abs=4 / np.sqrt(12 * 3000))
    ends = sum(times for (count, place), times in chosen.items() if place in (0, count - 1))
    expected = sum(min(1, 2 / count) * times for (count, _), times in chosen.items())
    assert ends == pytest.approx(expected, abs=4 * np.sqrt(expected))


# --- modules ----------------------------------------------------------------------------------------------------------


def test_each_module_can_be_imported_first(game: Game) -> None:
    """A package that offers names of its modules late must not ask itself for these modules."""
    for part in sorted(path.stem for path in game.folder.glob("[!_]*.py")):
        done = subprocess.run(
            [sys.executable, "-c", f"import {game.package}.{part}"], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), part
