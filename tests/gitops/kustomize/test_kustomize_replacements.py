"""Values that are copied from one object into others."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from kustomize_trees import Case, amended, config_map, expected, names, rendered, tree

FOLDER = tree("replacements")
"""A ConfigMap to copy from, and two Deployments to copy into."""


def replaces(name: str, replacement: str, changes: Mapping[str, Mapping[str, object]]) -> Case:
    """One entry of `replacements`, in a file of its own, and what it changes."""
    files = {**FOLDER, "kustomization.yaml": "resources: [all.yaml]\nreplacements: [{path: r.yaml}]"}
    return Case(name, {**files, "r.yaml": replacement}, amended(FOLDER["all.yaml"], changes))


def wrong(name: str, replacement: str, reason: str) -> Case:
    """One that Kustomize refuses."""
    problem = ("refused", f"the replacement is not made: {reason}")
    return replaces(name, replacement, {})._replace(problems=(problem,), kubectl="refuses")


CASES = [
    replaces(
        "a name",
        """
        source: {kind: ConfigMap, name: src}
        targets: [{select: {kind: Deployment}, fieldPaths: [spec.a], options: {create: true}}]
        """,
        {"Deployment/web": {"/spec/a": "src"}, "Deployment/other": {"/spec/a": "src"}},
    ),
    replaces(
        "several fields of several objects",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets:
        - {select: {kind: Deployment}, fieldPaths: [spec.replicas]}
        - {select: {name: web}, fieldPaths: ["spec.template.spec.containers.[name=a].env.[name=HOST].value",
          "spec.template.spec.containers.1.image"]}
        """,
        {
            "Deployment/web": {
                "/spec/replicas": 3,
                "/spec/template/spec/containers/0/env/0/value": "3",
                "/spec/template/spec/containers/1/image": "3",
            },
            "Deployment/other": {"/spec/replicas": 3},
        },
    ),
    replaces(
        "a part of the source",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.host, options: {delimiter: ":", index: 0}}
        targets: [{select: {name: web}, fieldPaths: ["spec.template.spec.containers.[name=a].env.[name=HOST].value"]}]
        """,
        {"Deployment/web": {"/spec/template/spec/containers/0/env/0/value": "a.example.com"}},
    ),
    replaces(
        "a part of the target",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets: [{select: {name: web}, fieldPaths: ["spec.template.spec.containers.*.image"],
          options: {delimiter: ":", index: 1}}]
        """,
        {
            "Deployment/web": {
                "/spec/template/spec/containers/0/image": "nginx:3",
                "/spec/template/spec/containers/1/image": "caddy:3",
            }
        },
    ),
    replaces(
        "before and behind the parts of the target",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets:
        - {select: {name: web}, fieldPaths: ["spec.template.spec.containers.[name=a].image"],
          options: {delimiter: ":", index: -1}}
        - {select: {name: web}, fieldPaths: ["spec.template.spec.containers.[name=b.c].image"],
          options: {delimiter: ":", index: 9}}
        """,
        {
            "Deployment/web": {
                "/spec/template/spec/containers/0/image": "3:nginx:1",
                "/spec/template/spec/containers/1/image": "caddy:1:3",
            }
        },
    ),
    replaces(
        "a mapping",
        """
        source: {kind: ConfigMap, name: src, fieldPath: metadata.labels}
        targets: [{select: {kind: Deployment}, fieldPaths: [spec.selector.matchLabels], options: {create: true}}]
        """,
        {
            "Deployment/web": {"/spec/selector": {"matchLabels": {"app": "shop"}}},
            "Deployment/other": {"/spec/selector": {"matchLabels": {"app": "shop"}}},
        },
    ),
    replaces(
        "fields that are created",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets: [{select: {name: other}, fieldPaths: [spec.template.spec.x, metadata.labels.count,
          "spec.list.[name=q].value"], options: {create: true}}]
        """,
        {
            "Deployment/other": {
                "/metadata/labels": {"count": 3},
                "/spec/template": {"spec": {"x": 3}},
                "/spec/list": [{"name": "q", "value": 3}],
            }
        },
    ),
    replaces(
        "a key with dots",
        r"""
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets: [{select: {name: other}, fieldPaths: ["metadata.annotations.[a.b/c]"]}, {select: {name: other},
          fieldPaths: ['metadata.annotations.d\.e'], options: {create: true}}]
        """,
        {"Deployment/other": {"/metadata/annotations/a.b~1c": "3", "/metadata/annotations/d.e": "3"}},
    ),
    replaces(
        "a number for a number, a text for a text",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets: [{select: {kind: Deployment}, fieldPaths: [spec.replicas]}, {select: {kind: ConfigMap},
          fieldPaths: [data.host]}]
        """,
        {
            "ConfigMap/src": {"/data/host": "3"},
            "Deployment/web": {"/spec/replicas": 3},
            "Deployment/other": {"/spec/replicas": 3},
        },
    ),
    replaces(
        "rejected objects",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets: [{select: {kind: Deployment}, reject: [{name: other}], fieldPaths: [spec.replicas]}]
        """,
        {"Deployment/web": {"/spec/replicas": 3}},
    ),
    replaces(
        "objects of a label",
        """
        source: {kind: Deployment, name: other, fieldPath: spec.replicas}
        targets: [{select: {labelSelector: app=shop}, fieldPaths: [data.count]}]
        """,
        {"ConfigMap/src": {"/data/count": "2"}},
    ),
    replaces(
        "a value in the kustomization",
        """
        sourceValue: fixed
        targets: [{select: {name: other}, fieldPaths: ["metadata.annotations.[a.b/c]"]}]
        """,
        {"Deployment/other": {"/metadata/annotations/a.b~1c": "fixed"}},
    ),
    replaces(
        "a list of replacements in a file",
        """
        - source: {kind: ConfigMap, name: src, fieldPath: data.count}
          targets: [{select: {name: web}, fieldPaths: [spec.replicas]}]
        - source: {kind: Deployment, name: web, fieldPath: spec.replicas}
          targets: [{select: {name: other}, fieldPaths: [spec.replicas]}]
        """,
        {"Deployment/web": {"/spec/replicas": 3}, "Deployment/other": {"/spec/replicas": 3}},
    ),
    replaces(
        "a target by a pattern",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets: [{select: {name: o.*r, kind: Deploy.*}, fieldPaths: [spec.replicas]}]
        """,
        {"Deployment/other": {"/spec/replicas": 3}},
    ),
    replaces(
        "the target without fields is the name",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets: [{select: {name: other}}]
        """,
        {"Deployment/other": {"/metadata/name": "3"}},
    ),
    wrong(
        "a source that is not there",
        """
        source: {kind: Secret, name: src}
        targets: [{select: {name: web}, fieldPaths: [spec.replicas]}]
        """,
        "its source, Secret src, is not there",
    ),
    wrong(
        "a text where a number stands",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.host}
        targets: [{select: {name: web}, fieldPaths: [spec.replicas]}]
        """,
        "a.example.com:8080 cannot stand where 1 does: it is of another type",
    ),
    wrong(
        "nothing where a number stands",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.empty}
        targets: [{select: {name: web}, fieldPaths: [spec.replicas]}]
        """,
        "nothing cannot stand where 1 does: it is of another type",
    ),
    wrong(
        "a source that could be several",
        """
        source: {kind: Deployment}
        targets: [{select: {name: web}, fieldPaths: [spec.replicas]}]
        """,
        "its source, Deployment, could be several objects",
    ),
    wrong(
        "a source without the field",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.none}
        targets: [{select: {name: web}, fieldPaths: [spec.replicas]}]
        """,
        "its source, ConfigMap src, has no data.none",
    ),
    wrong(
        "a source without that part",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.host, options: {delimiter: ":", index: 5}}
        targets: [{select: {name: web}, fieldPaths: [spec.replicas]}]
        """,
        "its source has no part 5",
    ),
    wrong(
        "a target without the field",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets: [{select: {name: web}, fieldPaths: [spec.none]}]
        """,
        "Deployment web has no field spec.none",
    ),
    wrong(
        "a target without select",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets: [{fieldPaths: [spec.replicas]}]
        """,
        "a target has no select",
    ),
    wrong(
        "no targets",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        """,
        "the replacement has no targets",
    ),
    wrong(
        "no source",
        """
        targets: [{select: {name: web}, fieldPaths: [spec.replicas]}]
        """,
        "the replacement has no source",
    ),
    wrong(
        "a list without the item",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets: [{select: {name: web}, fieldPaths: [spec.template.spec.containers.7.image]}]
        """,
        "the list has no item 7",
    ),
    Case(
        "replacements in the kustomization, in a base, and names afterwards",
        {
            "base/kustomization.yaml": """
                resources: [all.yaml]
                replacements:
                - source: {kind: ConfigMap, name: src, fieldPath: data.count}
                  targets: [{select: {name: web}, fieldPaths: [spec.replicas]}]
                """,
            "base/all.yaml": FOLDER["all.yaml"],
            "top/kustomization.yaml": """
                namePrefix: x-
                resources: [../base]
                replacements:
                - source: {kind: ConfigMap, name: src, fieldPath: metadata.name}
                  targets: [{select: {kind: Deployment, name: web}, fieldPaths: [spec.conf], options: {create: true}}]
                """,
        },
        amended(
            FOLDER["all.yaml"],
            {
                "ConfigMap/src": {"/metadata/name": "x-src"},
                "Deployment/web": {"/metadata/name": "x-web", "/spec/replicas": 3, "/spec/conf": "x-src"},
                "Deployment/other": {"/metadata/name": "x-other"},
            },
        ),
        folder="top",
    ),
    Case(
        "a file of replacements that is not there",
        {"kustomization.yaml": "resources: [all.yaml]\nreplacements: [{path: none.yaml}]", **FOLDER},
        FOLDER["all.yaml"],
        problems=(("refused", "there is no readable none.yaml"),),
        kubectl="refuses",
    ),
    Case(
        "a source that a remote base may hold",
        {
            "kustomization.yaml": """
                resources: [a.yaml, 'https://example.com/base?ref=v1']
                replacements:
                - source: {kind: ConfigMap, name: elsewhere}
                  targets: [{select: {name: a}}]
                """,
            "a.yaml": config_map("a"),
        },
        config_map("a"),
        problems=(
            ("missing", "https://example.com/base?ref=v1 is remote"),
            ("unrendered", "the replacement is not made: its source, ConfigMap elsewhere, is not there"),
        ),
        kubectl="unasked",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_replacements_are_made_as_kustomize_does(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
