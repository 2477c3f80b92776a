"""Annotations silence what is found of their object, wherever that is written."""

from __future__ import annotations

import pytest
from workspace import Workspace
from written_files import Files


def quota(annotation: str = "", name: str = "base", hard: str = "memory.limit: 1", namespace: str = "team-a") -> str:
    where = f", namespace: {namespace}" if namespace else ""
    asks = f", annotations: {{{annotation}}}" if annotation else ""
    return f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: {name}{where}{asks}}}\nspec: {{hard: {{{hard}}}}}\n"


def ignore(rules: str) -> str:
    return f'quotalint.dev/ignore: "{rules}"'


OVERLAY = "namespace: {}\nresources: [../base]\n"
BASE = "resources: [q.yaml]\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            {"q.yaml": quota(ignore("QL102"))}, ["q.yaml:4:15 QL102 annotation q.yaml:3"], id="of the object itself"
        ),
        pytest.param(
            {"q.yaml": quota(ignore("QL4, QL1"))},
            ["q.yaml:3:57 QL006", "q.yaml:4:15 QL102 annotation q.yaml:3"],
            id="a part is unused",
        ),
        pytest.param(
            {"q.yaml": quota(ignore("QL102"), hard="pods: 1")}, ["q.yaml:3:57 QL006"], id="all of it is unused"
        ),
        pytest.param(
            {"q.yaml": quota(ignore("unknown-resource")) + "---\n" + quota("quotalint.dev/ignore: 3", "n")},
            ["q.yaml:3:57 QL006", "q.yaml:4:15 QL102", "q.yaml:8:12 QL004", "q.yaml:8:54 QL004", "q.yaml:9:15 QL102"],
            id="what names no rule",
        ),
        pytest.param(
            {"q.yaml": quota(ignore("QL102")) + "---\n" + quota(name="other")},
            ["q.yaml:4:15 QL102 annotation q.yaml:3", "q.yaml:9:15 QL102"],
            id="not of another object",
        ),
        pytest.param(
            {
                "base/kustomization.yaml": BASE,
                "base/q.yaml": quota(namespace=""),
                "a/kustomization.yaml": OVERLAY.format("a") + f"commonAnnotations: {{{ignore('QL102')}}}\n",
                "b/kustomization.yaml": OVERLAY.format("b"),
            },
            ["base/q.yaml:4:15 QL102", "base/q.yaml:4:15 QL102 annotation a/kustomization.yaml:3"],
            id="in one of two overlays",
        ),
        pytest.param(
            {
                "base/kustomization.yaml": BASE,
                "base/q.yaml": quota(namespace=""),
                "a/kustomization.yaml": OVERLAY.format("a") + f"commonAnnotations: {{{ignore('QL102,QL103')}}}\n",
            },
            ["a/kustomization.yaml:3:21 QL006", "base/q.yaml:4:15 QL102 annotation a/kustomization.yaml:3"],
            id="that an overlay adds",
        ),
        pytest.param(
            {"q.yaml": "kind: List\napiVersion: v1\nitems:\n- " + quota(ignore("QL102")).strip().replace("\n", "\n  ")},
            ["q.yaml:7:17 QL102 annotation q.yaml:6"],
            id="of an item of a List",
        ),
        pytest.param(
            {
                "q.json": '{"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "base", "annotations": '
                '{"quotalint.dev/ignore": "QL102"}, "namespace": "a"}, "spec": {"hard": {"memory.limit": 1}}}'
            },
            ["q.json:1:163 QL102 annotation q.json:1"],
            id="in JSON",
        ),
    ],
)
def test_what_an_annotation_silences(workspace: Workspace, files: Files, expected: list[str]) -> None:
    workspace.put(files)
    assert workspace.lines() == expected


def test_where_else_it_is_found_does_not_matter(workspace: Workspace) -> None:
    """A workload's refusal is about the workload, and is silenced by its annotation or that of no other object."""
    workload = (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: team-a%s}\nspec:\n  template:\n"
        "    spec: {containers: [{name: app, image: web}]}\n"
    )
    unused = []
    for asks in ("", f", annotations: {{{ignore('QL4')}}}"):
        workspace.put({"web.yaml": workload % asks, "q.yaml": quota(hard="limits.cpu: 1")})
        unused.append([line for line in workspace.lines() if "QL401" in line])
    assert (len(unused[0]), unused[1]) == (1, [f"{result} annotation web.yaml:3" for result in unused[0]])
