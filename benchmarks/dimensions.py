"""Repositories that grow in one dimension each: files, quotas of one namespace, workloads, overlays of one base,
elements of an ApplicationSet, clusters with what is deployed to them, overlays on overlays, charts.

Each function writes a repository of size `count` below a folder, and `DIMENSIONS` says how far it is measured.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from generate import generate

QUOTA = """apiVersion: v1
kind: ResourceQuota
metadata:
  name: quota-{number}
  namespace: {namespace}
spec:
  hard:
    requests.cpu: {cpu}
    requests.memory: {memory}Gi
    pods: "{pods}"
"""
DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata:
  name: {name}
spec:
  replicas: 2
  selector:
    matchLabels:
      app: {name}
  template:
    metadata:
      labels:
        app: {name}
    spec:
      containers:
      - name: app
        image: registry.example.com/{name}:v1
        resources:
          requests:
            cpu: 100m
            memory: 128Mi
"""
APPLICATION_SET = """apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata:
  name: everything
  namespace: argocd
spec:
  generators:
  - list:
      elements:
{elements}  template:
    metadata:
      name: "{{{{name}}}}"
    spec:
      project: default
      source:
        repoURL: https://git.example.com/team/repository
        targetRevision: main
        path: "{{{{path}}}}"
      destination:
        name: "{{{{cluster}}}}"
        namespace: "{{{{name}}}}"
"""


APPLICATION = """apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: app-{number}
  namespace: argocd
spec:
  project: default
  source:
    repoURL: https://git.example.com/team/repository
    targetRevision: main
    path: {path}
  destination:
    {to}
    namespace: {namespace}
"""
CLUSTER = """apiVersion: v1
kind: Secret
metadata:
  name: cluster-{number}
  namespace: argocd
  labels:
    argocd.argoproj.io/secret-type: cluster
    cell: cell-{number}
stringData:
  name: cluster-{number}
  server: https://cluster-{number}.example.com
"""
SELECTING_SET = """apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata:
  name: app-{number}
  namespace: argocd
spec:
  generators:
  - clusters:
      selector:
        matchLabels:
          cell: cell-{number}
  template:
    metadata:
      name: "app-{{{{name}}}}"
    spec:
      project: default
      source:
        repoURL: https://git.example.com/team/repository
        targetRevision: main
        path: apps/{group}
      destination:
        server: "{{{{server}}}}"
        namespace: team
"""


class Dimension(NamedTuple):
    """What grows, and how far."""

    write: Callable[[Path, int], None]
    sizes: tuple[int, ...]
    arguments: tuple[str, ...] = ()
    """Of `quotalint check`, beside what each run has."""


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def files(folder: Path, count: int) -> None:
    """Plain manifests."""
    generate(folder, count)


def quotas(folder: Path, count: int) -> None:
    """Quotas of one namespace, with twenty workloads in it."""
    _quotas(folder, [100 + number for number in range(count)])


def tight_quotas(folder: Path, count: int) -> None:
    """Quotas of one namespace of which many are too small."""
    _quotas(folder, [1 + number % 7 for number in range(count)])


def _quotas(folder: Path, amounts: Sequence[int]) -> None:
    for number, cpu in enumerate(amounts):
        text = QUOTA.format(number=number, namespace="team", cpu=cpu, memory=100 + number, pods=100 + number)
        write(folder / "quotas" / f"{number // 100}" / f"{number}.yaml", text)
    for number in range(20):
        text = DEPLOYMENT.format(name=f"app-{number}").replace("\nspec:", "\n  namespace: team\nspec:", 1)
        write(folder / "apps" / f"{number}.yaml", text)


