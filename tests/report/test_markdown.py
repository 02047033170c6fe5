"""The page of Markdown says what the HTML page says, and nothing in a text becomes a mark."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from simkit.report.markdown import render_markdown
from tests.report.examples import PLANTED, answer, facts, long_table, verdict

CHARTS = {"strength": "charts/strength.svg", "again": "charts/again.svg"}


def test_the_page_is_told_in_the_order_of_a_report() -> None:
    page = render_markdown(answer(), facts(), CHARTS)
    order = [
        "# Is the King too strong?",
        "**No: +0.42",
        "![Alternative plain](charts/strength.svg)",
        "## Verdicts",
        "The King is fair.",
        "![Alternative plain](charts/again.svg)",
        "## Cards plain",
        "Beware.",
        "## What else we saw",
        "- A rule never fired.",
        "## What this stands on",
        "Simulated players are not people",
        "    simkit run kings.toml plain",
        "    simkit replay colina --deal 7 plain",
    ]
    places = [page.index(text) for text in order]
    assert places == sorted(places)


def test_tables_show_what_the_page_shows_with_numbers_to_the_right() -> None:
    page = render_markdown(answer(), facts(), CHARTS)
    assert "| Card plain | Win rate when drawn | Games |\n| --- | ---: | ---: |\n" in page
    assert "| K plain | 52.3 ± 0.4 % | 12\u202f345 |\n| Q | – | 0 |" in page
    assert "| K plain | greedy plain | ✓ fair | +0.4 ± 0.3 | The King is fair. plain |" in page


def test_every_planted_text_is_escaped() -> None:
    page = render_markdown(answer(f"{PLANTED} a|b *c* _d_ `e` &lt; [f](g)"), facts(PLANTED), CHARTS)
    told = re.sub(r"^    .*$", "", page, flags=re.M)  # lines of code are taken as they are
    assert not re.search(r"(?<!\\)[<>`]", told)
    assert r"a\|b \*c\* \_d\_ \`e\` \&lt; \[f\](g)" in told
    rows = [line for line in page.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {4, 6}


def test_a_line_that_begins_like_a_list_is_none() -> None:
    page = render_markdown(replace(answer(), notes=("- 3 of them.", "2. of them.")), facts(), CHARTS)
    assert "- \\- 3 of them.\n- 2\\. of them." in page


def test_an_interrupted_run_says_so_at_the_top() -> None:
    page = render_markdown(answer(), replace(facts(), status="interrupted"), CHARTS)
    assert page.index("This run was interrupted") < page.index("No: +0.42")


def test_an_answer_with_nothing_to_show_is_still_a_page() -> None:
    bare = replace(answer(), verdicts=(), tables=(), charts=(), notes=(), replays=(), headline=None)
    page = render_markdown(bare, replace(facts(), rules=(), strategies=(), versions={}, command="", date=""), {})
    assert "Rules changed for this experiment: none." in page
    assert "None" not in page
    assert "##" in page
    assert "Verdicts" not in page


def test_an_empty_table_says_so() -> None:
    (shown,) = answer().tables
    empty = replace(answer(), tables=(replace(shown, frame=shown.frame.iloc[:0]),))
    assert "Nothing was observed." in render_markdown(empty, facts(), CHARTS)


@pytest.mark.parametrize(("many", "folded"), [(40, 0), (41, 1)])
def test_of_a_very_long_table_the_first_rows_are_shown_and_all_are_folded(many: int, folded: int) -> None:
    page = render_markdown(replace(answer(), tables=(long_table(many),)), facts(), CHARTS)
    assert page.count("<details>") == page.count("</details>") == folded
    assert [page.count(f"| card {i} |") for i in (0, 9, 10, many - 1)] == [1 + folded, 1 + folded, 1, 1]
    assert ("<details><summary>All 41 rows</summary>\n\n| Card |" in page) == bool(folded)


@pytest.mark.parametrize(("many", "folded"), [(16, 0), (17, 1)])
def test_a_very_long_list_of_verdicts_is_folded(many: int, folded: int) -> None:
    page = render_markdown(replace(answer(), verdicts=(verdict("K", 0.004, "fair"),) * many), facts(), CHARTS)
    assert page.count("<details>") == folded
    assert page.count("| K | ") == many
