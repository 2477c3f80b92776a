"""Strategic merge of what is no pod."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import Case, expected, merges, names, rendered

CASES = [
    merges(
        "ports of a service",
        """
        ports: [{port: 80, targetPort: 8080}, {port: 81, protocol: UDP}]
        type: ClusterIP
        """,
        """
        ports: [{port: 80, name: web}, {port: 82}]
        type: LoadBalancer
        """,
        """
        ports:
        - {port: 82}
        - {port: 80, targetPort: 8080, name: web}
        - {port: 81, protocol: UDP}
        type: LoadBalancer
        """,
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: s\n",
    ),
    merges(
        "lists of a custom kind are replaced",
        """
        containers: [{name: a}, {name: b}]
        deep: {a: 1, b: 2}
        """,
        """
        containers: [{name: c}]
        deep: {b: null, c: 3}
        """,
        """
        containers:
        - {name: c}
        deep: {a: 1, c: 3}
        """,
        "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: w\n",
    ),
    merges(
        "quota amounts",
        """
        hard: {pods: 4, requests.cpu: 2}
        """,
        """
        hard: {pods: 8, limits.cpu: 4}
        """,
        """
        hard: {pods: 8, requests.cpu: 2, limits.cpu: 4}
        """,
        "apiVersion: v1\nkind: ResourceQuota\nmetadata:\n  name: q\n",
    ),
    merges(
        "limits of a limit range",
        """
        limits: [{type: Container, default: {cpu: 1}}]
        """,
        """
        limits: [{type: Container, max: {cpu: 2}}]
        """,
        """
        limits:
        - type: Container
          max: {cpu: 2}
        """,
        "apiVersion: v1\nkind: LimitRange\nmetadata:\n  name: l\n",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_other_kinds_are_merged_as_kustomize_does(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
