"""What a value of a rule has to come to, to be fair: aims, the arms that show each, and the series observed of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simkit.answer import Estimate
from simkit.games.base import Subject
from simkit.measures import SeatWinRate, UnfinishedShare, WinRate, WithoutWinnerShare
from simkit.plan import Arm, Results
from simkit.questions.base import Asked, Lineup, arm_name, is_mirror, lineups, shifted, under
from simkit.questions.card_strength.cases import Case, arm_without
from simkit.questions.fair_rule.settings import CardTarget, settings_of
from simkit.questions.sweep.axes import rules_in, words_of
from simkit.questions.sweep.cases import arm_of
from simkit.series import Difference, Ratio, Series, Together

Tuned = Mapping[str, Mapping[str, Any]]  # parameters that differ from the pool's, by label
UNFINISHED, NOBODY = "unfinished", "without_winner"


@dataclass(frozen=True)
class Aim:
    """One of the things that have to hold at a value for it to be fair.

    Attributes:
        lineup: who plays.
        holder: the player whose win rate is looked at; None: whoever starts.
        target: what it is to be; None: an even share.
        card: then it is not the win rate, but what this card adds to it.
    """

    lineup: Lineup
    holder: int | None = None
    target: float | None = None
    card: Subject | None = None

    @property
    def key(self) -> str:
        """Part of the names of its series."""
        return f"{arm_name(self.lineup)}/{self.holder or 0}"

    @property
    def under(self) -> str:
        """The line-up in words, the holder first."""
        return under(self.lineup, self.holder or 0)

    @property
    def names_lineup(self) -> bool:
        """Whether what is looked at says by itself who plays."""
        return self.card is None and self.target is not None

    @property
    def whose(self) -> str:
        """What is looked at, in words."""
        if self.card is not None:
            words = self.card.words
            return f"what the {words}'s effect adds" if self.card.switch else f"what being free to use the {words} adds"
        if self.target is None:
            return "the first player's win rate"
        others = " and ".join(dict.fromkeys(label for label in self.lineup[1:] if label != self.lineup[0]))
        return f"the win rate of {self.lineup[0]} against {others}"

    @property
    def aim(self) -> str:
        """What it is to be, in words."""
        if self.target is None:
            return "an even share"
        if self.card is None:
            return f"{100 * self.target:g} %"
        return "nothing" if self.target == 0 else f"{100 * self.target:g} points"


def aims_of(asked: Asked) -> list[Aim]:
    """All that has to hold at the value chosen."""
    settings = settings_of(asked)
    found, target = lineups(asked, settings.lineups), settings.target
    if target is None:
        return [Aim(lineup) for lineup in found]
    if not isinstance(target, CardTarget):
        return [Aim(lineup, 0, one.win_rate) for lineup, one in zip(found, target, strict=True)]  # each is there once
    (card,) = (subject for subject in asked.game.subjects if subject.name in target.card)
    return [
        Aim(lineup, holder, target.worth, card)
        for lineup in found
        for holder in ((0,) if is_mirror(lineup) else range(asked.seats))  # in a mirror player 0 stands for all
    ]


def thing_words(asked: Asked) -> str:
    """What is made fair."""
    card = aims_of(asked)[0].card
    return "the game" if card is None else f"the {card.words}"


def common_words(asked: Asked) -> tuple[str, str]:
    """What is looked at and what it is to be, for all aims together."""
    aims = aims_of(asked)
    if len({(aim.whose, aim.aim) for aim in aims}) == 1:
        return aims[0].whose, aims[0].aim
    return "the win rate of the strategy named first", "the win rate you wrote down"


def rule_words(asked: Asked, value: Any) -> str:
    """`embark_cost = 15`."""
    return words_of(((settings_of(asked).key, value),))


def lineup_at(asked: Asked, lineup: Lineup, value: Any) -> Lineup:
    """Who sits at the table at a value: a rule may say how many play."""
    return arm_of(asked, lineup, ((settings_of(asked).key, value),)).lineup


def arms_at(asked: Asked, aim: Aim, value: Any, tuned: Tuned | None = None) -> tuple[Arm, ...]:
    """The line-up at a value, and for a card's strength the same without the card; `tuned` strategies play as tuned."""
    setting = ((settings_of(asked).key, value),)
    arms = [arm_of(asked, aim.lineup, setting)]
    if aim.card is not None:
        case = Case(aim.card, arms[0].lineup, aim.holder or 0)
        without = arm_without(asked.with_rules(rules_in(setting)), case)
        arms.append(replace(without, name=f"{without.name} | {words_of(setting)}"))
    return tuple(_with_parameters(arm, tuned or {}) for arm in arms)


