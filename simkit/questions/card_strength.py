"""The kind card_strength: what a card is worth, and whether it is too strong.

Causal: the same deals with the card's effect on and off for one of the players, and a player barred from using the
card (restricted play; Jaffe et al. 2012, "Evaluating competitive game balance with restricted play"). Observational:
win rates given the opening hand, cards drawn and cards played, which are biased (the tables say how) but are what
players see.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, Field, ValidationInfo

from simkit.answer import Answer, Chart, Column, Table, Verdict
from simkit.errors import nearest
from simkit.experiment import Settings
from simkit.games.base import Subject
from simkit.measures import PerCount, PerGame, ScoreLead, WinRate, WinRateWith
from simkit.plan import Arm, Difference, Plan, Ratio, Results, Series
from simkit.questions import coverage, pool
from simkit.questions.base import (
    Asked,
    Kind,
    Lineup,
    Pairs,
    arm_name,
    lineups,
    listed,
    number,
    under,
)
from simkit.questions.words import replay_command
from simkit.stats.verdicts import Wording, judge

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ALIASES = {"*": "joker"}


def _known_cards(cards: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
    game = (info.context or {}).get("game")
    named = tuple(ALIASES.get(card, card) for card in cards)
    for card in named:
        known = [s.name for s in game.subjects] if game is not None else [card]
        if card not in known:
            raise ValueError(f"{card}: no such card. Cards: {', '.join(known)}.{nearest(card, known)}")
    return tuple(dict.fromkeys(named))


class CardStrength(Settings):
    """The table [card_strength]."""

    cards: Annotated[tuple[str, ...], Field(min_length=1), AfterValidator(_known_cards)]
    pairs: Pairs = "mirrors"


@dataclass(frozen=True)
class Case:
    """A card and one player of a line-up: what the card is worth to this holder, whose opponent keeps it."""

    subject: Subject
    lineup: Lineup
    holder: int

    @property
    def key(self) -> str:
        """Prefix of the names of its series."""
        return f"{self.subject.name}/{arm_name(self.lineup)}/{self.holder}"

    @property
    def off_arm(self) -> str:
        """Name of the arm with the card's effect off for the holder."""
        return f"{arm_name(self.lineup)} | {self.subject.name} off for player {self.holder}"

    @property
    def barred_arm(self) -> str:
        """Name of the arm with the holder barred from the card."""
        return f"{arm_name(self.lineup)} | {self.subject.name} barred for player {self.holder}"


def cases(asked: Asked) -> list[Case]:
    """All cards in all line-ups; in a mirror both players are the same, so that one of them stands for both."""
    settings = asked.experiment.settings
    assert isinstance(settings, CardStrength)
    subjects = {s.name: s for s in asked.game.subjects}
    return [
        Case(subjects[card], lineup, holder)
        for card in settings.cards
        for lineup in lineups(asked, settings.pairs)
        for holder in ((0,) if len(set(lineup)) == 1 else (0, 1))
    ]


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


def _barred(asked: Asked, case: Case) -> Arm:
    bits = [[0] * asked.seats for _ in range(asked.seats)]
    for rotation in range(asked.seats):
        bits[rotation][(case.holder + rotation) % asked.seats] = case.subject.bar
    return Arm(case.barred_arm, case.lineup, (asked.rules,) * asked.seats, tuple(tuple(b) for b in bits))


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
        arms[case.barred_arm] = _barred(asked, case)
        series += _series(case)
    played = played_lineups(found)
    series += pool.pool_series(asked) + pool.length_series(asked) + coverage.coverage_series(asked, played)
    series += [s for mirror in asked.mirrors()[-1:] for s in pool.path_series(asked, mirror)]
    if asked.game.twin_effects:
        series += [s for lineup in played for s in _twin_series(asked, lineup)]
    return Plan(tuple(arms.values()), tuple(series), f"{found[0].key}/effect", asked.seats)


def played_lineups(found: list[Case]) -> list[Lineup]:
    """The line-ups of the cases, each once."""
    return list(dict.fromkeys(case.lineup for case in found))


