"""Checks for the tests of encoders: one call tries everything that the toolkit needs from an encoder.

>>> from problems import Queens
>>> check_encoder(Queens, [{"n": 6}, {"n": 4, "placed": [[1, 2]]}], counts=[4, 1])

It raises an ``AssertionError`` that says what is wrong, and in which case. The tests of a package of encoders can look
like this::

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
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from exactcover.config.configuration import encode_as, read_file, schema
from exactcover.control.arguments import check_arguments
from exactcover.control.options import SearchOptions
from exactcover.control.statistics import Status
from exactcover.encoders.encoder import Encoder, defines
from exactcover.errors import CoverError
from exactcover.pictures import Picture, contact_sheet, format_count, render
from exactcover.problem import Label, Problem

__all__ = ["check_config", "check_configs", "check_encoder"]

_SOLUTIONS = 3  # checked per case
_SECONDS = 60.0  # for the search of a file that states no timeout
_NODES = 10_000_000  # for a search: work, so that the verdict does not depend on the load of the machine
_HASH_SEED = "1"  # of another process
_DRAWN_ALONE = 100  # options that are drawn one by one


@check_arguments
def check_encoder(
    encoder: type[Encoder],
    cases: Iterable[Mapping[str, Any]] = ({},),
    *,
    counts: Sequence[int] | None = None,
    rejected: Iterable[Mapping[str, Any]] = (),
) -> None:
    """Check an encoder by using it as the toolkit does.

    Parameters
    ----------
    encoder
        The class.
    cases
        The parameters of each case, as in a YAML file; small problems suffice.
    counts
        The number of solutions of each case, if known.
    rejected
        Parameters that the encoder must reject with an error.

    Raises
    ------
    AssertionError
        If the class is not a frozen dataclass with a docstring for itself and each parameter; a case is rejected, or
        one of `rejected` is not; options break the rules of a :class:`~exactcover.Problem`; two labels have the same
        text; the order of items or options depends on ``PYTHONHASHSEED``; a symmetry is not an automorphism; a given
        is not an option; a solution cannot be decoded; a solution, a single option or the empty solution cannot be
        drawn or rendered; ``parse`` cannot read the result of ``unparse``, or differs from the text form; or a count
        is wrong.
    ValueError
        If there are not as many counts as cases.
    """
    _check_class(encoder)
    cases = list(cases)
    if counts is not None and len(counts) != len(cases):
        raise ValueError(f"counts must contain one for each of the {len(cases)} cases; got {len(counts)}")
    built = list[tuple[Mapping[str, Any], str]]()
    for number, params in enumerate(cases):
        with _name_case(f"{encoder.__name__} with {dict(params)}"):
            instance = encode_as(encoder, params)
            problem = instance.problem()
            _check_problem(instance, problem)
            built.append((params, problem.fingerprint()))
            assert instance.problem().fingerprint() == built[-1][1], (
                "building the problem twice gives two different problems"
            )
            _check_solutions(instance, problem)
            if counts is not None:
                found = problem.count(given=instance.givens())
                assert found == counts[number], (
                    f"the problem has {format_count(found, 'solution')}, not {counts[number]:,}"
                )
    _check_order(encoder, built)
    for params in rejected:
        try:
            encode_as(encoder, params).problem()
        except CoverError:
            continue
        raise AssertionError(f"{encoder.__name__} does not reject {dict(params)}")


@check_arguments
def check_configs(folder: str | os.PathLike[str]) -> None:
    """Check every YAML file in a folder with :func:`check_config`.

    Raises
    ------
    AssertionError
        If a file does not pass, or the folder contains no YAML file.
    """
    files = sorted(Path(folder).glob("*.y*ml"))
    assert files, f"there are no YAML files in {folder}"
    for file in files:
        check_config(file)


@check_arguments
def check_config(file: str | os.PathLike[str], *, counts: bool = True) -> None:
    """Run a YAML file within its own limits, and check the counts in its section `known`.

    If the file has a `limit`, because counting would take too long, that number of solutions is found and nothing is
    counted.

    Parameters
    ----------
    file
        The YAML file.
    counts
        Whether to count; False for files that take too long for tests.

    Raises
    ------
    AssertionError
        If the file does not begin with a comment, or contains a mistake; there are fewer solutions than its limit, or
        none although `known` does not say so; a known number is wrong; or the timeout of the file, one minute by
        default, is exceeded.
    """
    file = Path(file)
    assert file.read_text("utf-8").startswith("# "), f"{file.name} does not begin with a comment"
    with _name_case(file.name):
        configuration = read_file(file)
        problem = configuration.encoder.problem()
        settings, known = configuration.search, configuration.known
        given, timeout = list(configuration.encoder.givens()), settings.timeout or _SECONDS
        search = problem.solve(limit=settings.limit or 1, given=given, timeout=timeout)
        solutions = list(search)
        assert search.status is Status.LIMIT or known.solutions == 0, f"too few solutions ({search.status.value})"
        assert all(problem.verify(solution) for solution in solutions), (
            "the search reported a set that is not a solution"
        )
        if settings.limit is None and counts:
            for stated, distinct in ((known.solutions, False), (known.distinct, True)):
                if stated is not None:
                    found = problem.count(given=given, timeout=timeout, distinct=distinct)
                    assert found == stated, (
                        f"'known' states {format_count(stated, 'solution')}, but the count is {found:,}"
                    )


def _check_text_form(instance: Encoder, solution: Collection[Label]) -> None:
    """Write a solution in each layout of the text form, and read it back."""
    form = instance.text_form()
    if form is None:
        return
    shown = {label for options in form.options for label in options.values()}.intersection(solution)
    for layout in form.layouts:
        text = form.write(layout, solution)
        assert list(instance.instances(text.splitlines(keepends=True))) == [text], f"instances does not yield {text!r}"
        again = instance.parse(text)
        assert again.frame() == instance.frame(), f"parse reads {text!r} as an instance with another frame"
        assert set(again.givens()) == shown, f"parse and the text form read {text!r} differently"
        written = again.unparse(solution)
        assert written == text, f"unparse writes {written!r}, the text form {text!r}"


@contextmanager
def _name_case(name: str) -> Iterator[None]:
    """Add the name of a case to the message of an error."""
    try:
        yield
    except (AssertionError, CoverError) as error:
        raise AssertionError(f"{name}: {error}") from error


def _check_class(encoder: type[Encoder]) -> None:
    name = encoder.__name__
    assert issubclass(encoder, Encoder), f"{name} is not derived from exactcover.Encoder"
    assert is_dataclass(encoder), f"{name} is not a dataclass"
    assert encoder.__dataclass_params__.frozen, f"{name} is not frozen: write @dataclass(frozen=True)"
    described = schema(encoder)
    assert (encoder.__doc__ or "").strip() and not encoder.__doc__.startswith(f"{name}("), f"{name} has no docstring"
    for field in (own for own in fields(encoder) if own.name in encoder.__annotations__):
        parameter = described["properties"].get(field.name, {})
        assert "description" in parameter, f"parameter {field.name} of {name} has no docstring below it"


def _check_problem(instance: Encoder, problem: Problem) -> None:
    texts: dict[str, Label] = {}
    for label in problem.labels:
        text = str(label)
        assert text and text.isprintable(), f"the text of label {label!r} is empty or not printable"
        other = texts.setdefault(text, label)
        assert other == label, f"labels {other!r} and {label!r} have the same text, {text!r}"
    problem.permutations()
    for label in instance.givens():
        assert label in problem.options, f"given {label!r} is not an option"


_PRINT_FINGERPRINTS = """
import json, sys
from importlib import import_module
from exactcover.config.configuration import encode_as
encoder = getattr(import_module(sys.argv[1]), sys.argv[2])
for params in json.load(sys.stdin):
    print(encode_as(encoder, params).problem().fingerprint(), flush=True)
