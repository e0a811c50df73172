"""Count every bundled configuration, and compare with the numbers that it states; print the time of each."""

import sys
import time

from exactcover.encoders.finding import find_configs
from exactcover.testing import check_config


def main() -> int:
    failed = 0
    for name, path in find_configs().items():
        began = time.perf_counter()
        try:
            check_config(path)
            result = "as stated"
        except AssertionError as error:
            failed += 1
            result = str(error)
        print(f"{time.perf_counter() - began:7.2f} s  {name}: {result}", flush=True)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
