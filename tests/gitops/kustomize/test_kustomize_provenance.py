"""Every value of a rendered object knows where it is written: base, overlay, patch, component, generator."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import build

from quotalint.gitops.rendering import object_of
from quotalint.kube.objects import Object
from quotalint.text.place import Place

WEB = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - name: a
        image: nginx:1
        resources: {requests: {cpu: 1, memory: 1Gi}}
      - {name: b, image: "caddy:1"}
"""
REPLICAS = ("spec", "replicas")
FIRST = ("spec", "template", "spec", "containers", 0)
SECOND = ("spec", "template", "spec", "containers", 1)


def only(tmp_path: Path, files: dict[str, str], folder: str = "") -> Object:
    """The one object that a tree is rendered to."""
    built = build(tmp_path, files, folder)
    assert built.problems == ()
    (first,) = built.resources
    return object_of(first)


def real(obj: Object, *path: str | int) -> Place:
    """Where a value is written."""
    return obj.at(*path).real


@pytest.mark.parametrize(
    ("kustomization", "files", "path", "expected"),
    [
        pytest.param("namespace: shop", {}, REPLICAS, Place("web.yaml", 0, REPLICAS), id="base"),
        pytest.param(
            "namespace: shop",
            {},
            ("metadata", "namespace"),
            Place("kustomization.yaml", 0, ("namespace",)),
            id="namespace",
        ),
        pytest.param(
            "namePrefix: x-", {}, ("metadata", "name"), Place("web.yaml", 0, ("metadata", "name")), id="prefix"
        ),
        pytest.param(
            "replicas: [{name: other, count: 9}, {name: web, count: 3}]".replace("{name: other, count: 9}, ", ""),
            {},
            REPLICAS,
            Place("kustomization.yaml", 0, ("replicas", 0, "count")),
            id="replicas",
        ),
        pytest.param(
            "images: [{name: nginx, newTag: v2}]",
            {},
            (*FIRST, "image"),
            Place("kustomization.yaml", 0, ("images", 0)),
            id="image",
        ),
        pytest.param(
            "images: [{name: nginx, newTag: v2}]",
            {},
            (*SECOND, "image"),
            Place("web.yaml", 0, (*SECOND, "image")),
            id="image that stays",
        ),
        pytest.param(
            "commonLabels: {app: shop}",
            {},
            ("spec", "selector", "matchLabels", "app"),
            Place("kustomization.yaml", 0, ("commonLabels", "app")),
            id="label",
        ),
        pytest.param(
            "patches: [{path: p.yaml}]",
            {"p.yaml": "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 3}}"},
            REPLICAS,
            Place("p.yaml", 0, REPLICAS),
            id="strategic merge patch",
        ),
        pytest.param(
            "patches: [{path: p.yaml}]",
            {"p.yaml": "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {paused: true}}"},
            REPLICAS,
            Place("web.yaml", 0, REPLICAS),
            id="beside a strategic merge patch",
        ),
        pytest.param(
            "patches: [{path: p.yaml, target: {kind: Deployment}}]",
            {"p.yaml": "- {op: test, path: /spec/replicas, value: 1}\n- {op: replace, path: /spec/replicas, value: 3}"},
            REPLICAS,
            Place("p.yaml", 0, (1, "value")),
            id="JSON patch",
        ),
        pytest.param(
            "patches: [{path: p.yaml, target: {kind: Deployment}}]",
            {"p.yaml": "- {op: remove, path: /spec/template/spec/containers/0}"},
            (*FIRST, "image"),
            Place("web.yaml", 0, (*SECOND, "image")),
            id="item that a JSON patch moves",
        ),
        pytest.param(
            """
patches:
- target: {kind: Deployment}
  patch: |
    - {op: replace, path: /spec/replicas, value: 3}
""",
            {},
            REPLICAS,
            Place("kustomization.yaml", 0, ("patches", 0, "patch", 0, "value")),
            id="patch in the kustomization",
        ),
        pytest.param(
            "replacements: [{sourceValue: '7', targets: [{select: {name: web}, fieldPaths: [spec.replicas]}]}]",
            {},
            REPLICAS,
            Place("kustomization.yaml", 0, ("replacements", 0, "sourceValue")),
            id="replacement",
        ),
        pytest.param(
            "components: [part]",
            {
                "part/kustomization.yaml": "kind: Component\nreplicas: [{name: web, count: 3}]",
            },
            REPLICAS,
            Place("part/kustomization.yaml", 0, ("replicas", 0, "count")),
            id="component",
        ),
    ],
)
def test_where_a_value_is_written(
    kustomization: str, files: dict[str, str], path: tuple[str | int, ...], expected: Place, tmp_path: Path
) -> None:
    tree = {"kustomization.yaml": f"resources: [web.yaml]\n{kustomization}", "web.yaml": WEB, **files}
    assert real(only(tmp_path, tree), *path) == expected


