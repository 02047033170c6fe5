"""The example of a plug-in: every command and every question works on it unchanged, and Kuhn's solution comes out."""

from __future__ import annotations

import json
import math
import re
import runpy
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from simkit import bench, contract
from simkit.driver import Table, engine
from simkit.games import get_game
from simkit.games.base import Game
from simkit.player import compile_player
from simkit.prepared import prepare
from simkit.questions import KINDS
from simkit.report.page import render
from simkit.strategy import read
from tests.conftest import CallSimkit
from tests.examples import kuhn
from tests.examples.plugged import KUHN, ROOT, plugged_in
from tests.questions.lab import Lab, check_answer, lab
from tests.report.examples import facts

ALPHAS = (Fraction(0), Fraction(1, 5), Fraction(1, 3))
EXPERIMENTS = sorted((KUHN / "kuhn_poker" / "experiments").glob("*.toml"))
STRATEGIES = KUHN / "kuhn_poker" / "strategies"
VALUE = Fraction(-1, 18)  # chips a hand for who speaks first: Kuhn, "A simplified two-person poker" (1950)


@pytest.fixture(scope="module", autouse=True)
def plugged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with plugged_in(KUHN, tmp_path_factory.mktemp("site")):
        yield


@pytest.fixture(scope="module")
def game() -> Game:
    return get_game("kuhn_poker")


def table_of(game: Game, *names: str, seed: int = 1, **alpha: float) -> Table:
    """A table at the default rules; `alpha` goes to equilibrium."""
    files = [read(STRATEGIES / f"{name}.py") for name in names]
    players = [compile_player(engine(game), f, f.name, alpha if f.name == "equilibrium" else {}) for f in files]
    return Table(game, players, game.resolve({}), seed)


# --- the page ---------------------------------------------------------------------------------------------------------


