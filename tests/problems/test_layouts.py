"""Random layouts: cages, regions and clues that are made anew for each puzzle."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import networkx as nx
import pytest

from exactcover import ParameterError
from exactcover.config.configuration import read_file
from exactcover.encoders.discovery import find_configs
from problems import Districts, Grid, Numberlink, Sudoku
from problems.layouts import leave_out, list_clues


def open_bundled(name: str) -> Any:
    return read_file(find_configs()[f"{name}.yaml"]).encoder


def find_drawing(encoder: Sudoku | Grid) -> tuple[str, ...]:
    if isinstance(encoder, Sudoku):
        drawing = encoder.cages or encoder.regions
    else:
        drawing = next((one["cages"]["areas"] for one in encoder.constraints if "cages" in one), encoder.regions)
    return tuple(drawing.split()) if isinstance(drawing, str) else tuple(drawing)


def read_areas(drawing: Iterable[str]) -> dict[str, set[tuple[int, int]]]:
    areas: dict[str, set[tuple[int, int]]] = {}
    for row, line in enumerate(drawing, 1):
        for column, letter in enumerate(line, 1):
            areas.setdefault(letter, set()).add((row, column))
    return areas


@pytest.mark.parametrize("name", ["killer_sudoku", "jigsaw_9x9", "queens_regions", "star_battle", "suguru", "kenken"])
def test_layouts_are_new_connected_and_the_same_for_the_same_seed(name: str) -> None:
    encoder = open_bundled(name)
    for seed in range(4):
        laid = encoder.lay_out(random.Random(seed))
        assert laid == encoder.lay_out(random.Random(seed))
        drawing, own = find_drawing(laid), find_drawing(encoder)
        areas = read_areas(drawing)
        grid = nx.grid_2d_graph(range(1, 1 + len(drawing)), range(1, 1 + len(drawing[0])))
        assert drawing != own and "." not in areas
        assert all(nx.is_connected(grid.subgraph(area)) for area in areas.values())
        assert not laid.givens()
        if name in ("killer_sudoku", "queens_regions", "kenken"):  # which are laid out around a solution
            assert next(laid.solve(limit=1), None) is not None
        if name in ("jigsaw_9x9", "suguru"):
            assert Counter(map(len, areas.values())) == Counter(map(len, read_areas(own).values()))


def test_kenken_totals_use_the_signs_of_the_puzzle() -> None:
    laid = open_bundled("kenken").lay_out(random.Random(1))
    totals = laid.constraints[1]["cages"]["totals"]
    signs = {total[-1] for total in totals.values() if not total.isdecimal()}
    assert signs and signs <= {*"x-+"}
    cages = read_areas(find_drawing(laid))
    assert all(len(cages[letter]) == 2 for letter, total in totals.items() if total.endswith("-"))


@pytest.mark.parametrize("encoder", [Sudoku(), Grid("4x4", constraints=({"once": "rows columns"},))])
def test_puzzles_without_layouts_are_refused(encoder: Sudoku | Grid) -> None:
    with pytest.raises(ParameterError, match=r"no cages, regions or clues|neither cages nor regions"):
        encoder.lay_out(random.Random(1))


CLUES = ["battleships", "even_odd_sudoku", "futoshiki", "kakurasu", "kakuro", "kropki", "light_up", "little_killer",
         "nonogram", "skyscrapers", "tango", "tents"]  # fmt: skip


@pytest.fixture
def few_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clues need not determine a solution, and whether they do takes most of the time."""
    monkeypatch.setattr("problems.grid._MOST_TRIES", 20)


@pytest.mark.usefixtures("few_tries")
@pytest.mark.parametrize("name", CLUES)
def test_clues_are_new_and_true_of_a_solution(name: str) -> None:
    encoder = open_bundled(name)
    laid = encoder.lay_out(random.Random(3))
    assert laid == encoder.lay_out(random.Random(3))
    assert not laid.givens() and laid != replace(encoder, cells=laid.cells)
    solution = next(laid.solve(limit=1))
    symbols = dict.fromkeys(laid.board.cells, laid.empty) | laid.decode(solution)
    for own in laid.stated_constraints:
        if own.has_clues():  # they are some of those that the solution shows
            shown = own.find_clues(laid.board, symbols)
            told = list_clues({argument: getattr(own, argument) for argument in shown}, own.blank or "")
            assert told and {get(own, clue) for clue in told} <= {get(shown, clue) for clue in list_clues(shown, "")}


