"""The kind fair_rule: which value of a rule makes the game fair."""
