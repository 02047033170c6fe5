from __future__ import annotations

from pathlib import Path

import pytest

from simkit.errors import SimkitError, UsageError
from simkit.experiment import StrategyUse, match_rules, resolve_spec
from tests.experiment.fakes import KNOWN

COLINA = KNOWN.games["colina"]


def rule_faults(*overrides: str) -> list[str]:
    with pytest.raises(UsageError) as raised:
        match_rules(COLINA, overrides)
    return str(raised.value).splitlines()


def spec_faults(spec: str) -> list[str]:
    with pytest.raises(SimkitError) as raised:
        resolve_spec(KNOWN, COLINA, spec, Path())
    return str(raised.value).splitlines()


def test_wrong_parameters_and_an_unknown_name_are_the_users_fault() -> None:
    with pytest.raises(UsageError):
        resolve_spec(KNOWN, COLINA, "greedy:king_belo=3", Path())
    with pytest.raises(UsageError):
        resolve_spec(KNOWN, COLINA, "gredy", Path())


def test_a_match_has_the_rules_of_the_game_but_for_those_set() -> None:
    rules = match_rules(COLINA, ["rules.jokers=2", "rules.jokers=3", "rules.king_on=false"])
    assert len(rules) == 12
    assert (rules["jokers"], rules["king_on"], rules["start_points"]) == (3, False, 100)
    assert match_rules(COLINA, ["rules={ jokers = 3, king_on = false }"]) == rules
    assert match_rules(COLINA, [])["jokers"] == 4


def test_every_fault_of_the_rules_of_a_match_is_told() -> None:
    assert rule_faults("rules.king_onn=true", "jokers", "rules.jokers=99", "deals=1", "rules.queen_on.x=1") == [
        "-s jokers: not KEY=VALUE, as in rules.start_points=50",
        "-s rules.king_onn=true: no such rule of colina. Did you mean king_on?",
        "-s rules.jokers=99: 99 is not a whole number from 0 to 8",
        "-s deals=1: only rules can be set here, as in rules.start_points=…",
        "-s rules.queen_on.x=1: rules.queen_on: {'x': 1} is not true or false, or a pair of them",
    ]
    assert rule_faults("rules=3") == ["-s rules=3: 3 is not a table"]
    assert rule_faults("rules.hand_size=1", "rules.jokers=8") == [
        "-s rules.jokers=8: 8 jokers need a hand_size of 2 or more"
    ]


def test_a_strategy_of_a_match_has_all_its_parameters() -> None:
    spec = "greedy:king_below=5"
    assert resolve_spec(KNOWN, COLINA, spec, Path()) == StrategyUse(
        label=spec, use="greedy", parameters={"king_below": 5, "bold": False}, source_hash="a1"
    )
    nerve = resolve_spec(KNOWN, COLINA, "hill_hunter:nerve=1", Path()).parameters["nerve"]
    assert (nerve, type(nerve)) == (1.0, float)


def test_a_strategy_of_a_match_may_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.py").touch()
    use = resolve_spec(KNOWN, COLINA, "mine.py:depth=4", tmp_path)
    assert (use.use, use.is_path, use.parameters) == (str(tmp_path / "mine.py"), True, {"depth": 4})


def test_every_fault_of_a_strategy_of_a_match_is_told() -> None:
    assert spec_faults("gredy") == ['"gredy" is no strategy of colina. Did you mean greedy?']
    assert spec_faults("miser") == ['"miser" is a strategy of saloon, not of colina']
    assert spec_faults("no/bot.py") == ["no/bot.py: no such file"]
    assert spec_faults("greedy:king_belo=3,bold=1") == [
        "greedy:king_belo=3,bold=1: king_belo: no such parameter of greedy. Did you mean king_below?",
        "greedy:king_belo=3,bold=1: bold: 1 is not true or false",
    ]
