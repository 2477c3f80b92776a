"""Objects → demands: one file per controller says what it brings into being."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from quotalint.kube.objects import Object
from quotalint.settings import Workload
from quotalint.workloads import (
    autoscalers,
    bare_pods,
    configured,
    daemon_sets,
    deployments,
    jobs,
    replica_sets,
    scaled_jobs,
    services,
    stateful_sets,
)
from quotalint.workloads.demand import Demand, Surroundings, itself

Controller = Callable[[Object, Surroundings], Iterator[Demand]]


def _later(module: str, name: str = "expand") -> Controller:
    """The controller of a kind that is not of Kubernetes itself: what is not needed is not imported."""

    def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
        from importlib import import_module

        controller: Controller = getattr(import_module(f"quotalint.workloads.{module}"), name)
        return controller(obj, surroundings)

    return expand


_TRAINING = ("JAXJob", "MPIJob", "PaddleJob", "PyTorchJob", "TFJob", "XGBoostJob")

CONTROLLERS: dict[tuple[str, str], Controller] = {
    ("", "Pod"): bare_pods.expand,
    ("", "ReplicationController"): replica_sets.expand,
    ("", "Service"): services.expand,
    ("apps", "DaemonSet"): daemon_sets.expand,
    ("apps", "Deployment"): deployments.expand,
    ("apps", "ReplicaSet"): replica_sets.expand,
    ("apps", "StatefulSet"): stateful_sets.expand,
    ("apps.kruise.io", "AdvancedCronJob"): _later("clone_sets", "expand_cron_job"),
    ("apps.kruise.io", "BroadcastJob"): _later("clone_sets", "expand_broadcast_job"),
    ("apps.kruise.io", "CloneSet"): _later("clone_sets"),
    ("apps.kruise.io", "DaemonSet"): daemon_sets.expand,
    ("apps.kruise.io", "StatefulSet"): stateful_sets.expand,
    ("apps.openshift.io", "DeploymentConfig"): _later("deployment_configs"),
    ("argoproj.io", "CronWorkflow"): _later("workflows", "expand_cron_workflow"),
    ("argoproj.io", "Rollout"): _later("rollouts"),
    ("argoproj.io", "Workflow"): _later("workflows"),
    ("batch", "CronJob"): jobs.expand_cron_job,
    ("batch", "Job"): jobs.expand_job,
    ("helm.toolkit.fluxcd.io", "HelmRelease"): _later("helm_releases"),
    ("jobset.x-k8s.io", "JobSet"): _later("job_sets"),
    ("keda.sh", "ScaledJob"): scaled_jobs.expand,
    ("keda.sh", "ScaledObject"): autoscalers.expand_scaled_object,
    **{("kubeflow.org", kind): _later("training_jobs") for kind in _TRAINING},
    ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"): _later("leader_worker_sets"),
    ("serving.knative.dev", "Configuration"): _later("knative"),
    ("serving.knative.dev", "Service"): _later("knative"),
    ("tekton.dev", "TaskRun"): _later("task_runs"),
}

_OTHERS = {("", "Service"), ("helm.toolkit.fluxcd.io", "HelmRelease"), ("keda.sh", "ScaledObject")}

POD_OWNERS = frozenset(CONTROLLERS.keys() - _OTHERS)
"""The kinds that are known to make pods."""


def makes_pods(obj: Object, settings: Mapping[str, Workload]) -> bool:
    """Whether an object is of a kind that makes pods, as far as quotalint and the settings (`workloads`) know."""
    return (obj.group, obj.kind) in POD_OWNERS or configured.workload(obj, settings) is not None


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """Everything that exists because of this object, in any scenario; what the settings say of its kind wins."""
    found = configured.workload(obj, surroundings.configured)
    if found is not None:
        return configured.expand(obj, found, surroundings)
    controller = CONTROLLERS.get((obj.group, obj.kind))
    return controller(obj, surroundings) if controller else iter((itself(obj),))
