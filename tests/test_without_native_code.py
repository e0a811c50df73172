"""What needs no native code works where the package was installed without a C++ compiler."""

from commands import run_script

SCRIPT = """
import io, sys
sys.modules["exactcover._native"] = None  # as if it were not there
from exactcover import SearchOptions
from exactcover.certificates.certify import certify_classes, certify_count
from exactcover.engines.base import ENGINES
from problems import Queens
queens = Queens(n=6).problem()
print(*ENGINES)
rotations = SearchOptions(distinct="rotations")
print(queens.count(), queens.count(distinct=True), len(list(queens.solve(options=rotations))))
print(certify_count(io.BytesIO(), queens, SearchOptions()))
print(certify_classes(io.BytesIO(), queens, SearchOptions(distinct=True)))
"""


def test_counts_classes_and_certificates_need_no_native_code() -> None:
    found = run_script(SCRIPT)
    assert found.returncode == 0, found.stderr
    engines, *answers = found.stdout.splitlines()
    assert "native" not in engines
    assert "sets" in engines
    assert answers == ["4 1 2", "4", "1"]
