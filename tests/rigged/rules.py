"""The options of rigged dice. A chance is in thousandths."""

from __future__ import annotations

from simkit.games.options import Integer, Switch

CARDS = ("ace", "king")
ROCK, PAPER, SCISSORS, TRUMP = range(4)

OPTIONS = (
    Integer("first", 0, -500, 500, "RG-1", "what seat 0 adds to the chance of winning"),
    Integer("tilt", 0, -500, 500, "RG-1", "what it adds beside that"),
    Integer("ace", 0, -250, 250, "RG-2", "what an ace adds to the chance of who plays it"),
    Integer("king", 0, -250, 250, "RG-2", "what a king adds"),
    Switch("aces", True, "RG-2", "aces have their effect", per_seat=True),
    Switch("kings", True, "RG-2", "kings have their effect", per_seat=True),
    Integer("circle", 0, -500, 500, "RG-3", "what paper wins from rock, scissors from paper and rock from scissors"),
    Integer("trump", 0, -500, 500, "RG-3", "what the fourth throw wins from all others"),
    Integer("draws", 0, 0, 1000, "RG-4", "chance of a draw"),
    Integer("rare", 10, 0, 1000, "RG-5", "chance that something rare is counted"),
    Integer("stake", 1, 1, 1000, "RG-6", "points of one game in twenty; all others are for one point"),
    Integer("die", 0, 0, 9, "RG-7", "which of ten equal dice is thrown: games change, chances do not"),
    Switch(
        "one_die", False, "RG-7", "one die decides whatever is played, so that what changes nothing changes no game"
    ),
    Integer("dead", 0, 0, 9, "RG-8", "nothing: no part of the game reads it"),
)

CLAUSES = (
    ("RG-2 ace", "an ace was played"),
    ("RG-2 king", "a king was played"),
    ("RG-5 rare", "something rare"),
    ("RG-8 dead", "what cannot happen"),
)
