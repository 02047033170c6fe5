"""What every game keeps, as `simkit check GAME` tries it: seed and deal alone decide, what is hidden stays hidden.

Each check takes a game and raises GameError with what is wrong; the first line of its docstring says what it asks for.
simkit's own games are tested with the same checks (tests/games/test_contract.py).
"""

from __future__ import annotations

import importlib.util
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from simkit import strategy
from simkit.driver import ILLEGAL, Table, engine
from simkit.errors import GameError, UsageError
from simkit.games.base import HELD, Game
from simkit.games.options import AnyOption, Choice, Decimal, Integer, Switch
from simkit.jit import kernel
from simkit.player import Player, compile_player
from simkit.rng import DEAL, FIRST_PLAYER, SHUFFLE
from simkit.rulebook import read_rules
from simkit.transcript import events, words

Check = Callable[[Game], None]
ShuffleHidden = Callable[[np.void, int, random.Random], None]  # deals anew, in a table's record, what a seat cannot see

MOST_SEATS = 8  # can share the UNITS of a game, see simkit.measures
BIG_CODES = (2**31, 2**32 + 1, 2**62, -(2**62))
FUNCTIONS = {
    "kernel": ("setup", "actor", "observe", "is_legal", "apply", "finish"),
    "moves": ("count_moves", "nth_move"),
    "tell": ("Teller", "Narrator", "move_words", "view_words"),
    "state": ("STATE", "VIEW", "RULES", "OUTCOME"),
}
NEEDED = frozenset({"winner", "unfinished", "scores"})  # fields of every outcome
COLUMN_ENDINGS = ("_pm", "_low", "_high", "_change")  # of a table's other columns


def require(holds: bool | np.bool_, what: str) -> None:
    """Raises GameError with `what` is wrong unless it `holds`."""
    if not holds:
        raise GameError(what)


# --- tables to play at ------------------------------------------------------------------------------------------------


def own_strategies(game: Game) -> dict[str, Path]:
    """The strategies that come with a game, by name."""
    folders = (strategy.shipped_folder("strategies") / game.name, game.folder / "strategies")
    return {path.stem: path for folder in folders for path in sorted(folder.glob("[!_]*.py"))}


@cache
def player_of(game: Game, name: str) -> Player:
    """A strategy that comes with the game, with its default parameters, compiled."""
    return compile_player(engine(game), strategy.read(own_strategies(game)[name]), name, {})


def table_of(
    game: Game, names: Sequence[str] = ("random",), rules: Mapping[str, Any] | None = None, seed: int = 1
) -> Table:
    """A table under the given rules (or their defaults); the names go round until every seat is taken."""
    values = game.resolve(rules or {})
    players = [player_of(game, names[seat % len(names)]) for seat in range(game.seats(values))]
    return Table(game, players, values, seed)


def mixed(game: Game, seed: int = 1) -> Table:
    """A table at which `random` and another strategy of the game take turns."""
    others = [name for name in own_strategies(game) if name != "random"]
    return table_of(game, ["random", *others[:1]], seed=seed)


def some_rules(game: Game, rng: random.Random) -> dict[str, Any]:
    """A random value for about half of the options, such that they go together."""
    while True:
        chosen = [option for option in game.options if rng.random() < 0.5]
        try:
            return game.resolve({option.name: _some_value(option, rng) for option in chosen})
        except UsageError:
            continue


def _some_value(option: AnyOption, rng: random.Random) -> Any:
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


def decisions(table: Table, deals: int) -> Iterator[tuple[np.void, int]]:
    """The table before every decision of some games, made ready to list the legal moves, and whose turn it is."""
    actor = table.game.module("kernel").actor
    for deal in range(deals):
        for record in table.steps(deal, 0, np.zeros(1, table.engine.outcome)):
            seat = int(actor(record["state"], record["rules"][0]))
            if seat >= 0:
                record["seat"] = seat
                yield record, seat


