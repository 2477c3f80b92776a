"""What differs between releases, in the table and through the whole program."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from quotalint.cli import run
from quotalint.kube import kinds
from quotalint.kube.kubernetes_releases import SINCE
from quotalint.kube.releases import KubernetesRelease, counted_since, release
from quotalint.settings import KUBE_VERSIONS

TABLE = {
    "1.28": KubernetesRelease(
        "1.28", False, False, False, False, False, False, False, False, False, False, False, False
    ),
    "1.29": KubernetesRelease(
        "1.29", True, False, False, False, False, False, False, False, False, False, False, False
    ),
    "1.30": KubernetesRelease(
        "1.30", True, False, False, False, False, False, False, False, False, False, False, False
    ),
    "1.31": KubernetesRelease("1.31", True, True, False, False, False, False, False, False, False, False, False, False),
    "1.32": KubernetesRelease("1.32", True, True, True, True, False, False, False, False, False, False, False, False),
    "1.33": KubernetesRelease("1.33", True, True, True, True, True, False, False, False, False, False, False, False),
    "1.34": KubernetesRelease("1.34", True, True, True, True, True, True, True, True, True, True, False, False),
    "1.35": KubernetesRelease("1.35", True, True, True, True, True, True, True, True, True, True, True, False),
    "1.36": KubernetesRelease("1.36", True, True, True, True, True, True, True, True, True, True, True, True),
    "1.37": KubernetesRelease("1.37", True, True, True, True, True, True, True, True, True, True, True, True),
}


def test_each_release_has_these_features() -> None:
    assert {version: release(version) for version in TABLE} == TABLE


def test_what_is_generated_is_what_the_data_says() -> None:
    script = Path(__file__).parents[2] / ".ci" / "make-releases"
    if not script.exists():
        pytest.skip("the scripts of the repository are not in the source distribution")
    checked = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_every_change_is_of_a_supported_release() -> None:
    changes = {*SINCE.values(), *(text for kind in kinds.BUILTIN for text in (kind.since, kind.until) if text)}
    # What the oldest release has already needs no line.
    assert changes - set(KUBE_VERSIONS[1:]) == set()


@pytest.mark.parametrize(("asked", "nearest"), [("1.20", KUBE_VERSIONS[0]), ("1.999", KUBE_VERSIONS[-1])])
def test_of_an_unknown_release_the_nearest_is_taken_and_named(
    asked: str, nearest: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "all.yaml").write_text(f"{QUOTA}{{pods: 4}}\n")
    assert (release(asked), run(["--kube-version", asked])) == (release(nearest), 0)
    assert f"Kubernetes {asked} is not supported; using the rules of {nearest}" in capsys.readouterr().err


# release, since, until → is it there
THERE = {
    "always": ("1.28", "", "", True),
    "before it came": ("1.30", "1.31", "", False),
    "when it came": ("1.31", "1.31", "", True),
    "long after it came": ("1.35", "1.29", "", True),
    "before it went": ("1.31", "", "1.32", True),
    "when it went": ("1.32", "", "1.32", False),
    "in its only release": ("1.30", "1.30", "1.31", True),
    "after its only release": ("1.31", "1.30", "1.31", False),
}


@pytest.mark.parametrize("case", THERE)
def test_what_came_and_went(case: str) -> None:
    version, since, until, expected = THERE[case]
    assert release(version).has(since, until) == expected


COUNTED = {
    "gpu.deviceclass.resource.k8s.io/devices": "1.31",
    "requests.deviceclass.resource.kubernetes.io/gpu": "1.35",
    # Nothing counts these in any release.
    "deviceclass.resource.kubernetes.io/gpu": "",
    "gpu.deviceclass.resource.k8s.io/device": "",
    "requests.nvidia.com/gpu": "",
    "count/resourceclaims.resource.k8s.io": "",
}


@pytest.mark.parametrize("name", COUNTED)
def test_an_amount_of_devices_is_counted_since_a_release(name: str) -> None:
    assert counted_since(name) == COUNTED[name]


class Case(NamedTuple):
    """A repository, and what the program says of it by release: findings, and what is used of each entry."""

    hard: str
    objects: str
    expected: dict[str, tuple[list[str], dict[str, str | None]]]


QUOTA = """
apiVersion: v1
kind: ResourceQuota
metadata: {name: base, namespace: team-a}
spec:
  hard: """

SIDECAR = """
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: team-a}
spec:
  initContainers:
    - {name: proxy, restartPolicy: Always, resources: {requests: {cpu: 1}}}
    - {name: prepare, resources: {requests: {cpu: 2}}}
  containers:
    - {name: web, resources: {requests: {cpu: 2}}}
