"""Problems with published numbers of solutions, written as plain items and options: those of the tests, and more."""

from __future__ import annotations

import itertools
import random
import sys
from pathlib import Path
from typing import Any

from exactcover import Colored, Problem
from problems import Staffing
from problems.pieces import named_pieces

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from classics import *  # noqa: F403
from classics import seating, solid


def solid_pentominoes(*sides: int) -> Problem:
    """The twelve pentominoes, one cube thick, in a box of three different sides."""
    shapes = {name: shape for name, (shape, _) in named_pieces("pentominoes").items()}
    return solid({name: [(row, column, 0) for row, column in shape] for name, shape in shapes.items()}, sides, [], {})


def macmahon_squares(rows: int = 4, columns: int = 6) -> Problem:
    """MacMahon's 24 three-colored squares on a board: touching edges agree, and the whole border has one color."""
    squares = sorted({min(_turns(edges)) for edges in itertools.product("abc", repeat=4)})
    options: dict[tuple[str, int, int], list[object]] = {}
    edges_of_board: dict[tuple[str, int, int], None] = {}
    for row, column, square in itertools.product(range(rows), range(columns), squares):
        places = [("h", row, column), ("v", row, column + 1), ("h", row + 1, column), ("v", row, column)]
        edges_of_board.update(dict.fromkeys(places))
        border = [row == 0, column == columns - 1, row == rows - 1, column == 0]
        for edges in sorted(set(_turns(square))):
            if all(edge == "a" for edge, outside in zip(edges, border, strict=True) if outside):
                colored = [Colored(place, edge) for place, edge in zip(places, edges, strict=True)]
                options["".join(edges), row, column] = ["".join(square), (row, column), *colored]
    return Problem(options, secondary=edges_of_board)


def _turns(edges: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [edges[turn:] + edges[:turn] for turn in range(4)]


def set_partitioning(items: int, options: int, seed: int = 1) -> Problem:
    """Random sets of three to six items, each with a cost; at least one partition is hidden among them."""
    chance = random.Random(seed)
    order = chance.sample(range(items), items)
    sets = [order[start : start + 4] for start in range(0, items, 4)]
    sets += [chance.sample(range(items), chance.randint(3, 6)) for _ in range(options - len(sets))]
    chance.shuffle(sets)
    costs = {number: sum(chance.randint(1, 40) for _ in one) for number, one in enumerate(sets)}
    return Problem(enumerate(sets), primary=range(items), costs=costs)


def crews(trips: int, duties: int, seed: int = 1) -> Problem:
    """Duties of crews: each covers some trips of a day, one after another, and costs its hours and its waiting time.

    Every trip begins at a random minute and takes half an hour to two hours. Duties of one trip make a plan possible.
    """
    chance = random.Random(seed)
    starts = sorted(chance.randrange(16 * 60) for _ in range(trips))
    ends = [start + chance.randint(30, 120) for start in starts]
    sets: dict[tuple[int, ...], int] = {(trip,): 8 * 60 for trip in range(trips)}
    for _ in range(20 * duties):  # the same duty may be drawn again
        if len(sets) == duties:
            break
        duty = [chance.randrange(trips)]
        while len(duty) < 7 and chance.random() < 0.85:
            following = [trip for trip in range(duty[-1] + 1, trips) if 0 <= starts[trip] - ends[duty[-1]] <= 180]
            if not following or ends[following[0]] - starts[duty[0]] > 12 * 60:
                break
            duty.append(chance.choice(following[:20]))
        waiting = sum(starts[after] - ends[before] for before, after in itertools.pairwise(duty))
        hours = ends[duty[-1]] - starts[duty[0]]
        sets[tuple(duty)] = max(6 * 60, hours) + 2 * waiting + chance.randint(0, 60)
    return Problem(enumerate(sets), primary=range(trips), costs=dict(enumerate(sets.values())))


def priced(problem: Problem, seed: int = 1) -> Problem:
    """The same problem with a random cost on each option."""
    chance = random.Random(seed)
    costs = {label: chance.randint(1, 99) for label in problem.labels}
    return Problem(problem.options, primary=problem.primary, secondary=problem.secondary, costs=costs)


def costas_arrays(n: int) -> Problem:
    """Costas arrays: all differences between columns at the same distance are distinct; rows are colors."""
    pairs = list(itertools.combinations(range(n), 2))
    options = {
        (one, other, low, high): [
            ("pair", one, other),
            Colored(("row of", one), low),
            Colored(("row of", other), high),
            ("differ", other - one, high - low),
        ]
        for one, other in pairs
        for low, high in itertools.permutations(range(n), 2)
    }
    primary = [("pair", *pair) for pair in pairs]
    return Problem(
        options,
        primary=primary,
        secondary=[
            *(("row of", column) for column in range(n)),
            *(("differ", apart, by) for apart in range(1, n) for by in range(1 - n, n) if by),
        ],
    )


def guests_at_tables(guests: int, tables: int, seed: int) -> Problem:
    """Guests of random ages at a few tables."""
    return seating(sorted(random.Random(seed).sample(range(18, 90), guests)), tables)


def ward(people: int, seed: int, *, is_fair: bool) -> Problem:
    """A plan for two weeks with an early and a late shift, a nurse on each, wishes and days away."""
    chance = random.Random(seed)
    staff: dict[str, list[Any]] = {"who": [], "skills": [], "week": [], "free": [], "away": []}
    for number in range(people):
        away = chance.randint(1, 12)
        staff["who"].append(f"P{number}")
        staff["skills"].append("nurse" if number % 2 == 0 else None)
        staff["week"].append(chance.randint(4, 5))
        staff["free"].append(str(chance.randint(1, 14)))
        staff["away"].append(f"{away}-{away + 2}" if chance.random() < 0.3 else None)
    needs, weekend = f"{people // 4}-{people // 4 + 1}", str(max(1, people // 6))
    shifts = {"shift": ["early", "late"], "hours": ["6-14", "14-22"], "needs": [needs, str(people // 4)],
              "weekend": [weekend, weekend], "nurse": ["1", "1"]}  # fmt: skip
    fair = {"fair": {"late": 5, "weekend": 3}} if is_fair else {}
    return Staffing.from_frame(staff, shifts, days=14, **fair).problem()
