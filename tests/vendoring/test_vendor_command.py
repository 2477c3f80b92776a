"""`quotalint vendor`, from a server to findings."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from chart_servers import CHART, Server, add_charts, packed, server, web_chart
from deployer_objects import argo_application
from git_repositories import Repository
from manifests import quota
from workspace import Workspace

from quotalint.gitops.helm.library import is_installed

PATH = os.environ["PATH"]
needs_helm = pytest.mark.skipif(not is_installed(), reason="Helm's library is not installed")


@pytest.fixture
def charts() -> Iterator[Server]:
    with server() as served:
        add_charts(served, {("web", "1.2.3"): web_chart(3), ("web", "1.3.0"): web_chart(4, "1.3.0")})
        yield served


@pytest.fixture
def shop(workspace: Workspace, charts: Server) -> Workspace:
    workspace.put({"quota.yaml": quota("shop"), "web.yaml": release(charts.url, "~1.2")})
    return workspace


def release(url: str, version: str) -> str:
    return (
        "apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: {name: x, namespace: shop}\n"
        f"spec: {{url: '{url}'}}\n---\n"
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: shop}\n"
        f"spec: {{chart: {{spec: {{chart: web, version: {version}, sourceRef: {{kind: HelmRepository, name: x}}}}}}}}\n"
    )


def pods(workspace: Workspace) -> tuple[str, str]:
    """How many pods the quota counts, and how certain that is."""
    counted = workspace.report("usage")["quotas"][0]
    return next(entry["steady"] for entry in counted["resources"] if entry["resource"] == "pods"), counted["certainty"]


def sources(workspace: Workspace) -> list[str]:
    return sorted(path.name[:-17] for path in (workspace.folder / ".quotalint/sources").glob("*-*"))


@needs_helm
def test_what_is_vendored_is_rendered(shop: Workspace, charts: Server) -> None:
    assert pods(shop) == ("0", "unknown")
    assert "not vendored: quotalint vendor" in shop.report()["findings"][0]["help"]
    assert shop.text("vendor", "--check")[::2] == (
        1,
        f"not vendored: chart web ~1.2 of {charts.url}: not in the lock\n",
    )
    status, said, _ = shop.text("vendor")
    assert (status, said) == (0, f"chart web ~1.2 of {charts.url}: 1.2.3\n1 of 1 remote source vendored.\n")
    assert (pods(shop), sources(shop)) == (("3", "exact"), ["web-1.2.3"])
    assert shop.text("vendor", "--check")[:2] == (0, "1 of 1 remote source vendored.\n")


@needs_helm
def test_what_is_locked_stays_until_an_update(shop: Workspace, charts: Server) -> None:
    shop.put({"web.yaml": release(charts.url, "1.x")})
    shop.text("vendor")
    add_charts(
        charts, {("web", version): web_chart(number, version) for number, version in enumerate(("1.3.0", "1.4.0"), 4)}
    )
    lock = (shop.folder / "quotalint.lock").read_text()
    charts.requests.clear()
    shop.text("vendor")
    assert ((shop.folder / "quotalint.lock").read_text(), charts.requests) == (lock, [])
    assert (shop.text("vendor", "--update", "db")[1], pods(shop)) == (
        "1 of 1 remote source vendored.\n",
        ("4", "exact"),
    )
    assert shop.text("vendor", "--update", "db,web")[1].startswith(f"chart web 1.x of {charts.url}: 1.4.0\n")
    assert pods(shop) == ("5", "exact")


def test_names_of_an_update(shop: Workspace, charts: Server) -> None:
    shop.put({"web.yaml": release(charts.url, "1.x")})
    shop.text("vendor")
    add_charts(charts, {("web", "1.4.0"): web_chart(5, "1.4.0")})
    assert shop.text("vendor", "--update", "db", ".")[2] == ("quotalint: --update db: no remote source has this name\n")
    assert shop.text("vendor", "nowhere")[::2] == (2, "quotalint: no such file or folder: nowhere\n")
    assert ": 1.4.0\n" in shop.text("vendor", "--update", "db", "web")[1]


@needs_helm
def test_a_folder_that_is_missing_is_fetched_as_the_lock_says(shop: Workspace, charts: Server) -> None:
    shop.text("vendor")
    lock = (shop.folder / "quotalint.lock").read_text()
    (
        shop.folder / ".quotalint/sources" / next((shop.folder / ".quotalint/sources").glob("web-*")) / "values.yaml"
    ).unlink()
    assert shop.report()["findings"][0]["help"] == "run `quotalint vendor`, which fetches what is missing or wrong"
    assert shop.text("vendor", "--check")[0] == 1
    assert (shop.text("vendor")[0], pods(shop)) == (0, ("3", "exact"))
    next((shop.folder / ".quotalint/sources").glob("web-*/values.yaml")).write_text("replicas: 1\n")
    add_charts(charts, {("web", "1.2.3"): web_chart(1)})
    status, _, said = shop.text("vendor")
    assert (status, said) == (
        1,
        f"quotalint: not fetched: chart web ~1.2 of {charts.url}: version 1.2.3 has another content than the lock "
        "names; `quotalint vendor --update web` takes it\n",
    )
    assert ((shop.folder / "quotalint.lock").read_text(), pods(shop)) == (lock, ("0", "unknown"))
    assert (shop.text("vendor", "--update", "web")[0], pods(shop)) == (0, ("1", "exact"))


@needs_helm
def test_what_is_vendored_is_no_manifest(shop: Workspace) -> None:
    shop.text("vendor")
    next((shop.folder / ".quotalint/sources").glob("web-*")).joinpath("q.yaml").write_text(quota("a"))
    (shop.folder / ".quotalint/more.yaml").write_text(quota("b"))
    assert [counted["namespace"] for counted in shop.report("usage")["quotas"]] == ["shop"]


@needs_helm
def test_the_configuration_names_another_folder(shop: Workspace) -> None:
    shop.put({".quotalint.yaml": "vendor: third_party/sources\n"})
    shop.text("vendor")
    assert pods(shop) == ("3", "exact")
    assert not (shop.folder / ".quotalint").exists()
    next((shop.folder / "third_party/sources").glob("web-*")).joinpath("templates/q.yaml").write_text(quota("a"))
    assert [counted["namespace"] for counted in shop.report("usage")["quotas"]] == ["shop"]


def test_what_cannot_be_fetched_is_named_and_the_rest_goes_on(workspace: Workspace, charts: Server) -> None:
    where = f"repoURL: 'http://me:secret@{charts.url[7:]}', targetRevision: 1.3.0"
    workspace.put(
        {
            "web.yaml": argo_application(name="web", where="namespace: a", source=f"{where}, chart: web"),
            "api.yaml": argo_application(name="api", where="namespace: b", source=f"{where}, chart: api"),
        }
    )
    status, said, told = workspace.text("vendor")
    assert (status, told) == (
        1,
        f"quotalint: not fetched: chart api 1.3.0 of {charts.url}: the repository has no such chart\n",
    )
    assert said.endswith(": 1.3.0\n1 of 2 remote sources vendored.\n")
    assert "secret" not in said + (workspace.folder / "quotalint.lock").read_text()


def test_an_entry_that_nothing_asks_for_is_dropped(shop: Workspace) -> None:
    shop.text("vendor")
    shop.put({"web.yaml": "{}\n"})
    assert shop.text("vendor")[:2] == (0, "0 of 0 remote sources vendored.\n")
    assert (shop.folder / "quotalint.lock").read_text().endswith("sources: []\n")


def test_without_remote_sources_nothing_is_written(workspace: Workspace) -> None:
    workspace.put({"quota.yaml": quota("shop")})
    assert workspace.text("vendor")[:2] == (0, "0 of 0 remote sources vendored.\n")
    assert [path.name for path in workspace.folder.iterdir()] == ["quota.yaml"]


def test_a_broken_lock_is_said(shop: Workspace) -> None:
    shop.put({"quotalint.lock": "a: {\n"})
    assert shop.report()["findings"][0]["message"].startswith(
        "HelmRelease web is not rendered: quotalint.lock cannot be read: line"
    )
    status, _, told = shop.text("vendor")
    assert (status, told.startswith("quotalint: quotalint.lock cannot be read: line")) == (2, True)


@pytest.mark.parametrize("name", [".quotalint", ".quotalint/sources", "quotalint.lock"])
def test_a_link_that_leads_out_is_refused(shop: Workspace, tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (shop.folder / name).parent.mkdir(exist_ok=True)
    (shop.folder / name).symlink_to(elsewhere / "x" if name.endswith("lock") else elsewhere)
    status, _, told = shop.text("vendor")
    assert (status, list(elsewhere.iterdir())) == (2, [])
    assert "a symbolic link leads out of the repository there" in told


@needs_helm
def test_a_link_in_the_place_of_a_folder_is_replaced(shop: Workspace, tmp_path_factory: pytest.TempPathFactory) -> None:
    shop.text("vendor")
    folder = next((shop.folder / ".quotalint/sources").glob("web-*"))
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "web"
    folder.rename(elsewhere)
    folder.symlink_to(elsewhere)
    assert pods(shop) == ("0", "unknown")
    assert (shop.text("vendor")[0], folder.is_symlink(), elsewhere.is_dir()) == (0, False, True)
    assert pods(shop) == ("3", "exact")


def test_the_lock_is_plain_json_in_yaml(shop: Workspace, charts: Server) -> None:
    shop.text("vendor")
    lines = (shop.folder / "quotalint.lock").read_text().splitlines()[3:]
    assert {line.split(": ", 1)[0].strip("- "): json.loads(line.split(": ", 1)[1]) for line in lines} == {
        "source": charts.url,
        "chart": "web",
        "asked": "~1.2",
        "resolved": "1.2.3",
        "digest": lines[-1].split('"')[1],
    }


@needs_helm
def test_what_is_vendored_is_not_repaired(shop: Workspace, charts: Server) -> None:
    broken = {
        **CHART,
        "templates/web.yaml": CHART["templates/web.yaml"].replace("replicas: {{", "replica: 2\n  replicas: {{"),
    }
    add_charts(charts, {("web", "1.2.3"): packed(broken)})
    shop.put({"quota.yaml": quota("shop").replace('"8"', '"2"')})
    shop.text("vendor")
    shop.text("check", "--fix", "--unsafe-fixes")
    assert shop.text("vendor", "--check")[0] == 0


@needs_helm
def test_what_is_staged_has_the_sources_of_the_cache(
    shop: Workspace, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("PATH", PATH)
    made = Repository(shop.folder, {".gitignore": ".quotalint\n"})
    shop.text("vendor")
    made.git("add", "-A")
    assert "QL003" not in shop.text("check", "--staged")[1]


@pytest.mark.parametrize("folder", [".", "./", "../x", ".git/x", "a/../.GIT", ""])
def test_the_folder_is_one_of_its_own(shop: Workspace, folder: str) -> None:
    shop.put({".quotalint.yaml": f"vendor: '{folder}'\n"})
    assert shop.text("vendor")[0] == 2
    assert not (shop.folder / ".gitattributes").exists()


def test_an_address_that_is_none_is_said(workspace: Workspace) -> None:
    workspace.put({"web.yaml": release("http://[", "1.x")})
    status, _, told = workspace.text("vendor")
    assert (status, told.count("\n")) == (1, 1)


@needs_helm
def test_a_configuration_above_the_repository(shop: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lock is in the repository, because nothing outside is read."""
    inner = Workspace(tmp_path / "inner", shop.capsys)
    inner.put({".git/HEAD": "", **{name: (tmp_path / name).read_text() for name in ("quota.yaml", "web.yaml")}})
    shop.put({".quotalint.yaml": "kubeVersion: '1.36'\n"})
    monkeypatch.chdir(inner.folder)
    assert (inner.text("vendor")[0], pods(inner)) == (0, ("3", "exact"))
    assert (inner.folder / "quotalint.lock").is_file()
