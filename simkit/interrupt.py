"""Ctrl-C on the command line, so that it is never lost.

Python drops a KeyboardInterrupt that is raised inside a callback of the compiler ("Exception ignored in …"). Whoever
starts something long asks here once more.
"""

from __future__ import annotations

import signal
import threading
from typing import Any

asked = threading.Event()


def listen() -> None:
    """Takes over Ctrl-C for this process; a shell may have started us without it."""
    asked.clear()
    signal.signal(signal.SIGINT, _note)


def _note(number: int, frame: Any) -> None:
    asked.set()
    raise KeyboardInterrupt
