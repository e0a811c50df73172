"""Cheapest repairs of problems without a solution: givens to drop, items to leave open or to cover more often."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from exactcover.algorithm_x import Item, Label
from exactcover.control.arguments import check_arguments
from exactcover.control.options import Goal, SearchOptions
from exactcover.control.stop import Stop, make_stop
from exactcover.errors import ProblemError, StoppedError
from exactcover.model.costs import Cost
from exactcover.model.matrix import Bounds
from exactcover.pictures.text import format_count
from exactcover.problem import Problem
from exactcover.steps.soft import soften_all, want_options


@dataclass(frozen=True)
class Repair:
    """The least that has to change so that there is a solution.

    Attributes
    ----------
    dropped
        Givens to drop.
    deviations
        The number of times that items are covered too often, or, as negative numbers, too rarely.
    solution
        A solution after the repair.
    bounds
        The bounds of these items.
    """

    dropped: tuple[Label, ...]
    deviations: Mapping[Item, int]
    solution: tuple[Label, ...]
    bounds: Mapping[Item, Bounds] = field(default_factory=dict)

    def describe(self) -> Iterator[str]:
        """Yield the changes, as imperatives.

        Examples
        --------
        >>> from exactcover import Problem
        >>> problem = Problem({"Ann": ["Mo", "Tu"], "Bob": ["Mo"]}, primary=["Mo", "Tu", "We"], multiplicity={"Mo": 3})
        >>> list(find_repair(problem).describe())
        ["leave open 'We'", "cover 'Mo' 2 times instead of 3"]
        """
        if self.dropped:
            noun = "the given" if len(self.dropped) == 1 else "the givens"
            yield f"drop {noun} {', '.join(repr(str(label)) for label in self.dropped)}"
        opened = [item for item, deviation in self.deviations.items() if self.bounds[item][0] + deviation == 0]
        if opened:
            yield f"leave open {', '.join(repr(str(item)) for item in opened)}"
        for item, deviation in self.deviations.items():
            low, high = self.bounds[item]
            times = low + deviation if deviation < 0 else high + deviation
            if times:
                wanted = f"{low}" if low == high else f"{low} to {high}"
                yield f"cover {str(item)!r} {format_count(times, 'time')} instead of {wanted}"


@check_arguments
def find_repair(
    problem: Problem,
    weights: Mapping[Item, Cost] | None = None,
    *,
    engine: str = "auto",
    stop: Stop | None = None,
) -> Repair:
    """Return the least that has to change so that there is a solution; proved to be the least.

    If there are solutions without the givens, these are the fewest givens to drop. Else it is the least to leave open,
    or to cover more often if an item may be covered several times, and, if givens contradict each other, the fewest
    givens to drop. Of equal repairs, the one with the cheapest solution comes first.

    Parameters
    ----------
    problem
        The problem.
    weights
        The weight of each item, for each time that it is covered too rarely or too often; 1 for the other items.
    engine
        The name of the engine that searches, as for :meth:`Problem.cheapest`.
    stop
        Polled often.

    Notes
    -----
    If the problem was stated with a proof that it has no solution, the repair need not refute that.

    Raises
    ------
    ProblemError
        If `weights` name something that is not a primary item, or a weight is not valid; if the rules about graphs
        cannot be kept; or if nothing need be dropped or left open, although there is no solution by a stated proof.
    StoppedError
        If `stop` asks for it before the repair is found and proved.

    Examples
    --------
    >>> problem = Problem({"A": [1, 2], "B": [2, 3], "C": [3], "D": [1]}, givens=["B", "C"])
    >>> find_repair(problem).dropped, find_repair(problem).solution
    (('B',), ('A', 'C'))
    >>> find_repair(Problem({"A": [1, 2], "B": [2, 3]})).deviations
    {3: -1}
    """
    stop = make_stop(stop=stop)
    givens = problem.givens
    full = problem.full().instance(without=problem.excluded)
    solution = None
    if givens and problem.impossible is None:
        perfect = full.with_prices({})
        solution = find_cheapest(want_options(perfect, givens), engine, stop)
    if solution is None:
        effort = soften_all(full, weights, widen=True)
        solution = find_cheapest(want_options(effort, givens), engine, stop)
        if solution is None:  # although everything may stay open, and every given may be dropped
            raise ProblemError("there is no repair: whatever stays open, the rules about graphs cannot be kept")
    deviations = problem.deviations(solution)
    chosen = set(solution)
    bounds = problem.multiplicity
    dropped = tuple(label for label in givens if label not in chosen)
    if problem.impossible is not None and not dropped and not deviations:
        raise ProblemError(f"there is no repair: no item and no given shows that {problem.impossible}")
    return Repair(dropped, deviations, solution, {item: bounds.get(item, (1, 1)) for item in deviations})


def find_cheapest(problem: Problem, engine: str, stop: Stop) -> tuple[Label, ...] | None:
    """Return the cheapest solution, or None if there is none."""
    search = problem.search(Goal("cheapest", 1), SearchOptions(engine=engine), stop=stop)
    solution = next(search, None)
    next(search, None)
    if search.status.stopped:
        raise StoppedError(search.status, 0, search.statistics)
    return solution
