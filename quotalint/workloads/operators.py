"""Kinds whose controllers make pods that this version does not count; their presence makes a sum a lower bound.

The list is of widely used kinds. It can only grow: an unlisted custom kind is counted as an object and nothing more.
"""

from __future__ import annotations

from quotalint.kube.objects import Object

_KINDS = {
    "apps.kruise.io": ("CloneSet", "StatefulSet", "DaemonSet", "BroadcastJob", "AdvancedCronJob", "SidecarSet"),
    "apps.openshift.io": ("DeploymentConfig",),
    "argoproj.io": ("Rollout", "Workflow", "CronWorkflow", "Sensor", "EventSource", "EventBus", "ArgoCD"),
    "batch.volcano.sh": ("Job",),
    "build.openshift.io": ("BuildConfig", "Build"),
    "elasticsearch.k8s.elastic.co": ("Elasticsearch",),
    "flink.apache.org": ("FlinkDeployment",),
    "jenkins.io": ("Jenkins",),
    "jobset.x-k8s.io": ("JobSet",),
    "k8s.mariadb.com": ("MariaDB",),
    "kafka.strimzi.io": ("Kafka", "KafkaConnect", "KafkaMirrorMaker2", "KafkaBridge", "KafkaNodePool"),
    "keda.sh": ("ScaledJob",),
    "kibana.k8s.elastic.co": ("Kibana",),
    "kubeflow.org": ("Notebook", "TFJob", "PyTorchJob", "MPIJob", "XGBoostJob", "PaddleJob", "JAXJob"),
    "leaderworkerset.x-k8s.io": ("LeaderWorkerSet",),
    "loki.grafana.com": ("LokiStack",),
    "monitoring.coreos.com": ("Prometheus", "Alertmanager", "ThanosRuler", "PrometheusAgent"),
    "opentelemetry.io": ("OpenTelemetryCollector",),
    "postgres-operator.crunchydata.com": ("PostgresCluster",),
    "postgresql.cnpg.io": ("Cluster", "Pooler"),
    "psmdb.percona.com": ("PerconaServerMongoDB",),
    "ray.io": ("RayCluster", "RayJob", "RayService"),
    "redis.redis.opstreelabs.in": ("Redis", "RedisCluster"),
    "serving.knative.dev": ("Service", "Configuration", "Revision"),
    "serving.kserve.io": ("InferenceService",),
    "sparkoperator.k8s.io": ("SparkApplication", "ScheduledSparkApplication"),
    "tekton.dev": ("TaskRun", "PipelineRun"),
    "trainer.kubeflow.org": ("TrainJob",),
    "trino.stackable.tech": ("TrinoCluster",),
    "workload.codeflare.dev": ("AppWrapper",),
}


def unknown_pods(obj: Object) -> str:
    """Why the pods of this object are not counted; empty where it is not known to make any."""
    if obj.kind not in _KINDS.get(obj.group, ()):
        return ""
    return f"{obj.kind} {obj.name} ({obj.group}) makes pods that are not counted"
