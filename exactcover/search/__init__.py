"""From a problem and a query to solutions: preparation, engines, and how a search ended.

Private: import names from :mod:`exactcover`.
"""
