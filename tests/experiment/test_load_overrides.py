"""What overrides replace, how their faults are told, and that no text at all leads to anything but faults."""

from __future__ import annotations

import re
import tomllib

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from simkit.errors import SimkitError
from simkit.experiment import loads
from tests.experiment.fakes import KNOWN
from tests.experiment.texts import GOOD, SHORT, WHOLE_DEALS, faults


def test_overrides_replace_what_the_file_says_and_later_ones_win() -> None:
    experiment = loads(
        GOOD,
        overrides=[
            "deals=7",
            "margin=0.5",
            "margin=0.25",
            "rules.king_on=false",
            "strategies.hunter.max_front=2",
            "strategies.bold.bold=true",
            "strategies.miss=random",
            'card_strength.cards=["Q", "J"]',
            "require.K.fair=false",
            "title=Queens",
        ],
        known=KNOWN,
    )
    assert (experiment.deals, experiment.margin, experiment.title) == (7, 0.25, "Queens")
    assert experiment.rules["king_on"] is False
    assert experiment.rules["start_points"] == 50
    assert experiment.strategies["hunter"].parameters["max_front"] == 2
    assert experiment.strategies["bold"].use == "greedy"
    assert experiment.strategies["bold"].parameters["bold"] is True
    assert experiment.strategies["miss"].use == "random"
    assert experiment.settings.model_dump()["cards"] == ["Q", "J"]
    assert experiment.require == {"K.fair": False, "K.too strong": False}


def test_overridden_deals_and_until_replace_each_other() -> None:
    until = loads(GOOD, overrides=["until.half_width=0.1"], known=KNOWN)
    assert (until.deals, until.until and until.until.half_width) == (None, 0.1)
    text = GOOD.replace("deals = 100_000", "until = { half_width = 0.1 }")
    deals = loads(text, overrides=["deals=3"], known=KNOWN)
    assert (deals.deals, deals.until) == (3, None)
    assert faults(GOOD, "deals=3", "until.half_width=0.1") == [
        "-s until.half_width=0.1: until: deals is given too: give one of them (a limit is until.max_deals)"
    ]


def test_faults_of_overrides_follow_those_of_the_file_and_quote_what_was_typed() -> None:
    text = GOOD.replace("seed = 2026", "seed = -1")
    overrides = (
        "foo",
        "rules.king_onn=true",
        "deals=0",
        "strategies.hunter.max_frnt=3",
        "rules.jokers=5",
        "rules.jokers=9",
    )
    assert faults(text, *overrides) == [
        "x.toml:5: seed: -1 is not a whole number from 0 to 18446744073709551615",
        "-s foo: not KEY=VALUE, as in rules.start_points=50",
        "-s rules.king_onn=true: no such rule of colina. Did you mean king_on?",
        f"-s deals=0: 0 {WHOLE_DEALS}",
        "-s strategies.hunter.max_frnt=3: no such parameter of hill_hunter. Did you mean max_front?",
        "-s rules.jokers=9: 9 is not a whole number from 0 to 8",
    ]


def test_a_fault_inside_an_overriding_table_names_its_key() -> None:
    assert faults(SHORT, 'strategies.g={use="greedy", bold=2}') == [
        '-s strategies.g={use="greedy", bold=2}: strategies.g.bold: 2 is not true or false'
    ]
    assert faults(SHORT, "strategies.grady.bold=true") == [
        '-s strategies.grady.bold=true: strategies.grady: "grady" is no strategy of colina. Did you mean greedy?'
    ]


PIECES = st.sampled_from(
    [*"=[]{}\"'#.,\n -", *GOOD.split(), *SHORT.split(), "'''", "nan", "1e999", "0x" + "f" * 90, "\x00", "é"]
)
VALUES = st.sampled_from(
    ["1", "-1", "true", "nan", '"x"', "[]", "{}", "[[1]]", "{ a = { b = [1] } }", "1979-05-27", "''''''"]
)


@st.composite
def mutations(draw: st.DrawFn) -> str:
    """The good experiment with lines dropped, doubled, moved, given another value, or broken."""
    lines = draw(st.permutations(GOOD.splitlines())) if draw(st.booleans()) else GOOD.splitlines()
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines) - 1))
        name = lines[at].partition("=")[0]
        lines[at] = draw(st.sampled_from(["", lines[at] + "\n" + lines[at], f"{name} = {draw(VALUES)}", draw(PIECES)]))
    return "\n".join(lines)


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    text=mutations() | st.lists(PIECES).map(" ".join) | st.text(),
    overrides=st.lists(st.text() | st.tuples(PIECES, VALUES | PIECES).map("=".join), max_size=2),
)
@example(text="a." * 5000 + "a = 1", overrides=[])
@example(text=GOOD, overrides=["a." * 5000 + "a=1"])
@example(text=GOOD, overrides=["title=\ud800", "deals=" + "9" * 5000, "margin=" + "[" * 5000])
def test_no_text_raises_anything_but_faults_with_their_lines(text: str, overrides: list[str]) -> None:
    try:
        loads(text, name="x.toml", overrides=overrides, known=KNOWN)
    except SimkitError as error:
        assert str(error)
        for line in str(error).splitlines():
            found = re.match(r"x\.toml:(\d+): ", line)
            assert line.startswith("-s ") or (found and 1 <= int(found[1]) <= text.count("\n") + 1), line
    else:
        assert overrides or tomllib.loads(text)["game"] in KNOWN.games
