"""Long runs: a search is cut into cubes, a store keeps what is finished, and workers search what is open.

Public: the names in ``__all__``.
"""

from exactcover.control.policy import RunPolicy
from exactcover.runs.cube_scheduler import Forecast
from exactcover.runs.run_problem import RunProblem
from exactcover.runs.store import RunSummary
from exactcover.runs.store_check import CheckReport

__all__ = ["CheckReport", "Forecast", "RunPolicy", "RunProblem", "RunSummary"]
