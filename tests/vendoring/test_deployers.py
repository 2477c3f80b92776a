"""What each deployer asks for is vendored, and counted from there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from chart_servers import Answer, add_charts, add_registry_chart, git_server, packed, server, web_chart
from deployer_objects import argo_application
from git_repositories import Repository
from manifests import quota, web
from workspace import Workspace

from quotalint.gitops.helm.library import is_installed
from quotalint.gitops.kustomize.remote_bases import remote_base
from quotalint.vendoring import vendoring

pytestmark = pytest.mark.skipif(not is_installed(), reason="Helm's library is not installed")
FLUX = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: base, namespace: shop}\n"
RELEASE = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: shop}\n"
CHART = "apiVersion: v2\nname: shop\nversion: 1.0.0\n"


class Served(NamedTuple):
    """The servers of the tests."""

    charts: str
    git: str

    def put_into(self, text: str) -> str:
        """The text with the addresses of the servers."""
        host = self.charts.partition("://")[2]
        return text.replace("CHARTS", self.charts).replace("GIT", self.git).replace("HOST", host)


PATH = os.environ["PATH"]


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setenv("PATH", PATH)  # with git
    folder = tmp_path_factory.mktemp("git")
    base = Repository(
        folder / "base", {"deploy/kustomization.yaml": "resources: [web.yaml]\n", "deploy/web.yaml": web(4)}
    )
    base.commit({"chart/Chart.yaml": CHART, "chart/templates/web.yaml": web(5), "values/web.yaml": "replicas: 6\n"})
    base.git("tag", "v1.0.0")
    (folder / "base.git").symlink_to("base")
    base.commit({"deploy/web.yaml": web(1)})
    monkeypatch.setattr(vendoring, "fetch_source", partial(vendoring.fetch_source, protocols="http"))
    for name in ("HOME", "XDG_CONFIG_HOME", "HELM_CONFIG_HOME", "DOCKER_CONFIG"):
        monkeypatch.setenv(name, str(folder))
    with server() as charts, git_server(folder) as git:
        add_charts(charts, {("web", "1.2.3"): web_chart(3)})
        add_registry_chart(charts, "acme/web", "1.2.3", web_chart(3))
        charts.answers["/install.yaml"] = Answer(web(2).encode())
        yield Served(charts.url, git.url)


def source(kind: str, spec: str) -> str:
    head = f"apiVersion: source.toolkit.fluxcd.io/v1\nkind: {kind}\nmetadata: {{name: x, namespace: shop}}\n"
    return f"{head}spec: {{{spec}}}\n---\n"


def chart(kind: str, name: str = "web") -> str:
    return (
        f"{RELEASE}spec: {{chart: {{spec: {{chart: {name}, version: 1.x, sourceRef: {{kind: {kind}, name: x}}}}}}}}\n"
    )


def application(text: str, name: str = "web") -> str:
    return argo_application(where="namespace: shop", name=name, source=text)


TWO_SOURCES = (
    "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: two, namespace: argocd}\nspec:\n"
    "  destination: {server: 'https://kubernetes.default.svc', namespace: shop}\n  sources:\n"
    "  - {repoURL: CHARTS, chart: web, targetRevision: 1.2.3, helm: {valueFiles: [$base/values/web.yaml]}}\n"
    "  - {repoURL: GIT/base, targetRevision: v1.0.0, ref: base}\n"
)
CASES = {
    "a HelmRepository": (source("HelmRepository", "url: 'CHARTS'") + chart("HelmRepository"), 3),
    "a registry as a HelmRepository": (
        source("HelmRepository", "type: oci, insecure: true, url: 'oci://HOST/acme'") + chart("HelmRepository"),
        3,
    ),
    "an OCIRepository": (
        source("OCIRepository", "insecure: true, url: 'oci://HOST/acme/web', ref: {semver: 1.x}")
        + f"{RELEASE}spec: {{chartRef: {{kind: OCIRepository, name: x}}}}\n",
        3,
    ),
    "a chart of another repository": (
        source("GitRepository", "url: 'GIT/base', ref: {tag: v1.0.0}") + chart("GitRepository", "./chart"),
        5,
    ),
    "a Kustomization of another repository": (
        source("GitRepository", "url: 'GIT/base', ref: {tag: v1.0.0}")
        + f"{FLUX}spec: {{path: ./deploy, targetNamespace: shop, sourceRef: {{kind: GitRepository, name: x}}}}\n",
        4,
    ),
    "a Kustomization of its default branch": (
        source("GitRepository", "url: 'GIT/base'")
        + f"{FLUX}spec: {{path: ./deploy, targetNamespace: shop, sourceRef: {{kind: GitRepository, name: x}}}}\n",
        1,
    ),
    "a chart of Argo CD": (application("repoURL: 'CHARTS', chart: web, targetRevision: ~1.2"), 3),
    "a folder of Argo CD": (application("repoURL: 'GIT/base', path: deploy, targetRevision: v1.0.0", "folder"), 4),
    "values of Argo CD": (TWO_SOURCES, 6),
}


def put_with_remote(workspace: Workspace, files: dict[str, str]) -> None:
    """A repository whose own address is known, so that others are others."""
    workspace.put({".git/config": '[remote "origin"]\n\turl = https://github.com/acme/fleet\n', **files})


def steady_pods(workspace: Workspace) -> tuple[str, str]:
    counted = workspace.report("usage")["quotas"][0]
    return next(entry["steady"] for entry in counted["resources"] if entry["resource"] == "pods"), counted["certainty"]


def judge(workspace: Workspace, files: dict[str, str]) -> tuple[str, str]:
    """What the quota counts, after what is missing is vendored."""
    put_with_remote(workspace, files)
    status, said, told = workspace.text("vendor")
    assert (status, told) == (0, ""), said
    return steady_pods(workspace)


def test_what_objects_deploy(workspace: Workspace, served: Served) -> None:
    """Each case in a namespace of its own."""
    files: dict[str, str] = {}
    for number, (written, _) in enumerate(CASES.values()):
        text = served.put_into(written).replace("shop", f"shop-{number}")
        files |= {f"{number}/web.yaml": text, f"{number}/quota.yaml": quota(f"shop-{number}")}
    judge(workspace, files)
    counted = {
        found["namespace"]: (entry["steady"], found["certainty"])
        for found in workspace.report("usage")["quotas"]
        for entry in found["resources"]
    }
    expected = {name: (str(number), "exact") for name, (_, number) in CASES.items()}
    assert {name: counted[f"shop-{number}"] for number, name in enumerate(CASES)} == expected


ENTRIES = {
    "resources: ['GIT/base.git//deploy?ref=v1.0.0']": 4,
    "resources: ['git::GIT/base.git//deploy?ref=v1.0.0&timeout=90s']": 4,
    "resources: ['CHARTS/install.yaml']": 2,
    "helmCharts: [{name: web, releaseName: web, repo: 'CHARTS', version: 1.2.3}]": 3,
}


@pytest.mark.parametrize("entry", ENTRIES)
def test_what_a_kustomization_names(workspace: Workspace, served: Served, entry: str) -> None:
    files = {"quota.yaml": quota("shop"), "app/kustomization.yaml": f"namespace: shop\n{served.put_into(entry)}\n"}
    assert judge(workspace, files) == (str(ENTRIES[entry]), "exact")


def test_a_vendored_chart_does_not_state_what_is_applied(workspace: Workspace, served: Served) -> None:
    """Beside it, folders are applied by hand as before."""
    app = served.put_into(application("repoURL: 'CHARTS', chart: web, targetRevision: 1.2.3"))
    files = {"apps/web.yaml": app, "teams/a/quota.yaml": quota("shop"), "teams/b/quota.yaml": quota("other")}
    assert judge(workspace, files) == ("0", "unknown")
    assert [counted["namespace"] for counted in workspace.report("usage")["quotas"]] == ["other", "shop"]


def test_a_path_that_a_repository_has_not(workspace: Workspace, served: Served) -> None:
    listed = served.put_into("namespace: shop\nresources: ['GIT/base.git//nowhere?ref=v1.0.0']\n")
    assert judge(workspace, {"quota.yaml": quota("shop"), "app/kustomization.yaml": listed}) == ("0", "unknown")
    assert "?ref=v1.0.0 names nothing that there is: .quotalint/sources/base-" in str(workspace.report()["findings"])


def test_a_remote_component(workspace: Workspace, served: Served, tmp_path_factory: pytest.TempPathFactory) -> None:
    patch = '- target: {kind: Deployment}\n  patch: \'[{"op": "replace", "path": "/spec/replicas", "value": 7}]\'\n'
    component = f"apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches:\n{patch}"
    folder = tmp_path_factory.mktemp("other")
    Repository(folder / "parts.git", {"seven/kustomization.yaml": component})
    with git_server(folder) as git:
        listed = f"namespace: shop\nresources: [web.yaml]\ncomponents: ['{git.url}/parts.git//seven?ref=main']\n"
        files = {"quota.yaml": quota("shop"), "app/kustomization.yaml": listed, "app/web.yaml": web(1)}
        assert judge(workspace, files) == ("7", "exact")


def test_a_release_of_helmfile(workspace: Workspace, served: Served) -> None:
    release = "{name: web, namespace: shop, chart: ours/web, version: 1.x}"
    helmfile = f"repositories: [{{name: ours, url: 'CHARTS'}}]\nreleases: [{release}]\n"
    files = {"quota.yaml": quota("shop"), "helmfile.yaml": served.put_into(helmfile)}
    assert judge(workspace, files) == ("3", "exact")


def test_dependencies_of_a_chart(workspace: Workspace, served: Served) -> None:
    """The chart's own lock names the version, as for `helm dependency build`."""
    depends = "dependencies: [{name: web, version: '>=1', repository: 'CHARTS', condition: web.on}]\n"
    locked = "dependencies: [{name: web, version: 1.2.3, repository: 'CHARTS'}]\n"
    files = {
        "quota.yaml": quota("shop"),
        "chart/Chart.yaml": CHART + served.put_into(depends),
        "chart/values.yaml": "web: {on: true, replicas: 2}\n",
        "chart/templates/web.yaml": web(5, name="front"),
        "app.yaml": application("repoURL: 'https://github.com/acme/fleet', path: chart"),
    }
    assert judge(workspace, files) == ("7", "exact")
    workspace.put({"chart/Chart.lock": served.put_into(locked)})
    assert workspace.text("vendor", "--check")[0] == 1
    assert (workspace.text("vendor")[0], steady_pods(workspace)) == (0, ("7", "exact"))
    assert 'asked: "1.2.3"' in (workspace.folder / "quotalint.lock").read_text()


