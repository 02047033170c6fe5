"""The charts of the kind dominant_strategy: where each fares worst, who beats whom, the grid as maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simkit.answer import Chart
from simkit.questions.base import Asked
from simkit.questions.dominant_strategy.cases import contenders, grid_label, grid_names, table_of
from simkit.questions.dominant_strategy.metagame import Metagame
from simkit.questions.dominant_strategy.tables import best_answer, grid_places
from simkit.questions.payoff_views import matrix_chart
from simkit.questions.payoffs import Payoffs
from simkit.questions.words import points, toml_value

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_NAMES = 12  # in the matrix


def charts(asked: Asked, payoffs: Payoffs, game: Metagame) -> list[Chart]:
    """All of them, the one that answers first."""
    mixture = [_mixture_chart(payoffs, game)] if len(game.support) > 1 else []
    return [
        _worst_chart(asked, payoffs),
        matrix_chart(payoffs, _shown(asked, game)),
        *mixture,
        *_maps(asked, payoffs, game),
    ]


def _worst_chart(asked: Asked, payoffs: Payoffs) -> Chart:
    """What each strategy of the experiment makes where it fares worst: one to the right of zero is the right one."""
    shown = [(i, payoffs.worst(i)) for i in range(len(asked.labels))]
    rows = []
    for i, worst in shown:
        verdict = payoffs.verdicts[i, worst]
        label = f"{payoffs.names[i]}, against {payoffs.names[worst]}"
        rows.append((label, "", verdict.estimate, verdict.low, verdict.high))
    ends = "; ".join(
        f"{label}: {points(payoffs.verdicts[pair])}" for (label, *_), pair in zip(rows, shown, strict=True)
    )

    def draw() -> Figure:
        from simkit.report.charts import forest

        return forest(rows, payoffs.margin, payoffs.stakes.unit_in_full, zero_label="even")

    title = "Each strategy against the opponent it fares worst with"
    told = f"In {payoffs.stakes.unit_in_full} above {payoffs.stakes.even}"
    return Chart("worst", title, f"{told}: {ends}.", draw)


def _shown(asked: Asked, game: Metagame) -> list[int]:
    """Who stands in the matrix: the strategies of the experiment and of the mixture."""
    shown = list(range(len(asked.labels)))
    return shown + [i for i in game.support if i not in shown][: max(0, MOST_NAMES - len(shown))]


def _mixture_chart(payoffs: Payoffs, game: Metagame) -> Chart:
    rows = []
    for i in game.support[:MOST_NAMES]:
        share, pm = float(game.mixture[i]), float(game.mixture_pm[i])
        rows.append((payoffs.names[i], share, max(0.0, share - pm), min(1.0, share + pm)))
    ends = "; ".join(f"{name} {share:.0%}" for name, share, *_ in rows)

    def draw() -> Figure:
        from simkit.report.charts import bars

        return bars(rows, "per cent of choices in the balanced mixture")

    return Chart("mixture", "What everybody would play if all could choose", f"The balanced mixture: {ends}.", draw)


def _maps(asked: Asked, payoffs: Payoffs, game: Metagame) -> list[Chart]:
    """The grid as a payoff surface and as a map of best answers; as lines where it has one parameter."""
    names = grid_names(asked)
    if len(names) == 2:
        return [_surface(asked, payoffs, game), _answers(asked, payoffs)]
    return [_line(asked, payoffs, game)] if names else []


def _axes(asked: Asked) -> list[tuple[str, list[str]]]:
    """Each parameter of the grid in words, and its values."""
    grid = table_of(asked).grid
    words = [f"{name} of {grid_label(asked)}" for name in grid_names(asked)]
    return [(name, [toml_value(v) for v in values]) for name, values in zip(words, grid.values(), strict=True)]


def _against(payoffs: Payoffs) -> str:
    return f"{payoffs.stakes.unit_in_full} against the mixture"


def _folded(values: list[float], columns: int) -> list[list[float]]:
    return [values[i : i + columns] for i in range(0, len(values), columns)]


def _surface(asked: Asked, payoffs: Payoffs, game: Metagame) -> Chart:
    (row_words, rows), (column_words, columns) = _axes(asked)
    places = grid_places(asked)
    values = _folded([100 * float(game.against[i]) for i in places], len(columns))
    widths = _folded([100 * float(game.against_pm[i]) for i in places], len(columns))
    best = max(places, key=lambda i: game.against[i])

    def draw() -> Figure:
        from simkit.report.charts import heat

        return heat(rows, columns, values, widths, row_words, column_words, _against(payoffs))

    title = f"What {grid_label(asked)} wins against the balanced mixture"
    return Chart(
        "surface", title, f"{title}, by {row_words} and {column_words}: most with {payoffs.names[best]}.", draw
    )


def _answers(asked: Asked, payoffs: Payoffs) -> Chart:
    (row_words, rows), (column_words, columns) = _axes(asked)
    every, places = contenders(asked), grid_places(asked)
    usual = asked.experiment.strategies[str(grid_label(asked))].parameters
    answers = [best_answer(payoffs, places, i) for i in places]
    gains = [100 * payoffs.effect(a, i).value for a, i in zip(answers, places, strict=True)]
    texts = []
    for a in answers:
        now = usual | dict(every[a].parameters)
        texts.append("; ".join(toml_value(now[name]) for name in grid_names(asked)))
    folded = [texts[i : i + len(columns)] for i in range(0, len(texts), len(columns))]

    def draw() -> Figure:
        from simkit.report.charts import heat

        unit = f"in each cell the best answer ({'; '.join(grid_names(asked))})"
        return heat(rows, columns, _folded(gains, len(columns)), None, row_words, column_words, unit, texts=folded)

    title = f"The best answer to each {grid_label(asked)}, among themselves"
    told = "; ".join(f"{payoffs.names[i]}: {payoffs.names[a]}" for a, i in zip(answers, places, strict=True))
    return Chart("best_answers", title, f"{title}. {told}.", draw)


def _line(asked: Asked, payoffs: Payoffs, game: Metagame) -> Chart:
    ((words, _),) = _axes(asked)
    (values,) = table_of(asked).grid.values()
    places = grid_places(asked)
    found = [float(game.against[i]) for i in places]
    pm = [float(game.against_pm[i]) for i in places]
    lows, highs = ([v + sign * p for v, p in zip(found, pm, strict=True)] for sign in (-1, 1))
    numeric = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values)
    x = values if numeric else [toml_value(v) for v in values]

    def draw() -> Figure:
        from simkit.report.charts import lines

        return lines({str(grid_label(asked)): (x, found, lows, highs)}, words, _against(payoffs))

    title = f"What {grid_label(asked)} wins against the balanced mixture"
    best = payoffs.names[max(places, key=lambda i: game.against[i])]
    return Chart("surface", title, f"{title}, by {words}: most with {best}.", draw)
