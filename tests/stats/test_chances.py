"""Chances of winning learned from positions whose chances are known."""

import numpy as np
import pytest

from simkit.stats.chances import Chances


def positions(rng, games, at=(0, 1, 2, 3)):
    """Four positions a game: the lead there is worth more at later stages, and being on turn is worth two of it."""
    game = np.repeat(np.arange(games), len(at))
    stage = np.tile(np.array(at), games)
    lead, on_turn = rng.integers(-9, 10, game.size), rng.random(game.size) < 0.5
    return game, stage, on_turn, lead, truth(stage, on_turn, lead)


def truth(stage, on_turn, lead):
    return 1 / (1 + np.exp(-(lead + 2 * on_turn - 1) * (1 + stage) / 8))


def test_they_come_near_the_truth_and_rise_with_the_lead():
    rng = np.random.default_rng(1)
    game, stage, on_turn, lead, p = positions(rng, 40_000)
    made = Chances.learn(game, stage, on_turn, lead, (rng.random(p.size) < p).astype(float), 0.5)
    assert all((np.diff(chances) >= 0).all() for chances in made.chances)
    for turn in (False, True):
        grid = np.arange(-9, 10)
        for at in range(4):
            same = np.full(grid.size, at)
            found = made.of(same, np.full(grid.size, turn), grid)
            assert found == pytest.approx(truth(same, turn, grid), abs=0.05)


def test_they_are_right_on_other_games():
    rng = np.random.default_rng(2)
    *seen, p = positions(rng, 5_000)
    made = Chances.learn(*seen, (rng.random(p.size) < p).astype(float), 0.5)
    _, stage, on_turn, lead, p = positions(rng, 20_000)
    said, won = made.of(stage, on_turn, lead), rng.random(p.size) < p
    for low in np.arange(0, 1, 0.1):
        here = (said >= low) & (said < low + 0.1)
        if here.sum() > 1_000:
            assert won[here].mean() == pytest.approx(said[here].mean(), abs=0.035)


def test_few_games_are_never_certain_and_none_are_even():
    ones = np.ones(3, dtype=np.int64)
    made = Chances.learn(np.arange(3), 0 * ones, ones > 0, ones, np.ones(3), 0.25)
    assert made.of(np.array([0]), np.array([True]), np.array([5]))[0] == pytest.approx((3 + 0.25) / 4)
    assert made.of(np.array([7]), np.array([False]), np.array([5]))[0] == 0.25
    with pytest.raises(ValueError, match="no position"):
        Chances.learn(*(np.zeros(0, np.int64) for _ in range(4)), np.zeros(0), 0.5)
