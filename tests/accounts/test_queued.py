"""What Kueue queues counts in a ResourceQuota as far as its queue admits it at once."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pipeline_runs import facts_of
from queue_manifests import Manifest, local_queue, queue_object, quotas

from quotalint.accounts.facts import Facts
from quotalint.accounts.sums import _RUN_TO_AN_END
from quotalint.kube.quantity import show
from quotalint.kube.queue_names import SUSPENDED
from quotalint.quota.projection import Projection
from quotalint.settings import Scenario
from quotalint.workloads import POD_OWNERS

QUEUE = "kueue.x-k8s.io/queue-name"
QUOTA = {
    "apiVersion": "v1",
    "kind": "ResourceQuota",
    "metadata": {"name": "base", "namespace": "team"},
    "spec": {"hard": {"requests.cpu": "10", "count/pods": "50", "requests.memory": "1Gi"}},
}
QUEUES = [queue_object("ClusterQueue", "shared", {"red": quotas(cpu=8)}), local_queue("main", "shared")]


def template(cpu: object = "4", **requests: object) -> Manifest:
    resources = {"requests": {"cpu": cpu, **requests}}
    return {"spec": {"restartPolicy": "Never", "containers": [{"name": "a", "image": "a", "resources": resources}]}}


def job(name: str, queue: str = "main", cpu: object = "4", suspend: bool = False, **more: Any) -> Manifest:
    labels = {QUEUE: queue} if queue else {}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "namespace": "team", "labels": labels},
        "spec": {"suspend": suspend, "template": template(cpu), **more},
    }


def of(*manifests: Manifest) -> Facts:
    return facts_of(*map(json.dumps, (QUOTA, *manifests)))


def cpu_of(facts: Facts) -> Projection:
    (projection,) = (found for found in facts.projections if found.name == "requests.cpu")
    return projection


def sums(facts: Facts, name: str = "requests.cpu") -> tuple[str, str, str]:
    """What is used, at the most, and how sure that is."""
    (found,) = (projection for projection in facts.projections if projection.name == name)
    return show(found.demand(Scenario.STEADY)), show(found.demand(Scenario.PEAK)), found.certainty


@pytest.mark.parametrize("suspend", [True, False])
def test_as_many_count_as_the_queue_admits_at_once(suspend: bool) -> None:
    facts = of(*QUEUES, *(job(f"train-{number}", suspend=suspend) for number in range(5)))
    assert sums(facts) == ("8", "8", "assumed")
    assert cpu_of(facts).unknowns == ("3 more of LocalQueue main wait: train-2, train-3, train-4",)


def test_without_a_queue_in_view_nothing_is_known_and_that_is_said_once() -> None:
    facts = of(job("train-0"), job("train-1", suspend=True))
    assert cpu_of(facts).certainty == "unknown"
    assert len(cpu_of(facts).guesses) == 1


def test_a_suspended_job_without_a_queue_runs_no_pods() -> None:
    assert sums(of(*QUEUES, job("train", queue="", suspend=True))) == ("0", "0", "exact")


def test_a_local_queue_called_default_takes_what_names_none() -> None:
    queues = [QUEUES[0], local_queue("default", "shared")]
    assert sums(of(*queues, *(job(f"train-{number}", queue="") for number in range(3)))) == ("8", "8", "assumed")


def test_what_the_queue_never_admits_never_runs() -> None:
    assert sums(of(*QUEUES, job("small"), job("large", cpu="9"))) == ("4", "4", "assumed")


def test_what_waits_may_need_more_of_something_else() -> None:
    waiting = job("train-2")
    waiting["spec"]["template"] = template("6", memory="1Gi")
    assert sums(of(*QUEUES, job("train-1"), waiting), "requests.memory") == ("0", "0", "at-least")


def test_gated_pods_exist_and_are_charged() -> None:
    web = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "team", "labels": {QUEUE: "main"}},
        "spec": {
            "replicas": 3,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [{"name": "a", "image": "a", "resources": {"requests": {"cpu": 4}}}]},
            },
        },
    }
    assert sums(of(*QUEUES, web))[::2] == ("12", "exact")


def test_other_workloads_beside_a_queue_exceed_the_quota_for_sure() -> None:
    beside = job("beside", queue="", cpu="11")
    assert cpu_of(of(*QUEUES, beside, job("train"))).proof(Scenario.STEADY).certainty == "at-least"


@pytest.mark.parametrize(
    "queued",
    [
        {
            "apiVersion": "jobset.x-k8s.io/v1alpha2",
            "kind": "JobSet",
            "spec": {
                "suspend": True,
                "replicatedJobs": [{"name": "a", "replicas": 2, "template": {"spec": {"template": template("3")}}}],
            },
        },
        {
            "apiVersion": "kubeflow.org/v1",
            "kind": "PyTorchJob",
            "spec": {
                "runPolicy": {"suspend": True},
                "pytorchReplicaSpecs": {"Worker": {"replicas": 2, "template": template("3")}},
            },
        },
    ],
    ids=lambda body: body["kind"],
)
def test_sets_of_pods_are_admitted_whole(queued: Manifest) -> None:
    body = {**queued, "metadata": {"name": "set", "namespace": "team", "labels": {QUEUE: "main"}}}
    assert sums(of(*QUEUES, body, job("train"))) == ("6", "6", "assumed")
    assert sums(of(*QUEUES, job("train"), body)) == ("4", "4", "assumed")


def test_the_jobs_of_a_schedule_are_queued_by_the_labels_of_its_template() -> None:
    cron = {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": {"name": "nightly", "namespace": "team"},
        "spec": {
            "schedule": "@daily",
            "jobTemplate": {"metadata": {"labels": {QUEUE: "main"}}, "spec": {"suspend": True, "template": template()}},
        },
    }
    assert sums(of(*QUEUES, cron)) == ("0", "8", "assumed")


def test_pods_that_will_be_refused_are_told_while_they_wait() -> None:
    waiting = job("waiting")
    del waiting["spec"]["template"]["spec"]["containers"][0]["resources"]
    facts = of(queue_object("ClusterQueue", "shared", {"red": quotas(pods=1)}), QUEUES[1], job("first"), waiting)
    charge = next(
        charge
        for charge in facts.charges["team"]
        if charge.kind == "Pod" and charge.owner is not None and charge.owner.name == "waiting"
    )
    assert (charge.number, charge.demand.size.queued) == (0, 1)


def test_the_groups_of_all_suspended_kinds_with_known_pods_are_looked_at() -> None:
    assert {group for group, _ in SUSPENDED & POD_OWNERS} == _RUN_TO_AN_END
