"""Two or more stored runs side by side: what was asked differently, what each one found, and what changed between."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit.answer import Estimate, Format
from simkit.errors import UsageError
from simkit.experiment.model import LARGEST_DEALS
from simkit.pairing import pairing, shared_series
from simkit.plan import Results
from simkit.prepared import Prepared, stored
from simkit.questions.coverage import CLAUSES
from simkit.runs import Progress, RunResult, compile_work, told_again
from simkit.series import Series
from simkit.series_words import series_words

if TYPE_CHECKING:
    from simkit.answer import Verdict

AT_ONCE = 500_000  # games that are played again without being asked for: a few seconds
PLACES = ("in the first", "here")
PAIRED = "Paired: both runs' games of the first {deals:,} deals, which they share, were played again."
NOT_PAIRED = (
    "Not paired, although the runs share deals: intervals take them as independent, which is too wide where a deal "
    "pushes both the same way, and too narrow where it pushes them apart. --replay N pairs N deals."
)
INDEPENDENT = "Not paired: the runs have deals of their own, and intervals take them as independent."


@dataclass(frozen=True)
class Change:
    """A number that two runs both have.

    Attributes:
        series: its name in the plans of both.
        label: what it is, for a reader.
        format: how the number is written: a share as per cent, a difference of shares in points, or a plain number.
        first, second: what it came to in each; when paired, on the deals that were played again.
        change: `second` less `first`.
    """

    series: str
    label: str
    format: Format
    first: Estimate
    second: Estimate
    change: Estimate

    @property
    def size(self) -> float:
        """How many half-widths the change is away from 0; infinite when it is known exactly, and 0 when unknown."""
        half = (self.change.high - self.change.low) / 2
        if math.isnan(half) or self.change.value == 0:
            return 0.0
        return abs(self.change.value) / half if half else math.inf

    @property
    def is_clear(self) -> bool:
        """Whether the interval of the change leaves out 0."""
        return self.change.low > 0 or self.change.high < 0


@dataclass(frozen=True)
class Against:
    """A run against the first one.

    Attributes:
        differences: in words, how its experiment differs from the first one's.
        changes: the numbers that both have: the headline, then by `Change.size`, counts of clauses last.
        pairing: in a sentence, what the intervals of the changes take for granted.
    """

    differences: tuple[str, ...]
    changes: tuple[Change, ...]
    pairing: str


@dataclass(frozen=True)
class Comparison:
    """Runs side by side.

    Attributes:
        results: the runs as reported.
        against: each run but the first one, against the first.
    """

    results: tuple[RunResult, ...]
    against: tuple[Against, ...]

    def rows(self) -> list[tuple[str, str, list[Verdict | None]]]:
        """(subject, strategies it was seen under, each run's verdict on it or None), in the order of the runs."""
        found: dict[tuple[str, str], list[Verdict | None]] = {}
        for i, result in enumerate(self.results):
            for verdict in result.verdicts:
                found.setdefault((verdict.subject, verdict.under), [None] * len(self.results))[i] = verdict
        return [(subject, under, verdicts) for (subject, under), verdicts in found.items()]

    def to_json(self) -> dict[str, Any]:
        """The object of `simkit compare --json`: the runs, and each but the first against it; NaN as None."""
        runs = [
            {"path": str(r.folder), "question": r.answer.question, "deals": r.facts.deals, "seed": r.facts.seed}
            for r in self.results
        ]
        against = [
            {
                "path": str(result.folder),
                "differences": list(a.differences),
                "pairing": a.pairing,
                "changes": [_change_json(change) for change in a.changes],
            }
            for result, a in zip(self.results[1:], self.against, strict=True)
        ]
        return {"runs": runs, "against_first": against}


def _change_json(change: Change) -> dict[str, Any]:
    numbers = {"first": change.first.value, "second": change.second.value, "change": change.change.value}
    numbers |= {"low": change.change.low, "high": change.change.high}
    return {
        "series": change.series,
        "label": change.label,
        **{k: v if math.isfinite(v) else None for k, v in numbers.items()},
    }


@dataclass(frozen=True)
class _Run:
    folder: Path
    prepared: Prepared
    results: Results
    deals: int  # 0 … deals − 1 were played, and maybe some after a gap


def compare(
    folders: Sequence[Path], replay: int | None = None, jobs: int | None = None, progress: Progress | None = None
) -> Comparison:
    """Puts stored runs side by side.

    Args:
        folders: of the runs; each is held against the first.
        replay: how many of the deals that two runs share are played again at most, to pair them; 0: none, and the
            intervals of changes take the runs as independent; None: all, if that is soon done, and else none.
        jobs: threads for that; all cores by default.
        progress: see simkit.runs.Progress.

    Raises:
        UsageError: a folder that holds no run; runs that share no deals, or code that is not theirs, with `replay`.
    """
    runs = [_read(folder) for folder in folders]
    results = tuple(told_again(run.prepared, run.folder) for run in runs)
    return Comparison(results, tuple(_against(runs[0], run, replay, jobs, progress) for run in runs[1:]))


def _read(folder: Path) -> _Run:
    from simkit.store import Store

    prepared = stored(folder)
    with Store(folder / "run.sqlite", prepared.plan) as store:
        gap = next(store.missing(store.end, store.end or 1), (store.end, 0))
        return _Run(folder, prepared, Results(prepared.plan, store.totals()), gap[0])


def _against(first: _Run, run: _Run, replay: int | None, jobs: int | None, progress: Progress | None) -> Against:
    from simkit.stats.unpaired import unpaired_difference

    e, before = run.prepared.experiment, first.prepared.experiment
    plans = first.prepared.plan, run.prepared.plan
    shared = [series for series, _ in shared_series(*plans)] if e.game == before.game else []
    found: dict[str, tuple[Estimate, Estimate, Estimate]] = {}
    if deals := _deals_at_once(first, run) if replay is None else _shared_deals(first, run, replay):
        found = _paired(first, run, deals, jobs, progress)
        words = PAIRED.format(deals=deals)
    else:
        words = NOT_PAIRED if _share_deals(first, run) else INDEPENDENT
        for series in shared:
            pair = first.results.estimate(series.name), run.results.estimate(series.name)
            found[series.name] = (*pair, unpaired_difference(pair[1], pair[0]))
    arms, game = {arm.name: arm for arm in plans[0].arms}, run.prepared.asked.game
    both = [s for s in shared if s.name in found]
    labels = {series_words(s, arms, game): s for s in reversed(both)}  # the first of those that are the same number
    changes = [Change(s.name, label, _format(s), *found[s.name]) for label, s in labels.items()]
    changes.sort(key=lambda c: (c.series != plans[0].headline, c.series.startswith(CLAUSES), -c.size))
    return Against(tuple(e.differences(before, PLACES)), tuple(changes), words)


def _format(series: Series) -> Format:
    if not all(getattr(measure, "is_share", False) for _, measure in series.parts):
        return "number"
    return "percent" if len(series.parts) == 1 else "points"


def _deals_at_once(first: _Run, run: _Run) -> int:
    """The deals that two runs share, if playing them again is possible and soon done, else 0."""
    deals = min(first.deals, run.deals)
    games = deals * sum(one.prepared.plan.games_a_deal for one in (first, run))
    if deals < 2 or games > AT_ONCE or not _share_deals(first, run) or any(map(_fault_of_code, (first, run))):
        return 0
    return deals


def _share_deals(first: _Run, run: _Run) -> bool:
    e, before = run.prepared.experiment, first.prepared.experiment
    return (e.game, e.seed) == (before.game, before.seed)


def _shared_deals(first: _Run, run: _Run, most: int) -> int:
    """How many deals to pair. Raises UsageError when it cannot be, or `most` is no number of deals."""
    if most == 0:
        return 0
    if not 2 <= most <= LARGEST_DEALS:
        raise UsageError(f"--replay: {most} is not 0 or a whole number from 2 to {LARGEST_DEALS}.")
    deals = min(most, first.deals, run.deals)
    if not _share_deals(first, run) or deals < 1:
        raise UsageError(f"--replay: {run.folder} and {first.folder} share no deals: another game or another seed.")
    if faults := list(filter(None, map(_fault_of_code, (first, run)))):
        raise UsageError("\n".join(faults))
    return deals


def _paired(
    first: _Run, run: _Run, deals: int, jobs: int | None, progress: Progress | None
) -> dict[str, tuple[Estimate, Estimate, Estimate]]:
    import joblib

    if progress is not None:
        progress(0, deals, 0)
    both = pairing(*(compile_work(one.prepared, one.folder) for one in (first, run)))
    if not both.work.plan.series:
        return {}
    return both.changes(deals, joblib.cpu_count() if jobs is None else jobs, progress)


def _fault_of_code(run: _Run) -> str:
    """Why a run's games would not be played again as they were; "" when they would."""
    from simkit.run_folder import engine_hash
    from simkit.store import read_fact

    identity = dict(json.loads(read_fact(run.folder / "run.sqlite", "identity") or "{}"))
    engine = identity.pop("engine", None)
    identity.pop("plan", None)
    if engine != engine_hash(run.prepared) or run.prepared.experiment.differences(identity):
        return f"--replay: {run.folder}: simkit's code or a strategy has changed since this run. Run it anew (--fresh)."
    return ""
