"""The native engine against the core, on problems too large for brute force."""

import ast
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from exactcover import Colored, Problem, SearchOptions, Stop
from exactcover.control.options import Heuristic
from exactcover.engines.base import ENGINES, MatrixQuery
from exactcover.errors import EngineUnavailableError

if "native" not in ENGINES:
    pytest.skip("installed without a C++ compiler", allow_module_level=True)

import exactcover
import exactcover._native as _native
from classics import langford, latin_squares
from exactcover.engines.native import NativeEngine
from oracles import assert_each_once
from problems import Polyomino, Sudoku

LARGE = """
SB.I.CEH.X...OQD.K...UAG.
NDK...P...C.E.R..UGMO.W.T
....MD.N...VP.IWO..T..C..
...QT.M.GUD.LN..H.RE.VB..
HCX.E.T.Q.A.M..BSV.PN.DFL
.H.X.O.L.....P..T.V.E.NKF
.JBUGNF.....ITV.L.Y..AHX.
..D.Q.G...NC.E.HM.X..W.VI
.N.K..ITVWHARM.J...G.D.YQ
.SW..HRMX....LYN....PBJ..
XR.H.Q....G..UJ..TS...F.D
........HMQ.W...KE.......
.GP...D.NEI.BV.Q.LO.X..HC
..L.WG.UJ..EDKN..M.CV.IS.
K.EN.I.V.TRMC.HG.P.AYL...
A.GMHY.....I.BP.WQ.SCRKE.
C....V.WT.XGHA.U.I...F...
W....XHAMGY...LKC..N....J
D..LOU.B....NCEXA...WQ.T.
BU.P.KN.ER.QS..Y..LOAGXM.
..H.KTV.W.M.X.....B...LDY
IP.....R.HT.VQ.L..D..J.A.
Q.O.V.....LNY.D.RH.KISPBU
FL...P...S.HK...G.A....WV
G.JA...F.....I.T......E.K
"""
"""A Sudoku with boxes of 5x5, half of its cells given, and one solution."""
NATIVE = [name for name in ENGINES if name.startswith("native")]


def random_problem(seed: int, *, secondary: bool, colors: bool) -> Problem:
    """A problem of 60 to 500 options with some hundreds of solutions at most: planted, then blurred."""
    chance = random.Random(seed)
    primary = [f"p{item}" for item in range(chance.randint(8, 40))]
    shared = [f"s{item}" for item in range(chance.randint(1, 30))] if secondary else []
    options: list[list[Any]] = []
    for _ in range(chance.randint(2, 4)):  # partitions of the items, so that there are solutions
        items = chance.sample(primary, len(primary))
        while items:
            size = chance.randint(2, 5)
            options.append(items[:size])
            items = items[size:]
    while len(options) < chance.randint(60, 500):
        options.append(chance.sample(primary, chance.randint(3, min(8, len(primary)))))
    for option in options:
        for item in chance.sample(shared, min(len(shared), chance.randint(0, 2))):
            option.append(Colored(item, chance.choice("abc")) if colors and chance.random() < 0.8 else item)
        chance.shuffle(option)
    return Problem(enumerate(options), primary=primary, secondary=shared)


@pytest.mark.parametrize("kind", ["plain", "secondary", "colors"])
def test_it_agrees_with_the_core(kind: str) -> None:
    """The core is stopped where it would take too long."""
    compared = 0
    for seed in range(40):
        problem = random_problem(seed, secondary=kind != "plain", colors=kind == "colors")
        expected = list(problem.solve(engine="sets", limit=100))
        for engine in NATIVE:
            if len(expected) < 100:
                found = list(problem.solve(engine=engine))
                assert Counter(found) == Counter(expected)
                assert problem.count(engine=engine) == len(expected)
            else:
                found = list(problem.solve(engine=engine, limit=100))
                assert len(set(found)) == 100
            assert all(problem.verify(solution) for solution in found[:5])
        compared += len(expected) < 100
    assert compared > 10


@pytest.mark.parametrize("heuristic", ["mrv", "leftmost", "weighted"])
def test_all_instruction_sets_search_alike(heuristic: Heuristic) -> None:
    """Also with weights, which note where a search failed."""
    for seed in range(40):
        problem = random_problem(seed, secondary=seed % 2 == 1, colors=seed % 4 == 3)
        results = set()
        for engine in set(NATIVE) - {"native trunk"}:
            search = problem.solve(engine=engine, limit=1000, options=SearchOptions(heuristic=heuristic))
            results.add((tuple(search), search.statistics.nodes))
        assert len(results) == 1


def test_the_module_says_what_it_is() -> None:
    assert _native.version == exactcover.__version__
    assert _native.build_type in ("release", "debug")
    assert set(_native.instruction_sets) <= {"avx512", "avx2", "avx2_slow_pext", "sse4", "baseline"}
    assert _native.instruction_sets[-1] == "baseline"


