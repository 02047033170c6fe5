"""How often answers are wrong over 200 seeds, each played, tallied and answered as a run is, on a game that is rigged.

The margin is next to nothing where there is no effect: then every verdict but `undecided` is wrong, and the chance of
any in the list is to be 5 %, not only at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from simkit import resamples
from simkit.answer import Estimate, Verdict
from simkit.plan import Results, Stopping
from simkit.questions.duel.cases import UntilDecided
from simkit.questions.sweep.best import contests
from simkit.runner import Work
from simkit.stopping import HalfWidth
from tests.questions.lab import Lab
from tests.questions.rigged import answer_of, results_of, rigged
from tests.rigged import known

SEEDS, DEALS, RATE, NOTHING = 200, 120, 0.05, 1e-9
# Of each kind that gives verdicts: the table, the pool, what has to be rigged for an effect of 1, and who has it.
KINDS: dict[str, tuple[str, str, dict[str, int], str]] = {
    "card_strength": ('cards = ["A"]', "rock mixer", {"ace": 2}, "A"),
    "sweep": ('key = "rules.die"\nvalues = [0, 1]\npairs = "all"', "rock paper", {"first": 1, "circle": 0}, "die"),
    "fair_rule": ('key = "rules.die"\nvalues = [0, 1]', "rock mixer", {"tilt": 1}, "die"),
    "seat_advantage": ("", "rock mixer", {"first": 1}, "seat 0"),
    "duel": ('pairs = [["trump", "rock"], ["trump", "paper"]]', "trump rock paper", {"trump": 1}, "trump"),
    "tournament": ("", "trump rock paper", {"trump": 1}, "trump"),
    "dominant_strategy": ("", "trump rock", {"trump": 1}, "trump"),
}


@pytest.fixture(scope="module", autouse=True)
def _known() -> Iterator[None]:
    with known(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(resamples, "RESAMPLES", 3)  # no verdict rests on resamples
        yield


def most(rate: float = RATE, runs: int = SEEDS) -> int:
    """More errors than these have a chance of one in a thousand."""
    return int(binom.ppf(0.999, runs, rate))


def least(rate: float = RATE, runs: int = SEEDS) -> int:
    """Fewer errors likewise."""
    return int(binom.ppf(0.001, runs, rate))


def asked(folder: Path, kind: str, effect: int, margin: float, deals: int = DEALS) -> Lab:
    """The question, with an effect of so many thousandths."""
    table, pool, rules, _ = KINDS[kind]
    rules = {name: times * effect for name, times in rules.items()}
    return rigged(folder, kind, table, pool, deals, margin, **rules)


Lists = list[list[Verdict]]


def lists_of(made: Lab, seeds: Iterable[int]) -> tuple[Lists, list[Estimate]]:
    """For each seed the verdicts (those on fresh deals are corrected by themselves) and the headline."""
    found, headlines = [], []
    for seed in seeds:
        results = results_of(made, seed)
        verdicts = answer_of(made, results).verdicts
        fresh = [v for v in verdicts if "fresh" in v.subject]
        found += [fresh] if fresh else []
        found.append([v for v in verdicts if v not in fresh])
        headlines.append(results.estimate(made.prepared.plan.headline))
    return found, headlines


def wrong(lists: Lists) -> int:
    """How many of the lists have a verdict that says more than `undecided`."""
    return sum(any(v.verdict != "undecided" for v in verdicts) for verdicts in lists)


# --- no effect --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def without_effect(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Lists, list[Estimate]]]:
    """The lists of verdicts and the headlines of a kind where nothing has an effect."""
    done: dict[str, tuple[Lists, list[Estimate]]] = {}

    def get(kind: str) -> tuple[Lists, list[Estimate]]:
        if kind not in done:
            made = asked(tmp_path_factory.mktemp(kind), kind, 0, NOTHING)
            done[kind] = lists_of(made, range(SEEDS))
        return done[kind]

    return get


def share_missed(estimates: Sequence[Estimate], truth: float) -> int:
    return sum(not e.low <= truth <= e.high for e in estimates)


TRUTHS = {kind: 0.0 if kind == "card_strength" else 0.5 for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
def test_no_effect_is_taken_for_one_in_5_of_100_lists_at_most(
    kind: str, without_effect: Callable[[str], tuple[Lists, list[Estimate]]]
) -> None:
    lists, headlines = without_effect(kind)
    assert all(len(verdicts) for verdicts in lists)
    assert wrong(lists) <= most(runs=len(lists))
    assert least() <= share_missed(headlines, TRUTHS[kind]) <= most()


def test_over_all_kinds_the_rates_are_5_of_100(
    without_effect: Callable[[str], tuple[Lists, list[Estimate]]],
) -> None:
    """1,600 lists and 1,400 intervals tell 5 % from 7 %, and from 3 %."""
    lists = [verdicts for kind in KINDS for verdicts in without_effect(kind)[0]]
    assert least(0.03, len(lists)) < wrong(lists) <= most(runs=len(lists)) < 0.07 * len(lists)
    missed = sum(share_missed(without_effect(kind)[1], TRUTHS[kind]) for kind in KINDS)
    assert least(runs=SEEDS * len(KINDS)) <= missed <= most(runs=SEEDS * len(KINDS))


# --- planted effects --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["card_strength", "fair_rule", "seat_advantage", "duel"])  # what others do as well
def test_an_effect_at_the_margin_itself_is_decided_in_5_of_100_lists_at_most(kind: str, tmp_path: Path) -> None:
    """Either way: a hair more and `fair` would be wrong, a hair less and `too strong`."""
    lists, _ = lists_of(asked(tmp_path, kind, 60, 0.06), range(1_000, 1_000 + SEEDS))
    at_the_edge = [[v for v in verdicts if is_planted(kind, v)] for verdicts in lists]
    assert all(at_the_edge)
    assert wrong(at_the_edge) <= most(runs=len(lists))


@pytest.mark.parametrize("kind", KINDS)
def test_an_effect_far_beyond_the_margin_is_found(kind: str, tmp_path: Path) -> None:
    lists, _ = lists_of(asked(tmp_path, kind, 125, 0.01, deals=500), range(20))
    planted = [v for verdicts in lists for v in verdicts if is_planted(kind, v)]
    assert np.mean([v.verdict == "too strong" for v in planted]) > 0.95


def is_planted(kind: str, verdict: Verdict) -> bool:
    """Whether the verdict is on the effect, not on a change that is none."""
    return verdict.subject.startswith(KINDS[kind][3]) and verdict.under != "rock against paper"


# --- looking on the way -----------------------------------------------------------------------------------------------


def stopped(work: Work, rule: Stopping, series: str, seed: int) -> Results:
    """The results when the stopping rule has enough; of one series alone, as nothing else is looked at."""
    one = next(s for s in work.plan.series if s.name == series)
    work = replace(work, seed=seed, plan=replace(work.plan, series=(one,), headline=series))
    deals, wanted, tally = 0, rule.first(work.plan), None
    while wanted > deals:
        more = work.batch(deals, wanted - deals)
        assert more is not None
        tally = more[series] if tally is None else tally + more[series]
        deals, results = wanted, Results(work.plan, {series: tally})
        wanted = rule.then(results, deals)
    return results


def test_a_run_until_a_half_width_covers_as_often_as_it_says(tmp_path: Path) -> None:
    """Two looks at least: a pilot of 1,000 deals, and as many as its width asks for."""
    work, missed = rigged(tmp_path, "seat_advantage", "", "rock", DEALS, first=100).work, 0
    series = work.plan.headline
    for seed in range(SEEDS):
        estimate = stopped(work, HalfWidth(0.025), series, seed).estimate(series)
        assert (estimate.high - estimate.low) / 2 <= 0.025
        missed += not estimate.low <= 0.6 <= estimate.high
    assert least() <= missed <= most()


@pytest.mark.parametrize(("circle", "wrong_one"), [(0, "elo1"), (14, "elo0")])
def test_a_sequential_duel_is_decided_wrongly_5_times_in_100_at_most(
    tmp_path: Path, circle: int, wrong_one: str
) -> None:
    """Of equals, and where paper wins 51.4 of a hundred games."""
    table = "sequential = { elo0 = 0, elo1 = 9.73 }"
    work = rigged(tmp_path, "duel", table, "paper rock", DEALS, circle=circle).work
    rule = work.plan.stopping
    assert isinstance(rule, UntilDecided)
    found = [stopped(work, rule, rule.series, seed).moments(rule.series).sums for seed in range(SEEDS)]
    decided = [rule.test.decision(sums) for sums in found]
    assert "undecided" not in decided
    assert 0 < decided.count(wrong_one) <= most()


# --- of what has no verdicts ------------------------------------------------------------------------------------------


def test_the_best_of_equals_is_left_out_5_times_in_100_at_most(tmp_path: Path) -> None:
    """All three throws are as good; each may be called the best one."""
    table = (
        'key = "strategies.rock.throw"\nvalues = [0, 1, 2]\nmeasures = ["first_player"]\npairs = [["rock", "trump"]]'
    )
    made = rigged(tmp_path, "sweep", table, "rock trump", DEALS)
    left_out = np.zeros(3, dtype=int)
    for seed in range(SEEDS):
        (contest,) = contests(made.prepared.asked, results_of(made, seed))
        assert contest.best is not None
        left_out += [place not in contest.best.among for place in range(3)]
    assert (left_out <= most()).all()


def test_the_value_of_a_decision_is_covered_in_every_class(tmp_path: Path) -> None:
    made = rigged(tmp_path, "opening_value", 'probe = "ace"', "rock", 240, ace=100)
    runs = [results_of(made, seed) for seed in range(SEEDS)]
    for what, truth in (("wins", 0.1), ("lead", 0.4)):
        cells = [run.cells(f"{what}/full/rock v rock") for run in runs]
        for cell in range(4):
            assert least() <= share_missed([some[cell] for some in cells], truth) <= most()


def test_how_often_a_rule_fires_is_covered(tmp_path: Path) -> None:
    """Seldom, about even and nearly always."""
    for rare in (20, 500, 985):
        made = rigged(tmp_path, "rule_coverage", 'pairs = "mirrors"', "rock", 300, rare=rare)
        fired = [results_of(made, seed).estimate("fired/2/rock v rock") for seed in range(SEEDS)]
        assert share_missed(fired, rare / 1000) <= most()
        assert all(e.low < e.value < e.high for e in fired)
