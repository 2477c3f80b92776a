"""YAML as people and tools write it: placeholders, anchors, lists, encodings, exported objects."""

from __future__ import annotations

from pathlib import Path

import pytest
from deployer_objects import QUOTA_OF_FLUX
from gitops_outcome import TWO, Case, expected, outcome, params
from manifests import quota, web
from team_a_repositories import LIVE

CASES = [
    *(
        Case(
            f"the placeholder {text} as a quantity is unknown",
            {
                "quota.yaml": quota("team-a", hard=f"pods: 8, requests.cpu: '{text}'"),
                "web.yaml": web(namespace="team-a", cpu=f"'{text}'"),
            },
            (TWO, "team-a/base requests.cpu ?/? unknown"),
        )
        for text in ("${MEMORY_LIMIT}", "$(trino_cpu_request)", "{{ .Values.x }}", "${CPU:=2}")
    ),
    *(
        Case(
            f"the placeholder {text} as a request alone is a lower bound",
            {
                "quota.yaml": quota("team-a", hard="requests.cpu: 8"),
                "web.yaml": web(namespace="team-a", cpu=f"'{text}'"),
                "shop.yaml": web(namespace="team-a", name="shop", cpu="100m"),
            },
            ("team-a/base requests.cpu 200m/8 at-least",),
        )
        for text in ("${CPU}", "$(cpu)", "{{ .Values.cpu }}")
    ),
    *(
        Case(
            f"the placeholder {text} as a number of replicas is unknown",
            {"quota.yaml": quota("team-a"), "web.yaml": web(replicas=f"'{text}'", namespace="team-a")},
            ("team-a/base pods 0/8 at-least",),
        )
        for text in ("${REPLICAS}", "$(replicas)", "{{ .Values.replicas }}")
    ),
    Case(
        "a placeholder as the namespace is a namespace nobody knows",
        {**LIVE, "live/other.yaml": web(namespace="'${NAMESPACE}'", name="other")},
        ("team-a/base pods 2/8 at-least",),
        ("live/other.yaml:3:25 QL007 warning",),
    ),
    Case(
        "an anchor given twice in a file",
        {
            "quota.yaml": """\
                apiVersion: v1
                kind: ResourceQuota
                metadata: {name: base, namespace: &team team-a, labels: {team: *team}}
                spec:
                  hard:
                    pods: &pods "8"
                    services: *pods
                    secrets: &pods "3"
                    configmaps: *pods
                """,
            "web.yaml": web(namespace="team-a"),
        },
        (
            "team-a/base configmaps 1/3 exact",
            TWO,
            "team-a/base secrets 0/3 exact",
            "team-a/base services 0/8 exact",
        ),
    ),
    Case(
        "a plain `=` value",
        {**LIVE, "live/settings.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {operator: =}\n"},
        (TWO,),
    ),
    Case(
        "NUL bytes",
        {**LIVE, "live/nul.yaml": b"apiVersion: v1\nkind: Pod\nmetadata: {name: a\0, namespace: team-a}\n"},
        ("team-a/base pods 2/8 at-least",),
        ("live/nul.yaml:3:19 QL001 error",),
    ),
    Case(
        "NUL bytes in a file that is no manifest",
        {**LIVE, "live/nul.yaml": b"\0\0\0\0"},
        (TWO,),
    ),
    Case(
        "UTF-16",
        {"quota.yaml": quota("team-a").encode("utf-16"), "web.yaml": web(namespace="team-a").encode("utf-16-be")},
        (),
        ("quota.yaml:1:1 QL001 error", "web.yaml:1:1 QL001 error"),
    ),
    Case(
        "a byte order mark",
        {"quota.yaml": b"\xef\xbb\xbf" + quota("team-a").encode(), "web.yaml": web(namespace="team-a")},
        (TWO,),
    ),
    Case(
        "a whole document indented",
        {
            "all.yaml": "".join(f"    {line}\n" for line in quota("team-a").splitlines()).encode()
            + b"---\n"
            + "".join(f"  {line}\n" for line in web(namespace="team-a").splitlines()).encode(),
        },
        (TWO,),
    ),
    Case(
        "kind: List",
        {
            "all.yaml": """\
                apiVersion: v1
                kind: List
                items:
                - apiVersion: v1
                  kind: ResourceQuota
                  metadata: {name: base, namespace: team-a}
                  spec: {hard: {pods: 8}}
                - apiVersion: v1
                  kind: Pod
                  metadata: {name: one, namespace: team-a}
                  spec: {containers: [{name: app, image: web}]}
                """,
        },
        ("team-a/base pods 1/8 exact",),
    ),
    Case(
        "kind: List among the resources of a kustomization",
        {
            "kustomization.yaml": "namespace: team-a\nresources: [all.yaml]\npatches: [{path: more.yaml}]\n",
            "more.yaml": quota(hard="pods: 9"),
            "all.yaml": """\
                apiVersion: v1
                kind: List
                items:
                - {apiVersion: v1, kind: ResourceQuota, metadata: {name: base}, spec: {hard: {pods: 8}}}
                - apiVersion: v1
                  kind: Pod
                  metadata: {name: one}
                  spec: {containers: [{name: app, image: web}]}
                """,
        },
        ("team-a/base pods 1/9 exact",),
    ),
    Case(
        "a List in a List, and a list of one kind whose items do not name it",
        {
            "lists.yaml": """\
                apiVersion: v1
                kind: List
                items:
                - apiVersion: v1
                  kind: List
                  items:
                  - apiVersion: v1
                    kind: ResourceQuota
                    metadata: {name: base, namespace: team-a}
                    spec: {hard: {pods: 8}}
                """,
            "pods.yaml": """\
                apiVersion: v1
                kind: PodList
                items:
                - {metadata: {name: a, namespace: team-a}, spec: {containers: [{name: app, image: web}]}}
                - {metadata: {name: b, namespace: team-a}, spec: {containers: [{name: app, image: web}]}}
                """,
        },
        (TWO,),
    ),
    Case(
        "an exported object with its status",
        {
            "quota.yaml": """\
                apiVersion: v1
                kind: ResourceQuota
                metadata:
                  name: base
                  namespace: team-a
                  uid: 0e6c3a34-8f3f-4e9f-8b9e-0b8f4f0a0a0a
                  resourceVersion: "12345"
                  creationTimestamp: "2024-01-01T00:00:00Z"
                  managedFields: [{manager: kubectl, operation: Update, apiVersion: v1}]
                spec: {hard: {pods: "8"}}
                status: {hard: {pods: "8"}, used: {pods: "7"}}
                """,
            "web.yaml": web(namespace="team-a") + "status: {replicas: 9, readyReplicas: 9}\n",
        },
        ("team-a/base pods 2/8 at-least",),
    ),
    Case(
        "the quota of Flux itself limits few pods",
        {
            "flux-system/quota.yaml": QUOTA_OF_FLUX,
            "flux-system/gotk-components.yaml": """\
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: source-controller, namespace: flux-system}
                spec:
                  replicas: 1
                  selector: {matchLabels: {app: source-controller}}
                  template:
                    metadata: {labels: {app: source-controller}}
                    spec: {priorityClassName: system-cluster-critical, containers: [{name: manager, image: x}]}
                ---
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: image-controller, namespace: flux-system}
                spec:
                  replicas: 1
                  selector: {matchLabels: {app: image-controller}}
                  template:
                    metadata: {labels: {app: image-controller}}
                    spec: {containers: [{name: manager, image: x}]}
                """,
        },
        ("flux-system/critical-pods-flux-system pods 1/1k exact",),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_what_is_told_of_what_is_written(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
