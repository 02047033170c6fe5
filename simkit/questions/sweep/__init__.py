"""The kind sweep: rules and parameters over several values, all on the same deals: what changes, and by how much."""
