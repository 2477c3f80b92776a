"""A base of two overlays, built by the Flux of two clusters, with releases, variables and secrets."""

from __future__ import annotations

from git_repositories import deployment, quota

from known_edits.rows import PATCH, Files, Rows, Swap, config_map, namespace, service

SOPS = """sops:
  age: [{recipient: age1, enc: ENCRYPTED}]
  lastmodified: "2026-01-01T00:00:00Z"
  mac: ENC[AES256_GCM,data:%s,iv:aa,tag:bb,type:str]
  version: 3.9.0
"""
OVERLAY = """namespace: shop-%s
resources: [../base, namespace.yaml]
images: [{name: web, newTag: "1"}]
replicas: [{name: web, count: %d}]
"""
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
RELEASE = """apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop}
spec:
  interval: 5m
  chart: {spec: {chart: %s, sourceRef: {kind: %s, name: flux-system, namespace: flux-system}}}
  valuesFrom: [{kind: %s, name: given, valuesKey: N, targetPath: n, optional: true}]
"""
TAKES = "  postBuild: {substituteFrom: [{kind: ConfigMap, name: vars}, {kind: Secret, name: hidden, optional: true}]}\n"


def encrypted(name: str, value: str) -> str:
    """A Secret as SOPS writes it."""
    return config_map(name, f"ENC[AES256_GCM,data:{value},iv:aa,tag:bb,type:str]", kind="Secret") + SOPS % value


