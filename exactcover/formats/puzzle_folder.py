"""Puzzles as records, alone or in a folder with a certificate of each and the schema of the records; and read again."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from io import BufferedWriter
from itertools import chain
from math import inf
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, TextIO, TypeAlias

from exactcover.analysis.generate import Puzzle
from exactcover.control.options import SearchOptions
from exactcover.control.stop import Stop
from exactcover.encoders.encoder import Encoder, defines
from exactcover.errors import ConfigError, CoverError, Mistake
from exactcover.files.json_text import dump_json, load_json
from exactcover.files.write import open_own, replace_file, write_new
from exactcover.formats.registry import FamilyParameters
from exactcover.pictures.text import format_count
from exactcover.problem import Problem
from exactcover.reasons.deductions import MOST_OPTIONS, solve_by_deductions

Puzzles: TypeAlias = Iterable[tuple[Encoder, Puzzle]]
"""Puzzles as they are made, each with the encoder that shows it."""

CERTIFICATES = "certificates"
RECORDS = "puzzles.jsonl"
SCHEMA = "schema.json"


@dataclass(frozen=True)
class PuzzleRecord:
    """A puzzle with exactly one solution."""

    __pydantic_config__: ClassVar[dict[str, bool]] = {"use_attribute_docstrings": True}

    problem: str | None
    """The name of the family; null for a file of items and options."""

    params: Mapping[str, Any]
    """The parameters of the puzzle, as a configuration states them."""

    text: str | None
    """The puzzle as `batch` reads it with these parameters; null if the family has no text."""

    givens: Sequence[str]
    """The labels of the options that are given, in the order of the problem."""

    without: Sequence[str]
    """The labels of the options that are excluded."""

    solution: Sequence[str]
    """The labels of all options of the solution, in the order of the problem."""

    nodes: int
    """The number of nodes that a search visits to find the solution and to prove that there is no other.

    About a million if it is stopped there.
    """

    seed: int
    """The seed of the whole run."""

    difficulty: float | None = None
    """The difficulty of the hardest step; null if it is not known, or if the puzzle needs a guess."""

    needs_guess: bool | None = None
    """True if steps do not lead to the solution; null if that is not known."""

    certificate: str | None = None
    """The file in the folder that proves that there is exactly one solution; null without a folder."""


Describe: TypeAlias = Callable[[Encoder], Mapping[str, Any]]
"""Returns the name of the family of an encoder, and its parameters, as a configuration states them."""


def make_record(puzzle: Puzzle, encoder: Encoder, describe: Describe, seed: int, problem: Problem) -> PuzzleRecord:
    """Return the record of a puzzle; `problem` says which options are excluded."""
    givens, without, solution = (
        [str(label) for label in labels] for labels in (puzzle.givens, problem.excluded, puzzle.solution)
    )
    return PuzzleRecord(
        **describe(encoder),
        text=encoder.unparse(puzzle.givens) if defines(encoder, "parse") else None,
        givens=givens,
        without=without,
        solution=solution,
        nodes=puzzle.nodes,
        seed=seed,
        difficulty=puzzle.difficulty,
        needs_guess=None if puzzle.difficulty is None else False,
    )


def write_records(puzzles: Puzzles, out: TextIO, *, seed: int, describe: Describe, problem: Problem) -> None:
    """Write one JSON object per puzzle."""
    for encoder, puzzle in puzzles:
        out.write(dump_json(asdict(make_record(puzzle, encoder, describe, seed, problem))) + "\n")
        out.flush()


def write_folder(
    puzzles: Puzzles, out: TextIO, *, folder: Path, seed: int, describe: Describe, problem: Problem, stop: Stop
) -> None:
    """Write puzzles, each rated and with a certificate, into a folder that is new or empty; nothing to `out`.

    A record is written once its certificate is whole. So after a stop, the folder has the puzzles made up to then.
    Raise ``CoverError`` if the folder is not empty.
    """
    del out
    if os.path.lexists(folder) and (not folder.is_dir() or any(folder.iterdir())):
        raise CoverError(f"{folder} exists, and is not an empty folder; choose another one")
    left = iter(puzzles)
    first = next(left, None)
    if first is None:  # nothing is written
        return
    from exactcover.certificates.certify import certify_count  # slow to import
    from exactcover.certificates.writer import Family

    (folder / CERTIFICATES).mkdir(parents=True)
    write_new(folder / SCHEMA, make_schema().encode())
    with BufferedWriter(open_own(folder / RECORDS, new=True)) as file:
        for number, (encoder, puzzle) in enumerate(chain([first], left), 1):
            record = make_record(puzzle, encoder, describe, seed, problem)
            own = encoder.problem(stop).full().instance(puzzle.givens, without=problem.excluded)
            if puzzle.difficulty is None and len(own.matrix) <= MOST_OPTIONS:
                hardest = solve_by_deductions(own, stop, explain=False).hardest
                record = replace(record, difficulty=hardest if hardest < inf else None, needs_guess=hardest == inf)
            name = f"{CERTIFICATES}/{number:06}.cert"
            family = None if record.problem is None else Family(record.problem, record.params)
            with replace_file(folder / name) as certificate:
                certify_count(certificate, own, SearchOptions(), stop, family)
            file.write((dump_json(asdict(replace(record, certificate=name))) + "\n").encode())
            file.flush()


@dataclass(frozen=True)
class RecordFile:
    """The records of a file, of which one is chosen: its name in errors, and each line that is not blank, by number."""

    source: str
    lines: Mapping[int, bytes]

    def choose(self, wanted: str = "") -> FamilyParameters:
        """Return the family, the parameters and the givens of a puzzle by its number; of the only one by default.

        Raise ``ConfigError`` if there is no such record, several and none is chosen, or one that excludes options.
        """
        places = dict(enumerate(self.lines, 1))
        number = int(wanted) if re.fullmatch("[0-9]{1,9}", wanted) else 0 if wanted or len(places) != 1 else 1
        if number not in places:
            what = f"there is no puzzle {wanted!r}" if wanted else "choose a puzzle"
            message = f"{what}; the file has {format_count(len(places), 'puzzle')}, as problem=1, problem=2 and so on"
            raise ConfigError([Mistake(message, self.source)])
        line = places[number]
        try:
            record = load_json(self.lines[line])
        except ValueError as error:
            raise ConfigError([Mistake(f"this is no JSON: {error}", self.source, line)]) from None
        kinds = {"problem": str, "params": dict, "givens": list, "without": list}
        if not (isinstance(record, dict) and all(isinstance(record.get(key), kind) for key, kind in kinds.items())):
            message = "expected the record of a puzzle of a family, with problem, params, givens and without"
            raise ConfigError([Mistake(message, self.source, line)])
        if record["without"]:
            message = "a record with excluded options is no target; state its family, --given and --without"
            raise ConfigError([Mistake(message, self.source, line)])
        return FamilyParameters(record["problem"], record["params"], givens=[*map(str, record["givens"])])


def read(content: BinaryIO, source: str = "<file>", *, stop: Stop | None = None) -> RecordFile:
    """Return the records of a file; only the one that is chosen is read."""
    del stop  # the file is in memory already
    return RecordFile(source, {number: line for number, line in enumerate(content, 1) if line.strip()})


def make_schema() -> str:
    """Return the JSON Schema of a record."""
    from pydantic import TypeAdapter  # slow to import

    schema = TypeAdapter(PuzzleRecord).json_schema()
    schema["additionalProperties"] = False
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
