"""Grid puzzles: each constraint against brute force, and the bundled ones."""

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations, groupby, pairwise, permutations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import invoke
from exactcover import ParameterError, pictures
from problems.grid import CONSTRAINTS, Grid

Place = tuple[int, int]
Filled = Mapping[Place, str]
Holds = Callable[[Filled], bool]


def _fill(rows: int, columns: int, symbols: str) -> Iterator[dict[Place, str]]:
    """Yield all ways to fill a board."""
    cells = [*product(range(1, rows + 1), range(1, columns + 1))]
    return (dict(zip(cells, word, strict=True)) for word in product(symbols, repeat=len(cells)))


def _lines(board: Filled) -> list[list[Place]]:
    rows, columns = max(board)
    across = [[(row, column) for column in range(1, columns + 1)] for row in range(1, rows + 1)]
    return [*across, *map(list, zip(*across, strict=True))]


def _numbers(board: Filled, cells: list[Place]) -> list[int]:
    return [int(board[cell]) for cell in cells]


def _name(cells: list[Place]) -> str:
    return " ".join(f"r{row}c{column}" for row, column in cells)


def _near(one: Place, other: Place, word: str) -> bool:
    away = sorted((abs(one[0] - other[0]), abs(one[1] - other[1])))
    return away in {"adjacent": ([0, 1],), "diagonal": ([1, 1],), "king": ([0, 1], [1, 1]), "knight": ([1, 2],)}[word]


