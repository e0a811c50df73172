"""``exactcover problems``: lists the installed problems, or explains one."""

from __future__ import annotations

import inspect
import json
import re
import shutil
import sys
import textwrap
from typing import Any

import click

from exactcover.cli.flags import Verb
from exactcover.cli.messages import Exit
from exactcover.cli.target import complete_family
from exactcover.config import configuration as config
from exactcover.encoders.discovery import find_configs, find_encoder, find_encoders


@click.command(cls=Verb)
@click.argument("name", required=False, shell_complete=complete_family)
@click.option("--configs", is_flag=True, help="List the bundled YAML files. Each can be a TARGET.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of the parameters of NAME.")
def problems(name: str | None, configs: bool, schema: bool) -> int:
    """List the installed problem families, or explain the family NAME."""
    if configs and (name is not None or schema):
        raise click.UsageError("--configs lists all bundled files; leave out the others")
    if configs:
        _print_table({file: _get_first_comment(path.read_text("utf-8")) for file, path in find_configs().items()})
    elif name is None and schema:
        raise click.UsageError("--schema needs the NAME of a problem")
    elif name is None:
        _print_families()
    elif schema:
        click.echo(json.dumps(config.schema(find_encoder(name)), indent=2, ensure_ascii=False))
    else:
        _print_explanation(name)
    return Exit.DELIVERED


def _print_families() -> None:
    """Print the families of each distribution under its name."""
    groups: dict[str, dict[str, str]] = {}
    for found in find_encoders().values():
        groups.setdefault(found.distribution, {})[found.name] = found.summary
    for number, (distribution, families) in enumerate(sorted(groups.items())):
        click.echo(("\n" if number else "") + f"{distribution}:")
        _print_table(families, margin="  ")


def _print_table(lines: dict[str, str], margin: str = "") -> None:
    """Print names and texts in two columns; on a terminal, wrap texts within their column."""
    width = max(map(len, lines), default=0)
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize
    for name, text in lines.items():
        first = f"{margin}{name.ljust(width)}  "
        wrapped = textwrap.wrap(text, max(20, columns - len(first) - 1)) or [""]
        click.echo(("\n" + " " * len(first)).join(wrapped).join([first, ""]).rstrip())


def _get_first_comment(text: str) -> str:
    first = text.partition("\n")[0]
    return first.removeprefix("#").strip() if first.startswith("#") else ""


def _print_explanation(name: str) -> None:
    """Print the purpose and the parameters of an encoder, and an example that can be copied."""
    encoder = find_encoder(name)
    description = inspect.cleandoc(encoder.__doc__ or "").partition("\nExamples\n")[0].strip()
    click.echo(f"{name}: {description}\n\nParameters:")
    schema = config.schema(encoder)
    required = schema.get("required", [])
    for key, field in schema.get("properties", {}).items():
        default = "required" if key in required else f"default {json.dumps(field.get('default'), ensure_ascii=False)}"
        if key not in required and "default" not in field:
            default = "optional"
        click.echo(f"\n  {key}: {_describe_type(field, schema)}, {default}")
        if "description" in field:
            click.echo(_indent(field["description"]))
    for file, path in find_configs().items():
        text = path.read_text("utf-8")
        if f"\nproblem: {name}\n" in f"\n{text}":
            click.echo(f"\nExample ({file}):\n\n{_indent(text.strip())}")
            break


def _indent(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in inspect.cleandoc(text).splitlines())


_TYPE_NAMES = {"integer": "whole number", "string": "text", "boolean": "true or false", "null": "null"}


def _describe_type(field: dict[str, Any], schema: dict[str, Any]) -> str:
    """Return in words what a part of a JSON Schema allows."""
    if "$ref" in field:
        return _describe_type(schema["$defs"][field["$ref"].rpartition("/")[2]], schema)
    if "anyOf" in field:
        return " or ".join(dict.fromkeys(_describe_type(part, schema) for part in field["anyOf"]))
    if "enum" in field or "const" in field:
        return " or ".join(json.dumps(value) for value in field.get("enum", [field.get("const")]))
    kind = str(field.get("type", "anything"))
    if kind == "array":
        if "prefixItems" in field:
            return f"[{', '.join(_describe_type(part, schema) for part in field['prefixItems'])}]"
        inner = field.get("items")
        return f"list of {_to_plural(_describe_type(inner, schema))}" if inner else "list"
    if kind == "object":
        inner = field.get("additionalProperties")
        return f"mapping of names to {_describe_type(inner, schema)}" if isinstance(inner, dict) else "mapping"
    bounds = [f" {sign} {field[key]}" for key, sign in (("minimum", ">="), ("maximum", "<=")) if key in field]
    return _TYPE_NAMES.get(kind, kind) + " and".join(bounds)


def _to_plural(words: str) -> str:
    """Return the description of a type in the plural."""
    return re.sub(r"^(list|whole number|number|mapping)\b", r"\1s", words)
