"""The class :class:`Problem`: a model, with methods to search and count its solutions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from numbers import Real
from types import NoneType
from typing import TYPE_CHECKING, Any, Self, get_args

from exactcover.algorithm_x import Item, Label
from exactcover.control.arguments import check_arguments, check_instance, read_whole
from exactcover.control.options import ALL, COUNT, DEFAULTS, DIAGRAM, Distinct, Goal, Margin, SearchOptions, make_margin
from exactcover.control.recorder import Observers, Profile, TreeRecorder
from exactcover.control.statistics import Status
from exactcover.control.stop import Stop, make_stop
from exactcover.errors import ProblemError, StoppedError
from exactcover.model.costs import Cost
from exactcover.model.model import Model, Options
from exactcover.model.names import check_list
from exactcover.search.query import Query
from exactcover.search.search import Search

if TYPE_CHECKING:  # seldom needed
    from exactcover.diagram.diagram import Diagram, Order
    from exactcover.model.verify import Verdict
    from exactcover.reasons.deductions import Deduction, SolvingPath
    from exactcover.search.solver import ReusableSolver
    from exactcover.steps.soft import Changes
    from exactcover.symmetry.permutations import Permutation

__all__ = ["Cost", "Item", "Label", "Options", "Problem"]


class Problem(Model):
    """Items and options: choose options so that every primary item is covered exactly once.

    Parameters
    ----------
    options
        A mapping from labels to items, or (label, items) pairs. It is read only once, so it may be a generator.
    primary
        The items that must be covered, in order; then each item of an option must be in `primary` or `secondary`.
        None for all items that are not secondary, in order of first appearance.
    secondary
        The items that may be left uncovered.
    multiplicity
        How often primary items must be covered: a number, or (low, high) for at least and at most, with
        0 <= low <= high, or (low, None) for at least that often. Options with an item that must be covered 0 times are
        left out. Items that are not in the mapping must be covered exactly once, or as `at_least` and `at_most` say.
    costs
        The costs of options by label, or a list with one cost per option: numbers, which may be negative. A float is
        the decimal number that it is shown as. Options that are not in the mapping cost nothing. It is read after the
        options.
    preferred
        Primary items on which a search branches before others, unless a choice is forced.
    impossible
        A proof that there is no solution, in words. A search reports it as its reason, and does not search.
    symmetries
        Symmetries of the problem, for ``distinct`` searches: each a map of items, or a :class:`Symmetry`. Items that
        are not in a map stay where they are. Symmetries are validated when they are needed.
    symmetries_complete
        Whether `symmetries` generate all symmetries that count, even if the problem has more. By default all symmetries
        of the problem count, and those that are not stated are found.
    rotations
        Symmetries that generate the rotations, for searches with ``distinct="rotations"``. None if rotations cannot be
        distinguished from mirror images.
    givens
        Labels of options that every solution must contain, such as the given digits of a Sudoku. They apply to every
        search of this problem; :meth:`full` returns the problem without them.
    soft
        The soft items: primary items that may stay open at a price, a whole number or a Decimal, for each time that
        they are covered too rarely. A pair of prices also allows them to be covered too often: ``(3, 2)`` at a price of
        2 for each time, ``(None, 2)`` only that. Prices matter in a search for the cheapest; every other search, and a
        count, leaves nothing open. See :meth:`soften`, :meth:`best_effort` and :meth:`relaxed`.
    reduce
        Whether searches reduce the problem first, unless :class:`SearchOptions` say whether to do so. That pays if many
        options exclude all others of some item.
    at_least, at_most
        How often primary items that are not in `multiplicity` must be covered, and may be covered, in place of exactly
        once; ``at_least=1`` alone for a set covering problem, ``at_most=1`` alone for a set packing problem.
    rules
        What must hold beside the items: a ``Loop``, ``Paths``, ``Connected`` or ``Regions`` of :mod:`exactcover.rules`.
        They are about edges or vertices of a graph, which certain colors of secondary items, or options, turn on.

    Raises
    ------
    ProblemError
        If an item is both primary and secondary or named twice; two options have the same label; an option contains an
        unknown item or an item twice, gives a color to a primary item or the color None to any item;
        `multiplicity`, `preferred` or `soft` name something that is not a primary item; `costs` or `givens` name
        something that is not an option; bounds are not as above; or a cost is not an exact number. `label` is the label
        of the option at fault.

    Warns
    -----
    FormatWarning
        If options without a primary item are left out; they could never be chosen.

    Notes
    -----
    Numbers, arrays, series and frames of numpy, pandas and similar libraries are taken wherever numbers, lists and
    mappings are.

    Problems are immutable. Time and memory are linear in the number of entries: 12 bytes for each, plus the names.
    Solutions are reported as tuples of labels in the order of the options.

    Examples
    --------
    >>> problem = Problem({"A": [1, 4, 7], "B": [1, 4], "C": [4, 5, 7], "D": [3, 5, 6],
    ...                    "E": [2, 3, 6, 7], "F": [2, 7]})
    >>> list(problem.solve())
    [('B', 'D', 'F')]
    >>> problem.count()
    1

    A diagonal may stay free of queens, so diagonals are secondary:

    >>> Problem([("left", ["row", "slant"]), ("right", ["row"])], secondary=["slant"]).count()
    2

    Two equal pieces are one item that is covered twice. Costs allow a search for the cheapest solutions:

    >>> Problem({cell: ["piece", cell] for cell in "abcd"}, primary=["piece"], secondary=list("abcd"),
    ...         multiplicity={"piece": 2}).count()
    6
    >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]}, costs={"A": 3, "B": 1, "C": 5})
    >>> [(problem.cost(solution), solution) for solution in problem.cheapest(2)]
    [(4, ('A', 'B')), (5, ('C',))]

    A cheapest cover, and a packing of the highest value:

    >>> teams = {"A": [1, 2], "B": [2, 3], "C": [3]}
    >>> next(Problem(teams, costs={"A": 2, "B": 3, "C": 4}, at_least=1).cheapest())
    ('A', 'B')
    >>> next(Problem(teams, costs={"A": 2, "B": 3, "C": 4}, at_most=1).cheapest(maximize=True))
    ('A', 'C')
    """

    def solve(
        self,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        seed: int | None = None,
        given: Iterable[Label] = (),
        without: Iterable[Label] = (),
        engine: str | None = None,
        options: SearchOptions | None = None,
        stop: Stop | None = None,
    ) -> Search:
        """Search for solutions, lazily.

        Parameters
        ----------
        limit
            Stop after this many solutions, at least 1; None for all.
        timeout
            Seconds of wall-clock time from this call.
        given, without
            Labels of options that every solution must contain, in addition to the givens of the problem, and must not
            contain. The text of a label is accepted if no other label has the same text.
        seed, engine
            As in :class:`SearchOptions`; these arguments take precedence over `options`.
        options
            Options of the search; None for the defaults.
        stop
            A :class:`Stop`, with which another thread can end the search; `timeout` must then be None.

        Returns
        -------
        Search
            An iterator over tuples of labels; each set of labels comes exactly once.

        Raises
        ------
        ProblemError
            If a label is unknown, or `options` ask for ``"rotations"`` and the problem does not state its rotations.
        ValueError
            If an argument is not valid, or two of them cannot be combined.
        EngineUnavailableError
            If there is no such engine, or it does not support an option; or, when the first solution is requested, if
            it cannot search this problem.

        Examples
        --------
        >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]})
        >>> search = problem.solve(limit=1)
        >>> list(search), search.status
        ([('A', 'B')], <Status.LIMIT: 'limit'>)
        >>> list(problem.solve(without=["A"]))
        [('C',)]
        """
        chosen = _choose_options(options, seed=seed, engine=engine)
        if limit is not None:
            limit = read_whole("limit", limit, 1, ", or None for all")
        goal = ALL if limit is None else Goal("first", limit)
        return self.search(goal, chosen, given=given, without=without, timeout=timeout, stop=stop)

    def search(
        self,
        goal: Goal = ALL,
        options: SearchOptions | None = None,
        *,
        given: Iterable[Label] = (),
        without: Iterable[Label] = (),
        project: Iterable[Item | Label] | None = None,
        timeout: float | None = None,
        stop: Stop | None = None,
        profile: Profile | None = None,
        log: TreeRecorder | None = None,
        differing: Iterable[Item | Label] = (),
    ) -> Search:
        """Search for solutions, with the goal and the options as values; :meth:`solve` makes them from its keywords.

        Goals and options may be used for any number of searches. With the goal ``"count"`` or ``"diagram"``, solutions
        are not delivered one by one; see :meth:`Search.count` and :meth:`Search.build_diagram`. Other parameters are
        those of :meth:`solve`.

        Parameters
        ----------
        project
            Items and labels of options, to deliver one solution for each projection: solutions that choose the same of
            these options, and of the options that contain these items, count as one. None if all options matter.
        profile
            A :class:`Profile` that counts the nodes of each level, which makes the search slower.
        log
            A :class:`SearchLogWriter` that records every node of the search tree. With several jobs, and a goal of the
            first solutions, it may go beyond the last one.
        differing
            As for :meth:`cheapest`.

        Raises
        ------
        ProblemError, ValueError
            As for :meth:`solve`.
        EngineUnavailableError
            As for :meth:`solve`, or if the engine does not support a profile or a log.

        Examples
        --------
        >>> from exactcover import Goal, SearchOptions
        >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]})
        >>> list(problem.search(Goal("first", 1), SearchOptions(seed=3)))
        [('C',)]
        >>> list(Problem({"A": [1], "B": [1], "C": [2]}).search(project=["C"]))
        [('A', 'C')]
        """
        instance = self.instance(given, without)
        check_list("differing", differing, "items and labels")
        check_list("project", () if project is None else project, "items and labels")
        names = [*differing]  # of which none may be in an option
        query = Query(
            goal,
            DEFAULTS if options is None else options,
            instance.given_positions,
            instance.excluded_positions,
            self.options_of(names, "differing", prefers_items=True) if names else None,
            Observers(profile, log),
            project=None if project is None else self.options_of(project),
        )
        is_signed = goal.maximize or min(self.matrix.costs, default=0) < 0
        if goal.kind == "cheapest" and (self.soft_prices or (is_signed and self.impossible is None)):
            from exactcover.search.soft_search import SoftSearch  # slow to import

            return SoftSearch(self, query, make_stop(timeout, stop))
        return Search(self, query, make_stop(timeout, stop))

    def find(
        self,
        *,
        timeout: float | None = None,
        seed: int | None = None,
        given: Iterable[Label] = (),
        without: Iterable[Label] = (),
        engine: str | None = None,
        options: SearchOptions | None = None,
        stop: Stop | None = None,
    ) -> tuple[Label, ...] | None:
        """Return one solution, or None if it is proved that there is none; parameters as for :meth:`solve`.

        Unless an engine is named, several ways to search take turns; see :mod:`exactcover.search.finding`. The same
        problem and seed give the same solution on every machine.

        Raises
        ------
        StoppedError
            If it was stopped before the end.

        Examples
        --------
        >>> Problem({"A": [1], "B": [2], "C": [1, 2]}).find(without=["C"])
        ('A', 'B')
        >>> Problem({"A": [1], "B": [2]}).find(without=["B"]) is None
        True
        """
        search = self.solve(
            limit=1, timeout=timeout, seed=seed, given=given, without=without, engine=engine, options=options, stop=stop
        )
        solution = next(search, None)
        if solution is None and search.status is not Status.UNSATISFIABLE:
            raise StoppedError(search.status, 0, search.statistics)
        return solution

    def count(
        self,
        *,
        timeout: float | None = None,
        given: Iterable[Label] = (),
        without: Iterable[Label] = (),
        distinct: Distinct | None = None,
        engine: str | None = None,
        options: SearchOptions | None = None,
        stop: Stop | None = None,
    ) -> int:
        """Return the number of solutions; parameters as for :meth:`solve`, and `distinct` as in `options`.

        By default, the engine ``"diagram"`` counts, and symmetries are used where that pays. It does not visit every
        solution, unless that is faster; see :mod:`exactcover.counting.direct` and :mod:`exactcover.counting.count`. It
        only does so if `options` do not ask for a certain way to count. With ``search(Goal("count"), ...).count()``, a
        `profile` or a `log` shows every node of a search, and with `project`, projections are found one by one.

        Raises
        ------
        StoppedError
            If it was stopped before the end; `at_least` is the number of solutions found so far.

        Examples
        --------
        >>> Problem({"A": [1], "B": [2], "C": [1, 2]}).count()
        2
        """
        chosen = _choose_options(options, distinct=distinct, engine=engine)
        return self.search(COUNT, chosen, given=given, without=without, timeout=timeout, stop=stop).count()

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
        """Return the diagram of all solutions, if possible without listing them; parameters as for :meth:`count`.

        Parameters
        ----------
        order
            The order of the options in the diagram: ``"problem"``, or ``"compact"`` for an order that keeps it small.
            A diagram in the order of the problem may be far too large even if the compact one is small.
        watch
            A function that gets the search before it begins, so that another thread can read its statistics.

        Raises
        ------
        ValueError
            If there is no such order.
        StoppedError
            If it was stopped, or there is not enough memory; `at_least` is a lower bound of the number of solutions.

        Examples
        --------
        >>> Problem({"A": [1], "B": [2], "C": [1, 2]}).diagram()
        <Diagram: 2 solutions, 3 nodes>
        """
        from exactcover.diagram.diagram import Diagram, Order  # seldom needed

        if order not in get_args(Order):
            raise ValueError(f"there is no order called {order!r} (available: {', '.join(get_args(Order))})")
        if watch is not None and not callable(watch):
            raise TypeError(f"watch must be a function or None; got {watch!r}")
        options = SearchOptions(engine=engine, memory=memory)
        search = self.search(DIAGRAM, options, given=given, without=without, timeout=timeout, stop=stop)
        if watch is not None:
            watch(search)
        return Diagram(self, *search.build_diagram(compact=order == "compact"))

    def solve_instances(
        self,
        instances: Iterable[Iterable[Label]],
        *,
        limit: int = 1,
        timeout: float | None = None,
        engine: str = "auto",
        stop: Stop | None = None,
    ) -> Iterator[list[tuple[Label, ...]]]:
        """Solve many instances of this problem, each defined by givens; the engine is set up only once.

        Parameters
        ----------
        instances
            The labels of the givens of each instance, in addition to those of the problem. Instances are read one by
            one, so they may be a stream.
        limit
            At most how many solutions of each instance; a limit of 2 shows whether a solution is unique.
        timeout, engine, stop
            As for :meth:`solve`, for all instances together.

        Yields
        ------
        list
            At most `limit` solutions of one instance; an empty list proves that there is none.

        Raises
        ------
        StoppedError
            If it was stopped; `at_least` is the number of instances that were finished.

        Examples
        --------
        >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]})
        >>> list(problem.solve_instances([["A"], ["C"], ["A", "C"]]))
        [[('A', 'B')], [('C',)], []]
        """
        check_list("instances", instances, "lists of labels")
        solver, stop = self.reusable_solver(engine=engine), make_stop(timeout, stop)
        for done, given in enumerate(instances):
            try:
                yield solver.solutions(given=given, limit=limit, stop=stop)
            except StoppedError as stopped:
                raise StoppedError(stopped.status, done, stopped.statistics) from None

    def reusable_solver(self, *, engine: str = "auto") -> ReusableSolver:
        """Return a solver for many instances of this problem, which sets up its engine only once.

        Examples
        --------
        >>> solver = Problem({"A": [1], "B": [2], "C": [1, 2]}).reusable_solver()
        >>> solver.solutions(given=["C"], limit=2)
        [('C',)]
        """
        from exactcover.search.solver import ReusableSolver  # seldom needed

        return ReusableSolver(self, engine)

    def cheapest(
        self,
        k: int | None = None,
        *,
        gap: Margin | Cost | str | None = None,
        within: Margin | Cost | str | None = None,
        differing: Iterable[Item | Label] = (),
        timeout: float | None = None,
        given: Iterable[Label] = (),
        without: Iterable[Label] = (),
        near: Iterable[Label] | None = None,
        change: Cost | None = None,
        maximize: bool = False,
        engine: str = "auto",
        stop: Stop | None = None,
    ) -> Search:
        """Search for the solutions of least, or of highest, cost; further parameters as for :meth:`solve`.

        If the problem has soft items, they may deviate, and their prices count as costs; :meth:`deviations` says which
        items a solution leaves open, and :meth:`price` what that costs.

        Parameters
        ----------
        k
            How many solutions. None for one, or for all with `within`.
        gap
            Stop when no solution can be cheaper than the one that is found by more than this: an amount of cost, or a
            share of its cost such as ``"1%"``. The status is then ``GAP``, unless the solution is proved to be the
            cheapest.
        within
            Find all solutions within this margin of the cheapest one: an amount, or a share of its cost.
            With 0 these are all solutions of least cost.
        differing
            Items, or labels of options, which may also be named by their text; a name of both stands for the item. Of
            the solutions that contain the same of these options, and of the options of these items, one is found. They
            come as soon as they are known to be the next ones.
        near
            The labels of an earlier solution, to find the one with the fewest changes: options that are dropped, and
            options that are added. Labels that are not options any more count as dropped. Of as few changes, the
            cheapest solution comes first; soft items stay open only if no changes prevent that.
        change
            The cost of a change, if changes should not come before costs.
        maximize
            Whether the solutions of highest cost are wanted. Prices of soft items are subtracted from it.

        Returns
        -------
        Search
            It delivers its solutions at the end, the cheapest first; ties go to the solution that the engine finds
            first. Its status is ``OPTIMAL`` if these k solutions are proved to be the cheapest, and ``COMPLETE`` if
            there are fewer than k. A search that is stopped delivers the cheapest solutions found so far; its status
            shows that cheaper ones may exist.

        Raises
        ------
        ValueError, ProblemError
            If `gap` or `within` is neither an amount nor a share, two of these arguments cannot be combined, or a name
            in `differing` is unknown.

        Examples
        --------
        >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]}, costs={"A": 2, "B": 2, "C": 3})
        >>> next(problem.cheapest())
        ('C',)
        >>> list(problem.cheapest(within=1))
        [('C',), ('A', 'B')]
        >>> next(problem.cheapest(near=["A", "B"])), next(problem.cheapest(near=["A", "B"], change=0))
        (('A', 'B'), ('C',))
        >>> next(problem.cheapest(maximize=True))
        ('A', 'B')
        """
        if k is not None:
            k = read_whole("k", k, 1)
        if near is None and change is not None:
            raise ValueError("change is the price of a change, so it needs near, an earlier solution")
        if near is not None:
            check_list("near", near, "labels")
        margins: dict[str, Margin | None] = {}
        for name, one in (("gap", gap), ("within", within)):
            check_instance(name, one, (Margin, Real, Decimal, str, NoneType), "an amount of cost, or a percentage")
            margins[name] = None if one is None else make_margin(one)
        goal = Goal("cheapest", 1 if k is None and within is None else k, **margins, maximize=maximize)
        problem = self if near is None else self.near(near, change)
        asked: dict[str, Any] = {"given": given, "without": without, "differing": differing}
        return problem.search(goal, SearchOptions(engine=engine), timeout=timeout, stop=stop, **asked)

    @check_arguments
    def changes(self, earlier: Iterable[Label], later: Iterable[Label]) -> Changes:
        """Return how a solution differs from an earlier one: the labels that it drops, and those that it adds.

        Labels of the earlier solution that are not options any more are dropped.

        Raises
        ------
        ProblemError
            If a label of the later solution is unknown, or all of the earlier one.

        Examples
        --------
        >>> from exactcover import Problem
        >>> Problem({"A": [1], "B": [2], "C": [1, 2]}).changes(["A", "B"], ["C"])
        Changes(dropped=('A', 'B'), added=('C',))
        """
        from exactcover.steps.soft import find_changes  # seldom needed

        return find_changes(self, earlier, later)

    @check_arguments
    def near(self, earlier: Iterable[Label], change: Cost | None = None) -> Self:
        """Return a problem with the same options in which :meth:`cheapest` finds what is near an earlier solution.

        ``problem.cheapest(near=earlier)`` is short for ``problem.near(earlier).cheapest()``; parameters as there.

        Raises
        ------
        ProblemError
            If none of the labels is an option, or the price of a change is negative or not an exact number.

        Examples
        --------
        >>> from exactcover import Problem
        >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2], "D": [1]})
        >>> list(problem.near(["A", "B"]).cheapest(2, without=["A"]))
        [('B', 'D'), ('C',)]
        """
        from exactcover.steps.soft import keep_near  # seldom needed

        return keep_near(self, earlier, change)

    @check_arguments
    def best_effort(self, weights: Mapping[Item, Cost] | None = None) -> Self:
        """Return the problem in which every primary item may stay open, so that :meth:`cheapest` leaves least open.

        Leaving an item open costs more than any cover. So of all choices, the first leaves least open, by weight, and
        among these it is the cheapest. Items that are soft already keep their price for what stays open.

        Parameters
        ----------
        weights
            The weight of an item that is left open, for each time that it is covered too rarely; 1 for the other items.

        Raises
        ------
        ProblemError
            If `weights` name something that is not a primary item, or a weight is negative or not an exact number.

        Examples
        --------
        >>> from exactcover import Problem
        >>> problem = Problem({"A": [1, 2], "B": [2, 3], "C": [3, 4, 5]})
        >>> problem.find() is None, next(problem.best_effort().cheapest())
        (False, ('A', 'C'))
        >>> solution = next(problem.best_effort().cheapest(without=["C"]))
        >>> solution, problem.deviations(solution)
        (('A',), {3: -1, 4: -1, 5: -1})
        """
        from exactcover.steps.soft import soften_all  # seldom needed

        return soften_all(self, weights)

    def relaxed(self) -> Self:
        """Return the plain problem with options that stand for what soft items leave open; see :meth:`soften`.

        Its options are those of this problem, in the same order, and then slack options, such as ``open: x``. Each
        choice of options that is allowed is exactly one solution, whose cost includes the prices. So covers that leave
        something open can be listed, counted and certified like any solutions.

        Raises
        ------
        ProblemError
            If a soft item must be covered more than 10,000 times.

        Examples
        --------
        >>> from exactcover import Problem
        >>> problem = Problem({"A": [1, 2], "B": [2]}, soft={1: 3, 2: 1})
        >>> problem.count(), problem.relaxed().count()
        (1, 3)
        >>> [[str(label) for label in solution] for solution in problem.relaxed().solve()]
        [['A'], ['B', 'open: 1'], ['open: 1', 'open: 2']]
        """
        from exactcover.steps.soft import relax  # seldom needed

        return relax(self).model

    def duplicates(self) -> dict[Label, Label]:
        """Return the options that equal an earlier one; see :func:`exactcover.steps.derived.duplicates`."""
        from exactcover.steps.derived import duplicates  # seldom needed

        return duplicates(self)

    def merged(self) -> Problem:
        """Return the problem with equal options merged; see :func:`exactcover.steps.derived.merge`."""
        from exactcover.steps.derived import merge  # seldom needed

        return merge(self)

    def residual(self, given: Iterable[Label]) -> Problem:
        """Return the problem that remains after a choice; see :func:`exactcover.steps.derived.residual`."""
        from exactcover.steps.derived import residual  # seldom needed

        return residual(self, given)

    def permutations(self) -> list[Permutation]:
        """Return the stated symmetries as permutations of options; a ``ProblemError`` if one is not an automorphism."""
        from exactcover.symmetry.permutations import stated_permutations  # seldom needed

        return stated_permutations(self)

    def rotations(self) -> list[Permutation]:
        """Return the stated rotations likewise; a ``ProblemError`` also if the problem does not state any."""
        from exactcover.symmetry.permutations import rotations  # seldom needed

        return rotations(self)

    def next_step(
        self,
        *,
        timeout: float | None = None,
        given: Iterable[Label] = (),
        without: Iterable[Label] = (),
        stop: Stop | None = None,
    ) -> Deduction | None:
        """Return the simplest step that follows from the givens without a guess, with its reason.

        Parameters
        ----------
        timeout, given, without, stop
            As for :meth:`solve`.

        Returns
        -------
        Deduction or None
            What must be chosen, or cannot be, and why; None if all that people see is settled, or no step is known.

        Raises
        ------
        ProblemError
            If a label is unknown; an item is left with too few options, so that there is no solution; or there are more
            than 20,000 options.
        EngineUnavailableError
            If the native module is missing.
        StoppedError
            If it is stopped.

        Examples
        --------
        >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2], "D": [2, 3]})
        >>> print(problem.next_step())
        Only D is left for 3.
        >>> print(problem.next_step(without=["A"]))
        Only C is left for 1.
        """
        from exactcover.reasons.deductions import solve_by_deductions  # seldom needed

        path = solve_by_deductions(self.instance(given, without), make_stop(timeout, stop), most=1)
        if path.reason is not None:
            raise ProblemError(f"there is no solution: {path.reason}")
        return path.deductions[0] if path.deductions else None

    def solve_by_steps(
        self,
        *,
        timeout: float | None = None,
        given: Iterable[Label] = (),
        without: Iterable[Label] = (),
        stop: Stop | None = None,
    ) -> SolvingPath:
        """Return the easiest way to the solution without a guess. Parameters are those of :meth:`next_step`.

        The way ends where no further step is known.

        Examples
        --------
        >>> path = Problem({"A": [1], "B": [2], "C": [1, 2], "D": [2, 3]}).solve_by_steps()
        >>> path.solution, path.hardest
        (('A', 'D'), 1.0)
        """
        from exactcover.reasons.deductions import solve_by_deductions  # seldom needed

        return solve_by_deductions(self.instance(given, without), make_stop(timeout, stop))

    def verify(self, labels: Iterable[Label]) -> Verdict:
        """Check whether these labels are a solution; see :func:`exactcover.model.verify.verify`."""
        from exactcover.model.verify import verify  # seldom needed

        return verify(self, labels)


def _choose_options(options: SearchOptions | None, **chosen: Any) -> SearchOptions:
    """Return the options of a call; those that are arguments of their own take precedence, unless they are None."""
    check_instance("options", options, (SearchOptions, NoneType), "SearchOptions or None")
    changes = {name: value for name, value in chosen.items() if value is not None}
    base = options or DEFAULTS
    return replace(base, **changes) if changes else base
