"""How Sphinx makes the site from this folder:  sphinx-build -W docs build/site (with the extra [docs])."""

import gc
import sys
from pathlib import Path

from sphinx.application import Sphinx

import exactcover
from exactcover.pictures.palette import FONT, TOKENS

gc.disable()  # a build is short; looking for cycles would take a fifth of its time
sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "exactcover"
author = "The exactcover developers"
version = release = exactcover.__version__
copyright = author  # noqa: A001 - Sphinx's name
extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx_click",
    "gallery",
    "families",
    "page_links",
    "questions",
    "rules",
    "try_it",
    "viewer_pages",
]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
exclude_patterns = ["extensions", "try", "*.ipynb"]
language = "en"

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4  # as the links of the pages expect
myst_links_external_new_tab = False
suppress_warnings = ["myst.header"]  # an included file may begin below a title

autodoc_typehints_format = "short"
python_maximum_signature_line_length = 100
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

html_theme = "furo"
html_title = "exactcover"
LOOK = {  # colors of the theme, from the palette of all pages
    "color-background-primary": "paper", "color-background-secondary": "panel", "color-background-hover": "wash",
    "color-background-hover--transparent": "panel", "color-background-border": "line", "color-background-item": "line",
    "color-foreground-primary": "ink", "color-foreground-secondary": "soft", "color-foreground-muted": "soft",
    "color-foreground-border": "soft", "color-brand-primary": "accent", "color-brand-content": "accent",
    "color-brand-visited": "accent", "color-problematic": "mark", "color-highlighted-background": "wash",
    "color-highlight-on-target": "wash",
}  # fmt: skip
html_theme_options = {
    f"{theme}_css_variables": {name: both[k] for name, both in TOKENS.items()}
    | {name: f"var(--{token})" for name, token in LOOK.items()}
    | {"font-stack": FONT}
    for k, theme in enumerate(("light", "dark"))
}
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_domain_indices = False
pygments_style = "a11y-light"
pygments_dark_style = "monokai"

man_pages = [("reference/verbs", "exactcover", "solve, count and draw exact covers", author, 1)]
man_show_urls = False


def setup(app: Sphinx) -> None:
    """Leave out what says nothing."""
    app.connect("sphinx-click-process-arguments", lambda app, context, lines: lines.clear())
