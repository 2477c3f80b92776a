"""Which API versions a release serves, and what to write instead of others."""

from __future__ import annotations

import pytest

from quotalint.kube import kinds
from quotalint.kube.api_versions import EARLY, GONE, NEVER, UNKNOWN_KIND, Unserved, unserved
from quotalint.kube.builtin_versions import ROWS
from quotalint.kube.discovery import discover_kinds
from quotalint.kube.objects import Object
from quotalint.settings import KUBE_VERSIONS
from quotalint.text.place import Place

CASES = {
    # A version that was removed.
    ("extensions/v1beta1", "Deployment", "1.36"): Unserved(GONE, "1.16", "apps/v1"),
    ("extensions/v1beta1", "Ingress", "1.36"): Unserved(GONE, "1.22", "networking.k8s.io/v1"),
    ("apps/v1beta2", "StatefulSet", "1.28"): Unserved(GONE, "1.16", "apps/v1"),
    ("batch/v1beta1", "CronJob", "1.28"): Unserved(GONE, "1.25", "batch/v1"),
    ("batch/v2alpha1", "CronJob", "1.28"): Unserved(GONE, "1.21", "batch/v1"),
    ("autoscaling/v2beta2", "HorizontalPodAutoscaler", "1.28"): Unserved(GONE, "1.26", "autoscaling/v2"),
    ("flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema", "1.32"): Unserved(
        GONE, "1.32", "flowcontrol.apiserver.k8s.io/v1"
    ),
    ("policy/v1beta1", "PodSecurityPolicy", "1.36"): Unserved(GONE, "1.25", ""),
    # A cluster older than every known release is judged by what it serves, as far as removals go.
    ("batch/v1beta1", "CronJob", "1.22"): None,
    ("flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema", "1.31"): None,
    # A version that comes later; beta versions may be enabled.
    ("resource.k8s.io/v1", "ResourceClaim", "1.33"): Unserved(EARLY, "1.34", "resource.k8s.io/v1beta2"),
    ("resource.k8s.io/v1beta1", "ResourceClaim", "1.36"): None,
    ("autoscaling/v2", "HorizontalPodAutoscaler", "1.20"): None,
    # A version that never was.
    ("apps/v2", "Deployment", "1.36"): Unserved(NEVER, "", "apps/v1"),
    ("v1", "Deployment", "1.36"): Unserved(NEVER, "", "apps/v1"),
    ("apps/v1", "Pod", "1.36"): Unserved(NEVER, "", "v1"),
    ("apps/v1", "CronJob", "1.36"): Unserved(NEVER, "", "batch/v1"),
    ("core/v1", "Service", "1.36"): Unserved(NEVER, "", "v1"),
    ("app/v1", "Deployment", "1.36"): Unserved(NEVER, "", "apps/v1"),
    ("apps", "Deployment", "1.36"): Unserved(NEVER, "", "apps/v1"),
    # A kind that never was.
    ("v1", "flux", "1.36"): Unserved(UNKNOWN_KIND),
    ("v1", "Deploymnt", "1.36"): Unserved(UNKNOWN_KIND, "", "apps/v1", "Deployment"),
    ("apps/v1", "deployment", "1.36"): Unserved(UNKNOWN_KIND, "", "apps/v1", "Deployment"),
    ("networking.k8s.io/v1", "Ingres", "1.36"): Unserved(UNKNOWN_KIND, "", "networking.k8s.io/v1", "Ingress"),
    ("autoscaling/v1", "VerticalPodAutoscaler", "1.36"): Unserved(UNKNOWN_KIND),
    # What others define, and what a program reads.
    ("v1", "Config", "1.36"): None,
    ("v1", "InstallConfig", "1.36"): None,
    ("v1", "DeploymentConfig", "1.36"): None,
    ("v1", "Route", "1.36"): None,
    ("v1", "Status", "1.36"): None,
    ("v1", "List", "1.36"): None,
    ("v1", "${KIND}", "1.36"): None,
    ("v1beta", "Secret", "1.36"): None,
    ("v3", "Service", "1.36"): None,
    ("openslo/v1", "Service", "1.36"): None,
    ("skaffold/v4beta11", "Config", "1.36"): None,
    ("policy/v1", "Eviction", "1.36"): None,
    ("scheduling.k8s.io/v1alpha3", "Workload", "1.36"): None,
    ("storage.k8s.io/v1", "NewThing", "1.36"): None,
    ("snapshot.storage.k8s.io/v1beta1", "VolumeSnapshot", "1.36"): None,
    ("autoscaling.k8s.io/v1", "VerticalPodAutoscaler", "1.36"): None,
}


@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_what_a_release_serves(case: tuple[str, str, str]) -> None:
    api_version, kind, kube_version = case
    group, _, version = api_version.rpartition("/")
    assert unserved(group, version, kind, discover_kinds((), kube_version)) == CASES[case]


def test_a_kind_that_the_repository_defines_is_served() -> None:
    spec = {"group": "networking.k8s.io", "names": {"kind": "Ingres", "plural": "ingreses"}}
    crd = Object("apiextensions.k8s.io", "v1", "CustomResourceDefinition", "", "x", {"spec": spec}, Place("crd.yaml"))
    assert unserved("networking.k8s.io", "v1", "Ingres", discover_kinds([crd], "1.36")) is None


def test_what_is_surely_served_is_served_in_every_release() -> None:
    for group, kind, written in ROWS:
        for version in (words.split()[0] for words in written.split(", ")):
            if kinds.is_surely_served(group, version, kind) and kind not in ("IPAddress", "PodGroup"):
                served = [unserved(group, version, kind, discover_kinds((), release)) for release in KUBE_VERSIONS]
                assert not any(served), (group, version, kind)


def test_every_kind_has_its_versions() -> None:
    known = {(group, kind) for group, kind, _ in ROWS}
    without = {(kind.group, kind.kind) for kind in kinds.BUILTIN if kind.served} - known
    assert without == set()
