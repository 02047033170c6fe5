"""Planted truths about seats, at tables of one size and of several, and about the roles that seats have in a hand."""

from __future__ import annotations

import math
import re
from math import comb
from pathlib import Path

import numpy as np
import pytest

from simkit.errors import SimkitError
from tests.questions.lab import check_answer, lab


def asked(strategies: str, rules: str = "", margin: float = 0.05, more: str = "") -> str:
    return (
        f'question = "seat_advantage"\nmargin = {margin}\n[rules]\n{rules}\n[strategies]\n{strategies}\n'
        f"[seat_advantage]\n{more}\n"
    )


def test_the_seats_of_colina_are_fair(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}\ngreedy = {}"), deals=5_000)
    assert [v.verdict for v in made.answer.verdicts] == ["fair", "fair"]
    assert made.answer.summary.startswith("The seat does not matter: under all two line-ups")
    check_answer(made.answer, ["random", "greedy"])


def test_a_rigged_seat_is_found(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("hill_hunter = {}\ngreedy = {}", "king_on = [true, false]"), deals=1_500)
    verdicts = {v.under: v.verdict for v in made.answer.verdicts}
    assert verdicts == {"hill_hunter against itself": "too strong", "greedy against itself": "fair"}
    assert made.answer.summary.startswith("It flips with strength of play: seat 0 is too strong under hill_hunter (+")
    assert "). Yes, the seat matters beyond your margin of ±5 points" in made.answer.summary
    assert "seat 0 under hill_hunter against itself (+" in made.answer.summary


def test_the_same_rig_the_other_way_round_is_a_handicap(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("hill_hunter = {}", "king_on = [false, true]"), deals=500)
    assert [v.verdict for v in made.answer.verdicts] == ["too weak"]


def test_too_few_deals_leave_it_open_and_say_how_many_are_needed(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("greedy = {}", margin=0.01), deals=200)
    (verdict,) = made.answer.verdicts
    assert verdict.verdict == "undecided"
    assert made.answer.summary.startswith("No seat is shown to matter, but the verdict is not decided")
    assert "more deals would decide" in made.answer.summary


def test_the_win_rate_of_a_seat_does_not_depend_on_who_sits_there(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}\ngreedy = {}", more='pairs = [["greedy", "random"]]'), deals=300)
    outcomes = made.outcomes("greedy v random")
    for seat, row in enumerate(made.frame("seats")):
        won = sum(int(game["winner"] == seat) for deal in outcomes for game in deal)
        assert row["win_rate"] == pytest.approx(won / 600, abs=1e-15)
        assert row["games"] == 600
    assert abs(made.frame("seats")[0]["win_rate"] - 0.5) < 0.1  # although greedy wins three games of four


def test_a_deal_of_two_equal_players_without_chance_counts_as_one_observation(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("greedy = {}"), deals=400)
    outcomes = made.outcomes("greedy v greedy")
    assert (outcomes[:, 0]["winner"] == outcomes[:, 1]["winner"]).all()
    assert made.answer.headline is not None
    assert made.answer.headline.se == pytest.approx((0.25 / 400) ** 0.5, rel=0.02)


# --- tables of several sizes ------------------------------------------------------------------------------------------

SALOON = 'question = "seat_advantage"\nmargin = 0.02\n[rules]\n{rules}\n[strategies]\n{strategies}\n[seat_advantage]\n'
HONEST = "honest = {}"


def at_tables(players: str, rules: str = "", strategies: str = HONEST, more: str = "") -> str:
    return f"{SALOON.format(rules=rules, strategies=strategies)}players = {players}\n{more}\n"


