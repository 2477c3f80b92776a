"""Which files are plain manifests: what refers to a file decides, not what it looks like."""

from __future__ import annotations

import pytest

from quotalint.gitops.layout import layout_of
from quotalint.text.chart_files import in_charts
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
    layout = layout_of(readings(files))
    assert (set(layout.kustomized), set(layout.data)) == (manifests | {"kustomization.yaml"}, data)


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
        # That it is empty is a mistake for the renderer to report.
        ("kustomization.yaml", "", True),
        ("kustomization.yaml", "a: [", True),
        ("any.yaml", "", False),
    ],
)
def test_kustomizations_are_known_by_name_or_group(name: str, body: str, recognised: bool) -> None:
    assert bool(layout_of(readings({f"x/{name}": body})).kustomized) == recognised


@pytest.mark.parametrize(
    ("folders", "roots"),
    [
        pytest.param({"a": []}, ["a"], id="alone"),
        pytest.param({"base": [], "dev": ["../base"], "prod": ["../base"]}, ["dev", "prod"], id="overlays"),
        pytest.param({"a": ["../b"], "b": ["../c"], "c": []}, ["a"], id="a chain"),
        pytest.param({"a": ["../b"], "b": ["../a"]}, ["a"], id="a cycle"),
        pytest.param({"a": ["../b"], "b": ["../a"], "c": ["../b"]}, ["c"], id="a cycle that another builds on"),
        pytest.param({"a": ["."]}, ["a"], id="itself"),
        pytest.param({"x/base/a": [], "x/base/b": [], "x/dev": ["../base/a"]}, ["x/dev"], id="an unused base"),
        pytest.param({"x/base": [], "y/base": [], "y/dev": ["../base"]}, ["x/base", "y/dev"], id="nothing but a base"),
    ],
)
def test_roots_are_what_nobody_builds_on(folders: dict[str, list[str]], roots: list[str]) -> None:
    files = {f"{folder}/kustomization.yaml": f"resources: {below}" for folder, below in folders.items()}
    assert list(layout_of(readings(files)).roots) == roots


def test_a_component_is_never_a_root() -> None:
    files = {"c/kustomization.yaml": "kind: Component\nresources: [a.yaml]", "c/a.yaml": POD}
    layout = layout_of(readings(files))
    assert (layout.roots, layout.plain) == ((), {})


def test_plain_manifests_are_what_no_kustomization_stands_beside() -> None:
    files = {
        "a/kustomization.yaml": "resources: [listed.yaml, ../c/shared.yaml]",
        "a/listed.yaml": POD,
        "a/forgotten.yaml": POD,
        "a/named.yaml": POD,
        "a/below/x.yaml": POD,
        "c/shared.yaml": POD,
        "c/own.yaml": POD,
    }
    layout = layout_of(readings(files), frozenset({"a/named.yaml"}))
    assert (layout.plain, layout.unlisted) == (
        {"a": ("a/named.yaml",), "a/below": ("a/below/x.yaml",), "c": ("c/own.yaml",)},
        ("a/forgotten.yaml",),
    )


def test_a_folder_below_of_which_a_kustomization_lists_some_has_no_plain_manifests() -> None:
    files = {
        "a/kustomization.yaml": "resources: [apps/listed.yaml, ../c/shared.yaml]",
        **dict.fromkeys(("a/apps/listed.yaml", "a/apps/job.yaml", "a/apps/named.yaml", "a/apps/more/x.yaml"), POD),
        **dict.fromkeys(("a/other/y.yaml", "c/shared.yaml", "c/own.yaml"), POD),
    }
    layout = layout_of(readings(files), frozenset({"a/apps/named.yaml"}))
    assert (sorted(layout.plain), layout.unlisted) == (["a/apps", "a/apps/more", "a/other", "c"], ("a/apps/job.yaml",))
    assert layout.plain["a/apps"] == ("a/apps/named.yaml",)


def test_files_of_charts_are_no_manifests_unless_named_themselves() -> None:
    def source(name: str, explicit: bool = False) -> Source:
        return Source(name, f"/r/{name}", explicit)

    of_charts = (
        "Chart.yaml",
        "values-prod.yaml",
        "templates/x.yaml",
        "crds/x.yaml",
        "charts/b/Chart.yaml",
        "charts/b/x",
    )
    beside = ("b/x.yaml", "/abs/x.yaml", "a/examples/x.yaml", "a/web.yaml", "a/deploy/templates/x.yaml")
    names = (*(f"a/{name}" for name in of_charts), *beside)
    outside, charts = in_charts([*map(source, names), source("a/values.yaml", explicit=True)])
    assert ([source.name for source in outside], charts) == ([*beside, "a/values.yaml"], ("a",))


def test_a_chart_at_the_root_is_not_all_of_the_repository() -> None:
    names = ("Chart.yaml", "templates/x.yaml", "values.yaml", "k8s/x.yaml", "k8s/charts/b/Chart.yaml", "x.yaml")
    outside, charts = in_charts(Source(name, f"/r/{name}", False) for name in names)
    assert ([source.name for source in outside], charts) == (["k8s/x.yaml", "x.yaml"], ("", "k8s/charts/b"))


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        pytest.param("files: [s/a.yaml]", {"s/a.yaml"}, id="ksops"),
        pytest.param(
            "secretFrom: [{files: [x=s/a.yaml], envs: [s/b.yaml]}]", {"s/a.yaml", "s/b.yaml"}, id="ksops of files"
        ),
        pytest.param(
            "policies: [{manifests: [{path: s/}]}]", {"s/a.yaml", "s/b.yaml"}, id="a folder of PolicyGenerator"
        ),
        pytest.param("policies: [{manifests: [{path: ../k}, {path: .}]}]", set(), id="the folder that it stands in"),
        pytest.param("metadata: {name: s}", set(), id="a name"),
        pytest.param("fieldSpecs: [{path: s}]", set(), id="a path in objects"),
        pytest.param("files: [../../s/a.yaml, 1, null, missing.yaml]", set(), id="what is not there"),
    ],
)
@pytest.mark.parametrize("field", ["generators", "transformers", "validators"])
def test_what_is_given_to_a_plugin_is_no_manifest(config: str, expected: set[str], field: str) -> None:
    body = f"apiVersion: example.com/v1\nkind: Plugin\n{config}\n"
    files = {"k/plugin.yaml": body, **{f"k/s/{name}.yaml": POD for name in "ab"}}
    named = layout_of(readings({**files, "k/kustomization.yaml": f"{field}: [plugin.yaml]\n"}))
    text = f"{field}:\n- |\n" + "".join(f"  {line}\n" for line in body.splitlines())
    inline = layout_of(readings({**files, "k/kustomization.yaml": text}))
    words = {f"k/{name}" for name in expected}
    assert (set(named.data), set(inline.data), set(named.plain)) == (words, words, {"k/s"} if len(words) < 2 else set())


def test_a_kustomization_that_is_given_to_a_plugin_is_no_root() -> None:
    files = {
        "k/kustomization.yaml": "generators: [plugin.yaml]\n",
        "k/plugin.yaml": "policies: [{manifests: [{path: s}]}]\n",
        "k/s/kustomization.yaml": "resources: [a.yaml]\n",
        "k/s/a.yaml": POD,
    }
    assert layout_of(readings(files)).roots == ("k",)
