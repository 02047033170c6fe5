"""Rule documents are read clause by clause."""

from __future__ import annotations

from textwrap import dedent

from simkit.games import SHIPPED
from simkit.rulebook import Clause, parse, read_rules


def test_sections_and_clauses_are_told_apart() -> None:
    text = """\
        # A game: the rules

        An introduction.

        ## AB-1 Setup

        Before the clauses.

        **AB-1.1** Two players.

        **AB-1.2** A pack:

        - of 52 cards

        ### A heading below

        ## Options

        **AB-1.2** is not a clause here.

        ## AB-2 Play

        **AB-2.1** Play on.
    """
    first, second = parse(dedent(text))
    assert (first.number, first.title) == ("AB-1", "Setup")
    assert first.clauses == [Clause("AB-1.1", "Two players."), Clause("AB-1.2", "A pack:\n\n- of 52 cards")]
    assert (second.number, second.clauses) == ("AB-2", [Clause("AB-2.1", "Play on.")])


def test_every_game_has_a_document_with_the_clauses_that_its_options_name() -> None:
    for game in SHIPPED:
        numbers = {clause.number for section in read_rules(game.name) for clause in section.clauses}
        assert {option.clause for option in game.options} <= numbers


def test_a_game_without_a_document_has_no_sections() -> None:
    assert read_rules("nowhere") == []
