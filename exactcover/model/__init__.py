"""Items and options: validation, their form as integers, and the verification of solutions.

Private: import names from :mod:`exactcover`.
"""