def _series(case: Case) -> Iterator[Series]:
    base, p, k = arm_name(case.lineup), case.holder, case.subject.index
    win, opening = WinRate(p), WinRateWith(p, "opening", (k,))
    effect_arm = case.off_arm if case.subject.switch else case.barred_arm
    yield Difference(f"{case.key}/effect", (base, win), (effect_arm, win))
    yield Difference(f"{case.key}/lead", (base, ScoreLead(p)), (effect_arm, ScoreLead(p)))
    yield Difference(f"{case.key}/opening_effect", (base, opening), (effect_arm, opening))
    yield Ratio(f"{case.key}/restricted", case.barred_arm, win)
    yield Difference(f"{case.key}/restriction", (base, win), (case.barred_arm, win))
    for field in ("opening", "drawn", "backed"):
        yield Ratio(f"{case.key}/won_{field}", base, WinRateWith(p, field, (k,)))
    yield Ratio(f"{case.key}/plays", base, PerGame("backed", (k,), p))
    yield Ratio(f"{case.key}/blocked", base, PerCount(p, "blocked", "backed", (k,), (k,), is_share=True))
    yield Ratio(f"{case.key}/moved", base, PerCount(p, "moved", "backed", (k,), (k,)))
    for i in range(len(case.subject.fronts)):
        yield Ratio(f"{case.key}/behind_{i}", base, PerCount(p, "behind", "backed", (k, i), (k,), is_share=True))


def _twin_series(asked: Asked, lineup: Lineup) -> Iterator[Series]:
    base = arm_name(lineup)
    for i, name in enumerate(asked.game.twin_effects):
        for field in ("unblocked", "twin_differs"):
            yield Ratio(f"twin/{name}/{field}/{base}", base, PerGame(field, (i,)))


def answer(asked: Asked, results: Results) -> Answer:
    """Verdicts a card and line-up, the tables behind them, and what else was seen."""
    found = cases(asked)
    verdicts = _verdicts(asked, results, found)
    played = played_lineups(found)
    covered, dead = coverage.coverage_table(asked, results, played)
    twin_table, twin_notes = _twins(asked, results, played)
    tables = [_strength_table(results, found, verdicts), _seen_table(results, found), _use_table(results, found)]
    tables += [_behind_table(results, found), *twin_table]
    if len(asked.labels) > 1:
        tables.append(pool.matrix_table(asked, results))
    charts = [_forest(asked, results, found, verdicts)]
    if len(asked.labels) > 1:
        charts.append(pool.matrix_chart(asked, results))
    path = pool.path_chart(asked, results, asked.mirrors()[-1])
    charts += [*([path] if path else []), pool.length_chart(asked, results)]
    return Answer(
        question=asked.experiment.title or _question(found),
        summary=_summary(asked, results, found, verdicts),
        headline=results.estimate(f"{found[0].key}/effect"),
        verdicts=tuple(verdicts),
        tables=(*tables, covered),
        charts=tuple(charts),
        notes=(*twin_notes, *pool.unfinished_notes(asked, results, _all_lineups(asked)), *dead),
        replays=(("the first deal of the run", replay_command(asked, played[0], 0)),),
    )


def _all_lineups(asked: Asked) -> list[Lineup]:
    return [*asked.mirrors(), *(arm.lineup for arm in pool.pool_arms(asked))]


def _verdicts(asked: Asked, results: Results, found: list[Case]) -> list[Verdict]:
    judged = [(c.subject.name, results.estimate(f"{c.key}/effect"), under(c.lineup, c.holder)) for c in found]
    return judge(judged, asked.experiment.margin, Wording(effect="having it adds"))


def _question(found: list[Case]) -> str:
    words = list(dict.fromkeys(f"the {case.subject.words}" for case in found))
    return f"Is {listed(words)} too strong?" if len(words) == 1 else f"Are {listed(words)} too strong?"


def _summary(asked: Asked, results: Results, found: list[Case], verdicts: list[Verdict]) -> str:
    """The first card's verdict in full; the others in one sentence, by what they are worth to who gains most."""
    first, *others = dict.fromkeys(case.subject for case in found)
    mine = [(c, v) for c, v in zip(found, verdicts, strict=True) if c.subject == first]
    used = [(c, v) for c, v in mine if _is_used(results, c)]
    unused = listed(v.under for c, v in mine if (c, v) not in used) if len(used) < len(mine) else ""
    sentence = _card_sentence(first.words, [v for _, v in used], asked.experiment.margin)
    if unused:
        sentence += f" It is never played under {unused}."
    if others:
        most = [max((v for c, v in zip(found, verdicts, strict=True) if c.subject == s), key=_estimate) for s in others]
        worth = listed(f"{s.words} {_points(v)} under {v.under}" for s, v in zip(others, most, strict=True))
        sentence += f" For comparison, the most that other cards add, in points: {worth}."
    return sentence


