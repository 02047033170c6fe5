"""What may be asked of a decision: the table [opening_value], and every fault that it can have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator

from simkit.branch import MOST_CLASSES
from simkit.errors import SimkitError, nearest
from simkit.experiment import Settings
from simkit.questions.base import Pairs

Classes = dict[str, tuple[int, ...]] | tuple[str, ...]


class OpeningValue(Settings):
    """The table [opening_value]: which decision, against what, and the classes it is sorted into.

    The decision is one of the game's own (`probe`), or the first at which the function `when` of a strategy's file says
    that it comes up; then it is made as two other strategies would, the `choices`.
    """

    probe: str = ""
    when: str = ""
    choices: tuple[str, ...] = ()
    against: Literal["never", "later"] = "never"
    pairs: Pairs = "mirrors"
    classes: Classes = Field(default_factory=dict)

    @field_validator("probe")
    @classmethod
    def _known_probe(cls, name: str, info: ValidationInfo) -> str:
        game = (info.context or {}).get("game")
        if game is None:
            return name
        known = [probe.name for probe in game.probes]
        if not known:
            raise ValueError(f"{name}: {game.name} has no decision that can be probed")
        if name not in known:
            hint = nearest(name, known)
            raise ValueError(f"{name}: no decision that {game.name} can probe. Decisions: {', '.join(known)}.{hint}")
        return name

    @field_validator("when")
    @classmethod
    def _file_says_when(cls, label: str, info: ValidationInfo) -> str:
        context = info.context or {}
        _check_labels([label], context)
        if "file" in context and context.get("game") is not None:
            try:
                context["file"](label).check_when()
            except SimkitError as wrong:
                raise ValueError(str(wrong)) from None
        return label

    @field_validator("choices")
    @classmethod
    def _two_labels(cls, choices: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        if len(choices) != 2:
            raise ValueError("two strategies, whose moves are compared")
        _check_labels(choices, info.context or {})
        return choices

    @field_validator("classes")
    @classmethod
    def _of_the_decision(cls, classes: Classes, info: ValidationInfo) -> Classes:
        if isinstance(classes, tuple):
            if not 1 <= len(classes) <= MOST_CLASSES or len(set(classes)) < len(classes):
                raise ValueError(f"the words for classes 0, 1, …: from 1 to {MOST_CLASSES}, each once")
            return classes
        game = (info.context or {}).get("game")
        probes = [p for p in game.probes if p.name == info.data.get("probe")] if game is not None else []
        known = [feature.name for probe in probes for feature in probe.features]
        for name, lows in classes.items():
            if probes and name not in known:
                raise ValueError(
                    f"{name}: not known of that decision. Known: {', '.join(known)}.{nearest(name, known)}"
                )
            if not lows or list(lows) != sorted(set(lows)):
                raise ValueError(f"{name}: the lowest values of its classes, one at least, in ascending order")
        return classes

    @model_validator(mode="after")
    def _one_decision(self, info: ValidationInfo) -> OpeningValue:
        faults = _faults_with_when(self) if self.when else _faults_without_when(self, (info.context or {}).get("game"))
        if faults:
            raise ValueError("; ".join(faults))
        return self


def _check_labels(labels: Sequence[str], context: dict[str, Any]) -> None:
    """Raises ValueError naming every label that is not in the pool."""
    known = context.get("strategies", labels)
    wrong = [label for label in labels if label not in known]
    if wrong:
        raise ValueError(" ".join(f"{one}: no such strategy in [strategies].{nearest(one, known)}" for one in wrong))


def _faults_with_when(table: OpeningValue) -> list[str]:
    """What does not go with `when`."""
    faults = []
    if table.probe:
        faults.append("probe and when: which decision? Give one of them")
    if not table.choices:
        faults.append("choices: missing: the two strategies whose moves are compared")
    if "against" in table.model_fields_set:
        faults.append("against: goes with probe; with when, the second of the choices is what is compared with")
    if isinstance(table.classes, dict) and table.classes:
        faults.append('classes: with when, a list of words for classes 0, 1, …, as in ["low", "high"]')
    return faults


def _faults_without_when(table: OpeningValue, game: Any) -> list[str]:
    """What is missing without `when`, or goes with it only."""
    faults = []
    if game is not None and not table.probe:
        known = ", ".join(probe.name for probe in game.probes) or "it has none that can be probed"
        faults.append(f"probe: missing: which decision of {game.name}: {known}; or name one of your own with when")
    faults += ["choices: goes with when"] if table.choices else []
    faults += ["classes: a list goes with when"] if isinstance(table.classes, tuple) else []
    return faults
