"""Which files are plain manifests: what refers to a file decides, not what it looks like."""

from __future__ import annotations

import pytest

from quotalint.gitops.layout import built, in_charts
from quotalint.text.documents import Reading, read
from quotalint.text.sources import Source

POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: shop}\n"


def readings(files: dict[str, str]) -> dict[str, Reading]:
    return {name: read(text.encode()) for name, text in files.items()}


@pytest.mark.parametrize(
    ("kustomization", "manifests", "data"),
    [
        ("resources: [a.yaml]", {"a.yaml"}, set()),
        ("resources: [./a.yaml, sub/b.yaml]", {"a.yaml", "sub/b.yaml"}, set()),
        ("patches: [{path: a.yaml}]", {"a.yaml"}, set()),
        ("patches: [a.yaml]", {"a.yaml"}, set()),
        ("patchesStrategicMerge: [a.yaml]", {"a.yaml"}, set()),
        ("patchesStrategicMerge:\n- |-\n  kind: Pod\n  spec: a.yaml", set(), set()),
        ("patchesJson6902: [{path: a.yaml, target: {kind: Pod}}]", {"a.yaml"}, set()),
        ("replacements: [{path: a.yaml}]", {"a.yaml"}, set()),
        ("generators: [a.yaml]\ntransformers: [sub/b.yaml]", {"a.yaml", "sub/b.yaml"}, set()),
        ("configMapGenerator: [{name: c, files: [a.yaml, key=sub/b.yaml]}]", set(), {"a.yaml", "sub/b.yaml"}),
        ("helmCharts: [{name: c, valuesFile: a.yaml}]", set(), {"a.yaml"}),
        ("resources: [missing.yaml, https://example.com/x, sub]", set(), set()),
        ("resources: 5\npatches: x\nconfigMapGenerator: {}", set(), set()),
    ],
)
def test_files_that_a_kustomization_refers_to_are_its_own(
    kustomization: str, manifests: set[str], data: set[str]
) -> None:
    files = {"kustomization.yaml": kustomization, "a.yaml": POD, "sub/b.yaml": POD, "c.yaml": POD}
    found = built(readings(files))
    assert (set(found.manifests), set(found.data)) == (manifests | {"kustomization.yaml"}, data)


@pytest.mark.parametrize(
    ("name", "body", "recognised"),
    [
        ("kustomization.yaml", "resources: []", True),
        ("kustomization.yml", "namespace: a", True),
        ("Kustomization", "namespace: a", True),
        ("any.yaml", "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization", True),
        ("any.yaml", "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component", True),
        ("any.yaml", "resources: []", False),
        # Flux's kind of the same name is an object.
        ("any.yaml", "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization", False),
        ("kustomization.yaml", "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization", False),
        ("kustomization.yaml", "", False),
    ],
)
def test_kustomizations_are_known_by_name_or_group(name: str, body: str, recognised: bool) -> None:
    assert bool(built(readings({f"x/{name}": body})).manifests) == recognised


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        # Its own namespace holds for everything below.
        ({"kustomization.yaml": "namespace: shop\nresources: [a.yaml]", "a.yaml": POD}, (("shop",), False)),
        ({"kustomization.yaml": "resources: [a.yaml]", "a.yaml": POD}, (("shop",), False)),
        ({"kustomization.yaml": "resources: [a.yaml]", "a.yaml": "apiVersion: v1\nkind: Pod"}, ((), True)),
        ({"kustomization.yaml": "resources: [https://example.com/x]"}, ((), True)),
        (
            {
                "kustomization.yaml": "resources: [base]",
                "base/kustomization.yaml": "resources: [a.yaml]",
                "base/a.yaml": POD,
            },
            (("shop",), False),
        ),
        # A cycle ends.
        (
            {"kustomization.yaml": "resources: [base]", "base/kustomization.yaml": "resources: [..]"},
            None,
        ),
    ],
)
def test_a_root_says_which_namespaces_it_may_concern(
    files: dict[str, str], expected: tuple[tuple[str, ...], bool] | None
) -> None:
    roots = [(one.namespaces, one.anywhere) for one in built(readings(files)).skipped if "builds on" not in one.reason]
    assert roots == ([expected] if expected else [])


def test_files_of_charts_are_no_manifests_unless_named_themselves() -> None:
    def source(name: str, explicit: bool = False) -> Source:
        return Source(name, f"/r/{name}", explicit)

    names = (
        "a/Chart.yaml",
        "a/templates/x.yaml",
        "a/charts/b/Chart.yaml",
        "a/charts/b/x.yaml",
        "b/x.yaml",
        "/abs/x.yaml",
    )
    outside, charts = in_charts([*map(source, names), source("a/values.yaml", explicit=True)])
    assert ([one.name for one in outside], [one.name for one in charts]) == (
        ["b/x.yaml", "/abs/x.yaml", "a/values.yaml"],
        ["a/Chart.yaml"],
    )