"""


def _check_order(encoder: type[Encoder], built: Sequence[tuple[Mapping[str, Any], str]]) -> None:
    """Build the problems of all cases again in a process with another hash seed, and compare the fingerprints."""
    import json

    if encoder.__module__ == "__main__" or "." in encoder.__qualname__:
        return  # other processes cannot import it
    path = os.pathsep.join(sys.path)
    result = subprocess.run(
        [sys.executable, "-c", _PRINT_FINGERPRINTS, encoder.__module__, encoder.__qualname__],
        input=json.dumps([dict(params) for params, _ in built]),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": _HASH_SEED, "PYTHONPATH": path},
        check=False,
    )
    found = result.stdout.splitlines()
    for (params, fingerprint), other in zip_longest(built, found[: len(built)]):
        with _name_case(f"{encoder.__name__} with {dict(params)}"):
            assert other is not None, f"it cannot be built in another process:\n{result.stderr}"
            assert other == fingerprint, (
                "the order of items or options depends on PYTHONHASHSEED; do not iterate over sets"
            )
    assert result.returncode == 0, f"building {encoder.__name__} ends another process:\n{result.stderr}"


def _check_solutions(instance: Encoder, problem: Problem) -> None:
    search = problem.solve(given=instance.givens(), options=SearchOptions(nodes=_NODES))
    solutions = list(islice(search, _SOLUTIONS))
    assert len(solutions) == _SOLUTIONS or not search.status.stopped, (
        f"fewer than {_SOLUTIONS} solutions found within {_NODES:,} nodes; use a smaller case"
    )
    parses = defines(instance, "parse")
    if parses:
        hash(instance.frame())
    for solution in solutions:
        instance.decode(solution)
        assert str(instance.unparse(solution)) or not solution, "unparse returns an empty text"
        if parses:
            again = instance.parse(instance.unparse(solution))
            assert set(again.givens()) <= set(solution), f"parse does not read back {instance.unparse(solution)!r}"
        _check_text_form(instance, solution)
    if not solutions or instance.draw(solutions[0]) is None:
        return
    single_options = [(label,) for label in problem.labels[:_DRAWN_ALONE]]
    for part in [*solutions, (), *single_options]:
        picture = instance.draw(part)
        assert isinstance(picture, Picture), f"draw does not return a Picture for {part!r}"
        assert picture.title, "a picture has no title"
        render(picture)
        contact_sheet([picture])
