"""Encoders, which turn parameters into problems, and how they are found.

Private: import names from :mod:`exactcover`.
"""
