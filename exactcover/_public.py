"""The public names of :mod:`exactcover`, and the only list of them."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from exactcover.algorithm_x import Colored, exact_covers
from exactcover.analysis.estimate import Estimate, estimate
from exactcover.analysis.explain import Explanation, explain
from exactcover.analysis.generate import NoPuzzleError, Puzzle, generate
from exactcover.analysis.replay import replay
from exactcover.analysis.search_log import SearchLog
from exactcover.control.options import Goal, SearchOptions
from exactcover.control.profile import Profile
from exactcover.control.search_log import LogNode, SearchLogWriter
from exactcover.control.statistics import Statistics, Status
from exactcover.control.stop import Stop
from exactcover.diagram.diagram import Diagram
from exactcover.diagram.zdd import Zdd
from exactcover.encoders.encoder import Encoder
from exactcover.encoders.finding import InstalledEncoder, find_encoder, find_encoders
from exactcover.encoders.painting import Paintable
from exactcover.errors import (
    ConfigError,
    CoverError,
    EngineUnavailableError,
    FormatWarning,
    LogError,
    Mistake,
    OutputError,
    ParameterError,
    PluginError,
    PluginWarning,
    ProblemError,
    StoppedError,
    StoreError,
    UnknownProblemError,
)
from exactcover.files.access import read_data
from exactcover.model.matrix import Matrix
from exactcover.model.symmetry import Symmetry
from exactcover.model.verify import Verdict
from exactcover.pictures import Picture, contact_sheet
from exactcover.problem import Item, Label, Problem
from exactcover.search.search import Search
from exactcover.search.solver import Solver
from exactcover.symmetry.classes import SymmetryClasses

if TYPE_CHECKING:
    from exactcover.runs.check import CheckReport
    from exactcover.runs.problem import RunProblem, SearchProblem
    from exactcover.runs.run import Run
    from exactcover.runs.scheduler import Forecast
    from exactcover.runs.summary import RunSummary
    from exactcover.viewer.page import Page
    from exactcover.viewer.view import ViewOptions, view

_LATE = {
    "CheckReport": "runs.check",
    "Forecast": "runs.scheduler",
    "Page": "viewer.page",
    "Run": "runs.run",
    "RunProblem": "runs.problem",
    "RunSummary": "runs.summary",
    "SearchProblem": "runs.problem",
    "ViewOptions": "viewer.view",
    "view": "viewer.view",
}
"""Names that few programs use, with their modules; they load databases and processes, which takes time."""

__all__ = [
    "CheckReport",
    "Colored",
    "ConfigError",
    "CoverError",
    "Diagram",
    "Encoder",
    "EngineUnavailableError",
    "Estimate",
    "Explanation",
    "Forecast",
    "FormatWarning",
    "Goal",
    "InstalledEncoder",
    "Item",
    "Label",
    "LogError",
    "LogNode",
    "Matrix",
    "Mistake",
    "NoPuzzleError",
    "OutputError",
    "Page",
    "Paintable",
    "ParameterError",
    "Picture",
    "PluginError",
    "PluginWarning",
    "Problem",
    "ProblemError",
    "Profile",
    "Puzzle",
    "Run",
    "RunProblem",
    "RunSummary",
    "Search",
    "SearchLog",
    "SearchLogWriter",
    "SearchOptions",
    "SearchProblem",
    "Solver",
    "Statistics",
    "Status",
    "Stop",
    "StoppedError",
    "StoreError",
    "Symmetry",
    "SymmetryClasses",
    "UnknownProblemError",
    "Verdict",
    "ViewOptions",
    "Zdd",
    "contact_sheet",
    "estimate",
    "exact_covers",
    "explain",
    "find_encoder",
    "find_encoders",
    "generate",
    "read_data",
    "replay",
    "view",
]


def __getattr__(name: str) -> Any:
    """Load a name that few programs use."""
    if name in _LATE:
        return getattr(importlib.import_module(f"exactcover.{_LATE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
