"""The front door: a model, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import get_args

from exactcover.algorithm_x import Item, Label
from exactcover.control.options import ALL, COUNT, DIAGRAM, Distinct, Goal, Heuristic, SearchOptions, Strategy
from exactcover.control.profile import Profile
from exactcover.control.stop import Stop, make_stop
from exactcover.diagram.diagram import Diagram, Order
from exactcover.errors import StoppedError
from exactcover.model.model import Model, Options
from exactcover.model.reader import Cost
from exactcover.model.verify import Verdict, verify
from exactcover.search.query import Query
from exactcover.search.search import Search
from exactcover.search.solver import Solver
from exactcover.steps.duplicates import duplicates, merge
from exactcover.steps.residual import residual
from exactcover.symmetry.permutations import Permutation, rotations, stated_permutations

__all__ = ["Cost", "Item", "Label", "Options", "Problem"]


class Problem(Model):
    """Items and options: choose options so that every primary item is covered exactly once.

    Parameters
    ----------
    options
        A mapping from labels to items, or (label, items) pairs; read once, so a generator will do.
    primary
        The items that must be covered, in order; items of the options that are neither here nor in
        `secondary` are then an error. None: every item not named secondary, by first appearance.
    secondary
        The items that may be left uncovered.
    multiplicity
        How often primary items must be covered: a number, or (low, high) for at least and at most, with
        0 <= low <= high and 1 <= high. Items that it does not name must be covered exactly once.
    costs
        What options cost, by label: whole numbers or Decimals, not negative; options that it does not name cost
        nothing. It is read after the options.
    preferred
        Primary items that a search should branch on before others, as long as no choice is forced.
    impossible
        A proof, known to whoever states the problem, that it has no solution; a search reports it
        as its reason instead of searching.
    symmetries
        Symmetries of the problem, for ``distinct`` searches: maps of items, or each a :class:`Symmetry`. Items that a
        map does not name stay where they are. They are checked when they are needed.
    symmetries_complete
        Whether they generate all symmetries that count, which may be fewer than the problem has. By default all that
        the problem has count, and those that are not named are found.
    rotations
        Those that generate the rotations, for searches with ``distinct="rotations"``; None where rotations cannot be
        told from mirror images.
    givens
        Labels of options that every solution sought contains, as the digits that a Sudoku gives; what is asked of the
        problem is asked of this instance. :meth:`full` returns the problem without them.

    Raises
    ------
    ProblemError
        If an item is both primary and secondary or named twice, an option holds an unknown item or
        one item twice, gives a primary item a color or any item the color None, has no primary
        item, or if two options have the same label; if `multiplicity`, `costs` or `preferred` name what is no
        primary item or no option, bounds are not as above, or a cost is negative or no exact number.
        `label` is the option at fault.

    Notes
    -----
    A problem does not change. It takes time and memory linear in the number of entries: 12 bytes
    for each, plus the names. Solutions are reported as tuples of labels in the order of the options.

    Examples
    --------
    >>> problem = Problem({"A": [1, 4, 7], "B": [1, 4], "C": [4, 5, 7], "D": [3, 5, 6],
    ...                    "E": [2, 3, 6, 7], "F": [2, 7]})
    >>> list(problem.solve())
    [('B', 'D', 'F')]
    >>> problem.count()
    1

    Two queens' worth of a diagonal may stay free, so diagonals are secondary:

    >>> Problem([("left", ["row", "slant"]), ("right", ["row"])], secondary=["slant"]).count()
    2

    Two equal pieces are one item that is covered twice; a roster may want the cheapest solution:

    >>> Problem({cell: ["piece", cell] for cell in "abcd"}, primary=["piece"], secondary=list("abcd"),
    ...         multiplicity={"piece": 2}).count()
    6
    >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]}, costs={"A": 3, "B": 1, "C": 5})
    >>> [(problem.cost(solution), solution) for solution in problem.cheapest(2)]
    [(4, ('A', 'B')), (5, ('C',))]
    """

    def solve(
        self,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        seed: int | None = None,
        given: Iterable[Label] = (),
        without: Iterable[Label] = (),
        engine: str = "auto",
        heuristic: Heuristic = "mrv",
        jobs: int = 1,
        reduce: bool | None = None,
        profile: Profile | None = None,
        restarts: bool = False,
        distinct: Distinct = False,
        strategy: Strategy = "auto",
        memory: int | None = None,
        stop: Stop | None = None,
    ) -> Search:
        """Search for solutions, lazily.

        Parameters
        ----------
        limit
            Stop with the N-th solution, N >= 1; None for all.
        timeout
            Seconds of wall-clock time from this call.
        seed
            None for the fixed order; a number for a random one that depends on it alone.
        given, without
            Labels of options that every solution must contain, besides the problem's own givens, and must not. The text
            of a label will do where no other option's label reads the same.
        engine
            Its name, or ``"auto"``.
        heuristic
            Which open item to branch on: ``"mrv"``, the one with fewest options left, ties go to the first;
            ``"leftmost"``, the first; ``"weighted"``, the one with fewest, where ties go to the item that failed most
            often. With ``"leftmost"`` solutions come in lexicographic order of the options that cover the
            items one after another.
        jobs
            How many threads search, where the engine can; the solutions and their order stay the same.
        reduce
            Whether to remove what no solution needs before searching. None: a count
            does so when it has taken a second and little is explored, and so does one with several jobs from the start,
            and :meth:`cheapest`; a listing does not, so that its order does not depend on a clock.
        profile
            A :class:`Profile` that notes the shape of the tree; a search that is watched is slower.
        restarts
            For one solution of a hard problem: begin again and again in other random orders that depend on `seed`,
            with growing patience, ties going to items that failed most often; `limit` must be 1.
        distinct
            Whether to deliver one solution only of those that are the same up to the problem's symmetries. Those that
            do not leave `given` and `without` in place do not count. ``"rotations"``: up to its rotations, so that
            mirror images are two solutions.
        strategy, memory
            How the engine ``"diagram"`` counts, and what it may hold; see :meth:`count`.
        stop
            A :class:`Stop` of your own, to end the search from another thread; then `timeout`
            must be None.

        Returns
        -------
        Search
            An iterator of tuples of labels; each set of labels comes exactly once.

        Raises
        ------
        ProblemError
            If a label is unknown, or `distinct` is ``"rotations"`` and nobody said which symmetries are rotations.
        ValueError
            If `limit` or `jobs` is less than 1, there are `restarts` and `limit` is not 1, there is no such heuristic,
            `jobs` is more than 1 and there is a `profile` or the heuristic is ``"weighted"``, or both `timeout` and
            `stop` are given.
        EngineUnavailableError
            If there is no such engine; when the first solution is asked for, if it cannot search this.

        Examples
        --------
        >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]})
        >>> search = problem.solve(limit=1)
        >>> list(search), search.status
        ([('A', 'B')], <Status.LIMIT: 'limit'>)
        >>> list(problem.solve(without=["A"]))
        [('C',)]
        """
        options = SearchOptions(engine, heuristic, jobs, reduce, seed, restarts, distinct, strategy, memory, profile)
        goal = ALL if limit is None else Goal("first", limit)
        return self.search(goal, options, given=given, without=without, timeout=timeout, stop=stop)

    def search(
        self,
        goal: Goal = ALL,
        options: SearchOptions | None = None,
        *,
        given: Iterable[Label] = (),
        without: Iterable[Label] = (),
        timeout: float | None = None,
        stop: Stop | None = None,
    ) -> Search:
        """Do the same with a goal and options that are values; :meth:`solve` makes them of its keywords.

        Examples
        --------
        >>> from exactcover import Goal, SearchOptions
        >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]})
        >>> list(problem.search(Goal("first", 1), SearchOptions(seed=3)))
        [('C',)]
        """
        instance = self.instance(given, without)
        query = Query(goal, options or SearchOptions(), instance.given_positions, instance.excluded_positions)
        return Search(self, query, make_stop(timeout, stop))

    def count(
        self,
        *,
        timeout: float | None = None,
        given: Iterable[Label] = (),
        without: Iterable[Label] = (),
        engine: str = "auto",
        heuristic: Heuristic = "mrv",
        jobs: int = 1,
        reduce: bool | None = None,
        distinct: Distinct = False,
        strategy: Strategy = "auto",
        memory: int | None = None,
        stop: Stop | None = None,
    ) -> int:
        """Return how many solutions there are; parameters as for :meth:`solve`.

        Where it pays they are not visited one by one: with ``engine="auto"`` and the heuristic ``"mrv"`` on one thread
        the engine ``"diagram"`` counts, see :mod:`exactcover.engines.portfolio`.

        Parameters
        ----------
        strategy
            How that engine counts: ``"search"``, ``"sweep"``, ``"memo"``, or whichever gets there first.
        memory
            How many bytes it may hold, about; by default half of what is free. Where that is not enough, less is
            remembered, and it takes longer.

        Raises
        ------
        StoppedError
            If it was stopped before the end; `at_least` says what was seen.

        Examples
        --------
        >>> Problem({"A": [1], "B": [2], "C": [1, 2]}).count()
        2
        """
        options = SearchOptions(engine, heuristic, jobs, reduce, distinct=distinct, strategy=strategy, memory=memory)
        return self.search(COUNT, options, given=given, without=without, timeout=timeout, stop=stop).count()

    def diagram(
        self,
        *,
        order: Order = "problem",
        timeout: float | None = None,
        given: Iterable[Label] = (),
        without: Iterable[Label] = (),
        engine: str = "auto",
        memory: int | None = None,
        stop: Stop | None = None,
        watch: Callable[[Search], object] | None = None,
    ) -> Diagram[Problem]:
        """Return all solutions as one object, without listing them where that pays; parameters as for :meth:`count`.

        Parameters
        ----------
        order
            The order of the options in the diagram: ``"problem"``, or ``"compact"`` for one that keeps it small. A
            diagram in the order of the problem can be out of reach where the compact one is small.
        watch
            Called with the search before it begins, so that its statistics can be looked at from another thread.

        Raises
        ------
        ValueError
            If there is no such order.
        StoppedError
            If it was stopped, or the memory does not suffice; `at_least` says how many solutions there are at least.

        Examples
        --------
        >>> Problem({"A": [1], "B": [2], "C": [1, 2]}).diagram()
        <Diagram: 2 solutions, 3 nodes>
        """
        if order not in get_args(Order):
            raise ValueError(f"no order is called {order!r} (there are: {', '.join(get_args(Order))})")
        options = SearchOptions(engine=engine, memory=memory)
        search = self.search(DIAGRAM, options, given=given, without=without, timeout=timeout, stop=stop)
        if watch is not None:
            watch(search)
        return Diagram(self, *search.build_diagram(compact=order == "compact"))

    def solve_many(
        self,
        instances: Iterable[Iterable[Label]],
        *,
        limit: int = 1,
        timeout: float | None = None,
        engine: str = "auto",
        stop: Stop | None = None,
    ) -> Iterator[list[tuple[Label, ...]]]:
        """Solve many instances of this problem, each a set of givens, without building anything anew.

        Parameters
        ----------
        instances
            For each instance the labels of its givens, besides the problem's own; read one by one, so a stream will do.
        limit
            How many solutions of each; 2 tells whether there is just one.
        timeout, engine, stop
            As for :meth:`solve`, for all instances together.

        Yields
        ------
        list
            The solutions of one instance, at most `limit`; an empty list proves that there is none.

        Raises
        ------
        StoppedError
            If it was stopped; `at_least` says how many instances were done.

        Examples
        --------
        >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]})
        >>> list(problem.solve_many([["A"], ["C"], ["A", "C"]]))
        [[('A', 'B')], [('C',)], []]
        """
        solver, stop = self.solver(engine=engine), make_stop(timeout, stop)
        for done, given in enumerate(instances):
            try:
                yield solver.solve(given=given, limit=limit, stop=stop)
            except StoppedError as stopped:
                raise StoppedError(stopped.status, done, stopped.statistics) from None

    def solver(self, *, engine: str = "auto") -> Solver:
        """Return a solver that sets up its engine once, for many instances of this problem.

        Examples
        --------
        >>> solver = Problem({"A": [1], "B": [2], "C": [1, 2]}).solver()
        >>> solver.solve(given=["C"], limit=2)
        [('C',)]
        """
        return Solver(self, engine)

    def cheapest(
        self,
        k: int = 1,
        *,
        timeout: float | None = None,
        given: Iterable[Label] = (),
        without: Iterable[Label] = (),
        engine: str = "auto",
        stop: Stop | None = None,
    ) -> Search:
        """Search for the k solutions of least cost; parameters as for :meth:`solve`.

        Returns
        -------
        Search
            Its solutions come at the end of the search, the cheapest first; ties go to the one that the engine finds
            first. Its status is ``OPTIMAL`` where these k are proved to be the cheapest, ``COMPLETE`` where there are
            fewer. A search that is stopped delivers the cheapest it has seen; its status says that they are not
            proved to be the cheapest.

        Examples
        --------
        >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]}, costs={"A": 2, "B": 2, "C": 3})
        >>> next(problem.cheapest())
        ('C',)
        """
        options = SearchOptions(engine=engine)
        return self.search(Goal("cheapest", k), options, given=given, without=without, timeout=timeout, stop=stop)

    def duplicates(self) -> dict[Label, Label]:
        """Return the options that are like an earlier one; see :func:`exactcover.steps.duplicates.duplicates`."""
        return duplicates(self)

    def merged(self) -> Problem:
        """Return the problem with one option for all that are alike; see :func:`exactcover.steps.duplicates.merge`."""
        return merge(self)

    def residual(self, given: Iterable[Label]) -> Problem:
        """Return what is left once these options are chosen; see :func:`exactcover.steps.residual.residual`."""
        return residual(self, given)

    def permutations(self) -> list[Permutation]:
        """Return the effect of the named symmetries on the options; a ``ProblemError`` if one is no automorphism."""
        return stated_permutations(self)

    def rotations(self) -> list[Permutation]:
        """Return the same of the rotations; a :class:`ProblemError` too if nobody said which symmetries these are."""
        return rotations(self)

    def verify(self, labels: Iterable[Label]) -> Verdict:
        """Check whether these labels are a solution; see :func:`exactcover.model.verify.verify`."""
        return verify(self, labels)
