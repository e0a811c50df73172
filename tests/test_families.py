"""Families with published numbers of solutions, or with their own brute force."""

from __future__ import annotations

import itertools

import pytest

from exactcover import ParameterError
from exactcover.testing import check_encoder
from problems import Langford, Latin, Sudoku

SKOLEM = [1, 0, 0, 6, 10, 0, 0, 504, 2656]
"""OEIS A004075."""


def test_langford_pairs(engine: str) -> None:
    for n, up_to_reversal in {3: 1, 4: 1, 7: 26, 8: 150}.items():  # OEIS A014552
        problem = Langford(n=n).problem()
        assert problem.count(engine=engine) == 2 * up_to_reversal
        assert problem.count(engine=engine, distinct=True) == up_to_reversal


def test_nickerson_pairs() -> None:
    for n, count in enumerate(SKOLEM, 1):
        assert Langford(n=n, kind="Nickerson").problem().count() == count


def test_a_row_is_what_it_should_be() -> None:
    for kind, between in (("Langford", 0), ("Nickerson", 1)):
        pairs = Langford(n=4, kind=kind)  # type: ignore[arg-type]
        for solution in pairs.problem().solve():
            row = pairs.decode(solution)
            assert sorted(row) == [1, 1, 2, 2, 3, 3, 4, 4]
            assert all(row[row.index(k) + k + 1 - between] == k for k in range(1, 5))


def latin_squares(n: int) -> list[tuple[str, ...]]:
    """All of them, by brute force."""
    rows = ["".join(row) for row in itertools.permutations("1234"[:n])]
    squares = itertools.product(rows, repeat=n)
    return [square for square in squares if all(len(set(column)) == n for column in zip(*square, strict=True))]


def test_latin_squares_and_their_mates(engine: str) -> None:
    squares = latin_squares(4)
    assert Latin(n=4).problem().count(engine=engine) == len(squares) == 576
    for mate in (("1234", "2143", "3412", "4321"), ("1234", "2341", "3412", "4123")):
        orthogonal = [
            square
            for square in squares
            if len({*zip("".join(square), "".join(mate), strict=True)}) == 16
        ]  # fmt: skip
        encoder = Latin(n=4, mate=mate)
        problem = encoder.problem()
        assert sorted(map(encoder.decode, problem.solve(engine=engine))) == sorted(orthogonal)
    diagonal = [square for square in squares if len({square[k][k] for k in range(4)}) == 4
                and len({square[k][3 - k] for k in range(4)}) == 4]  # fmt: skip
    assert Latin(n=4, diagonals=True).problem().count(engine=engine) == len(diagonal)


def test_givens_of_a_latin_square() -> None:
    square = Latin(n=3, grid="12./.../...")
    assert {square.decode(one) for one in square.problem().solve(given=square.givens())} == {
        one for one in latin_squares(3) if one[0] == "123"
    }


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"grid": "12 21"}, "expected 3 rows, found 2"),
        ({"grid": "123 12 123"}, "row 2: expected 3 cells, found 2"),
        ({"grid": "124 ... ..."}, "expected one of 123., got '4'"),
        ({"mate": "123 123 231"}, "column 1, 112, does not hold every symbol exactly once"),
    ],
)
def test_squares_that_are_none(params: dict[str, str], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Latin(n=3, **params)  # type: ignore[arg-type]


def test_all_that_the_toolkit_asks() -> None:
    check_encoder(Langford, [{"n": 3}, {"n": 4, "kind": "Nickerson"}], counts=[2, 6], rejected=[{"kind": "other"}])
    check_encoder(Latin, [{"n": 3}, {"n": 4, "mate": "1234 2143 3412 4321"}, {"n": 3, "grid": "1.. ... ..."}],
                  counts=[12, 48, 4], rejected=[{"n": 0}, {"n": 36}])  # fmt: skip


def grids(count_of: dict[str, set[tuple[int, int]]]) -> set[tuple[str, ...]]:
    """Latin squares of order 4 in which no symbol comes twice in any of some sets of cells."""
    return {
        square
        for square in latin_squares(4)
        if all(len({square[row][column] for row, column in cells}) == len(cells) for cells in count_of.values())
    }


def test_sudoku_with_other_regions(engine: str) -> None:
    drawn = ["AAAB", "ACBB", "CCDB", "CDDD"]
    places: dict[str, set[tuple[int, int]]] = {letter: set() for letter in "ABCD"}
    for row, line in enumerate(drawn):
        for column, letter in enumerate(line):
            places[letter].add((row, column))
    puzzle = Sudoku(regions=" ".join(drawn))
    assert {puzzle.decode(one) for one in puzzle.problem().solve(engine=engine)} == grids(places)


def test_sudoku_with_diagonals_and_extra_regions(engine: str) -> None:
    boxes = {f"{r}{c}": {(2 * r + i, 2 * c + j) for i in (0, 1) for j in (0, 1)} for r in (0, 1) for c in (0, 1)}
    diagonals = {"falling": {(k, k) for k in range(4)}, "rising": {(k, 3 - k) for k in range(4)}}
    puzzle = Sudoku(box="2x2", diagonals=True)
    assert {puzzle.decode(one) for one in puzzle.problem().solve(engine=engine)} == grids(boxes | diagonals)
    some = {"centre": {(1, 1), (1, 2), (2, 1), (2, 2)}, "three": {(0, 0), (1, 1), (3, 3)}}
    puzzle = Sudoku(box="2x2", extra=(".... .AA. .AA. ....", ("B...", ".B..", "....", "...B")))
    problem = puzzle.problem()
    assert {puzzle.decode(one) for one in problem.solve(engine=engine)} == grids(boxes | some)
    assert len(problem.secondary) == 4  # a symbol may be missing in the region of three cells


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"regions": "AAAA BBBB CCCC"}, "expected 3 rows of 3 cells"),
        ({"regions": "AAA BBC CCC"}, "expected 3 regions of 3 cells; region B has 2 cells"),
        ({"regions": "AAA AAA AAA"}, "expected 3 regions of 3 cells; region A has 9 cells"),
        ({"box": "2x2", "extra": ("AAAA A... .... ....",)}, "region A has more than 4 cells"),
        ({"regions": "ABC ABC ABC", "grid": "12"}, "expected 9 cells for 3 regions, found 2"),
    ],
)
def test_regions_that_are_none(params: dict[str, str], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Sudoku(**params).problem()  # type: ignore[arg-type]
