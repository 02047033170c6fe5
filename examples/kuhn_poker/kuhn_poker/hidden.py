"""For `simkit check kuhn_poker`: deals anew what a seat cannot see."""

from __future__ import annotations

import random

import numpy as np


def shuffle_hidden(record: np.void, seat: int, rng: random.Random) -> None:
    """Gives the other seat one of the two cards that `seat` does not see (KP-1.3)."""
    cards = record["state"]["cards"]
    cards[1 - seat] = rng.choice([card for card in range(3) if card != cards[seat]])
