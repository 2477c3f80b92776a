"""docs/design.md is true of the code: its drawing, its words, and what it says was decided."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from line_counts import lines_of
from rooms import (
    PACKAGE,
    PAGE,
    TOP,
    imported_modules,
    imports_among,
    nodes_of,
    package_files,
    package_imports,
    room_of,
    syntax_tree,
)
from written_files import write_as_is

from quotalint.deployed import render

TEXT = PAGE.read_text(encoding="utf-8")
WORDS = re.findall(r"^\| ([a-z ]+) \| .* \| `([\w.]+)` \|$", TEXT, re.MULTILINE)
DECISIONS = re.findall(r"^- \*\*.*?(?=^- \*\*|^[^ -]|\Z)", TEXT.partition("## Decisions")[2], re.MULTILINE | re.DOTALL)
PIPELINE = re.findall(r"\w+", TEXT.partition("```\n")[2].partition("\n```")[0])
SPECIAL = {
    "results": {"QL009"},  # what takes too much, whichever rule it was
    "sizing": {"QL301", "QL302", "QL303", "QL304", "QL502"},  # what a proposal must not bring about
    "suppression": {"QL006", "QL008"},  # what is said of suppressions
}
"""The rooms that know rules by their id, and why."""


def test_the_drawing_and_the_floors_are_those_of_the_imports() -> None:
    if not (TOP / ".ci").exists():
        pytest.skip("the scripts of the repository are not in the source distribution")
    done = subprocess.run([sys.executable, TOP / ".ci" / "draw", "--check"], capture_output=True, text=True)
    assert done.stderr == ""


@pytest.mark.parametrize(("word", "carrier"), WORDS, ids=[word for word, _ in WORDS])
def test_a_word_is_carried_by_what_the_glossary_says(word: str, carrier: str) -> None:
    assert _resolved(carrier) is not None, word


def test_what_to_look_at_exists() -> None:
    section = TEXT.partition("## Where to look")[2].partition("\n## ")[0]
    answers = re.findall(r"`([\w/]+\.py)`(?: \(`(\w+)`\))?", section)
    assert answers
    for file, name in answers:
        source = (TOP / PACKAGE / file).read_text(encoding="utf-8")
        assert re.search(rf"^(def |class )?{name}\b", source, re.MULTILINE), (file, name)


def test_there_are_words_for_what_the_pipeline_carries() -> None:
    carriers = {carrier.rpartition(".")[2] for _, carrier in WORDS}
    assert set(PIPELINE) - carriers - {"Source", "File", "report"} == set()


def test_a_word_names_one_class() -> None:
    carriers = {carrier.rpartition(".")[2] for _, carrier in WORDS}
    places: dict[str, list[str]] = {}
    for path in package_files():
        for name in re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            if name in (*PIPELINE, *carriers):
                places.setdefault(name, []).append(str(path.relative_to(PACKAGE)))
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}
    assert set(PIPELINE) - places.keys() == {"report"}


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda text: re.sub(r"\W+", " ", text[:50]).strip())
def test_a_decision_is_held_by_tests(decision: str) -> None:
    held = re.findall(r"`(test_\w+)`", decision.partition("Held by ")[2])
    assert held
    written = "".join(path.read_text(encoding="utf-8") for path in (TOP / "tests").rglob("test_*.py"))
    assert [name for name in held if f"def {name}(" not in written] == []


def test_values_are_named_tuples() -> None:
    assert [str(path) for path in package_files() if "dataclass" in path.read_text(encoding="utf-8")] == []


def test_few_rules_are_known_by_their_id() -> None:
    modules_by_rule: dict[str, set[str]] = {}
    for path, node in nodes_of(r"QL\d{3}"):
        is_id = isinstance(node, ast.Constant) and re.fullmatch(r"QL\d{3}", str(node.value))
        if is_id and isinstance(node, ast.Constant) and room_of(path) != "checks":
            modules_by_rule.setdefault(path.relative_to(PACKAGE).parts[0], set()).add(str(node.value))
    assert modules_by_rule == SPECIAL


@pytest.mark.slow
def test_the_imports_that_are_drawn_are_all_that_python_sees() -> None:
    """They are looked for as text, line by line; this parses every module."""
    for path in package_files():
        seen = imports_among(ast.walk(syntax_tree(path)))
        assert sorted(package_imports(path)) == sorted(seen), path


def test_no_check_reads_another_kind_of_quota() -> None:
    reading = [
        str(path.relative_to(PACKAGE))
        for path in package_files()
        if room_of(path) == "checks"
        if any(name.startswith("quota.family") for name in imported_modules(path))
    ]
    assert reading == []


def test_a_base_of_several_overlays_is_rendered_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice as many overlays are little more work where the base is most of it."""
    base = {"b0/kustomization.yaml": "resources: [web.yaml]\n", "b0/web.yaml": CONFIG_MAP}
    base |= {f"b{number}/kustomization.yaml": f"resources: [../b{number - 1}]\n" for number in range(1, 40)}
    lines = []
    for count in (5, 10):
        stages = [f"stage-{number}" for number in range(count)]
        overlays = {f"overlays/{stage}/kustomization.yaml": "resources: [../../b39]\n" for stage in stages}
        write_as_is(tmp_path / str(count), {**base, **overlays})
        monkeypatch.chdir(tmp_path / str(count))
        lines.append(lines_of(lambda: render("."), "/gitops/kustomize/"))
    assert lines[1] < 1.5 * lines[0]


CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n"


def _resolved(carrier: str) -> object:
    """What a dotted name below the package leads to."""
    parts = carrier.split(".")
    for end in range(len(parts), 0, -1):
        try:
            value: Any = importlib.import_module(".".join(("quotalint", *parts[:end])))
        except ModuleNotFoundError:
            continue
        for name in parts[end:]:
            if name in getattr(value, "_fields", ()):
                return name
            value = getattr(value, name, None)
        return value
    return None
