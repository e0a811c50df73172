"""Symmetries of a problem, and one solution of each class under them.

Private: import names from :mod:`exactcover`.
"""
