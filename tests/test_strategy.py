"""Strategy files are found, read and compiled; whatever is wrong with one is told in one clear message."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from simkit.driver import Table, engine
from simkit.errors import SimkitError, StrategyError, UsageError
from simkit.games.base import Game
from simkit.player import Player, compile_player
from simkit.strategy import Parameter, StrategyFile, available, find, read
from simkit.transcript import events
from tests.conftest import MakePlayer
from tests.tables import SHIPPED, shipped

ROOT = Path(__file__).parents[1]


def written(folder: Path, text: str, name: str = "mine") -> Path:
    """A strategy file with this text."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.py"
    file.write_text(dedent(text), encoding="utf-8")
    return file


def acting(body: str, before: str = "") -> str:
    """A strategy with this body of `act`."""
    lines = "\n".join(f"    {line}" for line in dedent(body).strip().splitlines())
    return f"{dedent(before)}def act(view, rules, params, rng):\n{lines}\n"


FIRST_CARD = "return view.held & -view.held"  # the lowest slot alone: always legal under the default rules


def play(colina: Game, player: Player, deals: int = 5) -> None:
    Table(colina, [player, shipped("colina", "random")], colina.resolve({}), 1).play(0, deals)


# --- files that are no strategy, seen without running them ------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("x = 1\n", "{file}: no function act(view, rules, params, rng): this is not a strategy."),
        ("def act(view, rules:\n    return 1\n", "{file}:1: not valid Python: "),
        ("x = 1\ny = = 2\n", "{file}:2: not valid Python: invalid syntax"),
        (
            "def f():\n    pass\ndef act(view, rng):\n    return 1\n",
            "{file}:3: act takes (view, rules, params, rng), not (view, rng).",
        ),
        (
            "class Params(NamedTuple):\n    a: int = 1\n    b: str = 'x'\n" + acting(FIRST_CARD),
            "{file}:3: parameter b must be int, float or bool with a plain default.",
        ),
        (
            "class Params(NamedTuple):\n    a: int\n" + acting(FIRST_CARD),
            "{file}:2: parameter a must be int, float or bool with a plain default.",
        ),
        (
            "class Params(NamedTuple):\n    a: int = 1 + f(2)\n" + acting(FIRST_CARD),
            "{file}:2: parameter a must be int, float or bool with a plain default.",
        ),
        (
            "class Params(NamedTuple):\n    a: int = 1.5\n" + acting(FIRST_CARD),
            "{file}:2: parameter a must be int, float or bool with a plain default.",
        ),
        (
            "class Params(NamedTuple):\n" + "".join(f"    p{n}: int = {n}\n" for n in range(33)) + acting(FIRST_CARD),
            "{file}:1: 33 parameters, 32 are the most.",
        ),
    ],
)
def test_what_is_no_strategy_is_refused_with_its_line(text: str, fault: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(StrategyError) as refused:
        read(file)
    assert str(refused.value).startswith(fault.format(file=file))
    assert "\n" not in str(refused.value)
    assert refused.value.exit_code == 3


@pytest.mark.parametrize("content", ["# café\n".encode("latin-1"), b"\xff\xfe\x00"])
def test_a_file_that_is_not_utf_8_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_bytes(content)
    with pytest.raises(StrategyError, match=r"mine\.py: not a text file in UTF-8$"):
        read(tmp_path / "mine.py")


def test_a_neighbour_that_is_no_python_is_told_by_its_own_name(tmp_path: Path) -> None:
    written(tmp_path, "def pick(view)\n    return 1\n", "helper")
    with pytest.raises(StrategyError, match=r"helper\.py:1: not valid Python"):
        read(written(tmp_path, acting(FIRST_CARD, "import helper\n")))


# --- finding ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("use", "fault"),
    [
        ("greedyy", "greedyy: no such strategy of colina. Strategies: "),
        ("nowhere/mine.py", "nowhere/mine.py: no such strategy file."),
        ("other.py", "other.py: this strategy is for lost_cities, not for colina ("),
    ],
)
def test_what_cannot_be_found_is_a_usage_error(use: str, fault: str, tmp_path: Path) -> None:
    written(tmp_path, acting(FIRST_CARD, 'GAME = "lost_cities"\n\n'), "other")
    with pytest.raises(UsageError) as refused:
        find("colina", use, tmp_path)
    assert str(refused.value).startswith(fault)
    assert refused.value.exit_code == 2


