"""What is proposed passes, is no more than it has to be, and is written where it may be and nowhere else."""

from __future__ import annotations

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from amounts import amount
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from manifests import quota
from yaml_texts import dump_documents, load_documents

from quotalint.cli import run
from quotalint.kube import quantity

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "suggest.schema.json").read_text())
SUMS = "QL301,QL302,QL303,QL304"

resources = st.fixed_dictionaries(
    {
        "requests": st.fixed_dictionaries(
            {
                "cpu": st.integers(1, 3000).map(lambda case: f"{case}m"),
                "memory": st.integers(1, 5000).map(lambda case: f"{case}Mi"),
            }
        )
    }
)
share = st.sampled_from(["0", 1, 2, "25%", "50%", "100%"])


def template(asked: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "resources": asked}], **spec}}


def workload(number: int, kind: str, replicas: int, asked: dict[str, Any], surge: Any, gone: Any) -> dict[str, Any]:
    name = f"w{number}"
    spec: dict[str, Any] = {"replicas": replicas, "selector": {"matchLabels": {"a": "b"}}, "template": template(asked)}
    if kind == "Deployment":
        surge = 1 if surge == "0" and gone == "0" else surge
        numbers = {"maxSurge": 0 if surge == "0" else surge, "maxUnavailable": 0 if gone == "0" else gone}
        spec["strategy"] = {"rollingUpdate": numbers}
    if kind == "CronJob":
        job = {"spec": {"parallelism": replicas or 1, "template": template(asked, restartPolicy="Never")}}
        spec = {"schedule": "0 * * * *", "jobTemplate": job}
        return {"apiVersion": "batch/v1", "kind": kind, "metadata": {"name": name, "namespace": "shop"}, "spec": spec}
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name, "namespace": "shop"}, "spec": spec}


def autoscaler(number: int, least: int, more: int) -> dict[str, Any]:
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": f"w{number}"}
    spec = {"minReplicas": least, "maxReplicas": least + more, "scaleTargetRef": target}
    metadata = {"name": f"h{number}", "namespace": "shop"}
    return {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": metadata, "spec": spec}


workloads = st.lists(
    st.tuples(
        st.sampled_from(["Deployment", "Deployment", "StatefulSet", "CronJob"]),
        st.integers(0, 7),
        resources,
        share,
        share,
        st.none() | st.tuples(st.integers(1, 5), st.integers(0, 6)),
    ),
    min_size=1,
    max_size=4,
)
hard = st.dictionaries(
    st.sampled_from(["requests.cpu", "requests.memory", "pods", "count/replicasets.apps", "count/jobs.batch"]),
    st.integers(0, 40).map(str),
    min_size=1,
)


def written(folder: Path, made: list[Any], limits: dict[str, str] | None) -> None:
    documents = []
    for number, (*item, scale) in enumerate(made):
        documents.append(workload(number, *item))
        if scale is not None and item[0] == "Deployment":
            documents.append(autoscaler(number, *scale))
    (folder / "apps.yaml").write_text(dump_documents(documents))
    if limits is not None:
        metadata = {"name": "q", "namespace": "shop"}
        body = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata, "spec": {"hard": limits}}
        (folder / "quota.yaml").write_text(dump_documents([body]))


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = run(arguments)
    return status, capsys.readouterr().out


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(workloads, st.none() | hard, st.sampled_from(["steady", "surge", "peak"]), st.integers(0, 60))
def test_what_is_proposed_passes(
    capsys: pytest.CaptureFixture[str], made: list[Any], limits: dict[str, str] | None, scenario: str, headroom: int
) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        written(folder, made, limits)
        out = folder / "new"
        # A folder of its own has no configuration or repository around it.
        (folder / ".quotalint.yaml").write_text("{}\n")
        status, _ = said(
            capsys, "suggest", name, "--scenario", scenario, "--headroom", f"{headroom}%", "--write", str(folder)
        )
        assert status == 0
        assert not out.exists()
        checked = said(capsys, "check", name, "--scenario", scenario, "--select", SUMS, "--fail-on", "info")
        assert checked[0] == 0, checked[1]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(workloads)
def test_one_grain_less_than_needed_is_too_little(capsys: pytest.CaptureFixture[str], made: list[Any]) -> None:
    # Of several autoscalers, `check` at rest asks for room for all as soon as one has none, so that less may be enough.
    scenario = "peak"
    with TemporaryDirectory() as name:
        folder = Path(name)
        written(folder, made, {"requests.cpu": "0", "requests.memory": "0", "pods": "0"})
        (folder / ".quotalint.yaml").write_text("{}\n")
        _, printed = said(capsys, "suggest", name, "--scenario", scenario, "-f", "json")
        needed = {entry["resource"]: entry["needed"] for entry in json.loads(printed)["quotas"][0]["entries"]}
        for resource, text in needed.items():
            parsed = amount(text)
            if not parsed.nano:
                continue
            grain = 10**9 if resource == "pods" else 10**6
            less = {**needed, resource: quantity.show(parsed._replace(nano=parsed.nano - grain, text=""))}
            written(folder, made, less)
            answer = said(capsys, "check", name, "--scenario", scenario, "--select", SUMS, "--fail-on", "info")
            assert answer[0] == 1, (resource, less)


def repository(folder: Path) -> None:
    written(folder, [("Deployment", 2, {"requests": {"cpu": "1", "memory": "1Gi"}}, 1, "0", None)], {"pods": "1"})
    (folder / ".quotalint.yaml").write_text("{}\n")