def opening(table: Table, rotation: int = 0, deal: int = 5) -> list[dict[str, Any]]:
    """What the transcript tells before the first decision."""
    record = next(table.steps(deal, rotation, np.zeros(1, table.engine.outcome)))
    return list(table.game.module("tell").Teller().start(record["state"].copy()))


# --- what it says of itself -------------------------------------------------------------------------------------------


def it_is_complete(game: Game) -> None:
    """A game has a name, an option, all functions and records, and a strategy `random`."""
    require(game.name.isidentifier() and game.name.islower(), f"name: {game.name!r}: lower-case letters, digits and _")
    seats = game.seats(game.resolve({}))
    require(1 < seats <= game.max_seats <= MOST_SEATS, f"max_seats: {game.max_seats}: from 2 to {MOST_SEATS}")
    for name, parts in (FUNCTIONS | ({"progress": ("progress", "stage")} if game.progress else {})).items():
        for part in parts:
            require(hasattr(game.module(name), part), f"{game.package}.{name}: {part} is missing")
    names = [option.name for option in game.options]
    require(len(set(names)) == len(names) > 0, "options: at least one, each with a name of its own")
    require(set(names) <= set(game.module("state").RULES.names), "state.RULES: a field for each option (rules_dtype)")
    known = own_strategies(game)
    for name in ("random", *game.bench):
        require(name in known, f"strategies: there is no {name}.py")


def its_options_are_in_the_rule_document(game: Game) -> None:
    """Each option names a clause of the rule document."""
    clauses = {clause.number for section in read_rules(game.name) for clause in section.clauses}
    for option in game.options:
        require(option.clause in clauses, f"rules.{option.name}: the rule document has no clause {option.clause}")


def its_columns_are_described(game: Game) -> None:
    """Each column of the outcome has a name of its own and a description; all are int32."""
    dtype = game.module("state").OUTCOME
    for field in dtype.names:
        require(dtype[field].base == np.int32, f"OUTCOME: {field}: 'i4' is what it must be")
        require(bool(game.columns.get(field, "").strip()), f"columns: {field}: not described")
    for field in sorted({*game.columns, *NEEDED, game.length, *game.seat_fields} - set(dtype.names)):
        raise GameError(f"OUTCOME: there is no field {field}")
    for field in game.seat_fields:
        require(dtype[field].shape[:1] == (game.max_seats,), f"OUTCOME: {field}: its first axis must be the seat")
    require("scores" in game.seat_fields, "seat_fields: scores is missing")
    try:
        names = [name for name, *_ in game.outcome_columns(game.max_seats)]
    except KeyError as missing:
        raise GameError(f"labels: {missing.args[0]}: missing") from None
    twice = {name for name in names if names.count(name) > 1}
    require(not twice, f"OUTCOME: two columns are called {', '.join(sorted(twice))}")


