"""Ways to have nothing said of a change: none of them hides the quota that it exceeds."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from git_repositories import Repository
from manifests import quota

from quotalint.cli import run

QUOTA = quota("a", "q", "requests.cpu: '1'")
WORKLOAD = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: w, namespace: a}
spec:
  replicas: 2
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec: {containers: [{name: c, image: x, resources: {requests: {cpu: '1'}}}]}
"""
SILENT = "failOn: never\nignore: [QL3]\n"
OVERLAY = "resources: [../b]\ncommonAnnotations: {quotalint.dev/ignore: QL}\n"

BASES: dict[str, dict[str, str]] = {
    "attributes": {},
    "a submodule that is none": {},
    "configuration in a folder": {},
    "configuration in another spelling": {},
    "a file that is extended": {".quotalint.yaml": "extends: conf/base.yaml\n", "conf/base.yaml": "scenario: steady\n"},
    "an older Kubernetes": {".quotalint.yaml": "scenario: peak\n"},
    "annotations of an overlay": {
        "b/q.yaml": QUOTA,
        "b/kustomization.yaml": "resources: [q.yaml]\n",
        "o/kustomization.yaml": "resources: [../b]\n",
    },
}
HEADS: dict[str, dict[str, str]] = {
    "attributes": {".gitattributes": "w.yaml export-ignore -diff binary linguist-generated filter=x\n"},
    "a submodule that is none": {".gitmodules": '[submodule "w"]\n\tpath = w.yaml\n\turl = https://example.com/x\n'},
    "configuration in a folder": {"apps/.quotalint.yaml": SILENT},
    "configuration in another spelling": {".Quotalint.yaml": SILENT, "quotalint.yaml": SILENT},
    "a file that is extended": {"conf/base.yaml": f"{SILENT}exclude: [w.yaml]\n"},
    "an older Kubernetes": {
        ".quotalint.yaml": "kubeVersion: '1.20'\nenforcement: deferred\nseverity: {QL301: info}\nselect: [QL1]\n"
    },
    "annotations of an overlay": {
        "b/w.yaml": WORKLOAD,
        "b/kustomization.yaml": "resources: [q.yaml, w.yaml]\n",
        "o/kustomization.yaml": OVERLAY,
    },
}


@pytest.mark.parametrize("way", HEADS)
def test_a_change_hides_nothing(way: str, repository: Repository, capsys: Any) -> None:
    overlay = "b/q.yaml" in BASES[way]
    repository.commit({**({} if overlay else {"q.yaml": QUOTA}), **BASES[way]})
    repository.commit({**({} if overlay else {"w.yaml": WORKLOAD}), **HEADS[way]})
    for states in (["HEAD~1", "HEAD"], ["HEAD~1"]):
        assert run(["diff", *states, "-f", "json"]) == 1
        assert "QL301" in {finding["rule"] for finding in json.loads(capsys.readouterr().out)["findings"]["new"]}


@pytest.mark.parametrize("folder", ["", "x/"])
def test_a_folder_that_looks_like_a_virtual_environment(folder: str, repository: Repository, capsys: Any) -> None:
    """Git tracks its `pyvenv.cfg`: nobody commits one of a real environment, and what lies beside it is deployed."""
    repository.commit({"apps/q.yaml": QUOTA})
    repository.commit({f"apps/{folder}w.yaml": WORKLOAD, f"apps/{folder}pyvenv.cfg": "home = /usr/bin\n"})
    for command in (["diff", "HEAD~1"], ["diff", "HEAD~1", "HEAD"], ["."], ["--staged", "."]):
        assert run(command) == 1
        assert "QL301" in capsys.readouterr().out
    repository.write({"env/pyvenv.cfg": "home = /usr/bin\n", "env/lib/q.yaml": QUOTA.replace("cpu", "cpus")})
    assert run(["-q", "."]) == 1
    assert "env/" not in capsys.readouterr().out


def test_a_baseline_that_the_change_brings(repository: Repository, capsys: Any) -> None:
    repository.commit({"q.yaml": QUOTA})
    repository.write({"w.yaml": WORKLOAD})
    run(["--write-baseline", "--baseline", "known.yaml", "."])
    repository.commit({".quotalint.yaml": "baseline: known.yaml\n"})
    capsys.readouterr()
    assert run(["diff", "HEAD~1", "HEAD", "-f", "json"]) == 1
    assert "QL301" in {finding["rule"] for finding in json.loads(capsys.readouterr().out)["findings"]["new"]}


