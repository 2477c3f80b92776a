"""What is installed by hash is what pyproject.toml asks for: `.ci/lock` was run after a dependency came or moved."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from action.extras import NAMES

TOP = Path(__file__).parents[2]
tomllib: Any = pytest.importorskip("tomllib", reason="Python 3.10 has no reader of TOML")
LOCKS = {
    "action/requirements.txt": (),
    "action/requirements-helm.txt": ("helm",),
    "action/requirements-policies.txt": ("policies",),
    "action/requirements-terraform.txt": ("terraform",),
    ".ci/requirements.txt": ("test", "lint", "docs"),
    ".ci/release-requirements.txt": ("release",),
}
"""File → the extras that it holds, as .ci/lock has it."""
ADDED = re.compile(r"action/requirements-(\w+)\.txt")
"""What holds an extra alone, and is installed together with action/requirements.txt."""


@pytest.mark.parametrize(("file", "extras"), LOCKS.items(), ids=list(LOCKS))
def test_a_lock_holds_what_is_asked_for(file: str, extras: tuple[str, ...]) -> None:
    if not (TOP / file).exists():
        pytest.skip("the locks of contributors are not in the source distribution")
    project = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]
    asked = [line for extra in extras for line in project["optional-dependencies"][extra]]
    asked += [] if ADDED.fullmatch(file) else project["dependencies"]
    locked = locked_versions(file)
    for requirement in map(Requirement, asked):
        name = canonicalize_name(requirement.name)
        assert name in locked, f"{file} lacks {name}: run .ci/lock"
        assert requirement.specifier.contains(locked[name]), f"{file} has {name} {locked[name]}: run .ci/lock"


def locked_versions(file: str) -> dict[str, str]:
    pins = re.findall(r"^([\w.-]+)==([\w.]+)", (TOP / file).read_text(), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in pins}


def test_what_is_installed_together_agrees() -> None:
    together = [file for file in LOCKS if file.startswith("action/")]
    assert {extra for file in together for extra in ADDED.findall(file)} == set(NAMES)
    versions: dict[str, set[str]] = {}
    for file in together:
        for name, version in locked_versions(file).items():
            versions.setdefault(name, set()).add(version)
    assert {name: found for name, found in versions.items() if len(found) > 1} == {}


@pytest.mark.parametrize("file", LOCKS)
def test_everything_is_locked_by_hash(file: str) -> None:
    if not (TOP / file).exists():
        pytest.skip("the locks of contributors are not in the source distribution")
    entries = re.split(r"^(?=[\w.-]+==)", (TOP / file).read_text(), flags=re.MULTILINE)[1:]
    assert [entry.partition("==")[0] for entry in entries if "--hash=sha256:" not in entry] == []
    assert entries
