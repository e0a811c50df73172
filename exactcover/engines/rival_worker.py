"""The process in which HiGHS searches by its own branch and bound; see :mod:`exactcover.engines.rival`.

It imports the standard library, NumPy and HiGHS alone, and is started as a script. It reads one integer program from
standard input, and writes the options of each better solution to standard output, all of it pickled by this package.
"""

import os
import pickle
import signal
import sys
import threading
from typing import Any

__all__: list[str] = []

_CHOSEN = 0.5  # of an option; more means that a solution contains it


def _search(program: dict[str, Any], output: Any) -> None:
    """Search for solutions until the best one is found."""
    import highspy
    import numpy

    def take(event: Any) -> None:
        chosen = numpy.flatnonzero(numpy.array(event.data_out.mip_solution) > _CHOSEN)
        pickle.dump(chosen.tolist(), output)
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
    solver.cbMipImprovingSolution += take
    solver.passModel(stated)
    solver.run()


def _end_with_owner() -> None:
    """End at once when the process that started this one closes its side, or ends."""
    sys.stdin.buffer.read()
    os._exit(0)


def _main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one decides
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # for what HiGHS prints
    sys.path[:], program = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_end_with_owner, daemon=True).start()
    _search(program, output)


if __name__ == "__main__":
    _main()
