"""`simkit check`: experiments are read in full; strategies are played, bounds checked, in a process of their own."""

from __future__ import annotations

import json
import math
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from simkit import strategy
from simkit.errors import SimkitError, StrategyError, UsageError, nearest
from simkit.games import games

STARTING_SECONDS = 300.0  # for the process to compile the game itself and the strategy; it has limits of its own
# numba prints the index that was out of bounds, with full tracebacks only, but does not put it into the exception
_CHECKS = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_FULL_TRACEBACKS": "1"}
_INDEX = re.compile(r"IndexError: index (-?\d+) is out of bounds for (?:axis (\d+) with )?size (\d+)")
_IMPORTED = re.compile(r"^\s*(?:from|import)\s+simkit\.games\.(\w+)", re.MULTILINE)
BARE_INDEX = "IndexError: index is out of bounds"  # all that compiled code says
_HINTS = {"SIGSEGV": ": an endless recursion?", "SIGKILL": ": out of memory?"}


def check_files(files: Sequence[Path], seconds: float) -> None:
    """Checks all files; prints a line for each that is sound.

    Args:
        files: experiments (.toml) and strategies (.py).
        seconds: time limit for playing a strategy.

    Raises:
        StrategyError: with every fault, when a strategy failed.
        UsageError: with every fault, when something else is wrong.
    """
    if not 0 < seconds < math.inf:
        raise UsageError(f"--seconds: {seconds:g} is not a time limit.")
    faults: list[SimkitError] = []
    for path in files:
        try:
            print(f"{path}: ok, {_check(path, seconds)}", flush=True)
        except SimkitError as fault:
            faults.append(fault)
    if faults:
        failed = any(isinstance(fault, StrategyError) for fault in faults)
        raise (StrategyError if failed else UsageError)("\n".join(map(str, faults)))


def _check(path: Path, seconds: float) -> str:
    if path.suffix == ".toml":
        return _check_experiment(path)
    if path.suffix == ".py":
        return _check_strategy(path, seconds)
    raise UsageError(f"{path}: neither a strategy (.py) nor an experiment (.toml).")


def _check_experiment(path: Path) -> str:
    from simkit.prepared import prepare

    prepared = prepare(path)
    plan, kind = prepared.plan, prepared.experiment.kind
    return f"{kind} of {prepared.experiment.game}, {len(plan.arms)} arms, {plan.games_a_deal} games a deal"


def _check_strategy(path: Path, seconds: float) -> str:
    file = strategy.read(path)
    known = list(games())
    told = [path.resolve().parent.name, *dict.fromkeys(_IMPORTED.findall(file.sources[file.path]))]
    game = file.game or next((name for name in told if name in known), None)
    if game is None:
        raise UsageError(f'{path}: for which game? Say so in the file: GAME = "{known[0]}"')
    if game not in known:
        raise UsageError(f"{path}: {game}: no such game. Games: {', '.join(known)}.{nearest(game, known)}")
    return _Trial(path, game, seconds).run()


class _Trial:
    """A strategy's own process, and what is left of it."""

    def __init__(self, path: Path, game: str, seconds: float) -> None:
        self.path, self.limit = path.resolve(), STARTING_SECONDS + 2 * seconds
        # -P: a strategy called random.py in the current folder must not be taken for Python's own
        self.command = [sys.executable, "-P", "-m", "simkit.trial", str(self.path), game, str(seconds)]

    def run(self) -> str:
        """What was played, in words. Raises StrategyError, or UsageError when it could not be tried."""
        process = subprocess.Popen(
            self.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | _CHECKS,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
        late = False
        try:
            out, noise = process.communicate(timeout=self.limit)
        except subprocess.TimeoutExpired:
            late = True
            _kill(process)
            out, noise = process.communicate()
        finally:
            _kill(process)
        return self._result(out, noise, process.returncode, late)

    def _result(self, out: str, noise: str, status: int, late: bool) -> str:
        told = [json.loads(line) for line in out.splitlines() if line.endswith("}")]
        last = told[-1] if told else {}
        if "ok" in last:
            return str(last["ok"])
        if "obstacle" in last:
            raise UsageError(last["obstacle"])
        if "fault" in last:
            raise StrategyError(_with_index(last["fault"], noise))
        where = f" in {last['doing']}" if "doing" in last else " on loading"
        if late:
            raise StrategyError(f"{self.path}: did not finish within {self.limit:g} s{where}; it was stopped.")
        signal_name = signal.Signals(-status).name if status < 0 else ""
        how = f"crashed{where} ({signal_name}{_HINTS.get(signal_name, '')})" if signal_name else f"ended Python{where}"
        said = noise.strip().splitlines()
        raise StrategyError(f"{self.path}: {how}.{f' It said: {said[-1]}' if said else ''}")


def _kill(process: subprocess.Popen[str]) -> None:
    """Ends the process, and what it may have started."""
    if process.poll() is not None:
        return
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _with_index(fault: str, noise: str) -> str:
    """The fault with the index that was out of bounds."""
    found = _INDEX.findall(noise)
    if not found:
        return fault
    index, axis, size = found[-1]
    place = f" of axis {axis}" if axis not in ("", "0") else ""
    return fault.replace(BARE_INDEX, f"IndexError: index {index} is out of bounds, the size{place} is {size}")
