"""`simkit check`: experiments are read in full; strategies and games are tried, indices checked, in a process apart."""

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
from simkit.errors import GameError, SimkitError, StrategyError, UsageError, nearest
from simkit.games import games

STARTING_SECONDS = 300.0  # for the process to compile the game itself and the strategy; it has limits of its own
# numba prints the index that was out of bounds, with full tracebacks only, but does not put it into the exception
_CHECKS = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_FULL_TRACEBACKS": "1"}
_INDEX = re.compile(r"IndexError: index (-?\d+) is out of bounds for (?:axis (\d+) with )?size (\d+)")
BARE_INDEX = "IndexError: index is out of bounds"  # all that compiled code says
_HINTS = {"SIGSEGV": ": an endless recursion?", "SIGKILL": ": out of memory?"}


def check_files(files: Sequence[Path], seconds: float) -> None:
    """Checks all files and games; prints a line for each that is sound.

    Args:
        files: experiments (.toml), strategies (.py) and names of games.
        seconds: time limit for playing a strategy, or for trying one promise of a game.

    Raises:
        StrategyError, GameError: with every fault, when a strategy or a game failed.
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
        worst = max(faults, key=lambda fault: fault.exit_code)
        raise type(worst)("\n".join(map(str, faults)))


def _check(path: Path, seconds: float) -> str:
    if path.suffix == ".toml":
        return _check_experiment(path)
    if path.suffix == ".py":
        return _check_strategy(path, seconds)
    if str(path) in games():
        return _Trial(str(path), "", str(path), seconds).run()
    hint = nearest(str(path), games())
    raise UsageError(f"{path}: neither a strategy (.py), nor an experiment (.toml), nor a game.{hint}")


def _check_experiment(path: Path) -> str:
    from simkit.prepared import prepare

    prepared = prepare(path)
    plan, kind = prepared.plan, prepared.experiment.kind
    return f"{kind} of {prepared.experiment.game}, {len(plan.arms)} arms, {plan.games_a_deal} games a deal"


def _check_strategy(path: Path, seconds: float) -> str:
    file = strategy.read(path)
    known, folder = games(), path.resolve().parent
    beside = (name for name in known if folder in (folder.parent / name, known[name].folder / "strategies"))
    game = file.game or next(beside, None)
    if game is None:
        raise UsageError(f'{path}: for which game? Say so in the file: GAME = "{next(iter(known))}"')
    if game not in known:
        raise UsageError(f"{path}: {game}: no such game. Games: {', '.join(known)}.{nearest(game, known)}")
    return _Trial(str(path.resolve()), str(path.resolve()), game, seconds).run()


class _Trial:
    """The own process of a strategy's file, or of a game without one, and what is left of it.

    Args:
        what: what is tried, as faults name it.
        path: the strategy's file, empty for a game.
        game: the game.
        seconds: time limit.
    """

    def __init__(self, what: str, path: str, game: str, seconds: float) -> None:
        self.what, self.limit = what, STARTING_SECONDS + 2 * seconds
        self.failed: type[SimkitError] = StrategyError if path else GameError
        # -P: a strategy called random.py in the current folder must not be taken for Python's own
        self.command = [sys.executable, "-P", "-m", "simkit.trial", path, game, str(seconds)]

    def run(self) -> str:
        """What was tried, in words. Raises StrategyError or GameError, or UsageError when it could not be tried."""
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
            raise self.failed(_with_index(last["fault"], noise))
        where = f" in {last['doing']}" if "doing" in last else " on loading"
        if late:
            raise self.failed(f"{self.what}: did not finish within {self.limit:g} s{where}; it was stopped.")
        signal_name = signal.Signals(-status).name if status < 0 else ""
        how = f"crashed{where} ({signal_name}{_HINTS.get(signal_name, '')})" if signal_name else f"ended Python{where}"
        said = noise.strip().splitlines()
        raise self.failed(f"{self.what}: {how}.{f' It said: {said[-1]}' if said else ''}")


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
