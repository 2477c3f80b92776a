"""A rule is its YAML and one function: everything else follows from these two."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from git_repositories import Repository, difference
from written_files import write_as_is

from quotalint import catalogue, pipeline
from quotalint.accounts.facts import Facts
from quotalint.checks import checks
from quotalint.checks.hit import Check, Hit
from quotalint.cli import run
from quotalint.quota.quotas import Quota
from quotalint.runtime.data import rules_folder

NEW = """\
id: QL299
name: an-example
severity: warning
since: "1.0"
looks_at: object
stands_alone: true
repair: none
supersedes: [QL208]
summary: a quota without pods
headline: quota {quota} says nothing of pods
message: quota {quota} says nothing of pods
label: no pods
help: write pods
rationale: It is an example.
kubernetes: []
known_problems: ""
bad: []
good: []
"""
QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: base}\nspec: {hard: {}}\n"


def _says_nothing_of_pods(quota: Quota, facts: Facts) -> Iterator[Hit]:
    if "pods" not in quota.hard:
        yield Hit(quota.object.at("spec"), {"quota": quota.name}, quota.object, "spec")


@pytest.fixture
def new_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path / "rules"
    folder.mkdir()
    for path in Path(rules_folder()).iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "QL299-an-example.yaml").write_text(NEW)
    monkeypatch.setattr(catalogue, "rules_folder", lambda: str(folder))
    monkeypatch.setattr(pipeline, "checks", lambda: (*checks(), Check("QL299", Quota, _says_nothing_of_pods)))
    catalogue._rule_files.cache_clear()
    catalogue.rule_by_id.cache_clear()
    (tmp_path / "repo").mkdir()
    monkeypatch.chdir(tmp_path / "repo")
    yield
    monkeypatch.undo()
    catalogue._rule_files.cache_clear()
    catalogue.rule_by_id.cache_clear()


def checked(files: dict[str, str], capsys: pytest.CaptureFixture[str], *options: str) -> str:
    write_as_is(Path(), files)
    capsys.readouterr()
    run(["check", "--jobs", "1", *options, "."])
    return capsys.readouterr().out


def found(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str]]:
    report = json.loads(checked(files, capsys, "--format", "json"))
    return [(finding["rule"], finding["file"]) for finding in report["findings"] if finding["suppressed"] is None]


@pytest.mark.usefixtures("new_rule")
def test_it_is_reported_in_place_of_what_it_supersedes(capsys: pytest.CaptureFixture[str]) -> None:
    assert found({"quota.yaml": QUOTA}, capsys) == [("QL299", "quota.yaml")]


@pytest.mark.usefixtures("new_rule")
def test_it_speaks_of_what_nobody_applies(capsys: pytest.CaptureFixture[str]) -> None:
    host = "apiVersion: hive.openshift.io/v1\nkind: SyncSet\nmetadata: {name: a}\nspec:\n  resources:\n"
    inside = "  - {apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {hard: {configmaps: 1}}}\n"
    assert found({"set.yaml": host + inside}, capsys) == [("QL299", "set.yaml")]


@pytest.mark.usefixtures("new_rule")
def test_it_is_silenced_and_what_silences_nothing_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    comment = "# quotalint: ignore[QL299] no pods here\n"
    full = QUOTA.replace("hard: {}", "hard: {pods: 1}")
    assert found({"a.yaml": comment + QUOTA, "b.yaml": comment + full.replace("base", "full")}, capsys) == [
        ("QL006", "b.yaml")
    ]


@pytest.mark.usefixtures("new_rule")
def test_the_catalogue_and_sarif_know_it(capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(checked({"quota.yaml": QUOTA}, capsys, "--format", "sarif"))
    assert [rule["id"] for rule in report["runs"][0]["tool"]["driver"]["rules"]] == ["QL299"]
    run(["rules"])
    listed = capsys.readouterr().out
    assert "an-example" in listed
    run(["explain", "QL299"])
    assert "It is an example." in capsys.readouterr().out


APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  project: default
  source: {repoURL: https://example.com/repo.git, path: apps/web, targetRevision: HEAD}
  destination: {server: https://kubernetes.default.svc, namespace: web}
"""


@pytest.mark.usefixtures("new_rule")
def test_it_speaks_of_a_base_that_nothing_deploys(capsys: pytest.CaptureFixture[str]) -> None:
    config_map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
    files = {"clusters/a/web.yaml": APPLICATION, "apps/web/a.yaml": config_map, "idle/quota.yaml": QUOTA}
    assert found(files, capsys) == [("QL299", "idle/quota.yaml")]


@pytest.mark.usefixtures("new_rule")
def test_a_change_that_brings_it_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    repository = Repository(Path.cwd(), {"quota.yaml": QUOTA.replace("hard: {}", "hard: {pods: 1}")})
    repository.commit({"quota.yaml": QUOTA})
    capsys.readouterr()
    _, report = difference(capsys, "HEAD~1", "HEAD")
    assert [finding["rule"] for finding in report["findings"]["new"]] == ["QL299"]


@pytest.mark.usefixtures("new_rule")
def test_it_has_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "docs" / "_site"))
    page = import_module("rule_pages").rule_page("QL299")
    assert "# QL299 an-example" in page
    assert "It is an example." in page
