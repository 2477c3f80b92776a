"""The documents name the release that they come with."""

import re
import subprocess
from pathlib import Path

from quotalint.version import __version__

TOP = Path(__file__).parents[2]
_NAMED = re.compile(r"(?:quotalint@|rev: |--branch |quotalint/quotalint/|quotalint:|ref=)v?(\d+\.\d+\.\d+)")


def test_what_people_copy_names_this_release() -> None:
    listed = subprocess.run(["git", "ls-files", "*.md", "*.yml", "*.yaml"], cwd=TOP, capture_output=True, check=True)
    files = [name for name in listed.stdout.decode().split("\n") if name and not name.startswith(("tests/", "rules/"))]
    named = {(file, version) for file in files for version in _NAMED.findall((TOP / file).read_text(encoding="utf-8"))}
    assert {version for _, version in named} == {__version__}, named
    assert {"README.md", "docs/ci.md", "docs/github-action.md"} <= {file for file, _ in named}


def test_the_changelog_begins_with_it() -> None:
    headings = re.findall(r"^## (\S+)", (TOP / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[:2] == ["Unreleased", __version__]
