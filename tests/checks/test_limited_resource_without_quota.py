"""Files of a repository → what QL403 says of them, through the whole pipeline."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from limited_resources import (
    CRITICAL,
    CRITICAL_PODS,
    EVERY_SCOPE_OF_PODS,
    LIMIT,
    Files,
    Run,
    claim,
    config_map,
    consume,
    containing,
    deployment,
    exists,
    limits,
    pod,
    pod_spec,
    quota,
    scoped,
    scopes,
    selecting,
    sentences_said,
    service,
    widget,
)

from quotalint.settings.loading import NAME
from quotalint.snapshots.snapshot import Snapshot, read_snapshot

CASES: Mapping[str, tuple[Files, list[str]]] = {
    # critical pods
    "no quota at all": ({**LIMIT, "p.yaml": pod()}, [f"p.yaml {CRITICAL_PODS}"]),
    "a quota without a scope": (
        {**LIMIT, "p.yaml": pod(), "q.yaml": quota({"pods": "9"})},
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "a covering quota": ({**LIMIT, "p.yaml": pod(), "q.yaml": selecting(CRITICAL)}, []),
    "one with Exists": ({**LIMIT, "p.yaml": pod(), "q.yaml": selecting(exists("PriorityClass"))}, []),
    "one with the scope in scopes": ({**LIMIT, "p.yaml": pod(), "q.yaml": quota({}, scopes=["PriorityClass"])}, []),
    "another scope": (
        {**LIMIT, "p.yaml": pod(), "q.yaml": quota({"pods": 9}, scopes=["BestEffort"])},
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "another class": (
        {**LIMIT, "p.yaml": pod(), "q.yaml": selecting({**CRITICAL, "values": ["high"]})},
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "another namespace": (
        {**LIMIT, "p.yaml": pod(), "q.yaml": selecting(CRITICAL, namespace="b")},
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "one selector that matches is enough": (
        {**LIMIT, "p.yaml": pod(), "q.yaml": selecting(CRITICAL, scopes=["Terminating"])},
        [],
    ),
    "a quota that is refused covers nothing": (
        {**LIMIT, "p.yaml": pod(), "q.yaml": quota({"pods": "-1"}, scopes=["PriorityClass"])},
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "pods of other classes": ({**LIMIT, "p.yaml": pod(priorityClassName="high")}, []),
    "pods of a class that is a placeholder": (
        {"l.yaml": limits(scoped(exists("PriorityClass"))), "p.yaml": pod(priorityClassName="${CLASS}")},
        [],
    ),
    "a quota on a class that is a placeholder": (
        {**LIMIT, "p.yaml": pod(), "q.yaml": selecting({**CRITICAL, "values": ["${CLASS}"]})},
        [],
    ),
    "the class by default": (
        {
            **LIMIT,
            "c.yaml": {
                "apiVersion": "scheduling.k8s.io/v1",
                "kind": "PriorityClass",
                "metadata": {"name": "system-node-critical"},
                "globalDefault": True,
                "value": 1,
            },
            "p.yaml": pod(priorityClassName=None),
        },
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "pods of a workload": ({**LIMIT, "w.yaml": deployment()}, [f"w.yaml {CRITICAL_PODS}"]),
    "no pods": ({**LIMIT, "w.yaml": deployment(replicas=0)}, []),
    "a finished pod": ({**LIMIT, "p.yaml": {**pod(), "status": {"phase": "Succeeded"}}}, []),
    "scopes are about pods whatever the resource": (
        {"l.yaml": limits(scoped(CRITICAL, resource="services")), "p.yaml": pod(), "s.yaml": service()},
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "several scopes, in the order of the configuration": (
        {"l.yaml": limits(scoped(*map(exists, EVERY_SCOPE_OF_PODS)), scoped(CRITICAL)), "p.yaml": pod()},
        [
            "p.yaml "
            + scopes(
                "{NotTerminating Exists []} {BestEffort Exists []} {PriorityClass In [system-node-critical]}",
            )
        ],
    ),
    "one of two scopes covered": (
        {
            "l.yaml": limits(scoped(exists("BestEffort"), CRITICAL)),
            "p.yaml": pod(),
            "q.yaml": quota({"pods": 9}, scopes=["BestEffort"]),
        },
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "NotIn, of a pod without a class": (
        {"l.yaml": limits(scoped({**CRITICAL, "operator": "NotIn"})), "p.yaml": pod(priorityClassName=None)},
        ["p.yaml " + scopes("{PriorityClass NotIn [system-node-critical]}")],
    ),
    "a scope nobody knows": ({"l.yaml": limits(scoped(exists("Critical"))), "p.yaml": pod()}, []),
    "an operator without values: no quota is checked": (
        {"l.yaml": limits(scoped(CRITICAL, {"scopeName": "PriorityClass", "operator": "In"})), "p.yaml": pod()},
        [],
    ),
    "an operator that is none: no quota is checked": (
        {"l.yaml": limits(scoped(CRITICAL, {"scopeName": "PriorityClass", "operator": "Is"})), "p.yaml": pod()},
        [],
    ),
    "an operator of pods that is none leaves claims alone": (
        {
            "l.yaml": limits(scoped({"scopeName": "PriorityClass"}), containing("persistentvolumeclaims", "storage")),
            "c.yaml": claim(),
        },
        ["c.yaml " + consume("requests.storage")],
    ),
    # consumption
    "storage": (
        {"l.yaml": limits(containing("persistentvolumeclaims", "requests.storage")), "c.yaml": claim()},
        ["c.yaml " + consume("requests.storage")],
    ),
    "storage of a class": (
        {
            "l.yaml": limits(containing("persistentvolumeclaims", ".storageclass.storage.k8s.io/requests.storage")),
            "c.yaml": claim(storageClassName="gold"),
            "q.yaml": quota({"requests.storage": "9Gi"}),
        },
        ["c.yaml " + consume("gold.storageclass.storage.k8s.io/requests.storage")],
    ),
    "storage, covered": (
        {
            "l.yaml": limits(containing("persistentvolumeclaims", "requests.storage")),
            "c.yaml": claim(),
            "q.yaml": quota({"requests.storage": "1Mi"}),
        },
        [],
    ),
    "storage, covered by an amount that is a placeholder": (
        {
            "l.yaml": limits(containing("persistentvolumeclaims", "requests.storage")),
            "c.yaml": claim(),
            "q.yaml": quota({"requests.storage": "${STORAGE}"}),
        },
        [],
    ),
    "storage, by a quota with a scope that claims do not match": (
        {
            "l.yaml": limits(containing("persistentvolumeclaims", "requests.storage")),
            "c.yaml": claim(),
            "q.yaml": quota({"requests.storage": "9Gi"}, scopes=["VolumeAttributesClass"]),
        },
        ["c.yaml " + consume("requests.storage")],
    ),
    "claims of a StatefulSet": (
        {
            "l.yaml": limits(containing("persistentvolumeclaims", "requests.storage")),
            "s.yaml": {
                "apiVersion": "apps/v1",
                "kind": "StatefulSet",
                "metadata": {"name": "db", "namespace": "a"},
                "spec": {
                    "template": {"spec": pod_spec()},
                    "volumeClaimTemplates": [claim()],
                },
            },
        },
        ["s.yaml " + consume("requests.storage")],
    ),
    "a volume attributes class": (
        {"l.yaml": limits(scoped(exists("VolumeAttributesClass"))), "c.yaml": claim(volumeAttributesClassName="fast")},
        ["c.yaml " + scopes("{VolumeAttributesClass Exists []}")],
    ),
    "pods": (
        {"l.yaml": limits(containing("pods", "pods")), "p.yaml": pod()},
        ["p.yaml " + consume("count/pods", "pods")],
    ),
    "pods, half covered": (
        {"l.yaml": limits(containing("pods", "pods")), "p.yaml": pod(), "q.yaml": quota({"pods": 9})},
        ["p.yaml " + consume("count/pods")],
    ),
    "pods, covered by two quotas": (
        {
            "l.yaml": limits(containing("pods", "pods")),
            "p.yaml": pod(),
            "q.yaml": quota({"pods": 9}),
            "r.yaml": {**quota({"count/pods": 9}), "metadata": {"name": "r", "namespace": "a"}},
        },
        [],
    ),
    "an empty text is in every name": (
        {"l.yaml": limits(containing("configmaps", "")), "m.yaml": config_map()},
        ["m.yaml " + consume("configmaps", "count/configmaps")],
    ),
    "a count": (
        {"l.yaml": limits(containing("deployments", "count/", group="apps")), "w.yaml": deployment()},
        ["w.yaml " + consume("count/deployments.apps")],
    ),
    "a count of what a controller makes": (
        {"l.yaml": limits(containing("replicasets", "count/", group="apps")), "w.yaml": deployment()},
        ["w.yaml " + consume("count/replicasets.apps")],
    ),
    "a count of a custom kind": (
        {"l.yaml": limits(containing("widgets", "widget", group="example.com")), "w.yaml": widget()},
        ["w.yaml " + consume("count/widgets.example.com")],
    ),
    "another group": ({"l.yaml": limits(containing("widgets", "widget")), "w.yaml": widget()}, []),
    "another resource": ({"l.yaml": limits(containing("pods", "storage")), "c.yaml": claim()}, []),
    "nothing is consumed": (
        {"l.yaml": limits(containing("services", "loadbalancers", "nodeports")), "s.yaml": service()},
        [],
    ),
    "load balancers": (
        {"l.yaml": limits(containing("services", "loadbalancers")), "s.yaml": service(type="LoadBalancer")},
        ["s.yaml " + consume("services.loadbalancers")],
    ),
    "devices": (
        {
            "l.yaml": limits(containing("pods", "nvidia.com/gpu")),
            "p.yaml": pod("a", **pod_spec(limits={"nvidia.com/gpu": 1})),
        },
        ["p.yaml " + consume("requests.nvidia.com/gpu")],
    ),
    "consumption and scope": (
        {"l.yaml": limits({**containing("pods", "count/"), **scoped(CRITICAL)}), "p.yaml": pod()},
        [f"p.yaml {CRITICAL_PODS}", "p.yaml " + consume("count/pods")],
    ),
}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_is_refused(case: str, checked: Run) -> None:
    files, expected = CASES[case]
    assert sentences_said(checked(files)) == expected


def test_related_places_are_the_lines_of_the_configuration_and_of_the_setting(checked: Run, tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("kubeVersion: '1.34'\nlimitedPriorityClasses: [system-node-critical]\n")
    (tmp_path / "l.yaml").write_text(
        "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n- name: ResourceQuota\n"
        "  configuration:\n    apiVersion: apiserver.config.k8s.io/v1\n    kind: ResourceQuotaConfiguration\n"
        "    limitedResources:\n    - resource: pods\n"
        "      matchScopes: [{scopeName: PriorityClass, operator: Exists}]\n"
    )
    (finding,) = checked({"p.yaml": pod()}).findings
    assert [
        (related_place.label, related_place.file, related_place.span.line) for related_place in finding.related
    ] == [
        ("limited by", "l.yaml", 9),
        ("limited by", NAME, 2),
    ]


def test_each_environment_has_its_own_configuration(checked: Run) -> None:
    files: dict[str, object] = {
        "clusters/dev/limits.yaml": limits(),
        "clusters/prod/limits.yaml": limits(scoped(CRITICAL)),
    }
    for name in ("dev", "prod"):
        files[f"overlays/{name}/kustomization.yaml"] = {"resources": ["p.yaml"]}
        files[f"overlays/{name}/p.yaml"] = pod()
    result = checked(files)
    assert [(finding.file, finding.environments) for finding in result.findings] == [
        ("overlays/prod/p.yaml", ("prod",))
    ]


SNAPSHOTS: Mapping[str, tuple[object, list[str]]] = {
    "a quota that covers": (selecting(CRITICAL), []),
    "one that does not": (quota({"pods": 9}), [f"p.yaml {CRITICAL_PODS}"]),
    "what runs already is not reported": (
        {**pod(), "metadata": {"name": "old", "namespace": "a"}},
        [f"p.yaml {CRITICAL_PODS}"],
    ),
}


@pytest.mark.parametrize("case", SNAPSHOTS, ids=str)
def test_what_a_snapshot_shows(case: str, checked: Run) -> None:
    shown, expected = SNAPSHOTS[case]
    failure = read_snapshot(json.dumps(shown).encode(), "cluster.json")
    assert isinstance(failure, Snapshot)
    assert sentences_said(checked({**LIMIT, "p.yaml": pod()}, failure)) == expected


def test_volume_attributes_classes_are_limited_from_the_release_that_compares_them(checked: Run) -> None:
    files = {
        NAME: {"kubeVersion": "1.33"},
        "l.yaml": limits(scoped(exists("VolumeAttributesClass"))),
        "c.yaml": claim(volumeAttributesClassName="fast"),
    }
    assert sentences_said(checked(files)) == []


@pytest.mark.parametrize(
    ("written", "selector"),
    [("critical", "PriorityClass In [critical]"), (None, "PriorityClass DoesNotExist")],
    ids=["of a class", "of no class"],
)
def test_the_selector_that_would_cover_a_pod_is_named(written: str | None, selector: str, checked: Run) -> None:
    limited = limits(scoped({**CRITICAL, "operator": "NotIn"}))
    (finding,) = checked({"l.yaml": limited, "p.yaml": pod(priorityClassName=written)}).findings
    assert finding.help.startswith(
        f"give the namespace a quota on pods that selects it by {selector}, or remove what makes it match"
    )


def test_charges_are_only_of_all_namespaces_where_something_is_limited(checked: Run) -> None:
    files = {"p.yaml": pod(), "b.yaml": pod(namespace="b"), "q.yaml": quota({"pods": 9})}
    without, limited = checked(files), checked({**files, "l.yaml": limits(containing("services", "services"))})
    assert [list(result.environments[0].charges) for result in (without, limited)] == [["a"], ["a", "b"]]


def test_a_quota_that_is_refused_is_named_beside_it(checked: Run) -> None:
    refused = quota({"pods": "-1"}, scopes=["PriorityClass"])
    elsewhere = {**refused, "metadata": {"name": "other", "namespace": "other"}}
    findings = checked({**LIMIT, "p.yaml": pod(), "q.yaml": refused, "r.yaml": elsewhere}).findings
    related = [
        [(related_place.label, related_place.file) for related_place in finding.related]
        for finding in findings
        if finding.file == "p.yaml"
    ]
    assert related == [[("limited by", "limits.yaml"), ("refused", "q.yaml")]]
