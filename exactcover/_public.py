"""The public names of :mod:`exactcover`, and the only list of them. Each is loaded when it is used first."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from exactcover.version import NO_ARCHIVE, is_in_archive

if is_in_archive():
    raise ImportError(NO_ARCHIVE)

if TYPE_CHECKING:
    from exactcover.algorithm_x import Colored, exact_covers
    from exactcover.analysis.estimate import Estimate, estimate
    from exactcover.analysis.explain import Explanation, explain
    from exactcover.analysis.generate import NoPuzzleError, Puzzle, generate
    from exactcover.analysis.replay import replay
    from exactcover.analysis.search_log import SearchLog
    from exactcover.control.options import Goal, SearchOptions
    from exactcover.control.profile import Profile
    from exactcover.control.search_log import LogNode, SearchLogWriter, TreeRecorder
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
    from exactcover.model.costs import add_costs
    from exactcover.model.matrix import Matrix
    from exactcover.model.symmetry import Symmetry
    from exactcover.model.text_form import TextForm
    from exactcover.model.verify import Verdict
    from exactcover.pictures import Picture, contact_sheet
    from exactcover.problem import Item, Label, Problem
    from exactcover.runs.check import CheckReport
    from exactcover.runs.problem import RunProblem, SearchProblem
    from exactcover.runs.run import Run
    from exactcover.runs.scheduler import Forecast
    from exactcover.runs.summary import RunSummary
    from exactcover.search.batches import SolutionBatch
    from exactcover.search.search import Search
    from exactcover.search.solver import ReusableSolver
    from exactcover.symmetry.classes import SymmetryClasses
    from exactcover.viewer.page import Page
    from exactcover.viewer.view import ViewOptions, view

_MODULES = {
    "CheckReport": "runs.check",
    "Colored": "algorithm_x",
    "ConfigError": "errors",
    "CoverError": "errors",
    "Diagram": "diagram.diagram",
    "Encoder": "encoders.encoder",
    "EngineUnavailableError": "errors",
    "Estimate": "analysis.estimate",
    "Explanation": "analysis.explain",
    "Forecast": "runs.scheduler",
    "FormatWarning": "errors",
    "Goal": "control.options",
    "InstalledEncoder": "encoders.finding",
    "Item": "problem",
    "Label": "problem",
    "LogError": "errors",
    "LogNode": "control.search_log",
    "Matrix": "model.matrix",
    "Mistake": "errors",
    "NoPuzzleError": "analysis.generate",
    "OutputError": "errors",
    "Page": "viewer.page",
    "Paintable": "encoders.painting",
    "ParameterError": "errors",
    "Picture": "pictures",
    "PluginError": "errors",
    "PluginWarning": "errors",
    "Problem": "problem",
    "ProblemError": "errors",
    "Profile": "control.profile",
    "Puzzle": "analysis.generate",
    "Run": "runs.run",
    "RunProblem": "runs.problem",
    "RunSummary": "runs.summary",
    "Search": "search.search",
    "SearchLog": "analysis.search_log",
    "SearchLogWriter": "control.search_log",
    "TreeRecorder": "control.search_log",
    "SearchOptions": "control.options",
    "SearchProblem": "runs.problem",
    "SolutionBatch": "search.batches",
    "ReusableSolver": "search.solver",
    "Statistics": "control.statistics",
    "Status": "control.statistics",
    "Stop": "control.stop",
    "StoppedError": "errors",
    "StoreError": "errors",
    "Symmetry": "model.symmetry",
    "SymmetryClasses": "symmetry.classes",
    "TextForm": "model.text_form",
    "UnknownProblemError": "errors",
    "Verdict": "model.verify",
    "ViewOptions": "viewer.view",
    "Zdd": "diagram.zdd",
    "add_costs": "model.costs",
    "contact_sheet": "pictures",
    "estimate": "analysis.estimate",
    "exact_covers": "algorithm_x",
    "explain": "analysis.explain",
    "find_encoder": "encoders.finding",
    "find_encoders": "encoders.finding",
    "generate": "analysis.generate",
    "read_data": "files.access",
    "replay": "analysis.replay",
    "view": "viewer.view",
}

FORMER = {"Solver": "ReusableSolver"}
"""Names that were replaced."""

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
    "ReusableSolver",
    "Run",
    "RunProblem",
    "RunSummary",
    "Search",
    "SearchLog",
    "SearchLogWriter",
    "SearchOptions",
    "SearchProblem",
    "SolutionBatch",
    "Statistics",
    "Status",
    "Stop",
    "StoppedError",
    "StoreError",
    "Symmetry",
    "SymmetryClasses",
    "TextForm",
    "TreeRecorder",
    "UnknownProblemError",
    "Verdict",
    "ViewOptions",
    "Zdd",
    "add_costs",
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
    """Load a public name."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = getattr(import_module(f"exactcover.{_MODULES[name]}"), name)
    return globals()[name]


def load_former(name: str) -> Any:
    """Load what replaces a former name, and warn."""
    from exactcover.control.former import warn_of_former_name

    warn_of_former_name(f"exactcover.{name}", f"exactcover.{FORMER[name]}", 4)
    return __getattr__(FORMER[name])
