"""The command line: one module per verb; no verb knows a puzzle.

Private: run ``exactcover``.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

_OBJECTS_PER_COLLECTION = 100_000  # loading modules makes many objects, none of them garbage


def main() -> NoReturn:
    """Run the command line and exit."""
    import gc

    try:
        import exactcover._public  # noqa: F401
    except ImportError as error:  # from a zip file
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    gc.set_threshold(_OBJECTS_PER_COLLECTION)
    try:
        from exactcover.cli.main import run_and_exit
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    run_and_exit()
