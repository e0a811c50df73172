"""What the family `grid` is made of: a board, constraints on it, and what they draw."""
