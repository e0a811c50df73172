"""Draw the figures of the page on ideas: ``python docs/figures.py``. A test compares them with what is drawn anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from math import hypot
from pathlib import Path

from exactcover import Problem
from exactcover.pictures import BLOCKED, PAPER, SHADED, Cell, Corner, Picture, Shape, Tile, contact_sheet
from problems import Polyomino

FOLDER = Path(__file__).parent / "ideas"
TABLE = {"A": (1, 4, 7), "B": (1, 4), "C": (4, 5, 7), "D": (3, 5, 6), "E": (2, 3, 6, 7), "F": (2, 7)}
"""The options of Knuth's example, which the page uses throughout."""


def main() -> None:
    """Write all figures."""
    FOLDER.mkdir(exist_ok=True)
    for name, draw in FIGURES.items():
        (FOLDER / f"{name}.svg").write_text(draw(), "utf-8")


def draw_matrix() -> str:
    """Draw options and items as a matrix, with the solution in color."""
    solution = Problem(TABLE).find() or ()
    shapes: list[Shape] = [_write(0, column, f"{column}") for column in range(1, 8)]
    for row, (name, items) in enumerate(TABLE.items(), 1):
        tint = 3 * solution.index(name) + 1 if name in solution else SHADED
        shapes.append(_write(row, 0, name))
        for item in range(1, 8):
            shapes.append(Cell(row, item, (row, item), tint if item in items else PAPER))
    title = "Six options as rows and seven items as columns; rows B, D and F cover every column once"
    return Picture(title, tuple(shapes)).to_svg()


def draw_bits() -> str:
    """Draw how a choice clears bits: those that are left, and of each item those that are left."""
    overlapping = {name for name, items in TABLE.items() if set(items) & set(TABLE["B"])}
    left = [name for name in TABLE if name not in overlapping]
    rows: list[tuple[str, set[str], str]] = [
        ("left", set(TABLE), ""), ("overlaps B", overlapping, ""), ("left & ~overlaps", set(left), ""),
    ]  # fmt: skip
    for item in (2, 3, 5, 6, 7):
        live = {name for name in left if item in TABLE[name]}
        rows.append((f"item {item} & left", live, str(len(live))))
    shapes: list[Shape] = [_write(0, 6 + column, name) for column, name in enumerate(TABLE)]
    for row, (words, bits, number) in enumerate(rows, 1):
        shapes += [_write(row, 0, words, width=6), _write(row, 12, number)]
        for column, name in enumerate(TABLE):
            tint = (10 if row > 3 else 1) if name in bits else PAPER
            shapes.append(_write(row, 6 + column, "01"[name in bits], tint=tint, region=(row, column)))
    title = "Bits of the options A to F: choosing B clears A, B and C; item 5 has one option left, the others two"
    return Picture(title, tuple(shapes)).to_svg()


def draw_tree() -> str:
    """Draw the search tree of the example; squares are dead ends."""
    shapes: list[Shape] = []
    columns = count(0, 3)

    def visit(options: Mapping[str, Sequence[int]], items: set[int], level: int) -> float:
        """Draw a subtree, and return how far right its root is."""
        holders = {item: [name for name in options if item in options[name]] for item in sorted(items)}
        item = min(holders, key=lambda one: len(holders[one]), default=None)
        places: list[tuple[str, float]] = []
        for name in holders[item] if item is not None else ():
            covered = set(options[name])
            rest = {other: own for other, own in options.items() if not covered & set(own)}
            places.append((name, visit(rest, items - covered, level + 1)))
        x = sum(place for _, place in places) / len(places) if places else float(next(columns))
        top = 3 * level
        for name, place in places:
            shapes.append(_line((x + 1, top + 1), (place + 1, top + 3)))
            middle = ((x + place) / 2 + 0.65, top + 1.65)
            shapes.append(_box(middle, 0.7, name, PAPER, None))
        words, tint = ("✓", 6) if item is None else (str(item), 1 if places else 5)
        shapes.append(_box((x + 0.5, top), 1, words, tint, (level, x)))
        return x

    visit(TABLE, set(range(1, 8)), 0)
    lines = sorted(shapes, key=lambda shape: isinstance(shape, Tile) and shape.tint != BLOCKED)
    title = (
        "The search tree of the six options: a box is the item to cover, a branch the option chosen; a leaf succeeds"
    )
    return Picture(title, tuple(lines)).to_svg()