def test_the_page_holds_every_file_to_the_letter() -> None:
    page = (ROOT / "docs" / "add_a_game.md").read_text(encoding="utf-8")
    shown = dict(re.findall(r"^\*\*`([\w./]+)`\*\*\n\n```\w+\n(.*?)^```$", page, re.M | re.S))
    files = {path for path in KUHN.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert set(shown) == {str(path.relative_to(KUHN)) for path in files}
    for path in files:
        assert shown[str(path.relative_to(KUHN))] == path.read_text(encoding="utf-8"), path.name


def test_the_page_shows_what_is_optional_as_the_shipped_games_have_it() -> None:
    page = (ROOT / "docs" / "add_a_game.md").read_text(encoding="utf-8")
    games = ROOT / "simkit" / "games"
    assert f"```python\n{(games / 'colina' / 'progress.py').read_text(encoding='utf-8')}```" in page
    for game, name in (("colina", "progress=Progress"), ("hakka", "roles=")):
        source = (games / game / "__init__.py").read_text(encoding="utf-8")
        (declared,) = re.findall(rf"^    {name}\(.*?\),\n(?=    \w|\))", source, re.M | re.S)
        assert f"\n\n{declared}\n" in page


def test_its_wheel_holds_all_that_comes_with_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build = pytest.importorskip("hatchling.build")
    import zipfile

    monkeypatch.chdir(KUHN)
    names = zipfile.ZipFile(tmp_path / build.build_wheel(str(tmp_path))).namelist()
    files = (path for path in (KUHN / "kuhn_poker").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    assert {str(path.relative_to(KUHN)) for path in files} <= set(names)
    assert "simkit_kuhn_poker-0.1.0.dist-info/entry_points.txt" in names


# --- Kuhn's solution --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
def test_the_strategy_holds_the_chances_of_the_solution(alpha: Fraction) -> None:
    chance_to_bet = runpy.run_path(str(STRATEGIES / "equilibrium.py"))["chance_to_bet"]
    wanted = kuhn.equilibrium(alpha)
    for seat, card, facing in kuhn.PLACES:
        view = SimpleNamespace(seat=seat, card=card, facing=facing)
        assert chance_to_bet(view, float(alpha)) == pytest.approx(float(wanted(seat, card, facing)), abs=1e-12)


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
def test_nobody_can_do_better_against_the_solution(alpha: Fraction) -> None:
    """All 64 ways to play each seat without chance, over the six deals: exact."""
    play = kuhn.equilibrium(alpha)
    assert kuhn.value(play, play) == VALUE
    assert min(kuhn.value(play, reply) for reply in kuhn.pure(1)) == VALUE
    assert max(kuhn.value(way, play) for way in kuhn.pure(0)) == VALUE


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
def test_the_first_player_loses_an_eighteenth_of_a_chip_a_hand(game: Game, alpha: Fraction) -> None:
    scores = table_of(game, "equilibrium", "equilibrium", alpha=float(alpha)).play(0, 200_000, 1)["scores"][:, 0]
    assert (scores[:, 0] == -scores[:, 1]).all()
    error = scores[:, 0].std() / math.sqrt(len(scores))
    assert scores[:, 0].mean() == pytest.approx(float(VALUE), abs=4 * error)


def test_each_of_the_six_deals_is_as_likely_and_worth_what_it_should_be(game: Game) -> None:
    alpha = Fraction(1, 5)
    outcomes = table_of(game, "equilibrium", "equilibrium", alpha=float(alpha), seed=2).play(0, 120_000, 1)[:, 0]
    dealt = outcomes["opening"].argmax(axis=2)
    play = kuhn.equilibrium(alpha)
    for cards in kuhn.DEALS:
        mine = outcomes["scores"][(dealt == cards).all(axis=1), 0]
        assert len(mine) == pytest.approx(20_000, abs=4 * math.sqrt(120_000 * 5 / 36))
        wanted = float(kuhn.of_deal(cards, play, play))
        assert mine.mean() == pytest.approx(wanted, abs=4 * max(mine.std(), 1e-9) / math.sqrt(len(mine)) + 1e-12)


def test_hands_without_chance_are_worth_exactly_what_the_rules_say(game: Game) -> None:
    timid = {(card, facing): Fraction(card == 2) for card in range(3) for facing in (False, True)}
    caller = timid | {(1, True): Fraction(1)}
    ways = {"timid": lambda _, *place: timid[place], "caller": lambda _, *place: caller[place]}
    for first, second in (("timid", "caller"), ("caller", "timid"), ("caller", "caller")):
        outcomes = table_of(game, first, second).play(0, 100, 1)[:, 0]
        for outcome in outcomes:
            cards = tuple(outcome["opening"].argmax(axis=1).tolist())
            assert outcome["scores"][0] == kuhn.of_deal(cards, ways[first], ways[second])
            assert outcome["scores"][outcome["winner"]] > 0


# --- every question ---------------------------------------------------------------------------------------------------


def asked(folder: Path, text: str, deals: int) -> Lab:
    made = lab(folder, text, deals, game="kuhn_poker")
    check_answer(made.answer, list(made.prepared.experiment.strategies))
    return made


@pytest.mark.parametrize("path", EXPERIMENTS, ids=[path.stem for path in EXPERIMENTS])
def test_its_experiments_are_asked_played_and_answered(path: Path) -> None:
    made = Lab(prepare(path), 30)
    check_answer(made.answer, list(made.prepared.experiment.strategies))
    assert "<svg" in render(made.answer, facts())


SEATS = 'question = "seat_advantage"\n[strategies]\nequilibrium = {}\n[seat_advantage]\n'


def test_the_better_seat_is_the_second_by_an_eighteenth_of_a_chip(tmp_path: Path) -> None:
    made = asked(tmp_path, SEATS, 40_000)
    first = made.frame("seats")[0]
    assert first["lead"] == pytest.approx(float(2 * VALUE), abs=4 / 1.96 * first["lead_pm"])
    assert first["score"] == pytest.approx(float(VALUE), abs=4 / 1.96 * first["score_pm"])
    (verdict,) = made.answer.verdicts
    assert (verdict.verdict, verdict.estimate) == ("too weak", first["score"])
    assert "chips in 100 games" in verdict.sentence
    assert "<dd>±1 chip in 100 games</dd>" in render(made.answer, facts())
    assert "win rate" not in f"{verdict.sentence} {made.answer.summary} {made.answer.how_to_judge}"
    assert made.answer.headline is not None
    assert made.answer.headline.value == first["score"]


def test_hands_won_can_be_asked_for_and_are_another_thing(tmp_path: Path) -> None:
    made = asked(tmp_path, f'{SEATS}judged_by = "wins"', 2000)
    assert made.answer.verdicts[0].estimate == pytest.approx(made.frame("seats")[0]["win_rate"] - 0.5)
    assert "points of win rate" in made.answer.verdicts[0].sentence


def test_the_right_strategy_is_judged_by_chips(tmp_path: Path) -> None:
    """By hands won `random` looks strong: it calls and bets often, and loses more chips than hands."""
    text = """
question = "dominant_strategy"
[strategies]
random = {}
timid = {}
equilibrium = {}
[dominant_strategy]
"""
    made = asked(tmp_path, text, 20_000)
    rows = {(row["strategy"], row["against"]): row for row in made.frame("matrix")}
    timid = {(card, facing): Fraction(card == 2) for card in range(3) for facing in (False, True)}
    half = {place: Fraction(1, 2) for place in kuhn.PLACES}
    ways = {
        "random": lambda *place: half[place],
        "timid": lambda _, *place: timid[place],
        "equilibrium": kuhn.equilibrium(Fraction(1, 5)),
    }
    for (one, other), row in rows.items():
        exact = (kuhn.value(ways[one], ways[other]) - kuhn.value(ways[other], ways[one])) / 2
        assert row["effect"] == pytest.approx(float(exact), abs=4 / 1.96 * row["effect_pm"])
    assert made.frame("standings")[-1]["strategy"] == "random"
    wins = asked(tmp_path, f'{text}judged_by = "wins"', 2000)
    assert wins.frame("standings")[-1]["strategy"] != "random"


def test_questions_on_hands_won_warn_that_chips_are_another_thing(game: Game, tmp_path: Path) -> None:
    kinds = {path.stem: prepare(path) for path in EXPERIMENTS}
    warned = {name: KINDS[p.experiment.kind].warnings(p.asked) for name, p in kinds.items()}
    assert {name for name, said in warned.items() if said} == {"kuhn_poker_alpha"}
    assert "played for chips" in warned["kuhn_poker_alpha"][0]


def test_a_parameter_in_equilibrium_wins_no_chips_whatever_its_value(tmp_path: Path) -> None:
    text = """
question = "sweep"
[strategies]
mine = { use = "equilibrium" }
theirs = { use = "equilibrium" }
[sweep]
key = "strategies.mine.alpha"
values = [0.0, 0.3]
measures = ["lead", "first_player", "folds", "bluffs", "score_spread", "length"]
pairs = [["mine", "theirs"]]
"""
    never, often = asked(tmp_path, text, 40_000).frame("sweep")
    for row in (never, often):
        assert row["lead"] == pytest.approx(0, abs=4 / 1.96 * row["lead_pm"])
    assert often["first_player"] - never["first_player"] > 0.02  # bluffs win more hands, though no more chips
    assert often["bluffs"] > never["bluffs"]


def test_a_bluff_is_worth_nothing_in_equilibrium(tmp_path: Path) -> None:
    text = 'question = "opening_value"\n[strategies]\nequilibrium = {}\n[opening_value]\nprobe = "bet"'
    made = asked(tmp_path, text, 40_000)
    places, cards = ("speaks first", "replies to a check"), ("jack", "queen", "king")
    rows = {(row["place"], row["card"]): row for row in made.frame("value")}
    assert set(rows) == {(place, card) for place in places for card in cards}
    for (place, card), row in rows.items():
        exact = kuhn.worth_of_betting(places.index(place), cards.index(card), Fraction(1, 5))
        assert row["lead"] == pytest.approx(float(exact), abs=4 / 1.96 * row["lead_pm"] + 1e-12)
    assert "speaks first: nowhere; replies to a check: only at king." in made.answer.summary
    assert len(made.answer.charts) == 1
    assert kuhn.worth_of_betting(0, 0, Fraction(1, 5)) == kuhn.worth_of_betting(1, 0, Fraction(1, 5)) == 0


BETTOR = """GAME = "kuhn_poker"

def act(view, rules, params, rng):
    return 1

def when(view, rules, params):
    return 3 * view.seat + view.card if view.may_bet and not view.facing else -1
"""


def test_a_decision_told_by_a_file_is_worth_what_the_solution_says(tmp_path: Path) -> None:
    checker = BETTOR.replace("return 1", "return 0").partition("def when")[0]
    for name, text in (("bettor", BETTOR), ("checker", checker)):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    pool = f'equilibrium = {{}}\nbettor = "{tmp_path}/bettor.py"\nchecker = "{tmp_path}/checker.py"'
    table = 'when = "bettor"\nchoices = ["bettor", "checker"]\npairs = [["equilibrium", "equilibrium"]]'
    text = f'question = "opening_value"\n[strategies]\n{pool}\n[opening_value]\n{table}'
    made = asked(tmp_path, text, 20_000)
    rows = {row["class"]: row for row in made.frame("value")}
    assert set(rows) == {f"class {n}" for n in range(6)}
    for place in range(2):
        for card in range(3):
            row, exact = rows[f"class {3 * place + card}"], kuhn.worth_of_betting(place, card, Fraction(1, 5))
            assert row["lead"] == pytest.approx(float(exact), abs=4 / 1.96 * row["lead_pm"] + 1e-12)


def test_cards_can_be_barred(tmp_path: Path) -> None:
    text = 'question = "card_strength"\n[strategies]\nequilibrium = {}\ntimid = {}\n[card_strength]\ncards = ["K", "J"]'
    made = asked(tmp_path, text, 4000)
    barred = next(arm.name for arm in made.prepared.plan.arms if "K barred" in arm.name)
    outcomes = made.outcomes(barred)
    for rotation in range(2):
        assert (outcomes[:, rotation]["used"][:, rotation, 2] == 0).all()
    assert outcomes["used"][:, :, :, 2].any()


def test_the_worth_of_each_card_and_their_order_are_known_where_the_higher_card_wins(tmp_path: Path) -> None:
    """Between two timid players the higher card always wins: with a king 1, with a queen 1/2, with a jack 0."""
    made = asked(tmp_path, 'question = "card_strength"\n[strategies]\ntimid = {}\n[card_strength]\ncards = "all"', 6000)
    worth = {"king": Fraction(3, 4), "queen": Fraction(0), "jack": Fraction(-3, 4)}  # less the mean of the other two
    rows = {row["card"]: row for row in made.frame("ranking")}
    for card, exact in worth.items():
        assert rows[card]["first_hand_low"] <= exact <= rows[card]["first_hand_high"]
        assert rows[card]["first_hand_pm"] < 0.03
    assert [rows[card]["first_hand_rank"] for card in worth] == ["1", "2", "3"]
    # Barred from the king it checks and shows it, as it does with the other cards: nothing changes.
    assert {(row["effect"], row["effect_low"], row["effect_high"]) for row in rows.values()} == {(0, 0, 0)}


# --- every command ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_it_keeps_the_contract(game: Game, check: contract.Check) -> None:
    check(game)


def test_it_is_listed_and_shown_with_rules_and_strategies(simkit: CallSimkit) -> None:
    (row,) = [row for row in simkit("list", "games", "--json").json if row["name"] == "kuhn_poker"]
    assert row["strategies"] == len(list(STRATEGIES.glob("*.py")))
    assert {"kuhn_poker_seats", "colina_kings"} <= {row["name"] for row in simkit("list", "experiments", "--json").json}
    shown = simkit("show", "kuhn_poker").out
    assert "KP-2.2 A bet costs chips." in shown
    assert "rules.bet = 1" in shown
    assert "alpha" in simkit("show", "kuhn_poker/equilibrium").out


def test_it_is_played_and_told(simkit: CallSimkit) -> None:
    played = simkit("match", "kuhn_poker", "equilibrium:alpha=0.1", "timid", "-s", "rules.bet=2", "--json").json
    assert played["rules"] == {"ante": 1, "bet": 2}
    assert {abs(played["outcome"]["scores_0"][end]) for end in ("min", "max")} == {3}
    told = simkit("replay", "kuhn_poker", "equilibrium", "-n", "20").out
    assert re.search(r"equilibrium \(seat [01]\) wins [12] (after the cards are shown|without showing a card)", told)


def test_it_is_benchmarked(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SECONDS", 0.01)
    monkeypatch.setattr(bench, "REPEATS", 1)
    assert {row["strategies"] for row in bench.measure([game.name])} == {"random", "equilibrium"}


def test_its_files_and_the_game_itself_are_checked(simkit: CallSimkit) -> None:
    said = simkit("check", STRATEGIES / "timid.py", EXPERIMENTS[0], "kuhn_poker", "--seconds", 5)
    assert (said.code, said.err) == (0, "")
    of_strategy, of_experiment, of_game = said.out.splitlines()
    assert "games of kuhn_poker under" in of_strategy
    assert "sweep of kuhn_poker" in of_experiment
    assert of_game == "kuhn_poker: ok, keeps all 14 promises of a game, with all indices checked"


def test_a_workspace_gets_its_strategies_and_experiments(simkit: CallSimkit, tmp_path: Path) -> None:
    assert simkit("init", tmp_path / "mine").code == 0
    for kind, source in (("strategies/kuhn_poker", STRATEGIES), ("experiments", EXPERIMENTS[0].parent)):
        copies = {path.name for path in (tmp_path / "mine" / kind).iterdir()}
        assert {path.name for path in source.iterdir() if path.is_file()} <= copies


def test_a_run_is_kept_and_answered_from_its_folder(simkit: CallSimkit, tmp_path: Path) -> None:
    said = simkit("run", "kuhn_poker_seats", "--deals", 50, "--json")
    assert said.code == 0
    assert said.json["game"] == "kuhn_poker"
    assert simkit("report", "kuhn_poker_seats").code == 0
    manifest = json.loads((tmp_path / "reports" / "kuhn_poker_seats" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["status"] == "complete"


# --- the cache --------------------------------------------------------------------------------------------------------


def test_only_the_games_own_sources_name_its_cache(game: Game) -> None:
    from simkit.driver import sources

    texts = {source.decode() for source in sources(game)}
    assert (KUHN / "kuhn_poker" / "kernel.py").read_text(encoding="utf-8") in texts
    assert (STRATEGIES / "timid.py").read_text(encoding="utf-8") not in texts


def test_players_travel_to_other_processes(game: Game) -> None:
    import pickle

    (player, *_) = table_of(game, "equilibrium", "timid", alpha=0.25).players
    again = pickle.loads(pickle.dumps(player))
    values: dict[str, Any] = game.resolve({})
    first, second = (Table(game, [p, p], values, 3).play(0, 200) for p in (player, again))
    assert np.array_equal(first, second)
