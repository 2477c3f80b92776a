"""How real GitOps repositories look: every design point, from files to findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from deployer_objects import argo_application, flux_kustomization, helm_release
from gitops_outcome import NONE, TWO, Case, Outcome, checked, expected, outcome, params, unknowns
from manifests import LIST, quota, quota_and_web, web
from team_a_repositories import BASE, LIVE, PATCH, TEAM_A, component


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
            "flux.yaml": flux_kustomization("./apps", "targetNamespace: team-a"),
        },
        (TWO,),
    ),
    Case(
        "7: the destination of Argo CD",
        {
            **quota_and_web("apps"),
            "argo.yaml": argo_application(source="repoURL: 'https://example.com/x.git', path: apps"),
        },
        (TWO,),
    ),
    Case(
        "9: a remote chart makes its namespace unknown and no other",
        {
            **LIVE,
            "live/other.yaml": quota("team-b"),
            "live/release.yaml": helm_release(
                "podinfo", "chart: {spec: {chart: podinfo, sourceRef: {kind: HelmRepository, name: podinfo}}}", "team-b"
            ),
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
        (TWO.replace("exact", "assumed"),),
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


def test_point_5_what_is_not_in_view_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = checked(tmp_path, {"quota.yaml": quota("team-a")}, monkeypatch)
    assert unknowns(result) == {"team-a/base pods": ("no workload of the namespace is in view",)}


@pytest.mark.parametrize("case", params([*POINTS, *GENERATED]))
def test_what_is_told_of_each_point(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
