"""Where the public names live; :mod:`exactcover` hands them out."""

from exactcover.algorithm_x import Colored, exact_covers
from exactcover.control.options import Goal, SearchOptions
from exactcover.control.statistics import Statistics, Status
from exactcover.control.stop import Stop
from exactcover.diagram.diagram import Diagram
from exactcover.encoders.encoder import Encoder
from exactcover.encoders.finding import find_encoder, find_encoders
from exactcover.errors import (
    ConfigError,
    CoverError,
    EngineUnavailableError,
    ParameterError,
    PluginWarning,
    ProblemError,
    StoppedError,
    UnknownProblemError,
)
from exactcover.files.access import read_data
from exactcover.model.symmetry import Symmetry
from exactcover.model.verify import Verdict
from exactcover.pictures import Picture, contact_sheet
from exactcover.problem import Item, Label, Problem
from exactcover.search.search import Search

__all__ = [
    "Colored",
    "ConfigError",
    "CoverError",
    "Diagram",
    "Encoder",
    "EngineUnavailableError",
    "Goal",
    "Item",
    "Label",
    "ParameterError",
    "Picture",
    "PluginWarning",
    "Problem",
    "ProblemError",
    "Search",
    "SearchOptions",
    "Statistics",
    "Status",
    "Stop",
    "StoppedError",
    "Symmetry",
    "UnknownProblemError",
    "Verdict",
    "contact_sheet",
    "exact_covers",
    "find_encoder",
    "find_encoders",
    "read_data",
]
