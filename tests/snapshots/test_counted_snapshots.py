"""What a snapshot that was taken adds to the use of quotas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fake_kubectl import FakeKubectl
from live_cluster import CLUSTER, deployment, printed, quota

from quotalint.cli import run


def usage(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run(["usage", "--format", "json", *arguments]) == 0
    return {
        f"{quota['namespace']}/{row['resource']}": row
        for quota in json.loads(capsys.readouterr().out)["quotas"]
        for row in quota["resources"]
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
    assert [(skipped_file["file"], skipped_file["reason"]) for skipped_file in skipped] == [
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
    ("used", "hard", "message"),
    [
        (("0", "0"), "8", "never used"),
        (("2", "1"), "20", "allows 10 times as much"),
        (("19", "7"), "20", "close to its limit"),
        (("21", "7"), "20", "more than it allows"),
        (("10", "7"), "20", ""),
    ],
)
def test_what_the_largest_use_means_is_said(
    used: tuple[str, str], hard: str, message: str, kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("quota.yaml").write_text(QUOTA % ("shop", f"pods: {hard}"))
    for day, pods in zip(("2026-11-01", "2026-11-08"), used, strict=True):
        take(kubectl, capsys, "--stamp", day, "-o", f"../{day}.yaml", resourcequotas=[quota(pods)])
    assert run(["usage", "--with", "../2026*.yaml"]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("  largest"))
    when = ["2026-11-01"] if used[0] != "0" else []
    assert line.split() == ["largest", "pods", used[0], "of", hard, *when, *message.split()]


def test_a_snapshot_goes_to_the_environment_that_it_names(
    kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]
) -> None:
    for environment in ("dev", "prod"):
        Path("clusters", environment).mkdir(parents=True)
        Path("clusters", environment, "quota.yaml").write_text(QUOTA % ("shop", "pods: 8"))
    take(kubectl, capsys, "-e", "prod", "-o", "../prod.yaml")
    assert run(["usage", "--format", "json", "--with", "../prod.yaml"]) == 0
    certainties = {quota["environment"]: quota["certainty"] for quota in json.loads(capsys.readouterr().out)["quotas"]}
    assert certainties == {"dev": "unknown", "prod": "exact"}
    take(kubectl, capsys, "-e", "stage", "-o", "../stage.yaml")
    assert run(["usage", "--with", "../stage.yaml"]) == 2
    assert "there is no environment stage" in capsys.readouterr().err


def test_what_kubectl_wrote_beside_the_manifests_is_not_one_of_them(
    kubectl: FakeKubectl, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("quota.yaml").write_text(QUOTA % ("shop", "pods: 8"))
    listed = {"apiVersion": "v1", "kind": "List", "items": [deployment(3), deployment(2, "cart")]}
    Path("cluster.yaml").write_text(json.dumps(listed))
    written = deployment(5)
    written["spec"]["selector"] = {"matchLabels": written["spec"]["template"]["metadata"]["labels"]}
    Path("web.yaml").write_text(json.dumps(written))
    row = usage(capsys, "--with", "cluster.yaml")["shop/pods"]
    assert (row["steady"], row["certainty"]) == ("7", "exact")
    assert run(["check", "--with", "./cluster.yaml", "."]) == 0
    assert "QL005" not in capsys.readouterr().out
