"""What the kind card_strength plays: cases, their arms, and the series observed of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo

from simkit.errors import nearest
from simkit.experiment import Settings
from simkit.games.base import Subject
from simkit.measures import Measure, PerCount, PerGame, ScoreLead, WinRate, WinRateWith, WinRateWithout
from simkit.plan import Arm, Plan, Results
from simkit.questions import coverage, pool
from simkit.questions.base import Asked, Lineup, Pairs, arm_name, is_mirror, lineups, under
from simkit.questions.examples import example_series
from simkit.questions.ladder import with_ladder
from simkit.series import Difference, Differences, Ratio, Series
from simkit.trace import Tracing

ALIASES = {"*": "joker"}

Contrast = tuple[tuple[str, Measure], tuple[str, Measure]]  # two ratios of arms, of which the second is taken away


def _all_cards(cards: Any, info: ValidationInfo) -> Any:
    """`"all"` in place of a list."""
    game = (info.context or {}).get("game")
    if cards != "all" or game is None:
        return (cards,) if isinstance(cards, str) else cards
    return tuple(subject.name for subject in game.subjects)


def _known_cards(cards: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
    game = (info.context or {}).get("game")
    if game is None:
        return cards
    known = [subject.name for subject in game.subjects]
    named = tuple(card if card in known else ALIASES.get(card, card) for card in cards)
    for card in named:
        if not known:
            raise ValueError(f"{card}: {game.name} has no card whose strength can be asked for")
        if card not in known:
            raise ValueError(f"{card}: no such card. Cards: {', '.join(known)}.{nearest(card, known)}")
    return tuple(dict.fromkeys(named))


Cards = Annotated[tuple[str, ...], BeforeValidator(_all_cards), AfterValidator(_known_cards)]


class CardStrength(Settings):
    """The table [card_strength]: the cards in question, and others that are measured beside them but not judged.

    Either may be "all" in place of a list.
    """

    cards: Annotated[Cards, Field(min_length=1)]
    compare: Cards = ()
    pairs: Pairs = "mirrors"


@dataclass(frozen=True)
class Case:
    """A card and one player of a line-up: what the card is worth to this holder, whose opponent keeps it."""

    subject: Subject
    lineup: Lineup
    holder: int
    is_judged: bool = True

    @property
    def key(self) -> str:
        """Prefix of the names of its series."""
        return f"{self.subject.name}/{arm_name(self.lineup)}/{self.holder}"

    @property
    def under(self) -> str:
        """The line-up in words, the holder first."""
        return under(self.lineup, self.holder)

    @property
    def judged_by(self) -> str:
        """Name of the series that the card is judged by: what it causes, or else what it is worth to be dealt it."""
        return f"{self.key}/{'effect' if self.subject.is_causal else 'first_hand'}"

    @property
    def off_arm(self) -> str:
        """Name of the arm with the card's effect off for the holder."""
        return f"{arm_name(self.lineup)} | {self.subject.name} off for player {self.holder}"

    @property
    def effect_arm(self) -> str:
        """Name of the arm without what the card causes."""
        return self.off_arm if self.subject.switch else self.barred_arm

    @property
    def barred_arm(self) -> str:
        """Name of the arm with the holder barred from the card."""
        return f"{arm_name(self.lineup)} | {self.subject.name} barred for player {self.holder}"

    def is_used(self, results: Results) -> bool:
        """Whether the card did anything: it was used, or its absence changed a game (as COL-3.2 and COL-4.7 allow).

        Nobody has to use what is only judged by its being dealt.
        """
        if not self.subject.is_causal:
            return True
        return results.moments(f"{self.key}/plays").sums[0] > 0 or results.estimate(f"{self.key}/effect").se > 0


