"""Which package the tests test: the installed one, never by accident the sources in the current folder."""

import os
from collections.abc import Collection, Mapping
from importlib import metadata
from pathlib import Path

import exactcover
from exactcover.engines.base import ENGINES

_REMEDY = 'python -m pip install -e ".[test]"'


def find_mistake(
    tested: Path | None = None,
    installed: Path | None = None,
    engines: Collection[str] = ENGINES,
    environment: Mapping[str, str] = os.environ,
) -> str | None:
    """Return why the package that is imported must not be tested, instead of the one that is installed; or None."""
    tested = tested or Path(exactcover.__file__).parent
    try:
        installed = installed or Path(str(metadata.distribution("exactcover-toolkit").locate_file("exactcover")))
    except metadata.PackageNotFoundError:
        return f"{tested} would be tested, but it is not installed: {_REMEDY}"
    if (installed / "__init__.py").exists() and not installed.samefile(tested):
        return (
            f"{tested} would be tested, but the installed package is {installed}; copy the tests to another folder, "
            f"or install the package in editable mode: {_REMEDY}"
        )
    if "native" not in engines and environment.get("EXACTCOVER_REQUIRE_NATIVE", "0") != "0":
        return (
            f"{tested} has no native module, but EXACTCOVER_REQUIRE_NATIVE is set; install it where there is a C++ "
            f"compiler: {_REMEDY}"
        )
    return None
