"""Files: what parameters may name, reading with a bound, and writing so that a file is whole or as it was."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path

from exactcover.errors import ParameterError
from exactcover.files.read import read_bounded

__all__ = ["Access", "access", "beside", "read_data"]

_MOST_BYTES = 256 * 1024 * 1024  # of a file that parameters name


@dataclass
class Access:
    """Which files parameters may name, and which have been read.

    Attributes
    ----------
    folder
        Where relative paths are looked for first; None for the current folder alone.
    confined
        Whether paths must stay inside that folder and the current one.
    none
        Whether no file may be read at all.
    trusted
        Parameters that may name any file: whoever typed them has a shell.
    read
        The files that have been read.
    """

    folder: Path | None = None
    confined: bool = False
    none: bool = False
    trusted: Collection[str] = ()
    read: list[Path] = field(default_factory=list)


_access: ContextVar[Access | None] = ContextVar("access", default=None)


@contextmanager
def access(rules: Access) -> Iterator[Access]:
    """Let these rules hold as long as the block lasts; without any, every path may be named."""
    token = _access.set(rules)
    try:
        yield rules
    finally:
        _access.reset(token)


@contextmanager
def beside(folder: Path) -> Iterator[None]:
    """Look for files in a folder first, as long as the block lasts; other rules stay as they are."""
    with access(replace(_access.get() or Access(), folder=folder)):
        yield


def read_data(name: str, parameter: str | tuple[str | int, ...]) -> str:
    """Return the text of a file that a parameter names; for encoders, in ``__post_init__``.

    Parameters
    ----------
    name
        A path; if it is relative, the file is looked for beside the YAML file, then in the current folder.
    parameter
        Which parameter names it, for errors.

    Raises
    ------
    ParameterError
        If there is no such file, it is larger than 256 MiB, it is not UTF-8 text, or a configuration names a file
        outside its own folder and the current one.
    """
    rules = _access.get() or Access()
    if rules.none:
        raise ParameterError(parameter, f"{name} is not read: a diagram file cannot name other files")
    path = next((place for place in ([rules.folder / name] if rules.folder else []) if place.is_file()), Path(name))
    key = parameter if isinstance(parameter, str) else str(parameter[0])
    if rules.confined and key not in rules.trusted and not _is_inside(path, [rules.folder or Path(), Path()]):
        raise ParameterError(
            parameter,
            f"{name} lies outside the folder of the configuration and the current one; --allow-files reads it",
        )
    try:
        text = read_bounded(path, _MOST_BYTES).decode("utf-8-sig")
    except OSError as error:
        raise ParameterError(parameter, f"{name} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ParameterError(parameter, f"{name} is not UTF-8 text") from None
    rules.read.append(path)
    return text


def _is_inside(path: Path, folders: Iterable[Path]) -> bool:
    """Whether a file lies in one of the folders, links followed."""
    place = path.resolve()
    return any(place.is_relative_to(folder.resolve()) for folder in folders)
