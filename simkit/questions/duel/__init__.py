"""The kind duel: is one strategy stronger than another, and by how much."""
