"""Export diagrams: for Graphviz, Graphillion, and as DDDMP files for OxiDD and CUDD; or as a heat map."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TextIO

from exactcover.control.arguments import check_arguments
from exactcover.diagram.diagram import Diagram
from exactcover.diagram.zdd import EMPTY, UNIT
from exactcover.encoders.encoder import Encoder
from exactcover.pictures import contact_sheet, heat_maps
from exactcover.pictures.text import format_count, printable
from exactcover.problem import Problem

__all__ = ["write_dddmp", "write_dot", "write_graphillion", "write_heat_map"]


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
