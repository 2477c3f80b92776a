"""Rancher: quotas in annotations, defaults and budgets of projects, and what is no JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from family_outcome import Case, checked, document, expected, namespace, outcome_of, params, pod

from quotalint.quota.family.rancher import container_annotation, hard_amounts, quota_annotation

ID = "field.cattle.io/projectId: 'local:p-1'"
MORE = "project p-1 may have namespaces that are not in view"
MADE = """
---
apiVersion: v1
kind: ResourceQuota
metadata:
  name: default-x7
  namespace: b
  labels: {resourcequota.management.cattle.io/default-resource-quota: "true"}
spec: {hard: {pods: 4}}
"""
ANNOTATION = "metadata.annotations[field.cattle.io/resourceQuota]"


def annotated(name: str, quota: object = None, containers: object = None, id_: str = "") -> str:
    words = [id_] if id_ else []
    for key, value in (("resourceQuota", quota), ("containerDefaultResourceLimit", containers)):
        if value is not None:
            written = value if isinstance(value, str) else json.dumps(value)
            words.append(f"field.cattle.io/{key}: '{written}'")
    return namespace(name, "", ", ".join(words))


def limit(**amounts: object) -> dict[str, object]:
    return {"limit": amounts}


def project(budget: str = "", default: str = "", containers: str = "") -> str:
    spec = ["clusterName: local"]
    spec += [f"resourceQuota: {{limit: {{{budget}}}}}"] if budget else []
    spec += [f"namespaceDefaultResourceQuota: {{limit: {{{default}}}}}"] if default else []
    spec += [f"containerDefaultResourceLimit: {{{containers}}}"] if containers else []
    return document("management.cattle.io/v3 Project", "p-1", f"spec: {{{', '.join(spec)}}}", "local")


CASES = [
    Case(
        "an annotation is a quota of its namespace",
        annotated("a", limit(pods="2", requestsCpu="1500m")) + pod("a"),
        ("Namespace default-* [a] pods 1/2 exact", "Namespace default-* [a] requests.cpu 1/1500m exact"),
    ),
    Case(
        "exceeded",
        annotated("a", limit(pods="0", requestsCpu="1500m")) + pod("a"),
        ("Namespace default-* [a] pods 1/0 exact", "Namespace default-* [a] requests.cpu 1/1500m exact"),
        (f"4 QL301 {ANNOTATION}",),
    ),
    Case(
        "a Project of OpenShift of that name",
        document("project.openshift.io/v1 Project", "a") + annotated("a", limit(pods="0")) + pod("a"),
        ("Namespace default-* [a] pods 1/0 exact",),
        (f"9 QL301 {ANNOTATION}",),
    ),
    Case(
        "pods must state what it limits",
        annotated("a", limit(limitsMemory="1Gi")) + pod("a"),
        ("Namespace default-* [a] limits.memory 0/1Gi exact",),
        ("10 QL401 spec.containers[0].resources",),
    ),
    Case(
        "what the API server would refuse",
        annotated("a", limit(pods="x", services="-1", secrets="0.5", extended={"foo": "1"})) + pod("a"),
        ("Namespace default-* [a] refused",),
        tuple(f"4 {rule} {ANNOTATION}" for rule in ("QL102", "QL103", "QL104", "QL105")),
    ),
    Case(
        "a placeholder for an amount, and for all of it",
        annotated("a", limit(pods="${PODS}")) + annotated("b", "${QUOTA}") + pod("a") + pod("b"),
        ("Namespace default-* [a] pods ?/? unknown",),
        unknowns=("hard is the placeholder '${PODS}'",),
    ),
    Case("an empty one is none", annotated("a", limit()) + annotated("b", "") + annotated("c", {}) + pod("a"), ()),
    *(
        Case(name, annotated("a", text) + pod("a"), ("Namespace default-* [a] refused",), (f"4 QL112 {ANNOTATION}",))
        for name, text in (
            ("no JSON", "limit: pods"),
            ("half of a JSON", '{"limit":'),
            ("JSON of another type", "[1]"),
            ("a number for the whole", "5"),
            ("a limit of another type", '{"limit": []}'),
            ("a number for a text", '{"limit": {"pods": 5}}'),
            ("an object for a text", '{"limit": {"pods": {"a": 1}}}'),
            ("a constant that JSON does not have", '{"limit": {"pods": NaN}}'),
            ("brackets without end", "[" * 100_000),
            ("digits without end", "9" * 10_000),
        )
    ),
    Case(
        "the default of the project, for a namespace without an annotation",
        project('pods: "20"', 'pods: "5"') + namespace("a", "", ID) + pod("a"),
        (
            "Project default-* [a] pods 1/5 exact",
            "Project p-1 [a] pods 5/20 at-least",
        ),
        unknowns=(MORE,),
    ),
    Case(
        "an annotation over the default: only what the project has a default for",
        project('pods: "20"', 'pods: "5", requestsCpu: "2"')
        + annotated("a", limit(pods="7", secrets="1"), id_=ID)
        + pod("a"),
        (
            "Namespace default-* [a] pods 1/7 exact",
            "Namespace default-* [a] requests.cpu 1/2 exact",
            "Project p-1 [a] pods 7/20 at-least",
        ),
        unknowns=(MORE,),
    ),
    Case(
        "no JSON, in a project whose default names what nothing counts",
        project('pods: "9"', 'extended: {nvidia.com/gpu: "2"}') + annotated("a", "{", id_=ID) + pod("a"),
        ("Namespace default-* [a] refused", "Project p-1 [a] pods 0/9 at-least"),
        (f"9 QL112 {ANNOTATION}",),
        (MORE,),
    ),
    Case(
        "a project without quotas takes the annotation away",
        project() + annotated("a", limit(pods="0"), id_=ID) + pod("a"),
        (),
    ),
    Case(
        "a project that is not in view",
        annotated("a", limit(pods="7"), id_=ID) + pod("a"),
        ("Namespace default-* [a] pods 1/7 exact",),
    ),
    Case(
        "the namespaces ask for more than the project has",
        project('pods: "10"', 'pods: "4"')
        + annotated("a", limit(pods="7"), id_=ID)
        + namespace("b", "", ID)
        + annotated("c", limit(pods="100"))
        + pod("a"),
        (
            "Namespace default-* [a] pods 1/7 exact",
            "Project default-* [b] pods ?/4 unknown",
            "Namespace default-* [c] pods ?/100 unknown",
            "Project p-1 [a b] pods 11/10 at-least",
        ),
        ("5 QL301 spec.resourceQuota.limit.pods",),
        ("no workload of the namespace is in view", MORE),
    ),
    Case(
        "a snapshot shows all namespaces and what Rancher made",
        project('pods: "10"', 'pods: "4"') + annotated("a", limit(pods="5"), id_=ID) + pod("a"),
        (
            "Namespace default-* [a] pods 1/5 exact",
            "Project default-* [b] pods 0/4 exact",
            "Project p-1 [a b] pods 9/10 exact",
        ),
        snapshot=namespace("b", "", ID) + pod("other") + MADE,
    ),
    Case(
        "what Rancher has written to a namespace of the repository",
        project('pods: "10"', 'pods: "4"') + namespace("a") + pod("a"),
        ("Namespace default-* [a] pods 1/6 exact", "Project p-1 [a] pods 6/10 exact"),
        snapshot=annotated("a", limit(pods="6"), id_=ID) + pod("other"),
    ),
    Case(
        "a default for containers",
        annotated("a", limit(requestsCpu="1"), {"requestsCpu": "300m", "limitsCpu": "600m"}) + pod("a", cpu=""),
        ("Namespace default-* [a] requests.cpu 300m/1 exact",),
    ),
    Case(
        "the project's default for containers, and what a namespace leaves to it",
        project(containers='requestsCpu: "200m", requestsMemory: 64Mi')
        + annotated("a", containers={"requestsCpu": "300m"}, id_=ID)
        + namespace("b", "", ID)
        + "".join(
            document("v1 ResourceQuota", "q", "spec: {hard: {requests.cpu: 1, requests.memory: 1Gi}}", name)
            + pod(name, cpu="")
            for name in "ab"
        ),
        (
            "ResourceQuota q [a] requests.cpu 300m/1 exact",
            "ResourceQuota q [a] requests.memory 64Mi/1Gi exact",
            "ResourceQuota q [b] requests.cpu 200m/1 exact",
            "ResourceQuota q [b] requests.memory 64Mi/1Gi exact",
        ),
    ),
    Case(
        "a default for containers that is no JSON",
        annotated("a", containers="cpu: 1") + pod("a"),
        (),
        ("4 QL121 metadata.annotations[field.cattle.io/containerDefaultResourceLimit]",),
    ),
    Case(
        "a default for containers that the API server would refuse",
        annotated("a", containers={"requestsCpu": "2", "limitsCpu": "1"}) + pod("a"),
        (),
        ("4 QL121 metadata.annotations[field.cattle.io/containerDefaultResourceLimit].limits[0].defaultRequest[cpu]",),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_a_project_counts_its_namespaces_together(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome_of(case, tmp_path, monkeypatch) == expected(case)


def test_a_budget_is_spoken_of_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifests = project('pods: "10"', 'pods: "4"') + annotated("a", limit(pods="7"), id_=ID) + namespace("b", "", ID)
    (finding,) = (finding for finding in checked(Case("", manifests, ()), tmp_path, monkeypatch).findings)
    assert (
        finding.message,
        [related.message for related in finding.related],
        [note.text for note in finding.notes],
    ) == (
        "The quotas of 2 namespaces (a, b) add up to pods 11 at least; quota p-1 allows 10",
        ["Namespace a: 1 ResourceQuota × 7 = 7", "Project p-1: 1 ResourceQuota × 4 = 4"],
        ["Rancher gives a new namespace 0 of what is overcommitted, and leaves a changed quota as it was"],
    )


KEYS = {
    "configMaps": "configmaps",
    "limitsCpu": "limits.cpu",
    "limitsMemory": "limits.memory",
    "persistentVolumeClaims": "persistentvolumeclaims",
    "pods": "pods",
    "replicationControllers": "replicationcontrollers",
    "requestsCpu": "requests.cpu",
    "requestsMemory": "requests.memory",
    "requestsStorage": "requests.storage",
    "secrets": "secrets",
    "services": "services",
    "servicesLoadBalancers": "services.loadbalancers",
    "servicesNodePorts": "services.nodeports",
}


def test_every_key_has_its_name() -> None:
    written = json.dumps({"limit": dict.fromkeys(KEYS, "1")})
    assert hard_amounts(quota_annotation(written).amounts) == dict.fromkeys(KEYS.values(), "1")


@pytest.mark.parametrize(
    ("written", "amounts"),
    [
        ('{"limit": {"LimitsCPU": "1"}}', {"limits.cpu": "1"}),
        ('{"Limit": {"pods": "1"}}', {"pods": "1"}),
        ('{"limit": {"pods": "", "secrets": null, "services": "0"}}', {"services": "0"}),
        ('{"limit": {"nope": "1", "pods": "2"}, "usedLimit": {"pods": "9"}}', {"pods": "2"}),
        (
            '{"limit": {"extended": {"count/jobs.batch": "3", "pods": "9"}, "pods": "2"}}',
            {"count/jobs.batch": "3", "pods": "2"},
        ),
        ('{"limit": {"pods": "1", "pods": "2"}}', {"pods": "2"}),
        ("null", {}),
        ("{}", {}),
    ],
)
def test_an_annotation_as_go_reads_it(written: str, amounts: dict[str, str]) -> None:
    rancher_limits = quota_annotation(written)
    assert (hard_amounts(rancher_limits.amounts), rancher_limits.problem) == (amounts, "")


@pytest.mark.parametrize("written", ["{", '"x"', "1", "true", "[]", '{"limit": 1, "limitsCpu": 1}', "[" * 100_000])
def test_what_cannot_be_read_says_why(written: str) -> None:
    annotations = (quota_annotation(written), container_annotation(written))
    assert [(bool(rancher_limits.problem), rancher_limits.amounts) for rancher_limits in annotations] == [
        (True, {}),
        (True, {}),
    ]
