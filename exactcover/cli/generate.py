"""``exactcover generate``: makes puzzles with one solution."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TextIO

import click

from exactcover import generate as generating
from exactcover.algorithm_x import Label
from exactcover.cli.exits import Exit, interruptible, say
from exactcover.cli.target import built, opened, read_target_in_time, target_arguments, timeout_option
from exactcover.cli.writers import drawing, from_suffix
from exactcover.encoder import Encoder, defines
from exactcover.errors import StoppedError
from exactcover.generate import Puzzle
from exactcover.pictures import Picture, contact_sheet, render
from exactcover.pictures.heat import added

Shown = Iterator[tuple[Encoder, Puzzle]]


def _range(context: click.Context, parameter: click.Parameter, text: str | None) -> tuple[int, float]:
    """Read LOW:HIGH, LOW: or :HIGH; one number stands for both."""
    low, colon, high = (text or ":").partition(":")
    if not all(part == "" or part.isdecimal() for part in (low, high)) or not (colon or low):
        raise click.BadParameter(f"expected LOW:HIGH, LOW: or :HIGH, got {text!r}", context, parameter)
    least, most = int(low or 0), (float(high) if high else math.inf) if colon else float(low)
    if least > most:
        raise click.BadParameter(f"{low} is more than {high}", context, parameter)
    return least, most


@click.command
@target_arguments
@click.option("-n", "--number", type=click.IntRange(min=1), default=1, metavar="N", help="How many; 1 by default.")
@click.option("--seed", type=int, metavar="N", help="Make what depends on N alone.")
@click.option("--clues", type=click.IntRange(min=0), metavar="N", help="With so many givens; else none is too many.")
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
    help="Pictures and text (as a rule); the text alone, as batch reads it; records; or one sheet.",
)
@click.option("-o", "--output", metavar="FILE", help="Write there instead of standard output.")
@timeout_option
def generate(
    target: str,
    params: tuple[str, ...],
    input_format: str,
    number: int,
    seed: int | None,
    clues: int | None,
    nodes: tuple[int, float],
    symmetric: bool,
    output_format: str | None,
    output: str | None,
    timeout: float | None,
) -> int:
    """Make N puzzles from TARGET: givens that leave one solution. What TARGET gives itself they all hold.

    How hard one is shows in the nodes that a search visits to solve it.

    \b
    exactcover generate sudoku --seed 1
    exactcover generate sudoku --symmetric --clues 28 -n 6 --format svg -o sheet.svg
    exactcover generate sudoku --nodes 200: -n 3
    exactcover generate queens n=12
    """
    output_format = output_format or from_suffix(output, _SUFFIXES) or "text"
    configuration, stop = read_target_in_time(target, params, input_format, timeout)
    encoder = configuration.encoder
    reads, draws = (defines(encoder, method) for method in ("parse", "draw"))
    if (output_format == "lines" and not reads) or ((output_format == "svg" or symmetric) and not draws):
        what = "text" if output_format == "lines" else "pictures"
        raise click.UsageError(f"problem {configuration.problem!r} has no {what}")
    problem, givens = built(encoder, stop)
    together = _half_turn(encoder) if symmetric else None
    puzzles = generating.generate(
        problem, seed=seed, givens=givens, clues=clues, nodes=nodes, together=together, stop=stop
    )
    with interruptible(stop), opened(output) as out:
        shown = ((encoder.parse(encoder.unparse(puzzle.givens)) if reads else encoder, puzzle)
                 for puzzle in islice(puzzles, number))  # fmt: skip
        try:
            _WRITERS[output_format](shown, out)
        except StoppedError as error:
            say(f"stopped ({error.status.value}) before there were {number} puzzles")
            return Exit.after(error.status)
        except ValueError as error:
            raise click.ClickException(str(error)) from None
    return Exit.DELIVERED


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
            yield {label, places.get(turned, label)}

    return groups


def _write_text(shown: Shown, out: TextIO) -> None:
    for count, (encoder, puzzle) in enumerate(shown):
        picture = drawing(encoder, puzzle.givens)
        out.write("\n" if count else "")
        if picture is not None:
            out.write(render(picture) + "\n")
        if defines(encoder, "parse"):
            out.write(encoder.unparse(puzzle.givens) + "\n")
        else:
            out.write(", ".join(map(str, puzzle.givens)) + "\n")
        out.write(f"{len(puzzle.givens)} given{'s' * (len(puzzle.givens) != 1)}, {puzzle.nodes:,} nodes\n")
        out.flush()


def _write_lines(shown: Shown, out: TextIO) -> None:
    for encoder, puzzle in shown:
        out.write(encoder.unparse(puzzle.givens) + "\n")
        out.flush()


def _write_records(shown: Shown, out: TextIO) -> None:
    for _, puzzle in shown:
        givens, solution = ([str(label) for label in labels] for labels in (puzzle.givens, puzzle.solution))
        out.write(
            json.dumps({"givens": givens, "solution": solution, "nodes": puzzle.nodes}, ensure_ascii=False) + "\n"
        )
        out.flush()


def _write_sheet(shown: Shown, out: TextIO) -> None:
    pictures: list[Picture] = []
    for encoder, puzzle in shown:
        picture = encoder.draw(puzzle.givens)
        assert picture is not None
        pictures.append(picture)
    out.write(contact_sheet(pictures, title=f"{len(pictures)} puzzles: {pictures[0].title}"))


_SUFFIXES = {".txt": "text", ".jsonl": "jsonl", ".svg": "svg"}

_WRITERS: dict[str, Callable[[Shown, TextIO], None]] = {
    "text": _write_text,
    "lines": _write_lines,
    "jsonl": _write_records,
    "svg": _write_sheet,
}
