"""Cards of Lost Cities: codes, and constant tables of sets of cards, built by plain Python at import.

A card is colour × 12 + slot: slots 0–2 are the investment cards, slots 3–11 the numbers 2–10. A set of cards of one
colour is a mask of its twelve slots. A set of any cards is a word with bit `card` for colours 0–4; colour 5, which few
games have, does not fit in, and all of a seat's sets of it are in one word of their own, twelve bits each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from simkit.games.lost_cities.counts import RANKS

LETTERS = "YBWGRP"
COLOURS, SLOTS, FIRST_NUMBER = 6, 12, 3  # slots below FIRST_NUMBER are investment cards
CARDS, WORD_CARDS = COLOURS * SLOTS, 60
SIXTH = COLOURS - 1  # the colour that does not fit in a word
INVESTMENTS, NUMBERS = 0b000000000111, 0b111111111000  # masks of slots
ALL = INVESTMENTS | NUMBERS

# The sets of colour 5 in a seat's word of them, by the shift of each.
HAND_6, OPEN_6, LAID_6, KNOWN_6, UNSEEN_6 = 0, 12, 24, 36, 48

# Where the next card comes from: a colour's discard pile, or the draw pile.
DECK = 6
# Where a card goes.
EXPEDITION, DISCARD = 0, 1


def name_of(card: int) -> str:
    """The card as transcripts write it: `R2`, `R10`, `R$`."""
    colour, slot = divmod(card, SLOTS)
    return LETTERS[colour] + ("$" if slot < FIRST_NUMBER else str(slot - 1))


def rank_mask(rank: int) -> int:
    """The slots of a rank: 0 is the investment card, 1 the number 2, … 9 the number 10."""
    return INVESTMENTS if rank == 0 else 1 << (rank + FIRST_NUMBER - 1)


def _closed(slot: int) -> int:
    """The slots that may not follow once this one lies in an expedition (LC-3.1, 3.2)."""
    return 0 if slot < FIRST_NUMBER else (2 << slot) - 1


def _alike(slot: int) -> int:
    """The slots of the cards that look like this one; none for a number."""
    return INVESTMENTS if slot < FIRST_NUMBER else 0


def _by_card(slots_of: Callable[[int], int]) -> NDArray[np.uint64]:
    """A set for each card, of its colour: as a word, and for colour 5 as a mask of slots."""
    return np.array([slots_of(card % SLOTS) << card // SLOTS % SIXTH * SLOTS for card in range(CARDS)], np.uint64)


BIT = _by_card(lambda slot: 1 << slot)
CLOSED = _by_card(_closed)
ALIKE = _by_card(_alike)
RANK_OF = np.array([max(card % SLOTS - FIRST_NUMBER + 1, 0) for card in range(CARDS)], np.uint64)
# The cards of one rank in all colours of a word, and the ranks' slots, by rank.
RANK = np.array([sum(rank_mask(rank) << c * SLOTS for c in range(SIXTH)) for rank in range(len(RANKS))], np.uint64)
RANK_SLOTS = np.array([rank_mask(rank) for rank in range(len(RANKS))], np.uint64)
SUM = np.array([sum(s - 1 for s in range(FIRST_NUMBER, SLOTS) if m >> s & 1) for m in range(ALL + 1)], np.int8)


def _pack(colours: int, wagers: int) -> list[int]:
    """The codes of a pack of so many colours with so many investment cards each."""
    slots = [*range(wagers), *range(FIRST_NUMBER, SLOTS)]
    return [colour * SLOTS + slot for colour in range(colours) for slot in slots]


def words_of(cards: Iterable[int]) -> tuple[int, int]:
    """A set of cards as its word, and the slots of colour 5."""
    mask = sum(1 << card for card in cards)
    return mask & (1 << WORD_CARDS) - 1, mask >> WORD_CARDS


# The pack by colours and investment cards a colour: its size, its cards (then zeros), and as a set (two words).
_PACKS = [[_pack(colours, wagers) for wagers in range(4)] for colours in range(COLOURS + 1)]
PACK_SIZE = np.array([[len(pack) for pack in row] for row in _PACKS])
PACK = np.array([[pack + [0] * (CARDS - len(pack)) for pack in row] for row in _PACKS], np.int8)
PACK_SET = np.array([[words_of(pack) for pack in row] for row in _PACKS], np.uint64)
