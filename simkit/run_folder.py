"""The folder of a run: what may be in it, whose it is, and the manifest that says where its contents come from."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit import measures, pair_measures, played, resamples
from simkit.errors import UsageError
from simkit.experiment import Experiment
from simkit.plan import Plan
from simkit.prepared import Prepared
from simkit.report.files import write_whole
from simkit.stats import luck

if TYPE_CHECKING:
    from simkit.store import Store

PRODUCTS = (
    "run.sqlite", "run.sqlite-journal", "fresh.sqlite", "fresh.sqlite-journal", "fresh_2.sqlite",
    "fresh_2.sqlite-journal", "report.html", "report.md", "experiment.toml", "manifest.json",
)  # fmt: skip


def engine_hash(prepared: Prepared) -> str:
    """Changes with the code that plays the game and measures it, on any machine alike."""
    from simkit import _branch, _trace, branch, course_measures, trace
    from simkit.driver import sources
    from simkit.stats import chances

    total = hashlib.sha256()
    traced = (trace, _trace, chances) if prepared.plan.is_traced else ()
    branched = (branch, _branch) if prepared.plan.deciders else ()
    observing = (played, measures, pair_measures, course_measures, resamples, luck, *traced, *branched)
    measuring = (Path(str(module.__file__)).read_bytes() for module in observing)
    for source in (*sources(prepared.asked.game), *measuring):
        total.update(hashlib.sha256(source).digest())
    return total.hexdigest()


def plan_hash(plan: Plan) -> str:
    """Changes with what is played and observed."""
    return hashlib.sha256(repr((plan.arms, plan.series)).encode()).hexdigest()


def make_folder(folder: Path, fresh: bool) -> None:
    """Makes the folder, without what an earlier run left if `fresh`. Raises UsageError when it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if fresh and any((folder / name).exists() for name in ("run.sqlite", "manifest.json")):
            for name in PRODUCTS:
                (folder / name).unlink(missing_ok=True)
            for name in ("tables", "charts", "games"):
                shutil.rmtree(folder / name, ignore_errors=True)
        probe = folder / f".{os.getpid()}.probe"
        probe.touch()
        probe.unlink()
    except OSError as wrong:
        raise UsageError(f"{folder}: cannot write here: {wrong.strerror}. Choose another folder with --out.") from None


def refuse_other_run(folder: Path, experiment: Experiment, identity: Mapping[str, Any]) -> None:
    """Raises UsageError, naming what differs, when the folder holds a run of another experiment.

    A run of another plan has other series, which the store could not even read: this comes before opening it.
    """
    from simkit.store import read_fact

    before = read_fact(folder / "run.sqlite", "identity")
    if before is None:
        return
    try:
        old = dict(json.loads(before))
    except (ValueError, TypeError) as wrong:
        raise UsageError(f"{folder / 'run.sqlite'}: damaged ({wrong}). Use --fresh to start anew.") from None
    engine, plan = old.pop("engine", None), old.pop("plan", None)
    differences = experiment.differences(old)
    if engine != identity["engine"]:
        differences.append("simkit's own code for this game is not that of the run")
    elif plan != identity["plan"] and not differences:
        differences.append("what simkit plays and observes for this question is not that of the run")
    if differences:
        lines = "\n".join(f"  {d}" for d in differences)
        raise UsageError(
            f"{folder}: holds a run of another experiment:\n{lines}\n"
            "Use --fresh to replace it, or --out FOLDER to keep both."
        )


def check_same(store: Store, folder: Path, experiment: Experiment, identity: Mapping[str, Any]) -> None:
    """Notes whose run this is. Raises UsageError when more deals are stored than are asked for."""
    if store.fact("identity") is None:
        store.set_fact("identity", json.dumps(identity))
    most = experiment.until.max_deals if experiment.until else experiment.deals
    if most is not None and store.end > most:
        raise UsageError(
            f"{folder}: holds {store.end:,} deals, more than the {most:,} asked for.\n"
            "Ask for as many or more, use --fresh to replace the run, or --out FOLDER to keep both."
        )


def versions() -> dict[str, str]:
    """Versions of simkit and of what its results rest on."""
    from importlib.metadata import version

    return {name: version(name) for name in ("simkit", "numba", "numpy")} | {"python": platform.python_version()}


class Manifest:
    """manifest.json: what produced the folder's contents."""

    def __init__(self, folder: Path, prepared: Prepared, began: float, command: str) -> None:
        self.folder, self.prepared, self.began, self.command = folder, prepared, began, command

    def write(self, status: str, deals: int) -> None:
        """Writes the manifest as of now."""
        e = self.prepared.experiment
        data = {
            "experiment": e.name,
            "status": status,
            "seed": e.seed,
            "deals": deals,
            "games": self.prepared.plan.games(deals),
            "command": self.command,
            "fingerprint": e.fingerprint(),
            "versions": versions(),
            "sources": {label: use.source_hash for label, use in e.strategies.items()}
            | {"simkit": engine_hash(self.prepared)},
            "host": {"system": platform.platform(), "machine": platform.machine(), "cores": os.cpu_count()},
            "python": sys.version,
            "started": time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(self.began)),
            "ended": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
            "strategies": {label: asdict(use) for label, use in e.strategies.items()},
        }
        write_whole(self.folder / "manifest.json", json.dumps(data, indent=2, default=str).encode() + b"\n")
