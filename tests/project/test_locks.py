"""What is installed by hash is what pyproject.toml asks for: `.ci/lock` was run after a dependency came or moved."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

TOP = Path(__file__).parents[2]
tomllib: Any = pytest.importorskip("tomllib", reason="Python 3.10 has no reader of TOML")
LOCKS = {
    "action/requirements.txt": (),
    ".ci/requirements.txt": ("test", "lint", "docs"),
    ".ci/release-requirements.txt": ("release",),
}
"""File → the extras that it holds, as .ci/lock has it."""


@pytest.mark.parametrize(("file", "extras"), LOCKS.items(), ids=list(LOCKS))
def test_a_lock_holds_what_is_asked_for(file: str, extras: tuple[str, ...]) -> None:
    if not (TOP / file).exists():
        pytest.skip("the locks of contributors are not in the source distribution")
    project = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]
    asked = [*project["dependencies"], *(line for extra in extras for line in project["optional-dependencies"][extra])]
    text = (TOP / file).read_text()
    locked = {
        canonicalize_name(name): version for name, version in re.findall(r"^([\w.-]+)==([\w.]+)", text, re.MULTILINE)
    }
    for requirement in map(Requirement, asked):
        name = canonicalize_name(requirement.name)
        assert name in locked, f"{file} lacks {name}: run .ci/lock"
        assert requirement.specifier.contains(locked[name]), f"{file} has {name} {locked[name]}: run .ci/lock"


@pytest.mark.parametrize("file", LOCKS)
def test_everything_is_locked_by_hash(file: str) -> None:
    if not (TOP / file).exists():
        pytest.skip("the locks of contributors are not in the source distribution")
    entries = re.split(r"^(?=[\w.-]+==)", (TOP / file).read_text(), flags=re.MULTILINE)[1:]
    assert [entry.partition("==")[0] for entry in entries if "--hash=sha256:" not in entry] == []
    assert entries
