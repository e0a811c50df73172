"""The engines, which are different ways to search; all of them find the same set of solutions.

Private: import names from :mod:`exactcover`.
"""
