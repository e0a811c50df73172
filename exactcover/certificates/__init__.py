"""Certificates: what others need to believe an answer, and the program that checks it.

Private: see docs/certificates.md.
"""

from __future__ import annotations

from pathlib import Path

CHECKER = Path(__file__).with_name("check.py")
"""The checker: a program in one file that imports nothing but the standard library."""
