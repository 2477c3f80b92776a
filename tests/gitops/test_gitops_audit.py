"""How real GitOps repositories look: whatever a file is like, it is the same by every way it is applied on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from deployer_objects import argo_application, flux_kustomization
from gitops_outcome import Case, Files, Link, Outcome, checked, expected, outcome, params, quota, quota_and_web, web

NONE = "team-a/base pods ?/8 unknown"
TWO = "team-a/base pods 2/8 exact"


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def by_plain_files(name: str, content: str | bytes | Link) -> Files:
    return {f"apps/{name}": content}


def by_kustomize(name: str, content: str | bytes | Link) -> Files:
    text = f"resources: [quota.yaml, web.yaml, {name}]\n"
    return {f"apps/{name}": content, "apps/kustomization.yaml": text}


def by_flux(name: str, content: str | bytes | Link) -> Files:
    return {f"apps/{name}": content, "flux/apps.yaml": flux_kustomization("./apps")}


def by_flux_with_a_namespace(name: str, content: str | bytes | Link) -> Files:
    return {f"apps/{name}": content, "flux/apps.yaml": flux_kustomization("./apps", "targetNamespace: team-a")}


def by_argo_cd(name: str, content: str | bytes | Link) -> Files:
    return {f"apps/{name}": content, "argocd/apps.yaml": argo_application("apps")}


Way = Callable[[str, "str | bytes | Link"], Files]
WAYS: list[Way] = [by_plain_files, by_kustomize, by_flux, by_flux_with_a_namespace, by_argo_cd]
BESIDE = {
    "apps/quota.yaml": quota("team-a", hard="pods: 8, count/configmaps: 8, count/secrets: 8, requests.cpu: 8"),
    "apps/web.yaml": web(namespace="team-a", cpu="100m"),
}
CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: team-a}\ndata: {a: b}\n"
LIST = """\
apiVersion: v1
kind: List
metadata: {resourceVersion: ""}
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: team-a}, data: {a: b}}
- apiVersion: v1
  kind: List
  items: [{apiVersion: v1, kind: Secret, metadata: {name: x, namespace: team-a}}]
