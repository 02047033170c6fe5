"""Cards of Colina: codes, values, and the constant tables of the kernel, built by plain Python at import.

A card is suit × 16 + rank, ranks 2–10, J 11, Q 12, K 13, A 14; a joker is 64 and an empty place in the hand is 0.
A hand has six places (slots) and a set of cards in it is a mask of slots: bit i stands for slot i.
"""

from __future__ import annotations

import numpy as np

HAND = 6
SUITS = "shdc"
RANKS = "..23456789TJQKA"
EMPTY, JACK, QUEEN, KING, ACE, JOKER = 0, 11, 12, 13, 14, 64

# Effects in the back line: index into KINDS plus 1, 0 for none.
NO_EFFECT, DOUBLE, BLOCK, HILL, MIRROR = 0, 1, 2, 3, 4
JOKER_KIND = 4

_VALUES = (0, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 2, 3, 4, 5, 0)


def name_of(card: int) -> str:
    """The card as transcripts write it: `7h`, `Kd`, `*`."""
    if card == JOKER:
        return "*"
    rank = card & 15
    return (str(rank) if rank <= 10 else RANKS[rank]) + SUITS[card >> 4]


def code_of(name: str) -> int:
    """The code of a card's name. Raises ValueError for a name that is no card."""
    if name == "*":
        return JOKER
    rank = int(name[:-1]) if name[:-1].isdigit() else RANKS.index(name[:-1])
    return SUITS.index(name[-1]) * 16 + rank


def _pack() -> np.ndarray:
    two = [suit * 16 + rank for _ in range(2) for suit in range(4) for rank in range(2, 15)]
    return np.array(two + [JOKER] * 8, np.int8)


PACK = _pack()  # 104 cards, then up to 8 jokers
VALUE = np.array([_VALUES[c & 15] if c != JOKER else 0 for c in range(65)], np.uint64)
# The byte of a hand's word of groups: 2 × suit for value cards, 2 × suit + 1 for support cards.
GROUP = np.array([8 * (2 * (c >> 4) + ((c & 15) > 10)) if c != JOKER else 0 for c in range(65)], np.uint64)
# Index into KINDS, −1 for a value card.
KIND = np.array([4 if c == JOKER else (c & 15) - JACK if (c & 15) >= JACK else -1 for c in range(65)], np.int64)


def _dead_steps() -> np.ndarray:
    """What a dead card adds to the two words that count the dead pile: 2 bits a card of a suit, 4 for the jokers."""
    steps = np.zeros((2, 65), np.uint64)
    for suit in range(4):
        for rank in range(2, 15):
            steps[suit >> 1, suit * 16 + rank] = 1 << dead_shift(suit, rank)
    steps[1, JOKER] = 1 << DEAD_JOKERS
    return steps


def dead_shift(suit: int, rank: int) -> int:
    """Where the count of a card lies in word `suit >> 1` of the dead pile's counts."""
    return 2 * (13 * (suit & 1) + rank - 2)


DEAD_JOKERS = 52
DEAD_STEP = _dead_steps()

# Masks of slots: how many, the slots' bytes, and the subsets of two or more (what a siamese can be made of).
COUNT = np.array([m.bit_count() for m in range(64)], np.int64)
LOWEST = np.array([(m & -m).bit_length() - 1 if m else 0 for m in range(64)], np.int64)
# The slot of the n-th bit of a mask, −1 beyond the last.
NTH = np.array([[([i for i in range(HAND) if m >> i & 1] + [-1] * HAND)[n] for n in range(HAND)] for m in range(64)])
BYTES = np.array([sum(255 << 8 * i for i in range(HAND) if m >> i & 1) for m in range(64)], np.uint64)
