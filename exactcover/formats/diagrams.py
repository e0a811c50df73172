"""A diagram as a file: the solution set of a problem, with the problem.

A ZIP archive with the members

``header.json``
    ``exactcover``, the version that wrote it; ``format``, 1; ``problem`` and ``params``, the name and the parameters of
    an encoder, or null and {}; ``hash``, the problem's fingerprint; ``order``, the positions of its options from the
    top of the diagram down; ``givens`` and ``excluded``, positions of options, where there are any; ``nodes``;
    ``root``; and ``solutions``, their number as text.
``problem.json``
    The problem, as :mod:`exactcover.formats.json_problem` writes it.
``level``, ``lo``, ``hi``
    For each node, children before parents, a number of 32 bits, the least significant byte first. Node 0 is the family
    without a set, node 1 that of the empty set; those in the members are 2, 3, ... A node stands for the sets of its
    ``lo``, and for those of its ``hi`` with the option at its level besides.
"""

from __future__ import annotations

import io
import json
import sys
import zipfile
import zlib
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from exactcover.diagram.diagram import Diagram
from exactcover.diagram.zdd import EMPTY, UNIT, Zdd
from exactcover.errors import ConfigError, Mistake
from exactcover.formats import json_problem
from exactcover.formats.numbers import digits
from exactcover.problem import Problem

__all__ = ["FORMAT", "DiagramFile", "read", "write"]

FORMAT = 1
_OPTIONAL = ("givens", "excluded")  # keys of the header
_COLUMNS = ("level", "lo", "hi")
_ALWAYS_UNPACKED = 1 << 26  # bytes
_MOST_RATIO = 30
_WHEN = (1980, 1, 1, 0, 0, 0)  # the same bytes whenever it is written


def write(
    diagram: Diagram[Problem],
    out: Path | BinaryIO,
    *,
    version: str,
    name: str | None = None,
    params: Mapping[str, Any] | None = None,
) -> None:
    """Write a diagram and its problem; the same diagram gives the same bytes.

    Parameters
    ----------
    out
        A path, or a file open for bytes.
    version
        Of whatever writes it.
    name, params
        Of the encoder that the problem comes from, if it comes from one.

    Raises
    ------
    ValueError
        If two items or two labels are the same as text.

    Examples
    --------
    >>> file = io.BytesIO()
    >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]})
    >>> write(problem.diagram(), file, version="1.0")
    >>> list(read(file).diagram(problem))
    [('A', 'B'), ('C',)]
    """
    stated = io.StringIO()
    json_problem.write(diagram.problem, stated)
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
        members = {
            "header.json": json.dumps(header, ensure_ascii=False).encode(),
            "problem.json": stated.getvalue().encode(),
        }
        columns = zip(_COLUMNS, (zdd.level, zdd.lo, zdd.hi), strict=True)
        for member, content in [*members.items(), *((column, _bytes(numbers)) for column, numbers in columns)]:
            about = zipfile.ZipInfo(member, _WHEN)
            about.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(about, content)


@dataclass(frozen=True)
class DiagramFile:
    """A file that has been read and checked, but for its problem.

    Attributes
    ----------
    source
        What it is called in errors.
    name, params
        Of the encoder that the problem comes from, or None and {}.
    """

    source: str
    name: str | None
    params: Mapping[str, Any]
    order: tuple[int, ...]
    zdd: Zdd
    stated: str
    fingerprint: str
    givens: tuple[int, ...] = ()
    excluded: tuple[int, ...] = ()

    def diagram(self, problem: Problem | None = None) -> Diagram[Problem]:
        """Return the diagram.

        Parameters
        ----------
        problem
            Whose solutions these are; None for the problem in the file, where all names are texts.

        Raises
        ------
        ConfigError
            If that is another problem, or the diagram holds what is no solution of it.
        """
        whose = json_problem.read(self.stated, f"{self.source}: problem.json") if problem is None else problem
        if whose.fingerprint() != self.fingerprint:
            raise self._wrong("it holds solutions of another problem: the hash over items and options differs")
        if len(whose.labels) != len(self.order):
            raise self._wrong("its order does not hold every option")
        if self.givens or self.excluded:
            given, without = ([whose.labels[k] for k in positions] for positions in (self.givens, self.excluded))
            whose = whose.instance(given, without)
        diagram = Diagram(whose, self.zdd, self.order)
        for solution in (diagram[0], diagram[-1]) if diagram else ():  # all would take forever
            verdict = whose.verify(solution)
            if not verdict:
                raise self._wrong(f"it holds what is no solution: {verdict}")
        return diagram

    def _wrong(self, message: str) -> ConfigError:
        return ConfigError([Mistake(message, self.source)])


