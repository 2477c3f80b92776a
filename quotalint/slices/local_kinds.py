"""Kinds of which what an object says decides nothing outside of its namespace."""

from __future__ import annotations

import marshal

from quotalint.kube.fields import Body, mapping, text
from quotalint.kube.kinds import CLUSTER_SECRET_LABEL, DEPLOYING
from quotalint.kube.objects import Object
from quotalint.kube.rbac import GROUP, writes_quotas
from quotalint.slices.api_groups import is_unnamed_group
from quotalint.slices.kept import Deploying

_LOCAL_KINDS = frozenset(
    (
        *(("v1", kind) for kind in ("LimitRange", "PersistentVolumeClaim", "Pod", "ReplicationController")),
        *(("v1", kind) for kind in ("ResourceQuota", "Service")),
        *(("apps/v1", kind) for kind in ("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet")),
        *(("batch/v1", kind) for kind in ("CronJob", "Job")),
        *((f"autoscaling/v{version}", "HorizontalPodAutoscaler") for version in (1, 2)),
        *(("networking.k8s.io/v1", kind) for kind in ("Ingress", "NetworkPolicy")),
        *(("apps.openshift.io/v1", "DeploymentConfig"), ("argoproj.io/v1alpha1", "Rollout")),
        *(("policy/v1", "PodDisruptionBudget"), ("v1", "ServiceAccount")),
        *(("authorization.openshift.io/v1", kind) for kind in ("Role", "RoleBinding")),
    )
)
"""Kinds that deploy nothing, declare nothing, and that nothing outside of their namespace looks up, but for those that
are `compared` with each other."""
_GROUPS_OF_NO_NAMESPACE = frozenset(
    ("config.openshift.io", "machineconfiguration.openshift.io", "nmstate.io", "security.openshift.io")
)
"""Groups of kinds that live in no namespace, and decide nothing in any."""
_LOCAL_GROUPS = frozenset(
    (
        *("acid.zalan.do", "cilium.io", "gateway.networking.k8s.io", "grafana.integreatly.org", "integreatly.org"),
        *("keda.sh", "monitoring.coreos.com", "networking.istio.io", "operators.coreos.com", "postgresql.cnpg.io"),
        *("crd.projectcalico.org", "projectcalico.org"),
        *("route.openshift.io", "security.istio.io", "serving.knative.dev", "traefik.containo.us", "traefik.io"),
        *("build.openshift.io", "image.openshift.io", "k8s.cni.cncf.io", "kafka.strimzi.io", "logging.openshift.io"),
        *("longhorn.io", "metallb.io", "objectbucket.io", "snapshot.storage.k8s.io", "velero.io", "volsync.backube"),
        *("backstage.io", "machine.openshift.io", "user.openshift.io"),
        *_GROUPS_OF_NO_NAMESPACE,
    )
)
"""Groups of which that is true of all kinds."""
_OF_NO_NAMESPACE = frozenset(
    (
        *(("cilium.io", "CiliumClusterwideNetworkPolicy"), ("gateway.networking.k8s.io", "GatewayClass")),
        ("user.openshift.io", "Group"),
    )
)
"""Those of the other groups' kinds of which that is true."""
_LOOKED_UP = frozenset(
    (
        *(("", "ConfigMap"), ("", "Secret"), ("bitnami.com", "SealedSecret")),
        *(("cert-manager.io", "Certificate"), ("external-secrets.io", "ExternalSecret")),
        *(("external-secrets.io", "PushSecret"), ("external-secrets.io", "SecretStore")),
    )
)
"""Those of these kinds are such as well, unless something that deploys takes values from them."""
_MAKING_SECRETS = frozenset(("ExternalSecret", "SealedSecret", "Secret"))
_BINDING, _ROLE = ((f"{GROUP}/v1", kind) for kind in ("RoleBinding", "Role"))
"""Such kinds as well where they let nobody write quotas."""
OF_CHARTS = {"HelmRelease": "helm.toolkit.fluxcd.io/", "Application": "argoproj.io/"}
"""Those of these kinds are such as well, but for all that is not the version of a chart or its values, unless there is
a chart in view."""


def is_local_kind(body: Body, *, deploys: Deploying) -> bool:
    """Whether what an object asks for decides nothing outside of its namespace, where something `deploys` or not."""
    kind = body.get("apiVersion"), body.get("kind")
    is_text = all(isinstance(part, str) for part in kind)
    if not is_text:
        return False
    group = OF_CHARTS.get(str(kind[1]), "")
    if group and not deploys.charts:
        return str(kind[0]).startswith(group) and isinstance(body.get("spec"), dict)
    group = str(kind[0]).rpartition("/")[0]
    if kind == _BINDING:
        return _leaves_quotas(body, deploys)
    if kind == _ROLE:
        return not writes_quotas(body)
    is_looked_up = (group, kind[1]) in _LOOKED_UP
    is_unknown = is_unnamed_group(group) and kind[1] not in DEPLOYING
    is_local = kind in _LOCAL_KINDS or group in _LOCAL_GROUPS or is_unknown
    return is_local or (is_looked_up and not _may_be_looked_up(body, deploys))


def _may_be_looked_up(body: Body, deploys: Deploying) -> bool:
    kind, name = text(body.get("kind")), text(mapping(body.get("metadata")).get("name"))
    looked_up = deploys.looked_up
    if looked_up is None or (kind, name) in looked_up:
        return True
    # Of all Secrets, and of what makes them, only those that register clusters are looked at.
    may_register = kind not in _MAKING_SECRETS or CLUSTER_SECRET_LABEL.encode() in marshal.dumps(dict(body))
    return (kind, "") in looked_up and may_register


def is_local_coming(body: Body, *, deploys: Deploying) -> bool:
    """Whether that an object comes or goes decides nothing outside of its namespace either: where something deploys to
    is known of whatever file says it."""
    return is_local_kind(body, deploys=deploys) and body.get("kind") not in OF_CHARTS


def _leaves_quotas(binding: Body, deploys: Deploying) -> bool:
    """Whether a RoleBinding lets nobody write quotas: nothing is said of a role that is not in view."""
    role = mapping(binding.get("roleRef"))
    kind, name = role.get("kind"), role.get("name")
    return kind in ("ClusterRole", "Role") and (kind, name) not in deploys.quota_writers


def decides_nothing(obj: Object) -> bool:
    """Whether an object is of no namespace, and what it asks for decides nothing in any."""
    return (obj.group, obj.kind) in _OF_NO_NAMESPACE or obj.group in _GROUPS_OF_NO_NAMESPACE
