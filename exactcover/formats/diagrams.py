"""A diagram as a file: a problem and the set of its solutions.

The file is a ZIP archive with these members:

``header.json``
    ``exactcover``, the version of the program that wrote the file; ``format``, always 2; ``problem`` and ``params``,
    the name and the parameters of an encoder, or null and {}; ``hash``, the fingerprint of the problem; ``order``, the
    positions of the options from the top of the diagram down; ``givens`` and ``excluded``, positions of options, both
    optional; ``nodes``, the number of nodes; ``root``, the number of the root; and ``solutions``, the number of
    solutions as text.
``problem.json``
    The problem in the format of :mod:`exactcover.formats.json_problem`.
``level``, ``lo``, ``hi``
    One unsigned 32-bit little-endian integer per node, children before parents. Node 0 is the empty family, node 1 the
    family of the empty set; the nodes in the file are numbered 2, 3, ... A node represents the sets of its ``lo``, and
    the sets of its ``hi`` with the option at its ``level`` added to each.
"""

from __future__ import annotations

import io
import json
import os
import sys
import zipfile
import zlib
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from exactcover.control.arguments import check_arguments
from exactcover.control.memory import half_of_free_memory
from exactcover.control.statistics import Status
from exactcover.control.stop import InnerStop, Stop, Stopped
from exactcover.diagram.diagram import Diagram
from exactcover.diagram.zdd import EMPTY, UNIT, Zdd
from exactcover.encoders.encoder import Encoder
from exactcover.errors import ConfigError, Mistake, StoppedError
from exactcover.files.json_text import dump_json, load_json
from exactcover.files.read import open_regular
from exactcover.formats import json_problem
from exactcover.formats.registry import describe_format
from exactcover.pictures import contact_sheet, heat_maps
from exactcover.pictures.text import digits, format_count, printable
from exactcover.problem import Problem

__all__ = ["FORMAT", "DiagramFile", "read", "write", "write_dddmp", "write_dot", "write_graphillion", "write_heat_map"]

FORMAT = 2
_OPTIONAL_KEYS = ("givens", "excluded")  # of the header
_COLUMNS = ("level", "lo", "hi")
_ALWAYS_UNPACKED = 1 << 22  # bytes
_MAX_RATIO = 100  # unpacked to packed bytes, in files that unpack to more than that
_JSON_MEMORY = 25  # bytes that a byte of JSON can take in memory,
_NODE_MEMORY = 25  # and a byte of a node
_TIMESTAMP = (1980, 1, 1, 0, 0, 0)  # fixed, so that the same diagram always gives the same bytes


@check_arguments
def write(
    diagram: Diagram[Problem],
    out: str | os.PathLike[str] | BinaryIO,
    *,
    version: str,
    name: str | None = None,
    params: Mapping[str, Any] | None = None,
) -> None:
    """Write a diagram and its problem; the same diagram gives the same bytes.

    Parameters
    ----------
    diagram
        The diagram.
    out
        A path, or a file open for bytes.
    version
        The version of the program that writes the file.
    name, params
        The name and parameters of the encoder that made the problem, if any.

    Raises
    ------
    ValueError
        If two items or two labels have the same text.

    Examples
    --------
    >>> file = io.BytesIO()
    >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]})
    >>> write(problem.diagram(), file, version="1.0")
    >>> list(read(file).diagram(problem))
    [('A', 'B'), ('C',)]
    """
    problem_text = io.StringIO()
    json_problem.write(diagram.problem, problem_text)
    zdd = diagram.zdd
    header = {
        "exactcover": version,
        "format": FORMAT,
        "problem": name,
        "params": dict(params or {}),
        "hash": diagram.problem.fingerprint(),
        "givens": list(diagram.problem.given_positions),
        "excluded": list(diagram.problem.excluded_positions),
        "order": list(diagram.positions),
        "nodes": len(zdd),
        "root": zdd.root,
        "solutions": digits(diagram.count),
    }
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        members: dict[str, str | bytes] = {"header.json": dump_json(header), "problem.json": problem_text.getvalue()}
        members |= {column: _to_column(getattr(zdd, column)).tobytes() for column in _COLUMNS}
        for member, content in members.items():
            archive.writestr(zipfile.ZipInfo(member, _TIMESTAMP), content, zipfile.ZIP_DEFLATED)


