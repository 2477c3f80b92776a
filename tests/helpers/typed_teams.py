"""Folders of teams, plain, behind kustomizations or deployed by Flux, and a workspace in which somebody types."""

from __future__ import annotations

import os
from pathlib import Path

from quotalint.editor.looking import Workspace

TEAMS = 12
"""How many there are, where nothing else is asked for."""
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web, namespace: {team}}}
spec:
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec: {{containers: [{{name: web, image: web, resources: {{requests: {{cpu: 100m}}}}}}]}}
"""
QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata: {{name: base, namespace: {team}}}
spec: {{hard: {{requests.cpu: 250m}}}}
"""
FLUX = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: {team}, namespace: flux-system}}
spec:
  path: ./{team}
  targetNamespace: {team}
  sourceRef: {{kind: GitRepository, name: flux-system}}
  postBuild: {{substitute: {{CPU: 100m}}}}
"""
APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: {team}, namespace: argocd}}
spec:
  source: {{repoURL: https://example.com/repository.git, path: {team}}}
  destination: {{name: in-cluster, namespace: {team}}}
"""


def plain(top: Path, teams: int = TEAMS) -> None:
    """A folder for each team."""
    for number in range(teams):
        team = f"team-{number}"
        (top / team).mkdir()
        (top / team / "web.yaml").write_text(DEPLOYMENT.format(team=team))
        (top / team / "quota.yaml").write_text(QUOTA.format(team=team))


def kustomized(top: Path, teams: int = TEAMS) -> None:
    """The same behind a kustomization for each team."""
    plain(top, teams)
    for folder in top.iterdir():
        (folder / "kustomization.yaml").write_text("resources: [web.yaml, quota.yaml]\nnamePrefix: my-\n")


def of_flux(top: Path, teams: int = TEAMS) -> None:
    """The same kustomizations, each put into its namespace by Flux, with a variable."""
    kustomized(top, teams)
    for number in range(teams):
        team = f"team-{number}"
        web = top / team / "web.yaml"
        web.write_text(web.read_text().replace("100m", "${CPU}"))
        (top / f"{team}.yaml").write_text(FLUX.format(team=team))


class Typing:
    """A workspace in which somebody types. A class because a keystroke follows on another."""

    def __init__(self) -> None:
        self.workspace = Workspace(".")
        self.workspace.look()

    def type(self, name: str, old: str, new: str) -> list[str]:
        """Replace something in a file; the rules that are reported then."""
        real = os.path.realpath(name)
        self.workspace.buffers[real] = Path(name).read_text().replace(old, new).encode()
        look = self.workspace.look({real})
        assert look.result is not None
        return [finding.rule.id for finding in look.result.findings]
