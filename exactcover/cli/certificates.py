"""The flag ``--certificate`` of verbs that can prove their answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from exactcover.cli.messages import print_message
from exactcover.cli.output import KeepOldFileError, open_output
from exactcover.cli.target import FixedProblem, Request, complete_file
from exactcover.config.configuration import Configuration
from exactcover.control.options import Goal, SearchOptions
from exactcover.control.statistics import Status
from exactcover.problem import Problem
from exactcover.search.search import Search

if TYPE_CHECKING:  # slow to import
    from exactcover.certificates.certify import ListingRecorder
    from exactcover.certificates.writer import Family
    from exactcover.steps.soft import PlainProblem

add_certificate_flag = click.option(
    "--certificate",
    metavar="FILE",
    shell_complete=complete_file,
    help="Write a proof of the result to FILE, which exactcover certify checks.",
)


@contextmanager
def open_certificate(certificate: str, inputs: Sequence[Path]) -> Iterator[BinaryIO]:
    """Open the file of a certificate; it replaces an old one at the end of the block, unless that raises an error."""
    try:
        with open_output(certificate, inputs=inputs) as out:
            out.flush()
            yield out.buffer
            out.buffer.flush()
    except KeepOldFileError as error:
        print_message(f"{certificate} was not written: {error}")


def count_with_certificate(
    request: Request, configuration: Configuration, problem: Problem, options: SearchOptions, certificate: str
) -> int:
    """Return the number of solutions, or of their classes, of a problem, and write a certificate."""
    from exactcover.certificates.certify import certify_classes, certify_count  # slow to import

    certify = certify_classes if options.distinct else certify_count
    with open_certificate(certificate, configuration.inputs) as file:
        return certify(file, problem, options, request.stop, get_family(configuration))


def get_family(configuration: Configuration) -> Family | None:
    """Return the family of a problem as a certificate names it; None if a file states the problem itself."""
    from exactcover.certificates.writer import Family  # slow to import

    if isinstance(configuration.encoder, FixedProblem):
        return None
    return Family(configuration.problem, configuration.params)


class Listing:
    """The certificate of a search that lists solutions, if one is wanted; close it to drop what is recorded."""

    def __init__(self, certificate: str | None, goal: Goal) -> None:
        self._certificate, self._goal = certificate, goal
        self._found: list[tuple[int, ...]] = []
        self._relaxation: PlainProblem[Any] | None = None
        self.recorder: ListingRecorder | None = None  # None if the search is not what is certified
        if certificate is not None and goal.cheapest is None and goal.limit != 1:
            from exactcover.certificates.certify import ListingRecorder  # slow to import

            self.recorder = ListingRecorder()

    def follow(self, search: Search) -> Callable[[tuple[int, ...]], None]:
        """Return a function that notes a solution of a search, as positions of options."""
        from exactcover.search.soft_search import SoftSearch  # slow to import

        if not isinstance(search, SoftSearch):
            return self._note
        self._relaxation = search.relaxation
        return lambda solution: self._note(search.relaxation.complete(solution))

    def _note(self, solution: tuple[int, ...]) -> None:
        if self.recorder is not None:
            self.recorder.claim.note(solution)
        elif self._certificate is not None:
            self._found.append(solution)

    def write(self, configuration: Configuration, problem: Problem, search: Search, request: Request) -> None:
        """Write the certificate, if the search has come to its end; what may stay open is slack in it."""
        if self._certificate is None:
            return
        from exactcover.certificates.certify import certify_cheapest, certify_count, certify_list  # slow to import

        status = search.status
        if self._relaxation is not None:
            problem = self._relaxation.model

        with open_certificate(self._certificate, configuration.inputs) as file:
            if status is Status.LIMIT:
                raise KeepOldFileError("a solution needs no proof, and not all of them were searched for; see --all")
            if status not in (Status.COMPLETE, Status.UNSATISFIABLE, Status.OPTIMAL):
                raise KeepOldFileError("the search did not come to its end")
            family = get_family(configuration)
            is_unseen = self.recorder is not None and not self.recorder.is_begun  # there is none, as other ways found
            if self._goal.limit == 1 or (status is Status.UNSATISFIABLE and is_unseen):
                certify_count(file, problem, SearchOptions(), request.stop, family, hopeless=True)
            elif self.recorder is None:
                wanted, within = self._goal.cheapest or 0, self._goal.within
                certify_cheapest(file, problem, self._found, wanted, request.stop, family, within)
            else:
                certify_list(file, problem, self.recorder, request.stop, family)

    def close(self) -> None:
        """Drop what is recorded."""
        if self.recorder is not None:
            self.recorder.close()
