"""The certificate of a run: the nodes of all cubes, put together, are the tree of one search."""

from __future__ import annotations

import shutil
import tempfile
from typing import BinaryIO, cast

from exactcover.certificates.certify import ListingClaim
from exactcover.certificates.check import NotCertifiedError, Proof, check
from exactcover.certificates.writer import CertificateWriter, Family, describe_problem
from exactcover.control.options import Goal
from exactcover.control.stop import Stop
from exactcover.errors import ProblemError, StoreError
from exactcover.files.unpack import unpack_blocks
from exactcover.runs.problem import RunProblem
from exactcover.runs.records import format_path
from exactcover.runs.store import Store
from exactcover.steps.restriction import restrict

__all__ = ["certify_run"]


def certify_run(file: BinaryIO, problem: RunProblem, store: Store, goal: Goal, stop: Stop) -> None:
    """Write the certificate of a complete run, after it was checked.

    A cube contributes the nodes that were visited before it was divided. What was left comes after them in preorder,
    and so do the cubes that it became. So the nodes of all cubes, in the order of their paths, are the whole tree.

    Raises
    ------
    ProblemError
        If the run does not record nodes, or needed no search.
    StoreError
        If the nodes are damaged or do not prove the answer.
    """
    with tempfile.TemporaryFile() as draft:
        _write(cast(BinaryIO, draft), problem, store, goal, stop)
        draft.seek(0)
        try:
            check(draft, _find_checker())
        except (NotCertifiedError, ValueError, IndexError) as error:
            raise StoreError(f"{store.path}: the nodes do not prove the answer: {error}") from None
        draft.seek(0)
        shutil.copyfileobj(draft, file)


def _find_checker() -> type[Proof]:
    """Return the fastest checker that is installed."""
    try:
        from exactcover.certificates.quick import QuickProof
    except ImportError:  # installed without a C++ compiler
        return Proof
    return QuickProof


def _write(file: BinaryIO, problem: RunProblem, store: Store, goal: Goal, stop: Stop) -> None:
    """Write the certificate of a complete run, without checking it."""
    if problem.reason is not None or not problem.searched.records:
        why = "needed no search" if problem.reason is not None else "does not record the nodes of its search"
        raise ProblemError(f"the run {why}; exactcover count TARGET --certificate FILE proves the number")
    left = restrict(problem.matrix, problem.given_positions, problem.excluded_positions).matrix
    stated = describe_problem(problem, Family(problem.name, problem.params) if problem.name else None)
    with CertificateWriter(file, stated) as writer:
        writer.add_step("search", items=list(map(left.origin, range(left.items))))
        for path, data in stop.watch(store.trees()):
            try:
                for nodes in unpack_blocks(data):
                    stop.poll()
                    writer.add_nodes(nodes)
            except ValueError as error:
                raise StoreError(f"{store.path}: the nodes of cube {format_path(path)} are damaged: {error}") from None
        if goal.kind == "count":
            writer.end({"claim": "count", "number": store.totals().count})
            return
        claim = ListingClaim()
        for _, solution in stop.watch(store.solutions(len(problem.matrix))):
            claim.note(solution)
        writer.end(claim.stated)
