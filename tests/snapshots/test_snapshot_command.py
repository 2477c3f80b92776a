"""`quotalint snapshot`, with a program that stands for kubectl: never a cluster."""

from __future__ import annotations

import io
import json
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
import yaml
from fake_kubectl import FakeKubectl
from live_cluster import CLUSTER, items, printed

from quotalint.cli import run


def test_what_is_kept(kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]) -> None:
    kubectl.answers(CLUSTER)
    out, err = printed(capsys)
    kept_items = items(out)
    assert err == ""
    assert set(kept_items) == {
        *("Snapshot/prod-eu", "Namespace/shop", "ResourceQuota/base", "Deployment/web", "Rollout/canary"),
        *("Pod/db-0", "Job/migrate"),
    }
    assert kept_items["Deployment/web"] == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "shop", "annotations": {"meta.helm.sh/release-name": "w"}},
        "spec": {
            "replicas": 3,
            "template": {
                "spec": {"containers": [{"name": "web", "resources": {"requests": {"cpu": "500m"}}}]},
            },
        },
    }
    assert kept_items["ResourceQuota/base"]["status"] == {"used": {"pods": "3"}}
    assert kept_items["Job/migrate"]["spec"]["suspend"] is True


def test_nothing_secret_and_nothing_that_changes_by_itself(
    kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]
) -> None:
    kubectl.answers(CLUSTER)
    out, _ = printed(capsys)
    assert [word for word in ("s3cr3t", "czNjcjN0", "uid", "resourceVersion", "creation", "ready") if word in out] == []
    assert not any("secrets" in call["argv"] for call in kubectl.asked)


def test_the_same_cluster_is_the_same_file(kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]) -> None:
    kubectl.answers(CLUSTER)
    first, _ = printed(capsys)
    shuffled = {name: [dict(reversed(item.items())) for item in reversed(cluster)] for name, cluster in CLUSTER.items()}
    kubectl.answers(dict(reversed(shuffled.items())))
    assert printed(capsys)[0] == first


def test_it_is_run_for_this_user_and_context(
    kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBECONFIG", "/somewhere/config")
    kubectl.answers(CLUSTER)
    out, _ = printed(capsys, "--context", "staging", "-e", "stage", "--stamp", "2026-11-01")
    assert {call["kubeconfig"] for call in kubectl.asked} == {"/somewhere/config"}
    assert {call["argv"][0] for call in kubectl.asked} == {"--context=staging"}
    assert items(out)["Snapshot/staging"]["spec"] | {"read": []} == {
        "environment": "stage",
        "read": [],
        "taken": "2026-11-01",
    }
    assert {"get", "api-resources"} == {call["argv"][1] for call in kubectl.asked}


def test_a_kubectl_of_the_repository_is_never_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".git").mkdir()
    brought = FakeKubectl(tmp_path / "bin")
    brought.answers(CLUSTER)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    out, err = printed(capsys, status=2)
    assert (out, brought.asked) == ("", [])
    assert "kubectl, which asks the cluster, is not on PATH" in err
    assert "--from FILE" in err


def test_what_it_starts_finds_nothing_of_the_repository_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository = tmp_path / "repo"
    (repository / ".git").mkdir(parents=True)
    monkeypatch.chdir(repository)
    kubectl = FakeKubectl(tmp_path / "bin")
    kubectl.answers(CLUSTER)
    whole = kubectl.path
    monkeypatch.setenv("PATH", f"{repository}/bin:bin:.:{whole}")
    printed(capsys)
    assert {call["path"] for call in kubectl.asked} == {whole}


def test_a_cluster_that_cannot_be_reached_is_named(kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]) -> None:
    messages = {"errors": "E1122 memcache.go\nUnable to connect to the server: dial tcp: no such host\n", "status": 1}
    kubectl.answers({}, others={"api-resources --verbs=list -o name": messages})
    out, err = printed(capsys, status=2)
    assert (out, err) == (
        "",
        "quotalint: kubectl cannot reach the cluster: Unable to connect to the server: dial tcp: no such host\n",
    )


REFUSAL = 'jobs.batch is forbidden: User "me" cannot list resource "jobs" in API group "batch" at the cluster scope'


def test_what_is_forbidden_is_said_and_written_down(kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]) -> None:
    kubectl.answers(
        {name: cluster for name, cluster in CLUSTER.items() if name != "jobs.batch"}, {"jobs.batch": REFUSAL}
    )
    out, err = printed(capsys)
    header = items(out)["Snapshot/prod-eu"]["spec"]
    assert header["unread"] == [{"resource": "jobs.batch", "reason": f"forbidden: {REFUSAL}"}]
    assert ("deployments.apps" in header["read"], "jobs.batch" in header["read"]) == (True, False)
    assert err == f"quotalint: not read: jobs.batch: forbidden: {REFUSAL}\n"


def test_everything_is_forbidden(kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]) -> None:
    kubectl.answers({}, {"pods": "pods is forbidden", "resourcequotas": "resourcequotas is forbidden"})
    out, err = printed(capsys, status=2)
    assert (out, err) == ("", "quotalint: nothing could be read: forbidden: resourcequotas is forbidden\n")


def test_a_dump_that_was_made_elsewhere(
    kubectl: FakeKubectl, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    dump = {"apiVersion": "v1", "kind": "List", "items": [item for actual in CLUSTER.values() for item in actual]}
    (tmp_path / "dump.json").write_text(json.dumps(dump))
    out, _ = printed(capsys, "--from", str(tmp_path / "dump.json"))
    assert "Deployment/web" in items(out)
    # Of a Secret in the dump nothing but its name is kept.
    assert "czNjcjN0" not in out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(yaml.safe_dump(dump).encode())))
    assert printed(capsys, "--from", "-")[0] == out
    assert kubectl.asked == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "No such file or directory"),
        ("a: [", "line 1"),
        ("a: 1", "there is no Kubernetes object in it"),
        ("", "there is no Kubernetes object in it"),
    ],
)
def test_a_dump_that_is_none(
    content: str | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "dump.yaml"
    if content is not None:
        path.write_text(content)
    _, err = printed(capsys, "--from", str(path), status=2)
    assert err.startswith(f"quotalint: --from {path}: ") and message in err


def test_a_file_is_written_as_a_whole(kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]) -> None:
    kubectl.answers(CLUSTER)
    whole, _ = printed(capsys)
    assert printed(capsys, "-o", "cluster.yaml") == ("", "wrote cluster.yaml\n")
    assert Path("cluster.yaml").read_text() == whole
    assert printed(capsys, "--stamp", "yesterday", status=2)[1].startswith(
        "quotalint: --stamp yesterday: it is not a time"
    )


def test_the_time_is_now_where_none_is_given(kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]) -> None:
    kubectl.answers(CLUSTER)
    taken = items(printed(capsys, "--stamp")[0])["Snapshot/prod-eu"]["spec"]["taken"]
    age = datetime.now(timezone.utc) - datetime.fromisoformat(taken.replace("Z", "+00:00"))
    assert timedelta(seconds=-1) < age < timedelta(minutes=5)


def test_a_pattern_without_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["usage", "--with", "snapshots/*.yaml"]) == 2
    assert capsys.readouterr().err == "quotalint: --with snapshots/*.yaml: no file matches\n"
