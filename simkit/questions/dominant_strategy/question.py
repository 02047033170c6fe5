"""The kind dominant_strategy: whether there is one right strategy, or strategies beat each other in a circle.

The payoff matrix of a pool is a game of its own, the meta-game. Its balanced mixture (Nash), cycles and alpha-rank are
found for the matrix as played and in resamples of the deals, which say how sure each is. All holds for that pool only.
"""

from __future__ import annotations

import math

from simkit.answer import Answer, Verdict
from simkit.plan import Results
from simkit.questions import coverage
from simkit.questions.base import Asked, Kind, listed
from simkit.questions.dominant_strategy.cases import DominantStrategy, grid_label, meetings, named_meetings, plan
from simkit.questions.dominant_strategy.charts import charts
from simkit.questions.dominant_strategy.metagame import Metagame, solve
from simkit.questions.dominant_strategy.search import BEST_ANSWER, FOLLOW_UP, BestAnswer, best_answer_of, payoffs_of
from simkit.questions.dominant_strategy.tables import choices_table, standings_table, surface_table
from simkit.questions.examples import replays
from simkit.questions.payoff_views import circle_notes, matrix_table, payoff_ladder
from simkit.questions.payoffs import Payoffs, payoff_wording
from simkit.questions.stakes import stakes_of
from simkit.questions.words import MOST_NAMED, needed, nothing_ended, points, toml_value
from simkit.stats.verdicts import judge

MOST_STALLS = 3


def answer(asked: Asked, results: Results) -> Answer:
    """Whether a row beats all others, the balanced mixture, and how far it is a circle."""
    payoffs = payoffs_of(asked, results)
    game = solve(asked, payoffs)
    best = best_answer_of(asked, results)
    rated = sorted(range(len(asked.labels)), key=lambda i: -game.ratings[i])
    views, drawn = payoff_ladder(asked, payoffs, rated), charts(asked, payoffs, game)
    named = named_meetings(asked)
    covered, dead = coverage.coverage_table(asked, results, [m.arm.name for m in named])
    return Answer(
        question=asked.experiment.title or f"Is there one right strategy in {asked.game.title}?",
        summary=_summary(asked, payoffs, game, best),
        headline=results.estimate(results.plan.headline),
        verdicts=(*(_verdict(payoffs, i) for i in range(len(asked.labels))), *_searched(asked, best)),
        tables=(
            standings_table(payoffs, game),
            choices_table(payoffs, game),
            *surface_table(asked, payoffs, game),
            matrix_table(payoffs),
            *views.tables(),
            covered,
        ),
        charts=(*drawn[:1], *views.charts(), *drawn[1:]),
        notes=(*_found(best), *circle_notes(payoffs), *_stalls(asked, results), *dead),
        replays=replays(asked, results, named[0].arm.lineup, named[0].arm.name) if len(asked.labels) > 1 else (),
        how_to_judge="Each strategy of the experiment is judged where it fares worst: 'too strong' is one that beats "
        "every other one by more than your margin (the right one, in this pool), 'too weak' one that loses to somebody "
        f"by more than that. Corrected for all pairs that were played.{_by_score(payoffs)}",
        unit=payoffs.stakes.unit_in_full,
    )


def _by_score(payoffs: Payoffs) -> str:
    return " Payoffs are scores less the mean of the table, whoever wins." if payoffs.stakes.by_score else ""


def _verdict(payoffs: Payoffs, one: int) -> Verdict:
    """The verdict where a strategy fares worst."""
    return payoffs.verdicts[one, payoffs.worst(one)]


def _searched(asked: Asked, best: BestAnswer | None) -> list[Verdict]:
    """The verdict on what the search has found, on fresh deals."""
    if best is None:
        return []
    under = f"{best.strategy} with other parameters against the balanced mixture"
    return judge([(BEST_ANSWER, best.gain, under)], asked.experiment.margin, payoff_wording(stakes_of(asked)))


def _summary(asked: Asked, payoffs: Payoffs, game: Metagame, best: BestAnswer | None) -> str:
    if nothing := nothing_ended(list(payoffs.verdicts.values())):
        return nothing
    found_better = any(verdict.verdict == "too strong" for verdict in _searched(asked, best))
    dominance = _dominance(payoffs, found_better)
    parts = [dominance, *_search_words(asked, best), _balance(payoffs, game), *_circle_share(game)]
    return " ".join([*parts, _scope(asked, payoffs)])


def _search_words(asked: Asked, best: BestAnswer | None) -> list[str]:
    """What the search found, and what it cost; that nothing was found is no proof that there is nothing."""
    if best is None:
        return []
    budget = f"{best.tries:,} sets of parameters of {best.strategy}, on {best.deals:,} deals each"
    (verdict,) = _searched(asked, best)
    found = (
        f"{points(best.gain)} {stakes_of(asked).unit} on fresh deals ({100 * best.in_search:+.1f} in the search itself)"
    )
    if verdict.verdict == "too strong":
        return [f"But a search ({budget}) found one that wins {found} against the pool's best."]
    if verdict.verdict == "undecided":
        return [f"Whether a search ({budget}) found a better one is open: {found} against the pool's best."]
    return [f"A search for a better one ({budget}) found none beyond your margin: {found} against the pool's best."]


