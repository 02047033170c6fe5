"""The kind duel: is one strategy stronger than another, and by how much.

Its verdicts are on strategies, each pair by itself: there is no ladder of others that they could be seen under.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from simkit.answer import Answer, Chart, Column, Estimate, Table, Verdict
from simkit.plan import Results
from simkit.questions import coverage, pool
from simkit.questions.base import Asked, Kind, Lineup, arm_name, half_width, number, shifted, under
from simkit.questions.duel.cases import Duel, lineups_of, pairs_name, plan, rate_name, test_of
from simkit.questions.examples import replays
from simkit.questions.forest import forest_chart
from simkit.questions.words import MOST_NAMED, needed, nothing_ended, within
from simkit.stats.always_valid import mean_always
from simkit.stats.duels import elo, elo_estimate, normalised_elo, superiority
from simkit.stats.ratios import share
from simkit.stats.verdicts import Wording, judge

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BALANCE = Wording(effect="its win rate differs from an even share by", of="")
HOW_TO_JUDGE = (
    "'Too strong' is said of the strategy named first when it wins more than an even share by more than the margin, "
    "'too weak' when it wins less by more than that; 'fair' means equally strong within the margin."
)
RESULTS = {
    "both_lost": "lost both games",
    "lost_and_drawn": "lost one, drew one",
    "even": "won one, lost one, or drew both",
    "won_and_drawn": "won one, drew one",
    "both_won": "won both games",
}


def answer(asked: Asked, results: Results) -> Answer:
    """A verdict a line-up: the first one's win rate against an even share."""
    found, even = lineups_of(asked), 1 / asked.seats
    cases = [(line[0], shifted(results.estimate(rate_name(line)), -even), under(line)) for line in found]
    verdicts = judge(cases, asked.experiment.margin, BALANCE)
    covered, dead = coverage.coverage_table(asked, results, [arm_name(line) for line in found])
    two = asked.seats == 2
    return Answer(
        question=asked.experiment.title or _question(found),
        summary=_summary(asked, results, found, verdicts),
        headline=results.estimate(results.plan.headline),
        verdicts=tuple(verdicts),
        tables=(_duel_table(asked, results, found), *(_two_seat_tables(asked, results, found) if two else ()), covered),
        charts=tuple(_charts(asked, results, found, verdicts)),
        notes=(
            *pool.gap_notes(asked, results, found),
            *_no_pairs(results, found if two else ()),
            *_two_answers(asked),
            *dead,
        ),
        replays=replays(asked, results, found[0], arm_name(found[0])),
        how_to_judge=HOW_TO_JUDGE,
    )


def _question(found: Sequence[Lineup]) -> str:
    if len(found) > 1:
        return "Which strategy is stronger?"
    return f"Is {found[0][0]} stronger than {found[0][-1]}?"


def counts_of(results: Results, lineup: Lineup) -> tuple[int, ...]:
    """Pairs of games by result, worst to best."""
    return results.moments(pairs_name(lineup)).sums


def elo_of(results: Results, lineup: Lineup) -> Estimate:
    """The Elo difference, from the deals whose two games both count; infinite ends where every game was won or lost."""
    rate = results.estimate(rate_name(lineup))
    usual = share(results.moments(rate_name(lineup)))
    found = elo_estimate(counts_of(results, lineup), (usual.low, usual.high))
    if results.plan.always_valid and found.count:
        return replace(found, low=elo(rate.low), high=elo(rate.high))
    return found


def elo_words(estimate: Estimate) -> str:
    """`+35.2 ± 1.4 Elo`, or what can be said when every game went one way."""
    from simkit.report import numbers

    if estimate.value == math.inf:
        return f"every game won; at least {numbers.number(estimate.low, decimals=0, signed=True)} Elo"
    if estimate.value == -math.inf:
        return f"every game lost; at most {numbers.number(estimate.high, decimals=0, signed=True)} Elo"
    return f"{numbers.number(estimate.value, half_width(_finite(estimate)), signed=True)} Elo"


def _finite(estimate: Estimate) -> Estimate:
    """The estimate without what is infinite."""
    value, low, high = (
        number if math.isfinite(number) else math.nan for number in (estimate.value, estimate.low, estimate.high)
    )
    return replace(estimate, value=value, low=low, high=high)


def _summary(asked: Asked, results: Results, found: Sequence[Lineup], verdicts: Sequence[Verdict]) -> str:
    """What the test says, if there is one; then who is stronger, by how much, duel by duel."""
    if nothing := nothing_ended(verdicts):
        return nothing
    told = [_told(asked, results, line, verdict) for line, verdict in zip(found, verdicts, strict=True)]
    more = [f"{len(told) - MOST_NAMED} more duels are in the tables."] if len(told) > MOST_NAMED else []
    undecided = [verdict for verdict in verdicts if verdict.verdict == "undecided"]
    open_ones = [needed(undecided)] if undecided and test_of(asked) is None else []
    return " ".join([*_test_words(asked, results, found), *told[:MOST_NAMED], *more, *open_ones])


