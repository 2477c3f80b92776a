"""What a folder is built to is the same whatever was built before it: a builder remembers what folders came to."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from written_files import write

from quotalint.gitops.kustomize.build import Builder
from quotalint.text.tree import Tree

WEB = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: []}}}\n"
SCHEMA = """{"definitions": {"io.k8s.api.apps.v1.Deployment": {
  "x-kubernetes-group-version-kind": [{"group": "apps", "version": "v1", "kind": "Deployment"}]
}}}"""
TREES = {
    "an order that only the built kustomization has": {
        "base/kustomization.yaml": "resources: [web.yaml]\nsortOptions: {order: lifo}\n",
        "base/web.yaml": WEB,
    },
    "a schema that replaces all others where it is built": {
        "base/kustomization.yaml": "resources: [web.yaml]\nopenapi: {path: s.json}\npatches: [{path: more.yaml}]\n",
        "base/s.json": SCHEMA,
        "base/web.yaml": WEB.replace("[]", "[{name: a, image: a}, {name: b, image: b}]"),
        "base/more.yaml": WEB.replace("[]", "[{name: a, image: c}]"),
    },
}
OVERLAYS = {
    "dev/kustomization.yaml": "resources: [../base]\nnamespace: dev\n",
    "list/kustomization.yaml": "resources: [../base]\n",
}


@pytest.mark.parametrize("name", TREES)
def test_the_order_of_builds_does_not_matter(name: str, tmp_path: Path) -> None:
    write(tmp_path, {**TREES[name], **OVERLAYS})
    tree = Tree(str(tmp_path), {}, str(tmp_path))
    folders = ("base", "dev", "list")
    alone = {folder: Builder(tree).build(folder) for folder in folders}
    for order in permutations(folders):
        builder = Builder(tree)
        assert {folder: builder.build(folder) for folder in order} == alone