def test_a_misspelt_name_is_answered_with_the_nearest_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"Did you mean hill_hunter\?$"):
        find("colina", "hil_hunter", tmp_path)


def test_a_strategy_that_imports_another_game_is_for_that_game(tmp_path: Path) -> None:
    file = written(tmp_path, acting(FIRST_CARD, "from simkit.games.hakka import play\n"))
    assert read(file).game == "hakka"
    with pytest.raises(UsageError, match="this strategy is for hakka, not for colina"):
        find("colina", str(file), tmp_path)


def test_a_strategy_of_the_workspace_hides_a_shipped_one_and_others_stay(tmp_path: Path) -> None:
    mine = written(tmp_path / "strategies" / "colina", acting(FIRST_CARD), "greedy")
    written(tmp_path / "strategies" / "colina", "helper = 1\n", "_helper")
    known = available("colina", tmp_path)
    assert known["greedy"] == mine
    assert known["random"] == SHIPPED / "colina" / "random.py"
    assert "_helper" not in known
    assert find("colina", "greedy", tmp_path).path == mine
    assert available("colina", tmp_path / "experiments")["greedy"] == mine


# --- parameters -------------------------------------------------------------------------------------------------------

PARAMETERS = """
    from typing import NamedTuple

    class Params(NamedTuple):
        '''What can be tuned.'''
        depth: int = -3
        weight: float = 0.5
        bold: bool = True
"""


def with_parameters(tmp_path: Path) -> StrategyFile:
    return read(written(tmp_path, acting(FIRST_CARD, PARAMETERS)))


def test_parameters_are_read_with_types_and_defaults(tmp_path: Path) -> None:
    file = with_parameters(tmp_path)
    assert file.parameters == {
        "depth": Parameter(int, -3),
        "weight": Parameter(float, 0.5),
        "bold": Parameter(bool, True),
    }
    filled = file.fill({"weight": 2, "bold": False})
    assert filled == {"depth": -3, "weight": 2.0, "bold": False}
    assert [type(value) for value in filled.values()] == [int, float, bool]


def test_every_wrong_parameter_is_told_at_once_with_the_nearest_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        with_parameters(tmp_path).fill({"dept": 2, "weight": "heavy", "bold": 1, "depth": 2.0})
    assert str(refused.value).splitlines() == [
        "mine: dept: no such parameter. Parameters: depth, weight, bold. Did you mean depth?",
        "mine: depth: 2.0 is not a whole number of at most 53 bits",
        "mine: weight: 'heavy' is not a number",
        "mine: bold: 1 is not true or false",
    ]


def test_a_strategy_without_parameters_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^mine: depth: no such parameter\. It has none\.$"):
        read(written(tmp_path, acting(FIRST_CARD))).fill({"depth": 1})


def test_parameters_reach_the_strategy_in_their_types_and_order(colina: Game, make_player: MakePlayer) -> None:
    body = """
        if params.bold and params.depth == -7 and params.weight == 0.25:
            return view.held & -view.held
        return 0
    """
    play(colina, make_player(acting(body, PARAMETERS), depth=-7, weight=0.25))
    with pytest.raises(StrategyError, match="illegal move"):
        play(colina, make_player(acting(body, PARAMETERS), depth=-7, weight=0.25, bold=False))
    player = make_player(acting(body, PARAMETERS), depth=5)
    assert player.parameters == {"depth": 5, "weight": 0.5, "bold": True}
    assert [type(value) for value in player.parameters.values()] == [int, float, bool]


