"""How real GitOps repositories look: whatever a file is like, it is the same by every way it is applied on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from deployer_objects import argo_application, flux_kustomization
from gitops_outcome import Outcome, checked, outcome
from manifests import quota, web
from written_files import Files, Link


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
    quotas = [quota for quota in outcome(tmp_path, files, monkeypatch).quotas if "cpu" in quota or "pods" in quota]
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
    actual_outcome = outcome(tmp_path, {**BESIDE, **way("other.yaml", content)}, monkeypatch)
    assert [quota for quota in actual_outcome.quotas if "pods" in quota] == ["team-a/base pods 2/8 at-least"]


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
    findings = checked(tmp_path, {"quota.yaml": quota("team-a", hard=hard)}, monkeypatch).findings
    assert [finding.rule.id for finding in findings if finding.rule.id < "QL3"] == rules
