"""The recipes of CONTRIBUTING.md, each followed to the letter in a copy of the repository.

A block with the name of a file of the project is written. One in the language `diff` goes into the file that is there:
a line with `+` below the one that is shown before it, or at the end where none is. Other files are a repository to look
at. Lines with `$` are run, and what stands below them is printed.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from docs_pages import Block, Section, missing, sections

from quotalint.checks import checks

TOP = Path(__file__).parents[2]
PARTS = ("quotalint", "rules", "schemas", "tests", "examples", "docs", ".ci", "pyproject.toml", "README.md")
OF_THE_PROJECT = ("quotalint/", "rules/", "schemas/", "docs/")
RECIPES = [
    section
    for section in sections(TOP / "CONTRIBUTING.md")
    if any(block.title.startswith(OF_THE_PROJECT) for block in section.blocks)
]
MOST_FILES = {
    "A rule": 2,
    "A controller": 4,
    "An evaluator": 2,
    "A kind of quota": 2,
    "A deployer": 3,
    "An output format": 2,
    "A field of the JSON report": 2,
    "A release of Kubernetes": 1,
}
"""How many files a recipe touches."""


def test_there_is_a_recipe_for_whatever_is_added() -> None:
    assert {section.heading: len(list(_touched(section))) for section in RECIPES} == MOST_FILES


@pytest.mark.slow
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda section: section.heading)
def test_a_recipe_that_is_followed_works(recipe: Section, tmp_path: Path) -> None:
    if not (TOP / ".ci").exists():
        pytest.skip("the scripts of the repository are not in the source distribution")
    copy, repository = tmp_path / "copy", tmp_path / "repository"
    repository.mkdir()
    for part in PARTS:
        copied = shutil.copytree if (TOP / part).is_dir() else shutil.copy
        copy.mkdir(exist_ok=True)
        copied(TOP / part, copy / part)
    for block in recipe.blocks:
        if block.title.startswith(OF_THE_PROJECT):
            _follow(block, copy / block.title)
        elif block.title:
            (repository / block.title).parent.mkdir(parents=True, exist_ok=True)
            (repository / block.title).write_text(block.text)
    for block in recipe.blocks:
        for command, shown in block.commands():
            printed, status = _run(shlex.split(command), copy, repository)
            assert missing(shown, printed) == "", printed
            assert status == 0 or command.startswith("quotalint "), printed
    assert any(command.startswith("pytest ") for block in recipe.blocks for command, _ in block.commands())


def test_the_recipe_of_a_rule_names_every_subject_of_checks() -> None:
    rows = re.findall(r"^\| (`.*?`) \|", (TOP / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert named == {check.subject.__name__ for check in checks()}


def test_a_line_that_is_no_longer_there_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("a = 1\nb = 2\n")
    _follow(Block("diff", "a.py", " a = 1\n+c = 3\n-b = 2\n+b = 4\n"), file)
    assert file.read_text() == "a = 1\nc = 3\nb = 4\n"
    with pytest.raises(AssertionError, match="a = 5"):
        _follow(Block("diff", "a.py", " a = 5\n+c = 3\n"), file)


def _touched(section: Section) -> Iterator[str]:
    return (block.title for block in section.blocks if block.title.startswith(OF_THE_PROJECT))


def _follow(block: Block, file: Path) -> None:
    """Write a file, or put into it what a diff says."""
    if block.language != "diff":
        assert not file.exists(), f"{block.title} is there already"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block.text)
        return
    lines = file.read_text().splitlines()
    at = len(lines)
    for line in block.text.splitlines():
        sign, text = line[:1], line[1:]
        if sign == "+":
            lines.insert(at, text)
            at += 1
            continue
        assert lines.count(text) == 1, f"{block.title} has no such line, or several: {text}"
        at = lines.index(text) + 1
        if sign == "-":
            at -= 1
            del lines[at]
    file.write_text("\n".join(lines) + "\n")


def _run(words: list[str], copy: Path, repository: Path) -> tuple[str, int]:
    """What a command prints, and how it ends. quotalint looks at the repository; all else is about the copy."""
    modules = {"quotalint": ["-m", "quotalint"], "pytest": ["-m", "pytest", "-q", "-p", "no:cacheprovider"]}
    program = [sys.executable, *modules.get(words[0], words[:1])]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTEST_ADDOPTS": "", "QUOTALINT_NO_CACHE": "1"}
    folder = repository if words[0] == "quotalint" else copy
    done = subprocess.run([*program, *words[1:]], cwd=folder, env=environment, capture_output=True, text=True)
    return done.stdout + done.stderr, done.returncode
