"""The index: a link a run, offline, escaped."""

from __future__ import annotations

from dataclasses import replace

from simkit.report.index import Entry, render_index
from tests.report.examples import PLANTED
from tests.report.test_page import Reader

RUN = Entry(
    name="kings",
    title="Is the King too strong?",
    answer="No: +0.42 ± 0.03 points.",
    game="colina",
    deals=100_000,
    ended="2026-05-01T10:00:00+0000",
    status="complete",
    link="kings/report.html",
)


def test_an_entry_says_all_of_its_run_and_links_to_it() -> None:
    page = render_index([RUN, replace(RUN, name="two", status="interrupted", link="two words/report.html")])
    read = Reader(page)
    assert "Is the King too strong? No: +0.42\u00a0±\u00a00.03 points." in page.replace("</a></h2>\n<p>", " ")
    assert "kings, game colina, 100\u202f000 deals, 2026-05-01 , complete" in " ".join(read.words).replace("  ", " ")
    assert [a["href"] for tag, a in read.tags if tag == "a"] == ["kings/report.html", "two%20words/report.html"]
    assert "2 runs, the newest first." in read.text
    assert page.count('class="interrupted"') == 1


def test_a_run_without_a_page_has_no_link() -> None:
    read = Reader(render_index([replace(RUN, title="kings", answer="", game="", ended="", link="")]))
    assert read.count("a") == 0
    assert "kings" in read.text
    assert "None" not in read.text


def test_no_run_is_said_in_words() -> None:
    assert "No run yet." in Reader(render_index([])).text


def test_planted_texts_are_escaped_and_nothing_is_fetched() -> None:
    planted = Entry(PLANTED, PLANTED, PLANTED, PLANTED, 1, PLANTED, "complete", f"{PLANTED}/report.html")
    page = render_index([planted])
    assert "<script" not in page
    assert "default-src 'none'; style-src 'unsafe-inline'" in page
    assert "http" not in page.replace("http-equiv", "")
    assert Reader(page).count("link") == 0
