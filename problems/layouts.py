"""Random layouts of puzzles: cages, regions and clues that are made for a solution, and rectangles."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from heapq import heapify, heappop, heappush
from itertools import chain, count, product
from typing import Any

from exactcover import Encoder, Label, ParameterError, Stop, StoppedError
from problems.boards import draw_letters, find_components, group_cells
from problems.grids.board import Place

_MOST_TRIES = 30
_EXCHANGES = 40  # that are tried with each cell; little is left of a layout then
_LARGEST = 12  # cells of a rectangle
_LETTERS = [chr(code) for code in range(ord("0"), 0x250) if chr(code).isalpha()]  # of areas in drawings


def find_solution(encoder: Encoder, generator: random.Random, stop: Stop | None) -> tuple[Label, ...]:
    """Return a random solution; a puzzle without one is refused."""
    search = encoder.solve(limit=1, seed=generator.randrange(1 << 32), stop=stop)
    for solution in search:
        return solution
    if search.status.stopped:
        raise StoppedError(search.status)
    raise ParameterError((), "there is no solution without a layout, so no layout can be drawn")


def count_solutions(encoder: Encoder, stop: Stop | None) -> int:
    """Return the number of solutions, but at most two."""
    search = encoder.solve(limit=2, stop=stop)
    number = sum(1 for _ in search)
    if search.status.stopped:
        raise StoppedError(search.status)
    return number


def drop_clues(
    clues: Sequence[Place], state: Callable[[list[Place]], Encoder], generator: random.Random, stop: Stop | None
) -> list[Place]:
    """Return those clues of a puzzle with one solution that are left when as many as possible are left out, one by one.

    `state` returns the puzzle with the clues in some places.
    """
    left = [*clues]
    for clue in generator.sample(clues, len(clues)):
        fewer = [one for one in left if one != clue]
        if count_solutions(state(fewer), stop) == 1:
            left = fewer
    return left


def grow_cages(
    symbols: Mapping[Place, str], sizes: Sequence[int], generator: random.Random, *, repeat: bool
) -> list[list[Place]]:
    """Return cages that cover a board, each of about one of these sizes; a size may be repeated to occur more often.

    Unless symbols may `repeat`, none stands in a cage twice.
    """
    free, cages = dict.fromkeys(symbols), list[list[Place]]()
    while free:
        begin = min(free, key=lambda cell: (len(_near(cell, free)), generator.random()))  # few cells stay alone
        cage, size = [begin], generator.choice(sizes)
        del free[begin]
        while len(cage) < size:
            near = {place: None for cell in cage for place in _near(cell, free)}
            used = () if repeat else {symbols[cell] for cell in cage}
            fitting = [place for place in near if symbols[place] not in used]
            if not fitting:
                break
            cage.append(generator.choice(fitting))
            del free[cage[-1]]
        cages.append(sorted(cage))
    return cages


def grow_regions(
    cells: Collection[Place], seeds: Iterable[Place], times: int, generator: random.Random
) -> dict[Place, int]:
    """Return the number of the region of each cell, where each region holds so many seeds; of very different sizes.

    Cells that cannot be reached from a seed are in none. If seeds cannot be grouped, some regions hold fewer.
    """
    region = {seed: number for number, seed in enumerate(seeds)}
    weights = {number: generator.random() ** 2 for number in region.values()}
    free = dict.fromkeys(cell for cell in cells if cell not in region)
    while edge := [(cell, near) for cell in region for near in _near(cell, free)]:
        ((cell, near),) = generator.choices(edge, [weights[region[cell]] for cell, _ in edge])
        region[near] = region[cell]
        del free[near]
    if times == 1:
        return region
    beside: dict[int, set[int]] = {number: set() for number in weights}
    for cell, number in region.items():
        beside[number].update(region[near] for near in _near(cell, region))
    tries = (_group(beside, times, generator) for _ in range(_MOST_TRIES))
    group = min(tries, key=lambda group: len(set(group.values())))
    return {cell: group[number] for cell, number in region.items()}


def _group(beside: Mapping[int, Collection[int]], times: int, generator: random.Random) -> dict[int, int]:
    """Return groups of so many neighbors each, as far as that is found: the first of each one's group."""
    free, group = set(beside), dict[int, int]()
    while free:
        first = min(sorted(free), key=lambda one: (len(free.intersection(beside[one])), generator.random()))
        members = [first]
        free.remove(first)
        while len(members) < times:
            near = sorted(free.intersection(chain(*(beside[one] for one in members))))
            if not near:
                break
            members.append(generator.choice(near))
            free.remove(members[-1])
        group |= dict.fromkeys(members, first)
    return group


def grow_paths(cells: Iterable[Place], generator: random.Random) -> list[list[Place]]:
    """Return paths that cover cells, none of which comes beside itself but from cell to cell.

    The shortest of the paths that can be joined to others is joined next, since short ones make puzzles easy.
    """
    path: dict[Place, list[Place]] = {cell: [cell] for cell in cells}
    growing = [(1, generator.random(), cell) for cell in path]
    heapify(growing)
    while growing:
        size, _, begin = heappop(growing)
        own = path[begin]
        if size != len(own):
            continue  # it was joined to another one
        pairs = [(end, near) for end in dict.fromkeys([own[0], own[-1]]) for near in _near(end, path)]
        fitting = [(end, near) for end, near in pairs if near in (path[near][0], path[near][-1])
                   and sum(len(_near(cell, path[near])) for cell in own) == 1]  # fmt: skip
        if fitting:
            end, near = generator.choice(fitting)
            joined = [*own[:: 1 if own[-1] == end else -1], *path[near][:: 1 if path[near][0] == near else -1]]
            path.update(dict.fromkeys(joined, joined))
            heappush(growing, (len(joined), generator.random(), begin))
    return [own for cell, own in path.items() if cell == own[0]]


