"""Rules that are known to fire, to be dead, to be woken, and to need a weak player."""

from __future__ import annotations

from pathlib import Path

import pytest

from simkit.answer import Estimate
from simkit.errors import SimkitError
from simkit.games import games
from simkit.games.base import Game
from simkit.questions.rule_coverage.tables import often
from simkit.rulebook import read_rules
from tests.questions.lab import check_answer, lab


def asked(strategies: str, more: str = "") -> str:
    return f'question = "rule_coverage"\n[strategies]\n{strategies}\n[rule_coverage]\n{more}\n'


def test_its_counts_are_those_of_the_outcomes(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}\ngreedy = {}"), deals=100)
    arms = ["random v random", "greedy v greedy", "random v greedy"]
    for i, row in enumerate(made.frame("coverage")):
        fired = [made.outcomes(arm)["clauses"][:, :, i] for arm in arms]
        assert row["times"] == sum(int(f.sum()) for f in fired)
        assert row["games"] == pytest.approx(sum(int((f > 0).sum()) for f in fired) / 600)
        assert row["most_value"] == pytest.approx(max((f > 0).mean() for f in fired))
    by_strategy = made.frame("by_strategy")
    assert by_strategy[0]["times_1"] == pytest.approx(made.outcomes(arms[1])["clauses"][:, :, 0].mean())
    check_answer(made.answer, ["random", "greedy"])


def test_a_rule_that_cannot_fire_is_dead_and_bounded(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}"), deals=300)
    row = next(r for r in made.frame("coverage") if r["clause"] == "COL-6.2 both at 0")
    assert row["often"] == "never: in less than 1 game in 100"  # 1 − 0.05^(1/300) = 0.99 %
    assert "COL-6.2 both at 0 (both players reached 0 TP together" in made.answer.summary


def test_what_only_a_weak_player_does_is_told_apart(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}\nfirst_fit = {}"), deals=60, game="lost_cities")
    told = made.answer.summary.split("Only where a weak strategy plays, not among first_fit: ")[1]
    assert "LC-2.2 from a discard pile" in told  # first_fit never takes one
    assert "LC-2.1 discarded" not in told


def test_other_rules_wake_clauses_and_make_others_dead(tmp_path: Path) -> None:
    variants = 'pairs = "mirrors"\nvariants = [{ last_trick = "bonus10" }, { closing = false, match_points = 3 }]'
    made = lab(tmp_path, asked("random = {}\ngreedy = {}", variants), deals=150, game="sixty_six")
    bonus, without = made.frame("variants")
    assert (bonus["variant"], bonus["woken"].split("; ")[0]) == ("last_trick = bonus10", "SS-7.3 bonus")
    assert without["woken"] == "SS-7.4 match won"
    assert "SS-6.1 closed" in without["dead"] and "SS-6.1 closed" not in bonus["dead"]
    check_answer(made.answer, ["random", "greedy"])


def test_each_is_every_other_value_of_choices_and_switches(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}", 'variants = "each"'), deals=20)
    told = [row["variant"] for row in made.frame("variants")]
    switches = [f"{name}_on = false" for name in ("jack", "queen", "king", "ace")]
    assert told == [
        "support_front = no_value_cards", "siamese_ranks = distinct", "double_mirror = void_round", *switches
    ]  # fmt: skip


def test_a_variant_may_seat_more_players(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}\nhonest = {}", "variants = [{ players = 3 }]"), deals=20, game="saloon")
    row = next(r for r in made.frame("variants") if r["variant"] == "players = 3")
    assert "SAL-3.2 other judge" in row["woken"]  # two players have but one judge each


@pytest.mark.parametrize(
    ("variants", "fault"),
    [
        ("[{ kings = true }]", "no such rule"),
        ("[{ hand_size = 99 }]", "hand_size = 99: hand_size"),
        ('"some"', "variants"),
    ],
)
def test_faults_of_variants_are_told(tmp_path: Path, variants: str, fault: str) -> None:
    with pytest.raises(SimkitError, match=fault):
        lab(tmp_path, asked("random = {}", f"variants = {variants}"))


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (Estimate(0.01, 0.008, 0.0125, 0.001, 900, 1800), "1 game in 100 (80 to 120)"),
        (Estimate(0.5, 0.48, 0.52, 0.01, 900, 1800), "in 50 ± 2 % of the games"),
        (Estimate(1.0, 0.99, 1.0, 0.01, 900, 1800), "in every game"),
    ],
)
def test_how_often_is_told_in_words(share: Estimate, words: str) -> None:
    assert often(share) == words


@pytest.mark.parametrize("game", [pytest.param(game, id=name) for name, game in games().items()])
def test_open_points_are_clauses_that_the_rule_document_calls_so(game: Game) -> None:
    texts = {clause.number: clause.text for section in read_rules(game.name) for clause in section.clauses}
    assert game.open_points <= {name for name, _ in game.clauses}
    for name in game.open_points:
        assert "**Open point" in texts[name.split()[0]], name
