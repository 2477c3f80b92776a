"""The kinds of a live cluster that `--with` uses, by the API server's names for listing them."""

from __future__ import annotations

BUILT_IN = (
    "namespaces",
    "resourcequotas",
    "limitranges",
    "pods",
    "replicationcontrollers",
    "services",
    "persistentvolumeclaims",
    "daemonsets.apps",
    "deployments.apps",
    "replicasets.apps",
    "statefulsets.apps",
    "horizontalpodautoscalers.autoscaling",
    "cronjobs.batch",
    "jobs.batch",
    "runtimeclasses.node.k8s.io",
    "deviceclasses.resource.k8s.io",
    "resourceclaims.resource.k8s.io",
    "resourceclaimtemplates.resource.k8s.io",
    "priorityclasses.scheduling.k8s.io",
    "storageclasses.storage.k8s.io",
    "volumeattributesclasses.storage.k8s.io",
)
CUSTOM = (
    "customresourcedefinitions.apiextensions.k8s.io",
    "advancedcronjobs.apps.kruise.io",
    "clonesets.apps.kruise.io",
    "daemonsets.apps.kruise.io",
    "statefulsets.apps.kruise.io",
    "deploymentconfigs.apps.openshift.io",
    "clusterworkflowtemplates.argoproj.io",
    "cronworkflows.argoproj.io",
    "rollouts.argoproj.io",
    "workflowtemplates.argoproj.io",
    "verticalpodautoscalers.autoscaling.k8s.io",
    "tenants.capsule.clastix.io",
    "canaries.flagger.app",
    "hierarchicalresourcequotas.hnc.x-k8s.io",
    "hierarchyconfigurations.hnc.x-k8s.io",
    "subnamespaceanchors.hnc.x-k8s.io",
    "jobsets.jobset.x-k8s.io",
    "scaledjobs.keda.sh",
    "scaledobjects.keda.sh",
    "jaxjobs.kubeflow.org",
    "mpijobs.kubeflow.org",
    "paddlejobs.kubeflow.org",
    "pytorchjobs.kubeflow.org",
    "tfjobs.kubeflow.org",
    "xgboostjobs.kubeflow.org",
    "leaderworkersets.leaderworkerset.x-k8s.io",
    "projects.management.cattle.io",
    "accountquotas.config.kiosk.sh",
    "profiles.kubeflow.org",
    "clusterresourcequotas.quota.openshift.io",
    "configurations.serving.knative.dev",
    "services.serving.knative.dev",
)
"""Listed if the cluster serves them. Kinds that run once (Workflow, TaskRun) are left out: their current pods are
listed."""

WANTED = (*BUILT_IN, *CUSTOM)

PODS = frozenset(
    {
        "pods",
        "replicationcontrollers",
        *("daemonsets.apps", "deployments.apps", "replicasets.apps", "statefulsets.apps"),
        *("cronjobs.batch", "jobs.batch"),
        "limitranges",
        "horizontalpodautoscalers.autoscaling",
    }
)
"""Without one of these, the pods or their requests are unknown."""

LIMITING_OR_LIMITED = frozenset(
    {
        *(("", kind) for kind in ("LimitRange", "Namespace", "PersistentVolumeClaim", "ResourceQuota", "Service")),
        ("apiextensions.k8s.io", "CustomResourceDefinition"),
        ("argoproj.io", "ClusterWorkflowTemplate"),
        ("argoproj.io", "WorkflowTemplate"),
        ("autoscaling", "HorizontalPodAutoscaler"),
        ("autoscaling.k8s.io", "VerticalPodAutoscaler"),
        ("capsule.clastix.io", "Tenant"),
        ("config.kiosk.sh", "AccountQuota"),
        ("hnc.x-k8s.io", "HierarchicalResourceQuota"),
        ("hnc.x-k8s.io", "HierarchyConfiguration"),
        ("hnc.x-k8s.io", "SubnamespaceAnchor"),
        ("http.keda.sh", "HTTPScaledObject"),
        ("keda.sh", "ScaledObject"),
        ("kubeflow.org", "Profile"),
        ("management.cattle.io", "Project"),
        ("node.k8s.io", "RuntimeClass"),
        ("project.openshift.io", "Project"),
        ("project.openshift.io", "ProjectRequest"),
        ("quota.openshift.io", "ClusterResourceQuota"),
        ("resource.k8s.io", "DeviceClass"),
        ("resource.k8s.io", "ResourceClaim"),
        ("resource.k8s.io", "ResourceClaimTemplate"),
        ("scheduling.k8s.io", "PriorityClass"),
        ("storage.k8s.io", "StorageClass"),
        ("storage.k8s.io", "VolumeAttributesClass"),
        ("tenancy.kiosk.sh", "Space"),
    }
)
"""The kinds whose objects a repository's report contains, in addition to those that make pods."""
