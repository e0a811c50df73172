"""Which files parameters may name, reading with a bound, writing so that a file is whole or as it was.

Private: import names from :mod:`exactcover`.
"""
