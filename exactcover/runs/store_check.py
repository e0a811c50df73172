"""The check of a store: does it prove the answer that it states? Nothing but the file is read.

The check has six parts. What was searched, or the reason why nothing was, must follow from the problem, and so must the
parts into which symmetries split it, with their weights. Every record must be intact. The cubes must be a complete
tree, with exactly one row for each subtree that a search has left. What a search has left must be the end of its cube
in the order of the tree, so that what it has counted is the rest. The counts of random cubes must be those that another
engine finds. And if nodes are recorded, they must be one whole tree with as many solutions.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from exactcover.algorithm_x import Colored, Item
from exactcover.control.memory import half_of_free_memory
from exactcover.control.options import Goal, SearchOptions
from exactcover.control.policy import DEFAULT_POLICY
from exactcover.control.recorder import TreeReader
from exactcover.control.stop import InnerStop, Stop, Stopped
from exactcover.counting.direct import DirectCount
from exactcover.counting.scheduler import Scheduler
from exactcover.engines.base import ENGINES
from exactcover.engines.cursor import ROOT, Cursor, Subtree
from exactcover.errors import EngineUnavailableError
from exactcover.files.read import unpack_blocks
from exactcover.model.matrix import Matrix
from exactcover.pictures.text import digits, format_count
from exactcover.problem import Problem
from exactcover.runs.cube import CubePath, sum_digests
from exactcover.runs.cube_worker import make_search
from exactcover.runs.records import Record, format_path
from exactcover.runs.run_problem import PlannedSearch, RunProblem, plan_search
from exactcover.runs.store import Store
from exactcover.steps.step import restrict

_NODES_PER_VISIT = 4  # a search records at most this many nodes for each that it counts
_BYTES_PER_NODE = 16  # of a node, which is two numbers or one
_SECONDS_PER_CUBE = 10.0  # for another engine; a cube that takes longer is passed over


def _is_end_of(subtree: Subtree, left: Sequence[Subtree], cursor: Cursor) -> bool:
    """Return whether these subtrees are what comes last in a subtree, without a gap."""
    todo = list(left)
    while todo:
        children = cursor.children(subtree)
        if children == [subtree]:
            return todo == [subtree]
        while todo and children and todo[-1] == children[-1]:
            todo.pop()
            children.pop()
        if not todo:
            return True
        if not children:
            return False
        subtree = children[-1]
    return True


@dataclass
class CheckReport:
    """The result of a check.

    Attributes
    ----------
    records, divisions, solutions
        The numbers of records that were intact, divisions that were computed anew, and solutions that were verified.
    solved, passed_over
        The numbers of cubes that another engine has counted, and of those that would have taken it too long.
    """

    records: int = 0
    divisions: int = 0
    solutions: int = 0
    solved: int = 0
    passed_over: int = 0


def check_store(
    store: Store, problem: RunProblem, goal: Goal, engine: str, share: float, seed: int, stop: Stop, report: CheckReport
) -> Iterator[str]:
    """Yield the faults of a store, as sentences, and fill in the report.

    The problem, the goal and the engine are what the store says about its run. The share of the cubes to solve again is
    from 0 to 1; if it is more than 0, at least one is solved. The seed determines which ones.
    """
    damage = store.check()
    if damage is not None:
        yield f"the file is damaged: {damage}"
    if (fault := store.find_note_fault()) is not None:
        yield fault
    try:
        planned = plan_search(problem, goal, stop)
    except ValueError as error:
        yield str(error)
        return
    records: dict[CubePath, Record] = {}
    for name, record in stop.watch(store.scan()):
        report.records += isinstance(record, Record)
        if not isinstance(record, Record):
            damage = f"the record of cube {name} is damaged: {record}"
        elif not _fits(record, planned):
            damage = f"cube {name} names options, or a part, that the problem does not have"
        else:
            records[record.cube.path] = record
            continue
        yield damage
    if damage is not None:  # what is left need not be a tree
        return
    yield from _find_tree_faults(records, problem)
    if problem.reason is not None:
        return
    if goal.cheapest is None:
        yield from _find_division_faults(records, planned, engine, stop, report)
    yield from _find_solution_faults(store, problem, goal, records, stop, report)
    if problem.records:
        yield from _find_node_faults(store, records, planned, stop)
    elif next(store.trees(), None) is not None:
        yield "there are nodes, although the run does not record them"
    if goal.cheapest is None and share > 0:
        whole = [one for one in records.values() if one.state == "done" and not one.children and one.nodes]
        sample = random.Random(seed).sample(whole, min(len(whole), max(1, round(share * len(whole)))))
        yield from _find_count_faults(sample, planned, stop, report)


def _find_node_faults(
    store: Store, records: dict[CubePath, Record], planned: PlannedSearch, stop: Stop
) -> Iterator[str]:
    """Yield the faults of the nodes that the cubes have recorded, which together are a tree for each part."""
    missing = {path for path, record in records.items() if record.state == "done"}
    if planned.parts:
        missing.discard(())  # which has only been divided into parts
    readers: dict[int | None, TreeReader] = {}
    nodes, solutions = Counter[int | None](), 0
    for path, data in stop.watch(store.trees()):
        name = format_path(path)
        if path not in missing:
            yield f"there are nodes of cube {name}, which is not done"
            return
        missing.remove(path)
        record, number, size = records[path], 0, 0
        reader = readers.setdefault(planned.part_of(path), TreeReader())
        forced = planned.problem_of(planned.part_of(path)).matrix.primary  # moves before a cube branches, at most
        most = _NODES_PER_VISIT * (record.nodes + record.children + record.count + 1 + forced)
        try:
            for block in unpack_blocks(data):
                stop.poll()
                size += len(block)
                if size <= _BYTES_PER_NODE * most:
                    for node in reader.read(block):
                        number, solutions = number + 1, solutions + node.solutions
                if number > most or size > _BYTES_PER_NODE * most:
                    raise ValueError("they are more than were visited")
        except ValueError as error:
            yield f"the nodes of cube {name} are damaged: {error}"
            return
        nodes[planned.part_of(path)] += number
    for path in sorted(missing)[:1]:
        yield f"the nodes of cube {format_path(path)} are missing"
        return
    done = all(record.state == "done" for record in records.values())
    is_whole = len(+nodes) == max(1, planned.parts) and not any(one.is_unfinished for one in readers.values())
    if done and not is_whole:
        yield "the nodes of the search are not a whole tree"
    elif done and solutions != sum(record.count for record in records.values()):
        yield "the nodes of the search have another number of solutions than the cubes"


def _fits(record: Record, planned: PlannedSearch) -> bool:
    """Return whether a cube belongs to a part of the problem, and names options of it, each once."""
    subtree, path = record.cube.subtree, record.cube.path
    try:
        options = planned.options_of(path)
    except ValueError:
        return False
    named = [*subtree.chosen, *subtree.excluded]
    return max(named, default=-1) < options and len(set(named)) == len(named)


def _find_tree_faults(records: dict[CubePath, Record], problem: RunProblem) -> Iterator[str]:
    if problem.reason is not None:
        if records:
            yield "there are cubes, although the problem was found to have no solution"
        return
    root = records.get(())
    if root is None:
        yield "the root cube is missing"
    elif root.cube.subtree != ROOT:
        yield "the root cube is not the whole tree"
    children: dict[CubePath, set[int]] = defaultdict(set)
    for path in records:
        if path:
            children[path[:-1]].add(path[-1])
    for path, record in records.items():
        expected = set(range(record.children)) if record.state == "done" else set()
        for number in sorted(expected - children[path]):
            yield f"cube {format_path((*path, number))} is missing"
        for number in sorted(children[path] - expected):
            yield f"cube {format_path((*path, number))} is not part of any division"
    for path in children.keys() - records.keys():
        yield f"cube {format_path(path)} is missing, although there are cubes below it"


def _find_division_faults(
    records: dict[CubePath, Record], planned: PlannedSearch, engine: str, stop: Stop, report: CheckReport
) -> Iterator[str]:
    """Yield the divisions that lose or repeat a part of the tree."""
    search_of = cache(lambda part: make_search(engine, planned.problem_of(part), stop))
    for path, record in records.items():
        if record.state != "done" or not record.children:
            continue
        stop.poll()
        parts = [records.get((*path, number)) for number in range(record.children)]
        left = [part.cube.subtree for part in parts if part is not None]
        if len(left) < len(parts):
            pass  # which is a fault of the tree
        elif not path and planned.parts:
            if record.count or left != [ROOT] * planned.parts:
                yield "the root cube is not divided into the parts of the plan"
        elif not _is_end_of(record.cube.subtree, left, search_of(planned.part_of(path))):
            yield f"the cubes left by cube {format_path(path)} are not exactly the rest of it"
        report.divisions += 1


def _find_solution_faults(
    store: Store, problem: RunProblem, goal: Goal, records: dict[CubePath, Record], stop: Stop, report: CheckReport
) -> Iterator[str]:
    """Say of which cubes listed solutions are wrong, come twice, or do not fit to the record."""
    if not goal.lists:
        if next(store.scan_solutions(len(problem.matrix)), None) is not None:
            yield "there are solutions, although the run only counts them"
        return
    find_fault = _make_verifier(problem)
    seen: set[int] = set()  # digests, which need less memory than solutions
    counts: dict[CubePath, int] = defaultdict(int)
    digests: dict[CubePath, int] = defaultdict(int)
    wrong, repeated = (
        set[CubePath](),
        set[CubePath](),
    )  # cubes of which that was said; a damaged block may have millions
    for path, found in store.scan_solutions(len(problem.matrix)):
        try:
            for solution in stop.watch(found):
                fault = find_fault(solution)
                if fault is not None and path not in wrong:
                    wrong.add(path)
                    yield f"a solution of cube {format_path(path)} is wrong: {fault}"
                digest = sum_digests([solution])
                if digest in seen and goal.cheapest is None and path not in repeated:
                    repeated.add(path)
                    yield f"a solution of cube {format_path(path)} is listed twice"
                seen.add(digest)
                counts[path] += 1
                digests[path] += digest
                report.solutions += 1
        except ValueError as error:
            yield f"the solutions of cube {format_path(path)} are damaged: {error}"
    for path in counts.keys() - records.keys():
        yield f"there are solutions of cube {format_path(path)}, which does not exist"
    for path, record in records.items():
        if record.count != counts[path] or record.digest != digests[path] % (1 << 128):
            yield f"the solutions of cube {format_path(path)} do not match its record"


def _make_verifier(problem: RunProblem) -> Callable[[tuple[int, ...]], str | None]:
    """Return a function that says what is wrong with a solution, or returns None."""
    matrix, plain = problem.matrix, rebuild_problem(problem)
    options = [_Option.of(matrix, option) for option in range(len(matrix))]
    given, excluded = set(problem.given_positions), set(problem.excluded_positions)

    def is_plain_solution(solution: tuple[int, ...]) -> bool:
        if max(solution, default=0) >= len(options) or not given.issubset(solution):
            return False
        chosen = [options[number] for number in solution]
        alone = [item for option in chosen for item in option.alone]
        shared = {pair for option in chosen for pair in option.shared}
        names = {item for item, _ in shared}
        return (
            sum([option.primaries for option in chosen]) == matrix.primary
            and len(set(alone)) == len(alone)
            and len(names) == len(shared)
            and names.isdisjoint(alone)
            and excluded.isdisjoint(solution)
        )

    def find_fault(solution: tuple[int, ...]) -> str | None:
        if not matrix.multiplicity and is_plain_solution(solution):  # tens of times as fast
            return None
        verdict = plain.verify(solution)
        return None if verdict else str(verdict)

    return find_fault


@dataclass(frozen=True, slots=True)
class _Option:
    """An option: the items that it shares with no other, those that have a color, and how many are primary."""

    alone: tuple[int, ...]
    shared: tuple[tuple[int, int], ...]
    primaries: int

    @classmethod
    def of(cls, matrix: Matrix, number: int) -> _Option:
        entries = list(matrix.option(number))
        return cls(
            tuple(item for item, color in entries if not color),
            tuple((item, color) for item, color in entries if color),
            sum(item < matrix.primary for item, _ in entries),
        )


def rebuild_problem(problem: RunProblem) -> Problem:
    """Return the problem with numbers as labels and items, because texts need not be unique."""
    matrix = problem.matrix

    def list_items(option: int) -> list[Item]:
        return [Colored(item, color) if color else item for item, color in matrix.option(option)]

    return Problem(
        ((option, list_items(option)) for option in range(len(matrix))),
        primary=range(matrix.primary),
        secondary=range(matrix.primary, matrix.items),
        multiplicity=matrix.multiplicity,
    ).instance(problem.given_positions, problem.excluded_positions)


def _find_count_faults(
    sample: Sequence[Record], planned: PlannedSearch, stop: Stop, report: CheckReport
) -> Iterator[str]:
    """Yield the cubes of which another engine finds another number of solutions."""
    for record in sample:
        subtree = record.cube.subtree
        part = planned.part_of(record.cube.path)
        result = restrict(planned.problem_of(part).matrix, subtree.chosen, subtree.excluded)
        limited = InnerStop(stop)
        limited.limit(timeout=_SECONDS_PER_CUBE)
        try:
            count = 0 if result.reason is not None else _count_by_memo(result.matrix, limited)
        except (Stopped, EngineUnavailableError):  # it takes too much time, or memory
            stop.poll()
            report.passed_over += 1
            continue
        stop.poll()
        report.solved += 1
        if count != record.count:
            yield (
                f"cube {format_path(record.cube.path)} has {format_count(record.count, 'solution')} according to its "
                f"record, but {digits(count)} according to another way to count"
            )


def _count_by_memo(matrix: Matrix, stop: Stop) -> int:
    """Count as neither searches nor sweeps do; without native code, with the sets of the core."""
    engine = ENGINES.get("diagram", ENGINES["sets"])
    options = SearchOptions(strategy="memo") if engine.name == "diagram" else SearchOptions()
    direct = DirectCount(engine.leaves(matrix, stop, options, DEFAULT_POLICY), half_of_free_memory)
    try:
        Scheduler(stop).run(direct)
        return direct.solutions
    finally:
        direct.close()
