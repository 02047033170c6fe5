"""Words and command lines that the answers of all kinds of question use."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from simkit.answer import Estimate, Verdict
from simkit.questions.base import Asked, Lineup, half_width
from simkit.stats.verdicts import MOST_DEALS

MOST_NAMED = 3  # verdicts that a sentence tells one by one
SMALL_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def counted(n: int, noun: str) -> str:
    """`one line-up`, `five line-ups`, `12 line-ups`."""
    number = SMALL_NUMBERS[n] if n < len(SMALL_NUMBERS) else f"{n:,}"
    return f"{number} {noun}" if n == 1 else f"{number} {noun}s"


def everywhere(verdicts: Sequence[Verdict]) -> str:
    """Where verdicts were seen, in words: `all five line-ups`, or the only one."""
    seen = dict.fromkeys(v.under for v in verdicts)
    return next(iter(seen)) if len(seen) == 1 else f"all {counted(len(seen), 'line-up')}"


def points(effect: Estimate | Verdict) -> str:
    """An effect with its half-width, in points: `+0.42 ± 0.03`."""
    from simkit.report import numbers

    if isinstance(effect, Estimate):
        return numbers.points(effect.value, half_width(effect))
    return numbers.points(effect.estimate, (effect.high - effect.low) / 2)


def within(margin: float) -> str:
    """The designer's margin: `±1 point`, `±0.5 points`."""
    return f"±{100 * margin:g} {'point' if margin == 0.01 else 'points'}"


def span(verdicts: Iterable[Verdict]) -> str:
    """The effects of some verdicts, or of many the smallest and the largest: `+0.4 ± 0.1 to +31.2 ± 0.2`."""
    ordered = sorted(verdicts, key=lambda v: v.estimate)
    ends = dict.fromkeys(points(v) for v in (ordered[0], ordered[-1]))
    return " to ".join(ends)


def strategy_text(asked: Asked, label: str, changed: Mapping[str, Any] | None = None) -> str:
    """A strategy of the pool as the command line takes it: its name, and the parameters that are not its defaults."""
    from simkit import strategy

    use, path = asked.experiment.strategies[label], asked.experiment.path
    usual = strategy.find(asked.game.name, use.use, path.parent if path else Path.cwd()).parameters
    now = use.parameters | dict(changed or {})
    values = [f"{k}={toml_value(v)}" for k, v in now.items() if v != usual[k].default]
    return f"{use.use}:{','.join(values)}" if values else use.use


def replay_command(
    asked: Asked,
    lineup: Lineup,
    deal: int,
    changed: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
) -> str:
    """The command that tells one deal of a run, with `changed` rules and strategies' `parameters` on top of its own."""
    experiment = asked.experiment
    names = [strategy_text(asked, label, (parameters or {}).get(label)) for label in lineup]
    values = {name: experiment.rules[name] for name in experiment.changed_rules} | dict(changed or {})
    rules = [word for name, value in values.items() for word in ("-s", f"rules.{name}={toml_value(value)}")]
    words = ["simkit", "replay", experiment.game, *names, *rules]
    return f"{shlex.join(words)} --seed {experiment.seed} --deal {deal}"


def toml_value(value: object) -> str:
    """A rule's value as a command line takes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(toml_value(v) for v in value) + "]"
    return str(value)


def nothing_ended(verdicts: Sequence[Verdict]) -> str:
    """What is to be said when no game at all can be judged; empty when some can."""
    if not verdicts or any(not math.isnan(v.estimate) for v in verdicts):
        return ""
    return "No game came to an end by these rules: there is no win rate, and nothing to judge."


def needed(undecided: Iterable[Verdict]) -> str:
    """How many more deals undecided verdicts need, in a sentence."""
    verdicts = list(undecided)
    if nothing := nothing_ended(verdicts):
        return nothing
    more = [v.more_deals for v in verdicts if v.more_deals is not None and not math.isnan(v.estimate)]
    known = [deals for deals in more if deals < MOST_DEALS]
    if not known:
        lie, them = ("It lies", "it") if len(verdicts) == 1 else ("They lie", "them")
        return f"{lie} at the margin itself, so that more deals may never decide {them}."
    beyond = "" if len(known) == len(more) else ", as far as that can be told"
    least, most = (f"{int(float(f'{deals:.1e}')):,}" for deals in (min(known), max(known)))
    many, them = most if least == most else f"{least} to {most}", "it" if len(verdicts) == 1 else "them"
    return f"About {many} more deals would decide {them}{beyond}."