def _pick_line(chance: random.Random, rows: int, columns: int, length: int) -> list[Place]:
    """Return cells each of which touches the one before."""
    while True:
        line = [(chance.randint(1, rows), chance.randint(1, columns))]
        while len(line) < length:
            row, column = line[-1]
            near = [(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
            near = [one for one in near if 1 <= one[0] <= rows and 1 <= one[1] <= columns and one not in line]
            if not near:
                break
            line.append(chance.choice(near))
        if len(line) == length:
            return line


def _see(numbers: list[int]) -> int:
    return sum(number > max(numbers[:k], default=0) for k, number in enumerate(numbers))


Case = tuple[Any, Holds]
"""The arguments of a constraint, and what it means on a board with 2 rows, 3 columns and the symbols 1 to 3."""


def _make_case(word: str, chance: random.Random) -> Case:
    line = _pick_line(chance, 2, 3, chance.randint(2, 4))
    numbers: Callable[[Filled], list[int]] = lambda board: _numbers(board, line)  # noqa: E731
    pair = _pick_line(chance, 2, 3, 2)
    match word:
        case "once":
            return "columns", lambda b: all(len({b[c] for c in own}) == len(own) for own in _lines(b)[2:])
        case "number":
            return {"where": _name(line[:3])}, lambda b: sorted(_numbers(b, line[:3])) == [*range(1, len(line[:3]) + 1)]
        case "count":
            times = [chance.randint(0, 3) for _ in range(2)]
            return ({"where": "rows", "times": times, "of": "12"},
                    lambda b: [sum(b[c] != "3" for c in own) for own in _lines(b)[:2]] == times)  # fmt: skip
        case "balance":
            return "rows", lambda b: all(len({b[c] for c in own}) == 3 for own in _lines(b)[:2])
        case "differ":
            kind, by = chance.choice(["adjacent", "diagonal", "king", "knight"]), chance.randint(1, 2)
            return ({"neighbors": kind, "by": by},
                    lambda b: all(abs(int(b[p]) - int(b[q])) >= by for p in b for q in b if _near(p, q, kind)))  # fmt: skip
        case "never":
            pattern = "".join(chance.choice("123") for _ in range(chance.randint(2, 3)))[:-1] + chance.choice("123.")
            return pattern, lambda b: not any(re.search(pattern, "".join(b[c] for c in own)) for own in _lines(b))
        case "distinct":
            return {}, lambda b: all(
                [b[c] for c in one] != [b[c] for c in other]
                for lines in (_lines(b)[:2], _lines(b)[2:])
                for k, one in enumerate(lines)
                for other in lines[:k]
            )
        case "ripple":
            return {}, lambda b: all(
                b[p] != b[q] or abs(p[0] - q[0]) + abs(p[1] - q[1]) > int(b[p])
                for own in _lines(b) for p in own for q in own if p < q
            )  # fmt: skip
        case "together":
            return "1", lambda b: any(_reach(b, cell) == {c for c in b if b[c] == "1"} for cell in b if b[cell] == "1")
        case "only":
            return {"symbols": "13", "cells": _name(line)}, lambda b: all(one != 2 for one in numbers(b))
        case "even" | "odd":
            return _name(line), lambda b: all(one % 2 == (word == "odd") for one in numbers(b))
        case "cages" | "sums":
            return _make_total(word, line, chance)
        case "thermometers":
            slow = chance.random() < 0.5
            return ({"lines": [_name(line[:3])], "slow": slow},
                    lambda b: all(a < c or (slow and a == c) for a, c in pairwise(numbers(b)[:3])))  # fmt: skip
        case "less":
            return [_name(pair)], lambda b: b[pair[0]] < b[pair[1]]
        case "same":
            return [_name(pair)], lambda b: b[pair[0]] == b[pair[1]]
        case "unlike":
            return [_name(pair)], lambda b: b[pair[0]] != b[pair[1]]
        case "dots":
            return _make_dots(chance)
        case "whispers":
            return {"lines": [_name(line)], "by": 2}, lambda b: all(abs(a - c) >= 2 for a, c in pairwise(numbers(b)))
        case "palindromes":
            return [_name(line)], lambda b: numbers(b) == numbers(b)[::-1]
        case "renban":
            return [_name(line)], lambda b: len({*numbers(b)}) == len(line) == max(numbers(b)) - min(numbers(b)) + 1
        case "arrows":
            if chance.random() < 0.5:  # the circle has two cells
                return (["r1c1 r2c1 > r2c2 r2c3 r1c3 r1c2"],
                        lambda b: 10 * int(b[1, 1]) + int(b[2, 1]) == sum(int(b[r, c]) for r in (1, 2) for c in (2, 3)))  # fmt: skip
            return [_name(line)], lambda b: numbers(b)[0] == sum(numbers(b)[1:])
        case "inside":
            return [_name(line)], lambda b: all(
                min(numbers(b)[0], numbers(b)[-1]) < one < max(numbers(b)[0], numbers(b)[-1])
                for one in numbers(b)[1:-1]
            )
        case "outside":
            return {"lines": [_name(line)], "by": 1}, lambda b: numbers(b)[0] != numbers(b)[-1] and not any(
                min(numbers(b)[0], numbers(b)[-1]) <= one <= max(numbers(b)[0], numbers(b)[-1]) for one in numbers(b)[1:-1]
            )  # fmt: skip
        case "entropic" | "modular":
            return [_name(line)], lambda b: all(
                len({*numbers(b)[k : k + 3]}) == len(numbers(b)[k : k + 3]) for k in range(len(line) - 1)
            )
        case "regionsums":
            return {"lines": [_name(line)], "where": "columns"}, lambda b: len(
                {sum(int(b[cell]) for cell in part) for _, part in groupby(line, key=lambda cell: cell[1])}) == 1  # fmt: skip
        case "clones":
            return ([f"{_name(line)} = {_name(line[::-1])}", f"{_name(pair)} = r1c1 r2c3"],
                    lambda b: numbers(b) == numbers(b)[::-1] and [b[c] for c in pair] == [b[1, 1], b[2, 3]])  # fmt: skip
        case "unmarked":
            return ({"totals": "1- 6+", "marked": [_name(pair)]},
                    lambda b: not any(_near(p, q, "adjacent") and {p, q} != {*pair} and
                                      (abs(int(b[p]) - int(b[q])) == 1 or int(b[p]) + int(b[q]) == 6)
                                      for p in b for q in b))  # fmt: skip
        case "xsums":
            side, clue = chance.choice(["left", "right"]), chance.randint(1, 6)
            step = 1 if side == "left" else -1
            return ({side: f". {clue}"},
                    lambda b: sum((own := _numbers(b, _lines(b)[1])[::step])[: own[0]]) == clue)  # fmt: skip
        case "quadruples":
            symbols = [chance.choice("123") for _ in range(chance.randint(1, 3))]
            return ({"r1c2": " ".join(symbols)},
                    lambda b: all(sum(b[r, c] == one for r in (1, 2) for c in (2, 3)) >= symbols.count(one) for one in symbols))  # fmt: skip
        case "visible":
            side, clue = chance.choice(["left", "right"]), chance.randint(1, 3)
            step = 1 if side == "left" else -1
            return {side: f"{clue} ."}, lambda b: _see(_numbers(b, _lines(b)[0])[::step]) == clue
        case "first":
            symbol = chance.choice("123")
            return {"top": f". {symbol} ."}, lambda b: b[1, 2] == symbol
        case "between":
            total = chance.randint(0, 3)
            return ({"of": "3", "left": f"{total} ."},
                    lambda b: [b[1, k] for k in (1, 2, 3)].count("3") == 2 and total == (int(b[1, 2]) if b[1, 2] != "3" else 0))  # fmt: skip
        case "around":
            clue = chance.randint(0, 4)
            return ({"clues": [[".", str(clue), "."], [".", ".", "."]], "of": "1"},
                    lambda b: b[1, 2] != "1" and sum(b[c] == "1" for c in b) == clue)  # fmt: skip
        case "positions":
            total = chance.randint(0, 6)
            return ({"rows": f". {total}", "of": "12"},
                    lambda b: sum(k for k in (1, 2, 3) if b[2, k] in "12") == total)  # fmt: skip
        case "beside":
            least, most = sorted([chance.randint(0, 3), chance.randint(0, 3)])
            kind = chance.choice(["adjacent", "king"])
            return ({"of": "1", "times": f"{least}-{most}", "neighbors": kind},
                    lambda b: all(least <= sum(b[q] == "1" and _near(p, q, kind) for q in b) <= most
                                  for p in b if b[p] == "1"))  # fmt: skip
        case "runs":
            lengths = chance.choice(["0", "1", "2", "3", "1 1"])
            return ({"rows": [lengths, "?"], "of": "1"},
                    lambda b: [*map(len, "".join("1" if b[1, k] == "1" else " " for k in (1, 2, 3)).split())]
                    == [*map(int, lengths.replace("0", "").split())])  # fmt: skip
        case "lamps":
            return "1", lambda b: all(
                (b[c] != "1") == any(b[o] == "1" for o in b if o != c and (o[0] == c[0] or o[1] == c[1])) for c in b
            )
        case "hitori":
            drawing, places = _draw_numbers(chance, 1.0), [*product((1, 2), (1, 2, 3))]
            drawn = dict(zip(places, drawing.replace("/", ""), strict=True))
            return ({"numbers": drawing, "of": "1"},
                    lambda b: all(len(left) == len({*left}) for own in _lines(b) for left in [[drawn[c] for c in own if b[c] != "1"]]))  # fmt: skip
        case "fillomino":
            drawing, places = _draw_numbers(chance, 0.3), [*product((1, 2), (1, 2, 3))]
            drawn = {cell: one for cell, one in zip(places, drawing.replace("/", ""), strict=True) if one != "."}
            return ({"numbers": drawing},
                    lambda b: drawn.items() <= b.items() and all(len(_reach(b, cell)) == int(b[cell]) for cell in b))  # fmt: skip
    raise NotImplementedError(word)


def _draw_numbers(chance: random.Random, share: float) -> str:
    """Return a drawing of 2 x 3 cells, with numbers in some of them."""
    return "/".join("".join(chance.choice("123") if chance.random() < share else "." for _ in range(3)) for _ in "ab")


def _reach(board: Filled, cell: Place) -> set[Place]:
    """Return the cells that hang together with one by their sides and hold the same symbol."""
    reached = {cell}
    while new := {one for one in board if board[one] == board[cell] and one not in reached
                  and any(_near(one, other, "adjacent") for other in reached)}:  # fmt: skip
        reached |= new
    return reached


def _make_total(word: str, line: list[Place], chance: random.Random) -> Case:
    sign, number, repeat = chance.choice("+-x/<>=?"), chance.randint(1, 9), chance.random() < 0.6
    total = "=" if sign == "=" else f"{sign}{number}" if sign in "<>" else f"{number}{sign}"

    def makes(board: Filled, sign: str) -> bool:
        own = _numbers(board, line)
        product_of = 1
        for one in own:
            product_of *= one
        rest = product_of // max(own)
        return {"+": sum(own) == number, "<": sum(own) < number, ">": sum(own) > number, "x": product_of == number,
                "-": 2 * max(own) - sum(own) == number, "/": max(own) == number * rest, "=": len({*own}) == 1,
                "?": any(makes(board, one) for one in "+-x/") if sign == "?" else False}[sign]  # fmt: skip

    def holds(board: Filled) -> bool:
        own = _numbers(board, line)
        return (repeat or len({*own}) == len(own)) and makes(board, sign)

    if word == "sums":
        return {"lines": {_name(line): total}, "repeat": repeat}, holds
    drawing = ["".join("A" if (row, column) in line else "." for column in (1, 2, 3)) for row in (1, 2)]
    return {"areas": drawing, "totals": {"A": total}, "repeat": repeat}, holds


def _make_dots(chance: random.Random) -> Case:
    pairs = [(p, q) for p, q in combinations(product((1, 2), (1, 2, 3)), 2) if _near(p, q, "adjacent")]
    chosen, every = {pair: chance.choice(["white", "black", "", ""]) for pair in pairs}, chance.random() < 0.5

    def holds(board: Filled) -> bool:
        for (p, q), dot in chosen.items():
            one, other = int(board[p]), int(board[q])
            follows, doubles = abs(one - other) == 1, one == 2 * other or other == 2 * one
            if (dot == "white" and not follows) or (dot == "black" and not doubles):
                return False
            if every and not dot and (follows or doubles):
                return False
        return True

    dots = {color: [_name([*pair]) for pair, dot in chosen.items() if dot == color] for color in ("white", "black")}
    return dots | {"all": every}, holds


_OTHERS = {"path", "kakuro", "ships", "tents", "dominoes", "rectangles", "islands"}  # which have tests of their own


@pytest.mark.parametrize("word", sorted({*CONSTRAINTS} - _OTHERS))
def test_a_constraint_means_what_it_says(word: str) -> None:
    """It is compared with brute force on all boards of 2 x 3 cells with three symbols."""

    @settings(max_examples=8)
    @given(st.randoms(use_true_random=False))
    def compare(chance: random.Random) -> None:
        arguments, holds = _make_case(word, chance)
        wanted = [board for board in _fill(2, 3, "123") if holds(board)]
        try:
            grid = Grid("2x3", symbols="123", constraints=({word: arguments},))
        except ParameterError as error:
            assert "cannot have the sum" in str(error) or "symbols" in str(error), error
            assert not wanted
            return
        found = sorted(sorted(grid.decode(one).items()) for one in grid.solve())
        assert found == sorted(sorted(one.items()) for one in wanted)

    compare()


@pytest.mark.parametrize("board", ["... / ...", "... / .#. / ..."])
@pytest.mark.parametrize("kind", ["adjacent", "diagonal", "king", "knight"])
def test_a_path_visits_numbers_in_order(kind: str, board: str) -> None:
    cells = [(r, c) for r, row in enumerate(board.split(" / "), 1) for c, one in enumerate(row, 1) if one == "."]
    wanted = [one for one in permutations(cells) if all(_near(a, b, kind) for a, b in pairwise(one))]
    grid = Grid(board, symbols=f"1-{len(cells)}", constraints=({"path": kind},))
    filled = map(grid.decode, grid.solve())
    found = [tuple(cell for _, cell in sorted((int(number), cell) for cell, number in one.items())) for one in filled]
    assert sorted(found) == sorted(wanted)


@given(st.randoms(use_true_random=False))
@settings(max_examples=5)
def test_a_kakuro_has_the_sums_of_its_holes(chance: random.Random) -> None:
    """Sums stand above the columns and before the rows of 2 x 3 cells, or some do not."""
    lines = [[(row, column) for column in (1, 2, 3)] for row in (1, 2)]
    lines += [[(row, column) for row in (1, 2)] for column in (1, 2, 3)]
    sums = [chance.choice(["", str(chance.randint(3 if len(line) < 3 else 6, 7))]) for line in lines]
    above = " ".join(f"{one}\\" if one else "#" for one in sums[2:])
    rows = " / ".join(f"\\{one} . . ." if one else "# . . ." for one in sums[:2])
    grid = Grid("#### / #... / #...", symbols="1234", constraints=({"kakuro": f"# {above} / {rows}"},))

    def holds(board: Filled, line: list[Place], total: str) -> bool:
        numbers = _numbers(board, line)
        return not total or (len({*numbers}) == len(numbers) and sum(numbers) == int(total))

    wanted = [board for board in _fill(2, 3, "1234") if all(map(partial(holds, board), lines, sums))]
    found = [{(row - 1, column - 1): one for (row, column), one in grid.decode(each).items()} for each in grid.solve()]
    assert sorted(sorted(one.items()) for one in found) == sorted(sorted(one.items()) for one in wanted)


def test_sums_of_a_kakuro_stand_in_holes() -> None:
    grid = Grid("### / #.. / #..", symbols="1-9", constraints=({"kakuro": r"# 4\ 3\ / \3 . . / \4 . ."},))
    assert [grid.unparse(one) for one in grid.solve()] == ["###\n#12\n#31"]
    for table, message in (
        (r"# 4\ 3\ / 3 . . / \4 . .", "row 2, column 1: '3' is not a pair of sums"),
        (r"# 4\ 3\ / \3 5\ . / \4 . .", "row 2, column 2: '5\\\\' is not in a hole"),
        (r"\5 4\ 3\ / \3 . . / \4 . .", "row 1, column 1: there is no cell for the sum 5"),
        (r"# 4\ 3\ / \3 . .", "expected 3 rows of 3 cells, got 2 of 3"),
        (r"# 4\ 30\ / \3 . . / \4 . .", "2 different symbols cannot have the sum 30; expected 3 to 17"),
    ):
        with pytest.raises(ParameterError, match=re.escape(message)):
            Grid("### / #.. / #..", symbols="1-9", constraints=({"kakuro": table},))


@given(st.randoms(use_true_random=False))
@settings(max_examples=5)
def test_ships_do_not_touch(chance: random.Random) -> None:
    fleet = {length: chance.randint(1, 2) for length in chance.sample([1, 2, 3], chance.randint(1, 2))}
    grid = Grid("3x3", symbols="ox", empty="x", constraints=({"ships": {"fleet": fleet}},))
    wanted = []
    for board in _fill(3, 3, "ox"):
        afloat = [cell for cell in board if board[cell] == "o"]
        ships = {frozenset(_reach(board, cell)) for cell in afloat}
        straight = [len(one) for one in ships if 1 in (len({r for r, _ in one}), len({c for _, c in one}))]
        is_fleet = len(straight) == len(ships) and Counter(straight) == fleet
        if is_fleet and not any(_near(a, b, "diagonal") for a in afloat for b in afloat):
            wanted.append(sorted(afloat))
    found = [sorted(c for c, one in grid.decode(solution).items() if one == "o") for solution in grid.solve()]
    assert sorted(found) == sorted(wanted)


def test_the_rules_of_ships_name_the_parts_that_are_stated() -> None:
    plain = {"fleet": {2: 1}}
    for parts, rule in (({}, "corner."), ({"middle": "o"}, "corner. o lies between ends.")):
        grid = Grid("2x2", symbols="ox", empty="x", constraints=({"ships": {**plain, "parts": parts}},))
        assert grid.describe_rules().endswith(rule)


def test_parts_of_ships_are_shown() -> None:
    parts = {"alone": "o", "left": "<", "right": ">", "top": "^", "bottom": "v"}
    shown = Grid("1x2", symbols="o<>^vx", empty="x", constraints=({"ships": {"fleet": {2: 1}, "parts": parts}},))
    assert [shown.unparse(one) for one in shown.solve()] == ["<>"]


@given(st.randoms(use_true_random=False))
@settings(max_examples=5)
def test_tents_belong_to_trees_one_by_one(chance: random.Random) -> None:
    cells = [*product((1, 2, 3), (1, 2, 3))]
    trees = chance.sample(cells, chance.randint(1, 4))
    drawing = "/".join("".join("T" if (row, column) in trees else "." for column in (1, 2, 3)) for row in (1, 2, 3))
    grid = Grid("3x3", symbols="Ax", empty="x", constraints=({"tents": {"trees": drawing, "of": "A"}},))
    near = [[cell for cell in cells if _near(tree, cell, "adjacent") and cell not in trees] for tree in trees]
    assert grid.count() == sum(len({*tents}) == len(tents) for tents in product(*near))


def _cut(board: Filled, left: tuple[Place, ...]) -> Iterator[list[str]]:
    """Yield the dominoes of each way to cut a board."""
    if not left:
        yield []
        return
    for other in left[1:]:
        if _near(left[0], other, "adjacent"):
            rest = tuple(cell for cell in left[1:] if cell != other)
            yield from (["".join(sorted(board[left[0]] + board[other])), *own] for own in _cut(board, rest))


@given(st.randoms(use_true_random=False))
@settings(max_examples=5)
def test_dominoes_of_a_set_are_there_once(chance: random.Random) -> None:
    wanted = sorted(chance.choices(["00", "01", "11"], k=3)) if chance.random() < 0.8 else ["00", "01", "11"]
    stated = "all" if wanted == ["00", "01", "11"] else " ".join(wanted)
    grid = Grid("2x3", symbols="01", constraints=({"dominoes": stated},))
    ways = {tuple(sorted(board.items())): [*_cut(board, tuple(board))] for board in _fill(2, 3, "01")}
    boards = [board for board, cuts in ways.items() for own in cuts if sorted(own) == wanted]
    assert sorted(tuple(sorted(grid.decode(one).items())) for one in grid.solve()) == sorted(boards)
    for board in dict.fromkeys(boards):
        numbers = "".join(number for _, number in board)
        known = {"set": stated, "numbers": f"{numbers[:3]}/{numbers[3:]}"}
        assert Grid("2x3", symbols="none", constraints=({"dominoes": known},)).count() == boards.count(board)


def _cut_rectangles(left: tuple[Place, ...]) -> Iterator[list[set[Place]]]:
    """Yield the ways to cut cells into rectangles."""
    if not left:
        yield []
        return
    for row, column in left:
        own = {*product(range(left[0][0], row + 1), range(left[0][1], column + 1))}
        if own and own <= {*left}:
            yield from ([own, *rest] for rest in _cut_rectangles(tuple(cell for cell in left if cell not in own)))


@given(st.randoms(use_true_random=False))
@settings(max_examples=5)
def test_rectangles_have_one_number_each(chance: random.Random) -> None:
    cells = tuple(product((1, 2, 3), (1, 2, 3)))
    ways = [*_cut_rectangles(cells)]
    numbers = {chance.choice(sorted(own)): len(own) for own in chance.choice(ways)}
    if chance.random() < 0.3:
        numbers[chance.choice(cells)] = chance.randint(1, 4)
    drawing = "/".join("".join(str(numbers.get((row, column), ".")) for column in (1, 2, 3)) for row in (1, 2, 3))
    grid = Grid("3x3", symbols="none", constraints=({"rectangles": drawing},))
    fits = [way for way in ways if all([numbers[c] for c in own if c in numbers] == [len(own)] for own in way)]
    assert grid.count() == len(fits)


def test_a_rectangle_is_named_by_its_number_and_its_cells() -> None:
    (solution,) = Grid("2x3", symbols="none", constraints=({"rectangles": "2../..4"},)).solve()
    assert sorted(map(str, solution)) == ["rectangle of r1c1: r1c1 r2c1", "rectangle of r2c3: r1c2 r1c3 r2c2 r2c3"]


@given(st.randoms(use_true_random=False))
@settings(max_examples=10)
def test_islands_have_one_number_each(chance: random.Random) -> None:
    numbers = {(chance.randint(1, 3), chance.randint(1, 3)): chance.randint(1, 4) for _ in range(chance.randint(1, 3))}
    drawing = "/".join("".join(str(numbers.get((r, c), ".")) for c in (1, 2, 3)) for r in (1, 2, 3))
    grid = Grid("3x3", symbols="■x", empty="x", constraints=({"islands": drawing},))
    wanted = []
    for board in _fill(3, 3, "■x"):
        land = {cell: frozenset(_reach(board, cell)) for cell in board if board[cell] == "x"}
        if land.keys() >= numbers.keys() and {*land.values()} == {land[cell] for cell in numbers}:
            sizes = [(len(island), [n for cell, n in numbers.items() if cell in island]) for island in {*land.values()}]
            wanted += [sorted(board.items())] * all([size] == own for size, own in sizes)
    found = [sorted((dict.fromkeys(board, "x") | grid.decode(one)).items()) for one in grid.solve()]
    assert sorted(found) == sorted(wanted)


@pytest.mark.parametrize(("params", "path", "message"), [
    ({"constraints": ({"onze": "rows"},)}, (0, "onze"), "unknown constraint 'onze'; did you mean 'once'?"),
    ({"constraints": ({"once": "rows", "differ": "king"},)}, (0,), "expected one constraint, as `word: arguments`, got 2"),
    ({"constraints": ({"never": "11", "where": "rows"},)}, (0,), "got 2; write `never: {patterns: ..., where: ...}`"),
    ({"constraints": ({"once": "rwos"},)}, (0, "once"), "once: unknown cells 'rwos'; did you mean 'rows'?"),
    ({"constraints": ({"once": "regions"},)}, (0, "once"), "once: there are no regions"),
    ({"constraints": ({"count": {"where": "rows", "time": 2}},)}, (0, "count", "time"), "'count' has no argument 'time'; did you mean 'times'?"),
    ({"constraints": ({"count": {"where": "rows"}},)}, (0, "count"), "count: missing argument 'times'"),
    ({"constraints": ({"less": ["r1c1 r1c5"]},)}, (0, "less", 0), "less: r1c5 is not on the board; expected r1c1 to r4c4"),
    ({"constraints": ({"cages": {"areas": "AA../..../..../....", "totals": {"B": 3}}},)}, (0, "cages", "totals", "B"), "has no cage 'B'"),
    ({"constraints": ({"sums": {"r1c1 r1c2": "3%"}},)}, (0, "sums", "r1c1 r1c2"), "'3%' is no total"),
    ({"constraints": ({"visible": {"left": "1 2"}},)}, (0, "visible", "left"), "visible: expected 4 clues, got 2"),
    ({"constraints": ({"visible": {"west": "1 2"}},)}, (0, "visible", "west"), "no argument 'west' (arguments: left, right, top, bottom)"),
    ({"constraints": ({"around": {"clues": "1 -3 . . / . . . . / . . . . / . . . .", "of": "1"}},)}, (0, "around", "clues"), "r1c2: '-3' is not a whole number from 0 on"),
    ({"constraints": ({"around": {"clues": f"{'9' * 5000} . . . / . . . . / . . . . / . . . .", "of": "1"}},)}, (0, "around", "clues"), "is not a whole number from 0 on"),
    ({"constraints": ({"sums": {"r1c1 r1c2": 0}},), "symbols": "-1 0 1"}, (0, "sums"), "sums: the symbol '-1' has no number; expected whole numbers from 0 on"),
    ({"constraints": ({"sums": {"r1c1 r1c2": 3}},), "symbols": "1.5 2.5"}, (0, "sums"), "sums: the symbol '1.5' has no number"),
    ({"constraints": ({"less": ["r1c1 r1c2"]},), "symbols": "A 2 3 K"}, (0, "less"), "less: the symbol 'K' has no number"),
    ({"constraints": ({"differ": ""},)}, (0, "differ"), "differ: expected neighbors: king, adjacent, knight, diagonal"),
    ({"constraints": ({"never": {"patterns": "11/11", "where": "rows"}},)}, (0, "never", "where"), "lies in none of these"),
    ({"constraints": ({"never": ""},)}, (0, "never"), "never: expected patterns, such as 111"),
    ({"constraints": ({"differ": "kings"},)}, (0, "differ"), "unknown neighbors 'kings'; did you mean 'king'?"),
    ({"constraints": ({"whispers": {"lines": ["r1c1 r1c2"], "by": -2}},)}, (0, "whispers", "by"), "whispers: expected 1 or more, got -2"),
    ({"constraints": ({"differ": {"neighbors": "king", "by": 0}},)}, (0, "differ", "by"), "differ: expected 1 or more, got 0"),
    ({"constraints": ({"balance": "rows"},), "symbols": "123"}, (0, "balance"), "row 1 has 4 cells, which 3 symbols cannot share"),
    ({"constraints": ({"once": "rows"},), "symbols": "123"}, (0, "once"), "row 1 has 4 cells for 3 symbols"),
])  # fmt: skip
def test_what_cannot_be_said_is_refused_with_its_place(
    params: dict[str, Any], path: tuple[object, ...], message: str
) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)) as caught:
        Grid(**{"cells": "4x4", **params})
    assert caught.value.path == ("constraints", *path)


