"""Card strength in the games whose cards are looked for while they are played: dealt or not, one order of all cards."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from simkit.course_measures import TracedGames
from simkit.errors import SimkitError
from simkit.games import get_game
from tests.questions.lab import Lab, check_answer, lab


def asked(strategies: str, cards: str, rules: str = "", more: str = "") -> str:
    return (
        f'question = "card_strength"\n[rules]\n{rules}\n[strategies]\n{strategies}\n'
        f"[card_strength]\ncards = {cards}\n{more}"
    )


@pytest.fixture(scope="module")
def hakka(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return lab(
        tmp_path_factory.mktemp("hakka"), asked("random = {}\ncaller = {}", '"all"', "hands = 1"), 300, game="hakka"
    )


@pytest.fixture(scope="module")
def sixty_six(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    text = asked("greedy = {}\ncounter = {}", '["nine", "trump_A", "9", "trumps_3"]', more='compare = ["marriage"]')
    return lab(tmp_path_factory.mktemp("sixty_six"), text, 1500, game="sixty_six")


def test_what_it_is_worth_to_be_dealt_a_card_is_counted_game_by_game(hakka: Lab) -> None:
    arm = next(arm for arm in hakka.prepared.plan.arms if arm.name == "caller v caller v caller v caller")
    games = hakka.work.play(arm, 0, hakka.deals)
    assert isinstance(games, TracedGames)
    names = [subject.name for subject in get_game("hakka").subjects]
    for name in ("W", "9", "run"):
        won: dict[bool, list[float]] = {True: [], False: []}
        for deal in range(hakka.deals):
            for rotation in range(4):
                outcome, dealt = games.outcomes[deal, rotation], games.traces["dealt"][deal, rotation]
                seat = rotation  # player 0 stands for all
                count = int(dealt[seat][names.index(name)])
                if count < 0 or outcome["unfinished"]:
                    continue  # the Dreamer has no hand
                best = outcome["scores"] == outcome["scores"].max()
                won[count > 0].append(best[seat] / best.sum())
        assert sum(map(len, won.values())) < 4 * hakka.deals
        worth = hakka.results.estimate(f"{name}/{arm.name}/0/first_hand")
        assert worth.value == pytest.approx(np.mean(won[True]) - np.mean(won[False]), abs=1e-12)
        assert worth.count == min(len(won[True]), len(won[False]))


def test_all_cards_of_a_game_stand_in_one_order(hakka: Lab) -> None:
    check_answer(hakka.answer, ["random", "caller"])
    rows = hakka.frame("ranking")
    assert [row["under"] for row in rows] == ["random against itself"] * 15 + ["caller against itself"] * 15
    for mine in (rows[:15], rows[15:]):
        assert [row["first_hand"] for row in mine] == sorted((row["first_hand"] for row in mine), reverse=True)
        for place, row in enumerate(mine):
            first, *rest = (int(end) for end in row["first_hand_rank"].split("–"))
            last = rest[0] if rest else first
            assert first <= place + 1 <= last
        assert len({row["card"] for row in mine}) == 15
    assert not [table for table in hakka.answer.tables if table.name in ("strength", "compared")]
    assert len(hakka.answer.verdicts) == 30
    assert hakka.answer.charts[0].name == "ranking"


def test_simultaneous_intervals_hold_more_than_those_of_each_card_alone(hakka: Lab) -> None:
    for row in hakka.frame("ranking"):
        subject = next(s for s in get_game("hakka").subjects if s.words == row["card"])
        lineup = row["under"].split()[0]
        alone = hakka.results.estimate(f"{subject.name}/{' v '.join([lineup] * 4)}/0/first_hand")
        assert row["first_hand"] == alone.value
        assert row["first_hand_low"] < alone.low < alone.high < row["first_hand_high"]


def test_elders_are_worth_more_than_twos_and_the_answer_says_so(hakka: Lab) -> None:
    """A 9 beats all singles of its suit and counts for a claim (HK-4.3, HK-6.1); a 2 does neither."""
    worth = {row["card"]: row["first_hand"] for row in hakka.frame("ranking")[15:]}
    assert worth["9"] > 0 > worth["2"]
    assert "being dealt a card adds" in hakka.answer.summary
    assert "under caller" in hakka.answer.summary
    assert hakka.answer.question == "Which card is too strong?"
    assert "judged by the first hand" in hakka.answer.how_to_judge
    by_card = {v.subject: v.sentence for v in hakka.answer.verdicts if v.under.startswith("caller")}
    assert "being dealt it adds" in by_card["9"]


def test_each_card_is_judged_by_cause_where_it_can_be_and_the_answer_says_which(sixty_six: Lab) -> None:
    check_answer(sixty_six.answer, ["greedy", "counter"])
    sentences = {v.subject: v.sentence for v in sixty_six.answer.verdicts if v.under.startswith("greedy")}
    assert set(sentences) == {"nine", "trump_A", "9", "trumps_3"}
    assert "being free to use it adds" in sentences["nine"]
    assert all("being dealt it adds" in sentences[card] for card in ("trump_A", "9", "trumps_3"))
    assert {row["card"] for row in sixty_six.frame("strength")} == {"nine", "marriage"}
    rows = sixty_six.frame("ranking")
    assert len(rows) == 10
    assert {row["card"] for row in rows if row["effect"] == row["effect"]} == {"nine of trumps", "plain marriage"}
    assert [chart.name for chart in sixty_six.answer.charts][:2] == ["ranking", "strength"]


def test_trumps_are_worth_more_than_plain_nines(sixty_six: Lab) -> None:
    for lineup in ("greedy", "counter"):
        rows = {row["card"]: row for row in sixty_six.frame("ranking") if row["under"].startswith(lineup)}
        assert rows["hand with three trumps"]["first_hand_low"] > rows["plain nine"]["first_hand_high"]
        assert rows["plain nine"]["first_hand_high"] < 0


def test_only_the_games_at_the_rules_as_they_are_are_looked_at(sixty_six: Lab) -> None:
    traced = {arm.name for arm in sixty_six.prepared.plan.arms if arm.tracing}
    assert traced == {"greedy v greedy", "counter v counter"}
    assert len(sixty_six.prepared.plan.arms) > len(traced) + 1


def test_a_bar_that_changes_nothing_is_exactly_nothing_in_the_order_too(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}", '["$", "10", "2"]', "wagers = 0"), 150, game="lost_cities")
    rows = {row["card"]: row for row in made.frame("ranking")}
    none = rows["investment card"]  # there are none in the pack
    assert (none["effect"], none["effect_low"], none["effect_high"]) == (0, 0, 0)
    assert np.isnan(none["first_hand"])
    assert none["first_hand_rank"] == "–"
    assert rows["10"]["effect_rank"] == "1"
    assert made.answer.charts[0].name == "strength"


@pytest.mark.parametrize(
    ("game", "cards", "fault"),
    [
        ("hakka", '["elder_3"]', "elder_3: no such card. Cards: W, S1"),
        ("hakka", '["elder_3"]', "Did you mean elders_3?"),
        ("saloon", '["bil"]', "Did you mean bill?"),
        ("sixty_six", '"al"', "al: no such card"),
        ("lost_cities", '["color_4"]', "Did you mean colour_4?"),
    ],
)
def test_a_name_that_is_wrong_is_answered_with_the_nearest(tmp_path: Path, game: str, cards: str, fault: str) -> None:
    with pytest.raises(SimkitError) as raised:
        lab(tmp_path, asked("random = {}", cards), game=game)
    assert fault in str(raised.value)


def test_one_card_alone_has_a_verdict_and_no_rank(tmp_path: Path) -> None:
    made = lab(tmp_path, asked("random = {}", '["bill"]', "players = 3"), 100, game="saloon")
    check_answer(made.answer, ["random"])
    assert not [table for table in made.answer.tables if table.name == "ranking"]
    assert made.answer.summary.startswith("The honest bill is ")
    assert "by what being dealt it adds to the win rate" in made.answer.summary
