"""What a kustomization may not lead a program to: no path leads out of the copy that it is given."""

from __future__ import annotations

import json
import os
import posixpath
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kustomize_copies import fake, plugin, repository
from kustomize_trees import A, B

from quotalint.gitops import kustomize_copy
from quotalint.gitops.kustomize_copy import Copied, CopyRefusedError, copy_kustomization
from quotalint.gitops.kustomize_program import Printed, run_build


@pytest.mark.parametrize(
    ("top", "error"),
    [
        pytest.param(
            "resources: [../../secret.yaml]", "`resources`: ../../secret.yaml leads out of the repository", id="file"
        ),
        pytest.param("resources: [../..]", "`resources`: ../.. leads out of the repository", id="folder"),
        pytest.param("resources: [/etc/passwd]", "`resources`: /etc/passwd is an absolute path", id="absolute"),
        pytest.param("resources: [out.yaml]", "`resources`: out.yaml leads out of the repository", id="link"),
        pytest.param("resources: [out/a.yaml]", "`resources`: out/a.yaml leads out of the repository", id="link above"),
        pytest.param("bases: [out]", "`bases`: out leads out of the repository", id="base by a link"),
        pytest.param("components: [../../x]", "`components`: ../../x leads out of the repository", id="component"),
        pytest.param("components: [a.yaml]", "`components`: there is no folder a.yaml", id="a file for a component"),
        pytest.param("crds: [../../secret.yaml]", "`crds`: ../../secret.yaml leads out of the repository", id="CRD"),
        pytest.param(
            "configurations: [out.yaml]", "`configurations`: out.yaml leads out of the repository", id="config"
        ),
        pytest.param("openapi: {path: /etc/s}", "`openapi`: `path`: /etc/s is an absolute path", id="schema"),
        pytest.param(
            "patches: [{path: ../../p}]", "`patches`: `path`: ../../p leads out of the repository", id="patch"
        ),
        pytest.param("patches: [a.yaml]", "`patches`: a mapping is expected", id="patches of old"),
        pytest.param(
            "patchesJson6902: [{path: out.yaml}]",
            "`patchesJson6902`: `path`: out.yaml leads out of the repository",
            id="JSON patch",
        ),
        pytest.param(
            "patchesStrategicMerge: ['a: [\n/../../../../secret.yaml']",
            "`patchesStrategicMerge`: a: [ /../../../../secret.yaml leads out of the repository",
            id="a path that begins like a patch",
        ),
        pytest.param(
            "replacements: [{path: ../../secret.yaml}]",
            "`replacements`: `path`: ../../secret.yaml leads out of the repository",
            id="replacement",
        ),
        pytest.param(
            "configMapGenerator: [{name: a, files: [k=../../secret.yaml]}]",
            "`configMapGenerator`: `files`: ../../secret.yaml leads out of the repository",
            id="data",
        ),
        pytest.param(
            "configMapGenerator: [{name: a, files: [a=b=a.yaml]}]",
            "`configMapGenerator`: `files`: a=b=a.yaml is not [key=]path",
            id="data of two keys",
        ),
        pytest.param(
            "secretGenerator: [{name: a, envs: [out.yaml]}]",
            "`secretGenerator`: `envs`: out.yaml leads out of the repository",
            id="variables",
        ),
        pytest.param(
            "secretGenerator: [{name: a, env: /etc/passwd}]",
            "`secretGenerator`: `env`: /etc/passwd is an absolute path",
            id="variables of old",
        ),
        pytest.param(
            "Resources: [/etc/passwd]", "`resources`: /etc/passwd is an absolute path", id="a field in capitals"
        ),
        pytest.param(
            "patches: [{Path: /etc/passwd}]",
            "`patches`: `path`: /etc/passwd is an absolute path",
            id="a capital further in",
        ),
        pytest.param("re\u017fources: [/etc]", "the field `re\u017fources` is not known", id="a letter that Go folds"),
        pytest.param("resources: a.yaml", "`resources`: a list is expected", id="no list"),
        pytest.param("resources: [{a: b}]", "`resources`: a path is expected", id="no path"),
        pytest.param('resources: ["\\0"]', "`resources`: leads out of the repository", id="what no file can be called"),
        pytest.param("resources: [b.yaml]", "`resources`: there is no file b.yaml", id="no file"),
        pytest.param("resources: [pipe]", "`resources`: there is no file pipe", id="a pipe"),
        pytest.param(
            "resources: [https://example.com/a.yaml]", "`resources`: https://example.com/a.yaml is remote", id="a URL"
        ),
        pytest.param("bases: [github.com/a/b]", "`bases`: github.com/a/b is remote", id="a host"),
        pytest.param("components: ['git@example.com:a/b']", "`components`: git@example.com:a/b is remote", id="SSH"),
        pytest.param("generators: [FILE://x]", "`generators`: FILE://x is remote", id="a remote plugin"),
        pytest.param("helmCharts: [{name: a}]", "`helmCharts`: charts are rendered by helm", id="a chart"),
        pytest.param("generators: [exec.yaml]", "`generators`: Foo is a plugin, which is not run", id="a program"),
        pytest.param("validators: [exec.yaml]", "`validators`: Foo is a plugin, which is not run", id="a validator"),
        pytest.param(
            "transformers: [sub]",
            "`transformers`: sub is a folder, which may make anything of what it holds",
            id="plugins made by plugins",
        ),
        pytest.param(
            "transformers: ['{apiVersion: v1, kind: List, items: [{apiVersion: builtin, kind: PatchTransformer}]}']",
            "`transformers`: List is a plugin, which is not run",
            id="a list of plugins",
        ),
        pytest.param(
            "generators: ['{apiVersion: builtin, kind: HelmChartInflationGenerator, valuesFile: /etc/passwd}']",
            "`generators`: HelmChartInflationGenerator is a plugin, which is not run",
            id="a chart as a plugin",
        ),
        pytest.param(
            "generators: ['" + plugin("ConfigMapGenerator", "files: [../../secret.yaml]") + "']",
            "`generators`: `files`: ../../secret.yaml leads out of the repository",
            id="data of a plugin",
        ),
        pytest.param(
            "transformers: ['" + plugin("ValueAddTransformer", "targetFilePath: out.yaml") + "']",
            "`transformers`: `targetFilePath`: out.yaml leads out of the repository",
            id="targets of a plugin",
        ),
        pytest.param(
            "transformers: ['" + plugin("ReplacementTransformer", "replacements: [{path: ../../r}]") + "']",
            "`transformers`: `replacements`: `path`: ../../r leads out of the repository",
            id="replacement of a plugin",
        ),
        pytest.param("a: [", "the kustomization cannot be read: ", id="no YAML"),
        pytest.param("[a]", "the kustomization is not a mapping", id="no mapping"),
        pytest.param("", "the kustomization is empty", id="empty"),
    ],
)
def test_what_leads_out_of_the_repository_is_refused(top: str, error: str, tmp_path: Path) -> None:
    files = {
        "kustomization.yaml": "resources: [app]",
        "app/kustomization.yaml": top,
        "app/a.yaml": A,
        "app/out.yaml": "-> ../../secret.yaml",
        "app/out": "-> ../..",
        "app/exec.yaml": "{apiVersion: e/v1, kind: Foo, metadata: {name: a, annotations: {"
        "config.kubernetes.io/function: '{exec: {path: ./run}, container: {image: x}, starlark: {path: s}}'}}}",
        "app/sub/kustomization.yaml": "resources: [a.yaml]",
    }
    root = repository(tmp_path, files)
    (tmp_path / "secret.yaml").write_text(B)
    os.mkfifo(tmp_path / "repository" / "app" / "pipe")
    printed = run_build(root, root, fake(tmp_path, "echo 'ran: 1'"))
    start = f"app/kustomization.yaml: {error}"
    assert (printed.documents, printed.error[: len(start)]) == ((), start)


