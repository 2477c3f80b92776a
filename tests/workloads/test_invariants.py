"""What holds for the numbers of every kind, whatever nonsense its manifest holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from workload_demands import Manifest, demanded, template

from quotalint.kube.listed_kinds import WANTED
from quotalint.kube.objects import objects
from quotalint.settings import Workload
from quotalint.text.place import Place
from quotalint.workloads import CONTROLLERS, POD_OWNERS
from quotalint.workloads.demand import Demand
from quotalint.workloads.operators import unknown_pods

_NONSENSE: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, False, 0, 1, 3, -1, 2**40, 1.5, "", "a", "3", "25%", "{{x}}", [], {}, [[]], [{}], {"a": 1}, [1, "a"]]
)
_COUNT = st.one_of(st.integers(0, 12), _NONSENSE)
_LIMIT = st.one_of(st.integers(0, 12), st.sampled_from(["0%", "25%", "150%"]), _NONSENSE)
_FLAG = st.one_of(st.booleans(), _NONSENSE)
_TEMPLATE = st.one_of(
    st.just(template()), st.just(template(volumes=[{"ephemeral": {"volumeClaimTemplate": {}}}])), _NONSENSE
)


def _map(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.fixed_dictionaries({}, optional=fields), _NONSENSE)


def _list(each: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.lists(each, max_size=3), _NONSENSE)


_ROLLING = _map(maxSurge=_LIMIT, maxUnavailable=_LIMIT, partition=_LIMIT, rollingUpdateType=st.just("Surging"))
_JOB = _map(parallelism=_LIMIT, completions=_COUNT, suspend=_FLAG, paused=_FLAG, template=_TEMPLATE)
_JOB_TEMPLATE = _map(spec=_JOB)
_SCALE = _map(replicas=_COUNT, weight=_COUNT, matchTrafficWeight=_FLAG)
_CANARY = _map(
    maxSurge=_LIMIT,
    maxUnavailable=_LIMIT,
    trafficRouting=_map(maxTrafficWeight=_COUNT),
    dynamicStableScale=_FLAG,
    minPodsPerReplicaSet=_COUNT,
    steps=_list(_map(setWeight=_COUNT, setCanaryScale=_SCALE, experiment=_map())),
)
_NAME = st.sampled_from(["a", "b", "c", None, 7])
_STEP = _map(
    name=_NAME,
    template=_NAME,
    templateRef=_map(name=_NAME, template=_NAME),
    withItems=_list(_NONSENSE),
    withParam=_NONSENSE,
    withSequence=_map(count=_COUNT, start=_COUNT, end=_COUNT),
    when=st.sampled_from(["x", "", None]),
    dependencies=_list(_NAME),
    depends=st.sampled_from(["a && b", "c.Failed", 7]),
    hooks=_map(),
)
_ARGO = _map(
    name=_NAME,
    container=_map(image=_NONSENSE),
    steps=_list(_list(_STEP)),
    dag=_map(tasks=_list(_STEP), target=_NAME),
    parallelism=_COUNT,
    synchronization=_map(),
    sidecars=_list(_map(name=_NAME)),
)
_WORKFLOW = _map(
    entrypoint=_NAME,
    templates=_list(_ARGO),
    parallelism=_COUNT,
    suspend=_FLAG,
    workflowTemplateRef=_map(name=_NAME),
    volumeClaimTemplates=_list(_map()),
    templateDefaults=_ARGO,
)
_ROLES = _map(Worker=_map(replicas=_COUNT, template=_TEMPLATE), Master=_map(replicas=_COUNT, template=_TEMPLATE))
_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "replicas": _COUNT,
    "template": st.one_of(
        _TEMPLATE,
        _map(jobTemplate=_JOB_TEMPLATE, broadcastJobTemplate=_JOB_TEMPLATE),
        _map(
            metadata=_map(
                annotations=_map(
                    **{f"autoscaling.knative.dev/{name}-scale": _COUNT for name in ("min", "max", "initial")}
                )
            )
        ),
    ),
    "paused": _FLAG,
    "suspend": _FLAG,
    "test": _FLAG,
    "parallelism": _LIMIT,
    "completions": _COUNT,
    "revisionHistoryLimit": _COUNT,
    "strategy": _map(
        type=st.sampled_from(["Recreate", "Rolling", "Custom", "RollingUpdate"]),
        rollingUpdate=_ROLLING,
        rollingParams=_ROLLING,
        blueGreen=_map(previewReplicaCount=_COUNT),
        canary=_CANARY,
    ),
    "updateStrategy": _map(
        type=st.sampled_from(["OnDelete", "InPlaceOnly", "ReCreate"]),
        rollingUpdate=_ROLLING,
        maxSurge=_LIMIT,
        maxUnavailable=_LIMIT,
        partition=_LIMIT,
        paused=_FLAG,
    ),
    "rolloutStrategy": _map(rollingUpdateConfiguration=_ROLLING),
    "workloadRef": _map(
        apiVersion=st.just("apps/v1"), kind=st.just("Deployment"), name=st.just("w"), scaleDown=_NONSENSE
    ),
    "leaderWorkerTemplate": _map(size=_COUNT, leaderTemplate=_TEMPLATE, workerTemplate=_TEMPLATE),
    "replicatedJobs": _list(
        _map(replicas=_COUNT, template=_JOB_TEMPLATE, dependsOn=_list(_map(status=st.just("Complete"))))
    ),
    "jobTemplate": _JOB_TEMPLATE,
    "jobTargetRef": _JOB,
    "schedule": st.sampled_from(["* * * * *", "@every 1m", "never", None, 7]),
    "schedules": _list(st.sampled_from(["* * * * *", "never", 7])),
    "startingDeadlineSeconds": _COUNT,
    "concurrencyPolicy": st.sampled_from(["Forbid", "Allow", 7]),
    "successfulJobsHistoryLimit": _COUNT,
    "workflowSpec": _WORKFLOW,
    "entrypoint": _NAME,
    "templates": _list(_ARGO),
    "workflowTemplateRef": _map(name=_NAME),
    "taskSpec": _map(steps=_list(_map(name=_NAME, computeResources=_NONSENSE)), sidecars=_list(_map())),
    "taskRef": _map(name=_NAME, resolver=_NAME),
    "computeResources": _map(requests=_map(cpu=_NONSENSE, memory=_NONSENSE), limits=_map(cpu=_NONSENSE)),
    "workspaces": _list(_map(volumeClaimTemplate=_map())),
    "volumeClaimTemplates": _list(_map()),
    "elasticPolicy": _map(minReplicas=_COUNT, maxReplicas=_COUNT, metrics=_list(_map())),
    "runPolicy": _map(suspend=_FLAG),
    **{f"{name}ReplicaSpecs": _ROLES for name in ("tf", "pytorch", "mpi", "xgb", "paddle", "jax")},
    "network": _map(enableDNSHostnames=_FLAG, subdomain=_NAME),
    "minReplicaCount": _COUNT,
    "maxReplicaCount": _COUNT,
}
_CRON = ("schedule", "startingDeadlineSeconds", "concurrencyPolicy", "successfulJobsHistoryLimit")
_OF_KIND: dict[str, tuple[str, ...]] = {
    "AdvancedCronJob": (*_CRON, "template", "paused"),
    "BroadcastJob": ("template", "parallelism", "paused"),
    "CloneSet": ("replicas", "template", "updateStrategy", "volumeClaimTemplates"),
    "CronJob": (*_CRON, "jobTemplate", "suspend"),
    "CronWorkflow": (*_CRON, "schedules", "suspend", "workflowSpec"),
    "DaemonSet": ("template", "updateStrategy", "revisionHistoryLimit"),
    "Deployment": ("replicas", "template", "strategy", "paused"),
    "DeploymentConfig": ("replicas", "template", "strategy", "paused", "test"),
    "Job": ("template", "parallelism", "completions", "suspend"),
    "JobSet": ("replicatedJobs", "suspend", "network"),
    "LeaderWorkerSet": ("replicas", "leaderWorkerTemplate", "rolloutStrategy"),
    "Rollout": ("replicas", "template", "strategy", "paused", "workloadRef"),
    "ScaledJob": ("jobTargetRef", "minReplicaCount", "maxReplicaCount", "successfulJobsHistoryLimit"),
    "StatefulSet": ("replicas", "template", "volumeClaimTemplates"),
    "TaskRun": ("taskSpec", "taskRef", "computeResources", "workspaces"),
    "Workflow": ("entrypoint", "templates", "parallelism", "suspend", "volumeClaimTemplates", "workflowTemplateRef"),
    **{
        f"{name}Job": (f"{name.lower().replace('oost', '')}ReplicaSpecs", "elasticPolicy", "runPolicy")
        for name in ("TF", "PyTorch", "MPI", "XGBoost", "Paddle", "JAX")
    },
}
"""The fields that matter to a kind; to one that is not listed replicas and template do."""


def _spec(*fields: str) -> st.SearchStrategy[Any]:
    return st.one_of(st.fixed_dictionaries({}, optional={name: _FIELDS[name] for name in fields}), _NONSENSE)


_OTHERS = st.lists(
    st.one_of(
        st.builds(
            lambda kind, low, high: {
                "apiVersion": "autoscaling/v2",
                "kind": "HorizontalPodAutoscaler",
                "metadata": {"name": "h"},
                "spec": {"scaleTargetRef": {"kind": kind, "name": "w"}, "minReplicas": low, "maxReplicas": high},
            },
            st.sampled_from(sorted({kind for _, kind in CONTROLLERS})),
            _COUNT,
            _COUNT,
        ),
        st.builds(
            lambda spec: {
                "apiVersion": "argoproj.io/v1",
                "kind": "WorkflowTemplate",
                "metadata": {"name": "a"},
                "spec": spec,
            },
            _WORKFLOW,
        ),
    ),
    max_size=2,
)


def _broken(actual: tuple[Demand, ...]) -> list[tuple[str, object]]:
    """The demands of which the numbers are not in order."""
    return [
        (demand.kind, demand.size.numbers)
        for demand in actual
        if not (
            0 <= demand.size.numbers.steady <= demand.size.numbers.surge <= demand.size.numbers.peak
            and demand.size.numbers.steady <= demand.size.numbers.scaled <= demand.size.numbers.peak
        )
    ]


def _readable(actual: tuple[Demand, ...]) -> bool:
    """Whether places and reasons are what they have to be."""
    return all(
        (demand.place is None or isinstance(demand.place.at("spec", "containers", 0, "resources").real, Place))
        and all(isinstance(reason, str) and reason for reason in demand.size.unknowns)
        for demand in actual
    )


@pytest.mark.parametrize(("group", "kind"), sorted(CONTROLLERS), ids=lambda value: value or "core")
def test_of_every_kind(group: str, kind: str) -> None:
    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(_spec(*_OF_KIND.get(kind, ("replicas", "template"))), _OTHERS)
    def holds(spec: object, others: list[Manifest]) -> None:
        version = f"{group}/v1" if group else "v1"
        body = {"apiVersion": version, "kind": kind, "metadata": {"name": "w"}, "spec": spec}
        actual_demands = demanded(body, *others)
        assert (_broken(actual_demands), _readable(actual_demands)) == ([], True)

    holds()


@pytest.mark.parametrize(("group", "kind"), sorted(CONTROLLERS), ids=lambda value: value or "core")
def test_what_is_counted_is_not_among_what_is_not(group: str, kind: str) -> None:
    version = f"{group}/v1" if group else "v1"
    (obj,) = objects({"apiVersion": version, "kind": kind, "metadata": {"name": "w"}}, Place("a.yaml"))
    assert unknown_pods(obj) == ""


_LISTED_OTHERWISE = frozenset({"BroadcastJob", "Canary", "TaskRun", "Workflow"})
"""Kinds that run once, whose current pods are listed; `canaries` has another plural."""


@pytest.mark.parametrize(("group", "kind"), sorted(POD_OWNERS), ids=lambda value: value or "core")
def test_the_documentation_and_snapshots_name_it(group: str, kind: str) -> None:
    assert f"{kind}" in (Path(__file__).parents[2] / "docs" / "workloads.md").read_text()
    plural = f"{kind.lower()}s.{group}" if group else f"{kind.lower()}s"
    assert plural in WANTED or kind in _LISTED_OTHERWISE


_PATH = st.sampled_from([("spec", "template"), ("spec", "*"), ("spec", "*", "*"), ("spec", "replicas"), ("*", "0"), ()])


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(_spec("replicas", "template", "replicatedJobs"), _OTHERS, st.builds(Workload, *[_PATH] * 6, footprint=st.none()))
def test_of_configured_kinds(spec: object, others: list[Manifest], workload: Workload) -> None:
    body = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": spec}
    actual_demands = demanded(body, *others, configured={"Widget": workload})
    assert (_broken(actual_demands), _readable(actual_demands)) == ([], True)
