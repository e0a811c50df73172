"""``exactcover generate``: makes puzzles with exactly one solution."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import click

from exactcover.algorithm_x import Label
from exactcover.analysis.generate import NoPuzzleError, Puzzle, read_level
from exactcover.analysis.generate import generate as generate_puzzles
from exactcover.cli.flags import (
    Verb,
    add_format_flag,
    add_number_flag,
    add_option_flags,
    add_output_flag,
    add_target_arguments,
    read_by,
    report_bad_flags,
)
from exactcover.cli.messages import Exit, Progress, ReportedStopError, print_message
from exactcover.cli.output import check_terminal, choose_format, is_standard_output, make_renderer, open_output
from exactcover.cli.target import FixedProblem, Request, check_encoder
from exactcover.config.configuration import Configuration, read_text, state_givens
from exactcover.control.stop import Stop
from exactcover.encoders.encoder import Encoder, defines
from exactcover.encoders.instances import list_wishes
from exactcover.engines.base import ENGINES
from exactcover.errors import EngineUnavailableError, OutputError, StoppedError
from exactcover.formats.registry import PUZZLES, Format
from exactcover.pictures.heat import find_marks
from exactcover.pictures.text import format_count
from exactcover.problem import Problem
from exactcover.reasons.deductions import LEVELS, StepKind

_MOST_REPEATS = 100  # in a row
_MOST_LAYOUTS = 1000  # in a row without a puzzle
_MOST_UNSTATED = 20  # layouts in a row whose text cannot state givens, if a number of givens is wanted


def _read_range(text: str) -> tuple[int, float]:
    """Read LOW:HIGH, LOW: or :HIGH; a single number is both ends."""
    low, colon, high = text.partition(":")
    if not all(re.fullmatch(r"\d{0,15}", part, re.ASCII) for part in (low, high)) or not (colon or low):
        raise ValueError(f"expected LOW:HIGH, LOW: or :HIGH, got {text!r}")
    least, most = int(low or 0), (float(high) if high else math.inf) if colon else float(low)
    if least > most:
        raise ValueError(f"LOW must not be greater than HIGH, got {text!r}")
    return least, most


def _choose_format(stated: str | None, output: str | None, number: int) -> Format:
    """Return the format that is stated, or that belongs to the output.

    It is a folder for a name that ends with a slash; with several puzzles, for any new name without a suffix.
    """
    try:
        path = Path(output or "-")
        is_new = number > 1 and not path.suffix and not is_standard_output(output) and not path.exists()
        is_folder = path.is_dir() or str(output).endswith("/") or is_new
    except OSError as error:  # for example, the name is too long
        raise OutputError(f"{output}: {error.strerror}") from None
    chosen = choose_format(PUZZLES, "folder" if stated is None and is_folder else stated, output, "text")
    if chosen.name == "folder" and is_standard_output(output):
        raise click.UsageError("a folder needs a name; add -o FOLDER/")
    return chosen


def _check_flags(
    request: Request, configuration: Configuration, chosen: Format, number: int, *, symmetric: bool, new_layouts: bool
) -> None:
    """Reject formats and flags that the encoder does not support, or that exclude each other."""
    check_encoder(chosen, configuration)
    if new_layouts and not defines(configuration.encoder, "lay_out"):
        name = configuration.problem
        raise click.UsageError(f"problem {name!r} has no regions, cages or clues to draw anew; leave out --new-layouts")
    if chosen.name == "folder" and "native" not in ENGINES:
        raise EngineUnavailableError("puzzles in a folder are rated by steps, which need the native module")
    for flag, labels in (("--given", request.given), ("--without", request.without)):
        if new_layouts and labels:
            raise click.UsageError(f"{flag} names an option of one layout; leave it out, or leave out --new-layouts")
    if chosen.name == "yaml" and isinstance(configuration.encoder, FixedProblem):
        raise click.UsageError("a configuration cannot state items and options; choose --format text or jsonl")
    if chosen.name == "yaml" and number > 1:
        raise click.UsageError("a YAML file holds one puzzle; leave out -n, or choose another --format")
    if symmetric and not defines(configuration.encoder, "draw"):
        name = configuration.problem
        raise click.UsageError(f"problem {name!r} has no pictures; leave out --symmetric, which needs pictures")


def _lay_out_all(
    encoder: Encoder, seed: int, stop: Stop, tried: list[int], *, symmetric: bool, **wanted: Any
) -> Iterator[tuple[Encoder, Puzzle]]:
    """Yield puzzles without end, each with the encoder that shows it, which has a layout of its own.

    `tried` is how many layouts were made. Raise ``NoPuzzleError`` if many layouts in a row have no such puzzle.
    """
    generator, failures, unstated = random.Random(seed), 0, 0
    while True:
        laid = encoder.lay_out(generator, stop)
        if type(laid) is not type(encoder) or laid is encoder:
            what = "the same layout" if laid is encoder else f"a {type(laid).__name__}"
            expected = f"a {type(encoder).__name__} with another layout"
            raise click.UsageError(f"{type(encoder).__name__}.lay_out must return {expected}; it returned {what}")
        tried[0] += 1
        try:
            own, seed = _collect_wishes(laid, stop, symmetric=symmetric), generator.randrange(1 << 32)
            puzzle = next(generate_puzzles(laid.problem(stop), seed=seed, attempts=1, **own, **wanted))
            shown = _read_puzzle(laid, puzzle)
            if shown is None:
                unstated += 1
                raise NoPuzzleError("its text cannot state what would be given")
            yield shown, puzzle
            failures = unstated = 0
        except NoPuzzleError as error:
            failures += 1
            if wanted["clues"] and unstated >= _MOST_UNSTATED:
                raise click.UsageError("the text of such layouts cannot state givens; leave out --clues") from None
            if failures >= _MOST_LAYOUTS:
                raise NoPuzzleError(f"{failures:,} layouts have no such puzzle; of the last one, {error}") from None


def _collect_wishes(encoder: Encoder, stop: Stop, *, symmetric: bool) -> dict[str, Any]:
    """Return how puzzles are to be made as far as an encoder decides that."""
    own = list_wishes(encoder, stop)
    return own | {"together": _make_half_turn_groups(encoder)} if symmetric else own


def _describe(configuration: Configuration, encoder: Encoder) -> dict[str, Any]:
    """Return the family and the parameters of an encoder; no family for a file of items and options."""
    if isinstance(encoder, FixedProblem):
        return {"problem": None, "params": {}}
    from exactcover.config.write import describe  # loads PyYAML

    return describe(configuration.problem, encoder)


def _read_puzzle(encoder: Encoder, puzzle: Puzzle) -> Encoder | None:
    """Return the encoder of a puzzle as its text states it; None if that lacks givens."""
    if not defines(encoder, "parse"):
        return encoder
    shown = encoder.parse(encoder.unparse(puzzle.givens))
    return shown if set(shown.givens()) == set(puzzle.givens) else None


def _show_all(encoder: Encoder, puzzles: Iterable[Puzzle]) -> Iterator[tuple[Encoder, Puzzle]]:
    """Yield puzzles, each with the encoder that shows it."""
    for number, puzzle in enumerate(puzzles):
        shown = _read_puzzle(encoder, puzzle)
        more = "; --new-layouts makes others" if defines(encoder, "lay_out") else ""
        if shown is None:
            message = "the text of this family cannot state what would be given, so it has no puzzles"
            raise click.UsageError(message + more)
        if number == 0 and {*puzzle.givens} <= {*encoder.givens()}:
            further = "further " * bool(puzzle.givens)
            more = "; leave some of them out for others" if puzzle.givens else more
            print_message(f"there is one solution without {further}givens, so this is the only puzzle{more}")
        yield shown, puzzle


def _check_lines(template: Encoder, puzzles: Iterable[tuple[Encoder, Puzzle]]) -> Iterator[tuple[Encoder, Puzzle]]:
    """Yield puzzles with layouts of their own, each of which its text states."""
    for encoder, puzzle in puzzles:
        if template.parse(encoder.unparse(puzzle.givens)) != encoder:
            raise click.UsageError("lines do not state such layouts; choose another --format")
        yield encoder, puzzle


def _pick(
    puzzles: Iterable[tuple[Encoder, Puzzle]], number: int, made: list[int], *, new_layouts: bool
) -> Iterator[tuple[Encoder, Puzzle]]:
    """Yield `number` different puzzles, or fewer if many in a row are repeats; `made` counts those dealt with."""
    seen, repeats = set[Any](), 0
    for encoder, puzzle in puzzles:
        key = repr(encoder) if new_layouts else "", puzzle.givens
        if key in seen:
            repeats += 1
        else:
            seen.add(key)
            repeats = 0
            yield encoder, puzzle
            made[0] += 1
        if made[0] == number or repeats == _MOST_REPEATS:
            return


def _check_exclusions(problem: Problem, chosen: Format, *, new_layouts: bool) -> None:
    """Refuse excluded options where a puzzle could not state them, so that it would have more solutions."""
    if problem.excluded and (new_layouts or chosen.name not in ("jsonl", "folder")):
        what = "new layouts do" if new_layouts else f"the format {chosen.name} does"
        raise click.UsageError(f"{what} not state excluded options; leave them out, or choose --format jsonl")


def _write_document(configuration: Configuration, encoder: Encoder, puzzle: Puzzle) -> str:
    """Return a puzzle as YAML, whose parameters state its givens."""
    from exactcover.config.write import describe, write_document  # loads PyYAML

    name = configuration.problem
    document = describe(name, encoder)
    params = state_givens(name, document["params"], puzzle.givens, "puzzle")
    if params is None:
        raise click.UsageError(f"problem {name!r} has no parameter for these givens; choose --format jsonl")
    text = write_document({**document, "params": params})
    read = read_text(text.encode(), name).encoder  # to be sure that it has these givens
    if sorted(map(str, read.givens())) != sorted(map(str, puzzle.givens)):
        raise RuntimeError(f"the parameters do not state the givens: {text}")
    return text


def _make_half_turn_groups(encoder: Encoder) -> Callable[[Sequence[Label]], Iterable[set[Label]]]:
    """Return a function that pairs the options of a solution whose places are exchanged by a half turn."""

    def group_options(solution: Sequence[Label]) -> Iterable[set[Label]]:
        full, empty = encoder.draw(solution), encoder.draw(())
        if full is None or not full.placed:
            raise click.UsageError("--symmetric needs pictures that can be shown as text; leave it out")
        bare_shapes = set(() if empty is None else empty.shapes)
        labels: dict[frozenset[tuple[int, int]], Label] = {}
        for label in solution:
            picture = encoder.draw((label,))
            places = frozenset(find_marks(bare_shapes, picture)[1] if picture is not None else ())
            if places:  # an option without a place cannot be given
                labels[places] = label
        first, last = ([pick(place[k] for place in full.placed) for k in (0, 1)] for pick in (min, max))
        for places, label in labels.items():
            turned = frozenset((first[0] + last[0] - row, first[1] + last[1] - column) for row, column in places)
            if turned in labels:  # an option without a partner cannot be given
                yield {label, labels[turned]}

    return group_options


@click.command(cls=Verb)
@add_number_flag("puzzles")
@click.option(
    "--clues",
    type=click.IntRange(min=0, max=10**9),
    metavar="N",
    help="Number of givens. By default, every given that is added is needed.",
)
@click.option(
    "--nodes",
    metavar="LOW:HIGH",
    default=":",
    callback=read_by(_read_range),
    help="Make puzzles of this difficulty: the number of nodes that a search visits. LOW or HIGH may be left out.",
)
@click.option(
    "--level",
    type=click.Choice(list(LEVELS)),
    help="Make puzzles that are solved step by step without a guess, the hardest step of this level.",
)
@click.option(
    "--most-step",
    type=click.Choice([kind.value for kind in StepKind]),
    help="Make puzzles that are solved by steps of this kind and simpler ones.",
)
@click.option(
    "--new-layouts",
    is_flag=True,
    help="Make regions, cages or clues anew for each puzzle, in place of those of TARGET and of its givens.",
)
@click.option("--symmetric", is_flag=True, help="Make the pattern of the givens symmetric under a half turn.")
@add_format_flag(PUZZLES)
@add_option_flags("seed")
@add_output_flag
@add_target_arguments
def generate(
    request: Request,
    number: int,
    seed: int | None,
    clues: int | None,
    nodes: tuple[int, float],
    level: str | None,
    most_step: str | None,
    new_layouts: bool,
    symmetric: bool,
    output_format: str | None,
    output: str | None,
) -> int:
    """Make puzzles from TARGET, each with exactly one solution.

    A puzzle is a set of givens. The givens of TARGET are part of every puzzle. --format selects pictures
    with text (text, the default), only the text that batch reads (lines), one record per puzzle (jsonl), or
    sheets of numbered pictures with the pieces to place, and the answers on a page of their own (pdf; svg and png
    write a file NAME-answers beside it), or a configuration (yaml). With -o FOLDER/, records are written into a
    new folder, each rated and with a certificate that there is one solution.

    \b
    exactcover generate sudoku --seed 1
    exactcover generate sudoku --symmetric --clues 28 -n 6 --format svg -o sheet.svg
    exactcover generate sudoku --level hard -n 3
    exactcover generate sudoku --nodes 200: -n 3 -o book.pdf
    exactcover generate queens n=12
    exactcover generate killer_sudoku.yaml --new-layouts --level medium
    exactcover generate sudoku -n 1000 --seed 1 --level medium -o sudokus/
    """
    chosen = _choose_format(output_format, output, number)
    with report_bad_flags():
        read_level(level, most_step)
    configuration = request.read_configuration()
    encoder = configuration.encoder
    _check_flags(request, configuration, chosen, number, symmetric=symmetric, new_layouts=new_layouts)
    check_terminal(chosen, output)
    problem = request.build_problem(configuration)
    seed = random.SystemRandom().randrange(1 << 32) if seed is None else seed
    if request.verbosity > 0:
        print_message(f"seed      {seed}")
    _check_exclusions(problem, chosen, new_layouts=new_layouts)
    stop = request.stop
    wanted: dict[str, Any] = {"clues": clues, "nodes": nodes, "level": level, "most_step": most_step}
    made, tried = [0], [0]
    if new_layouts:
        puzzles = _lay_out_all(encoder, seed, stop, tried, symmetric=symmetric, **wanted)
    else:
        wanted |= _collect_wishes(encoder, stop, symmetric=symmetric)
        puzzles = _show_all(encoder, generate_puzzles(problem, seed=seed, **wanted))
    if new_layouts and chosen.name == "lines":
        puzzles = _check_lines(encoder, puzzles)
    shown = _pick(puzzles, number, made, new_layouts=new_layouts)

    def describe_progress() -> str:
        layouts = f", {format_count(tried[0], 'layout')} tried" if new_layouts else ""
        return f"{made[0]:,} of {format_count(number, 'puzzle')} made{layouts}"

    path, own = Path(str(output)), None if chosen.name == "folder" else output
    has_neighbor = not is_standard_output(output) and (path.is_file() or not path.exists())  # unlike a device

    def open_answers() -> AbstractContextManager[TextIO]:
        return open_output(str(path.with_name(f"{path.stem}-answers{path.suffix}")), inputs=configuration.inputs)

    settings = {
        "seed": seed,
        "describe": partial(_describe, configuration),
        "folder": path,
        "stop": stop,
        "problem": problem,
        "title": configuration.describe(),
        "document": partial(_write_document, configuration),
        "open_answers": open_answers if has_neighbor else None,
    }
    with (
        open_output(own, inputs=configuration.inputs, keep_part=chosen.streamed) as out,
        Progress(describe_progress, shown=not request.quiet),
    ):
        try:
            chosen.write(shown, out, **settings | {"render": make_renderer(out)})
        except StoppedError as error:
            print_message(f"{error.status.words}; {describe_progress()}")
            raise ReportedStopError(error.status) from None
        except NoPuzzleError as error:
            raise click.ClickException(str(error)) from None
        except OSError as error:
            raise error if isinstance(error, OutputError) else OutputError(f"{output}: {error.strerror}") from None
    if made[0] < number:
        print_message(f"{describe_progress()}; {_MOST_REPEATS} more in a row were repeats")
        return Exit.STOPPED
    return Exit.DELIVERED
