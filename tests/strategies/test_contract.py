"""What every shipped strategy keeps: it says what it does, plays legally, and knows nothing but its view."""

from __future__ import annotations

import ast
from contextlib import suppress

import numpy as np
import pytest

from simkit.contract import ShuffleHidden, hides
from simkit.driver import Table, engine
from simkit.errors import StrategyError, UsageError
from simkit.games import SHIPPED
from simkit.games.base import Game
from simkit.player import compile_player
from simkit.strategy import Parameter
from simkit.transcript import events
from tests.conftest import MakePlayer
from tests.games import colina_positions, hakka_positions, lost_cities_positions, saloon_positions, sixty_six_positions
from tests.tables import shipped, shipped_file, shipped_names, table_of

# How to deal anew what a seat cannot see, in the record of a table, by game.
SHUFFLE_HIDDEN: dict[str, ShuffleHidden] = {
    "colina": colina_positions.shuffle_hidden,
    "lost_cities": lost_cities_positions.shuffle_hidden,
    "sixty_six": sixty_six_positions.shuffle_hidden,
    "saloon": saloon_positions.shuffle_hidden,
    "hakka": hakka_positions.shuffle_hidden,
}

every_strategy = pytest.mark.parametrize(
    ("game", "name"),
    [pytest.param(game, name, id=f"{game.name}-{name}") for game in SHIPPED for name in shipped_names(game.name)],
)


LONG = 100  # beyond, an option may make games very long

every_game = pytest.mark.parametrize("game", [pytest.param(game, id=game.name) for game in SHIPPED])


def test_every_game_ships_random_and_has_its_hidden_information_tested() -> None:
    assert SHUFFLE_HIDDEN.keys() == {game.name for game in SHIPPED}
    assert all("random" in shipped_names(game) for game in SHUFFLE_HIDDEN)


@every_strategy
def test_it_says_what_it_does_in_a_docstring(game: Game, name: str) -> None:
    file = shipped_file(game.name, name)
    assert len(file.about) > 20
    assert file.about[0].isupper()
    assert file.game in (None, game.name)


@every_strategy
def test_each_of_its_parameters_has_a_default_and_a_comment(game: Game, name: str) -> None:
    file = shipped_file(game.name, name)
    lines = file.sources[file.path].splitlines()
    tree = ast.parse(file.sources[file.path])
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)]
    commented = {node.target.id for node in nodes if "#" in lines[node.lineno - 1]}  # type: ignore[union-attr]
    assert set(file.parameters) <= commented
    assert file.fill({}) == {key: parameter.default for key, parameter in file.parameters.items()}


def other_values(parameter: Parameter) -> list[bool | int | float]:
    """Values that a parameter may be given: its default turned round, cut and stretched."""
    if parameter.type is bool:
        return [not parameter.default]
    return [parameter.type(0), parameter.type(2 * parameter.default), parameter.type(1000)]


@every_strategy
def test_it_plays_legally_against_every_other_whatever_its_parameters(game: Game, name: str) -> None:
    values = game.resolve({})
    file = shipped_file(game.name, name)
    variants = [shipped(game.name, name)]
    for key, parameter in file.parameters.items():
        variants += [compile_player(engine(game), file, name, {key: value}) for value in other_values(parameter)]
    for player in variants:
        for other in shipped_names(game.name):
            players = [player, *[shipped(game.name, other)] * (game.seats(values) - 1)]
            deals = 200 // len(players) ** 2  # tables of more play more games a deal, and longer ones
            assert Table(game, players, values, 5).play(0, deals)["unfinished"].sum() == 0


@every_strategy
def test_it_plays_legally_under_rules_of_every_kind(game: Game, name: str) -> None:
    for option in game.options:
        for value in extremes(game, option.name):
            deals = 2 if isinstance(value, int) and value > LONG else 30  # it may make games that much longer
            outcomes = table_of(game, [name, "random"], {option.name: value}, seed=6).play(0, deals)
            assert (outcomes[game.length] > 0).all()


def extremes(game: Game, name: str) -> list[object]:
    """The values of an option at its bounds, as far as they go with the defaults of the others; huge ones aside."""
    option = next(option for option in game.options if option.name == name)
    candidates = [getattr(option, "low", None), getattr(option, "high", None), *getattr(option, "choices", ())]
    candidates += [False, True, [True, False], [False, True]]
    found: list[object] = []
    for value in candidates:
        huge = isinstance(value, int) and value > 10_000
        if value is not None and not huge:
            with suppress(UsageError):
                game.resolve({name: value})
                found.append(value)
    return found


@every_strategy
def test_it_does_not_know_what_is_hidden(game: Game, name: str) -> None:
    """Deal the hidden cards anew at some decision: the view is the same to the byte, and so is the choice."""
    assert hides(game, name, SHUFFLE_HIDDEN[game.name]) > 100  # or nothing was hidden


@every_strategy
def test_it_chooses_the_same_in_every_game_alike(game: Game, name: str) -> None:
    """No memory: what it did in other games before has no say."""
    table = table_of(game, [name, "random"], seed=8)
    alone = [table_of(game, [name, "random"], seed=8).play(deal, 1).tobytes() for deal in range(20)]
    for deal in reversed(range(20)):
        assert table.play(deal, 1).tobytes() == alone[deal]


# --- what a strategy does to what it is given -------------------------------------------------------------------------

RANDOM = """
from simkit.games.{game} import random_move


def act(view, rules, params, rng):
    move = random_move(view, rules, rng)
    {then}
    return move
"""


def everywhere(record: str, dtype: np.dtype[np.void]) -> str:
    """Lines that overwrite every field of a record."""
    assert dtype.names is not None
    places = [(f"{record}.{field}", dtype[field].shape) for field in dtype.names]
    targets = [place + (f"{list(index)}" if shape else "") for place, shape in places for index in np.ndindex(shape)]
    return "\n    ".join(f"{target} = 85" for target in targets)


@every_game
def test_scribbling_over_the_view_changes_nothing(game: Game, make_player: MakePlayer) -> None:
    view = game.module("state").VIEW
    scribbler = make_player(RANDOM.format(game=game.name, then=everywhere("view", view)), "scribbler", game.name)
    clean = table_of(game, ["random"], seed=9)
    scribbled = Table(game, [scribbler] * clean.seats, clean.rules[0], 9)
    assert scribbled.play(0, 200).tobytes() == clean.play(0, 200).tobytes()
    assert list(events(scribbled, 3))[1:] == list(events(clean, 3))[1:]


@every_game
def test_writing_to_the_rules_is_refused_and_does_not_bend_the_game_meanwhile(
    game: Game, make_player: MakePlayer
) -> None:
    """The strategies' copy of the rules is not the one that the game is played by."""
    option = next(option for option in game.options if not option.shape)
    text = RANDOM.format(game=game.name, then=f"rules.{option.name} = rules.{option.name} + 1")
    writer, values = make_player(text, "writer", game.name), game.resolve({})
    table = Table(game, [writer] * game.seats(values), values, 9)
    before = table.record["rules"].tobytes()
    with pytest.raises(StrategyError, match="strategy writer writes to its rules or parameters"):
        table.play(0, 1)
    assert table.record["rules"].tobytes() == before
    with pytest.raises(StrategyError, match="strategy writer writes to its rules or parameters"):
        list(Table(game, table.players, values, 9).steps(0, 0, np.zeros(1, table.engine.outcome)))
