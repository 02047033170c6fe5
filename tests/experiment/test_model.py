from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.experiment import Experiment, load, loads
from tests.experiment.fakes import KNOWN
from tests.experiment.test_load import GOOD, SHORT


def changed(*overrides: str, text: str = GOOD) -> Experiment:
    return loads(text, overrides=overrides, known=KNOWN)


def test_the_resolved_text_reads_back_as_an_equal_experiment(tmp_path: Path) -> None:
    (tmp_path / "mine.py").touch()
    path = tmp_path / "x.toml"
    path.write_text(GOOD.replace("[rules]", '[strategies.mine]\nuse = "mine.py"\n[rules]', 1))
    experiment = load(path, known=KNOWN)
    again = loads(experiment.to_toml(), known=KNOWN)
    assert again == experiment
    assert list(again.strategies) == list(experiment.strategies)
    assert again.fingerprint() == experiment.fingerprint()


def test_tables_inside_the_table_of_a_kind_read_back_too() -> None:
    text = SHORT.replace("card_strength", "sweep").replace(
        'cards = ["K"]', 'axis = { low = 1, high = 2 }\nsweep.rule = "x"'
    )
    experiment = loads(text, known=KNOWN)
    assert loads(experiment.to_toml(), known=KNOWN) == experiment


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
SHARES = st.floats(0, 1, exclude_min=True, exclude_max=True)


@st.composite
def overrides(draw: st.DrawFn) -> list[str]:
    """Overrides that are all allowed."""

    def text(value: str) -> str:
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")

    given = {
        "title": TEXTS.map(text),
        "margin": SHARES.map(repr),
        "seed": st.integers(0, 2**64 - 1).map(str),
        "deals": st.integers(1, 10**12).map(str),
        "until": SHARES.map(lambda share: f"{{ half_width = {share!r} }}"),
        "rules.king_on": st.sampled_from(["true", "false", "[true, false]"]),
        "rules.jack_factor": st.integers(100, 1000).map(lambda n: str(n / 100)),
        "strategies.hunter.nerve": st.floats(allow_nan=False, allow_infinity=False).map(repr),
        "strategies.bold.king_below": st.integers(-(2**53), 2**53).map(str),
        "card_strength.pairs": st.sampled_from(['"all"', '[["random", "hunter"]]', "[]"]),
        f"require.{text(draw(TEXTS))}": st.just("true"),
        "keep_games": st.sampled_from(["true", "false"]),
    }
    chosen = draw(st.lists(st.sampled_from(sorted(given)), unique=True))
    return [f"{key}={draw(given[key])}" for key in chosen if key != "until" or "deals" not in chosen]


@given(overrides())
def test_every_experiment_reads_back_from_its_resolved_text(given_overrides: list[str]) -> None:
    experiment = changed(*given_overrides)
    again = loads(experiment.to_toml(), known=KNOWN)
    assert again == experiment
    assert again.fingerprint() == experiment.fingerprint()
    assert again.differences(experiment) == []


def test_the_resolved_text_is_short_and_in_the_order_of_the_interface() -> None:
    text = loads(SHORT + "rules.king_on = [true, false]\n", known=KNOWN).to_toml()
    assert (
        text
        == """\
question = "card_strength"
game = "colina"
deals = 5
seed = 0
margin = 0.01
keep_games = false

[rules]
start_points = 100
hand_size = 6
jokers = 4
support_front = "anytime"
siamese_ranks = "any"
jack_factor = 2
double_mirror = "cancel"
max_rounds = 1000
jack_on = true
queen_on = true
king_on = [true, false]
ace_on = true

[strategies]
random = {}

[card_strength]
cards = ["K"]
pairs = "mirrors"

[require]
"""
    )


@pytest.mark.parametrize("override", ["deals=5", "until.half_width=0.5", "title=other", "about=other"])
def test_texts_and_the_number_of_deals_do_not_make_another_run(override: str) -> None:
    assert changed(override).fingerprint() == changed().fingerprint()
    assert changed(override).differences(changed()) == []
    assert changed(override) != changed()


def test_the_fingerprint_is_that_of_earlier_versions() -> None:
    """A changed fingerprint would make every stored run another experiment: change it only on purpose."""
    text = SHORT.replace("colina", "saloon")
    identity = (
        '{"card_strength":{"cards":["K"],"pairs":"mirrors"},"game":"saloon","keep_games":false,"margin":0.01,'
        '"order of strategies":["random"],"question":"card_strength","require":{},"rules":{"clients":3},"seed":0,'
        '"strategies":{"random":{"parameters":{},"source":"a1","use":"random"}}}'
    )
    assert loads(text, known=KNOWN).fingerprint() == hashlib.sha256(identity.encode()).hexdigest()


@pytest.mark.parametrize(
    ("override", "difference"),
    [
        ("margin=0.5", "margin: 0.02 in the run, 0.5 now"),
        ("seed=1", "seed: 2026 in the run, 1 now"),
        ("keep_games=false", "keep_games: true in the run, false now"),
        ("rules.king_on=false", "rules.king_on: [true, false] in the run, false now"),
        ("rules.double_mirror=void_round", 'rules.double_mirror: "cancel" in the run, "void_round" now'),
        ("strategies.hunter.max_front=1", "strategies.hunter.max_front: 7 in the run, 1 now"),
        ("strategies.bold.use=hill_hunter", 'strategies.bold.use: "greedy" in the run, "hill_hunter" now'),
        ("strategies.more=random", "strategies.more: not in the run, there now"),
        ('card_strength.cards=["Q"]', 'card_strength.cards: ["K"] in the run, ["Q"] now'),
        ("require.K.fair=false", 'require."K.fair": true in the run, false now'),
        ("require={}", 'require."K.fair": true in the run, not there now'),
    ],
)
def test_what_makes_another_run_is_told_in_words(override: str, difference: str) -> None:
    now, run = changed(override), changed()
    assert now.fingerprint() != run.fingerprint()
    assert difference in now.differences(run)
    stored = json.loads(json.dumps(run.identity()))
    assert now.differences(stored) == now.differences(run)


def test_another_source_or_order_of_strategies_makes_another_run() -> None:
    run = changed()
    bold = run.strategies["bold"]
    stored: dict[str, Any] = json.loads(json.dumps(run.identity()))
    stored["strategies"][bold.label]["source"] = "0ld"
    assert run.differences(stored) == ["strategies.bold: its source is not the one in the run"]

    pool = {label: {"use": s.use, **s.parameters} for label, s in reversed(run.strategies.items())}
    moved = changed("strategies=" + "{" + ", ".join(_inline(label, use) for label, use in pool.items()) + "}")
    assert moved.differences(run) == [
        "strategies: random, hunter, bold in the run, bold, hunter, random now",
    ]


def _inline(label: str, use: dict[str, Any]) -> str:
    return f"{label} = {{ {', '.join(f'{k} = {json.dumps(v)}' for k, v in use.items())} }}"


def test_a_strategy_file_may_move(tmp_path: Path) -> None:
    experiments = []
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.py").touch()
        text = SHORT + '[strategies.mine]\nuse = "./mine.py"\n'
        experiments.append(loads(text.replace("strategies.random = {}\n", ""), base_dir=tmp_path / folder, known=KNOWN))
    here, there = experiments
    assert here != there
    assert here.fingerprint() == there.fingerprint()
