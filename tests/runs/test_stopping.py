"""Runs that end when they know enough: every kind of question until a half-width, and a duel until it is decided."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from simkit.errors import InterruptedRun, UsageError
from simkit.prepared import prepare
from simkit.runs import carry_out, run
from tests.runs.lab import said

POOL = "[strategies]\nrandom = {}\ngreedy = {}\n"
SWEEP = '[sweep]\nkey = "rules.jokers"\nvalues = [0, 2]\nmeasures = ['
DUEL = "[duel]\nsequential = { elo0 = 0, elo1 = 5 }\n"
KINDS = {
    "card_strength": ("colina", 0.02, f'{POOL}[card_strength]\ncards = ["K"]\n'),
    "seat_advantage": ("colina", 0.02, POOL),
    "duel": ("colina", 0.02, POOL),
    "sweep": ("colina", 0.25, f'{POOL}{SWEEP}"length"]\n'),
    "opening_value": ("lost_cities", 0.1, '[strategies]\nfirst_fit = {}\n[opening_value]\nprobe = "expedition"\n'),
}


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Writes an experiment in a workspace where nothing else is."""
    monkeypatch.chdir(tmp_path)

    def make(kind: str, size: str, game: str, rest: str, name: str = "asked") -> Path:
        path = tmp_path / f"{name}.toml"
        path.write_text(f'question = "{kind}"\ngame = "{game}"\nseed = 3\n{size}\n{rest}', encoding="utf-8")
        return path

    return make


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("always", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_question_can_be_asked_until_it_is_known(
    ask: Callable[..., Path], kind: str, always: bool
) -> None:
    game, half_width, rest = KINDS[kind]
    size = f"until = {{ half_width = {half_width}, max_deals = 40_000 }}\nalways_valid = {str(always).lower()}"
    result = run(ask(kind, size, game, rest), jobs=2)
    headline = result.answer.headline
    assert headline is not None
    assert 1_000 <= result.facts.deals < 40_000
    assert (headline.high - headline.low) / 2 <= half_width
    assert (headline.sequence is not None) == always
    assert any("always-valid" in note for note in result.answer.notes) == always
    assert "at most 40,000 deals" in prepare(Path("asked.toml")).summary()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("kind", "game", "rest"),
    [
        ("sweep", "colina", f'rules.max_rounds = 1\n{POOL}{SWEEP}"first_player"]\n'),
        ("seat_advantage", "colina", f"rules.max_rounds = 1\n{POOL}"),
        ("duel", "colina", f"rules.max_rounds = 1\n{POOL}"),
    ],
)
def test_a_headline_that_never_comes_up_is_told(ask: Callable[..., Path], kind: str, game: str, rest: str) -> None:
    with pytest.raises(UsageError, match=r"until: in [\d,]+ deals nothing was seen that the headline .* Set deals"):
        run(ask(kind, "until = { half_width = 0.01 }", game, rest))


@pytest.mark.usefixtures("quick")
def test_a_sequential_duel_ends_where_it_is_decided_however_it_is_played(
    ask: Callable[..., Path], nothing_is_played: Callable[[], None]
) -> None:
    path = ask("duel", "deals = 50_000", "colina", f"[strategies]\nblocker = {{}}\nmirror_guard = {{}}\n{DUEL}")
    straight = run(path, out="straight")
    assert 1_000 <= straight.facts.deals < 50_000
    assert straight.facts.deals % 1_000 == 0
    assert straight.facts.status == "complete"
    assert "the sequential test decided for" in straight.answer.summary
    assert said(run(path, out="other", jobs=1, batch=170)) == said(straight)

    def interrupt(done: int, wanted: int, games: int, headline: str = "") -> None:
        if done > 300:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(InterruptedRun):
        run(path, out="cut", batch=100, jobs=1, progress=interrupt)
    cut = carry_out(prepare(path), out="cut", only_stored=True)
    assert (cut.facts.status, cut.facts.deals < 1_000) == ("interrupted", True)
    assert said(run(path, out="cut")) == said(straight)
    nothing_is_played()
    assert run(path, out="straight", deals=60_000).facts.deals == straight.facts.deals


@pytest.mark.usefixtures("quick")
def test_a_sequential_duel_that_is_not_decided_ends_with_its_deals_and_goes_on_from_there(
    ask: Callable[..., Path],
) -> None:
    equal = '[strategies]\nrandom = {}\nother = { use = "random" }\n'
    path = ask("duel", "deals = 1_500", "colina", f"{equal}{DUEL}")
    first = run(path)
    assert (first.facts.deals, first.facts.status) == (1_500, "complete")
    assert "is not decided after 1,500 deals" in first.answer.summary
    assert run(path, deals=2_300).facts.deals == 2_300
