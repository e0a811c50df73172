"""Everything that a page shows of a problem: its solutions, its solid and its search."""

from __future__ import annotations

import base64
import io
import re
import string
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from html import escape
from itertools import chain, islice
from typing import Any, Literal

from exactcover import algorithm_x
from exactcover.algorithm_x import Label
from exactcover.analysis.search_log import SearchLog, replay
from exactcover.control.arguments import check_arguments, read_fields, read_number, read_whole
from exactcover.control.options import COUNT, Distinct, Heuristic, SearchOptions
from exactcover.control.recorder import SearchLogWriter, encode_numbers
from exactcover.control.statistics import Status
from exactcover.control.stop import InnerStop, Stop, Stopped, make_stop
from exactcover.encoders.encoder import Encoder, Paintable, defines
from exactcover.encoders.links import list_links
from exactcover.errors import CoverError, ProblemError, StoppedError
from exactcover.model.costs import add_costs
from exactcover.pictures import contact_sheet, printable
from exactcover.pictures.text import digits, format_count
from exactcover.problem import Problem
from exactcover.reasons.deductions import Deduction, StepKind
from exactcover.rules import MatrixRule
from exactcover.search.search import Search, name_prover
from exactcover.viewer.drawing import PALETTE, Draw, collect_shapes
from exactcover.viewer.matrix_page import MatrixDrawer
from exactcover.viewer.page import Page, make_page

MOST_OPTIONS = 5_000
"""The most options of a puzzle that can be played."""

_MAX_DIAGRAM_NODES = 200_000
_KINDS = {"branch": 0, "dead end": 1, "solution": 2, "pruned": 3, "unrecorded": 4}
_MAX_PICTURES = 500  # that are embedded, if solutions cannot be put together from options
_MAX_LESSON_CELLS = 400  # of the matrix of a problem that is shown beside the program of Algorithm X
_ANY_SECONDS = 1e6
_POSITION_SECONDS = 2.0  # for one question about a position
_NO_BOARD = "this puzzle has no board to play on"
_SAMPLES = 20  # solutions whose pictures are compared with those that are put together
_DIGITS = string.digits + string.ascii_lowercase
_UNNAMED = "", 0.0

View = Literal["solutions", "solid", "search", "play"]


def describe_tray(problem: Problem, encoder: Encoder) -> dict[str, Any] | None:
    """Return the pieces of a puzzle, the piece of each option, and how many copies there are; None for any number.

    There is no tray if an option is not a piece.
    """
    painted = encoder.paint() if isinstance(encoder, Paintable) and encoder.painted_on else None
    if painted is not None:
        names = list(painted["drawings"])
        most = [_read_most(painted["copies"][name]) for name in names]
        pieces = [str(encoder.piece_of(label)) for label in problem.labels]
        return {"names": names, "most": most, "piece": [names.index(name) for name in pieces]}
    if isinstance(encoder, Paintable) or not defines(encoder, "piece_of"):
        return None
    placed = [encoder.piece_of(label) for label in problem.labels]
    if not placed or None in placed:
        return None
    names = [str(name) for name in dict.fromkeys(placed)]
    numbers = [names.index(str(name)) for name in placed]
    return {"names": names, "most": _count_copies(problem, numbers, len(names)), "piece": numbers}


def _count_copies(problem: Problem, pieces: Sequence[int], count: int) -> list[int | None]:
    """Return how often each piece can be used: an item that all its options cover says so."""
    matrix = problem.matrix
    shared: dict[int, set[int]] = {}
    for option, piece in enumerate(pieces):
        items = {item for item, _ in matrix.option(option) if item < matrix.primary}
        shared[piece] = shared[piece] & items if piece in shared else items
    return [min((matrix.bounds(item)[1] for item in shared[piece]), default=None) for piece in range(count)]


def _read_most(copies: Any) -> int | None:
    """Return the largest number of copies, or None for any number."""
    if isinstance(copies, str):
        return None
    return int(max(copies)) if isinstance(copies, list | tuple) else int(copies)


