"""The kind shape: what games look like: how long, how open, how tense, how much of it is luck."""
