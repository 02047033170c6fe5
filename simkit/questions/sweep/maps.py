"""Maps of a sweep of rules and ways of playing together: how often a player wins, way by rule, the best ones framed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from simkit.answer import Chart
from simkit.questions.base import Asked, half_width
from simkit.questions.sweep.axes import Setting, names_of, own_keys, owner_of, value_words, words_of
from simkit.questions.sweep.best import Contest, by_most_answers, others_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def best_maps(asked: Asked, found: Sequence[Contest]) -> list[Chart]:
    """A map for each line-up in which more is swept than a player's own parameters, in the order of the summary."""
    order = by_most_answers([one for one in found if one.condition]).values()
    return [_map(asked, mine, i) for i, mine in enumerate(order)]


def _map(asked: Asked, found: Sequence[Contest], place: int) -> Chart:
    lineup, conditions = found[0].lineup, [one.condition for one in found]
    rows, columns = ([_label(setting) for setting in settings] for settings in (found[0].ways, conditions))
    own, others = names_of(own_keys(asked, lineup)), names_of(key for key, _ in conditions[0])
    won = [[one.won[i] for one in found] for i in range(len(rows))]
    best = [one.answer[1] if one.answer[0] == "best" else () for one in found]

    def draw() -> Figure:
        from simkit.report.charts import grid

        values, widths = [[e.value for e in row] for row in won], [[half_width(e) for e in row] for row in won]
        return grid(rows, columns, values, widths, own, others, best, [1 / one.seats for one in found])

    title = f"How often {owner_of(asked, lineup)} wins against {others_of(asked, lineup)}, in per cent"
    said = "; ".join(f"{one.said} at {words_of(one.condition)}" for one in found)
    return Chart(f"best_{place}", title, f"Map of win rates, {own} by {others}. The best {own}: {said}.", draw)


def _label(setting: Setting) -> str:
    """A setting for a row or column: the bare value where the heading says what it is of."""
    return value_words(setting[0][1]) if len(setting) == 1 else words_of(setting)
