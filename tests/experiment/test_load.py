"""An experiment is read from its file with everything resolved."""

from __future__ import annotations

from pathlib import Path

import pytest

from simkit.errors import UsageError
from simkit.experiment import load, loads
from tests.experiment.fakes import KNOWN, CardStrength, FakeKnown
from tests.experiment.texts import GOOD, SHORT


def test_a_good_experiment_is_read_with_everything_resolved(tmp_path: Path) -> None:
    path = tmp_path / "kings.toml"
    path.write_text(GOOD)
    experiment = load(path, known=KNOWN)
    assert (experiment.name, experiment.path) == ("kings", path)
    assert (experiment.kind, experiment.game) == ("card_strength", "colina")
    assert (experiment.deals, experiment.until, experiment.seed, experiment.margin) == (100_000, None, 2026, 0.02)
    assert (experiment.title, experiment.about, experiment.keep_games) == ("Is the King too strong?", "", True)
    assert experiment.settings == CardStrength.model_construct(cards=["K"], pairs="mirrors")
    assert experiment.require == {"K.fair": True, "K.too strong": False}
    assert len(experiment.rules) == 12
    assert experiment.rules["start_points"] == 50
    assert experiment.rules["hand_size"] == 6
    assert experiment.changed_rules == ("start_points", "king_on")
    assert {s.label: (s.use, s.parameters) for s in experiment.strategies.values()} == {
        "random": ("random", {}),
        "hunter": ("hill_hunter", {"max_front": 7, "nerve": 0.5}),
        "bold": ("greedy", {"king_below": 4, "bold": False}),
    }


def test_what_may_be_left_out_has_defaults() -> None:
    experiment = loads(SHORT, known=KNOWN)
    assert (experiment.seed, experiment.margin, experiment.keep_games, experiment.require) == (0, 0.01, False, {})
    assert experiment.changed_rules == ()


def test_a_rule_given_its_default_in_other_words_is_not_changed() -> None:
    text = SHORT + "[rules]\nking_on = [true, true]\njack_factor = 2.0\n"
    experiment = loads(text, known=KNOWN)
    assert experiment.changed_rules == ()
    assert experiment.rules["jack_factor"] == 2


def test_until_replaces_deals() -> None:
    text = SHORT.replace("deals = 5", "until = { half_width = 0.001, max_deals = 9 }")
    experiment = loads(text, known=KNOWN)
    assert experiment.deals is None
    assert experiment.until is not None
    assert (experiment.until.half_width, experiment.until.max_deals) == (0.001, 9)


def test_a_strategy_file_is_found_beside_the_experiment(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots/mine.py").touch()
    path = tmp_path / "x.toml"
    path.write_text(SHORT + '[strategies.mine]\nuse = "bots/mine.py"\ndepth = 3\n[strategies.short]\nuse = "random"\n')
    mine = load(path, known=KNOWN).strategies["mine"]
    assert (mine.use, mine.is_path, mine.parameters) == (str(tmp_path / "bots/mine.py"), True, {"depth": 3})
    assert mine.source_hash == "f00"


@pytest.mark.parametrize("signs", ["\ufeff", "\r\n"])
def test_marks_of_windows_editors_do_no_harm(signs: str, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes((signs + GOOD.replace("\n", "\r\n")).encode())
    assert load(path, known=KNOWN) == loads(GOOD, known=KNOWN)


def message(path: Path, known: FakeKnown = KNOWN) -> str:
    with pytest.raises(UsageError) as raised:
        load(path, known=known)
    return str(raised.value)


def test_a_missing_file_names_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "kings.toml").touch()
    assert message(tmp_path / "king.toml") == f"{tmp_path / 'king.toml'}: no such file. Did you mean kings.toml?"
    assert message(tmp_path / "kings") == f"{tmp_path / 'kings'}: no such file. Did you mean kings.toml?"
    assert message(tmp_path / "sweep.toml") == f"{tmp_path / 'sweep.toml'}: no such file."
    assert message(tmp_path / "zzz/x.toml") == f"{tmp_path / 'zzz/x.toml'}: no such file."


def test_a_missing_file_names_the_shipped_experiment(tmp_path: Path) -> None:
    known = FakeKnown({"colina_kings": Path("lib/colina_kings.toml")})
    shipped = "The shipped experiment colina_kings is lib/colina_kings.toml."
    for name in ("colina_kings.toml", "colina_kings"):
        assert message(tmp_path / name, known) == f"{tmp_path / name}: no such file. {shipped}"
    near = "Did you mean colina_kings? It is a shipped experiment."
    assert message(tmp_path / "colina_king.toml", known) == f"{tmp_path / 'colina_king.toml'}: no such file. {near}"


def test_a_folder_is_not_an_experiment(tmp_path: Path) -> None:
    assert message(tmp_path) == f"{tmp_path}: a folder, not an experiment."
    (tmp_path / "kings.toml").touch()
    assert message(tmp_path) == f"{tmp_path}: a folder, not an experiment. It holds kings.toml."


def test_a_file_below_a_file_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "kings.toml").touch()
    assert message(tmp_path / "kings.toml/x").endswith("kings.toml/x: cannot be read: Not a directory")


def test_a_binary_file_is_not_toml(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(b"a = 1\nb = 'caf\xe9'\n")
    assert message(path) == f"{path}:2: not TOML: byte 0xe9 is not UTF-8 text"
