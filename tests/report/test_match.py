"""A match is told on one screen."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import Any

from rich.console import Console

from simkit.games import get_game
from simkit.matches import MatchResult
from simkit.report.match import print_match


def seat(place: int, strategy: str, **changes: Any) -> dict[str, Any]:
    usual = {"wins": 60, "draws": 20, "games": 200, "score_mean": 12.5, "score_sd": 3.25}
    return {"seat": place, "strategy": strategy, **usual, "win_rate": 0.3, "low": 0.25, "high": 0.36, **changes}


def result(*labels: str, **changes: Any) -> MatchResult:
    """100 deals of Colina, each in two seatings."""
    made = MatchResult(
        game="colina",
        strategies=list(labels),
        rules=get_game("colina").resolve({}),
        seed=7,
        deals=100,
        games=200,
        seats=[seat(place, label) for place, label in enumerate(labels)],
        outcome={length: {"mean": 28.65, "se": 0.05, "min": 5, "max": 57} for length in ("rounds", "turns", "tricks")},
        unfinished=0,
        without_winner=0,
        decisions=11_460,
        seconds=0.5,
    )
    return replace(made, **changes)


def screen(shown: MatchResult, **options: Any) -> str:
    console = Console(file=io.StringIO(), width=80, **options)
    print_match(shown, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().replace("\u202f", " ")


def test_each_player_has_a_row_with_the_interval_of_the_longer_side() -> None:
    text = screen(result("greedy", "random"))
    assert "Colina: greedy against random" in text
    assert "100 deals, each in 2 seatings: 200 games, seed 7; rules as in the rule document" in " ".join(text.split())
    assert re.search(r"greedy +30 ± 6 % +10.0 % +12.5 +3.25", text)


def test_length_and_speed_are_told() -> None:
    text = screen(result("greedy", "random"))
    assert "28.65 ± 0.10 rounds a game (5 to 57)" in text
    assert "11 460 decisions in 0.50 s: 400 games/s" in text
    assert "unfinished" not in text


def test_a_mirror_has_a_row_a_seat() -> None:
    text = screen(result("greedy", "greedy"))
    assert "Colina: greedy against itself" in text
    assert "0: greedy" in text
    assert "1: greedy" in text


def test_rules_that_differ_are_told() -> None:
    rules = get_game("colina").resolve({"jokers": 0, "king_on": False})
    assert "seed 7; jokers = 0, king_on = false" in screen(result("greedy", "random", rules=rules))


def test_without_finished_games_there_is_no_win_rate() -> None:
    nothing = {"win_rate": None, "low": None, "high": None, "score_sd": None}
    one = {"rounds": {"mean": 20.0, "se": None, "min": 20, "max": 20}}
    seats = [seat(0, "greedy", **nothing), seat(1, "random", **nothing)]
    text = screen(result("greedy", "random", deals=1, games=1, seats=seats, outcome=one, unfinished=1, seconds=0.0))
    assert re.search(r"greedy +– ", text)
    assert "1 deal, seed 7" in text
    assert "20 rounds a game" in text
    assert "unfinished games: 1; they are in no win rate" in text


def test_it_fits_on_one_screen_and_is_plain_in_a_pipe() -> None:
    text = screen(result("a_strategy_with_quite_a_long_name:parameter=1234567890,other=0.123456789", "random"))
    assert len(text.splitlines()) <= 24
    assert max(map(len, text.splitlines())) <= 80
    assert "\x1b" not in text


def test_draws_and_games_that_the_rules_leave_without_a_winner_are_told() -> None:
    lost_cities, sixty_six = get_game("lost_cities"), get_game("sixty_six")
    drawn = screen(result("first_fit", game="lost_cities", rules=lost_cities.resolve({}), without_winner=3))
    assert "draws: 3; each is shared by those who tied" in drawn
    gaps = screen(result("greedy", game="sixty_six", rules=sixty_six.resolve({}), without_winner=3))
    assert "deals without a winner: 3; they are in no win rate" in gaps
    assert "no winner" in gaps
