"""How fast Colina is played: against a yardstick in C, on one thread and two, and whether memory stays flat.

    python benchmarks/colina.py [YARDSTICK.c] [--repeats N] [--seconds S] [--no-memory]

Without a yardstick (see README.md) only our own figures are printed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import simkit

GAME, STRATEGIES = "colina", ("random", "greedy")
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


def our_speed(strategy: str, deals: int, threads: int = 1) -> float:
    result = simkit.match(GAME, strategy, deals=deals, jobs=threads)
    return result.decisions / result.seconds


def deals_for(strategy: str, seconds: float) -> int:
    """How many deals take about so many seconds on one thread; compiles as well."""
    our_speed(strategy, 500)
    result = simkit.match(GAME, strategy, deals=5_000, jobs=1)
    return max(1_000, round(5_000 * seconds / result.seconds))


def compile_yardstick(source: Path, folder: str) -> Path:
    program = Path(folder) / source.stem
    subprocess.run(["cc", "-O3", "-march=native", "-o", program, source, "-lm"], check=True)
    return program


def yardstick_speeds(program: Path) -> dict[str, float]:
    out = subprocess.run([program, str(C_GAMES)], capture_output=True, text=True, check=True).stdout
    return {row["strategies"]: row["decisions_per_s"] for row in map(json.loads, out.splitlines())}


def interleaved(source: Path | None, repeats: int, seconds: float) -> Speeds:
    """Speeds of the yardstick and of simkit in turns on the same core, so that what slows one slows the other."""
    speeds: Speeds = {}
    with one_core(), tempfile.TemporaryDirectory() as folder:
        program = compile_yardstick(source, folder) if source else None
        deals = {strategy: deals_for(strategy, seconds) for strategy in STRATEGIES}
        for _ in range(repeats):
            if program:
                for strategy, speed in yardstick_speeds(program).items():
                    speeds.setdefault(("C", strategy), []).append(speed)
            for strategy in STRATEGIES:
                speeds.setdefault(("simkit", strategy), []).append(our_speed(strategy, deals[strategy]))
    return speeds


def print_speeds(speeds: Speeds) -> None:
    for (who, strategy), found in speeds.items():
        print(f"{who:7} {strategy:7} median {median(found) / 1e6:6.2f} M decisions/s, best {max(found) / 1e6:6.2f}")
    for strategy in STRATEGIES:
        if ("C", strategy) in speeds:
            ours = speeds["simkit", strategy]
            ratios = [mine / theirs for mine, theirs in zip(ours, speeds["C", strategy], strict=True)]
            best = max(ours) / max(speeds["C", strategy])
            print(f"simkit / C, {strategy}: median of the turns {median(ratios):.2f}, best of each {best:.2f}")


def print_threads(repeats: int, seconds: float) -> None:
    """Two threads against one, in turns."""
    for strategy in STRATEGIES:
        deals = deals_for(strategy, seconds)
        ratios = [our_speed(strategy, 2 * deals, 2) / our_speed(strategy, deals, 1) for _ in range(repeats)]
        print(f"two threads / one, {strategy}: median {median(ratios):.2f}, best {max(ratios):.2f}")


def peak_memory(deals: int) -> float:
    """Peak resident memory of a process that plays so many deals, in MB."""
    code = (
        "import resource, simkit\n"
        f"simkit.match({GAME!r}, 'greedy', deals={deals})\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return int(out) / (1024**2 if sys.platform == "darwin" else 1024)


def print_memory() -> None:
    few, many = MEMORY_DEALS
    before, after = peak_memory(few), peak_memory(many)
    print(f"peak memory: {few:,} deals {before:.0f} MB, {many:,} deals {after:.0f} MB, ratio {after / before:.3f}")


def default_yardstick() -> Path | None:
    path = Path(os.environ.get(YARDSTICKS, "")) / f"{GAME}.c"
    return path if YARDSTICKS in os.environ and path.is_file() else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("yardstick", nargs="?", type=Path, default=default_yardstick(), help="a C source")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of play in each of our measurements")
    parser.add_argument("--no-memory", action="store_true")
    given = parser.parse_args()
    if hasattr(os, "getloadavg"):
        print(f"load before the start {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores (0 is best)")
    print_speeds(interleaved(given.yardstick, given.repeats, given.seconds))
    if (os.cpu_count() or 1) > 1:
        print_threads(given.repeats, given.seconds)
    if not given.no_memory:
        print_memory()


if __name__ == "__main__":
    main()
