"""Links that the pages have for readers of the repository, and which lead out of the site."""

from __future__ import annotations

import re

from sphinx.application import Sphinx

# Files of the repository that are pages of the site.
PAGES = {"../exactcover/native/README.md": "reference/native.md", "notebook.ipynb": "python.md"}


def lead_to_pages(app: Sphinx, name: str, source: list[str]) -> None:
    """Let links to such files lead to the pages that show them."""
    del app, name
    source[0] = re.sub(r"\]\(([^)\s]+)\)", lambda link: f"]({PAGES.get(link[1], link[1])})", source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Change sources as they are read."""
    app.connect("source-read", lead_to_pages)
    return {"parallel_read_safe": True}
