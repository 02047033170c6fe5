"""One decision made by another strategy: the same games up to it; positions and classes as plain loops find them."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit import strategy
from simkit.branch import BRANCH
from simkit.driver import Table, engine
from simkit.errors import SimkitError, StrategyError
from simkit.games import SHIPPED, get_game
from simkit.player import Function, Player, compile_player
from simkit.runs import run
from tests.questions.lab import Lab, check_answer, lab
from tests.tables import shipped, shipped_names

FIRST = """from simkit.games.{game} import random_move

def act(view, rules, params, rng):
    return random_move(view, rules, rng)

def when(view, rules, params):
    return 0
"""
TEXT = """question = "opening_value"
[strategies]
greedy = {}
no_jack = { use = "jack_saver", jack_from = 1000 }
[opening_value]
when = "no_jack"
choices = ["greedy", "no_jack"]
pairs = [["greedy", "greedy"]]
"""
DEALS = 300


def compiled(game: str, use: str, function: Function, **given: Any) -> Player:
    file = strategy.find(game, use, Path.cwd())
    return compile_player(engine(get_game(game)), file, use, given, function)


def at_table(game: str, *labels: str, seed: int = 5) -> Table:
    info = get_game(game)
    rules = {option.name: option.default for option in info.options}
    return Table(info, [shipped(game, label) for label in labels], rules, seed)


def written(folder: Path, text: str, game: str = "colina") -> str:
    path = folder / "mine.py"
    path.write_text(f'GAME = "{game}"\n{text}', encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("game", SHIPPED, ids=lambda game: game.name)
def test_in_every_game_the_first_decision_can_be_made_by_another(game: Any, tmp_path: Path) -> None:
    path = written(tmp_path, FIRST.format(game=game.name), game.name)
    label = next(name for name in shipped_names(game.name) if name != "random")
    seats = game.seats({option.name: option.default for option in game.options})
    table = at_table(game.name, *[label] * seats)
    when, choice = compiled(game.name, path, "when"), compiled(game.name, path, "act")
    outcomes, branches = table.play_branched(0, 8, when, choice, 1)
    assert (branches["branch_turn"] > 0).any()
    assert (branches["branch_class"] == 0).all()
    again, same = at_table(game.name, *[label] * seats).play_branched(0, 8, when, choice, 1)
    assert outcomes.tobytes() == again.tobytes()
    assert branches.tobytes() == same.tobytes()
    if game.name == "colina":  # simultaneous rounds, seat 0 chooses first
        assert set(branches["branch_turn"][:, 0].tolist()) == {1}
        assert set(branches["branch_turn"][:, 1].tolist()) == {2}


def test_made_as_the_player_itself_would_it_is_the_plain_run_to_the_last_bit() -> None:
    plain = at_table("colina", "greedy", "planner").play(0, DEALS)
    when, own = compiled("colina", "jack_saver", "when"), compiled("colina", "greedy", "act")
    outcomes, branches = at_table("colina", "greedy", "planner").play_branched(0, DEALS, when, own, 16)
    assert outcomes.tobytes() == plain.tobytes()
    assert (branches["branch_turn"] > 0).mean() > 0.5


def test_a_branch_that_never_comes_changes_nothing_even_where_players_use_chance(tmp_path: Path) -> None:
    path = written(tmp_path, FIRST.format(game="colina").replace("return 0", "return -1"))
    plain = at_table("colina", "random", "random").play(0, DEALS)
    when, choice = compiled("colina", path, "when"), compiled("colina", path, "act")
    outcomes, branches = at_table("colina", "random", "random").play_branched(0, DEALS, when, choice, 16)
    assert outcomes.tobytes() == plain.tobytes()
    assert (branches == np.zeros(1, BRANCH)).all()


def by_steps(table: Table, deal: int, rotation: int, when: Player) -> tuple[int, int]:
    """Number and class of the first decision of player 0 that `when` tells, in a plain game, one decision at a time."""
    outcome, number, seen = np.zeros(1, table.engine.outcome), 0, (0, 0)
    steps = table.steps(deal, rotation, outcome)
    next(steps)
    for record in steps:  # after each decision; the view is still the one that it was made by
        number = number + 1
        if seen == (0, 0) and record["seat"] == rotation and record["decisions"] > 0:
            found = when.act(record["sight"], record["rules"][rotation], table._params[0, 0], record["streams"][0])
            seen = (number, found) if found >= 0 else seen
    return seen


def test_positions_and_classes_are_those_that_a_plain_game_shows() -> None:
    when, choice = compiled("colina", "jack_saver", "when"), compiled("colina", "jack_saver", "act")
    _, branches = at_table("colina", "planner", "random").play_branched(0, 40, when, choice, 16)
    for deal in range(40):
        for rotation in range(2):
            seen = by_steps(at_table("colina", "planner", "random"), deal, rotation, when)
            came, place = branches[deal, rotation].item()
            assert (came, place) == seen


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return lab(tmp_path_factory.mktemp("branch"), TEXT, 1000)


def test_the_value_is_the_mean_difference_of_the_same_games(made: Lab) -> None:
    check_answer(made.answer, ["greedy", "no_jack"])
    arms = [arm for arm in made.prepared.plan.arms if arm.branch]
    now, other = (made.work.play(arm, 0, made.deals) for arm in arms)
    came = now.values("branch_turn") > 0
    assert (now.values("branch_class")[came] == other.values("branch_class")[came]).all()
    change = now.lead(0) - other.lead(0)
    assert (change[~came] == 0).all()
    use = came & (now.counted() > 0) & (other.counted() > 0)
    (overall,) = made.frame("overall")
    assert overall["positions"] == use.sum()
    assert overall["lead"] == pytest.approx(change[use].mean(), abs=1e-12)
    for row in made.frame("value"):
        mine = use & (now.values("branch_class") == int(str(row["class"]).removeprefix("class ")))
        assert row["positions"] == mine.sum()
        assert row["lead"] == pytest.approx(change[mine].mean(), abs=1e-12)
    assert "Playing as greedy now, compared with playing as no_jack" in made.answer.summary


def test_the_plain_arm_is_untouched_and_batches_do_not_matter(made: Lab) -> None:
    arm = next(arm for arm in made.prepared.plan.arms if arm.branch)
    parts = [made.work.play(arm, first, 100).outcomes for first in (0, 100)]
    assert np.concatenate(parts).tobytes() == made.work.play(arm, 0, 200).outcomes.tobytes()
    base = made.prepared.plan.arms[0]
    assert (
        made.work.play(base, 0, 50).outcomes.tobytes() == at_table("colina", "greedy", "greedy").play(0, 50).tobytes()
    )


def test_neither_threads_nor_batches_matter(tmp_path: Path) -> None:
    path = strategy.shipped_folder("experiments") / "colina_jack_behind.toml"
    one = run(path, deals=60, jobs=1, out=tmp_path / "one")
    two = run(path, deals=60, jobs=2, batch=7, out=tmp_path / "two")
    assert one.summary == two.summary
    for name, frame in one.tables.items():
        assert frame.equals(two.tables[name]), name


def test_it_travels_to_another_process_as_what_it_is() -> None:
    when = compiled("sixty_six", "closer", "when", points=33)
    again = pickle.loads(pickle.dumps(when))
    assert (again.function, again.parameters) == ("when", {"trumps": 3, "points": 33})
    assert again.act is when.act


def test_the_same_choice_twice_is_worth_exactly_nothing(tmp_path: Path) -> None:
    text = TEXT.replace('["greedy", "no_jack"]', '["no_jack", "no_jack"]')
    (overall,) = lab(tmp_path, text, 60).frame("overall")
    assert (overall["lead"], overall["lead_pm"], overall["wins"], overall["wins_pm"]) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('when = "no_jack"', 'when = "no_jak"', "no_jak: no such strategy in [strategies]. Did you mean no_jack?"),
        ('when = "no_jack"', 'when = "greedy"', "greedy.py: no function when(view, rules, params)"),
        (
            '["greedy", "no_jack"]',
            '["gredy", "no_jack"]',
            "gredy: no such strategy in [strategies]. Did you mean greedy?",
        ),
        ('["greedy", "no_jack"]', '["greedy"]', "two strategies, whose moves are compared"),
        ('choices = ["greedy", "no_jack"]', "", "choices: missing"),
        ('when = "no_jack"', "", "choices: goes with when"),
        ("choices =", 'against = "later"\nchoices =', "against: goes with probe"),
        ("choices =", "classes = { sum = [1] }\nchoices =", "classes: with when, a list of words"),
        ("choices =", 'classes = ["a", "a"]\nchoices =', "each once"),
    ],
)
def test_faults_name_what_is_wrong(tmp_path: Path, old: str, new: str, fault: str) -> None:
    assert old in TEXT
    with pytest.raises(SimkitError) as raised:
        lab(tmp_path, TEXT.replace(old, new))
    assert fault in str(raised.value)


def test_a_probe_and_when_exclude_each_other(tmp_path: Path) -> None:
    text = FIRST.format(game="lost_cities")
    pool = f'[strategies]\nmine = "{written(tmp_path, text, "lost_cities")}"\n'
    table = '[opening_value]\nprobe = "wager"\nwhen = "mine"\nchoices = ["mine", "mine"]\n'
    with pytest.raises(SimkitError, match="probe and when: which decision"):
        lab(tmp_path, f'question = "opening_value"\n{pool}{table}', game="lost_cities")


def test_the_number_of_no_class_names_file_and_value(tmp_path: Path) -> None:
    text = TEXT.replace("choices =", 'classes = ["low"]\nchoices =')
    with pytest.raises(StrategyError) as raised:
        _ = lab(tmp_path, text, 50).results
    assert "jack_saver.py: when of no_jack returned " in str(raised.value)
    assert "the number of a class, 0 to 0" in str(raised.value)


def test_an_illegal_move_names_the_choice(tmp_path: Path) -> None:
    path = written(tmp_path, "def act(view, rules, params, rng):\n    return -7\n")
    when, choice = compiled("colina", "jack_saver", "when"), compiled("colina", path, "act")
    with pytest.raises(StrategyError, match=r"mine\.py: strategy .*mine\.py made an illegal move"):
        at_table("colina", "greedy", "greedy").play_branched(0, 20, when, choice, 16)


def test_true_or_false_is_not_the_number_of_a_class(tmp_path: Path) -> None:
    path = written(tmp_path, FIRST.format(game="colina").replace("return 0", "return view.points > 20"))
    with pytest.raises(StrategyError, match="when must return −1 or the number of a class"):
        compiled("colina", path, "when")
