"""The results of a part of a run: `take_part` searches the part, and `merge_results` brings the results back.

Each finished cube is added as a line to a file of results. Killed, the search of a part goes on where it was.
"""

from __future__ import annotations

import base64
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BufferedRandom
from pathlib import Path as FilePath
from typing import Any, BinaryIO

from exactcover.control.options import Goal
from exactcover.control.stop import Stop
from exactcover.errors import OutputError, StoreError
from exactcover.files.lock import lock_descriptor
from exactcover.files.read import read_bounded
from exactcover.files.write import open_named
from exactcover.pictures.text import digits
from exactcover.runs.cube import Cube, Outcome, Path, mark_subtree, sum_digests, unpack_solutions
from exactcover.runs.divisions import Divisions
from exactcover.runs.fields import to_count, to_goal, to_list, to_number, to_numbers, to_object, to_seconds, to_text
from exactcover.runs.parts import FORMAT, MAX_CHILDREN, PartsFile, checksum, to_child
from exactcover.runs.planned import PlannedSearch
from exactcover.runs.problem import RunProblem, SearchProblem
from exactcover.runs.store import Store
from exactcover.runs.worker import Task, search_cube
from exactcover.version import __version__

__all__ = ["merge_results", "take_part"]

_SECONDS = 60.0  # after which the rest of a cube becomes cubes of the same part, so that little is lost at an end


def take_part(file: PartsFile, number: int, path: FilePath, stop: Stop, show: Callable[[int, int], None]) -> int:
    """Search the cubes of a part; add each outcome as a line to the file of results.

    Parameters
    ----------
    file, number
        The parts, and which of them, from 1.
    path
        The file of results. If it exists, cubes whose outcome it holds are not searched again.
    stop
        Ends the work; what was searched of the current cube by then is kept.
    show
        Called with the numbers of cubes done and left, after each cube.

    Returns
    -------
    int
        How many cubes are done.

    Raises
    ------
    StoreError
        If the file belongs to another run or part, or another process writes it.
    OutputError
        If it cannot be written.
    Stopped
        If `stop` asks for it.
    """
    head = {"exactcover results": FORMAT, "part": number, "of": len(file.parts)}
    head |= _describe_question(file.key, file.goal, SearchProblem.from_bytes(file.problems[0]), file.plan)
    try:
        with BufferedRandom(open_named(path, "a+")) as out:
            lock_descriptor(out.fileno(), f"{path}: another process is writing this file")
            done = _resume(out, head, path, file.options_of, stop)
            todo = _expand(file.parts[number - 1], done)
            finished = len(done)
            while todo:
                stop.poll()
                cube = todo.pop(0)
                outcome = search_cube(_make_task(file, cube), lambda: stop.status is not None)
                _append(out, _to_json(outcome))
                finished += 1
                todo[:0] = outcome.cubes()
                show(finished, len(todo))
            return finished
    except BlockingIOError as error:
        raise StoreError(str(error.strerror)) from None
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from None


def _make_task(file: PartsFile, cube: Cube) -> Task:
    listing, cheapest = file.goal.lists, file.goal.cheapest or 0
    return Task(cube, file.problem_of(cube.path), file.engine, listing=listing, cheapest=cheapest, seconds=_SECONDS)


def _expand(cubes: tuple[Cube, ...], done: Mapping[Path, Outcome]) -> list[Cube]:
    """Return the cubes that are left: those without an outcome, also below those that were divided."""
    left: list[Cube] = []
    todo = list(reversed(cubes))
    while todo:
        cube = todo.pop()
        outcome = done.get(cube.path)
        if outcome is None:
            left.append(cube)
        else:
            todo += reversed(outcome.cubes())
    return left


def _resume(
    out: BinaryIO, head: Mapping[str, Any], path: FilePath, options_of: Callable[[Path], int], stop: Stop
) -> dict[Path, Outcome]:
    """Read what is in a file of results, and cut off a line that was not finished; write the head of a new file."""
    out.seek(0)
    content = out.read()
    whole = _list_whole_lines(content)
    if not whole and json.dumps(head).encode().startswith(content):
        out.truncate(0)
        _append(out, head)
        return {}
    found, outcomes = _read_results(whole, str(path), options_of, stop)
    if found != head:
        raise StoreError(f"{path}: the file holds the results of another run, or of another part")
    out.truncate(len(whole))
    return {outcome.path: outcome for outcome in outcomes}


def merge_results(
    store: Store, problem: RunProblem, planned: PlannedSearch, engine: str, goal: Goal, path: FilePath, stop: Stop
) -> tuple[int, int]:
    """Store the outcomes in a file of results; those that are stored already change nothing.

    Returns
    -------
    tuple
        The number of outcomes in the file, and how many of them were new.

    Raises
    ------
    StoreError
        If the file is not one of results, belongs to another run, a line of it is damaged, or the cubes that a search
        has left are not the rest of its cube.
    Stopped
        If `stop` asks for it; nothing of the file is stored then.
    """
    try:
        content = read_bounded(path, sys.maxsize, stop.poll)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror or error}") from None
    head, outcomes = _read_results(_list_whole_lines(content), str(path), planned.options_of, stop)
    mismatch = _find_mismatch(head, _describe_question(problem.key, goal, problem.searched, problem.plan_digest))
    if mismatch is not None:
        raise StoreError(f"{path}: the file holds the results of another run: {mismatch}")
    for number, outcome in enumerate(outcomes, 2):
        with _report_damage(f"{path}:{number}"):
            _check_solutions(outcome, goal, len(problem.matrix), stop)
    ordered = sorted(outcomes, key=lambda outcome: outcome.path)
    if goal.cheapest is None:
        _check_divisions(ordered, store, Divisions(planned, engine, stop), path)
    before = store.totals(planned.weight_of).done
    store.save([(outcome, __version__) for outcome in ordered])
    return len(ordered), store.totals(planned.weight_of).done - before


