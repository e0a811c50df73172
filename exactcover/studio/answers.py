"""The answers to the questions of the page. They are made in a process of their own, which may be ended at any time.

A question is a mapping with the key `question`; an answer is a sequence of mappings, called parts. Mistakes of the user
are parts too. Documents are the problem and the parameters of a YAML file.

An export gives what was asked for, or says why not. A sheet has a code if the puzzle can be played and fits into one.
"""

from __future__ import annotations

import base64
import io
import random
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeGuard

from exactcover.analysis.estimate import estimate, format_number
from exactcover.analysis.explain import explain
from exactcover.analysis.generate import NoPuzzleError, generate
from exactcover.config import strict_yaml
from exactcover.config.configuration import Configuration, read_text
from exactcover.config.write import SOURCE, describe, write_document
from exactcover.control.options import COUNT
from exactcover.control.stop import InnerStop, Stop
from exactcover.encoders.discovery import find_config, find_configs, find_encoder, find_encoders
from exactcover.encoders.encoder import Encoder, Paintable, defines
from exactcover.encoders.instances import list_wishes
from exactcover.encoders.step_pictures import mark_options
from exactcover.errors import ConfigError, CoverError, Mistake, ProblemError, StoppedError
from exactcover.formats.puzzle_sheets import CUT, add_pieces, draw, has_flat_pieces
from exactcover.formats.registry import SOLUTIONS
from exactcover.formats.solution_tables import WriterSettings
from exactcover.pictures import contact_sheet
from exactcover.pictures.page_formats import convert
from exactcover.pictures.paper import Paper, Words, put_on_paper
from exactcover.pictures.svg import MAX_PICTURES
from exactcover.pictures.text import digits
from exactcover.problem import Label, Problem
from exactcover.reasons.deductions import StepKind, StepLevel, solve_by_deductions
from exactcover.viewer.link import NO_CODE, make_puzzle_code, pack_link, pack_state
from exactcover.viewer.view import ViewOptions, describe_play, find_position, search_position, view


def open_document(text: str) -> Configuration:
    """Return the configuration that YAML describes; raise ``ConfigError`` if the text contains mistakes."""
    return read_text(text.encode(errors="surrogatepass"), SOURCE)


def read_document(text: str) -> dict[str, Any]:
    """Return YAML that describes a configuration as a document, which the page edits."""
    return dict(strict_yaml.parse(text.encode(), SOURCE).value)


def describe_mistake(mistake: Mistake) -> str:
    """Return a mistake in a painted puzzle in words of the board, without the lines of a text that nobody has written.

    Examples
    --------
    >>> describe_mistake(Mistake("copies.A: expected a whole number, got 'x'", SOURCE, 7, 12))
    "copies of A: expected a whole number, got 'x'"
    >>> describe_mistake(Mistake("pieces: there are no pieces; expected a set", SOURCE, 5, 3))
    'there are no pieces yet: add a set, or draw one'
    """
    for start, words in _FIRST_STEPS.items():
        if mistake.message.startswith(start):
            return words
    found = re.match(r"(board|pieces|copies|placed)(?:\.([^:]*))?: (.*)", mistake.message, re.DOTALL)
    if found is None:
        return mistake.message
    return f"copies of {found[2]}: {found[3]}" if found[1] == "copies" and found[2] else found[3]


def locate_mistake(mistake: Mistake) -> str:
    """Return a mistake in the text of a puzzle with its place in words; other files are named.

    Examples
    --------
    >>> locate_mistake(Mistake("n: expected a whole number", SOURCE, 5, 3))
    'line 5, column 3: n: expected a whole number'
    """
    numbers = (("line", mistake.line), ("column", mistake.column))
    place = [f"{name} {number}" for name, number in numbers if number is not None]
    place = place if mistake.source == SOURCE else [mistake.source, *place]
    return ": ".join(filter(None, (", ".join(place), mistake.message)))


_FIRST_STEPS = {
    "pieces: there are no pieces": "there are no pieces yet: add a set, or draw one",
    "board: the board has no cell": "the board has no cells yet: paint some that are to be covered",
}
"""The next step in a puzzle that is just begun, by the first words of the mistake."""


