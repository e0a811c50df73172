"""What happens to a matrix on its way to an engine; each step gives a matrix, a lift and perhaps a reason.

Private: import names from :mod:`exactcover`.
"""
