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
