"""Links that hold whole puzzles. The sites that they belong to are found by entry points, as encoders are."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from exactcover.encoders.discovery import find_sites
from exactcover.encoders.encoder import Encoder
from exactcover.errors import ConfigError, Mistake, ParameterError
from exactcover.pictures.text import cut

_MOST_CHARACTERS = 1 << 20
_MOST_SHOWN = 60  # characters of a link in messages


class Linked(NamedTuple):
    """The puzzle in a link."""

    problem: str  # the family
    params: dict[str, Any]  # as they may stand in a file
    title: str | None = None  # if it has one
    left_out: tuple[str, ...] = ()  # what the link says that is no rule, such as drawings, in the words of the site


class Written(NamedTuple):
    """A link with a puzzle, or another text that is no link."""

    text: str
    left_out: tuple[str, ...] = ()  # what of the puzzle is no rule, and has no place in the link, such as its title


class Site(Protocol):
    """A module that reads and writes the links of a site, which is announced as an entry point."""

    def read(self, link: str) -> Linked | None:
        """Return the puzzle in a link, without asking any server; None if the link belongs to another site.

        It may be missing where a puzzle is written as a text that is no link. Raise ``ParameterError`` if the link
        holds no puzzle, or one with a rule that no family can state.
        """

    def write(self, encoder: Encoder, title: str | None = None) -> Written:
        """Return a link with the puzzle of an encoder, and with a title if there is a place for it.

        Raise ``ParameterError`` if the site cannot state all of it.
        """


def is_link(text: str) -> bool:
    """Return whether a text is a link.

    >>> is_link("https://puzz.link/p?slither/2/2/3b"), is_link("queens.yaml")
    (True, False)
    """
    return re.match(r"\s*https?://\S", text, re.IGNORECASE) is not None


def shorten(link: str) -> str:
    """Return the begin of a link, for messages."""
    return cut(link.strip().partition("\n")[0].rstrip(), _MOST_SHOWN)


def read_link(link: str) -> Linked:
    """Return the puzzle in a link, without asking its site; a ``ConfigError`` says why there is none.

    >>> read_link("https://puzz.link/p?slither/2/2/dg").params
    {'clues': [['3', '.'], ['.', '.']]}
    """
    link = link.strip()
    lines = link.split("\n")
    if len(link) > _MOST_CHARACTERS:
        fault = f"a link has at most {_MOST_CHARACTERS:,} characters, this one {len(link):,}"
    elif len(lines) > 1:
        fault = f"expected one link, got another line behind it: {cut(lines[1].strip(), _MOST_SHOWN)!r}"
    else:
        sites: dict[str, Site] = {name: site for name, site in find_sites().items() if hasattr(site, "read")}
        try:
            for site in sites.values():
                if (linked := site.read(link)) is not None:
                    return linked
            fault = f"no puzzle is known to be in links of this site; expected one of {', '.join(sites)}, or a file"
        except ParameterError as error:
            fault = _describe_fault(error)
    raise ConfigError([Mistake(fault, shorten(link))])


def write_link(encoder: Encoder, site: str, title: str | None = None) -> Written:
    """Return a link to a site with the puzzle of an encoder; a ``ConfigError`` says what prevents that.

    >>> from problems import Slitherlink
    >>> write_link(Slitherlink("3./.."), "puzzlink", "Three")
    Written(text='https://puzz.link/p?slither/2/2/dg', left_out=('title',))
    """
    found: Site | None = find_sites().get(site)
    if found is None:
        raise ConfigError([Mistake("no installed plugin writes links of this site", site)])
    try:
        return found.write(encoder, title)
    except ParameterError as error:
        raise ConfigError([Mistake(_describe_fault(error), site)]) from None


def list_links(encoder: Encoder) -> dict[str, str]:
    """Return a link to each site that can state all of a puzzle.

    >>> from problems import Slitherlink
    >>> list(list_links(Slitherlink("3./..")))
    ['penpa', 'puzzlink']
    """
    found: dict[str, str] = {}
    for name, site in find_sites().items():
        if hasattr(site, "read"):  # others write files
            with suppress(ParameterError):
                found[name] = site.write(encoder).text
    return found


def _describe_fault(error: ParameterError) -> str:
    """Return what is wrong with a link, and where in it."""
    path = [str(part) for part in error.path if part not in ("", "link")]
    return f"{'.'.join(path)}: {error.message}" if path else error.message