def _with_parameters(arm: Arm, tuned: Tuned) -> Arm:
    if not any(label in tuned for label in arm.lineup):
        return arm
    parameters = tuple(tuned.get(label, {}) for label in arm.lineup)
    return replace(arm, name=f"{arm.name} | tuned", parameters=parameters)


def effect_name(asked: Asked, aim: Aim, value: Any) -> str:
    """Name of the series with what is judged."""
    return f"share/{aim.key} | {rule_words(asked, value)}"


def together_name(aim: Aim) -> str:
    """Name of the series with the same at all values."""
    return f"together/{aim.key}"


def noted_name(what: str, asked: Asked, aim: Aim, value: Any) -> str:
    """Name of the series with the games that are UNFINISHED, or that NOBODY won."""
    return f"{what}/{effect_name(asked, aim, value)}"


def grid_of(
    asked: Asked, values: Iterable[Any], tuned: Mapping[Any, Tuned] | None = None
) -> tuple[list[Arm], list[Series]]:
    """All aims at some values, and what is observed; `tuned` has the strategies' parameters by value."""
    arms: dict[str, Arm] = {}
    series: list[Series] = []
    for aim in aims_of(asked):
        parts = []
        for value in values:
            mine = arms_at(asked, aim, value, (tuned or {}).get(value))
            arms |= {arm.name: arm for arm in mine}
            looked_at = [(arm.name, _measure(aim)) for arm in mine]
            series += _series_at(asked, aim, value, looked_at)
            parts += looked_at
        series.append(Together(together_name(aim), tuple(parts)))
    return list(arms.values()), series


def _series_at(
    asked: Asked, aim: Aim, value: Any, looked_at: Sequence[tuple[str, SeatWinRate | WinRate]]
) -> list[Series]:
    name, (arm, measure) = effect_name(asked, aim, value), looked_at[0]
    effect: Series = Ratio(name, arm, measure) if aim.card is None else Difference(name, looked_at[0], looked_at[1])
    return [
        effect,
        Ratio(noted_name(UNFINISHED, asked, aim, value), arm, UnfinishedShare()),
        Ratio(noted_name(NOBODY, asked, aim, value), arm, WithoutWinnerShare()),
    ]


def _measure(aim: Aim) -> SeatWinRate | WinRate:
    return SeatWinRate(0) if aim.holder is None else WinRate(aim.holder)


def target_at(asked: Asked, aim: Aim, value: Any) -> float:
    """What is aimed at, as a number."""
    return 1 / len(lineup_at(asked, aim.lineup, value)) if aim.target is None else aim.target


def deviation(asked: Asked, results: Results, aim: Aim, value: Any) -> Estimate:
    """How far a value is off an aim."""
    return shifted(results.estimate(effect_name(asked, aim, value)), -target_at(asked, aim, value))


def judged_aims(asked: Asked, grid: Results) -> list[Aim]:
    """The aims that say something: a card that nobody uses at any value says nothing; all, if that is true of all."""
    aims, values = aims_of(asked), settings_of(asked).values
    known = [aim for aim in aims if not all(changes_nothing(asked, grid, aim, value) for value in values)]
    return known or aims


def changes_nothing(asked: Asked, results: Results, aim: Aim, value: Any) -> bool:
    """Whether a card did nothing in any game: it was never used, or to no effect."""
    effect = results.estimate(effect_name(asked, aim, value))
    return aim.card is not None and effect.count > 0 and effect.value == effect.se == 0
