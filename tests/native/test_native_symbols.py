"""Code for one instruction set never takes the place of code for another one.

The linker keeps one copy of a weak symbol that several objects define. So a weak symbol of an object that is compiled
for an instruction set must not be defined by any other object; see ``exactcover/native/base/isa.hpp``.

The objects are found in the folder that the environment variable ``EXACTCOVER_OBJECTS`` names, else below ``build/``;
``.ci/symbols`` makes them.
"""

import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("EXACTCOVER_OBJECTS", ROOT / "build"))
NO_CODE = {"DW.ref.__gxx_personality_v0"}  # a pointer, the same in all objects
CALLS_ONLY = {"__clang_call_terminate"}  # made by the compiler, without instructions of any set


def _build_folder() -> Path | None:
    """The newest folder with objects of all instruction sets."""
    markers = FOLDER.glob("**/search_avx512.dir")
    folders = [marker.parent.parent for marker in markers if any(marker.glob("**/*.o"))]
    return max(folders, key=lambda folder: folder.stat().st_mtime, default=None)


def _weak(file: Path) -> set[str]:
    """The weak symbols that an object defines."""
    done = subprocess.run(["nm", "--defined-only", str(file)], capture_output=True, text=True, check=True)
    symbols = [line.split() for line in done.stdout.splitlines()]
    return {name for _, kind, name in symbols if kind in "WVuvw"} - NO_CODE - CALLS_ONLY


@pytest.mark.skipif(shutil.which("nm") is None, reason="nm is not installed")
def test_objects_of_instruction_sets_share_no_weak_symbol() -> None:
    folder = _build_folder()
    if folder is None:
        pytest.skip(f"no objects below {FOLDER}; .ci/symbols makes them")
    files = [file for file in folder.glob("CMakeFiles/**/*.o") if "search_" in str(file) or "_native.dir" in str(file)]
    weak = {file: _weak(file) for file in files}
    definitions = Counter(name for names in weak.values() for name in names)
    own = [file for file in files if "search_" in str(file.parent) and "search_baseline" not in str(file.parent)]
    assert len(own) == 4
    assert all(weak[file] for file in own)  # nm has found something
    shared = {name for file in own for name in weak[file] if definitions[name] > 1}
    assert not shared, f"defined in several objects: {', '.join(sorted(shared))}"
