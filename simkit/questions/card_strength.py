"""The kind card_strength: what a card is worth, and whether it is too strong.

Causal: the same deals with the card's effect on and off for one of the players, and a player barred from using the
card (restricted play; Jaffe et al. 2012, "Evaluating competitive game balance with restricted play"). Observational:
win rates given the opening hand, cards drawn and cards played, which are biased (the tables say how) but are what
players see.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from simkit.answer import Answer, Chart, Estimate, Judgement, Verdict
from simkit.games.base import Subject
from simkit.plan import Results
from simkit.questions import card_tables, coverage, pool
from simkit.questions.base import Asked, Kind, Lineup, arm_name, is_mirror, listed, under
from simkit.questions.card_cases import CardStrength, Case, cases, plan, played_lineups
from simkit.questions.examples import replays
from simkit.questions.ladder import Ladder, Seen, ladder_of
from simkit.questions.ladder_views import LadderViews
from simkit.questions.words import MOST_NAMED, nothing_ended, points, span, within
from simkit.stats.verdicts import Wording, judge

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HOW_TO_JUDGE = (
    "The margin judges what {what} adds to the win rate of its holder. A useful card is meant to add "
    "something: 'too strong' says that it adds more than the margin. Whether it is out of line, only the comparison "
    "with the other cards shows."
)
ORDER: tuple[Judgement, ...] = ("too strong", "too weak", "fair", "undecided")
NEVER = "never played"


def answer(asked: Asked, results: Results) -> Answer:
    """Verdicts a card and line-up, the tables behind them, and what else was seen."""
    found = cases(asked)
    verdicts = _verdicts(asked, results, found)
    played = played_lineups(found)
    mirror = (pool.strongest(asked, results),) * asked.seats
    covered, dead = coverage.coverage_table(asked, results, [arm_name(lineup) for lineup in played])
    twin_table, twin_notes = card_tables.twin_table(asked, results, played)
    tables = [
        *card_tables.compared_table(results, found),
        card_tables.strength_table(asked, results, found, verdicts),
        *card_tables.use_table(asked, results, found),
        *card_tables.behind_table(results, found),
        card_tables.seen_table(asked, results, found),
        *twin_table,
    ]
    path, ladder = pool.path_chart(asked, results, mirror), ladder_of(asked, results, played)
    views = _views(results, ladder, found, verdicts)
    tables += views.tables()
    charts = [_forest(asked, results, found, verdicts), *views.charts(), *([path] if path else [])]
    charts.append(pool.length_chart(asked, results, asked.mirrors()))
    if len(asked.labels) > 1:
        tables.append(pool.matrix_table(asked, results))
        charts.append(pool.matrix_chart(asked, results))
    return Answer(
        question=asked.experiment.title or _question(found),
        summary=_summary(asked, results, found, verdicts, ladder),
        headline=results.estimate(f"{found[0].key}/effect"),
        verdicts=tuple(verdicts),
        tables=(*tables, covered),
        charts=tuple(charts),
        notes=(
            *twin_notes,
            *pool.pool_notes(asked, results),
            *pool.gap_notes(asked, results, _all_lineups(asked)),
            *dead,
        ),
        replays=replays(asked, results, mirror, arm_name(mirror)),
        how_to_judge=HOW_TO_JUDGE.format(what=_cause(found)),
    )


def _all_lineups(asked: Asked) -> list[Lineup]:
    return [*asked.mirrors(), *(arm.lineup for arm in pool.pool_arms(asked))]


def _verdicts(asked: Asked, results: Results, found: Sequence[Case]) -> list[Verdict]:
    judged = [case for case in found if case.is_judged]
    effects = [(c.subject.name, results.estimate(f"{c.key}/effect"), c.under) for c in judged]
    verdicts = judge(effects, asked.experiment.margin, Wording(effect=_adds(found)))
    fair = f"(fair within {within(asked.experiment.margin)}): it is never played there."
    return [
        v if case.is_used(results) else replace(v, sentence=f"{v.subject} changes nothing under {v.under} {fair}")
        for case, v in zip(judged, verdicts, strict=True)
    ]


def _question(found: Sequence[Case]) -> str:
    words = list(dict.fromkeys(f"the {case.subject.words}" for case in found if case.is_judged))
    return f"Is {listed(words)} too strong?" if len(words) == 1 else f"Are {listed(words)} too strong?"


def _views(results: Results, ladder: Ladder, found: Sequence[Case], verdicts: Sequence[Verdict]) -> LadderViews:
    """What each card adds over the strength of play, where it is played."""
    judged = iter(verdicts)
    seen: list[Seen] = []
    for case in found:
        verdict = next(judged) if case.is_judged else None
        if case.is_used(results):
            effect = Seen.of(_the(case.subject), case.under, results.estimate(f"{case.key}/effect"))
            seen += [Seen.judged(verdict, effect.subject) if verdict else effect]
    return LadderViews(ladder, seen, f"What {_cause(found)} adds to the win rate")


def _the(subject: Subject) -> str:
    return f"the {subject.words}"


def _summary(asked: Asked, results: Results, found: Sequence[Case], verdicts: Sequence[Verdict], ladder: Ladder) -> str:
    """Each card's verdicts and how it compares; of several that can be, which is worth most, then all of them."""
    if nothing := nothing_ended(verdicts):
        return nothing
    judged = list(dict.fromkeys(case.subject for case in found if case.is_judged))
    compared = _comparison(asked, results, found) if len({c.subject for c in _comparable(found)}) > 1 else []
    if len(judged) > 1 and compared:
        used = [v for c, v in zip([c for c in found if c.is_judged], verdicts, strict=True) if c.is_used(results)]
        words = {case.subject.name: _the(case.subject) for case in found}
        return " ".join([*ladder.flip(used, words.__getitem__), *_most_worth(results, found), *compared])
    pairs = list(zip([c for c in found if c.is_judged], verdicts, strict=True))
    sentences: list[str] = []
    for subject in judged:
        mine = [(c, v) for c, v in pairs if c.subject == subject]
        used = [v for c, v in mine if c.is_used(results)]
        idle = listed(dict.fromkeys(c.lineup[c.holder] for c, _ in mine if not c.is_used(results)) or [""])
        head = ladder.head(used)
        text = _card_sentence(subject.words, _adds(found), used, idle, asked.experiment.margin, head)
        sentences.insert(0 if head else len(sentences), text)
    return " ".join([*sentences, *compared])


