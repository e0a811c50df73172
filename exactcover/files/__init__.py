"""Which files parameters may name, reading with a size limit, and atomic writing.

Private: import names from :mod:`exactcover`.
"""
