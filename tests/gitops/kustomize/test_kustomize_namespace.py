"""The namespace that a kustomization puts its objects into."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import Case, config_map, expected, names, over, rendered, together

CASES = [
    over(
        "objects with and without a namespace, and those that have none",
        "namespaced-and-not",
        "namespace: shop\nresources: [all.yaml]",
        {
            "ConfigMap/a": {"/metadata/namespace": "shop"},
            "ConfigMap/b": {"/metadata/namespace": "shop"},
            "Namespace/other": {"/metadata/name": "shop"},
            "Widget/f": {"/metadata/namespace": "shop"},
            "ClusterRole/g": {"/metadata/namespace": "shop"},
        },
    ),
    over(
        "the namespaces of subjects",
        "subjects",
        "namespace: shop\nresources: [all.yaml]",
        {
            "ServiceAccount/sa": {"/metadata/namespace": "shop"},
            "ServiceAccount/elsewhere": {"/metadata/namespace": "shop"},
            "RoleBinding/rb": {
                "/metadata/namespace": "shop",
                "/subjects/0/namespace": "shop",
                "/subjects/1/namespace": "shop",
                "/subjects/2/namespace": "shop",
                "/subjects/3/namespace": "shop",
            },
            "ClusterRoleBinding/crb": {"/subjects/1/namespace": "shop"},
        },
    ),
    over(
        "webhooks, API services and conversions",
        "webhooks",
        "namespace: shop\nresources: [all.yaml]",
        {
            "Service/hook": {"/metadata/namespace": "shop"},
            "ValidatingWebhookConfiguration/hooks": {"/webhooks/0/clientConfig/service/namespace": "shop"},
            "APIService/v1.example.com": {"/spec/service/namespace": "shop"},
            "CustomResourceDefinition/w.example.com": {
                "/spec/conversion/webhook/clientConfig/service/namespace": "shop"
            },
        },
    ),
    Case(
        "the outer namespace wins",
        {
            "base/kustomization.yaml": "namespace: inner\nresources: [a.yaml]",
            "base/a.yaml": config_map("a", namespace="innermost"),
            "top/kustomization.yaml": "namespace: outer\nresources: [../base]",
        },
        config_map("a", namespace="outer"),
        folder="top",
    ),
    Case(
        "one base in two namespaces",
        {
            "base/kustomization.yaml": "resources: [a.yaml]",
            "base/a.yaml": config_map("a"),
            "one/kustomization.yaml": "namespace: one\nresources: [../base]",
            "two/kustomization.yaml": "namespace: two\nresources: [../base]",
            "top/kustomization.yaml": "resources: [../one, ../two]",
        },
        together(config_map("a", namespace="one"), config_map("a", namespace="two")),
        folder="top",
    ),
    Case(
        "two objects become one",
        {
            "kustomization.yaml": "namespace: shop\nresources: [all.yaml]",
            "all.yaml": together(config_map("a", namespace="one"), config_map("a", namespace="two")),
        },
        config_map("a", namespace="shop"),
        problems=(("refused", "several objects become one in this namespace: ConfigMap a"),),
        kubectl="refuses",
    ),
    Case(
        "several objects become one of their name",
        {
            "kustomization.yaml": "namespace: shop\nresources: [all.yaml]",
            "all.yaml": together(
                *(config_map(name, namespace=where) for where in ("one", "two", "six") for name in "abcde")
            ),
        },
        together(*(config_map(name, namespace="shop") for name in "abcde")),
        problems=(
            (
                "refused",
                "several objects become one in this namespace: ConfigMap a, ConfigMap b, ConfigMap c and 2 more",
            ),
        ),
        kubectl="refuses",
    ),
    Case(
        "patches come before the namespace",
        {
            "kustomization.yaml": """
                namespace: shop
                resources: [a.yaml]
                patches:
                - target: {kind: ConfigMap, namespace: other}
                  patch: "- {op: add, path: /data, value: {by: other}}"
                - target: {kind: ConfigMap, namespace: shop}
                  patch: "- {op: add, path: /data, value: {by: shop}}"
                """,
            "a.yaml": config_map("a", namespace="other"),
        },
        config_map("a", {"by": "other"}, namespace="shop"),
    ),
    Case(
        "a number for a namespace",
        {
            "kustomization.yaml": "namespace: '1'\nresources: [a.yaml]",
            "a.yaml": config_map("a"),
        },
        config_map("a", namespace="1"),
    ),
    Case(
        "a pod template and a list of claims keep theirs",
        {
            "kustomization.yaml": "namespace: shop\nresources: [a.yaml]",
            "a.yaml": """
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: db}
                spec:
                  template: {metadata: {labels: {app: db}}, spec: {containers: []}}
                  volumeClaimTemplates: [{metadata: {name: data}}]
                """,
        },
        """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: db, namespace: shop}
        spec:
          template:
            metadata:
              labels: {app: db}
            spec:
              containers: []
          volumeClaimTemplates:
          - metadata: {name: data}
        """,
    ),
]

BINDINGS = """
    {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
    ---
    {apiVersion: v1, kind: ConfigMap, metadata: {name: b, namespace: other}}
    ---
    {apiVersion: v1, kind: Namespace, metadata: {name: team}}
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata: {name: r}
    subjects:
    - {kind: ServiceAccount, name: default}
    - {kind: ServiceAccount, name: robot, namespace: other}
    - {kind: User, name: default}
    ---
    {apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {into: x}}
    """


def transformed(name: str, more: str, namespace_of_b: str, subjects: tuple[str, str, str], into: str = "x") -> Case:
    """What a NamespaceTransformer makes of objects and bindings."""
    config = f"apiVersion: builtin\nkind: NamespaceTransformer\nmetadata: {{name: t, namespace: shop}}\n{more}\n"
    kinds = ("kind: ServiceAccount, name: default", "kind: ServiceAccount, name: robot", "kind: User, name: default")
    listed = ", ".join(
        f"{{{kind}{f', namespace: {namespace}' if namespace else ''}}}"
        for kind, namespace in zip(kinds, subjects, strict=True)
    )
    return Case(
        f"a NamespaceTransformer: {name}",
        {"kustomization.yaml": "resources: [all.yaml]\ntransformers: [t.yaml]", "all.yaml": BINDINGS, "t.yaml": config},
        f"""
        {{apiVersion: v1, kind: ConfigMap, metadata: {{name: a, namespace: shop}}}}
        ---
        {{apiVersion: v1, kind: ConfigMap, metadata: {{name: b, namespace: {namespace_of_b}}}}}
        ---
        {{apiVersion: v1, kind: Namespace, metadata: {{name: team}}}}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {{name: r, namespace: shop}}
        subjects: [{listed}]
        ---
        {{apiVersion: example.com/v1, kind: Widget, metadata: {{name: w, namespace: shop}}, spec: {{into: {into}}}}}
        """,
    )


def declined(name: str, config: str, problem: tuple[str, str] | None, kubectl: str = "refuses") -> Case:
    """A transformer that is not run."""
    text = (
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n---\n"
        "{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {into: {}}}\n"
    )
    return Case(
        name,
        {"kustomization.yaml": "resources: [all.yaml]\ntransformers: [t.yaml]", "all.yaml": text, "t.yaml": config},
        text,
        (problem,) if problem else (),
        kubectl,
    )


TRANSFORMER = "apiVersion: builtin\nkind: NamespaceTransformer\nmetadata: {name: t, namespace: shop}\n"
CASES += [
    transformed("with no fields", "", "shop", ("shop", "other", "shop")),
    transformed("for what has none", "unsetOnly: true", "other", ("shop", "other", "shop")),
    transformed("for no subjects", "setRoleBindingSubjects: none", "shop", ("", "other", "")),
    transformed("for accounts", "setRoleBindingSubjects: allServiceAccounts", "shop", ("shop", "shop", "")),
    transformed(
        "for accounts that have none",
        "setRoleBindingSubjects: allServiceAccounts\nunsetOnly: true",
        "other",
        ("shop", "other", ""),
    ),
    transformed(
        "with fields",
        "fieldSpecs: [{path: metadata/namespace, create: true}, {path: spec/into, kind: Widget}]",
        "shop",
        ("shop", "other", "shop"),
        "shop",
    ),
    transformed(
        "with fields that are set",
        "fieldSpecs: [{path: spec/into, kind: Widget}]\nunsetOnly: true",
        "other",
        ("shop", "other", "shop"),
    ),
    declined(
        "a field that is a mapping",
        TRANSFORMER + "fieldSpecs: [{path: spec/into, kind: Widget}]\n",
        ("refused", "the namespace is not set: one of `fieldSpecs` leads to something other than a string"),
    ),
    declined("fields that are no list", TRANSFORMER + "fieldSpecs: {}\n", ("refused", "`fieldSpecs` must be a list")),
    declined(
        "an unknown mode",
        TRANSFORMER + "setRoleBindingSubjects: some\n",
        ("refused", "setRoleBindingSubjects cannot be some"),
    ),
    declined(
        "a text for a boolean",
        TRANSFORMER + "unsetOnly: 'true'\n",
        ("refused", "`unsetOnly` must be true or false"),
    ),
    declined("no transformer at all", "", None, "equal"),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_namespaces_are_set_as_kustomize_does(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
