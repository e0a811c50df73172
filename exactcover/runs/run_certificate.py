"""The certificate of a run: the nodes of all cubes, put together, are the tree of a search, or one for each part."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from itertools import groupby
from typing import IO, Any, BinaryIO, cast

from exactcover.certificates.certify import ListingClaim
from exactcover.certificates.check import NotCertifiedError, Problem, Proof, Step, check
from exactcover.certificates.count_proof import FORCED_CHOICES, describe_split
from exactcover.certificates.writer import CertificateWriter, Family, describe_problem
from exactcover.control.options import Goal
from exactcover.control.stop import Stop
from exactcover.errors import ProblemError, StoreError
from exactcover.files.read import unpack_blocks
from exactcover.model.matrix import Matrix
from exactcover.runs.cube import CubePath
from exactcover.runs.plan import PlannedPart, PlanObserver
from exactcover.runs.records import format_path
from exactcover.runs.run_problem import PlannedSearch, RunProblem
from exactcover.runs.store import Store
from exactcover.steps.step import restrict
from exactcover.symmetry.remainders import Remainder, Symmetries
from exactcover.symmetry.splitting import Branch, Split


def certify_run(
    file: BinaryIO, problem: RunProblem, planned: PlannedSearch, store: Store, goal: Goal, stop: Stop
) -> None:
    """Write the certificate of a complete run, after it was checked; the check polls the stop, too.

    A cube contributes the nodes that were visited before it was divided. What was left comes after them in preorder,
    and so do the cubes that it became. So the nodes of all cubes, in the order of their paths, are the whole tree. If
    there is a plan, its splits are steps of the proof, and each part has a tree of its own.

    Raise ``ProblemError`` if the run does not record nodes, or needed no search, and ``StoreError`` if the nodes are
    damaged or do not prove the answer.
    """
    with tempfile.TemporaryFile() as draft:
        write_proof(cast(BinaryIO, draft), problem, planned, store, goal, stop)
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


def write_proof(
    file: BinaryIO, problem: RunProblem, planned: PlannedSearch, store: Store, goal: Goal, stop: Stop
) -> None:
    """Write the certificate of a complete run, without checking it."""
    if problem.reason is not None or not problem.records:
        why = "needed no search" if problem.reason is not None else "does not record the nodes of its search"
        raise ProblemError(f"the run {why}; exactcover count TARGET --certificate FILE proves the number")
    left = restrict(problem.matrix, problem.given_positions, problem.excluded_positions).matrix
    stated = describe_problem(problem, Family(problem.name, problem.params) if problem.name else None)
    with CertificateWriter(file, stated) as writer:
        trees = _Trees(writer, store, stop)
        if problem.plan is None:
            trees.add(left)
        else:
            problem.plan.parts(left, stop, observer=trees, options=planned.whole.positions)
        if goal.kind == "count":
            writer.end({"claim": "count", "number": int(store.totals(planned.weight_of).count)})
            return
        claim = ListingClaim()
        for _, solution in stop.watch(store.solutions(len(problem.matrix))):
            claim.note(solution)
        writer.end(claim.stated)


class _Trees(PlanObserver):
    """Writes the splits of a plan, and the tree of each part, with the nodes of all its cubes."""

    def __init__(self, writer: CertificateWriter, store: Store, stop: Stop) -> None:
        self._writer, self._store, self._stop = writer, store, stop
        self._rows = iter(store.trees())
        self._parts = groupby(self._rows, lambda row: row[0][:1])

    def note_split(self, remainder: Remainder, split: Split, symmetries: Symmetries) -> None:
        self._writer.add_step(**describe_split(remainder, split, symmetries))

    def note_branch(self, branch: Branch) -> None:
        if branch.forces:
            self._writer.add_step(**FORCED_CHOICES)

    def note_part(self, part: PlannedPart) -> None:
        _, rows = next(self._parts, ((), ()))
        self.add(part.matrix, rows)

    def add(self, matrix: Matrix, rows: Iterable[tuple[CubePath, bytes]] | None = None) -> None:
        """Write the tree of the search of a matrix, by default with the nodes of all cubes."""
        self._writer.add_step("search", items=list(map(matrix.origin, range(matrix.items))))
        for path, data in self._stop.watch(self._rows if rows is None else rows):
            try:
                for nodes in unpack_blocks(data):
                    self._stop.poll()
                    self._writer.add_nodes(nodes)
            except ValueError as error:
                where = f"{self._store.path}: the nodes of cube {format_path(path)}"
                raise StoreError(f"{where} are damaged: {error}") from None
