"""Games to look at: a typical one, the longest, and the biggest comeback, found while the deals are played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simkit.measures import DealValues, Values
from simkit.plan import Results
from simkit.questions.base import Asked, Lineup, under
from simkit.questions.words import replay_command
from simkit.series import Distribution, Examples, Series

BEHIND = "behind_most"


def length_name(arm: str) -> str:
    """Name of the series with the distribution of the length of an arm's games."""
    return f"lengths/{arm}"


def example_series(asked: Asked, arm: str) -> list[Series]:
    """The length of an arm's games, and the first deal of every length and of every deficit that a winner had."""
    made: list[Series] = [
        Distribution(length_name(arm), arm, Values(asked.game.length)),
        Examples(f"example/length/{arm}", arm, DealValues(asked.game.length)),
    ]
    if BEHIND in asked.game.seat_fields:
        made.append(Examples(f"example/comeback/{arm}", arm, DealValues(BEHIND, "winner")))
    return made


def replays(
    asked: Asked,
    results: Results,
    lineup: Lineup,
    arm: str,
    changed: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
) -> tuple[tuple[str, str], ...]:
    """(label, command) for the games of an arm worth looking at.

    `changed` are its rules beside the experiment's, `parameters` those of its strategies by label.
    """
    lengths = results.examples(f"example/length/{arm}")
    typical = lengths.nearest(results.histogram(length_name(arm)).quantile(0.5))
    longest = max(lengths.deals)
    unit, who = asked.game.length, under(lineup)
    found = {
        f"A typical game, {typical} {unit} ({who})": lengths.deals[typical],
        f"The longest game, {longest} {unit}": lengths.deals[longest],
    }
    if BEHIND in asked.game.seat_fields:
        comebacks = results.examples(f"example/comeback/{arm}")
        behind = max(comebacks.deals)
        label = f"The biggest comeback, won after being {behind} {asked.game.score_unit} behind"
        found |= {label: comebacks.deals[behind]} if behind > 0 else {}
    return tuple((label, replay_command(asked, lineup, deal, changed, parameters)) for label, deal in found.items())
