"""How fast the games are played: against yardsticks in C, on one thread and two, and whether memory stays flat.

    python benchmarks/speed.py [GAME ...] [--yardsticks FOLDER] [--repeats N] [--seconds S] [--no-threads] [--no-memory]

All shipped games without a name. Without yardsticks (see README.md) only our own figures are printed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import simkit
from simkit.games import SHIPPED
from simkit.games.base import Game

YARDSTICKS = "SIMKIT_YARDSTICKS"
C_GAMES = 200_000
MEMORY_DEALS = (100_000, 1_000_000)

Speeds = dict[tuple[str, str], list[float]]  # (who, strategy) -> decisions/s of each repetition


@contextmanager
def one_core() -> Iterator[None]:
    """Keeps this process and its children on one core, where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def our_speed(game: Game, strategy: str, deals: int, threads: int = 1) -> float:
    result = simkit.match(game.name, strategy, deals=deals, jobs=threads)
    return result.decisions / result.seconds


def deals_for(game: Game, strategy: str, seconds: float) -> int:
    """How many deals take about so many seconds on one thread; compiles as well."""
    our_speed(game, strategy, 500)
    result = simkit.match(game.name, strategy, deals=5_000, jobs=1)
    return max(1_000, round(5_000 * seconds / result.seconds))


def compile_yardstick(source: Path, folder: str) -> Path:
    program = Path(folder) / source.stem
    subprocess.run(["cc", "-O3", "-march=native", "-o", program, source, "-lm"], check=True)
    return program


def yardstick_speeds(program: Path) -> dict[str, float]:
    out = subprocess.run([program, str(C_GAMES)], capture_output=True, text=True, check=True).stdout
    return {row["strategies"]: row["decisions_per_s"] for row in map(json.loads, out.splitlines())}


def interleaved(game: Game, source: Path | None, repeats: int, seconds: float) -> Speeds:
    """Speeds of the yardstick and of simkit in turns on the same core, so that what slows one slows the other."""
    speeds: Speeds = {}
    with one_core(), tempfile.TemporaryDirectory() as folder:
        program = compile_yardstick(source, folder) if source else None
        deals = {strategy: deals_for(game, strategy, seconds) for strategy in game.bench}
        for _ in range(repeats):
            if program:
                for strategy, speed in yardstick_speeds(program).items():
                    speeds.setdefault(("C", strategy), []).append(speed)
            for strategy in game.bench:
                speeds.setdefault(("simkit", strategy), []).append(our_speed(game, strategy, deals[strategy]))
    return speeds


def print_speeds(game: Game, speeds: Speeds) -> None:
    for (who, strategy), found in speeds.items():
        print(f"{who:7} {strategy:10} median {median(found) / 1e6:6.2f} M decisions/s, best {max(found) / 1e6:6.2f}")
    for strategy in game.bench:
        if ("C", strategy) in speeds:
            ours, theirs = speeds["simkit", strategy], speeds["C", strategy]
            ratio = median(mine / their for mine, their in zip(ours, theirs, strict=True))
            best = max(ours) / max(theirs)
            print(f"simkit / C, {strategy}: median of the turns {ratio:.2f}, best of each {best:.2f}")


def print_threads(game: Game, repeats: int, seconds: float) -> None:
    """Two threads against one, in turns."""
    for strategy in game.bench:
        deals = deals_for(game, strategy, seconds)
        ratios = [our_speed(game, strategy, 2 * deals, 2) / our_speed(game, strategy, deals) for _ in range(repeats)]
        print(f"two threads / one, {strategy}: median {median(ratios):.2f}, best {max(ratios):.2f}")


def peak_memory(game: Game, deals: int) -> float:
    """Peak resident memory of a process that plays so many deals, in MB."""
    code = (
        "import resource, simkit\n"
        f"simkit.match({game.name!r}, {game.bench[-1]!r}, deals={deals})\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return int(out) / (1024**2 if sys.platform == "darwin" else 1024)


def print_memory(game: Game) -> None:
    few, many = MEMORY_DEALS
    before, after = peak_memory(game, few), peak_memory(game, many)
    print(f"peak memory: {few:,} deals {before:.0f} MB, {many:,} deals {after:.0f} MB, ratio {after / before:.3f}")


def yardstick_of(game: Game, folder: Path | None) -> Path | None:
    """The C source of the game in that folder, if there is one."""
    source = folder / f"{game.name}.c" if folder else None
    return source if source and source.is_file() else None


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    names = [game.name for game in SHIPPED]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help=", ".join(names))
    parser.add_argument("--yardsticks", type=Path, default=os.environ.get(YARDSTICKS), help=f"or ${YARDSTICKS}")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of play in each of our measurements")
    parser.add_argument("--no-threads", action="store_true")
    parser.add_argument("--no-memory", action="store_true")
    given = parser.parse_args(words)
    if unknown := [name for name in given.games if name not in names]:
        parser.error(f"no such game: {', '.join(unknown)}")
    if given.yardsticks and not given.yardsticks.is_dir():
        parser.error(f"{given.yardsticks}: no such folder")
    return given


def main() -> None:
    given = arguments()
    if hasattr(os, "getloadavg"):
        print(f"load before the start {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores (0 is best)")
    for game in SHIPPED:
        if given.games and game.name not in given.games:
            continue
        print(f"{game.title}:")
        print_speeds(game, interleaved(game, yardstick_of(game, given.yardsticks), given.repeats, given.seconds))
        if not given.no_threads and (os.cpu_count() or 1) > 1:
            print_threads(game, given.repeats, given.seconds)
        if not given.no_memory:
            print_memory(game)


if __name__ == "__main__":
    main()
