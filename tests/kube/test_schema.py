"""What the schemas of ResourceQuota and LimitRange refuse, where, and in which words."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from quotalint.kube.schema import SchemaError, errors
from quotalint.runtime.data import load_schema

_METADATA = {
    "name": "base",
    "namespace": "team-a",
    "labels": {"app": "web"},
    "annotations": {"note": None},
    "generation": 3,
    "creationTimestamp": "2026-01-01T00:00:00Z",
    "finalizers": ["example.com/stay"],
    "ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "a", "uid": "1", "controller": True}],
    "managedFields": [{"manager": "kubectl", "time": None, "fieldsV1": {"f:spec": {"f:hard": {}}}}],
}
_QUOTA: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "ResourceQuota",
    "metadata": _METADATA,
    "spec": {
        "hard": {"requests.cpu": "4", "pods": 10, "limits.cpu": 2.5, "limits.memory": None},
        "scopes": ["NotTerminating"],
        "scopeSelector": {"matchExpressions": [{"scopeName": "PriorityClass", "operator": "In", "values": ["high"]}]},
    },
    "status": {"hard": {"pods": "10"}, "used": {"pods": "1"}},
}
_LIMIT_RANGE: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "LimitRange",
    "metadata": _METADATA,
    "spec": {
        "limits": [
            {
                "type": "Container",
                "max": {"cpu": 2},
                "min": {"cpu": "10m"},
                "default": {"cpu": 1},
                "defaultRequest": {"cpu": "500m"},
                "maxLimitRequestRatio": {"cpu": 4},
            },
            {"type": "Pod", "max": None},
        ]
    },
}
_SCHEMAS = {"ResourceQuota": "resource-quota", "LimitRange": "limit-range"}

_FITTING = {
    "a quota with everything": ("ResourceQuota", _QUOTA),
    "a limit range with everything": ("LimitRange", _LIMIT_RANGE),
    "nothing at all": ("ResourceQuota", {}),
    "null is as good as absent": ("ResourceQuota", {"metadata": None, "spec": {"hard": None, "scopes": [None]}}),
    "an integral float is whole": ("ResourceQuota", {"metadata": {"generation": 1.0}}),
    "what names mean is not looked at": ("ResourceQuota", {"spec": {"hard": {"": "many"}, "scopes": ["Nope"]}}),
    "fieldsV1 takes anything": ("LimitRange", {"metadata": {"managedFields": [{"fieldsV1": 1}]}}),
}


@pytest.mark.parametrize(("kind", "body"), _FITTING.values(), ids=_FITTING.keys())
def test_what_the_api_server_decodes_has_no_errors(kind: str, body: object) -> None:
    assert errors(kind, body) == ()


_MISFITS: dict[str, tuple[str, object, list[tuple[tuple[str | int, ...], str]]]] = {
    "misspelt field": (
        "ResourceQuota",
        {"spec": {"hardd": {}}},
        [(("spec", "hardd"), 'unknown field "hardd"; did you mean "hard"?')],
    ),
    "field in the wrong case": (
        "LimitRange",
        {"spec": {"limits": [{}, {"DefaultRequest": {}}]}},
        [(("spec", "limits", 1, "DefaultRequest"), 'unknown field "DefaultRequest"; did you mean "defaultRequest"?')],
    ),
    "field of the spec at the top": (
        "ResourceQuota",
        {"hard": {"pods": 1}},
        [(("hard",), 'unknown field "hard"; it belongs in spec')],
    ),
    "field of an item in the spec": (
        "LimitRange",
        {"spec": {"max": {}}},
        [(("spec", "max"), 'unknown field "max"; it belongs in spec.limits[]')],
    ),
    "top-level field in the metadata": (
        "ResourceQuota",
        {"metadata": {"spec": {}}},
        [(("metadata", "spec"), 'unknown field "spec"; it belongs at the top level')],
    ),
    "field like none": (
        "ResourceQuota",
        {"spec": {"limits": []}},
        [(("spec", "limits"), 'unknown field "limits"; spec has hard, scopes and scopeSelector')],
    ),
    "field like none among many": (
        "ResourceQuota",
        {"metadata": {"clusterName": ""}},
        [(("metadata", "clusterName"), 'unknown field "clusterName" in metadata')],
    ),
    "a limit range has no status": (
        "LimitRange",
        {"status": {}},
        [(("status",), 'unknown field "status"; a LimitRange has apiVersion, kind, metadata and spec')],
    ),
    "list for a mapping": (
        "ResourceQuota",
        {"spec": {"hard": ["pods"]}},
        [(("spec", "hard"), "spec.hard must be a mapping of resource name to quantity, found a list")],
    ),
    "mapping for a list": (
        "LimitRange",
        {"spec": {"limits": {"type": "Container"}}},
        [(("spec", "limits"), "spec.limits must be a list of limits, found a mapping")],
    ),
    "string for a list": (
        "ResourceQuota",
        {"spec": {"scopes": "BestEffort"}},
        [(("spec", "scopes"), 'spec.scopes must be a list of scope names, found the string "BestEffort"')],
    ),
    "string for a mapping": (
        "ResourceQuota",
        {"spec": "x" * 41},
        [(("spec",), "spec must be a mapping with hard, scopes and scopeSelector, found a string")],
    ),
    "string for a mapping of many": (
        "ResourceQuota",
        {"metadata": "base"},
        [(("metadata",), 'metadata must be a mapping, found the string "base"')],
    ),
    "boolean for a quantity": (
        "ResourceQuota",
        {"spec": {"hard": {"requests.cpu": True}}},
        [(("spec", "hard", "requests.cpu"), "spec.hard[requests.cpu] must be a quantity, found the boolean true")],
    ),
    "mapping for a quantity": (
        "LimitRange",
        {"spec": {"limits": [{"max": {"cpu": {}}}]}},
        [(("spec", "limits", 0, "max", "cpu"), "spec.limits[0].max[cpu] must be a quantity, found a mapping")],
    ),
    "number for a string": (
        "ResourceQuota",
        {"metadata": {"labels": {"example.com/tier": 1}}},
        [
            (
                ("metadata", "labels", "example.com/tier"),
                "metadata.labels[example.com/tier] must be a string, found the number 1; write it in quotes",
            )
        ],
    ),
    "boolean for a string": (
        "ResourceQuota",
        {"metadata": {"name": False}},
        [(("metadata", "name"), "metadata.name must be a string, found the boolean false; write it in quotes")],
    ),
    "string for a whole number": (
        "ResourceQuota",
        {"metadata": {"generation": "3"}},
        [
            (
                ("metadata", "generation"),
                'metadata.generation must be a whole number, found the string "3"; write it without quotes',
            )
        ],
    ),
    "fraction for a whole number": (
        "ResourceQuota",
        {"metadata": {"generation": 1.5}},
        [(("metadata", "generation"), "metadata.generation must be a whole number, found the number 1.5")],
    ),
    "no mapping at all": (
        "LimitRange",
        ["a"],
        [((), "a LimitRange must be a mapping with apiVersion, kind, metadata and spec, found a list")],
    ),
    "null": (
        "LimitRange",
        None,
        [((), "a LimitRange must be a mapping with apiVersion, kind, metadata and spec, found null")],
    ),
    "several, as they are written": (
        "ResourceQuota",
        {"spec": {"scopes": [{}, "a", 2], "scope": "a"}, "kinds": "", "metadata": {"name": 1}},
        [
            (("spec", "scopes", 0), "spec.scopes[0] must be a string, found a mapping"),
            (("spec", "scopes", 2), "spec.scopes[2] must be a string, found the number 2; write it in quotes"),
            (("spec", "scope"), 'unknown field "scope"; did you mean "scopes"?'),
            (("kinds",), 'unknown field "kinds"; did you mean "kind"?'),
            (("metadata", "name"), "metadata.name must be a string, found the number 1; write it in quotes"),
        ],
    ),
}


@pytest.mark.parametrize(("kind", "body", "expected"), _MISFITS.values(), ids=_MISFITS.keys())
def test_a_manifest_is_refused_where_and_as_the_server_refuses_it(
    kind: str, body: object, expected: list[tuple[tuple[str | int, ...], str]]
) -> None:
    assert errors(kind, body) == tuple(SchemaError(path, message) for path, message in expected)


_KEYS = st.sampled_from(["hard", "Hard", "limits", "max", "type", "values", "name", "labels", "status", "x"])
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([1.0, 0.5, float("inf"), "", "1", "Pod"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_KEYS, inner, max_size=2),
    max_leaves=4,
)


def _places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in pairs:
        yield from _places(item, (*path, key))


def _put(value: Any, path: tuple[str | int, ...], new: object) -> Any:
    if not path:
        return new
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _put(value[path[0]], path[1:], new)
    return copy


@st.composite
def _mutated(draw: st.DrawFn) -> tuple[str, Any]:
    """An object that fits, with a few values replaced and keys added anywhere."""
    body = draw(st.sampled_from([_QUOTA, _LIMIT_RANGE]))
    kind = body["kind"]
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(list(_places(body))))
        at: Any = body
        for step in path:
            at = at[step]
        add = isinstance(at, dict) and draw(st.booleans())
        body = _put(body, path, {**at, draw(_KEYS): draw(_JSON)} if add else draw(_JSON))
    return kind, body


@given(_mutated())
def test_errors_are_those_of_jsonschema(case: tuple[str, Any]) -> None:
    kind, body = case
    expected = {
        (*error.absolute_path, *field)
        for error in Draft202012Validator(load_schema(_SCHEMAS[kind])).iter_errors(body)
        for field in ([(name,) for name in error.instance] if error.validator == "additionalProperties" else [()])
        if not field or field[0] not in error.schema["properties"]
    }
    found = [error.path for error in errors(kind, body)]
    assert (set(found), len(found)) == (expected, len(expected))
    assert found == [place for place in _places(body) if place in expected]


@given(_mutated())
def test_every_error_points_at_something_that_is_there(case: tuple[str, Any]) -> None:
    assert [error.path for error in errors(*case) if error.path not in set(_places(case[1]))] == []


@pytest.mark.parametrize("name", _SCHEMAS.values())
def test_schemas_use_only_what_is_read(name: str) -> None:
    content = load_schema(name)
    Draft202012Validator.check_schema(content)
    judging = {"$ref", "type", "properties", "additionalProperties", "items"}
    telling = {"$schema", "$comment", "$defs", "title", "description", "examples", "format", "readOnly", "deprecated"}
    assert {key for part in _parts(content) for key in part} - judging - telling == set()
    assert [part for part in _parts(content) if "$ref" in part and judging.intersection(part) != {"$ref"}] == []


@pytest.mark.parametrize("name", _SCHEMAS.values())
def test_every_part_of_a_schema_is_described_or_named(name: str) -> None:
    content = load_schema(name)
    fields = [(field, part) for mapping in _parts(content) for field, part in mapping.get("properties", {}).items()]
    assert [field for field, part in fields if not part.get("description")] == []
    assert [part for part in _parts(content) if "type" in part and "title" not in part] == []


def _parts(part: Any) -> Iterator[dict[str, Any]]:
    if isinstance(part, dict):
        yield part
        for below in (*part.get("properties", {}).values(), *part.get("$defs", {}).values()):
            yield from _parts(below)
        yield from _parts(part.get("items"))
        yield from _parts(part.get("additionalProperties"))


def test_both_schemas_say_the_same_of_metadata() -> None:
    quota: Any = load_schema("resource-quota")["$defs"]
    limit_range: Any = load_schema("limit-range")["$defs"]
    common = quota.keys() & limit_range.keys()
    assert {name: quota[name] for name in common} == {name: limit_range[name] for name in common}
    assert {"objectMeta", "ownerReference", "managedFieldsEntry", "resourceList", "quantity"} <= common


def test_a_fitting_object_does_not_load_difflib() -> None:
    program = (
        "import sys; from quotalint.kube.schema import errors;"
        "errors('ResourceQuota', {'spec': {'hard': {'pods': 1}}});"
        "print('difflib' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
