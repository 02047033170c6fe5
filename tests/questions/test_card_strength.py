"""Planted truths about cards: no effect is exactly none, a huge one is found, restrictions bind, twins are twins."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from simkit.driver import Table
from simkit.errors import SimkitError
from simkit.games.base import Game
from tests.questions.lab import Lab, check_answer, lab, replayed
from tests.tables import shipped, shipped_names, table_of

KINDS = ("J", "Q", "K", "A", "joker")


def asked(
    strategies: str = "greedy = {}", cards: str = '"K"', rules: str = "", more: str = "", margin: float = 0.01
) -> str:
    return (
        f'question = "card_strength"\nmargin = {margin}\n[rules]\n{rules}\n[strategies]\n{strategies}\n'
        f"[card_strength]\ncards = [{cards}]\n{more}"
    )


def verdicts(made: Lab) -> dict[tuple[str, str], str]:
    return {(v.subject, v.under): v.verdict for v in made.answer.verdicts}


@pytest.mark.parametrize(
    ("strategies", "card", "rules"),
    [
        ("greedy = {}", "Q", ""),  # greedy never plays a queen behind
        ("hill_hunter = {}", "J", ""),
        ("random = {}", "K", "king_on = false"),  # off already
        ("hill_hunter = {}", "K", "king_on = false"),
        ("random = {}", "J", "jack_factor = 1"),  # doubles nothing
    ],
)
def test_an_effect_that_does_nothing_is_exactly_nothing_with_no_variance(
    tmp_path: Path, strategies: str, card: str, rules: str
) -> None:
    made = lab(
        tmp_path, asked(strategies, f'"{card}"', rules), deals=300
    )  # fewer could have missed a change of a point
    (verdict,) = made.answer.verdicts
    assert (verdict.estimate, verdict.low, verdict.high, verdict.verdict) == (0, 0, 0, "fair")
    name = next(s.name for s in made.prepared.plan.series if s.name.endswith("/effect"))
    assert made.results.estimate(name).se == 0


@pytest.mark.parametrize("rules", ["jack_factor = 10", "jack_factor = 5"])
def test_a_jack_that_multiplies_by_much_is_found_too_strong(tmp_path: Path, rules: str) -> None:
    made = lab(tmp_path, asked("greedy = {}\nrandom = {}", '"J"', rules), deals=400)
    assert set(verdicts(made).values()) == {"too strong"}
    assert made.answer.summary.startswith("The jack is too strong under greedy against itself (+")


def test_a_jack_that_is_taken_from_a_stronger_hand_is_worth_more_with_a_larger_factor(tmp_path: Path) -> None:
    effects = [
        lab(tmp_path, asked("greedy = {}", '"J"', f"jack_factor = {f}"), 400).answer.verdicts[0].estimate
        for f in (1, 1.5, 4)
    ]
    assert effects[0] == 0 < effects[1] < effects[2]


def test_a_restriction_that_forbids_nothing_gives_exactly_half(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("greedy = {}\nhill_hunter = {}", '"Q"'))
    assert [row["restricted"] for row in made.frame("strength")] == [0.5, 0.5]
    assert [row["restriction"] for row in made.frame("strength")] == [0.0, 0.0]


@pytest.mark.parametrize("given", ["", "king_on = [true, false]", "king_on = false"])
def test_the_switch_is_off_at_the_holders_seat_in_every_rotation(tmp_path: Path, given: str) -> None:
    text = asked("random = {}\nhill_hunter = {}", '"K"', given, 'pairs = "all"')
    made = lab(tmp_path, text)
    before = made.prepared.asked.rules["king_on"]
    usual = list(before) if isinstance(before, (list, tuple)) else [before] * 2
    arms = {arm.name: arm for arm in made.prepared.plan.arms}
    for holder in (0, 1):
        table = made.work.table(arms[f"random v hill_hunter | K off for player {holder}"])
        for rotation in range(2):
            seat = (holder + rotation) % 2
            wanted = [0 if s == seat else int(usual[s]) for s in range(2)]
            assert table.record["rules"][0, rotation]["king_on"].tolist() == wanted
            assert table.record["rules"][0, rotation]["barred"].tolist() == [0, 0]
        barred = made.work.table(arms[f"random v hill_hunter | K barred for player {holder}"]).record["rules"][0]
        for rotation in range(2):
            seat = (holder + rotation) % 2
            assert barred[rotation]["barred"].tolist() == [4 if s == seat else 0 for s in range(2)]
            assert barred[rotation]["king_on"].tolist() == [int(on) for on in usual]


def test_all_arms_are_dealt_the_same_first_hands(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}\nplanner = {}", '"K", "joker"', more='pairs = "all"'), deals=50)
    first, *others = (made.outcomes(arm.name)["opening"] for arm in made.prepared.plan.arms)
    assert len(others) > 10
    assert first.sum() > 0
    for opening in others:
        np.testing.assert_array_equal(opening, first)


@pytest.mark.parametrize("name", shipped_names("colina"))
@pytest.mark.parametrize("kind", range(5))
def test_no_shipped_strategy_uses_a_card_it_is_barred_from(colina: Game, name: str, kind: int) -> None:
    players = [shipped("colina", name)] * 2
    values = colina.resolve({"jokers": 8})
    barred = Table(colina, players, values, 3, [{"barred": (1 << kind, 0)}, {"barred": (0, 1 << kind)}]).play(0, 60)
    free = Table(colina, players, values, 3).play(0, 60)
    for rotation, seat in ((0, 0), (1, 1)):
        assert barred["backed"][:, rotation, seat, kind].sum() == 0
    if free["backed"][:, :, :, kind].sum():  # the other player still may
        assert sum(barred["backed"][:, r, 1 - r, kind].sum() for r in range(2)) > 0


def test_the_effect_is_the_difference_of_win_rates_counted_game_by_game(tmp_path: Path) -> None:
    text = asked("random = {}\nhill_hunter = {}", '"K"', "max_rounds = 40", 'pairs = [["hill_hunter", "random"]]')
    made = lab(tmp_path, text, deals=150)
    for holder in (0, 1):
        rates, opening = [], []
        for arm in ("hill_hunter v random", f"hill_hunter v random | K off for player {holder}"):
            won = finished = won_with = with_it = 0
            for deal in made.outcomes(arm):
                for rotation in range(2):
                    game, seat = deal[rotation], (holder + rotation) % 2
                    done = not game["unfinished"]
                    won, finished = won + (done and game["winner"] == seat), finished + done
                    if game["opening"][seat][2]:
                        won_with, with_it = won_with + (done and game["winner"] == seat), with_it + done
            assert 0 < finished < 300  # some did not end, and are in no win rate
            rates.append(won / finished)
            opening.append(won_with / with_it)
        key = f"K/hill_hunter v random/{holder}"
        assert made.results.estimate(f"{key}/effect").value == pytest.approx(rates[0] - rates[1], abs=1e-15)
        assert made.results.estimate(f"{key}/opening_effect").value == pytest.approx(opening[0] - opening[1], abs=1e-15)


def test_what_a_round_gave_less_what_the_card_moved_is_what_it_would_have_given(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}", '"J", "Q", "K", "A", "joker"'), deals=100)
    for row in made.frame("use"):
        assert row["with_effect"] - row["moved"] == pytest.approx(row["without_effect"], abs=1e-12)
    rows = {row["card"]: row for row in made.frame("use")}
    assert rows["joker"]["moved"] == 0
    assert rows["J"]["moved"] > 0
    assert (rows["Q"]["blocked"], rows["joker"]["blocked"]) == (0, 0)
    assert rows["K"]["blocked"] > 0


@pytest.mark.parametrize(("rule", "one_effect"), [("cancel", True), ("void_round", False)])
def test_that_king_and_ace_are_one_effect_is_counted(tmp_path: Path, rule: str, one_effect: bool) -> None:
    made = lab(tmp_path, asked("random = {}\nmirror_guard = {}", '"K"', f'double_mirror = "{rule}"'))
    rows = made.frame("twins")
    assert [row["effect"] for row in rows] == ["king", "ace"]
    assert all(row["unblocked"] > 1000 for row in rows)
    assert (sum(row["twin_differs"] for row in rows) == 0) is one_effect
    words = "one and the same effect" if one_effect else "two effects"
    assert any(words in note and "COL-4.9" in note for note in made.answer.notes)


def test_the_rule_that_cannot_fire_is_counted_as_dead(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}", '"K"'))
    rows = {row["clause"]: row for row in made.frame("coverage")}
    assert rows["COL-6.2 both at 0"]["fired"] == 0
    assert rows["COL-6.1 end"]["fired"] == 2 * made.deals
    assert any("COL-6.2 both at 0" in note for note in made.answer.notes)
    assert not any("COL-6.1" in note for note in made.answer.notes)


def test_games_that_do_not_end_are_told(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}", '"K"', "max_rounds = 30"))
    unfinished = int(made.outcomes("random v random")["unfinished"].sum())
    assert 0 < unfinished < 2 * made.deals
    assert any(f"{unfinished:,} of {2 * made.deals:,} under random against itself" in n for n in made.answer.notes)


def test_an_asterisk_is_the_joker_and_a_card_is_asked_for_once(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("greedy = {}", '"*", "joker", "K"', more='compare = ["K", "A"]'))
    assert [v.subject for v in made.answer.verdicts] == ["joker", "K"]
    assert [row["card"] for row in made.frame("strength")] == ["joker", "K", "A"]


def test_a_card_to_compare_with_is_measured_but_not_judged(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("hill_hunter = {}\ngreedy = {}", '"K"', more='compare = ["J", "A"]'))
    assert {v.subject for v in made.answer.verdicts} == {"K"}
    assert {row["card"] for row in made.frame("strength") if row["verdict"] == "not judged"} == {"J", "A"}
    assert {"K", "J", "A"} <= set(made.frame("compared")[0])


def test_a_pair_named_both_ways_round_is_one_line_up(tmp_path: Path) -> None:
    pairs = 'pairs = [["greedy", "random"], ["random", "greedy"], ["greedy", "greedy"]]'
    made = lab(tmp_path, asked("random = {}\ngreedy = {}", '"K"', more=pairs))
    assert list(verdicts(made)) == [
        ("K", "greedy against random"),
        ("K", "random against greedy"),
        ("K", "greedy against itself"),
    ]


@pytest.mark.parametrize(
    ("cards", "more", "fault"),
    [
        ('"jokr"', "", "jokr: no such card. Cards: J, Q, K, A, joker. Did you mean joker?"),
        ('"K"', 'compare = ["10"]', "10: no such card"),
        ("", "", "card_strength.cards"),
        ('"K"', 'pairs = [["greedy", "gredy"]]', "gredy: no such strategy in [strategies]. Did you mean greedy?"),
        ('"K"', "pairs = []", "at least one pair"),
        ('"K"', 'pairs = "everyone"', "card_strength.pairs"),
        ('"K"', 'pears = "all"', "card_strength.pears"),
    ],
)
def test_faults_of_the_table_name_what_is_wrong(tmp_path: Path, cards: str, more: str, fault: str) -> None:
    with pytest.raises(SimkitError) as raised:
        lab(tmp_path, asked("greedy = {}", cards, more=more))
    assert fault in str(raised.value)


@pytest.mark.parametrize("pairs", ["mirrors", "all"])
def test_the_answer_holds_together(tmp_path: Path, pairs: str) -> None:
    text = asked("random = {}\ngreedy = {}\nhill_hunter = {}", '"J", "K", "joker"', more=f'pairs = "{pairs}"')
    made = lab(tmp_path, text, deals=120)
    check_answer(made.answer, ["random", "greedy", "hill_hunter"])
    assert len(made.answer.verdicts) == (9 if pairs == "mirrors" else 27)
    assert all(label in made.answer.summary for label in ("greedy", "hill_hunter"))
    assert made.answer.how_to_judge


def test_the_summary_says_first_that_it_depends_on_who_plays(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}\ngreedy = {}\nhill_hunter = {}", '"K"'), deals=100)
    assert made.answer.summary.startswith("It depends on who plays.")
    assert "too strong under hill_hunter against itself (+" in made.answer.summary
    assert "undecided under random against itself (+" in made.answer.summary
    assert "never played by greedy" in made.answer.summary
    assert made.answer.verdicts[1].sentence.endswith("it is never played there.")


def test_a_strategy_that_never_plays_the_card_has_no_say_in_the_verdict(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("greedy = {}\nhill_hunter = {}", '"K"'), deals=400)
    assert made.answer.summary.startswith("The king is too strong under hill_hunter against itself (+")
    assert "It is never played by greedy." in made.answer.summary
    assert made.answer.verdicts[0].sentence.endswith("it is never played there.")


def test_nothing_is_said_about_a_card_that_nobody_plays(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("greedy = {}", '"K"'))
    assert made.answer.summary == "Nothing can be said about the king: it is never played by greedy."


def test_each_of_several_cards_gets_its_sentence_when_their_effects_cannot_be_compared(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("hill_hunter = {}", '"K", "joker"'))  # a joker's effect has no switch
    check_answer(made.answer, ["hill_hunter"])
    assert "The king is too strong under hill_hunter against itself (+" in made.answer.summary
    assert "the joker" in made.answer.summary


def test_the_deals_to_look_at_are_what_they_are_said_to_be(tmp_path: Path, colina: Game) -> None:
    made = lab(tmp_path, asked("random = {}\ngreedy = {}", '"K"'))
    games = made.outcomes("greedy v greedy")[:, 0]  # the stronger of the two, against itself
    found = {label: replayed(command) for label, command in made.answer.replays}
    deals = {label.split(",")[0]: deal for label, (_, _, deal) in found.items()}
    for names, rules, deal in found.values():
        assert (names, rules) == (["greedy", "greedy"], {})
        again = table_of(colina, names, seed=5).play(deal, 1)[0, 0]
        assert again == games[deal]
    behind = [int(g["behind_most"][g["winner"]]) for g in games]
    assert games["rounds"][deals["The longest game"]] == games["rounds"].max()
    assert behind[deals["The biggest comeback"]] == max(behind)
    assert games["rounds"][deals["A typical game"]] == pytest.approx(np.median(games["rounds"]), abs=1)
