"""A quota that is nearly full in both states: fuller than before, or less full."""

from __future__ import annotations

from typing import Any

import pytest
from git_repositories import Repository, deployment, difference, quota


@pytest.mark.parametrize(("before", "after", "group"), [(19, 20, "new"), (20, 19, "better")])
def test_a_nearly_full_quota_is_worse_or_better(
    before: int, after: int, group: str, repository: Repository, capsys: Any
) -> None:
    repository.commit({"quota.yaml": quota("pods: 20"), "web.yaml": deployment(before)})
    repository.commit({"web.yaml": deployment(after)})
    status, report = difference(capsys, "HEAD~1", "HEAD")
    assert (status, [finding["rule"] for finding in report["findings"][group]]) == (0, ["QL305"])
    notes = [note for finding in report["findings"][group] for note in finding["notes"]]
    assert ("worse: 95 % used before, 100 % now" in notes) == (group == "new")