def cases(asked: Asked) -> list[Case]:
    """All cards in all line-ups.

    In a mirror player 0 stands for both: a deal is played with player 0 at every seat, so that player 1 as the holder
    would mean the same games again (the very same when the strategy uses no chance).
    """
    settings = asked.experiment.settings
    assert isinstance(settings, CardStrength)
    subjects = {s.name: s for s in asked.game.subjects}
    return [
        Case(subjects[card], lineup, holder, card in settings.cards)
        for card in dict.fromkeys((*settings.cards, *settings.compare))
        for lineup in lineups(asked, settings.pairs)
        for holder in ((0,) if is_mirror(lineup) else range(asked.seats))
    ]


def comparable(found: Sequence[Case]) -> list[Case]:
    """The cases whose effects can be compared: of cards with an effect to switch off, or else with a bar."""
    return [case for case in found if case.subject.switch] or [case for case in found if case.subject.bar]


def holders(found: Sequence[Case]) -> dict[tuple[Lineup, int], list[Case]]:
    """The cases of each player of each line-up: all cards as one holder has them."""
    by_holder: dict[tuple[Lineup, int], list[Case]] = {}
    for case in found:
        by_holder.setdefault((case.lineup, case.holder), []).append(case)
    return by_holder


def played_lineups(found: list[Case]) -> list[Lineup]:
    """The line-ups of the cases, each once."""
    return list(dict.fromkeys(case.lineup for case in found))


def _switched(asked: Asked, case: Case) -> Arm:
    """The effect is off for the holder, wherever that player sits."""
    option = case.subject.switch
    assert option is not None
    by_rotation = []
    for rotation in range(asked.seats):
        given = asked.rules[option]
        pair = list(given) if isinstance(given, (list, tuple)) else [given] * asked.seats
        pair[(case.holder + rotation) % asked.seats] = False
        by_rotation.append({**asked.rules, option: pair})
    return Arm(case.off_arm, case.lineup, tuple(by_rotation))


def arm_without(asked: Asked, case: Case) -> Arm:
    """The line-up without what the card does for the holder: its effect is off, or the holder is barred from it."""
    if case.subject.switch:
        return _switched(asked, case)
    return asked.barred_arm(case.lineup, case.barred_arm, case.holder, case.subject.bar)


def plan(asked: Asked) -> Plan:
    """Each line-up as it is, with each card's effect off for one player, and with one player barred from it."""
    arms = {arm_name(m): asked.base_arm(m) for m in asked.mirrors()}
    arms |= {arm.name: arm for arm in pool.pool_arms(asked)}
    series: list[Series] = []
    found = cases(asked)
    for case in found:
        arms.setdefault(arm_name(case.lineup), asked.base_arm(case.lineup))
        if case.subject.switch:
            arms[case.off_arm] = _switched(asked, case)
        if case.subject.bar:
            arms[case.barred_arm] = asked.barred_arm(case.lineup, case.barred_arm, case.holder, case.subject.bar)
        series += _series(asked, case)
    played = played_lineups(found)
    if any(case.subject.looked_for for case in found):
        arms |= {name: replace(arms[name], tracing=Tracing(cards=True)) for name in map(arm_name, played)}
    series += _ranking_series(asked, found)
    series += pool.pool_series(asked)
    series += coverage.coverage_series(asked, [arm_name(lineup) for lineup in played])
    for lineup in dict.fromkeys((*asked.mirrors(), *played)):
        series += example_series(asked, arm_name(lineup))
    for mirror in asked.mirrors():  # which of them is the strongest's is not known yet
        series += pool.path_series(asked, mirror)
    if asked.game.twin_effects:
        series += [s for lineup in played for s in _twin_series(asked, lineup)]
    return with_ladder(asked, played, Plan(tuple(arms.values()), tuple(series), found[0].judged_by))