@dataclass(frozen=True)
class ViewOptions:
    """Options of a page.

    Attributes
    ----------
    solutions
        The largest number of solutions listed. If there are more, the page contains a diagram, if one is small enough.
    nodes
        The largest number of nodes of a search shown; 0 for no search.
    heuristics
        The heuristics whose searches are shown.
    seconds
        The time for each further question: the number of all solutions, and those up to symmetry.
    start
        The first view of the page: ``"solutions"``, ``"solid"``, ``"search"`` or ``"play"``. If it has no such view,
        solutions.
    cheapest
        List this many of the cheapest solutions, in place of the first `solutions`; None for no such request.
    maximize
        Whether these are those of highest cost instead.
    distinct
        Whether only one solution of each class of symmetric ones is listed, as for a search.
    play
        Whether the puzzle can be played on the page, if it has a board and at most 5,000 options.
    puzzle_only
        Whether the page contains nothing but the puzzle to play: no solution and no search.

    Raises
    ------
    ValueError
        If a number is negative.
    """

    solutions: int = 10_000
    nodes: int = 20_000
    heuristics: tuple[Heuristic, ...] = ("mrv",)
    seconds: float = 10.0
    start: View = "solutions"
    cheapest: int | None = None
    maximize: bool = False
    distinct: Distinct = False
    play: bool = True
    puzzle_only: bool = False

    def __post_init__(self) -> None:
        read_fields(self)  # which sets the values; what follows only checks their bounds
        read_whole("solutions", self.solutions, 0)
        read_whole("nodes", self.nodes, 0)
        read_number("seconds", self.seconds, 0)
        if self.cheapest is not None:
            read_whole("cheapest", self.cheapest, 1)


@check_arguments
def view(
    problem: Problem,
    encoder: Encoder | None = None,
    *,
    title: str = "exact cover",
    options: ViewOptions | None = None,
    solutions: Sequence[Sequence[int]] | None = None,
    complete: bool = False,
    note: str = "",
    stop: Stop | None = None,
) -> Page:
    """Return an HTML page that shows a problem, as a string that shows itself in a notebook.

    The page needs no other file, and makes no request.

    Parameters
    ----------
    problem
        The problem; the givens and exclusions of an instance apply.
    encoder
        Draws the solutions; without it they are lists of labels.
    title
        The title of the page.
    options
        The options of the page.
    solutions
        The solutions to show, as ascending positions of options; None to search for them.
    complete
        Whether `solutions` are all solutions.
    note
        A remark about `solutions` if they are not all.
    stop
        Polled often.

    Raises
    ------
    ProblemError
        If an option covers an item several times, or the page should contain the puzzle alone and it cannot be played.
    StoppedError
        If `stop` asks for it.

    Examples
    --------
    >>> page = view(Problem({"A": [1], "B": [1]}), title="two ways")
    >>> page[:15], "two ways" in page
    ('<!DOCTYPE html>', True)
    """
    try:
        page = _View(problem, encoder, ViewOptions() if options is None else options, make_stop(stop=stop))
        if options is not None and options.puzzle_only:
            return page.make_puzzle(title)
        if solutions is not None:
            return page.make(title, list(map(tuple, solutions)), complete, note)
        return page.make(title, *page.find_solutions())
    except Stopped as stopped:
        raise StoppedError(stopped.status) from None


def describe_play(problem: Problem, encoder: Encoder, stop: Stop) -> dict[str, Any]:
    """Return the board of a puzzle with all its options, its pieces, and whether it has a solution, if that is known.

    Raise ``ProblemError`` if the puzzle has too many options, and ``StoppedError`` if the stop asks for it.
    """
    if len(problem.labels) > MOST_OPTIONS:
        raise ProblemError(_describe_size(problem))
    solvable, sample = find_position(problem, [], stop)
    try:
        page = _View(problem, encoder, ViewOptions(seconds=_ANY_SECONDS), stop)  # a link fits on any machine
        drawn = {**page.collect_matrix(), **page.draw([] if sample is None else [sample])}
    except Stopped as stopped:
        raise StoppedError(stopped.status) from None
    return {**drawn, "solvable": solvable, **_describe_way(problem, encoder, sample)}


def _describe_way(problem: Problem, encoder: Encoder, cheapest: Sequence[int] | None) -> dict[str, Any]:
    """Return how a puzzle is played: with which pieces, by which rules, and what steps are called; and the costs."""
    return {
        "tray": describe_tray(problem, encoder),
        "rules": encoder.describe_rules(),
        "techniques": describe_techniques(problem, encoder),
        **_describe_costs(problem, cheapest),
    }


