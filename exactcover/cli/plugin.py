"""``--plugin FILE.py:Class``: an encoder from a file instead of a package. Only the command line can name one."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType

import click

from exactcover.control.memory import is_lack_of_memory
from exactcover.encoders.encoder import Encoder
from exactcover.encoders.finding import use_encoder
from exactcover.errors import nearest
from exactcover.files.read import open_regular

__all__ = ["load_plugins"]


def load_plugins(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> None:
    """Find each encoder FILE.py:Class by the name of the class in lower case, until the command ends."""
    for value in values:
        file, colon, name = value.rpartition(":")
        if not colon or not file.endswith(".py") or not name.isidentifier():
            raise click.BadParameter(f"expected FILE.py:Class, got {value!r}", context, parameter)
        module = _load_module(Path(file), context, parameter)
        encoder = getattr(module, name, None)
        if encoder is None:
            known = [key for key, one in vars(module).items() if isinstance(one, type) and issubclass(one, Encoder)]
            raise click.BadParameter(f"{file} has no class {name}{nearest(name, known)}", context, parameter)
        try:
            context.with_resource(use_encoder(name.lower(), encoder, file))
        except TypeError:
            raise click.BadParameter(f"{value} is not a dataclass derived from Encoder", context, parameter) from None


def _load_module(file: Path, context: click.Context, parameter: click.Parameter) -> ModuleType:
    """Run a file and return it as a module."""
    specification = importlib.util.spec_from_file_location(f"plugin_{file.stem}", file)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[module.__name__] = module  # dataclasses look it up here
    try:
        open_regular(file).close()  # Python would wait for the writer of a pipe
        specification.loader.exec_module(module)
    except OSError as error:
        raise click.BadParameter(f"{file} cannot be read: {error.strerror or error}", context, parameter) from None
    except Exception as error:  # the file may raise anything
        if is_lack_of_memory(error, loading=True):
            raise MemoryError from error
        frames = reversed(traceback.extract_tb(error.__traceback__))
        here = (frame.lineno for frame in frames if Path(frame.filename) == file.absolute())
        line = next(here, getattr(error, "lineno", None))
        where = f"{file}, line {line}" if line else str(file)
        message = error.msg if isinstance(error, SyntaxError) else error  # the text of a SyntaxError repeats the place
        raise click.BadParameter(f"{where}: {type(error).__name__}: {message}", context, parameter) from None
    return module
