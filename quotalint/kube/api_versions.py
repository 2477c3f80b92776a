"""Which API versions the server of a release has, and which version to write instead of one that it does not have.

The groups of Kubernetes are closed: nobody else can add a kind to `v1` or `apps/v1`. Alpha and beta versions that a
server may enable count as served.

Source: kubernetes.io, Deprecated API Migration Guide; apiserver, pkg/server/deleted_kinds.go (what is served until
when); apimachinery, pkg/api/meta/errors.go (NoKindMatchError). openshift/origin 3.11, pkg/api/legacy (kinds in `v1`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from quotalint.kube import kinds
from quotalint.kube.builtin_versions import ROWS
from quotalint.kube.discovery import Discovery
from quotalint.kube.releases import minor_version, release
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern

GONE, EARLY, NEVER, UNKNOWN_KIND = "gone", "early", "never", "unknown"
"""Removed in an earlier release; new in a later one; in no known release; no kind has this name."""

_OF_OPENSHIFT = """
    AppliedClusterResourceQuota Build BuildConfig BuildLog ClusterNetwork ClusterPolicy ClusterPolicyBinding
    ClusterResourceQuota ClusterRole ClusterRoleBinding DeploymentConfig DeploymentConfigRollback EgressNetworkPolicy
    Group HostSubnet Identity Image ImageSignature ImageStream ImageStreamImage ImageStreamImport ImageStreamMapping
    ImageStreamTag NetNamespace OAuthAccessToken OAuthAuthorizeToken OAuthClient OAuthClientAuthorization
    PodSecurityPolicyReview Policy PolicyBinding ProcessedTemplate Project ProjectRequest Role RoleBinding
    RoleBindingRestriction Route SecurityContextConstraints Template User UserIdentityMapping
"""
_LEGACY_OPENSHIFT = frozenset(_OF_OPENSHIFT.split())
"""The kinds that OpenShift 3 has in `v1`."""
_UNSTORED = frozenset({"Binding", "ComponentStatus", "Eviction", "JobTemplate", "Scale", "Status"})
_READ_BY_PROGRAMS = lazy_pattern("(Config|Configuration|List|Options|Preferences|Request|Result|Review|Rollback)$")
"""Kinds of messages, and of files that are not applied: a kubeconfig is `v1` and `Config`."""
_NAME = lazy_pattern("[A-Za-z][A-Za-z0-9]*")
_STABLE = lazy_pattern("v[0-9]+")
_CORE = lazy_pattern("[vV]1(beta[123])?")
"""What is meant for the core group. Other programs have versions without a group too (`v1beta`, `v3`)."""


class Unserved(NamedTuple):
    """Why no API server of a release accepts an API version and kind."""

    reason: str
    """GONE, EARLY, NEVER or UNKNOWN_KIND."""
    release: str = ""
    """For GONE and EARLY: the first release without it, or with it."""
    instead: str = ""
    """The API version to write, such as `apps/v1`; empty if the release serves no such kind."""
    kind: str = ""
    """For UNKNOWN_KIND: the kind with the most similar name; empty if none is similar."""


def unserved(group: str, version: str, kind: str, discovery: Discovery) -> Unserved | None:
    """Why no server of this release accepts such objects; None if one may."""
    if (group, kind) in discovery.by_kind or not _NAME.fullmatch(kind):
        return None
    return _unserved(group, version, kind, discovery.kube_version)


@cache
def _unserved(group: str, version: str, kind: str, kube_version: str) -> Unserved | None:
    if not group and not _CORE.fullmatch(version):
        instead = _version_to_write(version, kind, kube_version) if (version, kind) in _versions() else ""
        return Unserved(NEVER, "", instead) if instead else None  # `apiVersion: apps`
    versions = _versions().get((group, kind))
    if versions is None:
        return _unknown_kind(group, version, kind, kube_version)
    instead = _version_to_write(group, kind, kube_version)
    if version not in versions:
        return None if "alpha" in version else Unserved(NEVER, "", instead)
    since, until = versions[version]
    if until and min(minor_version(kube_version), _minor(kube_version)) >= minor_version(until):
        return Unserved(GONE, until, instead)
    return Unserved(EARLY, since, instead) if _minor(kube_version) < minor_version(since) else None


def _unknown_kind(group: str, version: str, kind: str, kube_version: str) -> Unserved | None:
    """For a kind that this group of Kubernetes never had; None for groups of others."""
    if kinds.by_kind(group, kind) or kind in _UNSTORED or _READ_BY_PROGRAMS.search(kind):
        return None
    if group not in kinds.builtin_groups():
        meant = None if "." in group else _group_meant(group)
        if meant is None or (meant, kind) not in _versions():
            return None
        return Unserved(NEVER, "", _version_to_write(meant, kind, kube_version))
    if not group and (version != "v1" or kind in _LEGACY_OPENSHIFT):
        return None
    elsewhere = _version_to_write(group, kind, kube_version)
    if elsewhere:
        return Unserved(NEVER, "", elsewhere)
    from quotalint.kube.spelling import is_typing_error, most_similar

    mine = {name for owner, name in _versions() if owner == group}
    similar = most_similar(kind, mine, 0.85) or most_similar(kind, {name for _, name in _versions()}, 0.85) or ""
    if "." in group and not is_typing_error(kind, similar):
        return None  # a later release may have it
    return Unserved(UNKNOWN_KIND, "", _version_to_write(group, similar, kube_version) if similar else "", similar)


def _group_meant(group: str) -> str | None:
    """The group that was meant by one word: `core` is the group without a name, and `app` a misspelling of `apps`."""
    if group == "core":
        return ""
    from quotalint.kube.spelling import most_similar

    return most_similar(group, {known for known in kinds.builtin_groups() if known and "." not in known}, 0.8)


def _version_to_write(group: str, kind: str, kube_version: str) -> str:
    """The best version of a kind that a release serves, in its own group if that has one: a stable one, else the
    newest."""
    minor = _minor(kube_version)
    served = [
        (owner != group, not _STABLE.fullmatch(version), -minor_version(since), owner, version)
        for (owner, name), versions in _versions().items()
        if name == kind
        for version, (since, until) in versions.items()
        if minor_version(since) <= minor and not (until and minor_version(until) <= minor)
    ]
    if not served:
        return ""
    *_, owner, version = min(served)
    return f"{owner}/{version}" if owner else version


def _minor(kube_version: str) -> int:
    """The minor version of the nearest known release."""
    return minor_version(release(kube_version).version)


@cache
def _versions() -> Mapping[tuple[str, str], Mapping[str, tuple[str, str]]]:
    """(group, kind) → version → the release that first has it, and the first one without it (or empty)."""
    table = {}
    for group, kind, written in ROWS:
        words = (version.split() for version in written.split(", "))
        table[group, kind] = {name: (since, until[0] if until else "") for name, since, *until in words}
    return table
