"""Objects → demands: one file per controller says what it brings into being."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from quotalint.kube.objects import Object
from quotalint.settings import Workload
from quotalint.workloads import autoscalers, configured, deployments, services
from quotalint.workloads.demand import Demand, Surroundings, itself

Controller = Callable[[Object, Surroundings], Iterator[Demand]]


def _later(module: str, name: str = "expand") -> Controller:
    """The controller of a kind that many repositories do not have: what is not needed is not imported."""

    def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
        from importlib import import_module

        controller: Controller = getattr(import_module(f"quotalint.workloads.{module}"), name)
        return controller(obj, surroundings)

    return expand


_TRAINING = ("JAXJob", "MPIJob", "PaddleJob", "PyTorchJob", "TFJob", "XGBoostJob")

CONTROLLERS: dict[tuple[str, str], Controller] = {
    ("", "Pod"): _later("bare_pods"),
    ("", "ReplicationController"): _later("replica_sets"),
    ("", "Service"): services.expand,
    ("apps", "DaemonSet"): _later("daemon_sets"),
    ("apps", "Deployment"): deployments.expand,
    ("apps", "ReplicaSet"): _later("replica_sets"),
    ("apps", "StatefulSet"): _later("stateful_sets"),
    ("apps.kruise.io", "AdvancedCronJob"): _later("clone_sets", "expand_cron_job"),
    ("apps.kruise.io", "BroadcastJob"): _later("clone_sets", "expand_broadcast_job"),
    ("apps.kruise.io", "CloneSet"): _later("clone_sets"),
    ("apps.kruise.io", "DaemonSet"): _later("daemon_sets"),
    ("apps.kruise.io", "StatefulSet"): _later("stateful_sets"),
    ("apps.openshift.io", "DeploymentConfig"): _later("deployment_configs"),
    ("argoproj.io", "CronWorkflow"): _later("workflows", "expand_cron_workflow"),
    ("argoproj.io", "Rollout"): _later("rollouts"),
    ("argoproj.io", "Workflow"): _later("workflows"),
    ("batch", "CronJob"): _later("jobs", "expand_cron_job"),
    ("batch", "Job"): _later("jobs", "expand_job"),
    ("helm.toolkit.fluxcd.io", "HelmRelease"): _later("helm_releases"),
    ("jobset.x-k8s.io", "JobSet"): _later("job_sets"),
    ("keda.sh", "ScaledJob"): _later("scaled_jobs"),
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
    configured_workload = configured.workload(obj, surroundings.configured)
    if configured_workload is not None:
        return configured.expand(obj, configured_workload, surroundings)
    controller = CONTROLLERS.get((obj.group, obj.kind))
    return controller(obj, surroundings) if controller else iter((itself(obj),))
