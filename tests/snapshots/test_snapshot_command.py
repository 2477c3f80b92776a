"""`quotalint snapshot`, with a program that stands for kubectl: never a cluster."""

from __future__ import annotations

import io
import json
import random
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
import yaml
from fake_kubectl import FakeKubectl

from quotalint.cli import run

TEMPLATE: dict[str, Any] = {
    "metadata": {"labels": {"app": "web"}, "annotations": {"token": "s3cr3t"}},
    "spec": {
        "containers": [
            {
                "name": "web",
                "image": "registry.example.com/web:1",
                "command": ["serve", "--password=s3cr3t"],
                "env": [{"name": "PASSWORD", "value": "s3cr3t"}],
                "resources": {"requests": {"cpu": "500m"}},
            }
        ]
    },
}


def live(api_version: str, kind: str, name: str, namespace: str = "shop", **more: Any) -> dict[str, Any]:
    """An object as a server has it."""
    metadata = {
        "name": name,
        **({"namespace": namespace} if namespace else {}),
        "uid": f"u-{name}",
        "resourceVersion": str(random.random()),
        "creationTimestamp": "2026-01-01T00:00:00Z",
        "managedFields": [{"manager": "kubectl"}],
        "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "s3cr3t", "meta.helm.sh/release-name": "w"},
        **more.pop("metadata", {}),
    }
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **more}


def owner(api_version: str, kind: str, name: str) -> dict[str, Any]:
    reference = {"apiVersion": api_version, "kind": kind, "name": name, "uid": "u", "controller": True}
    return {"ownerReferences": [reference]}


def deployment(replicas: int = 3, name: str = "web", namespace: str = "shop") -> dict[str, Any]:
    spec = {"replicas": replicas, "template": TEMPLATE}
    return live("apps/v1", "Deployment", name, namespace, spec=spec, status={"readyReplicas": replicas})


def quota(used: str = "3", hard: str = "8", namespace: str = "shop") -> dict[str, Any]:
    status = {"hard": {"pods": hard}, "used": {"pods": used}}
    return live("v1", "ResourceQuota", "base", namespace, spec={"hard": {"pods": hard}}, status=status)


CLUSTER: dict[str, list[dict[str, Any]]] = {
    "namespaces": [live("v1", "Namespace", "shop", "")],
    "resourcequotas": [quota()],
    "limitranges": [],
    "pods": [
        live("v1", "Pod", "web-5d-a", metadata=owner("apps/v1", "ReplicaSet", "web-5d"), spec=TEMPLATE["spec"]),
        live("v1", "Pod", "db-0", metadata=owner("db.example.com/v1", "Database", "db"), spec=TEMPLATE["spec"]),
        live("v1", "Pod", "done", spec=TEMPLATE["spec"], status={"phase": "Succeeded"}),
    ],
    "deployments.apps": [deployment()],
    "replicasets.apps": [
        live("apps/v1", "ReplicaSet", "web-5d", metadata=owner("apps/v1", "Deployment", "web"), spec={"replicas": 3})
    ],
    "jobs.batch": [
        live(
            *("batch/v1", "Job", "migrate"),
            spec={"template": TEMPLATE},
            status={"conditions": [{"type": "Complete", "status": "True"}]},
        )
    ],
    "secrets": [live("v1", "Secret", "token", data={"token": "czNjcjN0"})],
    "rollouts.argoproj.io": [
        live(
            "argoproj.io/v1alpha1",
            "Rollout",
            "canary",
            spec={"replicas": 2, "strategy": {"canary": {}}, "template": TEMPLATE},
        )
    ],
}


@pytest.fixture
def kubectl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeKubectl:
    (tmp_path / "repo").mkdir()
    monkeypatch.chdir(tmp_path / "repo")
    found = FakeKubectl(tmp_path / "bin")
    monkeypatch.setenv("PATH", found.path)
    return found


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> tuple[str, str]:
    assert run(["snapshot", *arguments]) == status
    out, err = capsys.readouterr()
    return out, err


def items(text: str) -> dict[str, Any]:
    return {f"{one['kind']}/{one['metadata']['name']}": one for one in yaml.safe_load(text)["items"]}