def draw_sweep() -> str:
    """Draw three partial tilings by dominoes that leave the same work, and the state that stands for them."""
    solutions = sorted(Polyomino(board="3x2", pieces="dominoes", copies="any").solve(), key=str)
    pictures = []
    for solution in solutions:
        cells: list[Shape] = [
            Cell(row - 1, column - 1, number, 3 * number + 1)
            for number, label in enumerate(solution)
            for row, column in label.cells
        ]
        pictures.append(Picture("", (*cells, *_empty(2)), caption="one way"))
    done = tuple(Cell(row, column, "done", SHADED) for row in range(3) for column in range(2))
    pictures.append(Picture("", (*done, *_empty(2)), caption=f"one state, {len(solutions)} ways"))
    title = "Three ways to cover two columns of three rows by dominoes leave the same cells, so a sweep keeps one state"
    return contact_sheet(pictures, title=title, aspect=9)


def draw_diagram() -> str:
    """Draw the diagram of the dominoes on a board of 2 by 4: dark lines choose an option, colored ones do not."""
    zdd = Polyomino(board="2x4", pieces="dominoes", copies="any").problem().diagram(order="problem").zdd
    nodes = dict(enumerate(zip(zdd.level, zdd.lo, zdd.hi, strict=True), 2))  # 0 and 1 are the terminal nodes
    places: dict[int, Corner] = {}
    for node in sorted(nodes, key=lambda one: nodes[one][0]):  # parents first; without the option, to the right
        _, lo, hi = nodes[node]
        x, _ = places.setdefault(node, (0.0, 0.0))
        for child, right in ((hi, 0), (lo, 1.4 if x else 5)):
            if child > 1:
                places.setdefault(child, (x + right, 1.6 * nodes[child][0]))
    places = {node: (x + y * y / 50, y) for node, (x, y) in places.items()}  # so that no line hides another
    places[1] = (max(x for x, _ in places.values()) + 1, 1.6 * zdd.height + 1)
    shapes: list[Shape] = []
    for node, (_, lo, hi) in nodes.items():
        x, y = places[node]
        for child, tint in ((lo, 4), (hi, BLOCKED)):
            if child:
                shapes.append(_line((x + 0.5, y + 1), (places[child][0] + 0.5, places[child][1]), tint))
    for node, place in places.items():
        shapes.append(_box(place, 1, "end" if node == 1 else f"{nodes[node][0] + 1}?", 6 if node == 1 else 1, node))
    title = "A diagram: each path from the top to the end is one of the five tilings of 2 by 4 by dominoes"
    return Picture(title, tuple(shapes)).to_svg()


def draw_images() -> str:
    """Draw the four images of one tiling."""
    encoder = Polyomino()
    solution = encoder.problem().find(seed=4) or ()
    images: dict[str, Callable[[int, int], tuple[int, int]]] = {
        "found": lambda r, c: (r, c), "turned": lambda r, c: (5 - r, 9 - c),
        "left and right exchanged": lambda r, c: (r, 9 - c), "top and bottom exchanged": lambda r, c: (5 - r, c),
    }  # fmt: skip
    pictures = []
    for words, move in images.items():
        cells = [
            Cell(*move(row - 1, column - 1), label.piece, number)
            for number, label in enumerate(sorted(solution))
            for row, column in label.cells
        ]
        pictures.append(Picture("", tuple(cells), caption=words))
    title = (
        "A tiling of 6 by 10 by pentominoes and its three images by turns and reflections: a class of four solutions"
    )
    return contact_sheet(pictures, title=title, aspect=2)


def _empty(first: int) -> Iterator[Shape]:
    yield from (Cell(row, column, "rest", PAPER) for row in range(3) for column in range(first, 5))


def _write(row: int, column: int, text: str, *, width: int = 1, tint: int = PAPER, region: object = None) -> Tile:
    """Return a text in a box without a border, unless the box has a region."""
    outline = ((column, row), (column + width, row), (column + width, row + 1), (column, row + 1))
    return Tile(outline, region, tint, 0.5 if tint >= 0 else 1.0, text=text)


def _box(corner: Corner, side: float, text: str, tint: int, region: object) -> Tile:
    x, y = corner
    return Tile(((x, y), (x + side, y), (x + side, y + side), (x, y + side)), region, tint, 0.5, text=text)


def _line(start: Corner, end: Corner, tint: int = BLOCKED) -> Tile:
    """Return a line as a thin tile."""
    (x, y), (u, v) = start, end
    length = hypot(u - x, v - y)
    across, down = (0.04 * (v - y) / length, 0.04 * (x - u) / length)
    corners = ((x - across, y - down), (x + across, y + down), (u + across, v + down), (u - across, v - down))
    return Tile(corners, None, tint)


FIGURES: dict[str, Callable[[], str]] = {
    "matrix": draw_matrix,
    "tree": draw_tree,
    "bits": draw_bits,
    "sweep": draw_sweep,
    "diagram": draw_diagram,
    "images": draw_images,
}

if __name__ == "__main__":
    main()
