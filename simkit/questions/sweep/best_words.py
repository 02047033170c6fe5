"""Sentences on which value of a strategy's parameter is best, at which values of a rule, and where that turns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from simkit.questions.base import Asked, Lineup, listed
from simkit.questions.sweep.axes import (
    RULES,
    Setting,
    is_number,
    name_of,
    names_of,
    own_keys,
    sweep_of,
    value_words,
    words_of,
)
from simkit.questions.sweep.best import Answer, Contest, any_of, by_most_answers, others_of
from simkit.questions.sweep.verdicts import runs
from simkit.questions.words import MOST_NAMED, counted, points, within
from simkit.stats.verdicts import MOST_DEALS

SEVERAL: Answer = ("several", ())  # said in place of which, where other places have one best


def best_in_words(asked: Asked, found: Sequence[Contest]) -> list[str]:
    """The best ways in sentences; line-ups with the same answers are told together, those that turn come first.

    None where no two ways can be compared at all.
    """
    if all(one.best is None for one in found):
        return []
    by_lineup = by_most_answers(found)
    alike: dict[Any, list[Lineup]] = {}
    for line, mine in by_lineup.items():
        answers = [one.answer for one in mine]
        key: Any = only_best(answers) or tuple(_blurred(answers))
        alike.setdefault((tuple(own_keys(asked, line)), key), []).append(line)
    sentences: list[str] = []
    for lines in list(alike.values())[:MOST_NAMED]:
        known = bool(sentences) and len({keys for keys, _ in alike}) == 1
        sentences.append(_of_lineups(asked, lines, by_lineup, known))
    if more := sum(map(len, list(alike.values())[MOST_NAMED:])):
        sentences.append(f"{counted(more, 'more line-up').capitalize()}: see the table.")
    return [*sentences, *_open_ones(found)]


def only_best(answers: Sequence[Answer]) -> tuple[int, ...]:
    """The one way that is shown to be best wherever one is, and may be everywhere else; otherwise empty."""
    best = [set(among) for _, among in answers]
    alone = {tuple(some) for some in best if len(some) == 1}
    return next(iter(alone)) if len(alone) == 1 and set.intersection(*best) else ()


def _blurred(answers: Sequence[Answer]) -> list[Answer]:
    """The answers; where one way alone is best somewhere, of others it is only said that several may be."""
    if not any(word == "best" and len(among) == 1 for word, among in answers):
        return list(answers)
    return [(word, among) if word == "best" and len(among) == 1 else _in_doubt(word) for word, among in answers]


def _in_doubt(word: str) -> Answer:
    return SEVERAL if word in ("best", "open") else (word, ())


def _of_lineups(asked: Asked, lines: Sequence[Lineup], by_lineup: dict[Lineup, list[Contest]], is_known: bool) -> str:
    """One sentence on line-ups with the same answers; `is_known`: it was said before what is best, and where."""
    who = listed(others_of(asked, line) for line in lines)
    names = names_of(own_keys(asked, lines[0]))
    if len({tuple(_blurred([one.answer for one in by_lineup[line]])) for line in lines}) > 1:
        mine = [one for line in lines for one in by_lineup[line] if len(one.answer[1]) == 1]
        what = mine[0].words(mine[0].answer[1]) + " wherever one is shown to be best" + _advantage(mine, mine[0].answer)
        return f"Against {who} {'it' if is_known else f'the best {names}'} is {what}."
    same: dict[tuple[Answer, ...], list[Setting]] = {}
    for rest in dict.fromkeys(_rest(asked, one.condition) for one in by_lineup[lines[0]]):
        answers = tuple(one.answer for one in by_lineup[lines[0]] if _rest(asked, one.condition) == rest)
        same.setdefault(answers, []).append(rest)
    parts = list[str]()
    for some in same.values():
        head = f"with {any_of(words_of(rest) for rest in some)} " if some[0] and len(same) > 1 else ""
        mine = [one for line in lines for one in by_lineup[line] if _rest(asked, one.condition) in some]
        parts.append(head + _along(asked, mine, names, is_known or bool(parts)))
    return f"Against {who} {'; '.join(parts)}."


def _axis(condition: Setting) -> str | None:
    """The key along which answers are told: the first rule of a condition, or what else there is."""
    keys = sorted((key for key, _ in condition), key=lambda key: not key.startswith(RULES))
    return keys[0] if keys else None


def _rest(asked: Asked, condition: Setting) -> Setting:
    return tuple(part for part in condition if part[0] != _axis(condition))


def _along(asked: Asked, found: Sequence[Contest], names: str, is_known: bool) -> str:
    """One section of a sentence: what is best at which values of the axis, and where that turns."""
    axis = _axis(found[0].condition)
    values = sweep_of(asked).axes[axis] if axis else ()
    groups: dict[Answer, list[Contest]] = {}
    for one, answer in zip(found, _blurred([one.answer for one in found]), strict=True):
        groups.setdefault(answer, []).append(one)
    decided, other = list[str](), list[str]()
    for answer, mine in sorted(groups.items(), key=lambda item: item[0][0] != "best"):
        is_named = is_known or bool(decided) or bool(other)
        place = _place(axis, values, mine, is_named, everywhere=len(groups) == 1)
        if answer[0] == "best":
            decided.append(mine[0].words(answer[1]) + place + _advantage(mine, answer))
        else:
            other.append(_undecided(answer[0], found[0].margin, names, place, is_named))
    subject = "it" if is_known else f"the best {names}"
    text = "; ".join([*([f"{subject} is {_in_a_row(decided)}"] if decided else []), *other])
    turns = _turns(axis, values, found)
    return f"{text}; it turns {turns}" if turns else text


def _in_a_row(parts: Sequence[str]) -> str:
    """The parts as a list, with semicolons where they have commas themselves."""
    return listed(parts) if not any("," in part for part in parts) else "; ".join(parts)


def _place(axis: str | None, values: Sequence[Any], mine: Sequence[Contest], is_named: bool, everywhere: bool) -> str:
    """` at every draw tried`, ` at draw 0 to 2`, or where the axis was named before ` at 3`."""
    if axis is None:
        return ""
    if everywhere:
        return f" at every {'value' if is_named else name_of(axis)} tried"
    here = {dict(one.condition)[axis] for one in mine}
    return f" at {'' if is_named else name_of(axis) + ' '}{runs(values, [v for v in values if v in here])}"


def _undecided(word: str, margin: float, names: str, place: str, is_named: bool) -> str:
    if word == SEVERAL[0]:
        return f"several may be best{place}"
    if word == "unseen":
        return f"too few games came to an end to compare{place}"
    who = "none" if is_named else f"no {names}"
    if word == "even":
        return f"{who} is more than {within(margin).removeprefix('±')} better than another{place}"
    return f"{who} is shown to be better than another{place}"


def _advantage(mine: Sequence[Contest], answer: Answer) -> str:
    """In brackets: the smallest advantage of the best at places told together; of several whether they are close."""
    if len(answer[1]) > 1:
        close = within(mine[0].margin).removeprefix("±")
        return f" (within {close} of each other)" if all(one.is_close for one in mine) else ""
    effects = sorted((one.effect for one in mine if one.effect is not None), key=lambda e: e.value)
    if not effects:
        return ""
    over = dict.fromkeys(one.over_words for one in mine)
    text = f"{points(effects[0])} points{' or more' if points(effects[0]) != points(effects[-1]) else ''}"
    text += f" over {next(iter(over)) if len(over) == 1 else 'the next best'}"
    return f" ({text}, within your margin)" if effects[-1].high <= mine[0].margin else f" ({text})"


def _turns(axis: str | None, values: Sequence[Any], found: Sequence[Contest]) -> str:
    """Between which values no way may be best at both: `between 2 and 3`; empty where one may be everywhere."""
    if axis is None or not is_number(values):
        return ""
    sets = {dict(one.condition)[axis]: set(one.answer[1]) for one in found if one.answer[0] == "best"}
    turns, here, last = [], set[int](), None
    for value in [v for v in values if v in sets]:
        if here and not here & sets[value]:
            turns.append(f"between {value_words(last)} and {value_words(value)}")
            here = set()
        if not here or sets[value] <= here:
            last = value
        here = here & sets[value] if here else sets[value]
    return listed(turns) if turns else ""


def _open_ones(found: Sequence[Contest]) -> list[str]:
    """How many contests are open, and when the nearest may be decided."""
    more = [one.more_deals for one in found if not math.isnan(one.more_deals)]
    if not more:
        return []
    open_ones = f"{len(more)} of {len(found)} answers {'is' if len(more) == 1 else 'are'} open"
    if min(more) >= MOST_DEALS:
        return [f"{open_ones}; more deals may never tell the best apart."]
    nearest = counted(int(float(f"{max(1, min(more)):.1e}")), "more deal")
    return [f"{open_ones}; the nearest would take about {nearest}."]