def test_what_is_kept(kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]) -> None:
    kubectl.answers(CLUSTER)
    out, err = printed(capsys)
    found = items(out)
    assert err == ""
    assert set(found) == {
        *("Snapshot/prod-eu", "Namespace/shop", "ResourceQuota/base", "Deployment/web", "Rollout/canary"),
        *("Pod/db-0", "Job/migrate"),
    }
    assert found["Deployment/web"] == {
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
    assert found["ResourceQuota/base"]["status"] == {"used": {"pods": "3"}}
    assert found["Job/migrate"]["spec"]["suspend"] is True


def test_nothing_secret_and_nothing_that_changes_by_itself(
    kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]
) -> None:
    kubectl.answers(CLUSTER)
    out, _ = printed(capsys)
    assert [word for word in ("s3cr3t", "czNjcjN0", "uid", "resourceVersion", "creation", "ready") if word in out] == []
    assert not any("secrets" in one["argv"] for one in kubectl.asked)


def test_the_same_cluster_is_the_same_file(kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]) -> None:
    kubectl.answers(CLUSTER)
    first, _ = printed(capsys)
    shuffled = {name: [dict(reversed(one.items())) for one in reversed(found)] for name, found in CLUSTER.items()}
    kubectl.answers(dict(reversed(shuffled.items())))
    assert printed(capsys)[0] == first


def test_it_is_run_for_this_user_and_context(
    kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBECONFIG", "/somewhere/config")
    kubectl.answers(CLUSTER)
    out, _ = printed(capsys, "--context", "staging", "-e", "stage", "--stamp", "2026-11-01")
    assert {one["kubeconfig"] for one in kubectl.asked} == {"/somewhere/config"}
    assert {one["argv"][0] for one in kubectl.asked} == {"--context=staging"}
    assert items(out)["Snapshot/staging"]["spec"] | {"read": []} == {
        "environment": "stage",
        "read": [],
        "taken": "2026-11-01",
    }
    assert {"get", "api-resources"} == {one["argv"][1] for one in kubectl.asked}


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
    assert {one["path"] for one in kubectl.asked} == {whole}


def test_no_cluster(kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]) -> None:
    said = {"errors": "E1122 memcache.go\nUnable to connect to the server: dial tcp: no such host\n", "status": 1}
    kubectl.answers({}, others={"api-resources --verbs=list -o name": said})
    out, err = printed(capsys, status=2)
    assert (out, err) == (
        "",
        "quotalint: kubectl cannot reach the cluster: Unable to connect to the server: dial tcp: no such host\n",
    )


REFUSAL = 'jobs.batch is forbidden: User "me" cannot list resource "jobs" in API group "batch" at the cluster scope'


def test_what_is_forbidden_is_said_and_written_down(kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]) -> None:
    kubectl.answers({name: found for name, found in CLUSTER.items() if name != "jobs.batch"}, {"jobs.batch": REFUSAL})
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
    dump = {"apiVersion": "v1", "kind": "List", "items": [one for found in CLUSTER.values() for one in found]}
    (tmp_path / "dump.json").write_text(json.dumps(dump))
    out, _ = printed(capsys, "--from", str(tmp_path / "dump.json"))
    assert "Deployment/web" in items(out)
    # Of a Secret in the dump nothing but its name is kept.
    assert "czNjcjN0" not in out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(yaml.safe_dump(dump).encode())))
    assert printed(capsys, "--from", "-")[0] == out
    assert kubectl.asked == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "No such file or directory"),
        ("a: [", "line 1"),
        ("a: 1", "there is no Kubernetes object in it"),
        ("", "there is no Kubernetes object in it"),
    ],
)
def test_a_dump_that_is_none(
    content: str | None, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "dump.yaml"
    if content is not None:
        path.write_text(content)
    _, err = printed(capsys, "--from", str(path), status=2)
    assert err.startswith(f"quotalint: --from {path}: ") and said in err


def test_a_file_is_written_as_a_whole(kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]) -> None:
    kubectl.answers(CLUSTER)
    whole, _ = printed(capsys)
    assert printed(capsys, "-o", "cluster.yaml") == ("", "wrote cluster.yaml\n")
    assert Path("cluster.yaml").read_text() == whole
    assert printed(capsys, "--stamp", "yesterday", status=2)[1].startswith(
        "quotalint: --stamp yesterday: it is no time"
    )


