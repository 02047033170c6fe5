"""What a sweep is judged by, and the sentences that name the range in which the game is fair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from simkit.answer import Verdict
from simkit.plan import Results
from simkit.questions.base import Asked, Lineup, is_mirror, listed, shifted, under
from simkit.questions.sweep.axes import (
    Setting,
    home_of,
    home_words,
    is_joint,
    is_number,
    lineups_of,
    name_of,
    reference_of,
    settings_of,
    sweep_of,
    value_words,
    words_of,
)
from simkit.questions.sweep.cases import arm_of
from simkit.questions.sweep.measures import JUDGED_BY
from simkit.questions.words import MOST_NAMED, needed, nothing_ended, span, within
from simkit.stats.verdicts import Wording, judge

BALANCE = Wording(effect="the first player's win rate differs from an even share by", of="")
CHANGE = Wording(effect="it changes the first player's win rate by", of="")
HOW_TO_JUDGE = {
    True: "Between equals (a strategy against itself) a setting is 'fair' when the first player's win rate is an even "
    "share within the margin; 'too strong' and 'too weak' are said of the first player.",
    False: "Between different strategies the margin judges how a setting changes the win rate of the one named first: "
    "'fair' says that it does not change by more than the margin.",
}


@dataclass(frozen=True)
class Judged:
    """A setting under a line-up with its verdict."""

    lineup: Lineup
    setting: Setting
    verdict: Verdict


def subjects(asked: Asked) -> list[str]:
    """What `judge_settings` can judge, by its words."""
    return [words_of(setting) for setting in settings_of(asked)] if JUDGED_BY in sweep_of(asked).measures else []


def judge_settings(asked: Asked, results: Results) -> list[Judged]:
    """Whether the first player's win rate is an even share between equals, and elsewhere whether a setting changes it.

    Nothing is judged where that win rate is not measured.
    """
    if JUDGED_BY not in sweep_of(asked).measures:
        return []
    places, cases, wordings = [], [], []
    for lineup in lineups_of(asked):
        for setting in settings_of(asked):
            arm = arm_of(asked, lineup, setting)
            if is_mirror(lineup):
                effect = shifted(results.estimate(f"{JUDGED_BY}/{arm.name}"), -1 / len(arm.lineup))
            elif setting != home_of(asked, lineup, setting):
                effect = results.estimate(f"{JUDGED_BY}/change/{arm.name}")
            else:
                continue
            places.append((lineup, setting))
            cases.append((words_of(setting), effect, under(lineup)))
            wordings.append(BALANCE if is_mirror(lineup) else CHANGE)
    verdicts = judge(cases, asked.experiment.margin, wordings)
    return [Judged(lineup, setting, verdict) for (lineup, setting), verdict in zip(places, verdicts, strict=True)]


def how_to_judge(asked: Asked, judged: Sequence[Judged]) -> str:
    """What a reader must know of the verdicts."""
    kinds = dict.fromkeys(is_mirror(one.lineup) for one in judged)
    homes = dict.fromkeys(home_words(asked, one.lineup) for one in judged if is_joint(asked, one.lineup))
    return " ".join([*(HOW_TO_JUDGE[kind] for kind in kinds), *(f"Compared with {home}." for home in homes)])


def in_words(asked: Asked, judged: Sequence[Judged]) -> list[str]:
    """The verdicts in sentences: for each line-up where the game is fair, and where it is not."""
    if nothing := nothing_ended([one.verdict for one in judged]):
        return [nothing]
    told = [one for one in judged if not is_joint(asked, one.lineup)]  # of the others what is best is told instead
    mirrors = [one for one in told if is_mirror(one.lineup)]
    others = [one for one in told if not is_mirror(one.lineup)]
    sentences = [_of_lineups(asked, some, kind) for some, kind in ((mirrors, True), (others, False)) if some]
    undecided = [one.verdict for one in told if one.verdict.verdict == "undecided"]
    if undecided:
        sentences.append(f"{len(undecided)} of {len(told)} verdicts are open. {needed(undecided)}")
    return sentences


def _of_lineups(asked: Asked, judged: Sequence[Judged], between_equals: bool) -> str:
    """One kind of verdicts; line-ups with the same word at every value are named together."""
    limit = within(asked.experiment.margin)
    groups = {line: list(mine) for line, mine in groupby(judged, key=lambda one: one.lineup)}
    words = {line: {one.verdict.verdict[:3] for one in mine} for line, mine in groups.items()}
    parts = []
    for word, text in (("fai", "yes"), ("too", "no"), ("und", "not decided")):
        if same := [line for line in groups if words[line] == {word}]:
            who = listed(map(under, same)) if len(same) <= MOST_NAMED else f"{len(same)} line-ups"
            every = [one.verdict for line in same for one in groups[line]]
            parts.append(f"{text}, {_everywhere(judged)} under {who} ({span(every)} points)")
    mixed = [line for line in groups if len(words[line]) > 1]
    parts += [f"under {under(line)} {_where_fair(asked, groups[line])}" for line in mixed[:MOST_NAMED]]
    if len(mixed) > MOST_NAMED:
        parts.append(f"{len(mixed) - MOST_NAMED} more line-ups are in the table")
    what = (
        f"Between equals, is the first player's win rate an even share within your margin of {limit}?"
        if between_equals
        else f"Compared with {words_of(reference_of(asked))}, does who wins stay the same within {limit}?"
    )
    text = "; ".join(parts)
    return f"{what} {text[0].upper()}{text[1:]}."


def _everywhere(judged: Sequence[Judged]) -> str:
    """`at every value tried`, or the one setting that is judged."""
    subjects = dict.fromkeys(one.verdict.subject for one in judged)
    return f"with {next(iter(subjects))}" if len(subjects) == 1 else "at every value tried"


def _where_fair(asked: Asked, judged: Sequence[Judged]) -> str:
    """For one line-up: along the first key, for each combination of the others; equal ones are told together."""
    first = next(iter(sweep_of(asked).axes))
    alike: dict[tuple[str, ...], list[Setting]] = {}
    for rest in dict.fromkeys(_rest(one.setting) for one in judged):
        words = tuple(one.verdict.verdict for one in judged if _rest(one.setting) == rest)
        alike.setdefault(words, []).append(rest)
    parts = []
    for rests in alike.values():
        head = f"with {_settings_words(asked, rests)} " if rests[0] and len(alike) > 1 else ""
        parts.append(head + _along(name_of(first), [one for one in judged if _rest(one.setting) in rests]))
    return "; ".join(parts)


def _settings_words(asked: Asked, rests: Sequence[Setting]) -> str:
    """Some settings: of one key `bonus 0 to 20`, of several `bonus = 0, wagers = 3 or …`."""
    if len(rests[0]) > 1:
        return " or ".join(words_of(rest) for rest in rests)
    key = rests[0][0][0]
    return f"{name_of(key)} {runs(sweep_of(asked).axes[key], [rest[0][1] for rest in rests])}"


def _rest(setting: Setting) -> Setting:
    return setting[1:]


def _along(name: str, judged: Sequence[Judged]) -> str:
    """`yes for embark_cost 10 to 20, no for 25 and 30 (+1.8 ± 0.3 to +2.2 ± 0.3 points)`."""
    values = list(dict.fromkeys(one.setting[0][1] for one in judged))
    parts: list[str] = []
    for word, text in (("fai", "yes"), ("too", "no"), ("und", "not decided")):
        some = [one for one in judged if one.verdict.verdict.startswith(word)]
        if some:
            found = runs(values, [one.setting[0][1] for one in some])
            seen = f" ({span(one.verdict for one in some)} points)" if word == "too" else ""
            parts.append(f"{text} for {'' if parts else f'{name} '}{found}{seen}")
    return ", ".join(parts)


def runs(values: Sequence[Any], chosen: Sequence[Any]) -> str:
    """Some of the values, neighbours together: `10 to 20 and 30`; names are listed one by one."""
    if not is_number(values):
        return listed(value_words(value) for value in chosen)
    words = []
    for is_chosen, group in groupby(values, key=lambda value: value in chosen):
        run = list(group)
        if is_chosen:
            words.append(value_words(run[0]) if len(run) == 1 else f"{value_words(run[0])} to {value_words(run[-1])}")
    return listed(words)
