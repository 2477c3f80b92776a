"""What only something outside of a repository lists for an ApplicationSet, and what would settle it."""

from __future__ import annotations

import pytest
from manifests import quota
from workspace import Workspace

ASKED = {
    "pullRequest": ("ask a code host", "only the code host knows what there is"),
    "scmProvider": ("ask a code host", "only the code host knows what there is"),
    "clusterDecisionResource": ("go where an object of the cluster decides", "only the cluster knows what it decided"),
    "plugin": ("ask a program of your own", "only that program knows what there is"),
}


def _application_set(name: str, generator: str) -> str:
    return (
        f"apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {{name: {name}, namespace: argocd}}\n"
        f"spec: {{generators: [{{{generator}: {{}}}}], template: {{metadata: {{name: '{{{{name}}}}'}}, spec: "
        "{source: {repoURL: x, path: apps}, destination: {namespace: team-a}}}}\n"
    )


@pytest.mark.parametrize("generator", ASKED)
@pytest.mark.parametrize("number", [1, 2])
def test_says_who_is_asked(workspace: Workspace, generator: str, number: int) -> None:
    sets = "---\n".join(_application_set(f"set-{at}", generator) for at in range(number))
    workspace.put({"argocd/sets.yaml": sets, "apps/quota.yaml": quota()})
    _, text, _ = workspace.text("check", "--select", "QL003", "--verbose")
    words = " ".join(text.split())
    plural, cure = ASKED[generator]
    assert cure in words
    assert ("code host" in words) is ("code host" in cure)
    if number > 1:
        assert f"{number} ApplicationSets {plural} (the {generator} generator)" in words
