"""A repair goes to where a value is written: base, patch or Component; what is no text of the repository is left."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from written_files import write_as_is

from quotalint.cli import run

BASE = """\
apiVersion: v1
kind: ResourceQuota
metadata:
  name: base
spec:
  hard:
    pods: 10
    nvidia.com/gpu: 1
"""
KUSTOMIZATION = "resources: [quota.yaml]\n"
OVERLAY = "namespace: %s\nresources: [../../base]\n"


def patch(text: str, target: str = "") -> str:
    indented = "".join(f"    {line}\n" for line in text.splitlines())
    return f"patches:\n- {target}patch: |-\n{indented}"


FILES = {
    "base/kustomization.yaml": KUSTOMIZATION,
    "base/quota.yaml": BASE,
    "overlays/a/kustomization.yaml": OVERLAY % "team-a",
}
PATCH = (
    "# the cards of a\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: base}\nspec: {hard: {nvidia.com/gpu: 4}}\n"
)
COMPONENT = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{path: gpu.yaml}]\n"
JSON_PATCH = "- {op: replace, path: /spec/hard/nvidia.com~1gpu, value: 4}\n"
TARGET = "target: {kind: ResourceQuota}\n  "


def fixed(text: str) -> str:
    return re.sub(r"(?<=[ {])nvidia\.com/gpu", "requests.nvidia.com/gpu", text)


def with_(**files: str) -> dict[str, str]:
    return {**FILES, **files}


CASES: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "base": (FILES, ("base/quota.yaml",)),
    "base of two overlays": (
        with_(**{"overlays/b/kustomization.yaml": OVERLAY % "team-b"}),
        ("base/quota.yaml",),
    ),
    "base and patch": (
        with_(
            **{
                "overlays/a/kustomization.yaml": OVERLAY % "team-a" + "patches: [{path: gpu.yaml}]\n",
                "overlays/a/gpu.yaml": PATCH,
            }
        ),
        ("base/quota.yaml", "overlays/a/gpu.yaml"),
    ),
    "base and component": (
        with_(
            **{
                "overlays/a/kustomization.yaml": OVERLAY % "team-a" + "components: [../../gpu]\n",
                "gpu/kustomization.yaml": COMPONENT,
                "gpu/gpu.yaml": PATCH,
            }
        ),
        ("base/quota.yaml", "gpu/gpu.yaml"),
    ),
    "patch alone": (
        with_(
            **{
                "base/quota.yaml": BASE.replace("    nvidia.com/gpu: 1\n", ""),
                "overlays/a/kustomization.yaml": OVERLAY % "team-a" + "patches: [{path: gpu.yaml}]\n",
                "overlays/a/gpu.yaml": PATCH,
            }
        ),
        ("overlays/a/gpu.yaml",),
    ),
    "patch in a string": (
        with_(**{"overlays/a/kustomization.yaml": OVERLAY % "team-a" + patch(PATCH)}),
        (),
    ),
    "patch of JSON": (
        with_(**{"overlays/a/kustomization.yaml": OVERLAY % "team-a" + patch(JSON_PATCH, TARGET)}),
        (),
    ),
    "patch of JSON, and an overlay without it": (
        with_(
            **{
                "overlays/a/kustomization.yaml": OVERLAY % "team-a" + patch(JSON_PATCH, TARGET),
                "overlays/b/kustomization.yaml": OVERLAY % "team-b",
            }
        ),
        (),
    ),
    "an overlay takes it away": (
        with_(
            **{
                "overlays/a/kustomization.yaml": OVERLAY % "team-a" + "patches: [{path: gpu.yaml}]\n",
                "overlays/a/gpu.yaml": PATCH.replace("gpu: 4", "gpu: null"),
                "overlays/b/kustomization.yaml": OVERLAY % "team-b",
            }
        ),
        ("base/quota.yaml", "overlays/a/gpu.yaml"),
    ),
    "an overlay takes it away in a string": (
        with_(
            **{
                "overlays/a/kustomization.yaml": OVERLAY % "team-a" + patch(PATCH.replace("gpu: 4", "gpu: null")),
                "overlays/b/kustomization.yaml": OVERLAY % "team-b",
            }
        ),
        (),
    ),
    "an overlay takes it away with a patch of JSON": (
        with_(
            **{
                "overlays/a/kustomization.yaml": OVERLAY % "team-a"
                + "patches: [{path: gpu.yaml, target: {kind: ResourceQuota}}]\n",
                "overlays/a/gpu.yaml": "- {op: remove, path: /spec/hard/nvidia.com~1gpu}\n",
                "overlays/b/kustomization.yaml": OVERLAY % "team-b",
            }
        ),
        (),
    ),
    "an overlay takes all of it away with a patch of JSON": (
        with_(
            **{
                "overlays/a/kustomization.yaml": OVERLAY % "team-a"
                + "patches: [{path: gpu.yaml, target: {kind: ResourceQuota}}]\n",
                "overlays/a/gpu.yaml": "- {op: replace, path: /spec/hard, value: {pods: 1}}\n",
                "overlays/b/kustomization.yaml": OVERLAY % "team-b",
            }
        ),
        ("base/quota.yaml",),
    ),
    "an overlay that has repaired it itself": (
        with_(
            **{
                "overlays/a/kustomization.yaml": OVERLAY % "team-a" + "patches: [{path: gpu.yaml}]\n",
                "overlays/a/gpu.yaml": PATCH.replace("gpu: 4", "gpu: null, requests.nvidia.com/gpu: 4"),
                "overlays/b/kustomization.yaml": OVERLAY % "team-b",
            }
        ),
        (),
    ),
    "an overlay that would take the right one away": (
        with_(
            **{
                "overlays/a/kustomization.yaml": OVERLAY % "team-a" + "patches: [{path: gpu.yaml}]\n",
                "overlays/a/gpu.yaml": PATCH.replace("{nvidia.com/gpu: 4", "{requests.nvidia.com/gpu: null"),
            }
        ),
        (),
    ),
    "a patch of JSON about the right one": (
        with_(
            **{
                "overlays/a/kustomization.yaml": OVERLAY % "team-a"
                + "patches: [{path: gpu.yaml, target: {kind: ResourceQuota}}]\n",
                "overlays/a/gpu.yaml": "- {op: add, path: /spec/hard/requests.nvidia.com~1gpu, value: 2}\n"
                "- {op: remove, path: /spec/hard/requests.nvidia.com~1gpu}\n",
            }
        ),
        (),
    ),
    "an overlay that has the right one as well": (
        with_(
            **{
                "overlays/a/kustomization.yaml": OVERLAY % "team-a" + "patches: [{path: gpu.yaml}]\n",
                "overlays/a/gpu.yaml": PATCH.replace("{nvidia.com/gpu: 4", "{requests.nvidia.com/gpu: 1"),
                "overlays/b/kustomization.yaml": OVERLAY % "team-b",
            }
        ),
        ("base/quota.yaml",),
    ),
    "an overlay of which nobody wants to hear": (
        with_(
            **{
                "overlays/a/kustomization.yaml": OVERLAY % "team-a" + "patches: [{path: gpu.yaml}]\n",
                "overlays/a/gpu.yaml": PATCH.rstrip() + " # quotalint: ignore[QL201] HAMi\n",
                "overlays/b/kustomization.yaml": OVERLAY % "team-b",
            }
        ),
        (),
    ),
    "file of a JSON patch": (
        with_(
            **{
                "overlays/a/kustomization.yaml": OVERLAY % "team-a"
                + "patches: [{path: gpu.yaml, target: {kind: ResourceQuota}}]\n",
                "overlays/a/gpu.yaml": JSON_PATCH,
            }
        ),
        (),
    ),
}


@pytest.mark.parametrize(("files", "changed"), CASES.values(), ids=CASES)
def test_where_a_name_is_repaired(
    files: dict[str, str], changed: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(files, tmp_path)
    monkeypatch.chdir(tmp_path)
    run(["check", "--fix", "--select", "QL201"])
    once = {name: (tmp_path / name).read_text() for name in files}
    status = run(["check", "--select", "QL201"])
    expected = {name: fixed(text) if name in changed else text for name, text in files.items()}
    assert (once, status) == (expected, 0 if changed else 1)


WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 20
  strategy: {type: Recreate}
  template:
    spec: {containers: [{name: a, image: b}]}
"""
AMOUNTS: dict[str, tuple[str, str, str]] = {
    "an overlay's patch of JSON": (
        "overlays/a/pods.yaml",
        "# more\n- op: replace\n  path: /spec/hard/pods\n  value: 15  # enough\n",
        "# more\n- op: replace\n  path: /spec/hard/pods\n  value: 20  # enough\n",
    ),
    "an overlay's patch": (
        "overlays/a/pods.yaml",
        'apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: base}\nspec: {hard: {"pods": "15"}} # enough\n',
        'apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: base}\nspec: {hard: {"pods": "20"}} # enough\n',
    ),
    "the base": ("base/quota.yaml", BASE, BASE.replace("pods: 10", "pods: 20")),
}


