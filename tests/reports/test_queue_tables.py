"""ClusterQueues beside quotas in `usage`: what each may admit, and what runs of it at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from queue_manifests import Manifest, local_queue, queue_object, quotas

from quotalint.cli import run
from quotalint.runtime.data import load_schema


def job(name: str, namespace: str, cpu: int) -> Manifest:
    containers = [{"name": "a", "image": "a", "resources": {"requests": {"cpu": cpu}}}]
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "namespace": namespace, "labels": {"kueue.x-k8s.io/queue-name": "main"}},
        "spec": {"template": {"spec": {"restartPolicy": "Never", "containers": containers}}},
    }


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """What `usage` says of each queue, by name."""

    def used(*manifests: Manifest) -> dict[str, Any]:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "all.yaml").write_text("\n---\n".join(map(json.dumps, manifests)))
        run(["usage", "--format", "json", "--no-cache"])
        report = json.loads(capsys.readouterr().out)
        schema: Any = load_schema("report")
        of_quotas = {**schema["properties"]["quotas"], "$defs": schema["$defs"]}
        Draft202012Validator(of_quotas).validate(report["quotas"])
        return {table["name"]: table for table in report["quotas"]}

    return used


def shared(**of_red: object) -> Manifest:
    return queue_object("ClusterQueue", "shared", {"red": quotas(**of_red), "blue": quotas(cpu=2)})


def test_a_queue_has_what_runs_at_once_in_all_its_namespaces(tables: Any) -> None:
    queues = [shared(cpu=6), local_queue("main", "shared", "a"), local_queue("main", "shared", "b")]
    table = tables(*queues, job("one", "a", 5), job("two", "b", 2), job("three", "b", 1), job("four", "b", 4))["shared"]
    rows = {row["resource"]: (row["steady"], row["hard"]) for row in table["resources"]}
    assert rows == {"cpu (red)": ("6", "6"), "cpu (blue)": ("2", "2")}
    assert (table["kind"], table["namespaces"], table["certainty"]) == ("ClusterQueue", [], "assumed")
    assert [consumer["name"] for consumer in table["consumers"]] == ["one", "two", "three"]
    assert table["unknowns"] == ["1 waits: four"]


def test_a_queue_without_workloads_is_not_known_to_be_empty(tables: Any) -> None:
    queue = queue_object("ClusterQueue", "shared", {"red": quotas(memory="64Gi")})
    table = tables(queue, local_queue("main", "shared", "a"))["shared"]
    assert table["certainty"] == "unknown"
    assert [(row["resource"], row["hard"]) for row in table["resources"]] == [("memory", "64Gi")]
