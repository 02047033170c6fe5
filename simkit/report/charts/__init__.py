"""Charts: plain data in, a matplotlib Figure out. Each says one thing and needs no legend.

All are drawn `simkit.report.style.chart_width()` inches wide: the page draws them twice, for a column and a telephone.
"""

from simkit.report.charts.curves import lines, paths
from simkit.report.charts.histogram import histogram
from simkit.report.charts.ladder import ladder
from simkit.report.charts.matrix import grid, heat, matrix
from simkit.report.charts.rows import bars, forest, twin_bars

__all__ = ["bars", "forest", "grid", "heat", "histogram", "ladder", "lines", "matrix", "paths", "twin_bars"]
