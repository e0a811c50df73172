"""Configurations: the validated contents of a YAML file or of command-line arguments."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, make_dataclass
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from annotated_types import Ge, Le, MaxLen

from exactcover.control.options import OPTIONS, SearchOptions, find_kind
from exactcover.control.rules import find_clash, list_features, name_key
from exactcover.encoders.encoder import Encoder
from exactcover.engines.base import find_demands
from exactcover.engines.registry import check_demands
from exactcover.errors import EngineUnavailableError
from exactcover.formats.registry import SOLUTIONS, by_suffix, suffix_of
from exactcover.pictures.text import name_problem
from exactcover.problem import Problem

_FORMATS = by_suffix(SOLUTIONS)

_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(\..*)?", re.IGNORECASE)  # names on Windows


def describe_fault(name: str, output_format: str | None = None) -> str | None:
    """Return why a configuration may not name this output file, for this format if it states one, or None.

    Examples
    --------
    >>> describe_fault("pictures/heart.svg")
    >>> describe_fault(".bashrc")  # doctest: +ELLIPSIS
    'expected a name that ends in .txt, .jsonl, .json, .csv, ...; use -o to write elsewhere'
    """
    if name.endswith(("/", "\\")):
        return "expected the name of a file, without a slash at its end"
    path = PureWindowsPath(name)  # separates at / and at \, and knows drives, so that a name is safe on every system
    if not name.isprintable():
        strange = next(character for character in name if not character.isprintable())
        return f"expected a name without invisible characters, such as {strange!a}; use -o to write elsewhere"
    if path.anchor or ".." in path.parts:
        return "expected a relative path without '..'; use -o to write elsewhere"
    if suffix_of(path) not in _FORMATS:
        *others, last = _FORMATS
        return f"expected a name that ends in {', '.join(others)} or {last}; use -o to write elsewhere"
    if any(part.startswith(".") or _DEVICE.fullmatch(part) for part in path.parts):
        return "expected a file that is neither hidden, nor in a hidden folder, nor a device; use -o to write there"
    if output_format is not None and SOLUTIONS[output_format].suffix != suffix_of(path):
        usual = _FORMATS[suffix_of(path)].name
        return f"a file that ends in {path.suffix} has the format {usual}, not {output_format}"
    return None


def describe_place(name: str) -> str | None:
    """Return why the place to which the name leads, after following links, may not be written, or None."""
    folder, place = (Path(os.path.realpath(path)) for path in (Path.cwd(), name))  # also where links form a circle
    if not place.is_relative_to(folder):
        return "it is outside the current folder; use -o to write there"
    real = str(place.relative_to(folder))
    fault = describe_fault(real)
    return fault if fault is None or Path(real) == Path(name) else f"it leads to {real!r}: {fault}"


_IN_FILES = {name: facts for name, facts in OPTIONS.items() if facts.in_files}

if TYPE_CHECKING:
    from exactcover.diagram.diagram import Diagram

    SolutionFormat: TypeAlias = str
    _FileOptions = SearchOptions
else:
    SolutionFormat = Literal[*SOLUTIONS]
    _defaults = vars(SearchOptions)
    _FileOptions = make_dataclass(
        "_FileOptions",
        [
            (
                name,
                Annotated[find_kind(name), Ge(1), Le(facts.maximum)] if facts.maximum else find_kind(name),
                _defaults[name],
            )
            for name, facts in _IN_FILES.items()
        ],
        frozen=True,
    )


@dataclass(frozen=True)
class SearchSettings(_FileOptions):
    """The section `search`: the goal and the options of the search; the command line may override them."""

    find: Literal["first", "all", "count"] = "first"
    limit: Annotated[int, Ge(1)] | None = None
    cheapest: Annotated[int, Ge(1)] | None = None
    most: Annotated[int, Ge(1)] | None = None
    timeout: Annotated[float, Ge(0)] | None = None
    merge: bool = False
    best_effort: bool = False

    def options(self, **changes: Any) -> SearchOptions:
        """Return the search options; `changes`, from the command line, take precedence.

        Restarts are left out, because they apply only if one solution is sought.
        """
        values = {name: getattr(self, name) for name in _IN_FILES if name != "restarts"}
        return SearchOptions(**values | changes)

    def find_contradiction(self) -> tuple[str, str] | None:
        """Return a key that contradicts another one, and why; None if there is none."""
        find = {"all": self.find == "all" and self.limit is None, "count": self.find == "count" and self.best_effort}
        features = {key: list_features({key: value}) for key, value in (vars(self) | find).items()}
        clash = find_clash([feature for listed in features.values() for feature in listed])
        if clash is not None:
            key = next(key for key, listed in features.items() if clash.feature in listed)
            return "find" if key in find else key, clash.describe(name_key)
        demands = find_demands(self.options(restarts=self.restarts))
        for key in ("engine", *demands):
            asked = {name: value for name, value in demands.items() if name == key}
            try:
                check_demands(self.engine, asked, counting=self.find == "count")
            except EngineUnavailableError as error:
                return key, str(error)
        return None


@dataclass(frozen=True)
class Output:
    """The section `output`: the format and the file of the results."""

    format: SolutionFormat | None = None
    file: str | None = None


@dataclass(frozen=True)
class Known:
    """The section `known`: known numbers of solutions and their source, for tests and for readers."""

    solutions: Annotated[int, Ge(0)] | None = None
    distinct: Annotated[int, Ge(0)] | None = None
    source: str | None = None


@dataclass(frozen=True)
class File:
    """A whole YAML file."""

    problem: str
    title: Annotated[str, MaxLen(200)] | None = None
    params: dict[str, Any] = field(default_factory=dict)
    search: SearchSettings = field(default_factory=SearchSettings)
    output: Output = field(default_factory=Output)
    known: Known = field(default_factory=Known)


@dataclass(frozen=True)
class Configuration:
    """The validated contents of a YAML file or of command-line arguments.

    Attributes
    ----------
    problem
        The name of the encoder.
    params
        The parameters as given, without defaults.
    encoder
        The encoder with these parameters.
    search, output, known
        The other sections.
    solutions
        The diagram of all solutions, if the configuration comes from a diagram file; else None.
    inputs
        The files that were read for it.
    title
        The title of the problem in the file: its key `title`, or the start of its first comment; else None.
    """

    problem: str
    params: Mapping[str, Any]
    encoder: Encoder
    search: SearchSettings = field(default_factory=SearchSettings)
    output: Output = field(default_factory=Output)
    known: Known = field(default_factory=Known)
    solutions: Diagram[Problem] | None = None
    inputs: tuple[Path, ...] = ()
    title: str | None = None

    def describe(self) -> str:
        """Return a title for pages and pictures; see :func:`~exactcover.pictures.text.name_problem`."""
        file = self.inputs[0] if self.inputs else None
        return name_problem(self.problem, self.params, self.title, file)
