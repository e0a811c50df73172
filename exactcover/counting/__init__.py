"""Counting: a count is a tree of tasks, which one scheduler does in turns.

Private: use ``Problem.count``.
"""
