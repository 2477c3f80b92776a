"""Whatever a repository holds, it is rendered or named: nothing is raised."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from kustomize_trees import build

from quotalint.gitops.kustomize.kustomization_fields import CONFIGURATION, PLUGINS
from quotalint.gitops.rendering import object_of

# fmt: off
FIELDS = [
    "apiVersion", "kind", "metadata", "resources", "bases", "components", "namespace", "namePrefix",
    "nameSuffix", "patches", "patchesStrategicMerge", "patchesJson6902", "replicas", "images", "imageTags",
    "labels", "commonLabels", "commonAnnotations", "configMapGenerator", "secretGenerator",
    "generatorOptions", "replacements", "vars", "configurations", "crds", "openapi", "generators",
    "transformers", "validators", "helmCharts", "helmChartInflationGenerator", "buildMetadata",
]
# fmt: on
# fmt: off
BELOW = [
    "name", "namespace", "group", "version", "kind", "path", "patch", "target", "options", "pairs", "fields",
    "create", "includeSelectors", "includeTemplates", "labelSelector", "annotationSelector", "count",
    "newName", "newTag", "digest", "tagSuffix", "literals", "files", "envs", "env", "behavior", "type",
    "source", "sourceValue", "targets", "select", "reject", "fieldPath", "fieldPaths", "delimiter", "index",
    "labels", "annotations", "immutable", "allowNameChange", "allowKindChange", "op", "value", "from",
    "$patch", "metadata", "spec", "containers", "data", "objref", "fieldref", "fieldpath", "apiVersion",
]
# fmt: on
TEXTS = (
    "",
    ".",
    "..",
    "../..",
    "a.yaml",
    "base",
    "part",
    "patch.yaml",
    "kustomization.yaml",
    "web",
    "ConfigMap",
    "Deployment",
    "v1",
    "apps/v1",
    "Component",
    "merge",
    "(",
    "(a+)+",
    "a=b",
    "app in (x",
    "/spec/replicas",
    "spec.replicas",
    "spec.containers.[name=a].image",
    "- {op: remove, path: /spec}",
    "[1]",
    "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, $patch: delete}",
    "apiVersion: v1\nkind: ConfigMap\nmetadata: x",
    "\x00",
    "\ud800",
    "https://example.com",
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.just(1.5),
    st.sampled_from(TEXTS),
)


def bodies(below: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    """Lists and mappings of what is below, under keys that mean something."""
    return st.one_of(st.lists(below, max_size=3), st.dictionaries(st.sampled_from(BELOW), below, max_size=4))


VALUES = st.recursive(SCALARS, bodies, max_leaves=8)
KUSTOMIZATIONS = st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=5)
LISTS = st.dictionaries(
    st.sampled_from(FIELDS),
    st.lists(st.dictionaries(st.sampled_from(BELOW), VALUES, max_size=5), min_size=1, max_size=2),
    min_size=1,
    max_size=4,
)
OBJECTS = """
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 1, containers: [{name: a, image: b}]}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: conf, namespace: shop, labels: {app: x}}, data: {a: b}}
"""


def tree(top: object, part: object, patch: object, objects: object) -> dict[str, str]:
    """Kustomizations of anything."""
    # YAML is a superset of JSON, but for lone surrogates, which are written as such.
    written: Callable[[object], str] = lambda value: json.dumps(value)  # noqa: E731 - a name for one argument
    return {
        "base/kustomization.yaml": "resources: [a.yaml]",
        "base/a.yaml": OBJECTS,
        "base/base/kustomization.yaml": written(top),
        "base/base/a.yaml": written(objects),
        "base/base/patch.yaml": written(patch),
        "base/base/base/kustomization.yaml": "resources: [../../a.yaml]",
        "base/base/part/kustomization.yaml": written(part),
    }


@pytest.mark.slow
@given(top=KUSTOMIZATIONS | LISTS | VALUES, part=KUSTOMIZATIONS | LISTS, patch=VALUES | LISTS, objects=VALUES)
@example(top={"resources": ["../base"] * 3}, part={}, patch=None, objects=None)
@settings(max_examples=150, derandomize=True)
def test_anything_is_rendered_or_named(top: object, part: object, patch: object, objects: object) -> None:
    if isinstance(top, dict):
        top = {"resources": ["base"], "components": ["part"], **top}
    with TemporaryDirectory() as folder:
        built = build(Path(folder), tree(top, part, patch, objects), "base/base")
    for resource in built.resources:
        assert object_of(resource).at("spec", "replicas").real.source


SETTINGS = sorted({field for fields in PLUGINS.values() for field in fields} - {"metadata"})
PATHS = st.sampled_from(
    ["metadata/name", "metadata", "spec/replicas", "spec/containers/image", "data/a/b", "", "a[]/b"]
)
SPECS = st.lists(
    st.fixed_dictionaries({"path": PATHS | SCALARS}, optional={"kind": SCALARS, "create": SCALARS}), max_size=2
)
CONFIGURATIONS = st.fixed_dictionaries(
    {"apiVersion": st.just("builtin"), "kind": st.sampled_from(sorted(PLUGINS)), "metadata": st.just({"name": "p"})},
    optional={**dict.fromkeys(SETTINGS, VALUES), "fieldSpecs": SPECS | VALUES},
)
LESSONS = st.dictionaries(
    st.sampled_from(sorted(CONFIGURATION)),
    SPECS | st.lists(st.fixed_dictionaries({"kind": SCALARS, "fieldSpecs": SPECS | VALUES}), max_size=2) | VALUES,
    max_size=3,
)
SCHEMA_KEYS = ["properties", "items", "$ref", "Schema", "kind", "apiVersion", "metadata", "a", "definitions"]
SCHEMAS = st.recursive(SCALARS, lambda below: st.dictionaries(st.sampled_from(SCHEMA_KEYS), below, max_size=4))
VARIABLES = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["A", "B", ""]),
        "objref": st.fixed_dictionaries({"apiVersion": SCALARS, "kind": SCALARS, "name": SCALARS}) | VALUES,
        "fieldref": st.fixed_dictionaries({"fieldPath": SCALARS}) | VALUES,
    }
)


@pytest.mark.slow
@given(
    plugins=st.lists(CONFIGURATIONS, max_size=3),
    lessons=LESSONS | VALUES,
    schemas=SCHEMAS,
    variables=st.lists(VARIABLES, max_size=2),
)
@settings(max_examples=100, derandomize=True, deadline=None)
def test_any_plugin_and_configuration_is_read_or_named(
    plugins: list[object], lessons: object, schemas: object, variables: list[object]
) -> None:
    written = [json.dumps(plugin) for plugin in plugins]
    top = {
        "resources": ["a.yaml"],
        "namePrefix": "x-",
        "commonLabels": {"l": "m"},
        "configurations": ["lessons.json"],
        "crds": ["schema.json"],
        "openapi": {"path": "schema.json"},
        "vars": variables,
        **{field: ["plugins.yaml", *written] for field in ("generators", "transformers", "validators")},
    }
    files = {
        "kustomization.yaml": json.dumps(top),
        "a.yaml": OBJECTS,
        "plugins.yaml": "\n---\n".join(written),
        "lessons.json": json.dumps(lessons),
        "schema.json": json.dumps(schemas),
    }
    with TemporaryDirectory() as folder:
        built = build(Path(folder), files)
    for resource in built.resources:
        assert object_of(resource).at("spec", "replicas").real.source
