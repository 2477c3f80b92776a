"""Why the API server refuses a LimitRange.

After pkg/apis/core/validation/validation_test.go, TestValidateLimitRange.
"""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from quotalint.kube.api_error import Wrong
from quotalint.kube.limit_range import limit_range, limit_range_errors
from quotalint.kube.objects import Object, objects
from quotalint.text.place import Place


def made(limits: object, metadata: object = None) -> Object:
    body = {
        "apiVersion": "v1",
        "kind": "LimitRange",
        "metadata": {"name": "l"} if metadata is None else metadata,
        "spec": {"limits": limits},
    }
    (obj,) = objects(body, Place("l.yaml"))
    return obj


def errors(limits: str) -> list[tuple[str, str]]:
    return sorted(
        (error.field, error.detail) for error in limit_range_errors(limit_range(made(yaml.safe_load(limits))))
    )


GOOD = {
    "all of a container": (
        "[{type: Container, max: {cpu: 100m, memory: 10Gi}, min: {cpu: 50m, memory: 5Mi}, "
        "default: {cpu: 75m, memory: 6Mi}, defaultRequest: {cpu: 60m, memory: 5Mi}, maxLimitRequestRatio: {cpu: 2}}]"
    ),
    "all of a pod": "[{type: Pod, max: {cpu: 100m}, min: {cpu: 50m}, maxLimitRequestRatio: {cpu: 2}}]",
    "a claim with a minimum": "[{type: PersistentVolumeClaim, min: {storage: 1Gi}}]",
    "a claim with a maximum": "[{type: PersistentVolumeClaim, max: {storage: 1Gi}}]",
    "all three types": (
        "[{type: Container, min: {cpu: 1}}, {type: Pod, max: {cpu: 2}}, "
        "{type: PersistentVolumeClaim, max: {storage: 1Gi}}]"
    ),
    "a type of somebody else": "[{type: example.com/image, max: {storage: 1Gi}}]",
    "a resource of somebody else": "[{type: Container, max: {nvidia.com/gpu: 2}, defaultRequest: {nvidia.com/gpu: 2}}]",
    "huge pages": "[{type: Container, default: {hugepages-2Mi: 4Mi}, defaultRequest: {hugepages-2Mi: 4Mi}}]",
    "equal bounds": "[{type: Container, min: {cpu: 1}, max: {cpu: 1}, default: {cpu: 1}, defaultRequest: {cpu: 1}}]",
    "equal bounds in other words": "[{type: Container, min: {memory: 1Gi}, max: {memory: 1024Mi}}]",
    "the greatest ratio that bounds allow": (
        "[{type: Container, min: {cpu: 1}, max: {cpu: 4}, maxLimitRequestRatio: {cpu: 4}}]"
    ),
    "a minimum of zero allows any ratio": (
        "[{type: Container, min: {cpu: 0}, max: {cpu: 1}, maxLimitRequestRatio: {cpu: 99}}]"
    ),
    "nothing": "[]",
    "negative bounds": "[{type: Pod, min: {cpu: -1}}]",
    "a claim with a maximum that is a placeholder": "[{type: PersistentVolumeClaim, max: {storage: '${MAX}'}}]",
    "names that are placeholders": (
        "[{type: Container, max: {'${NAME}': 1, '${OTHER}': '${MAX}'}}, "
        "{type: PersistentVolumeClaim, max: {'${NAME}': 1Gi}}]"
    ),
    "a default that is a placeholder is not the maximum": (
        "[{type: Container, max: {hugepages-2Mi: 4Mi}, default: {hugepages-2Mi: '${HUGE}'}, "
        "defaultRequest: {hugepages-2Mi: 2Mi}}]"
    ),
    "placeholders": "[{type: '${TYPE}', max: {cpu: '${MAX}'}, min: {cpu: 99}}]",
}


@pytest.mark.parametrize("case", GOOD)
def test_a_valid_limit_range_is_accepted(case: str) -> None:
    assert errors(GOOD[case]) == []


