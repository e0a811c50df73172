"""The public names of :mod:`exactcover`, and the only list of them."""

from exactcover.algorithm_x import Colored, exact_covers
from exactcover.analysis.estimate import Estimate, estimate
from exactcover.analysis.explain import Explanation, explain
from exactcover.analysis.generate import NoPuzzleError, Puzzle, generate
from exactcover.control.options import Goal, SearchOptions
from exactcover.control.profile import Profile
from exactcover.control.statistics import Statistics, Status
from exactcover.control.stop import Stop
from exactcover.diagram.diagram import Diagram
from exactcover.diagram.zdd import Zdd
from exactcover.encoders.encoder import Encoder
from exactcover.encoders.finding import InstalledEncoder, find_encoder, find_encoders
from exactcover.errors import (
    ConfigError,
    CoverError,
    EngineUnavailableError,
    FormatWarning,
    Mistake,
    ParameterError,
    PluginError,
    PluginWarning,
    ProblemError,
    StoppedError,
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

__all__ = [
    "Colored",
    "ConfigError",
    "CoverError",
    "Diagram",
    "Encoder",
    "EngineUnavailableError",
    "Estimate",
    "Explanation",
    "FormatWarning",
    "Goal",
    "InstalledEncoder",
    "Item",
    "Label",
    "Matrix",
    "Mistake",
    "NoPuzzleError",
    "ParameterError",
    "Picture",
    "PluginError",
    "PluginWarning",
    "Problem",
    "ProblemError",
    "Profile",
    "Puzzle",
    "Search",
    "SearchOptions",
    "Solver",
    "Statistics",
    "Status",
    "Stop",
    "StoppedError",
    "Symmetry",
    "SymmetryClasses",
    "UnknownProblemError",
    "Verdict",
    "Zdd",
    "contact_sheet",
    "estimate",
    "exact_covers",
    "explain",
    "find_encoder",
    "find_encoders",
    "generate",
    "read_data",
]
