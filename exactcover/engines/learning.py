"""The engine ``learning``, which finds solutions by clauses that it learns from dead ends.

A SAT solver searches the clauses of a matrix. Each solution that is found is excluded from then on. Options that are
given or excluded are assumptions, so a solver for many instances keeps what it has learned.

Paths may have *trades*: edges that can stand for others wherever these are on, as in the unavoidable sets of Sudokus.
Of the solutions that trades make of each other, the solver finds one at least, and the trades give the rest.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, combinations, groupby
from typing import NamedTuple

from exactcover.control.options import DEFAULTS, SearchOptions
from exactcover.control.recorder import NOBODY, Observers
from exactcover.control.stop import Stop
from exactcover.engines.base import Engine
from exactcover.engines.cursor import MAX_BATCH, ROOT, Cursor, Subtree
from exactcover.model.clauses import state_colors
from exactcover.model.matrix import Matrix
from exactcover.rules import Edge, Element, Fault, MatrixRule, Paths, Vertex

_MAX_ENTRIES = 1 << 26  # variables and clauses have 32 bits in the solver


class _Formula:
    """A matrix in a SAT solver; the stop is polled while it is stated."""

    def __init__(self, matrix: Matrix, stop: Stop) -> None:
        from exactcover.engines.sat_solver import SatSolver  # seldom needed

        self._guess = 0  # a variable, as long as which is true paths take no detours; 0 if there are none
        self.may_guess = True  # until it is refuted
        self._is_guessing = False
        self.trades: list[_Trade] = []
        self.normal = 0  # a variable, as long as which is true each solution found is the least of its trades
        clauses, self._variables, self.literals = state_colors(matrix, stop)
        self._decided: dict[tuple[int, ...], dict[tuple[int, ...], list[int]]] = {}  # by variables, then literals
        for option, some in enumerate(self.literals):
            self._decided.setdefault(tuple(map(abs, some)), {}).setdefault(some, []).append(option)
        self.holders = Counter(one for some in self.literals for one in some)
        self._names: dict[tuple[int, ...], int] = {}
        variables, length = self._variables, len(clauses)
        self.solver = SatSolver(clauses)  # which adds others
        self._rules = [_RuleClauses(self, rule) for rule in matrix.rules]
        self._exact = not matrix.multiplicity
        if len(self._rules) == 1:  # other rules may tell the sides of a trade apart
            squares = self._rules[0].list_squares(variables)
            if squares:
                self._state_trades(squares, clauses[:length], stop)

    def _state_trades(self, squares: Sequence[Mapping[Edge, int]], clauses: array[int], stop: Stop) -> None:
        """State that paths take no detours, as a guess, and that of each trade only one side is used."""
        self._guess, self.normal = self.add_variable(), self.add_variable()
        for square in squares:
            for three in combinations(square.values(), 3):
                self.solver.add([-self._guess, *(-one for one in three)])
        self.trades = [*_list_trades(squares, clauses, stop)]
        for trade in self.trades:
            greater = max(trade.sides, key=lambda side: max(map(abs, side)))
            self.solver.add([-self.normal, -trade.kept, *(-one for one in greater)])

    def list_traded(self, solution: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Yield the solutions that one trade makes of a solution."""
        true = {one for option in solution for one in self.literals[option]}
        for kept, sides in self.trades:
            for side, other in (sides, sides[::-1]):
                if kept in true and true.issuperset(side):
                    changed = {*side, *other}
                    yield self.read(true.symmetric_difference([*changed, *(-one for one in changed)]))

    def add_variable(self) -> int:
        """Return a new variable."""
        self._variables += 1
        return self._variables

    def name(self, option: int) -> int:
        """Return a literal that is true if and only if an option is chosen."""
        literals = self.literals[option]
        if len(literals) == 1:
            return literals[0]
        if literals not in self._names:
            self._names[literals] = name = self.add_variable()
            self.solver.add([name, *(-one for one in literals)])
            for one in literals:
                self.solver.add([-name, one])
        return self._names[literals]

    def find_on(self, assumptions: Sequence[int], stop: Stop) -> tuple[bool, Set[int] | None]:
        """Search for a while for a solution with some assumptions.

        Return whether the answer is known, and the literals that are true; None if there is no solution, or not yet.
        """
        while True:
            self._is_guessing = bool(self._guess) and self.may_guess and not self._is_guessing
            guess = [self._guess] if self._is_guessing else []
            is_known, model = self.solver.search_on([*assumptions, *guess], self._variables, stop)
            if model is None:
                if is_known and self.solver.core.isdisjoint(guess):
                    return True, None
                self.may_guess = self.may_guess and not is_known
                return False, None
            true = {*range(-self._variables, 0)}.difference([-one for one in model]).union(model)
            if not sum([rule.exclude_faults(true) for rule in self._rules]):
                return is_known, true

    def read(self, true: Set[int]) -> tuple[int, ...]:
        """Return the options that a model chooses."""
        found = (
            options.get(tuple([one if one in true else -one for one in variables]), ())
            for variables, options in self._decided.items()
        )
        return tuple(sorted(chain.from_iterable(found)))

    def exclude(self, solution: Sequence[int], switch: int) -> None:
        """Exclude a solution as long as a variable is true."""
        taken = set(solution)
        others = () if self._exact else (self.name(k) for k in range(len(self.literals)) if k not in taken)
        true = dict.fromkeys(one for option in solution for one in self.literals[option])
        self.solver.add([*(-one for one in true), *others, -switch])


