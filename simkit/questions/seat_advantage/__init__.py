"""The kind seat_advantage: what a seat adds to the win rate, at tables of one size or several, and what roles bring."""
