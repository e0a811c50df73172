"""Long runs: a search is cut into cubes, a store keeps what is finished, and workers search what is open.

Private: import names from :mod:`exactcover`.
"""
