"""Kinds whose controllers make pods that this version does not count; their presence makes a sum a lower bound.

The list is of widely used kinds. It can only grow: an unlisted custom kind is counted as an object and nothing more.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from quotalint.kube.objects import Object
from quotalint.settings import Workload
from quotalint.workloads.configured import workload

_KINDS = {
    "apps.kruise.io": ("SidecarSet", "UnitedDeployment"),
    "argoproj.io": ("Sensor", "EventSource", "EventBus", "ArgoCD"),
    "batch.volcano.sh": ("Job",),
    "build.openshift.io": ("BuildConfig", "Build"),
    "elasticsearch.k8s.elastic.co": ("Elasticsearch",),
    "flink.apache.org": ("FlinkDeployment",),
    "jenkins.io": ("Jenkins",),
    "k8s.mariadb.com": ("MariaDB",),
    "kafka.strimzi.io": ("Kafka", "KafkaConnect", "KafkaMirrorMaker2", "KafkaBridge", "KafkaNodePool"),
    "kibana.k8s.elastic.co": ("Kibana",),
    "kubeflow.org": ("Notebook",),
    "loki.grafana.com": ("LokiStack",),
    "monitoring.coreos.com": ("Prometheus", "Alertmanager", "ThanosRuler", "PrometheusAgent"),
    "operators.coreos.com": ("Subscription",),
    "opentelemetry.io": ("OpenTelemetryCollector",),
    "postgres-operator.crunchydata.com": ("PostgresCluster",),
    "postgresql.cnpg.io": ("Cluster", "Pooler"),
    "psmdb.percona.com": ("PerconaServerMongoDB",),
    "ray.io": ("RayCluster", "RayJob", "RayService"),
    "redis.redis.opstreelabs.in": ("Redis", "RedisCluster"),
    "serving.knative.dev": ("Revision",),
    "serving.kserve.io": ("InferenceService",),
    "sparkoperator.k8s.io": ("SparkApplication", "ScheduledSparkApplication"),
    "tekton.dev": ("PipelineRun",),
    "trainer.kubeflow.org": ("TrainJob",),
    "trino.stackable.tech": ("TrinoCluster",),
    "workload.codeflare.dev": ("AppWrapper",),
}


def unknown_pods(obj: Object, settings: Mapping[str, Workload] = MappingProxyType({})) -> str:
    """Why the pods of this object are not counted; empty where it is not known to make any, or the settings
    (`workloads`) say which."""
    if obj.kind not in _KINDS.get(obj.group, ()) or workload(obj, settings) is not None:
        return ""
    return f"{obj.kind} {obj.name} ({obj.group}) makes pods that are not counted"