def test_the_time_is_now_where_none_is_given(kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]) -> None:
    kubectl.answers(CLUSTER)
    taken = items(printed(capsys, "--stamp")[0])["Snapshot/prod-eu"]["spec"]["taken"]
    age = datetime.now(timezone.utc) - datetime.fromisoformat(taken.replace("Z", "+00:00"))
    assert timedelta(seconds=-1) < age < timedelta(minutes=5)


def usage(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run(["usage", "--format", "json", *arguments]) == 0
    return {
        f"{one['namespace']}/{row['resource']}": row
        for one in json.loads(capsys.readouterr().out)["quotas"]
        for row in one["resources"]
    }


QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: base, namespace: %s}\nspec: {hard: {%s}}\n"


def take(kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str], *arguments: str, **changes: Any) -> None:
    kubectl.answers(CLUSTER | changes)
    printed(capsys, *arguments)


def test_what_is_live_and_declared_by_nobody_counts(kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]) -> None:
    Path("quota.yaml").write_text(QUOTA % ("shop", "pods: 8"))
    take(kubectl, capsys, "-o", "../cluster.yaml")
    row = usage(capsys, "--with", "../cluster.yaml")["shop/pods"]
    # Three of web, two of canary, and the one that an operator made.
    assert (row["steady"], row["used"], row["certainty"]) == ("6", "3", "exact")


def test_what_could_not_be_read_makes_a_lower_bound(kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]) -> None:
    Path("quota.yaml").write_text(QUOTA % ("shop", "pods: 8, services: 4, count/secrets: 4"))
    kubectl.answers(CLUSTER, {"jobs.batch": "jobs.batch is forbidden", "services": "services is forbidden"})
    printed(capsys, "-o", "../cluster.yaml")
    rows = usage(capsys, "--with", "../cluster.yaml")
    assert {name: row["certainty"] for name, row in rows.items()} == {
        "shop/count/secrets": "at-least",
        "shop/pods": "at-least",
        "shop/services": "at-least",
    }
    kubectl.answers(CLUSTER, {"services": "services is forbidden"})
    printed(capsys, "-o", "../cluster.yaml")
    rows = usage(capsys, "--with", "../cluster.yaml")
    assert (rows["shop/pods"]["certainty"], rows["shop/services"]["certainty"]) == ("exact", "at-least")