def _describe_costs(problem: Problem, cheapest: Sequence[int] | None) -> dict[str, Any]:
    """Return the cost of each option, and the cheapest solution that is known; None for both without costs."""
    if not _counts_costs(problem):
        return {"costs": None, "cheapest": None}
    return {"costs": [float(problem.cost_of([k])) for k in range(len(problem.labels))], "cheapest": cheapest}


def _counts_costs(problem: Problem) -> bool:
    """Return whether costs of options rank solutions; prices of soft items would count for what cannot be played."""
    return bool(problem.matrix.costs) and not problem.soft_prices


def _describe_size(problem: Problem) -> str:
    size = format_count(len(problem.labels), "option")
    return f"this puzzle is too large to play here: it has {size}, and at most {MOST_OPTIONS:,} can be played"


def find_position(
    problem: Problem, chosen: list[Any], stop: Stop, without: Sequence[Any] = ()
) -> tuple[bool | None, tuple[int, ...] | None]:
    """Return whether a solution contains these options and none `without`, or None if that is not known in time.

    Return the solution, too: the cheapest one, or the cheapest that is known in time, if options have costs.
    """
    search = search_position(problem, chosen, stop, without)
    found = next(iter(search.positions()), None)
    return (True if found is not None else None if search.status.stopped else False), found


def search_position(problem: Problem, chosen: list[Any], stop: Stop, without: Sequence[Any] = ()) -> Search:
    """Return a short search for one solution with these options and none `without`, the cheapest if they have costs."""
    full, limited = problem.full(), InnerStop(stop, _POSITION_SECONDS)
    ask = full.cheapest if _counts_costs(problem) else partial(full.solve, limit=1)
    return ask(given=[*problem.givens, *chosen], without=[*problem.excluded, *without], stop=limited)


