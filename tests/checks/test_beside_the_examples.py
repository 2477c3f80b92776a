"""Repositories one step beside the examples of the rules: what is said there, and where the next step is silence."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from gitops_outcome import checked
from manifests import head, namespace, quota, web
from written_files import Files


class Case(NamedTuple):
    """A repository, and what one rule says of it: `file:line:column severity field`, in order."""

    title: str
    rule: str
    files: Files
    expected: tuple[str, ...] = ()


def limit_range(name: str, *items: str, namespace: str = "shop") -> str:
    """A LimitRange, each item on a line of its own, from the fifth on."""
    listed = "".join(f"  - {{{item}}}\n" for item in items)
    return f"{head('v1', 'LimitRange', name, namespace)}spec:\n  limits:\n{listed}"


def selecting(*expressions: str, hard: str = "pods: 2") -> str:
    """A quota with a scope selector, each expression on a line of its own, from the eighth on."""
    lines = "".join(f"    - {{{expression}}}\n" for expression in expressions)
    quota_head = head("v1", "ResourceQuota", "base", "shop")
    return f"{quota_head}spec:\n  hard: {{{hard}}}\n  scopeSelector:\n    matchExpressions:\n{lines}"


def ingress(class_name: str) -> str:
    return f"{head('networking.k8s.io/v1', 'Ingress', 'web', 'shop')}spec: {{ingressClassName: {class_name}}}\n"


TEMPLATE = quota("shop").replace("metadata: {name: base, namespace: shop}", "metadata:\n  namespace: {{ .Namespace }}")
BROKEN = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: base\n"
LOW, NOT_LOW = (f"scopeName: PriorityClass, operator: {how}, values: [low]" for how in ("In", "NotIn"))
SHARED = {
    "common/agent.yaml": web(2, "shop", "agent"),
    **{f"overlays/{stage}/quota.yaml": quota("shop", hard="pods: 4") for stage in ("dev", "prod")},
}
CASES = (
    Case(
        "what is short of its quota without what is assumed is no warning",
        "QL301",
        {**SHARED, **{f"overlays/{stage}/web.yaml": web(6, "shop") for stage in ("dev", "prod")}},
        tuple(f"overlays/{stage}/quota.yaml:4:15 error spec.hard[pods]" for stage in ("dev", "prod")),
    ),
    Case(
        "what is short of its quota only with what is assumed is one",
        "QL301",
        {**SHARED, **{f"overlays/{stage}/web.yaml": web(3, "shop") for stage in ("dev", "prod")}},
        tuple(f"overlays/{stage}/quota.yaml:4:15 warning spec.hard[pods]" for stage in ("dev", "prod")),
    ),
    Case(
        "a base that is taken in twice is said once",
        "QL003",
        {
            "base/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n",
            "base/quota.yaml": quota("shop"),
            "base/web.yaml": web(1, "shop"),
            "prod/kustomization.yaml": "resources:\n- ../base\n- ../base/\n",
        },
        ("prod/kustomization.yaml:3:3 warning",),
    ),
    Case(
        "a base that Kustomize refuses takes the quota beside it with it, and is said where it is wrong",
        "QL003",
        {
            "base/kustomization.yaml": "namespace: shop\nresources: [namespaces.yaml]\n",
            "base/namespaces.yaml": f"{namespace('one')}---\n{namespace('two')}",
            "prod/kustomization.yaml": "namePrefix: prod-\nresources:\n- ../base\n- quota.yaml\n",
            "prod/quota.yaml": quota("prod"),
        },
        ("base/kustomization.yaml:1:1 warning",),
    ),
    Case(
        "the minimum of an image is none of claims",
        "QL604",
        {
            "limits.yaml": limit_range("images", "type: openshift.io/Image, min: {storage: 9Gi}"),
            "quota.yaml": quota("shop", hard="requests.storage: 5Gi"),
        },
    ),
    Case(
        "a default that another LimitRange may give smaller",
        "QL604",
        {
            "a.yaml": limit_range("a", "type: Container, default: {memory: 4Gi}"),
            "b.yaml": limit_range("b", "type: Container, default: {memory: 512Mi}"),
            "quota.yaml": quota("shop", hard="limits.memory: 2Gi"),
        },
    ),
    Case(
        "a minimum, whatever another LimitRange says",
        "QL604",
        {
            "a.yaml": limit_range("a", "type: Container, min: {memory: 4Gi}"),
            "b.yaml": limit_range("b", "type: Container, min: {memory: 1Gi}"),
            "quota.yaml": quota("shop", hard="limits.memory: 2Gi"),
        },
        ("a.yaml:6:29 error spec.limits[0].min.memory",),
    ),
    Case(
        "a default that another LimitRange gives no smaller",
        "QL604",
        {
            "a.yaml": limit_range("a", "type: Container, default: {memory: 4Gi}"),
            "b.yaml": limit_range("b", "type: Container, default: {memory: 8Gi}"),
            "quota.yaml": quota("shop", hard="limits.memory: 2Gi"),
        },
        ("a.yaml:6:33 error spec.limits[0].default.memory",),
    ),
    Case(
        "the quota that refuses the first pod, after one that refuses the second",
        "QL604",
        {
            "limits.yaml": limit_range("sizes", "type: Container, default: {cpu: 600m}, defaultRequest: {cpu: 1m}"),
            "quotas.yaml": quota("shop", "a", "limits.cpu: 1") + "---\n" + quota("shop", "b", "limits.cpu: 500m"),
        },
        ("limits.yaml:6:33 error spec.limits[0].default.cpu",),
    ),
    Case(
        "a default and a quota without a namespace, in one folder",
        "QL604",
        {
            "a/limits.yaml": limit_range("sizes", "type: Container, default: {cpu: 4}", namespace="~"),
            "a/quota.yaml": quota(hard="limits.cpu: 1"),
        },
        ("a/limits.yaml:6:33 error spec.limits[0].default.cpu",),
    ),
    Case(
        "a default and a quota without a namespace, in two folders",
        "QL604",
        {
            "a/limits.yaml": limit_range("sizes", "type: Container, default: {cpu: 4}", namespace="~"),
            "b/quota.yaml": quota(hard="limits.cpu: 1"),
        },
    ),
    Case(
        "the first two of three expressions",
        "QL204",
        {"quota.yaml": selecting(LOW, NOT_LOW, "scopeName: Terminating, operator: Exists")},
        ("quota.yaml:9:7 warning spec.scopeSelector.matchExpressions",),
    ),
    Case(
        "two real amounts beside one that is out of line, and one that is nothing",
        "QL603",
        {
            f"{team}.yaml": limit_range("sizes", f"type: Container, max: {{memory: {memory}}}", namespace=team)
            for team, memory in {"a": "1Gi", "b": "1Gi", "c": "1Ti", "d": "0"}.items()
        },
    ),
    Case(
        "a workload that stands twice, and only its pods are limited",
        "QL005",
        {"a.yaml": web(1, "shop"), "b.yaml": web(3, "shop"), "quota.yaml": quota("shop")},
        ("b.yaml:1:1 warning",),
    ),
    Case(
        "a quota that stands twice, once without its namespace",
        "QL005",
        {"shop/all.yaml": "---\n".join((quota("shop"), quota(hard="pods: 4"), web(2, "shop")))},
        ("shop/all.yaml:6:1 warning",),
    ),
    Case(
        "an Ingress that stands twice, and is not limited",
        "QL005",
        {"a.yaml": ingress("a"), "b.yaml": ingress("b"), "quota.yaml": quota("shop")},
    ),
    Case(
        "an Ingress that stands twice, and is limited",
        "QL005",
        {
            "a.yaml": ingress("a"),
            "b.yaml": ingress("b"),
            "quota.yaml": quota("shop", hard="count/ingresses.networking.k8s.io: 2"),
        },
        ("b.yaml:1:1 warning",),
    ),
    Case(
        "what cannot be read, among manifests and among fixtures of tests",
        "QL001",
        {"quota.yaml": quota("shop"), "a.yaml": BROKEN, "tests/a.yaml": BROKEN},
        ("a.yaml:3:11 error", "tests/a.yaml:3:11 info"),
    ),
    Case(
        "an amount that makes no sense by itself is not compared with others",
        "QL603",
        {
            f"{team}.yaml": limit_range("sizes", f"type: Container, max: {{memory: {memory}}}", namespace=team)
            for team, memory in {"a": "1Gi", "b": "1Gi", "c": "1Gi", "d": "1"}.items()
        },
        ("d.yaml:6:29 error spec.limits[0].max.memory",),
    ),
    Case(
        "a list of quotas beside a manifest and values",
        "QL004",
        {
            "all.yaml": "- {apiVersion: v1, kind: ResourceQuota, metadata: {name: a}}\n",
            "limits.yaml": limit_range("sizes", "type: Container, max: {cpu: 1}"),
            "values.yaml": "replicas: 3\n",
        },
        ("all.yaml:1:3 warning",),
    ),
    Case(
        "a history is said where its length is written, and where it would be",
        "QL302",
        {
            "quota.yaml": quota("shop", hard="count/replicasets.apps: 9"),
            "web.yaml": web(1, "shop").replace("spec:\n", "spec:\n  revisionHistoryLimit: 8\n", 1),
            "fern.yaml": quota("fern", hard="count/replicasets.apps: 9"),
            "api.yaml": web(1, "fern", "api"),
        },
        tuple(f"{place} warning spec.revisionHistoryLimit" for place in ("api.yaml:4:1", "web.yaml:5:3")),
    ),
    Case(
        "a pod that has ended asks for nothing",
        "QL404",
        {
            "quota.yaml": quota("shop"),
            "pods.yaml": "---\n".join(
                f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {phase.lower()}, namespace: shop}}\n"
                "spec: {containers: [{name: a, image: a, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]}\n"
                f"status: {{phase: {phase}}}\n"
                for phase in ("Succeeded", "Running")
            ),
        },
        ("pods.yaml:10:64 error spec.containers[0].resources.requests",),
    ),
    Case(
        "a template that is data of a ConfigMap",
        "QL007",
        {
            "namespace.yaml": namespace("shop"),
            "quota.yaml": TEMPLATE,
            "kustomization.yaml": "resources: [namespace.yaml]\nconfigMapGenerator: [{name: a, files: [quota.yaml]}]\n",
        },
    ),
    Case(
        "a folder that is not filled in, beside one that is",
        "QL007",
        {"teams/fern/quota.yaml": TEMPLATE, "teams/reed/quota.yaml": quota("reed")},
        ("teams/fern/quota.yaml:4:14 warning",),
    ),
    Case(
        "a template at the top has no folders beside it",
        "QL007",
        {"quota.yaml": TEMPLATE, **{f"{team}/quota.yaml": quota(team) for team in ("fern", "moss", "reed")}},
    ),
    Case(
        "plain manifests elsewhere say nothing of folders of which half are filled in",
        "QL007",
        {
            "teams/fern/quota.yaml": TEMPLATE,
            "teams/moss/quota.yaml": TEMPLATE,
            "teams/reed/quota.yaml": quota("reed"),
            **{f"infra/{name}.yaml": quota(name) for name in ("a", "b", "c", "d")},
        },
    ),
    Case(
        "a namespace that a fleet.yaml makes",
        "QL602",
        {
            "namespaces.yaml": namespace("moss") + "---\n" + namespace("reed"),
            "quotas.yaml": "---\n".join(map(quota, ("moss", "reed", "fern"))),
            "web/fleet.yaml": "defaultNamespace: fern\n",
        },
    ),
    Case(
        "a namespace that a helmfile makes",
        "QL602",
        {
            "namespaces.yaml": namespace("moss") + "---\n" + namespace("reed"),
            "quotas.yaml": "---\n".join(map(quota, ("moss", "reed", "fern"))),
            "helmfile.yaml": "releases: [{name: web, chart: charts/web, namespace: fern}]\n",
        },
    ),
    Case(
        "a namespace that an Application makes once it is patched",
        "QL602",
        {
            "namespaces.yaml": namespace("moss") + "---\n" + namespace("reed"),
            "quotas.yaml": "---\n".join(map(quota, ("moss", "reed", "fern"))),
            "apps/web.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web}\n"
            "spec: {destination: {namespace: moor}, source: {repoURL: https://example.org/web.git, path: web}}\n",
            "apps/kustomization.yaml": "resources: [web.yaml]\npatches:\n- target: {kind: Application}\n"
            "  patch: |\n    - {op: replace, path: /spec/destination/namespace, value: fern}\n",
        },
    ),
    Case(
        "a namespace that nobody knows yet",
        "QL503",
        {".quotalint.yaml": "select: [QL503]\nrequiredLimits: [requests.cpu]\n", "quota.yaml": quota('"${NAMESPACE}"')},
    ),
    Case(
        "a kustomization that asks for too much",
        "QL003",
        {
            ".quotalint.yaml": "select: [QL003]\n",
            "kustomization.yaml": "resources: [quota.yaml, text.yaml]\nreplacements:\n- &again\n"
            "  source: {kind: ConfigMap, name: text, fieldPath: data.text}\n  targets:\n"
            "  - select: {kind: ConfigMap}\n    fieldPaths: [data.text]\n    options: {delimiter: x, index: 0}\n"
            + "- *again\n"
            * 24,
            "quota.yaml": quota("shop"),
            "text.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: text, namespace: shop}\n"
            "data: {text: axaxaxax}\n",
        },
    ),
)


@pytest.mark.parametrize("case", CASES, ids=[case.title for case in CASES])
def test_what_is_said_beside_the_examples(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    findings = [
        finding for finding in checked(tmp_path, case.files, monkeypatch).findings if finding.rule.id == case.rule
    ]
    places = (
        f"{finding.file}:{finding.span.line}:{finding.span.column} {finding.severity} {finding.field}".strip()
        for finding in findings
    )
    assert tuple(places) == case.expected


def pod(name: str, priority: str = "") -> str:
    containers = "[{name: a, image: a, resources: {requests: {cpu: 1}}}]"
    spec = f"{{priorityClassName: {priority or '~'}, containers: {containers}}}"
    return f"{head('v1', 'Pod', name, 'shop')}spec: {spec}\n---\n"


def test_who_stays_pending_is_said_of_the_quota_without_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    high = ", scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high]}]}"
    files = {
        ".quotalint.yaml": "enforcement: deferred\n",
        "all.yaml": quota("shop", "all", hard="requests.cpu: 2"),
        "high.yaml": quota("shop", "high", hard="requests.cpu: 1", more=high),
        "pods.yaml": pod("a", "high") + pod("b", "high") + pod("c") + pod("d"),
    }
    findings = [finding for finding in checked(tmp_path, files, monkeypatch).findings if finding.rule.id == "QL301"]
    pending = {finding.file: [note.text.partition(" (")[0] for note in finding.notes] for finding in findings}
    assert pending == {"all.yaml": ["Pod d stays Pending"], "high.yaml": ["Pod b stays Pending"]}
