"""What a ClusterQueue can ever admit, and what runs at once."""

from __future__ import annotations

from typing import Any

import pytest
from queue_manifests import Manifest, cluster_of, flavor, queue_object, quotas

from quotalint.kueue.admission import Obstacle, PodSet, obstacle, run_at_once
from quotalint.kueue.queues import Queues, queues_of

GPU = "nvidia.com/gpu"


def pods(number: int = 1, least: int | None = None, spec: Manifest | None = None, **requests: int) -> PodSet:
    named = {GPU if name == "gpu" else name: amount * 10**9 for name, amount in requests.items()}
    return PodSet(named, number, number if least is None else least, spec or {})


def two_flavors(*flavors: Manifest, **of_blue: Any) -> Queues:
    """8 cpu and 8 GPUs of the flavor red, half as much of blue."""
    red, blue = quotas(**{"cpu": 8, GPU: 8}), quotas(**{"cpu": 4, GPU: 4, **of_blue})
    return queues_of(cluster_of(queue_object("ClusterQueue", "a", {"red": red, "blue": blue}), *flavors))


def never(queues: Queues, *pod_sets: PodSet) -> Obstacle | None:
    return obstacle(pod_sets, queues.cluster_queues["a"], queues)


def test_what_the_largest_flavor_has_not_is_never_admitted() -> None:
    assert never(two_flavors(), pods(cpu=9)) == Obstacle("cpu", 9 * 10**9, 8 * 10**9, is_sure=True)
    assert never(two_flavors(), pods(4, cpu=2)) is None


def test_one_flavor_must_have_all_resources_of_its_group() -> None:
    short = never(two_flavors(cpu=16), pods(cpu=16, gpu=6))
    assert short is not None
    assert (short.resource, short.needed, short.allowed) == (GPU, 6 * 10**9, 4 * 10**9)


def test_pod_sets_may_have_different_flavors_and_together_no_more_than_all() -> None:
    assert never(two_flavors(), pods(cpu=8), pods(cpu=4)) is None
    assert never(two_flavors(), pods(cpu=8), pods(cpu=5)) == Obstacle("cpu", 13 * 10**9, 12 * 10**9, is_sure=True)


def test_a_job_may_be_admitted_with_fewer_pods() -> None:
    assert never(two_flavors(), pods(20, 8, cpu=1)) is None


def test_a_resource_that_is_not_covered_is_no_matter_of_amounts() -> None:
    assert never(two_flavors(), pods(memory=10)) is None


TAINTED = flavor("red", nodeTaints=[{"key": "gpu", "value": "yes", "effect": "NoSchedule"}])
LABELLED = flavor("red", nodeLabels={"zone": "a"})


def affinity(operator: str, *values: str) -> Manifest:
    term = {"matchExpressions": [{"key": "zone", "operator": operator, "values": list(values)}]}
    required = {"nodeSelectorTerms": [term]}
    return {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}}


@pytest.mark.parametrize(
    ("red", "spec", "is_admitted"),
    [
        (TAINTED, {}, False),
        (TAINTED, {"tolerations": [{"key": "gpu", "operator": "Exists"}]}, True),
        (TAINTED, {"tolerations": [{"key": "gpu", "value": "no"}]}, False),
        (TAINTED, {"tolerations": [{"key": "gpu", "value": "yes", "effect": "NoSchedule"}]}, True),
        (TAINTED, {"tolerations": [{"operator": "Exists"}]}, True),
        (flavor("red", nodeTaints=[{"key": "gpu", "effect": "PreferNoSchedule"}]), {}, True),
        (flavor("red", **{**TAINTED["spec"], "tolerations": [{"operator": "Exists"}]}), {}, True),
        (LABELLED, {"nodeSelector": {"zone": "b"}}, False),
        (LABELLED, {"nodeSelector": {"zone": "a", "disk": "ssd"}}, True),
        (LABELLED, affinity("In", "b"), False),
        (LABELLED, affinity("NotIn", "b"), True),
        (LABELLED, affinity("DoesNotExist"), False),
    ],
)
def test_a_flavor_takes_pods_that_tolerate_its_taints_and_select_its_labels(
    red: Manifest, spec: Manifest, is_admitted: bool
) -> None:
    short = never(two_flavors(red, flavor("blue")), pods(cpu=5, spec=spec))
    assert (short is None) is is_admitted


def test_no_flavor_that_matches_says_which_there_are() -> None:
    blue = flavor("blue", **TAINTED["spec"])
    short = never(two_flavors(TAINTED, blue), pods(cpu=1))
    assert short is not None
    assert short.flavors == ("red", "blue")


def test_what_fits_runs_and_what_does_not_lets_others_pass() -> None:
    queues = two_flavors()
    workloads = [[pods(cpu=6)], [pods(cpu=4)], [pods(cpu=3)], [pods(cpu=2)]]
    running, used = run_at_once(workloads, queues.cluster_queues["a"], queues)
    assert running == [True, True, False, True]
    assert used == {("red", "cpu"): 8 * 10**9, ("blue", "cpu"): 4 * 10**9}


def test_covered_pods_are_counted() -> None:
    queues = queues_of(cluster_of(queue_object("ClusterQueue", "a", {"red": quotas(pods=3)})))
    running, _ = run_at_once([[pods(2)], [pods(2)], [pods(1)]], queues.cluster_queues["a"], queues)
    assert running == [True, False, True]
    assert obstacle([pods(4)], queues.cluster_queues["a"], queues) is not None