@pytest.mark.parametrize(
    ("files", "error"),
    [
        pytest.param({"a.yaml": A}, ".: there is no kustomization in the folder", id="none"),
        pytest.param(
            {"kustomization.yaml": "namePrefix: a", "kustomization.yml": "namePrefix: b"},
            "kustomization.yaml: the folder has several kustomizations: kustomization.yaml, kustomization.yml",
            id="several",
        ),
        pytest.param(
            {"kustomization.yaml": "configMapGenerator: [{name: a, files: [kustomization.yaml]}]"},
            "kustomization.yaml: kustomization.yaml is a kustomization and something else at once",
            id="one that is data, too",
        ),
        pytest.param(
            {"kustomization.yaml": "-> ../secret.yaml"}, ".: there is no kustomization in the folder", id="outside"
        ),
    ],
)
def test_a_folder_without_a_clear_kustomization_is_refused(
    files: Mapping[str, str], error: str, tmp_path: Path
) -> None:
    root = repository(tmp_path, files)
    (tmp_path / "secret.yaml").write_text("namePrefix: secret")
    assert run_build(root, root, fake(tmp_path, "echo 'ran: 1'")) == Printed((), error)


def test_a_folder_outside_of_the_repository_is_refused(tmp_path: Path) -> None:
    root = repository(tmp_path, {"out": "-> ../outside"})
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "kustomization.yaml").write_text("namePrefix: a")
    command = fake(tmp_path, "echo 'ran: 1'")
    refused = [run_build(folder, root, command) for folder in (f"{root}/out", f"{tmp_path}/outside")]
    assert refused == [
        Printed((), f"the folder {name} lies outside the repository") for name in ("out", f"{tmp_path}/outside")
    ]


