"""Pages that show solutions, solids and searches: one HTML file each, which needs no other file.

Private: import names from :mod:`exactcover`.
"""
