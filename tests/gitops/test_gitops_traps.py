"""How real GitOps repositories look: every design point and every trap, from files to findings."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

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

LIST = "resources: [quota.yaml, web.yaml]\n"
BASE = {"base/kustomization.yaml": LIST, **quota_and_web("base")}
BASE_FILES = quota_and_web()
NAMESPACE = """\
apiVersion: builtin
kind: NamespaceTransformer
metadata: {name: x, namespace: team-a}
fieldSpecs: [{path: metadata/namespace, create: true}]
"""
TEAM_A = "namespace: team-a\nresources: [../base]\n"
LIVE = quota_and_web("live", "team-a")
TWO = "team-a/base pods 2/8 exact"
NONE = "team-a/base pods ?/8 unknown"
PATCH = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 3}
"""
COMPLETE = web(replicas=3, name="web")
"""A patch that has everything an object has."""


def component(*resources: str) -> str:
    return f"apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [{', '.join(resources)}]\n"


def hpa(low: int, high: int) -> str:
    return f"""\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec: {{minReplicas: {low}, maxReplicas: {high}, scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}}}
"""


POINTS = [
    Case(
        "1: a quota has no namespace but by rendering",
        {"kustomization.yaml": f"namespace: team-a\n{LIST}", **quota_and_web()},
        (TWO,),
    ),
    Case(
        "1: a quota of a Component used by two namespaces",
        {
            "sizes/small/kustomization.yaml": component("quota.yaml"),
            "sizes/small/quota.yaml": quota(name="small"),
            "team-a/kustomization.yaml": "namespace: team-a\nresources: [web.yaml]\ncomponents: [../sizes/small]\n",
            "team-a/web.yaml": web(),
            "team-b/kustomization.yaml": "namespace: team-b\nresources: [web.yaml]\ncomponents: [../sizes/small]\n",
            "team-b/web.yaml": web(replicas=5, name="shop"),
        },
        ("team-a/small pods 2/8 exact", "team-b/small pods 5/8 exact"),
    ),
    Case(
        "2: namespace, replicas, resources and name are those after Kustomize",
        {
            "base/kustomization.yaml": "resources: [web.yaml, quota.yaml]\n",
            "base/web.yaml": web(replicas=1, namespace="somewhere", cpu="100m"),
            "base/quota.yaml": quota(hard="requests.cpu: 1, count/deployments.apps: 2"),
            "live/kustomization.yaml": """\
                namespace: team-a
                namePrefix: live-
                resources: [../base]
                replicas: [{name: web, count: 3}]
                patches: [{path: cpu.yaml}]
                """,
            "live/cpu.yaml": """\
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web, namespace: somewhere}
                spec: {template: {spec: {containers: [{name: app, resources: {requests: {cpu: 200m}}}]}}}
                """,
        },
        ("team-a/live-base count/deployments.apps 1/2 exact", "team-a/live-base requests.cpu 600m/1 exact"),
    ),
    Case(
        "5: a quota without usage in view is unknown",
        {"quota.yaml": quota("team-a")},
        (NONE,),
    ),
    Case(
        "5: a quota that allows nothing is not full where nothing is in view",
        {"quota.yaml": quota("team-a", hard="pods: 0")},
        ("team-a/base pods ?/0 unknown",),
    ),
    Case(
        "5: workloads of other namespaces are no usage",
        {"quota.yaml": quota("team-a"), "other/web.yaml": web(namespace="team-b")},
        (NONE,),
    ),
    Case(
        "5: a Service and a Role are no workload in view",
        {
            "quota.yaml": quota("team-a", hard="pods: 8, services: 2"),
            "service.yaml": """\
                apiVersion: v1
                kind: Service
                metadata: {name: web, namespace: team-a}
                spec: {ports: [{port: 80}]}
                """,
        },
        ("team-a/base pods ?/8 unknown", "team-a/base services 1/2 exact"),
    ),
    Case(
        "6: quota and workload of a namespace live in different roots",
        {
            "cluster/kustomization.yaml": "resources: [quota.yaml]\n",
            "cluster/quota.yaml": quota("team-a"),
            "apps/kustomization.yaml": "namespace: team-a\nresources: [web.yaml]\n",
            "apps/web.yaml": web(),
        },
        (TWO,),
    ),
    Case(
        "6: rings render the same workload many times",
        {
            **BASE,
            **{f"rings/{ring}/kustomization.yaml": "namespace: team-a\nresources: [../../base]\n" for ring in range(5)},
        },
        tuple(f"{ring}: {TWO}" for ring in range(5)),
    ),
    Case(
        "7: nothing names a namespace, so it is default",
        quota_and_web("app"),
        ("default/base pods 2/8 exact",),
    ),
    Case(
        "7: the configuration names the namespace of plain files",
        {
            ".quotalint.yaml": "namespaces: {/app/: team-a}\n",
            **quota_and_web("app"),
        },
        (TWO,),
    ),
    Case(
        "7: the targetNamespace of Flux",
        {
            **quota_and_web("apps"),
            "flux.yaml": """\
                apiVersion: kustomize.toolkit.fluxcd.io/v1
                kind: Kustomization
                metadata: {name: apps, namespace: flux-system}
                spec: {path: ./apps, targetNamespace: team-a, sourceRef: {kind: GitRepository, name: flux-system}}
                """,
        },
        (TWO,),
    ),
    Case(
        "7: the destination of Argo CD",
        {
            **quota_and_web("apps"),
            "argo.yaml": """\
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: apps, namespace: argocd}
                spec: {source: {repoURL: "https://example.com/x.git", path: apps}, destination: {namespace: team-a}}
                """,
        },
        (TWO,),
    ),
    Case(
        "9: a remote chart makes its namespace unknown and no other",
        {
            **LIVE,
            "live/other.yaml": quota("team-b"),
            "live/release.yaml": """\
                apiVersion: helm.toolkit.fluxcd.io/v2
                kind: HelmRelease
                metadata: {name: podinfo, namespace: team-b}
                spec: {chart: {spec: {chart: podinfo, sourceRef: {kind: HelmRepository, name: podinfo}}}}
                """,
        },
        (TWO, "team-b/base pods ?/8 unknown"),
        ("live/release.yaml:1:1 QL003 warning",),
    ),
    Case(
        "11: an autoscaler keeps at least its minimum",
        {"kustomization.yaml": "namespace: team-a\nresources: [quota.yaml, web.yaml, hpa.yaml]\n"}
        | {**quota_and_web(), "hpa.yaml": hpa(4, 20)},
        ("team-a/base pods 4/8 exact",),
    ),
    Case(
        "12: the defaults of a LimitRange are charged, wherever it comes from",
        {
            "base/kustomization.yaml": LIST,
            "base/quota.yaml": quota(hard="requests.cpu: 1, limits.cpu: 2"),
            "base/web.yaml": web(),
            "limits/kustomization.yaml": component("limits.yaml"),
            "limits/limits.yaml": """\
                apiVersion: v1
                kind: LimitRange
                metadata: {name: defaults}
                spec: {limits: [{type: Container, default: {cpu: 500m}, defaultRequest: {cpu: 100m}}]}
                """,
            "live/kustomization.yaml": "namespace: team-a\nresources: [../base]\ncomponents: [../limits]\n",
        },
        ("team-a/base limits.cpu 1/2 exact", "team-a/base requests.cpu 200m/1 exact"),
    ),
    Case(
        "12: without a LimitRange pods are refused where they are written",
        {**BASE, "base/quota.yaml": quota(hard="requests.cpu: 1"), "live/kustomization.yaml": TEAM_A},
        ("team-a/base requests.cpu 0/1 exact",),
        ("base/web.yaml:9:25 QL401 error",),
    ),
]

CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {replicas: '4'}\n"

FIELDS = {
    # What a kustomization says beside `resources`, and what becomes of 2 pods of 8.
    "patches, inline, by name": (
        "patches: [{patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 3}}'}]",
        "pods 3/8",
    ),
    "patches, JSON 6902, by kind": (
        'patches: [{target: {kind: Deployment}, patch: \'[{"op": "replace", "path": "/spec/replicas", "value": 4}]\'}]',
        "pods 4/8",
    ),
    "patches of the quota": (
        "patches: [{target: {kind: ResourceQuota}, patch: '- {op: replace, path: /spec/hard/pods, value: 9}'}]",
        "pods 2/9",
    ),
    "patches that delete": (
        "patches: [{patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, $patch: delete}'}]",
        "pods ?/8",
    ),
    "patchesStrategicMerge": ("patchesStrategicMerge: [patch.yaml]", "pods 3/8"),
    "patchesJson6902": (
        "patchesJson6902: [{target: {group: apps, version: v1, kind: Deployment, name: web}, "
        'patch: \'[{"op": "replace", "path": "/spec/replicas", "value": 4}]\'}]',
        "pods 4/8",
    ),
    "replicas": ("replicas: [{name: web, count: 5}]", "pods 5/8"),
    "images": ("images: [{name: web, newTag: v2}]", "pods 2/8"),
    "commonAnnotations": ("commonAnnotations: {team: a}", "pods 2/8"),
    "commonLabels": ("commonLabels: {team: a}", "pods 2/8"),
    "labels": ("labels: [{pairs: {team: a}, includeSelectors: true}]", "pods 2/8"),
    "replacements": (
        "replacements: [{source: {kind: ConfigMap, name: settings, fieldPath: data.replicas}, "
        "targets: [{select: {kind: Deployment}, fieldPaths: [spec.replicas]}]}]",
        "pods 4/8",
    ),
    "generatorOptions": ("generatorOptions: {disableNameSuffixHash: true}", "pods 2/8"),
}


@pytest.mark.parametrize(("field", "use"), FIELDS.values(), ids=[name.replace(" ", "-") for name in FIELDS])
def test_point_3_what_kustomizations_use(field: str, use: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        **BASE,
        "live/kustomization.yaml": f"namespace: team-a\nresources: [../base, settings.yaml]\n{field}\n",
        "live/settings.yaml": CONFIG_MAP,
        "live/patch.yaml": PATCH,
    }
    certainty = "unknown" if "?" in use else "exact"
    assert outcome(tmp_path, files, monkeypatch) == Outcome([f"team-a/base {use} {certainty}"], [])