def turn_path(path: Sequence[Place], times: int, generator: random.Random) -> list[Place]:
    """Return another path through the same cells: its end is moved `times` times for each cell.

    References
    ----------
    R. Oberdorf et al.: Secondary structures in long compact polymers. Physical Review E 74 (2006).
    """
    found, cells = [*path], {*path}
    for _ in range(times * len(found)):
        if generator.random() < 0.5:
            found.reverse()
        place = found.index(generator.choice(_near(found[-1], cells)))
        found[place + 1 :] = found[:place:-1]
    return found


def move_cell(region: dict[Place, int], cell: Place, generator: random.Random) -> bool:
    """Move a cell into another region beside it, if what it leaves hangs together; return whether it was moved."""
    others = [region[near] for near in _near(cell, region) if region[near] != region[cell]]
    left = [place for place, number in region.items() if number == region[cell] and place != cell]
    if not others or not left or not _hang_together(left):
        return False
    region[cell] = generator.choice(others)
    return True


def exchange_cells(region: dict[Place, int], times: int, generator: random.Random) -> None:
    """Let regions exchange two cells; all keep their sizes, and hang together. Each cell is tried `times` times."""
    places = [*region]
    for _ in range(times * len(region)):
        one = generator.choice(places)
        beside = [region[near] for near in _near(one, region) if region[near] != region[one]]
        if not beside:
            continue
        own, other = region[one], generator.choice(beside)
        edge = [cell for cell in places if region[cell] == other and any(region[n] == own for n in _near(cell, region))]
        back = generator.choice(edge)
        region[one], region[back] = other, own
        if not all(_hang_together([cell for cell in places if region[cell] == each]) for each in (own, other)):
            region[one], region[back] = own, other


def redraw_regions(names: Mapping[Place, str], size: tuple[int, int], generator: random.Random) -> tuple[str, ...]:
    """Return the rows of a drawing with other regions of the same sizes; `names` has the region of each cell."""
    number = {name: k for k, name in enumerate(dict.fromkeys(names.values()))}
    region = {cell: number[name] for cell, name in names.items()}
    exchange_cells(region, _EXCHANGES, generator)
    return write_layout(name_areas(list_areas(region)), size)


def name_areas(areas: Sequence[Sequence[Place]]) -> dict[str, Sequence[Place]]:
    """Return the areas by letters of a drawing."""
    if len(areas) > len(_LETTERS):
        raise ParameterError((), f"a drawing has letters for {len(_LETTERS)} areas, not for {len(areas)}")
    return dict(zip(_LETTERS, areas, strict=False))


def write_layout(areas: Mapping[str, Iterable[Place]], size: tuple[int, int]) -> tuple[str, ...]:
    """Return the rows of a drawing with the letter of each area; . for cells in none."""
    letters = {cell: letter for letter, area in areas.items() for cell in area}
    return tuple(draw_letters(letters, size))


def cut_rectangles(cells: Sequence[Place], generator: random.Random) -> list[list[Place]]:
    """Return random rectangles that cover cells, which come row by row; a cell is alone only if no other one fits."""
    free, found = dict.fromkeys(cells), list[list[Place]]()
    while free:
        row, column = next(iter(free))
        ways = list[list[Place]]()
        for height, width in product(range(1, _LARGEST + 1), repeat=2):
            own = [(row + down, column + right) for down in range(height) for right in range(width)]
            if height * width <= _LARGEST and all(cell in free for cell in own):
                ways.append(own)
        found.append(generator.choice(ways[1:] or ways))  # the first way is the cell alone
        for cell in found[-1]:
            del free[cell]
    return found


def list_areas(region: Mapping[Place, int]) -> list[list[Place]]:
    """Return the cells of each region."""
    return [*group_cells(dict(sorted(region.items()))).values()]


def list_clues(arguments: Mapping[str, Any], blank: str) -> list[tuple[str, int | str]]:
    """Return each clue in the arguments of a constraint: the argument, and its key or place there."""
    found: list[tuple[str, int | str]] = []
    for name, value in arguments.items():
        if isinstance(value, Mapping):
            found += [(name, key) for key in value]
        else:
            words = value.split() if isinstance(value, str) else value
            found += [(name, place) for place, word in enumerate(words) if word and word != blank]
    return found


def leave_out(arguments: Mapping[str, Any], clues: Collection[tuple[str, int | str]], blank: str) -> dict[str, Any]:
    """Return arguments of a constraint without some clues; `blank` takes their places, unless it is empty."""
    left: dict[str, Any] = {}
    for name, value in arguments.items():
        if isinstance(value, Mapping):
            left[name] = {key: one for key, one in value.items() if (name, key) not in clues}
            continue
        places = count()
        rows = [line.split() for line in value.split("\n")] if isinstance(value, str) else [value]
        kept = [[blank if (name, next(places)) in clues else word for word in row] for row in rows]
        if isinstance(value, str):  # a table keeps its lines
            left[name] = "\n".join(" ".join(filter(None, row)) for row in kept)
        else:
            left[name] = tuple(filter(None, kept[0]))
    return left


def _near(cell: Place, cells: Collection[Place]) -> list[Place]:
    """Return those of some cells that share a side with a cell."""
    row, column = cell
    return [one for one in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)) if one in cells]


def _hang_together(cells: Collection[Place]) -> bool:
    return len([*find_components(cells, partial(_near, cells=cells))]) == 1