def workloads(folder: Path, count: int) -> None:
    """Workloads of one namespace with two quotas, of which one is too small for the rollouts."""
    for number, cpu in enumerate((count, max(1, count // 5))):
        write(
            folder / f"quota-{number}.yaml",
            QUOTA.format(number=number, namespace="team", cpu=cpu, memory=10 * count, pods=10 * count),
        )
    for number in range(count):
        text = DEPLOYMENT.format(name=f"app-{number}").replace("\nspec:", "\n  namespace: team\nspec:", 1)
        write(folder / "apps" / f"{number // 100}" / f"{number}.yaml", text)


def overlays(folder: Path, count: int) -> None:
    """A base, and overlays of it."""
    write(folder / "base" / "deployment.yaml", DEPLOYMENT.format(name="app"))
    write(folder / "base" / "quota.yaml", QUOTA.format(number=0, namespace="team", cpu=10, memory=10, pods=10))
    write(folder / "base" / "kustomization.yaml", "resources:\n- deployment.yaml\n- quota.yaml\n")
    for number in range(count):
        text = f"namespace: team\nresources:\n- ../../base\nreplicas:\n- name: app\n  count: {1 + number % 5}\n"
        write(folder / "overlays" / f"{number:04d}" / "kustomization.yaml", text)


def elements(folder: Path, count: int) -> None:
    """The elements of one ApplicationSet, each a folder with a kustomization."""
    listed = "".join(
        f"      - name: app-{number}\n        path: apps/app-{number}\n        cluster: cluster-{number % 4}\n"
        for number in range(count)
    )
    write(folder / "argocd" / "applicationset.yaml", APPLICATION_SET.format(elements=listed))
    for number in range(count):
        here = folder / "apps" / f"app-{number}"
        write(here / "deployment.yaml", DEPLOYMENT.format(name=f"app-{number}"))
        namespace = f"app-{number}"
        write(here / "quota.yaml", QUOTA.format(number=0, namespace=namespace, cpu=10, memory=10, pods=10))
        write(here / "kustomization.yaml", "resources:\n- deployment.yaml\n- quota.yaml\n")


def clusters(folder: Path, count: int) -> None:
    """Secrets of clusters, and for each cluster one Application or ApplicationSet in turn, which deploys to it alone.

    Clusters × Applications is the square of the count; deployed objects are four for each cluster.
    """
    for group in range(10):
        write(
            folder / "apps" / f"{group}" / "quota.yaml",
            QUOTA.format(number=0, namespace="team", cpu=9, memory=9, pods=9),
        )
        for name in ("app", "worker", "web"):
            write(folder / "apps" / f"{group}" / f"{name}.yaml", DEPLOYMENT.format(name=name))
    for number in range(count):
        write(folder / "clusters" / f"{number}.yaml", CLUSTER.format(number=number))
        if number % 2:
            text = SELECTING_SET.format(number=number, group=number % 10)
        else:
            text = APPLICATION.format(
                number=number, path=f"apps/{number % 10}", to=f"name: cluster-{number}", namespace="team"
            )
        write(folder / "argocd" / f"{number}.yaml", text)


def depth(folder: Path, count: int) -> None:
    """Overlays on overlays."""
    write(folder / "0" / "deployment.yaml", DEPLOYMENT.format(name="app"))
    write(folder / "0" / "quota.yaml", QUOTA.format(number=0, namespace="team", cpu=10, memory=10, pods=10))
    write(folder / "0" / "kustomization.yaml", "namespace: team\nresources:\n- deployment.yaml\n- quota.yaml\n")
    for number in range(1, count):
        text = f'resources:\n- ../{number - 1}\ncommonAnnotations:\n  level: "{number}"\n'
        write(folder / f"{number}" / "kustomization.yaml", text)


def charts(folder: Path, count: int) -> None:
    """Helm charts, each deployed by an Application of Argo CD."""
    for number in range(count):
        here = folder / "charts" / f"app-{number}"
        write(here / "Chart.yaml", f"apiVersion: v2\nname: app-{number}\nversion: 1.0.0\n")
        write(here / "values.yaml", "replicas: 2\ncpu: 100m\n")
        body = DEPLOYMENT.format(name="{{ .Release.Name }}").replace("replicas: 2", "replicas: {{ .Values.replicas }}")
        write(here / "templates" / "deployment.yaml", body.replace("cpu: 100m", "cpu: {{ .Values.cpu }}"))
        text = APPLICATION.format(
            number=number,
            path=f"charts/app-{number}",
            to="server: https://kubernetes.default.svc",
            namespace=f"team-{number % 10}",
        )
        write(folder / "argocd" / f"app-{number}.yaml", text)
    for number in range(min(10, count)):
        text = QUOTA.format(number=0, namespace=f"team-{number}", cpu=10 * count, memory=count, pods=10 * count)
        write(folder / "quotas" / f"team-{number}.yaml", text)


DIMENSIONS = {
    "files": Dimension(files, (1000, 9000)),
    "quotas of one namespace": Dimension(quotas, (625, 1250, 2500, 5000)),
    "quotas of one namespace, as JSON": Dimension(quotas, (1250, 2500, 5000), ("--format", "json")),
    "quotas of one namespace, as HTML": Dimension(quotas, (1250, 2500, 5000), ("--format", "html")),
    "quotas of one namespace that are too small": Dimension(tight_quotas, (250, 500, 1000)),
    "workloads of one namespace": Dimension(workloads, (500, 1000, 2000)),
    "overlays of one base": Dimension(overlays, (100, 200, 400)),
    "elements of an ApplicationSet": Dimension(elements, (250, 500, 1000)),
    "clusters, each with its Application or ApplicationSet": Dimension(clusters, (200, 400, 800)),
    "overlays on overlays": Dimension(depth, (25, 50, 100)),
    "charts": Dimension(charts, (25, 50, 100)),
}
