"""Any document whatever is read, or said to be malformed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quotalint.kube.limited_resources import (
    Elsewhere,
    LimitedConfiguration,
    LimitedResource,
    Malformed,
    admission_limits,
    limits,
)
from quotalint.kube.scopes import Requirement
from quotalint.text.place import Place

HERE = Place("l.yaml")
HEAD = {"apiVersion": "apiserver.config.k8s.io/v1", "kind": "ResourceQuotaConfiguration"}
ADMISSION = {"apiVersion": "apiserver.config.k8s.io/v1", "kind": "AdmissionConfiguration"}

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4)
FIELDS = st.sampled_from(
    (
        *("limitedResources", "resource", "apiGroup", "matchContains", "matchScopes", "scopeName", "operator"),
        *("values", "plugins", "name", "path", "configuration"),
    )
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=4),
    max_leaves=12,
)


def test_every_field_of_a_configuration_is_read() -> None:
    scope = {"scopeName": "PriorityClass", "operator": "In", "values": ["a", "b"]}
    entry = {"apiGroup": "apps", "resource": "deployments", "matchContains": ["count/"], "matchScopes": [scope]}
    path = ("limitedResources", 0)
    assert limits({**HEAD, "limitedResources": [entry], "unknown": 1}, HERE, strict=False) == LimitedConfiguration(
        HERE,
        (
            LimitedResource(
                "apps",
                "deployments",
                ("count/",),
                (Requirement("PriorityClass", "In", ("a", "b"), (*path, "matchScopes", 0)),),
                HERE.at(*path),
            ),
        ),
    )


@given(VALUES)
def test_a_configuration_is_limits_or_malformed(value: object) -> None:
    assert isinstance(limits({**HEAD, "limitedResources": value}, HERE), (LimitedConfiguration, Malformed))


@given(VALUES)
def test_a_document_is_limits_or_malformed(value: object) -> None:
    assert isinstance(limits(value, HERE), Malformed)


@given(VALUES)
def test_an_admission_configuration_says_something_or_nothing(value: object) -> None:
    for document in (
        value,
        {**ADMISSION, "plugins": value},
        {**ADMISSION, "plugins": [{"name": "ResourceQuota"}, value]},
    ):
        actual_admission_limits = admission_limits(document, HERE)
        assert actual_admission_limits is None or isinstance(
            actual_admission_limits, (LimitedConfiguration, Elsewhere, Malformed)
        )
