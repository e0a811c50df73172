"""Deductions hold in every solution, the simplest comes first, and puzzles are as hard as people say."""

import math
import re
from collections.abc import Callable
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import example, given

from commands import StopAfter
from exactcover import Colored, Encoder, Problem, ProblemError, Stop, StoppedError, Weighted
from exactcover.config.configuration import read_file
from exactcover.encoders.discovery import find_configs
from exactcover.reasons import deductions
from exactcover.reasons.deductions import Deduction, DeductionFinder, StepKind, StepLevel, solve_by_deductions
from exactcover.reasons.position import Finding, Position, Sets, ShortError, list_bits
from exactcover.reasons.proof import proves
from exactcover.steps.weights import find_weights
from oracles import brute_force_instance
from problems import Grid, Latin, Loops, Numberlink, Polyomino, Slitherlink, Sudoku
from problems.squares import Entry
from ruled import Ruled, ruled_problems, solve_by_definition
from strategies import instances, problems

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARDEST = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."


def find_all(problem: Problem) -> tuple[list[Deduction], bool]:
    """Return all deductions, each proved again, and whether they show that there is no solution."""
    found: list[Deduction] = []
    try:
        finder = DeductionFinder(problem)
        while simplest := finder.find():
            found += [finder.explain(one) for one in simplest]
            for one in simplest:
                finder.take(one)
    except ShortError:
        return found, True
    return found, False


@given(instances(problems()))
def test_deductions_hold_in_every_solution(problem: Problem) -> None:
    check_all(problem, [set(one) for one in brute_force_instance(problem)])


@given(ruled_problems())
def test_deductions_hold_in_every_solution_that_obeys_rules(ruled: Ruled) -> None:
    check_all(ruled[0], [set(one) for one in solve_by_definition(ruled)])


def check_all(problem: Problem, solutions: list[set[Any]]) -> None:
    found, is_impossible = find_all(problem)
    assert not (is_impossible and solutions)
    for one in found:
        assert bool(one.chosen) != bool(one.excluded) and {*one.chosen, *one.excluded} <= {*problem.labels}
        assert all(solution >= {*one.chosen} and not solution & {*one.excluded} for solution in solutions)


@given(instances(problems()))
def test_a_deduction_is_found_wherever_a_trial_of_an_option_fails(problem: Problem) -> None:
    """At the end, no item needs all that it has, and no option leads to a contradiction in the rows of the matrix."""
    try:
        finder = DeductionFinder(problem)
        while simplest := finder.find():
            for one in simplest:
                finder.take(one)
    except ShortError:
        return
    chosen, gone = {*finder.chosen}, {label for label in problem.labels if not finder.is_open(label)}
    left = [label for label in problem.labels if label not in chosen and label not in gone]
    assert len(left) == finder.left
    for label in left:
        assert spread(problem, [*chosen, label], gone - chosen) is not None, label


def spread(problem: Problem, chosen: list[Any], gone: set[Any]) -> list[Any] | None:
    """Choose what is forced, one by one; None if an item is left with too few options."""
    while True:
        uses = dict.fromkeys(problem.primary, 0)
        for label in chosen:
            for item in problem.options[label]:
                if item in uses:
                    uses[item] += 1
        bounds = {item: problem.multiplicity.get(item, (1, 1)) for item in problem.primary}
        if any(uses[item] > bounds[item][1] for item in uses):
            return None
        left = [one for one in problem.labels if one not in chosen and one not in gone
                and fits(problem, one, chosen, uses, bounds)]  # fmt: skip
        for item, (low, _) in bounds.items():
            own = [one for one in left if item in problem.options[one]]
            if uses[item] + len(own) < low:
                return None
            if own and uses[item] + len(own) == low:
                chosen = [*chosen, own[0]]
                break
        else:
            return chosen


def fits(problem: Problem, label: Any, chosen: list[Any], uses: dict[Any, int], bounds: dict[Any, Any]) -> bool:
    parts = [(one.item, one.color) if isinstance(one, Colored) else (one, None) for one in problem.options[label]]
    theirs = [(one.item, one.color) if isinstance(one, Colored) else (one, None)
              for other in chosen for one in problem.options[other]]  # fmt: skip
    return all(
        uses[item] < bounds[item][1]
        if item in uses
        else all(color and color == its for one, its in theirs if one == item)
        for item, color in parts
    )


