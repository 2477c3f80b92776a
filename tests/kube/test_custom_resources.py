"""Object counts of well-known add-ons that are not written as their plural."""

from __future__ import annotations

import pytest
from manifests import quota
from workspace import Workspace

from quotalint.kube.custom_resources import meant_plural
from quotalint.kube.discovery import MISSING, UNKNOWN, discover_kinds, resolve
from quotalint.kube.spelling import object_count

MEANT = {
    "scaledobject.keda.sh": "scaledobjects.keda.sh",
    "scaledobjetcs.keda.sh": "scaledobjects.keda.sh",
    "scaledobjects": "scaledobjects.keda.sh",
    "certificate.cert-manager.io": "certificates.cert-manager.io",
    "Certificates.cert-manager.io": "certificates.cert-manager.io",
    "gateway.networking.istio.io": "gateways.networking.istio.io",
    "prometheus.monitoring.coreos.com": "prometheuses.monitoring.coreos.com",
    "networkattachmentdefinition.k8s.cni.cncf.io": "network-attachment-definitions.k8s.cni.cncf.io",
    "Widgets.example.com": "widgets.example.com",
}
RIGHT = (
    "scaledobjects.keda.sh",
    "redis.redis.redis.opstreelabs.in",
    "prometheuses.monitoring.coreos.com",
    "widget.example.com",
    "newthings.keda.sh",
)


@pytest.mark.parametrize("written", MEANT)
def test_what_no_cluster_counts(written: str) -> None:
    discovery = discover_kinds((), "1.36")
    assert (resolve(discovery, written), object_count(written, discovery)) == (MISSING, f"count/{MEANT[written]}")


@pytest.mark.parametrize("written", RIGHT)
def test_what_a_cluster_may_count(written: str) -> None:
    assert resolve(discover_kinds((), "1.36"), written) == UNKNOWN


def test_a_plural_of_several_groups_means_none() -> None:
    assert meant_plural("", "backups") is None


def test_the_finding_says_what_to_write(workspace: Workspace) -> None:
    workspace.put({"q.yaml": quota("team", hard="count/scaledjob.keda.sh: 1")})
    (finding,) = workspace.report("check")["findings"]
    assert (finding["rule"], finding["help"]) == ("QL202", "write count/scaledjobs.keda.sh instead")
