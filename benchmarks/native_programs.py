"""Programs in C++ over the native code, without Python."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[1]


def build_program(program: str, folder: Path, *configure: str, suffix: str = "") -> str:
    """Return a program of benchmarks/native; compile it in a folder, with these arguments of cmake, if it is not there.

    If it cannot be compiled, this process ends with a message.
    """
    built = folder / f"{program}{suffix}"
    if built.exists():
        return str(built)
    environment = os.environ | {"NODE_PATH": "/usr/share/nodejs"}  # where Debian's emscripten looks for its modules
    begin = ["cmake", "-G", "Ninja", "-S", str(_ROOT), "-B", str(folder), f"-DEXACTCOVER_PROGRAM={program}"]
    for command in ([*begin, *configure], ["cmake", "--build", str(folder)]):
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        except FileNotFoundError:
            sys.exit("cmake is not installed")
        if done.returncode != 0:
            sys.exit(f"{shlex.join(command)} fails:\n{(done.stdout + done.stderr)[-2000:]}")
    return str(built)
