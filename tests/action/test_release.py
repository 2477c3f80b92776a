"""What makes a release: the notes come from the changelog, and only where the tag is the version."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from github_runner import ROOT
from test_action_metadata import complaints

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def notes(folder: Path, tag: str, changelog: str, version: str = "1.2.3") -> tuple[int, str, str]:
    if not (ROOT / ".ci").exists():
        pytest.skip("the scripts of the repository are not in the source distribution")
    (folder / "quotalint").mkdir()
    (folder / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "release-notes", folder / ".ci")
    (folder / "quotalint" / "version.py").write_text(f'"""The "version"."""\n\n__version__ = "{version}"\n')
    (folder / "CHANGELOG.md").write_text(changelog)
    done = subprocess.run([sys.executable, ".ci/release-notes", tag], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


CHANGELOG = (
    "# Changelog\n\n## [Unreleased]\n\n- later\n\n## [1.2.3] - 2026-12-01\n\n### Added\n\n- a\n\n## [1.2.2]\n\n- b\n"
)


def test_the_notes_are_the_section_of_the_version(tmp_path: Path) -> None:
    assert notes(tmp_path, "v1.2.3", CHANGELOG) == (0, "### Added\n\n- a\n", "")


@pytest.mark.parametrize(
    ("tag", "changelog", "complaint"),
    [
        ("v1.2.4", CHANGELOG, "the tag is v1.2.4, and quotalint/version.py says 1.2.3\n"),
        ("v1.2.3", "# Changelog\n\n## 1.2.31\n\n- a\n", "CHANGELOG.md says nothing of 1.2.3\n"),
        ("v1.2.3", "# Changelog\n\n## 1.2.3\n\n## 1.2.2\n\n- a\n", "CHANGELOG.md says nothing of 1.2.3\n"),
    ],
)
def test_a_release_that_nobody_described_is_none(tmp_path: Path, tag: str, changelog: str, complaint: str) -> None:
    assert notes(tmp_path, tag, changelog) == (1, "", complaint)


@pytest.mark.skipif(not WORKFLOWS, reason="the workflows of the repository are not in the source distribution")
def test_the_workflows_are_ones() -> None:
    assert complaints("vendor.github-workflows", *WORKFLOWS) == ""
    assert complaints("vendor.dependabot", ROOT / ".github" / "dependabot.yml") == ""


@pytest.mark.skipif(not WORKFLOWS, reason="the workflows of the repository are not in the source distribution")
@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_every_action_is_pinned_by_its_commit(workflow: Path) -> None:
    used = re.findall(r"uses: *(\S+)", workflow.read_text(encoding="utf-8"))
    assert used
    assert [name for name in used if not name.startswith("./") and not re.search(r"@[0-9a-f]{40}$", name)] == []


@pytest.mark.skipif(not WORKFLOWS, reason="the workflows of the repository are not in the source distribution")
def test_jobs_that_may_sign_install_only_by_hash() -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))["jobs"]
    signing = {name: job for name, job in jobs.items() if "id-token" in job["permissions"]}
    commands = {name: [step["run"] for step in job["steps"] if "run" in step] for name, job in signing.items()}
    assert sorted(signing) == ["build", "publish"]
    assert commands["build"] == ['.ci/release "$GITHUB_REF_NAME" dist']
    assert [command for command in commands["publish"] if re.search(r"pip|npx|curl|uv ", command)] == []
    script = (ROOT / ".ci" / "release").read_text(encoding="utf-8")
    installs = [line for line in script.splitlines() if 'pip" install' in line]
    # Without an index, what was just built is installed.
    assert [bool(re.search("--require-hashes|--no-index", line)) for line in installs] == [True, True, True]
