"""A snapshot of the cluster beside the repository."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import Outcome, outcome_of
from manifests import quota, web
from pipeline_runs import run_pipeline
from written_files import Files, write
from yaml_texts import dump_documents, load_documents

from quotalint.snapshots import snapshot as module
from quotalint.snapshots.snapshot import Snapshot, read_snapshot
from quotalint.text.documents import Failure


def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: Files, *shown: Snapshot | Failure) -> Outcome:
    write(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    snapshots = [failure for failure in shown if isinstance(failure, Snapshot)]
    return outcome_of(run_pipeline(snapshots=snapshots))


def of(*manifests: str, environment: str = "") -> Snapshot | Failure:
    return read_snapshot("---\n".join(manifests).encode(), "cluster.yaml", environment)


POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: web-5d4f8-abcde
  namespace: team-a
  labels: {pod-template-hash: 5d4f8}
  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-5d4f8, uid: u, controller: true}]
spec: {containers: [{name: web, image: web}]}
"""
FINISHED = POD.replace("web-5d4f8-abcde", "migrate").replace("ReplicaSet", "Job") + "status: {phase: Succeeded}\n"


@pytest.mark.parametrize(
    ("files", "shown", "expected"),
    [
        pytest.param({"q.yaml": quota("team-a")}, [web(3, "team-a")], ["team-a/base pods 3/8 exact"], id="only quotas"),
        pytest.param(
            {"w.yaml": web(3, "team-a")}, [quota("team-a")], ["team-a/base pods 3/8 exact"], id="only workloads"
        ),
        pytest.param(
            {"q.yaml": quota("team-a")}, [web(3, "team-b")], ["team-a/base pods 0/8 exact"], id="an empty namespace"
        ),
        pytest.param(
            {"q.yaml": quota("team-a"), "w.yaml": web(3, "team-a")},
            [quota("team-a", hard='pods: "2"'), web(5, "team-a")],
            ["team-a/base pods 3/8 exact"],
            id="the repository takes precedence",
        ),
        pytest.param(
            {"q.yaml": quota("team-a"), "w.yaml": web(3, "team-a")},
            [POD],
            ["team-a/base pods 3/8 exact"],
            id="a pod of a Deployment",
        ),
        pytest.param({"q.yaml": quota("team-a")}, [POD], ["team-a/base pods 1/8 exact"], id="a pod of nobody in view"),
        pytest.param(
            {"q.yaml": quota("team-a")},
            [FINISHED, web(1, "team-a")],
            ["team-a/base pods 1/8 exact"],
            id="a finished pod",
        ),
    ],
)
def test_sums_are_of_both(
    files: Files, shown: list[str], expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert beside(tmp_path, monkeypatch, files, of(*shown)) == Outcome(expected, [])


def test_flaws_of_the_cluster_are_not_reported_but_what_they_do_to_the_repository_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"web.yaml": web(3, "team-a")}
    foreign = quota("team-a", hard='pods: "2", nvidia.com/gpu: "1"') + "---\n" + quota("team-b", hard='pods: "x"')
    (tmp_path / "cluster.txt").write_text(foreign)
    shown = read_snapshot(foreign.encode(), "cluster.txt")
    assert beside(tmp_path, monkeypatch, files, shown).findings == ["cluster.txt:4:15 QL301 error"]


def test_one_environment_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"overlays/{stage}/quota.yaml": quota("team-a") for stage in ("dev", "prod")}
    outcome = beside(tmp_path, monkeypatch, files, of(web(3, "team-a"), environment="prod"))
    assert outcome.quotas == ["dev: team-a/base pods ?/8 unknown", "prod: team-a/base pods 3/8 exact"]


def items(number: int) -> str:
    documents = [next(load_documents(web(1, "team-a", f"web-{index}"))) for index in range(number)]
    return dump_documents([{"apiVersion": "v1", "items": documents, "kind": "List"}], sort_keys=False)


def test_a_long_list_is_read_item_by_item_to_the_same_end(monkeypatch: pytest.MonkeyPatch) -> None:
    data = items(300).encode()
    whole = read_snapshot(data, "cluster.yaml")
    monkeypatch.setattr(module, "_WHOLE", 0)
    by_item = read_snapshot(data, "cluster.yaml")
    assert isinstance(whole, Snapshot)
    assert (by_item, len(whole.objects)) == (whole, 300)


def test_what_cannot_be_read_in_a_long_list_has_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    data = items(3).replace("name: web-2", "name: [web-2").encode()
    whole = read_snapshot(data, "cluster.yaml")
    monkeypatch.setattr(module, "_WHOLE", 0)
    by_item = read_snapshot(data, "cluster.yaml")
    assert isinstance(whole, Failure)
    assert isinstance(by_item, Failure)
    assert abs(by_item.line - whole.line) <= 1
