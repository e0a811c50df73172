"""Analysis of problems: explanations of no or several solutions, repairs, estimates of the search, and puzzles.

Public: the names in ``__all__``.
"""

from exactcover.analysis.additions import Addition, find_additions, list_additions, list_changes
from exactcover.analysis.estimate import Estimate
from exactcover.analysis.explain import Explanation
from exactcover.analysis.generate import NoPuzzleError, Puzzle
from exactcover.analysis.repair import Repair, find_repair
from exactcover.analysis.search_log import replay
from exactcover.control.recorder import LogNode, TreeRecorder

__all__ = [
    "Addition",
    "Estimate",
    "Explanation",
    "LogNode",
    "NoPuzzleError",
    "Puzzle",
    "Repair",
    "TreeRecorder",
    "find_additions",
    "find_repair",
    "list_additions",
    "list_changes",
    "replay",
]
