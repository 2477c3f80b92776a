"""What the tests of the action share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from github_server import GitHub, github_served


@pytest.fixture
def github() -> Iterator[GitHub]:
    with github_served() as github:
        yield github
