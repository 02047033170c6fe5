"""Kuhn poker, a plug-in for simkit: three cards, one bet, and a solution known since 1950. Rules: rules.md."""

from __future__ import annotations

from kuhn_poker.rules import CARD_WORDS, CARDS, CLAUSES, OPTIONS
from simkit.games.base import Counted, Feature, Game, Probe, Subject

PLACE_WORDS = ("speaks first", "replies to a check")

GAME = Game(
    name="kuhn_poker",
    title="Kuhn poker",
    about="Two players, three cards, one round of betting: the smallest game in which bluffing is right.",
    package=__name__,
    options=OPTIONS,
    max_seats=2,
    seats=lambda rules: 2,
    columns={
        "winner": "seat that won",
        "unfinished": "always 0: every hand ends",
        "turns": "decisions made",
        "scores": "chips won, below 0 when lost",
        "folded": "1 when a player folded",
        "bluffs": "bets with the jack",
        "opening": "1 for the card that was dealt",
        "used": "bets and calls with the card",
        "probe_turn": "decision at which the probe came, counted from 1; 0 without one",
        "probe_card": "card in hand then: 0 jack, 1 queen, 2 king",
        "probe_place": "0 for who speaks first, 1 for who replies",
        "clauses": "how often the clause fired",
    },
    labels={"opening": CARDS, "used": CARDS, "clauses": tuple(clause for clause, _ in CLAUSES)},
    check=lambda rules: [],
    length="turns",
    score_unit="chips",
    stakes=True,
    start_score=lambda rules: 0,
    seat_fields=frozenset({"scores", "bluffs", "opening", "used"}),
    clauses=CLAUSES,
    bench=("random", "equilibrium"),
    measures=(
        Counted("folds", "hands that end with a fold", "folded", kind="share"),
        Counted("bluffs", "bluffs a player's hand", "bluffs"),
        Counted("score_spread", "spread of chips won", "scores", kind="spread"),
    ),
    subjects=tuple(Subject(card, CARD_WORDS[i], i, 1 << i, None) for i, card in enumerate(CARDS)),
    seen=(("opening", "dealt"), ("used", "bet or called with")),
    barred_words="Barred from a card, its holder may not bet or call with it.",
    probes=(
        Probe(
            "bet",
            "betting",
            now=1,
            never=2,
            later=2,
            features=(
                Feature("place", "probe_place", "place at the table", (0, 1), names=PLACE_WORDS),
                Feature("card", "probe_card", "card in hand", (0, 1, 2), names=CARD_WORDS),
            ),
        ),
    ),
)
