"""A solver for many instances of one problem; its engine is set up only once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

from exactcover.algorithm_x import Label
from exactcover.control.arguments import check_instance, read_whole
from exactcover.control.options import Goal, SearchOptions
from exactcover.control.statistics import Statistics, Status
from exactcover.control.stop import Stop, Stopped, make_stop
from exactcover.engines.base import TextRun, check_engine_name, pick_engine
from exactcover.engines.cursor import Cursor, Subtree
from exactcover.errors import StoppedError
from exactcover.model.matrix import ONCE, Matrix
from exactcover.model.model import Model
from exactcover.model.text_form import TextForm
from exactcover.search.query import Query
from exactcover.search.search import Search
from exactcover.steps.step import find_kept, restrict

_MOST_LISTED = 32  # solutions that are listed before single options are asked about

Ask = Callable[[Sequence[int], Sequence[int], int], list[tuple[int, ...]]]
"""Returns at most some solutions with given and excluded options, all as positions."""


@dataclass(frozen=True)
class Candidates:
    """The options that can still be chosen, and those that must be; in the order of the problem.

    Attributes
    ----------
    possible
        The options in at least one solution; none if there is no solution.
    certain
        The options in every solution; none if there is no solution.
    """

    possible: tuple[Label, ...]
    certain: tuple[Label, ...]


def find_candidates(
    matrix: Matrix, given: Sequence[int], without: Sequence[int], ask: Ask
) -> tuple[list[int], list[int]]:
    """Return the positions of the options in some solution, and of those in every solution.

    Every solution found settles all its options. A question excludes the options of an item that are known to be
    possible; so its answer is new, or settles all other options of the item together. An option without an item that is
    covered exactly once is asked about on its own.
    """
    found = ask(given, without, _MOST_LISTED)
    if not found:
        return [], []
    possible, certain = set[int]().union(*found), set(found[0]).intersection(*found)
    if len(found) < _MOST_LISTED:
        return sorted(possible), sorted(certain)
    left = restrict(matrix, given, set(without))
    paths = find_kept(left.lift, len(left.matrix))
    item_of: dict[int, int] = {}  # an item of the option that is covered exactly once
    holders: dict[int, list[int]] = {}
    for option, position in enumerate(paths):
        for item, _ in left.matrix.option(option):
            if item < left.matrix.primary and left.matrix.bounds(item) == ONCE:
                holders.setdefault(item, []).append(position)
                item_of.setdefault(position, item)
    impossible: set[int] = set()
    for position in paths:
        while position not in possible and position not in impossible:
            group = holders[item_of[position]] if position in item_of else [position]
            known = [one for one in group if one in possible] if len(group) > 1 else []
            forced = [] if len(group) > 1 else [position]
            answer = ask([*given, *forced], [*without, *impossible, *known], 1)
            if answer:
                possible.update(answer[0])
                certain.intersection_update(answer[0])
            else:
                impossible.update(set(group).difference(known))
    for position in sorted(certain.difference(given)):
        if position in item_of:
            is_certain = possible.intersection(holders[item_of[position]]) == {position}
        else:
            is_certain = not ask(given, [*without, *impossible, position], 1)
        if not is_certain:
            certain.discard(position)
    return sorted(possible), sorted(certain)


class ReusableSolver:
    """Solves instances of one problem, each defined by givens; made by :meth:`Problem.reusable_solver`.

    If the engine has reusable runs, it is set up only once; otherwise every instance is a separate search. The engine
    ``"learning"`` keeps what it has learned between instances. Only one thread at a time may use a solver.

    Parameters
    ----------
    problem
        The problem; its own givens and excluded options apply to every instance.
    engine
        The name of an engine, or ``"auto"``.

    Raises
    ------
    EngineUnavailableError
        If there is no such engine, or it is not installed.

    Examples
    --------
    >>> from exactcover import Problem
    >>> solver = Problem({"A": [1], "B": [2], "C": [1, 2]}).reusable_solver()
    >>> solver.solutions(limit=2), solver.solutions(given=["C"]), solver.solutions(given=["C"], without=["C"])
    ([('A', 'B'), ('C',)], [('C',)], [])
    """

    def __init__(self, problem: Model, engine: str = "auto") -> None:
        check_instance("problem", problem, Model, "a Problem")
        check_engine_name(engine)
        self._problem, self._engine = problem, engine
        self._matrix = replace(problem.matrix, costs=())  # costs do not matter here
        self._picked = ""
        self._why = ""
        self._reusable: Cursor | None = None
        self._assumed: list[Model] = []  # the instances of the assumptions in force, the innermost one last

    def assume(self, *, given: Iterable[Label] = (), without: Iterable[Label] = ()) -> AbstractContextManager[Self]:
        """Let givens and exclusions apply to every question within a ``with`` statement. Such statements can be nested.

        Parameters
        ----------
        given, without
            As for :meth:`solutions`.

        Raises
        ------
        ProblemError
            If a label is unknown.

        Examples
        --------
        >>> from exactcover import Problem
        >>> solver = Problem({"A": [1], "B": [2], "C": [1, 2], "D": [2]}).reusable_solver()
        >>> with solver.assume(given=["A"]):
        ...     solver.solutions(limit=5)
        ...     with solver.assume(without=["B"]):
        ...         solver.solutions(limit=5)
        [('A', 'B'), ('A', 'D')]
        [('A', 'D')]
        >>> len(solver.solutions(limit=5))
        3
        """
        instance = self._problem.instance(given, without)  # reports mistakes now
        return self._push(instance.givens, instance.excluded)

    @contextmanager
    def _push(self, given: Iterable[Label], without: Iterable[Label]) -> Generator[Self]:
        instance = self._instance(given, without)  # only now is it known which statements are around it
        self._assumed.append(instance)
        try:
            yield self
        finally:
            self._assumed.remove(instance)

    def _instance(self, given: Iterable[Label], without: Iterable[Label]) -> Model:
        return (self._assumed[-1] if self._assumed else self._problem).instance(given, without)

    def solutions(
        self,
        *,
        given: Iterable[Label] = (),
        without: Iterable[Label] = (),
        limit: int = 1,
        stop: Stop | None = None,
    ) -> list[tuple[Label, ...]]:
        """Return at most `limit` solutions of one instance; an empty list proves that there is none.

        Parameters
        ----------
        given, without
            Labels of options that every solution must contain, and must not contain, in addition to those of the
            problem.
        limit
            At least 1; a limit of 2 shows whether a solution is unique.
        stop
            A :class:`Stop` that may end the search.

        Raises
        ------
        ValueError
            If `limit` is less than 1.
        ProblemError
            If a label is unknown.
        EngineUnavailableError
            If the engine cannot search this problem.
        StoppedError
            If the search was stopped; the solver can still be used for other instances.
        """
        instance = self._instance(given, without)
        found = self.solve_positions(instance.given_positions, instance.excluded_positions, limit, make_stop(stop=stop))
        return list(map(self._problem.labels_of, found))

    def prove_only(
        self, solution: Iterable[Label], *, given: Iterable[Label] = (), stop: Stop | None = None
    ) -> tuple[Label, ...] | None:
        """Return givens that leave no other solution than this one; None if there is another one.

        Parameters
        ----------
        solution
            Labels of options.
        given, stop
            As for :meth:`solutions`.

        Returns
        -------
        tuple
            Those of `given` that the engine needed for the proof; all of them if it does not know.

        Raises
        ------
        ProblemError
            If a label is unknown.
        EngineUnavailableError
            If the engine cannot search this problem.
        StoppedError
            If the search was stopped; the solver can still be used for other instances.

        Examples
        --------
        >>> from exactcover import Problem
        >>> solver = Problem({"A": [1], "B": [2], "C": [1, 2], "D": [3], "E": [3]}).reusable_solver()
        >>> solver.prove_only("BAD", given="AD"), solver.prove_only("BAD", given="A")
        (('A', 'D'), None)
        """
        for name, labels in (("solution", solution), ("given", given)):
            check_instance(name, labels, Iterable, "labels of options")
        given, stop = list(given), make_stop(stop=stop)
        instance, position = self._instance(given, ()), self._problem.position
        wanted = tuple(sorted(map(position, solution)))
        positions = instance.given_positions, instance.excluded_positions
        needed: Sequence[int] | None = positions[0]
        with self._stopped():
            reusable = self._ensure_reusable(stop)
            is_possible = self._problem.impossible is None and set(positions[0]).isdisjoint(positions[1])
            if reusable is not None and is_possible:
                needed = reusable.prove_only(wanted, Subtree(*positions), stop)
            elif self.solve_positions(*positions, 2, stop) not in ([], [wanted]):
                needed = None
        return None if needed is None else tuple(label for label in given if position(label) in needed)

    def candidates(
        self, *, given: Iterable[Label] = (), without: Iterable[Label] = (), stop: Stop | None = None
    ) -> Candidates:
        """Return the options in some solution of an instance, and those in every solution; exactly.

        Solutions are not all listed; the number of searches is at most that of options.

        Parameters
        ----------
        given, without, stop
            As for :meth:`solutions`.

        Raises
        ------
        ProblemError
            If a label is unknown.
        EngineUnavailableError
            If the engine cannot search this problem.
        StoppedError
            If the search was stopped.

        Examples
        --------
        >>> from exactcover import Problem
        >>> solver = Problem({"A": [1], "B": [2], "C": [1, 2], "D": [3], "E": [1, 3]}).reusable_solver()
        >>> solver.candidates()
        Candidates(possible=('A', 'B', 'C', 'D', 'E'), certain=())
        >>> solver.candidates(without=["E"])
        Candidates(possible=('A', 'B', 'C', 'D'), certain=('D',))
        """
        instance, stop, labels = self._instance(given, without), make_stop(stop=stop), self._problem.labels
        ask = partial(self.solve_positions, stop=stop)
        found = find_candidates(self._matrix, instance.given_positions, instance.excluded_positions, ask)
        possible, certain = (tuple([labels[position] for position in positions]) for positions in found)
        return Candidates(possible, certain)

    def solve_positions(
        self, given: Sequence[int], without: Sequence[int], limit: int, stop: Stop
    ) -> list[tuple[int, ...]]:
        """Return the same as :meth:`solutions`, given positions, which must include those of the problem itself."""
        limit = read_whole("limit", limit, 1)
        with self._stopped():
            reusable = self._ensure_reusable(stop)
            if reusable is not None:
                if self._problem.impossible is not None or not set(given).isdisjoint(without):
                    stop.poll()
                    return []
                return reusable.list_first(Subtree(tuple(given), tuple(without)), min(limit, sys.maxsize), stop)
            options = SearchOptions(engine=self._engine, reduce=False)
            search = Search(self._problem, Query(Goal("first", limit), options, tuple(given), tuple(without)), stop)
            found = list(search.positions())
            stop.poll()
            return found

    @contextmanager
    def _stopped(self) -> Generator[None]:
        """Say of a search that ends too early why it did."""
        try:
            yield
        except (Stopped, MemoryError) as error:
            status = error.status if isinstance(error, Stopped) else Status.MEMORY
            raise StoppedError(status, 0, Statistics(self._picked, self._why)) from None

    def _ensure_reusable(self, stop: Stop) -> Cursor | None:
        if self._reusable is None:
            engine, self._why = pick_engine(self._engine, self._matrix)
            self._picked = engine.name
            self._reusable = engine.reusable(self._matrix, stop)
        return self._reusable


def make_text_solver(problem: Model, form: TextForm, engine: str, stop: Stop) -> TextRun | None:
    """Return a solver of the instances of a problem without givens of its own; None if the engine cannot read text.

    The stop is polled during the setup. Raise ``EngineUnavailableError`` if the engine cannot search this problem.
    """
    if problem.impossible is not None:
        return None
    matrix = replace(problem.matrix, costs=())  # costs do not matter here
    picked, _ = pick_engine(engine, matrix)
    return picked.text_run(matrix, form, form.table(problem.position), stop)