def read(file: Path | BinaryIO, source: str | None = None) -> DiagramFile:
    """Read what :func:`write` has written.

    Raises
    ------
    ConfigError
        If it cannot be read, is truncated, or holds no ordered and reduced diagram with as many solutions as it says.
    """
    source = source or str(file)
    try:
        with zipfile.ZipFile(file) as archive:
            return _read(archive, source)
    except OSError as error:
        raise ConfigError([Mistake(f"cannot be read: {error.strerror or error}", source)]) from None
    except (zipfile.BadZipFile, zlib.error, KeyError, ValueError, RuntimeError, EOFError, RecursionError) as error:
        if isinstance(error, ConfigError):
            raise
        why = next(iter(error.args), "it ends too soon")
        raise ConfigError([Mistake(f"invalid or truncated diagram file: {why}", source)]) from None


def _read(archive: zipfile.ZipFile, source: str) -> DiagramFile:
    _check_members(archive)
    header = json.loads(archive.read("header.json"))
    _check_header(header)
    if any(archive.getinfo(column).file_size != 4 * header["nodes"] for column in _COLUMNS):
        raise ValueError(f"it should have {header['nodes']} nodes")
    level, lo, hi = (_numbers(archive.read(column)) for column in _COLUMNS)
    height = len(header["order"])
    _check_nodes(height, level, lo, hi, header["root"])
    zdd = Zdd(height, level, lo, hi, header["root"])
    if digits(zdd.count) != header["solutions"]:
        raise ValueError("it does not hold as many solutions as its header says")
    stated = archive.read("problem.json").decode("utf-8")
    given, without = (tuple(header.get(key, ())) for key in ("givens", "excluded"))
    if not set(given) | set(without) <= set(header["order"]):
        raise ValueError("its givens are not options")
    order = tuple(header["order"])
    return DiagramFile(source, header["problem"], header["params"], order, zdd, stated, header["hash"], given, without)


def _check_members(archive: zipfile.ZipFile) -> None:
    """Refuse, before anything is unpacked, what would unpack to far more than a diagram of that size."""
    packed = unpacked = 0
    for member in archive.infolist():
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"its member {member.filename!r} is compressed by a method that is not supported")
        packed, unpacked = packed + member.compress_size, unpacked + member.file_size
    if unpacked > max(_ALWAYS_UNPACKED, _MOST_RATIO * packed):
        raise ValueError(f"its {packed:,} bytes would unpack to {unpacked:,}")


_HEADER: dict[str, Callable[[Any], bool]] = {
    "format": lambda value: value == FORMAT,
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


def _check_header(header: Any) -> None:
    if not isinstance(header, dict):
        raise ValueError("its header is no object")
    if header.get("format") != FORMAT:
        raise ValueError(f"its format is {header.get('format')!r}; this version reads {FORMAT}")
    for key, right in _HEADER.items():
        if (key not in header and key not in _OPTIONAL) or not right(header.get(key, [])):
            raise ValueError(f"its header has no proper {key!r}")


def _check_nodes(height: int, level: Sequence[int], lo: Sequence[int], hi: Sequence[int], root: int) -> None:
    """Make sure that these are the nodes of one ordered and reduced diagram, each of them in use."""
    levels = [height, height, *level]
    used = bytearray(len(levels))
    for number, (here, without, with_it) in enumerate(zip(level, lo, hi, strict=True), 2):
        if max(without, with_it) >= number or with_it == EMPTY:
            raise ValueError(f"node {number} has no proper children")
        if not here < min(levels[without], levels[with_it]):
            raise ValueError(f"node {number} is not above its children")
        used[without] = used[with_it] = True
    if root != (len(levels) - 1 if level else min(root, UNIT)) or not all(used[2:-1]):
        raise ValueError("some nodes are of no use")
    if len(set(zip(level, lo, hi, strict=True))) < len(level):
        raise ValueError("two nodes are alike")


def _bytes(numbers: Sequence[int]) -> bytes:
    column = array("I", numbers)
    if sys.byteorder == "big":
        column.byteswap()
    return column.tobytes()


def _numbers(content: bytes) -> array[int]:
    column = array("I", content)
    if sys.byteorder == "big":
        column.byteswap()
    return column