def what_can_be_asked_is_there(game: Game) -> None:
    """Subjects, measures and probes name fields that are there, in the right shapes."""
    outcome, rules = game.module("state").OUTCOME, game.module("state").RULES
    kinds, counted = ([s.index for s in game.subjects if s.looked_for is which] for which in (True, False))
    for field, shape in [(field, _shape(outcome, field)) for field, _ in game.seen if counted]:
        require(shape == (game.max_seats, len(counted)), f"seen: {field}: not a field of shape (seats, subjects)")
    require(not kinds or not {*HELD} & {*outcome.names}, f"OUTCOME: {', '.join(HELD)}: names of what holdings counts")
    for places in (counted, kinds):
        require(sorted(places) == [*range(len(places))], "subjects: index: each place once, and each kind of holdings")
    as_many = (3,) if kinds else (2, 3) if counted else (0,)
    require(len(game.seen) in as_many, "seen: the fields for the first hand, drawn (if any are drawn) and used")
    if any(subject.bar for subject in game.subjects):
        require("barred" in rules.names, "state.RULES: barred is missing, which bars seats from cards")
    for own in game.measures:
        for field in filter(None, (own.field, own.of)):
            axes = _shape(outcome, field)
            require(axes is not None, f"measures: {own.name}: there is no field {field}")
            require(len(axes or ()) - (field in game.seat_fields) == len(own.index), f"measures: {own.name}: its index")
        require(not own.name.endswith(COLUMN_ENDINGS), f"measures: {own.name}: another name, tables use this ending")
        is_of_seat = own.kind != "spread" or own.field in game.seat_fields
        require(is_of_seat, f"measures: {own.name}: a spread is of a field that a seat carries")
    for probe in game.probes:
        require({"probe", "probe_seat"} <= set(rules.names), "state.RULES: probe and probe_seat are missing")
        fields = ["probe_turn", *(feature.field for feature in probe.features)]
        for field in fields:
            require(_shape(outcome, field) == (), f"probes: {probe.name}: {field} is no field of a single number")
        require(len(probe.features) >= 2, f"probes: {probe.name}: two features at least, for rows and columns")
        ascend = all(list(feature.lows) == sorted(set(feature.lows)) for feature in probe.features)
        require(ascend, f"probes: {probe.name}: lows ascend")


def _shape(dtype: np.dtype[np.void], field: str) -> tuple[int, ...] | None:
    return dtype[field].shape if dtype.names and field in dtype.names else None


def its_clauses_are_described(game: Game) -> None:
    """Each clause that can fire is counted and described."""
    ids = [clause for clause, _ in game.clauses]
    counted = (_shape(game.module("state").OUTCOME, "clauses") or (0,))[0]
    require(len(set(ids)) == len(ids) == counted > 0, f"clauses: {len(ids)} are named, OUTCOME counts {counted}")
    require(all(text.strip() for _, text in game.clauses), "clauses: each needs words")
    require(game.open_points <= set(ids), f"open_points: no clauses: {', '.join(sorted(game.open_points - set(ids)))}")


# --- a game is a function of seed, deal, rotation, strategies and rules -----------------------------------------------


def the_seed_decides(game: Game) -> None:
    """The same seed gives the same bits, another one others; a mirror match both ways round is two games."""
    first = mixed(game).play(0, 64)
    require(mixed(game).play(0, 64).tobytes() == first.tobytes(), "the same seed and deals were played differently")
    require(mixed(game, seed=2).play(0, 64).tobytes() != first.tobytes(), "another seed gave the same games")
    both_ways = table_of(game).play(0, 50)
    differ = any(row[0].tobytes() != row[1].tobytes() for row in both_ways)
    require(differ, "random against itself played the same both ways round: players need streams of their own")


def games_leave_nothing_behind(game: Game) -> None:
    """A table that has played before plays the same; the size of batches, far deals and big seeds do not matter."""
    table = mixed(game)
    first = table.play(100, 20)
    table.play(7, 33)
    list(events(table, 3))
    require(table.play(100, 20).tobytes() == first.tobytes(), "setup leaves something of the game before in the state")
    parts = [table.play(first, deals) for first, deals in ((0, 10), (10, 53), (63, 1))]
    whole = table.play(0, 64)
    require(np.concatenate(parts).tobytes() == whole.tobytes(), "the size of the batches changes games")
    far = mixed(game, seed=2**64 - 1)
    singly = np.concatenate([far.play(2**63 + n, 1) for n in range(4)])
    require(singly.tobytes() == far.play(2**63, 4).tobytes(), "deals far out change with the size of the batches")


