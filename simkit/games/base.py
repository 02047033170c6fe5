"""What a game is to the rest of simkit: names, options, records, compiled functions, and words."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import numpy as np

from simkit.errors import UsageError
from simkit.games.options import AnyOption, resolve

HELD = ("dealt", "held", "played")  # what a look at every position counts of subjects, by seat and subject


@dataclass(frozen=True)
class Subject:
    """A card, a kind of cards or a feature of a hand whose strength can be asked for.

    Attributes:
        name: as experiments write it ("K").
        words: as sentences write it ("king").
        index: its place in the fields of `Game.seen`; of one that is looked for, the `kind` of the module `holdings`.
        bar: the bit of `barred` that forbids a seat to use it; 0 when nobody can be barred from it.
        switch: the rule option that switches its effect off for a seat, None when it has no effect.
        fronts: words for the classes of `behind`; none when a game does not count them.
        looked_for: whether no field of OUTCOME counts it, so that the module `holdings` has to find it.
    """

    name: str
    words: str
    index: int
    bar: int = 0
    switch: str | None = None
    fronts: tuple[str, ...] = ()
    looked_for: bool = False

    @property
    def is_causal(self) -> bool:
        """Whether games can be played with it and without: its effect switched off, or a seat barred from it."""
        return bool(self.switch or self.bar)


@dataclass(frozen=True)
class Counted:
    """Something a game counts that can be asked for by name: the sum of one field for each of another.

    Attributes:
        name: as experiments write it ("paying").
        words: as tables and sentences write it ("expeditions that pay").
        field: the field that is counted; of one that a seat carries, over all seats.
        of: the field it is a part of, or None: then it is counted a game, or a player's game for a seat's field.
        index: the entry of the field, behind the seat, for both fields.
        kind: "share" (0 … 1), "count", or "spread" for the standard deviation of a seat's field over games.
        meaning: what a reader must know, a sentence; empty when the words say it all.
    """

    name: str
    words: str
    field: str
    of: str | None = None
    index: tuple[int, ...] = ()
    kind: Literal["share", "count", "spread"] = "count"
    meaning: str = ""


@dataclass(frozen=True)
class Feature:
    """Something a player knows when a decision comes, and the classes it is sorted into.

    Attributes:
        name: as experiments write it ("sum").
        field: the outcome's field that holds it.
        words: what it is, for headings ("sum of the numbers").
        lows: the lowest value of each class, ascending.
        top: the highest value that there is; None when the last class has no upper end.
        names: what the values 0, 1, … are called, for a field that holds no number ("jack"); empty for one that does.
    """

    name: str
    field: str
    words: str
    lows: tuple[int, ...]
    top: int | None = None
    names: tuple[str, ...] = ()

    def class_words(self, place: int) -> str:
        """A class in words: `2`, `10–14`, `25 up`, `jack or queen`."""
        low, last = self.lows[place], place == len(self.lows) - 1
        if self.names:
            return " or ".join(self.names[low : None if last else self.lows[place + 1]])
        high = self.top if last else self.lows[place + 1] - 1
        if high is None:
            return f"{low} up"
        return str(low) if low == high else f"{low}–{high}"


@dataclass(frozen=True)
class Probe:
    """A decision that can be forced and forbidden once in a game, at a turn drawn by chance, to see what it is worth.

    Attributes:
        name: as experiments write it ("expedition").
        words: what is decided, as sentences write it ("starting an expedition").
        now, never, later: values of the lab field `probe` that force it, forbid it for good, and forbid it this turn.
        features: what its value is sorted by. The first two make the chart (rows, columns), the next two another one.
        never_words, later_words: what is done instead in these two, after "compared with".
    """

    name: str
    words: str
    now: int
    never: int
    later: int
    features: tuple[Feature, ...]
    never_words: str = "not doing it at all"
    later_words: str = "not doing it this turn"


@dataclass(frozen=True)
class Role:
    """A part that a seat has in a hand, in a game of several hands.

    Attributes:
        name: as the outcome's columns write it ("privileged").
        words: as tables and sentences write it ("Privileged caller").
        index: its place, behind the seat, in the outcome's fields `hands_role`, `wins_role` and `points_role`.
        bar: the bit of `barred` that keeps a seat from choosing it; 0 when nobody has the choice.
        choice: what a player does who chooses it ("calling out of turn"); empty when nobody has the choice.
    """

    name: str
    words: str
    index: int
    bar: int = 0
    choice: str = ""


@dataclass(frozen=True)
class Progress:
    """What all can see of how a game stands, as the functions of the game's module `progress` count it.

    `progress(state, rules, seat)` is a number that is the better for the seat the higher it is, `stage(state, rules)`
    one that tells how far the game has come. Neither may use what a player at the table cannot know.

    Attributes:
        unit: what a lead is counted in ("TP").
        words: what `progress` is, as reports write it ("TP left").
        stage: what `stage` is, as reports write it ("TP that both have lost").
    """

    unit: str
    words: str
    stage: str


@dataclass(frozen=True, eq=False)
class Game:
    """One game. Everything here is plain data; modules with compiled code are imported when they are needed.

    Attributes:
        name: as typed on the command line.
        title: as written in reports.
        about: one sentence.
        package: import path of the game's package. Its modules `state` (dtypes STATE, VIEW, RULES, OUTCOME), `kernel`
            (setup, actor, observe, is_legal, apply, finish), `moves` (count_moves, nth_move) and `tell` (transcripts)
            are the game. A plug-in's package also holds what comes with the game: `rules.md`, `strategies/` and
            `experiments/`.
        options: the rule options, in the order of the rule document.
        max_seats: the most players that can take part.
        seats: number of players under the given rules.
        columns: what each field of OUTCOME means, in one line.
        seat_fields: the fields whose first axis is the seat.
        labels: names of the entries of other axes: `field`, and `field/2` for a second one.
        check: faults of combinations of rules as (option, what is wrong).
        warn: rules that can be played but may not be meant, as (option, why).
        length: the field that counts how long a game is, also its unit ("rounds").
        score_unit: what scores count ("TP").
        start_score: the score a player starts with, under the given rules.
        stakes: whether the score is what is played for, as in poker, and not who wins how often.
        only_wins: whether scores say no more than who has won, under the given rules; then no lead is told.
        path_points: after how many units of length the entries of the field `path` were noted.
        clauses: (clause, what happened) for each entry of the field `clauses`.
        subjects: the cards whose strength can be asked for. Those that are looked for are counted while a game is
            played, by two functions of the module `holdings`: `holding(state, rules, seat, kind)` says how many of a
            kind the seat holds, −1 when it takes no part in the deal, and `using(view, rules, move, kind)` how many
            of it a move plays.
        seen: (field, words) in the order opening hand, drawn, used: the fields of subjects, and how tables head them
            ("in the first hand"); without the middle one where no card is drawn. Of subjects that are looked for the
            fields are those of HELD.
        barred_words: what a player barred from a card must not do, in a sentence of the tables.
        without_winner: what a finished game that nobody won is: a "draw" is shared by those with the highest score, a
            "gap" in the rules is in no win rate and counted apart.
        gap_words: what such a gap is called in the plural ("deals without a winner").
        measures: what the game counts that a sweep can show.
        probes: decisions that can be forced and forbidden; the outcome then has the fields `probe_…`.
        roles: parts that seats have in a hand; the outcome then has the fields `hands_role`, `wins_role` and
            `points_role`, by seat and role.
        progress: what tells who is ahead while a game is played; None when nothing does.
        open_points: of the `clauses`, those that fire where the rules as written leave open what happens.
        bench: strategies whose speed is measured: random play and the fastest heuristic.
        twin_effects, twin_clause: two effects that a rule makes one, and the clause that says so; the fields
            `unblocked` and `twin_differs` count rounds with each, and those in which the other would have made a
            difference.
    """

    name: str
    title: str
    about: str
    package: str
    options: tuple[AnyOption, ...]
    max_seats: int
    seats: Callable[[Mapping[str, Any]], int]
    columns: Mapping[str, str]
    labels: Mapping[str, tuple[str, ...]]
    check: Callable[[Mapping[str, Any]], list[tuple[str, str]]]
    length: str
    score_unit: str
    start_score: Callable[[Mapping[str, Any]], int]
    seat_fields: frozenset[str]
    stakes: bool = False
    only_wins: Callable[[Mapping[str, Any]], bool] = lambda rules: False
    path_points: tuple[int, ...] = ()
    clauses: tuple[tuple[str, str], ...] = ()
    warn: Callable[[Mapping[str, Any]], list[tuple[str, str]]] = lambda rules: []
    subjects: tuple[Subject, ...] = ()
    seen: tuple[tuple[str, str], ...] = ()
    barred_words: str = ""
    without_winner: Literal["draw", "gap"] = "draw"
    gap_words: str = "games without a winner"
    measures: tuple[Counted, ...] = ()
    probes: tuple[Probe, ...] = ()
    roles: tuple[Role, ...] = ()
    progress: Progress | None = None
    open_points: frozenset[str] = frozenset()
    bench: tuple[str, ...] = ("random",)
    twin_effects: tuple[str, ...] = ()
    twin_clause: str = ""

    @property
    def kinds(self) -> int:
        """How many of the subjects are looked for."""
        return sum(subject.looked_for for subject in self.subjects)

    def fields_of(self, subject: Subject) -> tuple[str, ...]:
        """The fields that count a subject, in the order of `seen`."""
        return HELD if subject.looked_for else tuple(field for field, _ in self.seen)

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels to another process by name."""
        from simkit.games import get_game

        return get_game, (self.name,)

    def check_rules(self, values: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Faults that only a combination of rules can have."""
        return self.check(values)

    def warnings(self, values: Mapping[str, Any]) -> list[str]:
        """What of the rules may not be meant, a sentence each."""
        return [f"rules.{name}: {text}." for name, text in self.warn(values)]

    def module(self, name: str) -> ModuleType:
        """A module of the game's package."""
        return importlib.import_module(f"{self.package}.{name}")

    @property
    def folder(self) -> Path:
        """The folder of the game's package."""
        path = importlib.import_module(self.package).__file__
        assert path is not None
        return Path(path).parent

    def resolve(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All rules with defaults filled in. Raises UsageError with every fault."""
        values, faults = resolve(self.options, given)
        faults = faults or self.check(values)
        if faults:
            raise UsageError("\n".join(f"rules.{name}: {text}" for name, text in faults))
        return values

    def rules_record(self, values: Mapping[str, Any], **lab: Any) -> np.ndarray:
        """The rules as an array of one RULES record; `lab` sets fields that are no options."""
        record = np.zeros(1, self.module("state").RULES)
        for option in self.options:
            record[option.name] = option.encode(values[option.name])
        for name, value in lab.items():
            record[name] = value
        return record

    def outcome_columns(self, seats: int) -> list[tuple[str, str, tuple[int, ...], str]]:
        """The columns of OUTCOME, flat: (column, field, index into the field, description).

        A column that a seat carries has the seat's suffix: `points_0`; others carry the entry's label: `clauses_…`.
        """
        rows = []
        dtype = self.module("state").OUTCOME
        for field in dtype.names:
            by_seat = field in self.seat_fields
            for index in np.ndindex(*dtype[field].shape):
                if by_seat and index[0] >= seats:
                    continue
                axes = zip((field, f"{field}/2"), index[by_seat:], strict=False)
                words = [self.labels[axis][i] for axis, i in axes]
                name = "_".join([field, *words, *([str(index[0])] if by_seat else [])])
                rows.append((name, field, index, self.columns[field]))
        return rows
