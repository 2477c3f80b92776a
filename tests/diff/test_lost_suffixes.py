"""An amount that a change makes a thousand times as large has lost a suffix."""

from __future__ import annotations

from typing import Any

import pytest
from git_repositories import Repository, difference

WEB = """\
apiVersion: v1
kind: Pod
metadata: {{name: web, namespace: shop}}
spec: {{containers: [{{name: web, image: web, resources: {{limits: {{{0}}}}}}}]}}
"""


@pytest.mark.parametrize(
    ("was", "now", "expected"),
    [
        ("cpu: 2000m", "cpu: '2000'", "write 2000m, if that was intended"),
        ("cpu: 250m", "cpu: '250'", "write 250m, if that was intended"),
        ("memory: 512Gi", "memory: 512Mi", None),
        ("cpu: '500'", "cpu: 500m", None),
        ("cpu: 2000m", "cpu: '2'", None),
        ("cpu: 2000m", "cpu: '20'", None),
        ("memory: 64Mi", "memory: 64Gi", "write 64Mi, if that was intended"),
        ("memory: 64Mi", "memory: 2Gi", None),
    ],
)
def test_a_suffix_that_a_change_loses_is_asked_for(
    was: str, now: str, expected: str | None, repository: Repository, capsys: Any
) -> None:
    repository.commit({"web.yaml": WEB.format(was)})
    repository.commit({"web.yaml": WEB.format(now)})
    _, report = difference(capsys, "HEAD~1", "HEAD")
    new = [finding for finding in report["findings"]["new"] if finding["rule"] == "QL603"]
    assert [finding["help"] for finding in new] == ([] if expected is None else [expected])