def _adds(found: Sequence[Case]) -> str:
    """What is measured: an effect that can be switched off, or else being free to use the card."""
    return "its effect adds" if any(case.subject.switch for case in found) else "being free to use it adds"


def _cause(found: Sequence[Case]) -> str:
    """The same without a card in mind."""
    return "having a card's effect" if any(case.subject.switch for case in found) else "being free to use a card"


def _card_sentence(words: str, adds: str, used: Sequence[Verdict], idle: str, margin: float, head: str) -> str:
    """One card's verdicts; that they flip (`head`) or depend on who plays is said first. `idle` never play the card."""
    limit = f"your margin is {within(margin)}"
    if not used:
        return f"Nothing can be said about the {words}: it is never played by {idle}."
    groups = {word: [v for v in used if v.verdict == word] for word in ORDER}
    parts = [f"{word} under {_seen(group)}" for word, group in groups.items() if group]
    never = f"never played by {idle}"
    if len(parts) == 1:
        rest = f" It is {never}." if idle else ""
        return f"The {words} is {parts[0]}, by what {adds} to the win rate; {limit}.{rest}"
    parts += [never] if idle else []
    head = head or "It depends on who plays"
    return f"{head}. By what {adds} to the win rate, the {words} is {listed(parts)}; {limit}."


def _seen(verdicts: Sequence[Verdict]) -> str:
    """Where verdicts were seen, with the effect of each (95 % intervals), or of many the smallest and the largest."""
    if len(verdicts) <= MOST_NAMED:
        return listed(f"{v.under} ({points(v)} points)" for v in verdicts)
    return f"{listed(v.under for v in verdicts)} ({span(verdicts)} points)"


def _comparable(found: Sequence[Case]) -> list[Case]:
    """The cards that can be compared with each other: those with an effect to switch off; all, where none has one."""
    return [case for case in found if case.subject.switch] or list(found)


def _ranked(results: Results, found: Sequence[Case], lineup: Lineup, holder: int = 0) -> list[tuple[Case, Estimate]]:
    """The cards in one line-up, by what they add, the most first."""
    mine = [c for c in _comparable(found) if (c.lineup, c.holder) == (lineup, holder)]
    return sorted(((c, results.estimate(f"{c.key}/effect")) for c in mine), key=lambda pair: -pair[1].value)


