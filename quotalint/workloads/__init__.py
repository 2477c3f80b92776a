"""The demands of an object: each controller has a module that says what it creates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain

from quotalint.kube.objects import Object
from quotalint.settings import Workload
from quotalint.workloads import autoscalers, configured, deployments, service_endpoints
from quotalint.workloads.demand import Demand, Surroundings, demand_of_itself

Controller = Callable[[Object, Surroundings], Iterator[Demand]]
"""What makes the demands of an object, without the object itself."""


def _imported_controller(module: str, name: str = "expand") -> Controller:
    """A controller whose module is imported only when an object of its kind is found, because many repositories have
    none."""

    def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
        from importlib import import_module

        controller: Controller = getattr(import_module(f"quotalint.workloads.{module}"), name)
        return controller(obj, surroundings)

    return expand


_KEEPS_SECRETS: dict[tuple[str, str], Controller] = {
    ("bitnami.com", "SealedSecret"): _imported_controller("kept_secrets"),
    ("cert-manager.io", "Certificate"): _imported_controller("certificates", "expand_certificate"),
    ("external-secrets.io", "ExternalSecret"): _imported_controller("kept_secrets", "expand_external_secret"),
    ("helm.toolkit.fluxcd.io", "HelmRelease"): _imported_controller("kept_secrets", "expand_helm_release"),
    ("kafka.strimzi.io", "KafkaUser"): _imported_controller("kept_secrets", "expand_kafka_user"),
    ("networking.k8s.io", "Ingress"): _imported_controller("certificates", "expand_ingress"),
    ("onepassword.com", "OnePasswordItem"): _imported_controller("kept_secrets"),
    **{
        ("secrets.hashicorp.com", kind): _imported_controller("kept_secrets", "expand_vault_secret")
        for kind in ("VaultDynamicSecret", "VaultPKISecret", "VaultStaticSecret")
    },
}
_TRAINING = ("JAXJob", "MPIJob", "PaddleJob", "PyTorchJob", "TFJob", "XGBoostJob")

CONTROLLERS: dict[tuple[str, str], Controller] = {
    **_KEEPS_SECRETS,
    ("", "Pod"): _imported_controller("bare_pods"),
    ("", "ReplicationController"): _imported_controller("replica_sets"),
    ("", "Service"): service_endpoints.expand,
    ("apps", "DaemonSet"): _imported_controller("daemon_sets"),
    ("apps", "Deployment"): deployments.expand,
    ("apps", "ReplicaSet"): _imported_controller("replica_sets"),
    ("apps", "StatefulSet"): _imported_controller("stateful_sets"),
    ("apps.kruise.io", "AdvancedCronJob"): _imported_controller("clone_sets", "expand_cron_job"),
    ("apps.kruise.io", "BroadcastJob"): _imported_controller("clone_sets", "expand_broadcast_job"),
    ("apps.kruise.io", "CloneSet"): _imported_controller("clone_sets"),
    ("apps.kruise.io", "DaemonSet"): _imported_controller("daemon_sets"),
    ("apps.kruise.io", "StatefulSet"): _imported_controller("stateful_sets"),
    ("apps.openshift.io", "DeploymentConfig"): _imported_controller("deployment_configs"),
    ("argoproj.io", "CronWorkflow"): _imported_controller("workflows", "expand_cron_workflow"),
    ("argoproj.io", "Rollout"): _imported_controller("rollouts"),
    ("argoproj.io", "Workflow"): _imported_controller("workflows"),
    ("batch", "CronJob"): _imported_controller("jobs", "expand_cron_job"),
    ("batch", "Job"): _imported_controller("jobs", "expand_job"),
    ("flagger.app", "Canary"): _imported_controller("flagger"),
    ("http.keda.sh", "HTTPScaledObject"): autoscalers.expand_scaled_object,
    ("jobset.x-k8s.io", "JobSet"): _imported_controller("job_sets"),
    ("keda.sh", "ScaledJob"): _imported_controller("scaled_jobs"),
    ("keda.sh", "ScaledObject"): autoscalers.expand_scaled_object,
    **{("kubeflow.org", kind): _imported_controller("training_jobs") for kind in _TRAINING},
    ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"): _imported_controller("leader_worker_sets"),
    ("serving.knative.dev", "Configuration"): _imported_controller("knative"),
    ("serving.knative.dev", "Service"): _imported_controller("knative"),
    ("tekton.dev", "TaskRun"): _imported_controller("task_runs"),
}

_RUNS = {("", "Pod"), ("argoproj.io", "Workflow"), ("batch", "Job"), ("tekton.dev", "TaskRun")}
"""The kinds that terminate: as a hook, such an object only runs for a while."""

_OTHERS = {*_KEEPS_SECRETS, ("", "Service"), *autoscalers.AUTOSCALING_KINDS}

POD_OWNERS = frozenset(CONTROLLERS.keys() - _OTHERS)
"""The kinds that are known to create pods."""


def makes_pods(obj: Object, settings: Mapping[str, Workload]) -> bool:
    """Whether an object is of a kind that makes pods, as far as quotalint and the settings (`workloads`) know."""
    described = configured.workload(obj, settings)
    group = "apps" if obj.group == "extensions" else obj.group  # the former group of Deployments
    return (group, obj.kind) in POD_OWNERS if described is None else described.footprint != ()


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The object, and all that exist because of it, in any scenario. The settings for its kind win over the built-in
    controller."""
    described = configured.workload(obj, surroundings.configured)
    if described is not None:
        return chain((demand_of_itself(obj),), configured.expand(obj, described, surroundings))
    key = obj.group, obj.kind
    controller = CONTROLLERS.get(key)
    made = controller(obj, surroundings) if controller else ()
    demands = chain(() if key == ("", "Pod") else (demand_of_itself(obj),), made)  # a pod is its own pods
    if key not in _RUNS or "annotations" not in obj.metadata:
        return demands
    from quotalint.workloads.hook_runs import hook_demands

    return hook_demands(obj, demands)
