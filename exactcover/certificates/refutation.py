"""Proofs by clauses that a part has no solution: a solver learns clauses, and those that are needed are written.

The solver knows how often items may be covered, so clauses are about options alone, and about the colors of items.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from exactcover.certificates.writer import CertificateWriter
from exactcover.control.stop import Stop
from exactcover.engines.sat_solver import SatSolver
from exactcover.model.clauses import state_bounds
from exactcover.model.matrix import Matrix
from exactcover.symmetry.remainders import has_native_code

__all__ = ["Refutation"]

_SECONDS_PER_PROPAGATION = 2e-6  # by the clock of work, which charges about twice the time
_SECONDS_PER_LITERAL = 1e-6  # to begin
_MAX_LITERALS = 1 << 26  # of the clauses and bounds of a problem


class Refutation:
    """An attempt to prove that a matrix has no solution, which goes on in turns.

    Parameters
    ----------
    matrix
        The matrix.
    stop
        Polled often.

    Attributes
    ----------
    is_refuted
        Whether there is no solution; None if that is not known yet.
    """

    def __init__(self, matrix: Matrix, stop: Stop) -> None:
        self._matrix, self._stop = matrix, stop
        clauses, bounds, self._colors, self._supports = state_bounds(matrix, stop)
        self._size = len(clauses) + len(bounds)
        self._solver = SatSolver(clauses + self._supports, bounds, with_proof=True)
        self.is_refuted: bool | None = None

    @staticmethod
    def fits(matrix: Matrix) -> bool:
        """Return whether what is needed is installed, and the matrix is not too large."""
        return has_native_code() and find_spec("pysat") is not None and len(matrix.entries) < _MAX_LITERALS

    @property
    def spent(self) -> float:
        """About how many seconds it has taken, as a clock of work would charge."""
        return _SECONDS_PER_LITERAL * self._size + _SECONDS_PER_PROPAGATION * self._solver.propagations

    def search_on(self) -> None:
        """Search for a while."""
        is_known, chosen = self._solver.search_on((), 0, self._stop)
        if is_known:
            self.is_refuted = chosen is None

    def write(self, writer: CertificateWriter, items: Sequence[int], options: Sequence[int]) -> None:
        """Write the proof.

        Parameters
        ----------
        writer
            The certificate.
        items, options
            The items and options of the problem.
        """
        import exactcover._native as _native

        matrix, poll = self._matrix, self._stop.poll
        arrays = matrix.starts, matrix.entries, matrix.colors
        bounds = matrix.capped_bounds()
        trimmer = _native.ClauseTrimmer(matrix.items, matrix.primary, *arrays, *bounds, self._colors, poll)
        trimmer.add(self._supports)
        trimmer.add(self._solver.read_proof(self._stop))
        self.close()
        names = [*options, *range(writer.options, writer.options + len(self._colors))]
        writer.add_step("clauses", colors=[[items[item], color] for item, color in self._colors])
        writer.add_nodes(trimmer.write(items, names))

    def close(self) -> None:
        """Forget everything."""
        self._solver.close()
