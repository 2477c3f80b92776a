"""A stage that components spell differently is one environment; two spellings beside each other are two."""

from __future__ import annotations

import pytest
from workspace import Workspace

POD = """\
apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: {namespace}}}
spec: {{containers: [{{name: c, image: a}}]}}
"""
QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata: {name: limits, namespace: shop}
spec: {hard: {pods: "1"}}
"""


def overlay(folder: str, name: str, namespace: str = "shop") -> dict[str, str]:
    """A kustomization with a Pod."""
    return {
        f"{folder}/kustomization.yaml": "resources: [pod.yaml]\n",
        f"{folder}/pod.yaml": POD.format(name=name, namespace=namespace),
    }


def environments(workspace: Workspace, files: dict[str, str]) -> list[str]:
    workspace.put({"namespaces/quota.yaml": QUOTA, **files})
    return sorted({quota["environment"] for quota in workspace.report("usage")["quotas"]})


@pytest.mark.parametrize(
    ("folders", "expected"),
    [
        (["a/dev", "a/prod", "b/development", "b/production"], ["dev", "prod"]),
        (["a/dev", "a/production", "b/dev", "b/prod", "c/production"], ["dev", "production"]),
        (["a/overlays/int", "a/overlays/prod", "b/overlays/integration"], ["int", "prod"]),
        (["a/dev", "a/prod", "a/production"], ["dev", "prod", "production"]),
    ],
    ids=["two-components", "the-commonest", "int", "beside-each-other"],
)
def test_spellings_of_components(workspace: Workspace, folders: list[str], expected: list[str]) -> None:
    files = {
        name: text
        for number, folder in enumerate(folders)
        for name, text in overlay(folder, f"{folder[0]}{number}").items()
    }
    assert environments(workspace, files) == expected


def test_the_same_objects_by_two_spellings_are_two_places(workspace: Workspace) -> None:
    files = overlay("a/prod", "web") | overlay("b/production", "web") | overlay("a/dev", "web")
    assert environments(workspace, files) == ["dev", "prod", "production"]


def test_it_is_counted_together_and_said_to_be_a_guess(workspace: Workspace) -> None:
    files = overlay("a/dev", "a") | overlay("a/prod", "a") | overlay("b/production", "b") | overlay("b/dev", "b")
    workspace.put({"a/prod/quota.yaml": QUOTA, "a/prod/kustomization.yaml": "resources: [pod.yaml, quota.yaml]\n"})
    workspace.put({name: text for name, text in files.items() if name != "a/prod/kustomization.yaml"})
    (quota,) = workspace.report("usage")["quotas"]
    assert (quota["environment"], quota["certainty"]) == ("prod", "assumed")
    assert [entry["steady"] for entry in quota["resources"]] == ["2"]
    assert [item["reason"] for item in quota["assumptions"]] == [
        "b/production/ is counted in prod, since production seems to be another word for it"
    ]


def test_it_is_no_guess_where_only_one_spelling_reaches_a_namespace(workspace: Workspace) -> None:
    workspace.put(overlay("a/dev", "a", "tools") | overlay("a/prod", "a", "tools") | overlay("b/dev", "b"))
    workspace.put(overlay("b/production", "b") | {"b/production/quota.yaml": QUOTA})
    workspace.put({"b/production/kustomization.yaml": "resources: [pod.yaml, quota.yaml]\n"})
    (quota,) = workspace.report("usage")["quotas"]
    assert (quota["environment"], quota["certainty"]) == ("prod", "exact")


def test_the_configuration_settles_it(workspace: Workspace) -> None:
    files = overlay("a/prod", "a") | overlay("b/production", "b")
    workspace.put(
        {"a/prod/quota.yaml": QUOTA, **files, "a/prod/kustomization.yaml": "resources: [pod.yaml, quota.yaml]\n"}
    )
    workspace.put({".quotalint.yaml": "environments: {prod: [/b/production/, /a/prod/]}\n"})
    (quota,) = workspace.report("usage")["quotas"]
    assert (quota["certainty"], [entry["steady"] for entry in quota["resources"]]) == ("exact", ["2"])
