"""How much of a long list a page shows before a reader asks for all of it."""

MOST_VERDICTS = 16  # with more they are all folded away: the answer has told the most telling ones
MOST_ROWS = 40  # of a table; of a longer one the first are shown
FIRST_ROWS = 10
