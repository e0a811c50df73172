"""``exactcover generate``: makes puzzles with one solution."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TextIO

import click

from exactcover.algorithm_x import Label
from exactcover.analysis import generate as generating
from exactcover.analysis.generate import Puzzle
from exactcover.cli.exits import Exit, ToldStopError
from exactcover.cli.flags import Verb, number_option, output_option, seed_option, target_options
from exactcover.cli.messages import print_line
from exactcover.cli.output import open_output
from exactcover.cli.progress import Progress
from exactcover.cli.solution_output import format_of
from exactcover.cli.target import Request
from exactcover.cli.terminal import Look
from exactcover.cli.writers import picture_of
from exactcover.encoders.encoder import Encoder, defines
from exactcover.errors import StoppedError
from exactcover.formats.numbers import json_text
from exactcover.pictures import Picture, contact_sheet, printable
from exactcover.pictures.heat import added


def _range(context: click.Context, parameter: click.Parameter, text: str | None) -> tuple[int, float]:
    """Read LOW:HIGH, LOW: or :HIGH; one number stands for both."""
    low, colon, high = (text or ":").partition(":")
    if not all(part == "" or part.isdecimal() for part in (low, high)) or not (colon or low):
        raise click.BadParameter(f"expected LOW:HIGH, LOW: or :HIGH, got {text!r}", context, parameter)
    least, most = int(low or 0), (float(high) if high else math.inf) if colon else float(low)
    if least > most:
        raise click.BadParameter(f"{low} is more than {high}", context, parameter)
    return least, most


@click.command(cls=Verb)
@number_option
@click.option(
    "--clues",
    type=click.IntRange(min=0, max=10**9),
    metavar="N",
    help="Give N options; by default every one given is necessary.",
)
@click.option(
    "--nodes",
    metavar="LOW:HIGH",
    callback=_range,
    help="As hard as that: so many nodes of a search; either end may be left out.",
)
@click.option("--symmetric", is_flag=True, help="Let the places of the givens stay the same after half a turn.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "lines", "jsonl", "svg"]),
    help="Pictures and text (by default); the text alone, as batch reads it; records; or one sheet.",
)
@seed_option
@output_option
@target_options
def generate(
    request: Request,
    number: int,
    seed: int | None,
    clues: int | None,
    nodes: tuple[int, float],
    symmetric: bool,
    output_format: str | None,
    output: str | None,
) -> int:
    """Make N puzzles from TARGET: givens that leave one solution. What TARGET itself gives is in all of them.

    How hard one is shows in the nodes that a search visits to solve it.

    \b
    exactcover generate sudoku --seed 1
    exactcover generate sudoku --symmetric --clues 28 -n 6 --format svg -o sheet.svg
    exactcover generate sudoku --nodes 200: -n 3
    exactcover generate queens n=12
    """
    output_format = output_format or format_of(output, _SUFFIXES) or "text"
    configuration = request.configuration()
    encoder = configuration.encoder
    reads, draws = (defines(encoder, method) for method in ("parse", "draw"))
    if (output_format == "lines" and not reads) or ((output_format == "svg" or symmetric) and not draws):
        what = "text" if output_format == "lines" else "pictures"
        raise click.UsageError(f"problem {configuration.problem!r} has no {what}")
    if request.without and output_format == "lines":
        raise click.UsageError("lines cannot say what is excluded; choose another --format, or leave out --without")
    problem = request.problem(configuration)
    seed = random.SystemRandom().randrange(1 << 32) if seed is None else seed
    if request.verbosity > 0:
        print_line(f"seed      {seed}")
    together = _half_turn(encoder) if symmetric else None
    puzzles = generating.generate(problem, seed=seed, clues=clues, nodes=nodes, together=together, stop=request.stop)
    made = _Made(encoder, reads, islice(puzzles, number), seed)
    with (
        open_output(output, inputs=configuration.inputs, keep_part=output_format != "svg") as out,
        Progress(lambda: f"{made.number:,} of {number:,} puzzles", shown=not request.quiet),
    ):
        try:
            _WRITERS[output_format](made, out)
        except StoppedError as error:
            print_line(f"stopped ({error.status.value}) after {made.number:,} of {number:,} puzzles")
            raise ToldStopError(error.status) from None
        except generating.NoPuzzleError as error:
            raise click.ClickException(str(error)) from None
    return Exit.DELIVERED


class _Made(Iterator[tuple[Encoder, Puzzle]]):
    """Puzzles as they are made, each with the encoder that shows it."""

    def __init__(self, encoder: Encoder, reads: bool, puzzles: Iterator[Puzzle], seed: int) -> None:
        self._encoder, self._reads, self._puzzles, self.seed = encoder, reads, puzzles, seed
        self.number = 0

    def __next__(self) -> tuple[Encoder, Puzzle]:
        puzzle = next(self._puzzles)
        self.number += 1
        encoder = self._encoder
        return encoder.parse(encoder.unparse(puzzle.givens)) if self._reads else encoder, puzzle


def _half_turn(encoder: Encoder) -> Callable[[Sequence[Label]], Iterable[set[Label]]]:
    """Return what puts options of a solution together that lie where others do after half a turn."""

    def groups(solution: Sequence[Label]) -> Iterable[set[Label]]:
        whole, nothing = encoder.draw(solution), encoder.draw(())
        if whole is None or not whole.placed:
            raise click.UsageError("only what text can show has a pattern to be symmetric")
        bare = set(() if nothing is None else nothing.shapes)
        places: dict[frozenset[tuple[int, int]], Label] = {}
        for label in solution:
            alone = encoder.draw((label,))
            places[frozenset(added(bare, alone)[1] if alone is not None else ())] = label
        first, last = ([pick(place[k] for place in whole.placed) for k in (0, 1)] for pick in (min, max))
        for covered, label in places.items():
            turned = frozenset((first[0] + last[0] - row, first[1] + last[1] - column) for row, column in covered)
            if turned in places:  # what has no partner cannot be given
                yield {label, places[turned]}

    return groups


def _write_text(made: _Made, out: TextIO) -> None:
    look = Look(out)
    for count, (encoder, puzzle) in enumerate(made):
        picture = picture_of(encoder, puzzle.givens)
        out.write("\n" if count else "")
        if picture is not None:
            out.write(look.render(picture) + "\n")
        if defines(encoder, "parse"):
            out.write(encoder.unparse(puzzle.givens) + "\n")
        else:
            out.write(", ".join(printable(str(label)) for label in puzzle.givens) + "\n")
        out.write(f"{len(puzzle.givens)} given{'s' * (len(puzzle.givens) != 1)}, {puzzle.nodes:,} nodes\n")
        out.flush()


def _write_lines(made: _Made, out: TextIO) -> None:
    for encoder, puzzle in made:
        out.write(encoder.unparse(puzzle.givens) + "\n")
        out.flush()


def _write_records(made: _Made, out: TextIO) -> None:
    for _, puzzle in made:
        givens, solution = ([str(label) for label in labels] for labels in (puzzle.givens, puzzle.solution))
        out.write(json_text({"givens": givens, "solution": solution, "nodes": puzzle.nodes, "seed": made.seed}) + "\n")
        out.flush()


def _write_sheet(made: _Made, out: TextIO) -> None:
    pictures: list[Picture] = []
    for encoder, puzzle in made:
        picture = encoder.draw(puzzle.givens)
        assert picture is not None
        pictures.append(picture)
    out.write(contact_sheet(pictures, title=f"{len(pictures)} puzzles: {pictures[0].title}"))


_SUFFIXES = {".txt": "text", ".jsonl": "jsonl", ".svg": "svg"}

_WRITERS: dict[str, Callable[[_Made, TextIO], None]] = {
    "text": _write_text,
    "lines": _write_lines,
    "jsonl": _write_records,
    "svg": _write_sheet,
}
