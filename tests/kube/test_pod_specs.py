"""Where what containers ask for is looked for, by kind."""

from __future__ import annotations

from typing import Any

import pytest

from quotalint.kube.objects import objects
from quotalint.kube.pod_resources import stated_resources
from quotalint.kube.pod_specs import POD_SPECS
from quotalint.text.place import Place

_CONTAINER = {"name": "web", "resources": {"requests": {"cpu": "1"}}}


def _stated_paths(group: str, kind: str, spec: dict[str, Any]) -> list[tuple[str | int, ...]]:
    body = {"apiVersion": f"{group}/v1" if group else "v1", "kind": kind, "metadata": {"name": "web"}, "spec": spec}
    (obj,) = objects(body, Place("web.yaml"))
    return [stated.path for stated in stated_resources(obj)]


@pytest.mark.parametrize("kind", POD_SPECS)
def test_a_kind_of_kubernetes_states_what_stands_in_its_pod_spec_and_nothing_else(kind: tuple[str, str]) -> None:
    pod_spec: dict[str, Any] = {"initContainers": [_CONTAINER], "containers": [_CONTAINER, None, {"resources": 1}]}
    body = pod_spec
    for field in POD_SPECS[kind][:0:-1]:
        body = {field: body}
    misplaced = {"strategy": {"containers": [_CONTAINER]}}
    path = POD_SPECS[kind]
    assert _stated_paths(*kind, {**body, **misplaced}) == [
        (*path, "initContainers", 0, "resources"),
        (*path, "containers", 0, "resources"),
    ]


def test_of_other_kinds_all_lists_of_containers_are_pod_templates() -> None:
    spec = {"runner": {"containers": [_CONTAINER]}, "templates": [{"spec": {"initContainers": [_CONTAINER]}}]}
    assert _stated_paths("example.org", "Runner", spec) == [
        ("spec", "runner", "containers", 0, "resources"),
        ("spec", "templates", 0, "spec", "initContainers", 0, "resources"),
    ]
