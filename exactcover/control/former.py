"""Names that were replaced. They still work for one version, and warn."""

from __future__ import annotations

import warnings

__all__ = ["warn_of_former_name"]


def warn_of_former_name(former: str, name: str, stacklevel: int = 3) -> None:
    """Warn that a name will be removed."""
    warnings.warn(f"{former} will be removed; use {name}", DeprecationWarning, stacklevel=stacklevel)