@dataclass(frozen=True)
class DiagramFile:
    """The contents of a diagram file. Everything but the problem has been checked.

    Attributes
    ----------
    source
        The name used in errors.
    name, params
        The name and parameters of the encoder that made the problem, or None and {}.
    order
        The positions of the options from the top of the diagram down.
    zdd
        The diagram without names.
    problem_text
        The problem as JSON.
    fingerprint
        The hash of the problem.
    givens, excluded
        Positions of options.
    """

    source: str
    name: str | None
    params: Mapping[str, Any]
    order: tuple[int, ...]
    zdd: Zdd
    problem_text: str
    fingerprint: str
    givens: tuple[int, ...] = ()
    excluded: tuple[int, ...] = ()

    @check_arguments
    def diagram(self, problem: Problem | None = None, *, stop: Stop | None = None) -> Diagram[Problem]:
        """Return the diagram.

        Parameters
        ----------
        problem
            The problem that the diagram belongs to; None for the problem in the file, where
            all names are texts.
        stop
            Polled while the problem in the file is read.

        Raises
        ------
        ConfigError
            If the diagram belongs to another problem, or its first or last member is not a solution.
        """
        if problem is None:
            problem = json_problem.read(self.problem_text, f"{self.source}: problem.json", stop=stop)
        if problem.fingerprint() != self.fingerprint:
            raise self._error("the file belongs to another problem: the hash of items and options differs")
        if len(problem.labels) != len(self.order):
            raise self._error("its 'order' does not contain every option")
        if self.givens or self.excluded:
            given, without = ([problem.labels[k] for k in positions] for positions in (self.givens, self.excluded))
            problem = problem.instance(given, without)
        diagram = Diagram(problem, self.zdd, self.order)
        for solution in (diagram[0], diagram[-1]) if diagram else ():  # a full check would take too long
            verdict = problem.verify(solution)
            if not verdict:
                raise self._error(f"it contains a set that is not a solution: {verdict}")
        return diagram

    def _error(self, message: str) -> ConfigError:
        return ConfigError([Mistake(message, self.source)])


@check_arguments
def read(
    file: str | os.PathLike[str] | BinaryIO, source: str | None = None, *, stop: Stop | None = None
) -> DiagramFile:
    """Read a file written by :func:`write`.

    Parameters
    ----------
    file
        A path, or a file open for bytes.
    source
        Its name in errors.
    stop
        Polled often. In any case, no more than half of the free memory is used.

    Raises
    ------
    ConfigError
        If the file cannot be read, is truncated, or does not contain an ordered and reduced diagram with the stated
        number of solutions.
    StoppedError
        If `stop` asks for it, or there is not enough memory.
    """
    source = source or str(file)
    limits = InnerStop(stop or Stop())
    limits.limit(memory=half_of_free_memory())
    try:
        with ExitStack() as files:
            opened = files.enter_context(open_regular(Path(file))) if isinstance(file, str | os.PathLike) else file
            return _read(files.enter_context(zipfile.ZipFile(opened)), source, limits)
    except Stopped as stopped:
        raise StoppedError(stopped.status) from None
    except OSError as error:
        raise ConfigError([Mistake(f"cannot be read: {error.strerror or error}", source)]) from None
    except (zipfile.BadZipFile, zlib.error, KeyError, ValueError, RuntimeError, EOFError, RecursionError) as error:
        if isinstance(error, ConfigError):
            raise
        why = next(iter(error.args), "unexpected end of file")
        raise ConfigError([Mistake(f"not a .zdd diagram file, or truncated: {why}", source)]) from None


def _read(archive: zipfile.ZipFile, source: str, stop: Stop) -> DiagramFile:
    _check_members(archive)
    _check_memory(archive, stop)
    header = load_json(_unpack(archive, "header.json"))
    _check_header(header, source)
    if any(_get_member(archive, column).file_size != 4 * header["nodes"] for column in _COLUMNS):
        raise ValueError(f"expected {format_count(header['nodes'], 'node')}, as the header says")
    level, lo, hi = (_to_column(_unpack(archive, column)) for column in _COLUMNS)
    height = len(header["order"])
    _check_nodes(height, level, lo, hi, header["root"], stop)
    zdd = Zdd(height, level, lo, hi, header["root"])
    if digits(zdd.count_sets(stop)) != header["solutions"]:
        raise ValueError("the number of solutions differs from that in the header")
    problem_text = _unpack(archive, "problem.json").decode("utf-8")
    givens, excluded = (tuple(header.get(key, ())) for key in ("givens", "excluded"))
    if not set(givens) | set(excluded) <= set(header["order"]):
        raise ValueError("a given or excluded position is not that of an option")
    order = tuple(header["order"])
    name, params, fingerprint = header["problem"], header["params"], header["hash"]
    return DiagramFile(source, name, params, order, zdd, problem_text, fingerprint, givens, excluded)


