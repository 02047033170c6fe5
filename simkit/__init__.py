"""simkit: a Monte Carlo simulator and balance laboratory for card games.

    import simkit

    result = simkit.run("experiments/colina_kings.toml")
    result.summary, result.tables["strength"], result.figures["strength"]
    simkit.match("colina", "greedy", "planner", deals=10_000)

Importing simkit is cheap; numba, pandas and matplotlib are imported when they are first needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simkit.api import match, replay
    from simkit.errors import InterruptedRun, RequirementError, SimkitError, StrategyError, UsageError
    from simkit.matches import MatchResult
    from simkit.runs import RunResult, run

__version__ = "0.1.0"
__all__ = [
    "InterruptedRun",
    "MatchResult",
    "RequirementError",
    "RunResult",
    "SimkitError",
    "StrategyError",
    "UsageError",
    "__version__",
    "match",
    "replay",
    "run",
]

_HOMES = {
    "match": "simkit.api",
    "replay": "simkit.api",
    "run": "simkit.runs",
    "RunResult": "simkit.runs",
    "MatchResult": "simkit.matches",
}


def __getattr__(name: str) -> Any:
    """Imports a public name from where it lives."""
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES.get(name, "simkit.errors")), name)
    return value
