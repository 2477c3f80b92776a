"""`--unsafe-fixes`: larger quotas, default limits, smaller steps; what cannot be changed is left and said."""

from __future__ import annotations

from pathlib import Path

import pytest

from quotalint.cli import run

QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata: {name: base, namespace: team-a}
spec:
  hard:
    requests.cpu: "1"  # one
    pods: 3
    limits.memory: 1Gi
"""
WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: team-a}
spec:
  replicas: 3
  template:
    spec:
      containers:
      - name: web
        image: web
        resources: {requests: {cpu: 500m, memory: 100Mi}, limits: {memory: 100Mi}}
"""
SCALED = """\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: team-a}
spec: {maxReplicas: 5, minReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
"""
BARE = WEB.replace("        resources: {requests: {cpu: 500m, memory: 100Mi}, limits: {memory: 100Mi}}\n", "")
RANGE = """\
apiVersion: v1
kind: LimitRange
metadata: {name: sizes, namespace: team-a}
spec:
  limits:
  - type: Container # each
    min: {ephemeral-storage: 1Mi}
"""


def check(files: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> int:
    for name, content in files.items():
        (folder / name).write_text(content)
    monkeypatch.chdir(folder)
    return run(["check", *options])


def test_hard_is_raised_at_once_to_what_everything_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # 3 pods, 5 at the maximum, one more in a rolling update: of each entry what the most demanding rule asks for.
    files = {"quota.yaml": QUOTA, "web.yaml": WEB + "---\n" + SCALED}
    status = check(files, tmp_path, monkeypatch, "--unsafe-fixes", "--quiet")
    raised = QUOTA.replace('cpu: "1"', 'cpu: "2500m"').replace("pods: 3", "pods: 5")
    assert (status, (tmp_path / "quota.yaml").read_text(), (tmp_path / "web.yaml").read_text()) == (
        0,
        raised,
        files["web.yaml"],
    )
    assert capsys.readouterr().err == (
        "fixed quota.yaml:6 QL301: raise requests.cpu to 2500m\n"
        "fixed web.yaml:5 QL302: raise pods to 5\n"
        "fixed web.yaml:16 QL304: raise pods to 5 and requests.cpu to 2500m\n"
        "quotalint: repaired 3 findings in 1 file\n"
    )


@pytest.mark.parametrize(
    ("bounds", "after"),
    [
        (
            RANGE,
            RANGE.replace("# each\n", "# each\n    defaultRequest:\n      cpu: 100m\n").replace(
                "# each\n", "# each\n    default:\n      memory: 512Mi\n"
            ),
        ),
        (
            RANGE.replace(
                "min: {ephemeral-storage: 1Mi}", "defaultRequest: {cpu: 10m}\n    default:\n      # room\n      cpu: 1"
            ),
            RANGE.replace(
                "min: {ephemeral-storage: 1Mi}",
                "defaultRequest: {cpu: 10m}\n    default:\n      # room\n      cpu: 1\n      memory: 512Mi",
            ),
        ),
        (RANGE + "  - {type: Pod, max: {cpu: 1}}\n", None),
    ],
    ids=["no defaults", "some defaults", "beside another type"],
)
def test_a_default_is_added_to_the_only_limit_range(
    bounds: str, after: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    roomy = QUOTA.replace('cpu: "1"', 'cpu: "9"').replace("1Gi", "9Gi").replace("pods: 3", "pods: 9")
    check({"quota.yaml": roomy, "web.yaml": BARE, "range.yaml": bounds}, tmp_path, monkeypatch, "--unsafe-fixes")
    written = (tmp_path / "range.yaml").read_text()
    assert written == after if after else "memory: 512Mi" in written
    again = run(["check", "--select", "QL401"])
    assert (again, (tmp_path / "range.yaml").read_text()) == (0, written)


def test_a_default_is_no_less_than_what_a_container_asks_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    roomy = QUOTA.replace('cpu: "1"', 'cpu: "9"').replace("1Gi", "9Gi").replace("pods: 3", "pods: 9")
    asking = WEB.replace("100Mi}, limits: {memory: 100Mi}", "2Gi}")
    check({"quota.yaml": roomy, "web.yaml": asking, "range.yaml": RANGE}, tmp_path, monkeypatch, "--unsafe-fixes")
    assert "default:\n      memory: 2Gi\n" in (tmp_path / "range.yaml").read_text()


@pytest.mark.parametrize(
    ("others", "reason"),
    [
        ({}, "no LimitRange for containers in namespace team-a is in view"),
        (
            {"a.yaml": RANGE, "b.yaml": RANGE.replace("sizes", "more")},
            "more than one LimitRange for containers in namespace team-a is in view",
        ),
        (
            {"a.yaml": RANGE.replace("min: {ephemeral-storage: 1Mi}", "maxLimitRequestRatio: {memory: 2}")},
            "its maxLimitRequestRatio for memory leaves no room for a default",
        ),
    ],
    ids=["none", "two", "a ratio"],
)
def test_defaults_that_have_no_place_are_left(
    others: dict[str, str],
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    memory = QUOTA.replace('    requests.cpu: "1"  # one\n', "").replace("pods: 3", "pods: 9")
    files = {**others, "quota.yaml": memory, "web.yaml": BARE}
    check(files, tmp_path, monkeypatch, "--unsafe-fixes", "--quiet")
    assert ({name: (tmp_path / name).read_text() for name in files}, reason in capsys.readouterr().err) == (files, True)


SNAPSHOT = QUOTA.replace("pods: 3", "pods: 1").replace('"1"', '"9"')
STRATEGIES = {
    "none": ("", "  strategy:\n    rollingUpdate:\n      maxSurge: 0\n      maxUnavailable: 1\n"),
    "a type": (
        "  strategy: {type: RollingUpdate}\n",
        "  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}\n",
    ),
    "limits": (
        "  strategy:\n    rollingUpdate:\n      maxSurge: 25% # some\n",
        "  strategy:\n    rollingUpdate:\n      maxSurge: 0 # some\n      maxUnavailable: 1\n",
    ),
    "both limits": (
        '  strategy:\n    rollingUpdate: {maxSurge: 1, maxUnavailable: "0"}\n',
        "",
    ),
}


@pytest.mark.parametrize("name", [name for name, (_, after) in STRATEGIES.items() if after])
def test_where_the_quota_is_the_clusters_the_step_gets_smaller(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = (
        WEB.replace("replicas: 3\n", f"replicas: 1\n{strategy}").replace("500m", "100m")
        for strategy in STRATEGIES[name]
    )
    outside = tmp_path / "snapshot.yaml"
    outside.write_text(SNAPSHOT)
    (tmp_path / "repo").mkdir()
    with_ = ("--with", "../snapshot.yaml", "--unsafe-fixes", "--quiet")
    status = check({"web.yaml": before}, tmp_path / "repo", monkeypatch, *with_)
    written = (tmp_path / "repo" / "web.yaml").read_text()
    assert (status, written, outside.read_text()) == (0, after, SNAPSHOT)


def test_an_alias_gets_a_value_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = QUOTA.replace("pods: 3", 'pods: &n 3\n    count/pods: *n\n    services: "1"').replace('"1"  #', '"9"  #')
    many = WEB.replace("replicas: 3", "replicas: 6").replace("  replicas", "  strategy: {type: Recreate}\n  replicas")
    check({"quota.yaml": shared, "web.yaml": many}, tmp_path, monkeypatch, "--unsafe-fixes")
    # The anchor serves both entries, and both are to become 6; the alias alone would have become a number.
    assert (tmp_path / "quota.yaml").read_text() == shared.replace("*n", "6").replace("&n 3", "&n 6")


OPENSHIFT = """\
apiVersion: quota.openshift.io/v1
kind: ClusterResourceQuota
metadata: {name: all}
spec:
  selector: {annotations: {a: b}}
  quota:
    hard:
      limits.nvidia.com/gpu: 1
      pods: "1"
---
apiVersion: v1
kind: Namespace
metadata: {name: team-a, annotations: {a: b}}
---
"""
RANCHER = """\
apiVersion: v1
kind: Namespace
metadata:
  name: team-a
  annotations:
    field.cattle.io/projectId: c:p
    field.cattle.io/resourceQuota: '{"limit": {"pods": "1"}}'
---
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (OPENSHIFT, OPENSHIFT.replace("limits.nvidia", "requests.nvidia").replace('pods: "1"', 'pods: "3"')),
        (RANCHER, RANCHER),
    ],
    ids=["deeper in an object", "inside a text"],
)
def test_quotas_of_other_kinds(before: str, after: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    web = WEB.replace("  replicas", "  strategy: {type: Recreate}\n  replicas")
    check({"all.yaml": before + web}, tmp_path, monkeypatch, "--unsafe-fixes")
    assert (tmp_path / "all.yaml").read_text() == after + web


def test_without_them_they_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status = check({"quota.yaml": QUOTA, "web.yaml": WEB}, tmp_path, monkeypatch, "--fix", "--quiet")
    expected = "quotalint: repaired 0 findings in 0 files; --unsafe-fixes can repair 2 more\n"
    assert (status, (tmp_path / "quota.yaml").read_text(), capsys.readouterr().err) == (1, QUOTA, expected)
