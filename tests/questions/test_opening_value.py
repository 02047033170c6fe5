"""The value of a decision is the difference of two games that are one and the same up to it."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from simkit.errors import SimkitError
from tests.questions.lab import Lab, check_answer, lab

TEXT = """question = "opening_value"
[strategies]
random = {}
first_fit = {}
[opening_value]
probe = "expedition"
"""
CLASSES = {"wagers": (0, 1, 2, 3), "sum": (0, 5, 10, 15, 20, 25), "cards": (0, 1, 2, 3, 4), "turn": (1, 5, 10, 15)}


def asked(tmp_path: Path, more: str = "", deals: int = 400, probe: str = "expedition") -> Lab:
    return lab(tmp_path, TEXT.replace("expedition", probe) + more, deals, game="lost_cities")


def words(lows: tuple[int, ...], value: int) -> str:
    """The class of a value as the tables write it."""
    place = max(i for i, low in enumerate(lows) if low <= value)
    if place == len(lows) - 1:
        return f"{lows[place]} up"
    high = lows[place + 1] - 1
    return str(lows[place]) if lows[place] == high else f"{lows[place]}–{high}"


def by_loops(made: Lab, lineup: str, against: str = "never") -> dict[tuple[str, ...], list[tuple[float, float, float]]]:
    """Class -> (change of the lead, of the own score, of the result) of every game with a probe, in plain Python."""
    now, other = (made.outcomes(f"{lineup} | expedition {mode}") for mode in ("now", against))
    seen = defaultdict(list)
    for deal_now, deal_other in zip(now, other, strict=True):
        for seat, (a, b) in enumerate(zip(deal_now, deal_other, strict=True)):
            assert [int(a[f"probe_{name}"]) for name in CLASSES] == [int(b[f"probe_{name}"]) for name in CLASSES]
            if a["probe_turn"] == 0 or a["unfinished"] or b["unfinished"]:
                continue
            scores, result = [], []
            for game in (a, b):
                scores.append((int(game["scores"][seat]), int(game["scores"][1 - seat])))
                result.append(0.5 if game["winner"] < 0 else float(game["winner"] == seat))
            (mine, theirs), (mine_not, theirs_not) = scores
            values = (mine - theirs - mine_not + theirs_not, mine - mine_not, result[0] - result[1])
            seen[tuple(words(lows, int(a[f"probe_{name}"])) for name, lows in CLASSES.items())].append(values)
    return dict(seen)


def test_each_class_is_what_plain_loops_find(tmp_path: Path) -> None:
    made = asked(tmp_path, deals=2_000)
    for lineup, under in (
        ("random v random", "random against itself"),
        ("first_fit v first_fit", "first_fit against itself"),
    ):
        seen = by_loops(made, lineup)
        rows = {tuple(str(row[name]) for name in CLASSES): row for row in made.frame("value") if row["under"] == under}
        assert set(rows) == {place for place, values in seen.items() if len(values) >= 30}
        assert len(rows) >= 3
        for place, row in rows.items():
            assert row["positions"] == len(seen[place])
            for i, what in enumerate(("lead", "score", "wins")):
                assert row[what] == pytest.approx(fmean(v[i] for v in seen[place]), abs=1e-12)
        every = [values for some in seen.values() for values in some]
        overall = next(row for row in made.frame("overall") if row["under"] == under)
        assert overall["positions"] == len(every)
        assert overall["lead"] == pytest.approx(fmean(v[0] for v in every), abs=1e-12)


def test_a_single_low_card_is_a_poor_start_for_random_players(tmp_path: Path) -> None:
    made = asked(tmp_path, deals=1_500)
    rows = [row for row in made.frame("value") if row["under"] == "first_fit against itself"]
    poor = [row for row in rows if row["wagers"] == "1" and row["cards"] == "0"]
    assert poor
    assert all(row["lead"] + row["lead_pm"] < 0 for row in poor)
    assert "Starting an expedition now, compared with not doing it at all" in made.answer.summary
    check_answer(made.answer, ["random", "first_fit"])


def test_not_now_is_another_question_than_never(tmp_path: Path) -> None:
    never = asked(tmp_path, 'pairs = [["first_fit", "first_fit"]]\n')
    later = asked(tmp_path, 'pairs = [["first_fit", "first_fit"]]\nagainst = "later"\n')
    (a,), (b,) = never.frame("overall"), later.frame("overall")
    assert a["positions"] == b["positions"]
    assert a["lead"] != b["lead"]
    seen = by_loops(later, "first_fit v first_fit", "later")
    assert b["lead"] == pytest.approx(fmean(v[0] for some in seen.values() for v in some), abs=1e-12)
    assert "compared with not doing it this turn" in later.answer.summary


def test_investment_cards_are_another_decision(tmp_path: Path) -> None:
    made = asked(tmp_path, probe="wager", deals=800)
    assert {"sum", "turn", "cards", "laid"} <= set(made.frame("value")[0])
    now, never = (made.outcomes(f"first_fit v first_fit | wager {mode}")["wagers"].sum() for mode in ("now", "never"))
    assert now > never
    check_answer(made.answer, ["random", "first_fit"])


def test_the_classes_can_be_set(tmp_path: Path) -> None:
    made = asked(tmp_path, "[opening_value.classes]\nturn = [1, 10]\nsum = [0, 20]\ncards = [0]\nwagers = [0, 1]\n")
    rows = made.frame("value")
    assert {row["turn"] for row in rows} <= {"1–9", "10 up"}
    assert {row["sum"] for row in rows} <= {"0–19", "20 up"}
    assert {row["cards"] for row in rows} == {"0 up"}


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('probe = "expedition"', 'probe = "expeditoin"', "Did you mean expedition?"),
        ('probe = "expedition"', "", "probe: missing: which decision of lost_cities: expedition, wager"),
        ('"expedition"', '"expedition"\nagainst = "nothing"', '"nothing" is not "never" or "later"'),
        ('"expedition"', '"expedition"\nclasses = { sums = [1] }', "Did you mean sum?"),
        ('"expedition"', '"expedition"\nclasses = { sum = [5, 1] }', "in ascending order"),
    ],
)
def test_faults_name_what_is_wrong(tmp_path: Path, old: str, new: str, fault: str) -> None:
    with pytest.raises(SimkitError) as raised:
        lab(tmp_path, TEXT.replace(old, new), game="lost_cities")
    assert fault in str(raised.value)


def test_a_game_without_such_decisions_says_so(tmp_path: Path) -> None:
    with pytest.raises(SimkitError, match="expedition: colina has no decision that can be probed"):
        lab(tmp_path, TEXT.replace("first_fit", "greedy"))


def test_the_rows_are_those_that_the_page_shows(tmp_path: Path) -> None:
    made = asked(tmp_path, deals=1_500)
    tables: dict[str, Any] = {table.name: table for table in made.answer.tables}
    assert list(tables) == ["overall", "value", "rungs", "coverage"]
    assert tables["value"].frame["positions"].min() >= 30


# --- a game whose scores say who has won, and no more -----------------------------------------------------------------

DOUBT = """question = "opening_value"
[strategies]
honest = {}
cheat = { use = "believer", bluff = 1.0 }
[opening_value]
probe = "doubt"
against = "later"
pairs = [["honest", "honest"], ["cheat", "cheat"]]
"""


def test_doubting_is_worth_a_lot_against_who_always_bluffs_and_costs_against_who_never_does(tmp_path: Path) -> None:
    made = lab(tmp_path, DOUBT, deals=1_500, game="saloon")
    rows = {row["under"]: row for row in made.frame("overall")}
    assert rows["cheat against itself"]["wins"] - rows["cheat against itself"]["wins_pm"] > 0.2
    assert rows["honest against itself"]["wins"] + rows["honest against itself"]["wins_pm"] < 0
    assert made.answer.summary.startswith("It flips with ")
    assert "doubting a payment costs under honest (−" in made.answer.summary
    assert "pays under cheat (+" in made.answer.summary
    assert "Doubting a payment now, compared with believing it" in made.answer.summary
    assert "(cards paid: cards left in the payer's hand)" in made.answer.summary
    check_answer(made.answer, ["honest", "cheat"])


def test_a_last_payment_is_doubted_at_no_cost_if_it_is_honest(tmp_path: Path) -> None:
    """The client is freed and the saloon closes either way (SAL-3.5): there is no class in which it could differ."""
    made = lab(tmp_path, DOUBT, deals=1_500, game="saloon")
    last = [row for row in made.frame("value") if row["bill"] == "4" and row["under"] == "honest against itself"]
    assert last
    assert all(row["wins"] == 0 for row in last)


def test_a_pair_turned_round_is_another_one_for_the_decision_is_the_first_player_s(tmp_path: Path) -> None:
    every = lab(tmp_path, DOUBT[: DOUBT.index("pairs")] + 'pairs = "all"\n', deals=20, game="saloon")
    names = ["honest against itself", "cheat against itself", "honest against cheat", "cheat against honest"]
    assert [row["under"] for row in every.frame("overall")] == names


def test_where_scores_say_who_has_won_and_no_more_there_is_no_lead_to_tell(tmp_path: Path) -> None:
    made = lab(tmp_path, DOUBT, deals=300, game="saloon")
    for table in made.answer.tables[:2]:
        assert "lead" not in table.columns
        assert "wins" in table.columns
    assert all("the win rate, in points" in chart.title for chart in made.answer.charts)
    assert "lead" not in made.answer.summary
    three = DOUBT.replace("[strategies]", '[rules]\nplayers = 3\nplay_to = "last_standing"\n[strategies]')
    ranked = lab(tmp_path, three, deals=20, game="saloon")
    assert all("lead" in table.columns for table in ranked.answer.tables[:2])


def test_maps_leave_out_rows_and_columns_without_a_number(tmp_path: Path) -> None:
    """Bills of 1, 2 or 5 cards are not paid under these rules."""
    made = lab(tmp_path, DOUBT, deals=600, game="saloon")
    told = next(chart.alt for chart in made.answer.charts if chart.name == "map_first_cheat_v_cheat")
    assert {part.split(",")[0] for part in told.split("cards paid ")[1:]} == {"3", "4"}


# --- a game of four ---------------------------------------------------------------------------------------------------


def test_one_game_is_one_position_however_many_play(tmp_path: Path) -> None:
    text = TEXT.replace("first_fit", "caller").replace("expedition", "call_out_of_turn")
    made = lab(tmp_path, text, deals=150, game="hakka")
    arms = [f"{name} v {name} v {name} v {name}" for name in ("random", "caller")]
    came = [int((made.outcomes(f"{arm} | call_out_of_turn now")["probe_turn"] > 0).sum()) for arm in arms]
    assert [row["positions"] for row in made.frame("overall")] == came
    assert 0 < min(came) <= max(came) < 600
    assert sum(row["positions"] for row in made.frame("value")) < sum(came)  # a few classes are hardly seen
    assert "Calling out of turn now, compared with never calling out of turn again in this game" in made.answer.summary
    check_answer(made.answer, ["random", "caller"])
