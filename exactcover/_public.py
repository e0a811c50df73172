"""The public names of :mod:`exactcover`, and how each is loaded when it is used first."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

if not os.path.isfile(__file__):  # noqa: PTH113 - pathlib is slow to import
    raise ImportError(
        "exactcover does not run from a zip file; install it, for example with: python -m pip install FOLDER"
    )

_MODULES = {
    "algorithm_x": "Colored Weighted",
    "analysis.estimate": "estimate",
    "analysis.explain": "explain",
    "analysis.generate": "generate",
    "analysis.search_log": "SearchLog",
    "control.options": "Goal Margin SearchOptions",
    "control.recorder": "Profile SearchLogWriter",
    "control.statistics": "Statistics Status",
    "control.stop": "Stop",
    "diagram.diagram": "Diagram",
    "encoders.encoder": "Encoder Paintable read_parameters",
    "encoders.discovery": "InstalledEncoder find_encoder find_encoders",
    "errors": (
        "ConfigError CoverError EngineUnavailableError ParameterError ProblemError StoppedError UnknownProblemError"
    ),
    "files.read": "read_data",
    "model.costs": "add_costs",
    "model.matrix": "Matrix",
    "model.names": "Symmetry",
    "model.text_form": "TextForm",
    "model.verify": "Verdict",
    "pictures": "Picture",
    "problem": "Item Label Problem",
    "runs.run": "Run",
    "search.search": "Search SolutionBatch",
    "search.solver": "Candidates ReusableSolver",
    "steps.soft": "Changes",
    "symmetry.classes": "SymmetryClasses",
    "viewer.view": "ViewOptions view",
}

PLACES = {name: f"exactcover.{module}.{name}" for module, names in _MODULES.items() for name in names.split()}
"""The full name of each public name."""


def load(name: str) -> Any:
    """Return the object of a public name."""
    if name not in PLACES:
        raise AttributeError(f"module 'exactcover' has no attribute {name!r}")
    module, _, attribute = PLACES[name].rpartition(".")
    return getattr(import_module(module), attribute)