def test_the_report_is_what_its_schema_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository(tmp_path)
    (tmp_path / ".quotalint.yaml").write_text("capacity: {pods: 2, reserve: {pods: 1}}\n")
    monkeypatch.chdir(tmp_path)
    _, text = said(capsys, "suggest", "-f", "json")
    report = json.loads(text)
    Draft202012Validator(SCHEMA).validate(report)
    assert report["quotas"][0]["entries"][0]["after"] == "4"
    assert report["capacity"] == [
        {"environment": "", "resource": "pods", "promised": "4", "capacity": "2", "reserve": "1", "fits": False}
    ]
    assert [item.split()[0] for item in report["left"]] == ["QL502"]


def test_the_least_size_that_is_enough_is_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository(tmp_path)
    sizes = "sizes: {large: {pods: 90}, medium: {pods: 9}, small: {pods: 1}}\n"
    (tmp_path / ".quotalint.yaml").write_text(sizes)
    monkeypatch.chdir(tmp_path)
    _, text = said(capsys, "suggest", "-f", "json")
    (result,) = json.loads(text)["quotas"]
    assert (result["size"], result["entries"][0]["after"]) == ("medium", "9")
    (tmp_path / "quota.yaml").unlink()
    _, text = said(capsys, "suggest", "-f", "json", "--headroom", "900%")
    (result,) = json.loads(text)["quotas"]
    assert (result["new"], result["size"], [entry["after"] for entry in result["entries"]]) == (True, "large", ["90"])
    _, text = said(capsys, "suggest", "-f", "json", "--headroom", "9000%")
    (result,) = json.loads(text)["quotas"]
    assert (result["size"], result["notes"][-1]) == (None, "no size is large enough: large is the largest")


def test_comments_stay_where_a_quota_is_edited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository(tmp_path)
    text = "# ours\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: shop}\nspec:\n  hard:\n"
    (tmp_path / "quota.yaml").write_text(f"{text}    pods: 1 # few\n")
    monkeypatch.chdir(tmp_path)
    said(capsys, "suggest", "--write", ".")
    assert (tmp_path / "quota.yaml").read_text() == f"{text}    pods: 4 # few\n"


def test_nothing_outside_of_the_folder_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository(tmp_path)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path)
    before = (tmp_path / "quota.yaml").read_bytes()
    status = run(["suggest", "--write", "here"])
    assert status == 2
    assert "quota.yaml: it is not below here" in capsys.readouterr().err
    assert ((tmp_path / "quota.yaml").read_bytes(), os.listdir(tmp_path / "here")) == (before, [])


@pytest.fixture
def home_and_other(tmp_path: Path) -> tuple[Path, Path]:
    """A repository, and an empty folder beside it."""
    home, other = tmp_path / "home", tmp_path / "other"
    home.mkdir()
    other.mkdir()
    repository(home)
    return home, other


def test_no_symbolic_link_is_followed(
    home_and_other: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home, other = home_and_other
    (home / "quota.yaml").unlink()
    os.symlink(other / "shop.yaml", home / "shop.yaml")
    monkeypatch.chdir(home)
    assert run(["suggest", "--write", "."]) == 2
    assert "symbolic link" in capsys.readouterr().err
    assert os.listdir(other) == []


def test_a_folder_of_the_repository_that_leads_out_is_not_written_to(
    home_and_other: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home, other = home_and_other
    os.symlink(other, home / "out")
    monkeypatch.chdir(home)
    assert run(["suggest", "--write", "out"]) == 2
    assert "out: a symbolic link leads out of the repository" in capsys.readouterr().err
    assert os.listdir(other) == []
    assert run(["suggest", "--write", "../other"]) == 0
    assert os.listdir(other) != []


def test_what_somebody_wrote_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository(tmp_path)
    (tmp_path / "quota.yaml").unlink()
    (tmp_path / "shop.yaml").write_text("a: 1\n")
    monkeypatch.chdir(tmp_path)
    assert run(["suggest", "--write", "."]) == 2
    assert "something else is there already" in capsys.readouterr().err
    assert (tmp_path / "shop.yaml").read_text() == "a: 1\n"


def test_elsewhere_all_manifests_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    repository(home)
    before = (home / "quota.yaml").read_bytes()
    monkeypatch.chdir(home)
    for _ in range(2):  # what is ours may be written anew
        assert run(["suggest", "--write", "../out"]) == 0
    documents = list(load_documents((tmp_path / "out" / "shop.yaml").read_text()))
    assert [document["kind"] for document in documents] == ["ResourceQuota", "LimitRange"]
    assert documents[0]["spec"]["hard"] == {"pods": "4"}
    assert (home / "quota.yaml").read_bytes() == before


def test_a_lower_bound_lowers_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository(tmp_path)
    written(
        tmp_path, [("Deployment", 2, {"requests": {"cpu": "1"}}, 1, "0", None)], {"pods": "50", "requests.cpu": "1"}
    )
    (tmp_path / "secret.yaml").write_text("kind: Deployment\napiVersion: apps/v1\nmetadata: {namespace: shop\n")
    monkeypatch.chdir(tmp_path)
    _, text = said(capsys, "suggest", "-f", "json")
    entries = {entry["resource"]: entry for entry in json.loads(text)["quotas"][0]["entries"]}
    assert (entries["pods"]["after"], entries["pods"]["certainty"]) == ("50", "at-least")
    assert entries["requests.cpu"]["after"] == "4"
    assert entries["requests.cpu"]["unknowns"]


def test_a_namespace_of_which_nothing_is_known_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    body = quota("far", "q", "pods: 3")
    (tmp_path / "q.yaml").write_text(body)
    monkeypatch.chdir(tmp_path)
    status = run(["suggest"])
    out, err = capsys.readouterr()
    assert (status, out) == (0, "")
    assert "not sized: far/q" in err
    assert "no workload of the namespace is in view" in err
