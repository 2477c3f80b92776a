"""Fields of custom kinds with the resources of containers, which operators pass to their pods unchanged.

From the CustomResourceDefinitions of the projects. Only fields of type `ResourceRequirements` (core/v1) are listed.
Other notations (Flink's `jobManager.resource.memory: 2048m`, Spark's `driver.memory: 512m`) mean something else.
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import Body, mapping
from quotalint.text.place import Path

_ALL = "*"
_POD = "POD"


def resource_paths(group: str, kind: str, body: Body) -> Iterator[Path]:
    """The path of every `resources` in an object of a well-known custom kind."""
    for written in _OF_KINDS.get((group, kind), "").split():
        steps = tuple(written.split("."))
        ends = ("containers", "initContainers") if steps[-1] == _POD else ()
        for pattern in [(*steps[:-1], end, _ALL, "resources") for end in ends] or [steps]:
            yield from _follow_pattern(body, ("spec", *pattern), ())


def _follow_pattern(value: object, pattern: Path, passed: Path) -> Iterator[Path]:
    """The paths that match a pattern; `*` matches every element of a list and every value of a mapping."""
    if not pattern:
        if isinstance(value, dict):
            yield passed
        return
    step, remaining = pattern[0], pattern[1:]
    if step == _ALL:
        elements = enumerate(value) if isinstance(value, list) else mapping(value).items()
        for key, element in elements:
            yield from _follow_pattern(element, remaining, (*passed, key))
    elif isinstance(value, dict) and step in value:
        yield from _follow_pattern(value[step], remaining, (*passed, step))


_RAY = "{0}headGroupSpec.template.spec.POD {0}workerGroupSpecs.*.template.spec.POD"
_TASK = (
    "{0}steps.*.resources {0}steps.*.computeResources {0}stepTemplate.computeResources {0}sidecars.*.computeResources"
)
_TEMPLATES = (
    "{0}templates.*.container.resources {0}templates.*.script.resources "
    "{0}templates.*.containerSet.containers.*.resources "
    "{0}templates.*.initContainers.*.resources {0}templates.*.sidecars.*.resources"
)
_PREDICTORS = "model sklearn xgboost pytorch tensorflow onnx triton lightgbm huggingface pmml paddle"

# (group, kind) → the paths below `spec`, separated by spaces; `POD` stands for the containers of a pod's spec.
_OF_KINDS: dict[tuple[str, str], str] = {
    ("acid.zalan.do", "postgresql"): "resources connectionPooler.resources",
    ("apm.k8s.elastic.co", "ApmServer"): "podTemplate.spec.POD",
    ("apps.kruise.io", "SidecarSet"): "POD",
    ("argoproj.io", "ArgoCD"): (
        "controller.resources server.resources repo.resources redis.resources applicationSet.resources "
        "notifications.resources sso.dex.resources ha.resources"
    ),
    ("argoproj.io", "ClusterWorkflowTemplate"): _TEMPLATES.format(""),
    ("argoproj.io", "EventSource"): "template.container.resources",
    ("argoproj.io", "Sensor"): "template.container.resources",
    ("argoproj.io", "WorkflowTemplate"): _TEMPLATES.format(""),
    ("batch.volcano.sh", "Job"): "tasks.*.template.spec.POD",
    ("beat.k8s.elastic.co", "Beat"): "deployment.podTemplate.spec.POD daemonSet.podTemplate.spec.POD",
    ("build.openshift.io", "BuildConfig"): "resources",
    ("cassandra.datastax.com", "CassandraDatacenter"): "resources podTemplateSpec.spec.POD",
    ("ceph.rook.io", "CephCluster"): "resources.*",
    ("elasticsearch.k8s.elastic.co", "Elasticsearch"): "nodeSets.*.podTemplate.spec.POD",
    ("flink.apache.org", "FlinkDeployment"): (
        "podTemplate.spec.POD jobManager.podTemplate.spec.POD taskManager.podTemplate.spec.POD"
    ),
    ("grafana.integreatly.org", "Grafana"): "deployment.spec.template.spec.POD",
    ("install.istio.io", "IstioOperator"): (
        "components.*.k8s.resources components.ingressGateways.*.k8s.resources "
        "components.egressGateways.*.k8s.resources"
    ),
    ("k8s.keycloak.org", "Keycloak"): "resources",
    ("k8s.mariadb.com", "MariaDB"): "resources",
    ("k8ssandra.io", "K8ssandraCluster"): (
        "cassandra.resources cassandra.datacenters.*.resources stargate.resources reaper.resources"
    ),
    ("kafka.strimzi.io", "Kafka"): (
        "kafka.resources zookeeper.resources entityOperator.topicOperator.resources "
        "entityOperator.userOperator.resources entityOperator.tlsSidecar.resources "
        "cruiseControl.resources kafkaExporter.resources"
    ),
    ("kafka.strimzi.io", "KafkaBridge"): "resources",
    ("kafka.strimzi.io", "KafkaConnect"): "resources",
    ("kafka.strimzi.io", "KafkaMirrorMaker2"): "resources",
    ("kafka.strimzi.io", "KafkaNodePool"): "resources",
    ("kibana.k8s.elastic.co", "Kibana"): "podTemplate.spec.POD",
    ("kubeflow.org", "Notebook"): "template.spec.POD",
    ("logging.openshift.io", "ClusterLogging"): "collection.resources logStore.elasticsearch.resources",
    ("minio.min.io", "Tenant"): "pools.*.resources",
    ("mongodbcommunity.mongodb.com", "MongoDBCommunity"): "statefulSet.spec.template.spec.POD",
    ("monitoring.coreos.com", "Alertmanager"): "resources POD",
    ("monitoring.coreos.com", "Prometheus"): "resources thanos.resources POD",
    ("monitoring.coreos.com", "PrometheusAgent"): "resources POD",
    ("monitoring.coreos.com", "ThanosRuler"): "resources POD",
    ("observability.openshift.io", "ClusterLogForwarder"): "collector.resources",
    ("opensearch.opster.io", "OpenSearchCluster"): "nodePools.*.resources dashboards.resources",
    ("opentelemetry.io", "OpenTelemetryCollector"): "resources",
    ("operator.victoriametrics.com", "VMAgent"): "resources",
    ("operator.victoriametrics.com", "VMAlert"): "resources",
    ("operator.victoriametrics.com", "VMAlertmanager"): "resources",
    ("operator.victoriametrics.com", "VMCluster"): "vmstorage.resources vmselect.resources vminsert.resources",
    ("operator.victoriametrics.com", "VMSingle"): "resources",
    ("operators.coreos.com", "Subscription"): "config.resources",
    ("postgres-operator.crunchydata.com", "PostgresCluster"): (
        "instances.*.resources proxy.pgBouncer.resources backups.pgbackrest.repoHost.resources "
        "backups.pgbackrest.jobs.resources"
    ),
    ("postgresql.cnpg.io", "Cluster"): "resources",
    ("postgresql.cnpg.io", "Pooler"): "template.spec.POD",
    ("psmdb.percona.com", "PerconaServerMongoDB"): (
        "replsets.*.resources sharding.mongos.resources sharding.configsvrReplSet.resources"
    ),
    ("pxc.percona.com", "PerconaXtraDBCluster"): "pxc.resources haproxy.resources proxysql.resources",
    ("rabbitmq.com", "RabbitmqCluster"): "resources",
    ("ray.io", "RayCluster"): _RAY.format(""),
    ("ray.io", "RayJob"): _RAY.format("rayClusterSpec."),
    ("ray.io", "RayService"): _RAY.format("rayClusterConfig."),
    ("redis.redis.opstreelabs.in", "Redis"): "kubernetesConfig.resources",
    ("redis.redis.opstreelabs.in", "RedisCluster"): (
        "kubernetesConfig.resources redisLeader.resources redisFollower.resources"
    ),
    ("serving.knative.dev", "Revision"): "POD",
    ("serving.kserve.io", "InferenceService"): " ".join(
        f"{part}.POD " + " ".join(f"{part}.{kind}.resources" for kind in _PREDICTORS.split())
        for part in ("predictor", "transformer", "explainer")
    ),
    ("tekton.dev", "ClusterTask"): _TASK.format(""),
    ("tekton.dev", "Pipeline"): _TASK.format("tasks.*.taskSpec.") + " " + _TASK.format("finally.*.taskSpec."),
    ("tekton.dev", "PipelineRun"): (
        _TASK.format("pipelineSpec.tasks.*.taskSpec.") + " taskRunSpecs.*.computeResources"
    ),
    ("tekton.dev", "Task"): _TASK.format(""),
    ("trainer.kubeflow.org", "TrainJob"): "trainer.resourcesPerNode",
    ("zookeeper.pravega.io", "ZookeeperCluster"): "pod.resources",
}

KINDS = frozenset(_OF_KINDS)
"""The known groups and kinds."""
