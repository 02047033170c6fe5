"""Every number of a plan has words of its own, in which nothing is cryptic."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from simkit.games import get_game
from simkit.measures import PerGame, WinRate
from simkit.plan import Arm
from simkit.prepared import Prepared, prepare
from simkit.series import Difference, Ratio
from simkit.series_words import measure_words, series_words

FOLDER = Path(__file__).parent.parent / "experiments"
ONE_OF_EACH_KIND = (
    *("colina_kings", "colina_fine_difference", "colina_rule_coverage", "colina_shape", "hakka_calling", "hakka_roles"),
    *("hakka_cards", "lost_cities_fair_skill", "sixty_six_cards"),
    *("lost_cities_fair_cost", "saloon_players", "saloon_right_strategy", "sixty_six_last_trick"),
)


def told(prepared: Prepared) -> Iterator[tuple[Ratio | Difference, str]]:
    arms = {arm.name: arm for arm in prepared.plan.arms}
    for series in prepared.plan.series:
        if isinstance(series, Ratio | Difference):
            yield series, series_words(series, arms, prepared.asked.game)


@pytest.mark.parametrize("name", ONE_OF_EACH_KIND)
def test_series_of_the_same_words_are_the_same_number(name: str) -> None:
    found: dict[str, Ratio | Difference] = {}
    for series, words in told(prepare(FOLDER / f"{name}.toml")):
        other = found.setdefault(words, series)
        assert (other.parts, type(other)) == (series.parts, type(series)), words
        assert type(series.parts[0][1]).__name__ not in words  # a measure without words
        assert not re.search(r" v |/|player 0| \| ", words), words


def arm(name: str, *lineup: str) -> Arm:
    return Arm(name, lineup, ({},) * len(lineup))


def test_what_a_difference_takes_away_is_told_by_what_is_other() -> None:
    game, win = get_game("colina"), WinRate(0)
    arms = {
        one.name: one
        for one in (
            arm("greedy v random", "greedy", "random"),
            arm("greedy v random | K off for player 1", "greedy", "random"),
            arm("random v greedy", "random", "greedy"),
        )
    }
    first, off, swapped = arms
    assert series_words(Difference("d", (first, win), (off, win)), arms, game) == (
        "games won by greedy, greedy against random, less the same with K off for random"
    )
    assert series_words(Difference("d", (first, win), (swapped, win)), arms, game) == (
        "games won by greedy, greedy against random, less the same under random against greedy"
    )
    assert series_words(Difference("d", (first, win), (first, win)), arms, game).endswith(", less itself")
    two = Difference("d", (first, win), (first, PerGame("rounds")))
    assert series_words(two, arms, game) == "games won by greedy less rounds a game, greedy against random"


def test_a_clause_is_told_by_its_name_and_many_players_by_their_number() -> None:
    colina = get_game("colina")
    words = measure_words(PerGame("clauses", (0,)), colina, ("greedy", "random"))
    assert words == f"times a game: {colina.clauses[0][0]}"
    saloon = get_game("saloon")
    three = {"r": arm("random v random v random", "random", "random", "random")}
    three = {one.name: one for one in three.values()}
    told_three = series_words(Ratio("r", "random v random v random", WinRate(1)), three, saloon)
    assert told_three == "games won by the second player, random against itself (3 players)"
