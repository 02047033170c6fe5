"""The page: in order, escaped, offline, readable without script."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from simkit.report.page import render, unbroken
from simkit.stats.verdicts import MOST_DEALS
from tests.report.examples import PLANTED, answer, facts, long_table, verdict


class Reader(HTMLParser):
    """Collects the tags with their attributes, and the text outside of scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem is None:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.tags)


@pytest.fixture(scope="module")
def page() -> str:
    return render(answer(), facts())


def test_the_page_is_told_in_the_order_of_a_report(page: str) -> None:
    order = [
        "<h1>Is the King too strong?",
        '<p class="answer">No: +0.42',
        "<svg",
        "<h2>Verdicts",
        "The King is fair.",
        "Cards plain",
        "Beware.",
        "What else we saw",
        "A rule never fired.",
        "What this stands on",
        "Simulated players are not people",
        "simkit run kings.toml",
        "simkit replay colina",
    ]
    places = [page.index(text) for text in order]
    assert places == sorted(places)


def test_the_head_says_the_answer_for_an_index(page: str) -> None:
    (found,) = [a for tag, a in Reader(page).tags if tag == "meta" and a.get("name") == "description"]
    assert found["content"] == "No: +0.42 ± 0.03 points. plain"


def test_every_planted_text_is_escaped() -> None:
    page = render(answer(PLANTED), facts(PLANTED))
    read = Reader(page)
    assert "<script>alert" not in page
    assert read.count("script") == 1
    assert read.text.count("alert('planted')") > 20


def test_every_text_of_answer_and_facts_is_on_the_page() -> None:
    read = Reader(render(answer("@here@"), facts("@here@")))
    for text in (
        "Is the King too strong? @here@",
        "greedy @here@",
        "king_below = 5 @here@",
        "Takes what it can. @here@",
        "150 @here@",
        "TP at the start. @here@",
        "0.1.0 @here@",
        "a typical game @here@",
        "Card @here@",
    ):
        assert text in read.text


def test_nothing_is_fetched_from_anywhere(page: str) -> None:
    for _, attributes in Reader(page).tags:
        for name, value in attributes.items():
            if name in {"src", "href", "srcset", "action", "data", "poster", "xlink:href"}:
                assert value is not None
                assert value.startswith("#")
    assert not re.search(r"@import|url\((?!#)", page)
    assert Reader(page).count("link") == 0
    assert set(re.findall(r"https?://[^\s\"']+", page)) <= {"http://www.w3.org/2000/svg"}


def test_the_policy_of_the_page_allows_its_own_script_only(page: str) -> None:
    import base64
    import hashlib

    script = re.search(r"<script>(.*?)</script>", page, re.DOTALL)
    assert script is not None
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'" in page