GENERATED = [
    Case(
        "3: generated ConfigMaps and Secrets are counted once",
        {
            "kustomization.yaml": """\
                namespace: team-a
                resources: [quota.yaml, web.yaml]
                configMapGenerator: [{name: one, literals: [a=b]}, {name: two, files: [data.yaml]}]
                secretGenerator: [{name: three, literals: [a=b]}]
                """,
            "data.yaml": web(name="data"),
            "quota.yaml": quota(hard="count/configmaps: 9, count/secrets: 9, pods: 8"),
            "web.yaml": web(),
        },
        # and the ConfigMap of the root certificate, which every namespace has
        ("team-a/base count/configmaps 3/9 exact", "team-a/base count/secrets 1/9 exact", TWO),
    ),
    Case(
        "3: namePrefix and nameSuffix make two releases of one base",
        {
            **BASE,
            "base/kustomization.yaml": "resources: [web.yaml]\n",
            "one/kustomization.yaml": "namespace: team-a\nnamePrefix: one-\nresources: [../base]\n",
            "two/kustomization.yaml": "namespace: team-a\nnameSuffix: -two\nresources: [../base]\n",
            "quotas/quota.yaml": quota("team-a"),
        },
        ("team-a/base pods 4/8 exact",),
    ),
    Case(
        "3: bases as they were called",
        {**BASE, "live/kustomization.yaml": "namespace: team-a\nbases: [../base]\n"},
        (TWO,),
    ),
    Case(
        "3: vars about nothing are refused, which leaves the counts alone",
        {
            **BASE,
            "live/kustomization.yaml": TEAM_A + "vars: [{name: X, objref: {apiVersion: v1, kind: Service, name: x}}]\n"
            "configurations: [names.yaml]\n",
            "live/names.yaml": "nameReference: [{kind: Issuer, fieldSpecs: [{kind: Ingress, path: a/b}]}]\n",
        },
        (TWO,),
        ("live/kustomization.yaml:3:8 QL003 warning",),
    ),
    Case(
        "3: transformer plugins are not run, so the namespace may hold something else",
        {
            **BASE,
            "live/kustomization.yaml": TEAM_A + "transformers: [plugin.yaml]\n",
            "live/plugin.yaml": "apiVersion: example.com/v1\nkind: Tripler\nmetadata: {name: x}\n",
        },
        ("team-a/base pods ?/8 unknown",),
        ("live/kustomization.yaml:3:16 QL003 warning",),
    ),
]


def leaf(line: str) -> dict[str, str]:
    """A root with a quota, a workload and something else."""
    return {**BASE, "live/kustomization.yaml": f"{TEAM_A}{line}\n"}


LEAVES = [
    Case(
        "4: a remote base",
        leaf("bases: [https://github.com/example/shop//deploy?ref=v1]"),
        ("team-a/base pods 2/8 at-least",),
        ("live/kustomization.yaml:3:9 QL003 warning",),
    ),
    Case(
        "4: a missing file",
        leaf("components: []\nbases: [gone.yaml]"),
        ("team-a/base pods 2/8 at-least",),
        ("live/kustomization.yaml:4:9 QL003 warning",),
    ),
    Case(
        "4: a missing patch might take anything away",
        leaf("patches: [{path: gone.yaml}]"),
        ("team-a/base pods ?/8 unknown",),
        ("live/kustomization.yaml:3:11 QL003 warning",),
    ),
    Case(
        "4: a ksops generator matters for Secrets alone",
        {
            **BASE,
            "base/quota.yaml": quota(hard="pods: 8, count/secrets: 8"),
            "live/kustomization.yaml": TEAM_A + "generators: [secrets.yaml]\n",
            "live/secrets.yaml": """\
                apiVersion: viaduct.ai/v1
                kind: ksops
                metadata: {name: secrets}
                files: [secret.enc.yaml]
                """,
            "live/secret.enc.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: 'ENC[x]'}\n"
            "sops: {version: 3.7.1}\n",
        },
        ("team-a/base count/secrets 0/8 at-least", TWO),
        ("live/kustomization.yaml:3:14 QL003 warning",),
    ),
    Case(
        "4: helmCharts of a repository elsewhere",
        leaf("helmCharts: [{name: redis, repo: https://charts.example.com, version: 1.0.0}]"),
        ("team-a/base pods 2/8 at-least",),
        ("live/kustomization.yaml:3:14 QL003 warning",),
    ),
    Case(
        "4: old-style patches, a list of files",
        {**leaf("patches: [three.yaml]"), "live/three.yaml": PATCH},
        ("team-a/base pods 3/8 exact",),
        ("live/kustomization.yaml:3:11 QL003 warning",),
    ),
    Case(
        "4: files from beside the kustomization, which only Flux takes",
        {"live/kustomization.yaml": "namespace: team-a\nresources: [../common/quota.yaml, web.yaml]\n"}
        | {"common/quota.yaml": quota(), "live/web.yaml": web()},
        (TWO,),
        ("live/kustomization.yaml:2:13 QL003 info",),
    ),
    Case(
        "4: an empty kustomization among the resources",
        {**leaf("bases: [empty]"), "live/empty/kustomization.yaml": ""},
        (TWO,),
        ("live/empty/kustomization.yaml:1:1 QL003 warning",),
    ),
    Case(
        "4: a folder without a kustomization among the resources",
        {**leaf("bases: [things]"), "live/things/shop.yaml": web(name="shop", namespace="team-b")},
        ("team-a/base pods 2/8 at-least",),
        ("live/kustomization.yaml:3:9 QL003 warning",),
    ),
    Case(
        "4: a kustomization that is not readable among the resources",
        {**leaf("bases: [broken]"), "live/broken/kustomization.yaml": "resources: [\n"},
        ("team-a/base pods 2/8 at-least",),
        ("live/broken/kustomization.yaml:1:1 QL003 warning", "live/broken/kustomization.yaml:1:13 QL001 error"),
    ),
    Case(
        "4: a manifest that is not readable among the resources",
        {**leaf("bases: [shop.yaml]"), "live/shop.yaml": "apiVersion: v1\nkind: Pod\nmetadata: [\n"},
        ("team-a/base pods 2/8 at-least",),
        ("live/shop.yaml:1:1 QL003 warning", "live/shop.yaml:3:12 QL001 error"),
    ),
    Case(
        "4: a bad leaf deep down concerns the namespace above, and no other",
        {
            "shop/kustomization.yaml": "resources: [gone.yaml]\n",
            "live/kustomization.yaml": "namespace: team-a\nresources: [../shop, quota.yaml]\n",
            "live/quota.yaml": quota(),
            "other/kustomization.yaml": "namespace: team-b\nresources: [quota.yaml, web.yaml]\n",
            **quota_and_web("other"),
        },
        (NONE, "team-b/base pods 2/8 exact"),
        ("shop/kustomization.yaml:1:13 QL003 warning",),
    ),
    Case(
        "4: a cycle between two folders",
        {
            "a/kustomization.yaml": "namespace: team-a\nresources: [quota.yaml, web.yaml, ../b]\n",
            **quota_and_web("a"),
            "b/kustomization.yaml": "namespace: team-a\nresources: [../a]\n",
        },
        ("team-a/base pods 2/8 at-least",),
        ("b/kustomization.yaml:2:13 QL003 warning",),
    ),
    Case(
        "4: a cycle between an overlay and its base",
        {
            **BASE,
            "base/kustomization.yaml": LIST + "namespace: team-a\nbases: [../live]\n",
            "live/kustomization.yaml": TEAM_A,
        },
        ("team-a/base pods 2/8 at-least",),
        ("live/kustomization.yaml:2:13 QL003 warning",),
    ),
    Case(
        "4: a folder that holds itself, `../..`",
        {
            "kustomization.yaml": "namespace: team-a\nresources: [a/b, quota.yaml, web.yaml]\n",
            **quota_and_web(),
            "a/b/kustomization.yaml": "resources: [../..]\n",
        },
        ("team-a/base pods 2/8 at-least",),
        ("a/b/kustomization.yaml:1:13 QL003 warning",),
    ),
]

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


