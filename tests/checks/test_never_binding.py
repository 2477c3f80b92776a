"""Entries that another quota limits more tightly: so they are, whoever uses them."""

from __future__ import annotations

import pytest
from manifests import quota, web
from workspace import Workspace

TIGHT = quota("team-a", "small", hard="pods: 5")


@pytest.mark.parametrize(
    ("small", "is_assumed"),
    [
        pytest.param(TIGHT, False, id="of a workload alone it is guessed where it goes"),
        pytest.param(TIGHT.replace(", namespace: team-a", ""), True, id="of a quota as well"),
    ],
)
def test_what_is_guessed_of_who_uses_it_makes_it_no_guess(small: str, is_assumed: bool, workspace: Workspace) -> None:
    workspace.put({"k8s/quota.yaml": quota("team-a", hard="pods: 9"), "k8s/small.yaml": small, "k8s/web.yaml": web(2)})
    report = workspace.report("check")
    (finding,) = [finding for finding in report["findings"] if finding["rule"] == "QL206"]
    assert bool(finding["assumptions"]) == is_assumed
    assert {row["certainty"] for row in report["quotas"]} == {"assumed"}
