"""The directive ``families``: every built-in family with its parameters, and the JSON Schema of each."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from exactcover.config.configuration import schema
from exactcover.encoders.discovery import find_encoders
from exactcover.encoders.encoder import Encoder

FOLDER = "_schemas"  # below the folder of the site


class Families(SphinxDirective):
    """Shows each family as a section."""

    def run(self) -> list[nodes.Node]:
        if self.env.app.builder.format != "html":
            return []
        found = [(one.name, one.encoder) for one in find_encoders().values()]
        built_in = [pair for pair in found if pair[1].__module__.startswith("problems.")]
        lines = [line for name, encoder in built_in for line in self._describe(name, encoder)]
        return self.parse_text_to_nodes(StringList(lines, "families"), allow_section_headings=True)

    def _describe(self, name: str, encoder: type[Encoder]) -> Iterator[str]:
        """Yield the lines of a section, and write the schema."""
        described = schema(encoder)
        folder = Path(self.env.app.outdir) / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.json").write_text(json.dumps(described, indent=2, ensure_ascii=False), "utf-8")
        yield from (f".. _{name}:", "", name, "-" * len(name), "")
        yield from inspect.cleandoc(encoder.__doc__ or "").partition("\nExamples\n")[0].strip().split("\n")
        yield ""
        for key, field in described.get("properties", {}).items():
            yield f"``{key}`` ({_describe_default(field, required=key in described.get('required', ()))})"
            yield from (f"   {line}" for line in inspect.cleandoc(field.get("description", "A value.")).split("\n"))
            yield ""
        yield from (f"`JSON Schema of {name} <../{FOLDER}/{name}.json>`__", "")


def _describe_default(field: Mapping[str, Any], *, required: bool) -> str:
    if required:
        return "required"
    return f"default ``{json.dumps(field['default'], ensure_ascii=False)}``" if "default" in field else "optional"


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive; its page is made anew each time, since it writes files beside the pages."""
    app.connect("env-get-outdated", lambda *_: ["reference/families"])
    app.add_directive("families", Families)
    return {"parallel_read_safe": True}
