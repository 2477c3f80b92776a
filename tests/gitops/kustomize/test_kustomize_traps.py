"""What is left out by name while the rest is rendered, and what Kustomize refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import A, B, Case, config_map, expected, names, rendered, together


def around(base: str, subject: str) -> str:
    """What is said of a base that lies around what builds on it."""
    reason = f"{base} contains {subject}, which Kustomize takes for a cycle"
    return f"{reason}: move what it lists into a folder of its own, such as base/"


CASES = [
    Case(
        "a cycle",
        {
            "one/kustomization.yaml": "resources: [a.yaml, ../two]",
            "one/a.yaml": A,
            "two/kustomization.yaml": "resources: [../one, b.yaml]",
            "two/b.yaml": B,
        },
        together(A, B),
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
        together(A, B),
        (
            ("refused", around("../..", "this kustomization")),
            ("missing", "deep/er is a cycle: it builds on itself"),
        ),
        kubectl="refuses",
        folder="deep/er",
    ),
    Case(
        "a base that lies around its overlay",
        {
            "k8s/kustomization.yaml": "resources: [a.yaml]",
            "k8s/a.yaml": A,
            "k8s/overlays/prod/kustomization.yaml": "resources: [../.., b.yaml]",
            "k8s/overlays/prod/b.yaml": B,
        },
        together(A, B),
        (("refused", around("../..", "this kustomization")),),
        kubectl="refuses",
        folder="k8s/overlays/prod",
    ),
    Case(
        "a base of a base that lies around the overlay",
        {
            "one/kustomization.yaml": "resources: [a.yaml]",
            "one/a.yaml": A,
            "two/kustomization.yaml": "resources: [../one]",
            "one/deeper/kustomization.yaml": "resources: [../../two]",
        },
        A,
        (("refused", around("../one", "one/deeper, which builds on it")),),
        kubectl="refuses",
        folder="one/deeper",
    ),
    Case(
        "a component that lies around what takes it in",
        {
            "kustomization.yaml": (
                "{apiVersion: kustomize.config.k8s.io/v1alpha1, kind: Component, resources: [a.yaml]}"
            ),
            "a.yaml": A,
            "prod/kustomization.yaml": "{components: [..], resources: [b.yaml]}",
            "prod/b.yaml": B,
        },
        together(B, A),
        (("refused", around("..", "this kustomization")),),
        kubectl="refuses",
        folder="prod",
    ),
    Case(
        "a base whose name begins like the overlay's",
        {
            "k8s/kustomization.yaml": "resources: [a.yaml]",
            "k8s/a.yaml": A,
            "k8s-prod/kustomization.yaml": "resources: [../k8s]",
        },
        A,
        folder="k8s-prod",
    ),
    Case(
        "a base that is named by its file",
        {
            "base/kustomization.yaml": "resources: [a.yaml]",
            "base/a.yaml": A,
            "prod/kustomization.yaml": "resources: [../base/kustomization.yaml, b.yaml]",
            "prod/b.yaml": B,
        },
        together(A, B),
        (
            (
                "refused",
                "../base/kustomization.yaml is a kustomization itself, which Kustomize takes by its folder: "
                "write ../base",
            ),
        ),
        kubectl="refuses",
        folder="prod",
    ),
    Case(
        "a folder that builds on itself",
        {"kustomization.yaml": "resources: [a.yaml, .]", "a.yaml": A},
        A,
        (("missing", ". is a cycle: it builds on itself"),),
        kubectl="refuses",
    ),
    Case(
        "an empty kustomization",
        {"kustomization.yaml": "resources: [empty, a.yaml]", "a.yaml": A, "empty/kustomization.yaml": ""},
        A,
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
        A,
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
        A,
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
        A,
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
        A,
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
        A,
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
        A,
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
        A,
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
        A,
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
        A,
        (("missing", "kind Other is not Kustomization or Component"),),
        kubectl="refuses",
    ),
    Case(
        "an object twice",
        {"kustomization.yaml": "resources: [a.yaml, again.yaml]", "a.yaml": A, "again.yaml": A},
        A,
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
        together(config_map("a", {"b": "c"}), config_map("c", {"b": "c"})),
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
        A,
        (
            ("refused", "an entry of `resources` must be a string"),
            ("refused", "an entry of `resources` must be a string"),
            ("refused", "a resource is a path"),
            ("refused", "a component is a path"),
        ),
        kubectl="refuses",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_traps_are_rendered_as_kustomize_does(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
