"""What there is: games, kinds of question, strategies, shipped experiments; the names an experiment can refer to."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from simkit import strategy
from simkit.errors import SimkitError
from simkit.games import games
from simkit.games.base import Game
from simkit.strategy import StrategyFile


class Catalog:
    """The names known in a workspace.

    Args:
        base: the workspace's folder, where `strategies/<game>/` is looked for first.
    """

    def __init__(self, base: Path | None = None) -> None:
        self.base = base or Path.cwd()

    @cached_property
    def games(self) -> Mapping[str, Game]:
        """Games by name."""
        return games()

    @cached_property
    def kinds(self) -> Mapping[str, type]:
        """Kinds of question by name, each with the model of its own table."""
        from simkit.questions import KINDS  # brings statistics, which matches and replays do without

        return {name: kind.settings for name, kind in KINDS.items()}

    @cached_property
    def experiments(self) -> Mapping[str, Path]:
        """Experiments by name: the workspace's, then simkit's own, then those of plug-ins."""
        found: dict[str, Path] = {}
        brought = (game.folder / "experiments" for game in self.games.values())
        for folder in (self.base / "experiments", strategy.shipped_folder("experiments"), *brought):
            for path in sorted(folder.glob("*.toml")):
                found.setdefault(path.stem, path)
        return found

    def strategies(self, game: str) -> Mapping[str, StrategyFile]:
        """The readable strategies of a game by name."""
        found = {}
        for name, path in strategy.available(game, self.base).items():
            try:
                found[name] = strategy.read(path)
            except SimkitError:  # a broken file is reported when it is used, by resolve_strategy
                continue
        return found

    def resolve_strategy(self, game: str, use: str, base_dir: Path) -> StrategyFile:
        """The strategy that `use` means. Raises SimkitError when there is none for that game."""
        return strategy.find(game, use, base_dir)
