"""Parts of a run for machines that share nothing but files, such as the jobs of an array on a cluster.

One file has the open cubes, dealt out to N parts; :mod:`exactcover.runs.results` searches a part.
"""

from __future__ import annotations

import base64
import hashlib
import heapq
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TextIO, TypeAlias

from exactcover.control.options import Goal
from exactcover.engines.trees import Subtree
from exactcover.errors import StoreError
from exactcover.runs.cube import MAX_NODES, Child, Cube, Path
from exactcover.runs.fields import (
    to_goal,
    to_list,
    to_numbers,
    to_object,
    to_real,
    to_text,
)
from exactcover.runs.planned import PlannedSearch
from exactcover.runs.problem import RunProblem, SearchProblem

__all__ = ["FORMAT", "MAX_CHILDREN", "PartsFile", "checksum", "deal_out", "to_child"]

FORMAT = 4
"""The version of the format of both kinds of files."""

MAX_CHILDREN = 1 << 32
"""Numbers of children are stored in four bytes."""


Deal: TypeAlias = tuple[tuple[Cube, ...], ...]
"""The cubes of each part."""


@dataclass(frozen=True)
class PartsFile:
    """A file with cubes, dealt out to parts.

    Attributes
    ----------
    key
        The hash of the problem of the run.
    problems
        What is searched, as :class:`SearchProblem` in bytes: the whole problem, and the parts of its plan.
    plan
        The hash of the plan, or an empty text.
    engine, goal
        By which engine it is searched, and what for.
    parts
        The cubes of each part.
    """

    key: str
    problems: tuple[bytes, ...]
    plan: str
    engine: str
    goal: Goal
    parts: tuple[tuple[Cube, ...], ...]

    @classmethod
    def of(cls, problem: RunProblem, planned: PlannedSearch, engine: str, goal: Goal, cubes: Deal) -> PartsFile:
        """Return the parts of a run."""
        problems = tuple(map(planned.data_of, (None, *range(planned.parts))))
        return cls(problem.key, problems, problem.plan_digest, engine, goal, cubes)

    def problem_of(self, path: Path) -> bytes:
        """Return what is searched below a path.

        Raises
        ------
        ValueError
            If the plan has no such part.
        """
        if not path or not self.plan:
            return self.problems[0]
        if path[0] + 1 >= len(self.problems):
            raise ValueError("a cube belongs to no part of the plan")
        return self.problems[path[0] + 1]

    @cached_property
    def sizes(self) -> Mapping[bytes, int]:
        """The number of options of each problem."""
        return {problem: len(SearchProblem.from_bytes(problem).matrix) for problem in self.problems}

    def options_of(self, path: Path) -> int:
        """Return how many options there are below a path; raises as :meth:`problem_of`."""
        return self.sizes[self.problem_of(path)]

    def write(self, out: TextIO) -> None:
        """Write the file."""
        content = {
            "exactcover parts": FORMAT,
            "key": self.key,
            "engine": self.engine,
            "goal": [self.goal.kind, self.goal.number],
            "plan": self.plan,
            "problems": [base64.b64encode(problem).decode() for problem in self.problems],
            "parts": [
                [[cube.path, cube.subtree.chosen, cube.subtree.excluded, cube.estimate] for cube in part]
                for part in self.parts
            ],
        }
        out.write(json.dumps(content | {"checksum": checksum(content)}) + "\n")

    @classmethod
    def read(cls, text: str, source: str) -> PartsFile:
        """Read the file.

        Raises
        ------
        StoreError
            If it is not such a file, is damaged, or has another format.
        """
        try:
            content = to_object(text, "exactcover parts")
        except ValueError:
            raise StoreError(f"{source}: not a parts file, or truncated") from None
        if content["exactcover parts"] != FORMAT:
            raise StoreError(
                f"{source}: the file does not have format {FORMAT}; use the same version of exactcover everywhere"
            )
        try:
            if content.pop("checksum") != checksum(content):
                raise ValueError("the checksum is wrong")
            problems = tuple(base64.b64decode(to_text(one), validate=True) for one in to_list(content["problems"]))
            key, plan, engine = (to_text(content[name]) for name in ("key", "plan", "engine"))
            empty = cls(key, problems, plan, engine, to_goal(*to_list(content["goal"])), ())
            parts = (map(to_list, to_list(part)) for part in to_list(content["parts"]))
            return replace(
                empty, parts=tuple(tuple(_to_cube(cube, empty.options_of) for cube in part) for part in parts)
            )
        except KeyError as error:
            raise StoreError(f"{source}: the file is damaged: {error} is missing") from None
        except (ValueError, TypeError, IndexError, RecursionError) as error:
            raise StoreError(f"{source}: the file is damaged: {error}") from None


def _to_cube(value: list[Any], options_of: Callable[[Path], int]) -> Cube:
    place, *subtree = value
    path = to_numbers(place, MAX_CHILDREN)
    child = to_child(subtree, options_of(path))
    return Cube(path, child.subtree, child.estimate)


def to_child(value: Any, options: int) -> Child:
    """Return a subtree with its estimate, as it stands in a file; options are numbers below `options`."""
    chosen, excluded, estimate = to_list(value)
    subtree = Subtree(to_numbers(chosen, options), to_numbers(excluded, options))
    named = [*subtree.chosen, *subtree.excluded]
    if len(set(named)) < len(named):
        raise ValueError("a cube names an option twice")
    return Child(subtree, to_real(estimate, MAX_NODES, 1))


def deal_out(cubes: list[Cube], number: int) -> Deal:
    """Deal cubes out to parts of about equal size: the largest first, each to the part that has least."""
    parts: list[list[Cube]] = [[] for _ in range(number)]
    heap = [(0.0, part) for part in range(number)]
    for cube in sorted(cubes, key=lambda one: (-one.estimate, one.path)):
        size, part = heapq.heappop(heap)
        parts[part].append(cube)
        heapq.heappush(heap, (size + cube.estimate, part))
    return tuple(map(tuple, parts))


def checksum(entry: Mapping[str, Any]) -> str:
    """Return a hash of an entry of a file."""
    return hashlib.blake2b(json.dumps(entry, sort_keys=True).encode(), digest_size=16).hexdigest()
