"""What objects deploy is remembered from look to look: whatever it rests on may be typed in, and a first look at the
same texts would tell the same."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from shown_looks import NAMESPACE, QUOTA, WEB, check_edits
from written_files import write_as_is

BROKEN = "\n- {"
STAGES = ("dev", "prod", "test")


def application(name: str, source: str, more: str = "") -> str:
    return (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\n"
        f"metadata: {{name: {name}, namespace: argocd}}\n"
        f"spec:\n  project: shops\n  source: {{repoURL: 'https://git.example/shop.git', {source}}}\n"
        f"  destination: {{name: in-cluster, namespace: shop-{name}}}\n{more}"
    )


PROJECT = """\
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: shops, namespace: argocd}
spec:
  sourceRepos: ['*']
  destinations: [{name: in-cluster, namespace: 'shop-*'}]
"""
SETS = """\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: sets, namespace: argocd}
spec:
  generators: [{git: {repoURL: 'https://git.example/shop.git', files: [{path: 'set/*.json'}]}}]
  template:
    metadata: {name: 'set-{{stage}}'}
    spec:
      project: shops
      source: {repoURL: 'https://git.example/shop.git', path: '{{path}}/{{stage}}'}
      destination: {name: in-cluster, namespace: shop-set}
"""
OF_ARGO = {
    "apps/project.yaml": PROJECT,
    "apps/sets.yaml": SETS,
    "set/stage.json": '{"stage": "plain"}',
    "set/plain/web.yaml": WEB,
    "set/other/quota.yaml": QUOTA,
    "base/kustomization.yaml": "resources: [web.yaml, quota.yaml]\n",
    "base/web.yaml": WEB,
    "base/quota.yaml": QUOTA,
    "plain/web.yaml": WEB,
    "plain/quota.yaml": QUOTA,
    "plain/below/namespace.yaml": NAMESPACE,
    "plain/.argocd-source.yaml": "directory: {recurse: false}\n",
    **{f"stages/{stage}/kustomization.yaml": "resources: [../../base]\n" for stage in STAGES},
    **{f"apps/{stage}.yaml": application(stage, f"path: stages/{stage}") for stage in STAGES},
    "apps/plain.yaml": application("plain", "path: plain"),
    "apps/over.yaml": application("over", "path: base, kustomize: {commonLabels: {over: here}}"),
    "apps/chart.yaml": application("chart", "chart: web, targetRevision: 1.0.0"),
}
FLUX = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: shop, namespace: flux-system}
spec:
  path: ./base
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild: {substituteFrom: [{kind: ConfigMap, name: amounts}]}
"""
OF_FLUX = {
    "flux/shop.yaml": FLUX,
    "flux/amounts.yaml": (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: amounts, namespace: flux-system}\ndata: {CPU: 100m}\n"
    ),
    "base/web.yaml": WEB.replace("100m", "${CPU}"),
    "base/quota.yaml": QUOTA,
    "base/below/kustomization.yaml": "resources: [namespace.yaml]\n",
    "base/below/namespace.yaml": NAMESPACE,
}
_DIRECTORY = "{recurse: false}"
Edits = tuple[tuple[str, str, str], ...]
DECIDING: dict[str, tuple[Mapping[str, str], Edits]] = {
    "a project that allows another place": (
        OF_ARGO,
        (("apps/project.yaml", "shop-*", "shop-d*"), ("base/quota.yaml", "250m", "90m")),
    ),
    "a project that allows another source, and none": (
        OF_ARGO,
        (("apps/project.yaml", "['*']", "['https://elsewhere.example/*']"), ("apps/project.yaml", "shops", "none")),
    ),
    "a project that refuses a kind": (
        OF_ARGO,
        (
            (
                "apps/project.yaml",
                "spec:\n",
                "spec:\n  namespaceResourceBlacklist: [{group: apps, kind: Deployment}]\n",
            ),
            ("base/web.yaml", "kind: Deployment", "kind: StatefulSet"),
        ),
    ),
    "a path, and a namespace": (
        OF_ARGO,
        (("apps/dev.yaml", "stages/dev", "stages/none"), ("apps/prod.yaml", "namespace: shop-prod", "namespace: shop")),
    ),
    "two Applications of one name": (OF_ARGO, (("apps/dev.yaml", "name: dev", "name: prod"),)),
    "a source that a file beside it changes": (
        OF_ARGO,
        (
            ("plain/.argocd-source.yaml", _DIRECTORY, "{recurse: true}"),
            ("plain/.argocd-source.yaml", _DIRECTORY, "{recurse: 1}"),
            ("plain/.argocd-source.yaml", _DIRECTORY, BROKEN),
            ("plain/.argocd-source.yaml", _DIRECTORY, "{exclude: web.yaml}"),
        ),
    ),
    "true and 1 in an Application": (
        {**OF_ARGO, "apps/plain.yaml": application("plain", "path: plain, directory: {recurse: 1}")},
        (("apps/plain.yaml", "recurse: 1", "recurse: true"),),
    ),
    "a file that is passed over": (
        OF_ARGO,
        (
            ("plain/web.yaml", "spec:\n  selector", "# +argocd:skip-file-rendering\nspec:\n  selector"),
            ("plain/quota.yaml", "250m", "90m"),
        ),
    ),
    "what the files say that a set is made of": (
        OF_ARGO,
        (
            ("set/stage.json", "plain", "other"),
            ("set/stage.json", "plain", "none"),
            ("set/stage.json", '"plain"}', "{"),
            ("set/plain/web.yaml", "100m", "300m"),
        ),
    ),
    "broken YAML in a base, a kustomization and an Application": (
        OF_ARGO,
        (
            ("base/web.yaml", "kind: Deployment", "kind: Deployment" + BROKEN),
            ("stages/prod/kustomization.yaml", "resources", BROKEN),
            ("apps/prod.yaml", "spec:", BROKEN),
            ("plain/quota.yaml", "250m", BROKEN),
        ),
    ),
    "a kustomization that becomes a list of files": (
        OF_ARGO,
        (
            ("base/kustomization.yaml", "resources: [web.yaml, quota.yaml]", "resources: [web.yaml]"),
            ("base/kustomization.yaml", "resources: [web.yaml, quota.yaml]", ""),
            ("base/kustomization.yaml", "resources: [web.yaml, quota.yaml]", "kind: Component"),
        ),
    ),
    "an Application that another one deploys": (
        {
            **OF_ARGO,
            "top/top.yaml": application("top", "path: apps"),
        },
        (
            ("top/top.yaml", "path: apps", "path: plain"),
            ("apps/dev.yaml", "kind: Application", "kind: ConfigMap"),
            ("base/web.yaml", "100m", "300m"),
            ("base/web.yaml", "kind: Deployment", "kind: Deployment" + BROKEN),
        ),
    ),
    "what a walk through all that is deployed comes by": (
        {
            **OF_ARGO,
            "top/top.yaml": application("top", "path: apps"),
            "top/project.yaml": PROJECT,
            "loose/web.yaml": WEB,
        },
        (
            ("loose/web.yaml", "kind: Deployment", "kind: Deployment" + BROKEN),
            ("loose/web.yaml", "kind: Deployment", "kind: Job"),
            ("top/project.yaml", "shop-*", "shop-d*"),
            ("top/project.yaml", "name: shops", "name: none"),
            ("apps/plain.yaml", "path: plain", "path: loose"),
            ("loose/web.yaml", "metadata:", BROKEN),
            ("plain/below/namespace.yaml", "name: shop", "name: shoq"),
            ("stages/dev/kustomization.yaml", "../../base", "../../base, ../../plain/below/namespace.yaml"),
            ("plain/below/namespace.yaml", "kind: Namespace", BROKEN),
        ),
    ),
    "a project that lies elsewhere in the repository": (
        {
            **{name: text for name, text in OF_ARGO.items() if name != "apps/project.yaml"},
            "projects/project.yaml": PROJECT,
            "projects/kustomization.yaml": "resources: [project.yaml]\n",
            "loose/web.yaml": WEB,
        },
        (
            ("loose/web.yaml", "kind: Deployment", "kind: Deployment" + BROKEN),
            ("projects/project.yaml", "shop-*", "shop-d*"),
            ("loose/web.yaml", "kind: Deployment", "kind: Job"),
            ("projects/kustomization.yaml", "[project.yaml]", "[]"),
            ("projects/kustomization.yaml", "resources", BROKEN),
            ("loose/web.yaml", WEB, PROJECT),
        ),
    ),
    "what Flux fills in from a ConfigMap": (
        OF_FLUX,
        (
            ("flux/amounts.yaml", "100m", "400m"),
            ("flux/amounts.yaml", "CPU: 100m", "CPU: 1"),
            ("flux/amounts.yaml", "CPU: 100m", "CPU: true"),
            ("flux/amounts.yaml", "name: amounts", "name: others"),
            ("base/web.yaml", "${CPU}", "${MORE}"),
        ),
    ),
    "what lies below a folder of Flux": (
        OF_FLUX,
        (
            ("base/below/kustomization.yaml", "namespace.yaml", "none.yaml"),
            ("base/below/kustomization.yaml", "resources: [namespace.yaml]", BROKEN),
            ("base/quota.yaml", "kind: ResourceQuota", "kind: Kustomization\napiVersion: kustomize.config.k8s.io/v1"),
            ("base/below/namespace.yaml", "name: shop", "name: shoq"),
        ),
    ),
}


@pytest.mark.parametrize("name", DECIDING)
def test_what_decides_what_is_deployed_is_told_as_a_first_look_would(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, edits = DECIDING[name]
    write_as_is(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    check_edits(files, edits)
