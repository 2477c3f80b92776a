"""Objects that deploy others and are not followed here: what they would put into which namespace is not in view.

The list can only grow; a kind that is not on it is counted as an object and nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotalint.gitops.context import not_in_view
from quotalint.gitops.kustomize.problems import MISSING, Problem
from quotalint.gitops.rendering import Rendering
from quotalint.kube.fields import dig, text
from quotalint.kube.objects import Object

_OWN = ("metadata", "namespace")
"""For objects that deploy to their own namespace, or into one that nothing says."""

_HERE: Mapping[tuple[str, str], tuple[tuple[str, ...], ...]] = {
    # (group, kind) → where it may say the namespace of what it deploys; without any it may be each.
    ("apps.kubermatic.k8c.io", "ApplicationInstallation"): (("spec", "namespace", "name"),),
    ("apps.open-cluster-management.io", "Subscription"): (_OWN,),
    ("configsync.gke.io", "RepoSync"): (_OWN,),
    ("configsync.gke.io", "RootSync"): (),
    ("core.oam.dev", "Application"): (_OWN,),
    ("fleet.cattle.io", "Bundle"): (("spec", "namespace"), ("spec", "targetNamespace"), ("spec", "defaultNamespace")),
    ("fleet.cattle.io", "HelmOp"): (("spec", "namespace"), ("spec", "defaultNamespace")),
    ("gitops.kluctl.io", "KluctlDeployment"): (),
    ("helm.cattle.io", "HelmChart"): (("spec", "targetNamespace"), _OWN),
    ("helm.crossplane.io", "Release"): (("spec", "forProvider", "namespace"),),
    ("helm.fluxcd.io", "HelmRelease"): (("spec", "targetNamespace"), _OWN),
    ("kappctrl.k14s.io", "App"): (_OWN,),
    ("packaging.carvel.dev", "PackageInstall"): (_OWN,),
}
_ELSEWHERE = frozenset(
    {
        ("addons.cluster.x-k8s.io", "ClusterResourceSet"),
        ("addons.cluster.x-k8s.io", "HelmChartProxy"),
        ("config.projectsveltos.io", "ClusterProfile"),
        ("config.projectsveltos.io", "Profile"),
        ("work.open-cluster-management.io", "ManifestWork"),
        ("work.open-cluster-management.io", "ManifestWorkReplicaSet"),
    }
)
"""Kinds that deploy to other clusters than the one they are in."""

UNFOLLOWED = frozenset(_HERE) | _ELSEWHERE


def unfollowed_rendering(obj: Object) -> Rendering:
    """That what an object deploys is not in view."""
    reason = f"what {obj.kind}s of {obj.group} deploy is not in view, since they are not followed"
    if (obj.group, obj.kind) in _ELSEWHERE:
        chosen = f"{obj.kind} {obj.name} is not rendered: {reason} to the clusters they choose"
        return Rendering(problems=(Problem(obj.place, chosen, MISSING),))
    return not_in_view(obj, reason, next(_namespaces_of(obj), ""))


def _namespaces_of(obj: Object) -> Iterator[str]:
    for path in _HERE[obj.group, obj.kind]:
        name = obj.namespace if path == _OWN else text(dig(obj.spec, *path[1:]))
        if name:
            yield name