"""
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: x, namespace: team-a}\n"
SHOP = web(1, "team-a", "shop", cpu="100m")

FORMS: dict[str, tuple[str | bytes, tuple[int, int, int, str]]] = {
    # A file beside a quota and two pods, and what they come to: ConfigMaps, Secrets, pods and CPU. One ConfigMap is in
    # every namespace.
    "a byte order mark": (b"\xef\xbb\xbf" + CONFIG_MAP.encode(), (2, 0, 2, "200m")),
    "line ends of Windows": (CONFIG_MAP.replace("\n", "\r\n").encode(), (2, 0, 2, "200m")),
    "a whole document indented": (indented(CONFIG_MAP).encode(), (2, 0, 2, "200m")),
    "an anchor given twice": (CONFIG_MAP.replace("{a: b}", "{a: &a b, c: *a, d: &a e, f: *a}"), (2, 0, 2, "200m")),
    "a plain `=`": (CONFIG_MAP.replace("{a: b}", "{operator: =}"), (2, 0, 2, "200m")),
    "annotations that are null": (
        SHOP.replace("namespace: team-a}", "namespace: team-a, annotations: null, labels: }", 1),
        (1, 0, 3, "300m"),
    ),
    "kind: List": (LIST, (2, 1, 2, "200m")),
    "an empty document first": ("---\n# nothing\n---\n" + CONFIG_MAP + "---\n", (2, 0, 2, "200m")),
    "an exported object with its status": (
        SHOP.replace("namespace: team-a}", "namespace: team-a, uid: u, resourceVersion: '7', managedFields: [{}]}", 1)
        + "status: {replicas: 9, readyReplicas: 9}\n",
        (1, 0, 3, "300m"),
    ),
    "a Secret of SOPS": (
        SECRET + "stringData: {a: 'ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]'}\nsops: {version: 3.7.1}\n",
        (1, 1, 2, "200m"),
    ),
    "JSON in a file called YAML": (
        '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "namespace": "team-a"}}\n',
        (2, 0, 2, "200m"),
    ),
    "an OpenShift Template": (
        "apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {name: x, namespace: team-a}\n"
        "objects: [{apiVersion: v1, kind: ConfigMap, metadata: {name: y, namespace: team-a}}]\n",
        (1, 0, 2, "200m"),
    ),
    "a ConfigMap with a manifest in it": (
        CONFIG_MAP.replace("{a: b}", "{a.yaml: '{apiVersion: v1, kind: Secret, metadata: {name: y}}'}"),
        (2, 0, 2, "200m"),
    ),
}


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__.replace("_", "-"))
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.replace(" ", "-"))
def test_a_form_is_the_same_by_every_way(form: str, way: Way, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content, (config_maps, secrets, pods, cpu) = FORMS[form]
    quotas = [
        f"team-a/base count/configmaps {config_maps}/8 exact",
        f"team-a/base count/secrets {secrets}/8 exact",
        f"team-a/base pods {pods}/8 exact",
        f"team-a/base requests.cpu {cpu}/8 exact",
    ]
    assert outcome(tmp_path, {**BESIDE, **way("other.yaml", content)}, monkeypatch) == Outcome(quotas, [])


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__.replace("_", "-"))
@pytest.mark.parametrize("text", ["${CPU}", "$(cpu)", "{{ .Values.cpu }}"])
def test_a_placeholder_is_unknown_by_every_way(
    text: str, way: Way, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {**BESIDE, **way("other.yaml", web(1, "team-a", "shop", cpu=f"'{text}'"))}
    quotas = [one for one in outcome(tmp_path, files, monkeypatch).quotas if "cpu" in one or "pods" in one]
    assert quotas == ["team-a/base pods 3/8 exact", "team-a/base requests.cpu 200m/8 at-least"]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__.replace("_", "-"))
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"\0GITCRYPT\0\x8a\x03\xff\xfe\x00\x9c", id="git-crypt"),
        pytest.param(b"apiVersion: v1\nkind: Pod\nmetadata: {name: a\0}\n", id="NUL"),
        pytest.param(web().encode("utf-16"), id="UTF-16"),
        pytest.param("apiVersion: v1\nkind: Pod\nmetadata: [\n", id="broken"),
    ],
)
def test_what_cannot_be_read_is_a_doubt_by_every_way(
    content: str | bytes, way: Way, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = outcome(tmp_path, {**BESIDE, **way("other.yaml", content)}, monkeypatch)
    assert [one for one in found.quotas if "pods" in one] == ["team-a/base pods 2/8 at-least"]


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
        ("team-a/base count/secrets 1/8 exact", TWO),
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


ACCEPTED = {
    "limits.nvidia.com/gpu": "QL201",
    "nvidia.com/gpu": "QL201",
    "limit.nvidia.com/gpu": "QL201",
    "kro.run/resourcegroups": "QL201",
    "count/jobs": "QL202",
    "count/cronjobs": "QL202",
    "count/routes": "QL202",
    "count/deployments": "QL202",
    "count/deploymentconfigs.apps": "QL202",
    "count/ingresses.extensions": "QL202",
}
REJECTED = (
    "request.cpu",
    "requests.cpuu",
    "limits.storage",
    "deployments.apps",
    "services.loadbalancer",
    "count/nvidia.com/gpu",
    "memory.limit",
)


@pytest.mark.parametrize(
    ("hard", "rules"),
    [
        *(pytest.param(f"{name}: 1", [rule], id=name) for name, rule in ACCEPTED.items()),
        *(pytest.param(f"{name}: 1", ["QL102"], id=name) for name in REJECTED),
        pytest.param("memory: 4Gb", ["QL103"], id="4Gb"),
        pytest.param("requests.nvidia.com/gpu: 1, limits.nvidia.com/gpu: 1", ["QL201"], id="both-of-a-GPU"),
        pytest.param("requests.nvidia.com/gpu: 1, count/jobs.batch: 1", [], id="nothing-wrong"),
    ],
)
def test_a_mistake_is_told_once(hard: str, rules: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = checked(tmp_path, {"quota.yaml": quota("team-a", hard=hard)}, monkeypatch).findings
    assert [one.rule.id for one in found if one.rule.id < "QL3"] == rules