def _dominance(payoffs: Payoffs, found_better: bool) -> str:
    """Whether one beats all others, none does, or it is open."""
    n, limit = len(payoffs.names), payoffs.stakes.within(payoffs.margin)
    standing = [payoffs.standing(i) for i in range(n)]
    if "beats all" in standing:
        best = standing.index("beats all")
        worst = payoffs.verdicts[best, payoffs.worst(best)]
        head = (
            f"The best of the {n} played here is not the last word"
            if found_better
            else f"Yes, there is one right strategy among these {n}"
        )
        return (
            f"{head}: {payoffs.names[best]} beats each of the others by more "
            f"than your margin of {limit}; the least, {points(worst)} {payoffs.stakes.unit}, against "
            f"{payoffs.names[payoffs.worst(best)]}."
        )
    unbeaten = [payoffs.names[i] for i in range(n) if standing[i] == "loses to none"]
    beaten = sum(word == "beaten" for word in standing)
    if unbeaten:
        return (
            f"No strategy beats all others by more than your margin of {limit}, but {listed(unbeaten[:MOST_NAMED])} "
            f"{'loses' if len(unbeaten) == 1 else 'lose'} to none of the {n} by more than that."
        )
    if beaten == n:
        return (
            f"No, there is no single right strategy among these {n}: each one loses to another by more than your "
            f"margin of {limit}."
        )
    open_ones = [payoffs.names[i] for i in range(n) if standing[i] == "open"]
    verdicts = [payoffs.verdicts[i, payoffs.worst(i)] for i in range(n) if standing[i] == "open"]
    return (
        f"No strategy is shown to beat all others: {beaten} of {n} lose to another by more than your margin of "
        f"{limit}, and it is open for {listed(open_ones[:MOST_NAMED])}"
        f"{f' and {len(open_ones) - MOST_NAMED} more' if len(open_ones) > MOST_NAMED else ''}. {needed(verdicts)}"
    )


def _balance(payoffs: Payoffs, game: Metagame) -> str:
    """The balanced mixture and how sure its members are."""
    from simkit.report import numbers

    if payoffs.seats > 2:
        return _stable(payoffs)
    order, sure = game.support, f"in {game.same_support:.0%} of the resamples"
    if len(order) == 1:
        return f"If everybody may choose, {payoffs.names[order[0]]} is the best choice ({sure})."
    parts = [f"{payoffs.names[i]} {numbers.percent(game.mixture[i], game.mixture_pm[i])}" for i in order]
    shown = (
        listed(parts)
        if len(parts) <= MOST_NAMED
        else f"{', '.join(parts[:MOST_NAMED])} and {len(parts) - MOST_NAMED} more"
    )
    return f"If everybody may choose, the balance is {shown} (of just these {len(order)} {sure})."


def _stable(payoffs: Payoffs) -> str:
    """At a table of more than two: what all could play without anybody gaining by another choice."""
    names = [payoffs.names[j] for j in payoffs.stable()]
    if not names:
        return "Whatever all the others play, another strategy does better alone among them: no choice is stable."
    where = f"{listed(names[:MOST_NAMED])}{' and others' if len(names) > MOST_NAMED else ''}"
    one = "is a stable choice" if len(names) == 1 else "are stable choices"
    return f"Where all play it, none of the others is shown to win more alone among them: {where} {one}."


def _circle_share(game: Metagame) -> list[str]:
    if math.isnan(game.cyclic_share):
        return []
    low, high = game.cyclic_range
    return [
        f"Of what strategies win against each other, {game.cyclic_share:.0%} ({low:.0%} to {high:.0%}) goes round in "
        "circles; the rest is better against worse."
    ]


def _scope(asked: Asked, payoffs: Payoffs) -> str:
    """What was searched."""
    of_grid = len(payoffs.names) - len(asked.labels)
    grid = f", {of_grid} of them {grid_label(asked)} with other parameters" if of_grid else ""
    return f"This speaks for the {len(payoffs.names)} strategies played here{grid}, and for no others."


def _found(best: BestAnswer | None) -> list[str]:
    """The parameters of the best answer, to be played with."""
    if best is None:
        return []
    values = ",".join(f"{name}={toml_value(value)}" for name, value in best.parameters.items())
    return [f"The best answer that the search has found is {best.strategy}:{values}."]


def _stalls(asked: Asked, results: Results) -> list[str]:
    """Games that did not end, and where most of them are; likewise games that nobody won."""
    notes = []
    for series, what in (("unfinished", "did not end by the rules"), ("without_winner", "ended without a winner")):
        found = {m.arm.name: results.moments(f"{series}/{m.arm.name}").sums for m in meetings(asked)}
        games, of = (sum(sums[i] for sums in found.values()) for i in (0, 1))
        if not games:
            continue
        worst = sorted(found.items(), key=lambda item: -item[1][0])[:MOST_STALLS]
        most = "; ".join(f"{some:,} of {all_:,} in {name}" for name, (some, all_) in worst if some)
        notes.append(f"{games:,} of {of:,} games {what}: most of them {most}.")
    return notes or ["All games came to an end by the rules."]


def _subjects(asked: Asked) -> list[str]:
    return [*asked.labels, *([BEST_ANSWER] if FOLLOW_UP.wanted(asked) else [])]


KIND = Kind(
    "dominant_strategy", "is there one right strategy", DominantStrategy, plan, answer, FOLLOW_UP, subjects=_subjects
)
