"""Values that control a search and describe it: goal and options, stop, statistics, profile of the tree.

Private: import names from :mod:`exactcover`.
"""