def shorten(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a painted document with the size of a full board and the name of a set, where they say the same.

    Examples
    --------
    >>> pieces = {"I": "##"}
    >>> shorten({"problem": "polyomino", "params": {"board": ["...", "..."], "pieces": pieces, "copies": {"I": "any"}}})
    {'problem': 'polyomino', 'params': {'board': '2x3', 'pieces': 'dominoes', 'copies': 'any'}}
    """
    try:
        encoder = open_document(write_document(document)).encoder
        short = {**document, "params": dict(_shorten(encoder, dict(document["params"])))}
        same = paint(encoder) == paint(open_document(write_document(short)).encoder) and paint(encoder) is not None
    except (ConfigError, KeyError, TypeError, ValueError):
        return dict(document)
    return short if same else dict(document)


def _shorten(encoder: Encoder, params: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(encoder, Paintable):
        return params
    is_solid = encoder.painted_on == "cubes"
    layers = [layer.split("\n") for layer in params["board"]] if is_solid else [params["board"]]
    rows = [row for layer in layers for row in layer]
    if encoder.painted_on in ("squares", "cubes") and {*"".join(rows)} == {"."} and len({*map(len, rows)}) == 1:
        size = (len(layers[0]), len(rows[0]), *([len(layers)] if is_solid else []))
        params["board"] = "x".join(map(str, size))
    copies = list(params.get("copies", {}).values())
    for name in encoder.piece_sets():
        drawings = dict(encoder.draw_pieces(name))
        same = params["pieces"] in (drawings, {key: f"{name}.{key}" for key in drawings})
        if same and all(one == copies[0] for one in copies):
            params |= {"pieces": name, "copies": copies[0]}
            break
    usual = {"placed": [], "copies": 1, "rotate": True, "reflect": encoder.painted_on not in ("cubes", "spheres")}
    return {key: value for key, value in params.items() if key not in usual or value != usual[key]}


def paint(encoder: Encoder) -> dict[str, Any] | None:
    """Return the parameters of an encoder as drawings, or None if its board cannot be painted."""
    painted = encoder.paint() if isinstance(encoder, Paintable) and encoder.painted_on else None
    return None if painted is None else dict(painted)


def is_paintable(encoder: type[Encoder]) -> TypeGuard[type[Paintable]]:
    """Return whether the board of an encoder can be painted."""
    return issubclass(encoder, Paintable) and bool(encoder.painted_on)


_FILES = {
    "svg": ("svg", 1, "solution.svg"),
    "sheet": ("svg", MAX_PICTURES, "solutions.svg"),
    "cut": ("cut", 1, "pieces.svg"),
    "dxf": ("dxf", 1, "pieces.dxf"),
    "stl": ("stl", 1, "pieces.stl"),
}
"""Formats that a writer of solutions writes, how many solutions it gets, and the name of the file."""

_SAVED_PAGE = ViewOptions(solutions=1_000, nodes=3_000)
_STEP = 0.5  # seconds between two messages

Reply = dict[str, Any]

_COUNT_SECONDS = 8.0
_SHORT_SECONDS = 2.0
_PLAYED = {"sudoku", "queens"}  # families to play with, besides those that are painted
_PAGE = ViewOptions(solutions=1_000, nodes=3_000, seconds=_SHORT_SECONDS, play=False)


def _export(question: Mapping[str, Any], stop: Stop) -> Iterator[Reply]:
    """Yield how far a file of some kind is, and at last the file; a QR code opens the page, if there is one."""
    configuration, text = _read(question)
    kind, page = str(question.get("format")), str(question.get("page") or "")
    if kind == "yaml":
        yield _make_file("puzzle.yaml", text.encode())
        return
    encoder, title = configuration.encoder, configuration.describe()
    if kind != "html" and not defines(encoder, "draw"):
        raise ValueError(f"problem {configuration.problem!r} has no pictures")
    problem = encoder.problem(stop)
    if kind == "html":
        yield {"progress": "searching"}
        yield _make_file("puzzle.html", view(problem, encoder, title=title, options=_SAVED_PAGE, stop=stop).encode())
    elif kind == "puzzle":
        yield _make_file("puzzle.svg", contact_sheet([draw(encoder, problem.givens)]).encode())
    elif kind == "print":
        yield _make_file("puzzle.pdf", _print_puzzle(problem, encoder, title, page, stop))
    elif kind in _FILES:
        yield from _write_solutions(problem, encoder, configuration, kind, stop)
    else:
        raise ValueError(f"there is no format {kind!r}")


def _make_file(name: str, content: bytes) -> dict[str, Any]:
    return {"name": name, "content": base64.b64encode(content).decode()}


def _write_solutions(
    problem: Problem, encoder: Encoder, configuration: Configuration, kind: str, stop: Stop
) -> Iterator[dict[str, Any]]:
    name, most, file = _FILES[kind]
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    search = problem.solve(limit=most, stop=stop)
    settings = WriterSettings(configuration.problem, configuration.params, str, title=configuration.describe())
    writer = SOLUTIONS[name].load_writer()(out, problem, encoder, search, settings)
    told = time.monotonic()
    for number, positions in enumerate(search.positions(), 1):
        writer.write_solution(positions)
        if time.monotonic() - told > _STEP:
            told = time.monotonic()
            yield {"progress": f"{number} of at most {most} solutions"}
    if search.status.stopped:
        raise StoppedError(search.status, search.statistics.solutions, search.statistics)
    writer.close()
    content = out.buffer.getvalue()
    if not content:
        raise ValueError("there is no solution to export")
    yield _make_file(file, content)


# -- the puzzle on paper ----------------------------------------------------------------------------------


def _print_puzzle(problem: Problem, encoder: Encoder, title: str, page: str, stop: Stop) -> bytes:
    """Return a sheet with the puzzle, its pieces if they are flat, and a code with which it is played."""
    code = make_puzzle_code(problem, encoder, title, page, stop) if page else None
    words = Words(title, foot=NO_CODE if page and code is None else "", code=code)
    paper, picture = Paper.read("a4"), draw(encoder, problem.givens)
    if has_flat_pieces(encoder):
        words = replace(words, line=CUT)
        picture = add_pieces(picture, encoder, problem, problem.givens, paper.aspect(words))
    sheet = contact_sheet([picture], aspect=paper.aspect(words))
    return convert(put_on_paper(sheet, paper, words), "pdf")


def answer(question: Mapping[str, Any], *, timeout: float = 20.0) -> Iterator[Reply]:
    """Yield the parts of the answer; whatever is wrong with the question is one of them, and so is its timeout."""
    try:
        kind = question.get("question")
        if kind not in _ANSWERS:
            raise ValueError(f"there is no question {kind!r}")
        yield from _ANSWERS[kind](question, Stop(timeout=timeout, memory=1 << 30))
    except ConfigError as error:
        say = describe_mistake if "document" in question else locate_mistake
        yield {"mistakes": [say(mistake) for mistake in error.mistakes]}
    except StoppedError as error:
        yield {"error": f"{error.status.words}; the puzzle may be too large"}
    except MemoryError:
        yield {"error": "out of memory; the puzzle is too large"}
    except Exception as error:  # whatever the page sends, the worker answers
        yield {
            "error": f"{error}" if isinstance(error, CoverError | ValueError) else f"not a valid question: {error!r}"
        }


def _read(question: Mapping[str, Any]) -> tuple[Configuration, str]:
    """Return the configuration and the YAML of a question."""
    if "example" in question:
        path = find_config(str(question["example"]))
        if path is None:
            raise ValueError(f"there is no example {question['example']!r}")
        text = path.read_text("utf-8")
    else:
        text = question["yaml"] if "yaml" in question else write_document(question["document"])
    if not isinstance(text, str):
        raise ValueError("a puzzle is a text")
    return open_document(text), text


def _list_families(_: Mapping[str, Any], __: Stop) -> Iterator[Reply]:
    found = [one for _, one in sorted(find_encoders().items())]
    families = [_describe_family(one.name, one.encoder) for one in found]
    shown = {one["name"] for one in families if one["isPlayed"]}
    examples = [name for name, path in find_configs().items() if _family_of(path) in shown]
    yield {"families": families, "examples": examples}


def _describe_family(name: str, encoder: type[Encoder]) -> Reply:
    if not is_paintable(encoder):
        return {"name": name, "paintedOn": "", "sets": [], "isPlayed": name in _PLAYED}
    return {"name": name, "paintedOn": encoder.painted_on, "sets": list(encoder.piece_sets()), "isPlayed": True}


def _family_of(path: Path) -> str:
    found = re.search(r"^problem: (\w+)", path.read_text("utf-8"), re.MULTILINE)
    return found[1] if found else ""


def _list_pieces(question: Mapping[str, Any], _: Stop) -> Iterator[Reply]:
    encoder = find_encoder(str(question["problem"]))
    if not is_paintable(encoder):
        raise ValueError(f"the pieces of {question['problem']} cannot be painted")
    yield {"pieces": dict(encoder.draw_pieces(str(question["set"])))}


def _open(question: Mapping[str, Any], _: Stop) -> Iterator[Reply]:
    configuration, text = _read(question)
    encoder = configuration.encoder
    document = read_document(text)
    painted_on = getattr(encoder, "painted_on", "")
    yield {"document": document, "yaml": text, "painted": paint(encoder), "paintedOn": painted_on}


def _write(question: Mapping[str, Any], _: Stop) -> Iterator[Reply]:
    yield {"yaml": question["yaml"] if "yaml" in question else write_document(shorten(question["document"]))}


def _look(question: Mapping[str, Any], stop: Stop) -> Iterator[Reply]:
    """Yield the facts about a puzzle, the quick ones first."""
    configuration, text = _read(question)
    yield {"yaml": text}
    problem = configuration.encoder.problem(stop)
    yield {"options": len(problem.options)}
    yield _find_forced(configuration.encoder, problem, stop)
    yield _first_solution(configuration, problem, stop)
    estimated = estimate(problem, probes=300, stop=InnerStop(stop, _SHORT_SECONDS), timed=False)
    nodes = format_number(estimated.nodes, rounded=True)
    yield {"estimate": f"about {nodes} node{'' if nodes == '1' else 's'}"}
    known: dict[str, Any] = {}
    for part in _count_once(problem, stop):
        known |= part
        yield part
    if known.get("unique") is False and known["count"] != "0":
        yield _find_decisive(configuration.encoder, problem, stop)


def _find_forced(encoder: Encoder, problem: Problem, stop: Stop) -> Reply:
    """Return what follows from the givens by the simplest steps, as a picture."""
    level = StepLevel(kind=StepKind.BLOCK)
    try:
        path = solve_by_deductions(problem, InnerStop(stop, _SHORT_SECONDS), level=level, explain=False)
    except CoverError:  # it is too large, or takes too long
        return {}
    forced = [label for one in path.deductions for label in one.chosen]
    picture = encoder.draw([*problem.givens, *forced]) if forced and path.reason is None else None
    if picture is None:
        return {}
    return {"forced": contact_sheet([replace(picture, caption="")])}


def _find_decisive(encoder: Encoder, problem: Problem, stop: Stop) -> Reply:
    """Return the options each of which leaves one solution, if it is given, and their places in a picture."""
    try:
        decisive = explain(problem, stop=InnerStop(stop, _SHORT_SECONDS)).decisive
    except CoverError:
        return {}
    picture = mark_options(encoder, problem.givens, decisive) if decisive else None
    if picture is None:
        return {}
    return {"decisive": contact_sheet([replace(picture, caption="")]), "leave": len(decisive)}


def _first_solution(configuration: Configuration, problem: Problem, stop: Stop) -> Reply:
    search = search_position(problem, [], stop)
    solution = next(search, None)
    if solution is None:
        status = search.status
        return {"solved": False, "reason": search.reason or (status.words if status.stopped else "")}
    picture = configuration.encoder.draw(solution)
    if picture is None:
        return {"solved": True, "picture": None}
    note = "; a cheaper one may exist" if problem.matrix.costs and search.status.stopped else ""
    drawn = contact_sheet([replace(picture, caption="")])
    return {"solved": True, "picture": drawn, "caption": picture.caption and f"{picture.caption}{note}"}


_counted: dict[tuple[object, ...], list[Reply]] = {}  # the newest numbers, which many changes of a document keep


def _count_once(problem: Problem, stop: Stop) -> Iterator[Reply]:
    key = problem.fingerprint(), *problem.given_positions, -1, *problem.excluded_positions
    if key not in _counted:
        found: list[Reply] = []
        for part in _count(problem, stop):
            found.append(part)
            yield part
        _counted.clear()
        _counted[key] = found
    else:
        yield from _counted[key]


def _count(problem: Problem, stop: Stop) -> Iterator[Reply]:
    limited = InnerStop(stop, _COUNT_SECONDS)
    search = problem.search(COUNT, stop=limited)
    try:
        number = search.count()
    except StoppedError:  # how far the count came depends on what else the machine does
        yield {"count": f"not counted in {_COUNT_SECONDS:g} seconds"}
        return
    yield {"count": digits(number, grouped=True), "unique": number == 1}
    if 1 < number < 100_000:
        try:
            distinct = problem.count(distinct=True, stop=InnerStop(stop, _SHORT_SECONDS))
            yield {"distinct": digits(distinct, grouped=True)}
        except (StoppedError, CoverError):
            return


def _explain(question: Mapping[str, Any], stop: Stop) -> Iterator[Reply]:
    configuration, _ = _read(question)
    found = explain(configuration.encoder.problem(stop), stop=stop)
    yield {
        "solutions": len(found.solutions) if found.count is None else found.count,
        "several": found.count is None,
        "needless": [str(label) for label in found.needless],
        "decisive": [str(label) for label in found.decisive[:100]],
        "conflict": [str(label) for label in found.conflict],
        "items": [str(item) for item in found.items],
        "reason": found.reason,
    }


def _generate(question: Mapping[str, Any], stop: Stop) -> Iterator[Reply]:
    """Make a puzzle of the wanted hardness; it stands in a document, if the family can write its givens."""
    configuration, text = _read(question)
    encoder = configuration.encoder
    low, high = int(question.get("low") or 0), float(question.get("high") or "inf")
    clues = int(question["clues"]) if question.get("clues") else None
    seed = int(question.get("seed") or random.SystemRandom().randrange(1 << 32))
    problem = encoder.problem(stop)
    if defines(encoder, "parse"):  # a new puzzle has other givens
        problem = problem.full()
    try:
        puzzle = next(generate(problem, seed=seed, clues=clues, nodes=(low, high), **list_wishes(encoder, stop)))
    except NoPuzzleError as error:
        raise ValueError(f"{error}") from None
    document = None
    if defines(encoder, "parse"):
        document = describe(configuration.problem, encoder.parse(encoder.unparse(puzzle.givens)))
    elif isinstance(encoder, Paintable):
        document = describe(configuration.problem, encoder)
        document["params"]["placed"] = [str(label) for label in puzzle.givens]
    if document is not None:  # the other sections stay, but what is known is not true of the new puzzle
        document = {**read_document(text), **document}
        document.pop("known", None)
    yield {"givens": [str(label) for label in puzzle.givens], "nodes": puzzle.nodes, "document": document, "seed": seed}


def _play(question: Mapping[str, Any], stop: Stop) -> Iterator[Reply]:
    """Yield the board of a puzzle with all its options, its pieces, and whether it has a solution, if that is known."""
    configuration, _ = _read(question)
    yield describe_play(configuration.encoder.problem(stop), configuration.encoder, stop)


def _link(question: Mapping[str, Any], stop: Stop) -> Iterator[Reply]:
    """Yield the text of a link, and what has to be said about it."""
    configuration, _ = _read(question)
    encoder = configuration.encoder
    state = {key: question[key] for key in ("yaml", "document", "chosen", "pencil", "view") if key in question}
    title = configuration.describe()
    try:
        link = pack_link(encoder.problem(stop), encoder, title=title, more=state, stop=stop)
        note = "" if link.has_solutions else "It does not contain all solutions, so hints take longer."
    except ProblemError as error:
        link, note = pack_state(title, state), f"Opens only in a studio: {error}."
    yield {"link": link.text, "note": note}


def _check_position(question: Mapping[str, Any], stop: Stop) -> Iterator[Reply]:
    """Yield whether a position has a solution, if that is known in time, and one."""
    problem, chosen, without = _read_position(question, stop)
    solvable, solution = find_position(problem, chosen, stop, without)
    yield {"solvable": solvable, "solution": solution}


def _find_candidates(question: Mapping[str, Any], stop: Stop) -> Iterator[Reply]:
    """Yield the options that are in some solution of a position, or None if that is not known in time."""
    problem, chosen, without = _read_position(question, stop)
    solver, limited = problem.full().reusable_solver(), InnerStop(stop, _SHORT_SECONDS)
    given, excluded = [*problem.givens, *chosen], [*problem.excluded, *without]
    try:
        found = solver.candidates(given=given, without=excluded, stop=limited)
    except StoppedError:
        yield {"possible": None}
        return
    yield {"possible": problem.positions_of(found.possible)}


def _read_position(question: Mapping[str, Any], stop: Stop) -> tuple[Problem, list[Label], list[Label]]:
    """Return the problem of a question, and the options that are chosen and ruled out."""
    configuration, _ = _read(question)
    problem = configuration.encoder.problem(stop)
    options = dict(enumerate(problem.labels))
    chosen, without = ([options[int(k)] for k in question.get(name, ())] for name in ("chosen", "without"))
    return problem, chosen, without


def _make_page(question: Mapping[str, Any], stop: Stop) -> Iterator[Reply]:
    configuration, _ = _read(question)
    problem = configuration.encoder.problem(stop)
    yield {"page": str(view(problem, configuration.encoder, title=configuration.describe(), options=_PAGE, stop=stop))}


_ANSWERS: dict[Any, Callable[[Mapping[str, Any], Stop], Iterator[Reply]]] = {
    "families": _list_families,
    "pieces": _list_pieces,
    "open": _open,
    "write": _write,
    "look": _look,
    "explain": _explain,
    "generate": _generate,
    "play": _play,
    "position": _check_position,
    "candidates": _find_candidates,
    "link": _link,
    "export": _export,
    "page": _make_page,
}
