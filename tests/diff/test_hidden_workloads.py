"""However a change puts a workload out of sight, nobody is told that all is well."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from git_repositories import Repository, deployment, difference, quota

from quotalint.cli import run

QUOTA = {"apps/quota.yaml": quota("pods: 5")}
OTHER = {"x/web.yaml": deployment(1, namespace="other")}
SYNC = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: x, namespace: flux-system}\n"
KUSTOMIZATION = f"{SYNC}spec: {{path: ./x, sourceRef: {{kind: GitRepository, name: flux-system}}}}\n"
APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: x, namespace: argocd}
spec:
  source: {repoURL: 'https://git.example.org/team/deploy.git', path: x}
  destination: {server: 'https://kubernetes.default.svc', namespace: other}
"""
FOREIGN = APPLICATION.replace("team/deploy", "team/another")


def _indented(text: str) -> str:
    return "".join(f"  {line}\n" for line in text.splitlines())


def _ways(web: str) -> dict[str, dict[str, str | None]]:
    listed = _indented(web).replace("  ", "- ", 1)
    ways: dict[str, dict[str, str | None]] = {
        "flux": {"flux.yaml": KUSTOMIZATION, "apps/web.yaml": web},
        "application": {"argocd/x.yaml": APPLICATION, "apps/web.yaml": web},
        "foreign-application": {"argocd/x.yaml": FOREIGN, "apps/web.yaml": web},
        "fleet": {"x/fleet.yaml": "defaultNamespace: other\n", "apps/web.yaml": web},
        "kustomization": {"apps/kustomization.yaml": "resources: [quota.yaml]\n", "apps/web.yaml": web},
        "Spec": {"apps/web.yaml": web.replace("\nspec:", "\nSpec:")},
        "Replicas": {"apps/web.yaml": web.replace("replicas:", "Replicas:")},
        "deployment": {"apps/web.yaml": web.replace("kind: Deployment", "kind: deployment")},
        "removed-version": {"apps/web.yaml": web.replace("apps/v1", "apps/v1beta1")},
        "other-version": {"apps/web.yaml": web.replace("apps/v1", "apps/v9")},
        "list": {"apps/web.yaml": f"apiVersion: v1\nkind: List\nitems:\n{listed}"},
        "list-in-lower-case": {"apps/web.yaml": f"apiVersion: v1\nkind: list\nitems:\n{listed}"},
        "placeholder": {"apps/web.yaml": web.replace("  replicas:", "  {{ more }}\n  replicas:")},
        "template": {"apps/web.yaml": "{% if web %}\n" + web + "{% endif %}\n"},
        "paused": {"apps/web.yaml": web.replace("  replicas:", "  paused: true\n  replicas:")},
    }
    for suffix in (".j2", ".disabled", ".bak", ".tmpl"):
        ways[suffix] = {"apps/web.yaml": None, f"apps/web.yaml{suffix}": web}
    for folder in ("tests", "examples", "testdata", "vendor", "node_modules", "templates", ".hidden"):
        ways[folder] = {"apps/web.yaml": None, f"apps/{folder}/web.yaml": web}
    return ways


WAYS = list(_ways(deployment(9)))


@pytest.mark.parametrize(("before", "after"), [(9, 9), (2, 20)], ids=["violates", "grows"])
@pytest.mark.parametrize("way", WAYS)
def test_what_is_put_out_of_sight_is_told(
    way: str, before: int, after: int, repository: Repository, capsys: Any
) -> None:
    repository.git("remote", "add", "origin", "https://git.example.org/team/deploy.git")
    repository.commit({**QUOTA, **OTHER, "apps/web.yaml": deployment(before)})
    repository.commit(_ways(deployment(after))[way])
    outputs = ["--output", "markdown=../report.md", "--output", "json=../report.json"]
    status = run(["diff", "HEAD~1", "HEAD", "--format", "github", *outputs])
    annotations = capsys.readouterr().out.splitlines()
    first = Path("../report.md").read_text().splitlines()[0]
    report = json.loads(Path("../report.json").read_text())
    is_in_view = [finding["rule"] for finding in report["findings"]["unchanged"]] == ["QL301"] and not report["quotas"]
    assert is_in_view or ((status == 1 or annotations) and "✅" not in first), (status, first, annotations)


@pytest.mark.parametrize("way", ["flux", "application", "foreign-application", "kustomization"])
@pytest.mark.parametrize("before", [2, 9])
def test_an_added_file_hides_no_error(way: str, before: int, repository: Repository, capsys: Any) -> None:
    repository.git("remote", "add", "origin", "https://git.example.org/team/deploy.git")
    repository.commit({**QUOTA, **OTHER, "apps/web.yaml": deployment(before)})
    repository.commit(_ways(deployment(9))[way])
    status, report = difference(capsys, "HEAD~1", "HEAD")
    is_as_it_was = report["findings"]["unchanged"] != []
    now = [finding for group in ("new", "unchanged") for finding in report["findings"][group]]
    severities = [finding["severity"] for finding in (*now, *report["still"]) if finding["rule"] == "QL301"]
    assert is_as_it_was or (status, report["verdict"]) == (1, "fails")
    assert severities in (["error"], [{"before": "error", "after": "error"}])


@pytest.mark.parametrize("way", ["flux", "application", "kustomization"])
@pytest.mark.parametrize("options", [["HEAD"], ["--staged"]], ids=["working tree", "staged"])
def test_no_file_that_is_not_committed_hides_an_error(
    way: str, options: list[str], repository: Repository, capsys: Any
) -> None:
    repository.git("remote", "add", "origin", "https://git.example.org/team/deploy.git")
    repository.commit({**QUOTA, **OTHER, "apps/web.yaml": deployment(2)})
    repository.write(_ways(deployment(9))[way])
    repository.git(*(["add", "-A"] if options == ["--staged"] else ["status"]))
    status, report = difference(capsys, *options)
    assert (status, [finding["rule"] for finding in report["findings"]["new"]]) == (1, ["QL301"])


def test_errors_of_what_is_added_stand_beside_the_hidden_one(repository: Repository, capsys: Any) -> None:
    repository.commit({**QUOTA, "apps/web.yaml": deployment(2)})
    more = {"x/quota.yaml": quota("pods: 2", "small", ""), "x/api.yaml": deployment(5, "api", "")}
    placed = KUSTOMIZATION.replace("path: ./x", "path: ./x, targetNamespace: other")
    repository.commit({**more, "flux.yaml": placed, "apps/web.yaml": deployment(9)})
    status, report = difference(capsys, "HEAD~1", "HEAD")
    short = [finding["message"] for finding in report["findings"]["new"] if finding["severity"] == "error"]
    assert status == 1
    assert sorted(short) == [
        "other asks for pods 5; quota small allows 2",
        "team-a asks for pods 9; quota base allows 5",
    ]


def test_who_says_already_what_is_deployed_may_say_otherwise(repository: Repository, capsys: Any) -> None:
    repository.git("remote", "add", "origin", "https://git.example.org/team/deploy.git")
    here = APPLICATION.replace("path: x", "path: apps").replace("other", "team-a").replace("name: x", "name: apps")
    repository.commit({**QUOTA, **OTHER, "apps/web.yaml": deployment(9), "argocd/apps.yaml": here})
    repository.commit({"argocd/apps.yaml": None, "argocd/x.yaml": APPLICATION})
    status, report = difference(capsys, "HEAD~1", "HEAD")
    assert (status, report["verdict"]) == (0, "unknown")