def test_win_rates_at_each_table_are_plain_counts(tmp_path: Path) -> None:
    made = lab(tmp_path, at_tables("[5, 2, 3]", strategies="random = {}\nhonest = {}"), deals=60, game="saloon")
    verdicts = {(v.subject, v.under): v.estimate for v in made.answer.verdicts}
    rows = made.frame("seats")
    assert [(row["under"].split()[0], row["players"]) for row in rows] == [
        (name, players) for name in ("random", "honest") for players in (2, 3, 5)
    ]
    for row in rows:
        name, players = row["under"].split()[0], int(row["players"])
        outcomes = made.outcomes(" v ".join([name] * players))
        assert outcomes.shape == (60, players)
        ended = outcomes[outcomes["unfinished"] == 0]
        assert row["games"] == len(ended)
        for seat in range(players):
            won = sum(int(game["winner"] == seat) for game in ended) / len(ended)
            assert row[f"seat_{seat}"] == pytest.approx(won, abs=1e-12)
            if players > 2 or seat == 0:
                effect = verdicts.pop((f"seat {seat} of {players}", row["under"]))
                assert effect == pytest.approx(won - 1 / players, abs=1e-12)
        assert all(math.isnan(row[f"seat_{seat}"]) for seat in range(players, 5))
    assert not verdicts
    check_answer(made.answer, ["random", "honest"])


def test_lengths_at_each_table_are_plain_means(tmp_path: Path) -> None:
    made = lab(tmp_path, at_tables("[2, 4]", "max_turns = 60"), deals=50, game="saloon")
    for row in made.frame("lengths"):
        outcomes = made.outcomes(" v ".join(["honest"] * int(row["players"]))).ravel()
        turns = outcomes["turns"]
        assert row["length"] == pytest.approx(turns.mean(), abs=1e-12)
        assert row["longest"] == turns.max()
        assert (turns <= row["middle"]).mean() >= 0.5 > (turns < row["middle"]).mean()
        assert (turns <= row["long"]).mean() >= 0.95 > (turns < row["long"]).mean()
        assert row["unfinished"] == outcomes["unfinished"].mean()
    assert made.frame("lengths")[1]["unfinished"] > 0
    assert "From 2 to 4 players a game lasts so many turns: " in made.answer.summary


def test_who_starts_wins_where_the_first_payment_ends_the_game(tmp_path: Path) -> None:
    # One client, whose bill is one card: seat 0 closes in its first turn with any of 9 in 36 cards among its five.
    made = lab(tmp_path, at_tables("[2, 3, 4]", "clients = 1\nlast_bill = 1"), deals=1_500, game="saloon")
    at_once = 1 - comb(27, 5) / comb(36, 5)
    for players in (2, 3, 4):
        turns = made.outcomes(" v ".join(["honest"] * players))["turns"]
        assert (turns == 1).mean() == pytest.approx(at_once, abs=0.04)
    verdicts = {v.subject: v for v in made.answer.verdicts}
    assert {subject for subject, v in verdicts.items() if v.verdict == "too strong"} == {
        "seat 0 of 2", "seat 0 of 3", "seat 0 of 4",
    }  # fmt: skip
    assert all(v.estimate > at_once - 0.05 - 1 / int(s[-1]) for s, v in verdicts.items() if s.startswith("seat 0"))
    assert all(v.verdict == "too weak" for s, v in verdicts.items() if s.startswith(("seat 1", "seat 2", "seat 3")))
    worst = max(made.answer.verdicts, key=lambda v: v.estimate)
    assert f"beyond your margin of ±2 points of win rate, most for {worst.subject} under" in made.answer.summary
    assert "Seats beyond the margin: 8 of 8 under honest against itself" in made.answer.summary


def test_other_rules_follow_from_the_number_of_players_and_a_replay_says_it(tmp_path: Path) -> None:
    made = lab(tmp_path, at_tables("[4, 5]", "clients = 2"), deals=10, game="saloon")
    assert [(arm.rules[0]["packs"], arm.rules[0]["clients"]) for arm in made.prepared.plan.arms] == [(1, 2), (2, 2)]
    for _, command in made.answer.replays:
        assert "-s rules.players=5" in command
        assert "-s rules.clients=2" in command
        assert "packs" not in command


def test_two_strategies_meet_at_every_table(tmp_path: Path) -> None:
    strategies = "random = {}\nhonest = {}"
    made = lab(tmp_path, at_tables("[2, 3]", strategies=strategies, more='pairs = "all"'), deals=8, game="saloon")
    lineups = [arm.lineup for arm in made.prepared.plan.arms]
    assert set(lineups[4:]) == {
        ("random", "honest"), ("random", "honest", "honest"), ("honest", "random", "random"),
    }  # fmt: skip
    check_answer(made.answer, ["random", "honest"])


