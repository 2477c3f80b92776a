"""Containers without a name, which the API server takes nowhere: patches that forget whom they change make them."""

from __future__ import annotations

import pytest
from manifests import web
from workspace import Workspace

PATCH = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
    "spec: {template: {spec: {%s: [{image: i, resources: {limits: {cpu: 2}}}]}}}\n"
)


@pytest.mark.parametrize(
    ("field", "expected", "help_"),
    [
        pytest.param(
            "containers",
            "spec.template.spec.containers: Required value",
            "a patch whose `containers` have no `name` takes those of the base away",
            id="Kustomize finds no container of the base to change and takes all away",
        ),
        pytest.param(
            "initContainers",
            "spec.template.spec.initContainers[0].name: Required value",
            "give the container a name",
            id="Kustomize adds a list that the base has not as it is",
        ),
    ],
)
def test_a_patch_that_names_no_container(workspace: Workspace, field: str, expected: str, help_: str) -> None:
    workspace.put(
        {
            "kustomization.yaml": "namespace: shop\nresources: [web.yaml]\npatches: [{path: patch.yaml}]\n",
            "web.yaml": web(2),
            "patch.yaml": PATCH % field,
        }
    )
    (finding,) = workspace.report("check")["findings"]
    assert (finding["rule"], finding["severity"]) == ("QL404", "error")
    assert finding["message"].endswith(expected)
    assert help_ in finding["help"]


def test_a_container_in_a_snapshot_was_accepted(workspace: Workspace) -> None:
    unnamed = web(2, "shop").replace("name: app, image: web", "image: web")
    workspace.put({"live.yaml": unnamed, "repo/web.yaml": unnamed.replace("name: web", "name: other", 1)})
    assert workspace.lines("repo", "--with", "live.yaml") == ["repo/web.yaml:9:25 QL404"]
