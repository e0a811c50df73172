"""The file of a run: what it says about the run, who works on it, and whether what it says can be believed."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path

from exactcover.control.arguments import check_arguments
from exactcover.control.policy import DEFAULT_RUN_POLICY, RunPolicy
from exactcover.control.statistics import Statistics
from exactcover.control.stop import Stop, Stopped
from exactcover.errors import DamagedStoreError, OutputError, StoppedError, StoreError
from exactcover.files.lock import hold_lock, read_lock
from exactcover.runs.fields import to_goal, to_text
from exactcover.runs.planned import PlannedSearch
from exactcover.runs.preparation import find_preparation_fault
from exactcover.runs.problem import RunProblem
from exactcover.runs.store import Store

__all__ = ["RunFile"]


class RunFile:
    """The file of a run, with the parameters of :class:`~exactcover.runs.run.Run`."""

    @check_arguments
    def __init__(
        self, path: str | os.PathLike[str], stop: Stop | None = None, *, policy: RunPolicy | None = None
    ) -> None:
        self.path, self._stop, self._policy = Path(path), stop or Stop(), policy or DEFAULT_RUN_POLICY
        with self._open_reader() as store:
            facts = store.facts
        self._seal: bytes = facts["seal"]
        self._confirmed: PlannedSearch | None = None  # what is searched, if it follows from the problem
        try:
            goal = facts["goal"]
            self.goal, self.engine = to_goal(goal["kind"], goal["number"]), to_text(facts["engine"])
            self.problem = RunProblem.from_bytes(facts["problem"])
            if self.problem.key != facts["key"]:
                raise ValueError("its hash is wrong")
        except (ValueError, KeyError, TypeError) as error:
            raise DamagedStoreError(f"{self.path}: the stored problem is damaged: {error}") from None

    def owner(self) -> tuple[int, str] | None:
        """Return the number and the host of the process that works on the run, or None if nobody does."""
        with contextlib.suppress(ValueError):
            process, host = (read_lock(self._lock_path) or "").split()
            if int(process) > 1:  # others stand for groups of processes, or for the first one of the system
                return int(process), host
        return None

    # -- for the class Run ---------------------------------------------------------------------

    @contextlib.contextmanager
    def _open_for_work(self, stop: Stop) -> Iterator[Store]:
        """Open the store for writing, as the only process that does so, if what it searches is confirmed."""
        owner = f"{os.getpid()} {socket.gethostname()}\n"
        with contextlib.ExitStack() as held:
            try:
                held.enter_context(hold_lock(self._lock_path, owner, ""))
            except OSError as error:
                holder = self.owner()
                if holder is None and not isinstance(error, BlockingIOError):
                    raise OutputError(f"cannot write {self._lock_path}: {error.strerror or error}") from None
                who = "another process" if holder is None else f"process {holder[0]} on {holder[1]}"
                raise StoreError(f"{self.path}: {who} is already working on this run") from None
            with self._read():  # a damaged or foreign file is left alone
                self._confirm(stop)
            store = held.enter_context(contextlib.closing(Store(self.path, writable=True)))
            self._check_seal(store)
            yield store

    @contextlib.contextmanager
    def _read(self) -> Iterator[Store]:
        """Open the store for reading, if it is still the one of this run."""
        with self._open_reader() as store:
            self._check_seal(store)
            yield store

    @contextlib.contextmanager
    def _open_reader(self) -> Iterator[Store]:
        """Open the file for reading; a stop becomes a StoppedError."""
        try:
            with contextlib.closing(Store(self.path, writable=False, stop=self._stop)) as store:
                yield store
        except Stopped as stopped:
            raise StoppedError(stopped.status, 0, Statistics()) from None

    def _check_seal(self, store: Store) -> None:
        """Raise a StoreError if the file has become the store of another run."""
        if store.facts["seal"] != self._seal:
            raise StoreError(f"{self.path}: the file has been replaced by the store of another run")

    def _confirm(self, stop: Stop) -> PlannedSearch:
        """Make what is searched, or the reason why nothing is, again from the problem, once for each run; return it.

        Raises
        ------
        StoreError
            If it is something else.
        StoppedError
            If the stop asks to end.
        """
        if self._confirmed is not None:
            return self._confirmed
        try:
            fault = find_preparation_fault(self.problem, self.goal, stop)
            if fault is not None:
                raise StoreError(f"{self.path}: {fault}")
            self._confirmed = PlannedSearch(self.problem, stop)
        except ValueError as error:
            raise StoreError(f"{self.path}: the plan of the run is not valid: {error}") from None
        except Stopped as stopped:
            raise StoppedError(stopped.status, 0, Statistics()) from None
        return self._confirmed

    @property
    def _planned(self) -> PlannedSearch:
        """What is searched, which is confirmed first."""
        return self._confirm(self._stop)

    @property
    def _lock_path(self) -> Path:
        return Path(f"{os.path.realpath(self.path)}.exactcover-lock")
