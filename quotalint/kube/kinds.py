"""Kubernetes kinds as quotas count them: group, kind, plural and scope; and the kinds that declare or limit a
namespace.

Source: the kinds that the API server registers, in every known release (`builtin_kinds.py`). Kinds behind a feature
gate are listed from the first release that has them. Kinds without a stable version are not served by default.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from quotalint.kube.builtin_kinds import ROWS
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple


class Kind(NamedTuple):
    """A kind that is stored under its own plural; subresources (scale, eviction) are not kinds."""

    group: str
    """The API group; empty for the core group."""
    kind: str
    plural: str
    """The resource, as in paths, RBAC and `count/`."""
    namespaced: bool
    """Quotas count only namespaced objects."""
    since: str = ""
    """The first minor version with this kind, such as "1.34"; empty if the first known release has it."""
    until: str = ""
    """The first minor version without it; empty if the last known release has it."""
    served: bool = True
    """Some release has a stable version of it. Alpha and beta versions are not served by default
    (apiserver/pkg/server/storage, DisableVersions; "new beta APIs are off", since 1.24)."""
    other_names: str = ""
    """The singular and short names in its CustomResourceDefinition, lower-case, separated by spaces."""


BUILTIN: tuple[Kind, ...] = tuple(Kind(*row) for row in ROWS)
"""Every built-in kind that is stored, sorted by group and kind."""

OPENSHIFT: tuple[Kind, ...] = (
    Kind("apps.openshift.io", "DeploymentConfig", "deploymentconfigs", namespaced=True),
    Kind("authorization.openshift.io", "RoleBindingRestriction", "rolebindingrestrictions", namespaced=True),
    Kind("build.openshift.io", "Build", "builds", namespaced=True),
    Kind("build.openshift.io", "BuildConfig", "buildconfigs", namespaced=True),
    Kind("image.openshift.io", "Image", "images", namespaced=False),
    Kind("image.openshift.io", "ImageStream", "imagestreams", namespaced=True),
    Kind("network.openshift.io", "EgressNetworkPolicy", "egressnetworkpolicies", namespaced=True),
    Kind("project.openshift.io", "Project", "projects", namespaced=False),
    Kind("quota.openshift.io", "ClusterResourceQuota", "clusterresourcequotas", namespaced=False),
    Kind("route.openshift.io", "Route", "routes", namespaced=True),
    Kind("security.openshift.io", "SecurityContextConstraints", "securitycontextconstraints", namespaced=False),
    Kind("template.openshift.io", "Template", "templates", namespaced=True),
    Kind("template.openshift.io", "TemplateInstance", "templateinstances", namespaced=True),
)
"""Well-known kinds of OpenShift, used for suggestions; whether a cluster has them is unknown.

ImageStreamTag and similar kinds are views without a watch, which the quota controller cannot track, so they are
missing. Source: openshift/api, <group>/v1/types.go; kubernetes pkg/controller/resourcequota (GetQuotableResources).
"""

CLUSTER_SCOPED: frozenset[tuple[str, str]] = frozenset(
    (
        *((kind.group, kind.kind) for kind in OPENSHIFT if not kind.namespaced),
        ("", "ClusterResourceQuota"),
        ("", "Project"),
        ("capsule.clastix.io", "Tenant"),
        ("config.kiosk.sh", "Account"),
        ("config.kiosk.sh", "AccountQuota"),
        ("kubeflow.org", "Profile"),
        ("tenancy.kiosk.sh", "Space"),
    )
)
"""Cluster-scoped kinds of add-ons that concern several namespaces. OpenShift 3 had its kinds in the core group."""

VIRTUAL: frozenset[str] = frozenset(
    {
        "bindings",
        "componentstatuses",
        "events",
        "events.events.k8s.io",
        "localsubjectaccessreviews.authorization.k8s.io",
        "selfsubjectaccessreviews.authorization.k8s.io",
        "selfsubjectreviews.authentication.k8s.io",
        "selfsubjectrulesreviews.authorization.k8s.io",
        "subjectaccessreviews.authorization.k8s.io",
        "tokenreviews.authentication.k8s.io",
    }
)
"""Resources that quotas never count, as `plural.group` (`plural` in the core group): those that are not stored, and
events.

