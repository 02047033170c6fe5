"""The kinds of cards that are looked for while games are played: counted again from transcripts, and known chances."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import hypergeom

from simkit.contract import some_rules
from simkit.driver import Table
from simkit.games import get_game
from simkit.transcript import events
from tests.slow.holdings import READERS, Recount
from tests.tables import shipped, shipped_names, table_of

TABLES = 14  # of each game, two deals each, one seating of each told
MOST_TURNS = 60  # long games of Saloon tell no more


def random_table(name: str, rng: random.Random) -> Table:
    """Random play and one strategy more under random rules."""
    game = get_game(name)
    rules = some_rules(game, rng)
    if "max_turns" in rules:
        rules["max_turns"] = min(rules["max_turns"], MOST_TURNS)
    names = rng.choices(["random", sorted(shipped_names(name))[0]], k=game.seats(rules))
    return Table(game, [shipped(name, each) for each in names], rules, rng.getrandbits(64))


def counted(name: str, trace: np.void, field: str, seat: int) -> dict[str, int]:
    """What the compiled look counted, without the zeros."""
    kinds = [subject.name for subject in get_game(name).subjects if subject.looked_for]
    return {kind: int(n) for kind, n in zip(kinds, trace[field][seat], strict=True) if n}


def wanted(name: str, kinds: dict[str, int]) -> dict[str, int]:
    """The same of what was counted from the transcript."""
    known = {subject.name for subject in get_game(name).subjects if subject.looked_for}
    return {kind: n for kind, n in kinds.items() if n and kind in known}


def played_alike(name: str, trace: np.void, told: Recount, seat: int) -> bool:
    """Whether as much was played; a card led with a marriage that ends the deal is the king or the queen."""
    left = dict(counted(name, trace, "played", seat))
    for kind, n in told.played[seat].items():
        left[kind] = left.get(kind, 0) - n
    for couple in (couple for who, couple in told.unsure if who == seat):
        led = next(kind for kind in couple if left.get(kind, 0) > 0)
        left[led] -= 1
    return not wanted(name, left)


@pytest.mark.parametrize("name", READERS)
def test_what_is_dealt_held_and_played_is_what_the_transcript_tells(name: str) -> None:
    rng, seen = random.Random(name), set[tuple[str, str]]()
    for _ in range(TABLES):
        table, deal = random_table(name, rng), rng.getrandbits(40)
        _, traces = table.play_traced(deal, 2, cards=True)
        for place in range(2):
            rotation = rng.randrange(table.seats)
            told = READERS[name]([json.loads(json.dumps(event)) for event in events(table, deal + place, rotation)])
            trace = traces[place, rotation]
            for seat in range(table.seats):
                assert counted(name, trace, "dealt", seat) == wanted(name, told.dealt[seat])
                assert counted(name, trace, "held", seat) == wanted(name, +told.held[seat])
                assert played_alike(name, trace, told, seat)
                seen |= {(field, kind) for field in ("dealt", "played") for kind in counted(name, trace, field, seat)}
    kinds = {subject.name for subject in get_game(name).subjects if subject.looked_for}
    assert {kind for field, kind in seen if field == "dealt"} == kinds
    assert len(seen) > len(kinds) or name == "lost_cities"  # features of a hand are not played


def dealt(name: str, deals: int, **rules: object) -> dict[str, tuple[float, int]]:
    """(share of the first hands with the kind, hands) by kind, of those who take part."""
    table = table_of(get_game(name), ["random"], rules=rules)
    _, traces = table.play_traced(0, deals, cards=True)
    found = traces["dealt"][:, 0, : table.seats]
    kinds = [subject.name for subject in get_game(name).subjects if subject.looked_for]
    return {
        kind: (float((found[..., i] > 0).sum() / (found[..., i] >= 0).sum()), int((found[..., i] >= 0).sum()))
        for i, kind in enumerate(kinds)
    }


# Exact chances from the rule documents ("Exact facts"), and of a number of cards of one kind the hypergeometric ones.
@pytest.mark.parametrize(
    ("name", "chances"),
    [
        ("saloon", {"bill": Fraction(34715, 136136)}),
        ("lost_cities", {"colour_4": 0.2161443053}),
        ("hakka", {"set": 0.7100241691, "run": 0.5276169007, "W": Fraction(12, 37), "9": hypergeom(37, 4, 12).sf(0)}),
        ("sixty_six", {"trumps_3": hypergeom(23, 5, 6).sf(2), "10": hypergeom(23, 3, 6).sf(0)}),
    ],
)
def test_first_hands_hold_a_kind_as_often_as_they_should(name: str, chances: dict[str, float]) -> None:
    found = dealt(name, 3000)
    for kind, chance in chances.items():
        share, hands = found[kind]
        # the hands of one deal are not independent: as if each deal were one hand
        assert share == pytest.approx(float(chance), abs=4 * math.sqrt(float(chance * (1 - chance)) / 3000)), kind
        assert hands == 3000 * (3 if name == "hakka" else 2)
