"""Pictures as text for a stream: with its colors, characters and width."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from functools import partial
from typing import TextIO

from exactcover.cli.output import is_standard_output
from exactcover.pictures import Picture, render
from exactcover.pictures.text import can_encode


def make_renderer(out: TextIO | None) -> Callable[[Picture], str]:
    """Return a function that renders pictures as text for a stream: in color on a terminal, unless NO_COLOR is set."""
    if out is None:
        return render
    terminal = out is sys.stdout and out.isatty()
    colors = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    width = shutil.get_terminal_size().columns if terminal else None
    return partial(render, colors=colors, ascii=not can_encode(out, "┌─●▒"), width=width)


def make_output_renderer(output: str | None) -> Callable[[Picture], str]:
    """Return the renderer for the value of ``-o``."""
    return make_renderer(sys.stdout if is_standard_output(output) else None)
