"""The tables of the kind dominant_strategy: how each strategy stands, the grid, and who beats whom."""

from __future__ import annotations

import numpy as np

from simkit.answer import Column, Table
from simkit.questions.base import Asked, number
from simkit.questions.dominant_strategy.cases import contenders, grid_contenders, grid_label, grid_names
from simkit.questions.dominant_strategy.metagame import LEAST_SHARE, Metagame
from simkit.questions.payoffs import Payoffs
from simkit.questions.stakes import Stakes
from simkit.questions.words import toml_value

BEST, WORST = "best answer to it", "worst opponent"
LEAST_ALPHA_RANK = 0.001  # that is worth a row


def standings_table(payoffs: Payoffs, game: Metagame) -> Table:
    """How each strategy stands, the strongest on average first."""
    import pandas as pd

    beats, unit = payoffs.beats(), payoffs.stakes.unit
    rows = []
    for i in sorted(range(len(payoffs.names)), key=lambda i: -game.ratings[i]):
        worst = payoffs.worst(i)
        row = {"strategy": payoffs.names[i], "mean": game.ratings[i], "mean_pm": game.ratings_pm[i]}
        row |= {"beats": int(beats[i].sum()), "loses": int(beats[:, i].sum()), "worst": payoffs.names[worst]}
        rows.append(row | number("effect", payoffs.effects[i, worst]))
    return Table(
        "standings",
        "How each strategy stands",
        pd.DataFrame(rows),
        {
            "strategy": Column("strategy"),
            "mean": Column(f"on average ({unit})", "points", "mean_pm"),
            "beats": Column("beats", "count"),
            "loses": Column("loses to", "count"),
            "worst": Column(WORST),
            "effect": Column(f"against it ({unit})", "points", "effect_pm"),
        },
        f"{_heading(payoffs.stakes)}: on average over all the others, and against the opponent that each "
        "fares worst with. Whom it beats and loses to for certain is counted, by intervals corrected for all pairs.",
    )


def choices_table(payoffs: Payoffs, game: Metagame) -> Table:
    """What would be played if everybody could choose, those of the mixture first."""
    import pandas as pd

    order = sorted(range(len(payoffs.names)), key=lambda i: (-game.mixture[i], -game.chosen[i], -game.alpha_ranks[i]))
    rows = [
        {
            "strategy": payoffs.names[i],
            "mixture": game.mixture[i],
            "mixture_pm": game.mixture_pm[i],
            "chosen": game.chosen[i],
            "best_answer": payoffs.names[int(np.argmax(payoffs.matrix[:, i]))],
            "exploited": float(payoffs.matrix[:, i].max()),
            "alpha_rank": game.alpha_ranks[i],
            "alpha_rank_pm": game.alpha_ranks_pm[i],
        }
        for i in order
        if game.mixture[i] > LEAST_SHARE or game.chosen[i] > 0 or game.alpha_ranks[i] >= LEAST_ALPHA_RANK
    ]
    how = (
        "The balanced mixture (Nash) is how often each would be chosen if everybody could choose for ever: nobody in "
        "the pool wins against it on average. 'In the mixture of' says in how many resamples of the deals a strategy "
        "is part of it. 'Best answer' is what wins most against it. Alpha-rank is how often a population that "
        "copies what wins would play it. Who is hardly ever chosen is not listed."
    )
    if payoffs.seats > 2:
        how += (
            f" At this table of {payoffs.seats} each strategy sits alone among copies of the other; mixture and "
            "alpha-rank take half the difference of the two ways round, as if it were a game of two."
        )
    return Table(
        "choices",
        "What everybody would play",
        pd.DataFrame(rows),
        {
            "strategy": Column("strategy"),
            "mixture": Column("balanced mixture", "percent", "mixture_pm"),
            "chosen": Column("in the mixture of", "percent"),
            "best_answer": Column("best answer"),
            "exploited": Column(f"which wins ({payoffs.stakes.unit})", "points"),
            "alpha_rank": Column("alpha-rank", "percent", "alpha_rank_pm"),
        },
        how,
    )


def surface_table(asked: Asked, payoffs: Payoffs, game: Metagame) -> list[Table]:
    """The strategies of the grid: against the mixture, on average, and which of them answers each best."""
    import pandas as pd

    names = grid_names(asked)
    if not names:
        return []
    every, places, unit = contenders(asked), grid_places(asked), payoffs.stakes.unit
    usual = asked.experiment.strategies[str(grid_label(asked))].parameters
    rows = []
    for i in places:
        best = best_answer(payoffs, places, i)
        now = usual | dict(every[i].parameters)
        row = {name: toml_value(now[name]) for name in names}
        row |= {"against": game.against[i], "against_pm": game.against_pm[i]}
        row |= {"mean": game.ratings[i], "mean_pm": game.ratings_pm[i], "best": payoffs.names[best]}
        rows.append(row | number("gain", payoffs.effect(best, i)))
    return [
        Table(
            "grid",
            f"{grid_label(asked)} with other parameters",
            pd.DataFrame(rows),
            {name: Column(name) for name in names}
            | {
                "against": Column(f"against the mixture ({unit})", "points", "against_pm"),
                "mean": Column(f"on average ({unit})", "points", "mean_pm"),
                "best": Column(BEST),
                "gain": Column(f"which wins ({unit})", "points", "gain_pm"),
            },
            f"{_heading(payoffs.stakes)}. The best answer is the one of the grid that wins most against it, "
            "or one of several about as good.",
        )
    ]


def _heading(stakes: Stakes) -> str:
    """What the numbers of a table are."""
    text = f"{stakes.unit_in_full} above {stakes.even}"
    return text[0].upper() + text[1:]


def grid_places(asked: Asked) -> list[int]:
    """Where the strategies of the grid are among the contenders."""
    every = contenders(asked)
    return [every.index(one) for one in grid_contenders(asked)]


def best_answer(payoffs: Payoffs, places: list[int], one: int) -> int:
    """Which of the strategies at those places wins most against one; itself when all lose."""
    return max(places, key=lambda i: payoffs.effects[i, one].value if i != one else 0.0)
