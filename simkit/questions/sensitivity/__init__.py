"""The kind sensitivity: which of several rules and parameters matters most, over all their values at once."""
