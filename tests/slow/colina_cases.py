"""Known answers for Colina, for the slow reading and the compiled game: vectors, worked cases, the matrix of backs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.slow.colina import JOKER

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "colina.json").read_text(encoding="utf-8"))


def of_kind(kind: str) -> pytest.MarkDecorator:
    """Parametrises a test with the vectors of one kind, as `case`."""
    cases = [case for case in VECTORS["cases"] if case["kind"] == kind]
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases])


MATRIX = {  # fronts 6 and 10; rows: the back of A; columns: the back of B, in the order of BACKS
    None: (-4, -14, -4, 4, 4, -4),
    "J": (2, -8, -4, -2, -2, 2),
    "Q": (-4, -4, -4, -4, -4, -4),
    "K": (4, 14, -4, -4, -4, 4),
    "A": (4, 14, -4, -4, -4, 4),
    "*": (-4, -14, -4, 4, 4, -4),
}
BACKS = (None, "J", "Q", "K", "A", "*")


def named(rank: str | None, suit: str) -> str | None:
    return rank if rank in (None, JOKER) else f"{rank}{suit}"


WORKED = [  # (A's play, B's play, lost, the last card of A): cards of the front line, "+", the back line
    ("4s", "6h", (2, 0)),
    ("9s", "9h", (0, 0)),
    ("2h 3h 7h", "10s", (0, 2)),
    ("7d", "6s 7s", (6, 0)),
    ("5s+Jh", "9d", (0, 1)),
    ("10s+Qh", "7d+Jc", (0, 3)),
    ("6s+Kh", "10d", (0, 4)),
    ("3s+Kh", "4d+Kc", (1, 0)),
    ("7s", "2h+Ad", (5, 0)),
    ("10s", "2h+Kd", (8, 0)),
    ("6s+Kh", "10d+Ac", (4, 0)),
    ("10s+Ah", "4d", (6, 0)),
    ("2s+Ah", "9d+Ac", (7, 0)),
    ("2s+Ah", "9d+Qc", (7, 0)),
    ("*+Kh", "10d", (0, 10)),
    ("*+Ah", "10d+Jc", (0, 20)),
    ("6s 7s 8s 9s 10s+Jh", "2d", (0, 78)),
    ("As last", "9h", (0, 4)),
    ("As last", "9h+Qd", (4, 0)),
    ("As", "9h", (4, 0)),
    ("Jh Ah", "4s", (0, 3)),
]


def worked_side(text: str) -> tuple[list[str], tuple[list[str], str | None]]:
    """A side of a worked case as (hand, play); it holds a spare card unless it plays its last or fills the hand."""
    front, _, back = text.removesuffix(" last").partition("+")
    cards = front.split()
    spare = [] if text.endswith("last") or len(cards) > 4 else ["2c"]
    return [*cards, *back.split(), *spare], (cards, back or None)
