"""Which objects Kueue queues, and in which LocalQueue.

Source: Kueue 0.19, pkg/controller/jobframework/interface.go (QueueNameForObject), defaults.go (ApplyDefaultLocalQueue)
and pkg/controller/jobs/*.
"""

from __future__ import annotations

from collections.abc import Container

from quotalint.kube.fields import dig, mapping, text
from quotalint.kube.kinds import KUEUE
from quotalint.kube.objects import Object

QUEUE_NAME = f"{KUEUE}/queue-name"
LOCAL_QUEUE = (KUEUE, "LocalQueue")
_DEFAULT = "default"

SUSPENDED = frozenset(
    {
        ("batch", "CronJob"),  # its Jobs
        ("batch", "Job"),
        ("jobset.x-k8s.io", "JobSet"),
        *(("kubeflow.org", kind) for kind in ("JAXJob", "MPIJob", "PaddleJob", "PyTorchJob", "TFJob", "XGBoostJob")),
        ("ray.io", "RayCluster"),
        ("ray.io", "RayJob"),
        ("sparkoperator.k8s.io", "SparkApplication"),
        ("trainer.kubeflow.org", "TrainJob"),
        ("workload.codeflare.dev", "AppWrapper"),
    }
)
"""The kinds that Kueue suspends until their queue admits them, so that they have no pods before."""

GATED = frozenset(
    {
        ("", "Pod"),
        ("apps", "Deployment"),
        ("apps", "StatefulSet"),
        ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"),
    }
)
"""The kinds whose pods Kueue holds back by scheduling gates: they exist, so ResourceQuotas are charged for them."""


def labels_path(obj: Object) -> tuple[str, ...]:
    """The path of the labels that name the queue."""
    return ("spec", "jobTemplate", "metadata", "labels") if obj.kind == "CronJob" else ("metadata", "labels")


def stated_queue(obj: Object) -> str:
    """The LocalQueue that an object of a kind that Kueue manages names; empty if it names none."""
    if (obj.group, obj.kind) not in SUSPENDED and (obj.group, obj.kind) not in GATED:
        return ""
    return text(mapping(dig(obj.body, *labels_path(obj))).get(QUEUE_NAME))


def suspended_for(obj: Object, written: Container[tuple[str, str, str]]) -> str:
    """The LocalQueue for which Kueue suspends an object; empty if it does not. `written`: group, kind and name of the
    objects of its namespace, because a LocalQueue `default` takes what names no queue."""
    if (obj.group, obj.kind) not in SUSPENDED:
        return ""
    return stated_queue(obj) or (_DEFAULT if (*LOCAL_QUEUE, _DEFAULT) in written else "")
