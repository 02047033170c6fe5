"""What is played for: games won, or the score, as in poker, where who wins often may still lose money.

Effects on the score are told for a hundred games, as poker players tell theirs, so that 0.01 is "one" in both: a point
of win rate, or one of the score in a hundred games.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from simkit.answer import Estimate
from simkit.measures import Measure, ScoreAboveMean, SeatScoreAboveMean, SeatWinRate, WinRate
from simkit.plan import Results
from simkit.questions.base import Asked, shifted
from simkit.series import Ratio
from simkit.stats.verdicts import Wording

JudgedBy = Literal["wins", "score"]


@dataclass(frozen=True)
class Stakes:
    """How effects are measured and worded.

    Attributes:
        by_score: whether the score counts, and not who wins.
        unit, one: of an effect of 0.01, in the plural and the singular.
        of: what follows the unit, with its space.
        total: what an effect adds to.
        even: what a player has in a game of equals.
    """

    by_score: bool
    unit: str = "points"
    one: str = "point"
    of: str = " of win rate"
    total: str = "the win rate"
    even: str = "an even share"

    @property
    def unit_in_full(self) -> str:
        """The unit with what it is of."""
        return f"{self.unit}{self.of}"

    def player(self, player: int) -> Measure:
        """What a player wins."""
        return ScoreAboveMean(player) if self.by_score else WinRate(player)

    def seat(self, seat: int) -> Measure:
        """What whoever sits at a seat wins."""
        return SeatScoreAboveMean(seat) if self.by_score else SeatWinRate(seat)

    def even_share(self, seats: int) -> float:
        """What each of so many equals wins."""
        return 0.0 if self.by_score else 1 / seats

    def above_even(self, results: Results, series: str, seats: int) -> Estimate:
        """The estimate of a series of what somebody wins, above that."""
        return shifted(results.estimate(series), -self.even_share(seats))

    def seat_series(self, seat: int, arm: str) -> Ratio:
        """The series of what whoever sits at a seat wins in an arm."""
        return Ratio(f"{'score' if self.by_score else 'seat'}/{seat}/{arm}", arm, self.seat(seat))

    def within(self, margin: float) -> str:
        """The designer's margin, without what it is of: `±1 point`, `±2 chips in 100 games`."""
        return f"±{100 * margin:g} {self.one if margin == 0.01 else self.unit}"

    def wording(self, effect: str) -> Wording:
        """Effects in the sentences of verdicts."""
        return Wording(effect=effect, unit=self.unit, one=self.one, of=self.of)


WINS = Stakes(by_score=False)


def stakes_of(asked: Asked) -> Stakes:
    """What the question is judged by: its table's `judged_by`, or else what the game is played for."""
    by: JudgedBy | None = asked.experiment.settings.judged_by  # type: ignore[attr-defined]
    if by == "wins" or (by is None and not asked.game.stakes):
        return WINS
    unit = asked.game.score_unit
    one = unit if unit.isupper() else unit.removesuffix("s")
    hundred = " in 100 games"
    return Stakes(True, unit + hundred, one + hundred, "", "the score", "the mean of the table")
