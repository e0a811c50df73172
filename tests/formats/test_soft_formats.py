"""Soft items in files: what is written is read."""

import io
from typing import Any

import pytest

from damage import write_text
from exactcover import Problem
from exactcover.formats import csv_problem, json_problem
from soft_problems import random_problem


@pytest.mark.parametrize("form", [csv_problem, json_problem])
def test_soft_items_that_are_written_are_read(form: Any) -> None:
    softened = 0
    for number in range(400, 480):
        problem = random_problem(number)
        read: Problem = form.read(io.StringIO(write_text(form.write, problem)))
        assert read.soft == problem.soft and read.multiplicity == problem.multiplicity
        totals = [[each.cost(one) + each.price(one) for one in each.cheapest(3)] for each in (problem, read)]
        assert totals[0] == totals[1]
        softened += bool(problem.soft)
    assert softened > 40
