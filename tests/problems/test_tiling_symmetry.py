"""Classes of tilings: every number is counted again under a group that is built from geometry by brute force."""

import itertools
import math
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import pytest

from classics import parity
from exactcover import ProblemError, SearchOptions
from exactcover.control.options import Distinct
from problems import Polycube, Polyhex, Polyiamond, Polyomino, Polysphere, Polystick, Rectangles
from problems.boards import cell_name
from problems.polyforms import Polyform

MAX = 400  # solutions

Cell = tuple[int, ...]
Turn = tuple[tuple[int, int], ...]  # for each coordinate of the image: of which one it is made, and its sign
Solution = frozenset[tuple[str, frozenset[Cell]]]


class Tiling(NamedTuple):
    """A tiling by pieces, said once more without the encoder's own words."""

    cells: dict[Cell, str]  # "." or "?"
    periods: tuple[int, ...]  # 0 where ends are not joined
    pieces: dict[str, frozenset[Cell]]
    copies: dict[str, Any]
    rotate: bool
    reflect: bool
    takes: dict[str, list[Cell]]
    avoids: dict[str, list[Cell]]

    @property
    def encoder(self) -> Polyform:
        joined = {(): "", (0,): "rows", (1,): "columns", (0, 1): "both"}
        last = len(self.periods)
        sides = [max(cell[k] for cell in self.cells) for k in range(last)]
        drawn = "\n".join("".join(self.cells.get((row, column), "#") for column in range(1, sides[-1] + 1))
                          for row in range(1, sides[-2] + 1))  # fmt: skip
        whole = set(self.cells.values()) == {"."} and len(self.cells) == math.prod(sides)
        return (Polyomino if last == 2 else Polycube)(
            board="x".join(map(str, sides)) if whole else drawn + "\n",
            pieces={name: drawing_of(shape) for name, shape in self.pieces.items()},
            copies=self.copies,
            rotate=self.rotate,
            reflect=self.reflect,
            joined=joined[tuple(k for k, period in enumerate(self.periods) if period)],  # type: ignore[arg-type]
            takes=_spelled(self.takes),
            avoids=_spelled(self.avoids),
        )


def _spelled(wishes: dict[str, list[Cell]]) -> dict[str, str]:
    return {piece: " ".join(map(cell_name, cells)) for piece, cells in wishes.items()}


def drawing_of(shape: Iterable[Cell]) -> str:
    cells = {cell[-2:] for cell in shape}
    rows, columns = (1 + max(cell[k] for cell in cells) for k in (0, 1))
    return "/".join("".join("#" if (r, c) in cells else "." for c in range(columns)) for r in range(rows))


def turns(size: int) -> list[Turn]:
    """All motions of a square or a cube: 8 or 48."""
    return [
        tuple(zip(order, signs, strict=True))
        for order in itertools.permutations(range(size))
        for signs in itertools.product((1, -1), repeat=size)
    ]


def determinant(turn: Turn) -> int:
    return parity(tuple(source for source, _ in turn)) * math.prod(sign for _, sign in turn)


def turned(turn: Turn, cells: Iterable[Cell]) -> frozenset[Cell]:
    """Return the cells after a turn, shifted to the origin."""
    images = [tuple(sign * cell[source] for source, sign in turn) for cell in cells]
    lows = [min(line) for line in zip(*images, strict=True)]
    return frozenset(tuple(part - low for part, low in zip(image, lows, strict=True)) for image in images)


def motions(tiling: Tiling) -> Iterator[tuple[Turn, dict[Cell, Cell]]]:
    """Yield every turn and shift that lays the board on itself, with what it makes of the cells."""
    first = next(iter(tiling.cells))
    for turn in turns(len(tiling.periods)):
        if any(tiling.periods[source] != tiling.periods[k] for k, (source, _) in enumerate(turn)):
            continue
        for target in tiling.cells:
            shift = [goal - sign * first[source] for goal, (source, sign) in zip(target, turn, strict=True)]
            images = {}
            for cell in tiling.cells:
                image = [sign * cell[source] + shift[k] for k, (source, sign) in enumerate(turn)]
                images[cell] = tuple(
                    (part - 1) % period + 1 if period else part
                    for part, period in zip(image, tiling.periods, strict=True)
                )
            if all(tiling.cells.get(image) == tiling.cells[cell] for cell, image in images.items()):
                yield turn, images


def ways(tiling: Tiling, shape: frozenset[Cell]) -> frozenset[frozenset[Cell]]:
    """Return how a piece may lie; in space a flat one, which all are here, can be turned over."""
    size = len(tiling.periods)
    allowed = [turn for turn in turns(size) if tiling.rotate or all(k == source for k, (source, _) in enumerate(turn))]
    if not tiling.rotate:
        still = tuple((k, 1) for k in range(size))
        mirror = tuple((k, 1 if (size, k) == (2, 0) else -1) for k in range(size))
        allowed = [still, mirror] if tiling.reflect else [still]
    elif not tiling.reflect:
        allowed = [turn for turn in turns(size) if determinant(turn) > 0]
    return frozenset(turned(turn, shape) for turn in allowed)