@pytest.mark.parametrize(("constraints", "found"), [
    ("{once: rows columns}, {even: r1c1}, {palindromes: [r1c1 r1c2 r1c3]}, {odd: r2c2}", ["once", "palindromes"]),
    ("{once: rows columns}, {same: [r2c1 r2c2]}, {even: r1c2}", ["once", "same"]),
    (
        "{sums: {r1c1-r1c3: 5, r2c1-r2c3: 6, r3c1-r3c3: 7}}, {sums: {r1c1-r3c1: 5, r1c2-r3c2: 6, r1c3-r3c3: 8}}, "
        "{differ: diagonal}",
        ["sums", "sums"],
    ),  # which only weights tell in short
    ("{once: rows columns}, {sums: {r1c1-r1c3: 99}}", []),  # which has a reason of its own
])  # fmt: skip
def test_constraints_that_conflict_are_named(constraints: str, found: list[str], tmp_path: Path) -> None:
    file = tmp_path / "puzzle.yaml"
    file.write_text(f"problem: grid\nparams: {{cells: 3x3, constraints: [{constraints}]}}\n")
    answer = json.loads(invoke("explain", str(file), "--format", "json").stdout)
    assert [name.partition(":")[0] for name in answer["constraints"]] == found
    assert answer.keys() == json.loads(invoke("explain", "queens", "n=3", "--format", "json").stdout).keys()
    text = invoke("explain", str(file)).stdout
    assert text.startswith("no solution\nth" if found else "no solution: sum of")


