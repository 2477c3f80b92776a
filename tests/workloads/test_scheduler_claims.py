"""ResourceClaims that the scheduler makes for pods whose containers ask for devices by the name of a DeviceClass."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import outcome, outcome_of
from manifests import quota
from pipeline_runs import run_pipeline
from workload_demands import Four, made

from quotalint.cli import run
from quotalint.snapshots.snapshot import Snapshot, read_snapshot

CARD = "deviceclass.resource.kubernetes.io/card"
DISK = "deviceclass.resource.kubernetes.io/disk"
HARD = (
    "count/resourceclaims.resource.k8s.io: 9, card.deviceclass.resource.k8s.io/devices: 9, "
    "requests.deviceclass.resource.kubernetes.io/card: 9, requests.example.com/card: 9"
)
CLASS = (
    "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: card}\n"
    "spec: {extendedResourceName: example.com/card}\n"
)


def trainer(pod: str) -> str:
    """A Deployment whose pods have this `spec`."""
    return (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: trainer, namespace: shop}\nspec:\n"
        "  replicas: 2\n  selector: {matchLabels: {app: t}}\n"
        f"  template: {{metadata: {{labels: {{app: t}}}}, spec: {{{pod}}}}}\n"
    )


def asking(limits: str, name: str = "c", more: str = "") -> str:
    """A container with these limits."""
    return f"{{name: {name}, image: i, resources: {{limits: {{{limits}}}}}{more}}}"


def used(pod: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *more: str, version: str = "1.36") -> list[str]:
    """What is charged of each entry of HARD, in their order in the name of the entry."""
    files = {
        "quota.yaml": quota("shop", hard=HARD),
        "app.yaml": "---\n".join((trainer(pod), *more)),
        ".quotalint.yaml": f'kubeVersion: "{version}"\n',
    }
    return sorted(line.removeprefix("shop/base ") for line in outcome(tmp_path, files, monkeypatch).quotas)


def test_a_claim_is_made_for_each_pod_that_asks_by_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert used(f"containers: [{asking(f'{CARD}: 3')}]", tmp_path, monkeypatch, CLASS) == [
        "card.deviceclass.resource.k8s.io/devices 6/9 exact",
        "count/resourceclaims.resource.k8s.io 2/9 exact",
        "requests.deviceclass.resource.kubernetes.io/card 6/9 exact",  # by the pods, and not by their claims again
        "requests.example.com/card 6/9 exact",  # as the class is called, of which no pod says anything
    ]


@pytest.mark.parametrize(
    ("pod", "devices"),
    [
        (f"containers: [{asking(f'{CARD}: 1')}, {asking(f'{CARD}: 2', 'd')}]", 6),
        (f"initContainers: [{asking(f'{CARD}: 4', 'a')}], containers: [{asking(f'{CARD}: 1')}]", 8),
        (
            f"initContainers: [{asking(f'{CARD}: 1', 'a', ', restartPolicy: Always')}, {asking(f'{CARD}: 2', 'b')}], "
            f"containers: [{asking(f'{CARD}: 1')}]",
            6,
        ),
    ],
    ids=["containers", "one that ends before them", "one that runs beside both"],
)
def test_a_claim_has_as_many_devices_as_the_pod_requests(
    pod: str, devices: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert f"card.deviceclass.resource.k8s.io/devices {devices}/9 exact" in used(pod, tmp_path, monkeypatch, CLASS)


def test_one_claim_is_made_for_all_classes_of_a_pod() -> None:
    assert of_pod({"limits": {CARD: 1, DISK: 2}})["ResourceClaim"] == (3, 4, 3, 4)


@pytest.mark.parametrize(
    "resources",
    [
        {"limits": {"example.com/card": 1}},  # a device plugin may have them
        {"limits": {CARD: 0}},
        {"limits": {CARD: "500m"}},  # none of a half
        {"requests": {"cpu": 1}},
        {},
        None,
        "none",
    ],
)
def test_no_claim_is_made_for_other_pods(resources: object) -> None:
    assert "ResourceClaim" not in of_pod(resources)


def of_pod(resources: object) -> dict[str, Four]:
    """What is made for a Deployment of three such pods."""
    template = {"spec": {"containers": [{"name": "c", "resources": resources}]}}
    spec = {"replicas": 3, "template": template}
    return made({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": spec})


def test_no_scheduler_made_claims_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert used(f"containers: [{asking(f'{CARD}: 3')}]", tmp_path, monkeypatch, CLASS, version="1.35") == [
        "card.deviceclass.resource.k8s.io/devices 0/9 exact",
        "count/resourceclaims.resource.k8s.io 0/9 exact",
        "requests.deviceclass.resource.kubernetes.io/card 6/9 exact",
        "requests.example.com/card 0/9 exact",
    ]


def test_no_scheduler_sees_a_pod_that_names_its_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pod = f"nodeName: n1, containers: [{asking(f'{CARD}: 3')}]"
    assert "card.deviceclass.resource.k8s.io/devices 0/9 exact" in used(pod, tmp_path, monkeypatch, CLASS)


def test_a_pod_of_the_cluster_says_its_node_and_has_its_claim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pod = (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: by-hand, namespace: shop}\n"
        f"spec: {{nodeName: n1, containers: [{asking(f'{CARD}: 3')}]}}\nstatus: {{phase: Running}}\n"
    )
    shown = read_snapshot(pod.encode(), "cluster.yaml", "")
    assert isinstance(shown, Snapshot)
    (tmp_path / "quota.yaml").write_text(quota("shop", hard="card.deviceclass.resource.k8s.io/devices: 9"))
    monkeypatch.chdir(tmp_path)
    quotas = outcome_of(run_pipeline(snapshots=[shown])).quotas
    assert quotas == ["shop/base card.deviceclass.resource.k8s.io/devices 3/9 exact"]


def test_a_number_that_is_not_known_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = used(f"containers: [{asking(f'{CARD}: $CARDS')}]", tmp_path, monkeypatch, CLASS)
    assert lines == [
        "card.deviceclass.resource.k8s.io/devices 0/9 at-least",
        "count/resourceclaims.resource.k8s.io 2/9 exact",
        "requests.deviceclass.resource.kubernetes.io/card 0/9 at-least",
        "requests.example.com/card 0/9 at-least",
    ]


def test_a_quota_of_devices_that_pods_exceed_by_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "quota.yaml").write_text(quota("shop", hard="card.deviceclass.resource.k8s.io/devices: 3"))
    (tmp_path / "app.yaml").write_text(trainer(f"containers: [{asking(f'{CARD}: 2')}]"))
    monkeypatch.chdir(tmp_path)
    assert run(["check"]) == 1
    printed = capsys.readouterr().out
    assert "asks for card.deviceclass.resource.k8s.io/devices 4; quota base allows 3" in printed
    assert "1 of 2 ResourceClaims of Deployment trainer will be refused" in printed
