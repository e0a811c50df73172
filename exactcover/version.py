"""The version of the package."""

import os

__all__ = ["NO_ARCHIVE", "__version__", "is_in_archive"]

try:
    from exactcover._version import __version__  # written when the package is built
except ImportError:  # sources that were not installed
    __version__ = "0+unknown"

NO_ARCHIVE = "exactcover does not run from a zip file; install it, for example with: python -m pip install FOLDER"


def is_in_archive() -> bool:
    """Return whether this package is imported from a zip file, where it cannot find its own files."""
    return not os.path.isfile(__file__)  # noqa: PTH113 - pathlib is slow to import