def test_unknown_instructions_are_refused() -> None:
    with pytest.raises(EngineUnavailableError, match="does not support the instructions 'mmx'"):
        NativeEngine(instructions="mmx").start(MatrixQuery(Problem({"A": [1]}).matrix, Stop()))
    problem = NativeEngine().problem(Problem({"A": [1]}).matrix, Stop())
    with pytest.raises(ValueError, match="does not support the instructions mmx"):
        _native.Search(problem, 1 << 16, "mmx")


def test_the_environment_picks_instructions(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = Problem({"A": [1]}).matrix
    monkeypatch.setenv("EXACTCOVER_INSTRUCTIONS", "baseline")
    assert NativeEngine().start(MatrixQuery(matrix, Stop())).details["instructions"] == "baseline"
    best = _native.instruction_sets[0]
    assert NativeEngine(instructions=best).start(MatrixQuery(matrix, Stop())).details["instructions"] == best
    monkeypatch.setenv("EXACTCOVER_INSTRUCTIONS", "basline")
    with pytest.raises(EngineUnavailableError, match="did you mean 'baseline'"):
        NativeEngine().start(MatrixQuery(matrix, Stop()))


def test_the_stub_tells_what_is_there() -> None:
    stub = ast.parse(Path(exactcover.__file__).with_name("_native.pyi").read_text("utf-8"))
    described: dict[str, set[str]] = {"": set()}
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            described[node.name] = {method.name for method in node.body if isinstance(method, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            described[""].add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            described[""].add(node.target.id)
    real = {name for name in vars(_native) if not name.startswith("_")}
    own = {name for name in described.pop("") if not name.startswith("_")}
    assert own | set(described) == real
    for name, methods in described.items():
        assert methods - {"__init__"} == {one for one in vars(getattr(_native, name)) if not one.startswith("_")}


def test_having_counted_it_refuses_to_list() -> None:
    """What is counted many at a time cannot be listed from there on, so nothing may seem to be missing."""
    matrix = langford(8).matrix
    problem = _native.make_problem(matrix.items, matrix.primary, matrix.starts, matrix.entries, matrix.colors)
    search = _native.Search(problem)
    search.begin(())
    assert search.advance(10, 1, False)
    with pytest.raises(ValueError, match="cannot list"):
        search.advance(10, 1, True)


@pytest.mark.parametrize("variant", NATIVE)
@pytest.mark.parametrize("heuristic", ["mrv", "leftmost", "weighted"])
def test_many_items_with_few_options_each(variant: str, heuristic: Heuristic) -> None:
    """Latin squares with clues: what is searched by planes of items, begun anew and as problems of their own."""
    for seed in range(6):
        chance = random.Random(seed)
        n = chance.randint(5, 9)
        rows, columns, symbols = (chance.sample(range(n), n) for _ in range(3))
        problem = latin_squares(n)
        full = [(row, column, symbols[(rows[row] + columns[column]) % n]) for row in range(n) for column in range(n)]
        given = chance.sample(full, n * n * chance.randint(45, 65) // 100)
        expected = set(problem.solve(given=given, engine="sets", limit=2000))
        if len(expected) == 2000:
            continue
        assert tuple(sorted(full)) in expected
        options = SearchOptions(engine=variant, heuristic=heuristic)
        assert_each_once(problem.solve(given=given, options=options), expected)
        assert problem.count(given=given, options=options) == len(expected)
        assert_each_once(next(problem.solve_instances([given], limit=2000, engine=variant)), expected)


@pytest.mark.parametrize("variant", [name for name in NATIVE if name != "native trunk"])
def test_planes_of_several_vectors(variant: str) -> None:
    """More than 512 items, and every way of asking."""
    puzzle = Sudoku(LARGE, "5x5")
    problem, given = puzzle.problem(), puzzle.givens()
    (found,) = problem.solve(given=given, engine=variant)
    assert problem.verify(found)
    assert problem.count(given=given, options=SearchOptions(engine=variant, jobs=2)) == 1
    less = given[: len(given) * 97 // 100]
    one = list(problem.solve(given=less, engine=variant, limit=300))
    assert list(problem.solve(given=less, limit=300, options=SearchOptions(engine=variant, jobs=2))) == one
    assert len(set(one)) == len(one)
    assert all(problem.verify(solution) for solution in one)


@pytest.mark.parametrize("make", [
    lambda n: Problem((k, [k]) for k in range(n * n)),
    lambda n: Problem((k, [k, k + 1]) for k in range(n * n - 1)),
    lambda n: Problem((k, ["all", k // 2]) for k in range(n * n)),
    lambda n: Polyomino(f"{n}x{n}", "dominoes", copies="any").problem(),
], ids=["single items", "chain", "infeasible", "dominoes"])  # fmt: skip
def test_a_search_holds_as_much_as_the_problem_is_large(make: Callable[[int], Problem]) -> None:
    """Vectors of all options for each item would grow with the square, and so would the time of a node."""
    for side in (60, 100):
        matrix = make(side).matrix
        search = NativeEngine().search(NativeEngine().problem(matrix, Stop()), Stop())
        search.begin(())
        search.advance(1 << 40, 1, True)
        assert search.memory() < 200 * len(matrix.entries)
        assert search.counters().nodes <= len(matrix) + 1  # no choice was wrong
