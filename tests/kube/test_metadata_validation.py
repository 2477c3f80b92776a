"""Metadata and status that the API server refuses, in a ResourceQuota and a LimitRange."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from workspace import Workspace

from quotalint.kube.metadata_validation import metadata_errors

UNQUALIFIED = "name is neither a standard finalizer name nor is it fully qualified"
CASES = {
    "finalizers: [kubernetes, orphan, example.com/a]": [],
    "finalizers: [tidy]": [f"metadata.finalizers[0]: {UNQUALIFIED}"],
    "finalizers: [a/b/c]": ["metadata.finalizers: a valid label key"],
    "finalizers: ['${FINALIZER}']": [],
    "generateName: base-": [],
    "generateName: Base_": ["metadata.generateName: a lowercase RFC 1123 subdomain must consist"],
    "generation: 3": [],
    "generation: -1": ["metadata.generation: must be greater than or equal to 0"],
    "creationTimestamp: '2026-01-31T12:00:00Z'": [],
    "creationTimestamp: null": [],
    "creationTimestamp: yesterday": ["metadata.creationTimestamp: must be a time such as 2026-01-31T12:00:00Z"],
    "ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: u}]": [],
    "ownerReferences: [{apiVersion: v1, kind: Pod, name: p}]": ["metadata.ownerReferences.uid: must not be empty"],
    "ownerReferences: [{kind: Pod, name: p, uid: u}]": [
        "metadata.ownerReferences.apiVersion: version must not be empty"
    ],
    "ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: u, controller: true}, "
    "{apiVersion: v1, kind: Pod, name: q, uid: v, controller: true}]": [
        "metadata.ownerReferences: Only one reference can have Controller set to true. "
        'Found "true" in references for Pod/p and Pod/q'
    ],
}


@pytest.mark.parametrize("written", CASES)
def test_what_the_server_says_of_metadata(written: str) -> None:
    found = [f"{error.field}: {error.detail}" for error in metadata_errors(yaml.safe_load(f"{{{written}}}"))]
    assert len(found) == len(CASES[written])
    assert all(said.startswith(wanted) for said, wanted in zip(found, CASES[written], strict=True))


def refusals(workspace: Workspace, manifest: str) -> list[tuple[Any, Any]]:
    workspace.put({"a.yaml": manifest})
    return [(finding["rule"], finding["field"]) for finding in workspace.report("check")["findings"]]


def test_a_refused_quota_says_where(workspace: Workspace) -> None:
    head = "apiVersion: v1\nkind: ResourceQuota\n"
    spec = "spec: {hard: {pods: 1}}\n"
    finalizers = f"{head}metadata: {{name: q, namespace: a, finalizers: [tidy]}}\n{spec}"
    assert refusals(workspace, finalizers) == [("QL112", "metadata.finalizers[0]")]
    metadata = "metadata: {name: q, namespace: a}\n"
    unread = f"{head}{metadata}{spec}status: {{hard: {{pods: x}}, used: {{pods: -1}}}}\n"
    assert refusals(workspace, unread) == [("QL112", "status.hard[pods]")]


def test_a_refused_limit_range_says_where(workspace: Workspace) -> None:
    metadata = "metadata: {name: l, namespace: a, generation: -1}\n"
    spec = "spec: {limits: [{type: Pod, max: {cpu: 1}}]}\n"
    written = f"apiVersion: v1\nkind: LimitRange\n{metadata}{spec}"
    assert refusals(workspace, written) == [("QL121", "metadata.generation")]


def test_other_kinds_may_have_finalizers_of_their_own(workspace: Workspace) -> None:
    metadata = "metadata: {name: q, finalizers: [tidy]}\n"
    spec = "spec: {selector: {labels: {matchLabels: {a: b}}}, quota: {hard: {pods: 1}}}\n"
    status = "status: {total: {hard: {pods: 1}}}\n"
    written = f"apiVersion: quota.openshift.io/v1\nkind: ClusterResourceQuota\n{metadata}{spec}{status}"
    assert [rule for rule, _ in refusals(workspace, written) if rule == "QL112"] == []