Source: Kubernetes 1.34, pkg/quota/v1/install/registry.go (ignoredResources, DefaultIgnoredResources).
"""

GONE: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("admissionregistration.k8s.io", "externaladmissionhookconfigurations"): "",
        ("admissionregistration.k8s.io", "initializerconfigurations"): "",
        ("apps", "petsets"): "",
        ("auditregistration.k8s.io", "auditsinks"): "",
        ("batch", "scheduledjobs"): "",
        ("extensions", "daemonsets"): "apps",
        ("extensions", "deployments"): "apps",
        ("extensions", "horizontalpodautoscalers"): "autoscaling",
        ("extensions", "ingresses"): "networking.k8s.io",
        ("extensions", "jobs"): "batch",
        ("extensions", "networkpolicies"): "networking.k8s.io",
        ("extensions", "podsecuritypolicies"): "",
        ("extensions", "replicasets"): "apps",
        ("extensions", "thirdpartyresources"): "",
        ("policy", "podsecuritypolicies"): "",
        ("resource.k8s.io", "podschedulings"): "",
        ("settings.k8s.io", "podpresets"): "",
    }
)
"""(group, plural) that releases before 1.28 served → the group that has the kind today, empty if it was removed.

Source: kubernetes.io, Deprecated API Migration Guide; the types and typed clients of client-go 1.4 to 1.27. Kinds
removed later are in BUILTIN, with `until`.
"""

_SHORT_NAMES = {
    "bc": "buildconfigs",
    "cj": "cronjobs",
    "cm": "configmaps",
    "dc": "deploymentconfigs",
    "deploy": "deployments",
    "ds": "daemonsets",
    "ep": "endpoints",
    "hpa": "horizontalpodautoscalers",
    "ing": "ingresses",
    "is": "imagestreams",
    "limits": "limitranges",
    "netpol": "networkpolicies",
    "pdb": "poddisruptionbudgets",
    "po": "pods",
    "pvc": "persistentvolumeclaims",
    "quota": "resourcequotas",
    "rc": "replicationcontrollers",
    "rs": "replicasets",
    "sa": "serviceaccounts",
    "sts": "statefulsets",
    "svc": "services",
}
"""The short names of kinds that quotas can count."""

_LEADING_VERSION = r"^v[0-9]+((alpha|beta)[0-9]+)?(\.|$)"
"""The version in RESOURCE.VERSION.GROUP, which kubectl accepts too."""


def by_kind(group: str, kind: str) -> Kind | None:
    """The built-in kind with this name in any known release; None if there is none."""
    return _by_kind().get((group, kind))


def by_plural(group: str, plural: str) -> Kind | None:
    """The built-in kind with this plural in any known release; None if there is none."""
    return _by_plural().get((group, plural))


def is_surely_served(group: str, version: str, kind: str) -> bool:
    """Whether every known release serves these objects, or they are of a group of others. False: look closer."""
    if version == "v1" and group not in _NEWLY_STABLE:
        known_kind = _by_kind().get((group, kind))
        if known_kind is not None:
            return known_kind.served and not known_kind.since
    return (group, version) == ("autoscaling", "v2") or ("." in group and group not in builtin_groups())


_NEWLY_STABLE = frozenset(
    {
        "admissionregistration.k8s.io",
        "certificates.k8s.io",
        "flowcontrol.apiserver.k8s.io",
        "resource.k8s.io",
        "storagemigration.k8s.io",
    }
)
"""Groups with kinds whose `v1` is new in a known release, though the kind is older."""


def suggest_count(name: str) -> str | None:
    """The object count that was probably meant.

    `name` is the part after `count/`. It may be a singular, a short name, or a plural without its group or with a wrong
    one. It may also have the wrong case or a misspelling. Returns the whole key, such as `count/jobs.batch`. None if
    nothing is similar, a foreign group shows that another kind is meant, the kind is never counted, or the name is
    right.
    """
    word, _, group = name.lower().partition(".")
    kind = _countable_words().get(word) or _countable_words().get(_respelt_word(word))
    if kind is None or not _could_mean(without_version(group), kind.group):
        return None
    suggestion = f"{kind.plural}.{kind.group}" if kind.group else kind.plural
    return None if suggestion == name else f"count/{suggestion}"


def without_version(group: str) -> str:
    """The group of `v1.apps`; other groups are returned unchanged."""
    return re.sub(_LEADING_VERSION, "", group)


def is_countable(word: str) -> bool:
    """Whether a lower-case word is the plural, singular or short name of a kind that quotas can count."""
    return word in _countable_words()


def _could_mean(written: str, group: str) -> bool:
    """Whether the written group is the right one, a part of it, or any group of Kubernetes or OpenShift."""
    return (
        written in ("", "core")
        or written in _known_groups()
        or written == f"{group}.k8s.io"
        or group.startswith(f"{written}.")
        or group.endswith(f".{written}")
    )


def _respelt_word(word: str) -> str:
    """The countable word that this one misspells; the word itself if it is known, or similar to none."""
    from difflib import get_close_matches

    if word in _uncountable_words():
        return word
    # 0.85 accepts "deployements" for deployments but not httproutes, jobsets and similar words.
    return next(iter(get_close_matches(word, _countable_words(), n=1, cutoff=0.85)), word)


@cache
def _by_kind() -> dict[tuple[str, str], Kind]:
    return {(kind.group, kind.kind): kind for kind in BUILTIN}


@cache
def _by_plural() -> dict[tuple[str, str], Kind]:
    return {(kind.group, kind.plural): kind for kind in BUILTIN}


@cache
def _countable_words() -> dict[str, Kind]:
    """Plurals, singulars and short names of the kinds that quotas can count."""
    words = {
        word: kind for kind in (*OPENSHIFT, *BUILTIN) if _is_counted(kind) for word in (kind.plural, kind.kind.lower())
    }
    return words | {short: words[plural] for short, plural in _SHORT_NAMES.items()}


@cache
def _uncountable_words() -> frozenset[str]:
    words = {word for kind in (*OPENSHIFT, *BUILTIN) for word in (kind.plural, kind.kind.lower())}
    return frozenset(words - _countable_words().keys())


def _is_counted(kind: Kind) -> bool:
    return kind.namespaced and kind.served and not kind.until and kind.kind != "Event"


@cache
def builtin_groups() -> frozenset[str]:
    """The API groups that Kubernetes has or had."""
    return frozenset({kind.group for kind in BUILTIN} | {group for group, _ in GONE})


@cache
def _known_groups() -> frozenset[str]:
    return builtin_groups() | {kind.group for kind in OPENSHIFT}


DECLARING = frozenset(
    {
        ("", "Namespace"),
        # OpenShift: a Project is a view of a Namespace, and a ProjectRequest creates one.
        ("project.openshift.io", "Project"),
        ("project.openshift.io", "ProjectRequest"),
        # The hierarchical namespace controller creates a namespace for each anchor.
        ("hnc.x-k8s.io", "SubnamespaceAnchor"),
        # Kubeflow creates a namespace for each Profile, and kiosk shows its namespaces as Spaces.
        ("kubeflow.org", "Profile"),
        ("tenancy.kiosk.sh", "Space"),
    }
)
LIMITING = (("", "ResourceQuota"), ("", "LimitRange"))
KUEUE = "kueue.x-k8s.io"
QUEUE_KINDS = tuple((KUEUE, kind) for kind in ("ClusterQueue", "Cohort", "LocalQueue", "ResourceFlavor"))
"""The kinds that limit a namespace."""
_BUILT_IN = ("default", "kube-system", "kube-public", "kube-node-lease")
_PLATFORM = ("kube-", "openshift-")
DEPLOYING = frozenset(("Application", "ApplicationSet", "HelmRelease", "HelmChart", "Kustomization", "GitRepo", "App"))
"""Kinds, in the groups of any tool, that deploy to other namespaces and may create them."""
CLUSTER_SECRET_LABEL = "argocd.argoproj.io/secret-type"
"""The label of Secrets that register clusters in Argo CD."""


def declares_namespace(obj: Object) -> bool:
    """Whether the object creates a namespace of its own name."""
    return (obj.group, obj.kind) in DECLARING


def limits_namespace(obj: Object) -> bool:
    """Whether it is a ResourceQuota or a LimitRange."""
    return (obj.group, obj.kind) in LIMITING


def is_built_in(namespace: str) -> bool:
    """Whether a namespace comes with the cluster: those of Kubernetes (`kube-` is reserved) or OpenShift."""
    return namespace in _BUILT_IN or namespace.startswith(_PLATFORM) or namespace == "openshift"
