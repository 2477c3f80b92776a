"""Files of a repository → what QL403 says of them, through the whole pipeline."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from quotalint.gitops.snapshot import Snapshot, read_snapshot
from quotalint.pipeline import Result, run
from quotalint.settings import Options, Settings
from quotalint.settings.loading import NAME, load_settings
from quotalint.text.sources import find

Files = Mapping[str, object]
Run = Callable[..., Result]

CRITICAL = {"scopeName": "PriorityClass", "operator": "In", "values": ["system-node-critical"]}
CRITICAL_PODS = "insufficient quota to match these scopes: [{PriorityClass In [system-node-critical]}]"
QUOTA_V1 = {"apiVersion": "apiserver.config.k8s.io/v1", "kind": "ResourceQuotaConfiguration"}
ADMISSION_V1 = {"apiVersion": "apiserver.config.k8s.io/v1", "kind": "AdmissionConfiguration"}


def limits(*limited: object, head: Mapping[str, object] = QUOTA_V1) -> dict[str, object]:
    return {**head, "limitedResources": list(limited)}


def scoped(*scopes: object, resource: str = "pods") -> dict[str, object]:
    return {"resource": resource, "matchScopes": list(scopes)}


def containing(resource: str, *texts: str, group: str = "") -> dict[str, object]:
    return {"apiGroup": group, "resource": resource, "matchContains": list(texts)}


def admission(configuration: object, head: Mapping[str, object] = ADMISSION_V1, **more: object) -> dict[str, object]:
    return {**head, "plugins": [{"name": "ResourceQuota", "configuration": configuration, **more}]}


def quota(hard: Mapping[str, object], namespace: str | None = "a", **spec: object) -> dict[str, object]:
    metadata = {"name": "q", **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata, "spec": {"hard": hard, **spec}}


def selecting(*expressions: object, namespace: str | None = "a", **spec: object) -> dict[str, object]:
    return quota({"pods": "9"}, namespace, scopeSelector={"matchExpressions": list(expressions)}, **spec)


def tenant(one: Mapping[str, object]) -> dict[str, object]:
    head = {"apiVersion": "capsule.clastix.io/v1beta2", "kind": "Tenant", "metadata": {"name": "t"}}
    return {**head, "spec": {"resourceQuotas": {"items": [one["spec"]]}}}


def pod_spec(priority: str = "system-node-critical", **resources: object) -> dict[str, object]:
    return {"priorityClassName": priority, "containers": [{"name": "c", "image": "c", "resources": resources}]}


def pod(namespace: str | None = "a", **spec: Any) -> dict[str, object]:
    metadata = {"name": "p", **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {**pod_spec(), **spec}}


def deployment(**spec: object) -> dict[str, object]:
    metadata = {"name": "web", "namespace": "a"}
    spec = {"template": {"spec": pod_spec()}, **spec}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}


def claim(**spec: object) -> dict[str, object]:
    metadata = {"name": "data", "namespace": "a"}
    spec = {"resources": {"requests": {"storage": "1Gi"}}, **spec}
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata, "spec": spec}


def service(**spec: object) -> dict[str, object]:
    metadata = {"name": "web", "namespace": "a"}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"ports": [{"port": 80}], **spec}}


def config_map() -> dict[str, object]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "m", "namespace": "a"}}


def widget() -> dict[str, object]:
    return {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w", "namespace": "a"}}


LIMIT = {"limits.yaml": limits(scoped(CRITICAL))}
EVERY_SCOPE_OF_PODS = ("Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "CrossNamespacePodAffinity")


def exists(scope: str) -> dict[str, object]:
    return {"scopeName": scope, "operator": "Exists"}


def consume(*names: str) -> str:
    return f"insufficient quota to consume: {','.join(names)}"


def scopes(text: str) -> str:
    return f"insufficient quota to match these scopes: [{text}]"


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
    # configurations
    "inline, v1": ({"l.yaml": admission(limits(scoped(CRITICAL))), "p.yaml": pod()}, [f"p.yaml {CRITICAL_PODS}"]),
    "inline, v1alpha1": (
        {
            "l.yaml": admission(
                limits(
                    scoped(CRITICAL),
                    head={"apiVersion": "resourcequota.admission.k8s.io/v1beta1", "kind": "Configuration"},
                ),
                {"apiVersion": "apiserver.k8s.io/v1alpha1", "kind": "AdmissionConfiguration"},
            ),
            "p.yaml": pod(),
        },
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "alone, v1alpha1": (
        {
            "l.yaml": limits(
                scoped(CRITICAL),
                head={"apiVersion": "resourcequota.admission.k8s.io/v1alpha1", "kind": "Configuration"},
            ),
            "p.yaml": pod(),
        },
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "in a file of another name": (
        {
            "etc/l.yaml": admission(None, path="../plugins/quota.conf"),
            "plugins/quota.conf": limits(scoped(CRITICAL)),
            "p.yaml": pod(),
        },
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "by an absolute path, and in view": (
        {
            "l.yaml": admission(None, path="/etc/kubernetes/quota.yaml"),
            "quota.yaml": limits(scoped(CRITICAL)),
            "p.yaml": pod(),
        },
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "of two entries the first counts": (
        {
            "l.yaml": {
                **ADMISSION_V1,
                "plugins": [
                    {"name": "PodSecurity", "configuration": {"kind": 7}},
                    {"name": "ResourceQuota", "configuration": limits()},
                    {"name": "ResourceQuota", "configuration": limits(scoped(CRITICAL))},
                ],
            },
            "p.yaml": pod(),
        },
        [],
    ),
    "several that agree": (
        {"l.yaml": limits(scoped(CRITICAL)), "m.yaml": limits(scoped(exists("PriorityClass"))), "p.yaml": pod()},
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "several that do not": (
        {"l.yaml": limits(scoped(CRITICAL)), "m.yaml": limits(scoped(exists("Terminating"))), "p.yaml": pod()},
        [],
    ),
    "a kind of that name of somebody else": (
        {
            "l.yaml": limits(scoped(CRITICAL), head={"apiVersion": "serving.knative.dev/v1", "kind": "Configuration"}),
            "p.yaml": pod(),
        },
        [],
    ),
    "the setting": (
        {NAME: {"limitedPriorityClasses": ["system-node-critical"]}, "p.yaml": pod()},
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "the setting and a configuration": (
        {NAME: {"limitedPriorityClasses": ["system-node-critical"]}, "l.yaml": limits(), "p.yaml": pod()},
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "the setting leaves kube-system alone": (
        {NAME: {"limitedPriorityClasses": ["system-node-critical"]}, "p.yaml": pod(namespace="kube-system")},
        [],
    ),
    "a configuration does not": ({**LIMIT, "p.yaml": pod(namespace="kube-system")}, [f"p.yaml {CRITICAL_PODS}"]),
    # namespaces
    "no namespace": ({**LIMIT, "p.yaml": pod(namespace=None)}, [f"p.yaml {CRITICAL_PODS}"]),
    "no namespace, and a quota that may cover it": (
        {**LIMIT, "x/p.yaml": pod(namespace=None), "y/q.yaml": selecting(CRITICAL, namespace="b")},
        [],
    ),
    "a quota without a namespace may cover it": (
        {**LIMIT, "x/p.yaml": pod(), "y/q.yaml": selecting(CRITICAL, namespace=None)},
        [],
    ),
    "a quota without a namespace that covers nothing": (
        {**LIMIT, "x/p.yaml": pod(), "y/q.yaml": quota({"pods": 9}, None)},
        [f"x/p.yaml {CRITICAL_PODS}"],
    ),
    "a placeholder for a namespace": ({**LIMIT, "p.yaml": pod(namespace="${NS}")}, []),
    "a quota in a placeholder for a namespace": (
        {**LIMIT, "p.yaml": pod(), "q.yaml": selecting(CRITICAL, namespace="${NS}")},
        [],
    ),
    # what is hidden
    "a quota may be in what was not rendered": (
        {**LIMIT, "p.yaml": pod(), "k/kustomization.yaml": {"resources": ["missing.yaml"]}},
        [],
    ),
    "not in that of another namespace": (
        {**LIMIT, "p.yaml": pod(), "k/kustomization.yaml": {"namespace": "b", "resources": ["missing.yaml"]}},
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "a tenant may have the namespace": (
        {**LIMIT, "p.yaml": pod(), "t.yaml": tenant(selecting(CRITICAL))},
        [],
    ),
    "a tenant whose quotas cover nothing": (
        {**LIMIT, "p.yaml": pod(), "t.yaml": tenant(quota({"pods": 9}))},
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "a quota of OpenShift over several namespaces": (
        {
            **LIMIT,
            "p.yaml": pod(),
            "n.yaml": {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a", "labels": {"team": "a"}}},
            "q.yaml": {
                "apiVersion": "quota.openshift.io/v1",
                "kind": "ClusterResourceQuota",
                "metadata": {"name": "q"},
                "spec": {"selector": {"labels": {"matchLabels": {"team": "a"}}}, "quota": selecting(CRITICAL)["spec"]},
            },
        },
        [f"p.yaml {CRITICAL_PODS}"],
    ),
    "a policy that makes quotas": (
        {
            **LIMIT,
            "p.yaml": pod(),
            "c.yaml": {
                "apiVersion": "kyverno.io/v1",
                "kind": "ClusterPolicy",
                "metadata": {"name": "c"},
                "spec": {"rules": [{"generate": selecting(CRITICAL)}]},
            },
        },
        [],
    ),
}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_is_refused(case: str, checked: Run) -> None:
    files, expected = CASES[case]
    assert _said(checked(files)) == expected


MALFORMED: Mapping[str, tuple[object, str]] = {
    "a version of the configuration that nobody reads": (
        limits(head={"apiVersion": "resourcequota.admission.k8s.io/v1", "kind": "Configuration"}),
        "resourcequota.admission.k8s.io/v1 has no kind Configuration that the plugin ResourceQuota reads",
    ),
    "a kind of the other group": (
        limits(head={"apiVersion": "apiserver.config.k8s.io/v1beta1", "kind": "ResourceQuotaConfiguration"}),
        "apiserver.config.k8s.io/v1beta1 has no kind ResourceQuotaConfiguration that the plugin ResourceQuota reads",
    ),
    "a version of AdmissionConfiguration that nobody reads": (
        admission(limits(), {"apiVersion": "apiserver.config.k8s.io/v1alpha1", "kind": "AdmissionConfiguration"}),
        "apiserver.config.k8s.io/v1alpha1 has no kind AdmissionConfiguration",
    ),
    "plugins that are no list": ({**ADMISSION_V1, "plugins": {"name": "ResourceQuota"}}, "plugins must be a list"),
    "a plugin that is a text": ({**ADMISSION_V1, "plugins": ["ResourceQuota"]}, "plugins[0] must be an object"),
    "a name that is a number": ({**ADMISSION_V1, "plugins": [{"name": 7}]}, "plugins[0].name must be a string"),
    "a path that is a list": (admission(None, path=[]), "plugins[0].path must be a string"),
    "a configuration that is a text": (admission("limits"), "plugins[0].configuration must be an object"),
    "a configuration without a kind": (
        admission({"limitedResources": []}),
        "the configuration of ResourceQuota needs an apiVersion and a kind",
    ),
    "inside of it": (
        admission(limits({"resource": 1})),
        "plugins[0].configuration.limitedResources[0].resource must be a string",
    ),
    "limits that are no list": ({**QUOTA_V1, "limitedResources": "pods"}, "limitedResources must be a list"),
    "a limit that is a list": (limits([]), "limitedResources[0] must be an object"),
    "a limit that is empty": (limits(None), "limitedResources[0].resource must name a resource, such as pods"),
    "no resource": (limits({}), "limitedResources[0].resource must name a resource, such as pods"),
    "a group that is true": (
        limits({"resource": "pods", "apiGroup": True}),
        "limitedResources[0].apiGroup must be a string",
    ),
    "a text for a list": (
        limits({"resource": "pods", "matchContains": "cpu"}),
        "limitedResources[0].matchContains must be a list",
    ),
    "a number for a text": (
        limits({"resource": "pods", "matchContains": ["cpu", 1]}),
        "limitedResources[0].matchContains[1] must be a string",
    ),
    "scopes that are an object": (
        limits({"resource": "pods", "matchScopes": {}}),
        "limitedResources[0].matchScopes must be a list",
    ),
    "a scope that is a text": (
        limits(scoped("PriorityClass")),
        "limitedResources[0].matchScopes[0] must be an object",
    ),
    "an operator that is a number": (
        limits(scoped({**CRITICAL, "operator": 1})),
        "limitedResources[0].matchScopes[0].operator must be a string",
    ),
    "values that are a text": (
        limits(scoped({**CRITICAL, "values": "high"})),
        "limitedResources[0].matchScopes[0].values must be a list",
    ),
}


@pytest.mark.parametrize("case", MALFORMED, ids=str)
def test_with_a_malformed_configuration_no_api_server_starts(case: str, checked: Run) -> None:
    configuration, reason = MALFORMED[case]
    result = checked({"l.yaml": configuration, "p.yaml": pod()})
    assert (_said(result), _skipped(result)) == ([], [("l.yaml", f"kube-apiserver would not start with it: {reason}")])


PASSED: Mapping[str, tuple[Files, list[tuple[str, str]]]] = {
    "nothing is said of what can be read": ({**LIMIT, "p.yaml": pod()}, []),
    "empty fields are read as absent": (
        {"l.yaml": {**QUOTA_V1, "limitedResources": None}, "m.yaml": admission(None), "n.yaml": dict(ADMISSION_V1)},
        [],
    ),
    "beside a kustomization": ({**LIMIT, "kustomization.yaml": {"resources": ["p.yaml"]}, "p.yaml": pod()}, []),
    "a file that is missing": (
        {"l.yaml": admission(None, path="quota.yaml")},
        [("l.yaml", "its plugin ResourceQuota is configured by quota.yaml, which is no file of the repository")],
    ),
    "a file outside of the repository": (
        {"l.yaml": admission(None, path="../../../etc/passwd")},
        [
            (
                "l.yaml",
                "its plugin ResourceQuota is configured by ../../../etc/passwd, which is no file of the repository",
            )
        ],
    ),
    "an absolute path": (
        {"l.yaml": admission(None, path="/etc/passwd")},
        [("l.yaml", "its plugin ResourceQuota is configured by /etc/passwd, which is no file of the repository")],
    ),
    "a folder": (
        {"l.yaml": admission(None, path="."), "p.yaml": pod()},
        [("l.yaml", "its plugin ResourceQuota is configured by ., which is no file of the repository")],
    ),
    "a path that no file system can hold": (
        {"l.yaml": admission(None, path="a\0b")},
        [("l.yaml", "its plugin ResourceQuota is configured by a\0b, which is no file of the repository")],
    ),
    "a selector that fails": (
        {"l.yaml": limits(scoped({"scopeName": "PriorityClass", "operator": "NotIn"}))},
        [
            (
                "l.yaml",
                "in a scope of limitedResources the operator NotIn needs values, so the API server checks no quota "
                "at all for pods",
            )
        ],
    ),
}


@pytest.mark.parametrize("case", PASSED, ids=str)
def test_what_is_passed_over(case: str, checked: Run) -> None:
    files, expected = PASSED[case]
    assert _skipped(checked(files)) == expected


def test_a_configuration_is_no_object(checked: Run) -> None:
    files = {
        "l.yaml": admission(limits()),
        "k/kustomization.yaml": {"resources": ["m.yaml"]},
        "k/m.yaml": {**limits(), "metadata": {"name": "m"}},
        "q.yaml": quota({"count/admissionconfigurations.apiserver.config.k8s.io": "0"}),
    }
    result = checked(files)
    kinds = [obj.kind for facts in result.environments for obj in facts.cluster.objects]
    assert (kinds, [one.rule.id for one in result.findings if one.file != "q.yaml"]) == (["ResourceQuota"], [])


def test_a_key_given_twice_in_a_configuration_is_no_finding(checked: Run, tmp_path: Path) -> None:
    (tmp_path / "l.yaml").write_text(
        "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins: []\nplugins: []\n"
    )
    assert checked({}).findings == ()


def test_related_places_are_the_lines_of_the_configuration_and_of_the_setting(checked: Run, tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("kubeVersion: '1.34'\nlimitedPriorityClasses: [system-node-critical]\n")
    (tmp_path / "l.yaml").write_text(
        "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n- name: ResourceQuota\n"
        "  configuration:\n    apiVersion: apiserver.config.k8s.io/v1\n    kind: ResourceQuotaConfiguration\n"
        "    limitedResources:\n    - resource: pods\n"
        "      matchScopes: [{scopeName: PriorityClass, operator: Exists}]\n"
    )
    (finding,) = checked({"p.yaml": pod()}).findings
    assert [(one.label, one.file, one.span.line) for one in finding.related] == [
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
    assert [(one.file, one.environments) for one in result.findings] == [("overlays/prod/p.yaml", ("prod",))]


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
    found = read_snapshot(json.dumps(shown).encode(), "cluster.json")
    assert isinstance(found, Snapshot)
    assert _said(checked({**LIMIT, "p.yaml": pod()}, found)) == expected


def test_volume_attributes_classes_are_limited_from_the_release_that_compares_them(checked: Run) -> None:
    files = {
        NAME: {"kubeVersion": "1.33"},
        "l.yaml": limits(scoped(exists("VolumeAttributesClass"))),
        "c.yaml": claim(volumeAttributesClassName="fast"),
    }
    assert _said(checked(files)) == []


def test_charges_are_only_of_all_namespaces_where_something_is_limited(checked: Run) -> None:
    files = {"p.yaml": pod(), "b.yaml": pod(namespace="b"), "q.yaml": quota({"pods": 9})}
    without, limited = checked(files), checked({**files, "l.yaml": limits(containing("services", "services"))})
    assert [list(one.environments[0].charges) for one in (without, limited)] == [["a"], ["a", "b"]]


@pytest.fixture
def checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs quotalint on files of these contents."""

    def of(files: Files, *snapshots: Snapshot) -> Result:
        (tmp_path / ".git").mkdir(exist_ok=True)
        for name, value in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(json.dumps(value), encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        settings = load_settings(["."], Options())
        assert isinstance(settings, Settings), settings
        return run(find(["."], settings.root, settings.exclude), settings, lambda: b"", 1, snapshots)

    return of


def _said(result: Result) -> list[str]:
    """The file and what the API server will say, of each finding of the rule."""
    return [
        f"{one.file} {note.text.removeprefix('the API server will say: ')}"
        for one in result.findings
        if one.rule.id == "QL403"
        for note in one.notes
        if note.label == "so"
    ]


def _skipped(result: Result) -> list[tuple[str, str]]:
    return [(one.name, one.reason) for one in result.environments[0].repository.skipped]
