"""The solution set as a zero-suppressed decision diagram, and what can be asked of it.

Private: import names from :mod:`exactcover`.
"""
