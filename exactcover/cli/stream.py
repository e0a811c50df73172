"""Pictures as text for a stream: with its colors, characters and width."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TextIO

from exactcover.cli.output import is_standard_output
from exactcover.pictures import Picture, render
from exactcover.pictures.text import can_encode


class PictureRenderer:
    """Renders pictures as text for a stream.

    Attributes
    ----------
    colors
        Whether to use colors: on a terminal, unless NO_COLOR is set.
    ascii
        Whether the stream is limited to ASCII characters.
    width
        The number of characters that fit on a line; None if the stream is not a terminal.
    """

    width: int | None = None

    def __init__(self, out: TextIO | None) -> None:
        if out is None:
            self.colors = self.ascii = False
            return
        terminal = out is sys.stdout and out.isatty()
        self.colors = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.ascii = not can_encode(out, "┌─●▒")
        self.width = shutil.get_terminal_size().columns if terminal else None

    @classmethod
    def for_output(cls, output: str | None) -> PictureRenderer:
        """Return the renderer for the value of ``-o``."""
        return cls(sys.stdout if is_standard_output(output) else None)

    def render(self, picture: Picture) -> str:
        """Return a picture as text."""
        return render(picture, colors=self.colors, ascii=self.ascii, width=self.width)