def test_a_kustomization_without_measure_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path, {"kustomization.yaml": "resources: [a.yaml]", "a.yaml": A})
    monkeypatch.setattr(kustomize_copy, "MAX_COPIED", len(A))
    error = "kustomization.yaml: the files of the kustomization are more than 20000, or larger than 0 MiB together"
    printed = run_build(root, root, fake(tmp_path, "echo 'ran: 1'"))
    assert printed == Printed((), error)


_FOLDERS = st.lists(st.sampled_from(["..", "..", "", "a", "b", "in", "out", "up"]), max_size=3).map("/".join)


_FILES = st.tuples(_FOLDERS, st.sampled_from(["f.yaml", "leak.yaml"])).map(lambda parts: posixpath.join(*parts))


_CONTENTS = st.one_of(
    st.sampled_from(["resources", "crds", "patchesStrategicMerge", "transformers"]).flatmap(
        lambda field: st.fixed_dictionaries({field: st.lists(_FILES, min_size=1, max_size=1)})
    ),
    st.sampled_from(["resources", "bases", "components"]).flatmap(
        lambda field: st.fixed_dictionaries({field: st.lists(_FOLDERS, min_size=1, max_size=2)})
    ),
    st.fixed_dictionaries({"configMapGenerator": st.tuples(st.fixed_dictionaries({"files": st.tuples(_FILES)}))}),
    st.fixed_dictionaries({"patches": st.tuples(st.fixed_dictionaries({"path": _FILES}))}),
    st.fixed_dictionaries({"patchesStrategicMerge": st.tuples(_FILES.map("{{a: /{}".format))}),
    st.just({}),
)


@pytest.fixture(scope="module")
def maze(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("maze")
    links = {"a/in": "-> ../b", "a/out": "-> ../..", "b/up": "-> ..", "b/leak.yaml": "-> ../../f.yaml"}
    repository(top, {"f.yaml": A, "a/f.yaml": A, "b/f.yaml": A, **links})
    (top / "f.yaml").write_text("secret")
    (top / "kustomization.yaml").write_text("namePrefix: secret")
    return top


@given(st.tuples(_CONTENTS, _CONTENTS, _CONTENTS))
def test_no_path_leads_out_of_the_copy(maze: Path, contents: tuple[dict[str, object], ...]) -> None:
    root = maze / "repository"
    for folder, content in zip(("", "a", "b"), contents, strict=True):
        (root / folder / "kustomization.yaml").write_text(json.dumps({"namePrefix": "p", **content}))
    try:
        result = copy_kustomization(str(root / "a"), str(root))
    except CopyRefusedError:
        return
    assert ([data for data in result.files.values() if b"secret" in data], _astray(result)) == ([], [])


def _astray(result: Copied) -> list[str]:
    """The paths of kustomizations that are not part of the copy."""
    paths_in_view = {*result.files, *map(posixpath.dirname, result.files)}
    astray = []
    for name, data in result.files.items():
        if posixpath.basename(name) != "kustomization.yaml":
            continue
        body = json.loads(data)
        paths = [
            path for key, value in body.items() if isinstance(value, list) for path in value if isinstance(path, str)
        ]
        paths += [path for item in body.get("configMapGenerator", ()) for path in item["files"]]
        paths += [patch["path"] for patch in body.get("patches", ())]
        for path in paths:
            target = posixpath.normpath(
                posixpath.join("/root", posixpath.dirname(name), path.partition("=")[2] or path)
            )
            if posixpath.relpath(target, "/root").removeprefix(".") not in paths_in_view and target != "/root":
                astray.append(path)
    return astray
