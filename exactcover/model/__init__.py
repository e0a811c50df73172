"""Items and options: built and validated, as integers, and the check of a solution.

Private: import names from :mod:`exactcover`.
"""
