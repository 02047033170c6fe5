"""The kind card_strength: what a card is worth, and whether it is too strong.

Causal: the same deals with the card's effect on and off for one of the players, and a player barred from using the
card (restricted play; Jaffe et al. 2012, "Evaluating competitive game balance with restricted play"). Observational:
win rates given the opening hand, cards drawn and cards played, which are biased (the tables say how) but are what
players see.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from simkit.answer import Answer, Chart, Estimate, Judgement, Verdict
from simkit.games.base import Subject
from simkit.plan import Results
from simkit.questions import coverage, pool
from simkit.questions.base import Asked, Kind, Lineup, arm_name, listed, under
from simkit.questions.card_strength import tables as card_tables
from simkit.questions.card_strength.cases import RANKED, CardStrength, Case, cases, comparable, plan, played_lineups
from simkit.questions.card_strength.ranking import (
    EFFECT,
    FIRST_HAND,
    Order,
    main_first,
    orders,
    ranking_chart,
    ranking_table,
    strongest_cards,
)
from simkit.questions.examples import replays
from simkit.questions.ladder import Ladder, Seen, ladder_of
from simkit.questions.ladder_views import LadderViews
from simkit.questions.words import MOST_NAMED, needed, nothing_ended, points, span, within
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
DEALT, DEALT_ADDS = "being dealt a card", "being dealt it adds"
DEALT_HOW = (
    "{cards} are judged by the first hand: the win rate with the card dealt less the win rate without. Chance deals, "
    "so that this is what it is worth to be dealt the card in place of another one; the deals are not the same."
)


def answer(asked: Asked, results: Results) -> Answer:
    """Verdicts a card and line-up, the tables behind them, and what else was seen."""
    found = cases(asked)
    verdicts = _verdicts(asked, results, found)
    played = played_lineups(found)
    mirror = (pool.strongest(asked, results),) * asked.seats
    covered, dead = coverage.coverage_table(asked, results, [arm_name(lineup) for lineup in played])
    twin_table, twin_notes = card_tables.twin_table(asked, results, played)
    adds, by = _adds(found), {measure: orders(results, found, measure) for measure in RANKED}
    tables = [
        *ranking_table(found, by, adds),
        *card_tables.compared_table(results, found),
        *card_tables.strength_table(asked, results, found, verdicts),
        *card_tables.use_table(asked, results, found),
        *card_tables.behind_table(results, found),
        card_tables.seen_table(asked, results, found),
        *twin_table,
    ]
    path, ladder = pool.path_chart(asked, results, mirror), ladder_of(asked, results, played)
    views = _views(results, ladder, found, verdicts)
    tables += views.tables()
    charts = [*_strength_charts(asked, results, found, verdicts, by), *views.charts(), *([path] if path else [])]
    charts.append(pool.length_chart(asked, results, asked.mirrors()))
    if len(asked.labels) > 1:
        tables.append(pool.matrix_table(asked, results))
        charts.append(pool.matrix_chart(asked, results))
    return Answer(
        question=asked.experiment.title or _question(found),
        summary=_summary(asked, results, found, verdicts, by, ladder),
        headline=results.estimate(found[0].judged_by),
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
        how_to_judge=_how_to_judge(found),
    )


def _all_lineups(asked: Asked) -> list[Lineup]:
    return [*asked.mirrors(), *(arm.lineup for arm in pool.pool_arms(asked))]


def _verdicts(asked: Asked, results: Results, found: Sequence[Case]) -> list[Verdict]:
    judged = [case for case in found if case.is_judged]
    effects = [(c.subject.name, results.estimate(c.judged_by), c.under) for c in judged]
    wordings = [Wording(effect=_adds(found) if c.subject.is_causal else DEALT_ADDS) for c in judged]
    verdicts = judge(effects, asked.experiment.margin, wordings)
    return [
        v if case.is_used(results) or math.isnan(v.estimate) else replace(v, sentence=_idle(v))
        for case, v in zip(judged, verdicts, strict=True)
    ]


def _idle(verdict: Verdict) -> str:
    """The verdict on a card that nobody played: it does nothing, once there are deals enough to say so."""
    limit = within(verdict.margin)
    more = f", {needed([verdict])[:-1].lower()}" if verdict.verdict == "undecided" else ""
    word = f"{verdict.verdict} within {limit}{more}"
    return f"{verdict.subject} changes nothing under {verdict.under} ({word}): it is never played there."


def _question(found: Sequence[Case]) -> str:
    words = list(dict.fromkeys(f"the {case.subject.words}" for case in found if case.is_judged))
    if len(words) > card_tables.MOST_BESIDE:
        return "Which card is too strong?"
    return f"Is {listed(words)} too strong?" if len(words) == 1 else f"Are {listed(words)} too strong?"


def _views(results: Results, ladder: Ladder, found: Sequence[Case], verdicts: Sequence[Verdict]) -> LadderViews:
    """What each card adds over the strength of play, where it is played."""
    judged = iter(verdicts)
    seen: list[Seen] = []
    for case in found:
        verdict = next(judged) if case.is_judged else None
        if case.is_used(results):
            effect = Seen.of(_the(case.subject), case.under, results.estimate(case.judged_by))
            seen += [Seen.judged(verdict, effect.subject) if verdict else effect]
    return LadderViews(ladder, seen, f"What {_cause(found)} adds to the win rate")


def _the(subject: Subject) -> str:
    return f"the {subject.words}"


def _summary(
    asked: Asked,
    results: Results,
    found: Sequence[Case],
    verdicts: Sequence[Verdict],
    by: Mapping[str, Sequence[Order]],
    ladder: Ladder,
) -> str:
    """Of several cards that can be compared the strongest; otherwise each card's verdicts."""
    if nothing := nothing_ended(verdicts):
        return nothing
    judged = list(dict.fromkeys(case.subject for case in found if case.is_judged))
    compared = _comparison(asked, results, found) if len({c.subject for c in comparable(found)}) > 1 else []
    effect = strongest_cards(by[EFFECT], _cause(found))
    used = [v for c, v in zip([c for c in found if c.is_judged], verdicts, strict=True) if c.is_used(results)]
    flip = ladder.flip(used, {case.subject.name: _the(case.subject) for case in found}.__getitem__)
    if not all(case.subject.is_causal for case in found) and by[FIRST_HAND]:
        return " ".join([*flip, *strongest_cards(by[FIRST_HAND], DEALT), *effect[:1]])
    if len(judged) > 1 and effect:
        return " ".join([*flip, *effect, *compared])
    pairs = list(zip([c for c in found if c.is_judged], verdicts, strict=True))
    sentences: list[str] = []
    for subject in judged:
        mine = [(c, v) for c, v in pairs if c.subject == subject]
        used = [v for c, v in mine if c.is_used(results)]
        idle = listed(dict.fromkeys(c.lineup[c.holder] for c, _ in mine if not c.is_used(results)) or [""])
        head = ladder.head(used)
        adds = _adds(found) if subject.is_causal else DEALT_ADDS
        text = _card_sentence(subject.words, adds, used, idle, asked.experiment.margin, head)
        sentences.insert(0 if head else len(sentences), text)
    return " ".join([*sentences, *compared])


