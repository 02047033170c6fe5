"""Puts a game's package where an installed plug-in is found, without installing anything."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from simkit.games import games

ROOT = Path(__file__).parents[2]
KUHN = ROOT / "examples" / "kuhn_poker"


def lay_down_metadata(project: Path, site: Path) -> None:
    """What an installer writes of a project: its name, version and entry points."""
    about = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    folder = site / f"{about['name'].replace('-', '_')}-{about['version']}.dist-info"
    folder.mkdir(parents=True)
    metadata = f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {about['version']}\n"
    (folder / "METADATA").write_text(metadata, encoding="utf-8")
    lines = [f"[{group}]\n" + "\n".join(f"{k} = {v}" for k, v in all_.items()) for group, all_ in entries(about)]
    (folder / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def entries(about: dict[str, dict[str, dict[str, str]]]) -> Iterator[tuple[str, dict[str, str]]]:
    """The groups of entry points of a project."""
    yield from about["entry-points"].items()


@contextmanager
def plugged_in(project: Path, site: Path) -> Iterator[None]:
    """The project's game is known meanwhile, to this process and to those that it starts."""
    lay_down_metadata(project, site)
    with pytest.MonkeyPatch.context() as patch:
        for folder in (project, site):
            patch.syspath_prepend(str(folder))
        patch.setenv("PYTHONPATH", ":".join(map(str, (ROOT, project, site))))
        games.cache_clear()
        yield
    games.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] in {path.name for path in project.iterdir()}]:
        del sys.modules[name]
