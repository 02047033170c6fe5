"""The kind rule_coverage: which rules fire, how often, which never do, and which open points games reach."""
