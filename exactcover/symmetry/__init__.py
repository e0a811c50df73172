"""Symmetries of a problem, and searches for one solution of each class under them.

Private: import names from :mod:`exactcover`.
"""
