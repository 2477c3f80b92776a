"""The door to what is deployed, as another program would use it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from written_files import write_as_is

from quotalint import deployed
from quotalint.deployed import render

FILES = {
    "base/kustomization.yaml": "resources: [web.yaml]\nnamespace: shop\n",
    "base/web.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: b}\n",
    "overlays/dev/kustomization.yaml": "resources: [../../base]\nnamePrefix: dev-\n",
    "overlays/prod/kustomization.yaml": "resources: [../../base, 'https://example.com/more?ref=v1']\n",
    "tests/x.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: y}\n",
}


def test_environments_have_objects_places_and_what_is_not_in_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_as_is(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    view = render()
    objects = {
        environment.name: [
            (obj.kind, obj.namespace, obj.name, obj.at("data", "a").real.source)
            for rendering in environment.renderings
            for obj in rendering.objects
        ]
        for environment in view.environments
    }
    unseen = {
        environment.name: [item.reason for rendering in environment.renderings for item in rendering.unseen]
        for environment in view.environments
    }
    assert (objects, unseen, [(skipped.name, skipped.reason) for skipped in view.skipped]) == (
        {
            "dev": [("ConfigMap", "shop", "dev-web", "base/web.yaml")],
            "prod": [("ConfigMap", "shop", "web", "base/web.yaml")],
        },
        {"dev": [], "prod": ["overlays/prod/kustomization.yaml: https://example.com/more?ref=v1 is remote"]},
        [("tests/x.yaml", "a fixture of tests")],
    )


def test_its_names_are_those_that_the_documentation_lists() -> None:
    page = (Path(__file__).parents[1] / "docs" / "design.md").read_text()
    listed = re.search(r"It exports (.*?)\n\n", page, re.DOTALL)
    assert listed is not None
    assert sorted(re.findall(r"`(\w+)`", listed[1])) == sorted(deployed.__all__)
    assert all(hasattr(deployed, name) for name in deployed.__all__)
