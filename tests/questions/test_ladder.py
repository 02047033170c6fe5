"""Verdicts over the ladder of strategies: planted flips are said first, agreement and doubt are no flips."""

from __future__ import annotations

from pathlib import Path

import pytest

from simkit.answer import Estimate, Judgement, Verdict
from simkit.questions.ladder import Ladder, Seen, ladder_of, rungs_of
from simkit.questions.ladder_views import MOST_LINES, LadderViews
from simkit.stats.verdicts import judge
from tests.questions.lab import Lab, check_answer, lab

STRENGTHS = {"random": 0.1, "greedy": 0.5, "tempo": 0.505, "planner": 0.9}
MARGIN = 0.01


def known(value: float, se: float = 0.001) -> Estimate:
    return Estimate(value, value - 2 * se, value + 2 * se, se, 10_000, 10_000)


def a_ladder(**strengths: float) -> Ladder:
    order = sorted(strengths, key=strengths.__getitem__)
    rungs = {f"{label} against itself": label for label in order}
    return Ladder(rungs, {label: known(share, 0.005) for label, share in strengths.items()}, MARGIN)


LADDER = a_ladder(**STRENGTHS)


def verdicts(subject: str, se: float = 0.001, **effects: float) -> list[Verdict]:
    """Judged effects in points, in the order given."""
    cases = [(subject, known(value / 100, se), f"{label} against itself") for label, value in effects.items()]
    return judge(cases, MARGIN)


def test_a_planted_flip_is_told_from_the_weakest_to_the_strongest() -> None:
    found = verdicts("K", planner=4, greedy=0.2, random=-3)
    assert LADDER.flip(found, lambda name: f"the {name}") == [
        "It flips with strength of play: the K is too weak under random (−3.0 ± 0.2), fair under greedy "
        "(+0.2 ± 0.2) and too strong under planner (+4.0 ± 0.2) (in points of win rate; your margin is ±1 point)."
    ]
    assert LADDER.head(found) == "It flips with strength of play"


def test_rungs_that_agree_say_nothing() -> None:
    found = verdicts("K", random=4, greedy=3, planner=5)
    assert LADDER.flip(found) == []
    assert LADDER.head(found) == ""


def test_undecided_is_no_flip() -> None:
    found = [*verdicts("K", random=4, greedy=3), *verdicts("K", planner=1)]
    assert [v.verdict for v in found] == ["too strong", "too strong", "undecided"]
    assert LADDER.flip(found) == []
    undecided_between = [*verdicts("K", random=-4, planner=4), *verdicts("K", greedy=1)]
    (sentence,) = LADDER.flip(undecided_between)
    assert "greedy" not in sentence
    assert sentence.startswith("It flips with strength of play")


def test_verdicts_under_others_than_the_rungs_do_not_count() -> None:
    other = judge([("K", known(-0.04), "greedy against random")], MARGIN)
    assert LADDER.flip([*verdicts("K", random=4, planner=5), *other]) == []


def test_who_plays_is_named_where_strength_does_not_explain_it() -> None:
    there_and_back = verdicts("K", random=4, greedy=0, planner=4)
    as_strong = verdicts("K", greedy=0, tempo=4)  # strengths whose intervals overlap
    for found in (there_and_back, as_strong):
        assert LADDER.flip(found)[0].startswith("It flips with who plays: ")
        assert LADDER.head(found) == "It flips with who plays"


def test_line_ups_with_one_fixed_player_are_named_in_full() -> None:
    rungs = {"judge against careful": "careful", "judge against reckless": "reckless"}
    ladder = Ladder(rungs, {"careful": known(0.4, 0.005), "reckless": known(0.6, 0.005)}, MARGIN)
    found = judge([("doubt = 1", known(0.05 * (1 - 2 * i)), where) for i, where in enumerate(rungs)], MARGIN)
    (sentence,) = ladder.flip(found)
    assert "too strong under judge against careful (+5.0 ± 0.2) and too weak under judge against reckless" in sentence


def test_of_many_flips_the_widest_three_are_named() -> None:
    found = [v for i in range(2, 7) for v in verdicts(f"K{i}", random=-i, planner=i)] + verdicts("A", random=3)
    (sentence,) = LADDER.flip(found)
    assert sentence.startswith("5 of 6 verdicts flip with strength of play, most of all: K6 is too weak under random")
    assert [f"K{i}" in sentence for i in (6, 5, 4, 3, 2)] == [True, True, True, False, False]


@pytest.mark.parametrize(
    ("lineups", "rungs"),
    [
        ([("a", "a"), ("b", "b")], ["a", "b"]),
        ([("a", "a"), ("b", "b"), ("a", "b")], ["a", "b"]),
        ([("a", "a", "a"), ("b", "b", "b"), ("a", "a")], ["a", "b"]),
        ([("a", "z"), ("b", "z")], ["a", "b"]),
        ([("a", "z", "z"), ("z", "z", "z")], ["a", "z"]),
        ([("z", "a"), ("z", "b"), ("z", "c")], ["a", "b", "c"]),
        ([("a", "a")], []),
        ([("a", "b")], []),
        ([("a", "b"), ("c", "d")], []),
        ([("a", "a"), ("b", "c")], []),
    ],
)
def test_rungs_are_strategies_against_themselves_or_the_one_that_changes(
    lineups: list[tuple[str, ...]], rungs: list[str]
) -> None:
    assert list(rungs_of(lineups).values()) == rungs


# --- pictures ---------------------------------------------------------------------------------------------------------


