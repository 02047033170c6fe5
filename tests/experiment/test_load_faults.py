"""Every fault of an experiment is told, with its line, and all of them at once."""

from __future__ import annotations

import pytest

from simkit.errors import StrategyError, UsageError
from simkit.experiment import loads
from tests.experiment.fakes import KNOWN
from tests.experiment.texts import GOOD, SHORT, WHOLE_DEALS, changed, faults

SHARE = "is not a number between 0 and 1 (both excluded)"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("deals = 100_000", "deals = 0", f"4: deals: 0 {WHOLE_DEALS}"),
        ("deals = 100_000", f"deals = {10**30}", f"4: deals: {10**30} {WHOLE_DEALS}"),
        ("deals = 100_000", "deals = 1e5", f"4: deals: 100000.0 {WHOLE_DEALS}"),
        ("deals = 100_000", "deals = true", f"4: deals: true {WHOLE_DEALS}"),
        ("deals = 100_000", 'deals = "9"', f'4: deals: "9" {WHOLE_DEALS}'),
        ("deals = 100_000", f"deals = 0x{'f' * 9000}", "4: deals: the number is far too large"),
        ("deals = 100_000", f"until = {'[' * 40}{']' * 40}", "4: until[0]"),
        ("deals = 100_000", "until = 5", "4: until: 5 is not a table"),
        ("deals = 100_000", "until = {}", "4: until.half_width: missing"),
        ("deals = 100_000", "until = { half_width = nan }", "4: until.half_width: nan is not a number above 0"),
        (
            "deals = 100_000",
            "until = { half_width = 0.1, max = 3 }",
            "4: until.max: no such key. Did you mean max_deals?",
        ),
        (
            "deals = 100_000",
            "deals = 1\nuntil = { half_width = 0.1 }",
            "5: until: deals is given too: give one of them (a limit is until.max_deals)",
        ),
        ("seed = 2026", "seed = -1", "5: seed: -1 is not a whole number from 0 to 18446744073709551615"),
        ("seed = 2026", f"seed = {2**64}", f"5: seed: {2**64} is not a whole number from 0 to 18446744073709551615"),
        ("margin = 0.02", "margin = 0", f"6: margin: 0 {SHARE}"),
        ("margin = 0.02", "margin = 1.0", f"6: margin: 1.0 {SHARE}"),
        ("margin = 0.02", "margin = nan", f"6: margin: nan {SHARE}"),
        ("keep_games = true", 'keep_games = "yes"', '8: keep_games: "yes" is not true or false'),
        ('title = "Is the King too strong?"', "title = 5", "7: title: 5 is not a text in quotes"),
        ("seed = 2026", "sead = 2026", "5: sead: no such key. Did you mean seed?"),
        ("seed = 2026", "max_deals = 2026", "5: max_deals: no such key. Did you mean until.max_deals?"),
        ("[rules]", "[[rules]]", "10: rules: [{ start_points = 50, king_on = [true, false] }] is not a table"),
        ("king_on =", "king_onn =", "12: rules.king_onn: no such rule of colina. Did you mean king_on?"),
        (
            "start_points = 50",
            "start_points = 0",
            "11: rules.start_points: 0 is not a whole number from 1 to 2147483647",
        ),
        (
            "start_points = 50",
            "seed = 50",
            "11: rules.seed: no such rule of colina. seed is a key of the experiment: write it above the first [table]",
        ),
        ("random = {}", "rnd = 5", "15: strategies.rnd: 5 is not a table, a strategy's name or a path to its .py"),
        ("random = {}", '"" = "random"', '15: strategies."": a strategy needs a name that can be printed'),
        ("random = {}", "randm = {}", '15: strategies.randm: "randm" is no strategy of colina. Did you mean random?'),
        (
            'bold = "greedy"',
            'bold = "gredy"',
            '17: strategies.bold: "gredy" is no strategy of colina. Did you mean greedy?',
        ),
        (
            "hill_hunter",
            "hill_huntr",
            '16: strategies.hunter.use: "hill_huntr" is no strategy of colina. Did you mean hill_hunter?',
        ),
        ('"hill_hunter"', '"miser"', '16: strategies.hunter.use: "miser" is a strategy of saloon, not of colina'),
        ('"hill_hunter"', "4", "16: strategies.hunter.use: 4 is not a strategy's name or a path to its .py, in quotes"),
        ('"hill_hunter"', '"no/bot.py"', "16: strategies.hunter.use: no/bot.py: no such file"),
        ('"hill_hunter"', r'"a\u0000.py"', r'16: strategies.hunter.use: "a\u0000.py" is not a path'),
        (
            "max_front =",
            "max_frnt =",
            "16: strategies.hunter.max_frnt: no such parameter of hill_hunter. Did you mean max_front?",
        ),
        (
            "max_front = 7",
            "max_front = 7.5",
            "16: strategies.hunter.max_front: 7.5 is not a whole number of at most 53 bits",
        ),
        (
            "max_front = 7",
            "max_front = true",
            "16: strategies.hunter.max_front: true is not a whole number of at most 53 bits",
        ),
        ("max_front = 7", "nerve = inf", "16: strategies.hunter.nerve: inf is not a number"),
        (
            "[card_strength]\ncards",
            "[card_strenght]\ncards",
            "19: card_strenght: no such key. Did you mean card_strength?",
        ),
        ("[card_strength]\ncards", "[card_strength]\ncard", "19: card_strength.cards: missing: a list of cards"),
        ('["K"]', '["K", "X"]', "20: card_strength.cards: no such card: X"),
        ('["K"]', '[\n"K",\n5]', "22: card_strength.cards[1]: 5 is not a text in quotes"),
        ('["K"]', "[]", "20: card_strength.cards: []: List should have at least 1 item, not 0"),
        (
            '["K"]',
            '["K"]\npairs = "mirors"',
            '21: card_strength.pairs: "mirors" is not "mirrors" or "all" or a list. Did you mean mirrors?',
        ),
        ('["K"]', '["K"]\npairs = [["random"]]', "21: card_strength.pairs[0][1]: missing"),
        ('["K"]', '["K"]\npairs = [["random", "x"]]', "21: card_strength.pairs: random, x: not both in the pool"),
        ('["K"]', '["K"]\nmargin = 1', "21: card_strength.margin: no such key. margin is a key of the experiment"),
        (
            "[require]",
            '[sweep]\nrule = "x"\n[require]',
            "22: sweep: the table of another kind of question; this one is",
        ),
        ('"K.fair" = true', '"K.fair" = 1', '23: require."K.fair": 1 is not true or false'),
        ('"K.fair"', "K.fair", '23: require.K: a subject and its verdict are one key, in quotes: "K.fair"'),
        ("[require]", "[require", "22: not TOML: Expected ']' at the end of a table declaration"),
        ("seed = 2026", "deals = 2026", "5: not TOML: Cannot overwrite a value"),
        ("false\n", "false\nx = '''", "25: not TOML: Expected \"'''\""),
        ("seed = 2026", f"seed = {'9' * 5000}", "5: not TOML: a number has too many digits"),
    ],
)
def test_each_fault_has_its_line(old: str, new: str, fault: str) -> None:
    found = faults(changed(old, new))
    place = f"x.toml:{fault}"
    assert [line for line in found if line.startswith(place)], found
    # A wrong name of something that must be there leaves it missing; nothing else may follow from one fault.
    assert len(found) == (2 if "missing" in found[0] and "cards" in found[0] else 1), found


