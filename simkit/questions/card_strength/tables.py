"""The tables behind an answer of the kind card_strength."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simkit.answer import Column, Table, Verdict
from simkit.plan import Results
from simkit.questions.base import Asked, Lineup, listed, number
from simkit.questions.card_strength.cases import Case, counts_rounds, twin_counts

WHO = Column("player against opponent")
CARD = Column("card")
BY_SWITCH = (
    "The same deals are played with the card's effect on and off for the player named first; the opponent keeps it. "
    "What changes is caused by the card."
)
BY_BARRING = (
    "The same deals are played with the player named first free to use the card and barred from it; the opponent stays "
    "free. What changes is caused by that."
)
MOST_BESIDE = 6  # cards whose effects stand side by side in a row
NOT_SEEN = "A dash stands where it never happened."
NOT_LISTED = "Who never played the card there is not listed."


def _row(case: Case) -> dict[str, Any]:
    return {"card": case.subject.name, "under": case.under}


def _played(results: Results, found: Sequence[Case]) -> list[Case]:
    """The cases in which the card was used at all."""
    return [case for case in found if results.moments(f"{case.key}/plays").sums[0]]


def strength_table(asked: Asked, results: Results, found: Sequence[Case], verdicts: Sequence[Verdict]) -> list[Table]:
    """What each card causes: its effect on and off, and restricted play; none where no card can be done without."""
    import pandas as pd

    found = [case for case in found if case.subject.is_causal]
    if not found:
        return []
    judged = {(v.subject, v.under): v for v in verdicts}
    rows = []
    for case in found:
        row = _row(case)
        for name in ("effect", "lead", "opening_effect", *("restricted", "restriction") * bool(case.subject.bar)):
            row |= number(name, results.estimate(f"{case.key}/{name}"))
        verdict = judged.get((case.subject.name, case.under))
        if verdict is None:
            row |= {"verdict": "not judged", "p": None, "more_deals": None}
        else:
            row |= {"verdict": verdict.verdict, "p": verdict.p, "more_deals": verdict.more_deals}
        rows.append(row)
    switches = any(case.subject.switch for case in found)
    free = listed(dict.fromkeys(case.subject.words for case in found if not case.subject.switch) or [""])
    parts = [BY_SWITCH if switches else BY_BARRING]
    parts.append(asked.game.barred_words)
    if switches and free:
        parts.append(f"The {free} has no effect to switch off: its row compares with being barred.")
    parts.append("Half-widths are of 95 % each; the verdicts are corrected for how many there are.")
    adds = "its effect adds" if switches else "being free to use it adds"
    table = Table(
        "strength",
        "What each card is worth (cause and effect)",
        pd.DataFrame(rows),
        {
            "card": CARD,
            "under": WHO,
            "effect": Column(f"{adds} (points of win rate)", "points", "effect_pm"),
            "opening_effect": Column("if in the first hand (points)", "points", "opening_effect_pm"),
            "lead": Column(f"final lead grows by ({asked.game.score_unit})", "number", "lead_pm"),
            "restricted": Column("barred from it, wins", "percent", "restricted_pm"),
        },
        " ".join(parts),
    )
    return [table]


def compared_table(results: Results, found: Sequence[Case]) -> list[Table]:
    """The cards beside each other, a line-up a row; none for a single card, nor for so many that no page holds them."""
    import pandas as pd

    found = [case for case in found if case.subject.is_causal]
    subjects = list(dict.fromkeys(case.subject for case in found))
    if not 2 <= len(subjects) <= MOST_BESIDE:
        return []
    rows: dict[str, dict[str, Any]] = {}
    for case in found:
        row = rows.setdefault(case.under, {"under": case.under})
        row |= number(case.subject.name, results.estimate(f"{case.key}/effect"))
    columns = {s.name: Column(f"the {s.words}", "points", f"{s.name}_pm") for s in subjects}
    free = [s.words for s in subjects if not s.switch] if any(s.switch for s in subjects) else []
    how = "Points of win rate for the player named first, on the same deals; ± is a half-width of 95 %."
    if free:
        how += f" The {listed(free)} has no effect: being free to use it is compared with being barred from it."
    frame = pd.DataFrame(list(rows.values()))
    adds = "each card's effect" if any(s.switch for s in subjects) else "being free to use each card"
    title = f"What {adds} adds, card beside card"
    return [Table("compared", title, frame, {"under": WHO, **columns}, how)]


def seen_table(asked: Asked, results: Results, found: Sequence[Case]) -> Table:
    """Win rates given the first hand, cards drawn and cards played."""
    import pandas as pd

    rows = []
    for case in found:
        row = _row(case)
        for field, _ in asked.game.seen:
            estimate = results.estimate(f"{case.key}/won_{field}")
            row |= number(field, estimate) | {f"{field}_games": estimate.count}
        without, worth = (results.estimate(f"{case.key}/{name}") for name in ("won_without", "first_hand"))
        row |= number("without", without) | {"without_games": without.count} | number("first_hand", worth)
        rows.append(row)
    columns, seen = {"card": CARD, "under": WHO}, asked.game.seen
    drawn = f"Longer games draw more cards, so that '{seen[1][1]}' mixes in how long the game was; " * (len(seen) > 2)
    for place, (field, words) in enumerate(seen):
        columns[field] = Column(f"{words}: won", "percent", f"{field}_pm")
        columns[f"{field}_games"] = Column("of games", "count")
        if place == 0:
            columns["without"] = Column("without it: won", "percent", "without_pm")
            columns["without_games"] = Column("of games", "count")
            columns["first_hand"] = Column("dealt or not (points)", "points", "first_hand_pm")
    return Table(
        "observed",
        "Win rates as a player would see them (not cause and effect)",
        pd.DataFrame(rows),
        columns,
        "Only the first hand is dealt by chance alone: with the card and without it, the games differ in nothing else "
        "than the deal, and the difference is what it is worth to be dealt it in place of another card. "
        f"{drawn}'{seen[-1][1]}' mixes in having had the chance to. {NOT_SEEN}",
    )


def use_table(asked: Asked, results: Results, found: Sequence[Case]) -> list[Table]:
    """How often each card was played behind, blocked, and what the round gave with and without it."""
    import pandas as pd

    if not counts_rounds(asked):
        return []

    rows = []
    for case in _played(results, found):
        row = _row(case)
        for name in ("plays", "blocked", "with_effect", "without_effect", "moved"):
            row |= number(name, results.estimate(f"{case.key}/{name}"))
        rows.append(row | {"counted": results.estimate(f"{case.key}/moved").count})
    unit = asked.game.score_unit
    table = Table(
        "use",
        "How each card was used in the back line",
        pd.DataFrame(rows),
        {
            "card": CARD,
            "under": WHO,
            "plays": Column("plays a game", "number", "plays_pm"),
            "blocked": Column("blocked", "percent", "blocked_pm"),
            "with_effect": Column(f"round gave ({unit})", "number", "with_effect_pm"),
            "without_effect": Column(f"without it ({unit})", "number", "without_effect_pm"),
            "moved": Column(f"so it moved ({unit})", "number", "moved_pm"),
            "counted": Column("of plays", "count"),
        },
        f"What a round gave: {unit} the opponent lost less {unit} lost, on average over the rounds with the card "
        f"behind. Without it: the same two plays, worked out as if the card had no effect. {NOT_LISTED}",
    )
    return [table]


def behind_table(results: Results, found: Sequence[Case]) -> list[Table]:
    """Behind which front line each card was played."""
    import pandas as pd

    if not found[0].subject.fronts:
        return []

    rows = []
    for case in _played(results, found):
        row = _row(case)
        for i in range(len(case.subject.fronts)):
            row |= number(f"behind_{i}", results.estimate(f"{case.key}/behind_{i}"))
        rows.append(row)
    fronts = {
        f"behind_{i}": Column(f"front {words}", "percent", f"behind_{i}_pm")
        for i, words in enumerate(found[0].subject.fronts)
    }
    table = Table(
        "behind",
        "Behind which front line each card was played",
        pd.DataFrame(rows),
        {"card": CARD, "under": WHO, **fronts},
        f"Of all plays of the card in the back line, by the value of the front line before doubling. {NOT_LISTED}",
    )
    return [table]


def twin_table(asked: Asked, results: Results, played: list[Lineup]) -> tuple[list[Table], list[str]]:
    """Two cards that do one thing: counted, in every round with one of them unblocked, by trying the other instead."""
    import pandas as pd

    game = asked.game
    counts = {name: twin_counts(results, name, played) for name in game.twin_effects}
    rounds, differs = (sum(count[key] for count in counts.values()) for key in ("unblocked", "twin_differs"))
    if not rounds:
        return [], []
    names = listed(f"an unblocked {name}" for name in game.twin_effects)
    if differs == 0:
        note = (
            f"{names[0].upper()}{names[1:]} are one and the same effect ({game.twin_clause}): in all {rounds:,} rounds "
            f"with one of them, the other in its place would have cost the same player the same {game.score_unit}."
        )
    else:
        note = f"{names[0].upper()}{names[1:]} are two effects under these rules: "
        note += f"in {differs:,} of {rounds:,} rounds the other would have given another result ({game.twin_clause})."
    columns = {
        "effect": Column("effect in play, unblocked"),
        "unblocked": Column("rounds", "count"),
        "twin_differs": Column("the other would have changed the result of", "count"),
    }
    how = "Each such round was worked out again with the other effect in its place, all else as played."
    rows = [{"effect": name, **count} for name, count in counts.items()]
    title = f"Are {listed(game.twin_effects)} two effects or one?"
    return [Table("twins", title, pd.DataFrame(rows), columns, how)], [note]
