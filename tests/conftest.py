"""What all tests share."""

from __future__ import annotations

import pytest
from hypothesis import settings

# How long an example takes says more about the machine than about the code.
settings.register_profile("quotalint", deadline=None)
settings.load_profile("quotalint")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update-golden` rewrites the expected outputs in tests/golden/ for review."""
    parser.addoption("--update-golden", action="store_true", help="rewrite the expected outputs in tests/golden/")
