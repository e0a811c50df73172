"""The certificate of a run: the nodes of all cubes, put together, are the tree of one search."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from typing import IO, Any, BinaryIO, cast

from exactcover.certificates.certify import ListingClaim
from exactcover.certificates.check import NotCertifiedError, Problem, Proof, Step, check
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
    Stopped
        If `stop` asks for it; the check polls it, too.
    """
    with tempfile.TemporaryFile() as draft:
        _write(cast(BinaryIO, draft), problem, store, goal, stop)
        draft.seek(0)
        try:
            check(draft, _make_checker(stop))
        except (NotCertifiedError, ValueError, IndexError) as error:
            raise StoreError(f"{store.path}: the nodes do not prove the answer: {error}") from None
        draft.seek(0)
        shutil.copyfileobj(draft, file)


def _make_checker(stop: Stop) -> type[Proof]:
    """Return the fastest checker that is installed; it polls a stop."""
    checker: Any = Proof
    with suppress(ImportError):  # installed without a C++ compiler
        checker = import_module("exactcover.certificates.quick").QuickProof

    class PolledProof(checker):  # type: ignore[misc]  # either of both
        poll = stop.poll

        def __init__(self, problem: Problem, steps: list[Step], nodes: IO[bytes], *, lists: bool) -> None:
            super().__init__(problem, steps, nodes, lists=lists)
            self.nodes: Iterator[int] = stop.watch(self.nodes)

    return PolledProof


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
            writer.end({"claim": "count", "number": sum(record.count for record in store.tree())})
            return
        claim = ListingClaim()
        for _, solution in stop.watch(store.solutions(len(problem.matrix))):
            claim.note(solution)
        writer.end(claim.stated)
