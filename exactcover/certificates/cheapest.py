"""Proofs of least costs: a search for what is cheaper, whose nodes are pruned by the prices of items."""

from __future__ import annotations

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
    taxes = find_taxes(matrix)
    cheap = subtract_taxes(matrix, taxes).matrix
    origins = [matrix.origin(item) for item in range(matrix.items)]
    writer.add_step("prices", prices=[[origins[item], tax] for item, tax in enumerate(taxes) if tax], scale=1)
    nodes = NodeSpool()
    try:
        native = ENGINES.get("native")
        engine = ENGINES["sets"] if native is None or native.obstacle(matrix) is not None else native
        search = engine.subtrees(cheap, stop, nodes)
        assert search is not None
        paid = sum(tax * matrix.bounds(item)[0] for item, tax in enumerate(taxes) if tax)
        search.begin(ROOT, wanted, ceiling - paid)
        while search.advance(listing=True):
            pass
        writer.add_tree(origins, nodes)
    finally:
        nodes.close()