class _Trade(NamedTuple):
    """Lines on paths, as literals: where all of one side are on, all of the other can be instead.

    Where two squares share a line that is kept, each side is the opposite line of one, and those beside it of the
    other. Both sides join the same two pairs of corners, and touch the same vertices.
    """

    kept: int
    sides: tuple[tuple[int, ...], tuple[int, ...]]


def _list_trades(squares: Iterable[Mapping[Edge, int]], clauses: array[int], stop: Stop) -> Iterator[_Trade]:
    """Yield the trades in which no clause tells the sides apart."""
    found: dict[int, list[tuple[Set[Vertex], int, list[int]]]] = {}  # by line: corners, the opposite line, others
    near: dict[int, list[frozenset[int]]] = {}
    for square in squares:
        lines = [*square.values()]
        for k, line in enumerate(lines):
            found.setdefault(line, []).append(({*chain(*square)}, lines[k - 2], [lines[k - 1], lines[k - 3]]))
            near[abs(line)] = []
    for clause in [frozenset(some) for is_clause, some in groupby(clauses, bool) if is_clause]:
        for variable in near.keys() & map(abs, clause):
            near[variable].append(clause)
    for kept, places in found.items():
        stop.poll()
        for (here, one, beside), (there, other, beside_other) in combinations(places, 2):
            sides = (one, *beside_other), (other, *beside)
            if len(here | there) == 6 and _restrict(near, *sides) == _restrict(near, *sides[::-1]):
                yield _Trade(kept, sides)


def _restrict(near: Mapping[int, Iterable[frozenset[int]]], on: Iterable[int], off: Iterable[int]) -> Set[Set[int]]:
    """Return what clauses still say of other literals if these are on and off."""
    true = {*on, *(-one for one in off)}
    false = {-one for one in true}
    return {clause - false for one in true for clause in near[abs(one)] if clause.isdisjoint(true)}


class _RuleClauses:
    """The clauses of a rule: some at the beginning, and those that exclude what breaks the rule whenever it does."""

    def __init__(self, formula: _Formula, stated: MatrixRule) -> None:
        self._solver, self._stated = formula.solver, stated
        self._literals: dict[Element, int | bool] = {}  # True or False for what is on or off whatever is chosen
        for number, (element, options) in enumerate(zip(stated.rule.switches, stated.switches, strict=True)):
            self._literals[element] = number in stated.lit or (bool(options) and self._name(formula, options))
        self._exclude(stated.rule.list_faults())
        self._state_labels(formula)

    def _name(self, formula: _Formula, options: Sequence[int]) -> int:
        """Return a literal that is true if and only if one of these options is chosen."""
        for one in formula.literals[options[0]]:  # the color that they all have, and no others
            if formula.holders[one] == len(options) and all(one in formula.literals[option] for option in options):
                return one
        states = [*map(formula.name, options)]
        if len(states) == 1:
            return states[0]
        variable = formula.add_variable()
        self._solver.add([*states, -variable])
        for state in states:
            self._solver.add([-state, variable])
        return variable

    def _state_labels(self, formula: _Formula) -> None:
        """State, bit by bit, that the vertices of an edge that is on have the same label."""
        rule = self._stated.rule
        bits = max(rule.labels.values(), default=0).bit_length()
        if not bits:
            return
        states = {vertex: [formula.add_variable() for _ in range(bits)] for vertex in rule.places}
        for vertex, label in rule.labels.items():
            for bit, state in enumerate(states[vertex]):
                self._solver.add([state if label >> bit & 1 else -state])
        for edge, literal in self._literals.items():
            if literal is not False:
                off = [] if literal is True else [-literal]
                for one, other in zip(*map(states.__getitem__, edge), strict=True):
                    self._solver.add([*off, -one, other])
                    self._solver.add([*off, one, -other])

    def list_squares(self, variables: int) -> list[dict[Edge, int]]:
        """Return the literals of the lines around each square of a rule about paths, in order.

        There are none unless each edge has a variable of its own, one of the first ones, so that only clauses of the
        matrix tell what depends on it.
        """
        literals = {edge: one for edge, one in self._literals.items() if not isinstance(one, bool)}
        own = {*map(abs, literals.values())}
        if not isinstance(self._stated.rule, Paths) or len(own) < len(literals) or max(own, default=0) > variables:
            return []
        loops = self._stated.rule.list_short_loops()
        squares = [{edge: literals[edge] for edge in loop if edge in literals} for loop in loops]
        squares = [square for square in squares if len(square) == 4]
        return squares if len(squares) <= len(literals) else []  # dense graphs have too many

    def exclude_faults(self, true: Set[int]) -> bool:
        """Return whether a model breaks the rule; add clauses that exclude what breaks it."""
        on = [element for element, literal in self._literals.items() if literal is True or literal in true]
        return self._exclude(self._stated.rule.find_faults(on))

    def _exclude(self, faults: Iterable[Fault]) -> bool:
        has_faults = False
        for fault in faults:
            has_faults = True
            because = [self._literals[element] for element in fault.because]
            missing = [self._literals[element] for element in fault.missing]
            if not any(literal is False for literal in because) and not any(literal is True for literal in missing):
                clause = [-one for one in because if one is not True] + [one for one in missing if one]
                for one in [clause] if clause else [[1], [-1]]:
                    self._solver.add(one)
        return has_faults


