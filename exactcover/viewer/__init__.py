"""Pages that show solutions, solids and searches: one HTML file each, which needs no other file.

Public: the names in ``__all__``.
"""

from exactcover.viewer.page import Page

__all__ = ["Page"]