def test_of_namespaces_that_were_not_asked_for_nothing_is_known(
    kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("quota.yaml").write_text(f"{QUOTA % ('shop', 'pods: 8')}---\n{QUOTA % ('other', 'pods: 8')}")
    kubectl.answers(CLUSTER)
    printed(capsys, "-n", "shop", "-o", "../shop.yaml")
    rows = usage(capsys, "--with", "../shop.yaml")
    assert (rows["shop/pods"]["steady"], rows["other/pods"]["certainty"]) == ("6", "unknown")
    printed(capsys, "-o", "../all.yaml")
    assert usage(capsys, "--with", "../all.yaml")["other/pods"]["certainty"] == "exact"


def test_a_snapshot_that_lies_in_the_repository_is_applied_by_nobody(
    kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("quota.yaml").write_text(QUOTA % ("shop", "pods: 4"))
    take(kubectl, capsys, "-o", "cluster.yaml")
    assert usage(capsys)["shop/pods"]["certainty"] == "unknown"
    assert usage(capsys, "--with", "cluster.yaml")["shop/pods"]["steady"] == "6"
    run(["check", "--format", "json"])
    skipped = json.loads(capsys.readouterr().out)["skipped"]
    assert [(one["file"], one["reason"]) for one in skipped] == [
        ("cluster.yaml", "a snapshot of a cluster, for --with")
    ]


def test_a_history_gives_the_largest_use_and_counts_the_newest_alone(
    kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("quota.yaml").write_text(QUOTA % ("shop", "pods: 8"))
    Path("snapshots").mkdir()
    for name, day, pods in (("z", "2026-11-01", "5"), ("a", "2026-11-08", "7"), ("m", "2026-11-15", "4")):
        changes = {"resourcequotas": [quota(pods)], "deployments.apps": [deployment(int(pods), f"web-{pods}")]}
        changes |= {"replicasets.apps": [], "pods": []}
        take(kubectl, capsys, "--stamp", day, "-o", f"snapshots/{name}.yaml", **changes)
    for given in (["--with", "snapshots/*.yaml"], [f"--with=snapshots/{name}.yaml" for name in "amz"]):
        row = usage(capsys, *given)["shop/pods"]
        # The newest has web-4, and canary with two.
        assert (row["steady"], row["used"], row["largest"]) == ("6", "4", {"amount": "7", "when": "2026-11-08"})


def test_without_times_the_names_of_the_files_are_the_order(
    kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("quota.yaml").write_text(QUOTA % ("shop", "pods: 8"))
    for number, pods in ((9, "5"), (10, "4")):
        take(kubectl, capsys, "-o", f"../{number}.yaml", resourcequotas=[quota(pods)])
    row = usage(capsys, "--with", "../*.yaml")["shop/pods"]
    assert (row["used"], row["largest"]) == ("4", {"amount": "5", "when": "9.yaml"})


def test_raw_dumps_of_several_days_are_a_history_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "repo").mkdir()
    monkeypatch.chdir(tmp_path / "repo")
    Path("quota.yaml").write_text(QUOTA % ("shop", "pods: 8"))
    for day, pods in (("2026-11-01", 6), ("2026-11-02", 2)):
        dump = {"apiVersion": "v1", "kind": "List", "items": [quota(str(pods)), deployment(pods, f"web-{pods}")]}
        (tmp_path / f"{day}.json").write_text(json.dumps(dump))
    row = usage(capsys, "--with", "../*.json")["shop/pods"]
    assert (row["steady"], row["largest"]) == ("2", {"amount": "6", "when": "2026-11-01.json"})


@pytest.mark.parametrize(
    ("used", "hard", "said"),
    [
        (("0", "0"), "8", "never used"),
        (("2", "1"), "20", "allows 10 times as much"),
        (("19", "7"), "20", "close to its limit"),
        (("21", "7"), "20", "more than it allows"),
        (("10", "7"), "20", ""),
    ],
)
def test_what_the_largest_use_means_is_said(
    used: tuple[str, str], hard: str, said: str, kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("quota.yaml").write_text(QUOTA % ("shop", f"pods: {hard}"))
    for day, pods in zip(("2026-11-01", "2026-11-08"), used, strict=True):
        take(kubectl, capsys, "--stamp", day, "-o", f"../{day}.yaml", resourcequotas=[quota(pods)])
    assert run(["usage", "--with", "../2026*.yaml"]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("  largest"))
    when = ["2026-11-01"] if used[0] != "0" else []
    assert line.split() == ["largest", "pods", used[0], "of", hard, *when, *said.split()]


def test_a_snapshot_goes_to_the_environment_that_it_names(
    kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]
) -> None:
    for environment in ("dev", "prod"):
        Path("clusters", environment).mkdir(parents=True)
        Path("clusters", environment, "quota.yaml").write_text(QUOTA % ("shop", "pods: 8"))
    take(kubectl, capsys, "-e", "prod", "-o", "../prod.yaml")
    assert run(["usage", "--format", "json", "--with", "../prod.yaml"]) == 0
    found = {one["environment"]: one["certainty"] for one in json.loads(capsys.readouterr().out)["quotas"]}
    assert found == {"dev": "unknown", "prod": "exact"}
    take(kubectl, capsys, "-e", "stage", "-o", "../stage.yaml")
    assert run(["usage", "--with", "../stage.yaml"]) == 2
    assert "there is no environment stage" in capsys.readouterr().err


def test_a_pattern_without_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["usage", "--with", "snapshots/*.yaml"]) == 2
    assert capsys.readouterr().err == "quotalint: --with snapshots/*.yaml: no file is called like this\n"