# --- code that does not load or compile -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (acting("return view.hnd[0]"), ":2: strategy mine does not compile: there is no field hnd. Did you mean hand?"),
        (acting("x = 1\nreturn rules.joker + x"), ":3: strategy mine does not compile: there is no field joker."),
        (acting('x = 1\nreturn "a" + x'), ":3: strategy mine does not compile: No implementation of function"),
        (acting("return pick(view)"), ":2: strategy mine does not compile: NameError: name 'pick' is not defined"),
        (
            acting("return WORDS['a']", "WORDS = {'a': 1}\n"),
            ":3: strategy mine does not compile: Untyped global name 'WORDS'",
        ),
        (acting("params.depth = 2\nreturn 1", PARAMETERS), ": strategy mine does not compile: "),
        (acting("return view.held * 0.5"), ": act must return a move (an integer), not float64."),
        (acting("return view.held > 3"), ": act must return a move (an integer), not bool."),
        (acting("if view.round > 1:\n    return 1"), ": act must return a move (an integer), not "),
        (
            acting('return "hello"'),
            ": strategy mine does not compile: act must return a move (an integer) on every path, not Literal",
        ),
        (acting(FIRST_CARD, "import no_such_module\n"), ":1: ModuleNotFoundError on loading: "),
        (acting(FIRST_CARD, "x = 1\ny = x / 0\n"), ":2: ZeroDivisionError on loading: division by zero"),
    ],
)
def test_code_that_does_not_compile_is_told_by_file_line_and_reason(
    text: str, fault: str, tmp_path: Path, make_player: MakePlayer
) -> None:
    for _ in range(2):  # the second time it meets what the first one left behind
        with pytest.raises(StrategyError) as refused:
            make_player(text)
        assert str(refused.value).startswith(f"{tmp_path / 'mine.py'}{fault}")
        assert "\n" not in str(refused.value)


def test_a_strategys_file_may_have_any_name(make_player: MakePlayer) -> None:
    player = make_player(acting(FIRST_CARD), "grün 2.0 – for")
    assert player.file.name == "grün 2.0 – for"


def test_a_move_that_is_no_integer_is_refused_by_the_next_process_too(colina: Game, tmp_path: Path) -> None:
    """It must not be found compiled in the cache, where its own type is forgotten."""
    file = written(tmp_path, acting("return view.held * 0.5"))
    program = f"""
        import copy
        from pathlib import Path
        from simkit import strategy
        from simkit.driver import engine
        from simkit.games import get_game
        from simkit.player import compile_player

        own = copy.copy(engine(get_game("colina")))
        own.folder = Path({str(tmp_path / "cache")!r})
        compile_player(own, strategy.read(Path({str(file)!r})), "mine", {{}})
    """
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", dedent(program)],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=False,
        )
        assert "act must return a move (an integer), not float64." in done.stderr


def test_a_fault_in_a_neighbour_is_told_by_the_neighbour_s_line(tmp_path: Path, make_player: MakePlayer) -> None:
    written(tmp_path, "def pick(view):\n    return view.hnd\n", "helper")
    with pytest.raises(StrategyError, match=r"helper\.py:2: strategy mine does not compile: there is no field hnd"):
        make_player(acting("return pick(view)", "from helper import pick\n"))


@pytest.mark.parametrize("imports", ["import low\nimport high\n", "import high\nimport low\n"])
def test_neighbours_may_import_each_other_in_any_order(imports: str, tmp_path: Path, make_player: MakePlayer) -> None:
    low = written(tmp_path, "def lowest(mask):\n    return mask & -mask\n", "low")
    high = written(tmp_path, "import low\n\ndef pick(view):\n    return low.lowest(view.held)\n", "high")
    player = make_player(acting("return high.pick(view) | low.lowest(view.held)", imports))
    assert set(player.file.sources) == {player.file.path, low, high}
    assert next(iter(player.file.sources)) == player.file.path
    assert "low" not in sys.modules
    assert "high" not in sys.modules


# --- faults while it plays --------------------------------------------------------------------------------------------


def fault_of(colina: Game, player: Player) -> str:
    with pytest.raises(StrategyError) as refused:
        play(colina, player)
    assert refused.value.exit_code == 3
    return str(refused.value)


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("0", "an empty front line"),
        ("-1", "-1 (no such move)"),
        ("1 << 40", "1099511627776 (no such move)"),
        ("63", "7c 6c Qs Jh 6h Ad"),
        ("1 | 1 << 6", "7c + 7c"),
    ],
)
def test_an_illegal_move_is_told_with_place_view_and_legal_moves(
    move: str, words: str, colina: Game, tmp_path: Path, make_player: MakePlayer
) -> None:
    told = fault_of(colina, make_player(acting(f"return {move}"))).splitlines()
    assert told == [
        f"{tmp_path / 'mine.py'}: strategy mine made an illegal move: {words}",
        "  in deal 0, rotation 0, seat 0, seed 1",
        "  it saw: round 1, hand 7c 6c Qs Jh 6h Ad, 100 TP against 100, the opponent holds 6 cards, "
        "96 in the draw pile",
        "  legal: 7c; 7c + Qs; 7c + Jh; 7c + Ad; 6c; 6c + Qs; 6c + Jh; 6c + Ad; 6h; 6h + Qs; 6h + Jh; 6h + Ad"
        " … and 13 more",
    ]


