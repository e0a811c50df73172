"""Analysis of problems: explanations of no or several solutions, estimates of the search, and puzzles.

Private: import names from :mod:`exactcover`.
"""
