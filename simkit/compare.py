"""Two or more stored runs side by side: what was asked differently, and what each one found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from simkit.prepared import stored
from simkit.runs import RunResult, carry_out

if TYPE_CHECKING:
    from simkit.answer import Verdict

PLACES = ("in the first", "here")


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
    return Comparison(tuple(results), tuple(tuple(p.experiment.differences(first, PLACES)) for p in prepared[1:]))
