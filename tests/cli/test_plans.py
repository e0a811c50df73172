"""Plans on the command line: soft items, and best efforts."""

import json
from pathlib import Path

import pytest

from commands import assert_refused, invoke

TABLE = """who,cost,2~5|Mo,~9|Tu,We
Ann,3,x,,x
Bob,2,x,x,
Cid,4,,x,x
"""


@pytest.fixture
def week(tmp_path: Path) -> str:
    file = tmp_path / "week.csv"
    file.write_text(TABLE)
    return str(file)


def test_what_stays_open_comes_first(week: str) -> None:
    done = invoke("solve", week, "--cheapest", "2", "-q")
    assert done.stdout == "Ann, Bob (cost 5)\nopen: Mo 2 times; price 10\nCid (cost 4)\n"
    assert done.returncode == 0


def test_other_verbs_know_perfect_covers_only(week: str) -> None:
    assert invoke("count", week).stdout == "1\n"
    assert invoke("solve", week, "--all", "-q").stdout == "Ann, Bob (cost 5)\n"
    assert invoke("diagram", week).stdout.startswith("solutions  1\n")
    assert invoke("count", week, "--soft").stdout == "3\n"


def test_records_say_what_stays_open_and_are_verified(week: str, tmp_path: Path) -> None:
    out = tmp_path / "plans.jsonl"
    assert invoke("solve", week, "--cheapest", "2", "-o", str(out)).returncode == 0
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(one["open"], one["price"]) for one in records[1:3]] == [({}, 0), ({"Mo": 2}, 10)]
    done = invoke("verify", week, str(out))
    assert done.stdout == "2 solutions verified; 1 not perfect, as the file says (search: optimal)\n"
    written = out.read_text()
    for false in ('"open": {}', '"open": {"Mo": 1}', '"open": {"Mo": 2, "Tu": 1}'):
        out.write_text(written.replace('"open": {"Mo": 2}', false))
        assert invoke("verify", week, str(out)).returncode == 4


def test_best_effort_fills_the_most_cells(tmp_path: Path) -> None:
    args = ["rectangles", "board=3x5", "pieces={2x2: any}"]
    assert invoke("solve", *args).returncode == 20
    out = tmp_path / "best.json"
    done = invoke("solve", *args, "--best-effort", "-o", str(out))
    assert done.returncode == 0
    assert len(json.loads(out.read_text())["solutions"][0]["open"]) == 7
    assert "leaves less open" in done.stderr
    assert invoke("verify", "rectangles", str(out), *args[1:]).returncode == 0
    text = out.read_text()
    out.write_text(text.replace('"best_effort": true', '"best_effort": false'))
    assert invoke("verify", "rectangles", str(out), *args[1:]).returncode == 4


@pytest.mark.parametrize(("args", "gaps"), [
    (["rectangles", "board=3x5", "pieces={2x2: any}"], 7),
    (["polyomino", "board=5x5", "pieces=pentominoes.X", "copies=any"], 15),
    (["polycube", "board=2x3x3", "pieces=tetracubes.T", "copies=any"], 2),
    (["polyiamond", "board=hexagon 2", "pieces=hexiamonds.O", "copies=any"], 6),
])  # fmt: skip
def test_text_marks_the_cells_that_stay_open(args: list[str], gaps: int) -> None:
    done = invoke("solve", *args, "--best-effort")
    opened, _, picture = done.stdout.partition("\n")
    assert opened.count("r") == picture.count("·") == gaps


def test_pieces_that_are_left_do_not_count() -> None:
    done = invoke("solve", "pentominoes_6x10.yaml", "board=1x11", "--best-effort", "--format", "jsonl")
    record = json.loads(done.stdout.splitlines()[1])
    assert sum(item.startswith("r") for item in record["open"]) == 6
    assert record["labels"] == ["I r1c1 r1c2 r1c3 r1c4 r1c5"] or len(record["labels"]) == 1


def test_best_efforts_have_certificates(week: str, tmp_path: Path) -> None:
    proof = str(tmp_path / "best.cert")
    assert invoke("solve", "queens", "n=3", "--best-effort", "--certificate", proof).returncode == 0
    assert invoke("certify", proof, "queens", "n=3", "--best-effort").returncode == 0
    assert invoke("certify", proof, "queens", "n=3").returncode == 4
    assert invoke("certify", proof, "--soft").returncode == 2
    for verb in (["solve", week, "--cheapest", "2"], ["count", week, "--soft"]):
        assert invoke(*verb, "--certificate", proof).returncode == 0
        assert invoke("certify", proof, week, "--soft").returncode == 0
        assert_refused("with --soft, slack options", "certify", proof, week, status=4)


