"""Ctrl-C, so that it is never lost and never breaks the compiler.

Python drops a KeyboardInterrupt that is raised inside a callback of the compiler ("Exception ignored in …"), and LLVM
can crash of it. So it is held back while code is compiled; whoever starts something long asks here once more.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

asked = threading.Event()


def listen() -> None:
    """Takes over Ctrl-C for this process; a shell may have started us without it."""
    asked.clear()
    signal.signal(signal.SIGINT, _note)


def _note(number: int, frame: Any) -> None:
    asked.set()
    raise KeyboardInterrupt


@contextlib.contextmanager
def held_back() -> Iterator[Callable[[], None]]:
    """Holds Ctrl-C back; the function it gives raises it where that is safe, and the end does so at the latest."""
    held: list[Any] = []  # the frame it came in

    def raise_held() -> None:
        if held:
            before(signal.SIGINT, held.pop())

    before: Any = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield raise_held  # no Ctrl-C is raised here
        return
    signal.signal(signal.SIGINT, lambda number, frame: held.append(frame))
    try:
        yield raise_held
    finally:
        signal.signal(signal.SIGINT, before)
    raise_held()
