"""One error class for everything a user can mend, each with the exit code of the command line."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class SimkitError(Exception):
    """A fault that the user can mend: one clear message, no traceback.

    Args:
        message: what is wrong, where, and what is allowed; several faults are separated by line breaks.
    """

    exit_code = 2


class UsageError(SimkitError):
    """Bad arguments or a bad experiment (exit code 2)."""


class StrategyError(SimkitError):
    """A strategy failed: illegal move, exception, or code that does not compile (exit code 3)."""

    exit_code = 3


class GameError(SimkitError):
    """A game does not keep what every game keeps, see simkit.contract (exit code 3)."""

    exit_code = 3


class RequirementError(SimkitError):
    """A `require` of the experiment does not hold (exit code 4)."""

    exit_code = 4


class InterruptedRun(SimkitError):
    """The run was stopped from outside; what was finished is kept (exit code 130)."""

    exit_code = 130


def nearest(name: str, allowed: Iterable[str]) -> str:
    """` Did you mean X?` for the closest allowed name, or an empty text when none is close."""
    found = get_close_matches(name, list(allowed), n=1, cutoff=0.5)
    return f" Did you mean {found[0]}?" if found else ""
