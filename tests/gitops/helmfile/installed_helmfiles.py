"""What a helmfile installs, and with which values."""

from __future__ import annotations

from pathlib import Path

import pytest
from written_files import Files, write

from quotalint.gitops.charts import Charts
from quotalint.gitops.helm import Release
from quotalint.gitops.helm.value_layers import merge_layers, with_release_parameters
from quotalint.gitops.helmfile.installation import Helmfiles
from quotalint.gitops.rendering import Rendering
from quotalint.text.place import Place
from quotalint.text.tree import Tree

WEB = {"charts/web/Chart.yaml": "{apiVersion: v2, name: web, version: 1.0.0}\n"}


RELEASE = "releases: [{name: web, namespace: team, chart: ./charts/web"


class Listening(Charts):
    """Charts that are not rendered: what they would be rendered with is kept."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree, "", "off")
        self.tree = tree
        self.asked_for: list[str] = []

    def render_chart(self, release: Release, asked: Place) -> Rendering:
        values = merge_layers(tuple(layer.values for layer in release.layers))
        given = with_release_parameters(values, release, self.tree.data)
        self.asked_for.append(f"{release.namespace}/{release.name} {release.chart} {given}")
        return Rendering()


def installed(folder: Path, files: Files, monkeypatch: pytest.MonkeyPatch, file: str) -> dict[str, list[str]]:
    """`namespace/name chart values` of the releases by environment; what is unknown by its reason."""
    write(folder, {**WEB, **files})
    monkeypatch.chdir(folder)
    tree = Tree(".", {})
    charts = Listening(tree)
    installed: dict[str, list[str]] = {}
    installation = Helmfiles(tree, charts, ("charts/web",)).installation(file)
    charts_asked_for = iter(charts.asked_for)
    for environment, rendering in installation.releases:
        reasons = [problem.reason.partition("not rendered: ")[2] for problem in rendering.problems]
        installed.setdefault(environment, []).append(f"? {reasons[0]}" if reasons else next(charts_asked_for))
    for environment, reason in installation.failures:
        installed.setdefault(environment.replace("default", ""), []).append(f"! {reason}")
    return installed
