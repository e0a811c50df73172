"""Replaying a search log: which option every node chooses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from exactcover.algorithm_x import Cover, Level
from exactcover.analysis.search_log import SearchLog
from exactcover.control.search_log import LogNode
from exactcover.errors import LogError

__all__ = ["replay"]


def replay(log: SearchLog) -> Iterator[tuple[LogNode, tuple[int | None, ...]]]:
    """Yield the nodes of a log with the options chosen on the way to each, as positions in the problem.

    Parameters
    ----------
    log
        The log; it contains everything that is needed.

    Yields
    ------
    LogNode
        The node.
    tuple of int or None
        For each node above it: the option that was chosen there, or None if all options of the item were left out. The
        givens of the search, ``log.header["given"]``, come before all of them.

    Raises
    ------
    LogError
        If the log does not fit the problem in it: an item has fewer options than children, or what is called a solution
        leaves an item uncovered.

    Notes
    -----
    The time is that of a search in pure Python for as many nodes.

    Examples
    --------
    >>> import io
    >>> from exactcover import Problem, SearchLog, SearchLogWriter
    >>> file = io.BytesIO()
    >>> problem = Problem({"A": [1], "B": [1, 2], "C": [2]})
    >>> _ = problem.count(log=SearchLogWriter(file))
    >>> for node, chosen in replay(SearchLog(file.getvalue())):
    ...     print(node.kind, [problem.labels[option] for option in chosen])
    branch []
    branch ['A']
    solution ['A', 'C']
    solution ['B']
    """
    return _Replay(log).run()


class _Replay:
    """A cover that branches as a log says."""

    def __init__(self, log: SearchLog) -> None:
        header: dict[str, Any] = log.header
        starts, entries = header["starts"], header["entries"]
        colors = header["colors"] or [0] * len(entries)
        rows = [
            {item: color or None for item, color in zip(entries[start:end], colors[start:end], strict=True)}
            for start, end in pairwise(starts)
        ]
        bounds = {item: (low, high) for item, low, high in header["multiplicity"]}
        self._log, self._options = log, header["options"]
        self._cover = Cover(rows, range(header["primary"]), bounds)

    def run(self) -> Iterator[tuple[LogNode, tuple[int | None, ...]]]:
        cover = self._cover
        for node in self._log.nodes():
            yield node, tuple(self._chosen())
            if node.kind == "branch":
                cover.levels.append(Level(node.item, self._list_choices(node)))
            elif node.kind == "solution":
                self._check_solution()
            while cover.levels and not cover.next_child(cover.levels[-1]):
                cover.levels.pop()

    def _chosen(self) -> Iterator[int | None]:
        for level in self._cover.levels:
            option = level.choices[level.tried - 1]
            yield None if option is None else self._options[option]

    def _list_choices(self, node: LogNode) -> list[int | None]:
        cover = self._cover
        if node.item not in cover.uncovered:
            raise LogError(f"a node branches on item {node.item}, which is covered")
        last: list[None] = [None] if cover.need[node.item] <= 0 else []
        options = sorted(cover.live[node.item])[: node.children - len(last)]
        if len(options) + len(last) != node.children:
            raise LogError(f"a node has {node.children} children, but item {node.item} has fewer options")
        return [*options, *last]

    def _check_solution(self) -> None:
        cover = self._cover
        priced = self._log.header["priced"]  # options that cost too much are left out without a word
        if any(cover.need[item] > 0 or (cover.live[item] and not priced) for item in cover.uncovered):
            raise LogError("a node is called a solution, but leaves an item uncovered")
