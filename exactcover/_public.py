"""The public names of :mod:`exactcover`, and how each is loaded when it is used first."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from exactcover.control.former import warn_of_former_name
from exactcover.version import NO_ARCHIVE, is_in_archive

__all__ = ["FORMER", "PLACES", "load"]

if is_in_archive():
    raise ImportError(NO_ARCHIVE)

_MODULES = {
    "algorithm_x": "Colored",
    "analysis.estimate": "estimate",
    "analysis.explain": "explain",
    "analysis.generate": "generate",
    "analysis.search_log": "SearchLog",
    "control.margin": "Margin",
    "control.options": "Goal SearchOptions",
    "control.profile": "Profile",
    "control.search_log": "SearchLogWriter",
    "control.statistics": "Statistics Status",
    "control.stop": "Stop",
    "diagram.diagram": "Diagram",
    "encoders.encoder": "Encoder",
    "encoders.finding": "InstalledEncoder find_encoder find_encoders",
    "encoders.painting": "Paintable",
    "errors": (
        "ConfigError CoverError EngineUnavailableError ParameterError ProblemError StoppedError UnknownProblemError"
    ),
    "files.access": "read_data",
    "model.costs": "add_costs",
    "model.matrix": "Matrix",
    "model.symmetry": "Symmetry",
    "model.text_form": "TextForm",
    "model.verify": "Verdict",
    "pictures": "Picture",
    "problem": "Item Label Problem",
    "runs.run": "Run",
    "search.batches": "SolutionBatch",
    "search.candidates": "Candidates",
    "search.search": "Search",
    "search.solver": "ReusableSolver",
    "steps.near": "Changes",
    "symmetry.classes": "SymmetryClasses",
    "viewer.view": "ViewOptions view",
}

PLACES = {name: f"exactcover.{module}.{name}" for module, names in _MODULES.items() for name in names.split()}
"""Where each public name is."""

_MOVED = {
    "algorithm_x": "exact_covers",
    "analysis": "Estimate Explanation LogNode NoPuzzleError Puzzle TreeRecorder replay",
    "diagram": "Zdd",
    "errors": "FormatWarning LogError Mistake OutputError PluginError PluginWarning StoreError",
    "pictures": "contact_sheet",
    "runs": "CheckReport Forecast RunProblem RunSummary SearchProblem",
    "viewer": "Page",
}

FORMER = {
    "Solver": "exactcover.ReusableSolver",
    **{name: f"exactcover.{module}.{name}" for module, names in _MOVED.items() for name in names.split()},
}
"""What replaces each name that was public. The former name still works for one version."""


def load(name: str) -> Any:
    """Return what a public name, or a former one, stands for; for a former one, warn.

    Raises
    ------
    AttributeError
        If there is no such name.
    """
    place = PLACES.get(name) or FORMER.get(name)
    if place is None:
        raise AttributeError(f"module 'exactcover' has no attribute {name!r}")
    if name in FORMER:
        warn_of_former_name(f"exactcover.{name}", place, 4)
    module, _, attribute = place.rpartition(".")
    return getattr(import_module(module), attribute)
