"""A repository that was renamed or copied is still called by its former name in what deploys it: nobody can know, but
what would settle it can be said."""

from __future__ import annotations

import pytest
from deployer_objects import argo_application, flux_kustomization, git_repository
from manifests import quota, web
from workspace import Workspace

FORMER = "https://git.example.com/acme/old-fleet.git"
HERE = {".git/config": '[remote "origin"]\n\turl = https://git.example.com/acme/fleet.git\n'}
APPS = {"apps/web.yaml": web(9), "apps/quota.yaml": quota()}
DEPLOYERS = {
    "Argo CD": argo_application(source=f"repoURL: '{FORMER}', path: apps"),
    "Flux": "---\n".join((git_repository(spec=f"url: '{FORMER}'"), flux_kustomization("./apps"))),
}


@pytest.mark.parametrize("deployer", DEPLOYERS)
def test_what_would_settle_it_is_said(workspace: Workspace, deployer: str) -> None:
    workspace.put({**HERE, **APPS, "clusters/apps.yaml": DEPLOYERS[deployer], "limits.yaml": quota("team-b")})
    (finding,) = workspace.report("check", "--select", "QL003")["findings"]
    assert f"{FORMER}, which has another name than this one, though apps is here" in finding["message"]
    assert "write `sources: {<its URL>: .}` into .quotalint.yaml" in finding["help"]


@pytest.mark.parametrize("deployer", DEPLOYERS)
def test_what_settles_it_does(workspace: Workspace, deployer: str) -> None:
    settled = {".quotalint.yaml": f"sources: {{'{FORMER}': .}}\n"}
    workspace.put({**HERE, **APPS, **settled, "clusters/apps.yaml": DEPLOYERS[deployer]})
    assert [finding["rule"] for finding in workspace.report("check")["findings"]] == ["QL301"]


def test_a_reason_that_is_counted_above_is_not_given_again(workspace: Workspace) -> None:
    """Two sources of one cause are one finding, which says it."""
    sources = {"a": FORMER, "b": FORMER, "limits": "https://git.example.com/acme/fleet.git"}
    applications = {
        f"argocd/{name}.yaml": argo_application(name=name, source=f"repoURL: '{url}', path: {name}")
        for name, url in sources.items()
    }
    workspace.put({**HERE, **applications, "limits/quota.yaml": quota()})
    _, text, _ = workspace.text("check")
    assert "2 sources are other repositories" in text
    assert "1 namespace could not be judged: team-a (see QL003 above)." in text


@pytest.mark.parametrize("deployer", DEPLOYERS)
def test_a_folder_that_is_not_here_is_of_another_repository(workspace: Workspace, deployer: str) -> None:
    workspace.put({**HERE, "clusters/apps.yaml": DEPLOYERS[deployer], "limits.yaml": quota("team-b")})
    (finding,) = workspace.report("check", "--select", "QL003")["findings"]
    assert "another name" not in finding["message"]
    assert "name a folder that holds a copy under `sources`" in finding["help"]


OWN = "https://git.example.com/acme/fleet.git"
BY_ITS_NAME = {
    "Argo CD": argo_application(source=f"repoURL: '{OWN}', path: clusters", name="own"),
    "Flux": "---\n".join(
        (git_repository(spec=f"url: '{OWN}'", name="own"), flux_kustomization("./clusters", name="own", source="own"))
    ),
}


@pytest.mark.parametrize("deployer", DEPLOYERS)
def test_what_is_taken_from_here_by_its_name_means_another_repository(workspace: Workspace, deployer: str) -> None:
    """That a folder of it is called like one of this repository is chance: `config` is in many."""
    workspace.put({**HERE, **APPS, "clusters/apps.yaml": DEPLOYERS[deployer], "bootstrap.yaml": BY_ITS_NAME[deployer]})
    workspace.put({"clusters/limits.yaml": quota("team-b")})
    (finding,) = workspace.report("check", "--select", "QL003")["findings"]
    assert FORMER in finding["message"]
    assert "another name" not in finding["message"]
    assert "name a folder that holds a copy under `sources`" in finding["help"]


@pytest.mark.parametrize("deployer", DEPLOYERS)
def test_nothing_is_said_to_be_deployed_by_nobody_that_may_be(workspace: Workspace, deployer: str) -> None:
    """Beside something of the same name, which is an entry point."""
    own = argo_application(source="repoURL: 'https://git.example.com/acme/fleet.git', path: more", name="own")
    workspace.put({**HERE, **APPS, "clusters/apps.yaml": DEPLOYERS[deployer], "clusters/own.yaml": own})
    workspace.put({"more/web.yaml": web(1)})
    _, text, _ = workspace.text("check")
    exception = f"unless this repository is {FORMER}, renamed or copied: `sources: {{<its URL>: .}}` says so"
    assert f"is not applied: nothing deploys it, {exception} (apps/quota.yaml)." in " ".join(text.split())


def test_two_exceptions_are_one_sentence(workspace: Workspace) -> None:
    own = "{repoURL: 'https://git.example.com/acme/fleet.git', path: '{{name}}', targetRevision: HEAD}"
    everywhere = (
        "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: own, namespace: argocd}\nspec:\n"
        "  generators: [{clusters: {}}]\n  template:\n    metadata: {name: '{{name}}'}\n"
        f"    spec: {{source: {own}, destination: {{name: '{{{{name}}}}', namespace: team-b}}}}\n"
    )
    workspace.put({**HERE, **APPS, "clusters/apps.yaml": DEPLOYERS["Argo CD"], "clusters/own.yaml": everywhere})
    _, text, _ = workspace.text("check")
    unknown = "unless clusters/own.yaml does, which is not known in full"
    assert f"nothing deploys it, {unknown}, or this repository is {FORMER}, renamed" in " ".join(text.split())
