"""Find encoders, bundled configurations and sites: those that come with the toolkit, and others by entry points."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from exactcover.control.arguments import check_arguments
from exactcover.control.memory import is_lack_of_memory
from exactcover.encoders.encoder import Encoder
from exactcover.errors import PluginError, PluginWarning, UnknownProblemError

if TYPE_CHECKING:  # slow to import
    import importlib.metadata

ENCODERS = "exactcover.problems"
"""The entry-point group of encoders: ``name = "module:Class"``."""

CONFIGS = "exactcover.configs"
"""The entry-point group of folders with YAML files: ``name = "module:PATH"``, where PATH is a pathlib.Path."""

SITES = "exactcover.links"
"""The entry-point group of sites whose links hold puzzles: ``name = "module"``."""

_BUNDLED = "problems"
"""The package of the families that come with the toolkit. Its table is found faster than the metadata of distributions
is read, which would take longer than a small count. It is imported by this name alone, as any plugin is."""


_MOST_MENTIONS = 4
_SHORTEST_MENTION = 3  # letters; shorter names are everywhere


@dataclass(frozen=True)
class InstalledEncoder:
    """An encoder class with its name and its distribution.

    Attributes
    ----------
    name
        The name of the entry point.
    encoder
        The class.
    distribution
        The name and version of the distribution that contains it.
    """

    name: str
    encoder: type[Encoder]
    distribution: str

    @property
    def summary(self) -> str:
        """The first line of the docstring of the class."""
        return (self.encoder.__doc__ or "").strip().partition("\n")[0]


_used: dict[str, InstalledEncoder] = {}  # in the blocks of use_encoder that are open


@contextmanager
def use_encoder(name: str, encoder: type[Encoder], where: str) -> Iterator[None]:
    """Find an encoder by a name within this block, in this process; it takes precedence over installed ones.

    `where` is shown in place of the distribution.
    """
    if not _is_encoder(encoder):
        raise TypeError(f"{encoder!r} is not a dataclass derived from Encoder")
    hidden = _used.get(name)
    _used[name] = InstalledEncoder(name, encoder, where)
    try:
        yield
    finally:
        del _used[name]
        if hidden is not None:
            _used[name] = hidden


def find_encoders() -> dict[str, InstalledEncoder]:
    """Return all installed encoders by name, sorted. Encoders that fail to load are skipped with a warning.

    Warns
    -----
    PluginWarning
        For each encoder that cannot be loaded, with its distribution and the reason; and if two distributions use the
        same name, of which the first in alphabetical order is kept, but a family that comes with the toolkit first.
    """
    found: dict[str, InstalledEncoder] = {}
    for point in _entry_points(ENCODERS):
        encoder, fault = _try_load(point)
        if encoder is None:
            _warn(fault)
        elif point.name in found:
            kept = found[point.name].distribution
            _warn(f"{_describe_problem(point)} is hidden by the problem of the same name from {kept}")
        else:
            found[point.name] = InstalledEncoder(point.name, encoder, _describe_distribution(point))
    return dict(sorted((found | _used).items()))


@check_arguments
def find_encoder(name: str) -> type[Encoder]:
    """Return the encoder class of that name.

    Raises
    ------
    UnknownProblemError
        If there is none; the error suggests the nearest name.
    PluginError
        If the encoder cannot be loaded; the error gives the reason, such as a module of your own that hides the
        package of the encoder.

    Examples
    --------
    >>> find_encoder("queens")(n=8).problem().count()
    92
    """
    if name in _used:
        return _used[name].encoder
    bundled = _find_bundled(name)
    if bundled is not None:
        return bundled
    faults: list[str] = []
    for point in _entry_points(ENCODERS, name=name):
        encoder, fault = _try_load(point)
        if encoder is not None:
            return encoder
        faults.append(fault)
    if faults:
        raise PluginError(f"problem {name!r} is installed but cannot be loaded: {'; '.join(faults)}")
    known = sorted({point.name for point in _entry_points(ENCODERS)} | _used.keys())
    raise UnknownProblemError(name, known, _find_mentions(name))


def _find_mentions(name: str) -> list[str]:
    """Return the families that speak of a name in descriptions or bundled files, with the first such file."""
    word, found = re.compile(rf"\b{re.escape(name)}", re.IGNORECASE), dict[str, list[str]]()
    if sum(map(str.isalpha, name)) < _SHORTEST_MENTION:
        return []
    for point in _entry_points(ENCODERS):
        encoder, _ = _try_load(point)
        if encoder is not None and word.search(encoder.__doc__ or ""):
            found[point.name] = []
    for file, path in find_configs().items():
        text = path.read_text("utf-8", errors="replace")
        family = re.search(r"^problem: *(\w+)", text, re.MULTILINE)
        if family and word.search(file.replace("_", " ") + text.partition("\n")[0]):
            found.setdefault(family[1], []).append(file)
    ranked = sorted(found.items(), key=lambda pair: -len(pair[1]))
    return [" ".join([family, *(f"({file})" for file in files[:1])]) for family, files in ranked[:_MOST_MENTIONS]]


def _find_bundled(name: str) -> type[Encoder] | None:
    """Return the encoder of that name that comes with the toolkit, or None if there is none, or it cannot be loaded."""
    try:
        package = import_module(_BUNDLED)
        encoder = getattr(package, package.FAMILIES[name])
    except Exception as error:  # another package may have that name; its entry points tell what is wrong
        if is_lack_of_memory(error, loading=True):
            raise MemoryError from error
        return None
    return encoder if _is_encoder(encoder) else None


def find_configs() -> dict[str, Path]:
    """Return all bundled YAML files by file name, sorted."""
    found: dict[str, Path] = {}
    for point in _entry_points(CONFIGS):
        try:
            folder = Path(point.load())
        except Exception as error:  # a plugin may raise anything; others must still load
            _warn(f"the configurations of {_describe_distribution(point)} cannot be found: {error}")
            continue
        for file in filter(Path.is_file, folder.glob("*.y*ml")):
            found.setdefault(file.name, file)
    return dict(sorted(found.items()))


def find_config(name: str) -> Path | None:
    """Return the bundled YAML file of that name, with or without suffix, or None if there is none."""
    configs = find_configs()
    return configs.get(name) or configs.get(f"{name}.yaml")


def find_sites() -> dict[str, Any]:
    """Return the modules that read and write links, each a ``Site``, by name; bundled ones first."""
    found: dict[str, Any] = {}
    for point in _entry_points(SITES):
        try:
            module = point.load()
        except Exception as error:  # a plugin may raise anything; others must still load
            if is_lack_of_memory(error, loading=True):
                raise MemoryError from error
            _warn(f"the links of {point.name} of {_describe_distribution(point)} cannot be read: {error}")
            continue
        found.setdefault(point.name, module)
    return found


def _entry_points(group: str, name: str | None = None) -> Iterator[importlib.metadata.EntryPoint]:
    """Yield the entry points of a group in a fixed order, bundled ones first, without duplicates."""
    import importlib.metadata

    found = importlib.metadata.entry_points(group=group)
    if name is not None:
        found = found.select(name=name)
    if len(found) < 2:  # needs no order; reading the metadata takes a millisecond
        yield from found
        return
    names: dict[int, str] = {}
    points = {}
    for point in found:
        if id(point.dist) not in names:
            names[id(point.dist)] = _describe_distribution(point)
        is_bundled = point.module.partition(".")[0] == _BUNDLED
        points[not is_bundled, names[id(point.dist)], point.name, point.value] = point
    for key in sorted(points):
        yield points[key]


def _describe_distribution(point: importlib.metadata.EntryPoint) -> str:
    if point.dist is None:
        return "an unknown distribution"
    about = point.dist.metadata
    return f"{about['Name']} {about['Version']}"


def _describe_problem(point: importlib.metadata.EntryPoint) -> str:
    return f"problem {point.name!r} of {_describe_distribution(point)}"


def _warn(message: str) -> None:
    warnings.warn(message, PluginWarning, stacklevel=3)


def _try_load(point: importlib.metadata.EntryPoint) -> tuple[type[Encoder] | None, str]:
    """Load one encoder; return None and the reason if that fails."""
    try:
        encoder = point.load()
    except Exception as error:  # a plugin may raise anything; others must still load
        if is_lack_of_memory(error, loading=True):
            raise MemoryError from error
        fault = f"{_describe_problem(point)} cannot be loaded: {type(error).__name__}: {error}"
        return None, _describe_shadow(point) or fault
    if not _is_encoder(encoder):
        return None, f"{_describe_problem(point)}: {point.value} is not a dataclass derived from Encoder"
    return encoder, ""


def _is_encoder(thing: object) -> TypeGuard[type[Encoder]]:
    return isinstance(thing, type) and issubclass(thing, Encoder) and is_dataclass(thing)


def _describe_shadow(point: importlib.metadata.EntryPoint) -> str:
    """Return a message that says which module hides the package of the distribution; empty if none does.

    The message is the same for all problems of a distribution, so that it is shown once.
    """
    root = point.module.partition(".")[0]
    import importlib.util

    try:
        spec = importlib.util.find_spec(root)  # also of a module that fails while it is imported
    except ValueError:
        return ""
    if spec is None or point.dist is None:
        return ""
    paths = [*(spec.submodule_search_locations or [spec.origin or "?"])]
    home = Path(str(point.dist.locate_file(root)))
    if any(Path(path) in (home, home.with_suffix(".py")) for path in paths):
        return ""
    return (
        f"the module {root!r} is imported from {', '.join(paths)}, which may hide the package of {point.dist.name}; "
        "run from another folder, or rename that module"
    )
