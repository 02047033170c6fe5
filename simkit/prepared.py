"""An experiment made ready to run: read, checked, and turned into a plan."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

from simkit.answer import Judgement
from simkit.catalog import Catalog
from simkit.errors import UsageError, nearest
from simkit.experiment import Experiment, load
from simkit.experiment.faults import dotted
from simkit.experiment.model import LARGEST_DEALS
from simkit.games import get_game
from simkit.plan import BriefArm, Plan, Stopping
from simkit.questions import KINDS, Asked
from simkit.questions.words import toml_value
from simkit.stopping import HalfWidth

REPORTS = Path("reports")  # of the current folder: where runs go by default


def workspace(path: Path) -> Path:
    """The folder that an experiment's strategies and reports belong to: beside its folder `experiments`, or its own."""
    folder = path.resolve().parent
    return folder.parent if folder.name == "experiments" else folder


@dataclass(frozen=True)
class Prepared:
    """An experiment made ready.

    Attributes:
        experiment: the experiment, resolved.
        asked: what it asks of the game.
        plan: what has to be played for it.
        base: the folder of its file, from where the paths of strategies go.
        overrides: as they were given.
    """

    experiment: Experiment
    asked: Asked
    plan: Plan
    base: Path
    overrides: tuple[str, ...] = ()

    @property
    def deals(self) -> int | None:
        """Deals asked for; None with `until`."""
        return self.experiment.deals

    @property
    def stopping(self) -> Stopping | None:
        """What ends the run before the most deals are played; None: nothing does."""
        until = self.experiment.until
        return self.plan.stopping or (HalfWidth(until.half_width) if until else None)

    @property
    def most_deals(self) -> int:
        """Deals that are played at most."""
        e = self.experiment
        return e.deals or (e.until and e.until.max_deals) or LARGEST_DEALS

    def summary(self, with_arms: bool = True) -> str:
        """What will run, in a few lines, and in a line each its arms (`--dry-run`)."""
        e, plan = self.experiment, self.plan
        size = f"{self.most_deals:,} deals, {plan.games(self.most_deals):,} games"
        if rule := self.stopping:
            limit = f", at most {size}" if self.most_deals < LARGEST_DEALS else ""
            size = f"as many deals as it takes {rule.words}{limit}"
        changed = ", ".join(f"{n} = {toml_value(e.rules[n])}" for n in e.changed_rules) or "as in the rule document"
        brief = {arm.most for arm in plan.arms if isinstance(arm, BriefArm)}
        some = f" (of some arms only on the first {max(brief):,} deals)" if brief else ""
        lines = [
            f"{e.title or e.name}: {KINDS[e.kind].about}",
            f"game {e.game}; rules {changed}",
            f"strategies {', '.join(e.strategies)}",
            f"{len(plan.arms)} arms, {plan.games_a_deal} games a deal{some}; {size}; seed {e.seed}",
            *(f"  arm {arm.name}" for arm in plan.arms if with_arms),
        ]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The object of `simkit run --dry-run --json`; deals and games are None with `until`."""
        e = self.experiment
        return {
            "experiment": e.name,
            "game": e.game,
            "question": e.kind,
            "strategies": list(e.strategies),
            "rules": dict(e.rules),
            "arms": [arm.name for arm in self.plan.arms],
            "deals": e.deals,
            "games": None if e.deals is None else self.plan.games(e.deals),
            "seed": e.seed,
        }

    def command(self) -> str:
        """The one line that runs the experiment again."""
        e = self.experiment
        path = e.path or Path(f"{e.name}.toml")
        size = ["--deals", str(e.deals)] if e.deals is not None else []
        kept = [text for text in self.overrides if text.partition("=")[0].strip() not in ("deals", "seed")]
        sets = [word for text in kept for word in ("-s", text)]
        return shlex.join(["simkit", "run", str(path), *sets, *size, "--seed", str(e.seed)])


def prepare(path: str | Path, overrides: Sequence[str] = (), name: str | None = None) -> Prepared:
    """Reads and checks an experiment; `name` is for one that is not named by its file. Raises SimkitError."""
    path = Path(path)
    if not path.exists() and path.suffix != ".toml":
        path = Catalog().experiments.get(str(path), path)
    base = workspace(path)
    experiment = load(path, overrides=overrides, known=Catalog(base))
    experiment = replace(experiment, name=name or experiment.name)
    game = get_game(experiment.game)
    asked = Asked(experiment, game, game.seats(experiment.rules))
    plan = KINDS[experiment.kind].plan(asked)
    _check_half_width(experiment, plan)
    _check_require(asked)
    if experiment.always_valid:
        plan = replace(plan, always_valid=True)
    return Prepared(experiment, asked, plan, path.parent, tuple(overrides))


def _check_require(asked: Asked) -> None:
    """Raises UsageError for every `require` that no verdict can answer."""
    known_subjects, faults = KINDS[asked.experiment.kind].subjects, []
    subjects = list(dict.fromkeys(known_subjects(asked))) if known_subjects is not None else None
    words = [word.replace(" ", "_") for word in get_args(Judgement)]
    for key in asked.experiment.require:
        place, (subject, _, word) = dotted(("require", key)), key.rpartition(".")
        if word.replace(" ", "_") not in words:
            faults.append(f"{place}: {word}: no such verdict. Verdicts: {', '.join(words)}.")
            faults[-1] += nearest(word, words)
        elif subjects is not None and subject not in subjects:
            known = "; ".join(subjects) or "nothing"
            faults.append(f"{place}: no verdict is given on {subject or key}. Verdicts on: {known}.")
            faults[-1] += nearest(subject, subjects)
    if faults:
        raise UsageError("\n".join(faults))


def _check_half_width(experiment: Experiment, plan: Plan) -> None:
    """Raises UsageError when a share is to be known to less than ±1."""
    headline = next(series for series in plan.series if series.name == plan.headline)
    is_share = all(getattr(measure, "is_share", False) for _, measure in headline.parts)
    if experiment.until and experiment.until.half_width >= 1 and is_share:
        wanted = f"{experiment.until.half_width:g} is not a number between 0 and 1 (both excluded)"
        raise UsageError(f"until.half_width: {wanted}: the headline is a share, of which ±0.01 is a point.")


def run_folders() -> list[Path]:
    """The folders below reports/ that hold a run, by name."""
    return sorted(store.parent for store in REPORTS.glob("*/run.sqlite"))


def find_run(name: Path) -> Path:
    """The folder of a run, named by its path or by its name below reports/. Raises UsageError."""
    for folder in (name, REPORTS / name):
        if (folder / "run.sqlite").exists():
            return folder
    known = [folder.name for folder in run_folders()]
    raise UsageError(f"{name}: no such run. Runs here: {', '.join(known) or 'none'}.{nearest(str(name), known)}")


def stored(folder: Path) -> Prepared:
    """A run's experiment, as it was resolved. Raises UsageError when it is not there."""
    path = folder / "experiment.toml"
    if not path.exists():
        raise UsageError(f"{path}: missing; run the experiment again.")
    return prepare(path, name=folder.name)
