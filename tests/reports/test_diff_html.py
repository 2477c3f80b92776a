"""How a change is told in HTML."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from compared_change import changed_repository, printed
from git_repositories import Repository, deployment, quota

from quotalint.cli import run


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    repository = changed_repository(tmp_path / "repository")
    monkeypatch.chdir(repository.folder)
    return repository


def test_html_says_that_nothing_is_new(repository: Repository, capsys: Any) -> None:
    run(["diff", "HEAD", "HEAD", "--format", "html"])
    states = f"HEAD ({repository.git('rev-parse', '--short=9', 'HEAD')})"
    assert re.findall("<title>quotalint.*</title>", capsys.readouterr().out) == [
        f"<title>quotalint: new findings from {states} to {states}: none</title>"
    ]


def test_html_says_what_it_compares(repository: Repository, capsys: Any) -> None:
    document = printed(capsys, "--format", "html")
    commit = repository.git("rev-parse", "--short=9", "v1")
    head = document.partition("<header>")[2].partition("<nav>")[0]
    compared = f"from v1 ({commit}) to the working tree"
    assert (re.findall("<title>quotalint.*</title>", document), " ".join(re.sub("<[^>]*>", " ", head).split())) == (
        [f"<title>quotalint: new findings {compared}: 3 errors, 1 warning</title>"],
        f"quotalint New findings {compared}: 3 errors, 1 warning; 2 fixed, 0 unchanged "
        "in 5 files, 3 namespaces, 3 quotas. The quotas are shown as in the working tree.",
    )


def test_html_begins_with_the_verdict_and_its_cause(repository: Repository, capsys: Any) -> None:
    document = printed(capsys, "--format", "html")
    top = document[document.index("<body>") : document.index("<header>")]
    markdown = printed(capsys, "--format", "markdown")
    heading = re.sub("[`*]", "", markdown.partition("quotalint: ")[2].partition("\n")[0])
    words = " ".join(re.sub("<svg.*?</svg>|<[^>]*>", " ", top, flags=re.S).split())
    assert _letters(words).startswith(_letters(heading))
    assert words.index("because") < words.index("Worse")
    assert (document.count("<h1"), 'aria-label="What the change does"' in top) == (1, True)


def test_html_says_what_is_better(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def pods(replicas: int) -> dict[str, str]:
        quota = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: a}\nspec: {hard: {pods: 3}}\n"
        web = (
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: a}\n"
            f"spec:\n  replicas: {replicas}\n  template: {{spec: {{containers: [{{name: c, image: i}}]}}}}\n"
        )
        return {"q.yaml": quota, "web.yaml": web}

    repository = Repository(tmp_path / "better", pods(5))
    monkeypatch.chdir(repository.folder)
    repository.write(pods(2))
    run(["diff", "HEAD", "--format", "html"])
    printed = capsys.readouterr().out
    top = " ".join(re.sub("<[^>]*>", " ", printed[printed.index("<section") : printed.index("<header>")]).split())
    assert top.startswith("✓ a fits again: pods 5 → 2 of 3.")
    assert "Better quota before after allowed a / q pods 5 2 3 67" in top.replace("\u00a0", " ")


def test_what_has_room_is_listed_where_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """A quota that is told of in one environment is listed in the other, and so is another quota of the first."""

    def shop(tight: int, wide: int) -> dict[str, str]:
        quotas = quota(f"pods: {tight}", "tight") + "---\n" + quota(f"pods: {wide}", "wide")
        overlay = "resources: [../../base]\nreplicas: [{{name: web, count: {}}}]\n"
        return {
            "base/kustomization.yaml": "resources: [quotas.yaml, web.yaml]\n",
            "base/quotas.yaml": quotas,
            "base/web.yaml": deployment(1),
            "overlays/dev/kustomization.yaml": overlay.format(1),
            "overlays/prod/kustomization.yaml": overlay.format(4),
        }

    repository = Repository(tmp_path / "shop", shop(4, 9))
    monkeypatch.chdir(repository.folder)
    repository.write(shop(3, 8))
    run(["diff", "HEAD", "--format", "markdown"])
    assert "| dev: " in capsys.readouterr().out, "of two environments too rows say which of them they are about"
    run(["diff", "HEAD", "--format", "html"])
    page = capsys.readouterr().out
    top = " ".join(re.sub("<[^>]*>", " ", page[page.index("<section") : page.index("<header>")]).split())
    listed = top.replace("\u00a0", " ").partition("3 more entries with room")[2]
    assert re.findall(r"team-a( in environment \w+)? / (\w+)", listed) == [
        (" in environment dev", "tight"),
        (" in environment dev", "wide"),
        (" in environment prod", "wide"),
    ]


def test_a_quota_that_goes_does_not_fit_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    quotas = {
        f"{name}.yaml": f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: {name}, namespace: a}}\n"
        f"spec: {{hard: {{pods: {hard}}}}}\n"
        for name, hard in (("p", 1), ("q", 9))
    }
    web = (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: a}\n"
        "spec:\n  replicas: 5\n  template: {spec: {containers: [{name: c, image: i}]}}\n"
    )
    repository = Repository(tmp_path / "gone", {**quotas, "web.yaml": web})
    monkeypatch.chdir(repository.folder)
    (repository.folder / "p.yaml").unlink()
    run(["diff", "HEAD", "--format", "markdown"])
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "ℹ️ quota `p` of `a` is gone, so it no longer limits anything"
    (repository.folder / "q.yaml").unlink()
    run(["diff", "HEAD", "--format", "markdown"])
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "### ℹ️ quotalint: quota `p` of `a` and 1 more are gone, so they no longer limit anything"


def test_a_quota_that_was_refused_is_accepted_or_was_never_in_force(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    repository = Repository(tmp_path / "mended", {"quota.yaml": quota("request.cpu: 4, request.memory: 4Gi")})
    monkeypatch.chdir(repository.folder)
    (repository.folder / "quota.yaml").write_text(quota("requests.cpu: 4, requests.memory: 4Gi"))
    run(["diff", "HEAD", "--format", "markdown"])
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "### ✅ quotalint: quota `base` of `team-a` is accepted now; the API server refused it before"
    (repository.folder / "quota.yaml").unlink()
    run(["diff", "HEAD", "--format", "markdown"])
    first = capsys.readouterr().out.splitlines()[0]
    assert first.endswith(" quota `base` of `team-a` is gone; the API server refused it, so it limited nothing")


def test_the_quota_of_a_cluster_that_goes_is_named_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    base = {"base/kustomization.yaml": "resources: [quota.yaml]\n", "base/quota.yaml": quota("pods: 2")}
    overlays = {f"overlays/{name}/kustomization.yaml": "resources: [../../base]\n" for name in ("dev", "prod")}
    repository = Repository(tmp_path / "clusters", {**base, **overlays})
    monkeypatch.chdir(repository.folder)
    (repository.folder / "overlays/prod/kustomization.yaml").unlink()
    run(["diff", "HEAD", "--format", "markdown"])
    first = capsys.readouterr().out.splitlines()[0]
    assert (
        first
        == "### ℹ️ quotalint: quota `base` of `team-a` in environment prod is gone, so it no longer limits anything"
    )


def _letters(text: str) -> str:
    return re.sub(r"\W+", "", text).lower()
