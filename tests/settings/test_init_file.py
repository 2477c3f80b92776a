import os
import re
import stat
from pathlib import Path
from typing import Any

import pytest

from quotalint.cli import run
from quotalint.runtime.data import load_schema
from quotalint.settings import ChartRelease, Nodes, Options, Settings
from quotalint.settings.init_file import starter_configuration, write_configuration
from quotalint.settings.loading import load_settings
from quotalint.text.documents import read


def plant(root: Path, *names: str, text: str = "") -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def excluded(root: Path) -> object:
    for document in read(starter_configuration(str(root)).text.encode()).documents:
        assert isinstance(document.value, dict)
        return document.value["exclude"]
    return None


@pytest.mark.parametrize(
    ("planted", "expected"),
    [
        pytest.param(["a.yaml", "b/c.yaml"], None, id="nothing to propose"),
        pytest.param(["a/testdata/x.yaml", "chainsaw/x.yaml"], ["/chainsaw/", "/a/testdata/"], id="never applied"),
        pytest.param([f"{at}/testdata/x.yaml" for at in "abcd"], ["testdata/"], id="many of a name"),
        pytest.param(["testdata/e2e/fixtures/x.yaml"], ["/testdata/"], id="the outermost"),
        pytest.param(["testdata/x.txt", "fixtures/"], None, id="without YAML"),
        pytest.param(["a.yaml", "tests/x.yaml"], ["/tests/"], id="seldom applied"),
        pytest.param(["a.yaml", "test/kustomization.yaml", "test/x/y.yaml"], None, id="a stage by its kustomization"),
        pytest.param(["a.yaml", "overlays/test/x.yaml"], None, id="a stage by its place"),
        pytest.param(["a.yaml", "examples/x.yaml", "examples/y.yaml"], None, id="most of what there is"),
        pytest.param(["Chart.yaml", "templates/tests/x.yaml"], None, id="a chart at the root"),
        pytest.param(["c/Chart.yaml", "c/templates/x.yaml", "c/tests/x.yaml"], None, id="in a chart"),
        pytest.param(["a.yaml", "b/templates/x.yaml"], None, id="templates without braces"),
        pytest.param(
            ["a b/testdata/x.yaml", "[c]/testdata/x.yaml"], ["/\\[c]/testdata/", "/a b/testdata/"], id="quoted"
        ),
        pytest.param(["a\nb/testdata/x.yaml"], None, id="a name that cannot be written"),
    ],
)
def test_folders_of_no_manifests_are_proposed_for_exclusion(
    tmp_path: Path, planted: list[str], expected: list[str] | None
) -> None:
    for name in planted:
        (tmp_path / name).mkdir() if name.endswith("/") else plant(tmp_path, name)
    assert excluded(tmp_path) == expected


def test_proposes_templates(tmp_path: Path) -> None:
    plant(tmp_path, "a/templates/x.yaml", text="replicas: {{ .Values.replicas }}")
    assert excluded(tmp_path) == ["/a/templates/"]


def test_proposes_what_git_does_not_ignore(tmp_path: Path) -> None:
    plant(tmp_path, ".git/HEAD", "build/testdata/x.yaml")
    plant(tmp_path, ".gitignore", text="build/")
    assert excluded(tmp_path) is None


def test_the_configuration_that_is_proposed_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plant(tmp_path, "a.yaml", "tests/x.yaml", "testdata/[x] y/z.yaml")
    assert write_configuration(".quotalint.yaml", starter_configuration(".").text, force=False) is None
    expected = Settings(str(tmp_path), ".quotalint.yaml", exclude=("/testdata/", "/tests/"), repository=str(tmp_path))
    assert load_settings(["."], Options()) == expected


