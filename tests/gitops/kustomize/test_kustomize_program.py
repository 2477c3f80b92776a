"""A program renders a kustomization as if it stood in its place, and the kustomization leads it nowhere else."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from kustomize_copies import PATCH, PREFIX, plugin, repository
from kustomize_trees import A, B

from quotalint.gitops.kustomize_program import Printed, run_build
from quotalint.programs import MAX_LINE
from quotalint.text.documents import read


@pytest.fixture(scope="session")
def kustomize() -> tuple[str, ...]:
    program = os.environ.get("QUOTALINT_TEST_KUBECTL") or shutil.which("kubectl")
    if program:
        return os.path.abspath(program), "kustomize"
    program = shutil.which("kustomize")
    if not program:
        pytest.skip("there is no kubectl or kustomize on PATH, and QUOTALINT_TEST_KUBECTL does not name one")
    return program, "build"


MAP_A, MAP_B = ({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}} for name in "ab")
PATCHED = {**MAP_A, "data": {"k": "v"}}
ADD = "[{op: add, path: /data, value: {k: v}}]"
TARGET = "target: {kind: ConfigMap, name: a, version: v1}"
REPLACEMENT = "{source: {kind: ConfigMap, name: a, fieldPath: metadata.name}, targets: [{select: {kind: Job}, "
REPLACEMENT += "fieldPaths: [metadata.namespace], options: {create: true}}]}"
LABEL = "{apiVersion: builtin, kind: LabelTransformer, metadata: {name: l}, labels: {l: m}, "
LABEL += "fieldSpecs: [{path: metadata/labels, create: true}]}"


@pytest.mark.parametrize(
    ("top", "more"),
    [
        pytest.param("resources: [a.yaml, ./sub/../b.yaml]", {}, id="files"),
        pytest.param("resources: [a.yaml/, ../../outside.yaml]", {"outside.yaml": B}, id="a file elsewhere"),
        pytest.param(
            "resources: [../base]\nnamePrefix: p-", {"apps/base/Kustomization": "nameSuffix: -s"}, id="a base"
        ),
        pytest.param(
            "resources: [../base, ../two]",
            {
                "apps/base/kustomization.yml": "resources: [a.yaml]",
                "apps/base/a.yaml": A,
                "apps/two/kustomization.yaml": "resources: [../base]\nnamePrefix: two-",
            },
            id="a base of two",
        ),
        pytest.param("bases: [/]", {}, id="an absolute base"),
        pytest.param(
            "resources: [a.yaml]\ncomponents: [../c]",
            {"apps/c/kustomization.yaml": "{kind: Component, patches: [{path: p.yaml}]}", "apps/c/p.yaml": PATCH},
            id="a component",
        ),
        pytest.param(
            "resources: [linked, linked/../b.yaml, file.yaml]",
            {
                "apps/web/linked": "-> ../../real/folder",
                "apps/web/file.yaml": "-> ../../real/c.yaml",
                "real/folder/kustomization.yaml": "resources: [../d.yaml]",
                "real/c.yaml": A,
                "real/d.yaml": B.replace("b", "d"),
            },
            id="links",
        ),
        pytest.param(
            "configMapGenerator: [{name: c, files: [a.yaml, k=b.yaml, ../data], envs: [e], env: ../f, "
            "literals: [x=/etc]}]",
            {"apps/data": "text\n", "apps/web/e": "e=1\n# no\nempty", "apps/f": "f=2"},
            id="data",
        ),
        pytest.param("secretGenerator: [{name: s, type: t, files: [a.yaml]}]", {}, id="a secret"),
        pytest.param(f"resources: [a.yaml]\npatches: [{{patch: '{PATCH}'}}]", {}, id="a patch"),
        pytest.param(f"resources: [a.yaml]\npatches: [{{path: p, {TARGET}}}]", {"apps/web/p": ADD}, id="a patch file"),
        pytest.param(
            f"resources: [a.yaml]\npatchesJson6902: [{{path: p, {TARGET}}}]", {"apps/web/p": ADD}, id="a JSON patch"
        ),
        pytest.param(
            "resources: [a.yaml, b.yaml]\npatchesStrategicMerge: ['" + PATCH + "', p]",
            {"apps/web/p": PATCH.replace("a}", "b}")},
            id="strategic merge patches",
        ),
        pytest.param("resources: [a.yaml]\npatches: [p.yaml]", {"apps/web/p.yaml": PATCH}, id="patches of old"),
        pytest.param(
            "resources: [a.yaml, job]\nreplacements: [{path: r}]",
            {"apps/web/r": REPLACEMENT, "apps/web/job": "{apiVersion: batch/v1, kind: Job, metadata: {name: j}}"},
            id="a replacement",
        ),
        pytest.param(
            "resources: [a.yaml]\ntransformers: [t, '" + LABEL + "']",
            {"apps/web/t": f"---\n{PREFIX}\n"},
            id="transformers",
        ),
        pytest.param(
            "generators: ['" + plugin("ConfigMapGenerator", "files: [a.yaml, k=../d], envs: [../d]") + "', g]",
            {"apps/d": "k2=v", "apps/web/g": plugin("SecretGenerator", "literals: [a=b], type: t")},
            id="generators",
        ),
        pytest.param(
            "resources: [a.yaml, b.yaml]\ntransformers: [t]",
            {
                "apps/web/t": "\n---\n".join(
                    (
                        plugin("PatchTransformer", "path: p"),
                        plugin("PatchJson6902Transformer", f"path: j, {TARGET}").replace("made", "j"),
                        plugin("PatchStrategicMergeTransformer", "paths: [p]").replace("made", "s"),
                        plugin("ValueAddTransformer", "targetFilePath: v").replace("made", "v"),
                    )
                ),
                "apps/web/p": PATCH,
                "apps/web/j": "[{op: add, path: /data/l, value: w}]",
                "apps/web/v": "{targets: [{selector: {kind: ConfigMap}, fieldPath: metadata/namespace}]}",
            },
            id="transformers that name files",
        ),
        pytest.param(
            "resources: [foo]\nopenapi: {path: s.json}\ncrds: [crd.json]\nconfigurations: [conf]\nnamePrefix: p-",
            {
                "apps/web/foo": "{apiVersion: e/v1, kind: Foo, metadata: {name: a}, n: name}",
                "apps/web/s.json": '{"definitions": {}}',
                "apps/web/crd.json": "{}",
                "apps/web/conf": "{namePrefix: [{path: n, kind: Foo}]}",
            },
            id="what is to be known of kinds",
        ),
        pytest.param(
            "resources: [a.yaml]\ncommonAnnotations: {k: \"\\u00e4\\u4e2d\\U0001f600\\u2028\\x7f\\\\ '\\\"\", l: '{{'}",
            {},
            id="characters",
        ),
        pytest.param("resources: [a.yaml]\nnamespace:\nimages: []\nlabels: [{pairs: {'on': 'yes'}}]", {}, id="nothing"),
        pytest.param("resources: [../..]", {"kustomization.yaml": "resources: [apps/web]"}, id="a cycle"),
        pytest.param("resources: [a.yaml, a.yaml]", {}, id="twice the same"),
    ],
)
def test_a_program_makes_of_the_copy_what_it_makes_of_the_repository(
    top: str, more: Mapping[str, str], kustomize: tuple[str, ...], tmp_path: Path
) -> None:
    files = {"apps/web/kustomization.yaml": top, "apps/web/a.yaml": A, "apps/web/b.yaml": B, **more}
    root = repository(tmp_path, files)
    command = [*kustomize, "--load-restrictor=LoadRestrictionsNone", f"{root}/apps/web"]
    direct = subprocess.run(command, capture_output=True, env={"PATH": "", "HOME": str(tmp_path)}, check=False)
    printed = run_build(f"{root}/apps/web", root, kustomize)
    expected = tuple(document.value for document in read(direct.stdout).documents)
    assert (printed.documents, bool(printed.error)) == (expected, direct.returncode != 0)


@pytest.mark.parametrize(
    ("top", "documents"),
    [
        pytest.param("resources: [../secret.yaml]\nresources: [a.yaml]", (MAP_A,), id="a key given twice"),
        pytest.param("resources: [a.yaml]\n---\nresources: [../secret.yaml]", (MAP_A,), id="a second document"),
    ],
)
def test_what_counts_is_how_it_was_understood_here(
    top: str, documents: tuple[object, ...], kustomize: tuple[str, ...], tmp_path: Path
) -> None:
    root = repository(tmp_path, {"kustomization.yaml": top, "a.yaml": A})
    (tmp_path / "secret.yaml").write_text(B)
    assert run_build(root, root, kustomize) == Printed(documents)


@pytest.mark.parametrize(
    ("files", "parts"),
    [
        pytest.param({"kustomization.yaml": "resources: [a.yaml]", "a.yaml": "a: ["}, ["a.yaml", "yaml"], id="no YAML"),
        pytest.param(
            {"kustomization.yaml": "resources: [a.yaml]", "a.yaml": "a: 1"},
            ["a.yaml", "missing Resource metadata"],
            id="no object",
        ),
        pytest.param(
            {"kustomization.yaml": f"patches: [{{patch: '{PATCH}'}}]"},
            ["no resource matches strategic merge patch"],
            id="a patch of nothing",
        ),
        pytest.param(
            {"kustomization.yaml": "namespace: 3\nbases: []\ncommonLabels: {a: b}"},
            ["namespace", "string"],
            id="a type",
        ),
    ],
)
def test_what_the_program_says_is_passed_on(
    files: Mapping[str, str], parts: list[str], kustomize: tuple[str, ...], tmp_path: Path
) -> None:
    root = repository(tmp_path, files)
    error = run_build(root, root, kustomize).error
    unwelcome = [text for text in ("\n", str(tmp_path), "quotalint-") if text in error]
    unwelcome += [text for text in ("Error", "error", "E1", "# ") if error.startswith(text)]
    assert ([part for part in parts if part not in error], unwelcome, len(error) <= MAX_LINE + 3) == ([], [], True)


def test_no_machine_path_is_told(kustomize: tuple[str, ...], tmp_path: Path) -> None:
    root = repository(
        tmp_path, {"kustomization.yaml": "resources: [base]", "base/kustomization.yaml": "resources: [..]"}
    )
    cycle = "cycle detected: candidate root '.' contains visited root 'base'"
    error = run_build(root, root, kustomize).error
    assert (error.endswith(cycle), "quotalint-" in error) == (True, False)


def test_a_schema_sends_the_program_nowhere(kustomize: tuple[str, ...], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        reference = {"$ref": f"http://127.0.0.1:{server.getsockname()[1]}/schema.json"}
        kind = {"group": "", "version": "v1", "kind": "ConfigMap"}
        schema = {"x-kubernetes-group-version-kind": [kind], "properties": {"data": reference}}
        files = {
            "kustomization.yaml": f"resources: [a.yaml]\nopenapi: {{path: s.json}}\npatches: [{{patch: '{PATCH}'}}]",
            "a.yaml": PATCH.replace("k:", "l:"),
            "s.json": json.dumps({"definitions": {"v1.ConfigMap": schema}}),
        }
        root = repository(tmp_path, files)
        documents = run_build(root, root, kustomize).documents
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()
    assert len(documents) == 1
