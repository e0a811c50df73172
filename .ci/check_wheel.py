"""Check what is in a wheel:  python .ci/check_wheel.py WHEEL."""

import re
import sys
from pathlib import PurePosixPath
from zipfile import ZipFile

SOURCES = {".cpp", ".hpp", ".c", ".h", ".a", ".o"}
NEEDED = [
    r"exactcover/py\.typed",
    r"exactcover/_version\.py",
    r"exactcover/viewer/assets/.+\.js",
    r"exactcover/cli/template/.+",
    r"problems/configs/pentominoes_6x10\.yaml",
    r"[^/]+\.dist-info/entry_points\.txt",
    r"[^/]+\.dist-info/licenses/LICENSE",
]


def find_faults(wheel: str, names: list[str]) -> list[str]:
    """Return what is wrong with the names of the files in a wheel."""
    faults = [f"{name} is a source" for name in names if PurePosixPath(name).suffix in SOURCES or "CMake" in name]
    tops = {name.partition("/")[0] for name in names}
    strange = [top for top in tops - {"exactcover", "problems"} if not top.endswith((".dist-info", ".data"))]
    faults += [f"{top} is outside the packages" for top in sorted(strange)]
    module = r"exactcover/_native\." + (r"(abi3\.so|pyd)" if "-abi3-" in wheel else r".+\.(so|pyd)")
    faults += [f"no file is {one}" for one in (*NEEDED, module) if not any(re.fullmatch(one, name) for name in names)]
    return faults


if __name__ == "__main__":
    with ZipFile(sys.argv[1]) as opened:
        found = find_faults(sys.argv[1], opened.namelist())
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))