def test_what_is_vendored_may_deploy_more(workspace: Workspace, tmp_path: Path, served: Served) -> None:
    """An Application of another repository names a chart of a server, and a folder of its own repository."""
    apps = tmp_path / "apps"
    Repository(
        apps / "apps",
        {
            "all/web.yaml": served.put_into(application("repoURL: 'CHARTS', chart: web, targetRevision: 1.2.3")),
            "all/own.yaml": argo_application(
                where="namespace: shop", name="own", source="repoURL: GIT/apps, path: own"
            ),
            "own/web.yaml": web(2, name="own"),
        },
    )
    with git_server(apps) as git:
        own = (apps / "apps/all/own.yaml").read_text().replace("GIT", git.url)
        Repository(apps / "apps").commit({"all/own.yaml": own})
        app = argo_application(where="namespace: shop", name="apps", source=f"repoURL: '{git.url}/apps', path: all")
        assert judge(workspace, {"quota.yaml": quota("shop"), "apps.yaml": app}) == ("5", "exact")


def test_a_placeholder_is_not_asked_for(workspace: Workspace) -> None:
    put_with_remote(workspace, {"web.yaml": application("repoURL: '{{ .repo }}', chart: web, targetRevision: 1.0.0")})
    assert workspace.text("vendor")[:2] == (0, "0 of 0 remote sources vendored.\n")


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("github.com/acme/base//deploy?ref=v1", ("https://github.com/acme/base", "deploy", "v1")),
        ("https://github.com/acme/base/deploy/prod?ref=main", ("https://github.com/acme/base", "deploy/prod", "main")),
        ("git@github.com:acme/base.git//deploy", ("git@github.com:acme/base.git", "deploy", "")),
        ("git@github.com:acme/base", ("git@github.com:acme/base", ".", "")),
        (
            "ssh://git@git.example.com:2222/a/b/base.git/deploy?version=1",
            ("ssh://git@git.example.com:2222/a/b/base.git", "deploy", "1"),
        ),
        ("git::https://git.example.com/a/b/base//c?submodules=0", ("https://git.example.com/a/b/base", "c", "")),
        ("https://git.example.com/base.git?ref=v1", ("https://git.example.com/base.git", ".", "v1")),
        ("https://example.com/a/install.yaml", ("https://example.com/a/install.yaml", "install.yaml", "")),
        ("https://example.com/a.json?raw=true", ("https://example.com/a.json?raw=true", "a.json", "")),
    ],
)
def test_the_address_of_a_remote_entry(entry: str, expected: tuple[str, str, str]) -> None:
    assert remote_base(entry) == expected


def test_a_chart_with_its_dependencies_needs_no_others(workspace: Workspace, served: Served) -> None:
    depends = "dependencies: [{name: web, version: 1.x, repository: 'https://nowhere'}]\n"
    whole = packed(
        {
            "Chart.yaml": CHART + depends,
            "charts/web-1.2.3.tgz": web_chart(3),
        },
        "shop",
    )
    with server() as charts:
        add_charts(charts, {("shop", "1.0.0"): whole})
        app = application(f"repoURL: '{charts.url}', chart: shop, targetRevision: 1.0.0")
        assert judge(workspace, {"quota.yaml": quota("shop"), "app.yaml": app}) == ("3", "exact")