"""

POD_LEVEL = """
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: team-a}
spec:
  resources: {requests: {cpu: 4}, limits: {hugepages-2Mi: 8Mi}}
  containers:
    - {name: web, resources: {requests: {cpu: 1}, limits: {hugepages-2Mi: 2Mi}}}
    - {name: log}
"""

CLAIM = """
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpus, namespace: team-a}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu, count: 3}}]}}
"""

OLD_CLAIM = """
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: gpus, namespace: team-a}
spec: {devices: {requests: [{name: gpu, deviceClassName: gpu, count: 3}]}}
"""

IMPLICIT = """
apiVersion: v1
kind: Pod
metadata: {name: train, namespace: team-a}
spec:
  containers:
    - {name: train, resources: {limits: {deviceclass.resource.kubernetes.io/gpu: 2}}}
"""

CLASS = """
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {extendedResourceName: example.com/gpu}
"""

DEVICES = "gpu.deviceclass.resource.k8s.io/devices"
QUOTED = "requests.deviceclass.resource.kubernetes.io/gpu"

MANAGED = """
apiVersion: batch/v1
kind: Job
metadata: {name: train, namespace: team-a}
spec:
  parallelism: 4
  managedBy: kueue.x-k8s.io/multikueue
  template: {spec: {restartPolicy: Never, containers: [{name: train, image: train}]}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: team-a}
spec:
  schedule: "@daily"
  jobTemplate:
    spec:
      parallelism: 2
      managedBy: kueue.x-k8s.io/multikueue
      template: {spec: {restartPolicy: Never, containers: [{name: train, image: train}]}}
