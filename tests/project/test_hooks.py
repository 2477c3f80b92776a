"""The hooks do what they promise, run exactly as their file says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from git_repositories import Repository, quota

from quotalint.cli import run

ROOT = Path(__file__).parents[2]
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: base, namespace: team-a}}\nspec: {{hard: {{{}: 1}}}}\n"


def test_hooks_never_take_file_names_and_run_on_every_commit() -> None:
    # A quota is a sum over the repository: the files of one commit say nothing, and a deletion has none.
    ways = {name: (hook["pass_filenames"], hook["always_run"]) for name, hook in HOOKS.items()}
    plain = ("quotalint", "quotalint-diff", "quotalint-fix")
    assert ways == dict.fromkeys((*plain, "quotalint-helm", "quotalint-diff-helm"), (False, True))


@pytest.mark.parametrize("name", ["quotalint", "quotalint-diff"])
def test_a_hook_with_charts_is_the_same_with_the_extra(name: str) -> None:
    words = {"id", "name", "description"}
    plain, with_charts = (
        {key: value for key, value in HOOKS[hook_id].items() if key not in words} for hook_id in (name, f"{name}-helm")
    )
    # pre-commit installs these in the folder of the hook, so that `.` is quotalint.
    assert with_charts == {**plain, "additional_dependencies": [".[helm]"]}


def hook(name: str, folder: Path, **environment: str) -> tuple[int, list[str]]:
    """The exit status of a hook, and the rules that it names."""
    command, *arguments = shlex.split(HOOKS[name]["entry"])
    assert command == "quotalint"
    run = subprocess.run(
        [sys.executable, "-m", "quotalint", *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in run.stderr
    return run.returncode, re.findall(r"^[^ ].*  (?:error|warning)  (QL\d+)", run.stdout, re.MULTILINE)


@pytest.mark.parametrize(("resource", "outcome"), [("pods", (0, [])), ("pod", (1, ["QL102"]))])
def test_the_hook_passes_and_fails(repository: Repository, resource: str, outcome: tuple[int, list[str]]) -> None:
    repository.write({"quota.yaml": QUOTA.format(resource)})
    repository.git("add", "-A")
    assert hook("quotalint", repository.folder) == outcome
    assert hook("quotalint-diff", repository.folder) == outcome


def test_scratch_files_and_what_is_not_staged_are_not_judged(repository: Repository) -> None:
    repository.commit({"quota.yaml": QUOTA.format("pods"), ".gitignore": "out/\n"})
    repository.write(
        {
            "scratch.yaml": QUOTA.format("pod").replace("base", "new"),
            "quota.yaml": QUOTA.format("foo"),
            "out/a.yaml": "a: b: c",
        }
    )
    assert hook("quotalint", repository.folder) == (0, [])
    assert hook("quotalint-diff", repository.folder) == (0, [])
    repository.git("add", "scratch.yaml")
    assert hook("quotalint", repository.folder) == (1, ["QL102"])
    assert hook("quotalint-diff", repository.folder) == (1, ["QL102"])


def test_a_file_that_was_forgotten_is_missing(repository: Repository) -> None:
    kustomization = "resources: [quota.yaml]\nnamespace: team-a\n"
    repository.write({"kustomization.yaml": kustomization, "quota.yaml": QUOTA.format("pod")})
    repository.git("add", "kustomization.yaml")
    assert hook("quotalint", repository.folder)[1] != ["QL102"]


def test_a_commit_that_only_deletes_is_judged(repository: Repository) -> None:
    limits = (
        "apiVersion: v1\nkind: LimitRange\nmetadata: {name: l, namespace: team-a}\n"
        "spec: {limits: [{type: Container, defaultRequest: {cpu: 1}}]}\n"
    )
    pods = (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: team-a}\nspec: {containers: [{name: c, image: i}]}\n"
    )
    repository.commit({"quota.yaml": quota("requests.cpu: 4"), "limits.yaml": limits, "pod.yaml": pods})
    assert hook("quotalint-diff", repository.folder) == (0, [])
    repository.git("rm", "-q", "limits.yaml")
    assert hook("quotalint", repository.folder) == (1, ["QL401"])
    assert hook("quotalint-diff", repository.folder) == (1, ["QL401"])


def test_only_what_the_commit_makes_worse(repository: Repository) -> None:
    repository.commit({"quota.yaml": QUOTA.format("pod")})
    repository.write({"other.yaml": QUOTA.format("pods").replace("base", "other")})
    repository.git("add", "-A")
    assert (hook("quotalint", repository.folder)[0], hook("quotalint-diff", repository.folder)) == (1, (0, []))


def test_an_index_of_its_own_is_the_one_that_counts(repository: Repository) -> None:
    # As `git commit FILE` has it.
    repository.commit({"quota.yaml": QUOTA.format("pods")})
    (repository.folder / ".git" / "other").write_bytes((repository.folder / ".git" / "index").read_bytes())
    repository.write({"bad.yaml": QUOTA.format("pod").replace("base", "new")})
    repository.git("add", "bad.yaml")
    assert hook("quotalint", repository.folder)[0] == 1
    assert hook("quotalint", repository.folder, GIT_INDEX_FILE=".git/other") == (0, [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check", "--staged", "--fix"), "--staged only checks"),
        (("diff", "--staged", "HEAD", "HEAD"), "so it takes no HEAD"),
        (("check", "--staged", "gone"), "no such file or folder in what is staged: gone"),
        (("check", "--staged", "--baseline", "gone.yaml"), "gone.yaml"),
    ],
)
def test_what_cannot_be_staged_is_refused(
    repository: Repository, arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.commit({"quota.yaml": QUOTA.format("pods")})
    assert (run(list(arguments)), message in capsys.readouterr().err) == (2, True)


def test_outside_of_a_repository_nothing_is_staged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert (run(["check", "--staged"]), "this is not a git repository" in capsys.readouterr().err) == (2, True)


def test_the_repairing_hook_repairs(tmp_path: Path) -> None:
    quota = tmp_path / "quota.yaml"
    quota.write_text(QUOTA.format("memory.limit"))
    command = [sys.executable, "-m", "quotalint", *shlex.split(HOOKS["quotalint-fix"]["entry"])[1:]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    # pre-commit itself fails a hook that changes a file.
    assert (done.returncode, quota.read_text()) == (0, QUOTA.format("limits.memory"))