def test_a_path_follows_the_numbers_however_symbols_are_listed() -> None:
    grid = Grid("1x3", symbols="1 3 2", constraints=({"path": "adjacent"},))
    assert [grid.unparse(one) for one in grid.solve()] == ["123", "321"]


def test_a_sign_in_colors_is_one_symbol_everywhere() -> None:
    constraints = ({"balance": "rows columns"}, {"never": "☀️☀️☀️"}, {"count": {"where": "board", "of": "☀️", "times": 8}})
    grid = Grid("☀️.../..../..../....", symbols=("☀️", "🌙"), constraints=constraints)
    (solution, *_) = grid.solve(limit=1)
    assert Grid(grid.unparse(solution), symbols="☀️🌙", constraints=constraints).count() == 1


def test_clues_of_two_constraints_beside_one_side_stand_apart() -> None:
    constraints = ({"once": "rows columns"}, {"visible": {"left": "2 . . ."}}, {"xsums": {"left": "3 . . ."}},
                   {"count": {"where": "rows", "of": 1, "times": "1 1 1 1"}})  # fmt: skip
    grid = Grid("4x4", constraints=constraints)
    picture = grid.draw(())
    assert picture is not None
    beside = {(one.column, one.text) for one in picture.shapes if isinstance(one, pictures.Text) and one.row == 0}
    assert sorted(beside) == [(0, "1"), (1, "3"), (2, "2")]


