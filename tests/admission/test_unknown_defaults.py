"""A default of a LimitRange that is a placeholder: stated for every container, and not known."""

from __future__ import annotations

import pytest
import yaml

from quotalint.admission.limit_ranger import fill_limits, pod_violations
from quotalint.evaluators.pods import missing_requests
from quotalint.kube.limit_range import LimitRange, limit_range
from quotalint.kube.objects import objects
from quotalint.kube.pod import pod
from quotalint.kube.resource_list import show
from quotalint.text.place import Place


def stored(name: str, limits: str) -> LimitRange:
    spec = {"limits": [{"type": "Container", **yaml.safe_load(limits)}]}
    (obj,) = objects({"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": name}, "spec": spec}, Place("l"))
    return limit_range(obj)


# resources of a container, entries of LimitRanges → limits, of unknown limit, requests, of unknown request
CASES: dict[str, tuple[str, list[str], tuple[str, set[str], str, set[str]]]] = {
    "a default": ("{}", ["{default: {cpu: '${X}'}, max: {cpu: 2}}"], ("", {"cpu"}, "", {"cpu"})),
    "a default request": ("{}", ["{default: {cpu: 2}, defaultRequest: {cpu: '${X}'}}"], ("cpu=2", set(), "", {"cpu"})),
    "what the container states stays": (
        "{limits: {cpu: 1}, requests: {cpu: 1}}",
        ["{default: {cpu: '${X}'}}"],
        ("cpu=1", set(), "cpu=1", set()),
    ),
    "a default beside a request": (
        "{requests: {cpu: 1}}",
        ["{default: {cpu: '${X}'}, defaultRequest: {cpu: 1}}"],
        ("", {"cpu"}, "cpu=1", set()),
    ),
    "a default request beside a limit": (
        "{limits: {cpu: 1}}",
        ["{default: {cpu: 2}, defaultRequest: {cpu: '${X}'}}"],
        ("cpu=1", set(), "", {"cpu"}),
    ),
    "the first of two LimitRanges fills": (
        "{}",
        ["{default: {cpu: '${X}'}}", "{default: {cpu: 2, memory: 1}}"],
        ("memory=1", {"cpu"}, "memory=1", {"cpu"}),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_default_that_is_not_known_is_said_of_what_it_would_fill(case: str) -> None:
    resources, entries, (limits, unknown_limits, requests, unknown_requests) = CASES[case]
    body = {"spec": {"containers": [{"name": "c", "resources": yaml.safe_load(resources)}]}}
    (container,) = fill_limits(
        pod(body), [stored(f"l{index}", entry) for index, entry in enumerate(entries)]
    ).containers
    assert (show(container.limits), set(container.unknown_limits)) == (limits, unknown_limits)
    assert (show(container.requests), set(container.unknown_requests)) == (requests, unknown_requests)


def test_it_is_neither_missing_nor_out_of_bounds() -> None:
    limits = [stored("l", "{default: {cpu: '${X}'}, max: {cpu: 2}}")]
    filled = fill_limits(pod({"spec": {"containers": [{"name": "c"}]}}), limits)
    assert (
        missing_requests(filled, frozenset({"limits.cpu", "requests.cpu"})),
        pod_violations(filled, limits),
        [".".join(map(str, unknown.path)) for unknown in filled.unknowns],
    ) == ({}, (), ["spec.containers.0.resources.limits.cpu", "spec.containers.0.resources.requests.cpu"])


def test_defaults_that_are_not_known_are_said_in_order() -> None:
    names = ("cpu", "ephemeral-storage", "hugepages-1Gi", "hugepages-2Mi", "memory")
    defaults = ", ".join(f"{name}: '${{X}}'" for name in reversed(names))
    limits = stored("l", f"{{default: {{{defaults}}}}}")
    filled = fill_limits(pod({"spec": {"containers": [{"name": "c"}]}}), [limits])
    assert [unknown.path[-2:] for unknown in filled.unknowns] == [
        (field, name) for field in ("limits", "requests") for name in names
    ]
