"""Verdicts: words, numbers and corrected p values that agree, and are seldom wrong."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from simkit.answer import Estimate, Verdict
from simkit.stats.ratios import difference
from simkit.stats.verdicts import MINIMUM_DEALS, MOST_DEALS, Wording, holm, judge
from simkit.tally import Moments

MARGIN = 0.01
REPEATS = 600


def effect(value, se, deals=10_000, count=None):
    return Estimate(value, value - 1.96 * se, value + 1.96 * se, se, deals, deals if count is None else count)


def case(value, se, **kwargs):
    return "K", effect(value, se, **kwargs), "greedy against itself"


def words(cases, margin=MARGIN):
    return [verdict.verdict for verdict in judge(cases, margin)]


def test_holm_gives_the_known_p_values():
    p = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216]
    # Worked by hand: 10 × .001, 9 × .008, 8 × .039 (carried on), 3 × .205 (carried on).
    assert holm(p) == pytest.approx([0.01, 0.072, *[0.312] * 5, *[0.615] * 3])
    assert holm(p[::-1]) == pytest.approx(holm(p)[::-1])
    assert holm([]) == []


@pytest.mark.parametrize(
    ("value", "word"),
    [(0.004, "fair"), (-0.004, "fair"), (0.02, "too strong"), (-0.02, "too weak"), (0.012, "undecided")],
)
def test_the_word_is_what_the_interval_shows(value, word):
    assert words([case(value, 0.0015)]) == [word]


def test_one_verdict_shows_the_plain_interval_and_twice_the_one_sided_p_value():
    verdict = judge([case(0.004, 0.0015)], MARGIN)[0]
    half = stats.t.ppf(0.975, 9_999) * 0.0015
    assert (verdict.low, verdict.high) == pytest.approx((0.004 - half, 0.004 + half))
    assert verdict.p == pytest.approx(2 * stats.t.sf(0.006 / 0.0015, 9_999))
    assert verdict.more_deals is None


def test_several_verdicts_show_the_intervals_of_holms_steps():
    first, second, third = judge([case(0.0132, 0.002), case(0.05, 0.002), case(0.002, 0.002)], MARGIN)
    widths = [(verdict.high - verdict.low) / (2 * 0.002) for verdict in (first, second, third)]
    # The clearest is judged at 5 %/3, the next at 5 %/2, the last at 5 %.
    assert widths == pytest.approx([stats.t.isf(0.05 / m / 2, 9_999) for m in (1, 3, 2)])
    assert [verdict.verdict for verdict in (first, second, third)] == ["undecided", "too strong", "fair"]


cases_of_any_kind = st.lists(
    st.builds(
        case,
        st.floats(-0.05, 0.05),
        st.one_of(st.just(0.0), st.floats(1e-5, 0.02)),
        deals=st.integers(MINIMUM_DEALS, 10**6),
    ),
    max_size=8,
)


@given(cases_of_any_kind)
def test_word_interval_and_p_value_never_contradict_each_other(cases):
    for verdict in judge(cases, MARGIN):
        inside = verdict.low >= -MARGIN and verdict.high <= MARGIN
        shown = {
            "fair": inside,
            "too strong": verdict.low > MARGIN,
            "too weak": verdict.high < -MARGIN,
            "undecided": not inside and verdict.low <= MARGIN and verdict.high >= -MARGIN,
        }
        assert shown[verdict.verdict]
        assert (verdict.p <= 0.05) == (verdict.verdict != "undecided") == (verdict.more_deals is None)
        assert verdict.more_deals is None or 1 <= verdict.more_deals <= MOST_DEALS


@given(cases_of_any_kind)
def test_the_rounded_interval_in_the_sentence_shows_the_same(cases):
    number = r"(−?[0-9.]+)"
    for verdict in judge(cases, MARGIN):
        found = re.search(f"interval {number} to {number}", verdict.sentence)
        low, high = (float(text.replace("−", "-")) for text in found.groups())
        if verdict.verdict == "undecided":
            # Six digits are the limit; a bound nearer to the margin than that is written as the margin.
            assert low <= 1 <= high or low <= -1 <= high
        else:
            assert (low >= -1 and high <= 1) == (verdict.verdict == "fair")


@pytest.mark.parametrize("margin", [0.01, 0.05])
def test_deals_that_are_all_alike_are_fair_once_a_change_would_have_been_seen(margin: float):
    """Exact: with a change of 1 in a share `margin` of deals, n deals are all alike with a chance of (1 − margin)^n."""

    def verdict_of(deals: int) -> Verdict:
        columns = [np.arange(deals) % 3, np.full(deals, 2)] * 2
        return judge([("K", difference(Moments.of(columns)), "random")], margin)[0]

    enough = math.ceil(math.log(0.05) / math.log(1 - margin))
    verdict = verdict_of(enough)
    assert (verdict.verdict, verdict.low, verdict.high) == ("fair", 0, 0)
    assert verdict.p == pytest.approx((1 - margin) ** enough)
    open_one = verdict_of(enough - 1)
    assert (open_one.verdict, open_one.estimate, open_one.more_deals) == ("undecided", 0, 1)
    assert -open_one.low == open_one.high == pytest.approx(1 - 0.05 ** (1 / (enough - 1)))
    assert open_one.high > margin


def test_no_number_of_deals_shows_that_nothing_ever_changes():
    columns = [np.arange(100) % 3, np.full(100, 2)] * 2
    verdict = judge([("K", difference(Moments.of(columns)), "random")], 0)[0]
    assert (verdict.verdict, verdict.more_deals) == ("undecided", MOST_DEALS)


def changed(deals, differ):
    """The difference of two arms that so many deals changed, each to a win."""
    found = np.arange(deals) < differ
    return difference(Moments.of([found, np.ones(deals, int), np.zeros(deals, int), np.ones(deals, int)]))


@pytest.mark.parametrize("deals", [30, 100, 200, 300, 400, 500, 700, 1_000, 2_000, 5_000])
def test_a_seldom_change_at_the_margin_is_not_called_fair_too_often(deals):
    """One deal of 100 differs. By the usual interval, 15 of 100 runs of 300 deals have one that differs and are fair.

    Runs in which none differs are fair by the rule for what changes nothing.
    """
    wrong = 0.0
    for differ in range(1, deals // 50 + 10):  # more are far above the margin
        chance = float(stats.binom.pmf(differ, deals, MARGIN))
        wrong += chance * (words([("K", changed(deals, differ), "random")]) == ["fair"])
    assert wrong <= 0.05


def test_a_constant_effect_is_judged_by_where_it_is():
    assert words([case(0.02, 0), case(-0.02, 0), case(0.005, 0)]) == ["too strong", "too weak", "fair"]


@pytest.mark.parametrize("few", [{"deals": 29}, {"deals": 10_000, "count": 29}])
def test_too_few_deals_decide_nothing(few):
    verdict = judge([case(0.5, 0.001, **few)], MARGIN)[0]
    assert (verdict.verdict, verdict.p) == ("undecided", 1)
    assert verdict.more_deals == math.ceil(few["deals"] * 30 / 29) - few["deals"]
    assert "too few deals for a verdict" in verdict.sentence


def test_one_deal_and_no_deal_are_undecided_in_words():
    one, none = judge(
        [("K", Estimate(0.5, *[math.nan] * 3, 1, 2), "random"), ("Q", Estimate(*[math.nan] * 4, 50, 0), "random")],
        MARGIN,
    )
    assert one.sentence == (
        "K is undecided within ±1 point under random: +50.0 points of win rate; "
        "too few deals for a verdict, needs about 29 more deals."
    )
    assert none.sentence == "Q is undecided under random: never seen in 50 deals."
    assert (one.more_deals, none.more_deals) == (29, MOST_DEALS)


@pytest.mark.parametrize("value", [0.0085, 0.012, -0.0118])
def test_the_deals_an_undecided_verdict_asks_for_decide_it(value):
    more = judge([case(value, 0.004)], MARGIN)[0].more_deals
    deals = 10_000 + more
    enough, short = (
        case(value, 0.004 * math.sqrt(10_000 / n), deals=n) for n in (int(1.001 * deals), int(0.999 * deals))
    )
    assert words([enough]) != ["undecided"]
    assert words([short]) == ["undecided"]


def test_an_estimate_at_the_margin_says_so():
    verdict = judge([case(0.01, 0.001)], MARGIN)[0]
    assert verdict.more_deals == MOST_DEALS
    assert "at the margin itself" in verdict.sentence


def test_sentences_are_what_a_designer_reads():
    fair = "K is fair within ±1 point under greedy against itself: +0.4 points of win rate (95 % interval 0.1 to 0.7)."
    assert judge([case(0.004, 0.0015)], MARGIN)[0].sentence == fair
    points = Wording("holding it adds", "TP", "TP", " a round", scale=1)
    assert [verdict.sentence for verdict in judge([case(-30, 2), case(23.4, 2)], 20, points)] == [
        "K is too weak under greedy against itself: holding it adds −30 TP a round "
        "(Holm-corrected 95 % interval −34 to −26), below the margin of ±20 TP.",
        "K is undecided within ±20 TP under greedy against itself: holding it adds 23 TP a round "
        "(Holm-corrected 95 % interval 19 to 27); needs about 3,300 more deals.",
    ]


def test_a_negative_margin_is_refused():
    with pytest.raises(ValueError, match="margin of -1"):
        judge([], -1)


def truth_of(value):
    """The right word; on the margin itself it is fair, as nothing is beyond it."""
    return "fair" if abs(value) <= MARGIN else "too strong" if value > 0 else "too weak"


@pytest.mark.parametrize(
    "effects",
    [
        [0.0] * 6,
        [MARGIN] * 6,
        [MARGIN, -MARGIN, 0.0, 0.06, -0.06, 0.05],  # the decided ones hand their share of the 5 % on
        [1.0001 * MARGIN] * 3,
    ],
)
@pytest.mark.parametrize("se", [0.002, 0.02])
def test_a_list_of_verdicts_is_wrong_at_most_5_times_in_100(effects, se):
    rng = np.random.default_rng(11)
    right = [truth_of(value) for value in effects]
    wrong = 0
    for _ in range(REPEATS):
        found = words([case(value, se) for value in rng.normal(effects, se)])
        wrong += any(a not in (b, "undecided") for a, b in zip(found, right, strict=True))
    assert wrong / REPEATS <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / REPEATS)


def test_without_a_margin_the_error_rate_is_used_up():
    # With margin 0 any word but undecided is wrong for an effect of 0, on either side: the worst case.
    rng = np.random.default_rng(12)
    wrong = sum(
        set(words([case(x, 1.0) for x in rng.normal(0, 1, 5)], margin=0)) != {"undecided"} for _ in range(1_000)
    )
    assert wrong / 1_000 == pytest.approx(0.05, abs=0.025)


def test_planted_effects_are_found():
    rng = np.random.default_rng(13)
    planted = {"too strong": 0.02, "fair": 0.0, "too weak": -0.02}
    found = [words([case(value, 0.002) for value in rng.normal(list(planted.values()), 0.002)]) for _ in range(100)]
    assert sum(row == list(planted) for row in found) >= 98