def group(tiling: Tiling, *, mirrors: bool) -> Iterator[tuple[dict[Cell, Cell], dict[str, str]]]:
    """Yield every motion with every permutation of pieces that keeps the pieces, their copies and the wishes."""
    often = dict(tiling.copies)
    if "?" in tiling.cells.values():
        often = {name: (0, max(1, len(tiling.cells) // len(tiling.pieces[name]))) if number == "any" else number
                 for name, number in often.items()}  # fmt: skip
    often = {name: (number, number) if isinstance(number, int) else number for name, number in often.items()}
    lying = {name: ways(tiling, shape) for name, shape in tiling.pieces.items()}
    wishes = {(True, name, cell) for name, cells in tiling.takes.items() for cell in cells}
    wishes |= {(False, name, cell) for name, cells in tiling.avoids.items() for cell in cells}
    names = [name for name in tiling.pieces if often[name] != (0, 0) or name in tiling.takes]
    wishes = {wish for wish in wishes if wish[1] in names}
    used = [name for name in tiling.pieces if often[name] != (0, 0)]
    if len(used) == 1:  # it covers every cell that must be covered, whatever is wished
        wishes = {
            (must, name, cell)
            for must, name, cell in wishes
            if not must or tiling.cells[cell] == "?" or name != used[0]
        }
    for turn, images in motions(tiling):
        if not mirrors and determinant(turn) < 0:
            continue
        for order in itertools.permutations(names):
            renamed = dict(zip(names, order, strict=True))
            if (
                all(often[name] == often[image] for name, image in renamed.items())
                and all(frozenset(turned(turn, way) for way in lying[name]) == lying[image] for name, image in renamed.items())
                and {(must, renamed[name], images[cell]) for must, name, cell in wishes} == wishes
            ):  # fmt: skip
                yield images, renamed


def classes(tiling: Tiling, solutions: Sequence[Solution], fixed: Sequence[Solution], *, mirrors: bool = True) -> int:
    """Count the orbits of the solutions under those of the group that leave some sets of placements as they are."""

    def moved(some: Solution, images: dict[Cell, Cell], renamed: dict[str, str]) -> Solution:
        return frozenset((renamed[piece], frozenset(images[cell] for cell in cells)) for piece, cells in some)

    elements = [one for one in group(tiling, mirrors=mirrors) if all(moved(some, *one) == some for some in fixed)]
    unseen, orbits = set(solutions), 0
    for solution in solutions:
        if solution in unseen:
            orbits += 1
            unseen -= {moved(solution, *one) for one in elements}
    assert not unseen
    return orbits


SHAPES = [
    frozenset((r, c) for r, row in enumerate(drawn.split("/")) for c, one in enumerate(row) if one == "#")
    for drawn in ("#", "##", "#/#", "###", "##/#", "###/#", "###/..#", ".##/##")
]


def random_board(chance: random.Random) -> tuple[dict[Cell, str], tuple[int, ...]]:
    """Return a small board, torus, cylinder or box, drawn or whole; and the periods."""
    size = chance.choice([2, 2, 2, 3])
    sides = [chance.randint(1, 4 if size == 2 else 2 + (k == 2)) for k in range(size)]
    cells = dict.fromkeys(itertools.product(*(range(1, side + 1) for side in sides)), ".")
    joined = chance.choice([(), (), (0,), (1,), (0, 1)]) if size == 2 else ()
    if not joined and size == 2 and sides[0] > 1:
        drawn = {cell: chance.choice("?#") if chance.random() < 0.2 else "." for cell in cells}
        drawn = {cell: kind for cell, kind in drawn.items() if kind != "#"}
        if drawn and all(max(cell[k] for cell in drawn) == sides[k] for k in (0, 1)):
            cells = drawn
    return cells, tuple(side if k in joined else 0 for k, side in enumerate(sides))


def random_copies(chance: random.Random) -> Any:
    low = chance.randint(0, 2)
    return chance.choice(["any", "any", low, 1, 0, (low, low + chance.randint(0 if low else 1, 3)), (0, 9)])


def random_tiling(chance: random.Random) -> Tiling:
    """Return a board and a few pieces, often equal; with wishes that some solution fulfills, if there is any."""
    cells, periods = random_board(chance)
    shapes = chance.choices(SHAPES, k=2)
    names = "ABC"[: chance.randint(1, 3)]
    pieces = {name: frozenset((0,) * (len(periods) - 2) + cell for cell in chance.choice(shapes)) for name in names}
    often = [random_copies(chance) for _ in range(2)]
    copies = {name: chance.choice(often) for name in names}
    free = Tiling(cells, periods, pieces, copies, chance.random() < 0.8, chance.random() < 0.7, {}, {})
    solution = next(free.encoder.problem().solve(limit=1, seed=chance.randrange(1000)), ())
    takes: dict[str, list[Cell]] = {}
    avoids: dict[str, list[Cell]] = {}
    for placement in chance.sample(solution, min(len(solution), chance.choice([0, 0, 1, 2, 3]))):
        takes.setdefault(placement.piece, []).append(chance.choice(placement.cells))
        others = [one for one in names if one != placement.piece]
        if others and chance.random() < 0.5:
            avoids.setdefault(chance.choice(others), []).append(chance.choice(placement.cells))
    return free._replace(takes=takes, avoids=avoids)


def plain(placements: Iterable[Any]) -> Solution:
    return frozenset((piece, frozenset(cells)) for piece, cells in placements)


@pytest.mark.parametrize("seed", range(2))
def test_classes_of_tilings_are_orbits_of_the_geometric_group(seed: int) -> None:
    chance, checked = random.Random(seed), 0
    while checked < 10:
        tiling = random_tiling(chance)
        problem = tiling.encoder.problem()
        found = list(problem.solve(limit=MAX))
        if not 0 < len(found) < MAX:
            continue
        checked += 1
        held = chance.sample(found[0], min(len(found[0]), chance.randint(0, 2)))
        banned = chance.sample(problem.labels, min(len(problem.labels), chance.randint(0, 2)))
        for given, without in (([], []), (held, []), (held, banned), ([], banned)):
            check_classes(tiling, [plain(solution) for solution in found], given, without)


def check_classes(tiling: Tiling, solutions: list[Solution], given: list[Any], without: list[Any]) -> None:
    left = [one for one in solutions if plain(given) <= one and plain(without).isdisjoint(one)]
    fixed = [plain(given), plain(without)]
    asked: tuple[tuple[Distinct, bool], ...] = ((True, True), ("rotations", False))
    for distinct, mirrors in asked:
        search = tiling.encoder.problem().solve(given=given, without=without, options=SearchOptions(distinct=distinct))
        assert len(list(search)) == classes(tiling, left, fixed, mirrors=mirrors), tiling
        assert search.classes is not None
        assert search.reason is not None or search.classes.total == len(left)


@pytest.mark.parametrize(("encoder", "number"), [
    (Polyomino("4x4", ("tetrominoes.L", "dominoes", "monominoes"), copies={"L": 1, "I": (0, 9), "O": (0, 2)},
               takes={"L": "r1c1"}, joined="both"), 856),
    (Polyomino("3x4", dict.fromkeys("ABCD", "###"), takes={"A": "r2c1", "B": "r2c4"}), 2),  # of equal pieces
    (Polyomino("2x2", {"a": "##", "b": "##"}, copies="any"), 2),
    (Polyomino("1x2", {"a": "##", "b": "##"}, copies="any"), 1),
    (Polyomino("4x3", {"a": "##", "b": "##"}, copies="any"), 106),
    *((Polyomino("4x5", {"D": "##"}, "any", takes=takes), 33) for takes in ({}, {"D": "r2c2"})),  # fulfilled anyway
    *((Polyomino("4x4", {"T": "###\n_#_"}, "any", takes=takes), 1) for takes in ({}, {"T": "r1c2"})),
    (Polyomino("2x3", {"D": "##", "L": "##\n#_"}, "any", takes={"D": "r1c1"}), 3),
], ids=str)  # fmt: skip
def test_wishes_and_equal_pieces_keep_what_symmetries_they_can(encoder: Polyform, number: int) -> None:
    assert encoder.count(distinct=True) == number


@pytest.mark.parametrize(("encoder", "all_symmetries", "rotations"), [
    (Polycube("2x4x4", "tetracubes"), 695, 1390),
    (Polyomino("3x20", "pentominoes"), 2, 4),
    (Polyiamond(), 156, 312),
    (Rectangles(), 1, 1),
    (Polyomino("2x3", "trominoes.V", copies=2), 1, 2),
], ids=str)  # fmt: skip
def test_rotations_alone(encoder: Polyform, all_symmetries: int, rotations: int) -> None:
    ways: list[tuple[Distinct, int]] = [(True, all_symmetries), ("rotations", rotations)]
    for distinct, count in ways:
        search = encoder.solve(options=SearchOptions(distinct=distinct))
        assert search.count() == count
        assert search.classes is not None and search.classes.mirrors == (distinct is True)


def test_in_space_a_mirror_image_of_a_flat_box_is_a_rotation() -> None:
    box = Polycube("1x2x3", "tricubes.V", copies=2)
    assert box.count(distinct=True) == box.count(distinct="rotations") == 1


@pytest.mark.parametrize("encoder", [Polyhex("2x2", "dihexes", copies="any"), Polystick("2x2", "monosticks", copies="any"),
                                     Polysphere("1x2x2", "dispheres", copies="any")], ids=str)  # fmt: skip
def test_every_lattice_tells_rotations_from_mirror_images(encoder: Polyform) -> None:
    problem = encoder.problem()
    search = problem.solve(options=SearchOptions(distinct=True))
    assert 0 < search.count() <= problem.count(distinct="rotations") <= problem.count()


def test_who_cannot_tell_rotations_says_so() -> None:
    from problems import Coloring

    with pytest.raises(ProblemError, match="does not tell rotations from mirror images"):
        Coloring().problem().solve(options=SearchOptions(distinct="rotations"))
    with pytest.raises(ValueError, match="distinct must be True or False or 'rotations'"):
        Polycube().problem().solve(options=SearchOptions(distinct="mirrors"))  # type: ignore[arg-type]