def _most_worth(results: Results, found: Sequence[Case]) -> list[str]:
    """Which card is worth most to whom; cards whose intervals overlap with the best one's share the place."""
    best: dict[str, list[tuple[str, Estimate]]] = {}
    alone = all(is_mirror(case.lineup) for case in found)
    for lineup, holder in dict.fromkeys((c.lineup, c.holder) for c in found):
        ranked = _ranked(results, found, lineup, holder)
        if len(ranked) > 1:
            effect = ranked[0][1]
            words = " or ".join(f"the {case.subject.words}" for case, other in ranked if other.high >= effect.low)
            words = words.replace(" or ", ", ", words.count(" or ") - 1)
            best.setdefault(words, []).append((lineup[0] if alone else under(lineup, holder), effect))
    if not best:
        return []
    parts = [
        f"{words} under {listed(f'{who} ({points(e)})' for who, e in seen)}"
        if len(seen) <= MOST_NAMED
        else f"{words} under {listed(who for who, _ in seen)} ({_reach([e for _, e in seen])})"
        for words, seen in best.items()
    ]
    itself = ", each strategy against itself" if alone else ""
    if len(parts) == 1:
        return [f"What adds most to the win rate (in points{itself}) is {parts[0]}."]
    return [f"Which card is worth most depends on who plays (in points of win rate{itself}): {'; '.join(parts)}."]


def _reach(effects: Sequence[Estimate]) -> str:
    ordered = sorted(effects, key=lambda e: e.value)
    return f"{points(ordered[0])} to {points(ordered[-1])}"


def _focus(asked: Asked, results: Results, found: Sequence[Case]) -> Lineup:
    """The line-up that stands for good play: the strongest strategy's own, or its nearest to that."""
    label, played = pool.strongest(asked, results), played_lineups(list(found))
    return max(played, key=lambda lineup: (lineup.count(label) / len(lineup), lineup[0] == label))


def _comparison(asked: Asked, results: Results, found: Sequence[Case]) -> list[str]:
    """All cards beside each other where play is strongest."""
    lineup = _focus(asked, results, found)
    ranked = _ranked(results, found, lineup)
    if len(ranked) < 2:
        return []
    words = listed(f"{case.subject.words} {points(effect)}" for case, effect in ranked)
    best = ", the strongest strategy here" if len(asked.labels) > 1 else ""
    what = "the effects add" if any(case.subject.switch for case in found) else "being free to use them adds"
    text = f"Card beside card, under {under(lineup)}{best}, {what}, in points: {words}"
    for case in found:
        if (case.lineup, case.holder) == (lineup, 0) and case not in _comparable(found) and case.is_judged:
            text += f"; to be free to use a {case.subject.words} adds {points(results.estimate(f'{case.key}/effect'))}"
    return [f"{text}."]


def _forest(asked: Asked, results: Results, found: Sequence[Case], verdicts: Sequence[Verdict]) -> Chart:
    judged = {(v.subject, v.under): v for v in verdicts}
    rows = []
    for case in found:
        if not (case.is_judged or case.is_used(results)):
            continue
        verdict, effect = judged.get((case.subject.name, case.under)), results.estimate(f"{case.key}/effect")
        low, high = (verdict.low, verdict.high) if verdict else (effect.low, effect.high)
        group = f"the {case.subject.words}"
        group += "" if case in _comparable(found) else " (free to use it or barred)"
        group += "" if case.is_judged else ", for comparison"
        ends = (effect.value, low, high) if case.is_used(results) else (math.nan,) * 3
        rows.append((case.under, group, *ends))
    words = "; ".join(
        f"{group} {NEVER if math.isnan(value) else f'{value * 100:+.1f}'} under {name}"
        for name, group, value, _, _ in rows
    )

    def draw() -> Figure:
        from simkit.report.charts import forest

        return forest(rows, asked.experiment.margin, not_seen=NEVER)

    return Chart(
        "strength",
        f"What {_cause(found)} adds to the win rate",
        f"Points of win rate a card adds, with intervals and the margin: {words}.",
        draw,
    )


KIND = Kind(
    "card_strength",
    "what is a card worth, and is it too strong",
    CardStrength,
    plan,
    answer,
    of_wins=True,
    subjects=lambda asked: (case.subject.name for case in cases(asked) if case.is_judged),
)
