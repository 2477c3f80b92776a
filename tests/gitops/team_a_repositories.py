"""The repositories that most tests of deployment begin with: a quota and a workload of namespace team-a."""

from __future__ import annotations

from manifests import LIST, quota_and_web, web

BASE = {"base/kustomization.yaml": LIST, **quota_and_web("base")}
BASE_FILES = quota_and_web()
TEAM_A = "namespace: team-a\nresources: [../base]\n"
LIVE = quota_and_web("live", "team-a")
PATCH = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 3}
"""
COMPLETE = web(replicas=3, name="web")
"""A patch that has everything an object has."""


def component(*resources: str) -> str:
    """The kustomization of a Component."""
    return f"apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [{', '.join(resources)}]\n"


def leaf(line: str) -> dict[str, str]:
    """A root with a quota, a workload and something else."""
    return {**BASE, "live/kustomization.yaml": f"{TEAM_A}{line}\n"}