def rotations_move_players_not_cards(game: Game) -> None:
    """Rotations move the players and their streams but not the deal."""
    table, outcome = mixed(game), np.zeros(1, mixed(game).engine.outcome)
    everything = table.play(0, 20)
    for rotations in range(1, table.seats):
        some = table.play(0, 20, rotations).tobytes()
        require(some == everything[:, :rotations].tobytes(), "the first rotations alone differ from those of all")
    home = opening(table)
    for rotation in range(table.seats):
        require(opening(table, rotation) == home, f"rotation {rotation} of a deal has other cards (Teller.start)")
        record = next(table.steps(5, rotation, outcome))
        streams = record["streams"]["stream"][: table.seats].tolist()
        require(streams == list(range(FIRST_PLAYER, FIRST_PLAYER + table.seats)), "a player's stream was moved")
        chance = (record["chance"]["deal"]["stream"], record["chance"]["shuffle"]["stream"])
        require(chance == (DEAL, SHUFFLE), "a stream of chance was moved")


# --- what comes of a game ---------------------------------------------------------------------------------------------


def random_play_ends(game: Game) -> None:
    """Random play ends under any rules, with a winner or none, and has a length."""
    rng = random.Random(game.name)
    for _ in range(40):
        table = table_of(game, rules=some_rules(game, rng), seed=rng.getrandbits(64))
        outcomes = table.play(0, 10)
        under = f"under {table.rules[0]}"
        require(np.isin(outcomes["unfinished"], (0, 1)).all(), f"OUTCOME: unfinished is 0 or 1, not so {under}")
        winners = (outcomes["winner"] >= -1) & (outcomes["winner"] < table.seats)
        require(winners.all(), f"OUTCOME: winner is a seat or −1, not so {under}")
        require((outcomes[game.length] > 0).all(), f"OUTCOME: {game.length} of a game is above 0, not so {under}")


def transcripts_end_as_batches_do(game: Game) -> None:
    """A transcript is JSON and ends as the batch does; a game is told in words line by line."""
    table = mixed(game)
    outcomes = table.play(0, 10)
    for deal, rotation in np.ndindex(10, table.seats):
        told = list(events(table, deal, rotation))
        try:
            told = json.loads(json.dumps(told))
        except TypeError as wrong:
            raise GameError(f"Teller: an event is not plain JSON (int() and str() help): {wrong}") from None
        last, winner = told[-1], int(outcomes[deal, rotation]["winner"])
        require(last.get("type") == "end", "Teller.end: its event's type is end")
        require(last.get("winner") == (None if winner < 0 else winner), "Teller.end: another winner than the outcome's")
    lines = list(words(table, 0))
    require(len(lines) > 3 and all(line.strip() for line in lines), "Narrator.words: a line is empty")


# --- legal moves and views --------------------------------------------------------------------------------------------


@cache
def _legality(game: Game) -> Callable[..., None]:
    """is_legal of many codes at once."""
    is_legal = game.module("kernel").is_legal

    @kernel
    def fill(state: Any, rules: Any, seat: int, codes: Any, legal: Any) -> None:
        for i in range(len(codes)):
            legal[i] = is_legal(state, rules, seat, codes[i])

    filled: Callable[..., None] = fill
    return filled


def legal_moves_are_complete(game: Game) -> None:
    """The legal moves are distinct and are all there are, with cards barred and without.

    `is_legal` is asked of every code of up to 12 bits.
    """
    rng = random.Random(game.name)
    codes = np.array([*range(-16, 4096), *BIG_CODES], np.int64)
    for _ in range(20):
        table = table_of(game, rules=some_rules(game, rng))
        bits = tuple(sum(s.bar for s in game.subjects if rng.random() < 0.3) for _ in range(game.max_seats))
        lab = rng.choice([(), ({"barred": bits},) * table.seats]) if any(s.bar for s in game.subjects) else ()
        table = Table(game, table.players, table.rules[0], rng.getrandbits(64), lab)
        for record, seat in decisions(table, 1):
            moves = table.legal_moves()
            require(len(np.unique(moves)) == len(moves) > 0, f"nth_move: no move, or one twice: {moves.tolist()}")
            asked = np.concatenate([codes, moves])
            legal = np.zeros(len(asked), np.bool_)
            _legality(game)(record["state"], record["rules"][0], seat, asked, legal)
            differ = np.unique(asked[legal != np.isin(asked, moves)]).tolist()
            require(not differ, f"is_legal and nth_move disagree on {differ[:8]}\n{table.situation()}")


