"""What is edited day by day where Flux builds, and in bases whose quotas name no namespace, is compared alone; what
looks like it and decides more has everything looked at."""

from __future__ import annotations

import pytest
from git_repositories import Repository, deployment
from kept_answers import anew, asked, judged_states, note_small_states
from manifests import quota
from test_compared_slices import Files
from test_whole_namespaces import declared

FORMATS = ("json", "sarif", "text", "markdown", "github")
SOPS = """sops:
  age: [{recipient: age1, enc: ENCRYPTED}]
  lastmodified: "2026-01-01T00:00:00Z"
  mac: ENC[AES256_GCM,data:%s,iv:aa,tag:bb,type:str]
  version: 3.9.0
"""
SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: %s}\nspec: {ports: [{port: %d}]}\n"
PATCH = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: %d}\n"


def data(kind: str, name: str, value: str, namespace: str = "") -> str:
    """A ConfigMap or Secret with one entry."""
    where = f", namespace: {namespace}" if namespace else ""
    field = "stringData" if kind == "Secret" else "data"
    return f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}{where}}}\n{field}: {{N: '{value}'}}\n"


def encrypted(name: str, value: str) -> str:
    return data("Secret", name, f"ENC[AES256_GCM,data:{value},iv:aa,tag:bb,type:str]") + SOPS % value


BASE: Files = {
    "app/base/web.yaml": deployment(1, namespace="", cpu="100m"),
    "app/base/quota.yaml": quota(hard="pods: 4, requests.cpu: 2"),
    "app/base/service.yaml": SERVICE % ("web", 80),
    "app/base/settings.yaml": data("ConfigMap", "settings", "1"),
    "app/base/secret.yaml": data("Secret", "login", "1"),
    "app/base/sops.yaml": encrypted("token", "AA"),
    "app/prod/namespace.yaml": declared("shop-prod"),
    "app/dev/namespace.yaml": declared("shop-dev"),
}
IN_BASE = tuple(name.rpartition("/")[2] for name in BASE if name.startswith("app/base/"))
LISTS = "resources: [%s]\n"
OVERLAY = """namespace: shop-%s
resources: [../base, namespace.yaml]
images: [{name: web, newTag: "%d"}]
replicas: [{name: web, count: %d}]
"""
PROD = OVERLAY % ("prod", 1, 2)
OVERLAYS: Files = {
    **BASE,
    "app/base/kustomization.yaml": LISTS % ", ".join(IN_BASE),
    "app/prod/kustomization.yaml": PROD,
    "app/dev/kustomization.yaml": OVERLAY % ("dev", 1, 1),
}
"""A base of two overlays, each for a namespace of its own."""
KUSTOMIZATION = """apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: %s, namespace: flux-system}
spec:
  interval: 5m
  prune: true
  path: ./%s
  sourceRef: {kind: GitRepository, name: flux-system}
"""
SOURCE = """apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1m, url: "https://example.com/here.git", ref: {branch: main}}
"""
FLUX: Files = {
    **OVERLAYS,
    "clusters/prod/flux-system/sync.yaml": f"{SOURCE}---\n{KUSTOMIZATION % ('flux-system', 'clusters/prod')}",
    "clusters/prod/app.yaml": KUSTOMIZATION % ("app", "app/prod"),
    "clusters/dev/flux-system/sync.yaml": f"{SOURCE}---\n{KUSTOMIZATION % ('flux-system', 'clusters/dev')}",
    "clusters/dev/app.yaml": KUSTOMIZATION % ("app", "app/dev"),
}
"""The same, built by the Flux of two clusters."""


def comes(name: str, text: str) -> Files:
    """A file that the base lists since."""
    return {f"app/base/{name}": text, "app/base/kustomization.yaml": LISTS % ", ".join((*IN_BASE, name))}


def goes(name: str) -> Files:
    """One that it lists no more."""
    left = ", ".join(own for own in IN_BASE if own != name)
    return {f"app/base/{name}": None, "app/base/kustomization.yaml": LISTS % left}


