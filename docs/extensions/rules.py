"""The directive ``rules``: what cannot be asked for together, from the table of the package."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from exactcover.control.options import NEEDS, RULES, name_feature, name_flag


def _name(features: Iterable[str]) -> str:
    """Return features in words, each with the flag that asks for it."""
    names = {one: name_flag(one) for one in features}
    return ", ".join(f"{name_feature(one)} (``{flag}``)" if flag else name_feature(one) for one, flag in names.items())


def _list_rows() -> Iterator[tuple[str, str, str]]:
    yield "This", "cannot be combined with", "because"
    for rule in RULES:
        yield _name(rule.features), _name(rule.others), rule.why
    for feature, needed in NEEDS.items():
        yield _name([feature]), "anything", f"unless it stands with {_name(needed)}"


class Rules(SphinxDirective):
    """Shows the rules as one table."""

    def run(self) -> list[nodes.Node]:
        lines = [".. list-table::", "   :header-rows: 1", ""]
        for row in _list_rows():
            lines += [f"   {'*' if not k else ' '} - {cell}" for k, cell in enumerate(row)]
        return self.parse_text_to_nodes(StringList(lines, "rules"))


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("rules", Rules)
    return {"parallel_read_safe": True}
