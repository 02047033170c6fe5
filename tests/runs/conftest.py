"""Fixtures of the tests of runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simkit import runner
from tests.runs.lab import Change, Write
from tests.small import TEXT


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes the small experiment, with parts of its text replaced, in a workspace where nothing else is."""
    monkeypatch.chdir(tmp_path)

    def make(*changes: Change, name: str = "small") -> Path:
        text = TEXT
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return make


@pytest.fixture
def nothing_is_played(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Makes playing and compiling fail from when it is called."""

    def forbid() -> None:
        def fail(*args: Any, **options: Any) -> None:
            raise AssertionError("it was all in the store")

        monkeypatch.setattr(runner, "play", fail)
        monkeypatch.setattr("simkit.player.compile_player", fail)

    return forbid