def test_sums_from_one_place_stand_together() -> None:
    picture = Grid("4x4", constraints=({"sums": {"r1c2-r3c4": 6, "r1c4-r4c1": 9, "r1c1-r4c1": 10}},)).draw(())
    assert picture is not None
    beside = {one.text for one in picture.shapes if isinstance(one, pictures.Text) and one.row == 0}
    assert beside == {"6↘ 10↓", "9↙"}


def test_the_help_names_every_constraint() -> None:
    said = " ".join(invoke("problems", "grid").stdout.split())
    assert f"The words are {', '.join(sorted(CONSTRAINTS))}." in said


def test_a_table_is_named_on_one_line() -> None:
    grid = Grid("2x2", symbols="none", constraints=({"rectangles": "3.\n.1\n"},))
    assert grid.constraint_names() == ["rectangles: 3. / .1"]


def test_one_line_is_a_list_of_lines_and_a_list_of_cells_one_text() -> None:
    plain, spelled = (
        Grid("3x3", constraints=({"thermometers": line}, {"odd": cells}))
        for line, cells in ((["r1c1 r1c2"], "r1c1 r2c2"), ("r1c1 r1c2", ["r1c1", "r2c2"]))
    )
    assert plain.count() == spelled.count() == 2 * 2 * 3**6  # 1 before 2 or 3, and 1 or 3