def _check_divisions(outcomes: list[Outcome], store: Store, divisions: Divisions, path: FilePath) -> None:
    """Raise a StoreError if what an outcome has left is not the rest of its cube."""
    cubes = {cube.path: cube for cube in store.cubes("open")}
    for outcome in outcomes:
        cube = cubes.get(outcome.path)
        if cube is None or mark_subtree(cube.subtree) != outcome.mark:  # nothing of it is stored
            continue
        cubes |= {child.path: child for child in outcome.cubes()}
        left = [child.subtree for child in outcome.children]
        fault = divisions.find_fault(cube, outcome.count, left) if left else None
        if fault is not None:
            raise StoreError(f"{path}: {fault}")


def _describe_question(key: str, goal: Goal, searched: SearchProblem, plan: str) -> dict[str, Any]:
    """Return what results answer: the problem, the goal, and the matrix that was searched, with its plan."""
    return {"key": key, "goal": [goal.kind, goal.number], "searched": checksum(searched.to_json()), "plan": plan}


def _find_mismatch(head: Mapping[str, Any], question: Mapping[str, Any]) -> str | None:
    """Return why results with this head do not answer a question, as a sentence; None if they do."""
    if head.get("key") != question["key"]:
        return "they are about another problem, or about other givens or excluded options"
    if head.get("goal") != question["goal"]:
        try:
            theirs, own = (to_goal(*to_list(goal)).describe() for goal in (head.get("goal"), question["goal"]))
        except (ValueError, TypeError):
            return "their goal is not valid"
        return f"they come from a run to {theirs}, and not to {own}"
    if any(head.get(name) != question[name] for name in ("searched", "plan")):
        return (
            "another matrix was searched, because only one of both runs was reduced, uses symmetries or records nodes"
        )
    return None


def _check_solutions(outcome: Outcome, goal: Goal, options: int, stop: Stop) -> None:
    """Raise a ValueError if the solutions of an outcome are not those that it states."""
    if not goal.lists:
        if outcome.blocks or outcome.digest:
            raise ValueError("it lists solutions, but the run only counts them")
        return
    count = digest = 0
    for block in outcome.blocks:
        for solution in stop.watch(unpack_solutions(block, options)):
            count, digest = count + 1, digest + sum_digests([solution])
    if (count, digest % (1 << 128)) != (outcome.count, outcome.digest):
        raise ValueError("its solutions are not those that it states")


def _list_whole_lines(content: bytes) -> bytes:
    """Return a file without a last line that was not finished."""
    return content[: content.rfind(b"\n") + 1]


def _read_results(
    content: bytes, source: str, options_of: Callable[[Path], int], stop: Stop
) -> tuple[Mapping[str, Any], list[Outcome]]:
    lines = content.split(b"\n")[:-1]
    head: Mapping[str, Any] = {}
    with suppress(ValueError, IndexError):
        head = to_object(lines[0], "key")
    if head.get("exactcover results") != FORMAT:
        raise StoreError(f"{source}: not a results file of format {FORMAT}")
    outcomes = []
    for number, line in enumerate(stop.watch(lines[1:]), 2):
        with _report_damage(f"{source}:{number}"):
            outcomes.append(_to_outcome(line, options_of))
    return head, outcomes


@contextmanager
def _report_damage(place: str) -> Iterator[None]:
    try:
        yield
    except KeyError as error:
        raise StoreError(f"{place}: the line is damaged: {error} is missing") from None
    except (ValueError, TypeError, RecursionError) as error:
        raise StoreError(f"{place}: the line is damaged: {error}") from None


def _to_outcome(line: bytes, options_of: Callable[[Path], int]) -> Outcome:
    """Return the outcome in a line of a file of results; raise an error if it is damaged."""
    entry = to_object(line, "checksum")
    if entry.pop("checksum") != checksum(entry):
        raise ValueError("the checksum is wrong")
    path = to_numbers(entry["path"], MAX_CHILDREN)
    blocks, tree = to_list(entry["blocks"]), entry.get("tree", "")
    digest = to_text(entry["digest"])
    if not re.fullmatch("[0-9a-f]{32}", digest):
        raise ValueError("the digest is not a hexadecimal number")
    return Outcome(
        path,
        to_text(entry["mark"]),
        to_count(entry["count"]),
        to_number(entry["nodes"]),
        to_seconds(entry["seconds"]),
        tuple(to_child(child, options_of(path)) for child in to_list(entry["children"])),
        int(digest, 16),
        tuple(base64.b64decode(to_text(block), validate=True) for block in blocks),
        to_text(entry["worker"]),
        tree=base64.b64decode(to_text(tree), validate=True),
    )


def _to_json(outcome: Outcome) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "path": outcome.path,
        "mark": outcome.mark,
        "count": digits(outcome.count),
        "nodes": outcome.nodes,
        "seconds": outcome.seconds,
        "worker": outcome.worker,
        "children": [[one.subtree.chosen, one.subtree.excluded, one.estimate] for one in outcome.children],
        "digest": f"{outcome.digest:032x}",
        "blocks": [base64.b64encode(block).decode() for block in outcome.blocks],
    }
    if outcome.tree:
        entry["tree"] = base64.b64encode(outcome.tree).decode()
    return entry | {"checksum": checksum(entry)}


def _append(out: BinaryIO, entry: Mapping[str, Any]) -> None:
    out.write(json.dumps(entry).encode() + b"\n")
    out.flush()
    os.fsync(out.fileno())
