"""Soft items in files: what is written is read."""

import io

import pytest

from exactcover import Problem
from exactcover.formats import csv_problem, json_problem
from soft_problems import random_problem


@pytest.mark.parametrize("form", [csv_problem, json_problem])
def test_soft_items_that_are_written_are_read(form: object) -> None:
    softened = 0
    for number in range(400, 480):
        problem = random_problem(number)
        out = io.StringIO()
        form.write(problem, out)  # type: ignore[attr-defined]
        read: Problem = form.read(io.StringIO(out.getvalue()))  # type: ignore[attr-defined]
        assert read.soft == problem.soft and read.multiplicity == problem.multiplicity
        assert [read.cost(one) + read.price(one) for one in read.cheapest(3)] == [
            problem.cost(one) + problem.price(one) for one in problem.cheapest(3)
        ]
        softened += bool(problem.soft)
    assert softened > 40


def test_a_file_with_wrong_soft_items_is_refused() -> None:
    from exactcover import ConfigError

    for soft, message in (
        ('{"b": 1}', "soft names 'b', which is not an item"),
        ('{"a": [1, 2, 3]}', "is not a number"),
        ('{"a": [null, null]}', "expected a price, or two of them"),
        ('{"a": "x"}', "is not a number of at least 0"),
        ('["a"]', "soft: expected an object"),
    ):
        with pytest.raises(ConfigError, match=message):
            json_problem.read(f'{{"options": [{{"items": ["a"]}}], "soft": {soft}}}')
