"""Writing certificates: a problem, a claim and the steps of its proof, as a ZIP archive of three files."""

from __future__ import annotations

import json
import shutil
import tempfile
import zipfile
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import IO, Any, BinaryIO, NamedTuple, Protocol, Self

from exactcover.control.recorder import FIRST_ITEM, TreeRecorder, encode_numbers
from exactcover.control.statistics import Status
from exactcover.errors import OutputError, ProblemError
from exactcover.model.matrix import Matrix
from exactcover.rules import MatrixRule
from exactcover.search.query import describe_bounds

FORMAT = "exactcover certificate 3"
"""The name of the format."""

_LEVEL = 1  # of compression; a higher one takes several times as long, and saves little
MAX_IN_MEMORY = 1 << 24
"""Bytes of nodes that are kept in memory; more are kept in a temporary file."""

ONE_SOLUTION = encode_numbers((0,))
"""The tree of a state that is solved."""
PRUNED = encode_numbers((1,))
"""The tree of a state whose solutions cost too much."""
DEAD_END = encode_numbers((FIRST_ITEM, 0))
"""The tree of a state whose only item has too few options."""


class CertifiedProblem(Protocol):
    """A problem and its question, as a certificate states them; each :class:`Model` is such an object."""

    @property
    def matrix(self) -> Matrix: ...
    @property
    def items(self) -> Sequence[object]: ...
    @property
    def labels(self) -> Sequence[object]: ...
    @property
    def given_positions(self) -> Collection[int]: ...
    @property
    def excluded_positions(self) -> Collection[int]: ...
    @property
    def cost_units(self) -> int: ...


class Family(NamedTuple):
    """The encoder that made a problem, and its parameters: words for people, which prove nothing."""

    name: str
    params: Mapping[str, Any]


def describe_problem(model: CertifiedProblem, family: Family | None = None) -> dict[str, Any]:
    """Return a problem and a question as they stand in a certificate; docs/certificates.md explains it."""
    matrix = model.matrix
    if matrix.weighted:
        raise ProblemError("a certificate has no place for weights: an option covers an item several times")
    params = {} if family is None else family.params
    return {
        "format": FORMAT,
        "family": None if family is None else family.name,
        "params": {name: write_parameter(value) for name, value in params.items()},
        "items": [str(item) for item in model.items],
        "primary": matrix.primary,
        "options": matrix.list_options(),
        "labels": [str(label) for label in model.labels],
        "costs": list(matrix.costs) or [0] * len(matrix),
        "places": len(str(model.cost_units)) - 1,
        "multiplicity": describe_bounds(matrix),
        "given": sorted(set(model.given_positions)),
        "without": sorted(set(model.excluded_positions)),
        **({"rules": [describe_rule(stated) for stated in matrix.rules]} if matrix.rules else {}),
    }


def describe_rule(stated: MatrixRule) -> dict[str, Any]:
    """Return a rule as it stands in a certificate."""
    numbered = stated.rule.number_vertices()
    common = {"rule": numbered.kind, "elements": numbered.elements, "switches": stated.switches}
    if numbered.kind == "regions":
        return common | {name: getattr(numbered, name) for name in ("neighbors", "sizes", "weights")}
    return common | ({"ends": numbered.ends} if numbered.kind == "paths" else {"or_none": numbered.or_none})


def write_parameter(value: object) -> str:
    """Return the value of a parameter as text."""
    return value if isinstance(value, str) else to_json(value)


class NodeSpool(TreeRecorder):
    """Keeps the nodes of a search until it is known whether they are needed.

    With `skips_leaves`, small subtrees may be left to the checker.
    """

    def __init__(self, *, skips_leaves: bool = False) -> None:
        self.skips_leaves = skips_leaves
        self._file = tempfile.SpooledTemporaryFile(max_size=MAX_IN_MEMORY)  # noqa: SIM115  # closed by `close`
        self.is_begun = False  # whether a search has begun
        self.origins: Sequence[int] = ()  # the item of the problem for each item of the search

    def begin(self, header: Mapping[str, Any]) -> None:
        self.is_begun = header["reason"] is None  # else there is no tree
        self.origins = header["origins"]

    def extend(self, nodes: bytes | bytearray) -> None:
        self._file.write(nodes)

    def end(self, status: Status, solutions: int) -> None:
        pass

    def copy_to(self, file: BinaryIO) -> None:
        """Copy all nodes to a file."""
        self._file.seek(0)
        shutil.copyfileobj(self._file, file)

    def close(self) -> None:
        """Drop the nodes."""
        self._file.close()


class CertificateWriter:
    """Writes one certificate of what :func:`describe_problem` returned, in a ``with`` block."""

    def __init__(self, file: BinaryIO, problem: Mapping[str, Any]) -> None:
        self.options = len(problem["options"])
        self._archive = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL)
        self._steps: list[dict[str, Any]] = []
        try:
            self._add("problem.json", problem)
            self._nodes = self._archive.open("nodes", "w", force_zip64=True)
        except BaseException:
            _drop(self._archive)
            raise

    def add_step(self, by: str, **fields: Any) -> None:
        """Add a step; those that it needs follow."""
        self._steps.append({"by": by, **fields})

    def add_tree(self, items: Sequence[int], nodes: NodeSpool) -> None:
        """Add the step for a tree; `items` are the items of the problem, by their numbers in the tree."""
        self.add_step("search", items=list(items))
        nodes.copy_to(self._nodes)  # type: ignore[arg-type]

    def add_nodes(self, nodes: bytes) -> None:
        """Add nodes to the tree of the last step."""
        self._nodes.write(nodes)

    def end(self, claim: Mapping[str, Any]) -> None:
        """Write the proof; the certificate is complete at the end of the block."""
        self._nodes.close()
        self._add("proof.json", [claim, *self._steps])

    def _add(self, name: str, content: object) -> None:
        """Add a file, without the time, so that equal proofs are equal files."""
        self._archive.writestr(zipfile.ZipInfo(name), to_json(content), zipfile.ZIP_DEFLATED, _LEVEL)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if error is None:
            self._archive.close()
            return
        _drop(self._nodes, self._archive)


def _drop(*parts: IO[bytes] | zipfile.ZipFile) -> None:
    """Close the parts of a certificate that is not complete; its file is dropped, too."""
    for part in parts:
        with suppress(OSError, ValueError, OutputError):
            part.close()


def to_json(content: object) -> str:
    """Return JSON without spaces; what JSON does not know is written as text."""
    return json.dumps(content, separators=(",", ":"), default=str)
