"""Files that parameters name: looked for beside the YAML file that names them, then in the current folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from exactcover.errors import ParameterError

__all__ = ["beside", "read_data"]

_folder: ContextVar[Path | None] = ContextVar("folder", default=None)


@contextmanager
def beside(folder: Path) -> Iterator[None]:
    """Look for files in a folder first, as long as the block lasts."""
    token = _folder.set(folder)
    try:
        yield
    finally:
        _folder.reset(token)


def read_data(name: str, parameter: str | tuple[str | int, ...]) -> str:
    """Return the text of a file that a parameter names; for encoders, in ``__post_init__``.

    Parameters
    ----------
    name
        A path; if it is a relative one, the file is looked for beside the YAML file, then in the current folder.
    parameter
        Which parameter names it, for errors.

    Raises
    ------
    ParameterError
        If there is no such file, or it is no text in UTF-8.
    """
    folder = _folder.get()
    path = next((place for place in ([folder / name] if folder else []) if place.is_file()), Path(name))
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise ParameterError(parameter, f"{name} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ParameterError(parameter, f"{name} is no text in UTF-8") from None
