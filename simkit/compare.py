"""Two or more stored runs side by side: what was asked differently, and what each one found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from simkit.prepared import stored
from simkit.runs import RunResult, carry_out

if TYPE_CHECKING:
    from simkit.answer import Verdict
    from simkit.experiment import Experiment


@dataclass(frozen=True)
class Comparison:
    """Runs side by side.

    Attributes:
        results: the runs as reported.
        differences: for each run but the first, in words, how its experiment differs from the first one's.
    """

    results: tuple[RunResult, ...]
    differences: tuple[tuple[str, ...], ...]

    def rows(self) -> list[tuple[str, str, list[Verdict | None]]]:
        """(subject, strategies it was seen under, each run's verdict on it or None), in the order of the runs."""
        found: dict[tuple[str, str], list[Verdict | None]] = {}
        for i, result in enumerate(self.results):
            for verdict in result.verdicts:
                found.setdefault((verdict.subject, verdict.under), [None] * len(self.results))[i] = verdict
        return [(subject, under, verdicts) for (subject, under), verdicts in found.items()]


def compare(folders: Sequence[Path]) -> Comparison:
    """Puts stored runs side by side. Raises UsageError for a folder that holds no run."""
    prepared = [stored(folder) for folder in folders]
    results = [carry_out(p, out=folder, only_stored=True) for p, folder in zip(prepared, folders, strict=True)]
    first = prepared[0].experiment
    return Comparison(tuple(results), tuple(_differences(first, p.experiment) for p in prepared[1:]))


def _differences(first: Experiment, other: Experiment) -> tuple[str, ...]:
    return tuple(_of_runs(line) for line in other.differences(first))


def _of_runs(line: str) -> str:
    """A difference between a run and the experiment as it is now, told of two runs."""
    line = re.sub(" now$", " here", line.replace(" in the run", " in the first"))
    line = line.replace("not in the first, there here", "only here")
    return line.replace("there in the first, not there here", "only in the first")
