"""What an encoder's author tests with: one call that tries all that the toolkit will ask of an encoder.

>>> from problems import Queens
>>> check_encoder(Queens, [{"n": 6}, {"n": 4, "placed": [[1, 2]]}], counts=[4, 1])

It raises an ``AssertionError`` that says what is wrong, and in which case. For tests of a package of encoders::

    from exactcover.testing import check_configs, check_encoder

    def test_coins():
        check_encoder(Coins, [{}, {"n": 5}], counts=[6, 120])

    def test_configurations():
        check_configs(CONFIGS)
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from exactcover.config.reading import encode_as, read_file, schema
from exactcover.control.statistics import Status
from exactcover.encoders.encoder import Encoder, defines
from exactcover.errors import CoverError
from exactcover.pictures import Picture, contact_sheet, render
from exactcover.problem import Label, Problem

__all__ = ["check_config", "check_configs", "check_encoder"]

_SOLUTIONS = 3  # that are looked at, of each case
_SECONDS = 60.0  # that a search may take
_HASH_SEEDS = ("1", "2")
_DRAWN_ALONE = 100  # options


def check_encoder(
    encoder: type[Encoder],
    cases: Iterable[Mapping[str, Any]] = ({},),
    *,
    counts: Sequence[int] | None = None,
    rejected: Iterable[Mapping[str, Any]] = (),
) -> None:
    """Try an encoder as the toolkit will use it.

    Parameters
    ----------
    encoder
        The class.
    cases
        Parameters, as a YAML file would hold them; small problems will do.
    counts
        How many solutions each case has, if that is known.
    rejected
        Parameters that must be refused, with an error that says why.

    Raises
    ------
    AssertionError
        If the class is no frozen dataclass with a docstring for itself and each parameter; a case is refused, or one
        that must be is not; options break the rules of a :class:`~exactcover.Problem`, labels look alike as text, or
        come in an order that depends on ``PYTHONHASHSEED``; a symmetry is no automorphism; givens are no options; a
        solution cannot be decoded, drawn or rendered, alone, empty or in parts; ``parse`` does not take what
        ``unparse`` gives; or a count is wrong.
    """
    _check_class(encoder)
    for number, params in enumerate(cases):
        with _about(encoder, params):
            made = encode_as(encoder, params)
            problem = made.problem()
            _check_problem(made, problem)
            _check_order(made, params, problem)
            _check_solutions(made, problem)
            if counts is not None:
                found = problem.count(given=made.givens(), timeout=_SECONDS)
                assert found == counts[number], f"it has {found} solutions, not {counts[number]}"
    for params in rejected:
        try:
            encode_as(encoder, params).problem()
        except CoverError:
            continue
        raise AssertionError(f"{encoder.__name__} does not refuse {dict(params)}")


def check_configs(folder: Path) -> None:
    """Check every YAML file of a folder, as :func:`check_config` does.

    Raises
    ------
    AssertionError
        If a file does not pass, or there is none.
    """
    files = sorted(folder.glob("*.y*ml"))
    assert files, f"there are no YAML files in {folder}"
    for file in files:
        check_config(file)


def check_config(file: Path) -> None:
    """Run a YAML file within its own limits, and count what its section `known` states.

    A file with a `limit` is one that would take too long: of it so many solutions are found, and nothing is counted.

    Raises
    ------
    AssertionError
        If the file does not begin with a comment that says what it is, or holds a mistake; there are fewer solutions
        than its limit, or none; a number is another one; or the file's timeout, or a minute, is not enough.
    """
    assert file.read_text("utf-8").startswith("# "), f"{file.name} does not begin with a comment"
    try:
        configuration = read_file(file)
        problem = configuration.encoder.problem()
        settings, known = configuration.search, configuration.known
        given, timeout = list(configuration.encoder.givens()), settings.timeout or _SECONDS
        search = problem.solve(limit=settings.limit or 1, given=given, timeout=timeout)
        solutions = list(search)
        assert search.status is Status.LIMIT or known.solutions == 0, f"too few solutions ({search.status.value})"
        assert all(problem.verify(solution) for solution in solutions), "a solution is none"
        if settings.limit is None:
            for stated, distinct in ((known.solutions, False), (known.distinct, True)):
                if stated is not None:
                    found = problem.count(given=given, timeout=timeout, distinct=distinct)
                    assert found == stated, f"it states {stated:,} solutions, but there are {found:,}"
    except (AssertionError, CoverError) as error:
        raise AssertionError(f"{file.name}: {error}") from error


@contextmanager
def _about(encoder: type[Encoder], params: Mapping[str, Any]) -> Iterator[None]:
    """Say in an error which case it is about."""
    try:
        yield
    except (AssertionError, CoverError) as error:
        raise AssertionError(f"{encoder.__name__} with {dict(params)}: {error}") from error


def _check_class(encoder: type[Encoder]) -> None:
    name = encoder.__name__
    assert issubclass(encoder, Encoder), f"{name} is not derived from exactcover.Encoder"
    assert is_dataclass(encoder), f"{name} is no dataclass"
    assert encoder.__dataclass_params__.frozen, f"{name} is not frozen: write @dataclass(frozen=True)"
    about = schema(encoder)
    assert (encoder.__doc__ or "").strip() and not encoder.__doc__.startswith(f"{name}("), f"{name} has no docstring"
    for field in (own for own in fields(encoder) if own.name in encoder.__annotations__):
        described = about["properties"].get(field.name, {})
        assert "description" in described, f"parameter {field.name} of {name} has no docstring below it"


def _check_problem(made: Encoder, problem: Problem) -> None:
    texts: dict[str, Label] = {}
    for label in problem.labels:
        text = str(label)
        assert text and text.isprintable(), f"label {label!r} is no printable text"
        other = texts.setdefault(text, label)
        assert other == label, f"labels {other!r} and {label!r} are the same text, {text!r}"
    problem.permutations()
    for label in made.givens():
        assert label in problem.options, f"given {label!r} is no option"


_PRINT_FINGERPRINT = """
import json, sys
from importlib import import_module
from exactcover.config.reading import encode_as
made = encode_as(getattr(import_module(sys.argv[1]), sys.argv[2]), json.loads(sys.argv[3]))
print(made.problem().fingerprint())
"""


def _check_order(made: Encoder, params: Mapping[str, Any], problem: Problem) -> None:
    """Build the problem anew, here and in processes that hash otherwise."""
    import json

    whose = type(made)
    assert made.problem().fingerprint() == problem.fingerprint(), "its problem is another one the second time"
    if whose.__module__ == "__main__" or "." in whose.__qualname__:
        return  # no other process can import it
    arguments = [whose.__module__, whose.__qualname__, json.dumps(params)]
    path = os.pathsep.join(sys.path)
    for seed in _HASH_SEEDS:
        done = subprocess.run(
            [sys.executable, "-c", _PRINT_FINGERPRINT, *arguments],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            check=False,
        )
        assert done.returncode == 0, f"it cannot be built in a process of its own:\n{done.stderr}"
        assert done.stdout.strip() == problem.fingerprint(), (
            "its items or options come in an order that depends on PYTHONHASHSEED: do not iterate over sets"
        )


def _check_solutions(made: Encoder, problem: Problem) -> None:
    search = problem.solve(given=made.givens(), timeout=_SECONDS)
    solutions = list(islice(search, _SOLUTIONS))
    assert search.status is not Status.TIMEOUT, f"no {_SOLUTIONS} solutions within {_SECONDS:.0f} seconds; try less"
    parses = defines(made, "parse")
    if parses:
        hash(made.frame())
    for solution in solutions:
        made.decode(solution)
        assert str(made.unparse(solution)), "unparse gives nothing"
        if parses:
            again = made.parse(made.unparse(solution))
            assert set(again.givens()) <= set(solution), f"parse makes something else of {made.unparse(solution)!r}"
    if not solutions or made.draw(solutions[0]) is None:
        return
    alone = [(label,) for label in problem.labels[:_DRAWN_ALONE]]
    for part in [*solutions, (), *alone]:
        picture = made.draw(part)
        assert isinstance(picture, Picture), f"draw gives no Picture of {part!r}"
        assert picture.title, "a picture has no title"
        render(picture)
        contact_sheet([picture])
