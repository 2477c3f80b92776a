"""What a problem of a kustomization says: its place, the way to it, and what may be missing."""

from __future__ import annotations

from pathlib import Path

from kustomize_trees import A, build

from quotalint.gitops.kustomize.problems import Problem
from quotalint.text.place import Place


def test_what_is_said_of_objects_that_are_missing_is_no_problem_of_its_own(tmp_path: Path) -> None:
    files = {
        "kustomization.yaml": """
            resources: [a.yaml, https://example.com/web.yaml]
            patches: [{path: both.yaml}]
            replicas: [{name: web, count: 3}]
            """,
        "a.yaml": A,
        "both.yaml": f"""
            {{apiVersion: apps/v1, kind: Deployment, metadata: {{name: web}}, spec: {{paused: true}}}}
            ---
            {A.replace("}}", "}, data: {k: new}}")}
            """,
    }
    built = build(tmp_path, files)
    assert (
        [resource.traced.value for resource in built.resources],
        [problem.reason for problem in built.problems],
    ) == (
        [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": "new"}}],
        ["https://example.com/web.yaml is remote"],
    )


def test_a_problem_names_its_place_the_way_to_it_and_what_may_be_missing(tmp_path: Path) -> None:
    files = {
        "top/kustomization.yaml": "namespace: shop\nresources: [../base]",
        "base/kustomization.yaml": "resources: [a.yaml]\ngenerators: [ksops.yaml]",
        "base/a.yaml": A,
        "base/ksops.yaml": "{apiVersion: viaduct.ai/v1, kind: ksops, metadata: {name: k}}",
    }
    assert build(tmp_path, files, "top").problems == (
        Problem(
            Place("base/kustomization.yaml", 0, ("generators", 0)),
            "the generator ksops is a plugin, which is not run; it makes only Secrets",
            "missing",
            via=(Place("top/kustomization.yaml", 0, ("resources", 0)),),
            namespace="shop",
            only=("Secret",),
        ),
    )


def test_what_a_kustomization_is_made_of(tmp_path: Path) -> None:
    files = {
        "top/kustomization.yaml": """
            resources: [../base]
            components: [../part]
            patches: [{path: patch.yaml, target: {kind: ConfigMap}}]
            configMapGenerator: [{name: c, files: [x.txt]}]
            """,
        "top/patch.yaml": "- {op: add, path: /data, value: {}}",
        "top/x.txt": "x",
        "base/kustomization.yml": "resources: [a.yaml]",
        "base/a.yaml": A,
        "part/kustomization.yaml": "kind: Component\nnamePrefix: p-",
    }
    folders = {"top", "base", "part"}
    assert build(tmp_path, files, "top").used == frozenset({*files, *folders})