def test_maps_have_a_cell_for_each_seat_and_frame_those_that_matter(tmp_path: Path) -> None:
    made = lab(tmp_path, at_tables("[2, 3]", "clients = 1\nlast_bill = 1"), deals=600, game="saloon")
    charts = {chart.name: chart for chart in made.answer.charts}
    figure = charts["seats"].draw()
    frames = [patch for patch in figure.axes[0].patches if patch.get_linewidth() == 1.2]
    assert len(frames) == 5  # two seats, then three
    shown = [text.get_text() for text in figure.axes[0].texts if "±" not in text.get_text()]
    assert sum(text.startswith(("+", "−")) for text in shown) == 5
    assert "with 2 players seat 0 +" in charts["seats"].alt
    assert "honest against itself 1." in charts["length"].alt


@pytest.mark.parametrize(
    ("players", "rules", "message"),
    [
        ("[2, 9]", "", "players: 9 is not a whole number from 2 to 8"),
        ("[2, 3, 2]", "", "a value is there twice: 2, 2"),
        ("[2, 8]", "clients = 8", "players = 8: clients: 8 is too many for 8 players with 2 packs: at most 4"),
        ("[]", "", "seat_advantage.players"),
        ("3", "", "seat_advantage.players: 3 is not a list"),
    ],
)
def test_tables_that_cannot_be_are_refused(tmp_path: Path, players: str, rules: str, message: str) -> None:
    with pytest.raises(SimkitError, match=re.escape(message)):
        lab(tmp_path, at_tables(players, rules), game="saloon")


def test_players_need_a_rule_that_says_how_many_play(tmp_path: Path) -> None:
    message = r"seat_advantage.players: colina has no rule `players` that says how many play"
    with pytest.raises(SimkitError, match=message):
        lab(tmp_path, asked("random = {}", more="players = [2, 3]"))


# --- roles ------------------------------------------------------------------------------------------------------------

ROLES = {"dealer": 0, "Privileged caller": 1, "other active player": 2, "Dreamer": 3}
NEVER = 'never = { use = "caller", call_at = 99 }\n'


def with_roles(strategies: str, pairs: str, rules: str = "", margin: float = 0.05) -> str:
    return asked(strategies, rules, margin, f"pairs = {pairs}")


def won(game: np.void, seat: int) -> float:
    """What a seat has of a game: all, nothing, or its part of a shared one."""
    if game["winner"] >= 0 or game["unfinished"]:
        return float(game["winner"] == seat)
    best = game["scores"] == game["scores"].max()
    return float(best[seat] / best.sum())


@pytest.mark.parametrize("name", ["random", "caller"])
def test_roles_of_a_mirror_are_plain_sums_over_all_seats(tmp_path: Path, name: str) -> None:
    made = lab(tmp_path, with_roles(f"{name} = {{}}", '"mirrors"'), deals=60, game="hakka")
    outcomes = made.outcomes(" v ".join([name] * 4))
    rows = {row["role"]: row for row in made.frame("roles")}
    assert list(rows) == list(ROLES)
    for words, role in ROLES.items():
        hands, wins, points = (int(outcomes[f"{what}_role"][..., role].sum()) for what in ("hands", "wins", "points"))
        assert rows[words]["hands"] == hands > 0
        assert rows[words]["wins"] == pytest.approx(wins / hands, abs=1e-12)
        assert rows[words]["points"] == pytest.approx(points / hands, abs=1e-12)
    assert rows["Dreamer"]["wins"] == 0
    total = sum(row["points"] * row["hands"] for row in rows.values())
    assert total == pytest.approx(0, abs=1e-6)  # points of a hand add up to nothing
    check_answer(made.answer, [name])


