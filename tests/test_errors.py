import pickle

import pytest

from exactcover import (
    ConfigError,
    CoverError,
    EngineUnavailableError,
    ParameterError,
    ProblemError,
    StoppedError,
    UnknownProblemError,
)
from exactcover.control.statistics import Status
from exactcover.control.stop import Stopped
from exactcover.engines.worker_process import LostProcessError
from exactcover.errors import Mistake, OutputError, StoreError


@pytest.mark.parametrize(
    "error",
    [
        ProblemError("no item", ("a", 1), "Queens: n"),
        ParameterError(("board", 3), "no cell", "Sudoku"),
        ConfigError([Mistake("no number", "a.yaml", 1, 2), Mistake("no text", "a.yaml", 3)]),
        UnknownProblemError("quens", ["queens", "sudoku"], ["latin (a.yaml)"]),
        EngineUnavailableError("no engine"),
        StoreError("no store"),
        OutputError(28, "no space"),
        StoppedError(Status.NODES, 10**30, None, "Queens.options()"),
        LostProcessError("no process"),
        Stopped(Status.MEMORY),
    ],
)
def test_other_processes_can_read_errors(error: CoverError | Stopped) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), repr(vars(copy))) == (type(error), str(error), repr(vars(error)))
