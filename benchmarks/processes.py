"""Commands that start this package in a process of its own."""

import sys

PYTHON = [sys.executable, "-P"]
"""Python with the installed package, not with the sources in the current folder."""
COMMAND = [*PYTHON, "-m", "exactcover"]