EVERYDAY: dict[str, Files] = {
    "a tag": {"app/prod/kustomization.yaml": OVERLAY % ("prod", 2, 2)},
    "replicas that do not fit": {"app/prod/kustomization.yaml": OVERLAY % ("prod", 1, 9)},
    "replicas of the base": {"app/base/web.yaml": deployment(3, namespace="", cpu="100m")},
    "a quota": {"app/base/quota.yaml": quota(hard="pods: 1, requests.cpu: 2")},
    "a patch that comes": {
        "app/prod/kustomization.yaml": f"{PROD}patches: [{{path: patch.yaml}}]\n",
        "app/prod/patch.yaml": PATCH % 7,
    },
    "a Service": {"app/base/service.yaml": SERVICE % ("web", 81)},
    "one that comes": comes("more.yaml", SERVICE % ("more", 80)),
    "one that goes": goes("service.yaml"),
    "a ConfigMap": {"app/base/settings.yaml": data("ConfigMap", "settings", "2")},
    "a ConfigMap that comes": comes("more.yaml", data("ConfigMap", "more", "1")),
    "a ConfigMap that goes": goes("settings.yaml"),
    "a ConfigMap that is generated": {
        "app/prod/kustomization.yaml": f"{PROD}configMapGenerator: [{{name: more, literals: [N=1]}}]\n"
    },
    "a Secret": {"app/base/secret.yaml": data("Secret", "login", "2")},
    "a Secret that comes": comes("more.yaml", data("Secret", "more", "1")),
    "a Secret that goes": goes("secret.yaml"),
    "an encrypted Secret": {"app/base/sops.yaml": encrypted("token", "BB")},
    "an encrypted Secret that comes": comes("more.yaml", encrypted("more", "BB")),
    "an encrypted Secret that goes": goes("sops.yaml"),
    "a workload that comes": comes("more.yaml", deployment(3, "more", "", "100m")),
}

RELEASE = """apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop}
spec:
  interval: %s
  chart: {spec: {chart: %s, sourceRef: {kind: %s, name: flux-system, namespace: flux-system}}}
  valuesFrom: [{kind: %s, name: given, valuesKey: N, targetPath: n, optional: true}]
"""
CHART: Files = {
    "charts/shop/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
    "charts/shop/values.yaml": "n: 1\n",
    "charts/shop/templates/web.yaml": deployment(0, "shop", "").replace("replicas: 0", "replicas: {{ .Values.n }}"),
}
OWN_CHART = ("./charts/shop", "GitRepository")


def released(*release: str, more: Files | None = None) -> Files:
    """The repository of Flux with a release in the base, and what else is in that."""
    files = {"release.yaml": RELEASE % release, **{name: str(text) for name, text in (more or {}).items()}}
    lists = LISTS % ", ".join((*IN_BASE, *files))
    in_base = {f"app/base/{name}": text for name, text in files.items()}
    return {**FLUX, **CHART, **in_base, "app/base/kustomization.yaml": lists}


def also_lists(files: Files, name: str, text: str) -> Files:
    """A file that the base of these lists as well."""
    lists = str(files["app/base/kustomization.yaml"]).replace("]", f", {name}]")
    return {f"app/base/{name}": text, "app/base/kustomization.yaml": lists}


