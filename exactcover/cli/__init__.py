"""The command line: one module per verb; no verb knows a puzzle.

Private: run ``exactcover``.
"""

import gc
import os
import sys
from typing import NoReturn

__all__ = ["main"]

_OBJECTS_PER_COLLECTION = 100_000  # loading modules makes many objects, none of them garbage


def main() -> NoReturn:
    """Run the command line and exit. An error while it is loaded must not look like an answer either."""
    gc.set_threshold(_OBJECTS_PER_COLLECTION)
    try:
        from exactcover.cli.main import run_and_exit
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        os._exit(130)
    except MemoryError:
        sys.stderr.write("stopped: out of memory\n")
        sys.exit(3)
    except Exception as error:
        sys.stderr.write(f"error: the installation is broken: {type(error).__name__}: {error}\n")
        sys.exit(70)
    run_and_exit()
