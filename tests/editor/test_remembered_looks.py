"""Whatever is typed, an editor is told what a first look at the same texts would tell it."""

from __future__ import annotations

import os
import random
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from shown_looks import NAMESPACE, QUOTA, WEB, check_edits, check_look, texts
from written_files import write_as_is

from quotalint.editor.looking import Workspace

HERE = Path(__file__).parent
REPOSITORIES = sorted(HERE.parent.glob("golden/*/repo"))
VIEWS = sorted(path for path in HERE.parent.glob("cases/views/*/repo") if path.is_dir())

_NUMBER = re.compile(rb"\d+")
_WORD = re.compile(rb"[a-z]{3,}")


def edited(data: bytes, chance: random.Random) -> bytes:
    """A text in which somebody typed something: mostly a number, sometimes anything."""
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    kind = chance.randrange(10)
    if kind < 5:
        numbers = list(_NUMBER.finditer(data))
        if numbers:
            item = chance.choice(numbers)
            return data[: item.start()] + chance.choice((b"0", b"1", b"7", b"4000", b"1000000")) + data[item.end() :]
    if kind == 5:
        words = list(_WORD.finditer(data))
        if words:
            item, other = chance.choice(words), chance.choice(words)
            return data[: item.start()] + other.group() + data[item.end() :]
    if kind == 6:
        del lines[at]
    elif kind == 7:
        lines.insert(at, lines[chance.randrange(len(lines))])
    elif kind == 8:
        return data + b"\n---\n" + data
    else:
        lines.insert(at, chance.choice((b"# typed", b"", b"  ", b"- {", b"quotalint: x")))
    return b"\n".join(lines)


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The working directory is put back."""
    before = Path.cwd()
    yield
    monkeypatch.chdir(before)


@pytest.mark.parametrize("repository", [*REPOSITORIES, *VIEWS], ids=lambda path: path.parent.name)
def test_typing_is_told_as_a_first_look_would(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_home: None
) -> None:
    top = tmp_path / "repo"
    shutil.copytree(repository, top, symlinks=True)
    monkeypatch.chdir(top)
    chance = random.Random(repository.parent.name)
    files = texts(top)
    if not files:
        pytest.skip("there is nothing to type in")
    long = Workspace(".")
    long.look()
    for step in range(2):
        path = chance.choice(files)
        real = os.path.realpath(path)
        data = long.buffers.get(real, path.read_bytes())
        long.buffers[real] = edited(data if chance.randrange(4) else path.read_bytes(), chance)
        typed_alone = chance.randrange(5) != 0
        if not typed_alone:
            path.write_bytes(long.buffers.pop(real))
        check_look(long, {real} if typed_alone else (), f"step {step}: {path.relative_to(top)}")


_LIMITING = re.compile(rb"ResourceQuota|LimitRange|ustomization|Component")
_LAYOUT = ("commonLabels: {typed: here}", "namePrefix: typed-", "namespace: typed", "resources: []", "components: []")


def limiting_edit(data: bytes, chance: random.Random) -> bytes:
    """A text of a quota, a component or a kustomization in which somebody changed an amount or what it does."""
    numbers = list(re.finditer(rb"(?<=: )[\"']?\d+", data))
    if numbers and chance.randrange(3):
        item = chance.choice(numbers)
        return data[: item.start()] + chance.choice((b"0", b"3", b"9000")) + data[item.end() :]
    return data + b"\n" + chance.choice(_LAYOUT).encode() + b"\n"


@pytest.mark.parametrize("repository", [*REPOSITORIES, *VIEWS], ids=lambda path: path.parent.name)
def test_quotas_and_kustomizations_are_told_as_a_first_look_would(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_home: None
) -> None:
    top = tmp_path / "repo"
    shutil.copytree(repository, top, symlinks=True)
    monkeypatch.chdir(top)
    files = [
        path for path in texts(top) if re.search(rb"ResourceQuota|LimitRange|ustomiz|Component", path.read_bytes())
    ]
    if not files:
        pytest.skip("there is nothing that limits or puts together")
    chance = random.Random(repository.parent.name)
    long = Workspace(".")
    long.look()
    for step in range(2):
        path = chance.choice(files)
        real = os.path.realpath(path)
        long.buffers[real] = limiting_edit(path.read_bytes(), chance)
        check_look(long, {real}, f"step {step}: {path.relative_to(top)}")


OVERLAY = "resources: [../../base]\n"
BASE = {
    "base/kustomization.yaml": "resources: [web.yaml, quota.yaml]\n",
    "base/web.yaml": WEB,
    "base/quota.yaml": QUOTA,
}
STAGES = {
    **BASE,
    "overlays/dev/kustomization.yaml": OVERLAY,
    "overlays/prod/kustomization.yaml": OVERLAY + "replicas: [{name: web, count: 2}]\n",
}
PATCH = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec: {replicas: 2}\n"
FLUX = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: shop, namespace: flux-system}
spec:
  path: ./base
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild: {substitute: {CPU: 100m}}
"""
APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  source: {path: base}
  destination: {namespace: shop}
