"""The schema of the configuration accepts what the checks of settings accept, and nothing else."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from settings_errors import KNOWN

from quotalint.runtime.data import load_schema
from quotalint.settings import KUBE_VERSIONS
from quotalint.settings.file import of_value

PROPERTIES: Any = load_schema("config")["properties"]


RULE = st.sampled_from(["QL", "QL3", "QL301", "QLC", "QLC-a b", "QLX", "ql3", "3", "", "xQL1"])
SCALAR = (
    st.none() | st.booleans() | st.integers(-1, 101) | st.sampled_from([0.5, 1.3, "", "a", "90%", "0%", "101%", "90"])
)
AMOUNT = SCALAR | st.sampled_from(["1", "41Gi", "500m", "1e3", "-1", "1GB", 0.5, 1e300])
PATTERNS = st.lists(st.sampled_from(["a/", "*.yaml", ""]) | SCALAR, max_size=2)
VALUES = {
    "exclude": PATTERNS,
    "select": st.lists(RULE | SCALAR, max_size=3),
    "ignore": st.dictionaries(RULE, PATTERNS | SCALAR, max_size=2)
    | st.lists(
        RULE
        | SCALAR
        | st.fixed_dictionaries(
            {},
            optional={
                "rules": st.lists(RULE, max_size=2) | SCALAR,
                "paths": PATTERNS,
                "resources": PATTERNS,
                "x": SCALAR,
            },
        ),
        max_size=2,
    ),
    "severity": st.dictionaries(
        RULE, st.sampled_from(["error", "warning", "info", "off", "never"]) | SCALAR, max_size=2
    ),
    "failOn": st.sampled_from(["error", "warning", "info", "off", "never"]),
    "nodes": st.dictionaries(st.sampled_from(["*", "a=1", "b/c=d, a=1", "a", "=a", "a=", ""]), SCALAR, max_size=2),
    "namespaces": st.dictionaries(
        st.sampled_from(["a/", "*"]), st.sampled_from(["a", "a-b", "A", "-a", "a" * 64]) | SCALAR
    ),
    "kubeVersion": st.sampled_from(["1.34", "v1.28.0", "1.27", "1.36", "1.3", "1.34.", "2.30", "v1"]),
    "thresholds": st.fixed_dictionaries({}, optional={"nearlyFull": SCALAR, "x": SCALAR}),
    "capacity": st.dictionaries(
        st.sampled_from(["cpu", "memory", "reserve"]), AMOUNT | st.dictionaries(st.just("cpu"), AMOUNT), max_size=3
    ),
    "sizes": st.dictionaries(
        st.sampled_from(["small", "x-large"]),
        st.dictionaries(st.sampled_from(["cpu", "pods"]), AMOUNT, max_size=2) | SCALAR,
        max_size=2,
    ),
    "requiredLimits": PATTERNS,
    "limitedPriorityClasses": PATTERNS,
    "enforcement": st.sampled_from(["admission", "deferred", "never"]),
    "scenario": st.sampled_from(["steady", "surge", "peak", "never"]),
    "workloads": st.dictionaries(
        st.sampled_from(["Widget", "Widget.example.com", "widget", "Widget."]),
        st.dictionaries(
            st.sampled_from(["podTemplate", "replicas", "minReplicas", "maxReplicas", "autoscaler", "selector", "x"]),
            st.sampled_from(["spec", "spec.a.*.b", "$.a", "a..b", ".a", "*.b"]) | SCALAR,
        )
        | SCALAR,
        max_size=2,
    ),
    "templates": SCALAR,
    "configMaps": st.lists(SCALAR, max_size=2) | SCALAR,
    "baseline": SCALAR,
    "policies": st.lists(
        SCALAR
        | st.fixed_dictionaries(
            {"id": RULE | st.just("QLC1"), "message": st.sampled_from(["a", "", 1])},
            optional={
                "expression": st.sampled_from(["true", "quota.pods", "", 1]),
                "name": st.sampled_from(["a-b", "A", ""]),
                "severity": st.sampled_from(["error", "off", "never", False]),
                "for": st.sampled_from(["entry", "quota", "namespace", "workload", "pod"]),
                "label": st.sampled_from(["a", ""]),
                "bad": st.lists(
                    st.fixed_dictionaries(
                        {},
                        optional={
                            "files": st.dictionaries(st.sampled_from(["a.yaml", "../a", "a/../b", "/a"]), SCALAR),
                            "title": SCALAR,
                            "settings": SCALAR | st.just({}),
                            "expect": PATTERNS,
                            "x": SCALAR,
                        },
                    ),
                    max_size=1,
                )
                | SCALAR,
                "x": SCALAR,
            },
        ),
        max_size=2,
    ),
    "other": SCALAR,
}
ANY = st.recursive(
    SCALAR, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(RULE, inner, max_size=2), max_leaves=4
)
CONFIGURATION = st.fixed_dictionaries({}, optional={key: value | SCALAR | ANY for key, value in VALUES.items()}) | ANY


@given(CONFIGURATION)
def test_checks_agree_with_the_schema(value: object) -> None:
    _, wrong = of_value(value, None)
    assert (not wrong) == Draft202012Validator(load_schema("config")).is_valid(value)


@given(st.sampled_from(sorted(VALUES)).flatmap(lambda key: st.fixed_dictionaries({key: VALUES[key]})))
def test_checks_agree_with_the_schema_key_by_key(value: object) -> None:
    _, wrong = of_value(value, None)
    assert (not wrong) == Draft202012Validator(load_schema("config")).is_valid(value)


def test_the_schema_is_one_and_describes_every_key() -> None:
    whole = load_schema("config")
    Draft202012Validator.check_schema(whole)
    bare = [path for path, key in _keys(whole, ()) if not key.get("description")]
    assert bare == []


def _keys(part: object, path: tuple[str | int, ...]) -> list[tuple[tuple[str | int, ...], dict[str, Any]]]:
    keys = []
    if isinstance(part, dict):
        if isinstance(part.get("properties"), dict):
            keys += [((*path, name), key) for name, key in part["properties"].items()]
        for name, inner in part.items():
            keys += _keys(inner, (*path, name))
    elif isinstance(part, list):
        for index, inner in enumerate(part):
            keys += _keys(inner, (*path, index))
    return keys


def test_examples_and_defaults_of_the_schema_hold() -> None:
    messages = {
        key: [*value.get("examples", []), *([value["default"]] if "default" in value else [])]
        for key, value in PROPERTIES.items()
    }
    wrong = [
        (key, value)
        for key, values in messages.items()
        for value in values
        if of_value({key: value}, KNOWN | {"QL1", "QL503", "QL206", "QL4"})[1]
    ]
    assert wrong == []


def test_the_schema_knows_the_versions() -> None:
    validator = Draft202012Validator(load_schema("config"))
    # Of others the nearest is taken.
    assert all(validator.is_valid({"kubeVersion": f"1.{minor}"}) for minor in range(60))
    assert f"from {KUBE_VERSIONS[0]} to {KUBE_VERSIONS[-1]};" in json.dumps(load_schema("config"))
