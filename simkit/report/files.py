"""The report as files, each written whole or not at all, and as the JSON of `simkit run --json`."""

from __future__ import annotations

import math
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simkit.answer import Answer
from simkit.errors import UsageError
from simkit.report.facts import RunFacts
from simkit.report.numbers import is_missing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REPORT = "report.html"
MARKDOWN = "report.md"


def write_report(folder: Path, answer: Answer, facts: RunFacts) -> Path:
    """Writes report.html, tables/*.csv and charts/*.svg and *.png into the folder, and makes it where it is missing.

    The page is written last: where there is one, everything else is there too. A report.md that is there is kept true.

    Returns:
        The path of report.html.

    Raises:
        UsageError: a file cannot be written (folder not writable, disk full, a file in the way).
    """
    from simkit.report.page import render

    page = render(answer, facts).encode()
    write_tables(folder, answer)
    for chart in answer.charts:
        save_chart(chart.draw(), folder / "charts", chart.name, chart.alt)
    if (folder / MARKDOWN).exists():
        write_markdown(folder, answer, facts)
    write_whole(folder / REPORT, page)
    return folder / REPORT


def write_tables(folder: Path, answer: Answer) -> list[Path]:
    """Writes tables/*.csv into the folder, all columns and digits, and returns their paths. Raises UsageError."""
    paths = []
    for table in answer.tables:
        rows = table.frame.to_csv(index=False, lineterminator="\n")
        paths.append(folder / "tables" / f"{_file_name(table.name)}.csv")
        write_whole(paths[-1], rows.encode())
    return paths


def write_markdown(folder: Path, answer: Answer, facts: RunFacts) -> Path:
    """Writes report.md, which shows the pictures of charts/, and returns its path. Raises UsageError."""
    from simkit.report.markdown import render_markdown

    charts = {chart.name: f"charts/{_file_name(chart.name)}.svg" for chart in answer.charts}
    write_whole(folder / MARKDOWN, render_markdown(answer, facts, charts).encode())
    return folder / MARKDOWN


def save_chart(figure: Figure, folder: Path, name: str, alt: str = "") -> None:
    """Writes `name`.svg and `name`.png (white ground, 160 dpi) into the folder. Raises UsageError."""
    from simkit.report.svg import png_bytes, svg_bytes

    write_whole(folder / f"{_file_name(name)}.svg", svg_bytes(figure, alt))
    write_whole(folder / f"{_file_name(name)}.png", png_bytes(figure))


def write_whole(path: Path, content: bytes) -> None:
    """Puts the content at the path, or leaves what was there and raises UsageError."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content)
        os.replace(temporary, path)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}.") from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _file_name(name: str) -> str:
    """The name without what a file system might not take."""
    return re.sub(r"[^\w.-]+", "_", name).lstrip(".") or "unnamed"


def answer_json(answer: Answer, facts: RunFacts, report_path: Path | str | None) -> dict[str, Any]:
    """The answer as `simkit run --json` prints it: plain types, tables with all their columns, NaN as None."""
    return {
        "experiment": facts.experiment,
        "game": facts.game,
        "question": facts.question,
        "status": facts.status,
        "deals": facts.deals,
        "games": facts.games,
        "seed": facts.seed,
        "answer": answer.summary,
        "tables": {table.name: [_plain(row) for row in table.frame.to_dict("records")] for table in answer.tables},
        "verdicts": [_plain(vars(verdict)) for verdict in answer.verdicts],
        "notes": list(answer.notes),
        "report": None if report_path is None else str(report_path),
    }


def _plain(row: dict[Any, Any]) -> dict[str, Any]:
    return {str(key): _plain_value(value) for key, value in row.items()}


def _plain_value(value: Any) -> Any:
    """A value of Python's own types; what is missing or infinite becomes None."""
    value = value.item() if hasattr(value, "item") else value
    if is_missing(value) or (isinstance(value, float) and math.isinf(value)):
        return None
    return value if isinstance(value, bool | int | float | str) else str(value)
