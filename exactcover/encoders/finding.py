"""Finding encoders and bundled configurations by entry points."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

from exactcover.encoders.encoder import Encoder
from exactcover.errors import PluginError, PluginWarning, UnknownProblemError

if TYPE_CHECKING:  # slow to import
    import importlib.metadata

__all__ = ["InstalledEncoder", "add_encoder", "find_config", "find_configs", "find_encoder", "find_encoders"]


ENCODERS = "exactcover.problems"
"""The entry-point group of encoders: ``name = "module:Class"``."""

CONFIGS = "exactcover.configs"
"""The entry-point group of folders with YAML files: ``name = "module:PATH"``, a pathlib.Path."""


@dataclass(frozen=True)
class InstalledEncoder:
    """An encoder class under its name, with the distribution that brings it."""

    name: str
    encoder: type[Encoder]
    distribution: str

    @property
    def summary(self) -> str:
        """The first line of the class's docstring."""
        return (self.encoder.__doc__ or "").strip().partition("\n")[0]


_here: dict[str, InstalledEncoder] = {}  # added in this process


def add_encoder(name: str, encoder: type[Encoder], where: str = "this process") -> None:
    """Make an encoder known under a name, for this process and before any that is installed.

    Raises
    ------
    TypeError
        If it is no dataclass derived from :class:`Encoder`.
    """
    if not _is_encoder(encoder):
        raise TypeError(f"{encoder!r} is not a dataclass derived from Encoder")
    _here[name] = InstalledEncoder(name, encoder, where)


def find_encoders() -> dict[str, InstalledEncoder]:
    """Return all installed encoders by name, sorted; one that fails to load becomes a warning.

    Warns
    -----
    PluginWarning
        For each encoder that cannot be loaded, naming its distribution and the reason; and where two
        distributions use one name (the first in alphabetical order of distributions is kept).
    """
    found: dict[str, InstalledEncoder] = {}
    for point in _entry_points(ENCODERS):
        encoder = _load(point)
        if encoder is None:
            continue
        if point.name in found:
            kept = found[point.name].distribution
            _warn(f"problem {point.name!r} of {_distribution(point)} is hidden by the one of {kept}")
            continue
        found[point.name] = InstalledEncoder(point.name, encoder, _distribution(point))
    return dict(sorted((found | _here).items()))


def find_encoder(name: str) -> type[Encoder]:
    """Return the encoder class of that name.

    Raises
    ------
    UnknownProblemError
        If there is none; it names the nearest.
    PluginError
        If there is one that cannot be loaded; a warning says why.

    Examples
    --------
    >>> find_encoder("queens")(n=8).problem().count()
    92
    """
    if name in _here:
        return _here[name].encoder
    broken = False
    for point in _entry_points(ENCODERS, name=name):
        encoder = _load(point)
        if encoder is not None:
            return encoder
        broken = True
    if broken:
        raise PluginError(f"problem {name!r} is installed, but cannot be loaded")
    raise UnknownProblemError(name, sorted({point.name for point in _entry_points(ENCODERS)} | _here.keys()))


def find_configs() -> dict[str, Path]:
    """Return all bundled YAML files by file name, sorted."""
    found: dict[str, Path] = {}
    for point in _entry_points(CONFIGS):
        try:
            folder = Path(point.load())
        except Exception as error:  # a plugin may raise anything; it must not take others along
            _warn(f"the configurations of {_distribution(point)} cannot be found: {error}")
            continue
        for file in folder.glob("*.y*ml"):
            found.setdefault(file.name, file)
    return dict(sorted(found.items()))


def find_config(name: str) -> Path | None:
    """Return the bundled YAML file of that name, with or without its suffix, or None."""
    configs = find_configs()
    return configs.get(name) or configs.get(f"{name}.yaml")


def _entry_points(group: str, name: str | None = None) -> Iterator[importlib.metadata.EntryPoint]:
    """Yield the entry points of a group in a fixed order, each once."""
    import importlib.metadata

    names: dict[int, str] = {}  # to read what a distribution says of itself takes a millisecond
    points = {}
    found = importlib.metadata.entry_points(group=group)
    for point in found if name is None else found.select(name=name):
        if id(point.dist) not in names:
            names[id(point.dist)] = _distribution(point)
        points[names[id(point.dist)], point.name, point.value] = point
    for key in sorted(points):
        yield points[key]


def _distribution(point: importlib.metadata.EntryPoint) -> str:
    if point.dist is None:
        return "an unknown distribution"
    about = point.dist.metadata
    return f"{about['Name']} {about['Version']}"


def _warn(message: str) -> None:
    warnings.warn(message, PluginWarning, stacklevel=3)


def _load(point: importlib.metadata.EntryPoint) -> type[Encoder] | None:
    """Load one encoder; a failure becomes a warning."""
    try:
        encoder = point.load()
    except Exception as error:  # a plugin may raise anything; it must not take others along
        shadow = _shadow(point)
        trouble = f"problem {point.name!r} of {_distribution(point)} cannot be loaded: {type(error).__name__}: {error}"
        _warn(shadow or trouble)
        return None
    if not _is_encoder(encoder):
        _warn(
            f"problem {point.name!r} of {_distribution(point)}: {point.value} is not a dataclass derived from Encoder"
        )
        return None
    return encoder


def _is_encoder(thing: object) -> TypeGuard[type[Encoder]]:
    return isinstance(thing, type) and issubclass(thing, Encoder) and is_dataclass(thing)


def _shadow(point: importlib.metadata.EntryPoint) -> str:
    """Say which path hides the distribution's own package, if another one was imported in its place.

    It is the same sentence for all of its problems.
    """
    root = point.module.partition(".")[0]
    module = sys.modules.get(root)
    if module is None or point.dist is None:
        return ""
    paths = [str(path) for path in getattr(module, "__path__", [])] or [str(getattr(module, "__file__", "?"))]
    home = Path(str(point.dist.locate_file(root)))
    if any(Path(path) in (home, home.with_suffix(".py")) for path in paths):
        return ""
    return (
        f"the module {root!r} was imported from {', '.join(paths)}; if that is not the one of {point.dist.name}, "
        "it hides it: run from another folder, or rename yours"
    )
