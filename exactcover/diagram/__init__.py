"""The set of all solutions as a zero-suppressed decision diagram, and the queries that it answers.

Private: import names from :mod:`exactcover`.
"""
