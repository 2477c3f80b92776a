"""Kubeflow's training jobs: pods for each role.

Source: Kubeflow Training Operator 1.9.0, pkg/apis/kubeflow.org/v1/*_{types,defaults}.go,
pkg/controller.v1/common/job.go (a Service for each pod, except for MPIJobs), pkg/controller.v1/pytorch/hpa.go; MPI
Operator 0.6.0, pkg/apis/kubeflow/v2beta1/{types,default}.go, pkg/controller/mpi_job_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import Body, integer, mapping, sequence
from quotalint.kube.objects import Object
from quotalint.kube.queue_names import suspended_for
from quotalint.workloads.demand import (
    Demand,
    Numbers,
    Replicas,
    Surroundings,
    constant_size,
    count,
    implied_objects,
    pods,
    size_with_step,
    uncounted_pods,
)

_ROLES = {
    "JAXJob": "jaxReplicaSpecs",
    "MPIJob": "mpiReplicaSpecs",
    "PaddleJob": "paddleReplicaSpecs",
    "PyTorchJob": "pytorchReplicaSpecs",
    "TFJob": "tfReplicaSpecs",
    "XGBoostJob": "xgbReplicaSpecs",
}
_ELASTIC = ("PaddleJob", "PyTorchJob")


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The pods and Services of each role."""
    field = _ROLES[obj.kind]
    roles = obj.spec.get(field)
    if not isinstance(roles, dict) or not roles:
        yield uncounted_pods(obj, f"it has no {field}")
        return
    yield from _mpi_objects(obj) if obj.kind == "MPIJob" else ()
    for role, entry in roles.items():
        yield from _role_objects(obj, str(role), mapping(entry), surroundings)


def _role_objects(obj: Object, role: str, entry: Body, surroundings: Surroundings) -> Iterator[Demand]:
    field = _ROLES[obj.kind]
    size = size_with_step(_role_replicas(obj, role, entry, surroundings))
    is_suspended = mapping(obj.spec.get("runPolicy")).get("suspend") is True
    if is_suspended and not suspended_for(obj, surroundings.objects):
        size = constant_size(0, "suspended", size.unknowns)
    yield from pods(obj, entry.get("template"), obj.at("spec", field, role, "template"), size, surroundings)
    if obj.kind != "MPIJob":
        yield implied_objects(obj, "", "Service", size.numbers)


def _role_replicas(obj: Object, role: str, entry: Body, surroundings: Surroundings) -> Replicas:
    # Role names are case-insensitive (setTypeNameToCamelCase).
    is_worker = role.lower() == "worker"
    role_number = count(obj, entry.get("replicas"), f"{_ROLES[obj.kind]}.{role}.replicas", _default_replicas(obj, role))
    if obj.kind == "MPIJob" and role.lower() == "launcher":
        role_number = role_number._replace(value=min(role_number.value, 1))
    wanted = Replicas(role_number.value, role_number.value, role_number.because, role_number.unknowns)
    if not is_worker:
        return wanted
    bounds = surroundings.autoscalers.get((obj.kind, obj.name))
    if bounds is not None:
        steady = min(max(wanted.steady, bounds.minimum), bounds.maximum)
        return wanted._replace(steady=steady, maximum=max(steady, bounds.maximum), scaler=bounds.autoscaler)
    return _elastic_replicas(obj, wanted)


def _default_replicas(obj: Object, role: str) -> int:
    return 0 if obj.kind == "MPIJob" and role.lower() == "worker" else 1


def _elastic_replicas(obj: Object, wanted: Replicas) -> Replicas:
    """The replicas with `elasticPolicy`, which creates an autoscaler only if it has metrics."""
    policy = mapping(obj.spec.get("elasticPolicy"))
    if obj.kind not in _ELASTIC or not sequence(policy.get("metrics")):
        return wanted
    high = integer(policy.get("maxReplicas"))
    low = integer(policy.get("minReplicas"))
    most = max(0, wanted.steady if high is None and low is None else low or 0 if high is None else high)
    least = min(most, max(0, most if low is None else low))
    steady = min(max(wanted.steady, least), most)
    return wanted._replace(steady=steady, maximum=most, scaler=obj)


def _mpi_objects(obj: Object) -> Iterator[Demand]:
    """The objects for the connection of launcher and workers, and the launcher's Job in version v2beta1."""
    yield implied_objects(obj, "", "ConfigMap", name=f"{obj.name}-config")
    if obj.version == "v1":
        yield implied_objects(obj, "", "ServiceAccount", name=f"{obj.name}-launcher")
        return
    yield implied_objects(obj, "batch", "Job", Numbers(1, 1, 1, 1), name=f"{obj.name}-launcher")
    yield implied_objects(obj, "", "Secret", name=f"{obj.name}-ssh")
    yield implied_objects(obj, "", "Service", name=obj.name)
