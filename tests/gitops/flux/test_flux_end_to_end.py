"""Repositories that Flux applies, from files to findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import (
    Case,
    Files,
    Link,
    Outcome,
    applied,
    checked,
    expected,
    needed_helm,
    outcome,
    params,
    quota,
    quota_and_web,
    unknowns,
    web,
)

SOURCE = "sourceRef: {kind: GitRepository, name: flux-system}"
APPS = quota_and_web("apps")
TWO = "team-a/base pods 2/8 exact"
NONE = "team-a/base pods ?/8 unknown"
LIST = "resources: [quota.yaml, web.yaml]\n"


def flux(path: str = "./apps", more: str = "targetNamespace: team-a", name: str = "apps", source: str = SOURCE) -> str:
    """A Kustomization of Flux."""
    spec = ", ".join(filter(None, (f"path: {path}" if path else "", source, more)))
    return (
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
        f"metadata: {{name: {name}, namespace: flux-system}}\nspec: {{{spec}}}\n"
    )


def git(name: str = "flux-system", url: str = "ssh://git@example.com/team/fleet") -> str:
    return (
        "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n"
        f"metadata: {{name: {name}, namespace: flux-system}}\nspec: {{url: {url}}}\n"
    )


def settings(text: str, kind: str = "ConfigMap", namespace: str = "flux-system") -> str:
    """A ConfigMap or Secret with variables."""
    field = "data" if kind == "ConfigMap" else "stringData"
    return f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: settings, namespace: {namespace}}}\n{field}: {{{text}}}\n"


def build(text: str) -> str:
    """A Kustomization that substitutes variables."""
    return flux(more=f"targetNamespace: team-a, postBuild: {{{text}}}")


VARIABLES = {"apps/quota.yaml": quota(hard='pods: "${PODS:=8}"'), "apps/web.yaml": web(replicas="${REPLICAS:=2}")}

KUSTOMIZATIONS = [
    Case("a folder without a kustomization", {**APPS, "clusters/apps.yaml": flux()}, (TWO,)),
    Case(
        "a folder without a kustomization, down to its last file",
        {
            "apps/a/b/c/quota.yml": quota(),
            "apps/a/web.yaml": web(),
            "apps/notes.txt": "web",
            "apps/a/more.json": '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "not-read-by-flux"}}',
            "clusters/apps.yaml": flux(),
        },
        (TWO,),
    ),
    Case(
        "a folder without a kustomization that holds one further down",
        {
            "apps/quota.yaml": quota(),
            "apps/web/kustomization.yaml": "resources: [web.yaml]\nreplicas: [{name: web, count: 5}]\n",
            "apps/web/web.yaml": web(),
            "apps/web/left-over.yaml": web(name="left-over"),
            "clusters/apps.yaml": flux(),
        },
        ("team-a/base pods 5/8 exact",),
    ),
    Case(
        "a folder with a kustomization",
        {**APPS, "apps/kustomization.yaml": LIST, "apps/left-over.yaml": web(name="left-over"), "flux.yaml": flux()},
        (TWO,),
    ),
    Case(
        "no path means the root of the repository",
        {"web.yaml": web(), "quota.yaml": quota(), "flux.yaml": flux("")},
        (TWO,),
    ),
    Case(
        "targetNamespace wins over what is written",
        {"apps/quota.yaml": quota("somewhere"), "apps/web.yaml": web(namespace="elsewhere"), "flux.yaml": flux()},
        (TWO,),
    ),
    Case(
        "without targetNamespace what is written counts",
        {**quota_and_web("apps", "team-a"), "flux.yaml": flux(more="")},
        (TWO,),
    ),
    Case(
        "without targetNamespace nothing names one, so it is default",
        {**APPS, "flux.yaml": flux(more="")},
        ("default/base pods 2/8 exact",),
    ),
    Case(
        "patches of a folder without a kustomization",
        {
            **APPS,
            "flux.yaml": flux(
                more="targetNamespace: team-a, patches: [{target: {kind: Deployment}, "
                "patch: '- {op: replace, path: /spec/replicas, value: 6}'}]"
            ),
        },
        ("team-a/base pods 6/8 exact",),
    ),
    Case(
        "patches come after those of the kustomization",
        {
            **APPS,
            "apps/kustomization.yaml": LIST + "replicas: [{name: web, count: 3}]\n"
            "patches: [{target: {kind: ResourceQuota}, patch: '- {op: replace, path: /spec/hard/pods, value: 9}'}]\n",
            "flux.yaml": flux(
                more="targetNamespace: team-a, patches: [{patch: '{apiVersion: v1, kind: ResourceQuota, "
                "metadata: {name: base}, spec: {hard: {pods: 7}}}'}]"
            ),
        },
        ("team-a/base pods 3/7 exact",),
    ),
    Case(
        "patches that delete a workload",
        {
            **APPS,
            "apps/shop.yaml": web(name="shop"),
            "flux.yaml": flux(
                more="targetNamespace: team-a, patches: [{target: {name: shop}, "
                "patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: shop}, $patch: delete}'}]"
            ),
        },
        (TWO,),
    ),
    Case(
        "images change nothing that counts",
        {**APPS, "flux.yaml": flux(more="targetNamespace: team-a, images: [{name: web, newTag: v2}]")},
        (TWO,),
    ),
    Case(
        "components are named from the path",
        {
            "apps/web.yaml": web(),
            "sizes/small/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
            "resources: [quota.yaml]\n",
            "sizes/small/quota.yaml": quota(),
            "flux.yaml": flux(more="targetNamespace: team-a, components: [../sizes/small]"),
        },
        (TWO,),
    ),
    Case(
        "components that are missing may be passed over",
        {
            **APPS,
            "flux.yaml": flux(more="targetNamespace: team-a, components: [../gone], ignoreMissingComponents: true"),
        },
        (TWO,),
    ),
    Case(
        "a prefix and a suffix",
        {
            **APPS,
            "one.yaml": flux(name="one", more="targetNamespace: team-a, namePrefix: one-"),
            "two.yaml": flux(name="two", more="targetNamespace: team-a, nameSuffix: -two"),
        },
        ("team-a/base-two pods 4/8 exact", "team-a/one-base pods 4/8 exact"),
    ),
    Case(
        "one folder for two namespaces",
        {**APPS, "a.yaml": flux(name="a"), "b.yaml": flux(name="b", more="targetNamespace: team-b")},
        (TWO, "team-b/base pods 2/8 exact"),
    ),
    Case(
        "one folder twice for one namespace is one of each",
        {**APPS, "a.yaml": flux(name="a"), "b.yaml": flux(name="b")},
        (TWO,),
    ),
    Case(
        "dependsOn changes nothing that counts",
        {**APPS, "flux.yaml": flux(more="targetNamespace: team-a, dependsOn: [{name: gone}]")},
        (TWO,),
    ),
    Case(
        "what is suspended counts, and may be older in the cluster",
        {**APPS, "flux.yaml": flux(more="targetNamespace: team-a, suspend: true")},
        ("team-a/base pods 2/8 assumed",),
    ),
    Case(
        "a path that is a link",
        {**APPS, "current": Link("apps"), "flux.yaml": flux("./current")},
        (TWO,),
    ),
    Case(
        "files from beside the kustomization are no finding",
        {"common/quota.yaml": quota(), "apps/web.yaml": web(), "flux.yaml": flux()}
        | {"apps/kustomization.yaml": "resources: [../common/quota.yaml, web.yaml]\n"},
        (TWO,),
    ),
    Case(
        "an empty kustomization is fine with Flux",
        {"apps/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"}
        | {**quota_and_web(namespace="team-a"), "flux.yaml": flux()},
        (TWO,),
    ),
    Case(
        "a folder that is not there concerns the targetNamespace",
        {"quota.yaml": quota("team-a"), "b.yaml": quota("team-b"), "web.yaml": web(namespace="team-b")}
        | {"flux.yaml": flux("./gone")},
        (NONE, "team-b/base pods 2/8 exact"),
        ("flux.yaml:1:1 QL003 warning",),
    ),
    Case(
        "a folder that is not there, without targetNamespace, may concern any",
        {**quota_and_web(namespace="team-a"), "flux.yaml": flux("./gone", "")},
        ("team-a/base pods 2/8 at-least",),
        ("flux.yaml:1:1 QL003 warning",),
    ),
    Case(
        "a folder outside of the repository is not read",
        {"quota.yaml": quota("team-a"), "flux.yaml": flux("../../../etc"), ".git/HEAD": "ref: refs/heads/main\n"},
        (NONE,),
        ("flux.yaml:1:1 QL003 warning",),
    ),
    Case(
        "an OCIRepository is not in view",
        {
            "quota.yaml": quota("team-a"),
            "flux.yaml": flux(source="sourceRef: {kind: OCIRepository, name: manifests}"),
            **APPS,
        },
        ("default/base pods 2/8 exact", NONE),
        ("flux.yaml:1:1 QL003 warning",),
    ),
    Case(
        "another repository is not in view",
        {
            ".git/config": '[remote "origin"]\n\turl = git@example.com:team/fleet.git\n',
            "quota.yaml": quota("team-a"),
            "source.yaml": git("shop", "https://example.com/team/shop"),
            "flux.yaml": flux(source="sourceRef: {kind: GitRepository, name: shop}"),
        },
        (NONE,),
        ("flux.yaml:1:1 QL003 warning",),
    ),
    Case(
        "this repository by its address",
        {
            **APPS,
            ".git/config": '[remote "origin"]\n\turl = git@example.com:team/fleet.git\n',
            "source.yaml": git(url="https://example.com/team/fleet"),
            "flux.yaml": flux(),
        },
        (TWO,),
    ),
    Case(
        "a Kustomization that applies the folder it stands in",
        {**quota_and_web(namespace="team-a"), "flux.yaml": flux("./", more="")},
        (TWO,),
    ),
    Case(
        "Kustomizations that apply each other's folders",
        {
            "a/flux.yaml": flux("./b", more="", name="b"),
            "b/flux.yaml": flux("./a", more="", name="a"),
            "a/quota.yaml": quota("team-a"),
            "b/web.yaml": web(namespace="team-a"),
        },
        (TWO,),
    ),
    Case(
        "Kustomizations of Kustomizations",
        {
            **APPS,
            "top.yaml": flux("./one", more="", name="one"),
            "one/two.yaml": flux("./two", more="", name="two"),
            "two/apps.yaml": flux(),
        },
        (TWO,),
    ),
]

SUBSTITUTED = [
    Case(
        "variables have their values",
        {**VARIABLES, "flux.yaml": build("substitute: {PODS: '9', REPLICAS: '4'}")},
        ("team-a/base pods 4/9 exact",),
    ),
    Case(
        "variables have their defaults",
        {**VARIABLES, "flux.yaml": build("substitute: {OTHER: x}")},
        (TWO,),
    ),
    Case(
        "the other ways to give a default",
        {
            "apps/quota.yaml": quota(hard='pods: "${PODS:-9}", services: "${SERVICES=3}"'),
            "apps/web.yaml": web(replicas="${#WORD}"),
            "flux.yaml": build("substitute: {WORD: four}"),
        },
        ("team-a/base pods 4/9 exact", "team-a/base services 0/3 exact"),
    ),
    Case(
        "without any variable Flux leaves defaults alone",
        {**VARIABLES, "apps/web.yaml": web(), "flux.yaml": build("substitute: {}")},
        ("team-a/base pods ?/? unknown",),
    ),
    Case(
        "without postBuild Flux leaves variables alone",
        {**VARIABLES, "apps/web.yaml": web(), "flux.yaml": flux()},
        ("team-a/base pods ?/? unknown",),
        ("apps/quota.yaml:4:15 QL007 warning",),
    ),
    Case(
        "a variable that is not given is nothing, which Kubernetes takes for one replica",
        {**APPS, "apps/web.yaml": web(replicas="${REPLICAS}"), "flux.yaml": build("substitute: {OTHER: x}")},
        ("team-a/base pods 1/8 exact",),
    ),
    Case(
        "a ConfigMap of the repository",
        {
            **VARIABLES,
            "flux.yaml": build("substituteFrom: [{kind: ConfigMap, name: settings}]"),
            "settings.yaml": settings("PODS: '9', REPLICAS: '4'"),
        },
        ("team-a/base pods 4/9 exact",),
    ),
    Case(
        "line breaks in a ConfigMap are taken out",
        {
            "apps/quota.yaml": quota(hard='pods: "${PODS}"'),
            "apps/web.yaml": web(),
            "flux.yaml": build("substituteFrom: [{kind: ConfigMap, name: settings}]"),
            "settings.yaml": settings('PODS: "9\\n"'),
        },
        ("team-a/base pods 2/9 exact",),
    ),
    Case(
        "a Secret of the repository",
        {
            **VARIABLES,
            "flux.yaml": build("substituteFrom: [{kind: Secret, name: settings}]"),
            "settings.yaml": settings("PODS: '9', REPLICAS: '4'", "Secret"),
        },
        ("team-a/base pods 4/9 exact",),
    ),
    Case(
        "of several sources the last wins, and substitute over all",
        {
            **VARIABLES,
            "flux.yaml": build(
                "substitute: {PODS: '9'}, substituteFrom: [{kind: ConfigMap, name: settings}, "
                "{kind: Secret, name: settings}]"
            ),
            "one.yaml": settings("PODS: '10', REPLICAS: '3'"),
            "two.yaml": settings("PODS: '11', REPLICAS: '4'", "Secret"),
        },
        ("team-a/base pods 4/9 exact",),
    ),
    Case(
        "a ConfigMap that another Kustomization generates",
        {
            **VARIABLES,
            "flux.yaml": build("substituteFrom: [{kind: ConfigMap, name: settings}]"),
            "clusters/kustomization.yaml": """\
                namespace: flux-system
                configMapGenerator: [{name: settings, literals: [PODS=9, REPLICAS=4]}]
                generatorOptions: {disableNameSuffixHash: true}
                """,
        },
        ("team-a/base pods 4/9 exact",),
    ),
    Case(
        "a Secret that is not in view hides what its variables are",
        {
            "apps/quota.yaml": quota(hard='pods: "${PODS}", services: 3'),
            "apps/web.yaml": web(),
            "flux.yaml": build("substituteFrom: [{kind: Secret, name: settings}]"),
        },
        ("team-a/base pods ?/? unknown", "team-a/base services 0/3 exact"),
        ("flux.yaml:4:112 QL003 warning",),
    ),
    Case(
        "a Secret that is not in view may give another number than the default",
        {
            "apps/quota.yaml": quota(),
            "apps/web.yaml": web("${SIZE:=5}"),
            "flux.yaml": build("substituteFrom: [{kind: Secret, name: settings}]"),
        },
        ("team-a/base pods ?/8 unknown",),
        ("flux.yaml:4:112 QL003 warning",),
    ),
    Case(
        "what is written in the Kustomization itself wins over a Secret",
        {
            "apps/quota.yaml": quota(),
            "apps/web.yaml": web("${SIZE}"),
            "flux.yaml": build("substituteFrom: [{kind: Secret, name: settings}], substitute: {SIZE: '5'}"),
        },
        ("team-a/base pods 5/8 exact",),
    ),
    Case(
        "what several Secrets that are not in view decide is said once",
        {
            "apps/quota.yaml": quota(),
            "apps/web.yaml": web("${SIZE:=5}"),
            "flux.yaml": build("substituteFrom: [{kind: Secret, name: settings}, {kind: Secret, name: sizes}]"),
            "more.yaml": flux(
                "./more", "targetNamespace: team-b, postBuild: {substituteFrom: [{kind: Secret, name: sizes}]}", "more"
            ),
            "more/web.yaml": web("${SIZE:=5}"),
        },
        ("team-a/base pods ?/8 unknown",),
        ("flux.yaml:4:112 QL003 warning",),
    ),
    Case(
        "a Secret that is not in view gives a host and no number",
        {
            "apps/quota.yaml": quota(),
            "apps/web.yaml": web(5)
            + "---\napiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: web}\n"
            + "spec: {rules: [{host: '${HOST}'}]}\n",
            "flux.yaml": build("substituteFrom: [{kind: Secret, name: settings}]"),
        },
        ("team-a/base pods 5/8 exact",),
    ),
    Case(
        "half a Kustomization is a patch that applies nothing, least of all the repository",
        {
            **APPS,
            "clusters/apps.yaml": flux(),
            "local/patches/apps.yaml": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
            "metadata: {name: apps}\nspec: {patches: [{target: {kind: Ingress}, patch: 'kind: Ingress'}]}\n",
        },
        (TWO,),
    ),
    Case(
        "half a HelmRelease is a patch as well",
        {
            **APPS,
            "clusters/apps.yaml": flux(),
            "local/patches/release.yaml": "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
            "metadata: {name: web, namespace: team-a}\nspec: {values: {replicas: 9}}\n",
        },
        (TWO,),
    ),
    Case(
        "a Secret that is not in view decides an image and no number",
        {
            "apps/quota.yaml": quota(),
            "apps/web.yaml": web(5).replace("image: web", "image: 'web:${TAG:=v1}'"),
            "flux.yaml": build("substituteFrom: [{kind: Secret, name: settings}]"),
        },
        ("team-a/base pods 5/8 exact",),
    ),
    Case(
        "an optional Secret that is not in view may be there as well",
        {
            "apps/quota.yaml": quota(hard='pods: "${PODS}"'),
            "apps/web.yaml": web(),
            "flux.yaml": build("substituteFrom: [{kind: Secret, name: settings, optional: true}]"),
        },
        ("team-a/base pods ?/? unknown",),
        ("flux.yaml:4:112 QL003 warning",),
    ),
    Case(
        "a Secret encrypted with SOPS",
        {
            "apps/quota.yaml": quota(hard='pods: "${PODS}"'),
            "apps/web.yaml": web(),
            "flux.yaml": build("substituteFrom: [{kind: Secret, name: settings}]"),
            "settings.yaml": settings("PODS: 'ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]'", "Secret")
            + "sops: {version: 3.7.1}\n",
        },
        ("team-a/base pods ?/? unknown",),
        ("flux.yaml:4:112 QL003 warning",),
    ),
    Case(
        "what substitute gives is known, whatever else is not in view",
        {
            **VARIABLES,
            "flux.yaml": build(
                "substitute: {PODS: '9', REPLICAS: '4'}, substituteFrom: [{kind: Secret, name: settings}]"
            ),
        },
        ("team-a/base pods 4/9 exact",),
    ),
    Case(
        "variables that nobody gives while a Secret is not in view are unknown and not invalid",
        {
            "apps/quota.yaml": quota(),
            "apps/web.yaml": web(replicas="${REPLICAS}"),
            "flux.yaml": build("substituteFrom: [{kind: Secret, name: settings}]"),
        },
        ("team-a/base pods 0/8 at-least",),
        ("flux.yaml:4:112 QL003 warning",),
    ),
    Case(
        "an object may refuse to be substituted",
        {
            "apps/quota.yaml": quota(hard='pods: "${PODS}"').replace(
                "{name: base}", "{name: base, annotations: {kustomize.toolkit.fluxcd.io/substitute: disabled}}"
            ),
            "apps/web.yaml": web(replicas="${REPLICAS}"),
            "flux.yaml": build("substitute: {PODS: '9', REPLICAS: '4'}"),
        },
        ("team-a/base pods ?/? unknown",),
    ),
    Case(
        "variables in a base, with other values for each of two",
        {
            "apps/quota.yaml": quota(hard='pods: "${PODS}"'),
            "apps/web.yaml": web(replicas="${REPLICAS}").replace("{name: web}", '{name: "${NAME}"}'),
            "a.yaml": flux(
                name="a", more="targetNamespace: team-a, postBuild: {substitute: {NAME: a, PODS: '8', REPLICAS: '2'}}"
            ),
            "b.yaml": flux(
                name="b", more="targetNamespace: team-b, postBuild: {substitute: {NAME: b, PODS: '9', REPLICAS: '3'}}"
            ),
        },
        (TWO, "team-b/base pods 3/9 exact"),
    ),
    Case(
        "the namespace itself is a variable",
        {
            "apps/quota.yaml": quota("'${TEAM}'"),
            "apps/web.yaml": web(namespace="'${TEAM}'"),
            "flux.yaml": flux(more="postBuild: {substitute: {TEAM: team-a}}"),
        },
        (TWO,),
    ),
    Case(
        "variables in a Kustomization that another one applies",
        {
            **APPS,
            "cluster/apps.yaml": flux("'./${FOLDER}'", more="targetNamespace: '${TEAM}'"),
            "flux.yaml": flux("./cluster", name="top", more="postBuild: {substitute: {FOLDER: apps, TEAM: team-a}}"),
        },
        (TWO,),
    ),
]


def cluster(name: str) -> dict[str, str]:
    """What `flux bootstrap` writes into the folder of a cluster."""
    return {
        f"clusters/{name}/flux-system/kustomization.yaml": "resources: [gotk-components.yaml, gotk-sync.yaml]\n",
        f"clusters/{name}/flux-system/gotk-components.yaml": "apiVersion: v1\nkind: Namespace\n"
        "metadata: {name: flux-system}\n---\n"
        + quota("flux-system", "critical-pods-flux-system", "pods: 1000")
        + "---\n"
        + web(1, "flux-system", "source-controller"),
        f"clusters/{name}/flux-system/gotk-sync.yaml": git()
        + "---\n"
        + flux(f"./clusters/{name}", more="", name="flux-system"),
    }


FLUX_SYSTEM = "flux-system/critical-pods-flux-system pods 1/1k exact"


CLUSTERS = [
    Case(
        "a cluster that applies its own folder",
        {**cluster("prod"), **APPS, "clusters/prod/apps.yaml": flux()},
        (FLUX_SYSTEM, TWO),
    ),
    Case(
        "a cluster that applies its own folder, with variables",
        {
            "clusters/prod/flux.yaml": flux(
                "./clusters/prod", name="top", more="postBuild: {substitute: {PODS: '8', REPLICAS: '2'}}"
            ),
            "clusters/prod/quota.yaml": quota("team-a", hard='pods: "${PODS}"'),
            "clusters/prod/web.yaml": web("${REPLICAS}", namespace="team-a"),
        },
        (TWO,),
    ),
    Case(
        "two folders of clusters are two environments",
        {
            **cluster("prod"),
            **cluster("staging"),
            **{
                f"clusters/{name}/apps.yaml": flux(f"./apps/{name}", more="dependsOn: [{name: infrastructure}]")
                + "---\n"
                + flux("./infrastructure", more="", name="infrastructure")
                for name in ("prod", "staging")
            },
            "infrastructure/quota.yaml": quota("team-a"),
            "apps/base/kustomization.yaml": "namespace: team-a\nresources: [web.yaml]\n",
            "apps/base/web.yaml": web(),
            "apps/prod/kustomization.yaml": "resources: [../base]\nreplicas: [{name: web, count: 6}]\n",
            "apps/staging/kustomization.yaml": "resources: [../base]\n",
        },
        (
            f"prod: {FLUX_SYSTEM}",
            "prod: team-a/base pods 6/8 exact",
            f"staging: {FLUX_SYSTEM}",
            "staging: team-a/base pods 2/8 exact",
        ),
    ),
    Case(
        "two clusters of which one has more",
        {
            **cluster("prod"),
            **cluster("staging"),
            "clusters/prod/apps.yaml": flux(),
            "clusters/prod/shop.yaml": flux("./shop", name="shop"),
            "clusters/staging/apps.yaml": flux(),
            **APPS,
            "shop/shop.yaml": web(3, name="shop"),
        },
        (
            f"prod: {FLUX_SYSTEM}",
            "prod: team-a/base pods 5/8 exact",
            f"staging: {FLUX_SYSTEM}",
            "staging: team-a/base pods 2/8 exact",
        ),
    ),
    Case(
        "two clusters with one ConfigMap of variables each",
        {
            **VARIABLES,
            **{
                f"clusters/{name}/apps.yaml": build("substituteFrom: [{kind: ConfigMap, name: settings}]")
                for name in ("prod", "staging")
            },
            "clusters/prod/settings.yaml": settings("REPLICAS: '7'"),
            "clusters/staging/settings.yaml": settings("REPLICAS: '3'"),
        },
        ("prod: team-a/base pods 7/8 exact", "staging: team-a/base pods 3/8 exact"),
    ),
    Case(
        "a cluster whose folder has a kustomization",
        {
            **cluster("prod"),
            **APPS,
            "clusters/prod/kustomization.yaml": "resources: [flux-system, apps.yaml]\n",
            "clusters/prod/apps.yaml": flux(),
        },
        (FLUX_SYSTEM, TWO),
    ),
    Case(
        "one kustomization applied by two Kustomizations",
        {
            "apps/kustomization.yaml": "namespace: team-a\n" + LIST,
            **APPS,
            "a.yaml": flux(name="a", more=""),
            "b.yaml": flux(name="b", more=""),
        },
        (TWO,),
    ),
    Case(
        "another cluster by its kubeconfig",
        {
            **APPS,
            "here.yaml": flux(name="here"),
            "there.yaml": flux(
                name="there",
                more="targetNamespace: team-a, kubeConfig: {secretRef: {name: east}}, patches: [{target: "
                "{kind: Deployment}, patch: '- {op: replace, path: /spec/replicas, value: 6}'}]",
            ),
        },
        ("east: team-a/base pods 6/8 exact", "in-cluster: team-a/base pods 2/8 exact"),
    ),
]


def release(
    name: str = "shop",
    chart: str = "chart: {spec: {chart: shop, sourceRef: {kind: HelmRepository, name: charts}}}",
    more: str = "",
    namespace: str = "team-a",
) -> str:
    """A HelmRelease."""
    spec = ", ".join(filter(None, (chart, more)))
    return (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
        f"metadata: {{name: {name}, namespace: {namespace}}}\nspec: {{{spec}}}\n"
    )


BOTH = {"a.yaml": quota("team-a"), "b.yaml": quota("team-b"), "web.yaml": web(namespace="team-b")}
B = "team-b/base pods 2/8 exact"

RELEASES = [
    Case(
        "a chart of a HelmRepository",
        {**BOTH, "release.yaml": release()},
        (NONE, B),
        ("release.yaml:1:1 QL003 warning",),
    ),
    Case(
        "a chart of an OCIRepository",
        {**BOTH, "release.yaml": release(chart="chartRef: {kind: OCIRepository, name: shop}")},
        (NONE, B),
        ("release.yaml:1:1 QL003 warning",),
    ),
    Case(
        "a chart of a Bucket",
        {**BOTH, "release.yaml": release(chart="chart: {spec: {chart: shop, sourceRef: {kind: Bucket, name: x}}}")},
        (NONE, B),
        ("release.yaml:1:1 QL003 warning",),
    ),
    Case(
        "the namespace is that of targetNamespace",
        {**BOTH, "release.yaml": release(more="targetNamespace: team-b")},
        (NONE, "team-b/base pods 2/8 at-least"),
        ("release.yaml:1:1 QL003 warning",),
    ),
    Case(
        "the namespace is that of the Kustomization that applies it",
        {**BOTH, "apps/release.yaml": release(namespace="somewhere"), "flux.yaml": flux()},
        (NONE, B),
        ("apps/release.yaml:1:1 QL003 warning",),
    ),
    Case(
        "where no namespace of a quota is concerned it is for information",
        {**BOTH, "release.yaml": release(namespace="team-c")},
        (NONE, B),
        ("release.yaml:1:1 QL003 info",),
    ),
    Case(
        "a chart of another GitRepository",
        {
            ".git/config": '[remote "origin"]\n\turl = git@example.com:team/fleet.git\n',
            **BOTH,
            "source.yaml": git("charts", "https://example.com/team/charts"),
            "release.yaml": release(
                chart="chart: {spec: {chart: ./shop, sourceRef: {kind: GitRepository, name: charts, "
                "namespace: flux-system}}}"
            ),
        },
        (NONE, B),
        ("release.yaml:1:1 QL003 warning",),
    ),
    Case(
        "an overlay that patches a release into another namespace",
        {
            **BOTH,
            "apps/base/kustomization.yaml": "resources: [release.yaml]\n",
            "apps/base/release.yaml": release(),
            "apps/live/kustomization.yaml": "resources: [../base]\npatches: [{path: release.yaml}]\n",
            "apps/live/release.yaml": "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
            "metadata: {name: shop, namespace: team-a}\nspec: {targetNamespace: team-b, values: {replicas: 3}}\n",
            "flux.yaml": flux("./apps/live", more=""),
        },
        (NONE, "team-b/base pods 2/8 at-least"),
        ("apps/base/release.yaml:1:1 QL003 warning",),
    ),
    Case(
        "without the program helm the namespace is unknown",
        {
            **BOTH,
            ".quotalint.yaml": "renderers: {helm: program}\n",
            "charts/shop/Chart.yaml": "{apiVersion: v2, name: shop, version: 1.0.0}\n",
            "charts/shop/templates/web.yaml": web(),
            "release.yaml": release(
                chart="chart: {spec: {chart: ./charts/shop, sourceRef: {kind: GitRepository, name: flux-system}}}"
            ),
        },
        (NONE, B),
        ("release.yaml:4:8 QL003 warning",),
    ),
    Case(
        "a chart that is not there",
        {
            **BOTH,
            "release.yaml": release(
                chart="chart: {spec: {chart: ./charts/gone, sourceRef: {kind: GitRepository, name: flux-system}}}"
            ),
        },
        (NONE, B),
        ("release.yaml:4:8 QL003 warning",),
    ),
]

CHART: Files = {
    "charts/shop/Chart.yaml": "{apiVersion: v2, name: shop, version: 1.0.0}\n",
    "charts/shop/values.yaml": "replicas: 2\n",
    "charts/shop/more.yaml": "replicas: 5\n",
    "charts/shop/templates/web.yaml": web("{{ .Values.replicas }}", name="{{ .Release.Name }}").encode(),
    "charts/shop/templates/tests/test.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: test, annotations: "
    "{helm.sh/hook: test}}\nspec: {containers: [{name: app, image: web}]}\n",
    "quota.yaml": quota("team-a"),
}
HERE = "chart: {spec: {chart: ./charts/shop, sourceRef: {kind: GitRepository, name: flux-system}}}"

RENDERED = [
    Case("a chart of this repository", {**CHART, "release.yaml": release(chart=HERE)}, (TWO,)),
    Case(
        "its values",
        {**CHART, "release.yaml": release(chart=HERE, more="values: {replicas: 4}")},
        ("team-a/base pods 4/8 exact",),
    ),
    Case(
        "its values files, named from the root of the repository",
        {
            **CHART,
            "release.yaml": release(
                chart=HERE.replace(
                    "./charts/shop,", "./charts/shop, valuesFiles: [charts/shop/values.yaml, charts/shop/more.yaml],"
                )
            ),
        },
        ("team-a/base pods 5/8 exact",),
    ),
    Case(
        "values of a ConfigMap of the repository, and its own over them",
        {
            **CHART,
            "values.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: values, namespace: team-a}\n"
            "data: {values.yaml: 'replicas: 3', own.yaml: 'replicas: 6'}\n",
            "one.yaml": release(
                "one", chart=HERE, more="valuesFrom: [{kind: ConfigMap, name: values, valuesKey: own.yaml}]"
            ),
            "two.yaml": release(
                "two", chart=HERE, more="valuesFrom: [{kind: ConfigMap, name: values}], values: {replicas: 1}"
            ),
        },
        ("team-a/base pods 7/8 exact",),
    ),
    Case(
        "values of a ConfigMap that is not in view make it unknown",
        {**CHART, "release.yaml": release(chart=HERE, more="valuesFrom: [{kind: ConfigMap, name: gone}]")},
        (NONE,),
        ("release.yaml:1:1 QL003 warning",),
    ),
    Case(
        "values of a Secret may be numbers as well",
        {**CHART, "release.yaml": release(chart=HERE, more="valuesFrom: [{kind: Secret, name: gone}]")},
        ("team-a/base pods ?/8 unknown",),
        ("release.yaml:4:100 QL003 warning",),
    ),
    Case(
        "targetNamespace is where it goes, and part of its name",
        {
            **CHART,
            "release.yaml": release(chart=HERE, more="targetNamespace: team-a", namespace="flux-system"),
        },
        (TWO,),
    ),
    Case(
        "two releases of one chart",
        {**CHART, "one.yaml": release("one", chart=HERE), "two.yaml": release("two", chart=HERE)},
        ("team-a/base pods 4/8 exact",),
    ),
    Case(
        "an overlay patches the values, for two clusters",
        {
            **CHART,
            "apps/base/kustomization.yaml": "resources: [release.yaml]\n",
            "apps/base/release.yaml": release(chart=HERE),
            **{
                f"apps/{stage}/{name}": text
                for stage, replicas in (("dev", 1), ("prod", 7))
                for name, text in (
                    ("kustomization.yaml", "resources: [../base]\npatches: [{path: release.yaml}]\n"),
                    ("release.yaml", release(chart="", more=f"values: {{replicas: {replicas}}}")),
                )
            },
        },
        ("dev: team-a/base pods 1/8 assumed", "prod: team-a/base pods 7/8 assumed"),
    ),
    Case(
        "postRenderers change what the chart gives",
        {
            **CHART,
            "release.yaml": release(
                chart=HERE,
                more="postRenderers: [{kustomize: {patches: [{target: {kind: Deployment}, "
                "patch: '- {op: replace, path: /spec/replicas, value: 6}'}]}}]",
            ),
        },
        ("team-a/base pods 6/8 exact",),
    ),
    Case(
        "a chart that is broken",
        {**CHART, "charts/shop/templates/more.yaml": '{{ fail "no" }}\n', "release.yaml": release(chart=HERE)},
        (NONE,),
        ("release.yaml:4:8 QL003 warning",),
    ),
    Case(
        "a quota in a chart",
        {
            **{name: text for name, text in CHART.items() if name != "quota.yaml"},
            "charts/shop/templates/quota.yaml": quota(hard='pods: "{{ .Values.pods }}"'),
            "release.yaml": release(chart=HERE, more="values: {pods: 1}"),
        },
        ("team-a/base pods 2/1 exact",),
        ("release.yaml:4:109 QL301 error",),
    ),
]


@pytest.mark.parametrize("case", params([*KUSTOMIZATIONS, *SUBSTITUTED, *CLUSTERS, *RELEASES]))
def test_what_a_user_of_flux_is_told(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)


@pytest.mark.parametrize("case", params(RENDERED))
def test_what_a_user_of_flux_and_helm_is_told(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch, needed_helm()) == expected(case)


def test_a_cluster_has_each_object_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**cluster("prod"), **APPS, "clusters/prod/apps.yaml": flux()}
    assert applied(checked(tmp_path, files, monkeypatch)) == {
        "": [
            "Deployment flux-system/source-controller",
            "Deployment team-a/web",
            "GitRepository flux-system/flux-system",
            "Kustomization flux-system/apps",
            "Kustomization flux-system/flux-system",
            "Namespace /flux-system",
            "ResourceQuota flux-system/critical-pods-flux-system",
            "ResourceQuota team-a/base",
        ]
    }


@pytest.mark.parametrize(
    ("within", "path"),
    [
        pytest.param(".", ".", id="the repository"),
        pytest.param(".", "clusters/prod", id="a folder"),
        pytest.param("clusters/prod", "../..", id="from within"),
        pytest.param("clusters/prod", ".", id="from within the folder"),
    ],
)
def test_one_cluster_may_be_looked_at_alone(
    within: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        ".git/HEAD": "ref: refs/heads/main\n",
        **APPS,
        "clusters/prod/apps.yaml": flux(),
        "clusters/prod/top.yaml": flux("./clusters/prod", more="", name="top"),
    }
    assert outcome(tmp_path, files, monkeypatch, within=within, path=path) == Outcome([TWO], [])


def test_what_is_not_in_view_is_said_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**BOTH, "release.yaml": release()}
    assert unknowns(checked(tmp_path, files, monkeypatch)) == {
        "team-a/base pods": (
            "release.yaml: HelmRelease shop is not rendered: the chart shop of HelmRepository charts is remote",
        )
    }


def test_a_patch_of_flux_is_where_its_value_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        **APPS,
        "clusters/apps.yaml": flux(
            more="targetNamespace: team-a, patches: [{target: {kind: ResourceQuota}, "
            "patch: '- {op: replace, path: /spec/hard/pods, value: 1}'}]"
        ),
    }
    # The quota's entry is what the patch says, and no longer what the file says.
    assert outcome(tmp_path, files, monkeypatch) == Outcome(
        ["team-a/base pods 2/1 exact"], ["clusters/apps.yaml:4:142 QL301 error"]
    )
