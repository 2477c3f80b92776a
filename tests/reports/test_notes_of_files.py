"""The line for several notes about files: it names the reasons, for which one rule has many."""

from __future__ import annotations

import pytest
from manifests import quota
from workspace import Workspace
from written_files import Files

SET = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
ABSENT = {f"{name}/kustomization.yaml": "resources: [gone.yaml]\nnamespace: far\n" for name in "ab"}
REFUSED = {"c/kustomization.yaml": "resources: [a.yaml]\npatches: [{path: b.yaml}]\nnamespace: far\n", "c/a.yaml": SET}
PATCH = {"c/b.yaml": SET.replace("a}", "b}")}
CRITICAL = (
    ", scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [system-cluster-critical]}]}"
)
"""A quota that limits nothing else, so that none of this matters to it."""
REMOTE = {f"{name}/kustomization.yaml": f"resources: ['https://example.com/{name}']\nnamespace: far\n" for name in "de"}


@pytest.mark.parametrize(
    ("files", "words"),
    [
        pytest.param(
            {**ABSENT},
            "2 × QL003 unrendered-source: not all of a/kustomization.yaml:1, b/kustomization.yaml:1 could be rendered",
            id="of one reason",
        ),
        pytest.param(
            {**ABSENT, **REFUSED, **PATCH, **REMOTE},
            "4 × QL003 unrendered-source: `kustomize build` refuses c/kustomization.yaml:2; not all of "
            "a/kustomization.yaml:1, b/kustomization.yaml:1 could be rendered; 2 entries of kustomizations are remote "
            "(d/kustomization.yaml:1)",
            id="what is refused first",
        ),
    ],
)
def test_the_reasons_are_named(files: Files, words: str, workspace: Workspace) -> None:
    workspace.put({**files, "quota.yaml": quota("near", more=CRITICAL)})
    assert f"{words} --verbose shows notes in full." in " ".join(workspace.text("check")[1].split())