make: Any = Problem  # of options of several kinds


OVERLAP = Problem({"1": [*"ce"], "2": [*"abc"], "3": [*"cde"], "4": [*"abd"], "5": [*"ac"]}, primary=[*"abcde"])
"""Both a and b need all of c and d, each with e; only what b and e do excludes an option."""


@given(problems())
@example(OVERLAP)
def test_subsets_are_all_found(problem: Problem) -> None:
    position = Position(Sets(problem), (), (), Stop())
    sets, held = position.sets, position.held
    truths = [item for item in position.open if sets.low[item] == 1 == len(sets.layers[item])]
    links = sorted({link for option in range(len(sets.rows)) for link in sets.links(option)})
    for size in (2, 3):
        expected = set[int]()
        for own, room in product(combinations(truths, size), combinations(links, size)):
            masks = [held([item]) for item in own]
            spans = any(all(mask & ~held(set(room) - {link}) for link in room) for mask in masks)
            shared = all(sum(bool(mask & held([link])) for mask in masks) > 1 for link in room)
            apart = min(numbers := [mask.bit_count() for mask in masks]) > 1 and sum(numbers) == held(own).bit_count()
            if spans and shared and apart and not {*own} & {*room} and not held(own) & ~held(room):
                expected |= {*list_bits(held(room) & ~held(own))}
        found = position.find_subsets(size)
        assert all(proves(position, one, chooses=False) for one in found)
        assert expected <= {option for one in found for option in one.options}


@pytest.mark.parametrize(("problem", "kind", "sentence"), [
    (make({"A": [1], "B": [1, 2], "C": [3]}), StepKind.LAST, "Only B is left for 2."),
    (make({"A": [1], "B": [2], "C": [1, 2], "D": [1]}, multiplicity={1: (3, 3), 2: (1, 2)}), StepKind.LAST,
     "All that is left for 1 is needed: A, C and D."),
    (make({"A": [1], "B": [1], "C": [2, "x"], "D": [2, "y"], "E": [3, "x", "y"], "F": [3]}, secondary=["x", "y"]),
     StepKind.BLOCK, "Too little would be left for 2 if E, because of x and y."),
    (make({"A": [1], "B": [1], "C": [2, Colored("x", "r")], "D": [2, Colored("x", "r")],
              "E": [3, Colored("x", "g")], "F": [3]}, secondary=["x"]),
     StepKind.BLOCK,
     "Too little would be left for 2 if E, because of x."),
    (make({"A": [1, Weighted("w", 2)], "B": [1], "C": [2, "w"], "D": [2]}, multiplicity={"w": (3, 3)}), StepKind.LAST,
     "All that is left for w is needed: A and C."),
    (make({f"{cell}{digit}": [cell, f"{digit} here"] for cell in "pqr" for digit in "123"} | {
         "s1": ["s", "1 here"], "s4": ["s", "4 here"], "t4": ["t", "4 here"], "t5": ["t", "5 here"],
     }, secondary=[f"{digit} here" for digit in "12345"]),
     StepKind.SUBSET,
     "P, q and r need all of 1 here, 2 here and 3 here, which excludes s1."),
    (make({"a1": ["a", "x"], "a2": ["a", "x"], "a3": ["a", "y"], "b1": ["b", "x"], "b2": ["b", "y"], "b3": ["b", "y"],
           "c1": ["c", "x"], "c2": ["c"], "c3": ["c"]}, secondary=["x", "y"]),
     StepKind.SUBSET,
     "A and b need all of x and y, which excludes c1."),
])  # fmt: skip
def test_the_kinds(problem: Problem, kind: StepKind, sentence: str) -> None:
    step = problem.next_step()
    assert step is not None and (step.kind, str(step)) == (kind, sentence)


def test_a_chain_says_what_it_would_force() -> None:
    step = Sudoku(grid=HARDEST).problem().next_step(given=["r8c3=1"])
    assert step is not None and step.kind is StepKind.CHAIN
    assert {*map(str, step.excluded)} == {"r7c4=9", "r7c6=9", "r9c4=9", "r9c6=9"}
    first = str(step.excluded[0])
    forced = [f"{label} for {item}" for label, item in step.chain]
    assert str(step) == (
        f"X-chain: suppose {first}: then {' and '.join(forced)} must follow, and too little is left for {step.truths[-1]}; "
        f"the same items exclude {step.excluded[1]!s}, {step.excluded[2]} and {step.excluded[3]}."
    )
    assert [item for _, item in step.chain] == [*step.truths[:-1]]