def test_roles_at_a_mixed_table_are_those_of_the_player_named_first(tmp_path: Path) -> None:
    made = lab(tmp_path, with_roles("random = {}\ncaller = {}", '[["caller", "random"]]'), deals=50, game="hakka")
    outcomes = made.outcomes("caller v random v random v random")
    for row in made.frame("roles"):
        role, hands, points = ROLES[row["role"]], 0, 0
        for rotation in range(4):  # player 0 sits at seat 0 + rotation
            hands += int(outcomes[:, rotation]["hands_role"][:, rotation, role].sum())
            points += int(outcomes[:, rotation]["points_role"][:, rotation, role].sum())
        assert row["hands"] == hands
        assert row["points"] == pytest.approx(points / hands, abs=1e-12)
        assert row["under"] == "caller against random"


def test_what_calling_is_worth_is_the_difference_of_plain_counts(tmp_path: Path) -> None:
    pairs = '[["caller", "random"], ["caller", "caller"]]'
    made = lab(tmp_path, with_roles("random = {}\ncaller = {}", pairs), deals=80, game="hakka")
    name = "caller v random v random v random"
    found = {}
    for arm in (name, f"{name} | privileged barred for player 0"):
        outcomes = made.outcomes(arm)
        games = [(game, seat) for deal in outcomes for seat, game in enumerate(deal)]
        finished = [(game, seat) for game, seat in games if not game["unfinished"]]
        rate = sum(won(game, seat) for game, seat in finished) / len(finished)
        points = sum(int(game["scores"][seat]) for game, seat in games) / len(games)
        chosen = sum(int(game["hands_role"][seat, 1]) for game, seat in games)
        others = sum(int(game["hands_role"][:, 1].sum()) for game, _ in games) - chosen
        found[arm] = (rate, points, chosen, others)
    (free, barred) = found.values()
    assert free[2] > 0
    assert barred[2] == 0
    assert barred[3] > 0  # the others may
    row, mirror = made.frame("worth")
    assert mirror["free"] == pytest.approx(0.25, abs=1e-12)  # among equals
    assert (row["free"], row["barred"]) == pytest.approx((free[0], barred[0]), abs=1e-12)
    assert row["worth"] == pytest.approx(free[0] - barred[0], abs=1e-12)
    assert row["points"] == pytest.approx(free[1] - barred[1], abs=1e-12)
    verdict = made.answer.verdicts[0]
    assert (verdict.subject, verdict.under) == ("Privileged caller", "caller against random")
    assert verdict.estimate == row["worth"]
    assert "calling out of turn adds" in verdict.sentence
    assert made.answer.headline is not None
    assert made.answer.headline.value == row["worth"]
    check_answer(made.answer, ["random", "caller"])


def test_forbidding_what_a_player_never_does_changes_nothing_at_all(tmp_path: Path) -> None:
    made = lab(tmp_path, with_roles(f"{NEVER}caller = {{}}", '[["never", "caller"]]'), deals=120, game="hakka")
    (row,) = made.frame("worth")
    assert (row["worth"], row["worth_pm"], row["points"], row["points_pm"]) == (0, 0, 0, 0)
    verdict = made.answer.verdicts[0]
    assert (verdict.verdict, verdict.estimate, verdict.low, verdict.high) == ("fair", 0, 0, 0)
    told = "makes no difference beyond ±5 points under never against caller (no game went another way)."
    assert told in made.answer.summary
    privileged = next(row for row in made.frame("roles") if row["role"] == "Privileged caller")
    assert privileged["hands"] == 0
    assert math.isnan(privileged["points"])
    check_answer(made.answer, ["never", "caller"])


def test_where_nobody_ever_calls_there_is_nothing_to_tell(tmp_path: Path) -> None:
    made = lab(tmp_path, with_roles(NEVER, '"mirrors"', "max_redeals = 2"), deals=40, game="hakka")
    assert (made.outcomes("never v never v never v never")["unfinished"] == 1).all()
    assert {v.verdict for v in made.answer.verdicts} == {"undecided"}
    assert "No game came to an end by these rules" in made.answer.summary
    assert "dealer never, Privileged caller never" in made.answer.summary
    check_answer(made.answer, ["never"])


def test_a_game_without_roles_says_nothing_of_them(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}"), deals=40)
    assert [table.name for table in made.answer.tables] == ["seats", "coverage"]
    assert [chart.name for chart in made.answer.charts] == ["seats", "length"]
    assert made.answer.how_to_judge == ""
    assert len(made.prepared.plan.arms) == 1
