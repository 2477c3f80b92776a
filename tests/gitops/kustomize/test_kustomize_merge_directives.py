"""Strategic merge: what a patch says aloud, with `$patch`."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import Case, expected, merges, names, rendered

CASES = [
    merges(
        "delete an item",
        """
        containers: [{name: a, image: a}, {name: b, image: b}]
        """,
        """
        containers: [{name: a, $patch: delete}]
        """,
        """
        containers:
        - {name: b, image: b}
        """,
    ),
    merges(
        "delete an item that is not there",
        """
        containers: [{name: a, image: a}]
        """,
        """
        containers: [{name: b, $patch: delete}]
        """,
        """
        containers:
        - {name: a, image: a}
        """,
    ),
    merges(
        "replace an item",
        """
        containers: [{name: a, image: a, command: [x]}, {name: b, image: b}]
        """,
        """
        containers: [{name: a, $patch: replace, image: new}]
        """,
        """
        containers:
        - name: a
          image: a
          command: [x]
        - {name: b, image: b}
        """,
    ),
    merges(
        "replace a list",
        """
        containers: [{name: a, image: a}, {name: b, image: b}]
        """,
        """
        containers: [{$patch: replace}, {name: c, image: c}]
        """,
        """
        containers:
        - {name: c, image: c}
        """,
    ),
    merges(
        "delete a list",
        """
        containers: [{name: a, image: a}]
        volumes: [{name: v}]
        """,
        """
        containers: [{$patch: delete}]
        """,
        """
        volumes:
        - {name: v}
        """,
    ),
    merges(
        "replace a mapping",
        """
        nodeSelector: {a: b}
        securityContext: {runAsUser: 1, fsGroup: 2}
        """,
        """
        nodeSelector: {$patch: replace, c: d}
        securityContext: {$patch: delete}
        """,
        """
        nodeSelector: {c: d}
        """,
    ),
    merges(
        "merge said aloud",
        """
        nodeSelector: {a: b}
        """,
        """
        nodeSelector: {$patch: merge, c: d}
        """,
        """
        nodeSelector: {a: b, c: d}
        """,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_directives_are_followed_as_kustomize_does(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
