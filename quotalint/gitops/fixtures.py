"""Folders that nobody applies beside what is deployed: fixtures of tests, samples, scaffolding."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Sequence

from quotalint.gitops.rendering import Rendering
from quotalint.kube.amounts import is_placeholder, is_stand_in
from quotalint.kube.kinds import limits_namespace
from quotalint.kube.objects import Object
from quotalint.text.lazy_patterns import lazy_pattern

_TESTS = frozenset(
    ("__fixtures__", "__tests__", "chainsaw", "e2e", "fixture", "fixtures", "kuttl", "test", "testdata", "tests")
)
_SAMPLES = frozenset({"example", "examples", "sample", "samples", "testing-samples"})
_COPIED = frozenset({"_boilerplate", "_scaffold", "_skeleton", "_template", "_templates"})
_GENERATED = frozenset({"_build", "_out", "build", "dist", "generated", "out", "output", "release", "rendered"})
_IN_CAPITALS = lazy_pattern("[A-Z][A-Z0-9_]*")
"""A word that is to be replaced, such as `TEAM_NAME`."""
_TEST_KINDS = frozenset(
    {
        ("chainsaw.kyverno.io", "Test"),
        ("cli.kyverno.io", "Test"),
        ("kuttl.dev", "TestAssert"),
        ("kuttl.dev", "TestCase"),
        ("kuttl.dev", "TestStep"),
        ("kuttl.dev", "TestSuite"),
    }
)

_FIXTURE = "a fixture of tests"
_EXAMPLE = "an example"
_TEMPLATE = "a template to be copied"
FIXTURES = frozenset({_FIXTURE, _EXAMPLE, _TEMPLATE})
"""Why a folder is not applied: it is there for tests, or for people."""


def why_fixture(folder: str, asked: Sequence[str], test_folders: Iterable[str], label: Collection[str]) -> str:
    """Why a folder is taken for one that nobody applies; empty where it is not. What the paths that were `asked` for
    are called themselves says nothing: whoever checks `examples/` means it. `label` names the environment: `test`
    beside `prod`."""
    segments = [segment for segment in _path_below(folder, asked).split("/") if segment not in label]
    if any(segment.lower().lstrip(".").removesuffix("-test") in _TESTS for segment in segments):
        return _FIXTURE
    if any(segment.lower().lstrip("_") in _SAMPLES for segment in segments):
        return _EXAMPLE
    if not _COPIED.isdisjoint(segments):
        return _TEMPLATE
    if any(folder == test or folder.startswith(f"{test}/") for test in test_folders if test):
        return _FIXTURE
    return ""


def is_generated(folder: str) -> bool:
    """Whether a folder is called like those that a program writes manifests into."""
    return not _GENERATED.isdisjoint(folder.lower().split("/"))


def _path_below(folder: str, asked: Sequence[str]) -> str:
    within = [path for path in asked if path and (folder == path or folder.startswith(f"{path}/"))]
    return folder[len(max(within, key=len)) :].lstrip("/") if within else folder


def is_test(obj: Object) -> bool:
    """Whether an object describes a test, so that what lies beside it is for that test."""
    return (obj.group, obj.kind) in _TEST_KINDS


def unfilled_namespace(rendering: Rendering) -> str:
    """The placeholder that stands for the namespace of everything here, as in a folder that a script copies; empty
    where an object says where it goes."""
    names = [obj.name if obj.kind == "Namespace" else obj.namespace for obj in rendering.objects]
    written = [name for name in names if name]
    return written[0] if written and all(map(_is_unfilled, written)) else ""


def _is_unfilled(namespace: str) -> bool:
    if is_placeholder(namespace) or _IN_CAPITALS.fullmatch(namespace):
        return True
    # Of what stands for another, `your-namespace` is a valid name that somebody may mean.
    return namespace != namespace.lower() and is_stand_in(namespace)


def file_name(rendering: Rendering) -> str:
    """What a report names the folder by: its kustomization, or the first of its files that gives a quota, else any
    object."""
    names = sorted(rendering.used)
    own = [name for name in names if posixpath.dirname(name) == rendering.folder]
    kustomized = [name for name in own if posixpath.basename(name).lower().startswith("kustomization")]
    limiting = {obj.place.source for obj in rendering.objects if limits_namespace(obj)}
    giving = limiting or {obj.place.source for obj in rendering.objects}
    return next(iter(kustomized or [name for name in own if name in giving] or own or names), rendering.folder)
