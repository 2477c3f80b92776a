"""Prefixes and suffixes of names, and the fields of other objects that follow them."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import Case, config_map, expected, names, over, rendered

CASES = [
    over(
        "a prefix and a suffix for all but a few kinds",
        "named-objects",
        "namePrefix: x-\nnameSuffix: -y\nresources: [all.yaml]",
        {
            "ConfigMap/a": {"/metadata/name": "x-a-y"},
            "ClusterRole/a": {"/metadata/name": "x-a-y"},
            "Widget/a": {"/metadata/name": "x-a-y"},
        },
    ),
    over(
        "a pod follows the names of all that it uses",
        "pod-and-what-it-uses",
        "namePrefix: x-\nresources: [all.yaml]",
        {
            "Pod/p": {
                "/metadata/name": "x-p",
                "/spec/serviceAccountName": "x-sa",
                "/spec/imagePullSecrets/0/name": "x-s",
                "/spec/priorityClassName": "x-high",
                "/spec/volumes/0/configMap/name": "x-c",
                "/spec/volumes/1/secret/secretName": "x-s",
                "/spec/volumes/2/persistentVolumeClaim/claimName": "x-d",
                "/spec/volumes/4/projected/sources/0/configMap/name": "x-c",
                "/spec/volumes/4/projected/sources/1/secret/name": "x-s",
                "/spec/initContainers/0/envFrom/0/configMapRef/name": "x-c",
                "/spec/containers/0/env/0/valueFrom/configMapKeyRef/name": "x-c",
                "/spec/containers/0/env/1/valueFrom/secretKeyRef/name": "x-s",
                "/spec/containers/0/envFrom/0/secretRef/name": "x-s",
            },
            "ServiceAccount/sa": {"/metadata/name": "x-sa"},
            "ConfigMap/c": {"/metadata/name": "x-c"},
            "Secret/s": {"/metadata/name": "x-s"},
            "PersistentVolumeClaim/d": {
                "/metadata/name": "x-d",
                "/spec/volumeName": "x-v",
                "/spec/storageClassName": "x-f",
            },
            "PersistentVolume/v": {"/metadata/name": "x-v", "/spec/storageClassName": "x-f"},
            "StorageClass/f": {"/metadata/name": "x-f"},
            "PriorityClass/high": {"/metadata/name": "x-high"},
        },
    ),
    over(
        "workloads, autoscalers, ingresses and budgets",
        "workloads-by-name",
        "nameSuffix: -y\nresources: [all.yaml]",
        {
            "Deployment/web": {"/metadata/name": "web-y", "/spec/template/spec/serviceAccountName": "sa-y"},
            "ServiceAccount/sa": {"/metadata/name": "sa-y"},
            "Service/svc": {"/metadata/name": "svc-y"},
            "StatefulSet/db": {"/metadata/name": "db-y", "/spec/serviceName": "svc-y"},
            "HorizontalPodAutoscaler/hpa": {"/metadata/name": "hpa-y", "/spec/scaleTargetRef/name": "web-y"},
            "HorizontalPodAutoscaler/wrong": {"/metadata/name": "wrong-y", "/spec/scaleTargetRef/name": "web-y"},
            "Ingress/in": {
                "/metadata/name": "in-y",
                "/spec/defaultBackend/service/name": "svc-y",
                "/spec/rules/0/http/paths/0/backend/service/name": "svc-y",
            },
            "CronJob/cj": {"/metadata/name": "cj-y", "/spec/jobTemplate/spec/template/spec/serviceAccountName": "sa-y"},
        },
    ),
    over(
        "roles, their bindings and their resource names",
        "roles",
        "namePrefix: x-\nresources: [all.yaml]",
        {
            "ClusterRole/r": {"/metadata/name": "x-r", "/rules/0/resourceNames/0": "x-s"},
            "Role/r": {"/metadata/name": "x-r", "/rules/0/resourceNames/0": "x-s"},
            "Secret/s": {"/metadata/name": "x-s"},
            "RoleBinding/rb": {
                "/metadata/name": "x-rb",
                "/roleRef/name": "x-r",
                "/subjects/0/name": "x-sa",
                "/subjects/1/name": "x-sa",
            },
            "ServiceAccount/sa": {"/metadata/name": "x-sa"},
        },
    ),
    Case(
        "a binding to an account of another namespace",
        {
            "kustomization.yaml": "resources: [one, two]",
            "one/kustomization.yaml": "namespace: one\nnamePrefix: p-\nresources: [all.yaml]",
            "one/all.yaml": "{apiVersion: v1, kind: ServiceAccount, metadata: {name: sa}}",
            "two/kustomization.yaml": "namespace: two\nresources: [all.yaml]",
            "two/all.yaml": """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: rb}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
                subjects: [{kind: ServiceAccount, name: sa, namespace: one}, {kind: ServiceAccount, name: sa,
                  namespace: three}]
                """,
        },
        """
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: p-sa, namespace: one}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: rb, namespace: two}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
        subjects:
        - {kind: ServiceAccount, name: p-sa, namespace: one}
        - {kind: ServiceAccount, name: sa, namespace: three}
        """,
    ),
    Case(
        "one name in two overlays, each with who uses it",
        {
            "base/kustomization.yaml": "resources: [all.yaml]",
            "base/all.yaml": """
                {apiVersion: v1, kind: ConfigMap, metadata: {name: c}}
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {volumes: [{name: v, configMap: {name: c}}]}}
                """,
            "one/kustomization.yaml": "namePrefix: one-\nresources: [../base]",
            "two/kustomization.yaml": "namePrefix: two-\nresources: [../base]",
            "top/kustomization.yaml": "namePrefix: x-\nresources: [../one, ../two]",
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: x-one-c}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: x-one-p}
        spec:
          volumes:
          - name: v
            configMap: {name: x-one-c}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: x-two-c}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: x-two-p}
        spec:
          volumes:
          - name: v
            configMap: {name: x-two-c}
        """,
        folder="top",
    ),
    Case(
        "a name given in an overlay to what a base uses",
        {
            "base/kustomization.yaml": "resources: [pod.yaml]",
            "base/pod.yaml": """
                {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {volumes: [{name: v, configMap: {name: c}}]}}
                """,
            "conf/kustomization.yaml": "nameSuffix: -v2\nresources: [c.yaml]",
            "conf/c.yaml": config_map("c"),
            "top/kustomization.yaml": "resources: [../base, ../conf]",
        },
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p}
        spec:
          volumes:
          - name: v
            configMap: {name: c-v2}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: c-v2}
        """,
        folder="top",
    ),
    Case(
        "names of a patch are those of before",
        {
            "kustomization.yaml": """
                namePrefix: x-
                resources: [base]
                patches:
                - patch: |
                    {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {by: old}}
                - target: {kind: ConfigMap, name: y-a}
                  patch: |
                    - {op: add, path: /data/more, value: new}
                """,
            "base/kustomization.yaml": "namePrefix: y-\nresources: [a.yaml]",
            "base/a.yaml": config_map("a"),
        },
        config_map("x-y-a", {"by": "old", "more": "new"}),
    ),
    Case(
        "a Namespace that objects are in keeps its name",
        {
            "kustomization.yaml": "namePrefix: x-\nnamespace: shop\nresources: [all.yaml]",
            "all.yaml": """
                {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
                ---
                {apiVersion: v1, kind: ResourceQuota, metadata: {name: q, namespace: shop}, spec: {hard: {pods: "4"}}}
                """,
        },
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: shop}
        ---
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: x-q, namespace: shop}
        spec:
          hard: {pods: '4'}
        """,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_names_and_references_change_as_kustomize_has_it(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
