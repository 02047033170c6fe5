"""What the kind card_strength plays: cases, their arms, and the series observed of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, Field, ValidationInfo

from simkit.errors import nearest
from simkit.experiment import Settings
from simkit.games.base import Subject
from simkit.measures import PerCount, PerGame, ScoreLead, WinRate, WinRateWith
from simkit.plan import Arm, Plan, Results
from simkit.questions import coverage, pool
from simkit.questions.base import Asked, Lineup, Pairs, arm_name, is_mirror, lineups, under
from simkit.questions.examples import example_series
from simkit.questions.ladder import with_ladder
from simkit.series import Difference, Ratio, Series

ALIASES = {"*": "joker"}


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


Cards = Annotated[tuple[str, ...], AfterValidator(_known_cards)]


class CardStrength(Settings):
    """The table [card_strength]: the cards in question, and others that are measured beside them but not judged."""

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
    def off_arm(self) -> str:
        """Name of the arm with the card's effect off for the holder."""
        return f"{arm_name(self.lineup)} | {self.subject.name} off for player {self.holder}"

    @property
    def barred_arm(self) -> str:
        """Name of the arm with the holder barred from the card."""
        return f"{arm_name(self.lineup)} | {self.subject.name} barred for player {self.holder}"

    def is_used(self, results: Results) -> bool:
        """Whether the card did anything: it was used, or its absence changed a game (as COL-3.2 and COL-4.7 allow)."""
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
        arms[case.barred_arm] = asked.barred_arm(case.lineup, case.barred_arm, case.holder, case.subject.bar)
        series += _series(asked, case)
    played = played_lineups(found)
    series += pool.pool_series(asked)
    series += coverage.coverage_series(asked, [arm_name(lineup) for lineup in played])
    for lineup in dict.fromkeys((*asked.mirrors(), *played)):
        series += example_series(asked, arm_name(lineup))
    for mirror in asked.mirrors():  # which of them is the strongest's is not known yet
        series += pool.path_series(asked, mirror)
    if asked.game.twin_effects:
        series += [s for lineup in played for s in _twin_series(asked, lineup)]
    return with_ladder(asked, played, Plan(tuple(arms.values()), tuple(series), f"{found[0].key}/effect"))


def _series(asked: Asked, case: Case) -> Iterator[Series]:
    base, p, k = arm_name(case.lineup), case.holder, case.subject.index
    opening_field, *_, used = (field for field, _ in asked.game.seen)
    win, opening = WinRate(p), WinRateWith(p, opening_field, (k,))
    effect_arm = case.off_arm if case.subject.switch else case.barred_arm
    yield Difference(f"{case.key}/effect", (base, win), (effect_arm, win))
    yield Difference(f"{case.key}/lead", (base, ScoreLead(p)), (effect_arm, ScoreLead(p)))
    yield Difference(f"{case.key}/opening_effect", (base, opening), (effect_arm, opening))
    yield Ratio(f"{case.key}/restricted", case.barred_arm, win)
    yield Difference(f"{case.key}/restriction", (base, win), (case.barred_arm, win))
    for field, _ in asked.game.seen:
        yield Ratio(f"{case.key}/won_{field}", base, WinRateWith(p, field, (k,)))
    yield Ratio(f"{case.key}/plays", base, PerGame(used, (k,), p))
    if counts_rounds(asked):
        yield Ratio(f"{case.key}/blocked", base, PerCount(p, "blocked", used, (k,), (k,), is_share=True))
        with_effect, moved = (PerCount(p, field, used, (k,), (k,)) for field in ("gained", "moved"))
        yield Ratio(f"{case.key}/with_effect", base, with_effect)
        yield Ratio(f"{case.key}/moved", base, moved)
        yield Difference(f"{case.key}/without_effect", (base, with_effect), (base, moved))
    for i in range(len(case.subject.fronts)):
        yield Ratio(f"{case.key}/behind_{i}", base, PerCount(p, "behind", used, (k, i), (k,), is_share=True))


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