@pytest.mark.parametrize(("params", "message"), [
    ({"cells": "12/3."}, "row 2, column 1: '3' is not one of the symbols 1 2"),
    ({"symbols": "1.2"}, "'.' cannot be a symbol"),
    ({"symbols": "11"}, "occurs twice"),
    ({"empty": "x"}, "'x' is not one of the symbols 1 2"),
    ({"cells": "##/##"}, "the board has no cells"),
    ({"regions": "AB/A"}, "row 2: expected 2 cells, got 1"),
    ({"symbols": "none", "constraints": ({"balance": "rows"},)}, "this needs symbols on the board"),
    ({"symbols": "none", "constraints": ({"dominoes": "0-1"},)}, "numbers must be stated"),
    ({"cells": "2x3", "symbols": "none", "constraints": ({"dominoes": {"numbers": "0.1/011"}},)}, "r1c2 has no number"),
    ({"constraints": ({"around": {"clues": "1./..", "of": "1", "neighbors": "kin"}},)}, "unknown neighbors 'kin'; did you mean 'king'?"),
    ({"symbols": "1-6", "constraints": ({"fillomino": {"numbers": "12 ./. ."}},)}, "r1c1: 12 is not one of the symbols 1 2 3 4 5 6"),
    ({"cells": "6x6", "symbols": "1 30", "constraints": ({"fillomino": {}},)}, "areas can lie in too many ways"),
    ({"cells": "#./..", "symbols": "■x", "empty": "x", "constraints": ({"islands": "2./.."},)}, "r1c1 is a hole of the board"),
    ({"symbols": "12", "empty": "1", "constraints": ({"fillomino": {}},)}, "every cell holds a number, so there is no empty symbol"),
    ({"symbols": "abx", "empty": "x", "constraints": ({"tents": {"trees": "T./..", "of": "ab"}},)}, "expected one symbol for tents"),
    ({"constraints": ({"never": [""]},)}, "'' is no pattern"),
    ({"symbols": "12x", "empty": "x", "constraints": ({"runs": {"rows": [1, 1]}},)}, "some of the symbols 1 2 x, as in of: 1"),
    ({"symbols": "none", "constraints": ({"rectangles": "4./.#"},)}, "row 2, column 2: '#' is not a hole of the board"),
    ({"constraints": ({"sums": {"": 4}},)}, "expected cells, such as r1c1 r1c2"),
    ({"constraints": ({"sums": {"r1c1 r1c2": "9" * 5000}},)}, "is no total"),
    ({"cells": "1000x1000", "constraints": ({"once": "rows"},)}, "expected symbols for a board of side 1000"),
    ({"cells": "300x300", "constraints": ({"once": "rows"},)}, "the board is too large: 90,000 cells, 300 symbols"),
    ({"cells": "1x24", "symbols": tuple(range(2, 98, 2)), "constraints": ({"cages": {"areas": ["A" * 24], "totals": {"A": 1201}}},)}, "too many combinations"),
])  # fmt: skip
def test_boards_that_are_none_would_crash_or_take_long_are_refused(params: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        Grid(**{"cells": "2x2", **params})


def test_a_range_of_times_may_have_no_end() -> None:
    grid = Grid("1x3", symbols="ox", constraints=({"count": {"where": "rows", "of": "o", "times": "2-"}},))
    assert grid.count() == 4
    assert grid.describe_rules() == "o stands at least 2 times in each row."
    with pytest.raises(ParameterError, match="'3-1' is an empty range"):
        Grid("1x3", symbols="ox", constraints=({"count": {"where": "rows", "of": "o", "times": "3-1"}},))


@pytest.mark.parametrize(("constraint", "wanted"), [
    ({"distinct": "rows"}, "No two rows are equal."),
    ({"distinct": "rows columns"}, "No two rows, and no two columns, are equal."),
    ({"count": {"where": "rows", "of": "o", "times": "1-"}}, "o stands at least once in each row."),
    ({"never": "oo"}, "Nowhere stands: oo."),
    ({"never": {"patterns": "oo", "where": "rows"}}, "In no row stands: oo."),
    ({"never": {"patterns": "o/o", "where": "columns"}}, "In no column stands: o above o."),
    ({"never": {"patterns": "oo", "where": ["r1c1 r1c2"]}}, "In some lines never stands: oo."),
    ({"around": {"clues": "1../...", "of": "o", "neighbors": "adjacent"}}, "A number says how many of the cells beside it hold o. Its own cell holds none."),
])  # fmt: skip
def test_sentences_say_where_a_constraint_holds(constraint: Mapping[str, Any], wanted: str) -> None:
    grid = Grid("2x3", symbols="ox", constraints=(constraint,))
    assert grid.describe_rules() == wanted
    own = Grid("2x3", symbols="ox", constraints=(constraint,), instructions="Leave no\n two neighbors.")
    assert own.describe_rules() == "Leave no two neighbors."


def test_groups_that_overlap_are_not_outlined() -> None:
    cross = {"count": {"where": ["r1c1 r1c2", "r1c2 r2c2"], "of": "o", "times": "1-"}}
    apart = {"count": {"where": ["r1c1 r1c2", "r2c1 r2c2"], "of": "o", "times": "1-"}}
    shapes = [len(Grid("2x2", symbols="ox", constraints=(one,)).draw(()).shapes) for one in (cross, apart)]
    assert shapes[0] == 4 < shapes[1]


def test_every_constraint_is_on_the_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "how_to" / "grids.md").read_text("utf-8")
    assert [word for word in CONSTRAINTS if f"`{word}:" not in page] == []


