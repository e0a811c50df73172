"""What ends a search, what it has counted, and what it notes."""