def test_a_proof_needs_all_of_its_truths_and_links() -> None:
    """Nothing is proved from less, and nothing else is."""
    problem = Sudoku(grid=HARDEST).problem()
    position = Position(Sets(problem), problem.given_positions, (), Stop())
    position.choose([problem.position("r8c3=1")])
    (chain, *_) = position.find_chains()
    links = set().union(*(position.find_links(option, chain.truths) for option in chain.options))
    whole = Finding(chain.options, chain.truths, sorted(links))
    assert proves(position, whole, chooses=False)
    for truth in chain.truths:
        fewer = whole._replace(truths=[one for one in chain.truths if one != truth])
        assert not proves(position, fewer, chooses=False)
    assert not proves(position, whole._replace(links=[]), chooses=False)
    other = next(option for option in range(729) if position.alive >> option & 1 and option not in chain.options)
    assert not proves(position, whole._replace(options=[other]), chooses=False)
    assert not proves(position, Finding([other], [problem.items.index("r1c2")], []), chooses=True)


def test_a_path_to_the_solution_and_one_that_needs_a_guess() -> None:
    easy = Sudoku(grid=EASY).problem().solve_by_steps()
    assert easy.solution is not None and {*easy.solution} == {*next(Sudoku(grid=EASY).solve())}
    assert {one.name for one in easy.deductions} == {"hidden single"}
    assert (easy.hardest, easy.left) == (1.2, 0)
    hard = Sudoku(grid=HARDEST).problem().solve_by_steps()
    assert (hard.solution, hard.hardest, hard.left) == (None, math.inf, 212)  # as a search one option ahead finds, too
    assert str(Sudoku(grid=HARDEST).problem().next_step()) == "Hidden single: only r8c3=1 is left for 1 in box 7."


