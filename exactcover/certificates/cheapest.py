"""Proofs of least costs: a search for what is cheaper, which the prices of items prune.

A search that takes long is divided: by two items, which one option covers or two different ones do, or by the options
of an item. What is left has prices of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import NamedTuple

from exactcover.certificates.writer import PRUNED, CertificateWriter, NodeSpool
from exactcover.control.stop import Stop
from exactcover.engines.native_subtrees import NativeSubtreeSearch
from exactcover.engines.pairs import WHOLE, list_pairs
from exactcover.engines.registry import ENGINES
from exactcover.engines.trees import ROOT
from exactcover.model.matrix import Matrix
from exactcover.steps.order import find_taxes, subtract_taxes
from exactcover.steps.restriction import restrict
from exactcover.steps.slack import add_slack

__all__ = ["prove_cheapest"]

_ROOT_NODES, _NODES = 1 << 15, 1 << 12  # of a search, before it is divided
_SLICE = 1 << 9  # units of work between two looks at the number of nodes


class _State(NamedTuple):
    """What is left, and what the options to come cost less than."""

    matrix: Matrix
    ceiling: int


class _Priced(NamedTuple):
    """Prices of items in parts of a unit of cost, and how much of each option the relaxation contains."""

    scale: int
    prices: list[int]
    shares: list[float]


def prove_cheapest(
    writer: CertificateWriter, matrix: Matrix, wanted: int, ceiling: int, stop: Stop, problem: Matrix
) -> None:
    """Write the proof of which solutions cost less than a ceiling.

    Parameters
    ----------
    writer
        The certificate.
    matrix
        What the givens have left.
    wanted
        No fewer than there are such solutions.
    ceiling
        What they cost less than.
    stop
        Polled often.
    problem
        The problem itself, whose items the certificate names.
    """
    matrix = replace(matrix, costs=list(matrix.costs) or [0] * len(matrix))
    bounds = ENGINES.get("bounds")
    is_plain = not len(matrix) or matrix.first_underfilled() is not None
    if is_plain or bounds is None or bounds.obstacle(matrix) is not None:
        _Proof(writer, range(problem.items), wanted, stop).write(matrix, ceiling, by_relaxation=False)
        return
    slack = add_slack(matrix)
    named = [matrix.origin(item) for item in slack.items]
    free = [item for item in named if item >= problem.primary]
    order = [*range(problem.primary), *free, *sorted({*range(problem.primary, problem.items)}.difference(free))]
    numbers = sorted(range(problem.items), key=order.__getitem__)
    if named:
        writer.add_step("slack", items=named)
    _Proof(writer, numbers, wanted, stop).write(slack.matrix, ceiling, by_relaxation=True)


class _Proof:
    """Writes the steps of a proof; `numbers` are those of the items of the problem in these steps."""

    def __init__(self, writer: CertificateWriter, numbers: Sequence[int], wanted: int, stop: Stop) -> None:
        self._writer, self._numbers, self._wanted, self._stop = writer, numbers, wanted, stop
        self._native = ENGINES.get("native")

    def write(self, matrix: Matrix, ceiling: int, *, by_relaxation: bool) -> None:
        """Write the proof of which solutions of a matrix cost less than a ceiling."""
        waiting, most_nodes = [_State(matrix, ceiling)], _ROOT_NODES
        while waiting:
            self._stop.poll()
            state = waiting.pop()
            priced = _find_prices(state, self._stop) if by_relaxation else _Priced(1, find_taxes(state.matrix), [])
            waiting += reversed(self._prove(state, priced, most_nodes if by_relaxation else None))
            most_nodes = _NODES

    def _prove(self, state: _State, priced: _Priced, most_nodes: int | None) -> list[_State]:
        """Write the proof of a state, up to what is returned: the states whose proofs have to follow."""
        matrix = state.matrix
        scale, prices, shares = priced
        origins = self._name_items(matrix)
        stated = [[origins[item], price] for item, price in enumerate(prices) if price]
        self._writer.add_step("prices", prices=stated, scale=scale)
        paid = sum(price * matrix.bounds(item)[0] for item, price in enumerate(prices) if price)
        left = scale * (state.ceiling - 1) - paid
        if left < 0:
            self._writer.add_step("search", items=[])
            self._writer.add_nodes(PRUNED)
            return []
        kept = [option for option in range(len(matrix)) if _find_rest(matrix, option, priced) <= left]
        if len(kept) < len(matrix):
            self._writer.add_step("dear")
            matrix = _keep(matrix, kept)
        if self._search(matrix, priced, left, most_nodes):
            return []
        parts = {place: shares[option] for place, option in enumerate(kept) if WHOLE < shares[option] < 1 - WHOLE}
        for pair in list_pairs(matrix, parts)[:1]:
            self._writer.add_step("pair", items=[origins[item] for item in pair])
            return [_State(part, state.ceiling) for part in _divide_by_pair(matrix, pair)]
        return self._divide_by_options(_State(matrix, state.ceiling), priced)

    def _search(self, matrix: Matrix, priced: _Priced, left: int, most_nodes: int | None) -> bool:
        """Write the tree of a search, unless it takes long; return whether it is written."""
        scale, prices, _ = priced
        cheap = subtract_taxes(replace(matrix, costs=[scale * cost for cost in matrix.costs]), prices).matrix
        native = self._native
        engine = ENGINES["sets"] if native is None or native.obstacle(cheap) is not None else native
        with closing(NodeSpool()) as nodes:
            search = engine.subtrees(cheap, self._stop, nodes)
            assert search is not None
            search.begin(ROOT, self._wanted, left + 1)
            more = True
            while more and not (most_nodes is not None and search.nodes >= most_nodes):
                if most_nodes is not None and isinstance(search, NativeSubtreeSearch):
                    self._stop.poll()
                    more = search.work(_SLICE, listing=True)  # not by the clock
                else:
                    more = search.advance(listing=True)
            if not more:
                self._writer.add_tree(self._name_items(matrix), nodes)
        return not more

    def _divide_by_options(self, state: _State, priced: _Priced) -> list[_State]:
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
        children = [
            _State(restrict(matrix, [option], options[:place]).matrix, state.ceiling - matrix.costs[option])
            for place, option in enumerate(tried)
        ]
        return children if missing else [*children, _State(restrict(matrix, (), options).matrix, state.ceiling)]

    def _name_items(self, matrix: Matrix) -> list[int]:
        return [self._numbers[matrix.origin(item)] for item in range(matrix.items)]


def _find_prices(state: _State, stop: Stop) -> _Priced:
    from exactcover.engines.relaxation import find_prices  # slow to import, like what it uses

    if not len(state.matrix):
        return _Priced(1, [0] * state.matrix.items, [])
    found = find_prices(state.matrix, stop, max(1, state.ceiling))
    return _Priced(found.scale, found.prices.tolist(), found.shares.tolist())


def _find_rest(matrix: Matrix, option: int, priced: _Priced) -> int:
    return priced.scale * matrix.costs[option] - sum(priced.prices[item] for item, _ in matrix.option(option))


def _keep(matrix: Matrix, options: Sequence[int]) -> Matrix:
    return restrict(matrix, (), {*range(len(matrix))}.difference(options)).matrix


def _divide_by_pair(matrix: Matrix, pair: tuple[int, int]) -> tuple[Matrix, Matrix]:
    """Return what is left if one option covers both items, and if two different ones do."""
    held = [sum(item in pair for item, _ in matrix.option(option)) for option in range(len(matrix))]
    together = [option for option, number in enumerate(held) if number != 1]
    apart = [option for option, number in enumerate(held) if number != 2]
    return _keep(matrix, together), _keep(matrix, apart)