def _told(asked: Asked, results: Results, lineup: Lineup, verdict: Verdict) -> str:
    """One duel in a sentence."""
    from simkit.report import numbers

    rate = results.estimate(rate_name(lineup))
    if math.isnan(rate.value):
        return f"Nothing is known of {under(lineup)}: no game counts."
    strength = (
        f" ({elo_words(elo_of(results, lineup))})" if asked.seats == 2 and any(counts_of(results, lineup)) else ""
    )
    share_won = numbers.percent(rate.value, half_width(rate))
    won = f"it wins {share_won} of games{'' if asked.seats == 2 else f', an even share being {1 / asked.seats:.1%}'}"
    limit = f"your margin of {within(asked.experiment.margin)}"
    first, other = lineup[0], under(lineup).removeprefix(f"{lineup[0]} against ")
    match verdict.verdict:
        case "too strong":
            return f"{first} is stronger than {other}, beyond {limit}: {won}{strength}."
        case "too weak":
            return f"{first} is weaker than {other}, beyond {limit}: {won}{strength}."
        case "fair":
            return f"{first} and {other} are equally strong within {limit}: {first} wins {won[8:]}{strength}."
        case _:
            return f"Whether {first} differs from {other} by more than {limit} is not decided: {won}{strength}."


def _test_words(asked: Asked, results: Results, found: Sequence[Lineup]) -> list[str]:
    """What the sequential test says, with its bounds and its chances of error."""
    test = test_of(asked)
    if test is None:
        return []
    counts = counts_of(results, found[0])
    evidence, (lower, upper) = float(test.ratio(counts)), test.bounds
    shown, low, high = (f"{number:+.2f}".replace("-", "−") for number in (evidence, lower, upper))
    zero, one = (f"{value:+g}".replace("-", "−") if value else "0" for value in (test.elo0, test.elo1))
    deals, who = f"{results.moments(rate_name(found[0])).n:,} deals", found[0][0]
    errors = (
        f"Such a test takes a difference of {zero} Elo for {one} with a chance of about {100 * test.alpha:g} % at "
        f"most, and one of {one} for {zero} with about {100 * test.beta:g} %."
    )
    decision = test.decision(counts)
    if decision == "undecided":
        ends = f"its evidence of {shown} lies between the bounds of {low} and {high}"
        return [f"The sequential test of {zero} against {one} Elo is not decided after {deals}: {ends}.", errors]
    winner, loser, side, bound = (one, zero, "upper", high) if decision == "elo1" else (zero, one, "lower", low)
    stronger = f"{who} is stronger than {found[0][-1]}: " if decision == "elo1" and test.elo0 >= 0 else ""
    told = (
        f"{stronger}after {deals} the sequential test decided for {winner} Elo of {who} rather than {loser}, as its "
        f"evidence of {shown} passed the {side} bound of {bound}."
    )
    return [told if stronger else told[0].upper() + told[1:], errors]


def _duel_table(asked: Asked, results: Results, found: Sequence[Lineup]) -> Table:
    import pandas as pd

    rows = []
    for line in found:
        rate, even = results.estimate(rate_name(line)), 1 / asked.seats
        row: dict[str, Any] = {"under": under(line), **number("win_rate", rate)}
        row |= number("elo", _finite(elo_of(results, line))) if asked.seats == 2 else {}
        row |= {"superiority": superiority(rate, even), **number("lead", results.estimate(f"lead/{arm_name(line)}"))}
        rows.append(row | {"games": rate.count})
    columns = {
        "under": Column("strategies"),
        "win_rate": Column("games won", "percent", "win_rate_pm"),
        "elo": Column("Elo difference", "number", "elo_pm"),
        "superiority": Column("likelihood that it is the stronger", "percent"),
        "lead": Column(f"score above the others' ({asked.game.score_unit})", "number", "lead_pm"),
        "games": Column("games", "count"),
    }
    how = (
        "All of the strategy named first. The likelihood that it is the stronger is for one look at the end, as if "
        "nothing was known before; it does not say by how much."
    )
    if asked.seats == 2:
        how += " 400 Elo are odds of ten to one. A dash: every game went one way, or none counts."
    else:
        how += f" An even share is {1 / asked.seats:.1%}. A dash: no game counts."
        del columns["elo"]
    return Table("duels", "Who is stronger", pd.DataFrame(rows), columns, how)


