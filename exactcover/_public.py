"""Where the public names live; :mod:`exactcover` hands them out."""

from exactcover.algorithm_x import Colored, exact_covers
from exactcover.diagram import Diagram
from exactcover.encoder import Encoder, find_encoder, find_encoders
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
from exactcover.files import read_data
from exactcover.permutations import Symmetry
from exactcover.pictures import Picture, contact_sheet
from exactcover.problem import Item, Label, Problem
from exactcover.search import Search
from exactcover.stop import Statistics, Status, Stop
from exactcover.verify import Verdict

__all__ = [
    "Colored",
    "ConfigError",
    "CoverError",
    "Diagram",
    "Encoder",
    "EngineUnavailableError",
    "Item",
    "Label",
    "ParameterError",
    "Picture",
    "PluginWarning",
    "Problem",
    "ProblemError",
    "Search",
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
