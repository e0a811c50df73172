"""The set of all solutions as a zero-suppressed decision diagram, and the queries that it answers.

Public: the names in ``__all__``.
"""

from exactcover.diagram.zdd import Zdd

__all__ = ["Zdd"]
