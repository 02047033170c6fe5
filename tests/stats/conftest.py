"""What tests of statistics share."""

from __future__ import annotations

import gc

import pytest


@pytest.fixture(autouse=True)
def no_garbage_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Holm's correction in statsmodels collects garbage in full at each call: 50 ms, thousands of times."""
    monkeypatch.setattr(gc, "collect", lambda: 0)
