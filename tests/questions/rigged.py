"""Questions put to rigged dice: one compiled line-up played with any seed, without a run's folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from simkit import follow_up
from simkit.answer import Answer, Estimate
from simkit.plan import Results
from simkit.questions import KINDS
from tests.questions.lab import Lab, check_answer, lab
from tests.rigged import GAME

Rules = dict[str, int | bool | list[bool]]
THROWS = ("rock", "paper", "scissors", "trump")
SURE = 4 / 1.96  # four standard errors, in half-widths


def rigged(
    folder: Path, kind: str, table: str, strategies: str, deals: int, margin: float = 0.01, **rules: object
) -> Lab:
    """A question about rigged dice. `strategies` are names of throws, or `shy` for rock without cards, or `mixer`."""
    made = {name: f'{name} = {{ use = "thrower", throw = {i} }}' for i, name in enumerate(THROWS)}
    made |= {"shy": 'shy = { use = "thrower", likes = 0 }', "mixer": "mixer = {}"}
    values = "\n".join(f"{name} = {str(value).lower()}" for name, value in rules.items())
    pool = "\n".join(made[name] for name in strategies.split())
    text = f'question = "{kind}"\nmargin = {margin}\n[rules]\n{values}\n[strategies]\n{pool}\n[{kind}]\n{table}\n'
    return lab(folder, text, deals, GAME.name)


def results_of(made: Lab, seed: int, deals: int | None = None) -> Results:
    """The results with another seed, follow-up included."""
    asked, many = made.prepared.asked, deals or made.deals
    work = replace(made.work, seed=seed)
    tallies = work.batch(0, many)
    assert tallies is not None
    results = Results(work.plan, tallies)
    follows = KINDS[asked.experiment.kind].follows(asked)
    if follows is None:
        return results
    found = follows.search(asked, results, follow_up.Trials(work, 1))
    again = replace(work, plan=follows.plan(asked, found), offset=follow_up.FRESH_FROM)
    fresh = again.batch(0, many)
    assert fresh is not None
    return replace(results, found=found, fresh=Results(again.plan, fresh))


def answer_of(made: Lab, results: Results) -> Answer:
    """The answer to those results."""
    return KINDS[made.prepared.experiment.kind].answer(made.prepared.asked, results)


def checked(made: Lab, seed: int = 5) -> Answer:
    """The answer, follow-up included, which holds together."""
    answer = answer_of(made, results_of(made, seed))
    check_answer(answer, list(made.prepared.experiment.strategies))
    return answer


def words(answer: Answer) -> dict[tuple[str, str], str]:
    """(subject, strategies) -> verdict."""
    return {(v.subject, v.under): v.verdict for v in answer.verdicts}


def rows(answer: Answer, table: str) -> Iterator[dict[str, object]]:
    """The rows of a table."""
    frame = next(t.frame for t in answer.tables if t.name == table)
    for row in frame.to_dict("records"):
        yield {str(key): value for key, value in row.items()}


def is_near(estimate: Estimate, truth: float) -> bool:
    """Whether the truth is within four standard errors: by mistake outside once in 16,000 times."""
    assert estimate.se > 0
    return abs(estimate.value - truth) < 4 * estimate.se