def test_every_example_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A `#` without a space is an example. Together they name every key, with its default where one is best shown."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "quotalint-base.yaml").write_text("{}\n")
    (tmp_path / ".quotalint.yaml").write_text(re.sub("(?m)^#(?! |$)", "", starter_configuration(".").text))
    settings = load_settings(["."], Options())
    assert isinstance(settings, Settings)
    properties: Any = load_schema("config")["properties"]
    (document,) = read((tmp_path / ".quotalint.yaml").read_bytes()).documents
    assert isinstance(document.value, dict)
    assert sorted(document.value) == sorted(properties)
    default = Settings("", None)
    assert (settings.fail_on, settings.kube_version, settings.nearly_full, settings.nodes) == (
        default.fail_on,
        default.kube_version,
        default.nearly_full,
        Nodes(12, {"disk=ssd,zone=a": 3}),
    )


def test_a_configuration_that_is_there_is_overwritten_by_force_alone(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    outcomes = [
        write_configuration(str(path), "a", force=False),
        write_configuration(str(path), "b", force=False),
        path.read_text(),
    ]
    path.chmod(0o640)
    outcomes += [write_configuration(str(path), "c", force=True), path.read_text()]
    assert outcomes == [None, f"{path} exists already; --force replaces it", "a", None, "c"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["c.yaml"]


def test_write_through_a_link(tmp_path: Path) -> None:
    plant(tmp_path, "there/c.yaml")
    link = tmp_path / "c.yaml"
    link.symlink_to("there/c.yaml")
    assert (write_configuration(str(link), "a", force=True), link.is_symlink(), link.read_text()) == (None, True, "a")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        pytest.param("no/such/c.yaml", "No such file or directory", id="no folder"),
        pytest.param("folder", "Is a directory", id="a folder"),
    ],
)
def test_a_configuration_that_cannot_be_written_is_refused(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "folder").mkdir()
    path = str(tmp_path / name)
    assert write_configuration(path, "a", force=True) == f"{path} cannot be written: {reason}"
    assert os.listdir(tmp_path) == ["folder"]


def test_what_can_be_read_off_a_repository_is_proposed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quota = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: base, namespace: a}\nspec: {hard: {pods: 4}}\n"
    for folder in ("clusters/dev", "clusters/prod", "common"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "quota.yaml").write_text(quota.replace("base", "shared") if folder == "common" else quota)
    monkeypatch.chdir(tmp_path)
    assert run(["init"]) == 0
    written = (tmp_path / ".quotalint.yaml").read_text()
    assert "#environments:\n#  dev: [/clusters/dev/, /common/]\n#  prod: [/clusters/prod/, /common/]\n" in written
    assert capsys.readouterr().err == "wrote ./.quotalint.yaml\n  proposed environments: dev, prod\n"


def test_the_clusters_that_paths_name_are_proposed_and_nothing_deployed_is_excluded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    application_set = (
        "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: web}\nspec:\n"
        "  generators: [{clusters: {}}]\n  template:\n    metadata: {name: 'web-{{name}}'}\n"
        "    spec: {source: {repoURL: x, path: 'apps/{{name}}'}, destination: {name: '{{name}}'}}\n"
        "---\napiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: kit}\n"
        "spec: {source: {repoURL: x, path: testdata/kit}, destination: {namespace: kit}}\n"
    )
    config_map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"
    for name in ("argocd/set.yaml", "apps/k1/x.yaml", "apps/k2/x.yaml", "apps/base/x.yaml", "testdata/kit/x.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(application_set if name.startswith("argocd") else config_map)
    monkeypatch.chdir(tmp_path)
    assert run(["init"]) == 0
    written = (tmp_path / ".quotalint.yaml").read_text()
    assert ("#clusters: {k1: {}, k2: {}}\n" in written, "- /testdata/" in written) == (True, False)


def test_releases_are_proposed_for_the_values_beside_a_chart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, "charts/web/Chart.yaml", "charts/web/values.yaml", "charts/web/values-prod.yaml", "db/Chart.yaml")
    (tmp_path / "quotalint-base.yaml").write_text("{}\n")
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".quotalint.yaml").write_text(re.sub("(?m)^#(?! |$)", "", starter_configuration(".").text))
    settings = load_settings(["."], Options())
    assert isinstance(settings, Settings)
    assert settings.renderers.releases == (
        ChartRelease("charts/web", "web", "web", ("charts/web/values-prod.yaml",), "prod"),
    )
