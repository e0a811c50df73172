"""Count bundled configurations, and compare with the numbers that they state; print the time of each.

    python benchmarks/stated_counts.py
    python benchmarks/stated_counts.py queens_8.yaml soma_cube.yaml

By default, every configuration is counted. The exit status is 1 if a number differs.
"""

from __future__ import annotations

import argparse
import sys
import time

from exactcover.encoders.discovery import find_configs
from exactcover.errors import nearest
from exactcover.testing import check_config


def main() -> int:
    configs = find_configs()
    failed = 0
    for name in _arguments(list(configs)).config or configs:
        began = time.perf_counter()
        try:
            check_config(configs[name])
            result = "as stated"
        except AssertionError as error:
            failed += 1
            result = str(error)
        print(f"{time.perf_counter() - began:7.2f} s  {name}: {result}", flush=True)
    return min(failed, 1)


def _arguments(known: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", nargs="*", help="names of bundled configurations")
    options = parser.parse_args()
    for name in options.config:
        if name not in known:
            parser.error(f"there is no bundled configuration {name!r}{nearest(name, known)}")
    return options


if __name__ == "__main__":
    sys.exit(main())
