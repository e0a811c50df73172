"""A configuration: what a YAML file or the command line asks for, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le
from pydantic import BaseModel, ConfigDict

from exactcover.control.options import Heuristic, SearchOptions
from exactcover.diagram.diagram import Diagram
from exactcover.encoders.encoder import Encoder
from exactcover.problem import Problem

__all__ = ["Configuration", "Known", "Output", "SearchSettings"]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class SearchSettings(_Section):
    """The section `search`: what to look for; the command line may override it."""

    find: Literal["first", "all", "count"] = "first"
    limit: Annotated[int, Ge(1)] | None = None
    cheapest: Annotated[int, Ge(1)] | None = None
    timeout: Annotated[float, Ge(0)] | None = None
    seed: int | None = None
    engine: str = "auto"
    heuristic: Heuristic = "mrv"
    jobs: Annotated[int, Ge(1), Le(1024)] = 1
    reduce: bool | None = None
    merge: bool = False
    restarts: bool = False

    def options(self, **changes: Any) -> SearchOptions:
        """Return the options of a search, some of them changed by what the command line says."""
        stated = {name: getattr(self, name) for name in ("engine", "heuristic", "jobs", "reduce", "seed")}
        return SearchOptions(**stated | changes)


class Output(_Section):
    """The section `output`: how results are written and where."""

    format: Literal["text", "json", "jsonl", "csv", "csv-wide", "svg"] | None = None
    file: str | None = None


class Known(_Section):
    """The section `known`: what is known of the solutions, and who says so; for tests and for readers."""

    solutions: Annotated[int, Ge(0)] | None = None
    distinct: Annotated[int, Ge(0)] | None = None
    source: str | None = None


class File(_Section):
    problem: str
    params: dict[str, Any] = {}
    search: SearchSettings = SearchSettings()
    output: Output = Output()
    known: Known = Known()


@dataclass(frozen=True)
class Configuration:
    """What a file or command line asks for, checked.

    Attributes
    ----------
    problem
        The encoder's name.
    params
        Its parameters as given, without defaults.
    encoder
        The encoder made of them.
    search, output, known
        The other sections.
    solutions
        All solutions, where they are known.
    inputs
        The files that it was read from.
    """

    problem: str
    params: Mapping[str, Any]
    encoder: Encoder
    search: SearchSettings = field(default_factory=SearchSettings)
    output: Output = field(default_factory=Output)
    known: Known = field(default_factory=Known)
    solutions: Diagram[Problem] | None = None
    inputs: tuple[Path, ...] = ()