LISTS = "resources: [web.yaml, quota.yaml, service.yaml, settings.yaml, secret.yaml, sops.yaml%s]\n"
LAYOUT: Files = {
    "app/base/kustomization.yaml": LISTS % "",
    "app/base/web.yaml": deployment(1, namespace="", cpu="100m"),
    "app/base/quota.yaml": quota("pods: 4, requests.cpu: 2", namespace="x").replace(", namespace: x", ""),
    "app/base/service.yaml": service("web"),
    "app/base/settings.yaml": config_map("settings", "1"),
    "app/base/secret.yaml": config_map("login", "1", kind="Secret"),
    "app/base/sops.yaml": encrypted("token", "AA"),
    "app/prod/namespace.yaml": namespace("shop-prod"),
    "app/dev/namespace.yaml": namespace("shop-dev"),
    "app/prod/kustomization.yaml": OVERLAY % ("prod", 2),
    "app/dev/kustomization.yaml": OVERLAY % ("dev", 1),
    "charts/shop/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
    "charts/shop/values.yaml": "n: 1\n",
    "charts/shop/templates/web.yaml": deployment(0, "shop", "").replace("replicas: 0", "replicas: {{ .Values.n }}"),
    **{
        f"clusters/{stage}/{name}": text
        for stage in ("prod", "dev")
        for name, text in {
            "flux-system/sync.yaml": f"{SOURCE}---\n{KUSTOMIZATION % ('flux-system', f'clusters/{stage}')}",
            "app.yaml": KUSTOMIZATION % ("app", f"app/{stage}"),
        }.items()
    },
}
PROD, BASE = "app/prod/kustomization.yaml", "app/base/kustomization.yaml"
OF_OVERLAYS: Rows = {
    "a tag": ({PROD: Swap('newTag: "1"', 'newTag: "2"')},),
    "replicas": (
        {PROD: Swap("count: 2", "count: 9")},
        {"app/base/web.yaml": Swap("replicas: 1", "replicas: 3")},
        {"app/base/quota.yaml": Swap("pods: 4", "pods: 1")},
    ),
    "a patch": (
        {PROD: OVERLAY % ("prod", 2) + "patches: [{path: patch.yaml}]\n", "app/prod/patch.yaml": PATCH % ("web", 7)},
        {"app/prod/patch.yaml": None},
    ),
    "what the base lists": (
        {"app/base/more.yaml": service("more"), BASE: LISTS % ", more.yaml"},
        {"app/base/more.yaml": config_map("more", "1")},
        {"app/base/more.yaml": encrypted("more", "BB")},
        {"app/base/more.yaml": deployment(5, "more", "", "100m")},
        {BASE: "resources: [web.yaml]\n"},
    ),
    "data": (
        {"app/base/settings.yaml": config_map("settings", "2")},
        {"app/base/secret.yaml": config_map("login", "2", kind="Secret")},
        {"app/base/sops.yaml": encrypted("token", "BB")},
    ),
    "a ConfigMap that is generated": (
        {PROD: OVERLAY % ("prod", 2) + "configMapGenerator: [{name: m, literals: [N=1]}]\n"},
    ),
    "charts that a kustomization asks for": (
        {PROD: OVERLAY % ("prod", 2) + "helmCharts: [{name: shop, repo: 'https://example.com', version: 1}]\n"},
        {PROD: Swap("count: 2", "count: 9")},
    ),
    "a list of all overlays": (
        {"all/kustomization.yaml": "resources: [../app/dev, ../app/prod]\n"},
        {"all/kustomization.yaml": "resources: [../app/dev, ../app/prod]\nimages: [{name: web, newTag: '3'}]\n"},
        {PROD: Swap("count: 2", "count: 9")},
    ),
    "a label that kustomizations give": (
        {PROD: OVERLAY % ("prod", 2) + "commonLabels: {team: shop}\n"},
        {PROD: Swap("team: shop", "team: web")},
    ),
}
RELEASED = {
    "app/base/release.yaml": RELEASE % ("./charts/shop", "GitRepository", "Secret"),
    BASE: LISTS % ", release.yaml",
}
WITH_VALUES = LISTS % ", release.yaml, given.yaml"
ROWS: Rows = {
    **OF_OVERLAYS,
    "values of a release": (
        RELEASED,
        {"app/base/given.yaml": config_map("given", "3", kind="Secret"), BASE: WITH_VALUES},
        {"app/base/given.yaml": config_map("given", "4", kind="Secret")},
        {"app/base/given.yaml": config_map("given", "4")},
        {"app/base/release.yaml": Swap("kind: Secret", "kind: ConfigMap")},
        {"app/base/given.yaml": config_map("given", "9")},
    ),
    "a release": (
        RELEASED,
        {"app/base/release.yaml": Swap("interval: 5m", "interval: 9m")},
        {"app/base/release.yaml": Swap("valuesFrom", "values: {n: 3}\n  valuesFrom")},
        {"app/base/release.yaml": Swap("chart: ./charts/shop", "chart: shop")},
    ),
    "a chart": (
        RELEASED,
        {"charts/shop/values.yaml": "n: 6\n"},
        {
            "charts/shop/templates/more.yaml": "{{- if gt (int .Values.n) 5 }}\n"
            + deployment(9, "more", "")
            + "{{- end }}\n"
        },
        {"charts/shop/templates/web.yaml": "{{ fail .Values.n }}\n"},
    ),
    "a chart that is not in view": (
        {"app/base/release.yaml": RELEASE % ("shop", "HelmRepository", "Secret"), BASE: LISTS % ", release.yaml"},
        {"app/base/given.yaml": config_map("given", "2", kind="Secret"), BASE: WITH_VALUES},
    ),
    "variables": (
        {
            "app/base/web.yaml": Swap("replicas: 1", "replicas: ${N:=1}"),
            "app/prod/kustomization.yaml": "namespace: shop-prod\nresources: [../base]\n",
            "clusters/prod/app.yaml": KUSTOMIZATION % ("app", "app/prod") + TAKES,
            "clusters/prod/vars.yaml": config_map("vars", "2", "flux-system"),
        },
        {"clusters/prod/vars.yaml": config_map("vars", "9", "flux-system")},
        {"clusters/prod/hidden.yaml": config_map("hidden", "3", "flux-system", "Secret")},
        {"app/base/settings.yaml": config_map("settings", "${N}")},
        {"clusters/prod/vars.yaml": None},
    ),
    "variables of quotas": (
        {"app/base/quota.yaml": Swap("pods: 4", "pods: ${PODS}")},
        {"clusters/prod/app.yaml": KUSTOMIZATION % ("app", "app/prod") + "  postBuild: {substitute: {PODS: '1'}}\n"},
        {"clusters/prod/app.yaml": Swap("'1'", "'9'")},
    ),
    "a Kustomization of Flux": (
        {"clusters/prod/app.yaml": Swap("  prune: true", "  prune: false\n  targetNamespace: other")},
        {"clusters/prod/app.yaml": Swap("path: ./app/prod", "path: ./app/base")},
        {"clusters/prod/app.yaml": Swap("path: ./app/base", "path: ./missing")},
        {"clusters/prod/app.yaml": KUSTOMIZATION % ("app", "app/prod") + "  suspend: true\n"},
        {"clusters/prod/app.yaml": None},
    ),
    "patches and images of Flux": (
        {"clusters/prod/app.yaml": KUSTOMIZATION % ("app", "app/prod") + "  images: [{name: web, newTag: '3'}]\n"},
        {
            "clusters/prod/app.yaml": KUSTOMIZATION % ("app", "app/prod")
            + "  patches: [{target: {kind: Deployment}, patch: '[{op: replace, path: /spec/replicas, value: 9}]'}]\n"
        },
    ),
    "a source": (
        {"clusters/prod/flux-system/sync.yaml": Swap("url: ", "ignore: '/app/dev', url: ")},
        {"clusters/prod/flux-system/sync.yaml": Swap("here.git", "there.git")},
    ),
    "another cluster": (
        {"clusters/test/app.yaml": KUSTOMIZATION % ("app", "app/dev")},
        {"clusters/test/flux-system/sync.yaml": SOURCE},
    ),
}
