"""The search for parameters: it finds a planted best, on its ranges, within its budget, the same each time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from simkit.questions.tuning import Evolved, Parameters, Space, check_ranges, evolve, numbers_of

NOW = {"risk": 0.4, "debt": -2.0, "none": 0.0, "cards": 3, "bold": True}


def test_the_usual_ranges_go_from_nothing_to_twice_what_it_is() -> None:
    space = Space.of(NOW, {})
    assert list(space.names) == ["risk", "debt", "none", "cards"]  # a switch is no number
    assert space.lows.tolist() == [0.0, -4.0, 0.0, 0.0]
    assert space.highs.tolist() == [0.8, 0.0, 1.0, 6.0]
    assert space.parameters(space.start) == {name: NOW[name] for name in space.names}
    assert space.parameters(np.array([1.0, 0.0, 2.0, 0.6])) == {"risk": 0.8, "debt": -4.0, "none": 1.0, "cards": 4}


def test_named_ranges_leave_the_others_alone_and_the_start_inside() -> None:
    space = Space.of(NOW, {"risk": (0.5, 1.0)})
    assert list(space.names) == ["risk"]
    assert space.parameters(space.start) == {"risk": 0.5}


def hill(top: dict[str, float], noise: float = 0.0, seed: int = 0) -> Evolved:
    rng = np.random.default_rng(seed)

    def gains(sets: Sequence[Parameters]) -> list[float]:
        return [-sum((one[name] - best) ** 2 for name, best in top.items()) + noise * rng.normal() for one in sets]

    return evolve(Space.of(dict.fromkeys(top, 0.5), {}), 300, 7, gains)


@pytest.mark.parametrize("top", [{"a": 0.83}, {"a": 0.2, "b": 0.9}, {"a": 0.1, "b": 0.5, "c": 0.8}])
def test_it_finds_the_top_of_a_hill(top: dict[str, float]) -> None:
    found = hill(top)
    assert found.best[0] == pytest.approx(top, abs=0.03)
    assert found.in_search == pytest.approx(0, abs=1e-3)
    assert hill(top) == found


def test_what_wins_by_luck_looks_better_than_it_is() -> None:
    """All sets are worth nothing; the best of 300 seems to gain three of the noise's standard deviations."""
    found = [evolve(Space.of({"a": 0.5, "b": 0.5}, {}), 300, seed, rng_gains(seed)) for seed in range(20)]
    assert np.mean([one.in_search for one in found]) > 2
    assert all(300 <= one.tries < 320 and len(one.best) == 6 for one in found)


def rng_gains(seed: int):
    rng = np.random.default_rng(seed)
    return lambda sets: rng.normal(size=len(sets)).tolist()


def test_ranges_that_cannot_be_are_refused() -> None:
    assert numbers_of(NOW) == {"risk": 0.4, "debt": -2.0, "none": 0.0, "cards": 3}
    for name in ("bold", "rist"):
        with pytest.raises(ValueError, match=f"{name}: not a number that the strategy can be given"):
            check_ranges({name: (0.0, 1.0)}, NOW)
    with pytest.raises(ValueError, match="risk: the lowest value, then a higher one"):
        check_ranges({"risk": (1.0, 1.0)}, NOW)