def _is_used(results: Results, case: Case) -> bool:
    """Whether the card did anything: it was played behind, or had its effect in front (COL-4.7)."""
    return _sum(results, f"{case.key}/plays") > 0 or results.estimate(f"{case.key}/effect").se > 0


def _estimate(verdict: Verdict) -> float:
    return verdict.estimate


def _points(verdict: Verdict) -> str:
    return f"{verdict.estimate * 100:+.1f}".replace("-", "−")


def _card_sentence(words: str, verdicts: list[Verdict], margin: float) -> str:
    """One card's verdicts; that they depend on who plays is said first."""
    phrases = {
        "fair": f"fair within ±{margin * 100:g} points",
        "too strong": "too strong",
        "too weak": "too weak",
        "undecided": "undecided",
    }
    groups: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(verdict.verdict, []).append(verdict)
    if not groups:
        return f"Nobody plays the {words}, so that nothing can be said about it."
    parts = [
        f"{phrases[word]} under {listed(f'{v.under} ({_points(v)})' for v in group)}" for word, group in groups.items()
    ]
    if len(parts) == 1:
        return f"The {words}, by what having it adds to the win rate in points, is {parts[0]}."
    return f"What the {words} adds to the win rate (in points) depends on who plays: {'; '.join(parts)}."


def _strength_table(results: Results, found: list[Case], verdicts: list[Verdict]) -> Table:
    import pandas as pd

    rows = []
    for case, verdict in zip(found, verdicts, strict=True):
        row: dict[str, Any] = {"card": case.subject.name, "under": verdict.under, "verdict": verdict.verdict}
        for name in ("effect", "lead", "opening_effect", "restricted", "restriction"):
            row |= number(name, results.estimate(f"{case.key}/{name}"))
        rows.append(row | {"p": verdict.p, "more_deals": verdict.more_deals})
    return Table(
        "strength",
        "What each card is worth (cause and effect)",
        pd.DataFrame(rows),
        {
            "card": Column("card"),
            "under": Column("holder against opponent"),
            "effect": Column("having the effect adds (points of win rate)", "points", "effect_pm"),
            "lead": Column("and moves the final lead by (TP)", "number", "lead_pm"),
            "opening_effect": Column(
                "in games that began with it in hand (points of win rate)", "points", "opening_effect_pm"
            ),
            "restricted": Column("who must not use it wins", "percent", "restricted_pm"),
            "verdict": Column("verdict"),
        },
        "The same deals are played with the card's effect working for both players, and not working for the holder: "
        "what changes is caused by the card. A joker has no effect to switch off: its row is about having to lead it "
        "alone. "
        "Half-widths are 95 % each, not corrected for their number; the verdicts are.",
    )


def _seen_table(results: Results, found: list[Case]) -> Table:
    import pandas as pd

    rows = []
    for case in found:
        row: dict[str, Any] = {"card": case.subject.name, "under": under(case.lineup, case.holder)}
        for field in ("opening", "drawn", "backed"):
            estimate = results.estimate(f"{case.key}/won_{field}")
            row |= number(field, estimate) | {f"{field}_games": estimate.count}
        rows.append(row)
    labels = {"opening": "began with it", "drawn": "ever drew it", "backed": "played it behind"}
    columns = {"card": Column("card"), "under": Column("player against opponent")}
    for field, words in labels.items():
        columns[field] = Column(f"{words}: won", "percent", f"{field}_pm")
        columns[f"{field}_games"] = Column("of games", "count")
    return Table(
        "observed",
        "Win rates as a player would see them (not cause and effect)",
        pd.DataFrame(rows),
        columns,
        "Only the opening hand is fair to compare. Longer games draw more cards, so 'ever drew it' mixes in the length "
        "of the game; 'played it' mixes in having been able to.",
    )


