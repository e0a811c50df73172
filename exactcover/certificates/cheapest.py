"""Proofs of least costs: a search for what is cheaper, whose nodes are pruned by the prices of items."""

from __future__ import annotations

from dataclasses import replace

from exactcover.certificates.writer import CertificateWriter, NodeSpool
from exactcover.control.stop import Stop
from exactcover.engines.registry import ENGINES
from exactcover.engines.trees import ROOT
from exactcover.model.matrix import Matrix
from exactcover.steps.order import find_taxes, subtract_taxes

__all__ = ["prove_cheapest"]


def prove_cheapest(writer: CertificateWriter, matrix: Matrix, wanted: int, ceiling: int, stop: Stop) -> None:
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
    """
    scale, prices = _find_prices(matrix, ceiling, stop)
    cheap = subtract_taxes(replace(matrix, costs=[scale * cost for cost in matrix.costs]), prices).matrix
    origins = [matrix.origin(item) for item in range(matrix.items)]
    stated = [[origins[item], price] for item, price in enumerate(prices) if price]
    writer.add_step("prices", prices=stated, scale=scale)
    nodes = NodeSpool()
    try:
        native = ENGINES.get("native")
        engine = ENGINES["sets"] if native is None or native.obstacle(matrix) is not None else native
        search = engine.subtrees(cheap, stop, nodes)
        assert search is not None
        paid = sum(price * matrix.bounds(item)[0] for item, price in enumerate(prices) if price)
        search.begin(ROOT, wanted, scale * (ceiling - 1) - paid + 1)
        while search.advance(listing=True):
            pass
        writer.add_tree(origins, nodes)
    finally:
        nodes.close()


def _find_prices(matrix: Matrix, ceiling: int, stop: Stop) -> tuple[int, list[int]]:
    """Return how many parts a unit of cost has, and the price of each item in such parts."""
    bounds = ENGINES.get("bounds")
    if bounds is None or bounds.obstacle(matrix) is not None:
        return 1, find_taxes(matrix)
    from exactcover.engines.relaxation import find_prices  # slow to import, like what it uses

    found = find_prices(matrix, stop, ceiling)
    return found.scale, found.prices.tolist()
