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
_MOST_BYTES = 1 << 20


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
        return sorted(one.name for one in self.path.iterdir() if _NAME.fullmatch(one.name) and self._is_inside(one))

    def read(self, name: str) -> str:
        """Return the text of a file.

        Raises
        ------
        ParameterError
            If there is no such file in the folder, or it cannot be read.
        """
        try:
            return read_bounded(self._locate(name), _MOST_BYTES).decode()
        except OSError as error:
            raise ParameterError("name", f"{name} cannot be read: {error.strerror or error}") from None
        except UnicodeDecodeError:
            raise ParameterError("name", f"{name} is not UTF-8 text") from None

    def write(self, name: str, text: str, *, replace: bool) -> None:
        """Write a file as a whole.

        Raises
        ------
        ParameterError
            If the name is not that of a YAML file in the folder, or there is such a file and `replace` is false.
        OutputError
            If the file cannot be written.
        """
        path = self._locate(name)
        if path.exists() and not replace:
            raise ParameterError("name", f"{name} exists already")
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
        """Whether a path leads to a place in the folder itself, after following links."""
        return path.resolve().parent == self.path