def test_a_file_can_ask_for_a_best_effort(tmp_path: Path) -> None:
    file = tmp_path / "plan.yaml"
    params = "{table: {A: [a, b], B: [b, c]}, soft_items: {a: 3, c: [1, null]}}"
    file.write_text(f"problem: options\nparams: {params}\nsearch: {{best_effort: true}}\n")
    assert invoke("solve", str(file), "-q").stdout == "open: c; price 1\nA\n"
    assert invoke("solve", str(file), "--all").returncode == 20
    file.write_text(f"problem: options\nparams: {params}\nsearch: {{best_effort: true, find: all}}\n")
    assert_refused("find: all cannot be combined with best_effort", "solve", str(file))
    file.write_text("problem: options\nparams: {table: {A: [a]}, soft_items: {b: 1}}\n")
    assert_refused("soft_items", "solve", str(file))


@pytest.mark.parametrize("suffix", ["jsonl", "json", "csv"])
def test_an_earlier_plan_is_kept_as_far_as_possible(week: str, tmp_path: Path, suffix: str) -> None:
    plan = str(tmp_path / f"plan.{suffix}")
    assert invoke("solve", week, "--cheapest", "1", "-o", plan).returncode == 0
    assert invoke("solve", week, "--keep", plan, "-q").stdout == "no changes\nAnn, Bob (cost 5)\n"
    done = invoke("solve", week, "--keep", plan, "--without", "Ann", "--best-effort")
    assert done.stdout == "open: Mo 2 times; price 10\ndropped: Ann, Bob; added: Cid\nCid (cost 4)\n"
    assert_refused("no option is labeled 'Ann'", "solve", "queens", "n=6", "--keep", plan)


def test_an_earlier_plan_may_be_typed_and_changes_may_have_a_price(tmp_path: Path) -> None:
    file = tmp_path / "two.csv"
    file.write_text("who,cost,Mo,Tu\nAnn,5,x,\nBob,5,,x\nCid,1,x,x\nDan,1,x,\n")
    kept = ["solve", str(file), "--keep", "Ann", "--keep", "Bob"]
    assert invoke(*kept, "-q").stdout == "no changes\nAnn, Bob (cost 10)\n"
    done = invoke(*kept, "--without", "Ann")
    assert done.stdout == "dropped: Ann; added: Dan\nBob, Dan (cost 6)\n" and "no other changes less" in done.stderr
    done = invoke(*kept, "--change", "0.5")
    assert done.stdout == "dropped: Ann, Bob; added: Cid\nCid (cost 1)\n" and "no other is cheaper" in done.stderr
    assert_refused("no option is labeled 'Anne'", *kept, "--keep", "Anne")
    record = json.loads(invoke(*kept, "--without", "Ann", "--format", "jsonl").stdout.splitlines()[1])
    assert (record["dropped"], record["added"]) == (["Ann"], ["Dan"])


def test_an_option_that_is_gone_counts_as_dropped(week: str, tmp_path: Path) -> None:
    plan = tmp_path / "plan.csv"
    plan.write_text("solution,option\n1,Ann\n1,Zoe\n2,Bob\n")
    done = invoke("solve", week, "--keep", str(plan))
    assert done.stdout == "dropped: Zoe; added: Bob\nAnn, Bob (cost 5)\n"
    assert "holds several solutions; the first is kept" in done.stderr


@pytest.mark.parametrize(("name", "content", "message"), [
    ("plan.csv", "who,what\n1,Ann\n", "expected the columns solution and option"),
    ("plan.csv", "solution,option\n", "the file holds no solution"),
    ("plan.jsonl", "", "the file holds no solution"),
    ("plan.json", '{"solution": 1, "labels": [1]}', "no list of labels"),
    ("plan.csv", "solution,option\n1\n", "expected the number of a solution"),
    ("plan.txt", "Ann", "no option is labeled"),
    ("none.csv", None, "none.csv"),
])  # fmt: skip
def test_files_without_an_earlier_plan_are_refused(
    week: str, tmp_path: Path, name: str, content: str | None, message: str
) -> None:
    file = tmp_path / name
    if content is not None:
        file.write_text(content)
    assert_refused(message, "solve", week, "--keep", str(file))


