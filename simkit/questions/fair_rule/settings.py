"""The table [fair_rule]: a rule, the values to choose from, what counts as fair, and who is re-tuned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    Tag,
    ValidationInfo,
    field_validator,
    model_validator,
)

from simkit.errors import nearest
from simkit.experiment import Settings, Share
from simkit.questions.base import Asked, Pairs, seated
from simkit.questions.card_strength.cases import Cards
from simkit.questions.sweep.axes import RULES, Values, check_settings, rule_values
from simkit.questions.tuning import check_ranges, check_tunable, numbers_of

SEAT = "seat"
TARGETS = (
    '"seat", or a line-up with its win rate, { lineup = ["greedy", "random"], win_rate = 0.6 }, a list of these, '
    'or a card, { card = "K" }'
)


class LineupTarget(Settings):
    """What a line-up is to come to: games won by the strategy that is named first."""

    lineup: Pairs
    win_rate: Share

    @field_validator("lineup", mode="before")
    @classmethod
    def _one(cls, labels: Any) -> Any:
        if not isinstance(labels, (list, tuple)) or not all(isinstance(label, str) for label in labels):
            raise ValueError('the strategies at the table, such as ["greedy", "random"]')
        if len(set(labels)) < 2:
            raise ValueError("a strategy against itself always wins an even share; name two different ones")
        return [labels]  # checked as a list of pairs that has one


def _can_be_taken_away(cards: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
    game = (info.context or {}).get("game")
    for subject in game.subjects if game is not None else ():
        if subject.name in cards and not subject.is_causal:
            raise ValueError(
                f"{subject.name}: nothing switches its effect off, and no player can be barred from it, so that what "
                "it is worth cannot be measured"
            )
    return cards


class CardTarget(Settings):
    """What a card is to add to the win rate of its holder: nothing, or `worth` (0.02: two points)."""

    card: Annotated[
        Cards, BeforeValidator(lambda card: (card,)), Field(min_length=1), AfterValidator(_can_be_taken_away)
    ]
    worth: Annotated[float, Field(gt=-1, lt=1)] = 0.0


def _as_list(given: Any) -> Any:
    """No target for "seat"; one line-up as a list of one."""
    if given == SEAT:
        return None
    if isinstance(given, dict):
        return given if "card" in given else [given]
    if isinstance(given, list) and given:
        return given
    raise ValueError(TARGETS)


def _tag(given: Any) -> str:
    if given is None:
        return "no target"
    return "a card" if isinstance(given, (dict, CardTarget)) else "line-ups"


def _each_once(targets: tuple[LineupTarget, ...], info: ValidationInfo) -> tuple[LineupTarget, ...]:
    context = info.context or {}
    game, rules = context.get("game"), context.get("rules", {})
    if game is None or len(rules) != len(game.options):  # how many sit at the table is not known
        return targets
    seen: list[tuple[str, ...]] = []
    for target in targets:
        named = target.lineup[0]
        lineup = seated(tuple(named), game.seats(rules))
        if any(lineup[i:] + lineup[:i] in seen for i in range(len(lineup))):
            raise ValueError(f"{list(named)}: this line-up has a win rate already, seen from this seat or another")
        seen.append(lineup)
    return targets


Target = Annotated[
    Annotated[CardTarget, Tag("a card")]
    | Annotated[tuple[LineupTarget, ...], AfterValidator(_each_once), Tag("line-ups")]
    | Annotated[None, Tag("no target")],
    Discriminator(_tag),
    BeforeValidator(_as_list),
]


class Retune(Settings):
    """The table [fair_rule.retune]: strategies look for their best parameters at each value, before it is judged.

    Attributes:
        strategies: which; all that have numbers for parameters when none is named.
        ranges: by strategy, then parameter: its lowest and highest value; of a strategy that is not there all numbers
            are searched, from 0 to twice what they are.
        tries: how many sets of parameters each one tries at each value.
        deals: on how many deals each; never on more than the experiment plays itself.
    """

    strategies: tuple[str, ...] = ()
    ranges: dict[str, dict[str, tuple[float, float]]] = Field(default_factory=dict)
    tries: Annotated[int, Field(ge=10, le=100_000)] = 150
    deals: Annotated[int, Field(ge=10, le=1_000_000)] = 400

    @field_validator("strategies")
    @classmethod
    def _have_numbers(cls, labels: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        pool = _pool(info)
        for label in labels if pool is not None else ():
            check_tunable(label, pool)
        return labels

    @field_validator("ranges")
    @classmethod
    def _of_its_parameters(
        cls, ranges: dict[str, dict[str, tuple[float, float]]], info: ValidationInfo
    ) -> dict[str, dict[str, tuple[float, float]]]:
        pool, named = _pool(info), info.data.get("strategies") or ()
        for label, mine in ranges.items():
            known = list(named or pool or ranges)
            if label not in known:
                raise ValueError(f"{label}: not one of the strategies that are re-tuned.{nearest(label, known)}")
            if not mine:
                raise ValueError(f"{label}: name a parameter with its lowest and highest value")
            check_ranges(mine, None if pool is None else pool[label])
        return ranges


def _pool(info: ValidationInfo) -> Any:
    """The parameters of the strategies by label; None where they are not known."""
    return (info.context or {}).get("parameters")


def _retune(given: Any) -> Any:
    if isinstance(given, bool):
        return {} if given else None
    if given is None or isinstance(given, dict):
        return given
    raise ValueError("true, false, or a table: { tries = 150, deals = 400 }")


class FairRule(Settings):
    """The table [fair_rule]: the `key` of a rule, the `values` to choose from, and what counts as fair.

    `target` is "seat" (None in here): the first player's win rate is an even share; line-ups, each with its win rate;
    or a card with what it is to be worth. `retune` is None where all play as they are.
    """

    key: str
    values: Values
    target: Target = None
    pairs: Pairs = "mirrors"
    retune: Annotated[Retune | None, BeforeValidator(_retune)] = None

    @field_validator("key")
    @classmethod
    def _is_a_rule(cls, key: str, info: ValidationInfo) -> str:
        rule_values(key, (), info.context or {})
        return key

    @field_validator("values")
    @classmethod
    def _fit_the_rule(cls, values: tuple[Any, ...], info: ValidationInfo) -> tuple[Any, ...]:
        key, context = info.data.get("key"), info.context or {}
        if key is None:
            return values
        found = rule_values(key, values, context)
        check_settings([((key, value),) for value in found], context)
        return found

    @model_validator(mode="after")
    def _go_together(self, info: ValidationInfo) -> FairRule:
        if isinstance(self.target, tuple) and "pairs" in self.model_fields_set:
            raise ValueError("a target names its line-up itself: leave out `pairs`")
        if isinstance(self.target, CardTarget):
            _other_rule(self.key, self.target, info)
        if self.retune is not None:
            _somebody_to_tune(self, self.retune, _pool(info))
        return self

    @property
    def lineups(self) -> Pairs:
        """The line-ups that have to be fair."""
        if isinstance(self.target, tuple):
            return tuple(lineup for one in self.target for lineup in one.lineup if isinstance(lineup, tuple))
        return self.pairs


def _other_rule(key: str, target: CardTarget, info: ValidationInfo) -> None:
    """Raises ValueError when the rule is what the card's strength is measured by."""
    game = (info.context or {}).get("game")
    for subject in game.subjects if game is not None else ():
        if subject.name in target.card and key == f"{RULES}{subject.switch}":
            raise ValueError(
                f"{key} switches the {subject.words} itself off, which is how its strength is measured: "
                "name another rule, one that changes what the card does"
            )


def _somebody_to_tune(table: FairRule, retune: Retune, pool: Mapping[str, Mapping[str, Any]] | None) -> None:
    """Raises ValueError when nobody who plays can be tuned, or somebody is named who does not play."""
    if pool is None:
        return
    playing = set(pool) if isinstance(table.lineups, str) else {label for line in table.lineups for label in line}
    for label in (*retune.strategies, *retune.ranges):
        if label not in playing:
            raise ValueError(f"retune: {label} plays in none of the line-ups")
    if not any(numbers_of(pool[label]) for label in playing if label in pool):
        raise ValueError("retune: no strategy that plays has parameters that are numbers, so that none can be tuned")


def settings_of(asked: Asked) -> FairRule:
    """The experiment's own table."""
    table = asked.experiment.settings
    assert isinstance(table, FairRule)
    return table
