"""From a problem and a query to solutions: preparation, the start of an engine, and the status of a search.

Private: import names from :mod:`exactcover`.
"""
