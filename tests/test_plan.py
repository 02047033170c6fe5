"""A plan observes each measure once an arm, and its tallies are exact in any batches."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from simkit.measures import DealValues, Luck, PerGame, UnfinishedShare, Values, WinRate
from simkit.plan import Arm, BriefArm, Plan, Results
from simkit.series import ChanceShare, Difference, Distribution, Examples, LuckShare, Ratio, Series, Together
from simkit.tally import Moments
from tests.questions.lab import Lab, lab

TEXT = """question = "card_strength"
[rules]
max_rounds = 35
[strategies]
random = {}
greedy = {}
[card_strength]
cards = ["J", "joker"]
pairs = "all"
"""
ARM = Arm("a", ("greedy", "greedy"), ({}, {}))
OTHER = replace(ARM, name="b")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return lab(tmp_path_factory.mktemp("plan"), TEXT, deals=90)


def test_batches_merge_in_any_order_to_the_tallies_of_all_deals(made: Lab) -> None:
    whole = made.results.tallies
    batches = [made.work.batch(first, n) for first, n in ((0, 17), (17, 40), (57, 33))]
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        first, *others = (batches[i] for i in order)
        assert first is not None
        merged: dict[str, Any] = dict(first)
        for batch in others:
            assert batch is not None
            merged = {name: tally + batch[name] for name, tally in merged.items()}
        assert merged == dict(whole)


def test_every_tally_is_read_back_as_it_was_from_json(made: Lab) -> None:
    kinds = set()
    for series in made.prepared.plan.series:
        tally = made.results.tallies[series.name]
        assert series.read(json.loads(json.dumps(tally.to_json()))) == tally
        kinds.add(type(series))
    assert {Ratio, Difference, Distribution, Examples} <= kinds


def test_each_measure_of_an_arm_is_observed_once() -> None:
    shared = WinRate(0)
    series: tuple[Series, ...] = (
        Ratio("r", "a", shared),
        Difference("d", ("a", WinRate(0)), ("b", shared)),
        LuckShare("l", "b", Luck()),
    )
    plan = Plan((ARM, OTHER), series, "r")
    assert plan.measures == {"a": (shared,), "b": (shared, Luck())}
    assert plan.games_a_deal == 4


def test_names_that_stand_twice_are_refused() -> None:
    ratio = Ratio("r", "a", WinRate(0))
    with pytest.raises(ValueError, match="twice in a plan: r"):
        Plan((ARM,), (ratio, Distribution("r", "a", Values("rounds"))), "r")
    with pytest.raises(ValueError, match="twice in a plan: a"):
        Plan((ARM, ARM), (ratio,), "r")


def test_a_batch_is_smaller_the_more_arms_there_are(made: Lab) -> None:
    plan = made.prepared.plan
    small = Plan((ARM,), (Ratio("r", "a", WinRate(0)),), "r")
    assert 1 <= plan.deals_a_batch < small.deals_a_batch
    many = tuple(replace(ARM, name=str(i)) for i in range(100_000))
    assert Plan(many, (), "r").deals_a_batch == 1


def test_the_difference_of_an_arm_with_itself_is_exactly_nothing(made: Lab) -> None:
    name = "random v greedy"
    series = Difference("same", (name, WinRate(0)), (name, WinRate(0)))
    arm = next(arm for arm in made.prepared.plan.arms if arm.name == name)
    work = replace(made.work, plan=Plan((arm,), (series,), "same"))
    tallies = work.batch(0, 60)
    assert tallies is not None
    estimate = Results(work.plan, tallies).estimate("same")
    assert (estimate.value, estimate.low, estimate.high, estimate.se) == (0, 0, 0, 0)


def test_shares_taken_together_are_those_of_each_arm_and_differ_as_pairs_do(made: Lab) -> None:
    arms = [arm for arm in made.prepared.plan.arms if arm.name in ("random v greedy", "greedy v greedy")]
    parts = tuple((arm.name, WinRate(0)) for arm in arms)
    series: tuple[Series, ...] = (
        Together("all", parts),
        Difference("two", parts[1], parts[0]),
        *(Ratio(arm, arm, measure) for arm, measure in parts),
    )
    work = replace(made.work, plan=Plan(tuple(arms), series, "two"))
    tallies = work.batch(0, 60)
    assert tallies is not None
    results = Results(work.plan, tallies)
    together, tally = results.together("all")
    assert [together.share(tally, i) for i in (0, 1)] == [results.estimate(name) for name, _ in parts]
    assert together.difference(tally, 1, 0) == results.estimate("two")
    assert together.read(json.loads(json.dumps(tally.to_json()))) == tally


@pytest.mark.parametrize(
    ("won", "of", "value"),
    [((75, 75), (100, 100), 0.5), ((25, 25), (100, 100), 0.5), ((50, 50), (100, 100), 1.0), ((0, 0), (9, 9), 0.0)],
)
def test_chance_decides_what_is_left_when_the_better_player_wins_the_rest(
    won: tuple[int, ...], of: tuple[int, ...], value: float
) -> None:
    tally = Moments(
        2,
        (sum(won), sum(of)),
        (sum(a * a for a in won), sum(a * b for a, b in zip(won, of, strict=True)), sum(b * b for b in of)),
        (min(won), min(of)),
        (max(won), max(of)),
    )
    estimate = ChanceShare("c", "a", WinRate(0)).estimate(tally)
    assert estimate.value == value
    assert 0 <= estimate.low <= value <= estimate.high <= 1


def test_the_interval_of_chance_is_that_of_the_win_rate_folded_at_a_half(made: Lab) -> None:
    arm = next(arm for arm in made.prepared.plan.arms if arm.name == "random v greedy")
    series: tuple[Series, ...] = (Ratio("r", arm.name, WinRate(0)), ChanceShare("c", arm.name, WinRate(0)))
    work = replace(made.work, plan=Plan((arm,), series, "r"))
    tallies = work.batch(0, 90)
    assert tallies is not None
    results = Results(work.plan, tallies)
    won, chance = results.estimate("r"), results.estimate("c")
    assert won.high < 0.5  # random loses
    assert (chance.low, chance.value, chance.high) == pytest.approx((2 * won.low, 2 * won.value, 2 * won.high))


def test_results_hand_out_each_tally_by_its_kind(made: Lab) -> None:
    lengths = made.results.histogram("lengths/greedy v greedy")
    examples = made.results.examples("example/length/greedy v greedy")
    assert lengths.total == 2 * made.deals
    assert set(examples.deals) <= set(lengths.counts)
    assert made.results.moments("unfinished/greedy v greedy").sums[1] == 2 * made.deals


def test_unfinished_and_length_count_all_games(tmp_path: Path, made: Lab) -> None:
    arm = next(arm for arm in made.prepared.plan.arms if arm.name == "random v random")
    series: tuple[Series, ...] = (
        Ratio("unfinished", arm.name, UnfinishedShare()),
        Ratio("length", arm.name, PerGame("rounds")),
        Examples("deal", arm.name, DealValues("rounds")),
    )
    work = replace(made.work, plan=Plan((arm,), series, "length"))
    tallies = work.batch(10, 20)
    assert tallies is not None
    results = Results(work.plan, tallies)
    outcomes = work.table(arm).play(10, 20)
    assert results.estimate("unfinished").value == outcomes["unfinished"].mean()
    assert results.estimate("length").value == pytest.approx(outcomes["rounds"].mean())
    assert results.examples("deal").deals == {
        int(value): 10 + int((outcomes[:, 0]["rounds"] == value).argmax()) for value in set(outcomes[:, 0]["rounds"])
    }


def test_a_brief_arm_plays_the_first_deals_whatever_the_batches(made: Lab) -> None:
    long, short = (arm for arm in made.prepared.plan.arms if arm.name in ("random v greedy", "greedy v greedy"))
    brief = BriefArm(**vars(short), most=50)
    series = (Ratio("long", long.name, WinRate(0)), Ratio("brief", brief.name, WinRate(0)))
    work = replace(made.work, plan=Plan((long, brief), series, "long"))
    whole = work.batch(0, 90)
    first, middle, last = work.batch(0, 20), work.batch(20, 40), work.batch(60, 30)
    assert whole is not None and first is not None and middle is not None and last is not None
    for name, deals in (("long", 90), ("brief", 50)):
        assert whole[name] == first[name] + middle[name] + last[name]  # type: ignore[operator]
        assert Results(work.plan, whole).estimate(name).deals == deals
    outcomes = made.work.table(short).play(0, 50)
    won = sum(int(((outcomes["winner"][:, r] == r) & (outcomes["unfinished"][:, r] == 0)).sum()) for r in range(2))
    assert Results(work.plan, whole).estimate("brief").value == won / int((outcomes["unfinished"] == 0).sum())
    assert [work.plan.games(90), work.plan.games(40, 20), work.plan.games(30, 60)] == [280, 140, 60]


def test_a_series_of_arms_that_play_other_deals_is_refused() -> None:
    brief = BriefArm(**vars(OTHER), most=50)
    with pytest.raises(ValueError, match="d: its arms do not all play the same deals"):
        Plan((ARM, brief), (Difference("d", ("a", WinRate(0)), ("b", WinRate(0))),), "d")
