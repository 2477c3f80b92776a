"""What lies in a repository beside what is applied: leaves of trees, and copies of what is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from deployer_objects import argo_application, flux_kustomization
from gitops_outcome import NONE, TWO, Case, expected, outcome, params
from manifests import quota, quota_and_web, web
from written_files import Link

STAGES = ("dev", "prod")
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: x, namespace: team-a}\n"


LEAVES = [
    Case(
        "4: what a root without a namespace lacks may concern any",
        {
            "live/kustomization.yaml": "resources: [quota.yaml, web.yaml, gone.yaml]\n",
            **quota_and_web("live", "team-a"),
            **quota_and_web("other", "team-b"),
        },
        ("team-a/base pods 2/8 at-least", "team-b/base pods 2/8 at-least"),
        ("live/kustomization.yaml:1:35 QL003 warning",),
    ),
    Case(
        "4: the namespace of an overlay is where it goes, not that of the base that lacks something",
        {
            "base/kustomization.yaml": "namespace: team-b\nresources: [quota.yaml, web.yaml, gone.yaml]\n",
            **quota_and_web("base"),
            "live/kustomization.yaml": "namespace: team-a\nresources: [../base]\n",
            **quota_and_web("other", "team-b"),
        },
        ("team-a/base pods 2/8 at-least", "team-b/base pods 2/8 exact"),
        ("base/kustomization.yaml:2:35 QL003 warning",),
    ),
    Case(
        "4: the targetNamespace of Flux is where it goes",
        {
            "flux/apps.yaml": flux_kustomization("./apps", "targetNamespace: team-a"),
            "apps/kustomization.yaml": "resources: [quota.yaml, web.yaml, gone.yaml]\n",
            **quota_and_web("apps"),
            **quota_and_web("flux", "team-b"),
        },
        ("team-a/base pods 2/8 at-least", "team-b/base pods 2/8 exact"),
        ("apps/kustomization.yaml:1:35 QL003 warning",),
    ),
    Case(
        "4: a ksops generator of a root without a namespace concerns Secrets anywhere, and nothing else",
        {
            "live/kustomization.yaml": "resources: [quota.yaml, web.yaml]\ngenerators: [gen.yaml]\n",
            "live/quota.yaml": quota("team-a", hard="count/secrets: 8, pods: 8"),
            "live/web.yaml": web(namespace="team-a"),
            "live/gen.yaml": "apiVersion: viaduct.ai/v1\nkind: ksops\nmetadata: {name: x}\nfiles: [x.enc.yaml]\n",
            "live/x.enc.yaml": SECRET + "stringData: {a: 'ENC[x]'}\nsops: {version: 3.7.1}\n",
            "other/quota.yaml": quota("team-b", hard="count/secrets: 8, pods: 8"),
            "other/web.yaml": web(namespace="team-b"),
        },
        (
            "team-a/base count/secrets 0/8 at-least",
            TWO,
            "team-b/base count/secrets 0/8 at-least",
            "team-b/base pods 2/8 exact",
        ),
        ("live/kustomization.yaml:2:14 QL003 warning",),
    ),
    Case(
        "4: a generator that is written where it is used",
        {
            "live/kustomization.yaml": """\
                namespace: team-a
                resources: [quota.yaml, web.yaml]
                generators:
                - |
                  apiVersion: viaduct.ai/v1
                  kind: ksops
                  metadata: {name: x}
                  files: [x.enc.yaml]
                """,
            "live/quota.yaml": quota(hard="count/secrets: 8, pods: 8"),
            "live/web.yaml": web(),
        },
        ("team-a/base count/secrets 0/8 at-least", TWO),
        ("live/kustomization.yaml:4:3 QL003 warning",),
    ),
    Case(
        "4: a Secret is generated, though what it holds is not in git",
        {
            "live/kustomization.yaml": "namespace: team-a\nresources: [quota.yaml, web.yaml]\n"
            "secretGenerator: [{name: x, envs: [.env.secret]}]\n",
            "live/quota.yaml": quota(hard="count/secrets: 8, pods: 8"),
            "live/web.yaml": web(),
        },
        ("team-a/base count/secrets 1/8 assumed", TWO.replace("exact", "assumed")),
        ("live/kustomization.yaml:3:19 QL003 warning",),
    ),
    *(
        Case(
            f"4: the remote base {url} concerns the namespace",
            {
                "live/kustomization.yaml": f"namespace: team-a\nresources: [quota.yaml, '{url}']\n",
                "live/quota.yaml": quota(),
                **quota_and_web("other", "team-b"),
            },
            (NONE, "team-b/base pods 2/8 exact"),
            ("live/kustomization.yaml:2:25 QL003 warning",),
        )
        for url in (
            "github.com/example/shop//deploy?ref=v1",
            "git@github.com:example/shop.git//deploy?ref=v1",
            "https://raw.githubusercontent.com/example/shop/main/web.yaml",
            "git::https://example.com/shop.git//deploy",
            "ssh://git@example.com/shop.git",
        )
    ),
]

COPIES = [
    Case(
        "an export of a Deployment with its ReplicaSet and pods is counted once",
        {
            **quota_and_web(namespace="team-a"),
            "export.yaml": """\
                apiVersion: apps/v1
                kind: ReplicaSet
                metadata:
                  name: web-5d4f8
                  namespace: team-a
                  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: u, controller: true}]
                spec:
                  replicas: 2
                  selector: {matchLabels: {app: web}}
                  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: web}]}}
                ---
                apiVersion: v1
                kind: Pod
                metadata:
                  name: web-5d4f8-abcde
                  namespace: team-a
                  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-5d4f8, uid: u, controller: true}]
                spec: {containers: [{name: app, image: web}]}
                status: {phase: Running}
                """,
        },
        (TWO,),
    ),
    Case(
        "one base by two links, for two namespaces",
        {
            "base/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n",
            **quota_and_web("base"),
            "one": Link("base"),
            "two": Link("base"),
            "a/kustomization.yaml": "namespace: team-a\nresources: [../one]\n",
            "b/kustomization.yaml": "namespace: team-b\nresources: [../two]\n",
        },
        (TWO, "team-b/base pods 2/8 exact"),
    ),
    Case(
        "one folder by two links, applied by two Kustomizations of Flux",
        {
            **quota_and_web("apps", "team-a"),
            "one": Link("apps"),
            "two": Link("apps"),
            "flux/one.yaml": flux_kustomization("./one", name="one"),
            "flux/two.yaml": flux_kustomization("./two", name="two"),
        },
        (TWO,),
    ),
    Case(
        "a file that is a resource and a patch of one kustomization is one object",
        {
            "kustomization.yaml": "namespace: team-a\nresources: [quota.yaml, web.yaml]\npatches: [{path: web.yaml}]\n",
            **quota_and_web(),
        },
        (TWO,),
    ),
    Case(
        "a folder that lists an Application which an Application of Applications applies as well",
        {
            "apps/kustomization.yaml": "resources: [application.yaml, shop/argocd.yaml]\n",
            "apps/application.yaml": argo_application("apps", name="apps"),
            "apps/shop/kustomization.yaml": "resources: [argocd.yaml]\n",
            "apps/shop/argocd.yaml": argo_application("deploy", name="shop"),
            **quota_and_web("deploy", "team-a"),
        },
        (TWO,),
    ),
    Case(
        "a folder that lists an Application which a kustomization around it lists as well",
        {
            "apps/kustomization.yaml": "resources: [shop/argocd.yaml]\n",
            "apps/shop/kustomization.yaml": "resources: [argocd.yaml]\n",
            "apps/shop/argocd.yaml": argo_application("deploy", name="shop"),
            **quota_and_web("deploy", "team-a"),
        },
        (TWO,),
    ),
    Case(
        "what two overlays give, written into files of one folder",
        {
            "base/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n",
            **quota_and_web("base"),
            **{
                f"overlays/{at}/kustomization.yaml": f"namespace: shop-{at}\nresources: [../../base]\n" for at in STAGES
            },
            **{f"rendered/{at}.yaml": "---\n".join(quota_and_web("", f"shop-{at}").values()) for at in STAGES},
        },
        ("dev: shop-dev/base pods 2/8 exact", "prod: shop-prod/base pods 2/8 exact"),
    ),
    Case(
        "a generated file that holds more than overlays give is no copy of these",
        {
            **{
                f"overlays/{at}/kustomization.yaml": f"namespace: shop-{at}\nresources: [quota.yaml]\n" for at in STAGES
            },
            **{f"overlays/{at}/quota.yaml": quota() for at in STAGES},
            "rendered/dev.yaml": quota("shop-dev") + "---\n" + web(3, "shop-dev"),
            "rendered/prod.yaml": quota("shop-prod"),
        },
        (
            "dev: shop-dev/base pods 3/8 assumed",
            "dev: shop-prod/base pods ?/8 unknown",
            "prod: shop-dev/base pods 3/8 assumed",
            "prod: shop-prod/base pods ?/8 unknown",
        ),
    ),
    Case(
        "6: two clusters of Flux apply one folder, whose Kustomizations are named alike",
        {
            **quota_and_web("apps", "team-a"),
            **{
                f"clusters/{cluster}/apps.yaml": flux_kustomization(
                    "./apps",
                    "patches: [{patch: '{apiVersion: apps/v1, kind: Deployment, "
                    f"metadata: {{name: web, namespace: team-a}}, spec: {{replicas: {replicas}}}}}'}}]",
                )
                for cluster, replicas in (("dev", 1), ("prod", 6))
            },
        },
        ("dev: team-a/base pods 1/8 exact", "prod: team-a/base pods 6/8 exact"),
    ),
]


@pytest.mark.parametrize("case", params([*LEAVES, *COPIES]))
def test_what_a_user_is_told_of_leaves_and_copies(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