def test_plans_near_an_earlier_one_have_certificates(tmp_path: Path) -> None:
    proof = str(tmp_path / "near.cert")
    args = ["--keep", "r1c1", "--best-effort"]
    assert invoke("solve", "queens", "n=4", *args, "--certificate", proof).returncode == 0
    assert invoke("certify", proof, "queens", "n=4", *args).returncode == 0
    assert invoke("certify", proof, "queens", "n=4", "--keep", "r1c2", "--best-effort").returncode == 4


def test_projections_are_listed_and_counted_once() -> None:
    done = invoke("solve", "queens", "n=6", "--project", "row 1", "--all", "--format", "jsonl")
    records = [json.loads(line) for line in done.stdout.splitlines()][1:-1]
    first = [next(label for label in record["labels"] if label.startswith("r1c")) for record in records]
    assert sorted(first) == ["r1c2", "r1c3", "r1c4", "r1c5"]
    assert "4 projections (search complete)" in done.stderr
    for engine in ("auto", "native", "sets", "learning", "diagram"):
        assert invoke("count", "queens", "n=6", "--project", "row 1", "--engine", engine).stdout == "4\n"
    assert invoke("count", "queens", "n=6", "--project", "r1c2").stdout == "2\n"
    assert invoke("count", "queens", "n=3", "--project", "row 1").stdout == "0\n"
    assert invoke("solve", "queens", "n=3", "--project", "row 1").returncode == 20
    assert invoke("count", "queens_8.yaml", "--project", "row 1").stdout == "8\n"  # not what the file states
    assert_refused("neither an item nor a label; did you mean", "solve", "queens", "n=6", "--project", "row 9")


def test_a_diagram_is_projected(tmp_path: Path) -> None:
    file = str(tmp_path / "queens.zdd")
    invoke("diagram", "queens", "n=6", "-o", file)
    assert invoke("count", file, "--project", "row 1").stdout == "4\n"
    assert invoke("solve", file, "--project", "row 1").returncode == 2


def test_stops_and_contradictions_do_not_look_like_best_efforts() -> None:
    done = invoke("solve", "queens", "n=12", "--best-effort", "--timeout", "0")
    assert done.returncode == 3 and not done.stdout
    done = invoke("solve", "queens", "n=3", "--best-effort", "--given", "r1c1", "--given", "r1c2")
    assert done.returncode == 20 and "both take item 'row 1'" in done.stderr


def test_soft_applies_to_soft_items_only(week: str, tmp_path: Path) -> None:
    assert "2 items with a price for staying open" in invoke("check", week).stdout
    assert "soft" not in invoke("check", "queens", "n=4").stdout
    assert invoke("count", "queens", "n=4", "--soft").returncode == 2
    store = str(tmp_path / "week.run")
    assert_refused("leaves nothing open", "run", "start", week, "--cheapest", "1", "--store", store)


@pytest.mark.parametrize("name", ["dlx", "spp", "cnf", "opb", "lp", "mps", "mtx"])
def test_formats_without_a_place_for_soft_items_refuse_them_by_name(week: str, name: str) -> None:
    assert_refused("has no place for the price of the soft item", "convert", week, "--format", name)
    done = invoke("convert", week, "--format", name, "--soft")
    assert done.returncode == (0 if name in ("dlx", "opb", "lp", "mps") else 2)  # the others refuse costs by name


@pytest.mark.parametrize(("header", "message"), [
    ("~|Mo", "expected a price after ~"),
    ("~x|Mo", "is not a number of at least 0"),
    ("~1~2~3|Mo", "is not a number of at least 0"),
    ("0~1|Mo", "expected v|NAME"),
])  # fmt: skip
def test_wrong_prices_in_a_table_have_places(tmp_path: Path, header: str, message: str) -> None:
    file = tmp_path / "wrong.csv"
    file.write_text(f"who,{header},Tu\nAnn,x,x\n")
    done = invoke("check", str(file))
    assert done.returncode == 2 and f"{file}:1:2: " in done.stderr and message in done.stderr
