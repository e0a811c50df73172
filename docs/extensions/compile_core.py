"""Compile the native core to WebAssembly with Emscripten, as one script that pages and Node load."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

__all__ = ["compile_core"]

ROOT = Path(__file__).parents[2]
TOOLCHAIN = "/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake"
FUNCTIONS = (
    *("load", "add_symmetry", "find_symmetries", "begin", "advance"),
    *("solution_size", "solution", "explored", "listed", "total", "message"),
)
LINK = (
    "-fwasm-exceptions -sSINGLE_FILE=1 -sMODULARIZE=1 -sEXPORT_NAME=createCore -sENVIRONMENT=web,worker,node "
    "-sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=2147483648 -sFILESYSTEM=0 "
    "-sEXPORTED_RUNTIME_METHODS=UTF8ToString "
    f"-sEXPORTED_FUNCTIONS=_main,_malloc,_free,{','.join(f'_core_{name}' for name in FUNCTIONS)}"
)


def compile_core(folder: Path) -> Path | None:
    """Return the script, compiled in a folder if it is not there; None without Emscripten.

    Raises
    ------
    RuntimeError
        If it cannot be compiled.
    """
    if shutil.which("emcc") is None:
        return None
    environment = os.environ | {"NODE_PATH": "/usr/share/nodejs"}  # where Debian's emscripten looks for its modules
    configure = ["cmake", "-G", "Ninja", "-S", str(ROOT), "-B", str(folder), "-DEXACTCOVER_PROGRAM=core"]
    configure += [f"-DCMAKE_TOOLCHAIN_FILE={TOOLCHAIN}", "-DCMAKE_CXX_FLAGS=-msimd128 -fwasm-exceptions"]
    for command in ([*configure, f"-DCMAKE_EXE_LINKER_FLAGS={LINK}"], ["cmake", "--build", str(folder)]):
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)} fails:\n{(done.stdout + done.stderr)[-2000:]}")
    return folder / "core.js"
