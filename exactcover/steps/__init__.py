"""Steps from a problem to an engine; each takes a matrix and returns a new matrix, a lift and perhaps a reason.

Private: import names from :mod:`exactcover`.
"""
