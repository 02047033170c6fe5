"""An experiment from its file to its report, and what comes back to the caller."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from simkit import strategy
from simkit.answer import Answer, Verdict
from simkit.errors import RequirementError, UsageError
from simkit.experiment.model import LARGEST_DEALS
from simkit.overview import write_index
from simkit.plan import Results
from simkit.prepared import REPORTS, Prepared, prepare
from simkit.questions import KINDS
from simkit.questions.words import toml_value
from simkit.report.facts import RuleFact, RunFacts, Status, StrategyFact
from simkit.report.files import answer_json, write_report, write_whole
from simkit.run_folder import (
    Manifest,
    check_same,
    engine_hash,
    make_folder,
    plan_hash,
    refuse_other_run,
    versions,
)
from simkit.stats.verdicts import MINIMUM_DEALS

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from simkit.runner import Work
    from simkit.store import Store


MOST_THREADS = 10_000  # a system refuses to start many more, and not in words
ALWAYS_VALID = (
    "Intervals and verdicts hold however often one looked at the run, and whenever it was stopped (always-valid): "
    "exactly for win rates and other shares, and for their differences while all games count; in the long run for "
    "other numbers."
)


class Progress(Protocol):
    """Told before the start (no games) and after every batch: deals done, deals wanted, games just played, headline."""

    def __call__(self, done: int, wanted: int, games: int, headline: str = "") -> None: ...  # noqa: D102


@dataclass(frozen=True)
class RunResult:
    """What a run has to say.

    Attributes:
        answer: question, summary, verdicts, tables and charts.
        facts: the circumstances: deals, seed, rules, versions.
        folder: where report, tables and charts were written.
    """

    answer: Answer
    facts: RunFacts
    folder: Path

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables as DataFrames, with full precision, by name."""
        return {table.name: table.frame for table in self.answer.tables}

    @property
    def figures(self) -> dict[str, Figure]:
        """The charts as matplotlib Figures, by name."""
        return {chart.name: chart.draw() for chart in self.answer.charts}

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdicts."""
        return self.answer.verdicts

    @property
    def summary(self) -> str:
        """The answer in a sentence or two."""
        return self.answer.summary

    @property
    def report(self) -> Path:
        """The report, one HTML file."""
        return self.folder / "report.html"

    def to_json(self) -> dict[str, Any]:
        """The object of `simkit run --json`."""
        return answer_json(self.answer, self.facts, self.report)

    def _repr_html_(self) -> str:
        from html import escape

        head = f"<h3>{escape(self.answer.question)}</h3><p><b>{escape(self.answer.summary)}</b></p>"
        rows = "".join(f"<li>{escape(v.sentence)}</li>" for v in self.verdicts)
        return f"{head}<ul>{rows}</ul><p>Report: {escape(str(self.report))}</p>"


def run(
    experiment: str | Path,
    *,
    overrides: Sequence[str] = (),
    deals: int | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    out: str | Path | None = None,
    fresh: bool = False,
    keep_games: bool = False,
    batch: int | None = None,
    progress: Progress | None = None,
) -> RunResult:
    """Runs an experiment to its report, or goes on with it, or answers from what is stored.

    Args:
        experiment: path of a TOML file, or the name of an experiment of the workspace.
        overrides: `KEY=VALUE` texts, as -s on the command line.
        deals, seed: instead of what the file says.
        jobs: threads; all cores by default. No result depends on it.
        out: folder of the run, by default reports/<name> in the current folder.
        fresh: forget what an earlier run left in the folder.
        keep_games: also write a row for every game as Parquet files (needs pyarrow).
        batch: deals a batch. No result depends on it.
        progress: see Progress.

    Raises:
        UsageError: bad experiment, or a folder that cannot be used.
        StrategyError: a strategy failed.
        InterruptedRun: Ctrl-C; run again to go on.
    """
    given = [*overrides, *([f"deals={deals}"] if deals is not None else [])]
    given += [f"seed={seed}"] if seed is not None else []
    given += ["keep_games=true"] if keep_games else []
    return carry_out(prepare(experiment, given), jobs=jobs, out=out, fresh=fresh, batch=batch, progress=progress)


def carry_out(
    prepared: Prepared,
    *,
    jobs: int | None = None,
    out: str | Path | None = None,
    fresh: bool = False,
    batch: int | None = None,
    progress: Progress | None = None,
    cluster: str | None = None,
    only_stored: bool = False,
) -> RunResult:
    """Plays what is missing of a prepared experiment and writes its report (see run).

    `cluster` is the address of a Dask scheduler; `only_stored` plays nothing and reports what there is.
    """
    from simkit.store import Store

    began = time.time()
    _check_whole(jobs=(jobs, MOST_THREADS), batch=(batch, LARGEST_DEALS))
    experiment = prepared.experiment
    folder = Path(out) if out is not None else REPORTS / experiment.name
    make_folder(folder, fresh)
    identity = _identity(prepared)
    if not only_stored:
        refuse_other_run(folder, experiment, identity)
    store = Store(folder / "run.sqlite", prepared.plan)
    try:
        check_same(store, folder, experiment, identity)
        manifest = Manifest(folder, prepared, began, prepared.command())
        if not only_stored:
            write_whole(folder / "experiment.toml", experiment.to_toml().encode())
        if not only_stored and not _is_complete(prepared, store):
            manifest.write("interrupted", store.deals)  # what is true if this process is killed
            try:
                _play(prepared, store, folder, jobs, batch, progress, cluster)
            finally:
                manifest.write("interrupted", store.deals)
        results = _followed_up(prepared, store, jobs, progress, only_stored)
        result = _told(prepared, store, results, folder, began)
        write_report(folder, result.answer, result.facts)
        if not only_stored:
            manifest.write(result.facts.status, store.deals)
        if folder.resolve().parent == REPORTS.resolve():
            write_index()
        return result
    finally:
        store.close()


def told_again(prepared: Prepared, folder: Path) -> RunResult:
    """What the run stored in a folder has to say: nothing is played, drawn or written. Raises UsageError."""
    from simkit.store import Store

    with Store(folder / "run.sqlite", prepared.plan) as store:
        check_same(store, folder, prepared.experiment, _identity(prepared))
        results = _followed_up(prepared, store, jobs=None, progress=None, only_stored=True)
        return _told(prepared, store, results, folder, time.time())


def _identity(prepared: Prepared) -> dict[str, Any]:
    """Whose run the store of this experiment is."""
    return prepared.experiment.identity() | {"engine": engine_hash(prepared), "plan": plan_hash(prepared.plan)}


def _told(prepared: Prepared, store: Store, results: Results, folder: Path, began: float) -> RunResult:
    answer = KINDS[prepared.experiment.kind].answer(prepared.asked, results)
    if prepared.plan.always_valid:
        answer = replace(answer, notes=(*answer.notes, ALWAYS_VALID))
    status: Status = "complete" if _is_complete(prepared, store) else "interrupted"
    facts = _facts(prepared, store.deals, prepared.command(), time.time() - began, status)
    return RunResult(answer, facts, folder)


def _followed_up(
    prepared: Prepared, store: Store, jobs: int | None, progress: Progress | None, only_stored: bool
) -> Results:
    """The results, with those of what is played after the plan."""
    import joblib

    from simkit import follow_up

    results, asked = Results(prepared.plan, store.totals()), prepared.asked
    follows = KINDS[prepared.experiment.kind].follows(asked)
    if follows is None:
        return results
    stored, is_all = follow_up.stored_results(follows, asked, results, store)
    if only_stored or is_all or not _is_complete(prepared, store):
        return stored
    threads = joblib.cpu_count() if jobs is None else jobs
    work = compile_work(prepared, store.path.parent)
    return follow_up.carry_on(follows, asked, results, work, store, threads, *([progress] if progress else []))


def check_requirements(result: RunResult, require: Mapping[str, bool]) -> None:
    """Raises RequirementError naming every `require` of the experiment that does not hold."""
    faults = []
    for key, wanted in require.items():
        subject, _, word = key.rpartition(".")
        mine = [v for v in result.verdicts if v.subject == subject]
        if not mine:
            known = ", ".join(sorted({v.subject for v in result.verdicts}))
            faults.append(f"require {key}: no verdict on {subject or key}. Verdicts on: {known or 'nothing'}.")
            continue
        wrong = [v for v in mine if (v.verdict.replace(" ", "_") == word.replace(" ", "_")) != wanted]
        faults += [f"require {key} = {str(wanted).lower()} does not hold: {v.sentence}" for v in wrong]
    if faults:
        raise RequirementError("\n".join(faults))


def _check_whole(**numbers: tuple[int | None, int]) -> None:
    for name, (value, most) in numbers.items():
        if value is not None and not 1 <= value <= most:
            raise UsageError(f"{name}: {value} is not a whole number from 1 to {most}.")


def _play(
    prepared: Prepared,
    store: Store,
    folder: Path,
    jobs: int | None,
    batch: int | None,
    progress: Progress | None,
    cluster: str | None,
) -> None:
    import joblib

    from simkit import runner

    threads = joblib.cpu_count() if jobs is None else jobs
    if progress is not None:
        progress(0, prepared.deals or 1, 0)
    work = compile_work(prepared, folder)
    for deals in _stages(prepared, store):

        def tell(done: int, games: int, deals: int = deals) -> None:
            if progress is not None:
                progress(done, deals, games, _headline(prepared, store))

        runner.play(work, store, deals, threads, tell, batch, cluster)


def _headline(prepared: Prepared, store: Store) -> str:
    """The headline as it tightens: a difference of shares in points, a share in per cent, else the number.

    It is looked at after every batch, so that its interval is always-valid whatever the report's is.
    """
    name = prepared.plan.headline
    series = next(s for s in prepared.plan.series if s.name == name)
    estimate = Results(replace(prepared.plan, always_valid=True), {name: store.total(name)}).estimate(name)
    if math.isnan(estimate.se) or min(estimate.deals, estimate.count) < MINIMUM_DEALS:
        return ""
    is_share = all(getattr(measure, "is_share", False) for _, measure in series.parts)
    is_change = len(series.parts) > 1
    scale, unit = (100.0, " points" if is_change else " %") if is_share else (1.0, "")
    half = scale * (estimate.high - estimate.low) / 2
    return f"{scale * estimate.value:{'+' if is_change else ''}.2f} ± {half:.2f}{unit}"


def _stages(prepared: Prepared, store: Store) -> Iterable[int]:
    """How many deals to have, one step after the other."""
    from simkit import runner

    rule = prepared.stopping
    return [prepared.most_deals] if rule is None else runner.stages(prepared.plan, store, rule, prepared.most_deals)


def _is_complete(prepared: Prepared, store: Store) -> bool:
    return not any(any(store.missing(deals, 1)) for deals in _stages(prepared, store))


def compile_work(prepared: Prepared, folder: Path) -> Work:
    """What the threads play, everything compiled before the first one starts."""
    from simkit.driver import engine
    from simkit.player import compile_player
    from simkit.runner import Work

    game, experiment = prepared.asked.game, prepared.experiment
    compiled = engine(game)
    deciders = prepared.plan.deciders
    players, whens = {}, {}
    for label, use in experiment.strategies.items():
        file = strategy.find(game.name, use.use, prepared.base)
        players[label] = compile_player(compiled, file, label, use.parameters)
        if label in deciders:
            whens[label] = compile_player(compiled, file, label, use.parameters, "when")
    _ = compiled.play
    if prepared.plan.is_traced:
        _ = compiled.play_traced
    if deciders:
        _ = compiled.play_branched
    keep = (folder / "games").resolve() if experiment.keep_games else None  # a cluster's workers may stand elsewhere
    return Work(game, prepared.plan, players, experiment.seed, keep, whens=whens)


def _facts(prepared: Prepared, deals: int, command: str, seconds: float, status: Status) -> RunFacts:
    e, game = prepared.experiment, prepared.asked.game
    rules = tuple(
        RuleFact(o.name, toml_value(e.rules[o.name]), o.name in e.changed_rules, o.clause, o.about)
        for o in game.options
    )
    strategies = []
    for label, use in e.strategies.items():
        file = strategy.find(game.name, use.use, prepared.base)
        changed = {k: v for k, v in use.parameters.items() if v != file.parameters[k].default}
        values = ", ".join(f"{k} = {toml_value(v)}" for k, v in changed.items())
        strategies.append(StrategyFact(label, values, file.about))
    return RunFacts(
        experiment=e.name,
        game=game.name,
        question=e.kind,
        status=status,
        deals=deals,
        games=prepared.plan.games(deals),
        seed=e.seed,
        margin=e.margin,
        rules=rules,
        strategies=tuple(strategies),
        warnings=(*game.warnings(e.rules), *KINDS[e.kind].warnings(prepared.asked)),
        versions=versions(),
        command=command,
        seconds=seconds,
        date=time.strftime("%Y-%m-%d"),
    )
