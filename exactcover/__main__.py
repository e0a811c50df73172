"""``python -m exactcover``: the command line."""

import os
import sys

if __name__ == "__main__":
    if not sys.flags.safe_path and sys.path[:1] == [os.path.realpath("")]:
        del sys.path[0]  # the current folder, whose files could hide libraries; the command runs none of them

    from exactcover.cli import main

    main()
