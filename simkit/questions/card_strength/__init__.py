"""The kind card_strength: what a card is worth, and whether it is too strong."""
