"""Whether the cubes that a search has left are the rest of its cube, which anybody can compute anew."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from exactcover.control.stop import Stop
from exactcover.engines.trees import ROOT, Subtree, SubtreeSearch
from exactcover.runs.cube import Cube
from exactcover.runs.planned import PlannedSearch
from exactcover.runs.records import format_path
from exactcover.runs.worker import make_search

__all__ = ["Divisions"]


class Divisions:
    """The divisions of the cubes of a run.

    Parameters
    ----------
    planned, engine
        What is searched, and by which engine.
    stop
        Polled often.
    """

    def __init__(self, planned: PlannedSearch, engine: str, stop: Stop) -> None:
        self._planned = planned
        self._search_of = cache(lambda part: make_search(engine, planned.problem_of(part), stop))

    def find_fault(self, cube: Cube, count: int, left: Sequence[Subtree]) -> str | None:
        """Return what is wrong with a division, as a sentence, or None.

        Parameters
        ----------
        cube
            What was divided.
        count
            The number of solutions that were found before.
        left
            What was left, at least one subtree.
        """
        if not cube.path and self._planned.parts:
            if count or left != [ROOT] * self._planned.parts:
                return "the root cube is not divided into the parts of the plan"
        elif not _is_end_of(cube.subtree, left, self._search_of(self._planned.part_of(cube.path))):
            return f"the cubes left by cube {format_path(cube.path)} are not exactly the rest of it"
        return None


def _is_end_of(subtree: Subtree, left: Sequence[Subtree], search: SubtreeSearch) -> bool:
    """Return whether these subtrees are what comes last in a subtree, without a gap."""
    todo = list(left)
    while todo:
        children = search.children(subtree)
        if children == [subtree]:
            return todo == [subtree]
        while todo and children and todo[-1] == children[-1]:
            todo.pop()
            children.pop()
        if not todo:
            return True
        if not children:
            return False
        subtree = children[-1]
    return True
