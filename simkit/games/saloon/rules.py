"""The options of Saloon, in the order of docs/rules/saloon.md; their record is in `state`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simkit.games.options import Choice, Integer

INT_MAX = 2**31 - 1
MAX_PLAYERS, MAX_PACKS = 8, 2
PACK_NUMBERS, PACK_CLIENTS = 36, 16
MOST = MAX_PACKS * PACK_NUMBERS
ONE_PACK_PLAYERS = 4

# A move names cards by their places in the hand, a bit each: so many bits of its code are left for that.
PLACES = 54

DISCARD, RETURN = range(2)
FIRST_CLOSE, LAST_STANDING = range(2)
FEW, FEW_DRAW, SWAP_DRAW = 1, 2, 2

OPTIONS = (
    Integer("players", 2, 2, MAX_PLAYERS, "SAL-1.1", "how many players take part"),
    Integer(
        "packs",
        1,
        1,
        MAX_PACKS,
        "SAL-1.1",
        "packs of cards; by default one for up to four players, two for more",
        derive=lambda values: 1 if values["players"] <= ONE_PACK_PLAYERS else MAX_PACKS,
    ),
    Integer("clients", 4, 1, PACK_CLIENTS, "SAL-1.2", "clients of each player"),
    Integer("hand_size", 5, 0, PACK_NUMBERS, "SAL-1.4", "cards in each hand at the start"),
    Integer("bill", 3, 1, MOST, "SAL-2.4", "cards that a payment takes"),
    Integer("last_bill", 4, 1, MOST, "SAL-2.4", "cards that the payment for an only remaining client takes"),
    Integer("believed_bluff_draw", 3, 0, MOST, "SAL-3.4", "cards the payer draws after a bluff that was believed"),
    Integer(
        "believed_honest_draw", 1, 0, MOST, "SAL-3.4", "cards the payer draws after an honest payment that was believed"
    ),
    Integer("caught_bluff_judge_draw", 2, 0, MOST, "SAL-3.5", "cards the judge draws after catching a bluff"),
    Integer(
        "doubted_honest_draw", 1, 0, MOST, "SAL-3.5", "cards the payer draws after an honest payment that was doubted"
    ),
    Integer("wrong_doubt_discard", 2, 0, MOST, "SAL-3.5", "cards the judge discards after doubting an honest payment"),
    Choice(
        "caught_bluff_cards",
        "discard",
        ("discard", "return"),
        "SAL-3.6",
        "whether the cards of a caught bluff are discarded or return to the payer's hand",
    ),
    Integer("hand_limit", 5, 2, MOST, "SAL-5.2", "most cards that a player may keep at the end of a turn"),
    Choice(
        "play_to",
        "first_close",
        ("first_close", "last_standing"),
        "SAL-5.3",
        "whether the first saloon to close ends the game, or only the last but one",
    ),
    Integer("max_turns", 2000, 1, INT_MAX, "SAL-5.4", "turns of single players after which a game is stopped"),
)


def largest_hand(values: Mapping[str, Any]) -> int:
    """A number of cards that no hand can exceed under these rules.

    A hand is no larger than the limit, or as dealt, when its player's turn ends; every other player may then be caught
    by it once before its own turn adds what a payment, or a swap, gains.
    """
    kept = max(values["hand_limit"], values["hand_size"], FEW + FEW_DRAW)
    caught = (values["players"] - 1) * values["caught_bluff_judge_draw"]
    draws = max(values[f"{how}_draw"] for how in ("believed_bluff", "believed_honest", "doubted_honest"))
    gained = max(SWAP_DRAW - 1, draws - min(values["bill"], values["last_bill"]))
    return int(min(MOST, kept + caught + gained))


def check(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Faults that only a combination of options has: more cards than there are (SAL-1.1), hands too large to name."""
    faults, players, packs = [], values["players"], values["packs"]
    of_packs = f"{players} players with {packs} pack{'s' if packs > 1 else ''}"
    for name, cards in (("clients", PACK_CLIENTS), ("hand_size", PACK_NUMBERS)):
        most = packs * cards // players
        if values[name] > most:
            faults.append((name, f"{values[name]} is too many for {of_packs}: at most {most}"))
    if packs == MAX_PACKS and largest_hand(values) > PLACES:
        faults.append(
            (
                "hand_limit",
                f"with two packs a hand could grow to {largest_hand(values)} cards; simkit can play hands of up to "
                f"{PLACES}: lower hand_limit, hand_size or the numbers of cards drawn",
            )
        )
    return faults