def test_a_misspelt_game_or_question_hides_no_other_fault() -> None:
    text = GOOD.replace('"colina"', '"colna"').replace('"card_strength"', '"card_strenght"')
    text = text.replace("seed = 2026", "seed = -1").replace("hill_hunter", "hill_huntr").replace('"greedy"', '"miser"')
    assert faults(text) == [
        'x.toml:2: question: "card_strenght" is no kind of question. Did you mean card_strength?',
        'x.toml:3: game: "colna" is no game. Did you mean colina?',
        "x.toml:5: seed: -1 is not a whole number from 0 to 18446744073709551615",
        'x.toml:16: strategies.hunter.use: "hill_huntr" is no strategy of any game',
    ]


def test_all_faults_come_at_once_in_the_order_of_the_file() -> None:
    text = """\
[strategies]
a = "nobody"
b = { use = "greedy", king_belo = 1, bold = 3 }
[card_strength]
pairs = 5
[rules]
jokers = 9
siamese_ranks = "distnct"
"""
    assert faults(text) == [
        "x.toml:1: question: missing: the kind of question. Allowed: card_strength, sweep, seat_advantage",
        "x.toml:1: game: missing: the game. Allowed: colina, saloon, hakka",
        f"x.toml:1: deals: missing: how many deals to play, {WHOLE_DEALS[7:]}, or until = {{ half_width = 0.001 }}",
        'x.toml:2: strategies.a: "nobody" is no strategy of any game',
    ]
    head = 'question = "card_strength"\ngame = "colina"\n'
    assert faults(head + text) == [
        f"x.toml:1: deals: missing: how many deals to play, {WHOLE_DEALS[7:]}, or until = {{ half_width = 0.001 }}",
        'x.toml:4: strategies.a: "nobody" is no strategy of colina. Allowed: random, greedy, hill_hunter',
        "x.toml:5: strategies.b.king_belo: no such parameter of greedy. Did you mean king_below?",
        "x.toml:5: strategies.b.bold: 3 is not true or false",
        'x.toml:6: card_strength.cards: missing: a list of cards, as in ["K"]',
        'x.toml:7: card_strength.pairs: 5 is not "mirrors" or "all" or a list',
        "x.toml:9: rules.jokers: 9 is not a whole number from 0 to 8",
        'x.toml:10: rules.siamese_ranks: \'distnct\' is not "any" or "distinct". Did you mean distinct?',
    ]


