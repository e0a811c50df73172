"""The command line: one module a verb; no verb knows a puzzle."""

from exactcover.cli.main import main

__all__ = ["main"]
