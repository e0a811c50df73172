"""Solutions in batches, for programs that want millions of them."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["SolutionBatch"]


@dataclass(frozen=True, eq=False)
class SolutionBatch:
    """Several solutions as arrays of positions of options.

    Attributes
    ----------
    starts
        ``array('q')``: where the options of each solution begin, and the end of the last one.
    options
        ``array('I')``: the positions of the options of all solutions, ascending in each.

    Examples
    --------
    >>> from exactcover import Problem
    >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]})
    >>> batch = next(problem.solve().batches())
    >>> len(batch), list(batch), batch.options
    (2, [(0, 1), (2,)], array('I', [0, 1, 2]))
    """

    starts: array[int]
    options: array[int]

    def __len__(self) -> int:
        """Return the number of solutions."""
        return len(self.starts) - 1

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield the solutions as ascending positions."""
        for begin, end in zip(self.starts, self.starts[1:], strict=False):
            yield tuple(self.options[begin:end])

    def to_numpy(self) -> tuple[Any, Any]:
        """Return `starts` and `options` as numpy arrays without copying; needs numpy."""
        import numpy

        return numpy.frombuffer(self.starts, numpy.int64), numpy.frombuffer(self.options, numpy.uint32)

    def to_arrow(self) -> Any:
        """Return an Arrow array of lists of positions without copying; needs pyarrow."""
        import pyarrow

        starts, options = map(pyarrow.py_buffer, (self.starts, self.options))
        values = pyarrow.Array.from_buffers(pyarrow.uint32(), len(self.options), [None, options])
        return pyarrow.LargeListArray.from_buffers(
            pyarrow.large_list(pyarrow.uint32()), len(self), [None, starts], children=[values]
        )
