"""Objects that are there twice (QL005), and where that is said of what is written nowhere."""

from __future__ import annotations

from manifests import quota
from workspace import Workspace

GENERATED = "namespace: shop\ngeneratorOptions: {disableNameSuffixHash: true}\n"


def test_what_two_kustomizations_make_is_told_by_their_lines(workspace: Workspace) -> None:
    made = {
        f"{name}/kustomization.yaml": f"{GENERATED}configMapGenerator: [{{name: settings, literals: [a={name}]}}]\n"
        for name in ("api", "web")
    }
    workspace.put({"quota.yaml": quota("shop", hard="configmaps: 3"), **made})
    (finding,) = workspace.report("check", "--select", "QL005")["findings"]
    assert (finding["file"], finding["line"]) == ("web/kustomization.yaml", 3)
    related = [(place["label"], place["file"], place["line"]) for place in finding["related"]]
    assert related == [("replaced", "api/kustomization.yaml", 3)]