ON_OFF: dict[str, Any] = {
    "symbols": "♛x", "empty": "x",
    "constraints": ({"count": {"where": "rows columns regions", "times": 1}},),
}  # fmt: skip
POSITIONS: list[tuple[str, Callable[[], Encoder], list[str], list[str], str]] = [
    ("naked pair", Sudoku, [], [f"r1c{c}={d}" for c in (1, 2) for d in range(3, 10)], "naked pair"),
    ("naked triple", Sudoku, [], [f"r1c{c}={d}" for c in (1, 2, 3) for d in range(4, 10)], "naked triple"),
    ("hidden pair", Sudoku, [], [f"r1c{c}={d}" for c in range(2, 9) for d in (1, 2)], "hidden pair"),
    ("pointing", Sudoku, [], [f"r{r}c{c}=1" for r in (2, 3) for c in (1, 2, 3)], "pointing"),
    ("claiming", Sudoku, [], [f"r1c{c}=1" for c in range(4, 10)], "claiming"),
    ("X-wing", Sudoku, [], [f"r{r}c{c}=1" for r in (1, 5) for c in range(1, 10) if c not in (2, 8)], "X-wing"),
    ("swordfish", Sudoku, [],
     [f"r{r}c{c}=1" for r, own in ((1, (2, 5, 8)), (4, (2, 5, 8)), (7, (2, 5, 8))) for c in range(1, 10) if c not in own],
     "swordfish"),
    ("skyscraper", Sudoku, [],
     [f"r{r}c{c}=1" for r, own in ((1, (2, 8)), (5, (2, 9))) for c in range(1, 10) if c not in own], "skyscraper"),
    ("XY-wing", Sudoku, [],
     [f"{cell}={d}" for cell, own in (("r1c1", "12"), ("r1c5", "13"), ("r5c1", "23")) for d in "123456789" if d not in own],
     "XY-wing"),
    ("naked triple of pairs", Sudoku, [],
     [f"r1c{c}={d}" for c, own in ((1, "12"), (4, "23"), (7, "13")) for d in "123456789" if d not in own],
     "naked triple"),
    ("swordfish of pairs", Sudoku, [],
     [f"r{r}c{c}=5" for r, own in ((1, (1, 4)), (4, (4, 7)), (7, (1, 7))) for c in range(1, 10) if c not in own],
     "swordfish"),
    ("hidden triple of pairs", Sudoku, [],
     [f"r1c{c}={d}" for d, own in ((5, (1, 4)), (6, (4, 8)), (7, (1, 8))) for c in range(1, 10) if c not in own],
     "hidden triple"),
    ("queens with regions",
     lambda: Grid(cells="5x5", regions="AAABB/AACBB/DDCCC/DDDEE/DDEEE", **ON_OFF),
     [],
     ["r3c3=♛", "r1c4=♛", "r4c1=♛", "r5c5=♛"],
     "row pair"),
    ("Latin squares", lambda: Latin(n=5), [], [f"r1c{c}={d}" for c in (1, 2) for d in (3, 4, 5)], "naked pair"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("make", "chosen", "excluded", "name"), [one[1:] for one in POSITIONS], ids=[one[0] for one in POSITIONS]
)
def test_techniques_have_their_names(
    make: Callable[[], Encoder], chosen: list[str], excluded: list[str], name: str
) -> None:
    step = make().problem().next_step(given=chosen, without=excluded)
    assert step is not None and step.name == name


def test_the_first_step_of_a_polyomino_puzzle() -> None:
    corner = Polyomino(board="5x12").problem().next_step()
    assert corner is not None and (corner.kind, corner.truths) == (StepKind.BLOCK, ("r1c1",))


@pytest.mark.parametrize("soft", [{"q": 2}, {"q": (None, 2)}, {"p": 1}])
def test_a_solution_leaves_no_soft_item_open(soft: dict[str, Any]) -> None:
    problem = Problem({"a": ["p"], "c": ["p", "q"]}, soft=soft)
    assert list(problem.solve()) == [("c",)]
    assert problem.solve_by_steps().solution == ("c",)
    assert problem.solve_by_steps(given=["a"]).solution is None


def test_a_proof_of_the_author_is_the_reason() -> None:
    problem = Problem({"o": ["a"]}, impossible="parity")
    assert problem.solve_by_steps().reason == "parity"
    with pytest.raises(ProblemError, match="there is no solution: parity"):
        problem.next_step()


MORE: dict[str, list[Any]] = {"e": ["T1", "N"], "f": ["T2", "N"], "g": ["T3", "N"], "h": ["T3", "M"], "i": ["T3", "L"]}


@pytest.mark.parametrize("more", [{}, MORE])
def test_a_link_in_a_color_is_no_link(more: dict[str, list[Any]]) -> None:
    red = Colored("L", "red")
    options: dict[str, list[Any]] = {"a": ["T1", "L"], "b": ["T1", "M"], "c": ["T2", red], "d": ["T2", "M"]}
    options |= {"x": ["X", red], "y": ["X"]}
    problem = Problem(options | more, secondary=["L", "M", "N"])
    solutions = [set(one) for one in problem.solve()]
    for one in find_all(problem)[0]:
        assert all(not {*one.excluded} & solution and {*one.chosen} <= solution for solution in solutions)
    position = Position(Sets(problem), (), (), Stop())
    numbers = [problem.items.index(item) for item in ("T1", "T2", "L", "M")]
    wrong = Finding([problem.position("x")], numbers[:2], numbers[2:])
    assert not proves(position, wrong, chooses=False)


def test_what_cannot_be() -> None:
    problem = Problem({"A": [1], "B": [1, 2], "C": [2]})
    with pytest.raises(ProblemError, match="there is no solution: too little is left for 1"):
        problem.next_step(without=["A", "B"])
    with pytest.raises(ProblemError, match="no option is labeled 'D'"):
        problem.next_step(given=["D"])
    path = problem.solve_by_steps(without=["A", "B"])
    assert (path.solution, path.reason, path.hardest) == (None, "too little is left for 1", math.inf)
    with pytest.raises(StoppedError):
        Sudoku(grid=HARDEST).problem().solve_by_steps(stop=Stop(timeout=0))


def test_a_stop_is_polled_while_a_problem_is_read() -> None:
    stop = StopAfter(1000)
    options = {f"o{k}": ["a" if k else "b", Weighted("w", 1 + k)] for k in range(50)}  # each of which takes long
    step = Problem(options, multiplicity={"w": (0, 100)}).next_step(stop=stop)
    assert step is not None and step.chosen == ("o0",) and 1000 - stop.left >= len(options)


def test_too_many_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deductions, "MOST_OPTIONS", 2)
    with pytest.raises(ProblemError, match="steps are for problems of at most 2 options; this one has 3 options"):
        Problem({"A": [1], "B": [1, 2], "C": [2]}).next_step()


