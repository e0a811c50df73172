"""The cheapest additions, and conflicts that do not overlap, against brute force."""

from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import StopWhen, invoke
from exactcover import Colored, Encoder, Problem, ProblemError, StoppedError
from exactcover.algorithm_x import Item
from exactcover.analysis import Addition, find_additions, list_additions, list_changes
from exactcover.analysis.explain import explain
from oracles import brute_force, can_cover
from problems import Crossword, Polyomino, Roster, Staffing
from strategies import problems


@given(problems(most_options=6, most_primary=4), st.data())
def test_the_cheapest_additions_are_found(problem: Problem, data: st.DataObject) -> None:
    others = data.draw(problems(most_options=5, most_primary=4))
    usable = [items for items in others.options.values() if {one for one in items if one in problem.primary}]
    usable = [items for items in usable if all(one in problem.items for one in Addition(items, "").covered)]
    costs = data.draw(st.sampled_from([[1, 1, 1, 1, 1], [1, 2, 3, 1, 0]]))
    additions = [Addition(tuple(items), str(items), cost) for items, cost in zip(usable, costs, strict=False)]
    found = find_additions(problem, additions)
    others_found = find_additions(problem, additions, engine="sets")
    choices = chain.from_iterable(combinations(additions, size) for size in range(len(additions) + 1))
    least = min((sum(one.cost for one in some) for some in choices if has_solution(problem, some)), default=None)
    for some in (found, others_found):
        assert (None if some is None else sum(one.cost for one in some)) == least
    assert found is None or has_solution(problem, found)


def has_solution(problem: Problem, added: tuple[Addition, ...]) -> bool:
    options = {**problem.options, **{f"added {k}": one.items for k, one in enumerate(added)}}
    return bool(brute_force(problem.derive(options.items())))


@given(problems(most_options=8), st.data())
def test_conflicts_do_not_overlap_and_are_minimal(problem: Problem, data: st.DataObject) -> None:
    givens = data.draw(st.lists(st.sampled_from(problem.labels), unique=True, max_size=6)) if problem.labels else []
    found = explain(problem, givens, conflicts=9)
    if found.solutions:
        assert found.further == ()
        return
    everything = brute_force(problem)
    conflicts = [found.conflict or found.items, *found.further]
    if not conflicts[0]:
        return
    flat = list(chain.from_iterable(conflicts))
    assert len(set(flat)) == len(flat)
    if found.conflict:
        assert everything
        for conflict in conflicts:
            assert not any(one.issuperset(conflict) for one in everything)
            for label in conflict:
                assert any(one.issuperset(set(conflict) - {label}) for one in everything)
        assert any(one.issuperset(set(givens) - set(flat)) for one in everything)
        return
    for conflict in conflicts:
        assert not can_cover(problem, set(conflict))
        if found.minimal or conflict is not conflicts[0]:
            assert all(can_cover(problem, set(conflict) - {item}) for item in conflict)
    assert can_cover(problem, set(problem.primary) - set(flat))


@pytest.mark.parametrize(("encoder", "expected"), [
    (Roster(table=("who,shift,cost,Mo,Tu", "Ann,x,1,x,", "Bob,x,1,x,")), {"add a shift of Ann with Tu", "add a shift of Bob with Tu"}),
    (Crossword(grid="2x2", words=("AB", "CD", "AC", "XY")), {"add a word of 2 letters to the list, down from r1c2"}),
    (Polyomino(board="2x3", pieces="trominoes", copies={"V": 1, "I": 0}), {"take one more V"}),
    (Staffing(people=("who,away", "Ann,1", "Bob,"), shifts=("shift,needs", "late,2"), days=1), {"let Ann work late on day 1, although away"}),
], ids=["roster", "crossword", "tiling", "staffing"])  # fmt: skip
def test_families_say_what_could_be_added(encoder: Encoder, expected: set[str]) -> None:
    problem = encoder.problem()
    found = find_additions(problem, list_additions(problem, encoder.additions()))
    assert found is not None and len(found) == 1 and found[0].change in expected


def test_what_is_excluded_can_be_allowed_again() -> None:
    problem = Problem({"A": [1], "B": [1], "C": [2]}, costs={"A": 3}).instance(without=["A", "B"])
    assert find_additions(problem, list_additions(problem)) == (Addition((1,), "allow 'A'"),)
    assert find_additions(problem, []) is None
    given_too = problem.instance(given=["A"])
    assert list_additions(given_too) == [Addition((1,), "allow 'B'")]
    assert find_additions(given_too, list_additions(problem)) is None
    colored = Problem({"A": [1, Colored("s", 1)]}, primary=[1, 2], secondary=["s"])
    some = [Addition((2, "s"), "a"), Addition((2, Colored("s", 1), "new"), "b")]
    assert find_additions(colored, some) == (some[1],)
    assert list_changes(colored, [2], some) == {2: ["a", "b"]}
    with pytest.raises(StoppedError):
        find_additions(problem, list_additions(problem), stop=StopWhen(lambda: True))


@pytest.mark.parametrize(("items", "message"), [
    (("s",), "additions[1] ('b') has no primary item, so it could never be chosen"),
    ((1, 1), "additions[1] ('b') contains item '1' twice"),
    ((Colored(1, "x"),), "additions[1] ('b') gives a color to '1', a primary item; only secondary items have colors"),
])  # fmt: skip
def test_additions_that_are_no_options(items: tuple[Item, ...], message: str) -> None:
    problem = Problem({"A": [1]}, primary=[1, 2], secondary=["s"])
    with pytest.raises(ProblemError) as caught:
        find_additions(problem, [Addition((2,), "a"), Addition(items, "b")])
    assert (str(caught.value), caught.value.label) == (message, None)


def test_the_command_line_names_conflicts_and_changes() -> None:
    people, shifts = 'people=["who,skills,away", "Ann,nurse,2", "Bob,,"]', 'shifts=["shift,needs,nurse", "late,1,1"]'
    done = invoke("explain", "staffing", people, shifts, "days=3", "--conflicts", "3", "--repair")
    assert done.stdout.splitlines() == [
        "no solution: no option covers item 'day 2 late nurse'",
        "this item cannot be covered: day 2 late nurse",
        "  to cover day 2 late nurse: let Bob work late on day 2, without the skill nurse; "
        "or let Ann work late on day 2, although away",
        "a cheapest repair: leave open 'day 2 late nurse'",
        "or, so that nothing stays open: let Bob work late on day 2, without the skill nurse",
    ]
    done = invoke("explain", "sudoku", "box=2x2", "grid=11..22..........", "--conflicts", "5")
    assert "besides these, givens conflict: r2c1=2, r2c2=2" in done.stdout
    assert invoke("explain", "queens", "n=4", "--conflicts", "0").returncode == 2
