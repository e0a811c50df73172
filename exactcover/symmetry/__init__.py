"""Symmetries of a problem, and one solution of each class."""
