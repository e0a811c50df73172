"""What can be said of a problem besides its solutions: why it has none or several, how big its search is, puzzles.

Private: import names from :mod:`exactcover`.
"""