TRAPS = [
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
        "what a plugin decrypts is not applied as it is",
        {
            **{f"k/{name}": text for name, text in BASE_FILES.items()},
            "k/kustomization.yaml": "namespace: team-a\n" + LIST + "generators: [secrets.yaml]\n",
            "k/quota.yaml": quota(hard="pods: 8, count/secrets: 8"),
            "k/secrets.yaml": "apiVersion: viaduct.ai/v1\nkind: ksops\nmetadata: {name: x}\nfiles: [locked/a.yaml]\n",
            "k/locked/a.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: team-a}\nsops: {}\n",
        },
        ("team-a/base count/secrets 0/8 at-least", TWO),
        ("k/kustomization.yaml:3:14 QL003 warning",),
    ),
    Case(
        "a locked file of git-crypt among the resources",
        {
            **BASE_FILES,
            "kustomization.yaml": "namespace: team-a\nresources: [quota.yaml, web.yaml, secret.yaml]\n",
            "secret.yaml": b"\0GITCRYPT\0\x8a\x03\xff",
        },
        ("team-a/base pods 2/8 at-least",),
        ("kustomization.yaml:2:35 QL003 warning",),
    ),
    Case(
        "what ksops decrypts may be of any kind",
        {
            **{f"k/{name}": text for name, text in BASE_FILES.items()},
            "k/kustomization.yaml": "namespace: team-a\n" + LIST + "generators: [secrets.yaml]\n",
            "k/quota.yaml": quota(hard="pods: 8, count/configmaps: 8"),
            "k/secrets.yaml": "apiVersion: viaduct.ai/v1\nkind: ksops\nmetadata: {name: x}\nfiles: [locked/a.yaml]\n",
            "k/locked/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nsops: {}\n",
        },
        ("team-a/base count/configmaps 1/8 at-least", TWO),
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
                f"over/{one}/kustomization.yaml": "resources: [../../base, more]\ncommonLabels: {x: " + one + "}\n"
                for one in "ab"
            },
            **{
                f"over/{one}/more/{name}": text
                for one in "ab"
                for name, text in {
                    "kustomization.yaml": "resources: [x.yaml]\n",
                    "x.yaml": "".join(
                        f"apiVersion: v1\nkind: Service\nmetadata: {{name: {one}{number}}}\n---\n"
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
        "two Kustomization kinds: one of Flux in a file called kustomization.yaml",
        {
            **quota_and_web("apps"),
            "clusters/kustomization.yaml": """\
                apiVersion: kustomize.toolkit.fluxcd.io/v1
                kind: Kustomization
                metadata: {name: apps, namespace: flux-system}
                spec: {path: ./apps, targetNamespace: team-a, sourceRef: {kind: GitRepository, name: flux-system}}
                """,
        },
        (TWO,),
    ),
    Case(
        "two Kustomization kinds: one of Kustomize under another name is not looked at",
        {**LIVE, "live/kustomize.yaml": f"apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n{LIST}"},
        (TWO,),
    ),
    *(
        Case(
            f"a kustomization {what}",
            {f"app/{name}": f"{head}namespace: team-a\n{LIST}", **quota_and_web("app")},
            (TWO,),
        )
        for what, name, head in (
            ("called kustomization.yml", "kustomization.yml", ""),
            ("called Kustomization", "Kustomization", ""),
            (
                "with apiVersion and kind",
                "kustomization.yaml",
                "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n",
            ),
            ("with a kind alone", "kustomization.yaml", "kind: Kustomization\n"),
            ("with an apiVersion alone", "kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1beta1\n"),
            ("with annotations that are null", "kustomization.yaml", "metadata: {name: x, annotations: null}\n"),
            ("with fields that are null", "kustomization.yaml", "patches: null\ncomponents:\nimages: null\n"),
        )
    ),
    Case(
        "a base called kustomization.yml and an overlay called Kustomization",
        {
            "base/kustomization.yml": LIST,
            **quota_and_web("base"),
            "live/Kustomization": TEAM_A,
        },
        (TWO,),
    ),
    Case(
        "annotations that are null, here and in what is patched",
        {
            "base/kustomization.yaml": LIST,
            "base/quota.yaml": quota().replace("{name: base}", "{name: base, annotations: null, labels: }"),
            "base/web.yaml": web().replace("{name: web}", "{name: web, annotations: null}"),
            "live/kustomization.yaml": TEAM_A + "commonAnnotations: {team: a}\ncommonLabels: {team: a}\n",
        },
        (TWO,),
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
    *(
        Case(
            f"the placeholder {text} as a quantity is unknown",
            {
                "quota.yaml": quota("team-a", hard=f"pods: 8, requests.cpu: '{text}'"),
                "web.yaml": web(namespace="team-a", cpu=f"'{text}'"),
            },
            (TWO, "team-a/base requests.cpu ?/? unknown"),
        )
        for text in ("${MEMORY_LIMIT}", "$(trino_cpu_request)", "{{ .Values.x }}", "${CPU:=2}")
    ),
    *(
        Case(
            f"the placeholder {text} as a request alone is a lower bound",
            {
                "quota.yaml": quota("team-a", hard="requests.cpu: 8"),
                "web.yaml": web(namespace="team-a", cpu=f"'{text}'"),
                "shop.yaml": web(namespace="team-a", name="shop", cpu="100m"),
            },
            ("team-a/base requests.cpu 200m/8 at-least",),
        )
        for text in ("${CPU}", "$(cpu)", "{{ .Values.cpu }}")
    ),
    *(
        Case(
            f"the placeholder {text} as a number of replicas is unknown",
            {"quota.yaml": quota("team-a"), "web.yaml": web(replicas=f"'{text}'", namespace="team-a")},
            ("team-a/base pods 0/8 at-least",),
        )
        for text in ("${REPLICAS}", "$(replicas)", "{{ .Values.replicas }}")
    ),
    Case(
        "a placeholder as the namespace is a namespace nobody knows",
        {**LIVE, "live/other.yaml": web(namespace="'${NAMESPACE}'", name="other")},
        ("team-a/base pods 2/8 at-least",),
        ("live/other.yaml:3:25 QL007 warning",),
    ),
    Case(
        "a file encrypted with SOPS is a Secret like another",
        {
            "quota.yaml": quota("team-a", hard="count/secrets: 8, pods: 8"),
            "web.yaml": web(namespace="team-a"),
            "secret.yaml": """\
                apiVersion: v1
                kind: Secret
                metadata: {name: a, namespace: team-a}
                data: {password: "ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]"}
                sops: {encrypted_regex: ^data$, version: 3.7.1}
                """,
        },
        ("team-a/base count/secrets 1/8 exact", TWO),
    ),
    Case(
        "a file wholly encrypted with SOPS is not an object, and may be any",
        {
            **LIVE,
            "live/secret.yaml": """\
                apiVersion: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]
                kind: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]
                metadata: {name: "ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]"}
                sops: {version: 3.7.1}
                """,
        },
        (TWO,),
    ),
    Case(
        "a file encrypted with git-crypt may be anything",
        {**LIVE, "live/secret.yaml": b"\0GITCRYPT\0\x8a\x03\xff\xfe\x00\x9c\x1b"},
        ("team-a/base pods 2/8 at-least",),
    ),
    Case(
        "a folder linked twice is applied once",
        {**LIVE, "one": Link("live"), "more/two": Link("../live")},
        (TWO,),
    ),
    Case(
        "a kustomization linked twice is rendered once",
        {**BASE, "live/kustomization.yaml": TEAM_A, "also": Link("live")},
        (TWO,),
    ),
    Case(
        "a base that is reached by a link is the same",
        {
            **BASE,
            "bases/shop": Link("../base"),
            "live/kustomization.yaml": "namespace: team-a\nresources: [../bases/shop]\n",
        },
        (TWO,),
    ),
    Case(
        "a patch that is reached by a link is not an object",
        {
            **BASE,
            "shared/more.yaml": PATCH,
            "live/kustomization.yaml": TEAM_A + "patches: [{path: more.yaml}]\n",
            "live/more.yaml": Link("../shared/more.yaml"),
            "one/quota.yaml": quota("default"),
        },
        ("default/base pods ?/8 unknown", "team-a/base pods 3/8 exact"),
        # Kustomize looks at where a link leads, and refuses; Flux does not.
        ("live/kustomization.yaml:3:11 QL003 info",),
    ),
    Case(
        "a resource that is reached by a link is the same",
        {
            "live/kustomization.yaml": "namespace: team-a\nresources: [quota.yaml, web.yaml]\n",
            "live/quota.yaml": quota(),
            "live/web.yaml": Link("../shared/web.yaml"),
            "shared/web.yaml": web(),
            "one/quota.yaml": quota("default"),
        },
        ("default/base pods ?/8 unknown", TWO),
        ("live/kustomization.yaml:2:25 QL003 info",),
    ),
    Case(
        "a linked file is the same file",
        {**LIVE, "live/again.yaml": Link("web.yaml"), "else/web.yaml": Link("../live/web.yaml")},
        (TWO,),
    ),
    Case(
        "links that lead to where they stand",
        {**LIVE, "live/up": Link(".."), "live/self": Link("self"), "live/self.yaml": Link("self.yaml")},
        ("team-a/base pods 2/8 at-least",),
        ("live/self.yaml:1:1 QL001 error",),
    ),
    Case(
        "a link that leads nowhere among the resources",
        {**leaf("bases: [gone.yaml]"), "live/gone.yaml": Link("nothing.yaml")},
        ("team-a/base pods 2/8 at-least",),
        ("live/gone.yaml:1:1 QL001 error", "live/kustomization.yaml:3:9 QL003 warning"),
    ),
    Case(
        "an anchor given twice in a file",
        {
            "quota.yaml": """\
                apiVersion: v1
                kind: ResourceQuota
                metadata: {name: base, namespace: &team team-a, labels: {team: *team}}
                spec:
                  hard:
                    pods: &pods "8"
                    services: *pods
                    secrets: &pods "3"
                    configmaps: *pods
                """,
            "web.yaml": web(namespace="team-a"),
        },
        (
            "team-a/base configmaps 1/3 exact",
            TWO,
            "team-a/base secrets 0/3 exact",
            "team-a/base services 0/8 exact",
        ),
    ),
    Case(
        "a plain `=` value",
        {**LIVE, "live/settings.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {operator: =}\n"},
        (TWO,),
    ),
    Case(
        "NUL bytes",
        {**LIVE, "live/nul.yaml": b"apiVersion: v1\nkind: Pod\nmetadata: {name: a\0, namespace: team-a}\n"},
        ("team-a/base pods 2/8 at-least",),
        ("live/nul.yaml:3:19 QL001 error",),
    ),
    Case(
        "NUL bytes in a file that is no manifest",
        {**LIVE, "live/nul.yaml": b"\0\0\0\0"},
        (TWO,),
    ),
    Case(
        "UTF-16",
        {"quota.yaml": quota("team-a").encode("utf-16"), "web.yaml": web(namespace="team-a").encode("utf-16-be")},
        (),
        ("quota.yaml:1:1 QL001 error", "web.yaml:1:1 QL001 error"),
    ),
    Case(
        "a byte order mark",
        {"quota.yaml": b"\xef\xbb\xbf" + quota("team-a").encode(), "web.yaml": web(namespace="team-a")},
        (TWO,),
    ),
    Case(
        "a whole document indented",
        {
            "all.yaml": "".join(f"    {line}\n" for line in quota("team-a").splitlines()).encode()
            + b"---\n"
            + "".join(f"  {line}\n" for line in web(namespace="team-a").splitlines()).encode(),
        },
        (TWO,),
    ),
    Case(
        "kind: List",
        {
            "all.yaml": """\
                apiVersion: v1
                kind: List
                items:
                - apiVersion: v1
                  kind: ResourceQuota
                  metadata: {name: base, namespace: team-a}
                  spec: {hard: {pods: 8}}
                - apiVersion: v1
                  kind: Pod
                  metadata: {name: one, namespace: team-a}
                  spec: {containers: [{name: app, image: web}]}
                """,
        },
        ("team-a/base pods 1/8 exact",),
    ),
    Case(
        "kind: List among the resources of a kustomization",
        {
            "kustomization.yaml": "namespace: team-a\nresources: [all.yaml]\npatches: [{path: more.yaml}]\n",
            "more.yaml": quota(hard="pods: 9"),
            "all.yaml": """\
                apiVersion: v1
                kind: List
                items:
                - {apiVersion: v1, kind: ResourceQuota, metadata: {name: base}, spec: {hard: {pods: 8}}}
                - apiVersion: v1
                  kind: Pod
                  metadata: {name: one}
                  spec: {containers: [{name: app, image: web}]}
                """,
        },
        ("team-a/base pods 1/9 exact",),
    ),
    Case(
        "a List in a List, and a list of one kind whose items do not name it",
        {
            "lists.yaml": """\
                apiVersion: v1
                kind: List
                items:
                - apiVersion: v1
                  kind: List
                  items:
                  - apiVersion: v1
                    kind: ResourceQuota
                    metadata: {name: base, namespace: team-a}
                    spec: {hard: {pods: 8}}
                """,
            "pods.yaml": """\
                apiVersion: v1
                kind: PodList
                items:
                - {metadata: {name: a, namespace: team-a}, spec: {containers: [{name: app, image: web}]}}
                - {metadata: {name: b, namespace: team-a}, spec: {containers: [{name: app, image: web}]}}
                """,
        },
        (TWO,),
    ),
    Case(
        "an exported object with its status",
        {
            "quota.yaml": """\
                apiVersion: v1
                kind: ResourceQuota
                metadata:
                  name: base
                  namespace: team-a
                  uid: 0e6c3a34-8f3f-4e9f-8b9e-0b8f4f0a0a0a
                  resourceVersion: "12345"
                  creationTimestamp: "2024-01-01T00:00:00Z"
                  managedFields: [{manager: kubectl, operation: Update, apiVersion: v1}]
                spec: {hard: {pods: "8"}}
                status: {hard: {pods: "8"}, used: {pods: "7"}}
                """,
            "web.yaml": web(namespace="team-a") + "status: {replicas: 9, readyReplicas: 9}\n",
        },
        ("team-a/base pods 2/8 at-least",),
    ),
    Case(
        "the quota of Flux itself limits few pods",
        {
            "flux-system/gotk-components.yaml": """\
                apiVersion: v1
                kind: ResourceQuota
                metadata: {name: critical-pods-flux-system, namespace: flux-system}
                spec:
                  hard: {pods: "1000"}
                  scopeSelector:
                    matchExpressions:
                    - operator: In
                      scopeName: PriorityClass
                      values: [system-node-critical, system-cluster-critical]
                ---
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: source-controller, namespace: flux-system}
                spec:
                  replicas: 1
                  selector: {matchLabels: {app: source-controller}}
                  template:
                    metadata: {labels: {app: source-controller}}
                    spec: {priorityClassName: system-cluster-critical, containers: [{name: manager, image: x}]}
                ---
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: image-controller, namespace: flux-system}
                spec:
                  replicas: 1
                  selector: {matchLabels: {app: image-controller}}
                  template:
                    metadata: {labels: {app: image-controller}}
                    spec: {containers: [{name: manager, image: x}]}
                """,
        },
        ("flux-system/critical-pods-flux-system pods 1/1k exact",),
    ),
    Case(
        "an empty kustomization alone",
        {"kustomization.yaml": "", **quota_and_web("live", "team-a")},
        (TWO,),
        ("kustomization.yaml:1:1 QL003 warning",),
    ),
    Case(
        "an empty kustomization among Components",
        {**leaf("components: [../c]"), "c/kustomization.yaml": "kind: Component\n"},
        (TWO,),
        ("c/kustomization.yaml:1:1 QL003 warning",),
    ),
    Case(
        "a folder that is called kustomization.yaml",
        {"kustomization.yaml/quota.yaml": quota("team-a"), "web.yaml": web(namespace="team-a")},
        (TWO,),
    ),
    Case(
        "names of files with spaces and letters from elsewhere",
        {
            "groß und klein/kustomization.yaml": "namespace: team-a\nresources: ['кво та.yaml', '日本/web.yaml']\n",
            "groß und klein/кво та.yaml": quota(),
            "groß und klein/日本/web.yaml": web(),
        },
        (TWO,),
    ),
    Case(
        "line ends of Windows",
        {
            "kustomization.yaml": b"namespace: team-a\r\nresources:\r\n- quota.yaml\r\n- web.yaml\r\n",
            "quota.yaml": quota().replace("\n", "\r\n").encode(),
            "web.yaml": web().replace("\n", "\r\n").encode(),
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
            "again.yaml": web(5),
        },
        (TWO,),
        ("kustomization.yaml:2:35 QL003 warning",),
    ),
    Case(
        "a base that is excluded from reading, or that git ignores, is still built on",
        {
            **BASE,
            ".git/HEAD": "ref: refs/heads/main\n",
            ".gitignore": "made/\n",
            ".quotalint.yaml": "exclude: [/base/]\n",
            "made/kustomization.yaml": "resources: [shop.yaml]\n",
            "made/shop.yaml": web(name="shop"),
            "live/kustomization.yaml": "namespace: team-a\nresources: [../base, ../made]\n",
        },
        ("team-a/base pods 4/8 exact",),
    ),
    Case(
        "test fixtures are excluded in one line",
        {
            **LIVE,
            ".quotalint.yaml": "exclude: [testdata/]\n",
            "pkg/testdata/web.yaml": web(name="fixture", namespace="team-a"),
            "pkg/testdata/broken.yaml": "apiVersion: v1\nkind: Pod\nmetadata: [\n",
        },
        (TWO,),
    ),
    Case(
        "two workloads of one Component in two teams",
        {
            "components/cache/kustomization.yaml": component("cache.yaml"),
            "components/cache/cache.yaml": web(name="cache", kind="StatefulSet"),
            "components/quota/kustomization.yaml": component("quota.yaml"),
            "components/quota/quota.yaml": quota(),
            **{
                f"teams/{team}/kustomization.yaml": f"namespace: team-{team}\n"
                "components: [../../components/quota, ../../components/cache]\n"
                for team in "ab"
            },
        },
        (TWO, "team-b/base pods 2/8 exact"),
    ),
    Case(
        "a Component that patches what its user brings",
        {
            **BASE,
            "more/kustomization.yaml": component() + "replicas: [{name: web, count: 7}]\n",
            "live/kustomization.yaml": TEAM_A + "components: [../more]\n",
        },
        ("team-a/base pods 7/8 exact",),
    ),
    Case(
        "a Component nobody uses is applied by nobody",
        {
            **LIVE,
            "sizes/kustomization.yaml": component("web.yaml"),
            "sizes/web.yaml": web(name="x", namespace="team-a"),
        },
        (TWO,),
    ),
]


OVERLAYS: Files = {
    ".git/HEAD": "ref: refs/heads/main\n",
    **BASE,
    "dev/kustomization.yaml": TEAM_A,
    "prod/kustomization.yaml": TEAM_A + "replicas: [{name: web, count: 9}]\n",
}


@pytest.mark.parametrize(
    ("within", "path", "quotas", "findings"),
    [
        pytest.param(
            ".",
            ".",
            ["dev: team-a/base pods 2/8 exact", "prod: team-a/base pods 9/8 exact"],
            ["base/quota.yaml:4:15 QL301 error in prod"],
            id="everything",
        ),
        pytest.param(".", "dev", [TWO], [], id="a folder"),
        pytest.param(".", "dev/kustomization.yaml", [TWO], [], id="a file"),
        pytest.param("dev", ".", [TWO], [], id="from within"),
        pytest.param(
            "prod",
            ".",
            ["team-a/base pods 9/8 exact"],
            ["../base/quota.yaml:4:15 QL301 error"],
            id="from within, what lies elsewhere",
        ),
        pytest.param("base", "../dev", [TWO], [], id="from elsewhere"),
    ],
)
def test_a_part_of_a_repository_is_rendered_with_what_it_builds_on(
    within: str, path: str, quotas: list[str], findings: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert outcome(tmp_path, OVERLAYS, monkeypatch, within=within, path=path) == Outcome(quotas, findings)


def test_findings_know_the_base_the_patch_and_the_overlay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "base/kustomization.yaml": "resources: [web.yaml]\n",
        "base/web.yaml": web(),
        "small/kustomization.yaml": component("quota.yaml"),
        "small/quota.yaml": quota(),
        "live/kustomization.yaml": "namespace: team-a\nresources: [../base]\ncomponents: [../small]\n"
        "patches: [{path: more.yaml}]\n",
        "live/more.yaml": PATCH.replace("3", "9"),
    }
    found = checked(tmp_path, files, monkeypatch).findings
    assert [
        (one.rule.id, f"{one.file}:{one.span.line}", [(also.label, also.file, also.span.line) for also in one.related])
        for one in found
    ] == [
        (
            "QL301",
            "small/quota.yaml:4",
            [("used by", "live/more.yaml", 4), ("base", "base/web.yaml", 1), ("through", "live/kustomization.yaml", 3)],
        )
    ]


def test_helm_charts_of_a_kustomization_are_rendered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files: Files = {
        "charts/shop/Chart.yaml": "{apiVersion: v2, name: shop, version: 1.0.0}\n",
        "charts/shop/values.yaml": "replicas: 2\n",
        "charts/shop/templates/web.yaml": web("{{ .Values.replicas }}", name="shop").encode(),
        "kustomization.yaml": f"namespace: team-a\n{LIST}"
        "helmCharts: [{name: shop, releaseName: shop, valuesInline: {replicas: 3}}]\n",
        **quota_and_web(),
    }
    assert outcome(tmp_path, files, monkeypatch, needed_helm()) == Outcome(["team-a/base pods 5/8 exact"], [])


@pytest.mark.parametrize("case", params([*POINTS, *GENERATED, *LEAVES, *TRAPS]))
def test_what_a_user_is_told(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)


def test_point_5_what_is_not_in_view_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = checked(tmp_path, {"quota.yaml": quota("team-a")}, monkeypatch)
    assert unknowns(result) == {"team-a/base pods": ("no workload of the namespace is in view",)}


def test_what_was_seen_and_not_counted_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files: Files = {
        **LIVE,
        **BASE,
        "shop/kustomization.yaml": "namespace: team-b\nresources: [../base]\n",
        "shop/left-over.yaml": web(name="left-over"),
        "chart/Chart.yaml": "{apiVersion: v2, name: chart, version: 1.0.0}\n",
        "chart/templates/web.yaml": "{{- if true }}\n" + web(name="chart") + "{{- end }}\n",
        "helmfile.yaml": "releases:\n{{- range .x }}\n- name: a\n{{- end }}\n",
        "secret.yaml": b"\0GITCRYPT\0\x8a\x03",
    }
    result = checked(tmp_path, files, monkeypatch)
    assert [one.name for one in result.environments[0].repository.skipped] == [
        "chart/Chart.yaml",
        "helmfile.yaml",
        "secret.yaml",
        "shop/left-over.yaml",
    ]


def test_a_symbolic_link_out_of_the_repository_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/web.yaml").write_text(web(replicas=7))
    files: Files = {
        ".git/HEAD": "ref: refs/heads/main\n",
        "live/kustomization.yaml": """\
            namespace: team-a
            resources: [quota.yaml, web.yaml, ../more, ../../outside/web.yaml]
            """,
        "live/quota.yaml": quota(),
        "live/web.yaml": Link("../../outside/web.yaml"),
        "more": Link("../outside"),
    }
    seen = outcome(tmp_path / "repository", files, monkeypatch)
    assert seen == Outcome(
        [NONE],
        [
            "live/kustomization.yaml:2:25 QL003 warning",
            "live/kustomization.yaml:2:35 QL003 warning",
            "live/kustomization.yaml:2:44 QL003 warning",
        ],
    )


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


@pytest.mark.parametrize(
    ("folder", "quotas", "findings"),
    [
        ("tests/fixtures", [TWO], ["tests/fixtures/bad.yaml:3:12 QL001 info"]),
        ("more", ["team-a/base pods 2/8 at-least"], ["more/bad.yaml:3:12 QL001 error"]),
    ],
)
def test_a_fixture_that_cannot_be_read_makes_nothing_unknown(
    folder: str, quotas: list[str], findings: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = {f"{folder}/bad.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {\n", f"{folder}/good.yaml": web(3)}
    found = outcome(tmp_path, {**LIVE, **bad}, monkeypatch)
    assert (found.quotas, found.findings) == (quotas, findings)
