"""The page over all runs below reports/: what each asked and found, from what lies in its folder."""

from __future__ import annotations

import re
import tomllib
from html.parser import HTMLParser
from pathlib import Path

from simkit.listing import manifest
from simkit.prepared import REPORTS, run_folders
from simkit.report.files import REPORT, write_whole
from simkit.report.index import Entry, render_index

INDEX = "index.html"
HEAD = 16_384  # characters of a report that hold its title and its description


def write_index() -> Path:
    """Writes reports/index.html, the newest run first, and returns its path. Raises UsageError."""
    entries = sorted(map(entry, run_folders()), key=lambda e: e.ended, reverse=True)
    write_whole(REPORTS / INDEX, render_index(entries).encode())
    return REPORTS / INDEX


def entry(folder: Path) -> Entry:
    """What the index says of a run; whatever its folder lacks stays empty."""
    facts, head = manifest(folder), _Head(folder / REPORT)
    return Entry(
        name=folder.name,
        title=head.title or folder.name,
        answer=_first_sentence(head.description),
        game=_game(folder / "experiment.toml"),
        deals=int(facts.get("deals") or 0),
        ended=str(facts.get("ended") or ""),
        status="complete" if facts.get("status") == "complete" else "interrupted",
        link=f"{folder.name}/{REPORT}" if head.title else "",
    )


class _Head(HTMLParser):
    """Title and description of a page, as its head says them; empty when there is none."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.title = self.description = ""
        self._in_title = False
        try:
            with path.open(encoding="utf-8") as page:
                self.feed(page.read(HEAD))
        except (OSError, ValueError):
            return

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes the description."""
        self._in_title = tag == "title"
        found = dict(attrs)
        if tag == "meta" and found.get("name") == "description":
            self.description = found.get("content") or ""

    def handle_endtag(self, tag: str) -> None:
        """Ends the title."""
        self._in_title = False

    def handle_data(self, data: str) -> None:
        """Notes the title."""
        if self._in_title:
            self.title += data


def _first_sentence(text: str) -> str:
    """The first sentence that is no question (an answer may say the question again, with its margin)."""
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z0-9])", text)
    return next((sentence for sentence in sentences if not sentence.endswith("?")), text)


def _game(path: Path) -> str:
    try:
        return str(tomllib.loads(path.read_text(encoding="utf-8")).get("game", ""))
    except (OSError, ValueError):
        return ""
