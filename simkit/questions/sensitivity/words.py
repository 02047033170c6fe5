"""The answer of the kind sensitivity in sentences: what matters most, what hardly matters, how much is interaction."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simkit.questions.base import listed, under
from simkit.questions.sensitivity.found import HARDLY, Found
from simkit.questions.words import MOST_NAMED, counted
from simkit.stats.sensitivity import MORRIS_SPREAD, RANKED_BY, SOBOL_FIRST


def in_words(found: Sequence[Found], names: Sequence[str]) -> list[str]:
    """A sentence for each measure, or for each line-up where these differ; `names` of the keys."""
    measures: dict[str, list[Found]] = {}
    for one in found:
        measures.setdefault(one.shown.name, []).append(one)
    sentences = []
    for mine in measures.values():
        groups: dict[tuple[object, ...], list[Found]] = {}
        for one in mine:
            what = one.leaders if one.state == "known" else ()
            groups.setdefault((one.state, what), []).append(one)
        for place, same in enumerate(groups.values()):
            where = _where(same, len(mine))
            about = f"For {mine[0].shown.words}{where}" if place == 0 else f"W{where.removeprefix(' w')}"
            sentences.append(_sentence(about, same, names))
    return [*sentences, *_what_hardly_is(found)]


def _where(same: Sequence[Found], of: int) -> str:
    """Under which line-ups, in words; nothing where there is only one."""
    if of == 1:
        return ""
    if len(same) == of:
        return " under both line-ups" if of == 2 else f" under all {counted(of, 'line-up')}"
    named = [under(one.lineup) for one in same]
    more = [f"{len(named) - MOST_NAMED} more"] if len(named) > MOST_NAMED else []
    return f" with {listed([*named[:MOST_NAMED], *more])}"


def _sentence(about: str, same: Sequence[Found], names: Sequence[str]) -> str:
    match same[0].state:
        case "not seen":
            return f"{about}, nothing can be said: at some settings there were none to count."
        case "the same":
            return f"{about}, nothing matters: no setting changes anything."
        case "noise":
            return f"{about}, the luck of the deals hides what matters: play more deals."
    leaders = [names[i] for i in same[0].order if i in same[0].leaders]
    return f"{about}, {_most(leaders, len(names))}{_how_much(same)}{_hardly(same, names)}."


def _most(leaders: Sequence[str], of: int) -> str:
    if len(leaders) == 1:
        return f"{leaders[0]} matters most"
    if len(leaders) == of > 2:
        return "it is open which matters most"
    others = [counted(len(leaders) - MOST_NAMED, "other")] if len(leaders) > MOST_NAMED else []
    return f"{listed([*leaders[:MOST_NAMED], *others])} matter most, which of them more is open"


def _how_much(same: Sequence[Found]) -> str:
    """What the leaders explain; of several line-ups the lowest and the highest."""
    leaders = [i for i in same[0].order if i in same[0].leaders]
    if len(leaders) > MOST_NAMED:
        return ""
    ranks = listed(_span(same, RANKED_BY[same[0].method], i) for i in leaders)
    if same[0].method == "sobol":
        alone = f", {_span(same, SOBOL_FIRST, leaders[0])} by itself" if len(leaders) == 1 else ""
        return f" ({ranks} of the variation{alone}{_together(same)})"
    if len(leaders) > 1:
        return f" (a step of each is worth {ranks})"
    return f" (a step of it is worth {ranks}, differing by {_span(same, MORRIS_SPREAD, leaders[0])})"


def _span(same: Sequence[Found], row: int, key: int) -> str:
    """One of a key's indices; of several line-ups the lowest and the highest."""
    return _from_to([(one.indices.value[row, key], one.half[row, key]) for one in same], same[0])


def _from_to(numbers_: Sequence[tuple[float, float]], one: Found) -> str:
    """A number with its half-width, or of several the lowest and the highest."""
    if len(numbers_) == 1:
        return amount(*numbers_[0], one)
    low, high = (pick(numbers_, key=lambda pair: pair[0]) for pick in (min, max))
    first, last = (amount(value, None, one) for value, _ in (low, high))
    unit = f" {last.partition(' ')[2]}"
    return last if first == last else f"{first.removesuffix(unit)} to {last}"


def amount(value: float, half: float | None, one: Found) -> str:
    """A share of the variation (Sobol), or a size in the measure's own unit (Morris)."""
    from simkit.report import numbers

    if one.method == "sobol":
        return numbers.percent(value, half) if half is not None else f"{100 * value:.0f} %"
    if one.shown.kind == "count":
        return numbers.number(value, half)
    return f"{numbers.number(100 * value, None if half is None else 100 * half)} points"


def _hardly(same: Sequence[Found], names: Sequence[str]) -> str:
    """The keys that hardly matter in any of these."""
    found = [name for i, name in enumerate(names) if all(i in one.hardly for one in same)]
    if not found:
        return ""
    shown = listed(found) if len(found) <= MOST_NAMED else counted(len(found), "other")
    return f"; {shown} hardly {'matters' if len(found) == 1 else 'matter'}"


def _what_hardly_is(found: Sequence[Found]) -> list[str]:
    """What is meant by that, where it is said of anything."""
    known = [one for one in found if one.state == "known" and one.hardly]
    if not known:
        return []
    of = "of the variation" if known[0].method == "sobol" else "of the largest effect"
    return [f"To hardly matter is to make less than {100 * HARDLY:g} % {of}."]


def _together(same: Sequence[Found]) -> str:
    """How much of the variation is interaction, where that is shown."""
    shares = [(float(one.all_interaction.value), float(one.all_interaction.half)) for one in same]
    shown = all(value - half > 0 for value, half in shares)
    return f"; {_from_to(shares, same[0])} is interaction between rules" if shown else ""


def luck_in_words(found: Sequence[Found]) -> list[str]:
    """How much of what is seen is the luck of the deals."""
    shares = [one.noise for one in found if np.isfinite(one.noise)]
    if not shares:
        return []
    return [
        f"The luck of the deals makes up at most {100 * max(shares):.2g} % of the variation of any measure between "
        "settings; effects are overrated by about that much at most."
    ]


def what_would_help(found: Sequence[Found], is_whole: bool) -> list[str]:
    """Where the uncertainty of the indices comes from, and what to do about it; `is_whole`: all settings are played."""
    known = [one for one in found if one.state == "known"]
    if not known:
        return []
    design, deals = (
        float(np.mean([half[one.order[0]] for one, half in zip(known, halves, strict=True)]))
        for halves in ([one.rank.design_half for one in known], [one.rank.deals_half for one in known])
    )
    if not np.isfinite(design + deals):
        return []
    if design > deals:
        cost = ", and cost no more games: all settings are played already" if is_whole else ""
        return [f"Most of the uncertainty comes from the choice of settings; more samples narrow it{cost}."]
    return ["Most of the uncertainty comes from the luck of the deals; more deals narrow it."]