"""

CASES = {
    "Jobs keep their own controller": Case(
        "{pods: 3}",
        MANAGED,
        {
            "1.31": (["QL301 spec.hard[pods]", "QL303 spec.schedule"], {"pods": "4"}),
            "1.32": ([], {"pods": "0"}),
            "1.36": ([], {"pods": "0"}),
        },
    ),
    "a sidecar is an init container that ends": Case(
        "{requests.cpu: 8}",
        SIDECAR,
        {"1.28": ([], {"requests.cpu": "2"}), "1.29": ([], {"requests.cpu": "3"})},
    ),
    "resources of the pod are dropped, and then one of its containers lacks a request": Case(
        "{requests.cpu: 8, hugepages-2Mi: 16Mi}",
        POD_LEVEL,
        {
            "1.28": (["QL401 spec.containers[1].resources"], {"hugepages-2Mi": "2Mi", "requests.cpu": "1"}),
            "1.33": (["QL401 spec.containers[1].resources"], {"hugepages-2Mi": "2Mi", "requests.cpu": "1"}),
            "1.34": ([], {"hugepages-2Mi": "8Mi", "requests.cpu": "4"}),
            "1.35": ([], {"hugepages-2Mi": "8Mi", "requests.cpu": "4"}),
        },
    ),
    "devices of claims": Case(
        f'{{{DEVICES}: "4", count/resourceclaims.resource.k8s.io: "4"}}',
        CLAIM,
        {
            "1.28": (
                [f"QL201 spec.hard[{DEVICES}]", "QL410 apiVersion"],
                {"count/resourceclaims.resource.k8s.io": "0", DEVICES: None},
            ),
            "1.31": (["QL410 apiVersion"], {"count/resourceclaims.resource.k8s.io": "0", DEVICES: "0"}),
            "1.34": ([], {"count/resourceclaims.resource.k8s.io": "1", DEVICES: "3"}),
            "1.35": ([], {"count/resourceclaims.resource.k8s.io": "1", DEVICES: "3"}),
        },
    ),
    "devices of claims as 1.32 wrote them": Case(
        f'{{{DEVICES}: "2"}}',
        OLD_CLAIM,
        {
            "1.30": ([f"QL201 spec.hard[{DEVICES}]", "QL410 apiVersion"], {DEVICES: None}),
            "1.32": ([f"QL301 spec.hard[{DEVICES}]"], {DEVICES: "3"}),
        },
    ),
    "devices that containers ask for by DeviceClass": Case(
        f'{{{QUOTED}: "1"}}',
        IMPLICIT,
        {
            "1.34": ([f"QL201 spec.hard[{QUOTED}]"], {QUOTED: None}),
            "1.35": ([f"QL301 spec.hard[{QUOTED}]"], {QUOTED: "2"}),
        },
    ),
    "devices of claims, under the names that containers ask for them by": Case(
        f'{{{DEVICES}: "9", {QUOTED}: "9", requests.example.com/gpu: "9"}}',
        f"{CLAIM}---{CLASS}",
        {
            "1.35": ([], {DEVICES: "3", QUOTED: "0", "requests.example.com/gpu": "0"}),
            "1.36": ([], {DEVICES: "3", QUOTED: "3", "requests.example.com/gpu": "3"}),
            "1.37": ([], {DEVICES: "3", QUOTED: "3", "requests.example.com/gpu": "3"}),
        },
    ),
    "a kind that no server serves untold": Case(
        "{count/podcertificaterequests.certificates.k8s.io: 5, count/podschedulingcontexts.resource.k8s.io: 5}",
        "",
        {
            version: (
                [
                    "QL202 spec.hard[count/podcertificaterequests.certificates.k8s.io]",
                    "QL202 spec.hard[count/podschedulingcontexts.resource.k8s.io]",
                ],
                {
                    "count/podcertificaterequests.certificates.k8s.io": None,
                    "count/podschedulingcontexts.resource.k8s.io": None,
                },
            )
            for version in ("1.31", "1.36")
        },
    ),
    "a kind outside namespaces is counted in no release": Case(
        "{count/servicecidrs.networking.k8s.io: 5}",
        "",
        {
            version: (
                ["QL202 spec.hard[count/servicecidrs.networking.k8s.io]"],
                {"count/servicecidrs.networking.k8s.io": None},
            )
            for version in ("1.28", "1.35")
        },
    ),
    "a scope that came": Case(
        "{requests.storage: 10Gi}\n  scopes: [VolumeAttributesClass]",
        "",
        {
            "1.28": (["QL106 spec.scopes"], {}),
            "1.31": (["QL106 spec.scopes"], {}),
            "1.33": (["QL106 spec.scopes"], {}),
            "1.34": ([], {"requests.storage": "0"}),
            "1.35": ([], {"requests.storage": "0"}),
        },
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_program_goes_by_the_release(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case_of_release = CASES[case]
    (tmp_path / "all.yaml").write_text(f"{QUOTA}{case_of_release.hard}\n---\n{case_of_release.objects}")
    monkeypatch.chdir(tmp_path)
    messages = {}
    for version in case_of_release.expected:
        (tmp_path / ".quotalint.yaml").write_text(f'kubeVersion: "{version}"\n')
        run(["check", "--format", "json", "--fail-on", "never", "."])
        messages[version] = _said(capsys.readouterr().out)
    assert messages == case_of_release.expected


# kubeVersion → what is said of a name that another release counts
SAID = {
    "1.30": f"Nothing enforces {DEVICES} in Kubernetes 1.30: such names are only counted since 1.31, although the "
    "API server accepts this one in quota base",
    "1.35": "Nothing enforces count/workloads.scheduling.k8s.io: Kubernetes 1.35 serves these objects only if "
    "`--runtime-config` enables them, yet accepts the name in quota base",
}


@pytest.mark.parametrize("version", SAID)
def test_the_message_names_the_release(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = SAID[version].split()[2].rstrip(":")
    (tmp_path / "quota.yaml").write_text(f'{QUOTA}{{{name}: "5"}}\n')
    monkeypatch.chdir(tmp_path)
    run(["check", "--format", "json", "--kube-version", version, "."])
    report = json.loads(capsys.readouterr().out)
    assert [finding["message"] for finding in report["findings"]] == [SAID[version]]


def _said(printed: str) -> tuple[list[str], dict[str, str | None]]:
    report = json.loads(printed)
    rows = [row for quota in report["quotas"] for row in quota["resources"]]
    words = [f"{finding['rule']} {finding['field']}" for finding in report["findings"]]
    return words, {row["resource"]: row["steady"] for row in rows}
