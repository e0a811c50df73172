"""Observers of a search: they belong to one call, while the options of a search are values that may be used again."""

from __future__ import annotations

from dataclasses import dataclass
from types import NoneType

from exactcover.control.arguments import check_instance
from exactcover.control.recorder import Profile, TreeRecorder

__all__ = ["NOBODY", "Observers"]


@dataclass(frozen=True)
class Observers:
    """An observer of the nodes of a search.

    Attributes
    ----------
    profile
        Counts the nodes of each level, or None.
    log
        Records every node, or None.

    Raises
    ------
    TypeError
        If one of them has another type.
    """

    profile: Profile | None = None
    log: TreeRecorder | None = None

    def __post_init__(self) -> None:
        check_instance("profile", self.profile, (Profile, NoneType), "a Profile or None")
        check_instance("log", self.log, (TreeRecorder, NoneType), "a SearchLogWriter or None")

    def __bool__(self) -> bool:
        return self.profile is not None or self.log is not None


NOBODY = Observers()