def moves_and_views_have_words(game: Game) -> None:
    """Every view and every legal move has words."""
    table, tell = table_of(game), game.module("tell")
    for record, _ in decisions(table, 3):
        for move in table.legal_moves().tolist():
            require(bool(tell.move_words(record["sight"], move).strip()), f"move_words: none for {move}")
        require(bool(tell.view_words(record["sight"]).strip()), "view_words: empty")


def views_are_written_whole(game: Game) -> None:
    """A view shows nothing of what was in its record before: that was another seat's view."""
    table = mixed(game)
    for record, _ in decisions(table, 5):
        seen = []
        for filling in (0x55, 0x2A):
            sight = record["sight"]
            for field in sight.dtype.names:
                sight[field] = filling
            table.legal_moves()  # writes the view anew
            seen.append(sight.copy())
        differ = [name for name in seen[0].dtype.names if (seen[0][name] != seen[1][name]).any()]
        require(not differ, f"observe does not write {', '.join(differ)} of the view, or not all of it")


def shuffle_of(game: Game) -> ShuffleHidden | None:
    """What the game's package has to deal hidden cards anew, `hidden.shuffle_hidden`; None if it has none."""
    if importlib.util.find_spec(f"{game.package}.hidden") is None:
        return None
    shuffle: ShuffleHidden = game.module("hidden").shuffle_hidden
    return shuffle


def what_is_hidden_stays_hidden(game: Game) -> None:
    """Deal the hidden cards anew at some decision: view, legal moves and choice stay the same."""
    shuffle = shuffle_of(game)
    if shuffle is not None:
        differ = sum(hides(game, name, shuffle) for name in own_strategies(game))
        require(differ > 0, "hidden.shuffle_hidden changes nothing")


def hides(game: Game, name: str, shuffle: ShuffleHidden) -> int:
    """Shuffles what a strategy cannot see at decisions of 60 games; how often that changed the state.

    Raises:
        GameError: the view, or what the strategy chose, was another.
    """
    rng = random.Random(f"{game.name} {name}")
    actor, table, differ = game.module("kernel").actor, table_of(game, [name, "random"], seed=7), 0
    for deal in range(60):
        for number, record in enumerate(table.steps(deal, deal % table.seats, np.zeros(1, table.engine.outcome))):
            seat = int(actor(record["state"], record["rules"][record["rotation"]]))
            if seat < 0 or number % 3 != deal % 3:
                continue
            twin = table.record.copy()
            shuffle(twin[0], seat, rng)
            differ += twin["state"].tobytes() != record["state"].tobytes()
            same = _look_and_choose(table, twin) == _look_and_choose(table, table.record.copy())
            require(same, f"{name} sees, or makes use of, what is hidden from seat {seat}\n{table.situation()}")
    return differ


def _look_and_choose(table: Table, record: np.ndarray) -> tuple[bytes, int]:
    """The view's bytes and the move of one decision, made in a copy of the table's record."""
    status = table.engine.step(record[0], np.zeros(1, table.engine.outcome)[0], table.acts)
    require(status != ILLEGAL, "a move became illegal when hidden cards were dealt anew")
    return record["sight"].tobytes(), int(record["move"][0])


CHECKS: tuple[Check, ...] = (
    it_is_complete, its_options_are_in_the_rule_document, its_columns_are_described, what_can_be_asked_is_there,
    its_clauses_are_described, random_play_ends, the_seed_decides, games_leave_nothing_behind,
    rotations_move_players_not_cards, transcripts_end_as_batches_do, legal_moves_are_complete,
    moves_and_views_have_words, views_are_written_whole, what_is_hidden_stays_hidden,
)  # fmt: skip
