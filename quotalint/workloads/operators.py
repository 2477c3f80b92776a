"""Kinds whose controllers make pods that quotalint does not count; they make a sum a lower bound.

The list has widely used kinds, from the documentation of their projects. An unlisted custom kind is recognised by its
containers or replicas.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from quotalint.kube.objects import Object
from quotalint.settings import Workload
from quotalint.workloads import CONTROLLERS
from quotalint.workloads.configured import workload

_LISTED = """
    acid.zalan.do: postgresql
    actions.github.com: AutoscalingRunnerSet EphemeralRunner EphemeralRunnerSet
    actions.summerwind.dev: Runner RunnerDeployment RunnerReplicaSet RunnerSet
    agent.k8s.elastic.co: Agent
    agones.dev: Fleet GameServer GameServerSet
    airflow.stackable.tech: AirflowCluster
    apm.k8s.elastic.co: ApmServer
    app.redislabs.com: RedisEnterpriseCluster
    apps.emqx.io: EMQX EmqxBroker EmqxEnterprise
    apps.gitlab.com: GitLab Runner
    apps.kruise.io: SidecarSet UnitedDeployment
    apps.kubeblocks.io: Cluster
    apps.openliberty.io: OpenLibertyApplication
    argoproj.io: AnalysisRun ArgoCD EventBus EventSource Experiment Sensor
    auto.pulumi.com: Workspace
    batch.volcano.sh: Job
    beat.k8s.elastic.co: Beat
    bookkeeper.streamnative.io: BookKeeperCluster
    broker.amq.io: ActiveMQArtemis
    broker.arkmq.org: ActiveMQArtemis
    build.openshift.io: Build BuildConfig
    camel.apache.org: Build Integration KameletBinding Pipe
    cassandra.datastax.com: CassandraDatacenter
    cdi.kubevirt.io: DataVolume
    ceph.rook.io: CephCluster CephFilesystem CephFilesystemMirror CephNFS CephObjectStore CephRBDMirror
    clickhouse-keeper.altinity.com: ClickHouseKeeperInstallation
    clickhouse.altinity.com: ClickHouseInstallation
    cluster.redpanda.com: Console Redpanda
    compute.functionmesh.io: Function FunctionMesh Sink Source
    core.humio.com: HumioCluster
    core.spinkube.dev: SpinApp
    core.strimzi.io: StrimziPodSet
    couchbase.com: CouchbaseCluster
    crdb.cockroachlabs.com: CrdbCluster
    databases.spotahome.com: RedisFailover
    doris.selectdb.com: DorisCluster
    dragonflydb.io: Dragonfly
    druid.apache.org: Druid
    druid.stackable.tech: DruidCluster
    dynatrace.com: DynaKube EdgeConnect
    elasticsearch.k8s.elastic.co: Elasticsearch
    enterprisesearch.k8s.elastic.co: EnterpriseSearch
    fission.io: Environment
    flink.apache.org: FlinkDeployment
    fluentbit.fluent.io: Collector FluentBit
    fluentd.fluent.io: Fluentd
    game.kruise.io: GameServerSet
    grafana.integreatly.org: Grafana
    hazelcast.com: Hazelcast ManagementCenter
    hbase.stackable.tech: HbaseCluster
    hdfs.stackable.tech: HdfsCluster
    hive.stackable.tech: HiveCluster
    hyperspike.io: Valkey
    infinispan.org: Infinispan
    infra.contrib.fluxcd.io: Terraform
    install.istio.io: IstioOperator
    installation.mattermost.com: Mattermost
    integreatly.org: Grafana
    jaegertracing.io: Jaeger
    jenkins.io: Jenkins
    k6.io: K6 TestRun
    k8s.keycloak.org: Keycloak
    k8s.mariadb.com: Backup MariaDB MaxScale Restore
    k8ssandra.io: K8ssandraCluster
    k8up.io: Archive Backup Check Prune Restore Schedule
    kafka.banzaicloud.io: KafkaCluster
    kafka.stackable.tech: KafkaCluster
    kafka.strimzi.io: Kafka KafkaBridge KafkaConnect KafkaMirrorMaker2 KafkaNodePool
    kagent.dev: Agent
    kaito.sh: RAGEngine Workspace
    keycloak.org: Keycloak
    kibana.k8s.elastic.co: Kibana
    kubeflow.org: Experiment Notebook Suggestion Trial
    kubernetes.dask.org: DaskCluster DaskJob DaskWorkerGroup
    kubevirt.io: VirtualMachine VirtualMachineInstance VirtualMachineInstanceReplicaSet
    logging.openshift.io: ClusterLogging
    logstash.k8s.elastic.co: Logstash
    loki.grafana.com: LokiStack
    machinelearning.seldon.io: SeldonDeployment
    maistra.io: ServiceMeshControlPlane
    maps.k8s.elastic.co: ElasticMapsServer
    mariadb.mmontes.io: MariaDB
    milvus.io: Milvus
    minio.min.io: Tenant
    mlops.seldon.io: SeldonRuntime Server
    moco.cybozu.com: MySQLCluster
    mongodb.com: MongoDB MongoDBMultiCluster OpsManager
    mongodbcommunity.mongodb.com: MongoDBCommunity
    monitoring.coreos.com: Alertmanager Prometheus PrometheusAgent ThanosRuler
    monitoring.grafana.com: GrafanaAgent
    monitoring.rhobs: Alertmanager MonitoringStack Prometheus PrometheusAgent ThanosQuerier ThanosRuler
    mysql.oracle.com: InnoDBCluster
    mysql.presslabs.org: MysqlCluster
    nats.io: NatsCluster
    nifi.konpyutaika.com: NifiCluster
    nifi.stackable.tech: NifiCluster
    numaflow.numaproj.io: InterStepBufferService MonoVertex Pipeline Vertex
    numaplane.numaproj.io: ISBServiceRollout MonoVertexRollout PipelineRollout
    nvidia.com: DynamoComponentDeployment DynamoGraphDeployment
    observability.openshift.io: ClusterLogForwarder
    opa.stackable.tech: OpaCluster
    openfaas.com: Function
    opensearch.opster.io: OpenSearchCluster
    opensearch.org: OpenSearchCluster
    opentelemetry.io: OpAMPBridge OpenTelemetryCollector TargetAllocator
    operator.victoriametrics.com: VLAgent VLCluster VLSingle VLogs VMAgent VMAlert VMAlertmanager VMAnomaly VMAuth
        VMCluster VMSingle VTCluster VTSingle
    operator.yugabyte.io: YBUniverse
    operators.coreos.com: CatalogSource Subscription
    org.eclipse.che: CheCluster
    pgv2.percona.com: PerconaPGCluster
    pingcap.com: TidbCluster TidbDashboard TidbMonitor TidbNGMonitoring
    planetscale.com: VitessCluster
    platform.confluent.io: Connect ControlCenter KRaftController Kafka KafkaRestProxy KsqlDB SchemaRegistry Zookeeper
    platform.stackrox.io: Central SecuredCluster
    pool.kubevirt.io: VirtualMachinePool
    postgres-operator.crunchydata.com: PGAdmin PostgresCluster
    postgresql.cnpg.io: Cluster Pooler
    production-stack.vllm.ai: VLLMRouter VLLMRuntime
    ps.percona.com: PerconaServerMySQL
    psmdb.percona.com: PerconaServerMongoDB
    pulsar.streamnative.io: PulsarBroker PulsarProxy
    pulumi.com: Stack
    pxc.percona.com: PerconaXtraDBCluster
    quay.redhat.com: QuayRegistry
    rabbitmq.com: RabbitmqCluster
    ray.io: RayCluster RayJob RayService
    redis.redis.opstreelabs.in: Redis RedisCluster RedisReplication RedisSentinel
    scylla.scylladb.com: ScyllaCluster
    serving.knative.dev: Revision
    serving.kserve.io: InferenceGraph InferenceService LLMInferenceService
    solr.apache.org: SolrCloud SolrPrometheusExporter
    sources.knative.dev: ApiServerSource ContainerSource
    spark.apache.org: SparkApplication SparkCluster
    spark.stackable.tech: SparkApplication SparkConnectServer SparkHistoryServer
    sparkoperator.k8s.io: ScheduledSparkApplication SparkApplication SparkConnect
    starrocks.com: StarRocksCluster
    superset.stackable.tech: SupersetCluster
    tekton.dev: PipelineRun
    tempo.grafana.com: TempoMonolithic TempoStack
    temporal.io: TemporalCluster
    tensorboard.kubeflow.org: Tensorboard
    toolhive.stacklok.dev: MCPServer
    trainer.kubeflow.org: TrainJob
    triggers.tekton.dev: EventListener
    trino.stackable.tech: TrinoCluster
    vault.banzaicloud.com: Vault
    volsync.backube: ReplicationDestination ReplicationSource
    workload.codeflare.dev: AppWrapper
    workspace.devfile.io: DevWorkspace
    yugabyte.com: YBCluster
    zalando.org: ElasticsearchDataSet StackSet
    zookeeper.pravega.io: ZookeeperCluster
    zookeeper.stackable.tech: ZookeeperCluster
    zookeeper.streamnative.io: ZooKeeperCluster
    """


def _kinds_by_group(written: str) -> dict[str, frozenset[str]]:
    """The kinds by group, from lines of the form `group: Kind Kind`; an indented line continues the one before."""
    lines = written.replace("\n        ", " ").split("\n")
    return {group.strip(): frozenset(kinds.split()) for group, _, kinds in (line.partition(":") for line in lines)}


_KINDS = _kinds_by_group(_LISTED.strip("\n "))

_GROUPS_WITHOUT_PODS = frozenset(
    {
        "fleet.cattle.io",  # bundles of manifests; deployers read them
        "kyverno.io",  # patterns of pods
        "machine.openshift.io",  # replicas of machines
        "policies.kyverno.io",
        "operator.openshift.io",  # their pods are in other namespaces
        "template.openshift.io",
    }
)
_KINDS_WITHOUT_PODS = frozenset(
    {
        ("argoproj.io", "WorkflowTemplate"),
        ("kafka.strimzi.io", "KafkaTopic"),  # replicas of partitions
        ("serving.kserve.io", "ServingRuntime"),  # templates for the pods of an InferenceService
        ("tekton.dev", "Pipeline"),
        ("tekton.dev", "Task"),
    }
)
_DEEPEST = 16
_GATEWAYS_WITH_PODS = frozenset({"istio", "istio-waypoint", "kgateway", "nginx"})
"""Gateway classes whose controllers run pods for each Gateway in its namespace: Istio, kgateway and NGINX Gateway
Fabric 2."""


def unknown_pods(obj: Object, settings: Mapping[str, Workload] = MappingProxyType({})) -> str:
    """Why the pods of this object are not counted; empty if it is not known to make any, or if the settings
    (`workloads`) describe it."""
    if "." not in obj.group:
        return ""
    words = "makes pods that are not counted" if obj.kind in _KINDS.get(obj.group, ()) else _words_of_shape(obj)
    return f"{obj.kind} {obj.name} ({obj.group}) {words}" if words and workload(obj, settings) is None else ""


def _words_of_shape(obj: Object) -> str:
    """Why an unlisted custom kind may make pods: it has containers or replicas."""
    if obj.group.endswith(".k8s.io"):
        gateway_class = obj.spec.get("gatewayClassName") if obj.kind == "Gateway" else None
        return "makes pods that are not counted" if gateway_class in _GATEWAYS_WITH_PODS else ""
    kind = (obj.group, obj.kind)
    if obj.group in _GROUPS_WITHOUT_PODS or kind in _KINDS_WITHOUT_PODS or kind in CONTROLLERS:
        return ""
    replicas = obj.spec.get("replicas")
    if isinstance(replicas, int) and replicas > 0:
        return "has replicas, and what they are is not known: its pods, if it makes any, are not counted"
    if _holds_containers(obj.spec, 0):
        return "has containers, and what its controller does with them is not known: its pods are not counted"
    return ""


def _holds_containers(value: object, depth: int) -> bool:
    """Whether it contains a list of containers with images. Whole manifests inside it are skipped."""
    if depth > _DEEPEST:
        return False
    if isinstance(value, list):
        return any(_holds_containers(element, depth + 1) for element in value)
    if not isinstance(value, dict) or ("apiVersion" in value and "kind" in value):
        return False
    containers = value.get("containers")
    if isinstance(containers, list) and any(isinstance(element, dict) and "image" in element for element in containers):
        return True
    return any(_holds_containers(below, depth + 1) for below in value.values() if isinstance(below, dict | list))