def _series(asked: Asked, case: Case) -> Iterator[Series]:
    base, p, k = arm_name(case.lineup), case.holder, case.subject.index
    dealt, *_, used = fields = asked.game.fields_of(case.subject)
    if case.subject.is_causal:
        yield from _causal_series(case, WinRateWith(p, dealt, (k,)))
    yield Difference(f"{case.key}/first_hand", *_dealt_or_not(asked, case))
    yield Ratio(f"{case.key}/won_without", base, WinRateWithout(p, dealt, (k,)))
    for field, (name, _) in zip(fields, asked.game.seen, strict=True):
        yield Ratio(f"{case.key}/won_{name}", base, WinRateWith(p, field, (k,)))
    yield Ratio(f"{case.key}/plays", base, PerGame(used, (k,), p))
    if counts_rounds(asked):
        yield Ratio(f"{case.key}/blocked", base, PerCount(p, "blocked", used, (k,), (k,), is_share=True))
        with_effect, moved = (PerCount(p, field, used, (k,), (k,)) for field in ("gained", "moved"))
        yield Ratio(f"{case.key}/with_effect", base, with_effect)
        yield Ratio(f"{case.key}/moved", base, moved)
        yield Difference(f"{case.key}/without_effect", (base, with_effect), (base, moved))
    for i in range(len(case.subject.fronts)):
        yield Ratio(f"{case.key}/behind_{i}", base, PerCount(p, "behind", used, (k, i), (k,), is_share=True))


def _causal_series(case: Case, opening: WinRateWith) -> Iterator[Series]:
    """What changes without the card: its effect off, or its holder barred from it."""
    base, win, lead = arm_name(case.lineup), WinRate(case.holder), ScoreLead(case.holder)
    yield Difference(f"{case.key}/effect", (base, win), (case.effect_arm, win))
    yield Difference(f"{case.key}/lead", (base, lead), (case.effect_arm, lead))
    yield Difference(f"{case.key}/opening_effect", (base, opening), (case.effect_arm, opening))
    if case.subject.bar:
        yield Ratio(f"{case.key}/restricted", case.barred_arm, win)
        yield Difference(f"{case.key}/restriction", (base, win), (case.barred_arm, win))


def _dealt_or_not(asked: Asked, case: Case) -> Contrast:
    """The win rate of the holder with the card in the first hand, and without."""
    base, field = arm_name(case.lineup), asked.game.fields_of(case.subject)[0]
    place = (case.subject.index,)
    return (base, WinRateWith(case.holder, field, place)), (base, WinRateWithout(case.holder, field, place))


def _effect(asked: Asked, case: Case) -> Contrast:
    """The win rate of the holder with the card's effect, and without."""
    win = WinRate(case.holder)
    return (arm_name(case.lineup), win), (case.effect_arm, win)


RANKED: dict[str, Callable[[Asked, Case], Contrast]] = {"first_hand": _dealt_or_not, "effect": _effect}


def ranked_cases(measure: str, mine: Sequence[Case]) -> list[Case]:
    """Those of one holder's cases that are put in order by a measure."""
    return comparable(mine) if measure == "effect" else list(mine)


def ranking_name(measure: str, lineup: Lineup, holder: int) -> str:
    """Name of the series of all cards of one holder together."""
    return f"ranking/{measure}/{arm_name(lineup)}/{holder}"


def _ranking_series(asked: Asked, found: Sequence[Case]) -> Iterator[Series]:
    for (lineup, holder), mine in holders(found).items():
        for measure, contrast in RANKED.items():
            pairs = tuple(contrast(asked, case) for case in ranked_cases(measure, mine))
            if len(pairs) > 1:
                yield Differences(ranking_name(measure, lineup, holder), pairs)


def counts_rounds(asked: Asked) -> bool:
    """Whether the game counts what each round with a card gave, with its effect and without."""
    return {"blocked", "gained", "moved"} <= asked.game.columns.keys()


def _twin_series(asked: Asked, lineup: Lineup) -> Iterator[Series]:
    base = arm_name(lineup)
    for i, name in enumerate(asked.game.twin_effects):
        for field in ("unblocked", "twin_differs"):
            yield Ratio(f"twin/{name}/{field}/{base}", base, PerGame(field, (i,)))


def twin_counts(results: Results, name: str, played: list[Lineup]) -> dict[str, int]:
    """`unblocked` and `twin_differs` of one effect, added up over the line-ups."""
    return {
        field: sum(results.moments(f"twin/{name}/{field}/{arm_name(lineup)}").sums[0] for lineup in played)
        for field in ("unblocked", "twin_differs")
    }
