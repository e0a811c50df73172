"""Files that parameters may name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path

from exactcover.control.arguments import check_arguments
from exactcover.errors import ParameterError
from exactcover.files.read import decode_table, describe_bytes, read_bounded

__all__ = ["Access", "access", "beside", "read_data"]

_MAX_BYTES = 256 * 1024 * 1024  # in a file that a parameter names


@dataclass
class Access:
    """The files that parameters may name, and those that have been read.

    Attributes
    ----------
    folder
        The folder that is searched first for relative paths; None for the current folder alone.
    confined
        Whether files must be inside that folder or the current one.
    none
        Whether reading files is forbidden.
    trusted
        Parameters that may name any file, because they were typed on the command line.
    read
        The files that have been read so far.
    """

    folder: Path | None = None
    confined: bool = False
    none: bool = False
    trusted: Collection[str] = ()
    read: list[Path] = field(default_factory=list)


_access: ContextVar[Access | None] = ContextVar("access", default=None)


@contextmanager
def access(rules: Access) -> Iterator[Access]:
    """Apply these rules within the block; outside of such blocks, parameters may name any file."""
    token = _access.set(rules)
    try:
        yield rules
    finally:
        _access.reset(token)


@contextmanager
def beside(folder: Path) -> Iterator[None]:
    """Search a folder first for files, within the block; the other rules stay the same."""
    with access(replace(_access.get() or Access(), folder=folder)):
        yield


@check_arguments
def read_data(name: str, parameter: str | tuple[str | int, ...]) -> str:
    """Return the text of a file that a parameter names; encoders call it in ``__post_init__``.

    Of a workbook (``.xlsx``), it is the first sheet as CSV.

    Parameters
    ----------
    name
        A path. A relative path is searched for in the folder of the YAML file, then in the current folder.
    parameter
        The parameter that names the file, or the path to a value inside the parameter; used in errors.

    Raises
    ------
    ParameterError
        If the file cannot be read, is larger than 256 MiB, is not UTF-8 text, or is named in a configuration and is
        outside both the folder of the configuration and the current one.
    """
    rules = _access.get() or Access()
    if rules.none:
        raise ParameterError(parameter, f"{name} cannot be read: diagram files may not name other files")
    path = next((place for place in ([rules.folder / name] if rules.folder else []) if place.is_file()), Path(name))
    key = parameter if isinstance(parameter, str) else str(parameter[0])
    if rules.confined and key not in rules.trusted and not _is_inside(path, [rules.folder or Path(), Path()]):
        raise ParameterError(
            parameter,
            f"{name} is outside the folder of the configuration and the current folder; use --allow-files to read it",
        )
    try:
        content = read_bounded(path, _MAX_BYTES)
        text = decode_table(content, name)
    except OSError as error:
        raise ParameterError(parameter, f"{name} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ParameterError(parameter, f"{name} {describe_bytes(content)}") from None
    rules.read.append(path)
    return text


def _is_inside(path: Path, folders: Iterable[Path]) -> bool:
    """Return whether a file is in one of the folders, after following links."""
    place = path.resolve()
    return any(place.is_relative_to(folder.resolve()) for folder in folders)
