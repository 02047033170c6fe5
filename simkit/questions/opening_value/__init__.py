"""The kind opening_value: what a decision is worth, in positions reached in play, by what its player knows then."""
