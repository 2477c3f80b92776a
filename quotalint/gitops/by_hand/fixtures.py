"""Detects folders that are not applied: test fixtures, samples, scaffolding and generated files."""

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
"""A placeholder in capitals, such as `TEAM_NAME`."""
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
"""The reasons for folders that exist for tests or readers only."""


def why_fixture(folder: str, asked: Sequence[str], test_folders: Iterable[str], label: Collection[str]) -> str:
    """Why a folder is considered not applied; empty if it is. The `asked` paths themselves do not count, because a user
    who checks `examples/` wants it. Segments in `label` name the environment, such as `test` beside `prod`."""
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
    """Whether a folder has a typical name of generated output."""
    return not _GENERATED.isdisjoint(folder.lower().split("/"))


def _path_below(folder: str, asked: Sequence[str]) -> str:
    within = [path for path in asked if path and (folder == path or folder.startswith(f"{path}/"))]
    return folder[len(max(within, key=len)) :].lstrip("/") if within else folder


def is_test(obj: Object) -> bool:
    """Whether an object defines a test, so that its folder belongs to that test."""
    return (obj.group, obj.kind) in _TEST_KINDS


def unfilled_namespace(rendering: Rendering) -> str:
    """The placeholder used as namespace of all objects, as in a folder copied by a script; empty if any object has a
    real one."""
    names = [obj.name if obj.kind == "Namespace" else obj.namespace for obj in rendering.objects]
    written = [name for name in names if name]
    return written[0] if written and all(map(_is_unfilled, written)) else ""


def _is_unfilled(namespace: str) -> bool:
    if is_placeholder(namespace) or _IN_CAPITALS.fullmatch(namespace):
        return True
    # `your-namespace` in lower case is valid and may be meant.
    return namespace != namespace.lower() and is_stand_in(namespace)


def file_name(rendering: Rendering) -> str:
    """The file by which reports name a folder: its kustomization, else its first file with a quota, else its first with
    any object."""
    names = sorted(rendering.files)
    own = [name for name in names if posixpath.dirname(name) == rendering.folder]
    kustomized = [name for name in own if posixpath.basename(name).lower().startswith("kustomization")]
    limiting = {obj.place.source for obj in rendering.objects if limits_namespace(obj)}
    giving = limiting or {obj.place.source for obj in rendering.objects}
    return next(iter(kustomized or [name for name in own if name in giving] or own or names), rendering.folder)