class _View:
    """The data of one page."""

    def __init__(self, problem: Problem, encoder: Encoder | None, options: ViewOptions, stop: Stop) -> None:
        problem.refuse_weights("a page")
        self._problem, self._options, self._stop = problem, options, stop
        self._encoder = encoder if encoder is not None and defines(encoder, "draw") else None
        self._draw = self._choose_drawer()
        self._labels = [printable(str(label)) for label in problem.labels]

    def _choose_drawer(self) -> Draw | None:
        """Return the function that draws solutions: the encoder's, or that of a small matrix; None if there is none."""
        if self._encoder is not None:
            return self._encoder.draw
        matrix = MatrixDrawer(self._problem)
        return matrix.draw if matrix.is_whole and matrix.fits else None

    def find_solutions(self) -> tuple[list[tuple[int, ...]], bool, str | None]:
        """Return the first or the cheapest solutions, whether there are no more, and what to say if there are."""
        if self._options.cheapest is not None:
            search = self._problem.cheapest(self._options.cheapest, maximize=self._options.maximize, stop=self._stop)
            solutions = list(search.positions())
            self._stop.poll()
            return solutions, False, f"; no other {search.advantage}{name_prover(search)}"
        distinct = self._options.distinct
        stop = self._stop if distinct else self._limited()
        search = self._problem.solve(options=SearchOptions(distinct=distinct), stop=stop)
        solutions = list(islice(search.positions(), self._options.solutions))
        is_over = next(search.positions(), None) is None
        is_late = search.status.stopped
        complete = is_over and not is_late
        search.close()
        if not solutions and not complete and self._options.solutions:
            solutions = list(self._problem.solve(limit=1, stop=self._stop).positions())  # in several ways
            complete = not solutions
        self._stop.poll()
        return solutions, complete, "" if is_late else None  # a count would take longer still

    def make(self, title: str, solutions: list[tuple[int, ...]], complete: bool, note: str | None = None) -> Page:
        """Return the page; solutions without a note may be followed by others, which a diagram can count."""
        drawn = self.draw(solutions)
        can_draw = self._draw is None or drawn["drawing"] is not None
        distinct = self._options.distinct
        searched = note is None and not distinct  # for the first of all solutions
        count = self._count() if not complete and searched else None
        diagram = self._build_diagram() if count is not None and can_draw else None  # which takes longer than a count
        start = self._options.start
        data = {
            "drawn": self._draw is not None,
            "hasBoard": self._encoder is not None,
            "complete": complete,
            "count": None if count is None else digits(count, grouped=True),
            "distinct": bool(distinct),
            "cheapest": self._options.cheapest is not None,
            "maximize": self._options.maximize,
            "costs": self._list_costs(solutions),
            "solutions": _pack_solutions(solutions),
            "representatives": self._find_representatives(solutions) if complete and not distinct else None,
            "classes": self._list_classes() if not complete and searched and self._options.solutions else None,
            "diagram": diagram,
            **self.collect_matrix(),
            **drawn,
            "play": self._describe_play(),
            "start": start,
            "algorithm": list(_read_algorithm()) if self._is_lesson() else None,
            "searches": [self._record(heuristic) for heuristic in self._options.heuristics if self._options.nodes],
        }
        summary = format_count(len(solutions), "solution") if diagram is None else diagram.pop("summary")
        summary += " up to symmetry" if distinct else ""
        if not complete and diagram is None:
            summary += note or "; there may be more"
        if diagram is None and count is not None:
            summary = f"the first {digits(len(solutions), grouped=True)} of {format_count(count, 'solution')}"
        if start == "play":  # the page shows no solution before it is asked for one
            return make_page(title, "", self._show(self._problem.givens), data, links=self._list_links())
        return make_page(title, summary, self._draw_first(solutions), data, links=self._list_links())

    def _list_links(self) -> dict[str, str]:
        """Return links to other sites with the puzzle, if what is given is just what it states."""
        if self._encoder is None or self._problem.excluded or {*self._problem.givens} != {*self._encoder.givens()}:
            return {}
        return list_links(self._encoder)

    def _list_costs(self, solutions: Sequence[tuple[int, ...]]) -> list[str]:
        """Return the cost of each solution with what it leaves open; nothing if the problem has no costs."""
        problem = self._problem
        if not (problem.matrix.costs or problem.soft_prices):
            return []
        labels = ([problem.labels[k] for k in one] for one in self._stop.watch(solutions))
        return [f"{add_costs([problem.cost(one), problem.price(one)]):f}" for one in labels]

    def make_puzzle(self, title: str) -> Page:
        """Return a page on which the puzzle is played, and nothing else."""
        if self._encoder is None:
            raise ProblemError(_NO_BOARD)
        data = describe_play(self._problem, self._encoder, self._stop)
        if data["drawing"] is None:
            raise ProblemError(_NO_BOARD)
        data["puzzleOnly"] = True
        return make_page(title, "", self._show(self._problem.givens), data, links=self._list_links())

    def _describe_play(self) -> dict[str, Any] | None:
        """Return the pieces of a puzzle that is played on a board, or why it is not played; None if nobody asks."""
        if not self._options.play:
            return None
        if self._encoder is None:
            return {"refusal": _NO_BOARD}
        if len(self._labels) > MOST_OPTIONS:
            return {"refusal": _describe_size(self._problem)}
        cheapest = find_position(self._problem, [], self._stop)[1] if _counts_costs(self._problem) else None
        return {"refusal": _NO_BOARD, **_describe_way(self._problem, self._encoder, cheapest)}

    def _is_lesson(self) -> bool:
        """Return whether the problem is small and simple enough to explain the short program of Algorithm X with it."""
        problem, matrix = self._problem, self._problem.matrix
        is_plain = matrix.primary == matrix.items and not matrix.multiplicity and not matrix.rules
        return is_plain and len(problem.labels) * matrix.items <= _MAX_LESSON_CELLS

    def _limited(self) -> InnerStop:
        """Return a stop for a question that may stay open."""
        return InnerStop(self._stop, self._options.seconds)

    def _count(self) -> int | None:
        """Return the number of all solutions, or None if it is not known in time."""
        try:
            return self._problem.search(COUNT, stop=self._limited()).count()
        except StoppedError:
            self._stop.poll()
            return None

    def _build_diagram(self) -> dict[str, Any] | None:
        """Return the diagram of all solutions, or None if it is too large or takes too long."""
        try:
            found = self._problem.diagram(order="compact", stop=self._limited())
        except (StoppedError, CoverError):
            self._stop.poll()
            return None
        if found.nodes > _MAX_DIAGRAM_NODES:
            return None
        zdd = found.zdd
        return {
            "level": _to_text(zdd.level),
            "lo": _to_text(zdd.lo),
            "hi": _to_text(zdd.hi),
            "root": zdd.root,
            "options": found.positions,
            "summary": format_count(found.count, "solution"),
        }

    def _list_classes(self) -> str | None:
        """Return one solution of each class, or None if there are too many, or they are not known in time."""
        found = self._find_classes(self._options.solutions)
        return None if found is None else _pack_solutions(found)

    def _find_representatives(self, solutions: Sequence[tuple[int, ...]]) -> list[int] | None:
        """Return the numbers of the solutions that stand for their classes; None for all, or if they are not known."""
        found = self._find_classes(len(solutions))
        if found is None or len(found) == len(solutions):
            return None
        number = {solution: k for k, solution in enumerate(solutions)}
        return [number[solution] for solution in found]

    def _find_classes(self, most: int) -> list[tuple[int, ...]] | None:
        """Return one solution of each class; None if there may be more, too many symmetries, or too little time."""
        try:
            search = self._problem.solve(options=SearchOptions(distinct=True), stop=self._limited())
            found = list(islice(search.positions(), most))
        except CoverError:  # there are too many symmetries
            return None
        is_whole = search.status is Status.COMPLETE
        search.close()
        self._stop.poll()
        return found if is_whole and search.classes is not None else None

    def collect_matrix(self) -> dict[str, Any]:
        """Return the items, the givens and the matrix."""
        problem, matrix = self._problem, self._problem.matrix
        bounds = {item: matrix.bounds(item) for item in matrix.multiplicity}
        return {
            "items": [printable(str(item)) for item in (*problem.primary, *problem.secondary)],
            "given": [problem.position(label) for label in problem.givens],
            "matrix": {
                "primary": matrix.primary,
                "rows": [matrix.option(k) for k in self._stop.watch(range(len(matrix)))],
                "low": {item: low for item, (low, _) in bounds.items()},
                "high": {item: high for item, (_, high) in bounds.items()},
                "excluded": [problem.position(label) for label in problem.excluded],
                "rules": [*map(describe_rule, matrix.rules)],
            },
        }

    def draw(self, solutions: Sequence[tuple[int, ...]]) -> dict[str, Any]:
        """Return the data from which the scripts draw solutions; these are examples."""
        draw, known = self._draw, {"labels": self._labels, "palette": PALETTE}
        if draw is None:
            return {**known, "drawing": None, "solid": None, "pictures": []}
        solid = None if self._encoder is None else self._collect_blocks(self._encoder)
        samples = [solutions[k] for k in range(0, len(solutions), max(1, len(solutions) // _SAMPLES))]
        limited = self._limited()
        try:
            drawing = collect_shapes(draw, self._problem.labels, samples, limited, solid=solid is not None)
        except Stopped:
            self._stop.poll()
            drawing = None
        pictures = [] if drawing is not None else list(self._draw_whole(draw, solutions))
        return {**known, "drawing": drawing, "solid": solid, "pictures": pictures}

    def _draw_whole(self, draw: Draw, solutions: Sequence[tuple[int, ...]]) -> Iterator[str]:
        """Yield pictures of the first solutions, if they cannot be put together from those of options."""
        limited = self._limited()
        for solution in self._stop.watch(solutions[:_MAX_PICTURES]):
            if limited.status is not None:
                return
            picture = draw([self._problem.labels[k] for k in solution])
            yield "" if picture is None else contact_sheet([picture])

    def _collect_blocks(self, encoder: Encoder) -> dict[str, Any] | None:
        """Return the blocks of each option in space, or None if options are not solid."""
        if not defines(encoder, "blocks"):
            return None
        labels = self._stop.watch(self._problem.labels)
        blocks = [[[*map(float, block)] for block in encoder.blocks(label)] for label in labels]
        return {"kind": encoder.block_shape, "blocks": blocks} if any(blocks) else None

    def _record(self, heuristic: Heuristic) -> dict[str, Any]:
        """Record a search by a heuristic; return what its log shows."""
        file = io.BytesIO()
        log = SearchLogWriter(file, most_nodes=self._options.nodes)
        search = self._problem.search(options=SearchOptions(heuristic=heuristic), stop=self._limited(), log=log)
        for _ in search.positions():
            if log.is_cut:
                break
        search.close()
        self._stop.poll()
        read = SearchLog(file.getvalue())
        origins = read.header["origins"]
        numbers: list[int] = []
        for node, chosen in replay(read):
            option = chosen[-1] if chosen else None
            item = origins[node.item] if node.item >= 0 else -1
            numbers += (_KINDS[node.kind], node.level, 0 if option is None else option + 1, item + 1, node.children)
        count = format_count(len(numbers) // 5, "node")
        return {
            "heuristic": heuristic,
            "nodes": _to_text(numbers),
            "total": f"{count}{' and more' if read.is_truncated else ''}",
            "truncated": read.is_truncated,
            "reason": read.header["reason"],
        }

    def _show(self, labels: Sequence[Label]) -> str:
        """Return the picture of some options; nothing without a picture."""
        picture = None if self._draw is None else self._draw(labels)
        return "" if picture is None else f'<div class="picture">{contact_sheet([picture])}</div>'

    def _draw_first(self, solutions: Sequence[tuple[int, ...]]) -> str:
        if not solutions:
            return "<p>no solution is listed</p>"
        shown = self._show([self._problem.labels[k] for k in solutions[0]])
        return shown or f"<pre>{escape(chr(10).join(self._labels[k] for k in solutions[0]))}</pre>"


def describe_rule(stated: MatrixRule) -> dict[str, Any]:
    """Return a rule about a graph by numbers: each element with the options that turn it on."""
    rule = stated.rule.number_vertices()
    switches = zip(rule.elements, stated.switches, strict=True)
    return {
        "kind": rule.kind,
        "vertices": rule.vertices,
        "elements": [[*element, list(options)] for element, options in switches],
        "lit": sorted(stated.lit),
        "neighbors": rule.neighbors,
        "sizes": rule.sizes,
        "weights": rule.weights,
        "ends": rule.ends,
        "orNone": rule.or_none,
    }


@cache
def _read_algorithm() -> tuple[str, ...]:
    """Return the lines of the short program in the docstring of Algorithm X; none if there are no docstrings."""
    found = re.search(r">>> (def solve\(.*\n(?:\.\.\. .*\n)+)", algorithm_x.__doc__ or "")
    return tuple(re.sub(r"^\.\.\. ", "", line) for line in found[1].splitlines()) if found else ()


def _pack_solutions(solutions: Iterable[Sequence[int]]) -> str:
    """Return the size of each solution, its first position, and the differences to the next ones."""
    packed = ((len(own), *(one - before for before, one in zip((0, *own), own, strict=False))) for own in solutions)
    return _to_text(chain.from_iterable(packed))


def _to_text(numbers: Iterable[int]) -> str:
    """Return numbers as base 64; the scripts read them."""
    return base64.b64encode(encode_numbers(numbers)).decode()


def describe_techniques(problem: Problem, encoder: Encoder) -> dict[str, Any] | None:
    """Return the names and difficulties of techniques, and which of them each item has; None if the family has none.

    ``last`` is about an item with one option left, and ``block`` about options that would leave an item with none.
    Each has a digit for each item: the place of its technique among the names.
    """
    if not defines(encoder, "name_technique"):
        return None
    found = {kind: list(_name(problem, encoder, kind)) for kind in (StepKind.LAST, StepKind.BLOCK)}
    names = list(dict.fromkeys([_UNNAMED, *(name for own in found.values() for name in own)]))
    if not 1 < len(names) <= len(_DIGITS):
        return None
    place = {name: _DIGITS[k] for k, name in enumerate(names)}
    return {"names": names, **{kind.value: "".join(place[name] for name in own) for kind, own in found.items()}}


def _name(problem: Problem, encoder: Encoder, kind: StepKind) -> Iterator[tuple[str, float]]:
    """Yield the technique of a step of this kind about each item."""
    holders: dict[int, list[Label]] = {}
    for option, row in enumerate(problem.matrix.list_options()):
        for item, _ in row:
            holders.setdefault(item, []).append(problem.labels[option])
    for item, name in enumerate(problem.items):
        own = tuple(holders.get(item, ()))
        chosen, excluded = (own[:1], ()) if kind is StepKind.LAST else ((), own[:1])
        step = Deduction(kind, chosen, excluded, (name,), holders=(chosen or own,))
        yield (encoder.name_technique(step) if own else None) or _UNNAMED