@pytest.mark.parametrize(("name", "before", "after"), AMOUNTS.values(), ids=AMOUNTS)
def test_where_an_amount_is_raised(
    name: str, before: str, after: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patches = "patches: [{path: pods.yaml, target: {kind: ResourceQuota}}]\n" if name.startswith("overlays") else ""
    files = with_(
        **{
            "base/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n",
            "base/web.yaml": WEB,
            "overlays/a/kustomization.yaml": OVERLAY % "team-a" + patches,
            name: before,
        }
    )
    written(files, tmp_path)
    monkeypatch.chdir(tmp_path)
    run(["check", "--unsafe-fixes", "--select", "QL301"])
    assert {file: (tmp_path / file).read_text() for file in files} == {**files, name: after}


def test_what_flux_substitutes_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "flux.yaml": (
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a, namespace: flux}\n"
            "spec:\n  path: ./apps\n  targetNamespace: team-a\n"
            "  postBuild: {substitute: {pods: '10', gpu: nvidia.com/gpu}}\n"
        ),
        "apps/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n",
        "apps/quota.yaml": BASE.replace("pods: 10", "pods: ${pods}").replace("nvidia.com/gpu", "${gpu}"),
        "apps/web.yaml": WEB,
    }
    written(files, tmp_path)
    monkeypatch.chdir(tmp_path)
    status = run(["check", "--unsafe-fixes", "--select", "QL201,QL301"])
    left = capsys.readouterr().err.count("the file does not say it in these words")
    assert (status, left, {file: (tmp_path / file).read_text() for file in files}) == (1, 2, files)


def written(files: dict[str, str], folder: Path) -> None:
    (folder / ".git").mkdir()
    write_as_is(folder, files)
