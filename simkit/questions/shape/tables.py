"""The tables, charts and notes of the kind shape: what each number means, and where the meaning comes from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from simkit.answer import Chart, Column, Estimate, Table
from simkit.course_measures import CLASSES
from simkit.plan import Results
from simkit.questions import pool
from simkit.questions.base import Asked, Lineup, arm_name, half_width, number, under
from simkit.questions.examples import length_name
from simkit.trace import BITS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COMEBACKS = (25, 10)  # per cent: a winner's chance that makes a comeback
PARTS = tuple(range(10, 100, 10))  # per cent of a game's decisions
WHO = Column("strategies")
UNKNOWN_LUCK = {"luck": math.nan, "luck_pm": math.nan}
LUCK = (
    "Luck of the deal: each deal is played twice, with the seats swapped; how far the result goes with the cards "
    "rather than with the player (−Cov/Var of a player's two results, 100 % when the better cards always win). Cards "
    "that come later depend on what was played before, so that it is about the first hands above all; it is below 0 % "
    "when a deal suits one strategy from both seats."
)
NO_NUMBER = "A dash: no such game was seen."


def has_ladder(asked: Asked, wanted: bool) -> bool:
    """Whether strategies meet each other: there must be two."""
    return wanted and len(asked.labels) > 1


def decisions_table(asked: Asked, results: Results, found: Sequence[Lineup]) -> Table:
    """How long games are, and how much there is to decide."""
    import pandas as pd

    rows = []
    for line in found:
        arm, lengths = arm_name(line), results.histogram(length_name(arm_name(line)))
        row: dict[str, Any] = {"under": under(line), **number("length", results.estimate(f"length/{arm}"))}
        row |= {f"length_{q:02}": lengths.quantile(q / 100) for q in (10, 50, 90)}
        row["range"] = f"{row['length_10']}–{row['length_90']}"
        for name in ("decisions", "forced", "moves"):
            row |= number(name, results.estimate(f"{name}/{arm}"))
        row["typical"] = 2 ** (results.estimate(f"bits/{arm}").value / BITS)
        rows.append(row)
    unit = asked.game.length
    return Table(
        "decisions",
        "How long a game is, and how much there is to decide",
        pd.DataFrame(rows),
        {
            "under": WHO,
            "length": Column(f"{unit} a game", "number", "length_pm"),
            "range": Column("most games"),
            "decisions": Column("decisions a player", "number", "decisions_pm"),
            "forced": Column("forced", "percent", "forced_pm"),
            "moves": Column("legal moves", "number", "moves_pm"),
            "typical": Column("typically", "number"),
        },
        "Most games: all but the shortest and the longest tenth. A decision is forced when only one move is legal. "
        "Legal moves at a decision (the branching of the game's tree, Shannon 1950): the mean, and typically, which is "
        "the geometric mean, since a few decisions with very many moves pull the other one up.",
    )


def tension_table(asked: Asked, results: Results, found: Sequence[Lineup], decided: float) -> Table:
    """Who leads when, and how much of it holds."""
    import pandas as pd

    rows = []
    for line in found:
        arm, deficits = arm_name(line), results.histogram(f"deficit/{arm_name(line)}")
        row: dict[str, Any] = {"under": under(line)}
        for name in ("lead_changes", "decided", *(f"from_{p}" for p in COMEBACKS), "behind", "drama"):
            row |= number(name, results.estimate(f"{name}/{arm}"))
        row["deficit_90"] = float(deficits.quantile(0.9)) if deficits.counts else math.nan
        rows.append(row)
    progress, low = asked.game.progress, COMEBACKS[-1]
    assert progress is not None
    return Table(
        "tension",
        "Who leads, and for how long it stays open",
        pd.DataFrame(rows),
        {
            "under": WHO,
            "decided": Column("decided after", "percent", "decided_pm"),
            "lead_changes": Column("lead changes", "number", "lead_changes_pm"),
            f"from_{low}": Column(f"won from {low} % or less", "percent", f"from_{low}_pm"),
            "behind": Column("winner behind", "percent", "behind_pm"),
            "drama": Column("drama", "percent", "drama_pm"),
        },
        "Decided after: the part of a game's decisions after which the later winner's chance of winning stays at "
        f"{100 * decided:g} % or above. Who leads has more {progress.unit} ({progress.words}); the lead changes when "
        f"it passes from one player to another, ties left out. Won from {low} % or less: games won by a player whose "
        f"chance was once so low; between two equal players it is {100 * low / (100 - low):.0f} % where chances move "
        "in small steps, and less where they move in large ones. Winner behind: the part of the positions in which the "
        "later winner's chance was below another's. Drama (after Browne 2008): how far it was below, on average over "
        f"these positions, 0 in a game without any. {NO_NUMBER}",
    )


def _ladder(asked: Asked, results: Results) -> list[tuple[str, float]]:
    """The strategies with their mean win rate against the others, the weakest first."""
    rates = pool.win_rates(asked, results)
    means = {a: sum(rates[a, b][0] for b in asked.labels if b != a) / (len(asked.labels) - 1) for a in asked.labels}
    return sorted(means.items(), key=lambda item: item[1])


def ladder_table(asked: Asked, results: Results) -> Table:
    """The strategies from the weakest to the strongest, each against the one below it and the lowest."""
    import pandas as pd

    rates, rungs = pool.win_rates(asked, results), _ladder(asked, results)
    rows = []
    two, seats = asked.seats == 2, f"One player among {asked.seats - 1} of the other strategy."
    for place, (label, mean) in enumerate(rungs):
        row: dict[str, Any] = {"rung": place + 1, "strategy": label, "mean": mean}
        for name, other in (("below", rungs[max(place - 1, 0)][0]), ("lowest", rungs[0][0])):
            rate, pm = rates.get((label, other), (math.nan, math.nan))
            row |= {name: rate, f"{name}_pm": pm}
        if two:
            row |= number("luck", _luck(results, label, rungs[place - 1][0])) if place else UNKNOWN_LUCK
        rows.append(row)
    return Table(
        "ladder",
        "How far skill goes",
        pd.DataFrame(rows),
        {
            "rung": Column("rung", "count"),
            "strategy": Column("strategy"),
            "below": Column("games won against the rung below", "percent", "below_pm"),
            "lowest": Column("against the lowest rung", "percent", "lowest_pm"),
            "mean": Column("against all others", "percent"),
            **({"luck": Column("luck of the deal against the rung below", "percent", "luck_pm")} if two else {}),
        },
        "The weakest strategy first. The more rungs stand clearly one above the other, the more there is to learn in "
        "the game (as chains of players who each beat the next: Elias, Garfield & Gutschera, Characteristics of Games, "
        "2012); a short ladder can also mean that nobody has written a stronger strategy yet. A dash: there is no rung "
        f"below, or nothing varied. {LUCK if two else seats}",
    )


def _luck(results: Results, one: str, other: str) -> Estimate:
    """The luck of the deal where two strategies meet, in whichever order they stand in the plan."""
    names = (f"luck/{arm_name(pair)}" for pair in ((one, other), (other, one)))
    return next(results.estimate(name) for name in names if name in results.tallies)


def ladder_note(asked: Asked, results: Results) -> str:
    """What the top of the ladder makes of its bottom, and how much chance that leaves."""
    from simkit.report import numbers

    rungs = _ladder(asked, results)
    low, top = rungs[0][0], rungs[-1][0]
    rate, pm = pool.win_rates(asked, results)[top, low]
    if math.isnan(rate):
        return "No game of the ladder came to an end, so that nobody stands above anybody."
    text = f"{top}, the highest rung, wins {numbers.percent(rate, pm)} of the games against {low}, the lowest"
    if asked.seats > 2:
        return f"{text} ({numbers.percent(1 / asked.seats)} is an even share)."
    luck = numbers.percent(1 - abs(2 * rate - 1), 2 * pm)
    return f"{text}; that is as if {luck} of their games were tosses of a coin and the better one won all the others."


def chances_table(results: Results, line: Lineup) -> Table:
    """Whether the chances are right, class by class."""
    import pandas as pd

    rows = []
    for place in range(CLASSES):
        name = f"chance_{place}/{arm_name(line)}"
        estimate, said = results.estimate(name), _said(results, name)
        words = f"{100 * place // CLASSES}–{100 * (place + 1) // CLASSES} %"
        rows.append({"class": words, "said": said, **number("won", estimate), "positions": estimate.count})
    return Table(
        "chances",
        f"Whether the chances of winning are right, {under(line)}",
        pd.DataFrame(rows),
        {
            "class": Column("chance"),
            "said": Column("on average", "percent"),
            "won": Column("won", "percent", "won_pm"),
            "positions": Column("positions of a player", "count"),
        },
        "Chances were learned from other deals than those they are checked on here; right ones are those of which as "
        "many are won as they say. A dash: no position had such a chance.",
    )


def _said(results: Results, name: str) -> float:
    _, positions, said = results.moments(name).sums
    return said / positions if positions else math.nan


def _off(results: Results, arm: str) -> float:
    """How far the chances of an arm are off, on average over the positions."""
    total, off = 0, 0.0
    for place in range(CLASSES):
        won, positions, said = results.moments(f"chance_{place}/{arm}").sums
        total, off = total + positions, off + abs(won - said)
    return off / total if total else math.nan


def chance_notes(asked: Asked, results: Results, found: Sequence[Lineup], learned: int) -> list[str]:
    """How the chances of winning were made, and how right they are."""
    from simkit.report import numbers

    progress = asked.game.progress
    if progress is None:
        return [f"{asked.game.title} does not tell who is ahead while it is played: nothing is said of leads."]
    off = [value for line in found if not math.isnan(value := _off(results, arm_name(line)))]
    worst = numbers.percent(max(off, default=math.nan))
    told = f"On the games of this report it is off by {worst} at most, on average over a line-up's positions. "
    return [
        f"The chance of winning is read from what all can see: the lead in {progress.unit} ({progress.words}), how far "
        f"the game has come ({progress.stage}), and whose turn it is. It is as high as often positions like it were "
        f"won in about {learned:,} games of other deals for each line-up. {told if off else ''}A player who also knows "
        "a hand, or what the cards in sight will be worth, sees a game decided earlier than this spectator does.",
    ]


def decided_chart(asked: Asked, results: Results, found: Sequence[Lineup], decided: float) -> Chart:
    """When games are decided: a distribution a line-up."""
    series = {under(line): results.histogram(f"when/{arm_name(line)}") for line in found}
    medians = ", ".join(f"{label} {h.quantile(0.5)} %" for label, h in series.items() if h.counts)

    def draw() -> Figure:
        from simkit.report.charts import histogram

        data = {label: (list(h.counts), list(h.counts.values())) for label, h in series.items()}
        return histogram(data, "per cent of its decisions after which a game is decided")

    title = f"When a game is decided: from then on the winner's chance stays at {100 * decided:g} % or above"
    return Chart("decided", title, f"{title}. Medians: {medians or 'none'}.", draw)


def leader_chart(asked: Asked, results: Results, found: Sequence[Lineup]) -> Chart:
    """How often whoever leads wins, as a game goes on."""
    data: dict[str, tuple[Sequence[int], list[float], list[float], list[float]]] = {}
    for line in found:
        estimates = [results.estimate(f"leader_{part}/{arm_name(line)}") for part in PARTS]
        value, low, high = ([getattr(e, end) for e in estimates] for end in ("value", "low", "high"))
        data[under(line)] = (PARTS, value, low, high)
    middle = PARTS.index(50)
    words = ", ".join(f"{label} {100 * y[middle]:.0f} %" for label, (_, y, *_) in data.items() if y[middle] >= 0)

    def draw() -> Figure:
        from simkit.report.charts import lines

        return lines(data, "per cent of the game's decisions made", "per cent of games that the leader wins")

    title = "How often whoever leads goes on to win"
    return Chart("leaders", title, f"{title}, as the game goes on. Half-way: {words or 'none'}.", draw)


def tension_words(results: Results, found: Sequence[Lineup]) -> str:
    """The tension of the last line-up's games, and between what the line-ups lie, in sentences."""
    from simkit.report import numbers

    arm, comeback = arm_name(found[-1]), COMEBACKS[-1]
    decided, changes, back = (
        results.estimate(f"{name}/{arm}") for name in ("decided", "lead_changes", f"from_{comeback}")
    )
    if math.isnan(decided.value):
        return " Nobody has won any of these games."
    text = (
        f" It is decided after {_percent(decided)} of its decisions, the lead changes "
        f"{numbers.number(changes.value, half_width(changes))} times, and {_percent(back)} of the games are won by a "
        f"player whose chance was once {comeback} % or less."
    )
    others = [results.estimate(f"decided/{arm_name(line)}").value for line in found]
    known = [value for value in others if not math.isnan(value)]
    if len(known) < 2:
        return text
    ends = " to ".join(numbers.percent(value) for value in (min(known), max(known)))
    return f"{text} Over the {len(found)} line-ups, games are decided after {ends} of their decisions."


def _percent(estimate: Estimate) -> str:
    from simkit.report import numbers

    return numbers.percent(estimate.value, half_width(estimate))
