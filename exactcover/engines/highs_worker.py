"""The branch and bound of HiGHS in a process that works for another one; see :mod:`exactcover.engines.worker_process`.

A script that :mod:`exactcover.engines.worker_main` runs. It imports the standard library, NumPy and HiGHS alone.
"""

import os
import pickle
import threading
from typing import Any, BinaryIO

__all__ = ["serve"]

_CHOSEN = 0.5  # of an option; more means that a solution contains it


def _search(program: dict[str, Any], output: BinaryIO) -> None:
    """Search for solutions until the best one is found."""
    import highspy
    import numpy

    def answer(shares: Any) -> None:
        pickle.dump(numpy.flatnonzero(numpy.array(shares) > _CHOSEN).tolist(), output)
        output.flush()

    stated = highspy.HighsLp()
    stated.num_col_, stated.num_row_ = len(program["costs"]), len(program["lows"])
    stated.col_cost_ = numpy.array(program["costs"], float)
    stated.col_lower_, stated.col_upper_ = numpy.zeros(stated.num_col_), numpy.ones(stated.num_col_)
    stated.row_lower_, stated.row_upper_ = (numpy.array(program[name], float) for name in ("lows", "highs"))
    columns = stated.a_matrix_
    columns.format_ = highspy.MatrixFormat.kColwise
    columns.start_, columns.index_ = (numpy.array(program[name], numpy.int32) for name in ("starts", "items"))
    columns.value_ = numpy.ones(len(columns.index_))
    stated.integrality_ = [highspy.HighsVarType.kInteger] * stated.num_col_
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    for name, value in {"output_flag": False, "threads": 1, "mip_rel_gap": 0.0}.items():
        solver.setOptionValue(name, value)
    solver.cbMipImprovingSolution += lambda event: answer(event.data_out.mip_solution)
    solver.passModel(stated)
    solver.run()
    answer(solver.getSolution().col_value)  # of which it need not have told before


def _end_with_owner(requests: BinaryIO) -> None:
    """End at once when the process that started this one closes its side, or ends."""
    while requests.read(1):
        pass
    os._exit(0)


def serve(requests: BinaryIO, output: BinaryIO) -> None:
    """Read an integer program, and answer with the options of each better solution, and with None at the end.

    Further requests say nothing.
    """
    program = pickle.load(requests)
    waiting = threading.Thread(target=_end_with_owner, args=(requests,), daemon=True)
    waiting.start()
    _search(program, output)
    pickle.dump(None, output)
    output.flush()
    waiting.join()  # until everything is read
