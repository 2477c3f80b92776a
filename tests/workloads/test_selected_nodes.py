"""DaemonSets that do not run on every node: the configured number of nodes is the most."""

from __future__ import annotations

from typing import Any

import pytest
from manifests import quota
from workspace import Workspace

DAEMON_SET = """apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: team}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {%s containers: [{name: a, image: a, resources: {requests: {cpu: 1}}}]}
"""
AFFINITY = (
    "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: "
    "[{key: disk, operator: %s, values: [%s]}]}]}}},"
)
PREFERRED = "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: []}},"


def row(workspace: Workspace, spec: str, nodes: str) -> tuple[Any, Any, Any]:
    files = {"q.yaml": quota("team", hard="requests.cpu: 2"), "d.yaml": DAEMON_SET % spec}
    workspace.put({".quotalint.yaml": f"nodes: {nodes}\n", **files})
    report = workspace.report("check")
    (table,) = report["quotas"]
    severities = [found["severity"] for found in report["findings"] if found["rule"] == "QL301"]
    return table["resources"][0]["steady"], table["certainty"], severities


CASES = {
    "every node": ("", "3", ("3", "exact", ["error"])),
    "preferred nodes": (PREFERRED, "3", ("3", "exact", ["error"])),
    "selected nodes": ("nodeSelector: {disk: ssd},", "3", ("3", "assumed", ["warning"])),
    "selected nodes whose number is known": (
        "nodeSelector: {disk: ssd},",
        '{"*": 5, "disk=ssd": 3}',
        ("3", "exact", ["error"]),
    ),
    "other nodes than those whose number is known": (
        "nodeSelector: {disk: hdd},",
        '{"*": 3, "disk=ssd": 1}',
        ("3", "assumed", ["warning"]),
    ),
    "nodes by affinity": (AFFINITY % ("In", "ssd, nvme"), "3", ("3", "assumed", ["warning"])),
    "nodes by affinity whose number is known": (
        AFFINITY % ("In", "ssd"),
        '{"*": 5, "disk=ssd": 3}',
        ("3", "exact", ["error"]),
    ),
    "nodes that are tolerated": ("tolerations: [{key: a, operator: Exists}],", "3", ("3", "assumed", ["warning"])),
    "an unknown number of nodes": ("nodeSelector: {disk: ssd},", "null", ("1", "at-least", [])),
}


@pytest.mark.parametrize("case", CASES)
def test_how_sure_the_number_of_pods_is(workspace: Workspace, case: str) -> None:
    spec, nodes, expected = CASES[case]
    assert row(workspace, spec, nodes) == expected


def test_what_settles_it(workspace: Workspace) -> None:
    row(workspace, "nodeSelector: {disk: ssd},", "3")
    _, out, _ = workspace.text("check")
    said = " ".join(out.split())
    assert "DaemonSet agent runs only on nodes with disk=ssd, so 3 is the most" in said
    assert 'write the number of these nodes into `nodes`: {"*": 3, "disk=ssd": …}' in said
