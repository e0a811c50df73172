"""The versions of what is installed, for ``exactcover --version -v``."""

from __future__ import annotations

import importlib.metadata
import platform
import sys
from contextlib import suppress
from pathlib import Path

from exactcover.cli.messages import print_line
from exactcover.engines.base import ENGINES


def print_versions() -> None:
    """Print the engines, how the native one was built, and the versions of Python and of libraries."""
    print_line(f"engines: {', '.join(ENGINES)}")
    print_line(f"native engine: {_describe_native_engine()}")
    print_line(f"Python {sys.version.split()[0]} on {sys.platform}")
    for name in ("networkx", "pydantic", "highspy", "ortools", "python-sat", "PyYAML"):
        with suppress(importlib.metadata.PackageNotFoundError):
            print_line(f"{name} {importlib.metadata.version(name)}")


def _describe_native_engine() -> str:
    """Return how the native engine was built, or why it is missing."""
    try:
        import exactcover._native as native
    except ImportError:
        installed = importlib.metadata.distribution("exactcover-toolkit").files or []
        if any(file.name.startswith("_native.") and file.suffix != ".pyi" for file in installed):
            here = Path(__file__).parent.parent
            return f"not found: the sources in {here} hide the installed package; run the command in another folder"
        return "none: installed without a C++ compiler, so searches run in pure Python"
    from exactcover.engines.native import pick_instructions  # needs the native module

    return f"version {native.version}, {native.build_type}, {pick_instructions()} ({platform.machine()})"
