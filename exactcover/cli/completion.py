"""Completion in a shell: of verbs, families, files, parameters and engines."""

from __future__ import annotations

import dataclasses
from contextlib import suppress
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from exactcover.encoders.discovery import find_config, find_configs, find_encoders
from exactcover.engines.registry import ENGINES

__all__ = [
    "complete_engine",
    "complete_family",
    "complete_file",
    "complete_file_or_parameter",
    "complete_folder",
    "complete_parameter",
    "complete_target",
    "complete_verb",
]


def complete_verb(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the verbs with this beginning; after verbs, those of the last one."""
    assert context.parent is not None
    command = context.parent.command
    for word in context.params.get(str(parameter.name)) or ():
        found = command.get_command(context, word) if isinstance(command, click.Group) else None
        if found is None:
            return []
        command = found
    return command.shell_complete(click.Context(command), incomplete) if isinstance(command, click.Group) else []


def complete_file(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell complete files."""
    return [CompletionItem(incomplete, type="file")]


def complete_folder(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell complete folders."""
    return [CompletionItem(incomplete, type="dir")]


def complete_file_or_parameter(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the parameters of the target with this beginning; if there are none, let the shell complete files."""
    found = complete_parameter(context, parameter, incomplete) if incomplete else []
    return found or complete_file(context, parameter, incomplete)


def complete_family(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the families with this beginning."""
    found = sorted(find_encoders().items())
    return [CompletionItem(name, help=one.summary) for name, one in found if name.startswith(incomplete)]


def complete_engine(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the installed engines with this beginning."""
    return [CompletionItem(name) for name in ("auto", *ENGINES) if name.startswith(incomplete)]


def complete_target(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the families and bundled files with this beginning; if there are none, let the shell complete files.

    The types are never mixed: one candidate of type ``file`` makes bash drop all others.
    """
    families = complete_family(context, parameter, incomplete)
    bundled = [CompletionItem(name) for name in find_configs() if incomplete and name.startswith(incomplete)]
    return [*families, *bundled] or [CompletionItem(incomplete, type="file")]


def complete_parameter(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the parameters of the target with this beginning, if it is a family or a configuration of one."""
    with suppress(Exception):  # nothing that is wrong with the target may be printed between two words of a command
        encoder = _find_family(str(context.params.get("target") or ""))
        names = [field.name for field in dataclasses.fields(encoder) if field.init]  # type: ignore[arg-type]
        return [CompletionItem(f"{name}=", type="plain") for name in names if name.startswith(incomplete)]
    return []


def _find_family(target: str) -> object:
    encoders = find_encoders()
    if target in encoders:
        return encoders[target].encoder
    from exactcover.config.reading import read_file  # slow to import

    return type(read_file(find_config(target) or Path(target)).encoder)