def _two_seat_tables(asked: Asked, results: Results, found: Sequence[Lineup]) -> list[Table]:
    """The counts of pairs, and the sequential test."""
    import pandas as pd

    rows = []
    for line in found:
        counts = counts_of(results, line)
        normalised = normalised_elo(counts)
        normalised = mean_always(normalised) if results.plan.always_valid else normalised
        no_pair = results.moments(rate_name(line)).n - sum(counts)
        row = {"under": under(line), **dict(zip(RESULTS, counts, strict=True)), "no_pair": no_pair}
        rows.append(row | number("normalised_elo", normalised))
    columns = {"under": Column("strategies")} | {key: Column(words, "count") for key, words in RESULTS.items()}
    columns["no_pair"] = Column("no pair", "count")
    columns["normalised_elo"] = Column("normalised Elo", "number", "normalised_elo_pm")
    how = (
        "Deals by what the strategy named first made of their two games, one from each seat. No pair: a game of the "
        "deal counts in no win rate. Normalised Elo is the difference in standard deviations, on Elo's scale: the same "
        "number takes as many games to see in any game. A dash: all pairs ended alike, or there are none."
    )
    table = Table("pairs", "Pairs of games, one deal from both seats", pd.DataFrame(rows), columns, how)
    return [table, *_test_table(asked, results, found)]


def _test_table(asked: Asked, results: Results, found: Sequence[Lineup]) -> list[Table]:
    import pandas as pd

    test = test_of(asked)
    if test is None:
        return []
    counts = counts_of(results, found[0])
    words = {"elo0": f"{test.elo0:g} Elo", "elo1": f"{test.elo1:g} Elo", "undecided": "not decided"}
    row = {"elo0": test.elo0, "elo1": test.elo1, "lower": test.bounds[0], "evidence": float(test.ratio(counts))}
    row |= {"upper": test.bounds[1], "alpha": test.alpha, "beta": test.beta}
    columns = {
        "decision": Column("decided for"),
        "evidence": Column("evidence", "number"),
        "lower": Column("lower bound", "number"),
        "upper": Column("upper bound", "number"),
        "alpha": Column(f"error at {test.elo0:g} Elo, at most", "percent"),
        "beta": Column(f"error at {test.elo1:g} Elo, at most", "percent"),
        "pairs": Column("pairs", "count"),
    }
    frame = pd.DataFrame([row | {"decision": words[test.decision(counts)], "pairs": sum(counts)}])
    how = (
        "The evidence is the logarithm of how much likelier the pairs are at the higher Elo than at the lower one (a "
        "generalised sequential probability ratio test). The run ends when it passes a bound."
    )
    return [Table("test", "The sequential test", frame, columns, how)]


def _charts(asked: Asked, results: Results, found: Sequence[Lineup], verdicts: Sequence[Verdict]) -> list[Chart]:
    title = "How much more than an even share the strategy named first wins"
    charts = [forest_chart(asked, verdicts, "duels", title, " above an even share")]
    if asked.seats == 2:
        charts.append(_pair_chart(results, found))
    return [*charts, pool.length_chart(asked, results, found)]


def _pair_chart(results: Results, found: Sequence[Lineup]) -> Chart:
    counts = {under(line): counts_of(results, line) for line in found}
    title = "What the strategy named first made of the two games of a deal"

    def draw() -> Figure:
        from simkit.report.charts import histogram

        data = {label: (list(range(len(RESULTS))), list(some)) for label, some in counts.items()}
        return histogram(data, "points in two games: 2 for a win, 1 for a draw", "deals")

    told = "; ".join(
        f"{label}: {', '.join(f'{words} {n:,}' for words, n in zip(RESULTS.values(), some, strict=True))}"
        for label, some in counts.items()
    )
    return Chart("pairs", title, f"{title}, in deals. {told}.", draw)


def _no_pairs(results: Results, found: Sequence[Lineup]) -> list[str]:
    """Deals that are in no count of pairs."""
    missing = {under(line): results.moments(rate_name(line)).n - sum(counts_of(results, line)) for line in found}
    told = "; ".join(f"{n:,} under {name}" for name, n in missing.items() if n)
    note = "Deals that make no pair, because one of their games counts in no win rate: "
    rest = "They are in no Elo and no test; the other game, if it counts, is in the win rate."
    return [f"{note}{told}. {rest}"] if told else []


def _two_answers(asked: Asked) -> list[str]:
    """Why a test may be decided and the verdict not."""
    if test_of(asked) is None:
        return []
    return [
        "The test and the verdict answer different questions: the test chooses between two strengths, the verdict says "
        "on which side of the margin the win rate is, from an interval that holds whenever the run is stopped."
    ]


def _subjects(asked: Asked) -> list[str]:
    return [line[0] for line in lineups_of(asked)]


KIND = Kind(
    "duel",
    "is one strategy stronger than another, and by how much",
    Duel,
    plan,
    answer,
    of_wins=True,
    subjects=_subjects,
)
