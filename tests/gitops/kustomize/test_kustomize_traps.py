"""What is left out by name while the rest is rendered, and what Kustomize refuses."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from kustomize_trees import Case, build, expected, names, rendered

from quotalint.gitops.kustomize import build as kustomize_build
from quotalint.gitops.kustomize.problems import Problem
from quotalint.text.place import Place

A = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}"
B = "{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}"

CASES = [
    Case(
        "a cycle",
        {
            "one/kustomization.yaml": "resources: [a.yaml, ../two]",
            "one/a.yaml": A,
            "two/kustomization.yaml": "resources: [../one, b.yaml]",
            "two/b.yaml": B,
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: b}
        """,
        (("missing", "../one is a cycle: it builds on itself"),),
        kubectl="refuses",
        folder="one",
    ),
    Case(
        "a folder above that builds on this one",
        {
            "kustomization.yaml": "resources: [a.yaml, deep/er]",
            "a.yaml": A,
            "deep/er/kustomization.yaml": "resources: [../.., b.yaml]",
            "deep/er/b.yaml": B,
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: b}
        """,
        (("missing", "deep/er is a cycle: it builds on itself"),),
        kubectl="refuses",
        folder="deep/er",
    ),
    Case(
        "a folder that builds on itself",
        {"kustomization.yaml": "resources: [a.yaml, .]", "a.yaml": A},
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        """,
        (("missing", ". is a cycle: it builds on itself"),),
        kubectl="refuses",
    ),
    Case(
        "an empty kustomization",
        {"kustomization.yaml": "resources: [empty, a.yaml]", "a.yaml": A, "empty/kustomization.yaml": ""},
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        """,
        (("refused", "the kustomization is empty"),),
        kubectl="refuses",
    ),
    Case(
        "a kustomization of nothing but its kind",
        {
            "kustomization.yaml": "resources: [empty, a.yaml]",
            "a.yaml": A,
            "empty/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization",
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        """,
        (("refused", "the kustomization is empty"),),
        kubectl="refuses",
    ),
    Case(
        "a file, a folder and a kustomization that are not there",
        {
            "kustomization.yaml": "resources: [none.yaml, nowhere, bare, a.yaml]",
            "a.yaml": A,
            "bare/other.yaml": B,
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        """,
        (
            ("missing", "there is no none.yaml"),
            ("missing", "there is no nowhere"),
            ("missing", "there is no kustomization in the folder bare"),
        ),
        kubectl="refuses",
    ),
    Case(
        "remote bases",
        {
            "kustomization.yaml": """
                resources:
                - https://github.com/example/repo//base?ref=v1
                - github.com/example/repo
                - git@github.com:example/repo.git
                - https://example.com/all.yaml
                - ssh://git@example.com/repo.git
                - a.yaml
                """,
            "a.yaml": A,
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        """,
        (
            ("missing", "https://github.com/example/repo//base?ref=v1 is remote"),
            ("missing", "github.com/example/repo is remote"),
            ("missing", "git@github.com:example/repo.git is remote"),
            ("missing", "https://example.com/all.yaml is remote"),
            ("missing", "ssh://git@example.com/repo.git is remote"),
        ),
        kubectl="unasked",
    ),
    Case(
        "a generator of Secrets that is a plugin",
        {
            "kustomization.yaml": "resources: [a.yaml]\ngenerators: [ksops.yaml]",
            "a.yaml": A,
            "ksops.yaml": "{apiVersion: viaduct.ai/v1, kind: ksops, metadata: {name: k}, files: [s.enc.yaml]}",
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        """,
        (("missing", "the generator ksops is a plugin, which is not run; it makes only Secrets"),),
        kubectl="unasked",
    ),
    Case(
        "another plugin, one in the kustomization and one that is not there",
        {
            "kustomization.yaml": """
                resources: [a.yaml]
                generators:
                - other.yaml
                - nowhere.yaml
                - |-
                  apiVersion: example.com/v1
                  kind: Inline
                  metadata: {name: i}
                """,
            "a.yaml": A,
            "other.yaml": "{apiVersion: example.com/v1, kind: Other, metadata: {name: o}}",
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        """,
        (
            ("missing", "there is no nowhere.yaml"),
            ("missing", "the generator Inline is a plugin, which is not run"),
            ("missing", "the generator Other is a plugin, which is not run"),
        ),
        kubectl="unasked",
    ),
    Case(
        "transformers, validators and charts",
        {
            "kustomization.yaml": """
                resources: [a.yaml]
                transformers: [t.yaml]
                validators: [v.yaml]
                helmCharts: [{name: redis, repo: https://example.com}]
                """,
            "a.yaml": A,
            "t.yaml": "{apiVersion: example.com/v1, kind: Change, metadata: {name: t}}",
            "v.yaml": "{apiVersion: example.com/v1, kind: Look, metadata: {name: v}}",
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        """,
        (
            ("missing", "charts are rendered by helm"),
            ("missing", "the transformer Change is a plugin, which is not run"),
            ("text", "the validator Look is a plugin, which is not run"),
        ),
        kubectl="unasked",
    ),
    Case(
        "two kustomizations in one folder",
        {"kustomization.yaml": "resources: [a.yaml]", "Kustomization": "resources: [b.yaml]", "a.yaml": A, "b.yaml": B},
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        """,
        (("refused", "the folder has several kustomizations: kustomization.yaml, Kustomization"),),
        kubectl="refuses",
    ),
    Case(
        "a Kustomization of Flux under the name of one",
        {
            "kustomization.yaml": "resources: [flux, a.yaml]",
            "a.yaml": A,
            "flux/kustomization.yaml": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization",
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        """,
        (("missing", "apiVersion kustomize.toolkit.fluxcd.io/v1 is not one of Kustomize (kustomize.config.k8s.io)"),),
        kubectl="refuses",
    ),
    Case(
        "a kustomization of another kind",
        {
            "kustomization.yaml": "resources: [other, a.yaml]",
            "a.yaml": A,
            "other/kustomization.yaml": "kind: Other\nresources: []",
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        """,
        (("missing", "kind Other is not Kustomization or Component"),),
        kubectl="refuses",
    ),
    Case(
        "a kustomization that is a list, and one that cannot be read",
        {
            "kustomization.yaml": "resources: [list, broken, a.yaml]",
            "a.yaml": A,
            "list/kustomization.yaml": "- a.yaml",
            "broken/kustomization.yaml": "resources: [a.yaml",
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        """,
        (
            ("missing", "the kustomization is not a mapping"),
            (
                "missing",
                "the kustomization cannot be read: did not find expected ',' or ']', while parsing a flow sequence",
            ),
        ),
        kubectl="refuses",
    ),
    Case(
        "a file that cannot be read, and one of no objects",
        {
            "kustomization.yaml": "resources: [broken.yaml, values.yaml, a.yaml]",
            "a.yaml": A,
            "broken.yaml": "a: [",
            "values.yaml": "image: {tag: v1}",
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        """,
        (
            ("missing", "broken.yaml cannot be read: did not find expected node content, while parsing a flow node"),
            ("refused", "values.yaml holds something that is not an object"),
        ),
        kubectl="refuses",
    ),
    Case(
        "keys given twice, and keys that are no text",
        {
            "kustomization.yaml": "resources: [twice.yaml, number.yaml]",
            "twice.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  k: x\n  k: y",
            "number.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata:\n  1: x",
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        data:
          k: 'y'
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: b}
        data: {'1': x}
        """,
        (
            ("refused", "twice.yaml gives the key `k` twice (line 6)"),
            ("refused", "number.yaml has the key `1`, which is not a string; quote it"),
        ),
        kubectl="refuses",
    ),
    Case(
        "merges that are overridden",
        {
            "kustomization.yaml": """
                resources: [a.yaml]
                patches: [{path: p.yaml}]
                commonAnnotations: &more {merged: 'yes', given: merged}
                labels:
                - pairs: {given: here, <<: *more}
                """,
            "a.yaml": """
                apiVersion: v1
                kind: ConfigMap
                metadata: &m {name: a, labels: &l {k: merged, l: merged}}
                data: {k: given, <<: *l}
                """,
            "p.yaml": """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a, labels: &l {p: merged, q: merged}}
                data: {<<: [{q: first}, *l], p: given}
                """,
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: a
          annotations: {merged: 'yes', given: merged}
          labels: {k: merged, l: merged, p: merged, q: merged, merged: 'yes', given: merged}
        data: {k: given, l: merged, p: given, q: first}
        """,
    ),
    Case(
        "two merges in one mapping",
        {
            "kustomization.yaml": "resources: [a.yaml]",
            "a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {<<: {a: x}, <<: {b: x}}",
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        data: {a: x, b: x}
        """,
        (("refused", "a.yaml gives the key `<<` twice (line 4)"),),
        kubectl="refuses",
    ),
    Case(
        "an object twice",
        {"kustomization.yaml": "resources: [a.yaml, again.yaml]", "a.yaml": A, "again.yaml": A},
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        """,
        (("refused", "ConfigMap a is already there (a.yaml)"),),
        kubectl="refuses",
    ),
    Case(
        "files beside the folder of the kustomization",
        {
            "top/kustomization.yaml": """
                resources: [../a.yaml]
                patches: [{path: ../patch.yaml, target: {kind: ConfigMap}}]
                configMapGenerator: [{name: c, files: [../file.txt]}]
                generatorOptions: {disableNameSuffixHash: true}
                """,
            "a.yaml": A,
            "patch.yaml": "- {op: add, path: /data, value: {b: c}}",
            "file.txt": "text",
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        data: {b: c}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: c}
        data: {b: c}
        """,
        tuple(
            (
                "load",
                f"{name} lies outside the kustomization's folder: `kustomize build` refuses it, Flux does not",
            )
            for name in ("a.yaml", "file.txt", "patch.yaml")
        ),
        folder="top",
    ),
    Case(
        "a resource that is no path",
        {"kustomization.yaml": "resources: [{a: b}, 5, a.yaml, '']\ncomponents: [null]", "a.yaml": A},
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        """,
        (
            ("refused", "an entry of `resources` must be a string"),
            ("refused", "an entry of `resources` must be a string"),
            ("refused", "a resource is a path"),
            ("refused", "a component is a path"),
        ),
        kubectl="refuses",
    ),
    Case(
        "a folded text with indented lines",
        {
            "kustomization.yaml": "resources: [a.yaml]",
            "a.yaml": """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a}
                data:
                  text: >
                    first
                      indented
                    last
                """,
        },
        r"""
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        data:
          text: "first\n  indented\nlast\n"
        """,
        (("text", "a folded string (`>`) with indented lines: Kustomize adds line breaks to it"),),
        kubectl="differs",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_traps(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)


def test_what_is_said_of_objects_that_are_missing_is_no_problem_of_its_own(tmp_path: Path) -> None:
    files = {
        "kustomization.yaml": """
            resources: [a.yaml, https://example.com/web.yaml]
            patches: [{path: both.yaml}]
            replicas: [{name: web, count: 3}]
            """,
        "a.yaml": A,
        "both.yaml": f"""
            {{apiVersion: apps/v1, kind: Deployment, metadata: {{name: web}}, spec: {{paused: true}}}}
            ---
            {A.replace("}}", "}, data: {k: new}}")}
            """,
    }
    built = build(tmp_path, files)
    assert ([one.traced.value for one in built.resources], [one.reason for one in built.problems]) == (
        [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": "new"}}],
        ["https://example.com/web.yaml is remote"],
    )


def test_a_problem_names_its_place_the_way_to_it_and_what_may_be_missing(tmp_path: Path) -> None:
    files = {
        "top/kustomization.yaml": "namespace: shop\nresources: [../base]",
        "base/kustomization.yaml": "resources: [a.yaml]\ngenerators: [ksops.yaml]",
        "base/a.yaml": A,
        "base/ksops.yaml": "{apiVersion: viaduct.ai/v1, kind: ksops, metadata: {name: k}}",
    }
    assert build(tmp_path, files, "top").problems == (
        Problem(
            Place("base/kustomization.yaml", 0, ("generators", 0)),
            "the generator ksops is a plugin, which is not run; it makes only Secrets",
            "missing",
            via=(Place("top/kustomization.yaml", 0, ("resources", 0)),),
            namespace="shop",
            only=("Secret",),
        ),
    )


def test_what_a_kustomization_is_made_of(tmp_path: Path) -> None:
    files = {
        "top/kustomization.yaml": """
            resources: [../base]
            components: [../part]
            patches: [{path: patch.yaml, target: {kind: ConfigMap}}]
            configMapGenerator: [{name: c, files: [x.txt]}]
            """,
        "top/patch.yaml": "- {op: add, path: /data, value: {}}",
        "top/x.txt": "x",
        "base/kustomization.yml": "resources: [a.yaml]",
        "base/a.yaml": A,
        "part/kustomization.yaml": "kind: Component\nnamePrefix: p-",
    }
    folders = {"top", "base", "part"}
    assert build(tmp_path, files, "top").used == frozenset({*files, *folders})


def test_symbolic_links_out_of_the_repository_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kustomization.yaml").write_text("resources: [secret.yaml]")
    (outside / "secret.yaml").write_text(B)
    root = tmp_path / "repository"
    root.mkdir()
    os.symlink(outside / "secret.yaml", root / "file.yaml")
    os.symlink(outside, root / "folder")
    os.symlink(root / "a.yaml", root / "inside.yaml")
    kustomization = """
        resources: [file.yaml, folder, inside.yaml]
        configMapGenerator: [{name: c, files: [file.yaml]}]
        patches: [{path: file.yaml}]
        """
    built = build(root, {"kustomization.yaml": kustomization, "a.yaml": A})
    assert ([one.id.name for one in built.resources], [one.reason for one in built.problems]) == (
        ["a", "c-6ct58987ht"],
        [
            "file.yaml lies outside the repository",
            "folder lies outside the repository",
            "there is no file.yaml",
            "the patch is not applied: there is no file.yaml",
        ],
    )


def test_paths_out_of_the_repository_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text(B)
    root = tmp_path / "repository"
    root.mkdir()
    kustomization = f"resources: [../secret.yaml, {tmp_path}/secret.yaml, a.yaml]"
    built = build(root, {"kustomization.yaml": kustomization, "a.yaml": A})
    assert ([one.id.name for one in built.resources], [one.reason for one in built.problems]) == (
        ["a"],
        [
            "../secret.yaml lies outside the repository",
            f"{tmp_path}/secret.yaml lies outside the repository",
        ],
    )


def test_a_base_that_is_listed_twice_by_each_that_builds_on_it(tmp_path: Path) -> None:
    """Two to the power of forty ways lead to the last of the folders."""
    files = {
        f"{number}/kustomization.yaml": f"resources: [../{number + 1}, ./../{number + 1}/]" for number in range(40)
    }
    built = build(tmp_path, {**files, "40/kustomization.yaml": "resources: [a.yaml]", "40/a.yaml": A}, "0")
    assert ([one.id.name for one in built.resources], len(built.problems)) == (["a"], 40)


def test_bases_that_double_their_objects_in_each_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kustomize_build, "_MAX_WORK", 1_000)
    files = {"0/kustomization.yaml": "resources: [a.yaml]", "0/a.yaml": A}
    for number in range(30):
        for side in "pq":
            files[f"{side}{number}/kustomization.yaml"] = f"resources: [../{number}]\nnamePrefix: {side}"
        files[f"{number + 1}/kustomization.yaml"] = f"resources: [../p{number}, ../q{number}]"
    built = build(tmp_path, files, "30")
    assert {(one.reason, one.kind) for one in built.problems} == {("too much is built on it", "missing")}


def test_a_cycle_that_is_come_to_in_many_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kustomize_build, "_MAX_WORK", 1_000)
    files = {"p40/kustomization.yaml": "resources: [../p0]", "q40/kustomization.yaml": "resources: [../p0]"}
    for number in range(40):
        for side in "pq":
            below = f"[../p{number + 1}, ../q{number + 1}]"
            files[f"{side}{number}/kustomization.yaml"] = f"resources: {below}"
    built = build(tmp_path, files, "p0")
    assert (built.resources, {one.reason.rpartition(": ")[2] for one in built.problems}) == (
        (),
        {"it builds on itself", "too much is built on it"},
    )


@pytest.mark.parametrize("field", ["resources", "components"])
def test_folders_that_are_nested_too_deeply(field: str, tmp_path: Path) -> None:
    kind = "kind: Component\n" if field == "components" else ""
    files = {
        f"{number}/kustomization.yaml": f"{kind if number else ''}{field}: [../{number + 1}]" for number in range(500)
    }
    built = build(tmp_path, files, "0")
    assert [(one.place, one.reason, one.kind, len(one.via)) for one in built.problems] == [
        (Place("101"), "it is nested too deeply", "missing", 101)
    ]
