"""Runs on the workers of a dask scheduler."""

from importlib.util import find_spec
from pathlib import Path

import pytest

import classics
from exactcover import Run, Status, Stop
from exactcover.control.stop import Stopped
from exactcover.errors import CoverError
from exactcover.runs.executors import DaskExecutor

if find_spec("distributed") is None:  # which takes seconds to load
    pytest.skip("dask is not installed", allow_module_level=True)
pytestmark = pytest.mark.filterwarnings("ignore")  # dask warns about ports and pickles


def test_a_run_on_dask(tmp_path: Path) -> None:
    import distributed

    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None, scheduler_port=0, protocol="tcp://"
    )
    with cluster, DaskExecutor(cluster.scheduler_address, Stop()) as executor:
        run = Run.create(tmp_path / "some.run", classics.langford(7))
        assert run.work(executor) is Status.COMPLETE
        assert run.count() == 52
        other = Run.create(tmp_path / "other.run", classics.langford(8))
        with distributed.Client(cluster, set_as_default=False) as client:
            other.work(client.get_executor(), workers=2)
        assert other.count() == 300


def test_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactcover.runs.executors._TIMEOUT", "0.1s")
    with pytest.raises(CoverError, match="no dask scheduler answers"):
        DaskExecutor("tcp://127.0.0.1:9", Stop())


def test_a_lost_scheduler_is_told_in_one_sentence(caplog: pytest.LogCaptureFixture) -> None:
    import distributed

    stop = Stop()
    cluster = distributed.LocalCluster(
        n_workers=0, processes=False, dashboard_address=None, scheduler_port=0, protocol="tcp://"
    )
    with cluster:
        executor = DaskExecutor(cluster.scheduler_address, stop)
    stop.request()
    with executor, pytest.warns(RuntimeWarning, match="the dask scheduler at tcp://.* is lost"), pytest.raises(Stopped):
        while True:
            executor.submit(int)
    assert "Traceback" not in caplog.text