def seen(subject: str, *effects: float, word: Judgement | None = "fair") -> list[Seen]:
    """Effects in points on the rungs, the weakest first."""
    return [
        Seen(subject, rung, value / 100, value / 100 - 0.002, value / 100 + 0.002, word)
        for rung, value in zip(LADDER.rungs, effects, strict=False)
    ]


def test_one_subject_makes_a_chart_and_a_table_of_all_rungs() -> None:
    views = LadderViews(LADDER, seen("seat 0", 0.5, 0.25, -0.5), "What a seat adds")
    (chart,), (table,) = views.charts(), views.tables()
    chart.draw()
    assert chart.alt == (
        "What a seat adds, by strength of play. Strategies from the weakest to the strongest, by games won against the "
        "others: random 10%; greedy 50%; tempo 50%; planner 90%. seat 0: +0.5, +0.2, -0.5, not seen."
    )
    assert list(table.frame["strategy"]) == ["random", "greedy", "tempo", "planner"]
    assert list(table.frame["said_0"])[:3] == ["fair, +0.5 ± 0.2", "fair, +0.2 ± 0.2", "fair, −0.5 ± 0.2"]
    assert "A dash: nothing was seen there." in table.how_to_read


def test_of_twelve_subjects_those_that_must_be_there_flip_or_differ_most_are_shown() -> None:
    effects = [one for i in range(12) for one in seen(f"value {i}", 0, i / 10, i / 10, i / 10)]
    flipping = [*seen("flips", 0, 0.1, 0.1), *seen("flips", 0.1, word="too strong")]
    views = LadderViews(LADDER, [*effects, *flipping, *seen("alone", 99)], "What", first=["value 0"])
    assert set(views.shown) == {"value 0", "flips", "value 11", "value 10", "value 9"}
    assert len(views.shown) == MOST_LINES
    (chart,) = views.charts()
    chart.draw()
    (table,) = views.tables()
    assert len(table.frame) == 4


def test_effects_that_are_not_judged_have_no_verdicts_in_the_table() -> None:
    views = LadderViews(LADDER, seen("decided", 60, 70, 80, 90, word=None), "When", "per cent", "percent")
    (table,) = views.tables()
    assert table.columns["effect_0"].format == "percent"
    assert "said_0" not in table.columns
    assert "decided: 60.0, 70.0, 80.0, 90.0." in views.charts()[0].alt


def test_one_rung_makes_no_chart_and_no_table() -> None:
    alone = LadderViews(a_ladder(random=0.5), seen("seat 0", 1), "What")
    nothing = LadderViews(LADDER, [], "What")
    assert [alone.charts(), alone.tables(), nothing.charts(), nothing.tables()] == [[], [], [], []]


# --- games ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def seats(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    text = (
        'question = "seat_advantage"\nmargin = 0.2\n[rules]\nking_on = [true, false]\n'
        "[strategies]\nplanner = {}\nrandom = {}\ngreedy = {}\n[seat_advantage]\n"
    )
    return lab(tmp_path_factory.mktemp("seats"), text, deals=300)


def test_strengths_are_plain_counts_and_their_order_is_the_known_one(seats: Lab) -> None:
    lineups = [("planner",) * 2, ("random",) * 2, ("greedy",) * 2]
    ladder = ladder_of(seats.prepared.asked, seats.results, lineups)
    assert list(ladder.rungs.values()) == ["random", "greedy", "planner"]
    won = dict.fromkeys(ladder.strengths, 0)
    for one, other in (("planner", "random"), ("planner", "greedy"), ("random", "greedy")):
        for rotation, games in enumerate(seats.outcomes(f"{one} v {other}")["winner"].T):
            won[one] += int((games == rotation).sum())
            won[other] += int((games == 1 - rotation).sum())
    for label, strength in ladder.strengths.items():
        assert strength.value == pytest.approx(won[label] / 1200, abs=1e-12)


def test_meetings_that_show_strength_change_no_number(seats: Lab, tmp_path: Path) -> None:
    text = (
        'question = "seat_advantage"\nmargin = 0.2\n[rules]\nking_on = [true, false]\n'
        "[strategies]\ngreedy = {}\n[seat_advantage]\n"
    )
    alone = lab(tmp_path, text, deals=300)
    assert len(alone.prepared.plan.arms) == 1
    assert [row for row in seats.frame("seats") if row["under"].startswith("greedy")] == alone.frame("seats")
    assert "ladder" not in {chart.name for chart in alone.answer.charts}


def test_the_chart_stands_behind_the_headline_and_the_strategies_in_order_of_strength(seats: Lab) -> None:
    assert [chart.name for chart in seats.answer.charts][:2] == ["seats", "ladder"]
    assert [row["strategy"] for row in seats.frame("rungs")] == ["random", "greedy", "planner"]
    check_answer(seats.answer, ["random", "greedy", "planner"])


def test_at_a_larger_table_one_sits_alone_among_copies(tmp_path: Path) -> None:
    text = (
        'question = "seat_advantage"\n[rules]\nplayers = 3\n[strategies]\nrandom = {}\nhonest = {}\n[seat_advantage]\n'
    )
    made = lab(tmp_path, text, deals=60, game="saloon")
    strengths = {row["strategy"]: row["strength"] for row in made.frame("rungs")}
    for one, other in (("random", "honest"), ("honest", "random")):
        outcomes = made.outcomes(f"{one} v {other} v {other}")
        ended = outcomes["unfinished"] == 0
        mine = sum(int((outcomes[:, r]["winner"] == r)[ended[:, r]].sum()) for r in range(3))
        assert strengths[one] == pytest.approx(mine / ended.sum(), abs=1e-12)
