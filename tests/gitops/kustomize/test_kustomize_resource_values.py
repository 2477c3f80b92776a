"""What values of resources are read as, which others may read otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import Case, expected, names, rendered

CASES = [
    Case(
        "texts, numbers and truth as they were",
        {
            "kustomization.yaml": "resources: [a.yaml]\nnamespace: shop",
            "a.yaml": r"""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a}
                data:
                  yes: "yes"
                  octal: "0777"
                  number: "1e3"
                  "null": "null"
                  date: "2020-01-01"
                  lines: |
                    first
                      second
                  cut: |-
                    no end
                  folded: >
                    one
                    line
                  tab: "a\tb"
                  unicode: "é ☃"
                """,
        },
        r"""
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a, namespace: shop}
        data:
          'yes': 'yes'
          octal: '0777'
          number: '1e3'
          'null': 'null'
          date: '2020-01-01'
          lines: "first\n  second\n"
          cut: no end
          folded: "one line\n"
          tab: "a\tb"
          unicode: é ☃
        """,
    ),
    Case(
        "words and dates that kubectl apply would read otherwise",
        {
            "kustomization.yaml": "resources: [a.yaml]\nnamespace: shop",
            "a.yaml": """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a, labels: {on: On, y: n}}
                data:
                  words: ['y', yes, on, off, No, N]
                  # yes: no
                  text: |
                    yes: no
                  quoted: "no"
                  é: yes # as ever
                  date: 2020-01-01
                  time: 2020-01-01T10:00:00+02:00
                  on: true
                  octal: 0777
                """,
        },
        r"""
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: a
          labels:
            'on': 'On'
            'y': 'n'
          namespace: shop
        data:
          words:
          - 'y'
          - 'yes'
          - 'on'
          - 'off'
          - 'No'
          - 'N'
          text: "yes: no\n"
          quoted: 'no'
          é: 'yes'
          date: '2020-01-01T00:00:00Z'
          time: '2020-01-01T10:00:00+02:00'
          'on': true
          octal: 511
        """,
    ),
    Case(
        "anchors and merge keys",
        {
            "kustomization.yaml": "resources: [a.yaml]\nnamespace: shop",
            "a.yaml": """
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: a
                  labels: &labels {app: x}
                  annotations: *labels
                data:
                  <<: *labels
                  other: z
                """,
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: a
          labels: {app: x}
          annotations: {app: x}
          namespace: shop
        data: {app: x, other: z}
        """,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_values_are_read_as_kustomize_does(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
