"""The kind tournament: everybody against everybody; who is stronger, by how much, and how sure the order is."""
