"""The methods of an encoder whose board and pieces can be painted by hand in the studio."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from exactcover.encoders.encoder import Encoder


class Paintable(Encoder):
    """The base class of encoders whose board and pieces can be painted in ``exactcover studio``.

    Such an encoder has the parameters `board` (a list of rows, or of layers), `pieces` (a mapping from names to
    drawings), `copies` (a mapping from names to a number, [low, high] or any), `placed` (a list of labels as text),
    `rotate` and `reflect`. docs/families.md describes the drawings.
    """

    painted_on: ClassVar[Literal["", "squares", "hexagons", "triangles", "cubes", "spheres"]] = ""
    """The kind of cells; empty if the board cannot be painted."""

    @classmethod
    @abstractmethod
    def piece_sets(cls) -> Sequence[str]:
        """Return the names of sets of pieces."""

    @classmethod
    @abstractmethod
    def draw_pieces(cls, reference: str) -> Mapping[str, str]:
        """Return the drawings of the pieces of a set, by name.

        Raises
        ------
        ParameterError
            If there is no such set.
        """

    def piece_of(self, label: Any) -> str:
        """Return the name of the piece that an option places: by default its attribute `piece`."""
        return str(label.piece)

    @abstractmethod
    def paint(self) -> Mapping[str, Any] | None:
        """Return the parameters as drawings: board, pieces, copies, placed, rotate and reflect.

        A piece that a drawing would change, such as a one-sided one, stays a reference. `drawings` contains drawings of
        all pieces. The result is None if drawings cannot express the puzzle.
        """
