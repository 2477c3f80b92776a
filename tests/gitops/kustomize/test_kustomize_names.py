"""Prefixes and suffixes of names, and the fields of other objects that follow them."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import Case, expected, names, rendered

CASES = [
    Case(
        "a prefix and a suffix for all but a few kinds",
        {
            "kustomization.yaml": "namePrefix: x-\nnameSuffix: -y\nresources: [all.yaml]",
            "all.yaml": """
                {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
                ---
                {apiVersion: v1, kind: Namespace, metadata: {name: a}}
                ---
                {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a.example.com}}
                ---
                {apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1.example.com}}
                ---
                {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: a}}
                ---
                {apiVersion: example.com/v1, kind: Widget, metadata: {name: a}}
                """,
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: x-a-y}
        ---
        apiVersion: v1
        kind: Namespace
        metadata: {name: a}
        ---
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: a.example.com}
        ---
        apiVersion: apiregistration.k8s.io/v1
        kind: APIService
        metadata: {name: v1.example.com}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: x-a-y}
        ---
        apiVersion: example.com/v1
        kind: Widget
        metadata: {name: x-a-y}
        """,
    ),
    Case(
        "a pod follows the names of all that it uses",
        {
            "kustomization.yaml": "namePrefix: x-\nresources: [all.yaml]",
            "all.yaml": """
                apiVersion: v1
                kind: Pod
                metadata: {name: p}
                spec:
                  serviceAccountName: sa
                  imagePullSecrets: [{name: s}]
                  priorityClassName: high
                  volumes:
                  - {name: c, configMap: {name: c}}
                  - {name: s, secret: {secretName: s}}
                  - {name: d, persistentVolumeClaim: {claimName: d}}
                  - {name: other, configMap: {name: other}}
                  - name: p
                    projected: {sources: [{configMap: {name: c}}, {secret: {name: s}}]}
                  initContainers:
                  - {name: c, envFrom: [{configMapRef: {name: c}}]}
                  containers:
                  - name: c
                    env:
                    - {name: A, valueFrom: {configMapKeyRef: {name: c, key: k}}}
                    - {name: B, valueFrom: {secretKeyRef: {name: s, key: k}}}
                    - {name: C, value: c}
                    envFrom: [{secretRef: {name: s}}]
                ---
                {apiVersion: v1, kind: ServiceAccount, metadata: {name: sa}, secrets: [{name: s}]}
                ---
                {apiVersion: v1, kind: ConfigMap, metadata: {name: c}}
                ---
                {apiVersion: v1, kind: Secret, metadata: {name: s}}
                ---
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: d}, spec: {volumeName: v,
                  storageClassName: f}}
                ---
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: v}, spec: {storageClassName: f}}
                ---
                {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: f}}
                ---
                {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}}
                """,
        },
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: x-p}
        spec:
          serviceAccountName: x-sa
          imagePullSecrets:
          - {name: x-s}
          priorityClassName: x-high
          volumes:
          - name: c
            configMap: {name: x-c}
          - name: s
            secret: {secretName: x-s}
          - name: d
            persistentVolumeClaim: {claimName: x-d}
          - name: other
            configMap: {name: other}
          - name: p
            projected:
              sources:
              - configMap: {name: x-c}
              - secret: {name: x-s}
          initContainers:
          - name: c
            envFrom:
            - configMapRef: {name: x-c}
          containers:
          - name: c
            env:
            - name: A
              valueFrom:
                configMapKeyRef: {name: x-c, key: k}
            - name: B
              valueFrom:
                secretKeyRef: {name: x-s, key: k}
            - {name: C, value: c}
            envFrom:
            - secretRef: {name: x-s}
        ---
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: x-sa}
        secrets:
        - {name: s}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: x-c}
        ---
        apiVersion: v1
        kind: Secret
        metadata: {name: x-s}
        ---
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: {name: x-d}
        spec: {volumeName: x-v, storageClassName: x-f}
        ---
        apiVersion: v1
        kind: PersistentVolume
        metadata: {name: x-v}
        spec: {storageClassName: x-f}
        ---
        apiVersion: storage.k8s.io/v1
        kind: StorageClass
        metadata: {name: x-f}
        ---
        apiVersion: scheduling.k8s.io/v1
        kind: PriorityClass
        metadata: {name: x-high}
        """,
    ),
    Case(
        "workloads, autoscalers, ingresses and budgets",
        {
            "kustomization.yaml": "nameSuffix: -y\nresources: [all.yaml]",
            "all.yaml": """
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: web},
                  spec: {template: {spec: {serviceAccountName: sa}}}}
                ---
                {apiVersion: v1, kind: ServiceAccount, metadata: {name: sa}}
                ---
                {apiVersion: v1, kind: Service, metadata: {name: svc}}
                ---
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: db}
                spec:
                  serviceName: svc
                  volumeClaimTemplates: [{metadata: {name: data}, spec: {storageClassName: fast}}]
                ---
                apiVersion: autoscaling/v2
                kind: HorizontalPodAutoscaler
                metadata: {name: hpa}
                spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
                ---
                apiVersion: autoscaling/v2
                kind: HorizontalPodAutoscaler
                metadata: {name: wrong}
                spec: {scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: web}}
                ---
                apiVersion: networking.k8s.io/v1
                kind: Ingress
                metadata: {name: in}
                spec:
                  defaultBackend: {service: {name: svc}}
                  rules: [{http: {paths: [{path: /, backend: {service: {name: svc, port: {number: 80}}}}]}}]
                ---
                {apiVersion: batch/v1, kind: CronJob, metadata: {name: cj},
                  spec: {jobTemplate: {spec: {template: {spec: {serviceAccountName: sa}}}}}}
                """,
        },
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web-y}
        spec:
          template:
            spec: {serviceAccountName: sa-y}
        ---
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: sa-y}
        ---
        apiVersion: v1
        kind: Service
        metadata: {name: svc-y}
        ---
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: db-y}
        spec:
          serviceName: svc-y
          volumeClaimTemplates:
          - metadata: {name: data}
            spec: {storageClassName: fast}
        ---
        apiVersion: autoscaling/v2
        kind: HorizontalPodAutoscaler
        metadata: {name: hpa-y}
        spec:
          scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web-y}
        ---
        apiVersion: autoscaling/v2
        kind: HorizontalPodAutoscaler
        metadata: {name: wrong-y}
        spec:
          scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: web-y}
        ---
        apiVersion: networking.k8s.io/v1
        kind: Ingress
        metadata: {name: in-y}
        spec:
          defaultBackend:
            service: {name: svc-y}
          rules:
          - http:
              paths:
              - path: /
                backend:
                  service:
                    name: svc-y
                    port: {number: 80}
        ---
        apiVersion: batch/v1
        kind: CronJob
        metadata: {name: cj-y}
        spec:
          jobTemplate:
            spec:
              template:
                spec: {serviceAccountName: sa-y}
        """,
    ),
    Case(
        "roles, their bindings and their resource names",
        {
            "kustomization.yaml": "namePrefix: x-\nresources: [all.yaml]",
            "all.yaml": """
                {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: r},
                  rules: [{resources: [secrets], resourceNames: [s, other]}]}
                ---
                {apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: r},
                  rules: [{resources: [configmaps], resourceNames: [s]}]}
                ---
                {apiVersion: v1, kind: Secret, metadata: {name: s}}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: rb}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: r}
                subjects: [{kind: ServiceAccount, name: sa}, {kind: User, name: sa}]
                ---
                {apiVersion: v1, kind: ServiceAccount, metadata: {name: sa}}
                """,
        },
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: x-r}
        rules:
        - resources: [secrets]
          resourceNames: [x-s, other]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: x-r}
        rules:
        - resources: [configmaps]
          resourceNames: [x-s]
        ---
        apiVersion: v1
        kind: Secret
        metadata: {name: x-s}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: x-rb}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: x-r}
        subjects:
        - {kind: ServiceAccount, name: x-sa}
        - {kind: User, name: x-sa}
        ---
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: x-sa}
        """,
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
            "conf/c.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}",
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
            "base/a.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}",
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: x-y-a}
        data: {by: old, more: new}
        """,
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
def test_names(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
