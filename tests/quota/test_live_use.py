"""What a cluster says of itself: which release is there, and how much of a quota is charged."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from manifests import quota, web
from written_files import write

from quotalint.cli import run


def charged(namespace: str = "shop", used: str = "pods: '5'") -> str:
    return quota(namespace, hard='pods: "8"') + f"status: {{used: {{{used}}}}}\n"


def labelled(name: str, replicas: int, labels: str = "", annotations: str = "", namespace: str = "shop") -> str:
    """A Deployment of a snapshot."""
    metadata = f"name: {name}, namespace: {namespace}, labels: {{{labels}}}, annotations: {{{annotations}}}"
    return web(replicas, namespace, name).replace(f"name: {name}, namespace: {namespace}", metadata, 1)


def usage(
    files: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, *more: str
) -> tuple[list[str], list[str]]:
    """`resource steady used certainty` of each entry, and the findings of QL003."""
    write(folder, files)
    monkeypatch.chdir(folder / "repo" if (folder / "repo").is_dir() else folder)
    run(["check", "--format", "json", "--no-cache", *more])
    report = json.loads(capsys.readouterr().out)
    rows = [
        f"{row['resource']} {row['steady']} {row['used']} {row['certainty']}"
        for quota in report["quotas"]
        for row in quota["resources"]
    ]
    return rows, [finding["message"] for finding in report["findings"] if finding["rule"] == "QL003"]


@pytest.mark.parametrize(
    ("used", "row"),
    [
        ("pods: '5'", "pods 2 5 at-least"),
        ("pods: '2'", "pods 2 2 exact"),
        ("pods: '1'", "pods 2 1 exact"),
        ("requests.cpu: '1'", "pods 2 None exact"),
        ("pods: x", "pods 2 None exact"),
    ],
)
def test_what_is_charged_is_a_lower_bound(
    used: str, row: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    files = {"repo/quota.yaml": quota("shop"), "repo/web.yaml": web(2, "shop"), "live.yaml": charged(used=used)}
    assert usage(files, tmp_path, monkeypatch, capsys, "--with", "../live.yaml") == ([row], [])


def claim(name: str, gigabytes: int) -> str:
    head = f"apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{name: {name}, namespace: shop}}\n"
    return f"{head}spec: {{accessModes: [ReadWriteOnce], resources: {{requests: {{storage: {gigabytes}G}}}}}}\n---\n"


@pytest.mark.parametrize(
    ("gigabytes", "words"),
    [
        (
            80,
            "the change of PersistentVolumeClaim data will be refused: exceeded quota: base, requested: "
            "requests.storage=20G, used: requests.storage=90G, limited: requests.storage=100G",
        ),
        (70, ""),
    ],
)
@pytest.mark.parametrize("logs", ["", claim("logs", 30)])
def test_a_claim_that_the_cluster_has_asks_for_the_difference(
    gigabytes: int, words: str, logs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    files = {
        "repo/quota.yaml": quota("shop", hard="requests.storage: 100G"),
        "repo/claims.yaml": claim("data", gigabytes) + logs,
        "live.yaml": claim("data", 60) + claim("logs", 30),
    }
    write(tmp_path, files)
    monkeypatch.chdir(tmp_path / "repo")
    run(["check", "--no-cache", "--with", "../live.yaml"])
    text = " ".join(capsys.readouterr().out.split())
    assert (words in text, "refused" in text) == (True, bool(words))


SANDBOX = """apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: sandbox}
handler: sandbox
overhead: {podFixed: {cpu: 250m}}
---
"""


def sandboxed(name: str, overhead: str = "") -> str:
    head = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: shop}}\n"
    return f"{head}spec: {{runtimeClassName: sandbox, {overhead}containers: [{{name: a, image: a}}]}}\n---\n"


def test_a_pod_that_the_cluster_has_keeps_the_overhead_that_its_class_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """RuntimeClass looks at pods that are created, and at no others."""
    files = {
        "repo/quota.yaml": SANDBOX + quota("shop", hard="pods: 1"),
        "repo/pod.yaml": sandboxed("web"),
        "live.yaml": sandboxed("old", "overhead: {cpu: 100m}, "),
    }
    write(tmp_path, files)
    monkeypatch.chdir(tmp_path / "repo")
    run(["check", "--no-cache", "--with", "../live.yaml"])
    text = " ".join(capsys.readouterr().out.split())
    assert "Pod web will be refused: exceeded quota: base, requested: pods=1, used: pods=1" in text


def test_an_exported_manifest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    files = {"quota.yaml": charged(), "web.yaml": web(2, "shop")}
    assert usage(files, tmp_path, monkeypatch, capsys) == (["pods 2 5 at-least"], [])


def test_from_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(charged().encode())))
    assert usage({}, tmp_path, monkeypatch, capsys, "-") == (["pods 5 5 at-least"], [])


def test_the_table_for_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    write(tmp_path, {"quota.yaml": charged(), "web.yaml": web(2, "shop")})
    monkeypatch.chdir(tmp_path)
    assert run(["usage"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "  RESOURCE  STEADY           CHARGED  HARD          SURGE  PEAK",
        "  pods         ≥ 2  5 (40 % in view)     8    25 %    ≥ 3   ≥ 3",
        "  used by  Deployment web  2 to 3 pods  room for at most 6 more, 4 with a rollout  web.yaml:1",
        "  not seen  the cluster charges 5 of pods; 2 is in view",
    ]
    assert run(["usage", "--format", "markdown"]) == 0
    assert "| 5 (40 % in view) |" in capsys.readouterr().out
    assert run(["usage", "--format", "html"]) == 0
    assert ">charged</th>" in capsys.readouterr().out


def release(spec: str = "", name: str = "cache") -> str:
    return (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
        f"metadata: {{name: {name}, namespace: shop}}\nspec:\n"
        f"  chart: {{spec: {{chart: redis, sourceRef: {{kind: HelmRepository, name: bitnami}}}}}}\n{spec}"
    )


APPLICATION = (
    "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: cache, namespace: argocd}\n"
    "spec:\n  source: {repoURL: 'https://charts.example.com', chart: redis}\n  destination: {namespace: shop}\n"
)
ELSEWHERE = (
    "apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: x, namespace: shop}\n---\n"
    "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: cache, namespace: shop}\n"
    "spec: {path: ./x, sourceRef: {kind: OCIRepository, name: x}, targetNamespace: shop}\n"
)
APPLIED = "kustomize.toolkit.fluxcd.io/"
HELM = "meta.helm.sh/release-name: {}, meta.helm.sh/release-namespace: {}"


@pytest.mark.parametrize(
    ("deployer", "labels", "annotations", "certainty"),
    [
        (release(), "helm.toolkit.fluxcd.io/name: cache, helm.toolkit.fluxcd.io/namespace: shop", "", "exact"),
        (release(), "", HELM.format("cache", "shop"), "exact"),
        (release("  releaseName: red\n"), "", HELM.format("red", "shop"), "exact"),
        (release("  releaseName: red\n"), "", HELM.format("cache", "shop"), "at-least"),
        (release(), "", HELM.format("cache", "other"), "at-least"),
        (release(), "helm.toolkit.fluxcd.io/name: cache, helm.toolkit.fluxcd.io/namespace: b", "", "at-least"),
        (release(), "app: cache", "", "at-least"),
        (APPLICATION, "", "argocd.argoproj.io/tracking-id: 'cache:apps/Deployment:shop/redis'", "exact"),
        (APPLICATION, "", "argocd.argoproj.io/tracking-id: 'argocd_cache:apps/Deployment:shop/redis'", "exact"),
        (APPLICATION, "app.kubernetes.io/instance: cache", "", "exact"),
        (APPLICATION, "app.kubernetes.io/instance: other", "", "at-least"),
        (ELSEWHERE, f"{APPLIED}name: cache, {APPLIED}namespace: shop", "", "exact"),
    ],
)
def test_a_release_that_a_snapshot_shows(
    deployer: str,
    labels: str,
    annotations: str,
    certainty: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Any,
) -> None:
    files = {
        "repo/quota.yaml": quota("shop"),
        "repo/web.yaml": web(2, "shop"),
        "repo/cache.yaml": deployer,
        "live.yaml": labelled("redis", 3, labels, annotations),
    }
    rows, missing = usage(files, tmp_path, monkeypatch, capsys, "--with", "../live.yaml")
    assert rows == [f"pods 5 None {certainty}"]
    assert bool(missing) == (certainty != "exact")


def test_a_snapshot_of_quotas_alone_shows_no_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    limits = "apiVersion: v1\nkind: ResourceQuota\nmetadata:\n  name: of-chart\n  namespace: shop\n"
    files = {
        "repo/quota.yaml": quota("shop"),
        "repo/web.yaml": web(2, "shop"),
        "repo/cache.yaml": release(),
        "live.yaml": f"{limits}  annotations: {{{HELM.format('cache', 'shop')}}}\nspec: {{hard: {{}}}}\n",
    }
    rows, missing = usage(files, tmp_path, monkeypatch, capsys, "--with", "../live.yaml")
    assert rows == ["pods 2 None at-least"]
    assert len(missing) == 1


def test_variables_out_of_view_are_what_they_are_in_the_cluster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    build = "postBuild: {substituteFrom: [{kind: Secret, name: sizes}]}"
    files = {
        "repo/flux.yaml": (
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux}\n"
            f"spec: {{path: ./apps, sourceRef: {{kind: GitRepository, name: x}}, {build}}}\n"
        ),
        "repo/apps/quota.yaml": quota("shop"),
        "repo/apps/web.yaml": web("${SIZE}", "shop"),
        "live.yaml": labelled("web", 4, f"{APPLIED}name: apps, {APPLIED}namespace: flux"),
    }
    rows, _ = usage(files, tmp_path, monkeypatch, capsys, "--with", "../live.yaml")
    assert rows == ["pods 4 None exact"]


def test_a_challenge_alone_says_nothing_of_a_namespace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    issued = (
        "---\napiVersion: cert-manager.io/v1\nkind: Issuer\nmetadata: {name: ca, namespace: shop}\n"
        "spec: {acme: {solvers: [{http01: {ingress: {}}}]}}\n---\napiVersion: cert-manager.io/v1\nkind: Certificate\n"
        "metadata: {name: web, namespace: shop}\nspec: {dnsNames: [a.example.org], issuerRef: {name: ca}}\n"
    )
    rows, _ = usage({"q.yaml": quota("shop") + issued}, tmp_path, monkeypatch, capsys)
    assert rows == ["pods 0 None unknown"]
