"""The compiled game of Saloon agrees with the slow reading, move by move, in thousands of games of any rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from simkit.driver import Table
from simkit.errors import UsageError
from simkit.games import get_game
from simkit.games.base import Game
from simkit.games.saloon import sight
from simkit.games.saloon.cards import client_name, members, names
from simkit.games.saloon.counts import CLAUSE_IDS
from simkit.games.saloon.moves import JUDGE, PAY, TURN
from simkit.games.saloon.rules import PLACES, largest_hand
from simkit.transcript import events as told_events
from tests.games.saloon_positions import move_parts, shuffle_hidden
from tests.games.told import Match, check_clauses, check_columns, never_fired, told_matches
from tests.slow.saloon import Answer, Discard, Draw, Move, Pay, Rules, Swap, number_pack, random_rules
from tests.slow.saloon_columns import Memory, columns, count_suit
from tests.slow.saloon_game import DRAW
from tests.slow.saloon_game import Game as SlowGame
from tests.slow.saloon_referee import referee
from tests.tables import shipped, table_of

STRATEGIES = ("random", "random", "honest", "bluffer")
CHUNKS, TABLES = 8, 60
SHORT = 120  # turns of most games


def random_table(rng: random.Random, long: float = 0.05) -> Table:
    """Strategies under random rules; this share of the tables may play games of up to 2,000 turns."""
    game, options = get_game("saloon"), random_rules(rng)
    if rng.random() >= long:
        options["max_turns"] = min(options["max_turns"], SHORT)
    values = game.resolve(options)
    players = [shipped("saloon", name) for name in rng.choices(STRATEGIES, k=values["players"])]
    return Table(game, players, values, rng.getrandbits(64))


@pytest.fixture(scope="module", params=range(CHUNKS))
def games(request: pytest.FixtureRequest) -> list[Match]:
    """Games of random tables under random rules."""
    return told_matches(random_table, request.param, TABLES)


def test_transcripts_pass_the_referee_and_end_as_the_batch_said(games: list[Match]) -> None:
    for played in games:
        outcome = played.outcome
        ranks = outcome["rank"].tolist()
        assert referee(played.events) == {
            "winner": None if outcome["winner"] < 0 else outcome["winner"],
            "reason": played.events[-1]["reason"],
            "ranking": sorted((seat for seat in range(len(ranks)) if ranks[seat]), key=lambda seat: ranks[seat]),
            "turns": outcome["turns"],
        }


def test_every_column_counted_from_the_transcript_is_the_batch_s(games: list[Match]) -> None:
    probes = [name for name in games[0].outcome.dtype.names or () if name.startswith("probe_")]
    check_columns(games, columns, CLAUSE_IDS, probes)


def test_the_clauses_told_in_a_transcript_are_those_the_batch_counted(games: list[Match]) -> None:
    check_clauses(games, CLAUSE_IDS)


def test_every_clause_fires_in_these_games() -> None:
    assert never_fired(random_table, CLAUSE_IDS, 10) == []


# --- move by move -----------------------------------------------------------------------------------------------------


def slow_move(state: np.void, move: int) -> Move:
    """A compiled move in the words of the slow reading; places and clients are those of the compiled hand."""
    asked = int(state["asked"])
    if asked == JUDGE:
        return Answer(bool(move))
    if asked != TURN:
        return Discard(tuple(members(move)))
    if move < PAY:
        return Swap(move - 1) if move else Draw()
    places, client, judge = move_parts(move)
    own = members(state["clients"][int(state["turn"])])
    return Pay(own.index(client), tuple(members(places)), judge)


def catch_up(slow: SlowGame, before: np.void, state: np.void) -> None:
    """Makes the last compiled decision in the slow game, with the cards that were drawn after it."""
    slow.move(slow_move(before, int(state["move"])))
    for place in range(len(state["drawn"])):
        if int(state["events"]) >> place & 1:
            assert slow.due is not None and slow.due.what == DRAW
            slow.draw(slow.due.seat, names(state["drawn"][place], state["drawn_2"][place]))


def follow(table: Table, deal: int) -> Iterator[tuple[np.void, int, SlowGame]]:
    """At each decision the table, the seat that decides, and the slow game: they agree on all hands and clients."""
    record, slow, before = table.record[0], None, None
    for _ in table.steps(deal, 0, np.zeros(1, table.engine.outcome)):
        state, seats = record["state"], range(table.seats)
        hands = [names(state["hand"][seat], state["hand_2"][seat]) for seat in seats]
        clients = [[client_name(code) for code in members(state["clients"][seat])] for seat in seats]
        if slow is None or before is None:
            slow = SlowGame(Rules.from_options(table.rules[0]), clients, hands)
        else:
            catch_up(slow, before, state)
        before = state.copy()
        assert [sorted(hand) for hand in slow.hands] == [sorted(hand) for hand in hands]
        assert [sorted(own) for own in slow.clients] == [sorted(own) for own in clients]
        slow.hands, slow.clients = hands, clients  # in the compiled order, which numbers places
        if int(state["turn"]) >= 0:
            record["seat"] = state["turn"]
            yield record, int(state["turn"]), slow
    assert slow is not None and slow.due is None


@pytest.mark.parametrize("chunk", range(4))
def test_at_every_decision_the_legal_moves_are_those_of_the_slow_reading(chunk: int) -> None:
    rng = random.Random(f"moves {chunk}")
    for _ in range(15):
        table = random_table(rng)
        for record, seat, slow in follow(table, rng.getrandbits(40)):
            assert slow.due is not None and slow.due.seat == seat
            moves = table.legal_moves(20_000)
            if len(moves) > 3000 and rng.random() < 0.9:
                continue  # the slow reading takes long to list so many
            assert len(moves) == len(set(moves.tolist()))
            assert {slow_move(record["state"], int(move)) for move in moves} == set(slow.moves())


def test_moves_of_large_hands_can_be_counted_and_numbered() -> None:
    """Of up to 10^10 moves, chosen by number, all are legal and ascend as their numbers do."""
    rules = {"players": 2, "packs": 2, "hand_size": 34, "bill": 12, "hand_limit": 45, "clients": 16, "max_turns": 60}
    rng, table, most = random.Random(1), table_of(get_game("saloon"), rules=rules), 0
    count_moves, nth_move, is_legal = (
        getattr(table.game.module(home), name)
        for home, name in (("moves", "count_moves"), ("moves", "nth_move"), ("kernel", "is_legal"))
    )
    for record, seat, _ in follow(table, 1):
        table.legal_moves(1)  # writes the view
        view, options = record["sight"], record["rules"][0]
        count = count_moves(view, options)
        most = max(most, count)
        numbers = sorted(rng.sample(range(count), min(count, 50)))
        moves = [nth_move(view, options, number) for number in numbers]
        assert len(set(moves)) == len(moves)
        assert all(is_legal(record["state"], options, seat, move) for move in moves)
        if view["asked"] != TURN:
            assert moves == sorted(moves)
    assert most > 2**32


def test_no_hand_grows_beyond_what_the_rules_allow_for() -> None:
    """Else the places of a hand would not fit into a move."""
    rng = random.Random("large")
    for _ in range(60):
        table, largest = random_table(rng, 0), 0
        for _ in table.steps(rng.getrandbits(40), 0, np.zeros(1, table.engine.outcome)):
            largest = max(largest, *(int(byte) for byte in table.record[0]["state"]["sizes"].tobytes()))
        assert largest <= largest_hand(table.rules[0])


def test_two_packs_with_hands_too_large_to_name_are_refused(saloon: Game) -> None:
    with pytest.raises(UsageError, match=f"rules.hand_limit: .* up to {PLACES}"):
        saloon.resolve({"packs": 2, "hand_limit": 53})
    assert saloon.resolve({"packs": 1, "hand_limit": 72})["hand_limit"] == 72


# --- views ------------------------------------------------------------------------------------------------------------


def moments(events: list[dict[str, Any]]) -> Iterator[tuple[Memory, int, list[str], dict[str, Any] | None]]:
    """What all remember at each decision, the seat that decides, its hand, and the payment if it judges one."""
    memory = Memory(Rules.from_options(events[0]["rules"]), events[1]["clients"])
    hands = [list(hand) for hand in events[1]["hands"]]
    for event in events[2:]:
        kind, seat = event["type"], event.get("player", -1)
        if kind == "turn":
            memory.read(event)
            yield memory, seat, hands[seat], None
            continue
        if kind == "discard" and event["why"] in ("wrong_doubt", "hand_limit"):
            yield memory, seat, hands[seat], None
        if kind == "pay":
            for card in event["cards"]:
                hands[seat].remove(card)
            memory.read({**event, "type": "lay", "size": len(event["cards"])})
            yield memory, event["judge"], hands[event["judge"]], event
            returned = memory.rules.caught_bluff_cards == "return" and event["doubted"] and not event["honest"]
            hands[seat] += event["cards"] if returned else []
        memory.read(event)
        if kind == "draw":
            hands[seat] += event["cards"]
        if kind == "discard":
            for card in event["cards"]:
                hands[seat].remove(card)


def cards_in(view: np.void, field: str, seat: int | None = None) -> list[str]:
    """The names of a heap in a view, sorted."""
    words = [view[name] if seat is None else view[name][seat] for name in (field, f"{field}_2")]
    return sorted(names(*words))


def test_a_view_shows_what_a_perfect_memory_knows_and_nothing_else() -> None:
    rng = random.Random("views")
    for _ in range(40):
        table, deal = random_table(rng, 0), rng.getrandbits(40)
        known = moments(list(told_events(table, deal)))
        record = table.record[0]
        for _ in table.steps(deal, 0, np.zeros(1, table.engine.outcome)):
            seat = int(record["state"]["turn"])
            if seat >= 0:
                memory, decides, hand, payment = next(known)
                assert decides == seat
                record["seat"] = seat
                table.legal_moves(1)  # writes the view
                check_view(record["sight"], memory, seat, hand, payment)
        assert next(known, None) is None


def check_view(view: np.void, memory: Memory, seat: int, hand: list[str], payment: dict[str, Any] | None) -> None:
    """Every field of a view against what its seat knows."""
    seats = range(memory.rules.players)
    assert (view["seat"], cards_in(view, "hand")) == (seat, sorted(hand))
    assert cards_in(view, "discard") == sorted(memory.discards.elements())
    assert cards_in(view, "mixed") == sorted(memory.mixed.elements())
    assert [cards_in(view, "known", other) for other in seats] == [sorted(cards.elements()) for cards in memory.known]
    clients = [sorted(client_name(code) for code in members(view["clients"][other])) for other in seats]
    assert clients == [sorted(own) for own in memory.clients]
    assert view["sizes"].tolist()[: len(seats)] == memory.sizes
    assert [sight.last_judge(view, other) for other in seats] == [-1 if j is None else j for j in memory.last]
    places = [memory.closed.index(other) + 1 if other in memory.closed else 0 for other in seats]
    assert (view["places"].tolist()[: len(seats)], view["closed"]) == (places, len(memory.closed))
    for place, (payer, judge, how) in enumerate(memory.verdicts[: sight.RECENT]):
        assert sight.recent_payer(view, place) == payer
        assert sight.recent_judge(view, place) == judge
        assert sight.recent_verdict(view, place) == how
    verdicts = Counter(memory.verdicts)
    for other in seats:
        for how in range(4):
            assert view["paid"][other][how] == sum(n for (p, _, h), n in verdicts.items() if (p, h) == (other, how))
            assert view["judged"][other][how] == sum(n for (_, j, h), n in verdicts.items() if (j, h) == (other, how))
    assert (view["turns"], view["payments"], view["pile"]) == (memory.turns, len(memory.verdicts), memory.pile)
    if payment is not None:
        assert (view["payer"], view["count"]) == (payment["player"], len(payment["cards"]))
        assert client_name(int(view["client"])) == payment["client"]
    else:
        assert view["client"] == 255
    blank = {"sizes": 0, "last": 0, "places": 0, "clients": 0, "known": 0, "known_2": 0, "paid": 0, "judged": 0}
    for field, value in blank.items():
        assert (view[field][len(seats) :] == value).all()


def test_helpers_of_strategies_say_what_the_memory_says() -> None:
    rng = random.Random("sight")
    for _ in range(25):
        table, deal = random_table(rng, 0), rng.getrandbits(40)
        known = moments(list(told_events(table, deal)))
        record = table.record[0]
        for _ in table.steps(deal, 0, np.zeros(1, table.engine.outcome)):
            seat = int(record["state"]["turn"])
            if seat < 0 or (now := next(known)) is None or rng.random() < 0.7:
                continue
            record["seat"] = seat
            table.legal_moves(1)
            check_helpers(record["sight"], record["rules"][0], *now)


def check_helpers(
    view: np.void, rules: np.void, memory: Memory, seat: int, hand: list[str], payment: dict[str, Any] | None
) -> None:
    """The helpers of `sight` against plain counting."""
    pack, mine = Counter(number_pack(memory.rules)), Counter(hand)
    outside = pack - memory.mixed - mine - memory.discards
    compiled_hand = names(view["hand"], view["hand_2"])
    for suit, letter in enumerate("shdc"):
        places = members(sight.places_of_suit(view, suit))
        assert [compiled_hand[place][-1] for place in places] == [letter] * count_suit(mine, letter)
        assert sight.count_of_suit(view, suit) == count_suit(mine, letter)
        assert sight.discarded_of_suit(view, suit) == count_suit(memory.discards, letter)
        assert sight.unseen_of_suit(view, rules, suit) == count_suit(pack - mine - memory.discards, letter)
        assert sight.held_of_suit(view, rules, suit) == count_suit(outside, letter)
        for other, cards in enumerate(memory.known):
            assert sight.known_of_suit(view, other, suit) == count_suit(cards, letter)
    assert sight.client_suit(view) == ("shdc".index(payment["client"][-1]) if payment else -1)
    assert len(members(sight.freed(view, rules))) == memory.freed.total()
    assert sight.discard_size(view) == memory.discards.total()
    assert sight.all_places(view) == (1 << len(hand)) - 1
    for other in range(memory.rules.players):
        paid = [how for payer, _, how in memory.verdicts if payer == other]
        judged = [how for _, judge, how in memory.verdicts if judge == other]
        assert sight.honest_by(view, other) == sum(how in (0, 2) for how in paid)
        assert sight.payments_by(view, other) == len(paid)
        assert sight.bluffs_by(view, other) == sum(how in (1, 3) for how in paid)
        assert sight.doubts_by(view, other) == sum(how >= 2 for how in judged)
        assert sight.verdicts_by(view, other) == len(judged)
        assert sight.is_open(view, rules, other) == (other not in memory.closed)
    assert sight.recent_count(view) == min(len(memory.verdicts), sight.RECENT)


def test_under_any_rules_a_view_stays_the_same_when_the_hidden_cards_are_dealt_anew() -> None:
    rng, differ = random.Random("hidden"), 0
    for _ in range(40):
        table = random_table(rng, 0)
        for record, seat, _ in follow(table, rng.getrandbits(40)):
            table.legal_moves(1)
            seen, before = record["sight"].tobytes(), table.record.copy()
            shuffle_hidden(record, seat, rng)
            differ += record["state"].tobytes() != before["state"][0].tobytes()
            table.legal_moves(1)
            assert record["sight"].tobytes() == seen
            table.record[:] = before
    assert differ > 500
