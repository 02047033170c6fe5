"""Strategies that are re-tuned at each value: a planted better parameter is found, what does not matter stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit import follow_up
from simkit.errors import UsageError
from simkit.prepared import prepare
from simkit.questions.fair_rule import tuned as fair_tuning
from simkit.runs import RunResult, carry_out, run
from simkit.strategy import read

FOOL = '''"""Fool: with the chance `folly` plays its lowest card, else its best siamese; `idle` does nothing at all."""

from typing import NamedTuple

from simkit.games.colina import NO_SLOT, best_value_front, lowest_single, play
from simkit.rng import uniform


class Params(NamedTuple):
    folly: float = 0.6
    idle: float = 0.5


def act(view, rules, params, rng):
    if uniform(rng) < params.folly:
        return play(1 << lowest_single(view, rules), NO_SLOT)
    return play(best_value_front(view, rules), NO_SLOT)
'''
TEXT = """
question = "fair_rule"
game = "colina"
deals = 150
seed = 3
margin = 0.05
[rules]
max_rounds = 200
[strategies]
fool = "fool.py"
idler = "fool.py"
[fair_rule]
key = "rules.hand_size"
values = [3, 6]
[fair_rule.retune]
tries = 20
deals = 60
ranges.fool.folly = [0.0, 1.0]
ranges.idler.idle = [0.0, 1.0]
"""


def write(folder: Path, text: str = TEXT) -> Path:
    (folder / "fool.py").write_text(FOOL, encoding="utf-8")
    path = folder / "asked.toml"
    path.write_text(text, encoding="utf-8")
    return path


class Stop(Exception):
    """Stands for Ctrl-C."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, RunResult, list[str], list[str]]:
    """A run that was stopped in the third of its four searches, and gone on with."""
    folder = tmp_path_factory.mktemp("retuned")
    path, told, searched = write(folder), list[str](), list[str]()
    find = fair_tuning._tune

    def tune(asked: Any, label: str, value: Any, *more: Any) -> dict[str, Any]:
        searched.append(f"{label} at {value}")
        return find(asked, label, value, *more)

    def stop(done: int, wanted: int, games: int, headline: str = "") -> None:
        told.append(headline)
        if headline == "tuning fool at hand_size = 6":
            raise Stop

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fair_tuning, "_tune", tune)
        with pytest.raises(Stop):
            run(path, out=folder / "out", jobs=1, progress=stop)
        result = run(path, out=folder / "out", jobs=1)
    return folder, result, told, searched


Played = tuple[Path, RunResult, list[str], list[str]]


def rows(result: RunResult, table: str) -> list[dict[str, Any]]:
    return [{str(k): v for k, v in row.items()} for row in result.tables[table].to_dict("records")]


def test_who_plays_by_a_parameter_that_matters_finds_a_better_one_at_each_value(played: Played) -> None:
    """Planted: to play the lowest card with some chance loses games."""
    found = [row for row in rows(played[1], "gains") if row["strategy"] == "fool"]
    assert [row["plays"] for row in found] == ["re-tuned"] * 2
    assert all(row["gain_low"] > 0.03 for row in found)
    (folly,) = (row for row in rows(played[1], "parameters") if row["strategy"] == "fool")
    assert folly["usual"] == "0.6" and float(folly["at_0"]) < 0.25 and float(folly["at_1"]) < 0.25


def test_who_has_nothing_to_gain_plays_as_it_is_and_that_is_told(played: Played) -> None:
    found = [row for row in rows(played[1], "gains") if row["strategy"] == "idler"]
    assert [row["plays"] for row in found] == ["as it is"] * 2
    (idle,) = (row for row in rows(played[1], "parameters") if row["strategy"] == "idler")
    assert idle["at_0"] == idle["at_1"] == idle["usual"] == "0.5"
    assert "idler plays as it is at hand_size = 3, hand_size = 6: what it found there gained nothing for certain." in (
        played[1].answer.notes
    )
    assert (
        "Of four tunings (each strategy at each value), two gained for certain; on fresh deals +" in played[1].summary
    )


def test_verdicts_stand_side_by_side(played: Played) -> None:
    result = played[1]
    sides = rows(result, "retuned")
    subjects = [v.subject for v in result.verdicts]
    assert subjects.count("hand_size = 3") == subjects.count("hand_size = 3, strategies re-tuned") == 2
    by_place = {(v.subject, v.under): v for v in result.verdicts}
    for row in sides:
        before = by_place[f"hand_size = {row['hand_size']}", row["under"]]
        after = by_place[f"hand_size = {row['hand_size']}, strategies re-tuned", row["under"]]
        assert (row["before"], row["after"]) == (before.estimate, after.estimate)
    assert "Re-tuning does not change which values" in result.summary or "Re-tuning changes which" in result.summary
    assert {"values", "values_before", "fresh"} <= {chart.name for chart in result.answer.charts}
    for text in (result.summary, *result.answer.notes):
        assert text.endswith(".") and "nan" not in text


