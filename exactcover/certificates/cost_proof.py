"""Proofs of least costs: a search for what is cheaper, which the prices of items prune.

A search that takes long is divided: by two items, which one option covers or two different ones do, by an option, or by
the options of an item. What is left has prices of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from exactcover.certificates.writer import PRUNED, CertificateWriter, NodeSpool
from exactcover.control.recorder import Observers
from exactcover.control.stop import Stop
from exactcover.engines.base import ENGINES
from exactcover.engines.cursor import ROOT
from exactcover.model.matrix import Matrix
from exactcover.steps.soft import add_slack
from exactcover.steps.step import find_kept, find_taxes, restrict, subtract_taxes

if TYPE_CHECKING:  # slow to import
    import numpy

_ROOT_NODES, _NODES = 1 << 15, 1 << 12  # of a search, before it is divided
_SLICE = 1 << 9  # units of work between two looks at the number of nodes


class _CostState(NamedTuple):
    """A residual problem, the cost that its solutions must stay below, and the numbers of its options in the proof."""

    matrix: Matrix
    ceiling: int
    names: Sequence[int]

    def keep(self, options: Sequence[int]) -> _CostState:
        """Return the residual problem with only some of the options."""
        left = restrict(self.matrix, (), {*range(len(self.matrix))}.difference(options)).matrix
        return self._replace(matrix=left, names=[self.names[option] for option in options])

    def choose(self, option: int, without: Sequence[int] = ()) -> _CostState:
        """Return the residual problem when an option is chosen, without some others."""
        left = restrict(self.matrix, [option], without)
        names = [self.names[place] for place in find_kept(left.lift, len(left.matrix))]
        return _CostState(left.matrix, self.ceiling - self.matrix.costs[option], names)


class _Priced(NamedTuple):
    """Prices of items in parts of a unit of cost, and how much of each option the relaxation contains."""

    scale: int
    prices: list[int]
    shares: list[float]


def prove_cheapest(
    writer: CertificateWriter,
    matrix: Matrix,
    options: Sequence[int],
    wanted: int,
    ceiling: int,
    stop: Stop,
    problem: Matrix,
) -> None:
    """Write the proof of which solutions of a residual problem, at most `wanted`, cost less than a ceiling.

    `options` are the numbers of its options in `problem`, whose items the certificate names.
    """
    matrix = replace(matrix, costs=list(matrix.costs) or [0] * len(matrix))
    bounds = ENGINES.get("bounds")
    is_plain = not len(matrix) or matrix.first_underfilled() is not None
    proof = _CostProof(writer, problem, wanted, stop)
    if is_plain or bounds is None or bounds.find_obstacle(matrix) is not None:
        proof.write(_CostState(matrix, ceiling, options), by_relaxation=False)
    else:
        proof.write(proof.add_slack(_CostState(matrix, ceiling, options)), by_relaxation=True)


class _CostProof:
    """Writes the steps of a proof, in which items have the numbers `_numbers`, and there are `_rows` options."""

    def __init__(self, writer: CertificateWriter, problem: Matrix, wanted: int, stop: Stop) -> None:
        self._writer, self._wanted, self._stop = writer, wanted, stop
        self._native = ENGINES.get("native")
        self._numbers, self._primary, self._rows = [*range(problem.items)], problem.primary, len(problem)

    def add_slack(self, state: _CostState) -> _CostState:
        """Write the step that gives options to items that may be covered once less; return what it leads to."""
        slack = add_slack(state.matrix)
        if not slack.items:
            return state
        named = [self._numbers[state.matrix.origin(item)] for item in slack.items]
        self._writer.add_step("slack", items=named)
        free = [item for item in named if item >= self._primary]
        others = {*range(self._primary, len(self._numbers))}.difference(free)
        moved = {item: place for place, item in enumerate([*range(self._primary), *free, *sorted(others)])}
        self._numbers = [moved[item] for item in self._numbers]
        self._primary += len(free)
        more = range(self._rows, self._rows + len(named))
        self._rows += len(named)
        return state._replace(matrix=slack.matrix, names=[*state.names, *more])

    def write(self, state: _CostState, *, by_relaxation: bool) -> None:
        """Write the proof of which solutions cost less than the ceiling of a state."""
        waiting, most_nodes = [state], _ROOT_NODES
        while waiting:
            self._stop.poll()
            state = waiting.pop()
            priced = _find_prices(state, self._stop) if by_relaxation else _Priced(1, find_taxes(state.matrix), [])
            waiting += reversed(self._prove(state, priced, most_nodes if by_relaxation else None))
            most_nodes = _NODES

    def _prove(self, state: _CostState, priced: _Priced, most_nodes: int | None) -> list[_CostState]:
        """Write the proof of a state, up to what is returned: the states whose proofs have to follow."""
        matrix = state.matrix
        origins = self._name_items(matrix)
        stated = [[origins[item], price] for item, price in enumerate(priced.prices) if price]
        self._writer.add_step("prices", prices=stated, scale=priced.scale)
        paid = sum(price * matrix.bounds(item)[0] for item, price in enumerate(priced.prices) if price)
        left = priced.scale * (state.ceiling - 1) - paid
        if left < 0:
            self._writer.add_step("search", items=[])
            self._writer.add_nodes(PRUNED)
            return []
        kept = [option for option in range(len(matrix)) if _find_rest(matrix, option, priced) <= left]
        if len(kept) < len(matrix):
            self._writer.add_step("dear")
            state = state.keep(kept)
            if _find_most_items(state.matrix) < _find_most_items(matrix):  # on which the bound of the search depends
                self._writer.add_step("prices", prices=stated, scale=priced.scale)
        if self._search(state.matrix, priced, left, most_nodes):
            return []
        return self._divide(state) or self._divide_by_options(state, priced)

    def _divide(self, state: _CostState) -> list[_CostState]:
        """Write the step that divides a state by two items or an option; return its children, none if it cannot."""
        import numpy

        from exactcover.engines.branching import Splits, choose_way
        from exactcover.engines.relaxation import Relaxation  # slow to import, like what it uses

        penalty = 4 * max(1, state.ceiling) + 1  # the cost of covering an item without an option
        relaxation = Relaxation(state.matrix, penalty)
        _, shares = relaxation.solve(self._stop)
        value, basis = relaxation.value, relaxation.basis

        def find_value(allowed: numpy.ndarray[Any, Any]) -> float:
            self._stop.poll()
            relaxation.allow(allowed, basis)
            relaxation.solve(self._stop)
            return relaxation.value

        def find_gain(child: float) -> float | None:
            return None if child > state.ceiling else child - value

        ways = Splits(state.matrix).list_ways(numpy.ones(len(state.matrix), bool), shares)
        chosen = choose_way(ways, find_value, find_gain)
        if chosen is None:
            return []
        (children, by), _ = chosen
        if isinstance(by, int):
            self._writer.add_step("option", option=state.names[by])
            return [state.choose(by), state.keep(numpy.flatnonzero(children[1]).tolist())]
        origins = self._name_items(state.matrix)
        self._writer.add_step("pair", items=[origins[item] for item in by])
        return [state.keep(numpy.flatnonzero(allowed).tolist()) for allowed in children]

    def _search(self, matrix: Matrix, priced: _Priced, left: int, most_nodes: int | None) -> bool:
        """Write the tree of a search, unless it takes long; return whether it is written."""
        scale, prices, _ = priced
        cheap = subtract_taxes(replace(matrix, costs=[scale * cost for cost in matrix.costs]), prices).matrix
        native = self._native
        engine = ENGINES["sets"] if native is None or native.find_obstacle(cheap) is not None else native
        with closing(NodeSpool()) as nodes:
            cursor = engine.cursor(cheap, self._stop, observers=Observers(log=nodes))
            cursor.begin(ROOT, self._wanted, left + 1)
            more = True
            while more and (most_nodes is None or cursor.nodes < most_nodes):
                self._stop.poll()
                more = cursor.search(_SLICE)  # not by the clock
            if not more:
                self._writer.add_tree(self._name_items(matrix), nodes)
        return not more

    def _divide_by_options(self, state: _CostState, priced: _Priced) -> list[_CostState]:
        """Write the step that branches on the item with the fewest options; return its children."""
        matrix = state.matrix
        holders = [[option for option, _ in held] for held in matrix.holders()]
        item = min(
            (item for item in range(matrix.primary) if holders[item]),
            key=lambda item: (matrix.bounds(item)[0] == 0, len(holders[item]) - matrix.bounds(item)[0]),
        )
        missing = matrix.bounds(item)[0]
        options = sorted(holders[item], key=lambda option: _find_rest(matrix, option, priced))
        tried = options[: len(options) - missing + 1] if missing else options
        self._writer.add_step("branch", item=self._name_items(matrix)[item], children=len(tried) + (not missing))
        children = [state.choose(option, options[:place]) for place, option in enumerate(tried)]
        return children if missing else [*children, state.keep(sorted({*range(len(matrix))}.difference(options)))]

    def _name_items(self, matrix: Matrix) -> list[int]:
        return [self._numbers[matrix.origin(item)] for item in range(matrix.items)]


def _find_prices(state: _CostState, stop: Stop) -> _Priced:
    from exactcover.engines.relaxation import find_prices  # slow to import, like what it uses

    if not len(state.matrix):
        return _Priced(1, [0] * state.matrix.items, [])
    found = find_prices(state.matrix, stop, max(1, state.ceiling))
    return _Priced(found.scale, found.prices.tolist(), found.shares.tolist())


def _find_rest(matrix: Matrix, option: int, priced: _Priced) -> int:
    return priced.scale * matrix.costs[option] - sum(priced.prices[item] for item, _ in matrix.option(option))


def _find_most_items(matrix: Matrix) -> int:
    """Return the largest number of primary items of an option."""
    return max((sum(item < matrix.primary for item, _ in matrix.option(k)) for k in range(len(matrix))), default=1)