def test_the_parts_of_an_item_that_is_merged_in_front_of_others(tmp_path: Path) -> None:
    tree = {
        "kustomization.yaml": "resources: [web.yaml]\npatches: [{path: p.yaml}]",
        "web.yaml": WEB,
        "p.yaml": """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              template:
                spec:
                  containers:
                  - {name: b, image: "caddy:2"}
                  - {name: a, resources: {requests: {cpu: 2}}}
            """,
    }
    obj = only(tmp_path, tree)
    requests = ("resources", "requests")
    paths = [(*FIRST, "name"), (*FIRST, "image"), (*SECOND, *requests, "cpu"), (*SECOND, *requests, "memory")]
    assert [real(obj, *path) for path in paths] == [
        Place("p.yaml", 0, (*FIRST, "name")),
        Place("p.yaml", 0, (*FIRST, "image")),
        Place("p.yaml", 0, (*SECOND, *requests, "cpu")),
        Place("web.yaml", 0, (*FIRST, *requests, "memory")),
    ]


def test_the_way_of_an_object_and_what_changed_it(tmp_path: Path) -> None:
    tree = {
        "base/kustomization.yaml": "resources: [all.yaml]",
        "base/all.yaml": f"{{apiVersion: v1, kind: List, items: []}}\n---\n{WEB}",
        "part/kustomization.yaml": "kind: Component\npatches: [{path: p.yaml}]",
        "part/p.yaml": "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 3}}",
        "top/kustomization.yaml": """
            resources: [../base]
            components: [../part]
            patches:
            - target: {kind: Deployment}
              patch: |
                - {op: replace, path: /spec/replicas, value: 4}
            replicas: [{name: web, count: 5}]
            """,
    }
    made = only(tmp_path, tree, "top").place.made
    assert made is not None
    assert (made.via, made.patches) == (
        (Place("top/kustomization.yaml", 0, ("resources", 0)), Place("base/kustomization.yaml", 0, ("resources", 0))),
        (
            Place("part/p.yaml", 0),
            Place("top/kustomization.yaml", 0, ("patches", 0, "patch")),
            Place("top/kustomization.yaml", 0, ("replicas", 0, "count")),
        ),
    )


def test_an_object_that_a_component_adds_comes_through_it(tmp_path: Path) -> None:
    tree = {
        "kustomization.yaml": "components: [part]\nnamespace: shop",
        "part/kustomization.yaml": "kind: Component\nresources: [web.yaml]",
        "part/web.yaml": WEB,
    }
    obj = only(tmp_path, tree)
    assert obj.place.made is not None
    assert (obj.place.made.via, real(obj)) == (
        (Place("kustomization.yaml", 0, ("components", 0)), Place("part/kustomization.yaml", 0, ("resources", 0))),
        Place("part/web.yaml"),
    )


def test_an_item_of_a_list_in_a_later_document(tmp_path: Path) -> None:
    tree = {
        "kustomization.yaml": "resources: [all.yaml]\nreplicas: [{name: web, count: 5}]",
        "all.yaml": """
            # nothing
            ---
            apiVersion: v1
            kind: List
            items:
            - {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 1, paused: true}}
            """,
    }
    obj = only(tmp_path, tree)
    assert [real(obj), real(obj, "spec", "paused"), real(obj, *REPLICAS)] == [
        Place("all.yaml", 1, ("items", 0)),
        Place("all.yaml", 1, ("items", 0, "spec", "paused")),
        Place("kustomization.yaml", 0, ("replicas", 0, "count")),
    ]


def test_what_a_generator_makes_is_written_in_its_entry(tmp_path: Path) -> None:
    tree = {
        "base/kustomization.yaml": "configMapGenerator: [{name: other}, {name: conf, literals: [a=1]}]".replace(
            "{name: other}, ", ""
        ),
        "top/kustomization.yaml": """
            resources: [../base]
            configMapGenerator: [{name: conf, behavior: merge, literals: [b=2]}]
            """,
    }
    obj = only(tmp_path, tree, "top")
    base = Place("base/kustomization.yaml", 0, ("configMapGenerator", 0))
    top = Place("top/kustomization.yaml", 0, ("configMapGenerator", 0))
    assert obj.place.made is not None
    assert (real(obj, "metadata", "name"), real(obj, "data", "a").source, real(obj, "data", "b").source) == (
        base.at("name"),
        base.source,
        top.source,
    )
    assert obj.place.made.patches == (top,)


def test_a_reference_is_written_where_the_name_is(tmp_path: Path) -> None:
    tree = {
        "kustomization.yaml": "resources: [pod.yaml]\nconfigMapGenerator: [{name: conf, literals: [a=1]}]",
        "pod.yaml": "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {volumes: [{configMap: {name: conf}}]}}",
    }
    built = build(tmp_path, tree)
    pod = object_of(built.resources[0])
    assert real(pod, "spec", "volumes", 0, "configMap", "name") == Place(
        "kustomization.yaml", 0, ("configMapGenerator", 0, "name")
    )