def test_the_tuned_strategies_play_the_deals_that_nobody_has_seen(played: Played) -> None:
    """The last verdict counted again plainly: the chosen value, tuned `fool` against itself, twice fresh deals."""
    from simkit.driver import Table, engine
    from simkit.games import get_game
    from simkit.player import compile_player

    folder, result, *_ = played
    verdict = next(v for v in result.verdicts if v.subject.endswith("fresh deals") and v.under.startswith("fool"))
    value = int(verdict.subject.split(" = ")[1].split(",")[0])
    (folly,) = (row for row in rows(result, "parameters") if row["strategy"] == "fool")
    game = get_game("colina")
    player = compile_player(engine(game), read(folder / "fool.py"), "fool", {"folly": 0.6, "idle": 0.5})
    tuned = player.with_parameters({"folly": float(folly[f"at_{[3, 6].index(value)}"])})
    table = Table(game, [tuned, tuned], game.resolve({"hand_size": value, "max_rounds": 200}), 3)
    outcomes = table.play(follow_up.FRESH_FROM + follow_up.FRESH_APART, 150)
    finished = outcomes["unfinished"] == 0
    drawn = (outcomes["winner"] < 0) & finished
    first = ((outcomes["winner"] == 0) & finished).sum() + drawn.sum() / 2
    assert verdict.subject == f"hand_size = {value}, strategies re-tuned, on fresh deals"
    assert verdict.estimate == pytest.approx(float(first / finished.sum()) - 0.5, abs=1e-12)


def test_a_search_shows_how_far_it_is_and_finished_pieces_survive_ctrl_c(played: Played) -> None:
    _, _, told, searched = played
    assert list(dict.fromkeys(text for text in told if text.startswith("tuning"))) == [
        "tuning fool at hand_size = 3", "tuning idler at hand_size = 3", "tuning fool at hand_size = 6",
    ]  # fmt: skip
    # Stopped in the third; the first two are not searched again.
    assert searched == ["fool at 3", "idler at 3", "fool at 6", "fool at 6", "idler at 6"]


def test_stopped_or_not_it_comes_to_the_same_and_answers_from_the_store(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, result, *_ = played
    straight = run(write(tmp_path), out=tmp_path / "out", jobs=2)
    assert straight.to_json()["verdicts"] == result.to_json()["verdicts"]

    def play(*_: Any, **__: Any) -> None:
        raise AssertionError("nothing is to be played")

    monkeypatch.setattr(follow_up.runner, "play", play)
    monkeypatch.setattr(follow_up.Trials, "observe", play)
    again = run(folder / "asked.toml", out=folder / "out", jobs=1)
    assert again.to_json()["verdicts"] == result.to_json()["verdicts"]
    (folder / "out" / "fresh_2.sqlite").unlink()  # the last stage was never played
    partly = carry_out(prepare(folder / "asked.toml"), out=folder / "out", only_stored=True)
    assert "fresh ones have not been played" in partly.summary
    assert "hand_size = 3, strategies re-tuned" in {v.subject for v in partly.verdicts}


def test_what_is_tuned_meets_whom_its_line_ups_have(tmp_path: Path) -> None:
    text = TEXT.replace("[fair_rule.retune]", 'pairs = [["fool", "idler"], ["idler", "idler"]]\n[fair_rule.retune]')
    asked = prepare(write(tmp_path, text)).asked
    assert fair_tuning.tables_of(asked, "fool", 3) == [("fool", "idler")]
    assert fair_tuning.tables_of(asked, "idler", 3) == [("idler", "fool"), ("idler", "idler")]


def test_it_is_adopted_by_chance_at_most_once_in_forty() -> None:
    """The proof is a 95 % interval wholly above zero: 2.5 in 100 of what gains nothing pass it."""
    from fractions import Fraction

    from simkit.tally import Moments

    rng, passed, runs = np.random.default_rng(4), 0, 2_000
    proof = fair_tuning._Gain((), ((Fraction(1, 2), 0, 1), (Fraction(-1, 2), 2, 3), (Fraction(1, 2), 4, 5)), 0.25)
    games = np.full(400, 840)
    for _ in range(runs):
        won = [840 * rng.integers(0, 2, 400) for _ in range(3)]
        passed += proof.estimate(Moments.of([c for one in won for c in (one, games)])).low > 0
    assert abs(passed / runs - 0.025) < 4 * (0.025 * 0.975 / runs) ** 0.5


@pytest.mark.parametrize(
    ("right", "wrong", "fault"),
    [
        ("[fair_rule.retune]", 'retune = "yes"\n[rules_]', "true, false, or a table"),
        ("tries = 20", "tries = 2", "tries"),
        ("tries = 20", "try = 20", "no such key"),
        ("tries = 20", 'strategies = ["foo"]', "Did you mean fool"),
        ("tries = 20", 'strategies = ["fool"]', "idler: not one of the strategies that are re-tuned"),
        ("ranges.fool.folly", "ranges.fool.foly", "foly: not a number that the strategy can be given. Did you"),
        ("ranges.fool.folly = [0.0, 1.0]", "ranges.fool.folly = [1.0, 0.0]", "the lowest value, then a higher one"),
        ("[fair_rule.retune]", 'pairs = [["fool", "fool"]]\n[fair_rule.retune]', "idler plays in none of the line-ups"),
    ],
)  # fmt: skip
def test_faults_are_told(tmp_path: Path, right: str, wrong: str, fault: str) -> None:
    assert right in TEXT
    with pytest.raises(UsageError, match=fault):
        prepare(write(tmp_path, TEXT.replace(right, wrong)))


def test_strategies_without_numbers_cannot_be_tuned(tmp_path: Path) -> None:
    text = TEXT[: TEXT.index("[fair_rule.retune]")] + "retune = true\n"
    text = text.replace('fool = "fool.py"\nidler = "fool.py"', "random = {}\ngreedy = {}")
    with pytest.raises(UsageError, match="no strategy that plays has parameters that are numbers"):
        prepare(write(tmp_path, text))
