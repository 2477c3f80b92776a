"""What the API server and Kueue's webhooks refuse, as clusterqueue_webhook_test.go and the schemas have it."""

from __future__ import annotations

from typing import Any

import pytest
from queue_manifests import Manifest, flavor, local_queue, queue_object, quotas

from quotalint.kube.objects import objects
from quotalint.kueue.validation import queue_errors
from quotalint.text.place import Place


def fields(body: Manifest) -> list[str]:
    """The fields at which a manifest is refused."""
    (obj,) = objects(body, Place("a.yaml"))
    return [error.field.removeprefix("spec.") for error in queue_errors(obj)]


def cluster_queue(**spec: Any) -> Manifest:
    groups = [] if "resourceGroups" in spec else [{"red": quotas(cpu=8)}]
    return queue_object("ClusterQueue", "a", *groups, **spec)


def of_cpu(kind: str = "ClusterQueue", parent: str = "", **amounts: object) -> Manifest:
    field = "parentName" if kind == "Cohort" else "cohortName"
    group = {"red": quotas(cpu={"nominalQuota": 8, **amounts})}
    return queue_object(kind, "a", group, **({field: parent} if parent else {}))


CPU = "resourceGroups[0].flavors[0].resources[0]"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (cluster_queue(), []),
        (cluster_queue(namespaceSelector={}, preemption={"withinClusterQueue": "LowerPriority"}), []),
        (of_cpu(borrowingLimit=2), [f"{CPU}.borrowingLimit"]),
        (of_cpu(lendingLimit=2), [f"{CPU}.lendingLimit"]),
        (of_cpu(parent="team", borrowingLimit="2", lendingLimit=8), []),
        (of_cpu(parent="team", lendingLimit=9), [f"{CPU}.lendingLimit"]),
        (of_cpu("Cohort", lendingLimit=2), [f"{CPU}.lendingLimit"]),
        (of_cpu("Cohort", "root", lendingLimit=9), []),
        (of_cpu(nominalQuota=-1), [f"{CPU}.nominalQuota"]),
        (of_cpu(nominalQuota="eight"), [f"{CPU}.nominalQuota"]),
        (of_cpu(nominalQuota=1.5), [f"{CPU}.nominalQuota"]),
        (of_cpu(nominalQuota=None), [f"{CPU}.nominalQuota"]),
        (of_cpu(nominalQuota="${CPU}"), []),
        (
            queue_object("ClusterQueue", "a", {"red": quotas(cpu=1)}, {"blue": quotas(cpu=1)}),
            ["resourceGroups[1].coveredResources[0]"],
        ),
        (
            queue_object("ClusterQueue", "a", {"red": quotas(cpu=1)}, {"red": quotas(memory=1)}),
            ["resourceGroups[1].flavors[0].name"],
        ),
        (
            queue_object("ClusterQueue", "a", {"red": quotas(cpu=1), "blue": quotas(cpu=1, memory=1)}),
            ["resourceGroups[0].flavors[1].resources"],
        ),
        (
            queue_object("ClusterQueue", "a", {"red": quotas(cpu=1, memory=1), "blue": quotas(memory=1, cpu=1)}),
            ["resourceGroups[0].flavors[1].resources[0].name"],
        ),
        (queue_object("ClusterQueue", "a", {"red": quotas(**{"a b": 1})}), ["resourceGroups[0].coveredResources[0]"]),
        (
            cluster_queue(resourceGroups=[{"coveredResources": [], "flavors": [{"name": "red"}]}]),
            ["resourceGroups[0].coveredResources", "resourceGroups[0].flavors[0].resources"],
        ),
        (cluster_queue(resourceGroups={}), ["resourceGroups"]),
        (cluster_queue(cohort="team"), ["cohort"]),
        ({**cluster_queue(cohort="team"), "apiVersion": "kueue.x-k8s.io/v1beta1"}, []),
        ({**cluster_queue(cohort="team"), "apiVersion": "kueue.x-k8s.io/v1alpha1"}, []),
        (cluster_queue(cohortName="Team A"), ["cohortName"]),
        (cluster_queue(queueingStrategy="FIFO"), ["queueingStrategy"]),
        (cluster_queue(stopPolicy=True), ["stopPolicy"]),
        (cluster_queue(preemption={"borrowWithinCohort": {"policy": "LowerPriority"}}), ["preemption"]),
        (
            cluster_queue(preemption={"reclaimWithinCohort": "Any", "borrowWithinCohort": {"policy": "LowerPriority"}}),
            [],
        ),
        (cluster_queue(flavorFungibility={"preference": "BorrowingOverPreemption"}), ["flavorFungibility"]),
        (
            cluster_queue(
                flavorFungibility={"preference": "BorrowingOverPreemption", "whenCanBorrow": "TryNextFlavor"}
            ),
            [],
        ),
        (cluster_queue(fairSharing={"weight": -1}), ["fairSharing.weight"]),
        (
            cluster_queue(namespaceSelector={"matchExpressions": [{"key": "a", "operator": "in", "values": ["b"]}]}),
            ["namespaceSelector.matchExpressions[0].operator"],
        ),
        (
            cluster_queue(namespaceSelector={"matchExpressions": [{"key": "a", "operator": "In"}]}),
            ["namespaceSelector.matchExpressions[0].values"],
        ),
        (local_queue("main", "Shared"), ["clusterQueue"]),
        (flavor("red"), []),
        (flavor("red", nodeLabels={"a b": "c"}), ["nodeLabels"]),
        (flavor("red", nodeLabels={"pool": "${POOL}"}), []),
        (flavor("red", topologyName="rack"), [""]),
        (flavor("red", nodeTaints=[{"key": "gpu"}]), ["nodeTaints[0].effect"]),
        (flavor("red", nodeTaints=[{"key": "gpu", "effect": "Never"}]), ["nodeTaints[0].effect"]),
        (flavor("red", nodeTaints=[{"key": "gpu", "effect": "NoExecute"}] * 2), ["nodeTaints[1]"]),
        (flavor("red", tolerations=[{"effect": "NoSchedule"}]), ["tolerations[0]"]),
        (flavor("red", tolerations=[{"key": "a", "operator": "Exists", "value": "b"}]), ["tolerations[0]"]),
        (flavor("red", tolerations=[{"key": "a", "tolerationSeconds": 3}]), ["tolerations[0]"]),
        (flavor("red", tolerations=[{"operator": "Exists"}]), []),
    ],
)
def test_what_is_refused(body: Manifest, expected: list[str]) -> None:
    assert fields(body) == [field or "spec" for field in expected]


def test_a_field_of_the_other_version_is_named() -> None:
    (obj,) = objects(cluster_queue(cohort="team"), Place("a.yaml"))
    assert [error.message for error in queue_errors(obj)] == ['unknown field "cohort"; did you mean "cohortName"?']
