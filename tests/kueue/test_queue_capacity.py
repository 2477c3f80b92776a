"""How much a ClusterQueue can have at most; the numbers are those of Kueue's own resource_node_test.go where it has
such a case."""

from __future__ import annotations

import pytest
from queue_manifests import Manifest, cluster_of, queue_object, quotas

from quotalint.kueue.capacity import capacity
from quotalint.kueue.queues import queues_of


def of(*manifests: Manifest, name: str = "a") -> tuple[int, bool] | None:
    """The capacity of a ClusterQueue in whole cpu."""
    queues = queues_of(cluster_of(*manifests))
    found = capacity(queues.cluster_queues[name], ("red", "cpu"), queues)
    return found and (found.amount // 10**9, found.is_sure)


def cpu(kind: str, name: str, nominal: object, parent: str = "", **limits: object) -> Manifest:
    field = "parentName" if kind == "Cohort" else "cohortName"
    group = {"red": quotas(cpu={"nominalQuota": nominal, **limits})}
    return queue_object(kind, name, group, **({field: parent} if parent else {}))


OTHER = cpu("ClusterQueue", "b", 10, "team")


def test_alone_it_has_its_quota() -> None:
    assert of(cpu("ClusterQueue", "a", 8)) == (8, True)


def test_what_other_queues_of_the_cohort_have_can_be_borrowed() -> None:
    assert of(cpu("ClusterQueue", "a", 8, "team"), OTHER) == (18, False)


def test_not_above_its_limit_whatever_the_cohort_has() -> None:
    assert of(cpu("ClusterQueue", "a", 8, "team", borrowingLimit=2), OTHER) == (10, True)


def test_others_keep_what_they_do_not_lend() -> None:
    other = cpu("ClusterQueue", "b", 10, "team", lendingLimit=1)
    assert of(cpu("ClusterQueue", "a", 8, "team"), other) == (9, False)
    assert of(cpu("ClusterQueue", "a", 8, "team"), other, name="b") == (18, False)


def test_a_cohort_has_quota_of_its_own_and_borrows_from_above() -> None:
    cohort, root = cpu("Cohort", "team", 4, "root"), cpu("Cohort", "root", 5)
    assert of(cpu("ClusterQueue", "a", 8, "team"), cohort, root) == (17, False)
    limited = cpu("Cohort", "team", 4, "root", borrowingLimit=1)
    assert of(cpu("ClusterQueue", "a", 8, "team"), limited, root) == (13, False)


@pytest.mark.parametrize("nominal", ["${CPU}", "many"])
def test_an_unreadable_amount_anywhere_makes_it_unknown(nominal: str) -> None:
    assert of(cpu("ClusterQueue", "a", nominal)) is None
    assert of(cpu("ClusterQueue", "a", 8, "team"), cpu("ClusterQueue", "b", nominal, "team")) is None


def test_cohorts_in_a_circle_make_it_unknown() -> None:
    circle = cpu("Cohort", "team", 1, "root"), cpu("Cohort", "root", 1, "team")
    assert of(cpu("ClusterQueue", "a", 8, "team"), *circle) is None


def test_the_older_version_names_the_cohort_otherwise() -> None:
    older = {**cpu("ClusterQueue", "a", 8), "apiVersion": "kueue.x-k8s.io/v1beta1"}
    older["spec"]["cohort"] = "team"
    assert of(older, OTHER) == (18, False)
