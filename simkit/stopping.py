"""When a run that is told how well to know its headline has enough deals (see simkit.plan.Stopping)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from simkit.errors import UsageError
from simkit.plan import Plan, Results

PILOT_DEALS = 1_000
LARGEST_GROWTH, SMALLEST_GROWTH = 4.0, 1.5


@dataclass(frozen=True)
class HalfWidth:
    """Until the headline is known to ± `half_width`.

    A pilot of at least PILOT_DEALS, then steps that grow geometrically: looking after every deal would stop too early
    too often (coverage 50 % for a nominal 95 %).
    """

    half_width: float

    @property
    def words(self) -> str:
        """What ends the run."""
        return f"to know the headline to ±{self.half_width:g}"

    def first(self, plan: Plan) -> int:
        """The pilot: a batch at least."""
        return max(PILOT_DEALS, plan.deals_a_batch)

    def then(self, results: Results, deals: int) -> int:
        """As many as the width suggests: it shrinks with the root of the deals."""
        estimate = results.estimate(results.plan.headline)
        half = (estimate.high - estimate.low) / 2
        if half <= self.half_width:
            return deals
        if estimate.count == 0:
            raise UsageError(
                f"until: in {deals:,} deals nothing was seen that the headline ({results.plan.headline}) could be "
                "worked out from. Set deals instead, or ask for something that happens."
            )
        growth = LARGEST_GROWTH if math.isnan(half) else (half / self.half_width) ** 2  # NaN: seen once
        return int(deals * min(max(growth, SMALLEST_GROWTH), LARGEST_GROWTH)) + 1
