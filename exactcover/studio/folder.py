"""The folder in which puzzles are kept; nothing outside it is read or written."""

from __future__ import annotations

import io
import re
from pathlib import Path

from exactcover.errors import OutputError, ParameterError
from exactcover.files.read import read_bounded
from exactcover.files.replace import replace_file

__all__ = ["PuzzleFolder"]

_NAME = re.compile(r"[^\W_][\w .()-]{0,98}\.yaml")
_MAX_BYTES = 1 << 20


class PuzzleFolder:
    """A folder of YAML files.

    Parameters
    ----------
    path
        The folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()

    def names(self) -> list[str]:
        """Return the names of the files, sorted."""
        found = (one for one in self.path.iterdir() if _NAME.fullmatch(one.name))
        return sorted(one.name for one in found if self._is_inside(one) and one.is_file())

    def read(self, name: str) -> str:
        """Return the text of a file.

        Raises
        ------
        ParameterError
            If there is no such file in the folder, or it cannot be read.
        """
        path = self._locate(name)
        if not path.is_file():
            raise ParameterError("name", f"there is no file {name}")
        try:
            return read_bounded(path, _MAX_BYTES).decode()
        except OSError as error:
            raise ParameterError("name", f"{name} cannot be read: {error.strerror or error}") from None
        except UnicodeDecodeError:
            raise ParameterError("name", f"{name} is not UTF-8 text") from None

    def write(self, name: str, text: str, *, known: str | None = None, replace: bool = False) -> None:
        """Write a file as a whole.

        Parameters
        ----------
        name, text
            The name and the new text of the file.
        known
            The text that the writer has read or written before; a file with another text is not replaced.
        replace
            Whether to replace the file whatever its text is.

        Raises
        ------
        ParameterError
            If the name is not that of a YAML file in the folder, or there is such a file that must not be replaced.
        OutputError
            If the file cannot be written.
        """
        path = self._locate(name)
        if path.exists() and not path.is_file():
            raise ParameterError("name", f"{name} is not a regular file")
        if path.exists() and not replace and (known is None or self.read(name) != known):
            what = "exists already" if known is None else "exists already, and was changed since it was read"
            raise ParameterError("name", f"{name} {what}")
        try:
            with replace_file(path) as out:
                buffered = io.BufferedWriter(out)
                buffered.write(text.encode())
                buffered.flush()
                buffered.detach()
        except OSError as error:
            raise OutputError(f"cannot write {name}: {error.strerror or error}") from None

    def _locate(self, name: str) -> Path:
        path = self.path / name
        if not _NAME.fullmatch(name) or not self._is_inside(path):
            raise ParameterError("name", f"{name!r} is not a valid name; expected a name like puzzle.yaml")
        return path

    def _is_inside(self, path: Path) -> bool:
        """Whether a path leads to a file of the folder itself that is not hidden, after following links."""
        try:
            place = path.resolve()
            return place.parent == self.path and _NAME.fullmatch(place.name) is not None
        except (OSError, RuntimeError):  # the name is too long, or links form a circle
            return False
