"""Cards of Lost Cities: codes, and constant tables of sets of cards, built by plain Python at import.

A card is colour × 12 + slot: slots 0–2 are the investment cards, slots 3–11 the numbers 2–10. A set of cards of one
colour is a mask of its twelve slots. A set of any cards is two words, as colour 5 does not fit in the first: bit
`card` of word 0 for colours 0–4, bit `card − 60` of word 1 for colour 5.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from simkit.games.lost_cities.counts import RANKS

LETTERS = "YBWGRP"
COLOURS, SLOTS, FIRST_NUMBER = 6, 12, 3  # slots below FIRST_NUMBER are investment cards
CARDS, WORD_CARDS = COLOURS * SLOTS, 60
INVESTMENTS, NUMBERS = 0b000000000111, 0b111111111000  # masks of slots
ALL = INVESTMENTS | NUMBERS

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
    return INVESTMENTS if rank == 0 else 1 << (rank + 2)


def _closed(card: int) -> int:
    """What may not follow once the card lies in an expedition (LC-3.1, 3.2), as a mask of its word."""
    colour, slot = divmod(card, SLOTS)
    return 0 if slot < FIRST_NUMBER else ((2 << slot) - 1) << colour * SLOTS % WORD_CARDS


SUM = np.array([sum(s - 1 for s in range(FIRST_NUMBER, SLOTS) if m >> s & 1) for m in range(ALL + 1)], np.int8)
CLOSED = np.array([_closed(card) for card in range(CARDS)], np.uint64)
# The cards that look like this one, itself included, as a mask of its word; none for a number.
ALIKE = np.array(
    [INVESTMENTS << card // SLOTS * SLOTS % WORD_CARDS if card % SLOTS < FIRST_NUMBER else 0 for card in range(CARDS)],
    np.uint64,
)
RANK_OF = np.array([max(card % SLOTS - FIRST_NUMBER + 1, 0) for card in range(CARDS)], np.uint64)
# The cards of one rank in every colour of a word, by rank: a first word and a second one.
RANK = np.array(
    [[sum(rank_mask(r) << c * SLOTS for c in range(5)), rank_mask(r)] for r in range(len(RANKS))], np.uint64
)


def _pack(colours: int, wagers: int) -> list[int]:
    """The codes of a pack of so many colours with so many investment cards each."""
    slots = [*range(wagers), *range(FIRST_NUMBER, SLOTS)]
    return [colour * SLOTS + slot for colour in range(colours) for slot in slots]


def words_of(cards: Iterable[int]) -> tuple[int, int]:
    """The two words of a set of cards."""
    mask = sum(1 << card for card in cards)
    return mask & (1 << WORD_CARDS) - 1, mask >> WORD_CARDS


# The pack by colours and investment cards a colour: its size, its cards (then zeros), and as a set.
_PACKS = [[_pack(colours, wagers) for wagers in range(4)] for colours in range(COLOURS + 1)]
PACK_SIZE = np.array([[len(pack) for pack in row] for row in _PACKS])
PACK = np.array([[pack + [0] * (CARDS - len(pack)) for pack in row] for row in _PACKS], np.int8)
PACK_SET = np.array([[words_of(pack) for pack in row] for row in _PACKS], np.uint64)
