"""Hints: the next step of a person who solves a problem by hand, with its reason."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from exactcover.algorithm_x import Item, Label
from exactcover.analysis.explain import Patience, UndecidedError
from exactcover.control.stop import Stop, Stopped
from exactcover.errors import StoppedError
from exactcover.problem import Problem
from exactcover.search.reasons import describe_reason
from exactcover.steps.step import restrict

__all__ = ["Hint", "find_hint"]

_MAX_POLLS = 3_000  # of the questions which options are in every solution
_MAX_TRIALS = (400, 60)  # options that are tried one step ahead, before and after one is found that does not work


@dataclass(frozen=True)
class Hint:
    """A hint.

    Attributes
    ----------
    kind
        ``solved``; ``stuck`` if no solution contains what is chosen; ``choose`` or ``exclude`` an option.
    reason
        Why, in words.
    option
        The option to choose or to exclude.
    proved
        Whether the hint follows from the reason; else other choices may lead to a solution as well.
    item
        The item that a choice is for.
    """

    kind: Literal["solved", "stuck", "choose", "exclude"]
    reason: str
    option: Label | None = None
    proved: bool = True
    item: Item | None = None


def find_hint(
    problem: Problem,
    chosen: Iterable[Label] = (),
    without: Iterable[Label] = (),
    *,
    excludes: bool = True,
    stop: Stop | None = None,
) -> Hint:
    """Return the simplest next step from some chosen options.

    An item that has only as many options left as it needs comes first, then an option that would leave another item
    with too few, then an option that is in every solution, and at last a choice from a solution. Items with the fewest
    options to spare come first. Unless `excludes`, the hint is never to rule out an option.

    Raises
    ------
    ProblemError
        If a label is unknown.
    StoppedError
        If `stop` asks for it.

    Examples
    --------
    >>> problem = Problem({"A": [1], "B": [1, 2], "C": [2, 3], "D": [3]})
    >>> hint = find_hint(problem, ["A"])
    >>> hint.kind, hint.option, hint.reason
    ('choose', 'C', "'C' is the only option left for '2'")
    """
    instance = problem.full().instance([*problem.givens, *chosen], [*problem.excluded, *without])
    try:
        return _Advisor(instance, stop or Stop()).advise(excludes=excludes)
    except Stopped as stopped:
        raise StoppedError(stopped.status) from None


class _Advisor:
    """What is left of a problem, and what can be said about it."""

    def __init__(self, problem: Problem, stop: Stop) -> None:
        self._problem, self._stop = problem, stop
        result = restrict(problem.matrix, problem.given_positions, set(problem.excluded_positions))
        self._reason, self._matrix, self._lift = result.reason, result.matrix, result.lift
        self._holders: list[list[int]] = [[] for _ in range(self._matrix.items)]
        for option in range(len(self._matrix)):
            for item, _ in self._matrix.option(option):
                self._holders[item].append(option)

    def advise(self, *, excludes: bool) -> Hint:
        if self._reason is not None:
            return Hint("stuck", describe_reason(self._problem, self._reason, self._problem.given_positions))
        needs = [(item, self._matrix.bounds(item)[0]) for item in range(self._matrix.primary)]
        needs = sorted([need for need in needs if need[1]], key=lambda need: len(self._holders[need[0]]) - need[1])
        if not needs:
            return Hint("solved", "every item is covered")
        for item, low in needs:
            if len(self._holders[item]) < low:
                return Hint("stuck", f"{self._shortage(low)} left for {self._item(item)}")
        item, low = needs[0]
        if len(self._holders[item]) == low:
            option = self._holders[item][0]
            what = "the only option" if low == 1 else f"one of the only {low} options"
            reason = f"{self._quote(option)} is {what} left for {self._item(item)}"
            return Hint("choose", reason, self._label(option), item=self._name(item))
        hint = self._look_ahead([item for item, _ in needs])
        return (
            self._choose([item for item, _ in needs])
            if hint is None or (hint.kind == "exclude" and not excludes)
            else hint
        )

    def _look_ahead(self, items: Iterable[int]) -> Hint | None:
        """Return an option that would leave an item with too few options, or the only one of an item that would not."""
        first: Hint | None = None
        tried: dict[int, str | None] = {}
        for item in items:
            why: list[str] = []
            for option in self._holders[item]:
                if option not in tried:
                    if len(tried) >= _MAX_TRIALS[first is not None]:
                        return first
                    tried[option] = self._try(option)
                if tried[option] is not None:
                    why.append(f"{self._quote(option)} would leave {tried[option]}")
                    first = first or Hint("exclude", why[-1], self._label(option))
            kept = [option for option in self._holders[item] if tried[option] is None]
            if len(kept) == 1 and self._matrix.bounds(item)[0] == 1:
                only = f"{self._quote(kept[0])} is the only option for {self._item(item)} that works"
                return Hint("choose", f"{only}: {', '.join(why)}", self._label(kept[0]), item=self._name(item))
        return first

    def _try(self, option: int) -> str | None:
        """Return which item would have too few options after this choice, in words, or None."""
        self._stop.poll()
        after = restrict(self._matrix, [option], ()).matrix
        shortage = after.first_underfilled()
        if shortage is None:
            return None
        item = after.origin(shortage[0])
        return f"{self._shortage(after.bounds(shortage[0])[0])} for {str(self._problem.items[item])!r}"

    def _choose(self, items: list[int]) -> Hint:
        """Return a choice that is in every solution, or at least in one; for the first possible of some items."""
        found = list(self._problem.solve(limit=2, stop=self._stop))
        self._stop.poll()
        if not found:
            return Hint("stuck", "no solution contains what is chosen")
        sure = {self._problem.position(label) for label in (found[0] if len(found) == 1 else self._find_certain())}
        item = next((item for item in items if not sure.isdisjoint(map(self._position, self._holders[item]))), items[0])
        wanted = sure if sure else set(self._problem.positions_of(found[0]))
        option = next(option for option in self._holders[item] if self._position(option) in wanted)
        label = self._label(option)
        where = "the only solution" if len(found) == 1 else "every solution" if sure else "a solution"
        reason = f"no simple step was found; {str(label)!r} is in {where}"
        return Hint("choose", reason, label, proved=bool(sure), item=self._name(item))

    def _find_certain(self) -> Iterable[Label]:
        """Return the options that are not chosen yet and are in every solution; none if that takes too long."""
        patience = Patience(self._stop)
        patience.left = _MAX_POLLS
        try:
            certain = self._problem.reusable_solver().candidates(stop=patience).certain
        except UndecidedError:
            return ()
        chosen = set(self._problem.given_positions)
        return [label for label in certain if self._problem.position(label) not in chosen]

    def _shortage(self, low: int) -> str:
        return "no option" if low == 1 else "too few options"

    def _name(self, item: int) -> Item:
        return self._problem.items[self._matrix.origin(item)]

    def _item(self, item: int) -> str:
        return repr(str(self._name(item)))

    def _label(self, option: int) -> Label:
        return self._problem.labels[self._position(option)]

    def _position(self, option: int) -> int:
        return self._lift([option])[-1]

    def _quote(self, option: int) -> str:
        return repr(str(self._label(option)))
