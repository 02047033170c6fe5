"""The one list of games. Third parties join through the entry point group `simkit.games` (docs/add_a_game.md)."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from simkit.errors import UsageError, nearest
from simkit.games.base import Game
from simkit.games.colina import GAME as COLINA
from simkit.games.hakka import GAME as HAKKA
from simkit.games.lost_cities import GAME as LOST_CITIES
from simkit.games.saloon import GAME as SALOON
from simkit.games.sixty_six import GAME as SIXTY_SIX

SHIPPED = (COLINA, LOST_CITIES, SIXTY_SIX, SALOON, HAKKA)


@cache
def games() -> dict[str, Game]:
    """All games by name, the shipped ones first. Raises UsageError for a plug-in that cannot be used."""
    found = {game.name: game for game in SHIPPED}
    for entry in entry_points(group="simkit.games"):
        game = _plugged_in(entry)
        if game.name in found:
            raise UsageError(f"the plug-in {entry.value} brings {game.name}, but there is a game of that name already.")
        found[game.name] = game
    return found


def _plugged_in(entry: EntryPoint) -> Game:
    try:
        game = entry.load()
    except Exception as wrong:  # anything can go wrong in code that is not ours
        raise UsageError(f"the plug-in {entry.value} does not load: {type(wrong).__name__}: {wrong}") from wrong
    if not isinstance(game, Game):
        raise UsageError(f"the plug-in {entry.value} is a {type(game).__name__}, not a simkit.games.base.Game.")
    return game


def get_game(name: str) -> Game:
    """The game of that name. Raises UsageError with the nearest right name."""
    if name not in games():
        raise UsageError(f"{name}: no such game. Games: {', '.join(games())}.{nearest(name, games())}")
    return games()[name]
