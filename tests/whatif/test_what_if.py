"""A change that nobody has written yet: what is meant, what it does, and how many more fit."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from yaml_texts import dump_documents

from quotalint.cli import run
from quotalint.cli.actions import result_of
from quotalint.cli.request import Request
from quotalint.quota.headroom import headrooms
from quotalint.settings import Scenario
from quotalint.whatif.wishes import Unclear, Wish, wish

SCHEMAS = [json.loads(path.read_text()) for path in (Path(__file__).parents[2] / "schemas").glob("*.schema.json")]


@pytest.mark.parametrize(
    ("text", "kind", "subject", "value"),
    [
        ("web=12", "replicas", "web", "12"),
        ("web.v2=12", "replicas", "web.v2", "12"),
        ("shop/Deployment/web.replicas=0", "replicas", "shop/Deployment/web", "0"),
        ("web.max=3", "max", "web", "3"),
        ("web.requests.nvidia.com/gpu=1", "container", "web", "1"),
        ("quota.shop/base.requests.cpu=1500m", "quota", "shop/base.requests.cpu", "1500m"),
        ("nodes=3", "nodes", "", "3"),
        ("node-loss=1", "node-loss", "", "1"),
        ("+more", "added", "more", ""),
        ("+chart:a/b@c", "chart", "a/b", "c"),
    ],
)
def test_what_is_meant(text: str, kind: str, subject: str, value: str) -> None:
    unclear = wish(text)
    assert not isinstance(unclear, Unclear)
    assert (unclear.kind, unclear.subject, unclear.value) == (kind, subject, value)


@pytest.mark.parametrize(
    "text", ["=1", "web=", "web=-1", "web=1.5", "web=99999999999", "web.requests.cpu=x", "+", "a=²"]
)
def test_what_means_nothing(text: str) -> None:
    assert isinstance(wish(text), Unclear)


@given(st.text())
def test_nothing_that_is_typed_raises(text: str) -> None:
    assert isinstance(wish(text), (Wish, Unclear))


def deployment(name: str, replicas: int, cpu: int, surge: Any, gone: Any) -> dict[str, Any]:
    containers = [{"name": "c", "resources": {"requests": {"cpu": f"{cpu}m"}}}]
    spec = {
        "replicas": replicas,
        "strategy": {"rollingUpdate": {"maxSurge": surge, "maxUnavailable": gone}},
        "selector": {"matchLabels": {"a": name}},
        "template": {"metadata": {"labels": {"a": name}}, "spec": {"containers": containers}},
    }
    metadata = {"name": name, "namespace": "shop"}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}


def findings(folder: str, replicas: int, capsys: pytest.CaptureFixture[str]) -> set[str]:
    """What is new about sums with so many replicas of `web`."""
    run(["what-if", f"web={replicas}", folder, "-f", "json", "--select", "QL301,QL302"])
    report = json.loads(capsys.readouterr().out)
    return {finding["rule"] for finding in report["findings"]["new"]}


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.integers(0, 4),
    st.integers(1, 900),
    st.sampled_from([1, 2, "25%", "100%"]),
    st.sampled_from([0, 1, "25%"]),
    st.integers(0, 3),
    st.integers(500, 12000),
    st.integers(8, 30),
)
@example(4, 51, 1, 0, 3, 500, 30)
def test_so_many_fit_and_one_more_does_not(
    capsys: pytest.CaptureFixture[str],
    replicas: int,
    cpu: int,
    surge: Any,
    gone: Any,
    others: int,
    hard: int,
    pods: int,
) -> None:
    with TemporaryDirectory() as name:
        limits = {"requests.cpu": f"{hard}m", "pods": str(pods)}
        quota = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q", "namespace": "shop"}}
        documents = [
            {**quota, "spec": {"hard": limits}},
            deployment("web", replicas, cpu, surge, gone),
            deployment("other", others, 100, 1, 0),
        ]
        (Path(name) / "a.yaml").write_text(dump_documents(documents))
        (Path(name) / ".quotalint.yaml").write_text("{}\n")
        (facts,) = result_of(Request((name,), quiet=True)).environments
        capsys.readouterr()
        (web,) = [headroom for headroom in headrooms(facts.charges, facts.admissions) if headroom.owner.name == "web"]
        if any(projection.exceeds(Scenario.STEADY) for projection in facts.projections):
            assert web.steady == 0
            return
        fits = findings(name, replicas + web.steady, capsys)
        assert "QL301" not in fits
        assert "QL301" in findings(name, replicas + web.steady + 1, capsys)
        if web.rolling:
            assert "QL302" not in findings_of_web(name, replicas + web.rolling, capsys)
        if web.rolling is not None and web.rolling < web.steady:
            assert "QL302" in findings_of_web(name, replicas + web.rolling + 1, capsys)


def of_other_kinds(folder: Path, spec: dict[str, object]) -> tuple[tuple[str, int], ...]:
    """How many more of each workload fit below 5 pods, beside a Widget of this spec."""
    quota = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q", "namespace": "shop"}}
    widget = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w", "namespace": "shop"}}
    template = {"spec": {"containers": [{"name": "a", "image": "a"}]}}
    documents = [{**quota, "spec": {"hard": {"pods": "5"}}}, {**widget, "spec": {"template": template, **spec}}]
    (folder / "a.yaml").write_text(dump_documents(documents))
    keys = {"podTemplate": "spec.template", "replicas": next((f"spec.{key}" for key in spec), "spec.replicas")}
    (folder / ".quotalint.yaml").write_text(json.dumps({"workloads": {"Widget.example.com": keys}}))
    (facts,) = result_of(Request((".",), quiet=True)).environments
    return tuple((room.owner.name, room.steady) for room in headrooms(facts.charges, facts.admissions))


@pytest.mark.parametrize(
    ("spec", "fit"),
    [
        ({"replicas": 2}, (("w", 3),)),
        # Nothing says what one more of these would be.
        ({"pods": 4, "replicas": 2}, ()),
        ({"replicas": 0}, ()),
        ({"replicas": "2"}, ()),
        ({"pods": 2}, ()),
    ],
)
def test_how_many_more_fit_of_a_kind_of_others(
    spec: dict[str, object], fit: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert of_other_kinds(tmp_path, spec) == fit


def findings_of_web(folder: str, replicas: int, capsys: pytest.CaptureFixture[str]) -> set[str]:
    """The rules that say something of `web` itself then, new or not."""
    run(["what-if", f"web={replicas}", folder, "-f", "json", "--select", "QL302"])
    report = json.loads(capsys.readouterr().out)["findings"]
    findings = [*report["new"], *report["unchanged"], *(item for item in report["still"])]
    return {finding["rule"] for finding in findings if (finding.get("object") or {}).get("name") == "web"}


def repository(folder: Path) -> None:
    quota = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q.v1", "namespace": "shop"}}
    documents = [{**quota, "spec": {"hard": {"pods": "5"}}}, deployment("web", 2, 100, 1, 0)]
    (folder / "a.yaml").write_text(dump_documents(documents))
    (folder / ".quotalint.yaml").write_text("{}\n")


def test_nothing_is_written_and_json_is_as_of_diff(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository(tmp_path)
    before = (tmp_path / "a.yaml").read_bytes()
    monkeypatch.chdir(tmp_path)
    assert run(["what-if", "web=9", "quota.shop/q.v1.pods=7", "-f", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    promise = next(schema for schema in SCHEMAS if schema.get("$id", "").endswith("/diff.schema.json"))
    resources = [(schema["$id"], Resource.from_contents(schema)) for schema in SCHEMAS if "$id" in schema]
    Draft202012Validator(promise, registry=Registry().with_resources(resources)).validate(report)
    (pods,) = report["quotas"][0]["resources"]
    assert (pods["hard"], pods["steady"]) == ({"before": "5", "after": "7"}, {"before": "2", "after": "9"})
    assert (tmp_path / "a.yaml").read_bytes() == before


def test_it_is_told_in_other_formats_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert run(["what-if", "web=9", "-f", "markdown"]) == 1
    assert "4 short" in capsys.readouterr().out
    assert run(["what-if", "web=3", "-f", "html"]) == 0
    assert "<html" in capsys.readouterr().out


def test_manifests_that_are_not_there_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "repo").mkdir()
    repository(tmp_path / "repo")
    more = deployment("more", 4, 100, 1, 0)
    del more["metadata"]["namespace"]
    (tmp_path / "more.yaml").write_text(dump_documents([more]))
    monkeypatch.chdir(tmp_path / "repo")
    assert run(["what-if", "+../more.yaml"]) == 2
    assert "it names no namespace; write" in capsys.readouterr().err
    assert run(["what-if", "+../more.yaml@shop"]) == 1
    assert "1 short of pods" in capsys.readouterr().out
    assert run(["what-if", "+nowhere"]) == 2


def test_fewer_replicas_leave_room_for_their_rollout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Two fit at rest, and no rolling update of two could ever begin.
    monkeypatch.chdir(tmp_path)
    quota = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q", "namespace": "shop"}}
    documents = [{**quota, "spec": {"hard": {"requests.cpu": "250m"}}}, deployment("web", 1, 100, 1, 0)]
    (tmp_path / "a.yaml").write_text(dump_documents(documents))
    (tmp_path / ".quotalint.yaml").write_text("{}\n")
    run(["what-if", "web=3", "."])
    assert "Do one of: replicas: 1 in a.yaml" in " ".join(capsys.readouterr().out.split())
    assert "QL302" in findings_of_web(".", 2, capsys)
    assert findings_of_web(".", 1, capsys) == set()