def _use_table(results: Results, found: list[Case]) -> Table:
    import pandas as pd

    rows = []
    for case in found:
        row: dict[str, Any] = {"card": case.subject.name, "under": under(case.lineup, case.holder)}
        for name in ("plays", "blocked", "moved"):
            row |= number(name, results.estimate(f"{case.key}/{name}"))
        rows.append(row | {"counted": results.estimate(f"{case.key}/moved").count})
    return Table(
        "use",
        "How each card was used in the back line",
        pd.DataFrame(rows),
        {
            "card": Column("card"),
            "under": Column("player against opponent"),
            "plays": Column("plays a game", "number", "plays_pm"),
            "blocked": Column("blocked by a queen", "percent", "blocked_pm"),
            "moved": Column("TP moved a play", "number", "moved_pm"),
            "counted": Column("of plays", "count"),
        },
        "TP moved: what the round gave its player with the effect, less what it would have given without it.",
    )


def _behind_table(results: Results, found: list[Case]) -> Table:
    import pandas as pd

    rows = []
    for case in found:
        row: dict[str, Any] = {"card": case.subject.name, "under": under(case.lineup, case.holder)}
        for i in range(len(case.subject.fronts)):
            row |= number(f"behind_{i}", results.estimate(f"{case.key}/behind_{i}"))
        rows.append(row)
    fronts = {
        f"behind_{i}": Column(f"behind {words}", "percent", f"behind_{i}_pm")
        for i, words in enumerate(found[0].subject.fronts)
    }
    return Table(
        "behind",
        "Behind which front line each card was played",
        pd.DataFrame(rows),
        {"card": Column("card"), "under": Column("player against opponent"), **fronts},
        "Share of the card's back-line plays by the value of the front line before doubling.",
    )


def _twins(asked: Asked, results: Results, played: list[Lineup]) -> tuple[list[Table], list[str]]:
    """Two cards that do one thing: counted, in every round with one of them unblocked, by trying the other instead."""
    import pandas as pd

    if not asked.game.twin_effects:
        return [], []
    rows = []
    for name in asked.game.twin_effects:
        counts = {
            field: sum(_sum(results, f"twin/{name}/{field}/{arm_name(lineup)}") for lineup in played)
            for field in ("unblocked", "twin_differs")
        }
        rows.append({"effect": name, **counts})
    columns = {
        "effect": Column("effect played, unblocked"),
        "unblocked": Column("rounds", "count"),
        "twin_differs": Column("rounds in which the other effect would have given another result", "count"),
    }
    frame = pd.DataFrame(rows)
    rounds, differs = int(frame["unblocked"].sum()), int(frame["twin_differs"].sum())
    clause, names = asked.game.twin_clause, listed(asked.game.twin_effects)
    if differs == 0:
        note = f"An unblocked {names} are one and the same effect ({clause}): in all {rounds:,} rounds with one of "
        note += "them, the other in its place would have cost the same player the same TP."
    else:
        note = f"An unblocked {names} differed in {differs:,} of {rounds:,} rounds under these rules ({clause})."
    how = "Each round with one of the effects unblocked was worked out again with the other in its place."
    table = Table("twins", f"Are {names} two effects or one?", frame, columns, how)
    return [table], [note] if rounds else []


def _sum(results: Results, name: str) -> int:
    tally: Any = results.tallies[name]
    return int(tally.sums[0])


def _forest(asked: Asked, results: Results, found: list[Case], verdicts: list[Verdict]) -> Chart:
    rows = [
        (
            v.under if _is_used(results, c) else f"{v.under} (never played)",
            f"the {c.subject.words}",
            *(v.estimate, v.low, v.high),
        )
        for c, v in zip(found, verdicts, strict=True)
    ]
    ends = [f"{c.subject.words} {v.estimate * 100:+.1f} under {v.under}" for c, v in zip(found, verdicts, strict=True)]

    def draw() -> Figure:
        from simkit.report.charts import forest

        return forest(rows, asked.experiment.margin)

    return Chart(
        "strength",
        "What having the card's effect adds to the win rate",
        f"Points of win rate a card adds, with intervals and the margin: {'; '.join(ends)}.",
        draw,
    )


KIND = Kind(
    "card_strength",
    "what is a card worth, and is it too strong",
    CardStrength,
    plan,
    answer,
)