class LearningCursor(Cursor):
    """A cursor that excludes what it has found as long as it searches the same subtree.

    It keeps what it has learned for the next subtree.
    """

    solutions = 0

    def __init__(self, formula: _Formula, stop: Stop) -> None:
        super().__init__(stop)
        self._formula = formula
        self._switch = 0  # a variable, as long as which is true the solutions of this subtree are excluded
        self._assumptions: list[int] = []
        self._newest: tuple[int, ...] | None = None
        self._known: set[tuple[int, ...]] = set()  # solutions found, and what trades make of them
        self._traded: list[tuple[int, ...]] = []  # those among them that are to be delivered
        self._is_done = False

    def begin(self, subtree: Subtree = ROOT, cheapest: int = 0, ceiling: int | None = None) -> None:
        formula = self._formula
        if self._switch:
            formula.solver.add([-self._switch])  # which is not needed any more
        self._switch, self._newest, self._is_done, self._waiting = 0, None, False, []
        self._known, self._traded = set(), []
        formula.may_guess = True
        wanted = dict.fromkeys(one for option in subtree.chosen for one in formula.literals[option])
        self._assumptions = [*wanted, *(-formula.name(option) for option in subtree.excluded)]
        self._takes_trades = not self._assumptions and bool(formula.trades)
        if self._takes_trades:
            self._assumptions = [formula.normal]

    def search(self, work: int, most: int = MAX_BATCH, *, listing: bool = True) -> bool:
        """Search for as long as the solver does without an answer, whatever the work."""
        formula = self._formula
        if self._newest is not None:
            self._exclude(self._newest)
            self._trade(self._newest)
            self._newest = None
        if self._is_done:
            return False
        if self._traded:
            self._newest = self._traded.pop()
        else:
            is_known, true = formula.find_on(self._assumptions, self.stop)
            self._is_done = is_known and true is None
            self._newest = None if true is None else formula.read(true)
        if self._newest is not None:
            self.solutions += 1
            if listing:
                self._waiting.append(self._newest)
        return not self._is_done

    def _trade(self, solution: tuple[int, ...]) -> None:
        """Note what trades make of a solution, of which the solver may find none."""
        if self._takes_trades:
            self._known.add(solution)
            for other in self._formula.list_traded(solution):
                if other not in self._known:
                    self._known.add(other)
                    self._traded.append(other)

    def _exclude(self, solution: Sequence[int]) -> None:
        """Exclude a solution of this subtree."""
        if not self._switch:
            self._switch = self._formula.add_variable()
            self._assumptions.append(self._switch)
        self._formula.exclude(solution, self._switch)

    def prove_only(self, solution: Sequence[int], subtree: Subtree, stop: Stop) -> list[int] | None:
        self.stop = stop
        self.begin(subtree)
        if self._takes_trades and any(self._formula.list_traded(solution)):
            return None
        self._exclude(solution)
        is_known, true = False, None
        while not is_known:
            is_known, true = self._formula.find_on(self._assumptions, self.stop)
        if true is not None:
            return None
        core = self._formula.solver.core
        return [option for option in subtree.chosen if not core.isdisjoint(self._formula.literals[option])]

    @property
    def nodes(self) -> int:
        return self._formula.solver.decisions

    @property
    def work(self) -> int:
        return self._formula.solver.propagations

    def explored(self) -> float:
        return float(self._is_done)

    @property
    def details(self) -> Mapping[str, int | str]:
        return {"conflicts": self._formula.solver.conflicts}

    def close(self) -> None:
        self._formula.solver.close()


class LearningEngine(Engine):
    """Conflict-driven clause learning, by a SAT solver of PySAT. A search for one solution gives it turns."""

    name = "learning"
    takes_rules = True

    def find_obstacle(self, matrix: Matrix) -> str | None:
        if matrix.costs:
            return "it does not minimize costs"
        is_large = len(matrix.entries) >= _MAX_ENTRIES
        return super().find_obstacle(matrix) or ("it has too many items in options" if is_large else None)

    def cursor(
        self, matrix: Matrix, stop: Stop, options: SearchOptions = DEFAULTS, observers: Observers = NOBODY
    ) -> LearningCursor:
        return LearningCursor(_Formula(matrix, stop), stop)

    def reusable(self, matrix: Matrix, stop: Stop) -> Cursor:
        return self.cursor(matrix, stop)
