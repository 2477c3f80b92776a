"""The recipes of docs/ci.md: what their CI systems accept, and run here as they would run there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from docs_pages import ROOT, sections
from git_repositories import Repository, deployment, quota

RECIPES = {
    block.title: block.text for section in sections(ROOT / "docs/ci.md") for block in section.blocks if block.title
}
ANY_OTHER = next(
    section.blocks[0].text
    for section in sections(ROOT / "docs/ci.md")
    if section.heading == "Any other CI" and section.blocks
)


class Job(NamedTuple):
    """A checkout of a merge request: the base has one error, and the change adds another."""

    repository: Repository
    base: str
    programs: Path

    def run(self, script: str, variables: Mapping[str, str] = {}) -> int:
        """Run lines of a recipe with bash as a CI system does; the exit status."""
        path = os.pathsep.join((str(self.programs), "/usr/bin", "/bin"))
        environment = {"PATH": path, "HOME": str(self.programs), "PYTHONPATH": str(ROOT), **variables}
        done = subprocess.run(
            ["bash", "-c", script], cwd=self.repository.folder, env=environment, capture_output=True, check=False
        )
        assert b"not found" not in done.stderr, done.stderr
        return done.returncode

    def read(self, name: str) -> str:
        """What a recipe has written."""
        return (self.repository.folder / name).read_text(encoding="utf-8")


@pytest.fixture
def job(tmp_path: Path) -> Job:
    """Pip that installs nothing, since there is this quotalint."""
    programs = tmp_path / "bin"
    programs.mkdir()
    _program(programs / "pip", '[ "$*" = "install quotalint" ]')
    _program(programs / "quotalint", f'exec {sys.executable} -m quotalint "$@"')
    repository = Repository(tmp_path / "work")
    base = repository.commit({"old.yaml": quota("memory.limit: 1Gi", "old", "team-b"), "web.yaml": deployment(1)})
    repository.git("update-ref", "refs/remotes/origin/main", base)
    repository.git("checkout", "-q", "-b", "change")
    repository.commit({"quota.yaml": quota("pods: '1'"), "web.yaml": deployment(3)})
    return Job(repository, base, programs)


def _program(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


@pytest.mark.parametrize(
    ("file", "options"),
    [
        (".gitlab-ci.yml", ["vendor.gitlab-ci", "--data-transform", "gitlab-ci"]),
        # As the project's own hook for Azure: the schema's patterns are not all of Unicode's kind.
        (
            "azure-pipelines.yml",
            ["vendor.azure-pipelines", "--data-transform", "azure-pipelines", "--regex-variant", "nonunicode"],
        ),
    ],
)
def test_a_recipe_fits_the_schema_of_its_system(file: str, options: list[str], tmp_path: Path) -> None:
    if not _installed("check_jsonschema"):
        pytest.skip("check-jsonschema is not on PATH")
    (tmp_path / file).write_text(RECIPES[file])
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", *options, str(tmp_path / file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_every_recipe_that_installs_says_how_with_charts() -> None:
    lines = [line for text in (*RECIPES.values(), ANY_OTHER) for line in text.splitlines() if "pip install" in line]
    assert {line.partition(" # ")[2] for line in lines} == {"with charts: 'quotalint[helm]'"}


def _installed(module: str) -> bool:
    from importlib.util import find_spec

    return find_spec(module) is not None


def test_gitlab_gets_its_code_quality_report_and_tests(job: Job) -> None:
    recipe = yaml.safe_load(RECIPES[".gitlab-ci.yml"])["quotalint"]
    status = job.run(_gitlab(recipe))
    reports = recipe["artifacts"]["reports"]
    reported = [
        (issue["check_name"], issue["location"]["path"]) for issue in json.loads(job.read(reports["codequality"]))
    ]
    assert (status, reported) == (1, [("QL102", "old.yaml"), ("QL301", "quota.yaml")])
    assert _failed(job.read(reports["junit"])) == ["old.yaml", "quota.yaml"]


def test_bitbucket_finds_the_tests(job: Job) -> None:
    pipelines = yaml.safe_load(RECIPES["bitbucket-pipelines.yml"])["pipelines"]
    ((step,),) = (list(item.values()) for item in pipelines["pull-requests"]["**"])
    status = job.run(_lines(step["script"]), {"BITBUCKET_PR_DESTINATION_BRANCH": "main"})
    assert (status, _failed(job.read("test-results/quotalint.xml"))) == (1, ["quota.yaml"])
    ((step,),) = (list(item.values()) for item in pipelines["branches"]["main"])
    shutil.rmtree(job.repository.folder / "test-results")
    status = job.run(_lines(step["script"]))
    assert (status, _failed(job.read("test-results/quotalint.xml"))) == (1, ["old.yaml", "quota.yaml"])


def _lines(script: list[str]) -> str:
    return "\n".join(["set -e", *script])


@pytest.mark.parametrize(
    ("title", "way"), [("comment.gitlab-ci.yml", "after_script"), (".forgejo/workflows/quotas.yml", "run")]
)
def test_the_recipes_of_comments_name_the_script(title: str, way: str) -> None:
    text = RECIPES[title]
    assert way in text
    (folder,) = set(re.findall(r"python -I (\S+)/action\b", text.replace('"', "")))
    assert f"https://github.com/quotalint/quotalint {folder}" in text.replace('"', "")
    assert (ROOT / "action" / "elsewhere.py").is_file()


def test_gitlab_shows_what_a_merge_request_changes(job: Job) -> None:
    recipe = yaml.safe_load(RECIPES[".gitlab-ci.yml"])["quotalint-diff"]
    status = job.run(_gitlab(recipe), {"CI_MERGE_REQUEST_DIFF_BASE_SHA": job.base})
    (report,) = recipe["artifacts"]["paths"]
    assert json.loads(job.read("quotalint-diff.json"))["findings"]["new"]
    assert (status, _rules(job.read(report))) == (1, {"QL301"})


def test_gitlab_lets_a_merge_request_pass_that_makes_nothing_worse(job: Job) -> None:
    recipe = yaml.safe_load(RECIPES[".gitlab-ci.yml"])["quotalint-diff"]
    job.repository.commit({"web.yaml": deployment(1)})
    assert job.run(_gitlab(recipe), {"CI_MERGE_REQUEST_DIFF_BASE_SHA": job.base}) == 0


def _gitlab(recipe: Mapping[str, Any]) -> str:
    """One script after the other, until a line fails."""
    return "\n".join(["set -eo pipefail", *recipe["before_script"], *recipe["script"]])


def test_azure_publishes_tests(job: Job) -> None:
    install, check, _ = _azure_scripts(job)
    assert (job.run(install), job.run(check)) == (0, 1)
    (publish,) = (step for step in _azure() if step.get("task") == "PublishTestResults@2")
    file = publish["inputs"]["testResultsFiles"].replace("$(Build.ArtifactStagingDirectory)", "staging")
    assert _failed(job.read(file)) == ["old.yaml", "quota.yaml"]


@pytest.mark.parametrize("target", ["refs/heads/main", "main"])
def test_azure_shows_what_a_pull_request_changes(job: Job, target: str) -> None:
    status = job.run(_azure_scripts(job)[2], {"SYSTEM_PULLREQUEST_TARGETBRANCH": target})
    assert (status, _rules(job.read("staging/quotas.md"))) == (1, {"QL301"})


def test_azure_lets_a_pull_request_pass_that_makes_nothing_worse(job: Job) -> None:
    job.repository.commit({"web.yaml": deployment(1)})
    assert job.run(_azure_scripts(job)[2], {"SYSTEM_PULLREQUEST_TARGETBRANCH": "main"}) == 0


def _azure() -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = yaml.safe_load(RECIPES["azure-pipelines.yml"])["steps"]
    return steps


def _azure_scripts(job: Job) -> list[str]:
    """Azure puts the values of `$(…)` into a script before it is run."""
    staging = job.repository.folder / "staging"
    staging.mkdir(exist_ok=True)
    scripts = [step["script"] for step in _azure() if "script" in step]
    return [script.replace("$(Build.ArtifactStagingDirectory)", str(staging)) for script in scripts]


def test_each_target_of_the_makefile_does_what_it_promises(job: Job) -> None:
    if shutil.which("make") is None:
        pytest.skip("make is not on PATH")
    job.repository.write({"Makefile": RECIPES["Makefile"]})
    targets = re.findall(r"^(quotas[a-z-]*):", RECIPES["Makefile"], flags=re.MULTILINE)
    failed = 2  # what make makes of every exit status of a command
    assert {target: job.run(f"make {target}") for target in targets} == {
        "quotas": failed,
        "quotas-used": 0,
        "quotas-diff": failed,
        "quotas-fix": failed,
    }
    assert _failed(job.read("quotalint.xml")) == ["old.yaml", "quota.yaml"]
    assert "limits.memory" in job.read("old.yaml")


def test_pre_commit_knows_the_hook() -> None:
    hooks = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    used = [
        hook["id"] for repo in yaml.safe_load(RECIPES[".pre-commit-config.yaml"])["repos"] for hook in repo["hooks"]
    ]
    assert set(used) <= hooks


def test_a_script_for_any_other_system_reports_and_fails(job: Job) -> None:
    assert job.run(ANY_OTHER) == 1
    assert _failed(job.read("quotalint.xml")) == ["old.yaml", "quota.yaml"]
    assert len(json.loads(job.read("quotalint.sarif"))["runs"][0]["results"]) == 2


def _failed(junit: str) -> list[str]:
    """The suites with a test that failed."""
    suites = ElementTree.fromstring(junit).iter("testsuite")
    return [suite.attrib["name"] for suite in suites if suite.find(".//failure") is not None]


def _rules(markdown: str) -> set[str]:
    """The rules that a report names as found anew."""
    return set(re.findall(r"QL\d{3}", markdown))