def test_a_level_limits_the_steps() -> None:
    problem = Sudoku(grid=HARDEST).problem()
    assert len(solve_by_deductions(problem, level=StepLevel(end=1.6)).deductions) == 1
    assert len(solve_by_deductions(problem, level=StepLevel(kind=StepKind.SUBSET)).deductions) == 1
    assert len(solve_by_deductions(problem, level=StepLevel(kind=StepKind.CHAIN)).deductions) == 2


def test_a_chain_ends_where_a_rule_is_broken() -> None:
    """A Slitherlink that is not solved by steps without such chains."""
    clues = """
        .201.00.0.
        ...2..11.0
        21.00..2.0
        .2.20..12.
        3..22..1.2
        1.1.2.2..2
        0...2.3221
        2...1.10..
        2100..2.01
        .32.11231.
    """
    problem = Slitherlink("/".join(clues.split())).problem()
    path = problem.solve_by_steps()
    assert path.solution == next(problem.solve())
    chains = [one for one in path.deductions if one.kind is StepKind.CHAIN and one.fault is not None]
    assert chains
    for one in chains:
        assert one.chain and one.fault and one.fault.describe(problem.vocabulary.describe) in one.sentence
    rules = [str(one) for one in path.deductions if one.kind is StepKind.RULE]
    between = "the line from point r5c1 to point r5c2 and the line from point r1c1 to point r1c2 cannot be on one loop."
    assert f"A line at the top and bottom of r4c2 would break the rule: {between}" in rules


def test_a_rule_that_is_broken_is_told_once() -> None:
    """A line that two cells can draw, and the ways into and out of a stop, are not the same step twice."""
    numberlink = Numberlink("...A../.B.B../....AC/DED.../..C.../..E...")
    zipped = Numberlink("6 7 . . . ./. 3 . . 8 ./. . . . 9 ./. 5 4 . 2 ./. . 1 . . ./. . 10 . . .", kind="zip")
    for puzzle in (numberlink, zipped):
        path = puzzle.problem().solve_by_steps()
        told = [one.sentence for one in path.deductions if one.kind is StepKind.RULE]
        assert told and len(told) == len(set(told))


def make_board(side: int, size: int) -> Problem:
    """Make a square of cells to fill with one single cell, and bars of this size."""
    cells = [*product(range(side), repeat=2)]
    bars = [[(r + k * down, c + k * (1 - down)) for k in range(size)] for r, c in cells for down in (0, 1)]
    single = {("single", cell): ["single", cell] for cell in cells}
    return Problem(single | {tuple(bar): bar for bar in bars if bar[-1] in cells})


@pytest.mark.parametrize(("side", "size", "places"), [(5, 2, 13), (4, 3, 4), (5, 3, 1)])
def test_weights_exclude_what_leaves_no_tiling(side: int, size: int, places: int) -> None:
    """Colorings of the board leave these places to the single cell; a search confirms them."""
    problem = make_board(side, size)
    path = problem.solve_by_steps()
    assert {one.kind for one in path.deductions} >= {StepKind.WEIGHTS}
    excluded = {label for one in path.deductions for label in one.excluded}
    singles = [label for label in problem.labels if label[0] == "single"]
    assert len({*singles} - excluded) == places
    for label in singles:
        assert (problem.count(given=[label]) == 0) == (label in excluded)
    for one in path.deductions:
        if one.balance is not None:
            weights = dict(zip(one.truths, one.balance.weights, strict=True))
            (chosen,) = one.excluded
            rest = sum(weight for item, weight in weights.items() if item not in problem.options[chosen])
            assert rest == one.balance.total and "must be covered" in one.sentence


def test_weights_that_refute_a_position_are_its_reason() -> None:
    """Three of each of three items, by pairs of two, cannot be: no option is at fault, not even one that is apart."""
    pairs = {f"{one}{other}{k}": [one, other] for k in range(4) for one, other in ("ab", "bc", "ac")}
    problem = Problem(pairs | {"X": ["z", "y"], "Y": ["z"], "Z": ["y"]}, multiplicity=dict.fromkeys("abc", (3, 3)))
    path = problem.solve_by_steps()
    reason = "each option covers an even number of 3 items, but they must be covered an odd number of times"
    assert (path.deductions, path.solution, path.reason) == ((), None, reason)


