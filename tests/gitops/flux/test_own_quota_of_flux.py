"""The quota that Flux installs beside itself lets critical pods in, and limits nothing that a chart would bring."""

from __future__ import annotations

import pytest
from deployer_objects import QUOTA_OF_FLUX, helm_release
from manifests import head, quota
from workspace import Workspace

BOUNDS = head("v1", "LimitRange", "bounds", "flux-system") + "spec: {limits: [{type: Pod, max: {cpu: 2}}]}\n"
CHART = "chart: {spec: {chart: weave-gitops, sourceRef: {kind: HelmRepository, name: weave}}}"


@pytest.mark.parametrize(
    ("files", "severity"),
    [
        ({}, "info"),
        ({"quota.yaml": quota("flux-system")}, "warning"),
        ({"limits.yaml": BOUNDS}, "warning"),
        ({"elsewhere.yaml": quota("shop")}, "info"),
        ({"critical.yaml": QUOTA_OF_FLUX.replace("system-node-critical", "high")}, "warning"),
    ],
)
def test_what_is_not_in_view_matters_where_more_than_critical_pods_is_limited(
    files: dict[str, str], severity: str, workspace: Workspace
) -> None:
    workspace.put({"critical.yaml": QUOTA_OF_FLUX, "gitops.yaml": helm_release("weave", CHART, "flux-system"), **files})
    (finding,) = workspace.report("check", "--select", "QL003")["findings"]
    assert finding["severity"] == severity


def test_nothing_is_said_of_how_little_is_known_of_it(workspace: Workspace) -> None:
    workspace.put({"critical.yaml": QUOTA_OF_FLUX, "gitops.yaml": helm_release("weave", CHART, "flux-system")})
    _, text, _ = workspace.text("check")
    assert text.endswith("1 info in 2 files (1 namespace, 1 quota).\n")
    workspace.put({"quota.yaml": quota("flux-system")})
    _, text, _ = workspace.text("check")
    assert "1 namespace could not be judged: flux-system (see QL003 above)." in text