def _adds(found: Sequence[Case]) -> str:
    """What is measured: an effect that can be switched off, or else being free to use the card."""
    return "its effect adds" if any(case.subject.switch for case in found) else "being free to use it adds"


def _cause(found: Sequence[Case]) -> str:
    """The same without a card in mind."""
    if not any(case.subject.is_causal for case in found):
        return DEALT
    return "having a card's effect" if any(case.subject.switch for case in found) else "being free to use a card"


def _how_to_judge(found: Sequence[Case]) -> str:
    """What the margin judges: of cards that nobody can be barred from, what it is worth to be dealt them."""
    causal = [case for case in found if case.subject.is_causal]
    parts = [HOW_TO_JUDGE.format(what=_cause(found))] if causal else []
    if len(causal) < len(found):
        words = listed(dict.fromkeys(case.subject.words for case in found if case not in causal))
        parts.append(DEALT_HOW.format(cards=f"These ({words})" if causal else "The cards"))
    return " ".join(parts)


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


def _ranked(results: Results, found: Sequence[Case], lineup: Lineup, holder: int = 0) -> list[tuple[Case, Estimate]]:
    """The cards in one line-up, by what they add, the most first."""
    mine = [c for c in comparable(found) if (c.lineup, c.holder) == (lineup, holder)]
    return sorted(((c, results.estimate(f"{c.key}/effect")) for c in mine), key=lambda pair: -pair[1].value)


def _focus(asked: Asked, results: Results, found: Sequence[Case]) -> Lineup:
    """The line-up that stands for good play: the strongest strategy's own, or its nearest to that."""
    label, played = pool.strongest(asked, results), played_lineups(list(found))
    return max(played, key=lambda lineup: (lineup.count(label) / len(lineup), lineup[0] == label))


def _comparison(asked: Asked, results: Results, found: Sequence[Case]) -> list[str]:
    """All cards beside each other where play is strongest."""
    lineup = _focus(asked, results, found)
    ranked = _ranked(results, found, lineup)
    if not 2 <= len(ranked) <= card_tables.MOST_BESIDE:
        return []
    words = listed(f"{case.subject.words} {points(effect)}" for case, effect in ranked)
    best = ", the strongest strategy here" if len(asked.labels) > 1 else ""
    what = "the effects add" if any(case.subject.switch for case in found) else "being free to use them adds"
    text = f"Card beside card, under {under(lineup)}{best}, {what}, in points: {words}"
    barred = [case for case in found if case.subject.bar and case not in comparable(found)]
    for case in barred:
        if (case.lineup, case.holder) == (lineup, 0) and case.is_judged:
            text += f"; to be free to use a {case.subject.words} adds {points(results.estimate(f'{case.key}/effect'))}"
    return [f"{text}."]


def _strength_charts(
    asked: Asked,
    results: Results,
    found: Sequence[Case],
    verdicts: Sequence[Verdict],
    by: Mapping[str, Sequence[Order]],
) -> list[Chart]:
    """The cards against the margin, and all of them in order; first what every card has."""
    causal = [case for case in found if case.subject.is_causal]
    measure = main_first(found)[0]
    what = _cause(found) if measure == EFFECT else DEALT
    order = [ranking_chart(by[measure], _focus(asked, results, found), what)] if by[measure] else []
    if measure == EFFECT:
        return [_forest(asked, results, found, verdicts), *order]
    shown = causal if order else found
    return [*order, *([_forest(asked, results, shown, verdicts)] if shown else [])]


def _forest(asked: Asked, results: Results, found: Sequence[Case], verdicts: Sequence[Verdict]) -> Chart:
    judged = {(v.subject, v.under): v for v in verdicts}
    rows = []
    for case in found:
        if not (case.is_judged or case.is_used(results)):
            continue
        verdict, effect = judged.get((case.subject.name, case.under)), results.estimate(case.judged_by)
        low, high = (verdict.low, verdict.high) if verdict else (effect.low, effect.high)
        group = f"the {case.subject.words}"
        group += "" if case in comparable(found) or not case.subject.is_causal else " (free to use it or barred)"
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
