"""Manifests that are no objects: bases, patches, copies, and what other objects hold."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
from gitops_outcome import NONE, TWO, Case, Outcome, applied, checked, expected, outcome, params
from manifests import LIST, quota, quota_and_web, web
from team_a_repositories import BASE, BASE_FILES, COMPLETE, LIVE, TEAM_A, component

KINDS_THAT_HOLD = {
    "an OpenShift Template": (
        "apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {name: x}\nobjects:\n- {object}\n"
        "parameters: [{name: A}]\n"
    ),
    "an ACM Policy": (
        "apiVersion: policy.open-cluster-management.io/v1\nkind: Policy\nmetadata: {name: x, namespace: p}\nspec:\n"
        "  policy-templates:\n  - objectDefinition:\n      apiVersion: policy.open-cluster-management.io/v1\n"
        "      kind: ConfigurationPolicy\n      metadata: {name: x}\n"
        "      spec: {object-templates: [{complianceType: musthave, objectDefinition: {object}}]}\n"
    ),
    "a Kyverno rule that generates": (
        "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: x}\nspec:\n  rules:\n  - name: quota\n"
        "    generate: {kind: ResourceQuota, apiVersion: v1, name: x, namespace: a, data: {object}}\n"
    ),
    "a Kyverno pattern": (
        "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: x}\nspec:\n  rules:\n  - name: quota\n"
        "    validate: {pattern: {apiVersion: v1, kind: ResourceQuota, spec: {hard: {requests.memory: '?*'}}}}\n"
    ),
    "a NamespaceConfig": (
        "apiVersion: redhatcop.redhat.io/v1alpha1\nkind: NamespaceConfig\nmetadata: {name: x}\nspec:\n  templates:\n"
        "  - objectTemplate: '{object}'\n"
    ),
    "a Crossplane Composition": (
        "apiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata: {name: x}\nspec:\n"
        "  resources: [{name: a, base: {object}}]\n"
    ),
    "a StrimziPodSet": (
        "apiVersion: core.strimzi.io/v1beta2\nkind: StrimziPodSet\nmetadata: {name: x, namespace: kafka}\n"
        "spec: {pods: [{object}]}\n"
    ),
    "a ConfigMap": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {quota.yaml: '{object}'}\n",
    "a test of chainsaw": (
        "apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: x}\n"
        "spec: {steps: [{try: [{apply: {resource: {object}}}]}]}\n"
    ),
    "an example of a CRD": (
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.example.com}\n"
        "spec: {group: example.com, names: {kind: Thing, plural: things}, scope: Namespaced, "
        "versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {example: {object}}}}]}\n"
    ),
    "values of a chart": "quota: {object}\n",
}


@pytest.mark.parametrize("text", KINDS_THAT_HOLD.values(), ids=[name.replace(" ", "-") for name in KINDS_THAT_HOLD])
def test_manifests_in_other_objects_are_not_live(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = "{apiVersion: v1, kind: ResourceQuota, metadata: {name: inner, namespace: team-a}, spec: {hard: {pods: 1}}}"
    files = {**LIVE, "live/holder.yaml": text.replace("{object}", inner)}
    assert outcome(tmp_path, files, monkeypatch) == Outcome([TWO], [])


NAMESPACE = """\
apiVersion: builtin
kind: NamespaceTransformer
metadata: {name: x, namespace: team-a}
fieldSpecs: [{path: metadata/namespace, create: true}]
"""


def test_components_and_bases_are_no_objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        **BASE,
        "c/kustomization.yaml": component("more.yaml"),
        "c/more.yaml": web(name="more"),
        "live/kustomization.yaml": TEAM_A + "components: [../c]\npatches: [{path: web.yaml}]\n",
        "live/web.yaml": COMPLETE,
    }
    assert applied(checked(tmp_path, files, monkeypatch)) == {
        "": ["Deployment team-a/more", "Deployment team-a/web", "ResourceQuota team-a/base"]
    }


CASES = [
    Case(
        "bases are not objects",
        {**BASE, "live/kustomization.yaml": TEAM_A},
        (TWO,),
    ),
    Case(
        "bases are not counted twice, by two overlays for two namespaces",
        {**BASE, "a/kustomization.yaml": TEAM_A, "b/kustomization.yaml": "namespace: team-b\nresources: [../base]\n"},
        (TWO, "team-b/base pods 2/8 exact"),
    ),
    Case(
        "a patch that looks complete is not an object",
        {**BASE, "live/kustomization.yaml": TEAM_A + "patches: [{path: web.yaml}]\n", "live/web.yaml": COMPLETE},
        ("team-a/base pods 3/8 exact",),
    ),
    *(
        Case(
            f"half a workload that nothing refers to is none: {kind} {name}",
            {**LIVE, "patches/x.yaml": f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: {name}{spec}\n"},
            (TWO,),
        )
        for name in ("web", "other")
        for version, kind, spec in (
            ("apps/v1", "Deployment", ", namespace: team-a}\nspec: {replicas: 3}"),
            ("apps/v1", "Deployment", ", namespace: team-a}\nspec: {replicas: 3, template: {metadata: {}}}"),
            ("apps/v1", "Deployment", ", namespace: team-a, labels: {a: b}}"),
            ("apps/v1", "StatefulSet", ", namespace: team-a}\nspec: {replicas: 3, template: null}"),
            ("batch/v1", "CronJob", ", namespace: team-a}\nspec: {schedule: '@daily'}"),
            ("v1", "Pod", ", namespace: team-a}"),
        )
    ),
    Case(
        "half a workload that a kustomization lists is refused by every API server",
        {
            "kustomization.yaml": "namespace: team-a\nresources: [quota.yaml, web.yaml, x.yaml]\n",
            **quota_and_web(),
            "x.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\nspec: {replicas: 3}\n",
        },
        (TWO,),
    ),
    Case(
        "what a plugin wraps into something else is not applied itself",
        {
            **{f"k/{name}": text for name, text in BASE_FILES.items()},
            "k/kustomization.yaml": "namespace: team-a\n" + LIST + "generators: [policy.yaml]\n",
            "k/policy.yaml": "apiVersion: policy.open-cluster-management.io/v1\nkind: PolicyGenerator\n"
            "metadata: {name: x}\npolicies: [{name: x, manifests: [{path: wrapped/}]}]\n",
            "k/wrapped/quota.yaml": quota("team-a", name="inner", hard="pods: 1"),
        },
        ("team-a/base pods 2/8 at-least",),
        ("k/kustomization.yaml:3:14 QL003 warning",),
    ),
    Case(
        "a chart that nothing deploys, with something of its own beside it",
        {
            **LIVE,
            "charts/x/Chart.yaml": "{apiVersion: v2, name: x, version: 1.0.0}\n",
            "charts/x/templates/x.yaml": "{{ .Values.x }}\n",
            "charts/x/prod.yaml": "x: 1\n",
        },
        ("team-a/base pods 2/8 at-least",),
    ),
    Case(
        "one of a catalogue that is rendered in two ways, into no known namespace",
        {
            **LIVE,
            "base/kustomization.yaml": "resources: [service.yaml, role.yaml]\n",
            "base/service.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: x}\n",
            "base/role.yaml": "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: x}\n",
            **{
                f"over/{text}/kustomization.yaml": "resources: [../../base, more]\ncommonLabels: {x: " + text + "}\n"
                for text in "ab"
            },
            **{
                f"over/{item}/more/{name}": text
                for item in "ab"
                for name, text in {
                    "kustomization.yaml": "resources: [x.yaml]\n",
                    "x.yaml": "".join(
                        f"apiVersion: v1\nkind: Service\nmetadata: {{name: {item}{number}}}\n---\n"
                        for number in range(4)
                    ),
                }.items()
            },
        },
        (TWO,),
    ),
    Case(
        "manifests beside a chart at the root",
        {
            "Chart.yaml": "{apiVersion: v2, name: x, version: 1.0.0}\n",
            "templates/x.yaml": "{{ .Values.x }}\n",
            "values.yaml": "x: 1\n",
            **{f"k8s/{name.partition('/')[2]}": text for name, text in LIVE.items()},
        },
        ("team-a/base pods 2/8 at-least",),
    ),
    *(
        Case(
            f"a transformer that Kustomize has built in gives the namespace, {how}",
            {
                **BASE_FILES,
                "kustomization.yaml": LIST + f"transformers:\n- {entry}",
                "namespace.yaml": NAMESPACE,
            },
            (TWO,),
        )
        for how, entry in (
            ("in a file", "namespace.yaml\n"),
            ("in the kustomization", "|-\n" + indent(NAMESPACE, "  ")),
        )
    ),
    Case(
        "a patch that looks complete in a folder of patches",
        {
            **BASE,
            "live/kustomization.yaml": TEAM_A + "patchesStrategicMerge: [patches/web.yaml, patches/quota.yaml]\n",
            "live/patches/web.yaml": COMPLETE,
            "live/patches/quota.yaml": quota(hard="pods: 9"),
        },
        ("team-a/base pods 3/9 exact",),
    ),
    Case(
        "a file beside a kustomization that does not list it is not an object",
        {**BASE, "live/kustomization.yaml": TEAM_A, "live/old.yaml": web(name="old", namespace="team-a")},
        (TWO,),
    ),
    Case(
        "nor one in a folder below of which it lists others",
        {
            "live/kustomization.yaml": "resources: [apps/quota.yaml, apps/web.yaml]\n",
            **quota_and_web("live/apps", "team-a"),
            "live/apps/old.yaml": web(name="old", namespace="team-a"),
        },
        (TWO,),
    ),
    Case(
        "the same file referred to as a resource by two roots is one object each",
        {
            **quota_and_web("common", "team-a"),
            "one/kustomization.yaml": "resources: [../common/quota.yaml]\n",
            "two/kustomization.yaml": "resources: [../common/web.yaml]\n",
        },
        (TWO,),
        ("one/kustomization.yaml:1:13 QL003 info", "two/kustomization.yaml:1:13 QL003 info"),
    ),
    Case(
        "overlay patches of HelmReleases are no HelmReleases",
        {
            "base/kustomization.yaml": "resources: [release.yaml, quota.yaml]\n",
            "base/quota.yaml": quota(),
            "base/release.yaml": """\
                apiVersion: helm.toolkit.fluxcd.io/v2
                kind: HelmRelease
                metadata: {name: shop}
                spec: {chart: {spec: {chart: shop, sourceRef: {kind: HelmRepository, name: shop}}}}
                """,
            "live/kustomization.yaml": TEAM_A + "patches: [{path: release.yaml}]\n",
            "live/release.yaml": """\
                apiVersion: helm.toolkit.fluxcd.io/v2
                kind: HelmRelease
                metadata: {name: shop}
                spec: {values: {replicas: 3}}
                """,
            "other/quota.yaml": quota("team-b"),
        },
        (NONE, "team-b/base pods ?/8 unknown"),
        ("base/release.yaml:1:1 QL003 warning",),
    ),
    Case(
        "plain YAML beside the kustomization of a folder above",
        {
            "kustomization.yaml": "namespace: team-a\nresources: [app]\n",
            "app/kustomization.yaml": LIST,
            **quota_and_web("app"),
        },
        (TWO,),
    ),
    Case(
        "a release copy of what a kustomization renders",
        {
            **BASE,
            "live/kustomization.yaml": TEAM_A,
            "release/all.yaml": quota("team-a") + "---\n" + web(namespace="team-a"),
        },
        (TWO,),
    ),
    Case(
        "a plain copy of a chart nobody deploys",
        {
            **LIVE,
            "charts/web/Chart.yaml": "{apiVersion: v2, name: web, version: 1.0.0}\n",
            "charts/web/values.yaml": "replicas: 2\n",
            "charts/web/templates/web.yaml": web(namespace="team-a"),
            "charts/web/templates/more.yaml": "{{- if .Values.more }}\n" + web(name="more") + "{{- end }}\n",
        },
        ("team-a/base pods 2/8 at-least",),
    ),
    Case(
        "templates outside of charts",
        {
            **LIVE,
            "helmfile.yaml": "releases:\n{{- range .Values.x }}\n- name: {{ . }}\n{{- end }}\n",
            "scaffold/quota.yaml": "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: {{ .name }}}\n"
            "{{- if .hard }}\nspec: {hard: {pods: 1}}\n{{- end }}\n",
        },
        (TWO,),
    ),
    Case(
        "what is for the tools alone is not applied",
        {
            "kustomization.yaml": f"namespace: team-a\n{LIST}",
            "quota.yaml": quota(),
            "web.yaml": web().replace(
                "{name: web}", "{name: web, annotations: {config.kubernetes.io/local-config: 'true'}}", 1
            ),
        },
        (NONE,),
    ),
    Case(
        "an object given twice in one kustomization is counted once",
        {
            "kustomization.yaml": "namespace: team-a\nresources: [quota.yaml, web.yaml, again.yaml]\n",
            **quota_and_web(),
            "again.yaml": web(2),
        },
        ("team-a/base pods 2/8 assumed",),
        ("kustomization.yaml:2:35 QL003 warning",),
    ),
    Case(
        "of two that differ nobody knows which is left",
        {
            "kustomization.yaml": "namespace: team-a\nresources: [quota.yaml, web.yaml, again.yaml]\n",
            **quota_and_web(),
            "again.yaml": web(5),
        },
        ("team-a/base pods ?/8 unknown",),
        ("kustomization.yaml:2:35 QL003 warning",),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_what_is_told_of_what_is_not_applied(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
