"""What validation says of the resources of a pod, in the API server's words."""

from __future__ import annotations

import pytest
import yaml

from quotalint.kube.pod import pod
from quotalint.kube.pod_validation import pod_errors


def _errors(spec: str) -> list[str]:
    return [f"{error.field}: {error.detail}" for error in pod_errors(pod({"spec": yaml.safe_load(spec)}))]


def _in_container(resources: str) -> list[str]:
    return _errors(f"containers: [{{name: c, resources: {{{resources}}}}}]")


PAGES = {
    "whole pages": ("hugepages-2Mi: 6Mi", ""),
    "none": ("hugepages-2Mi: 0", ""),
    "large pages": ("hugepages-1Gi: 2Gi", ""),
    "a page and a half": ("hugepages-2Mi: 3Mi", "3Mi is not positive integer multiple of hugepages-2Mi"),
    "a size that is no amount": ("hugepages-2MB: 4Mi", "4Mi is not positive integer multiple of hugepages-2MB"),
    "a size without a number": ("hugepages-large: 4Mi", "4Mi is not positive integer multiple of hugepages-large"),
    "pages of nothing": ("hugepages-0: 4Mi", "4Mi is not positive integer multiple of hugepages-0"),
    "pages of half a byte": ("hugepages-500m: 4Mi", "4Mi is not positive integer multiple of hugepages-500m"),
}


@pytest.mark.parametrize("case", PAGES)
def test_huge_pages_are_asked_for_in_whole_pages_of_a_size_that_can_be_read(case: str) -> None:
    written, words = PAGES[case]
    name, _, value = written.partition(": ")
    refused = f'spec.containers[0].resources.limits[{name}]: Invalid value: "{value}": {words}'
    assert _in_container(f"limits: {{cpu: 1, {written}}}") == ([refused] if words else [])


_AS_A_WHOLE = "{containers: [{name: c, resources: %s}], resources: %s}"
OF_A_POD = {
    "cpu, memory and huge pages": (
        "{}",
        "{requests: {cpu: 1, memory: 1Gi}, limits: {memory: 2Gi, hugepages-2Mi: 4Mi}}",
        [],
    ),
    "storage": (
        "{}",
        "{requests: {cpu: 1}, limits: {ephemeral-storage: 1Gi}}",
        [
            'limits[ephemeral-storage]: Unsupported value: "ephemeral-storage": '
            'supported values: "cpu", "hugepages-", "memory"'
        ],
    ),
    "a device": (
        "{}",
        "{limits: {cpu: 1, example.com/card: 1}}",
        [
            'limits[example.com/card]: Unsupported value: "example.com/card": '
            'supported values: "cpu", "hugepages-", "memory"'
        ],
    ),
    "no resource": (
        "{}",
        "{requests: {cores: 1}}",
        ['requests[cores]: Invalid value: "cores": must be a standard resource type or fully qualified'],
    ),
    "less than nothing": (
        "{}",
        "{limits: {cpu: -1}}",
        ['limits[cpu]: Invalid value: "-1": must be greater than or equal to 0'],
    ),
    "huge pages without a limit": (
        "{}",
        "{requests: {cpu: 1, hugepages-2Mi: 4Mi}}",
        ["limits: Required value: Limit must be set for non overcommitable resources"],
    ),
    "half a page": (
        "{}",
        "{limits: {cpu: 1, hugepages-2Mi: 3Mi}}",
        ['limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi'],
    ),
    "huge pages alone": ("{}", "{limits: {hugepages-2Mi: 4Mi}}", ["Forbidden: HugePages require cpu or memory"]),
    "fewer huge pages than its containers": (
        "{limits: {cpu: 1, hugepages-2Mi: 8Mi}}",
        "{limits: {cpu: 1, hugepages-2Mi: 4Mi}}",
        [
            'limits[hugepages-2Mi]: Invalid value: "4Mi": '
            "must be greater than or equal to aggregate container limits of 8Mi",
            'containers[0][hugepages-2Mi].limits: Invalid value: "8Mi": '
            "must be less than or equal to pod limits of 4Mi",
        ],
    ),
}


@pytest.mark.parametrize("case", OF_A_POD)
def test_a_pod_as_a_whole_asks_for_what_it_may(case: str) -> None:
    container, whole, refused = OF_A_POD[case]
    begin = "spec.resources"
    expected = [f"{begin}: {words}" if words.startswith("Forbidden") else f"{begin}.{words}" for words in refused]
    assert _errors(_AS_A_WHOLE % (container, whole)) == expected


@pytest.mark.parametrize("name", ["${CARD}", "{{ card }}", "example.com/${CARD}", "hugepages-${SIZE}"])
def test_nobody_knows_which_resource_a_placeholder_stands_for(name: str) -> None:
    container, whole = (f'{{{field}: {{cpu: 1, "{name}": 1}}}}' for field in ("limits", "requests"))
    assert _errors(_AS_A_WHOLE % (container, whole)) == []
    assert _in_container(f'limits: {{hugepages-2Mi: 2Mi, "{name}": 1}}') == []