SUBSTITUTED: Files = {
    **FLUX,
    "app/base/web.yaml": deployment(0, namespace="", cpu="100m").replace("replicas: 0", "replicas: ${N:=1}"),
    "clusters/prod/app.yaml": KUSTOMIZATION % ("app", "app/prod")
    + "  postBuild: {substituteFrom: [{kind: ConfigMap, name: vars}, {kind: Secret, name: hidden, optional: true}]}\n",
    "clusters/prod/vars.yaml": data("ConfigMap", "vars", "2", "flux-system"),
}
SET = """apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: shop, namespace: argocd}
spec:
  generators: [{clusters: {}}]
  template:
    metadata: {name: "shop-{{name}}"}
    spec:
      project: default
      source: {repoURL: "https://example.com/here.git", path: app/prod, targetRevision: main}
      destination: {server: "{{server}}", namespace: shop-prod}
"""
CLUSTER = """apiVersion: v1
kind: Secret
metadata: {name: cluster-%s, namespace: argocd, labels: {argocd.argoproj.io/secret-type: cluster}}
stringData: {name: %s, server: "https://%s.example.com"}
"""
ARGO: Files = {
    **OVERLAYS,
    "argocd/set.yaml": SET,
    "argocd/east.yaml": CLUSTER % ("east", "east", "east"),
}
EXTERNAL = """apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: %s, namespace: argocd}
spec: {refreshInterval: %dh, target: {template: {metadata: {labels: {%s}}}}}
"""
CLUSTERS: Files = {
    **ARGO,
    "argocd/more.yaml": data("Secret", "more", "2", "argocd"),
    "argocd/external.yaml": EXTERNAL % ("external", 1, "a: b"),
}
REGISTERING = "argocd.argoproj.io/secret-type: cluster"
ALL: Files = {**OVERLAYS, "all/kustomization.yaml": LISTS % "../app/dev, ../app/prod"}
BESIDE_THEM: dict[str, tuple[Files, Files]] = {
    "a ConfigMap of the name of the Secret that a release takes values from": (
        released(*("5m", *OWN_CHART, "Secret"), more={"given.yaml": data("ConfigMap", "given", "2")}),
        {"app/base/given.yaml": data("ConfigMap", "given", "3")},
    ),
    "another Secret that comes": (
        released("5m", *OWN_CHART, "Secret"),
        also_lists(released("5m", *OWN_CHART, "Secret"), "more.yaml", data("Secret", "more", "3")),
    ),
    "what a chart that is not in view takes values from": (
        released(*("5m", "shop", "HelmRepository", "Secret"), more={"given.yaml": data("Secret", "given", "2")}),
        {"app/base/given.yaml": data("Secret", "given", "3")},
    ),
    "how often Flux looks at a release": (
        released("5m", "shop", "HelmRepository", "Secret"),
        {"app/base/release.yaml": RELEASE % ("9m", "shop", "HelmRepository", "Secret")},
    ),
    "a ConfigMap where another one is substituted from": (
        SUBSTITUTED,
        {"app/base/settings.yaml": data("ConfigMap", "settings", "2")},
    ),
    "a Secret that registers no cluster": (CLUSTERS, {"argocd/more.yaml": data("Secret", "more", "3", "argocd")}),
    "one that is made elsewhere": (CLUSTERS, {"argocd/external.yaml": EXTERNAL % ("external", 2, "a: b")}),
    "one that comes": (CLUSTERS, {"argocd/new.yaml": data("Secret", "new", "3", "argocd")}),
    "an overlay in a list of all": (ALL, {"app/prod/kustomization.yaml": OVERLAY % ("prod", 1, 9)}),
}
"""What of these repositories decides nothing else."""
LOOK_ALIKES: dict[str, tuple[Files, Files]] = {
    "the Secret that a release takes values from": (
        released(*("5m", *OWN_CHART, "Secret"), more={"given.yaml": data("Secret", "given", "2")}),
        {"app/base/given.yaml": data("Secret", "given", "3")},
    ),
    "one that comes": (
        released("5m", *OWN_CHART, "Secret"),
        also_lists(released("5m", *OWN_CHART, "Secret"), "given.yaml", data("Secret", "given", "3")),
    ),
    "the ConfigMap that a release takes values from": (
        released(*("5m", *OWN_CHART, "ConfigMap"), more={"given.yaml": data("ConfigMap", "given", "2")}),
        {"app/base/given.yaml": data("ConfigMap", "given", "3")},
    ),
    "the ConfigMap that is substituted from": (
        SUBSTITUTED,
        {"clusters/prod/vars.yaml": data("ConfigMap", "vars", "3", "flux-system")},
    ),
    "one that goes": (SUBSTITUTED, {"clusters/prod/vars.yaml": None}),
    "a Secret that comes to be substituted from": (
        SUBSTITUTED,
        {"clusters/prod/hidden.yaml": data("Secret", "hidden", "3", "flux-system")},
    ),
    "a cluster of Argo CD": (ARGO, {"argocd/east.yaml": CLUSTER % ("east", "east", "eastern")}),
    "one that is registered": (ARGO, {"argocd/west.yaml": CLUSTER % ("west", "west", "west")}),
    "one that is no more": (ARGO, {"argocd/east.yaml": None}),
    "a Secret that begins to register one": (CLUSTERS, {"argocd/more.yaml": CLUSTER % ("more", "west", "west")}),
    "one that ends to": (
        {**CLUSTERS, "argocd/more.yaml": CLUSTER % ("more", "west", "west")},
        {"argocd/more.yaml": data("Secret", "cluster-more", "2", "argocd")},
    ),
    "one that is made elsewhere and begins to": (
        CLUSTERS,
        {"argocd/external.yaml": EXTERNAL % ("external", 1, REGISTERING)},
    ),
    "one that comes to be made elsewhere": (CLUSTERS, {"argocd/new.yaml": EXTERNAL % ("new", 1, REGISTERING)}),
    "charts that Flux refuses to build": (
        FLUX,
        {"app/prod/kustomization.yaml": PROD + "helmCharts: [{name: shop, repo: 'https://example.com', version: 1}]\n"},
    ),
    "where something asks for such charts": (
        {**FLUX, "app/dev/kustomization.yaml": f"{OVERLAY % ('dev', 1, 1)}helmCharts: [{{name: shop}}]\n"},
        {"app/prod/kustomization.yaml": OVERLAY % ("prod", 1, 9)},
    ),
    "images where everything was listed as it is": (
        ALL,
        {"all/kustomization.yaml": str(ALL["all/kustomization.yaml"]) + "images: [{name: web, newTag: '3'}]\n"},
    ),
    "what comes beside a quota that names its namespace": (
        {**OVERLAYS, "app/base/quota.yaml": quota("shop-prod", hard="pods: 4, requests.cpu: 2")},
        comes("more.yaml", deployment(1, "more", "", "100m")),
    ),
}


