"""Where patches may be written, and whom those without a target are for."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import CONF, THREE, WEB, Case, config_map, expected, names, rendered, together

BUILT_BEFORE = """
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: web
      namespace: team
      annotations:
        internal.config.kubernetes.io/previousKinds: Deployment
        internal.config.kubernetes.io/previousNames: web
        internal.config.kubernetes.io/previousNamespaces: default
    spec: {replicas: 1}
    """

CASES = [
    Case(
        "an object that an earlier build left, by the name that it had then",
        {
            "kustomization.yaml": "resources: [web.yaml]\npatches: [{path: three.yaml}]",
            "web.yaml": BUILT_BEFORE,
            "three.yaml": THREE,
        },
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web, namespace: team}
        spec: {replicas: 3}
        """,
    ),
    Case(
        "an object with such annotations that do not fit each other, which Kustomize does not read either",
        {
            "kustomization.yaml": "resources: [web.yaml]\npatches: [{target: {kind: Deployment}, path: three.yaml}]",
            "web.yaml": BUILT_BEFORE.replace("previousNames: web", "note: web"),
            "three.yaml": THREE,
        },
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: web
          namespace: team
          annotations: {internal.config.kubernetes.io/note: web}
        spec: {replicas: 3}
        """,
    ),
    Case(
        "a strategic merge patch in the kustomization",
        {
            "kustomization.yaml": """
                resources: [web.yaml]
                patches:
                - patch: |-
                    apiVersion: apps/v1
                    kind: Deployment
                    metadata:
                      name: web
                    spec:
                      replicas: 3
                """,
            "web.yaml": WEB,
        },
        THREE,
    ),
    Case(
        "a strategic merge patch in a file",
        {
            "kustomization.yaml": "resources: [web.yaml]\npatches: [{path: three.yaml}]",
            "web.yaml": WEB,
            "three.yaml": THREE,
        },
        THREE,
    ),
    Case(
        "patches one after the other",
        {
            "kustomization.yaml": """
                resources: [web.yaml]
                patches:
                - path: three.yaml
                - target: {kind: Deployment}
                  patch: |
                    - {op: test, path: /spec/replicas, value: 3}
                    - {op: replace, path: /spec/replicas, value: 4}
                - target: {kind: Deployment}
                  patch: |
                    - {op: test, path: /spec/replicas, value: 4}
                    - {op: add, path: /spec/paused, value: true}
                """,
            "web.yaml": WEB,
            "three.yaml": THREE,
        },
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec: {replicas: 4, paused: true}
        """,
    ),
    Case(
        "a file of several patches",
        {
            "kustomization.yaml": "resources: [web.yaml, conf.yaml]\npatches: [{path: both.yaml}]",
            "web.yaml": WEB,
            "conf.yaml": CONF,
            "both.yaml": together(THREE, config_map("conf", {"b": "new"})),
        },
        together(
            THREE,
            config_map("conf", {"a": "old", "b": "new"}),
        ),
    ),
    Case(
        "several patches with one target",
        {
            "kustomization.yaml": "resources: [web.yaml]\npatches: [{path: both.yaml, target: {kind: Deployment}}]",
            "web.yaml": WEB,
            "both.yaml": f"{THREE}\n---\n{THREE}",
        },
        WEB,
        problems=(("refused", "the patch is not applied: several patches in one entry cannot have a target"),),
        kubectl="refuses",
    ),
    Case(
        "the name, the kind and the namespace of a patch with a target do not matter",
        {
            "kustomization.yaml": """
                resources: [web.yaml, conf.yaml]
                patches:
                - target: {name: web|conf}
                  patch: |
                    apiVersion: any/v1
                    kind: Any
                    metadata: {name: any, namespace: any, labels: {x: y}}
                """,
            "web.yaml": WEB,
            "conf.yaml": CONF,
        },
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: web
          labels:
            x: 'y'
        spec: {replicas: 1}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: conf
          labels:
            x: 'y'
        data: {a: old}
        """,
    ),
    Case(
        "a patch with a target and without kind and name",
        {
            "kustomization.yaml": """
                resources: [web.yaml]
                patches:
                - target: {kind: Deployment}
                  patch: "spec: {replicas: 3}"
                """,
            "web.yaml": WEB,
        },
        WEB,
        problems=(("refused", "the patch is not applied: it has no kind"),),
        kubectl="refuses",
    ),
    Case(
        "a patch that changes name and kind where it may",
        {
            "kustomization.yaml": """
                resources: [web.yaml, conf.yaml]
                patches:
                - target: {kind: Deployment}
                  options: {allowNameChange: true}
                  patch: |
                    {apiVersion: apps/v1, kind: Deployment, metadata: {name: site}}
                - target: {kind: ConfigMap}
                  options: {allowKindChange: true}
                  patch: |
                    {apiVersion: v1, kind: Secret, metadata: {name: ignored}}
                """,
            "web.yaml": WEB,
            "conf.yaml": CONF,
        },
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: site}
        spec: {replicas: 1}
        ---
        apiVersion: v1
        kind: Secret
        metadata: {name: conf}
        data: {a: old}
        """,
    ),
    Case(
        "a name that a JSON patch changes",
        {
            "kustomization.yaml": """
                resources: [conf.yaml, pod.yaml]
                patches:
                - target: {kind: ConfigMap}
                  patch: |
                    - {op: replace, path: /metadata/name, value: other}
                """,
            "conf.yaml": CONF,
            "pod.yaml": """
                apiVersion: v1
                kind: Pod
                metadata: {name: p}
                spec: {volumes: [{name: v, configMap: {name: conf}}]}
                """,
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: other}
        data: {a: old}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: p}
        spec:
          volumes:
          - name: v
            configMap: {name: other}
        """,
    ),
    Case(
        "the legacy fields patchesStrategicMerge and patchesJson6902",
        {
            "kustomization.yaml": """
                resources: [web.yaml, conf.yaml]
                patchesStrategicMerge:
                - three.yaml
                - |-
                  apiVersion: v1
                  kind: ConfigMap
                  metadata: {name: conf}
                  data: {b: new}
                patchesJson6902:
                - target: {group: apps, version: v1, kind: Deployment, name: web}
                  path: paused.yaml
                - target: {version: v1, kind: ConfigMap, name: conf}
                  patch: |
                    - {op: remove, path: /data/a}
                """,
            "web.yaml": WEB,
            "conf.yaml": CONF,
            "three.yaml": THREE,
            "paused.yaml": "- {op: add, path: /spec/paused, value: true}",
        },
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec: {replicas: 3, paused: true}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: conf}
        data: {b: new}
        """,
    ),
    Case(
        "a JSON patch in JSON",
        {
            "kustomization.yaml": """
                resources: [web.yaml]
                patches:
                - target: {kind: Deployment}
                  patch: '[{"op": "replace", "path": "/spec/replicas", "value": 3}]'
                - target: {kind: Deployment}
                  path: paused.json
                """,
            "web.yaml": WEB,
            "paused.json": '[\n\t{"op": "add", "path": "/spec/paused", "value": true}\n]\n',
        },
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec: {replicas: 3, paused: true}
        """,
    ),
    Case(
        "a JSON patch in brackets that is not JSON",
        {
            "kustomization.yaml": """
                resources: [web.yaml]
                patches:
                - target: {kind: Deployment}
                  patch: "[{op: replace, path: /spec/replicas, value: 3}]"
                """,
            "web.yaml": WEB,
        },
        WEB,
        problems=(("refused", "the patch is not applied: what starts with `[` must be JSON"),),
        kubectl="refuses",
    ),
    Case(
        "the patch of a namespace",
        {
            "kustomization.yaml": """
                resources: [all.yaml]
                patches:
                - patch: |
                    {apiVersion: v1, kind: ConfigMap, metadata: {name: conf, namespace: one}, data: {a: "1"}}
                - patch: |
                    {apiVersion: v1, kind: ConfigMap, metadata: {name: conf}, data: {a: "0"}}
                """,
            "all.yaml": together(
                config_map("conf", namespace="one"),
                config_map("conf", namespace="two"),
                config_map("conf", namespace="default"),
            ),
        },
        together(
            config_map("conf", {"a": "1"}, namespace="one"),
            config_map("conf", namespace="two"),
            config_map("conf", {"a": "0"}, namespace="default"),
        ),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_patches_are_applied_as_kustomize_does(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
