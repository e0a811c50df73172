"""Exact cover: choose options so that every item is covered exactly once.

>>> from exactcover import Problem
>>> problem = Problem({"A": [1, 2], "B": [3], "C": [2, 3]})
>>> list(problem.solve())
[('A', 'B')]

Each public name is loaded when it is used first, so that programs start quickly.
"""

from __future__ import annotations

from exactcover.version import __version__ as __version__

TYPE_CHECKING = False  # typing is slow to import
if TYPE_CHECKING:
    from typing import Any

    from exactcover.algorithm_x import Colored as Colored
    from exactcover.algorithm_x import Weighted as Weighted
    from exactcover.analysis.estimate import estimate as estimate
    from exactcover.analysis.explain import explain as explain
    from exactcover.analysis.generate import generate as generate
    from exactcover.analysis.search_log import SearchLog as SearchLog
    from exactcover.control.options import Goal as Goal
    from exactcover.control.options import Margin as Margin
    from exactcover.control.options import SearchOptions as SearchOptions
    from exactcover.control.recorder import Profile as Profile
    from exactcover.control.recorder import SearchLogWriter as SearchLogWriter
    from exactcover.control.statistics import Statistics as Statistics
    from exactcover.control.statistics import Status as Status
    from exactcover.control.stop import Stop as Stop
    from exactcover.diagram.diagram import Diagram as Diagram
    from exactcover.encoders.discovery import InstalledEncoder as InstalledEncoder
    from exactcover.encoders.discovery import find_encoder as find_encoder
    from exactcover.encoders.discovery import find_encoders as find_encoders
    from exactcover.encoders.encoder import Encoder as Encoder
    from exactcover.encoders.encoder import Paintable as Paintable
    from exactcover.encoders.encoder import read_parameters as read_parameters
    from exactcover.errors import ConfigError as ConfigError
    from exactcover.errors import CoverError as CoverError
    from exactcover.errors import EngineUnavailableError as EngineUnavailableError
    from exactcover.errors import ParameterError as ParameterError
    from exactcover.errors import ProblemError as ProblemError
    from exactcover.errors import StoppedError as StoppedError
    from exactcover.errors import UnknownProblemError as UnknownProblemError
    from exactcover.files.read import read_data as read_data
    from exactcover.model.costs import add_costs as add_costs
    from exactcover.model.matrix import Matrix as Matrix
    from exactcover.model.names import Symmetry as Symmetry
    from exactcover.model.text_form import TextForm as TextForm
    from exactcover.model.verify import Verdict as Verdict
    from exactcover.pictures import Picture as Picture
    from exactcover.problem import Item as Item
    from exactcover.problem import Label as Label
    from exactcover.problem import Problem as Problem
    from exactcover.runs.run import Run as Run
    from exactcover.search.search import Search as Search
    from exactcover.search.search import SolutionBatch as SolutionBatch
    from exactcover.search.solver import Candidates as Candidates
    from exactcover.search.solver import ReusableSolver as ReusableSolver
    from exactcover.steps.soft import Changes as Changes
    from exactcover.symmetry.classes import SymmetryClasses as SymmetryClasses
    from exactcover.viewer.view import ViewOptions as ViewOptions
    from exactcover.viewer.view import view as view
else:

    def __getattr__(name: str) -> Any:
        """Load a public name, or their list, when it is used first."""
        if name.startswith("_") and name != "__all__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import exactcover._public as public

        value = sorted(public.PLACES) if name == "__all__" else public.load(name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        """Return the public names too that are not loaded yet."""
        return sorted({*globals(), *__getattr__("__all__")})
