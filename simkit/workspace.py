"""`simkit init`: a workspace with the shipped strategies and experiments, to change at will."""

from __future__ import annotations

import shutil
from pathlib import Path

from simkit.errors import UsageError
from simkit.games import games
from simkit.strategy import shipped_folder

_README = """\
# A simkit workspace

    simkit run experiments/colina_kings.toml     run an experiment; its report goes to reports/
    simkit match colina greedy planner           let strategies play
    simkit replay colina greedy planner          tell one game
    simkit check strategies/colina/greedy.py     check a strategy file after an edit

`strategies/<game>/` holds the strategies, a file each: copy one, change it, use it by its name. `experiments/` holds
questions, a file each.
"""


def lay_out(folder: Path) -> None:
    """Fills a folder with copies of the strategies and experiments that come with simkit and with plug-ins.

    Raises:
        UsageError: the folder is there and not empty, or cannot be written.
    """
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder}: is there already and not empty. Choose a new folder.")
        folder.mkdir(parents=True, exist_ok=True)
        for game in games().values():
            _copy(game.folder / "strategies", folder / "strategies" / game.name)
            _copy(game.folder / "experiments", folder / "experiments")
        for kind in ("strategies", "experiments"):  # simkit's own last: where names clash, these are found first
            _copy(shipped_folder(kind), folder / kind)
        (folder / "reports").mkdir(exist_ok=True)
        (folder / "README.md").write_text(_README)
    except OSError as wrong:
        raise UsageError(f"{folder}: cannot write here: {wrong.strerror}.") from None


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