def test_weights_that_are_fractions_are_told_as_whole_numbers() -> None:
    """X = y + z, and 2 y = 2 z = t: so x = t, which is found as multiples of halves."""
    matrix = Problem({"A": ["x", "y"], "B": ["y", "y2"], "C": ["x", "y2"], "D": ["z", "z2"]}).matrix
    weights = find_weights(matrix)
    assert weights is not None and all(abs(weight) <= 2 for weight in weights.weights.values())


def test_weights_are_looked_for_only_if_they_may_be_used() -> None:
    problem = make_board(5, 2)
    assert not solve_by_deductions(problem, level=StepLevel(kind=StepKind.CHAIN)).deductions


def test_points_are_told_apart_from_cells() -> None:
    puzzle = Slitherlink("..2/.3./3.3")
    told = [(item, puzzle.describe(item)) for item in puzzle.problem().items]
    told += [(label, puzzle.describe_option(label)) for label in puzzle.problem().labels]
    for part, words in told:
        named = re.findall(r"(point )?r\dc\d", words)
        assert {bool(point) for point in named} == {str(part).startswith("point ")}, words


def test_a_line_that_alone_breaks_a_rule_is_named() -> None:
    ways = {"r1c1": "right and down", "r2c1": "up and right", "r1c4": "left and right", "r1c5": "left and down",
            "r2c5": "up and left", "r2c4": "left and right"}  # fmt: skip
    step = Loops("1x4").problem().next_step(given=[f"{place}: {way}" for place, way in ways.items()])
    closed = "the loop through the line from r1c1 to r1c2 closes without the line from r1c3 to r1c4"
    assert str(step) == f"The line from r1c2 to r2c2 would break the rule: {closed}."


@pytest.mark.parametrize("name", ["hidoku", "kakuro", "killer_sudoku", "skyscrapers"])
def test_simple_steps_settle_what_people_see(name: str) -> None:
    encoder = read_file(find_configs()[f"{name}.yaml"]).encoder
    problem, shows = encoder.problem(), encoder.is_shown
    finder, path = DeductionFinder(problem), problem.solve_by_steps()
    simple = [one for one in path.deductions if one.kind in (StepKind.LAST, StepKind.BLOCK)]
    assert simple and not all(map(shows, problem.labels))
    for one in simple:
        before = {label for label in problem.labels if shows(label) and finder.is_open(label)}
        finder.take(one)
        assert any(not finder.is_open(label) for label in before), one
        assert all(map(shows, one.excluded)), one


def test_lines_with_positions_and_pairs_of_symbols_have_no_names() -> None:
    for name in ("kakurasu", "star_battle"):
        path = read_file(find_configs()[f"{name}.yaml"]).encoder.problem().solve_by_steps()
        told = [one for one in path.deductions if "positions" in str(one.truths) or len(one.chosen) > 1]
        assert told and not any(one.name for one in told)


def test_clues_beside_lines_are_no_houses() -> None:
    first = read_file(find_configs()["skyscrapers.yaml"]).encoder.problem().next_step()
    told = "Too little would be left for seen from the left in row 1, cell 1 if r1c1=4 or r1c1=5."
    assert first is not None and (first.name, str(first)) == ("", told)


def test_a_way_that_is_left_for_another_item_is_told_with_it() -> None:
    path = read_file(find_configs()["kakuro.yaml"]).encoder.problem().solve_by_steps()
    told = "Sum below r1c5: 1 3 7 8 9 is all that is left, because of 4 in sum below r1c5."
    assert [one.name for one in path.deductions if str(one) == told] == [""]


def test_cells_that_hold_one_symbol_from_the_start_are_no_steps() -> None:
    mines = Grid("1x3", symbols="*x", empty="x", constraints=({"around": {"clues": ".1.", "of": "*"}},))
    path = mines.problem(stop=None).solve_by_steps(without=[Entry(1, 3, "*")])
    assert path.solution is not None
    assert all(Entry(1, 2, "x") not in one.chosen for one in path.deductions)


def test_a_way_of_a_constraint_is_told_by_its_name_once() -> None:
    problem = Grid("2x2", symbols="1-9", constraints=({"cages": {"areas": "AA/..", "totals": {"A": 17}}},)).problem()
    assert str(problem.next_step()) == "Only 8 9 is left for cage A."
