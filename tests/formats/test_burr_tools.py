"""Files of BurrTools: what they mean is compared with brute force over the voxels."""

import gzip
import io
import random
from collections import Counter
from itertools import permutations, product
from math import prod
from pathlib import Path

import pytest

from classics import parity
from commands import assert_refused, invoke
from damage import damage
from exactcover import ConfigError, Encoder, ProblemError, Stop
from exactcover.config.configuration import encode
from exactcover.control.stop import Stopped
from exactcover.formats import burr_tools
from problems import Polycube, Polyhex, Polyomino

Voxels = frozenset[tuple[int, int, int]]


def write_file(shapes: str, problems: str, colors: int = 0, grid: int = 0, version: int = 2) -> bytes:
    """Return a file with these shapes, of one line each: size, a colon, voxels."""
    lines = (line.split(":") for line in shapes.split())
    sizes = ((size.split("x"), voxels) for size, voxels in lines)
    texts = (f'<voxel x="{x}" y="{y}" z="{z}" type="0">{voxels}</voxel>\n' for (x, y, z), voxels in sizes)
    palette = '<color red="1" green="2" blue="3"/>' * colors
    return (
        f'<?xml version="1.0"?>\n<puzzle version="{version}">\n<gridType type="{grid}"/>\n'
        f"<colors>{palette}</colors>\n<shapes>\n{''.join(texts)}</shapes>\n"
        f"<problems>\n{problems}\n</problems>\n</puzzle>\n"
    ).encode()


def write_problem(parts: str, result: int, pairs: str = "", attributes: str = "") -> str:
    """Return a problem; parts are ``shape:count`` or ``shape:min-max``, pairs ``piece-result``, both colors from 0."""
    shapes = ""
    for part in parts.split():
        shape, _, bounds = part.partition(":")
        low, _, high = bounds.partition("-")
        counts = f'min="{low}" max="{high}"' if high else f'count="{low}"'
        shapes += f'<shape id="{shape}" {counts}/>'
    allowed = "".join('<pair piece="{}" result="{}"/>'.format(*pair.split("-")) for pair in pairs.split())
    return (
        f'<problem state="0" {attributes}><shapes>{shapes}</shapes><result id="{result}"/>'
        f"<bitmap>{allowed}</bitmap></problem>"
    )


def make_encoder(content: bytes, wanted: str | None = None) -> Encoder:
    family, params, *_ = burr_tools.read(io.BytesIO(content), "x.xmpuzzle").choose(wanted)
    return encode(family, **params)


MOTIONS = product(permutations(range(3)), product((1, -1), repeat=3))
ROTATIONS = [(axes, signs) for axes, signs in MOTIONS if parity(axes) * prod(signs) == 1]


def count_by_force(pieces: list[tuple[Voxels, int, int]], filled: Voxels, optional: Voxels) -> int:
    """Count the fillings of a result; each piece has its least and greatest number of copies."""
    places: list[set[Voxels]] = []
    for voxels, _, _ in pieces:
        found = set()
        for (axes, signs), target in product(ROTATIONS, filled | optional):
            turned = [tuple(sign * cell[axis] for axis, sign in zip(axes, signs, strict=True)) for cell in voxels]
            for anchor in turned:
                moved = frozenset((x - anchor[0] + target[0], y - anchor[1] + target[1], z - anchor[2] + target[2])
                                  for x, y, z in turned)  # fmt: skip
                if moved <= filled | optional:
                    found.add(moved)
        places.append(found)

    def extend(free: Voxels, used: Counter[int], last: tuple[int, int]) -> int:
        enough = all(used[k] >= low for k, (_, low, _) in enumerate(pieces))
        total = int(enough and not free & filled)
        for kind, index in ordered:
            if (kind, index) > last and used[kind] < pieces[kind][2] and lists[kind][index] <= free:
                total += extend(free - lists[kind][index], used + Counter([kind]), (kind, index))
        return total

    lists = [sorted(found, key=sorted) for found in places]
    ordered = [(kind, index) for kind, found in enumerate(lists) for index in range(len(found))]
    return extend(filled | optional, Counter(), (-1, -1))


