"""Statistics as pure functions over exact tallies: no input, no output, no state.

intervals: proportions, and planning · ratios: estimates with the deal as the unit · verdicts: judging against a
margin · luck: the deal's share of a score.
"""
