"""Annotations that quotalint does not read may come, go and change: the namespaces of what has them are judged."""

from __future__ import annotations

import pytest
from git_repositories import Repository, deployment
from test_compared_slices import Files, compare
from test_new_files import DEPLOYED, LISTING, SERVICE, STARTED

NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: team-a, labels: {a: b}%s}\n"
WITH_NAMESPACE: Files = {**STARTED, "a/namespace.yaml": NAMESPACE % ", annotations: {example.com/owner: a}"}
CALICO = """apiVersion: projectcalico.org/v3
kind: NetworkPolicy
metadata: {name: %s, namespace: team-a}
spec: {order: %s}
"""


def annotated(text: str, annotations: str) -> str:
    return text.replace("metadata: {name: ", f"metadata: {{annotations: {{{annotations}}}, name: ", 1)


REWRITE = "nginx.ingress.kubernetes.io/rewrite-target: /"
CHECKSUM = "example.com/checksum: '1'"
HOOK = annotated(deployment(2, "web", "team-e"), "argocd.argoproj.io/hook: Skip")
IGNORED = annotated(deployment(5, "web", "team-d"), "quotalint.dev/ignore: QL301")
LIMITED = """, annotations: {field.cattle.io/resourceQuota: '{"limit":{"pods":"1"}}'}"""
PATCH = "{target: {annotationSelector: example.com/x=y}, patch: '[{op: add, path: /spec/a, value: b}]'}"
SERVED = SERVICE % ("web", "team-a")
OF_NAMESPACES: dict[str, tuple[Files, Files]] = {
    "the first one": (STARTED, {"a/service.yaml": annotated(SERVED, REWRITE)}),
    "the last one": (
        {**STARTED, "a/service.yaml": annotated(SERVED, "example.com/owner: a")},
        {"a/service.yaml": SERVED},
    ),
    "another value": (
        {**STARTED, "a/service.yaml": annotated(SERVED, "owner: a, example.com/owner: a")},
        {"a/service.yaml": annotated(SERVED, "owner: a, example.com/owner: b")},
    ),
    "one without a domain": (STARTED, {"a/service.yaml": annotated(SERVED, "owner: a")}),
    "one of Kubernetes": (STARTED, {"a/service.yaml": annotated(SERVED, "kubernetes.io/owner: a")}),
    "of a workload": (STARTED, {"a/web.yaml": annotated(deployment(2), CHECKSUM)}),
    "of a workload that does not fit": (STARTED, {"a/web.yaml": annotated(deployment(9), CHECKSUM)}),
    "of a Namespace": (WITH_NAMESPACE, {"a/namespace.yaml": NAMESPACE % ", annotations: {example.com/owner: b}"}),
    "a label of a Namespace": (
        WITH_NAMESPACE,
        {"a/namespace.yaml": NAMESPACE.replace("a: b", "a: c") % ", annotations: {example.com/owner: a}"},
    ),
    "no more of a Namespace": (WITH_NAMESPACE, {"a/namespace.yaml": NAMESPACE % ""}),
    "of what an overlay reads": (
        STARTED,
        {"c/one/api.yaml": annotated(deployment(1, "api", ""), CHECKSUM)},
    ),
    "of what Argo CD applies": (
        DEPLOYED,
        {"e/web.yaml": annotated(deployment(2, "web", "team-e"), "example.com/a: b")},
    ),
    "a policy of Calico that says something else": (
        {**STARTED, "a/policy.yaml": CALICO % ("one", "1")},
        {"a/policy.yaml": CALICO % ("one", "2")},
    ),
    "a policy of Calico more": (
        {**STARTED, "a/policy.yaml": CALICO % ("one", "1")},
        {"a/policy.yaml": f"{CALICO % ('one', '1')}---\n{CALICO % ('two', '1')}"},
    ),
}
OF_MORE: dict[str, tuple[Files, Files]] = {
    "one of Argo CD": (
        DEPLOYED,
        {"e/web.yaml": HOOK},
    ),
    "one of quotalint": (
        STARTED,
        {"d/web.yaml": IGNORED},
    ),
    "one of Rancher": (
        WITH_NAMESPACE,
        {
            "a/namespace.yaml": NAMESPACE
            % """, annotations: {field.cattle.io/resourceQuota: '{"limit":{"pods":"1"}}'}"""
        },
    ),
    "a label of Rancher": (
        WITH_NAMESPACE,
        {"a/namespace.yaml": NAMESPACE.replace("a: b", "field.cattle.io/projectId: c") % ""},
    ),
    "one by which a patch chooses": (
        {
            **STARTED,
            "c/one/kustomization.yaml": LISTING
            % (
                "- api.yaml",
                f"[{PATCH}]",
            ),
        },
        {"c/one/api.yaml": annotated(deployment(1, "api", ""), "example.com/x: y")},
    ),
}


@pytest.mark.parametrize("change", OF_NAMESPACES)
def test_what_nobody_reads_may_change(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert "everything" not in compare(noting_repository, monkeypatch, *OF_NAMESPACES[change])


@pytest.mark.parametrize("change", OF_MORE)
def test_what_may_be_read_is_looked_at(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert compare(noting_repository, monkeypatch, *OF_MORE[change])
