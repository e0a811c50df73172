"""The version of the package."""

__all__ = ["__version__"]

try:
    from exactcover._version import __version__  # written when the package is built
except ImportError:  # sources that were not installed
    __version__ = "0+unknown"
