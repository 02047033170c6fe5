"""Every kind of question put to a game whose effects are known: what was planted comes out, and nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from simkit.questions.fair_rule.cases import Stages, chosen_value
from simkit.questions.fair_rule.views import crossings
from simkit.questions.sweep.best import contests
from tests.questions.rigged import SURE, answer_of, checked, is_near, results_of, rigged, rows, words
from tests.rigged import known

ITSELF = "rock against itself"


@pytest.fixture(scope="module", autouse=True)
def _known() -> Iterator[None]:
    with known():
        yield


# --- card_strength ----------------------------------------------------------------------------------------------------

CARDS = 'cards = ["A", "K"]\npairs = "all"'


def test_a_card_is_worth_what_was_planted_and_the_other_one_nothing(tmp_path: Path) -> None:
    """An ace adds 10 points to who plays it; half of the hands have one. A lead is twice what is won less a half."""
    made = rigged(tmp_path, "card_strength", CARDS, "rock shy", 16_000, ace=100)
    results = results_of(made, 5)
    truths = {"effect": 0.05, "lead": 0.2, "opening_effect": 0.1, "restriction": 0.05, "restricted": 0.45}
    for series, truth in (truths | {"won_opening": 0.55, "won_used": 0.55, "plays": 0.5}).items():
        assert is_near(results.estimate(f"A/rock v rock/0/{series}"), truth), series
        nothing = {"restricted": 0.5, "won_opening": 0.5, "won_used": 0.5, "plays": 0.5}.get(series, 0)
        assert is_near(results.estimate(f"K/rock v rock/0/{series}"), nothing), series
    found = words(answer_of(made, results))
    assert (found["A", ITSELF], found["K", ITSELF]) == ("too strong", "fair")
    assert (found["A", "rock against shy"], found["K", "rock against shy"]) == ("too strong", "fair")


def test_a_card_that_costs_its_player_is_too_weak(tmp_path: Path) -> None:
    answer = checked(rigged(tmp_path, "card_strength", 'cards = ["A"]', "rock", 4_000, ace=-100))
    assert words(answer) == {("A", ITSELF): "too weak"}
    assert "The ace is too weak under rock against itself" in answer.summary


@pytest.mark.parametrize("rules", [{"ace": 100}, {"ace": 0}])
def test_a_card_that_is_never_played_is_worth_exactly_nothing(tmp_path: Path, rules: dict[str, int]) -> None:
    """Whatever the card would do; in this game the ablation does not touch a single die."""
    made = rigged(tmp_path, "card_strength", CARDS, "rock shy", 400, **rules)
    results = results_of(made, 5)
    for lineup, holder in (("shy v shy", 0), ("rock v shy", 1)):
        for card in "AK":
            for series in ("effect", "lead", "opening_effect", "restriction"):
                found = results.estimate(f"{card}/{lineup}/{holder}/{series}")
                assert (found.value, found.low, found.high, found.se) == (0, 0, 0, 0)
    assert results.estimate("A/shy v shy/0/restricted").value == 0.5


def test_a_restriction_that_forbids_nothing_gives_exactly_a_half_without_chance(tmp_path: Path) -> None:
    """Two of one kind without chance play the same game twice, seats swapped: the deal decides, not the player."""
    results = results_of(rigged(tmp_path, "card_strength", 'cards = ["A"]', "shy", 500, ace=250, first=77), 5)
    found = results.estimate("A/shy v shy/0/restricted")
    won, games = results.moments("A/shy v shy/0/restricted").sums
    assert (found.value, 2 * won) == (0.5, games)


# --- sweep ------------------------------------------------------------------------------------------------------------


def test_a_swept_rule_is_fair_where_it_was_planted(tmp_path: Path) -> None:
    table = (
        'key = "rules.first"\nvalues = [-100, -30, 20]\nmeasures = ["first_player", "lead", "length", "score_spread"]'
    )
    made = rigged(tmp_path, "sweep", table, "rock", 16_000, tilt=30, margin=0.03)
    answer = checked(made)
    assert list(words(answer).values()) == ["too weak", "fair", "too strong"]
    for row, first in zip(rows(answer, "sweep"), (-0.1, -0.03, 0.02), strict=True):
        for name, truth in (("first_player", 0.53 + first), ("lead", 4 * (0.03 + first)), ("length", 2.0)):
            assert row[name] == pytest.approx(truth, abs=SURE * float(str(row[f"{name}_pm"])))
        assert row["score_spread"] == 1  # always one point won or lost
    results = results_of(made, 5)
    assert is_near(results.estimate("first_player/change/rock v rock | first = 20"), 0.12)


def test_between_different_strategies_a_sweep_judges_the_change(tmp_path: Path) -> None:
    table = 'key = "rules.ace"\nvalues = [-100, 0, 100]\npairs = [["rock", "shy"]]'
    answer = checked(rigged(tmp_path, "sweep", table, "rock shy", 8_000))
    assert [(v.subject, v.verdict) for v in answer.verdicts] == [
        ("ace = -100", "too weak"),
        ("ace = 100", "too strong"),
    ]
    for verdict, truth in zip(answer.verdicts, (-0.05, 0.05), strict=True):
        assert verdict.estimate == pytest.approx(truth, abs=0.02)


def test_a_rule_that_nothing_reads_changes_exactly_nothing(tmp_path: Path) -> None:
    table = 'key = "rules.dead"\nvalues = [0, 1, 9]\nmeasures = ["first_player", "lead", "length", "score_spread"]'
    made = rigged(tmp_path, "sweep", f'{table}\npairs = "all"', "rock mixer", 300, ace=100, circle=100, stake=9)
    results = results_of(made, 5)
    for lineup in ("rock v rock", "mixer v mixer", "rock v mixer"):
        for value in (1, 9):
            for measure in ("first_player", "lead", "length", "score_spread"):
                found = results.estimate(f"{measure}/change/{lineup} | dead = {value}")
                assert (found.value, found.low, found.high, found.se) == (0, 0, 0, 0)


def test_a_rule_that_only_changes_games_changes_no_chance(tmp_path: Path) -> None:
    """Another die, just as good: the null hypothesis that has a variance."""
    table = 'key = "rules.die"\nvalues = [0, 1, 2]\npairs = "all"'
    answer = checked(rigged(tmp_path, "sweep", table, "rock paper", 16_000, margin=0.02))
    assert len(answer.verdicts) == 8
    assert {v.verdict for v in answer.verdicts} == {"fair"}


def test_the_best_throw_is_found_and_turns_with_the_rule(tmp_path: Path) -> None:
    """Against rock paper is best, and scissors where the circle is turned round."""
    axes = '[sweep.keys]\n"strategies.rock.throw" = [0, 1, 2]\n"rules.circle" = [-60, 60]'
    table = f'pairs = [["rock", "shy"]]\nmeasures = ["first_player"]\n{axes}'
    made = rigged(tmp_path, "sweep", table, "rock shy", 8_000)
    results = results_of(made, 5)
    turned, straight = contests(made.prepared.asked, results)
    assert [(one.condition, one.said) for one in (turned, straight)] == [
        ((("rules.circle", -60),), "2"),
        ((("rules.circle", 60),), "1"),
    ]
    for one in (turned, straight):
        assert one.effect is not None
        assert is_near(one.effect, 0.06)  # over rock, which it now throws
    answer = answer_of(made, results)
    assert "rock.throw" in answer.summary


# --- fair_rule --------------------------------------------------------------------------------------------------------


def test_the_fair_value_is_the_one_that_undoes_the_other_rule(tmp_path: Path) -> None:
    table = 'key = "rules.first"\nvalues = [-130, -70, 0]'
    made = rigged(tmp_path, "fair_rule", table, "rock mixer", 20_000, tilt=70)
    results = results_of(made, 5)
    assert chosen_value(made.prepared.asked, Stages(results)) == -70
    answer = answer_of(made, results)
    found = words(answer)
    for name in (ITSELF, "mixer against itself"):
        assert found["first = -70, on fresh deals", name] == "fair"
        assert [found[f"first = {v}", name] for v in (-130, -70, 0)] == ["too weak", "fair", "too strong"]
    for crossing in crossings(made.prepared.asked, results).values():
        assert crossing.bounded
        assert crossing.low < -70 < crossing.high
        assert crossing.high - crossing.low < 20
    assert answer.summary.startswith("first = -70 makes the game fair within your margin of ±1 point")


def test_a_line_up_is_brought_to_its_target(tmp_path: Path) -> None:
    table = 'key = "rules.circle"\nvalues = [0, 100, 200]\ntarget = { lineup = ["paper", "rock"], win_rate = 0.6 }'
    answer = checked(rigged(tmp_path, "fair_rule", table, "rock paper", 8_000, margin=0.02))
    fresh = next(v for v in answer.verdicts if "fresh" in v.subject)
    assert (fresh.subject, fresh.verdict) == ("circle = 100, on fresh deals", "fair")


# --- seat_advantage ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "word"), [(60, "too strong"), (0, "fair"), (-60, "too weak")])
def test_the_seat_has_the_advantage_that_was_planted(tmp_path: Path, first: int, word: str) -> None:
    made = rigged(tmp_path, "seat_advantage", "", "rock mixer", 16_000, first=first, stake=5, margin=0.02)
    answer = checked(made)
    assert {v.verdict for v in answer.verdicts} == {word}
    results = results_of(made, 5)
    points = 0.95 + 5 / 20  # of a game on average
    for name in ("rock", "mixer"):
        assert is_near(results.estimate(f"seat/0/{name} v {name}"), 0.5 + first / 1000)
        assert is_near(results.estimate(f"lead/0/{name} v {name}"), 2 * 2 * first / 1000 * points)


# --- opening_value ----------------------------------------------------------------------------------------------------


def test_a_decision_is_worth_what_was_planted_in_every_class(tmp_path: Path) -> None:
    """Ten points of win rate; the lead is what is won less what is lost, on both sides."""
    made = rigged(tmp_path, "opening_value", 'probe = "ace"', "rock shy", 20_000, ace=100)
    answer = checked(made)
    found = list(rows(answer, "value"))
    assert len(found) == 2 * 2 * 2
    for row in found:
        assert row["wins"] == pytest.approx(0.1, abs=SURE * float(str(row["wins_pm"])))
        assert row["lead"] == pytest.approx(0.4, abs=SURE * float(str(row["lead_pm"])))
    assert "0: everywhere; 1: everywhere." in answer.summary


def test_a_decision_without_effect_is_worth_nothing(tmp_path: Path) -> None:
    made = rigged(tmp_path, "opening_value", 'probe = "ace"', "rock", 20_000)
    for row in rows(checked(made), "value"):
        assert row["wins"] == pytest.approx(0, abs=SURE * float(str(row["wins_pm"])))
        assert 0 < float(str(row["wins_pm"])) < 0.03


def test_a_decision_that_touches_nothing_is_worth_exactly_nothing(tmp_path: Path) -> None:
    made = rigged(tmp_path, "opening_value", 'probe = "ace"', "rock shy", 400, aces=False, ace=100)
    results = results_of(made, 5)
    for lineup in ("rock v rock", "shy v shy"):
        for what in ("lead", "score", "wins"):
            for cell in results.cells(f"{what}/full/{lineup}").values():
                assert (cell.value, cell.low, cell.high, cell.se) == (0, 0, 0, 0)


# --- duel -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("circle", "word", "elo"),
    [(100, "too strong", 400 * math.log10(1.5)), (0, "fair", 0.0), (-100, "too weak", -400 * math.log10(1.5))],
)
def test_a_duel_has_the_strength_that_was_planted(tmp_path: Path, circle: int, word: str, elo: float) -> None:
    """Paper wins 60, 50 or 40 of a hundred games; odds of 3 to 2 are 70 Elo."""
    made = rigged(tmp_path, "duel", "", "paper rock", 12_000, circle=circle)
    answer = checked(made)
    assert words(answer) == {("paper", "paper against rock"): word}
    (row,) = rows(answer, "duels")
    assert row["win_rate"] == pytest.approx(0.5 + circle / 1000, abs=SURE * float(str(row["win_rate_pm"])))
    assert row["elo"] == pytest.approx(elo, abs=SURE * float(str(row["elo_pm"])))


SEQUENTIAL = "sequential = { elo0 = 0, elo1 = 10 }"


@pytest.mark.parametrize(
    ("rules", "decided", "word"),
    [
        ({"circle": 500}, "10 Elo", "too strong"),
        ({"circle": -500}, "0 Elo", "too weak"),
        ({"draws": 1000}, "0 Elo", "fair"),
        ({"one_die": True}, "0 Elo", "fair"),  # each deal is won by a seat: one game each
    ],
)
def test_a_test_of_pairs_that_all_end_alike_is_decided(
    tmp_path: Path, rules: dict[str, int], decided: str, word: str
) -> None:
    made = rigged(tmp_path, "duel", SEQUENTIAL, "paper rock", 4_000, **rules)
    answer = checked(made)
    (row,) = rows(answer, "test")
    assert row["decision"] == decided
    assert words(answer) == {("paper", "paper against rock"): word}
    (duel,) = rows(answer, "duels")
    assert duel["win_rate"] == {"too strong": 1.0, "too weak": 0.0, "fair": 0.5}[word]


# --- tournament and dominant_strategy ---------------------------------------------------------------------------------


def test_ratings_are_those_of_the_planted_odds(tmp_path: Path) -> None:
    """The fourth throw has odds of 3 to 2 against all others, which are equals: 70 Elo above them."""
    answer = checked(rigged(tmp_path, "tournament", "", "rock trump paper", 6_000, trump=100, margin=0.02))
    first, second, third = rows(answer, "ranking")
    assert (first["strategy"], first["verdict"], first["place"]) == ("trump", "too strong", 1)
    assert {second["strategy"], third["strategy"]} == {"rock", "paper"}
    assert first["elo"] - (second["elo"] + third["elo"]) / 2 == pytest.approx(400 * math.log10(1.5), abs=10)
    assert first["win_rate"] == pytest.approx(0.6, abs=SURE * float(str(first["win_rate_pm"])))
    assert second["verdict"] == third["verdict"] == "too weak"  # 45 of a hundred
    assert answer.summary.startswith("trump is the strongest of 3")


def test_rock_paper_scissors_is_all_circle(tmp_path: Path) -> None:
    answer = checked(rigged(tmp_path, "dominant_strategy", "", "rock paper scissors", 3_000, circle=200))
    assert {v.verdict for v in answer.verdicts} == {"too weak"}  # each loses to one
    for row in rows(answer, "choices"):
        assert row["mixture"] == pytest.approx(1 / 3, abs=SURE * float(str(row["mixture_pm"])))
        assert row["alpha_rank"] == pytest.approx(1 / 3, abs=SURE * float(str(row["alpha_rank_pm"])))
    assert "there is no single right strategy among these 3" in answer.summary
    assert "100% (100% to 100%) goes round in circles" in answer.summary


@pytest.mark.parametrize(("trump", "word", "share"), [(150, "too strong", 1.0), (-150, "too weak", 0.0)])
def test_a_throw_that_beats_or_loses_to_all_dominates_or_is_dominated(
    tmp_path: Path, trump: int, word: str, share: float
) -> None:
    made = rigged(tmp_path, "dominant_strategy", "", "rock paper scissors trump", 3_000, circle=100, trump=trump)
    answer = checked(made)
    (verdict,) = [v for v in answer.verdicts if v.subject == "trump"]
    assert verdict.verdict == word
    chosen = {str(row["strategy"]): row["mixture"] for row in rows(answer, "choices")}
    assert chosen.get("trump", 0) == share  # who is in no mixture is not in the table


def test_equals_lose_to_none(tmp_path: Path) -> None:
    answer = checked(rigged(tmp_path, "dominant_strategy", "", "rock paper", 12_000, margin=0.02))
    assert {v.verdict for v in answer.verdicts} == {"fair"}


# --- sensitivity, shape and rule_coverage -----------------------------------------------------------------------------


def test_two_rules_have_the_shares_of_their_squares(tmp_path: Path) -> None:
    """±20 and ±10 points that add up: 4 to 1. What nothing reads has exactly nothing."""
    keys = '[sensitivity.keys]\n"rules.first" = [-200, 200]\n"rules.tilt" = [-100, 100]\n"rules.dead" = [0, 1]'
    table = f'measures = ["first_player"]\nsamples = 64\n{keys}'
    answer = checked(rigged(tmp_path, "sensitivity", table, "rock", 6_000))
    found = {str(row["key"]): row for row in rows(answer, "sensitivity_first_player")}
    for key, truth in (("first", 0.8), ("tilt", 0.2)):
        for index in ("first", "total"):
            assert found[key][index] == pytest.approx(truth, abs=SURE * float(str(found[key][f"{index}_pm_deals"])))
            assert float(str(found[key][f"{index}_pm_deals"])) < 0.03
    for index in ("first", "total"):
        assert found["dead"][index] == found["dead"][f"{index}_pm"] == 0


def test_the_shape_is_that_of_the_rules(tmp_path: Path) -> None:
    """Rounds: one more with a half, again and again. Moves: four throws, twice as many for each of two cards."""
    made = rigged(tmp_path, "shape", "", "rock paper", 8_000, ace=250, king=250)
    answer = checked(made)
    results = results_of(made, 5)
    assert is_near(results.estimate("length/rock v rock"), 2)
    assert is_near(results.estimate("moves/rock v rock"), 9)
    assert results.estimate("decisions/rock v rock").value == 1
    # The two results of a deal have the covariance −E[(2 w)²], w what the cards are worth: 2 (¼² + ¼²) of a variance 1.
    assert is_near(results.estimate("luck/rock v paper"), 0.25)
    assert [results.histogram("lengths/rock v rock").quantile(q) for q in (0.4, 0.7, 0.9)] == [1, 2, 4]
    assert "0.00 ± 0.05 % of the decisions are forced" in answer.summary


def test_rules_come_into_play_as_often_as_planted(tmp_path: Path) -> None:
    made = rigged(tmp_path, "rule_coverage", 'pairs = "mirrors"', "rock shy", 8_000, rare=30)
    answer = checked(made)
    results = results_of(made, 5)
    for clause, truth in ((0, 0.75), (1, 0.75), (2, 0.03)):  # an ace at one of two seats
        assert is_near(results.estimate(f"fired/{clause}/rock v rock"), truth)
    assert results.estimate("fired/3/rock v rock").value == 0
    assert "RG-8 dead" in answer.summary
