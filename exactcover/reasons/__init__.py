"""Reasons: what follows from a position without a guess, the simplest first, proved and in words."""
