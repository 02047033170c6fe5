"""The kind dominant_strategy: whether there is one right strategy, or strategies beat each other in a circle."""
