"""Pages of the viewer inside pages of the site.

A page of the documentation asks for one by a comment, which other readers of its source do not see::

    <!-- view: article_table.yaml search: The search of seven options, step by step -->

The words are a bundled file, what is shown first, and a title.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any, cast

from gallery import FIT
from sphinx.application import Sphinx

from exactcover import ViewOptions, view
from exactcover.config.configuration import read_file
from exactcover.encoders.discovery import find_config

FOLDER = "_views"  # below the folder of the site
REQUEST = re.compile(r"^<!-- view: (\S+) (solutions|solid|search): (.+?) -->$", re.MULTILINE | re.DOTALL)


def insert_pages(app: Sphinx, name: str, source: list[str]) -> None:
    """Write the pages that a document asks for, and put them into frames."""
    if app.builder.format != "html":
        return
    up = "../" * name.count("/")

    def show(request: re.Match[str]) -> str:
        file, start, title = request.groups()
        address = f"{FOLDER}/{file.removesuffix('.yaml')}_{start}.html"
        _write(Path(app.outdir) / address, file, start)
        words = html.escape(" ".join(title.split()))
        place = f'src="{up}{address}" title="{words}" onload="{FIT}"'
        frame = f'<iframe class="view" loading="lazy" {place}></iframe>'
        return f'```{{raw}} html\n{frame}\n<p><a href="{up}{address}">Open it on a page of its own</a></p>\n```'

    source[0] = REQUEST.sub(show, source[0])
    if "<!-- view" in source[0]:
        raise ValueError(f"{name}: a comment that begins with view does not say FILE START: TITLE")


def _write(path: Path, file: str, start: str) -> None:
    config = find_config(file)
    if config is None:
        raise ValueError(f"there is no bundled file {file}")
    configuration = read_file(config)
    path.parent.mkdir(parents=True, exist_ok=True)
    nodes = 20_000 if start == "search" else 0
    encoder, options = configuration.encoder, ViewOptions(start=cast("Any", start), nodes=nodes)
    page = view(encoder.problem(), encoder, title=configuration.describe(), options=options)
    brand = 'id="brand">exactcover<'
    if page.count(brand) != 1:
        raise ValueError(f"the page of {file} has no brand that could lead home")
    path.write_text(page.replace(brand, 'id="brand"><a href="../index.html">exactcover</a><'), "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Change sources as they are read."""
    app.connect("source-read", insert_pages)
    return {"parallel_read_safe": True}