@pytest.mark.parametrize(
    "hide",
    [
        lambda repository: repository.git("update-index", "--assume-unchanged", "w.yaml"),
        lambda repository: repository.git("config", "core.sparseCheckout", "true"),
    ],
)
def test_flags_of_the_index_hide_no_change(
    hide: Callable[[Repository], object], repository: Repository, capsys: Any
) -> None:
    repository.commit({"q.yaml": QUOTA, "w.yaml": WORKLOAD.replace("replicas: 2", "replicas: 1")})
    hide(repository)
    repository.write({".git/info/sparse-checkout": "/q.yaml\n", "w.yaml": WORKLOAD})
    assert run(["diff", "HEAD", "-f", "json"]) == 1
    assert "QL301" in {finding["rule"] for finding in json.loads(capsys.readouterr().out)["findings"]["new"]}


def test_a_configuration_has_nothing_written_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "repo")
    Path("q.yaml").write_text(QUOTA)
    Path(".quotalint.yaml").write_text("baseline: ../known.yaml\n")
    assert run(["--write-baseline", "."]) == 2
    assert ("outside the repository" in capsys.readouterr().err, (tmp_path / "known.yaml").exists()) == (True, False)


@pytest.mark.parametrize("git", [True, False])
@pytest.mark.parametrize(
    ("link", "arguments"),
    [
        ("report.json", ["-o", "json=report.json", "."]),
        ("reports", ["-o", "json=reports/new.json", "."]),
        ("report.yaml", ["snapshot", "--from", "q.yaml", "-o", "report.yaml"]),
        ("team/.quotalint.yaml", ["init", "--force", "team"]),
        ("reports", ["suggest", "--write", "reports", "."]),
    ],
)
def test_no_report_is_written_where_a_link_of_the_repository_leads(
    link: str, arguments: list[str], git: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """Whoever runs it names a file of the repository; the change makes that a link to what is not its own."""
    outside, repository = tmp_path / "outside", tmp_path / "repository"
    outside.mkdir()
    (repository / "team").mkdir(parents=True)
    if git:
        (repository / ".git").mkdir()
    monkeypatch.chdir(repository)
    Path("q.yaml").write_text(QUOTA)
    Path(link).symlink_to(outside if link == "reports" else outside / "new")
    assert run(arguments) == 2
    assert ("leads out of the repository" in capsys.readouterr().err, list(outside.iterdir())) == (True, [])


def test_a_thousand_comments_are_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from quotalint.suppression.ignore_comments import comments_in

    assert len(comments_in(b"a: 1 # quotalint: ignore[QL1] x\n" * 5000, "a.yaml").all) == 1000


def test_requirements_are_compared_with_a_hundred_others(monkeypatch: pytest.MonkeyPatch) -> None:
    from quotalint.checks import unmatched_scopes
    from quotalint.kube.scopes import Requirement

    asked: list[int] = []
    monkeypatch.setattr(unmatched_scopes, "_exclude_each_other", lambda unmatched_scope, other: asked.append(1))
    requirements = [Requirement("PriorityClass", "NotIn", (f"v{number}",), ()) for number in range(3000)]
    assert unmatched_scopes._contradicting_pair(tuple(requirements)) is None
    assert len(asked) < 100 * 100


@pytest.mark.parametrize("named", ["out", "out/q.yaml", "q.yaml", "./in/../out"])
@pytest.mark.parametrize("command", ["check", "usage", "render", "suggest"])
def test_a_named_path_that_leads_out_of_the_repository(
    command: str, named: str, repository: Repository, tmp_path_factory: pytest.TempPathFactory, capsys: Any
) -> None:
    """The workflow names a folder, and the change puts a link there; in an earlier run it was a folder still."""
    outside = tmp_path_factory.mktemp("outside")
    (outside / "q.yaml").write_text(QUOTA.replace("requests.cpu", "secret"))
    repository.commit({"in/q.yaml": QUOTA, "out/q.yaml": QUOTA, "q.yaml": QUOTA})
    run([command, named])
    shutil.rmtree("out")
    os.remove("q.yaml")
    os.symlink(outside, "out")
    os.symlink(outside / "q.yaml", "q.yaml")
    capsys.readouterr()
    assert run([command, named]) == 2
    said = capsys.readouterr()
    assert (said.out, f"{named} leads out of the repository by a symbolic link" in said.err) == ("", True)
    assert run([command, str(outside)]) in (0, 1)


def test_a_named_path_that_is_a_link_within_the_repository(repository: Repository, capsys: Any) -> None:
    repository.commit({"in/q.yaml": QUOTA, "w.yaml": WORKLOAD})
    os.symlink("in", "link")
    assert run(["check", "link", "w.yaml"]) == 1
    assert "QL301" in capsys.readouterr().out


def test_a_configuration_in_a_folder_that_a_link_leads_to(
    repository: Repository, tmp_path_factory: pytest.TempPathFactory, capsys: Any
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / ".quotalint.yaml").write_text("secret: 1\n")
    repository.commit({"q.yaml": QUOTA})
    os.symlink(outside, "out")
    assert run(["check", "out"]) == 2
    assert "secret" not in capsys.readouterr().err