"""
CHART = {
    "chart/Chart.yaml": "apiVersion: v2\nname: chart\nversion: 1.0.0\n",
    "chart/templates/web.yaml": WEB,
    "base/kustomization.yaml": "helmGlobals: {chartHome: ..}\nhelmCharts: [{name: chart}]\nresources: [quota.yaml]\n",
    "base/quota.yaml": QUOTA,
    "more/quota.yaml": QUOTA.replace("shop", "more"),
}
Edits = tuple[tuple[str, str, str], ...]
QUIET_LOOKING: dict[str, tuple[Mapping[str, str], Edits]] = {
    "a request in a base of two stages": (
        STAGES,
        (("base/web.yaml", "100m", "300m"), ("base/web.yaml", "100m", "90m")),
    ),
    "a limit in a base of two stages": (STAGES, (("base/quota.yaml", "250m", "90m"), ("base/quota.yaml", "250m", "2"))),
    "replicas that a kustomization gives": (
        STAGES,
        (("overlays/prod/kustomization.yaml", "count: 2", "count: 3"), ("base/web.yaml", "100m", "90m")),
    ),
    "the name of what a kustomization gives replicas": (
        STAGES,
        (("overlays/prod/kustomization.yaml", "name: web", "name: wed"),),
    ),
    "a namespace that a kustomization gives": (
        {**STAGES, "overlays/dev/kustomization.yaml": OVERLAY + "namespace: shop\n"},
        (("overlays/dev/kustomization.yaml", "namespace: shop", "namespace: shoq"), ("base/web.yaml", "100m", "300m")),
    ),
    "a patch": (
        {
            **STAGES,
            "overlays/dev/kustomization.yaml": OVERLAY + "patches: [{path: p.yaml}]\n",
            "overlays/dev/p.yaml": PATCH,
        },
        (("overlays/dev/p.yaml", "replicas: 2", "replicas: 3"), ("overlays/dev/p.yaml", "name: web", "name: wed")),
    ),
    "a patch that takes the pod away": (
        {
            **STAGES,
            "overlays/dev/kustomization.yaml": OVERLAY + "patches: [{path: p.yaml}]\n",
            "overlays/dev/p.yaml": PATCH,
        },
        (
            ("overlays/dev/p.yaml", "replicas: 2", "template: null"),
            ("overlays/dev/p.yaml", "replicas: 2", "replicas: 4"),
        ),
    ),
    "what Flux fills in, and not in another place": (
        {**BASE, "flux/shop.yaml": FLUX, "base/web.yaml": WEB.replace("100m", "${CPU}")},
        (("base/web.yaml", "${CPU}", "300m"), ("base/quota.yaml", "250m", "90m"), ("flux/shop.yaml", "100m", "400m")),
    ),
    "a comment by which Argo CD passes over a file": (
        {"apps/shop.yaml": APPLICATION, "base/web.yaml": WEB, "base/quota.yaml": QUOTA},
        (
            ("base/web.yaml", "spec:\n  selector", "# +argocd:skip-file-rendering\nspec:\n  selector"),
            ("base/quota.yaml", "250m", "90m"),
        ),
    ),
    "a comment, and a text in place of a number": (
        STAGES,
        (
            ("base/quota.yaml", "250m", "1"),
            ("base/quota.yaml", "250m", "'1'"),
            ("base/web.yaml", "kind", "# typed\nkind"),
        ),
    ),
    "a hook": (
        {**BASE, "apps/shop.yaml": APPLICATION},
        (("base/web.yaml", "{name: web, ", "{annotations: {argocd.argoproj.io/hook: Skip}, name: web, "),),
    ),
    "labels of a plain Namespace, and its name": (
        {**BASE, "plain/namespace.yaml": NAMESPACE, "plain/quota.yaml": QUOTA},
        (
            ("plain/namespace.yaml", "{name: shop}", "{name: shop, labels: {typed: here}}"),
            ("plain/namespace.yaml", "{name: shop}", "{name: shop, labels: [typed]}"),
            ("plain/namespace.yaml", "{name: shop}", "{name: other, labels: {typed: here}}"),
        ),
    ),
    "labels that a base gives": (
        STAGES,
        (
            ("base/kustomization.yaml", "resources:", "commonLabels: {typed: here}\nresources:"),
            ("base/kustomization.yaml", "resources:", "commonLabels: {typed: there}\nresources:"),
            ("base/web.yaml", "100m", "300m"),
            ("base/web.yaml", "metadata: {", "metadata: {labels: {typed: here}, "),
        ),
    ),
    "a label by which Flux leaves what it fills in": (
        {
            **BASE,
            "flux/shop.yaml": FLUX,
            "base/web.yaml": WEB.replace("100m", "${CPU}").replace(
                "metadata: {name: web, ",
                "metadata: {labels: {kustomize.toolkit.fluxcd.io/substitute: disabled}, name: web, ",
            ),
        },
        (
            ("base/web.yaml", "substitute: disabled", "substitute: enabled"),
            ("base/web.yaml", "disabled", "disabled, typed: here"),
        ),
    ),
    "a kustomization that is known, with a chart": (
        CHART,
        (("more/quota.yaml", "name: base", "name: other"), ("base/quota.yaml", "250m", "90m")),
    ),
}


@pytest.mark.parametrize("name", QUIET_LOOKING)
def test_what_looks_like_a_number_alone(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_home: None
) -> None:
    files, edits = QUIET_LOOKING[name]
    write_as_is(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    check_edits(files, edits)
