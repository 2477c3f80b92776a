"""Components work on the resources of the kustomization that names them."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import WEB, Case, config_map, deployment, expected, names, rendered, together

COMPONENT = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"

CASES = [
    Case(
        "a component adds an object and patches another",
        {
            "kustomization.yaml": "resources: [web.yaml]\ncomponents: [quota]",
            "web.yaml": WEB,
            "quota/kustomization.yaml": COMPONENT
            + "resources: [quota.yaml]\npatches: [{target: {kind: Deployment}, path: more.yaml}]",
            "quota/quota.yaml": "{apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {hard: {pods: 4}}}",
            "quota/more.yaml": deployment(3, name="any"),
        },
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec: {replicas: 3}
        ---
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: q}
        spec:
          hard: {pods: 4}
        """,
    ),
    Case(
        "the namespace of a component reaches all, that of the kustomization too",
        {
            "kustomization.yaml": "resources: [base]\ncomponents: [../part]\nnamePrefix: x-",
            "base/kustomization.yaml": "resources: [web.yaml]\nnamespace: first",
            "base/web.yaml": WEB,
            "part/kustomization.yaml": COMPONENT + "resources: [more.yaml]\nnamespace: second\nnameSuffix: -y",
            "part/more.yaml": config_map("a"),
        },
        deployment(1, name="x-web", namespace="first"),
        problems=(("missing", "../part lies outside the repository; part lies in it"),),
        kubectl="refuses",
    ),
    Case(
        "components one after the other, and in one another",
        {
            "top/kustomization.yaml": """
                resources: [web.yaml]
                components: [../one, ../two]
                replicas: [{name: web, count: 9}]
                """,
            "top/web.yaml": WEB,
            "one/kustomization.yaml": COMPONENT + "components: [../three]\nnamespace: one\nnameSuffix: -n1",
            "two/kustomization.yaml": COMPONENT + "namespace: two\nnameSuffix: -n2",
            "three/kustomization.yaml": COMPONENT + "namespace: three\nnameSuffix: -n3",
        },
        deployment(9, name="web-n3-n1-n2", namespace="two"),
        folder="top",
    ),
    Case(
        "a component in two overlays of one base",
        {
            "base/kustomization.yaml": "resources: [web.yaml]",
            "base/web.yaml": WEB,
            "part/kustomization.yaml": COMPONENT + "replicas: [{name: web, count: 5}]",
            "one/kustomization.yaml": "resources: [../base]\ncomponents: [../part]\nnamePrefix: one-",
            "two/kustomization.yaml": "resources: [../base]\nnamePrefix: two-",
            "top/kustomization.yaml": "resources: [../one, ../two]",
        },
        together(deployment(5, name="one-web"), deployment(1, name="two-web")),
        folder="top",
    ),
    Case(
        "a component generates, merges into and names a ConfigMap",
        {
            "kustomization.yaml": """
                resources: [web.yaml]
                configMapGenerator: [{name: conf, literals: [a=1]}]
                components: [part]
                """,
            "web.yaml": """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec: {template: {spec: {volumes: [{name: v, configMap: {name: conf}}]}}}
                """,
            "part/kustomization.yaml": COMPONENT
            + "configMapGenerator: [{name: conf, behavior: merge, literals: [b=2]}]",
        },
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          template:
            spec:
              volumes:
              - name: v
                configMap: {name: conf-7gdc49gk6d}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: conf-7gdc49gk6d}
        data: {a: '1', b: '2'}
        """,
    ),
    Case(
        "a component that selects objects of the kustomization by label",
        {
            "kustomization.yaml": "resources: [web.yaml]\ncomponents: [part]\nlabels: [{pairs: {late: x}}]",
            "web.yaml": "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, labels: {tier: front}}}",
            "part/kustomization.yaml": COMPONENT
            + """
patches:
- target: {labelSelector: tier=front}
  patch: |
    - {op: add, path: /spec, value: {replicas: 2}}
- target: {labelSelector: late=x}
  patch: |
    - {op: add, path: /spec/paused, value: true}
""",
        },
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: web
          labels: {tier: front, late: x}
        spec: {replicas: 2}
        """,
    ),
    Case(
        "an empty component",
        {
            "kustomization.yaml": "resources: [web.yaml]\ncomponents: [part]",
            "web.yaml": WEB,
            "part/kustomization.yaml": COMPONENT + "resources: []",
        },
        WEB,
    ),
    Case(
        "a kustomization without kind under components",
        {
            "kustomization.yaml": "resources: [web.yaml]\ncomponents: [part]",
            "web.yaml": WEB,
            "part/kustomization.yaml": "namespace: shop",
        },
        deployment(1, namespace="shop"),
        problems=(("refused", "part is not a Component (kind: Component)"),),
        kubectl="refuses",
    ),
    Case(
        "a component under resources",
        {
            "kustomization.yaml": "resources: [web.yaml, part]",
            "web.yaml": WEB,
            "part/kustomization.yaml": COMPONENT + "resources: [more.yaml]",
            "part/more.yaml": config_map("a"),
        },
        together(
            WEB,
            config_map("a"),
        ),
        problems=(("refused", "part is a Component; it belongs under `components`"),),
        kubectl="refuses",
    ),
    Case(
        "a component that is not there",
        {"kustomization.yaml": "resources: [web.yaml]\ncomponents: [part]", "web.yaml": WEB},
        WEB,
        problems=(("missing", "there is no part"),),
        kubectl="refuses",
    ),
    Case(
        "a component that is a file",
        {"kustomization.yaml": "resources: [web.yaml]\ncomponents: [part.yaml]", "web.yaml": WEB, "part.yaml": WEB},
        WEB,
        problems=(("missing", "there is no folder part.yaml"),),
        kubectl="refuses",
    ),
    Case(
        "a component that names itself",
        {
            "kustomization.yaml": "resources: [web.yaml]\ncomponents: [part]",
            "web.yaml": WEB,
            "part/kustomization.yaml": COMPONENT + "components: [../part]\nnamespace: shop",
        },
        deployment(1, namespace="shop"),
        problems=(("missing", "../part is a cycle: it builds on itself"),),
        kubectl="refuses",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_components_are_rendered_as_kustomize_does(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
