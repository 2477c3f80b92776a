"""YAML that every reader reads otherwise, in kustomizations and in what they list."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import THREE, WEB, A, Case, expected, names, rendered

NOT_APPLIED = "the patch is not applied"
CASES = [
    Case(
        "a kustomization that is a list, and one that cannot be read",
        {
            "kustomization.yaml": "resources: [list, broken, a.yaml]",
            "a.yaml": A,
            "list/kustomization.yaml": "- a.yaml",
            "broken/kustomization.yaml": "resources: [a.yaml",
        },
        A,
        (
            ("missing", "the kustomization is not a mapping"),
            (
                "missing",
                "the kustomization cannot be read: did not find expected ',' or ']', while parsing a flow sequence",
            ),
        ),
        kubectl="refuses",
    ),
    Case(
        "a file that cannot be read, and one of no objects",
        {
            "kustomization.yaml": "resources: [broken.yaml, values.yaml, a.yaml]",
            "a.yaml": A,
            "broken.yaml": "a: [",
            "values.yaml": "image: {tag: v1}",
        },
        A,
        (
            ("missing", "it cannot be read: did not find expected node content, while parsing a flow node"),
            ("refused", "values.yaml holds something that is not an object"),
        ),
        kubectl="refuses",
    ),
    Case(
        "a text at the very end of a file, and one before a separator there",
        {
            "kustomization.yaml": "resources: [end.yaml, separator.yaml]",
            "end.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  k: |\n    x",
            "separator.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata:\n  k: |\n    x\n---",
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        data: {k: x}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: b}
        data: {k: "x\\n"}
        """,
    ),
    Case(
        "keys given twice, and keys that are no text",
        {
            "kustomization.yaml": "resources: [twice.yaml, number.yaml]",
            "twice.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  k: x\n  k: y",
            "number.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata:\n  1: x",
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        data:
          k: 'y'
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: b}
        data: {'1': x}
        """,
        (
            ("refused", "twice.yaml gives the key `k` twice (line 6)"),
            ("refused", "number.yaml has the key `1`, which is not a string; quote it"),
        ),
        kubectl="refuses",
    ),
    Case(
        "an object without a line between it and the one above",
        {
            "kustomization.yaml": "resources: [two.yaml]",
            "two.yaml": "\n".join(
                f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata: {{k: x}}" for name in "ab"
            ),
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: b}
        data: {k: x}
        """,
        (("refused", "two.yaml gives the key `apiVersion` twice (line 5), and 3 more keys"),),
        kubectl="refuses",
    ),
    Case(
        "keys given twice in patches, of which the first counts",
        {
            "kustomization.yaml": """
                resources: [web.yaml]
                patches:
                - patch: |
                    apiVersion: apps/v1
                    kind: Deployment
                    metadata: {name: web}
                    spec:
                      replicas: 3
                      replicas: 4
                    metadata: {name: other}
                    spec: {replicas: 5}
                """,
            "web.yaml": WEB,
        },
        THREE,
    ),
    Case(
        "and in files",
        {
            "kustomization.yaml": "resources: [web.yaml]\npatches: [{path: three.yaml}]",
            "web.yaml": WEB,
            "three.yaml": """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web, name: other}
                spec: {replicas: 3}
                kind: Pod
                """,
        },
        THREE,
    ),
    *(
        Case(
            f"such keys in what is not there yet: {name}",
            {"kustomization.yaml": "resources: [web.yaml]\npatches: [{path: more.yaml}]", "web.yaml": WEB}
            | {"more.yaml": f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web}}\nspec: {spec}"},
            WEB,
            (
                (
                    "refused",
                    f"the patch is not applied: it gives the key `{key}` twice, in what the object does not have",
                ),
            ),
            kubectl="refuses",
        )
        for name, key, spec in (
            ("a mapping", "type", "{strategy: {type: Recreate, type: RollingUpdate}}"),
            ("one that replaces another", "a", "{selector: {$patch: replace, matchLabels: {a: b, a: c}}}"),
            (
                "a container",
                "cpu",
                "{template: {spec: {containers: [{name: side, image: it, resources: {limits: {cpu: 1, cpu: 2}}}]}}}",
            ),
            (
                "a list of a container",
                "value",
                "{template: {spec: {initContainers: [{name: it, image: it, env: [{name: a, value: b, value: c}]}]}}}",
            ),
            (
                "a list that is taken as a whole",
                "key",
                "{template: {spec: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                "{nodeSelectorTerms: [{matchFields: [{key: a, key: b}]}]}}}}}}",
            ),
        )
    ),
    Case(
        "merges that are overridden",
        {
            "kustomization.yaml": """
                resources: [a.yaml]
                patches: [{path: p.yaml}]
                commonAnnotations: &more {merged: 'yes', given: merged}
                labels:
                - pairs: {given: here, <<: *more}
                """,
            "a.yaml": """
                apiVersion: v1
                kind: ConfigMap
                metadata: &m {name: a, labels: &l {k: merged, l: merged}}
                data: {k: given, <<: *l}
                """,
            "p.yaml": """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a, labels: &l {p: merged, q: merged}}
                data: {<<: [{q: first}, *l], p: given}
                """,
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: a
          annotations: {merged: 'yes', given: merged}
          labels: {k: merged, l: merged, p: merged, q: merged, merged: 'yes', given: merged}
        data: {k: given, l: merged, p: given, q: first}
        """,
    ),
    Case(
        "two merges in one mapping",
        {
            "kustomization.yaml": "resources: [a.yaml]",
            "a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {<<: {a: x}, <<: {b: x}}",
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        data: {a: x, b: x}
        """,
        (("refused", "a.yaml gives the key `<<` twice (line 4)"),),
        kubectl="refuses",
    ),
    Case(
        "a patch that ends in a text, which is not its last value for what it merges",
        {
            "kustomization.yaml": """
                resources: [a.yaml]
                patches:
                - patch: |-
                    apiVersion: v1
                    kind: ConfigMap
                    metadata: {name: a, annotations: &more {a: x, z: x}}
                    data:
                      <<: *more
                      z: "1"
                      a: |
                        bar
                """,
            "a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a, annotations: {a: x, z: x}}
        data: {a: bar, z: "1"}
        """,
    ),
    Case(
        "a folded text with indented lines",
        {
            "kustomization.yaml": "resources: [a.yaml]",
            "a.yaml": """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a}
                data:
                  text: >
                    first
                      indented
                    last
                """,
        },
        r"""
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        data:
          text: "first\n  indented\nlast\n"
        """,
        (("text", "a folded string (`>`) with indented lines: Kustomize adds line breaks to it"),),
        kubectl="differs",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_yaml_is_read_as_kustomize_does(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