def test_puzzles_are_read_and_written_as_text() -> None:
    grid = Grid("2x2", constraints=({"once": "rows columns"},))
    texts = grid.instances(["1./..", "", "12", "21"])
    assert [grid.unparse(one) for text in texts for one in grid.parse(text).solve()] == ["12\n21"] * 2


PARTS: dict[str, Any] = {"areas": "PP", "repeat": True}


@pytest.mark.parametrize(("cells", "params", "constraints", "count"), [
    ("2x2", {"symbols": "12"}, [{"distinct": ["r1c1 r1c2", "r1c1 r2c1"]}], 8),  # a cell in both groups
    ("1x1", {"symbols": "12"}, [{"distinct": "diagonals"}], 0),
    ("1x2", {"symbols": "1AB"}, [{"same": ["r1c1 r1c2"]}], 3),  # not all symbols are numbers
    ("1x2", {"symbols": "1AB"}, [{"unlike": ["r1c1 r1c2"]}], 6),
    ("1x2", {"symbols": "1AB"}, [{"palindromes": ["r1c1 r1c2"]}], 3),
    ("1x2", {"symbols": "1AB"}, [{"differ": "adjacent"}], 6),
    ("1x2", {"symbols": "1AB"}, [{"differ": "king"}], 6),
    ("2x2", {"symbols": "none"}, [{"rectangles": "4./.."}] * 2, 1),  # shapes of two constraints
    *(("2x2", {"symbols": "■x", "empty": "x"}, [{"islands": "2./.."}] * times, 2) for times in (1, 2)),
    ("2x2", {"symbols": "■x", "empty": "x"}, [{"islands": "2./.."}, {"rectangles": "2./.2"}], 4),
    ("2x2", {"symbols": "12"}, [{"fillomino": {}}] * 2, 0),
    ("1x2", {"symbols": "12"}, [{"fillomino": {}}] * 2, 1),
    ("2x2", {"symbols": "01"}, [{"dominoes": "0-0 1-1"}, {"rectangles": "4./.."}], 4),
    ("1x2", {"symbols": "01"}, [{"dominoes": "0-1"}] * 2, 2),
    ("1x2", {"symbols": "0-2"}, [{"cages": PARTS | {"totals": {"P": "0x"}}}], 5),  # zeros
    ("1x2", {"symbols": "0-2"}, [{"cages": PARTS | {"totals": {"P": "2/"}}}], 2),
    ("1x2", {"symbols": "1x", "empty": "x"}, [{"dots": {"all": True}}], 4),
    ("1x3", {"symbols": "12x", "empty": "x"}, [{"cages": {"areas": "AAA", "totals": {"A": 3}}}], 6),
    ("1./..", {}, [{"even": "r1c1"}], 0),  # what is given must not be there
    ("1x3", {"symbols": "1-3"}, [{"only": {"symbols": "1 3", "cells": "r1c1-r1c3"}}, {"together": "2"}], 0),
    ("2x3", {"symbols": "1-6"}, [{"path": "king"}] * 2, 96),  # the same twice
    ("1x4", {"symbols": "01"}, [{"xsums": {"left": "0"}}], 8),  # the sum of no symbols
    ("1x4", {"symbols": "1 2 x", "empty": "x"}, [{"xsums": {"left": "1"}}], 27),
    ("3x2", {"symbols": "*x"}, [{"around": {"clues": "2 2 / . . / . .", "of": "*", "own": True}}], 24),  # no size
    ("12x1", {"symbols": "none"}, [{"rectangles": "\n".join(["12", *"." * 11])}], 1),  # words in one column
    ("2x2", {}, [{"cages": {"areas": "AA/.."}}, {"cages": {"areas": "AA/..", "totals": {"A": 3}}}], 8),
    ("2x2", {"symbols": "ab"}, [{"count": {"where": "rows", "of": "aa", "times": 1}}], 4),
    ("###/...", {"symbols": "12"}, [{"runs": {"rows": ["0", "3"], "of": 1}}], 1),  # a row of holes
    ("###/...", {"symbols": "12"}, [{"visible": {"left": ". 2"}}], 3),
    ("# ab .\n. . .", {"symbols": ("ab", "cd", "ef")}, [{"once": "rows"}], 12),  # a row that resembles a comment
    ("2x2", {}, [{"once": "AB/AB"}], 4),
    ("1x4", {"symbols": "none"}, [{"rectangles": "2..."}], 0),
    ("2x2", {"symbols": "1-3"}, [{"cages": {"areas": "AA/..", "totals": {"A": "1-"}, "repeat": True}},
                                 {"cages": {"areas": "../AA", "totals": {"A": 4}}}], 8),  # cages of one name
    ("1x2", {}, [{"sums": {"r1c1 r1c2": "0-"}}, {"sums": {"lines": {"r1c1 r1c2": 3}, "repeat": False}}], 0),
    ("1x2", {"symbols": "*x", "empty": "x"}, [{"tents": ".."}], 1),  # no trees
    *(("2x2", {}, [{"never": block}], 12) for block in ("11/..", "../11", "1./1.", ".1/.1")),
    ("1x3", {"symbols": "ox"}, [{"lamps": "o"}], 3),
    (".#.", {"symbols": "ox"}, [{"lamps": "o"}], 1),  # lamps do not shine through holes
    ("1x3", {"symbols": "10 11 12"}, [{"never": ["10 11"]}, {"never": ["12 . 12"]}], 18),
    (".#./...", {"symbols": "*x", "empty": "x"}, [{"runs": {"rows": ["2", "1 1"]}}], 0),  # holes end runs
    (".##.#", {"symbols": "*x", "empty": "x"}, [{"runs": {"rows": ["1 1"]}}], 1),
    (".#./...", {"symbols": "*x", "empty": "x"}, [{"positions": {"rows": "3 3"}}], 2),  # and have positions
    ("../.#", {"symbols": "none"}, [{"rectangles": "2./1#"}], 1),
    ("1x2", {"symbols": "0-2"}, [{"unmarked": {"totals": "2/"}}], 7),
    ("3x3", {"symbols": "01"}, [{"never": {"patterns": "11/11", "where": "r1c1:r2c2"}}], 480),
    ("2x2", {"symbols": "01"}, [{"never": {"patterns": "11", "where": "board"}}], 7),
    *(("3x3", {"symbols": "01"}, [{"never": {"patterns": "11/11", "where": where}}], 417)
      for where in ("columns rows", ("rows", "columns"), "board")),
    ("3x3", {"symbols": "01"}, [{"never": {"patterns": "1/1", "where": "columns"}}], 125),
    ("3x3", {}, [{"even": "r1c1 r3c3:r2c2"}], 81),  # a block from its last corner
    ("####/#..#/#..#/####", {"symbols": "01"}, [{"distinct": "rows columns"}], 10),  # a frame of holes
    ("###/...", {"symbols": "123"}, [{"renban": "rows"}], 6),
    ("1x3", {"symbols": "x123", "empty": "x"}, [{"entropic": ["r1c1-r1c3"]}], 34),
    ("1x3", {"symbols": "*x", "empty": "x"}, [{"around": {"clues": "..1", "of": "* *"}}], 2),  # a symbol named twice
    ("2x2", {"symbols": "12"}, [{"quadruples": {"r1c1": "1 1"}}], 11),
])  # fmt: skip
def test_odd_boards_are_counted_right(
    cells: str, params: dict[str, Any], constraints: list[dict[str, Any]], count: int
) -> None:
    grid = Grid(cells, constraints=tuple(constraints), **params)
    assert grid.count() == count
    assert grid.draw(next(grid.solve(limit=1), ())) is not None


def test_a_batch_answers_boards_whose_givens_cannot_be() -> None:
    grid = Grid("2x3", symbols="*x", empty="x", constraints=({"count": {"where": "rows", "times": "0 1"}},))
    boards = [grid.parse(text) for text in (".../.*.", "*../...")]
    assert [board.count() for board in boards] == [1, 0]


def test_names_that_differ_by_a_number_are_kept_apart() -> None:
    first, second, third = (
        {"cages": {"areas": areas, "totals": totals, "repeat": False}}
        for areas, totals in (("aa/..", {}), ("aa/..", {"a": 3}), ("../aa", {"a": 7}))
    )
    assert Grid("2x2", symbols="1-4", constraints=(first, second, third)).count() == 4
    assert Grid("2x2", symbols="1-4", constraints=(first, second, second)).count() == 32
