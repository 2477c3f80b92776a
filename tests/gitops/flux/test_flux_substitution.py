"""Variables that Flux puts into what it applies, from files to findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from flux_repositories import APPS, VARIABLES, build, flux, settings
from gitops_outcome import TWO, Case, expected, outcome, params
from manifests import quota, web
from workspace import Workspace

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
        "a Secret encrypted with SOPS gives what it names and nothing else",
        {
            **VARIABLES,
            "flux.yaml": build("substituteFrom: [{kind: ConfigMap, name: settings}, {kind: Secret, name: settings}]"),
            "settings.yaml": settings("PODS: '9', REPLICAS: '4'"),
            "secrets.yaml": settings("TOKEN: 'ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]'", "Secret")
            + "sops: {version: 3.7.1}\n",
        },
        ("team-a/base pods 4/9 exact",),
    ),
    Case(
        "a Secret encrypted with SOPS may give another value to what it names",
        {
            **VARIABLES,
            "flux.yaml": build("substituteFrom: [{kind: ConfigMap, name: settings}, {kind: Secret, name: settings}]"),
            "settings.yaml": settings("PODS: '9', REPLICAS: '4'"),
            "secrets.yaml": settings("REPLICAS: 'ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]'", "Secret")
            + "sops: {version: 3.7.1}\n",
        },
        ("team-a/base pods ?/9 unknown",),
        ("flux.yaml:4:112 QL003 warning",),
    ),
    Case(
        "what comes after a Secret encrypted with SOPS wins",
        {
            **VARIABLES,
            "flux.yaml": build("substituteFrom: [{kind: Secret, name: settings}, {kind: ConfigMap, name: settings}]"),
            "settings.yaml": settings("PODS: '9', REPLICAS: '4'"),
            "secrets.yaml": settings("REPLICAS: 'ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]'", "Secret")
            + "sops: {version: 3.7.1}\n",
        },
        ("team-a/base pods 4/9 exact",),
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


@pytest.mark.parametrize("case", params(SUBSTITUTED))
def test_what_is_told_of_variables(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)


def test_variables_of_texts_alone_are_not_named(workspace: Workspace) -> None:
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: texts}\ndata: {host: 'a.${DOMAIN}'}\n"
    workspace.put({**APPS, "apps/texts.yaml": text, "flux.yaml": build("substituteFrom: [{kind: Secret, name: s}]")})
    _, _, told = workspace.text("render")
    assert "variables in texts of Kustomization apps may come from Secret s, not in view here" in told
