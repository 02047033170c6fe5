"""Games in which one decision of player 0 is made by a strategy of its own: which, whose, and what is noted of them.

Up to that decision they are the games of a plain run to the last bit; simkit._branch plays them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

MOST_CLASSES = 16
CAME, CLASS = "branch_turn", "branch_class"

# What is noted of a game: the number of the decision, 1 for the game's first, 0 where it never came; and its class.
BRANCH = np.dtype([(CAME, "i8"), (CLASS, "i8")], align=True)

WHEN, CHOICE = 0, 1  # the places of the two functions of a branch
NOBODY = -1


@dataclass(frozen=True)
class Branch:
    """Which decision is made by whom.

    Attributes:
        when: label of the strategy whose file has the function `when` that tells the decision and its class.
        choice: label of the strategy whose move is made then, once a game.
        classes: how many classes there are.
    """

    when: str
    choice: str
    classes: int = MOST_CLASSES
