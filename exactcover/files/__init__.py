"""Files: those that parameters may name, reading with a size limit, opening for writing, and atomic writing.

Private: import names from :mod:`exactcover`.
"""