def cells_of(size: str, voxels: str, mark: str) -> Voxels:
    x, y, z = map(int, size.split("x"))
    return frozenset((k % x, k // x % y, k // x // y) for k in range(x * y * z) if voxels[k] == mark)


def test_ranges_and_variable_voxels_mean_what_brute_force_counts() -> None:
    chance = random.Random(3)
    seen = set()
    for _ in range(40):
        sizes = ["2x1x1", "2x2x1", chance.choice(["2x2x2", "3x2x1"])]
        drawn = ["##", chance.choice(["###_", "#_##", "####"])]
        board = "".join(chance.choice("##+_") for _ in range(8 if sizes[2] == "2x2x2" else 6))
        bounds = [sorted(chance.choices(range(4), k=2)) for _ in range(2)]
        shapes = " ".join(f"{size}:{voxels}" for size, voxels in zip(sizes, [*drawn, board], strict=True))
        parts = " ".join(f"{number}:{low}-{high}" for number, (low, high) in enumerate(bounds))
        pieces = [
            (cells_of(size, voxels, "#"), low, high)
            for size, voxels, (low, high) in zip(sizes, drawn, bounds, strict=False)
        ]
        filled, optional = (cells_of(sizes[2], board, mark) for mark in "#+")
        if not filled | optional or not any(high for _, high in bounds):
            continue
        number = make_encoder(write_file(shapes, write_problem(parts, 2))).problem().count()
        assert number == count_by_force(pieces, filled, optional), (shapes, parts)
        seen.add(min(number, 3))
    assert seen == {0, 1, 2, 3}


def test_a_color_keeps_a_piece_off_other_colors() -> None:
    shapes = "2x1x1:#1#1 2x1x1:## 4x1x1:#1#1#2#2"
    for pairs, number in (("0-0", 1), ("0-1", 1), ("0-0 0-1", 2), ("", 0), ("1-0 1-1", 0)):
        content = write_file(shapes, write_problem("0:1 1:1", 2, pairs), colors=2)
        assert make_encoder(content).problem().count() == number
    mixed = write_file("2x1x1:#1# 2x1x1:##1", write_problem("0:1", 1, "0-0"), colors=1)
    assert make_encoder(mixed).problem().count() == 1  # nothing is restricted


def test_holes_that_the_pieces_leave_anyway_are_allowed() -> None:
    def make(holes: int) -> bytes:
        return write_file("2x1x1:## 3x1x1:+++", write_problem("0:1", 1, attributes=f'maxHoles="{holes}"'))

    assert make_encoder(make(1)).problem().count() == 2
    with pytest.raises(ConfigError, match="at most 0 holes of up to 1 cannot be expressed"):
        make_encoder(make(0))


@pytest.mark.parametrize("encoder", [
    Polycube("2x2x3", {"U": "#.#/###", "a&<b": "##"}, copies="any"),
    Polyomino("3x20"),
    Polyomino(("..?", "..#", "..."), ("dominoes", "monominoes"), copies={"I": (0, 4), "O": 2}),
], ids=["odd names", "flat", "optional cells"])  # fmt: skip
def test_what_is_written_is_read_again(encoder: Polyomino | Polycube) -> None:
    out = io.BytesIO()
    burr_tools.write(encoder.problem(), out, encoder=encoder)
    again = make_encoder(out.getvalue())
    painted = encoder.paint()
    assert isinstance(again, Polycube) and isinstance(again.pieces, dict) and painted is not None
    assert again.problem().count(distinct=True) == encoder.problem().count(distinct=True) > 0
    assert list(again.pieces) == list(painted["drawings"])


def test_pieces_of_which_there_is_none_are_written_if_there_is_no_other() -> None:
    out, encoder = io.BytesIO(), Polycube("..?", {"A": "##"}, copies={"A": 0})
    burr_tools.write(encoder.problem(), out, encoder=encoder)
    assert make_encoder(out.getvalue()).problem().count() == encoder.problem().count() == 0


@pytest.mark.parametrize(("encoder", "message"), [
    (Polyhex(), "hold boards and pieces of squares or cubes"),
    (Polyomino(joined="both"), "hold boards and pieces of squares or cubes"),
    (Polyomino(reflect=False), "turns flat pieces, also over"),
    (Polyomino("4x5", "one-sided tetrominoes", copies="any"), "turns flat pieces, also over"),
    (Polycube(reflect=True), "rotates pieces in space"),
    (Polycube(rotate=False), "rotates pieces in space"),
    (Polycube("1x1x2", "dicubes", placed=("I z1r1c1 z1r1c2",)), "no place for placed pieces, such as 'I z1r1c1"),
])  # fmt: skip
def test_what_has_no_place_is_refused(encoder: Polyomino | Polycube, message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        burr_tools.write(encoder.problem(), io.BytesIO(), encoder=encoder)


PIECE = "2x1x1:##"
ONE = write_problem("0:1", 1)


@pytest.mark.parametrize(("content", "message"), [
    (b"", "x.xmpuzzle:1:1: not XML: no element found"),
    (b"<puzzle/>", "x.xmpuzzle:1:1: expected a file of version 1 or 2"),
    (b'<?xml version="1.0" encoding="odd"?><puzzle/>', "x.xmpuzzle:1:31: not XML: unknown encoding: odd"),
    (b'<?xml version="1.0" encoding="utf-7"?><puzzle/>', "x.xmpuzzle:1:31: not XML: "),
    (b"<html/>", "x.xmpuzzle:1:1: expected the element puzzle, got html"),
    (b"\x1f\x8b123", "x.xmpuzzle: cannot be unpacked: Error -3"),
    (write_file(PIECE, ONE, grid=1), "x.xmpuzzle:3:1: the puzzle is made of triangular prisms; only puzzles made of cubes"),
    (write_file(PIECE, ONE, grid=77), "x.xmpuzzle:3:1: the puzzle is made of unknown cells (grid '77')"),
    (write_file("2x1x1:#x", ONE), "x.xmpuzzle:6:37: shape S1: 'x' is not allowed among voxels; use #, + and _"),
    (write_file("2x2x1:#", ONE), "x.xmpuzzle:6:36: shape S1 has 1 voxels; expected 2 x 2 x 1 = 4"),
    (write_file("99999999999999999999x2x1:#", ONE), "x.xmpuzzle:6:1: x: expected a whole number from 1 to 10,000"),
    (write_file("2x1x1:##", write_problem("0:1", 0).replace('state="0"', 'state="2" assemblies="x"')),
     "x.xmpuzzle:9:1: assemblies: expected a whole number from 0"),
    (write_file("2x1x1:#1#", ONE), "x.xmpuzzle:6:38: shape S1 uses color 1, but the file has 0"),
    (write_file(PIECE, ONE), "x.xmpuzzle:9:1: there is no shape 1 (the first is 0); the file has 1 shape"),
    (write_file(PIECE, ""), "x.xmpuzzle:1:1: the file has no problem"),
    (write_file(PIECE, "<problem/>"), "x.xmpuzzle:9:1: the problem has no result"),
    (write_file(PIECE, write_problem("", 0)), "x.xmpuzzle:9:1: the problem has no pieces"),
    (write_file(PIECE, write_problem("0:3-2", 0)), "x.xmpuzzle:9:29: min is 3, which exceeds max, 2"),
    (write_file("2x1x1:+# " + PIECE, ONE), "x.xmpuzzle:6:1: shape S1 is a piece, so it cannot have variable voxels"),
    (write_file("2x1x1:__ " + PIECE, ONE), "x.xmpuzzle:6:1: shape S1 is a piece, but has no filled voxel"),
    (write_file(PIECE + " 2x1x1:__", ONE), "x.xmpuzzle:7:1: the result has no filled voxel"),
    (write_file(PIECE, ONE + "\n" + ONE), "x.xmpuzzle:9:1: the file has 2 problems; choose one of problem=1 (no name)"),
    (write_file("2x1x1:#1#2 2x1x1:#1#1", ONE, colors=2), "x.xmpuzzle:6:1: shape S1 has voxels of several colors"),
])  # fmt: skip
def test_mistakes_have_a_place(content: bytes, message: str) -> None:
    for data in (content, gzip.compress(content)) if not content.startswith(b"\x1f") else (content,):
        with pytest.raises(ConfigError) as caught:
            burr_tools.read(io.BytesIO(data), "x.xmpuzzle").choose()
        assert str(caught.value).startswith(message)


def test_hostile_files_are_refused() -> None:
    def fail(data: bytes) -> str:
        with pytest.raises(ConfigError) as caught:
            burr_tools.read(io.BytesIO(data), "x.xmpuzzle")
        return str(caught.value)

    entities = b'<!DOCTYPE puzzle [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'
    assert "declare entities, is not allowed" in fail(entities + b"<puzzle>&b;</puzzle>")
    assert "declare entities, is not allowed" in fail(b'<!DOCTYPE puzzle SYSTEM "file:///etc/passwd"><puzzle/>')
    packed = gzip.compress(b'<puzzle version="2">' + b" " * (70 << 20))
    assert len(packed) < 100_000
    assert "unpacks to more than 67,108,864 bytes" in fail(packed)
    whole = gzip.compress(write_file(PIECE, ONE))
    assert "incomplete" in fail(whole[:-9])
    assert "followed by others" in fail(whole + whole)
    assert len(fail(b'<puzzle version="2">' + b"<shapes><voxel/></shapes>" * 1000).splitlines()) == 100
    deep = b'<puzzle version="2">' + b"<a>" * 300_000  # each element must not cost its depth
    assert "no element found" in fail(deep)


def test_changed_files_fail_with_a_message() -> None:
    content = write_file("2x1x1:#1# 3x1x1:#1#+", write_problem("0:0-2", 1, "0-0"), colors=1)
    chance = random.Random(1)
    for _ in range(300):
        try:
            make_encoder(damage(content, chance)).problem()
        except (ConfigError, ProblemError) as error:
            assert str(error)


def test_a_stop_ends_reading() -> None:
    with pytest.raises(Stopped):
        burr_tools.read(io.BytesIO(write_file(PIECE, ONE)), stop=Stop(timeout=0))


def test_the_command_line_reads_and_writes_them(tmp_path: Path) -> None:
    file, two = tmp_path / "soma.xmpuzzle", tmp_path / "two.xmpuzzle"
    assert invoke("convert", "soma_cube.yaml", "-o", str(file)).returncode == 0
    before = file.read_bytes()
    assert invoke("count", str(file), "--distinct").stdout == "240\n"
    assert invoke("count", "-", "--input", "xmpuzzle", input=gzip.decompress(before).decode()).stdout == "11520\n"
    assert invoke("count", str(file), "rotate=false").stdout == "0\n"
    refused = invoke("convert", str(file), "-o", str(file), "--given", "T z1r1c1 z1r1c2 z1r1c3 z1r2c2")
    assert (refused.returncode, file.read_bytes()) == (2, before)
    two.write_bytes(write_file("2x1x1:## 1x1x1:# 2x2x1:####", write_problem("0:2", 2) + write_problem("1:4", 2)))
    assert invoke("count", str(two)).returncode == 2
    assert [invoke("count", str(two), f"problem={number}").stdout for number in (1, 2)] == ["2\n", "1\n"]
    assert "there is no problem '3'" in invoke("count", str(two), "problem=3").stderr
    assert_refused("has no board and pieces", "convert", "queens", "-o", str(two))


def test_spheres_are_read_as_piles() -> None:
    tetrahedron = "2x2x2:#__#_##_ 2x2x1:#__#"
    encoder = make_encoder(write_file(tetrahedron, write_problem("1:2", 0), grid=2))
    assert (type(encoder).__name__, encoder.count(), encoder.count(distinct=True)) == ("Polysphere", 3, 1)
    message = "6:1: shape S1: a sphere cannot lie at x=1, y=0, z=0; their sum must be even"
    with pytest.raises(ConfigError, match=message):
        make_encoder(write_file("2x1x1:## 1x1x1:#", write_problem("1:1", 0), grid=2))


@pytest.mark.parametrize("seed", range(8))
def test_pairs_of_spheres_are_matchings_of_those_that_touch(seed: int) -> None:
    chance = random.Random(seed)
    places = [cell for cell in product(range(3), repeat=3) if sum(cell) % 2 == 0]
    filled = set(chance.sample(places, 8))
    voxels = "".join("_#"[(x, y, z) in filled] for z, y, x in product(range(3), repeat=3))
    encoder = make_encoder(write_file(f"3x3x3:{voxels} 2x2x1:#__#", write_problem("1:4", 0), grid=2))

    def count(free: frozenset[tuple[int, ...]]) -> int:
        if not free:
            return 1
        first = min(free)
        near = [one for one in free if sum((a - b) ** 2 for a, b in zip(first, one, strict=True)) == 2]
        return sum(count(free - {first, one}) for one in near)

    assert encoder.count() == count(frozenset(filled))


def test_pieces_and_boards_need_not_be_connected() -> None:
    encoder = make_encoder(write_file("4x1x1:#_## 4x2x1:#_#_#### 3x1x1:#_#", write_problem("2:3", 1)))
    assert encoder.count() == make_encoder(write_file("4x2x1:#_#_#### 3x1x1:#_#", write_problem("1:3", 0))).count()
    assert Polyomino("2x4", {"A": "#.#"}, copies=4).count() == 1
