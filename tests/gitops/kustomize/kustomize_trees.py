"""Small trees of kustomizations, what they are rendered to, and what `kubectl kustomize` has to say to that."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

from quotalint.gitops.kustomize.build import Builder, Built
from quotalint.gitops.tree import Tree
from quotalint.text.documents import read

EQUAL = "equal"  # kubectl prints the same objects
REFUSES = "refuses"  # kubectl builds nothing
DIFFERS = "differs"  # kubectl renders what is declined here
UNASKED = "unasked"  # kubectl is not asked: it would look at the network, or run a program


class Case(NamedTuple):
    """A tree, and what it is rendered to."""

    name: str
    files: Mapping[str, str]
    expected: str
    """The objects, in order, as YAML documents."""
    problems: tuple[tuple[str, str], ...] = ()
    """Of each problem its kind and the reason."""
    kubectl: str = EQUAL
    folder: str = ""
    """The folder that is rendered."""

    def __repr__(self) -> str:
        return self.name


class Rendered(NamedTuple):
    """What is compared, as one value."""

    objects: list[object]
    problems: tuple[tuple[str, str], ...] = ()


def names(cases: Iterable[Case]) -> list[str]:
    """How pytest calls the cases."""
    return [case.name.replace(" ", "-") for case in cases]


def write(root: Path, files: Mapping[str, str]) -> None:
    """Put the files of a tree into a folder."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(content).lstrip("\n"), encoding="utf-8")


def build(root: Path, files: Mapping[str, str], folder: str = "") -> Built:
    """What a folder of a tree is rendered to."""
    write(root, files)
    return Builder(Tree(str(root), {}, str(root))).build(folder)


def rendered(root: Path, case: Case) -> Rendered:
    """What a case is rendered to."""
    built = build(root, case.files, case.folder)
    objects = [without_nulls(one.traced.value) for one in built.resources]
    return Rendered(objects, tuple((one.kind, one.reason) for one in built.problems))


def expected(case: Case) -> Rendered:
    """What a case should be rendered to."""
    return Rendered(documents(dedent(case.expected).encode()), case.problems)


def documents(data: bytes) -> list[object]:
    """The objects of a YAML stream."""
    reading = read(data)
    assert not reading.failures, reading.failures
    return [without_nulls(document.value) for document in reading.documents]


def without_nulls(value: object) -> object:
    """The value without fields that are null: for the API server those are not there."""
    if isinstance(value, dict):
        return {key: without_nulls(below) for key, below in value.items() if below is not None}
    if isinstance(value, list):
        return [without_nulls(item) for item in value]
    return value


def unordered(objects: Iterable[object]) -> list[str]:
    """The objects in an order that depends on nothing but themselves."""
    return sorted(json.dumps(one, sort_keys=True) for one in objects)
