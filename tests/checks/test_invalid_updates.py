"""How a workload is to be updated is refused where the API server refuses it, in its own words."""

from __future__ import annotations

import pytest
from workspace import Workspace

PERCENT = (
    "a valid percent string must be a numeric string followed by an ending '%' "
    "(e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"
)


def manifest(kind: str, strategy: str) -> str:
    field = "strategy" if kind == "Deployment" else "updateStrategy"
    return (
        "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: a}\nspec: {hard: {pods: '9'}}\n---\n"
        f"apiVersion: apps/v1\nkind: {kind}\nmetadata: {{name: w, namespace: a}}\nspec:\n  {field}: {strategy}\n"
        "  selector: {matchLabels: {app: w}}\n"
        "  template: {metadata: {labels: {app: w}}, spec: {containers: [{name: c, image: x}]}}\n"
    )


def refusals(workspace: Workspace, kind: str, strategy: str) -> list[str]:
    workspace.put({"d.yaml": manifest(kind, strategy)})
    findings = [finding for finding in workspace.report("check")["findings"] if finding["rule"] == "QL405"]
    assert all(finding["severity"] == "error" and finding["line"] == 10 for finding in findings)
    return [finding["message"].partition("rollingUpdate")[2].lstrip(".") for finding in findings]


@pytest.mark.parametrize(
    ("kind", "strategy", "message"),
    [
        (
            "Deployment",
            "{rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}",
            "maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0",
        ),
        (
            "Deployment",
            '{type: RollingUpdate, rollingUpdate: {maxSurge: "0%", maxUnavailable: "0%"}}',
            'maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0',
        ),
        (
            "Deployment",
            "{type: Recreate, rollingUpdate: {}}",
            ": Forbidden: may not be specified when strategy `type` is 'Recreate'",
        ),
        ("Deployment", '{rollingUpdate: {maxSurge: "1"}}', f'maxSurge: Invalid value: "1": {PERCENT}'),
        (
            "Deployment",
            "{rollingUpdate: {maxUnavailable: 110%}}",
            'maxUnavailable: Invalid value: "110%": must not be greater than 100%',
        ),
        (
            "Deployment",
            "{rollingUpdate: {maxSurge: -1}}",
            "maxSurge: Invalid value: -1: must be greater than or equal to 0",
        ),
        (
            "DaemonSet",
            "{rollingUpdate: {maxSurge: 1}}",
            "maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero",
        ),
        (
            "DaemonSet",
            "{rollingUpdate: {maxUnavailable: 0}}",
            "maxUnavailable: Required value: cannot be 0 when maxSurge is 0",
        ),
        (
            "DaemonSet",
            "{rollingUpdate: {maxSurge: 200%, maxUnavailable: 0}}",
            'maxSurge: Invalid value: "200%": must not be greater than 100%',
        ),
    ],
)
def test_what_is_refused_is_quoted(workspace: Workspace, kind: str, strategy: str, message: str) -> None:
    assert refusals(workspace, kind, strategy) == [message]


@pytest.mark.parametrize(
    ("kind", "strategy"),
    [
        ("Deployment", "{}"),
        ("Deployment", "{rollingUpdate: {}}"),
        ("Deployment", "{rollingUpdate: {maxSurge: 0}}"),
        ("Deployment", "{rollingUpdate: {maxUnavailable: 0}}"),
        ("Deployment", "{rollingUpdate: {maxSurge: 200%, maxUnavailable: 100%}}"),
        ("Deployment", "{type: Recreate}"),
        ("Deployment", "{type: Recreate, rollingUpdate: null}"),
        ("Deployment", "{rollingUpdate: {maxSurge: null, maxUnavailable: 0}}"),
        ("Deployment", "{rollingUpdate: {maxSurge: 0, maxUnavailable: '${MISSING}'}}"),
        ("Deployment", "{type: '${STRATEGY}', rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}"),
        ("DaemonSet", "{rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}"),
        ("DaemonSet", "{rollingUpdate: {maxUnavailable: 20%}}"),
        ("DaemonSet", "{type: OnDelete, rollingUpdate: {maxSurge: 1}}"),
        ("StatefulSet", "{rollingUpdate: {partition: 0}}"),
    ],
)
def test_what_is_accepted_or_may_become_so_is_not(workspace: Workspace, kind: str, strategy: str) -> None:
    assert refusals(workspace, kind, strategy) == []


@pytest.mark.parametrize("limit", ["9" * 5000, "-" + "9" * 5000, "'" + "9" * 5000 + "%'", "1.5", "true", "[1]", "{}"])
def test_what_is_far_too_large_or_no_number_ends_nothing(workspace: Workspace, limit: str) -> None:
    workspace.put({"d.yaml": manifest("Deployment", f"{{rollingUpdate: {{maxSurge: {limit}}}}}")})
    assert workspace.text("check")[0] in (0, 1)


def test_an_autoscaler_that_is_refused_moves_nothing(workspace: Workspace) -> None:
    scaler = (
        "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: w, namespace: a}\nspec:\n"
        "  {minReplicas: 20, maxReplicas: 10, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: w}}\n"
    )
    workspace.put({"d.yaml": manifest("Deployment", "{}") + scaler})
    (finding,) = workspace.report("check")["findings"]
    assert (finding["rule"], finding["line"]) == ("QL405", 18)
    assert "must be greater than or equal to `minReplicas`" in finding["message"]
