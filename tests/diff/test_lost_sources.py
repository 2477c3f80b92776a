"""A changed file that is not in a partial clone, and what can no longer be rendered, are not known; what is removed is
told."""

from __future__ import annotations

from typing import Any

import pytest
from deployer_objects import argo_application
from git_repositories import Repository, deployment, difference, quota

from quotalint.cli import run


def test_a_changed_file_that_is_not_here_is_not_known(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    chart = {"charts/app/Chart.yaml": "apiVersion: v2\nname: app\nversion: 1.0.0\n"}
    chart[".quotalint.yaml"] = "renderers: {helm: off}\n"
    repository.commit(
        {"quota.yaml": quota("pods: 5"), **chart, "charts/app/values.yaml": "replicas: 3\n", "notes.txt": "read\n"}
    )
    repository.commit({"charts/app/values.yaml": "replicas: 30\n", "notes.txt": "read on\n"})
    repository.git("config", "uploadpack.allowFilter", "true")
    url = f"file://{repository.folder}"
    repository.git("clone", "-q", "--filter=blob:none", url, "../clone")
    clone = Repository(repository.folder.parent / "clone")
    clone.git("config", "remote.origin.url", "file:///nowhere")
    monkeypatch.chdir(clone.folder)
    status, report = difference(capsys, "HEAD~1", "HEAD")
    assert (status, report["verdict"]) == (0, "unknown")
    assert [(of["file"], of["line"], of["reason"]) for of in report["unknowns"]] == [
        ("charts/app/values.yaml", 1, "charts/app/values.yaml is not in this clone")
    ]
    run(["diff", "HEAD~1", "HEAD", "--format", "github"])
    annotations = capsys.readouterr().out.splitlines()
    assert [part.partition(",line=")[0] for part in annotations] == ["::warning file=charts/app/values.yaml"]
    run(["diff", "HEAD~1", "HEAD", "--format", "markdown"])
    assert capsys.readouterr().out.startswith("### ❔ ")


def test_what_an_application_can_no_longer_render_is_not_gone(repository: Repository, capsys: Any) -> None:
    application = argo_application("hub", "namespace: argocd")
    repository.commit(
        {
            "argocd/hub.yaml": application,
            "hub/Chart.yaml": "apiVersion: v2\nname: hub\nversion: 1.0.0\n",
            "hub/templates/quota.yaml": quota("pods: {{ .Values.pods | quote }}", "compute", "team-b"),
            "hub/values.yaml": "pods: 2\n",
        }
    )
    repository.write({"argocd/hub.yaml": application.replace("path: hub", "path: hub, plugin: {name: x}")})
    status, report = difference(capsys, "HEAD")
    assert (status, report["verdict"]) == (0, "unknown")
    assert [(of["file"], of["namespace"]) for of in report["unknowns"]] == [("argocd/hub.yaml", "team-b")]
    assert "rendered by a plugin" in report["unknowns"][0]["reason"]
    run(["diff", "HEAD"])
    text = " ".join(capsys.readouterr().out.split())
    assert "is no longer in view" in text
    assert "no longer limits" not in text


@pytest.mark.parametrize("way", ["deleted", "commented out", "in a ConfigMap"])
def test_what_fits_again_names_the_workload_that_is_removed(way: str, repository: Repository, capsys: Any) -> None:
    web = deployment(9)
    head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: team-a}\ndata:\n  web.yaml: |\n"
    after = {
        "deleted": None,
        "commented out": "".join(f"# {line}\n" for line in web.splitlines()),
        "in a ConfigMap": head + "".join(f"    {line}\n" for line in web.splitlines()),
    }
    repository.commit({"quota.yaml": quota("pods: 5"), "keep.yaml": deployment(1, "keep"), "web.yaml": web})
    repository.commit({"web.yaml": after[way]})
    run(["diff", "HEAD~1", "HEAD", "--format", "markdown"])
    first = capsys.readouterr().out.partition("\n")[0]
    assert first == "### ✅ quotalint: `team-a` fits again: pods 10 → 1 of 5, because Deployment `web` is gone"
    run(["diff", "HEAD~1", "HEAD"])
    assert "because Deployment web is gone" in capsys.readouterr().out.partition("\n")[0]


def test_a_cause_is_said_once(repository: Repository, capsys: Any) -> None:
    repository.commit({"quota.yaml": quota("pods: 5"), "web.yaml": deployment(9), "api.yaml": deployment(7, "api")})
    repository.commit({"web.yaml": None})
    run(["diff", "HEAD~1", "HEAD", "--format", "github"])
    assert capsys.readouterr().out.count("is gone") == 1
