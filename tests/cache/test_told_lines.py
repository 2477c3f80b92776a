"""A file has changed in which a finding names a line: what is said stays while every line stays where it is."""

from __future__ import annotations

import pytest
from edited_repositories import answered, at_work, replaced
from kept_answers import anew, asked
from test_slices import plain_repository


def test_lines_that_are_told_move_with_their_file(monkeypatch: pytest.MonkeyPatch) -> None:
    with at_work(monkeypatch, plain_repository):
        replaced("a/worker.yaml", "replicas: 2", "replicas: 50")
        before = asked("check")
        replaced("a/worker.yaml", "apiVersion", "# a comment\napiVersion")
        after = asked("check")
        assert after == anew("check") != before


@pytest.mark.parametrize(
    ("old", "new", "is_whole"),
    [
        ("image: worker:1", "image: worker:2", False),
        ("cpu: 100m", "cpu: 101m", True),
        ("replicas: 50", "replicas: 51", True),
        ("      containers:", "      terminationGracePeriodSeconds: 5\n      containers:", True),
        ("      - name: worker\n", "      - # main\n        name: worker\n", True),
    ],
)
def test_beside_a_line_that_is_told(old: str, new: str, is_whole: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said of a file stays for as long as another value is written in it, in a line of which nothing is."""
    with at_work(monkeypatch, plain_repository):
        replaced("a/worker.yaml", "replicas: 2", "replicas: 50")
        assert "a/worker.yaml:" in asked("check").out
        replaced("a/worker.yaml", old, new)
        assert answered(monkeypatch, "check") == (anew("check"), is_whole)
