"""The resources of well-known add-ons, by which misspelt object counts are recognised. Whether a cluster has the add-on
is not known, so a right name proves nothing.

Source: the names in the CustomResourceDefinitions of these projects. A kind is followed by its plural if that is not
the usual one (`guessed_plural`). Kinds that live outside namespaces are left out, because no quota counts them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from quotalint.kube.discovery import guessed_plural
from quotalint.kube.spelling import is_typing_error

_LISTED = """
    access.strimzi.io: KafkaAccess
    acid.zalan.do: postgresql
    acme.cert-manager.io: Challenge Order
    actions.github.com: AutoscalingListener AutoscalingRunnerSet EphemeralRunner EphemeralRunnerSet
    agent.k8s.elastic.co: Agent
    apm.k8s.elastic.co: ApmServer
    apps.kruise.io: AdvancedCronJob BroadcastJob CloneSet ContainerRecreateRequest DaemonSet SidecarSet StatefulSet
        UnitedDeployment
    argoproj.io: AnalysisRun AnalysisTemplate AppProject Application ApplicationSet CronWorkflow Experiment Rollout
        Workflow WorkflowTemplate
    autoscaling.k8s.io: VerticalPodAutoscaler VerticalPodAutoscalerCheckpoint
    awx.ansible.com: AWX AWXBackup AWXMeshIngress AWXRestore
    batch.volcano.sh: CronJob Job
    beat.k8s.elastic.co: Beat
    bitnami.com: SealedSecret
    cdi.kubevirt.io: DataVolume
    ceph.rook.io: CephBlockPool CephBlockPoolRadosNamespace CephBucketNotification CephBucketTopic CephCOSIDriver
        CephClient CephCluster CephFilesystem CephFilesystemMirror CephFilesystemSubVolumeGroup CephNFS
        CephNVMeOFGateway/cephnvmeofgateways CephObjectRealm CephObjectStore CephObjectStoreUser CephObjectZone
        CephObjectZoneGroup CephRBDMirror
    cert-manager.io: Certificate CertificateRequest Issuer
    cilium.io: CiliumEndpoint CiliumEnvoyConfig CiliumGatewayClassConfig CiliumLocalRedirectPolicy
        CiliumNetworkPolicy CiliumNodeConfig
    cluster.ray.io: RayCluster
    cluster.x-k8s.io: Cluster Machine MachineDeployment MachineHealthCheck MachinePool MachineSet
    consul.hashicorp.com: Mesh/meshes
    databases.spotahome.com: RedisFailover
    dragonflydb.io: Dragonfly
    elasticsearch.k8s.elastic.co: Elasticsearch/elasticsearches
    eventing.keda.sh: CloudEventSource
    eventing.knative.dev: Broker EventPolicy EventTransform EventType RequestReply Trigger
    external-secrets.io: ExternalSecret PushSecret SecretStore
    externaldns.k8s.io: DNSEndpoint
    flagger.app: AlertProvider Canary MetricTemplate
    flink.apache.org: FlinkDeployment FlinkSessionJob FlinkStateSnapshot
    flows.knative.dev: Parallel Sequence
    gateway.networking.k8s.io: BackendTLSPolicy GRPCRoute Gateway/gateways HTTPRoute ListenerSet ReferenceGrant
        TCPRoute TLSRoute UDPRoute
    gateway.networking.x-k8s.io: XBackendTrafficPolicy
    generators.external-secrets.io: ACRAccessToken BeyondtrustWorkloadCredentialsDynamicSecret CloudsmithAccessToken
        ECRAuthorizationToken Fake GCRAccessToken GeneratorState GithubAccessToken GitlabDeployToken Grafana MFA
        Password QuayAccessToken SSHKey/sshkeys STSSessionToken UUID VaultDynamicSecret Webhook
    grafana.integreatly.org: Grafana GrafanaDashboard GrafanaDatasource GrafanaFolder
    hazelcast.com: Hazelcast
    helm.toolkit.fluxcd.io: HelmRelease
    http.keda.sh: HTTPScaledObject
    image.toolkit.fluxcd.io: ImagePolicy ImageRepository ImageUpdateAutomation
    integreatly.org: Grafana GrafanaDashboard GrafanaDataSource
    jaegertracing.io: Jaeger
    jobset.x-k8s.io: JobSet
    k8s.cni.cncf.io: NetworkAttachmentDefinition/network-attachment-definitions
    k8s.mariadb.com: Backup Connection Database Grant MariaDB MaxScale Restore SqlJob User
    k8s.nginx.org: Policy TransportServer VirtualServer VirtualServerRoute
    k8up.io: Archive Backup Check PodConfig PreBackupPod Prune Restore Schedule Snapshot
    kafka.strimzi.io: Kafka KafkaBridge KafkaConnect KafkaConnector KafkaMirrorMaker2 KafkaNodePool KafkaRebalance
        KafkaTopic KafkaUser
    keda.sh: ScaledJob ScaledObject TriggerAuthentication
    kibana.k8s.elastic.co: Kibana
    kubeflow.org: Experiment JAXJob MPIJob MXJob Notebook PVCViewer PaddleJob PodDefault PyTorchJob
        ScheduledWorkflow Suggestion TFJob TrainJob TrainingRuntime Trial Viewer XGBoostJob
    kubevirt.io: KubeVirt VirtualMachine VirtualMachineInstance VirtualMachineInstanceMigration
        VirtualMachineInstanceReplicaSet
    kueue.x-k8s.io: LocalQueue Workload
    kustomize.toolkit.fluxcd.io: Kustomization
    kyverno.io: CleanupPolicy Policy PolicyException UpdateRequest
    leaderworkerset.x-k8s.io: LeaderWorkerSet
    longhorn.io: BackingImage BackingImageDataSource BackingImageManager Backup BackupBackingImage BackupTarget
        BackupVolume Engine EngineImage InstanceManager Node Orphan RecurringJob Replica Setting ShareManager
        Snapshot SupportBundle SystemBackup SystemRestore Volume VolumeAttachment
    messaging.knative.dev: Channel InMemoryChannel Subscription
    minio.min.io: Tenant
    mongodbcommunity.mongodb.com: MongoDBCommunity/mongodbcommunity
    monitoring.coreos.com: Alertmanager AlertmanagerConfig PodMonitor Probe Prometheus PrometheusAgent
        PrometheusRule ScrapeConfig ServiceMonitor ThanosRuler
    networking.istio.io: DestinationRule EnvoyFilter Gateway/gateways ProxyConfig ServiceEntry Sidecar
        VirtualService WorkloadEntry WorkloadGroup
    notification.toolkit.fluxcd.io: Alert Provider Receiver
    opensearch.opster.io: OpenSearchCluster OpenSearchISMPolicy OpensearchActionGroup OpensearchComponentTemplate
        OpensearchIndexTemplate OpensearchRole OpensearchSnapshotPolicy OpensearchTenant OpensearchUser
        OpensearchUserRoleBinding
    opentelemetry.io: Instrumentation OpenTelemetryCollector TargetAllocator
    policies.kyverno.io: NamespacedDeletingPolicy NamespacedGeneratingPolicy NamespacedImageValidatingPolicy
        NamespacedMutatingPolicy NamespacedValidatingPolicy PolicyException
    policy.linkerd.io: AuthorizationPolicy HTTPRoute Server
    postgresql.cnpg.io: Backup Cluster Database FailoverQuorum ImageCatalog Pooler Publication ScheduledBackup
        Subscription
    projectcontour.io: HTTPProxy TLSCertificateDelegation
    psmdb.percona.com: PerconaServerMongoDB
    pxc.percona.com: PerconaXtraDBCluster
    rabbitmq.com: Binding Exchange Permission Policy Queue RabbitmqCluster User Vhost
    ray.io: RayCluster RayJob RayService
    redis.redis.opstreelabs.in: Redis/redis RedisCluster RedisReplication RedisSentinel
    scheduling.volcano.sh: PodGroup
    secrets.hashicorp.com: VaultAuth VaultConnection VaultDynamicSecret VaultPKISecret VaultStaticSecret
    security.istio.io: AuthorizationPolicy PeerAuthentication RequestAuthentication
    serving.knative.dev: Configuration DomainMapping Revision Route Service
    serving.kserve.io: InferenceGraph InferenceService LLMInferenceService LLMInferenceServiceConfig ServingRuntime
        TrainedModel
    sinks.knative.dev: IntegrationSink JobSink
    solr.apache.org: SolrBackup SolrCloud SolrPrometheusExporter
    source.toolkit.fluxcd.io: Bucket ExternalArtifact GitRepository HelmChart HelmRepository OCIRepository
    sources.knative.dev: ApiServerSource ContainerSource IntegrationSource PingSource SinkBinding
    sparkoperator.k8s.io: ScheduledSparkApplication SparkApplication SparkConnect
    tekton.dev: CustomRun Pipeline PipelineRun Task TaskRun
    telemetry.istio.io: Telemetry
    tensorboard.kubeflow.org: Tensorboard
    traefik.io: IngressRoute IngressRouteTCP IngressRouteUDP Middleware MiddlewareTCP ServersTransport TLSOption
        TLSStore TraefikService
    trainer.kubeflow.org: TrainJob TrainingRuntime
    triggers.tekton.dev: EventListener Trigger TriggerBinding TriggerTemplate
    velero.io: Backup BackupRepository BackupStorageLocation DataDownload DataUpload DeleteBackupRequest
        DownloadRequest PodVolumeBackup PodVolumeRestore Restore Schedule ServerStatusRequest VolumeSnapshotLocation
    zookeeper.pravega.io: ZookeeperCluster
    """


def meant_plural(group: str, word: str) -> str | None:
    """The plural that was meant by the singular or a misspelling of a well-known resource; None if the word is the
    plural of one, or nothing like it is known. Without a group, a plural that only one group has.

    Returns `plural.group`.
    """
    if not group:
        owners = [f"{plurals[word]}.{owner}" for owner, plurals in _plurals().items() if word in plurals]
        return owners[0] if len(owners) == 1 else None
    plurals = _plurals().get(group, {})
    if word in plurals.values():
        return None
    similar = (plural for plural in sorted(set(plurals.values())) if is_typing_error(word, plural))
    meant = plurals.get(word) or next(similar, None)
    return f"{meant}.{group}" if meant else None


@cache
def _plurals() -> Mapping[str, Mapping[str, str]]:
    """Group → singular or plural → plural."""
    table: dict[str, dict[str, str]] = {}
    for line in _LISTED.strip("\n ").replace("\n        ", " ").split("\n"):
        group, _, kinds = line.strip().partition(": ")
        words = table.setdefault(group, {})
        for kind, _, written in (entry.partition("/") for entry in kinds.split()):
            plural = written or guessed_plural(kind)
            words |= {plural: plural, kind.lower(): plural}
    return table