@pytest.mark.parametrize("pool", ["", "strategies = {}\n"])
def test_an_experiment_needs_a_strategy(pool: str) -> None:
    line = 5 if pool else 1
    wanted = "no strategies; name at least one, as in random = {}. Allowed: random, greedy, hill_hunter"
    text = SHORT.replace("strategies.random = {}\n", "") + pool
    assert faults(text) == [f"x.toml:{line}: strategies: {wanted}"]


def test_only_faults_in_strategies_files_are_the_strategies_own() -> None:
    broken = SHORT + 'strategies.b.use = "bots/broken.py"'
    with pytest.raises(StrategyError):
        loads(broken, name="x.toml", known=KNOWN)
    with pytest.raises(UsageError):
        loads(broken.replace("colina", "colinna"), name="x.toml", known=KNOWN)
    with pytest.raises(UsageError):
        loads(broken + "\n[rules]\njokers = 99\n", name="x.toml", known=KNOWN)


def test_a_strategy_file_may_have_several_faults() -> None:
    place = "x.toml:6: strategies.b.use: "
    assert faults(SHORT + 'strategies.b.use = "bots/broken.py"') == [
        f"{place}bots/broken.py:3: act takes three arguments",
        f"{place}bots/broken.py:9: no such name: KNIG",
    ]


def test_rules_that_do_not_go_together_are_told() -> None:
    text = SHORT + "[rules]\nhand_size = 1\njokers = 8\n"
    assert faults(text) == ["x.toml:8: rules.jokers: 8 jokers need a hand_size of 2 or more"]


def test_a_table_that_the_kind_needs_is_missed_where_the_kind_is_named() -> None:
    text = SHORT.replace('card_strength.cards = ["K"]\n', "")
    assert faults(text) == ['x.toml:1: card_strength.cards: missing: a list of cards, as in ["K"]']
    assert faults(text + "card_strength = 3") == ["x.toml:5: card_strength: 3 is not a table"]
    assert loads(text.replace("card_strength", "seat_advantage"), known=KNOWN).kind == "seat_advantage"


def test_a_table_in_the_table_of_a_kind_has_its_own_keys() -> None:
    text = SHORT.replace("card_strength", "sweep").replace('cards = ["K"]', 'rule = "jokers"')
    assert faults(text + "sweep.axis = { low = 1, hihg = 2 }") == [
        "x.toml:6: sweep.axis.high: missing",
        "x.toml:6: sweep.axis.hihg: no such key. Did you mean high?",
    ]


def test_a_text_nested_too_deep_to_read_is_refused() -> None:
    assert faults("a = " + "[" * 5000) == ["x.toml: not TOML: lists or tables are nested too deep"]


def test_an_empty_file_is_told_what_an_experiment_has() -> None:
    wanted = "the file is empty; an experiment has question, game, deals or until, and [strategies]"
    assert faults("# nothing\n") == [f"x.toml:1: {wanted}"]


def test_strategies_that_cannot_be_read_are_a_fault() -> None:
    text = SHORT.replace("colina", "hakka")
    assert faults(text) == ["x.toml:4: strategies.random: strategies/hakka cannot be read"]
