"""Values that are copied into JSON and YAML inside a text."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import Case, expected, names, rendered

CASES = [
    Case(
        "an empty text as the source",
        {
            "kustomization.yaml": """
                resources: [all.yaml]
                replacements:
                - source: {kind: ConfigMap, name: a, fieldPath: data.empty}
                  targets: [{select: {name: b}, fieldPaths: [data.k]}]
                """,
            "all.yaml": """
                {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {empty: ''}}
                ---
                {apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {k: v}}
                """,
        },
        """
        {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {empty: ''}}
        ---
        {apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {k: ''}}
        """,
    ),
    Case(
        "fields of JSON in a text",
        {
            "kustomization.yaml": """
                resources: [all.yaml]
                replacements:
                - sourceValue: new
                  targets:
                  - select: {name: a}
                    fieldPaths: [data.compact.x.y, data.pretty.x.1.n, 'data.pretty.l.[n=b].n', data.flow.x]
                - sourceValue: "7"
                  targets: [{select: {name: a}, fieldPaths: [data.compact.n]}]
                - source: {kind: ConfigMap, name: a, fieldPath: data.flow}
                  targets: [{select: {name: a}, fieldPaths: [data.nested.x]}]
                - sourceValue: a-b
                  targets: [{select: {name: a}, fieldPaths: [data.parts.x], options: {delimiter: '/', index: 1}}]
                - sourceValue: made
                  targets: [{select: {name: a}, fieldPaths: [data.nested.y.z], options: {create: true}}]
                - sourceValue: lost
                  targets: [{select: {name: a}, fieldPaths: ['several.*.t.lost']}]
                """,
            "all.yaml": """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a}
                data:
                  compact: '{"x": {"y": "old", "<": "&"}, "n": 5, "big": 12345678901234567890, "f": 1.0}'
                  pretty: |
                    {
                      "x": [ 1, {"n": "old"} ], "l": [{"n": "a"}, {"n": "b", "v": 1.5e3}],
                      "b": true
                    }
                  flow: '{x: 5}'
                  nested: '{"x": "old"}'
                  parts: '{"x": "k/l/m"}'
                several: [{t: '{"lost": ""}'}]
                """,
        },
        r"""
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        data:
          compact: '{"big":12345678901234567890,"f":1,"n":7,"x":{"\u003c":"\u0026","y":"new"}}'
          pretty: |-
            {
              "b": true,
              "l": [
                {
                  "n": "a"
                },
                {
                  "n": "new",
                  "v": 1500
                }
              ],
              "x": [
                1,
                {
                  "n": "new"
                }
              ]
            }
          flow: '{x: 5}'
          nested: '{"x":"{x: 5}","y":{"z":"made"}}'
          parts: '{"x":"a-b"}'
        several: [{t: '{"lost": ""}'}]
        """,
    ),
    Case(
        "a field of YAML in a text",
        {
            "kustomization.yaml": """
                resources: [all.yaml]
                replacements:
                - sourceValue: new
                  targets: [{select: {name: a}, fieldPaths: [data.yaml.x.0.k]}]
                """,
            "all.yaml": """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a}
                data:
                  yaml: |
                    x:
                    - k: old
                """,
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        data:
          yaml: |-
            x:
            - k: new
        """,
        problems=(("text", "YAML inside a string is rewritten and may look different"),),
    ),
    Case(
        "a field that JSON in a text does not have",
        {
            "kustomization.yaml": """
                resources: [all.yaml]
                replacements:
                - sourceValue: new
                  targets: [{select: {name: a}, fieldPaths: [data.json.x]}]
                """,
            "all.yaml": """{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {json: '{"y": 1}'}}""",
        },
        """{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {json: '{"y": 1}'}}""",
        problems=(("refused", "the replacement is not made: there is no `x` in the string"),),
        kubectl="refuses",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_replacements_within_texts_are_made_as_kustomize_does(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
