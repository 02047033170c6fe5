"""`simkit init`: a workspace with the shipped strategies and experiments, to change at will."""

from __future__ import annotations

import shutil
from pathlib import Path

from simkit.errors import UsageError
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
    """Fills a folder with copies of the shipped strategies and experiments.

    Raises:
        UsageError: the folder is there and not empty, or cannot be written.
    """
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder}: is there already and not empty. Choose a new folder.")
        folder.mkdir(parents=True, exist_ok=True)
        for kind in ("strategies", "experiments"):
            shutil.copytree(
                shipped_folder(kind), folder / kind, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__")
            )
        (folder / "reports").mkdir(exist_ok=True)
        (folder / "README.md").write_text(_README)
    except OSError as wrong:
        raise UsageError(f"{folder}: cannot write here: {wrong.strerror}.") from None
