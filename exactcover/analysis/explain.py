"""Explanations why an instance has one solution, several or none, in terms of options and items."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, TypeVar

from exactcover.algorithm_x import Item, Label
from exactcover.control.arguments import check_arguments, read_whole
from exactcover.control.options import SearchOptions
from exactcover.control.statistics import Status
from exactcover.control.stop import InnerStop, Stop, Stopped, make_stop
from exactcover.engines.base import MatrixQuery, check_engine_name, pick_engine
from exactcover.errors import EngineUnavailableError, ProblemError, StoppedError
from exactcover.model.costs import count_covers, find_deviations
from exactcover.model.matrix import may_share
from exactcover.pictures.text import format_count
from exactcover.problem import Problem
from exactcover.reasons.deductions import StepKind, StepLevel, solve_by_deductions
from exactcover.reasons.position import Sets
from exactcover.rules import Rule
from exactcover.search.reasons import describe_reason, try_to_find_imbalance
from exactcover.steps.step import Shortage, find_shortage, restrict
from exactcover.steps.weights import find_weights

T = TypeVar("T")

_MAX_LISTED = 10_000  # solutions that are listed to find the options that distinguish them
MAX_QUESTIONS = 2_000  # asked to find out whether fewer givens conflict
MAX_ITEM_QUESTIONS = 200  # whether fewer items do
_GIVEN_UP = 20  # questions that one counts as in addition if it is given up
_MAX_NODES = 1 << 24  # of the search that lists solutions
_POLLS_OF_ONE, _POLLS_OF_ALL = 1 << 10, 1 << 14  # of questions whether there are several solutions
_MAX_STEP_POLLS = 5_000  # of steps to a contradiction


class UndecidedError(Exception):
    """A question was given up because it takes too long; never leaves the package."""


class Patience(InnerStop):
    """Gives up a question after a number of polls, `left`, by an :class:`UndecidedError`."""

    left = math.inf

    def poll(self) -> None:
        super().poll()
        self.left -= 1
        if self.left < 0:
            raise UndecidedError


class Questions:
    """Answers whether a problem has a solution with some givens, and remembers the answers.

    Patience is measured in polls of the stop. Their number does not depend on the machine or its load, so the same
    questions are given up everywhere. `left` questions may still be asked. `patience` suffices for easy ones.
    """

    def __init__(self, problem: Problem, stop: Stop, engine: str = "auto") -> None:
        self._patience, self.left, self.engine = Patience(stop), math.inf, engine
        self._setup_polls = len(problem.labels) // 64  # allowed in addition
        self.patience = 64 + min(1000, 2 * len(problem.primary))  # an engine may poll at every node
        self._known: dict[frozenset[Any], tuple[Any, ...] | None] = {}
        self._solver = problem.reusable_solver(engine=engine)

    def solution(self, given: Sequence[Any], patience: float = math.inf) -> tuple[Any, ...] | None:
        """Return a solution with some givens, or None if there is none.

        Raise ``UndecidedError`` if the answer takes more than `patience` polls, or no more questions may be asked, and
        ``StoppedError`` if the stop asks for it.
        """
        key = frozenset(given)
        if key not in self._known:
            if self.left <= 0:
                raise UndecidedError
            self.left -= 1
            self._patience.left = patience + self._setup_polls
            try:
                self._known[key] = self._find(given, self._patience)
            except UndecidedError:
                self.left -= _GIVEN_UP
                raise
        return self._known[key]

    def reduce(self, givens: Sequence[T], patience: float = math.inf) -> tuple[list[T], bool]:
        """Return a conflict among givens that conflict, and whether it is minimal for sure.

        Givens count as possible together if deciding takes more than `patience`.
        """
        is_minimal = True

        def impossible(some: Sequence[T]) -> bool:
            nonlocal is_minimal
            try:
                return self.solution(some, patience) is None
            except UndecidedError:
                is_minimal = False
                return False

        return minimal_conflict(givens, impossible), is_minimal

    def _find(self, given: Sequence[Any], stop: Stop) -> tuple[Any, ...] | None:
        return next(iter(self._solver.solutions(given=given, stop=stop)), None)


class ItemQuestions(Questions):
    """Answers which items, by number, can be covered together with some of them, if others may be left uncovered.

    The upper bounds of all items stay as they are.
    """

    def __init__(self, problem: Problem, stop: Stop, engine: str = "auto") -> None:
        super().__init__(problem, stop, engine)
        self.matrix = restrict(problem.matrix, (), problem.excluded_positions).matrix  # the items keep their numbers

    def _find(self, given: Sequence[int], stop: Stop) -> tuple[int, ...] | None:
        matrix, wanted = self.matrix, set(given)
        optional = {item: (0, matrix.bounds(item)[1]) for item in range(matrix.primary) if item not in wanted}
        relaxed = replace(matrix, multiplicity={**matrix.multiplicity, **optional}, costs=())
        if find_weights(relaxed, stop=stop) is not None:  # where a search may take long
            return None
        picked, _ = pick_engine(self.engine, relaxed)
        found = next(iter(picked.start(MatrixQuery(relaxed, stop))), None)
        if found is None:
            return None
        deviations = find_deviations(matrix, found)
        return tuple(item for item in range(matrix.primary) if item not in deviations)


def direct_clash(problem: Problem, givens: Sequence[Label]) -> list[Label]:
    """Return a smallest set of givens that cover one item too often, or do not all give it the same color.

    Ties go to the first set in the order of the givens. If no item shows a clash, the list is empty.

    Examples
    --------
    >>> direct_clash(Problem({"A": [1, 2], "B": [3], "C": [2, 3]}), ["A", "B", "C"])
    ['A', 'C']
    """
    matrix = problem.matrix
    holders: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for place, label in enumerate(givens):
        for item, color in matrix.option(problem.position(label)):
            holders[item].append((place, color))
    clashes: list[list[int]] = []
    for item, taken in holders.items():
        if item < matrix.primary:
            most = matrix.bounds(item)[1]
            clashes += [list(dict(taken[: most + 1]))] if len(taken) > most else []
        else:
            pairs = combinations(taken, 2)
            clashes += [[one, other] for (one, color), (other, its) in pairs if not may_share((color, its))][:1]
    return [givens[place] for place in min(clashes, key=lambda clash: (len(clash), clash), default=[])]


def minimal_conflict(things: Sequence[T], impossible: Callable[[Sequence[T]], bool]) -> list[T]:
    """Return a minimal conflict: things that are impossible together, but possible if any one of them is removed.

    `impossible` says whether some of the things, in any order, are impossible together. It must hold for all of
    `things`, and adding things to an impossible selection must not make it possible. It is called about k log(n/k)
    times for a conflict of k out of n things. The conflict is empty if there are no things, or if no things at all are
    already impossible.

    References
    ----------
    U. Junker, "QuickXplain: preferred explanations and relaxations for over-constrained problems", AAAI 2004.

    Examples
    --------
    >>> minimal_conflict(range(100), lambda some: {7, 70} <= set(some))
    [7, 70]
    """

    def search(background: list[T], extended: bool, candidates: list[T]) -> list[T]:
        if extended and impossible(background):
            return []
        if len(candidates) == 1:
            return candidates
        first, second = candidates[: len(candidates) // 2], candidates[len(candidates) // 2 :]
        from_second = search([*background, *first], bool(first), second)
        from_first = search([*background, *from_second], bool(from_second), first)
        return [*from_first, *from_second]

    everything = list(things)
    return [] if not everything or impossible([]) else search([], False, everything)


def smallest_conflict(
    things: Sequence[T], conflict: Sequence[T], possible: Callable[[Sequence[T]], Collection[T] | None], stop: Stop
) -> tuple[list[T], bool]:
    """Return a smallest conflict, in the order of the things, and whether it is proved to be a smallest one.

    The things differ and are impossible together, as are those in `conflict`. `possible` returns None for things that
    are impossible together. Otherwise it returns things that are possible together and include the given ones. If a
    question about a hitting set stays undecided (:class:`UndecidedError`), the result is `conflict` and False; one that
    only extends a possible set may stay undecided.

    Every conflict contains at least one thing that is missing from any given possible set. So the method finds a
    smallest set of things that contains at least one missing thing of each possible set found so far. If this hitting
    set is impossible, it is a smallest conflict. If it is possible, it is extended to another possible set.

    References
    ----------
    A. Ignatiev, A. Previti, M. Liffiton, J. Marques-Silva, "Smallest MUS extraction with minimal hitting set
    dualization", CP 2015.

    Examples
    --------
    >>> def possible(some):
    ...     return None if {1, 2, 3} <= set(some) or {3, 4} <= set(some) else some
    >>> smallest_conflict([1, 2, 3, 4], [1, 2, 3], possible, Stop())
    ([3, 4], True)
    """
    missing: list[list[int]] = []  # for each possible set found, the numbers of the things that it lacks
    size = 0
    try:
        while size < len(conflict):
            hitting = _find_hitting_set(missing, size, stop)
            if hitting is None:
                size += 1
                continue
            selection = possible([things[number] for number in hitting])
            if selection is None:
                return [things[number] for number in hitting], True
            extended = set(_extend(things, selection, possible))
            missing.append([number for number, thing in enumerate(things) if thing not in extended])
        proved = True
    except UndecidedError:
        proved = False
    kept = set(conflict)
    return [thing for thing in things if thing in kept], proved


def _find_hitting_set(sets: Sequence[Sequence[int]], size: int, stop: Stop) -> list[int] | None:
    """Return at most `size` numbers, ascending, of which each set contains at least one; None if this is impossible."""
    if not sets or size == 0:
        return None if sets else []
    options: dict[Label, list[Item]] = defaultdict(lambda: ["size"])
    for place, numbers in enumerate(sets):
        for number in numbers:
            options[number].append(place)
    bounds: dict[Item, tuple[int, int]] = {place: (1, len(numbers)) for place, numbers in enumerate(sets)}
    problem = Problem(options, multiplicity={**bounds, "size": (0, size)})
    questions = Questions(problem, stop)
    found = questions.solution((), questions.patience)
    return None if found is None else sorted(number for number in found if isinstance(number, int))


def _extend(
    things: Sequence[T], selection: Collection[T], possible: Callable[[Sequence[T]], Collection[T] | None]
) -> Collection[T]:
    """Return a possible selection extended by every other thing, in order, with which it is found to stay possible."""
    for thing in things:
        if thing not in selection:
            try:
                selection = possible([*selection, thing]) or selection
            except UndecidedError:  # any possible selection will do
                continue
    return selection


@dataclass(frozen=True)
class Explanation:
    """The explanation of a number of solutions.

    The order of everything is fixed: `solutions` are in the order of the search, `needless` and `conflict` in the order
    of the givens, and `decisive` and `items` in the order of the problem.

    Attributes
    ----------
    solutions
        No solution, the only one, or the first two of several.
    count
        The number of solutions, if it is at most 10,000 and they are found in reasonable time; else None.
    needless
        If there is one solution: each given without which there is still only one solution, as far as this can be
        decided in reasonable time.
    difficulty
        If there is one solution, and steps were asked for: how difficult the hardest step to it is, as
        :class:`SolvingPath` says; infinite if a guess is needed.
    needless_for_steps
        If steps were asked for, and lead to the solution: each of `needless` without which they still do.
    decisive
        If there are several solutions: each option that leaves only one solution if it is given as well. If there are
        more than 10,000 solutions, or it is not known how many, only the options in which the first two differ are
        examined, as far as this can be decided in reasonable time.
    decided
        Whether it was decided of each option that was examined whether it is needless, or decisive.
    conflict
        If there is no solution: givens that conflict with each other or with excluded options.
    minimal
        Whether removing any one given of `conflict`, or any one of `items`, resolves the conflict. It is false if that
        could not be decided in reasonable time, and for items that exceed what is available.
    smallest
        Whether it is proved that no smaller set of givens, or of items, is a conflict. It is false if this would take
        too long.
    items
        If there is no solution even without the givens: items that cannot be covered together.
    rules
        The names of rules about graphs without which there would be a solution with the givens of `conflict`, or with
        none, if that is decided in reasonable time. Then `items` cannot be covered together under these rules; it is
        empty if nothing keeps them.
    reason
        Why there is no solution, if that can be seen without a search, or is due to rules.
    further
        Further conflicts of givens, or of items, if they were asked for. No two conflicts overlap; each is minimal, but
        perhaps not a smallest one. If there are fewer than were asked for, there is no other without these givens or
        items.
    """

    solutions: tuple[tuple[Label, ...], ...]
    count: int | None
    needless: tuple[Label, ...] = ()
    decisive: tuple[Label, ...] = ()
    conflict: tuple[Label, ...] = ()
    minimal: bool = True
    smallest: bool = False
    items: tuple[Item, ...] = ()
    rules: tuple[str, ...] = ()
    reason: str | None = None
    further: tuple[tuple[Label | Item, ...], ...] = ()
    difficulty: float | None = None
    needless_for_steps: tuple[Label, ...] = ()
    decided: bool = True


@check_arguments
def explain(
    problem: Problem,
    given: Iterable[Label] = (),
    *,
    conflicts: int = 1,
    steps: bool = False,
    engine: str = "auto",
    stop: Stop | None = None,
) -> Explanation:
    """Explain the number of solutions that contain some givens.

    Parameters
    ----------
    problem
        The problem; its own givens are among the givens.
    given
        Labels of further givens.
    conflicts
        The number of conflicts to look for, at least 1; they do not overlap.
    steps
        Whether, if there is one solution, its difficulty is found, and which givens steps can do without. This may take
        far longer than the rest.
    engine
        The name of the engine that searches, as for :meth:`Problem.solve`.
    stop
        Polled often.

    Raises
    ------
    ProblemError
        If a label is unknown, or steps are asked for and there are more than 20,000 options.
    ValueError
        If `conflicts` is less than 1.
    EngineUnavailableError
        If there is no such engine, or it cannot search the problem.
    StoppedError
        If `stop` asks for it before the explanation is complete.

    Examples
    --------
    >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2], "D": [2]})
    >>> explain(problem).decisive
    ('B', 'C', 'D')
    >>> explain(problem, ["C"]).count
    1
    >>> explain(problem, ["B", "C"]).conflict
    ('B', 'C')
    """
    check_engine_name(engine)
    conflicts = read_whole("conflicts", conflicts, 1)
    givens, stop = list(problem.instance(given).givens), make_stop(stop=stop)
    problem = problem.full().instance(without=problem.excluded)
    explanation = _explain_without_search(problem, stop)
    if explanation is not None:
        return _add_conflicts(problem, givens, explanation, conflicts, engine, stop)
    first = problem.solve(given=givens, limit=2, engine=engine, stop=stop)  # in several ways
    found: list[tuple[Label, ...]] = []
    count: int | None = None
    try:
        questions = Questions(problem, stop, engine)
        if not _prove_no_solution(givens, first.reason, questions):
            found += first
        stop.poll()
        if len(found) > 1:
            nodes = _MAX_NODES if engine == "auto" else None  # which not every engine counts
            options = SearchOptions(nodes=nodes, engine=engine)
            search = problem.solve(given=givens, limit=_MAX_LISTED + 1, options=options, stop=stop)
            listed = list(search)
            stop.poll()
            count = len(listed) if search.status is Status.COMPLETE else None
            found = listed if len(listed) > 1 else found
        if not found:
            explanation = _explain_no_solution(problem, givens, first.reason, questions, stop)
            return _add_conflicts(problem, givens, explanation, conflicts, engine, stop)
        if len(found) == 1:
            fewer = {label: [other for other in givens if other != label] for label in givens}
            needless, is_whole = _find_clear(problem, fewer, engine, stop)
            explanation = Explanation(tuple(found), 1, needless=needless, decided=is_whole)
            return _rate(explanation, problem, givens, stop) if steps else explanation
        if count is None:
            differing = sorted(set(found[0]) ^ set(found[1]), key=problem.position)
            more = {label: [*givens, label] for label in differing}
            decisive, is_whole = _find_clear(problem, more, engine, stop)
            return Explanation(tuple(found[:2]), count, decisive=decisive, decided=is_whole)
        counts = Counter(label for solution in found for label in solution)
        return Explanation(tuple(found[:2]), count, decisive=tuple(one for one in problem.labels if counts[one] == 1))
    except (Stopped, StoppedError) as stopped:
        raise StoppedError(stopped.status, len(found)) from None


def _rate(explanation: Explanation, problem: Problem, givens: Sequence[Label], stop: Stop) -> Explanation:
    """Add how far steps without a guess lead, and which givens they can do without."""
    sets = Sets(problem)

    def rate(some: Iterable[Label]) -> float:
        return solve_by_deductions(problem.instance(some), stop, explain=False, sets=sets).hardest

    difficulty = rate(givens)
    needless = explanation.needless if difficulty < math.inf else ()
    kept = [one for one in needless if rate(set(givens) - {one}) < math.inf]
    return replace(explanation, difficulty=difficulty, needless_for_steps=tuple(kept))


def _explain_without_search(problem: Problem, stop: Stop) -> Explanation | None:
    """Explain why there is no solution whatever is given, if that can be seen without a search; else return None."""
    if problem.impossible is not None:
        return Explanation((), 0, reason=problem.impossible)
    matrix = restrict(problem.matrix, (), problem.excluded_positions).matrix
    shortage = find_shortage(matrix).reason
    if isinstance(shortage, Shortage):
        return Explanation((), 0, items=(problem.items[shortage.item],), reason=describe_reason(problem, shortage, ()))
    imbalance = try_to_find_imbalance(matrix, stop)
    if imbalance is None:
        return None
    items = tuple(problem.items[item] for item in imbalance.demands)
    return Explanation((), 0, items=items, minimal=False, reason=describe_reason(problem, imbalance, ()))


def _prove_no_solution(givens: Sequence[Label], reason: str | None, questions: Questions) -> bool:
    """Try to prove that there is no solution with the givens, or none even without them; return whether this succeeds.

    Each proof may be quick where the other takes a long time. So both questions are asked in turn, with growing
    patience, until one is decided.
    """
    if reason is not None:
        return True
    patience: float = questions.patience
    while givens:
        for some in (givens, ()):
            try:
                return questions.solution(some, patience) is None
            except UndecidedError:
                patience *= 2
    return False


def _find_clear(
    problem: Problem, instances: Mapping[Label, Sequence[Label]], engine: str, stop: Stop
) -> tuple[tuple[Label, ...], bool]:
    """Return the labels whose givens leave one solution, and whether this was decided for all of them."""
    solver, patience, left = problem.reusable_solver(engine=engine), Patience(stop), _POLLS_OF_ALL
    clear, is_whole = list[Label](), True
    for label, given in instances.items():
        patience.left = before = min(left, _POLLS_OF_ONE)
        try:
            clear += [label] * (len(solver.solutions(given=given, limit=2, stop=patience)) < 2)
        except UndecidedError:
            is_whole = False
        left -= before - max(0, patience.left)
    return tuple(clear), is_whole


def _explain_no_solution(
    problem: Problem, givens: list[Label], reason: str | None, questions: Questions, stop: Stop
) -> Explanation:
    """Explain why there is no solution: by givens, if there may be a solution without them; else by items."""
    possible, patience = bool(givens), float(questions.patience)
    try:
        if givens:
            possible = questions.solution((), patience) is not None
            patience = math.inf
    except UndecidedError:
        pass
    if possible:
        explanation = _explain_conflict(problem, givens, reason, questions, patience, stop)
        rules = _find_rules(problem, explanation.conflict, questions, stop)
        return _blame_rules(problem, explanation, rules or (), stop)
    rules = _find_rules(problem, (), questions, stop)
    covers = ItemQuestions(problem if rules is None else _keep_rules(problem, rules), stop, questions.engine)
    numbers = range(problem.matrix.primary)
    holders = count_covers(covers.matrix, range(len(covers.matrix)))
    rare_first = sorted(numbers, key=holders.__getitem__)  # a conflict of what few options contain tends to be small
    covers.left = MAX_ITEM_QUESTIONS
    items, minimal = covers.reduce(rare_first, covers.patience)
    covers.left = MAX_ITEM_QUESTIONS
    items, smallest = smallest_conflict(numbers, items, lambda some: covers.solution(some, covers.patience), stop)
    named = tuple(problem.items[item] for item in items)
    explanation = Explanation((), 0, items=named, minimal=smallest or minimal, smallest=smallest, reason=reason)
    return _blame_rules(problem, explanation, rules or (), stop)


def _keep_rules(problem: Problem, rules: Collection[Rule]) -> Problem:
    """Return the problem with some of its rules, and without costs."""
    kept = tuple(stated for stated in problem.matrix.rules if stated.rule in rules)
    return problem.extend(problem.items, (), replace(problem.matrix, costs=(), rules=kept), 1)


def _find_rules(problem: Problem, givens: Sequence[Label], questions: Questions, stop: Stop) -> list[Rule] | None:
    """Return a minimal set of rules that givens, or the items alone, conflict with; none if they conflict anyway.

    It returns None if that takes too long.
    """

    def impossible(rules: Sequence[Rule]) -> bool:
        asked = Questions(_keep_rules(problem, rules), stop, questions.engine)
        return asked.solution(givens, asked.patience) is None

    try:
        return minimal_conflict(problem.rules, impossible)
    except UndecidedError:
        return None


def _blame_rules(problem: Problem, explanation: Explanation, rules: Sequence[Rule], stop: Stop) -> Explanation:
    """Add the rules without which there would be a solution, and what breaks them if that follows without a guess."""
    if not rules:
        return explanation
    names = [*dict.fromkeys(type(rule).__name__ for rule in rules)]
    hold = f"the rule {names[0]} holds" if len(names) == 1 else f"the rules {' and '.join(names)} hold"
    given = " with these givens" if explanation.conflict else ""
    broken = _follow_rules(_keep_rules(problem, rules).instance(explanation.conflict), stop)
    reason = f"the items can be covered{given}, but not so that {hold}{broken}"
    return replace(explanation, rules=tuple(names), reason=reason)


def _follow_rules(problem: Problem, stop: Stop) -> str:
    """Return the contradiction that the simplest steps lead to, in words; empty if that takes too long, or for none."""
    patience = Patience(stop)
    patience.left = _MAX_STEP_POLLS
    try:
        path = solve_by_deductions(problem, patience, level=StepLevel(kind=StepKind.RULE), explain=False)
    except (EngineUnavailableError, ProblemError, UndecidedError):  # no native module; too many options, or steps
        return ""
    steps = format_count(len(path.deductions), "step")
    return f": {f'after {steps}, ' if path.deductions else ''}{path.reason}" if path.reason else ""


def _explain_conflict(
    problem: Problem, givens: list[Label], reason: str | None, questions: Questions, patience: float, stop: Stop
) -> Explanation:
    """Explain which givens conflict; givens count as possible if deciding takes more than `patience`."""

    def possible(some: Sequence[Label]) -> list[Label] | None:
        found = questions.solution(some, questions.patience)
        return None if found is None else [label for label in givens if label in set(found)]

    conflict, minimal = questions.reduce(direct_clash(problem, givens) or givens, patience)
    questions.left = MAX_QUESTIONS
    conflict, smallest = smallest_conflict(givens, conflict, possible, stop)
    return Explanation((), 0, conflict=tuple(conflict), minimal=smallest or minimal, smallest=smallest, reason=reason)


def _add_conflicts(
    problem: Problem, givens: list[Label], explanation: Explanation, most: int, engine: str, stop: Stop
) -> Explanation:
    """Return the explanation with further conflicts, none of which overlaps another."""
    first, further = {*(explanation.conflict or explanation.items)}, list[tuple[Any, ...]]()
    questions: Questions | ItemQuestions
    if explanation.conflict:
        questions, names = Questions(problem, stop, engine), dict[Any, Any](zip(givens, givens, strict=True))
    else:
        questions, names = ItemQuestions(problem, stop, engine), dict[Any, Any](enumerate(problem.primary))

    def impossible(some: Sequence[Any]) -> bool:
        return questions.solution(some) is None

    left = [one for one, name in names.items() if name not in first]
    try:
        while first and len(further) < most - 1 and impossible(left):
            conflict = {*minimal_conflict(left, impossible)}
            if not conflict:
                break
            further.append(tuple(name for one, name in names.items() if one in conflict))
            left = [one for one in left if one not in conflict]
    except Stopped as stopped:
        raise StoppedError(stopped.status) from None
    return replace(explanation, further=tuple(further))