def _check_members(archive: zipfile.ZipFile) -> None:
    """Reject decompression bombs before anything is unpacked."""
    packed = unpacked = 0
    for member in archive.infolist():
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"the compression method of member {member.filename!r} is not supported")
        packed, unpacked = packed + member.compress_size, unpacked + member.file_size
    packed = min(packed, archive.start_dir)  # what the archive says of itself may be wrong
    if unpacked > max(_ALWAYS_UNPACKED, _MAX_RATIO * packed):
        raise ValueError(f"{packed:,} bytes would unpack to {unpacked:,}, which is too large")


def _check_memory(archive: zipfile.ZipFile, stop: Stop) -> None:
    """Raise :class:`Stopped` if the contents could need more memory than is allowed."""
    need = sum(
        member.file_size * (_NODE_MEMORY if member.filename in _COLUMNS else _JSON_MEMORY)
        for member in archive.infolist()
    )
    stop.poll()
    if not stop.has_memory(need):
        raise Stopped(Status.MEMORY)


def _get_member(archive: zipfile.ZipFile, name: str) -> zipfile.ZipInfo:
    if name not in archive.namelist():
        raise ValueError(f"its member {name!r} is missing")
    return archive.getinfo(name)


def _unpack(archive: zipfile.ZipFile, name: str) -> bytes:
    """Return a member; no more of it is unpacked than its size in the directory, which has been checked."""
    member = _get_member(archive, name)
    with archive.open(member) as file:
        return file.read(member.file_size)


_HEADER: dict[str, Callable[[Any], bool]] = {
    "problem": lambda value: value is None or isinstance(value, str),
    "params": lambda value: isinstance(value, dict),
    "hash": lambda value: isinstance(value, str),
    "order": lambda value: (
        isinstance(value, list) and all(type(one) is int for one in value) and sorted(value) == list(range(len(value)))
    ),
    "givens": lambda value: isinstance(value, list) and all(type(one) is int for one in value),
    "excluded": lambda value: isinstance(value, list) and all(type(one) is int for one in value),
    "nodes": lambda value: type(value) is int and value >= 0,
    "root": lambda value: type(value) is int and value >= 0,
    "solutions": lambda value: isinstance(value, str),
}


def _check_header(header: Any, source: str) -> None:
    if not isinstance(header, dict):
        raise ValueError("the header is not a JSON object")
    if header.get("format") != FORMAT:
        raise ConfigError([Mistake(describe_format(header.get("format"), FORMAT), source)])
    for key, is_valid in _HEADER.items():
        if (key not in header and key not in _OPTIONAL_KEYS) or not is_valid(header.get(key, [])):
            raise ValueError(f"the header has no valid {key!r}")


def _check_nodes(
    height: int, level: Sequence[int], lo: Sequence[int], hi: Sequence[int], root: int, stop: Stop
) -> None:
    """Check that these are the nodes of one ordered and reduced diagram, and that all of them are used."""
    levels = [height, height, *level]
    used = bytearray(len(levels))
    for number, (here, without, with_it) in enumerate(stop.watch(zip(level, lo, hi, strict=True)), 2):
        if max(without, with_it) >= number or with_it == EMPTY:
            raise ValueError(f"node {number} has invalid children")
        if not here < min(levels[without], levels[with_it]):
            raise ValueError(f"node {number} is not above its children")
        used[without] = used[with_it] = True
    if root != (len(levels) - 1 if level else min(root, UNIT)) or not all(used[2:-1]):
        raise ValueError("some nodes are not used")
    if len(set(stop.watch(zip(level, lo, hi, strict=True)))) < len(level):
        raise ValueError("two nodes are equal")


def _to_column(content: Sequence[int] | bytes) -> array[int]:
    """Return numbers in the byte order of files, or the numbers that bytes in that order stand for."""
    column = array("I", content)
    if sys.byteorder == "big":
        column.byteswap()
    return column


@check_arguments
def write_dot(diagram: Diagram[Problem], out: TextIO) -> None:
    """Write a graph for Graphviz; solid lines lead to the solutions with an option, dashed lines to those without it.

    Examples
    --------
    >>> import sys
    >>> from exactcover import Problem
    >>> write_dot(Problem({"A": [1]}).diagram(), sys.stdout)
    digraph solutions {
      node [shape=circle];
      1 [shape=box, label="1"];
      2 [label="A"];
      2 -> 1;
    }
    """
    out.write("digraph solutions {\n  node [shape=circle];\n")
    zdd, order = diagram.zdd, diagram.order
    out.write('  1 [shape=box, label="1"];\n' if zdd.root != EMPTY else '  0 [shape=box, label="0"];\n')
    levels: dict[int, list[int]] = {}
    for number, level, lo, hi in _nodes(diagram):
        levels.setdefault(level, []).append(number)
        name = json.dumps(printable(str(order[level])), ensure_ascii=False)
        out.write(f"  {number} [label={name}];\n  {number} -> {hi};\n")
        if lo != EMPTY:
            out.write(f"  {number} -> {lo} [style=dashed];\n")
    for numbers in levels.values():
        if len(numbers) > 1:
            out.write(f"  {{rank=same; {'; '.join(map(str, numbers))}}}\n")
    out.write("}\n")