NOT_FOR_CONTAINERS = "must be a standard resource for containers"
NO_RESOURCE = "must be a standard resource type or fully qualified"
BAD: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "the same type twice": (
        "[{type: Pod, max: {cpu: 1}}, {type: Pod, max: {memory: 1}}]",
        [("spec.limits[1].type", 'Duplicate value: "Pod"')],
    ),
    "an unknown type": (
        "[{type: Deployment, max: {cpu: 1}}]",
        [("spec.limits[0].type", "must be a standard limit type or fully qualified")],
    ),
    "a type in the wrong case": (
        "[{type: container}]",
        [("spec.limits[0].type", "must be a standard limit type or fully qualified")],
    ),
    "minimum above maximum": (
        "[{type: Container, min: {cpu: 2}, max: {cpu: 1}, default: {cpu: 2}, defaultRequest: {cpu: 2}}]",
        [
            ("spec.limits[0].default[cpu]", "default value 2 is greater than max value 1"),
            ("spec.limits[0].defaultRequest[cpu]", "default request value 2 is greater than max value 1"),
            ("spec.limits[0].min[cpu]", "min value 2 is greater than max value 1"),
        ],
    ),
    "default request below the minimum": (
        "[{type: Container, min: {cpu: 1}, defaultRequest: {cpu: 500m}}]",
        [("spec.limits[0].defaultRequest[cpu]", "min value 1 is greater than default request value 500m")],
    ),
    "default request above default and maximum": (
        "[{type: Container, default: {cpu: 1}, defaultRequest: {cpu: 3}, max: {cpu: 2}}]",
        [
            ("spec.limits[0].defaultRequest[cpu]", "default request value 3 is greater than default limit value 1"),
            ("spec.limits[0].defaultRequest[cpu]", "default request value 3 is greater than max value 2"),
        ],
    ),
    "default below the minimum": (
        "[{type: Container, min: {cpu: 2}, default: {cpu: 1}}]",
        [
            ("spec.limits[0].defaultRequest[cpu]", "min value 2 is greater than default request value 1"),
            ("spec.limits[0].default[cpu]", "min value 2 is greater than default value 1"),
        ],
    ),
    "default above the maximum": (
        "[{type: Container, default: {cpu: 3}, max: {cpu: 2}, defaultRequest: {cpu: 1}}]",
        [("spec.limits[0].default[cpu]", "default value 3 is greater than max value 2")],
    ),
    "a pod has no defaults": (
        "[{type: Pod, default: {cpu: 1}, defaultRequest: {cpu: 1}}]",
        [
            ("spec.limits[0].default", "may not be specified when `type` is 'Pod'"),
            ("spec.limits[0].defaultRequest", "may not be specified when `type` is 'Pod'"),
        ],
    ),
    "and nothing more is said of them": (
        "[{type: Pod, default: {cpu: 9, gpu: 1}, max: {cpu: 1}}]",
        [("spec.limits[0].default", "may not be specified when `type` is 'Pod'")],
    ),
    "nor a default that is a placeholder": (
        "[{type: Pod, default: {cpu: '${CPU}'}}]",
        [("spec.limits[0].default", "may not be specified when `type` is 'Pod'")],
    ),
    "a claim without storage": (
        "[{type: PersistentVolumeClaim, default: {storage: 1Gi}, max: {cpu: 1}}]",
        [("spec.limits[0].limits", "either minimum or maximum storage value is required, but neither was provided")],
    ),
    "a ratio below one": (
        "[{type: Container, maxLimitRequestRatio: {cpu: 800m}}]",
        [("spec.limits[0].maxLimitRequestRatio[cpu]", "ratio 800m is less than 1")],
    ),
    "a ratio above that of the bounds": (
        "[{type: Container, min: {cpu: 1}, max: {cpu: 2}, maxLimitRequestRatio: {cpu: 3}}]",
        [("spec.limits[0].maxLimitRequestRatio[cpu]", "ratio 3 is greater than max/min = 2.000000")],
    ),
    "a ratio above a third": (
        "[{type: Pod, min: {memory: 3}, max: {memory: 4}, maxLimitRequestRatio: {memory: 1500m}}]",
        [("spec.limits[0].maxLimitRequestRatio[memory]", "ratio 1500m is greater than max/min = 1.333333")],
    ),
    "an extended resource is not overcommitted": (
        "[{type: Container, default: {nvidia.com/gpu: 2}, defaultRequest: {nvidia.com/gpu: 1}}]",
        [
            (
                "spec.limits[0].defaultRequest[nvidia.com/gpu]",
                "default value 2 must equal to defaultRequest value 1 in nvidia.com/gpu",
            )
        ],
    ),
    "nor are huge pages": (
        "[{type: Container, max: {hugepages-2Mi: 4Mi}, defaultRequest: {hugepages-2Mi: 2Mi}}]",
        [
            (
                "spec.limits[0].defaultRequest[hugepages-2Mi]",
                "default value 4Mi must equal to defaultRequest value 2Mi in hugepages-2Mi",
            )
        ],
    ),
    "a resource that containers do not have": (
        "[{type: Container, min: {storage: 1}}, {type: Pod, max: {pods: 1}}]",
        [
            ("spec.limits[0].min[storage]", NOT_FOR_CONTAINERS),
            ("spec.limits[0].defaultRequest[storage]", NOT_FOR_CONTAINERS),
            ("spec.limits[1].max[pods]", NOT_FOR_CONTAINERS),
        ],
    ),
    "a resource that nobody has": (
        "[{type: Container, maxLimitRequestRatio: {gpu: 1}}, "
        "{type: PersistentVolumeClaim, max: {storage: 1, disk: 1}}]",
        [
            ("spec.limits[0].maxLimitRequestRatio[gpu]", f"{NO_RESOURCE}; {NOT_FOR_CONTAINERS}"),
            ("spec.limits[1].max[disk]", NO_RESOURCE),
        ],
    ),
    "a resource that nobody has, by an amount that is a placeholder": (
        "[{type: PersistentVolumeClaim, max: {storage: 1, disk: '${MAX}'}}]",
        [("spec.limits[0].max[disk]", NO_RESOURCE)],
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_an_invalid_limit_range_is_refused_at_its_fields(case: str) -> None:
    text, expected = BAD[case]
    assert errors(text) == sorted(expected)


def test_a_bad_quantity_is_refused_where_it_stands() -> None:
    actual_errors = limit_range_errors(
        limit_range(made([{"type": "Container", "max": {"cpu": "4Gb"}, "default": {"cpu": {}}}]))
    )
    assert [(error.field, error.path, error.value) for error in actual_errors] == [
        ("spec.limits[0].max[cpu]", ("spec", "limits", 0, "max", "cpu"), "4Gb"),
        ("spec.limits[0].default[cpu]", ("spec", "limits", 0, "default", "cpu"), "{}"),
    ]


def test_a_bad_quantity_is_refused_once() -> None:
    actual_errors = limit_range_errors(
        limit_range(made([{"type": "PersistentVolumeClaim", "max": {"storage": "4Gb"}}]))
    )
    assert [error.field for error in actual_errors] == ["spec.limits[0].max[storage]"]


def test_errors_stand_at_what_is_written() -> None:
    # max fills default and defaultRequest, which the API server refuses as well.
    actual_errors = limit_range_errors(limit_range(made([{"type": "Container", "min": {"cpu": 2}, "max": {"cpu": 1}}])))
    assert [(error.field, error.path[3]) for error in actual_errors] == [
        ("spec.limits[0].min[cpu]", "min"),
        ("spec.limits[0].defaultRequest[cpu]", "max"),
        ("spec.limits[0].default[cpu]", "max"),
    ]


NAMES: dict[str, tuple[object, list[str]]] = {
    "good": ({"name": "limits.v1"}, []),
    "generated": ({"generateName": "limits-"}, []),
    "a placeholder": ({"name": "${NAME}"}, []),
    "none": ({}, ["metadata.name"]),
    "metadata that is null": ([], ["metadata.name"]),
    "upper case": ({"name": "Limits"}, ["metadata.name"]),
    "too long": ({"name": "a" * 254}, ["metadata.name"]),
}


@pytest.mark.parametrize("case", NAMES)
def test_errors_of_the_metadata_stand_at_their_fields(case: str) -> None:
    metadata, fields = NAMES[case]
    assert [error.field for error in limit_range_errors(limit_range(made([], metadata)))] == fields


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["1", "Container", "Pod", "${X}", "cpu"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "min", "max", "default", "cpu", "storage", ""]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(json)
def test_anything_is_judged(limits: object) -> None:
    for error in limit_range_errors(limit_range(made(limits))):
        if error.wrong is not Wrong.TYPE:
            assert (error.wrong, error.field.split("[")[0]) == (Wrong.LIMITS, "spec.limits")
