"""A run shows that it goes on: a bar in a terminal, plain lines elsewhere, nothing when it is to be quiet."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Sequence

import pytest

from simkit import progress
from simkit.progress import COMPILING, SECONDS_BETWEEN_LINES, STARTING, progress_bar


class Clock:
    """Time that passes when it is told to; it stands for the module `time`."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


class Terminal(io.StringIO):
    """A stderr that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(progress, "time", made)
    return made


Told = tuple[float, int, int, str]


def tell_all(clock: Clock, told: Sequence[Told]) -> None:
    """Tells what happened as (seconds since the last, deals done of 100, games just played, headline)."""
    with progress_bar(quiet=False) as tell:
        assert tell is not None
        for seconds, done, games, headline in told:
            clock.now += seconds
            tell(done, 100, games, headline)


def test_quiet_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar(quiet=True) as tell:
        assert tell is None
    assert capsys.readouterr() == ("", "")


def test_without_a_terminal_there_is_a_plain_line_from_time_to_time(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    a_while = SECONDS_BETWEEN_LINES
    told = [(0, 0, 0, ""), (6, 10, 2_000, ""), (1, 20, 2_000, "soon"), (a_while, 30, 4_000, "52.10 ± 0.40 %")]
    tell_all(clock, told)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        STARTING,
        "10 of 100 deals, 2,000 games",  # what was played while it compiled has no speed
        "30 of 100 deals, 8,000 games, 1,000 games/s, 52.10 ± 0.40 %",
    ]


def test_the_last_line_always_comes(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    tell_all(clock, [(0.1, 40, 80, ""), (0.1, 100, 120, "+1.00 ± 0.50 points")])
    assert capsys.readouterr().err == "100 of 100 deals, 200 games, 1,200 games/s, +1.00 ± 0.50 points\n"


def test_a_terminal_gets_a_bar_that_goes_away(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")
    tell_all(clock, [(0, 0, 0, ""), (1, 20, 2_000, ""), (1, 50, 3_000, "+1.00 ± 0.50 points")])
    shown = screen.getvalue()
    plain = re.sub(r"\x1b\[[?\d;]*[A-Za-z]", "", shown)
    assert re.search(r"50 of 100 deals +3,000 games/s .*\+1\.00 ± 0\.50 points", plain)
    assert not re.search(r"\x1b\[(3|9)\d", shown)  # no colour
    assert shown.rstrip("\r").endswith("\x1b[2K")  # the line is wiped


def test_a_terminal_is_told_that_it_compiles(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    tell_all(clock, [(0, 0, 0, "")])
    assert COMPILING in screen.getvalue()
