"""What makes a release: the notes come from the changelog, and only where the tag is the version."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
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