def states_looked_at(repository: Repository, monkeypatch: pytest.MonkeyPatch, before: Files, after: Files) -> set[int]:
    """How many states are judged for a change of one that was checked, for each report; all are as without memory."""
    note_small_states(monkeypatch)
    repository.commit(before)
    asked("check")
    repository.commit(after)
    numbers: set[int] = set()
    for form in FORMATS:
        command = ("diff", "HEAD~1", "HEAD", "--format", form)
        with monkeypatch.context() as inner:
            judged = judged_states(inner)
            answer = asked(*command)
            numbers.add(len(judged))
        assert answer == anew(*command)
    return numbers


@pytest.mark.parametrize("change", EVERYDAY)
@pytest.mark.parametrize("before", [OVERLAYS, FLUX], ids=["overlays", "built by Flux"])
def test_what_is_edited_every_day_is_compared_alone(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, before: Files, change: str
) -> None:
    assert states_looked_at(noting_repository, monkeypatch, before, EVERYDAY[change]) == {0}


@pytest.mark.parametrize("change", BESIDE_THEM)
def test_what_nothing_looks_up_is_compared_alone(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert states_looked_at(noting_repository, monkeypatch, *BESIDE_THEM[change]) == {0}


@pytest.mark.parametrize("change", LOOK_ALIKES)
def test_everything_is_looked_at_where_what_deploys_looks_something_up(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert states_looked_at(noting_repository, monkeypatch, *LOOK_ALIKES[change]) == {2}