def test_ids_are_unique_across_all_charts(page: str) -> None:
    ids = [attributes["id"] for _, attributes in Reader(page).tags if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_every_chart_is_there_for_a_column_and_for_a_telephone_and_says_what_it_shows(page: str) -> None:
    labels = [attributes.get("aria-label") for tag, attributes in Reader(page).tags if tag == "svg"]
    assert labels == ["Alternative plain"] * 4


def test_tables_have_scopes_numbers_aligned_and_values_to_sort_by(page: str) -> None:
    read = Reader(page)
    assert all("scope" in attributes for tag, attributes in read.tags if tag == "th")
    cells = [attributes for tag, attributes in read.tags if tag == "td" and "data-value" in attributes]
    assert [cell["data-value"] for cell in cells] == ["0.5234567890123", "12345.0", "", "0.0"]
    assert {cell["class"] for cell in cells} == {"number"}
    assert "52.3 ± 0.4 %" in read.text
    assert "12\u202f345" in page
    assert "0.30000000000000004" not in page


def test_a_verdict_is_told_by_word_and_sign(page: str) -> None:
    text = Reader(page).text
    assert "✓ K plain: fair" in text
    assert "? Q: undecided" in text


def test_an_undecided_verdict_says_how_much_longer_it_takes_here() -> None:
    text = Reader(render(answer(), replace(facts(), deals=1000, seconds=0.5))).text
    assert "They would take about 60 seconds on the same machine." in text


@pytest.mark.parametrize(
    ("more_deals", "deals", "seconds"), [(120_000, 0, 0.0), (120_000, 1000, 0.0), (MOST_DEALS, 1000, 0.5)]
)
def test_no_time_is_promised_when_the_speed_or_the_deals_are_not_known(
    more_deals: int, deals: int, seconds: float
) -> None:
    asked = replace(answer(), verdicts=(verdict("Q", 0.011, "undecided", more_deals=more_deals),))
    text = Reader(render(asked, replace(facts(), deals=deals, seconds=seconds))).text
    assert "undecided" in text
    assert "They would take" not in text


def test_a_long_list_tells_its_verdicts_in_short() -> None:
    verdicts = (
        *(verdict(f"card {i}", 0.0012, "fair") for i in range(9)),
        verdict("J", 0.02, "too strong"),
        verdict("Q", 0.011, "undecided", more_deals=123_456),
        verdict("A", 0.01, "undecided", more_deals=MOST_DEALS),
    )
    text = Reader(render(replace(answer(), verdicts=verdicts), facts())).text
    assert "card 3: fair greedy against itself, +0.1 ± 0.3 points" in text
    assert "J: too strong greedy against itself, +2.0 ± 0.3 points" in text
    assert "Q: undecided greedy against itself, +1.1 ± 0.3 points, needs about 120 000 more deals" in text
    assert "A: undecided greedy against itself, +1.0 ± 0.3 points, at the margin itself" in text
    assert "card 3 is fair." not in text
    assert "J is too strong." not in text


def test_what_a_reader_must_know_of_the_verdicts_stands_with_them() -> None:
    text = Reader(render(replace(answer(), how_to_judge="A useful card adds something."), facts())).text
    assert text.index("Verdicts") < text.index("A useful card adds something.") < text.index("The King is fair.")


def test_changed_rules_are_bold_and_named_so(page: str) -> None:
    assert page.count('<tr class="changed">') == 1
    assert "150 plain (changed)" in page
    assert "1 of 2 were changed" in page


def test_an_interrupted_run_says_so_at_the_top() -> None:
    page = render(answer(), replace(facts(), status="interrupted"))
    assert page.index("This run was interrupted") < page.index("<svg")


def test_an_answer_with_nothing_to_show_is_still_a_page() -> None:
    bare = replace(answer(), verdicts=(), tables=(), charts=(), notes=(), replays=(), headline=None)
    plain = replace(facts(), rules=(), strategies=(), versions={}, command="", margin=None, seconds=0.0, date="")
    text = Reader(render(bare, plain)).text
    assert "Simulated players are not people" in text
    assert "None" not in text
    assert "Verdict" not in text


def test_an_empty_table_says_so() -> None:
    (shown,) = answer().tables
    text = Reader(render(replace(answer(), tables=(replace(shown, frame=shown.frame.iloc[:0]),)), facts())).text
    assert "Nothing was observed." in text


def test_the_same_answer_is_the_same_page(page: str) -> None:
    assert render(answer(), facts()) == page


def test_a_number_does_not_break_across_lines() -> None:
    assert unbroken("8.8–19.0") == "8.8–\u206019.0"
    assert unbroken("0.42 ± 0.03 and 95 % of it") == "0.42\u00a0±\u00a00.03 and 95\u00a0% of it"


@pytest.mark.parametrize(("many", "folded"), [(16, 0), (17, 1)])
def test_a_very_long_list_of_verdicts_is_folded(many: int, folded: int) -> None:
    reader = Reader(render(replace(answer(), verdicts=(verdict("K", 0.004, "fair"),) * many), facts()))
    assert reader.count("details") == folded
    assert (f"All {many}" in reader.text) == bool(folded)
    assert reader.text.count("K: fair") == many


@pytest.mark.parametrize(("many", "folded"), [(40, 0), (41, 1)])
def test_of_a_very_long_table_the_first_rows_are_shown_and_all_are_folded(many: int, folded: int) -> None:
    reader = Reader(render(replace(answer(), tables=(long_table(many),)), facts()))
    assert reader.count("details") == folded
    assert (f"Show all {many} rows" in reader.text) == bool(folded)
    assert [reader.text.count(f"card {i} ") for i in (0, 9, 10, many - 1)] == [1 + folded, 1 + folded, 1, 1]
    assert [a.get("class") for tag, a in reader.tags if tag == "table"][:2] == ["sortable", None if folded else "rules"]


def test_rules_that_may_not_be_meant_are_told_with_the_rules() -> None:
    text = Reader(render(answer(), replace(facts(), warnings=("rules.bonus_cards: no bonus.",)))).text
    assert "rules.bonus_cards: no bonus." in text
