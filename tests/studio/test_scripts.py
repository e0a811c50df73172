"""The scripts of pages, each on its own: what they draw, count and write is what Python reads."""

import base64
import random
from collections.abc import Iterator
from typing import Any

import pytest

from browsing import start_studio
from exactcover.control.recorder import encode_numbers
from problems import Polyomino
from problems.boards import Board
from problems.lattices import HEXAGONS, SQUARES, TRIANGLES, Point
from problems.pieces import normalize, orientations, shape_of

Layer = list[list[str]]


@pytest.fixture(scope="module")
def scripts(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A page from whose origin the scripts can be imported."""
    process, address = start_studio(tmp_path_factory.mktemp("empty"))
    with process:
        browser.get(address)
        yield browser
        process.terminate()


def call(browser: Any, script: str, expression: str, *arguments: Any) -> Any:
    """Evaluate an expression with the module of a script, `it`, and these arguments, `given`."""
    source = (
        "const [given, done] = [arguments, arguments[arguments.length - 1]];"
        f"import('/assets/{script}.js').then((it) => done({expression}), (error) => done(String(error)));"
    )
    return browser.execute_async_script(source, *arguments)


def random_layer(generator: random.Random, rows: int, columns: int, blank: str, filled: str) -> Layer:
    share = generator.random()
    return [[filled if generator.random() < share else blank for _ in range(columns)] for _ in range(rows)]


def keep_hexagons(layer: Layer, blank: str) -> Layer:
    """The layer without what stands where no hexagon can be."""
    return [[one if (r + c) % 2 == 0 else blank for c, one in enumerate(row)] for r, row in enumerate(layer)]


def test_painted_triangles_point_where_they_were_painted(scripts: Any) -> None:
    generator = random.Random(1)
    layers = [random_layer(generator, 4, 7, "_", ".") for _ in range(200)]
    layers = [layer for layer in layers if any("." in row for row in layer)]
    boards = call(scripts, "lattice", "given[0].map((layer) => it.writeBoard('triangles', [layer]))", layers)
    for layer, rows in zip(layers, boards, strict=True):
        painted = {(r, c, (r + c) % 2 == 0) for r, row in enumerate(layer) for c, one in enumerate(row) if one == "."}
        board = Board.parse(rows, lattice=TRIANGLES)
        read = {(r - 1, c - 1, TRIANGLES.kind(board.points[r, c]) == 2) for r, c in board.required}
        assert read == painted


def test_a_board_that_is_written_is_read_again(scripts: Any) -> None:
    generator = random.Random(2)
    for kind in ("squares", "hexagons", "triangles"):
        layers = []
        for _ in range(60):
            layer = random_layer(generator, 4, 7, "_", generator.choice(".?#"))
            if kind == "hexagons":
                layer = keep_hexagons(layer, "_")
            if any(one != "_" for row in layer for one in row):
                layers.append(layer)
        written = "it.writeBoard(given[0], [layer]).join('\\n')"
        expression = f"given[1].map((layer) => it.readLayers(given[0], [{written}], '_')[0])"
        again = call(scripts, "lattice", expression, kind, layers)
        assert all(one == other for one, other in zip(layers, again, strict=True) if kind != "triangles")
        anchored = [sum(a != b for x, y in zip(one, other, strict=True) for a, b in zip(x, y, strict=True))
                    for one, other in zip(layers, again, strict=True)]  # fmt: skip
        assert max(anchored) <= 1


def test_a_triangle_piece_is_written_as_painted_or_turned(scripts: Any) -> None:
    generator = random.Random(3)
    painted: list[list[Point]] = []
    layers: list[Layer] = []
    while len(layers) < 200:
        layer = random_layer(generator, 3, 6, ".", "#")
        points = [(3 * r + (2 if (r + c) % 2 == 0 else 1), c) for r, row in enumerate(layer)
                  for c, one in enumerate(row) if one == "#"]  # fmt: skip
        if points:
            layers.append(layer)
            painted.append([(below, (right - below) // 2) for below, right in points])
    texts = call(scripts, "lattice", "given[0].map((layer) => it.writePiece('triangles', [layer]))", layers)
    for piece, text in zip(painted, texts, strict=True):
        shapes = orientations(normalize(piece, TRIANGLES), TRIANGLES, reflect=False)
        assert shape_of(text, TRIANGLES) in shapes


def test_hexagons_touch_as_they_are_drawn(scripts: Any) -> None:
    outlines = "[[1, 1], [1, 3], [2, 2], [0, 2], [3, 1]].map(([r, c]) => it.outline('hexagons', r, c))"
    own, *theirs = call(scripts, "lattice", outlines)
    near = [sum(min(abs(x - a) + abs(y - b) for a, b in other) < 0.5 for x, y in own) == 2 for other in theirs]
    places = HEXAGONS.points([(2, 2), (2, 4), (3, 3), (1, 3), (4, 2)])
    first, *others = places.values()
    assert near == [other in HEXAGONS.neighbors(first) for other in others] == [True, True, True, False]


def test_a_diagram_counts_and_samples_like_python(scripts: Any) -> None:
    problem = Polyomino(board="4x5", pieces="tetrominoes", copies="any").problem()
    diagram = problem.diagram(order="compact")
    zdd = diagram.zdd
    solutions = set(problem.solve().positions())
    packed = {name: base64.b64encode(encode_numbers(getattr(zdd, name))).decode() for name in ("level", "lo", "hi")}
    data = {**packed, "root": zdd.root, "options": list(diagram.positions)}
    generator = random.Random(4)
    options = range(len(problem.labels))
    questions = [[generator.sample(options, generator.randrange(3)) for _ in range(2)] for _ in range(60)]
    expression = (
        "given[1].map(([w, wo]) => { const one = new it.Diagram(given[0]);"
        "const count = one.count(new Set(w), new Set(wo));"
        "return [String(count), count > 0n ? Array.from(one.sample()) : null]; })"
    )
    answers = call(scripts, "diagram", expression, data, questions)
    for (given, without), (count, sample) in zip(questions, answers, strict=True):
        fitting = [one for one in solutions if {*given} <= {*one} and not {*without} & {*one}]
        assert int(count) == len(fitting)
        assert (tuple(sample) in fitting) if sample is not None else not fitting


@pytest.mark.parametrize("kind", ["squares", "hexagons", "triangles"])
def test_a_piece_is_written_without_empty_edges(scripts: Any, kind: str) -> None:
    generator = random.Random(7)
    lattice = {"squares": SQUARES, "hexagons": HEXAGONS, "triangles": TRIANGLES}[kind]
    layers = [random_layer(generator, 4, 8, ".", "#") for _ in range(100)]
    if kind == "hexagons":
        layers = [keep_hexagons(layer, ".") for layer in layers]
    layers = [layer for layer in layers if any("#" in row for row in layer)]
    shifted = [["." * 8, *("." + "".join(row[:-1]) for row in layer)] for layer in layers]  # one place down and right
    texts, again = (
        call(scripts, "lattice", "given[1].map((layer) => it.writePiece(given[0], [layer]))", kind, drawn)
        for drawn in (layers, [[list(row) for row in layer] for layer in shifted])
    )
    for layer, text, other in zip(layers, texts, again, strict=True):
        rows = text.split("/")
        assert "#" in rows[0] and "#" in rows[-1]
        assert any(row.startswith("#") for row in rows)
        assert not any(row.endswith(".") for row in rows)
        if kind == "squares" and all(row[-1] == "." for row in layer):
            assert text == other
        plain = "/".join("".join(row) for row in layer)
        if kind != "triangles":  # a drawing of triangles may turn a piece
            assert shape_of(text, lattice) == shape_of(plain, lattice)
