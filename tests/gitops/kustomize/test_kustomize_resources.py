"""Which objects a kustomization is made of: files, folders, what they build on in turn."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import A, B, Case, config_map, expected, names, rendered, together

CASES = [
    Case(
        "files in the order of the kustomization",
        {"kustomization.yaml": "resources: [b.yaml, a.yaml]", "a.yaml": A, "b.yaml": B},
        together(B, A),
    ),
    Case(
        "a file of several documents",
        {
            "kustomization.yaml": "resources: [all.yaml]",
            "all.yaml": f"# first\n---\n{A}\n---\n---\n# none\n---\n{B}\n...\n",
        },
        together(A, B),
    ),
    Case(
        "a file of comments alone beside another",
        {"kustomization.yaml": "resources: [none.yaml, a.yaml]", "none.yaml": "# nothing yet\n", "a.yaml": A},
        A,
    ),
    Case(
        "annotations of which all are commented out",
        {
            "kustomization.yaml": "resources: [a.yaml]",
            "a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: null, annotations: null}\n",
        },
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: null}\n",
    ),
    Case(
        "a file in JSON",
        {
            "kustomization.yaml": "resources: [a.json]",
            "a.json": '{"apiVersion": "v1", "kind": "ConfigMap",\n\t"metadata": {"name": "a"}, "data": {"b": "1"}}',
        },
        config_map("a", {"b": "1"}),
    ),
    Case(
        "lists of objects",
        {
            "kustomization.yaml": "resources: [lists.yaml]\nnamePrefix: x-",
            "lists.yaml": f"""
                {{apiVersion: v1, kind: List, items: [{A}, {B}]}}
                ---
                apiVersion: v1
                kind: ConfigMapList
                items:
                - {{apiVersion: v1, kind: ConfigMap, metadata: {{name: c}}}}
                ---
                {{apiVersion: v1, kind: List, items: []}}
                """,
        },
        together(config_map("x-a"), config_map("x-b"), config_map("x-c")),
    ),
    Case(
        "bases and overlays",
        {
            "base/kustomization.yaml": "resources: [a.yaml]",
            "base/a.yaml": A,
            "middle/kustomization.yaml": "resources: [../base]\nnameSuffix: -y1",
            "top/kustomization.yaml": "resources: [../middle/, b.yaml]\nnamePrefix: x-",
            "top/b.yaml": B,
        },
        together(config_map("x-a-y1"), config_map("x-b")),
        folder="top",
    ),
    Case(
        "the legacy field bases",
        {
            "base/kustomization.yaml": "resources: [a.yaml]",
            "base/a.yaml": A,
            "top/kustomization.yaml": "resources: [b.yaml]\nbases: [../base]",
            "top/b.yaml": B,
        },
        together(B, A),
        folder="top",
    ),
    Case(
        "one base twice under other names",
        {
            "base/kustomization.yaml": "resources: [a.yaml]",
            "base/a.yaml": A,
            "one/kustomization.yaml": "resources: [../base]\nnamePrefix: one-",
            "two/kustomization.yaml": "resources: [../base]\nnamePrefix: two-",
            "top/kustomization.yaml": "resources: [../one, ../two]",
        },
        together(config_map("one-a"), config_map("two-a")),
        folder="top",
    ),
    Case(
        "a folder below and a file beside",
        {
            "top/kustomization.yaml": "resources: [./below, ../a.yaml]",
            "top/below/kustomization.yaml": "resources: [deeper/b.yaml]",
            "top/below/deeper/b.yaml": B,
            "a.yaml": A,
        },
        together(B, A),
        folder="top",
        problems=(
            ("load", "a.yaml lies outside the kustomization's folder: `kustomize build` refuses it, Flux does not"),
        ),
    ),
    Case(
        "the file called kustomization.yml",
        {"kustomization.yml": "resources: [base]", "base/Kustomization": "resources: [a.yaml]", "base/a.yaml": A},
        A,
    ),
    Case(
        "apiVersion and kind in full",
        {
            "kustomization.yaml": """
                apiVersion: kustomize.config.k8s.io/v1beta1
                kind: Kustomization
                metadata: {name: arbitrary, annotations: {config.kubernetes.io/local-config: "true"}}
                resources: [a.yaml]
                """,
            "a.yaml": A,
        },
        A,
    ),
    Case(
        "annotations of Kustomize itself are left out",
        {
            "kustomization.yaml": "resources: [all.yaml]",
            "all.yaml": """
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: a
                  annotations: {config.kubernetes.io/path: a.yaml, internal.config.kubernetes.io/x: z}
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: b, annotations: {config.kubernetes.io/local-config: "true"}}
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: c, annotations: {config.kubernetes.io/local-config: "false"}}
                """,
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: a
          annotations: {internal.config.kubernetes.io/x: z}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: c
          annotations: {config.kubernetes.io/local-config: 'false'}
        """,
    ),
    Case(
        "annotations and labels of null",
        {
            "kustomization.yaml": "resources: [a.yaml]\ncommonLabels: {app: x}",
            "a.yaml": """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a, annotations: null, labels: null, namespace: null}
                data: null
                """,
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: a
          labels: {app: x}
        """,
    ),
    Case(
        "empty lists and mappings of a kustomization",
        {
            "kustomization.yaml": """
                resources: [a.yaml]
                bases: []
                components:
                patches: []
                images:
                commonLabels: {}
                namespace: ""
                namePrefix:
                configMapGenerator: []
                """,
            "a.yaml": A,
        },
        A,
    ),
    Case(
        "an object of a custom kind",
        {
            "kustomization.yaml": "resources: [a.yaml]\nnamespace: shop\nnamePrefix: x-\ncommonLabels: {app: x}",
            "a.yaml": "{apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, spec: {selector: {b: c}}}",
        },
        """
        apiVersion: example.com/v1
        kind: Widget
        metadata:
          name: x-a
          namespace: shop
          labels: {app: x}
        spec:
          selector: {b: c}
        """,
    ),
    Case(
        "one name in two kinds, groups and namespaces",
        {
            "kustomization.yaml": "resources: [all.yaml]",
            "all.yaml": """
                {apiVersion: v1, kind: Service, metadata: {name: a}}
                ---
                {apiVersion: serving.knative.dev/v1, kind: Service, metadata: {name: a}}
                ---
                {apiVersion: v1, kind: Service, metadata: {name: a, namespace: b}}
                """,
        },
        """
        apiVersion: v1
        kind: Service
        metadata: {name: a}
        ---
        apiVersion: serving.knative.dev/v1
        kind: Service
        metadata: {name: a}
        ---
        apiVersion: v1
        kind: Service
        metadata: {name: a, namespace: b}
        """,
    ),
    Case(
        "objects with a generated name",
        {
            "kustomization.yaml": "resources: [all.yaml]\nnamespace: shop",
            "all.yaml": """
                {apiVersion: batch/v1, kind: Job, metadata: {generateName: a-}}
                ---
                {apiVersion: batch/v1, kind: Job, metadata: {generateName: b-}}
                """,
        },
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {generateName: a-, namespace: shop}
        ---
        apiVersion: batch/v1
        kind: Job
        metadata: {generateName: b-, namespace: shop}
        """,
        problems=(
            ("refused", "all.yaml holds a Job without a name"),
            ("refused", "all.yaml holds a Job without a name"),
        ),
        kubectl="refuses",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_resources_are_collected_as_kustomize_does(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
