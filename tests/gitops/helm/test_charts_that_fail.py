"""Charts that cannot be rendered: where they bring the quota, nobody is told that all is well."""

from __future__ import annotations

import pytest
from deployer_objects import argo_application
from manifests import quota, web
from workspace import Workspace

pytest.importorskip("helm_python")

CHART = {
    "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
    "argocd/app.yaml": argo_application("charts/web", "namespace: shop"),
}
REQUIRED = '{{ required "size is required" .Values.size }}'


def test_a_chart_that_would_bring_the_quota(workspace: Workspace) -> None:
    workspace.put({**CHART, "charts/web/templates/quota.yaml": quota(hard=f"pods: {REQUIRED}")})
    (finding,) = workspace.report("check")["findings"]
    assert (finding["rule"], finding["severity"]) == ("QL003", "warning")
    assert "size is required; what it would put into namespace shop is not counted" in finding["message"]
    _, text, _ = workspace.text("check")
    assert "Not rendered in full" not in text


def test_a_chart_of_workloads_alone_where_nothing_is_limited(workspace: Workspace) -> None:
    workspace.put({**CHART, "charts/web/templates/web.yaml": web(REQUIRED)})
    assert workspace.report("check")["findings"] == []
    _, text, _ = workspace.text("check")
    assert "Not rendered in full: argocd/app.yaml" in text
