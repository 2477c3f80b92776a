"""Small trees of kustomizations, what they are rendered to, and what `kubectl kustomize` has to say to that."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import dedent, indent
from typing import Any, NamedTuple

from written_files import write

from quotalint.gitops.kustomize.build import Builder, Built
from quotalint.text.documents import read
from quotalint.text.tree import Tree

EQUAL = "equal"  # kubectl prints the same objects
REFUSES = "refuses"  # kubectl builds nothing
DIFFERS = "differs"  # kubectl renders what is declined here
UNASKED = "unasked"  # kubectl is not asked: it would look at the network, or run a program

TREES = Path(__file__).parent / "trees"
"""Folders that many cases begin with."""


def config_map(name: str, data: Mapping[str, str] = {}, namespace: str = "") -> str:
    """A ConfigMap in flow style."""
    entries = f", data: {json.dumps(data)}" if data else ""
    return f"{{apiVersion: v1, kind: ConfigMap, metadata: {_metadata(name, namespace)}{entries}}}"


def deployment(replicas: int, name: str = "web", namespace: str = "") -> str:
    """A Deployment in flow style that says no more than its replicas."""
    head = f"apiVersion: apps/v1, kind: Deployment, metadata: {_metadata(name, namespace)}"
    return f"{{{head}, spec: {{replicas: {replicas}}}}}"


def _metadata(name: str, namespace: str) -> str:
    return f"{{name: {name}{f', namespace: {json.dumps(namespace)}' if namespace else ''}}}"


A = config_map("a")
B = config_map("b")
CONF = config_map("conf", {"a": "old"})
WEB = deployment(1)
POD = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n"
THREE = deployment(3)
"""The same Deployment with more replicas, or a patch that makes it so."""


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


def build(root: Path, files: Mapping[str, str], folder: str = "") -> Built:
    """What a folder of a tree is rendered to."""
    write(root, files)
    return Builder(Tree(str(root), {}, str(root))).build(folder)


def rendered(root: Path, case: Case) -> Rendered:
    """What a case is rendered to."""
    built = build(root, case.files, case.folder)
    objects = [without_nulls(resource.traced.value) for resource in built.resources]
    return Rendered(objects, tuple((problem.kind, problem.reason) for problem in built.problems))


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
    return sorted(json.dumps(item, sort_keys=True) for item in objects)


def tree(name: str) -> dict[str, str]:
    """The files of one of these folders, by their paths in it."""
    folder = TREES / name
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    assert files, folder
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in files}


def amended(objects: str, changes: Mapping[str, Mapping[str, object]]) -> str:
    """The objects of a YAML stream with other values in them: `Kind/name` → JSON pointer → value.

    What a pointer leads through is made where it is not there; None takes a field away. AssertionError where a change
    changes nothing, or is for no object, so that no row of a table says more than it tests.
    """
    bodies = documents(dedent(objects).encode())
    before = {_called(body): body for body in bodies}
    assert set(changes) <= set(before) and len(before) == len(bodies), sorted(before)
    for name, fields in changes.items():
        for pointer, value in fields.items():
            _put(before[name], pointer, value)
    return "\n---\n".join(map(json.dumps, bodies))


def together(*streams: str) -> str:
    """Several YAML streams as one."""
    return "\n---\n".join(dedent(stream).strip("\n") for stream in streams)


def over(name: str, folder: str, kustomization: str, changes: Mapping[str, Mapping[str, object]]) -> Case:
    """What a kustomization changes in the objects of one of the folders (`amended`)."""
    files = tree(folder)
    return Case(name, {**files, "kustomization.yaml": kustomization}, amended(files["all.yaml"], changes))


def merges(name: str, spec: str, patch: str, merged: str, head: str = POD) -> Case:
    """A spec, a patch of it, and what they give."""
    return Case(
        name,
        {
            "kustomization.yaml": "resources: [object.yaml]\npatches: [{path: patch.yaml}]",
            "object.yaml": head + "spec:\n" + indented(spec),
            "patch.yaml": head + "spec:\n" + indented(patch),
        },
        head + "spec:\n" + indented(merged) if merged else merged,
    )


def indented(text: str) -> str:
    """Text as the value of a field."""
    return indent(dedent(text).strip("\n"), "  ") + "\n"


def _called(body: object) -> str:
    assert isinstance(body, dict)
    return f"{body['kind']}/{body['metadata']['name']}"


def _put(body: Any, pointer: str, value: object) -> None:
    """Set what a JSON pointer (RFC 6901) names."""
    *way, last = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    for part, following in zip(way, [*way[1:], last], strict=True):
        body = body[int(part)] if isinstance(body, list) else body.setdefault(part, [] if following == "0" else {})
        assert body is not None, pointer
    if isinstance(body, list) and int(last) == len(body):
        body.append(value)
        return
    key: Any = int(last) if isinstance(body, list) else last
    before = body[key] if isinstance(body, list) else body.get(key)
    assert before != value or type(before) is not type(value), f"{pointer} is {value!r} already"
    body[key] = value