@check_arguments
def write_graphillion(diagram: Diagram[Problem], out: TextIO) -> None:
    """Write a file for ``setset.load`` of Graphillion.

    Set the universe of Graphillion first, to the options in the order of the diagram:
    ``setset.set_universe(diagram.order)``.

    References
    ----------
    T. Inoue, H. Iwashita, J. Kawahara, S. Minato, "Graphillion: software library for very large sets of labeled
    graphs", STTT 18 (2016).
    """

    def name(node: int) -> str:
        return "BT"[node] if node <= UNIT else str(2 * node)

    zdd = diagram.zdd
    for number, level, lo, hi in _nodes(diagram):
        out.write(f"{name(number)} {level + 1} {name(lo)} {name(hi)}\n")
    if zdd.root <= UNIT:
        out.write(f"{name(zdd.root)}\n")
    out.write(".\n")


@check_arguments
def write_dddmp(diagram: Diagram[Problem], out: TextIO) -> None:
    """Write a zero-suppressed diagram as a DDDMP text file, version 2.0, with one variable per option.

    The variables have the order of the diagram. Their names are the labels, with ``_`` for white space. If these names
    are not unique or contain unprintable characters, the variables are numbered from 1 instead.

    References
    ----------
    F. Somenzi, "CUDD: Colorado University decision diagram package"; N. Husung et al., "OxiDD", TACAS 2024.
    """
    names = ["_".join(str(label).split()) for label in diagram.order]
    if not all(names) or len(set(names)) < len(names) or not all(name.isprintable() for name in names):
        names = [str(number) for number in range(1, len(names) + 1)]
    zdd = diagram.zdd
    numbers = " ".join(map(str, range(len(names)) if len(zdd) else ()))
    support = " ".join(names if len(zdd) else ())
    number = {EMPTY: 1, UNIT: 2} if zdd.root != UNIT else {UNIT: 1}
    terminals = ["E", "B"] if len(zdd) else ["EB"[zdd.root]]
    nodes = len(zdd) + len(terminals)
    header = {
        "ver": "DDDMP-2.0",
        "mode": "A",
        "varinfo": 4,
        "nnodes": nodes,
        "nvars": len(names),
        "nsuppvars": len(names) if len(zdd) else 0,
        "suppvarnames": support,
        "orderedvarnames": " ".join(names),
        "ids": numbers,
        "permids": numbers,
        "nroots": 1,
        "rootids": number.get(zdd.root, zdd.root + 1),
    }
    for key, value in header.items():
        out.write(f".{key} {value}".rstrip() + "\n")
    out.write(".nodes\n")
    for place, terminal in enumerate(terminals, 1):
        out.write(f"{place} {terminal} 0 0\n")
    for node, level, lo, hi in _nodes(diagram):
        out.write(f"{node + 1} {level} {hi + 1} {lo + 1}\n")
    out.write(".end\n")


def _nodes(diagram: Diagram[Problem]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the number, level, lo and hi of each node, children first."""
    zdd = diagram.zdd
    for number, (level, lo, hi) in enumerate(zip(zdd.level, zdd.lo, zdd.hi, strict=True), 2):
        yield number, level, lo, hi


@check_arguments
def write_heat_map(diagram: Diagram[Problem], out: TextIO, *, encoder: Encoder) -> None:
    """Draw each option by itself, in a strength that shows its frequency.

    Raises
    ------
    ValueError
        If there is no solution, or the pictures of the encoder show no board.
    """
    draw, count = encoder.draw, diagram.count
    board = draw(())
    options = ((draw((label,)), frequency / count) for label, frequency in diagram.marginals().items() if frequency)
    if board is None or not count:
        raise ValueError("there is no solution to draw")
    sheets = heat_maps(board, ((picture, share) for picture, share in options if picture is not None))
    if not sheets:
        raise ValueError("there is no heat map, because the pictures of this problem show no board")
    out.write(contact_sheet(sheets, title=f"placement frequencies in {format_count(count, 'solution')}"))