def get(constraint: Any, clue: tuple[str, int | str]) -> Any:
    """A clue with its place, where that matters."""
    argument, place = clue
    value = constraint[argument] if isinstance(constraint, dict) else getattr(constraint, argument)
    if isinstance(place, str):
        return argument, place, int(value[place])
    words = value.split() if isinstance(value, str) else value
    return argument, " ".join(str(words[place]).split()), argument in ("pairs", "white", "black", "cells") or place


ODD_BOARDS = [
    Grid("4x4", symbols="1 2 3 x", empty="x", constraints=({"once": "rows columns"}, {"even": "r1c1"}, {"odd": "r1c2"})),
    Grid("4x4", symbols="1 2 3 4", constraints=({"once": "rows columns"},
         {"sums": {"lines": {"r1c1-r1c3": 6}, "repeat": False}})),
    Grid("4x4", symbols="1-6", constraints=({"once": "rows columns"}, {"xsums": {"left": "1 . . .", "top": "1 . . ."}})),
    Grid("3x3", symbols="0-2", constraints=({"once": "rows"}, {"visible": {"left": "1 . .", "right": ". 1 ."}})),
    Grid("3x3", symbols="1 A 0", constraints=({"once": "rows columns"}, {"less": ["r1c1 r1c2"]})),
    Grid("3x3", symbols="1 4 7", constraints=({"once": "rows columns"}, {"dots": {"white": [], "all": True}})),
    Grid("4x4", symbols="*x", empty="x", constraints=({"count": {"where": "board", "of": "*", "times": 5}},
         {"around": {"clues": "1... / .... / .... / ....", "of": "*"}})),
    Grid("4x4", symbols="*x", constraints=({"around": {"clues": "1... / .... / .... / ....", "of": "*", "own": True}},)),
    Grid("####/1.../...#", symbols="1 2 3", constraints=({"once": "columns"}, {"visible": {"left": ". 1 ."}})),
]  # fmt: skip


@pytest.mark.usefixtures("few_tries")
@pytest.mark.parametrize("encoder", ODD_BOARDS)
def test_clues_of_odd_boards_have_a_solution(encoder: Grid) -> None:
    for seed in range(4):
        laid = encoder.lay_out(random.Random(seed))
        assert next(laid.solve(limit=1), None) is not None
        assert [*map(list, laid.constraints)] == [*map(list, encoder.constraints)] or len(laid.constraints) < 3


@pytest.mark.parametrize(
    "table", ["1... / .... / .... / ....", "1 . . . / . . . . / . . . . / . . . .", ("1...", *["...."] * 3)]
)
def test_as_many_clues_are_left_as_there_were(table: Any) -> None:
    """Two symbols are never told apart, so there are several solutions whatever the clues."""
    grid = Grid("4x4", symbols="*xo", constraints=({"around": {"clues": table, "of": "*", "own": True}},))
    (stated,) = grid.lay_out(random.Random(1)).constraints
    assert len(list_clues({"clues": stated["around"]["clues"]}, ".")) == 1


def test_numbers_stand_in_holes_if_there_are_any_and_none_stands_elsewhere() -> None:
    constraints = {"lamps": "*"}, {"around": {"clues": ".../.../...", "of": "*"}}
    lights = Grid("#../.../..#", symbols="*x", empty="x", constraints=constraints)
    _, stated = lights.lay_out(random.Random(1)).constraints
    numbers = stated["around"]["clues"].split()
    assert {k for k, word in enumerate(numbers) if word != "."} <= {0, 8}


def test_marks_that_another_constraint_names_are_kept() -> None:
    marks = ({"sums": {"r1c1 r1c2": 5}}, {"unmarked": {"totals": "5", "marked": ["r1c1 r1c2"]}})
    with pytest.raises(ParameterError, match="no cages, regions or clues"):
        Grid("4x4", constraints=({"once": "rows columns"}, *marks)).lay_out(random.Random(1))


def test_numbers_of_dominoes_are_those_of_the_set() -> None:
    encoder = open_bundled("dominosa")
    laid, again = (encoder.lay_out(random.Random(4)) for _ in range(2))
    assert laid == again and laid != encoder
    numbers = " ".join(laid.constraints[0]["dominoes"]["numbers"]).split()
    assert Counter(numbers) == dict.fromkeys("01234", 6)
    assert len(list(laid.solve(limit=2))) == 1