def test_a_fault_is_told_of_the_seat_and_the_rotation_it_happened_in(colina: Game, make_player: MakePlayer) -> None:
    player = make_player(acting("if view.seat == 1:\n    return 0\nreturn view.held & -view.held"))
    told = fault_of(colina, player)
    assert "made an illegal move: an empty front line" in told
    assert "in deal 0, rotation 1, seat 1, seed 1" in told


def test_an_exception_is_told_with_its_line_view_and_legal_moves(
    colina: Game, tmp_path: Path, make_player: MakePlayer
) -> None:
    body = 'if view.round == 3:\n    raise ValueError("no idea")\nreturn view.held & -view.held'
    told = fault_of(colina, make_player(acting(body))).splitlines()
    assert told[0] == f"{tmp_path / 'mine.py'}:3: strategy mine raised ValueError: no idea"
    assert told[1] == "  in deal 0, rotation 0, seat 0, seed 1"
    assert told[2].startswith("  it saw: round 3, hand ")
    assert told[3].startswith("  legal: ")


def test_a_division_by_zero_is_told_too(colina: Game, make_player: MakePlayer) -> None:
    told = fault_of(colina, make_player(acting("return 1 // (view.round - 1)")))
    assert "strategy mine raised ZeroDivisionError: integer division by zero\n  in deal 0" in told


def test_a_fault_in_a_single_game_is_told_as_in_a_batch(colina: Game, make_player: MakePlayer) -> None:
    table = Table(colina, [make_player(acting("return 0"))] * 2, colina.resolve({}), 1)
    with pytest.raises(StrategyError) as batch:
        table.play(0, 1)
    with pytest.raises(SimkitError) as single:
        list(events(table, 0))
    assert str(single.value) == str(batch.value)


def test_a_table_plays_on_after_a_fault(colina: Game, make_player: MakePlayer) -> None:
    body = "if view.round == 9:\n    raise ValueError\nreturn view.held & -view.held"
    table = Table(colina, [make_player(acting(body))] * 2, colina.resolve({}), 1)
    with pytest.raises(StrategyError, match="raised ValueError\n"):
        table.play(0, 5)
    fresh = Table(colina, table.players, {**colina.resolve({}), "max_rounds": 5}, 1)
    table.record["rules"]["max_rounds"] = table.record["seen_rules"]["max_rounds"] = 5
    assert table.play(0, 5).tobytes() == fresh.play(0, 5).tobytes()


# --- one compilation each ---------------------------------------------------------------------------------------------


def test_the_same_source_is_compiled_once_whatever_its_parameters(make_player: MakePlayer) -> None:
    text = acting(FIRST_CARD, PARAMETERS)
    assert make_player(text, depth=1).act is make_player(text, depth=2).act


def test_an_edit_in_a_neighbour_makes_another_player(colina: Game, tmp_path: Path) -> None:
    own = copy.copy(engine(colina))
    own.folder = tmp_path / "cache"
    file = written(tmp_path, acting("return pick(view)", "from helper import pick\n"))
    written(tmp_path, "def pick(view):\n    return view.held & -view.held\n", "helper")
    first = compile_player(own, read(file), "mine", {})
    play(colina, first)
    written(tmp_path, "def pick(view):\n    return 0\n", "helper")
    second = compile_player(own, read(file), "mine", {})
    assert second.file.source_hash != first.file.source_hash
    assert "an empty front line" in fault_of(colina, second)
    play(colina, first)


def test_whole_numbers_that_a_float_cannot_hold_are_refused(tmp_path: Path) -> None:
    file = with_parameters(tmp_path)
    assert file.fill({"depth": -(2**53)})["depth"] == -(2**53)
    with pytest.raises(UsageError, match="depth: 9007199254740993 is not a whole number of at most 53 bits"):
        file.fill({"depth": 2**53 + 1})
