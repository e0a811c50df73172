"""How a picture is shown on a stream: its colors, characters and width."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TextIO

from exactcover.cli.output import can_show, is_standard_output
from exactcover.pictures import Picture, render

__all__ = ["Look"]


class Look:
    """What a stream can show.

    Attributes
    ----------
    colors
        Whether to paint: on a terminal, unless NO_COLOR is set.
    ascii
        Whether the stream has no characters but those of ASCII.
    width
        How many characters fit into a line; None where there is no terminal.
    """

    width: int | None = None

    def __init__(self, out: TextIO | None) -> None:
        if out is None:
            self.colors = self.ascii = False
            return
        terminal = out is sys.stdout and out.isatty()
        self.colors = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.ascii = not can_show(out, "┌─●▒")
        self.width = shutil.get_terminal_size().columns if terminal else None

    @classmethod
    def of_output(cls, output: str | None) -> Look:
        """Return how pictures are shown where ``-o`` says."""
        return cls(sys.stdout if is_standard_output(output) else None)

    def render(self, picture: Picture) -> str:
        """Return a picture as text for the stream."""
        return render(picture, colors=self.colors, ascii=self.ascii, width=self.width)