@pytest.mark.parametrize("encoder", [
    open_bundled("shikaku"),
    Grid("5x5", symbols="*x", empty="x",
         constraints=({"islands": "3..../...../..4../...../1...1"}, {"together": "*"}, {"never": "**/**"})),
])  # fmt: skip
def test_areas_are_new_and_determined_by_their_numbers(encoder: Grid) -> None:
    for seed in range(3):
        laid = encoder.lay_out(random.Random(seed))
        assert isinstance(laid, Grid) and laid != encoder and laid == encoder.lay_out(random.Random(seed))
        assert len(list(laid.solve(limit=2))) == 1


@pytest.mark.parametrize("name", ["futoshiki", "skyscrapers", "little_killer", "light_up"])
def test_no_clue_can_be_left_out(name: str) -> None:
    for seed in range(9):
        laid = open_bundled(name).lay_out(random.Random(seed))
        if len(list(laid.solve(limit=2))) > 1:
            continue
        (place,) = [k for k, one in enumerate(laid.stated_constraints) if one.has_clues()]
        own, ((word, stated),) = laid.stated_constraints[place], laid.constraints[place].items()
        shown = own.find_clues(laid.board, laid.decode(next(laid.solve())))
        told = {name: stated[name] for name in shown if name in stated}
        clues = list_clues(told, own.blank or "")
        for clue in clues:
            fewer = {word: {**stated, **leave_out(told, {clue}, own.blank or "")}}
            constraints = [fewer if k == place else one for k, one in enumerate(laid.constraints)]
            assert len(list(replace(laid, constraints=tuple(constraints)).solve(limit=2))) == 2
        assert len(clues) > 3
        return
    raise AssertionError("no clues determine a solution")


def read_symbols(encoder: Districts | Numberlink) -> list[list[str]]:
    rows = encoder.unparse([]).split("\n")
    return [row.split() if " " in row else [*row] for row in rows]


def check_symbols(encoder: Districts | Numberlink) -> Iterator[Districts | Numberlink]:
    """A new board has other symbols, the same holes, and one solution."""
    for seed in range(3):
        laid = encoder.lay_out(random.Random(seed))
        assert laid != encoder
        assert laid == encoder.lay_out(random.Random(seed))
        assert laid.count() == 1
        before, behind = ([[one == "#" for one in row] for row in read_symbols(each)] for each in (encoder, laid))
        assert before == behind
        yield laid


@pytest.mark.parametrize("encoder", [Districts("4x4", 4, 4), Districts("..#.\n....\n....\n...#", 3)], ids=str)
def test_no_letter_of_districts_could_be_left_out(encoder: Districts) -> None:
    for laid in check_symbols(encoder):
        rows = read_symbols(laid)
        for row, column in [(r, c) for r, own in enumerate(rows) for c, one in enumerate(own) if one.isalpha()]:
            fewer = [[*own] for own in rows]
            fewer[row][column] = "."
            assert laid.parse("\n".join(map("".join, fewer))).count() > 1


@pytest.mark.parametrize(
    "encoder",
    [Numberlink("1..../...../...../...2.", kind="zip"), Numberlink("1.3/.../..2", kind="zip", fill=False)],
    ids=str,
)
def test_no_number_of_a_path_could_be_left_out(encoder: Numberlink) -> None:
    for laid in check_symbols(encoder):
        rows = read_symbols(laid)
        inner = range(2, sum(one.isdigit() for row in rows for one in row))
        assert inner
        for left in inner:
            number = {one: str(int(one) - (int(one) > left)) for row in rows for one in row if one.isdigit()}
            fewer = [["." if one == str(left) else number.get(one, one) for one in row] for row in rows]
            assert laid.parse("\n".join(map(" ".join, fewer))).count() > 1


def test_paths_that_are_laid_out_do_not_come_beside_themselves() -> None:
    for laid in check_symbols(Numberlink("A....#/....../....../....../A.....")):
        assert isinstance(laid, Numberlink)
        for path in laid.decode(next(laid.solve())).values():
            beside = [abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in combinations(path, 2)]
            assert len(path) > 2 and sum(beside) == len(path) - 1
    with pytest.raises(ParameterError, match="no symbols are found that leave one solution"):
        Numberlink("A#A").lay_out(random.Random(1))
