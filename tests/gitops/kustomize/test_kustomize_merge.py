"""Strategic merge: mappings, lists by their keys, directives."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import Case, expected, merges, names, rendered

CASES = [
    merges(
        "mappings and plain values",
        """
        restartPolicy: Always
        nodeSelector: {a: b, c: d}
        """,
        """
        restartPolicy: Never
        nodeSelector: {c: e, f: g}
        """,
        """
        restartPolicy: Never
        nodeSelector: {a: b, c: e, f: g}
        """,
    ),
    merges(
        "null deletes",
        """
        restartPolicy: Always
        nodeSelector: {a: b, c: d}
        volumes: [{name: v, emptyDir: {}}]
        """,
        """
        restartPolicy: null
        nodeSelector: {a: null, x: null}
        volumes: null
        """,
        """
        nodeSelector: {c: d}
        """,
    ),
    merges(
        "containers by name",
        """
        containers: [{name: a, image: a:1, command: [x, z]}, {name: b, image: b:1}]
        """,
        """
        containers: [{name: b, image: b:2}, {name: new, image: n:1}, {name: a, command: [other]}]
        """,
        """
        containers:
        - {name: b, image: 'b:2'}
        - {name: new, image: 'n:1'}
        - name: a
          image: a:1
          command: [other]
        """,
    ),
    merges(
        "init containers and ephemeral ones",
        """
        initContainers: [{name: a, image: a:1}]
        ephemeralContainers: [{name: e, image: e:1}]
        """,
        """
        initContainers: [{name: a, image: a:2}]
        ephemeralContainers: [{name: e, image: e:2}]
        """,
        """
        initContainers:
        - {name: a, image: 'a:2'}
        ephemeralContainers:
        - {name: e, image: 'e:2'}
        """,
    ),
    merges(
        "environment by name",
        """
        containers: [{name: a, env: [{name: A, value: '1'}, {name: B, value: '2'}],
          envFrom: [{configMapRef: {name: c}}]}]
        """,
        """
        containers: [{name: a, env: [{name: B, value: x}, {name: C, value: '3'}], envFrom: [{secretRef: {name: s}}]}]
        """,
        """
        containers:
        - name: a
          env:
          - {name: B, value: x}
          - {name: C, value: '3'}
          - {name: A, value: '1'}
          envFrom:
          - secretRef: {name: s}
        """,
    ),
    merges(
        "an environment variable from a value to a reference",
        """
        containers: [{name: a, env: [{name: A, value: '1'}]}]
        """,
        """
        containers: [{name: a, env: [{name: A, value: null, valueFrom: {configMapKeyRef: {name: c, key: k}}}]}]
        """,
        """
        containers:
        - name: a
          env:
          - name: A
            valueFrom:
              configMapKeyRef: {name: c, key: k}
        """,
    ),
    merges(
        "ports of a container by number and protocol",
        """
        containers: [{name: a, ports: [{containerPort: 80, protocol: TCP}, {containerPort: 80, protocol: UDP},
          {containerPort: 81}]}]
        """,
        """
        containers: [{name: a, ports: [{containerPort: 80, protocol: UDP, name: dns}, {containerPort: 81,
          name: web}, {containerPort: 82}]}]
        """,
        """
        containers:
        - name: a
          ports:
          - {containerPort: 82}
          - {containerPort: 80, protocol: TCP}
          - {containerPort: 80, protocol: UDP, name: dns}
          - {containerPort: 81, name: web}
        """,
    ),
    merges(
        "ports without a protocol on one side",
        """
        containers: [{name: a, ports: [{containerPort: 80, protocol: TCP}]}]
        """,
        """
        containers: [{name: a, ports: [{containerPort: 80, name: web}]}]
        """,
        """
        containers:
        - name: a
          ports:
          - {containerPort: 80, protocol: TCP}
        """,
    ),
    merges(
        "an item of a patch without what tells items apart takes all away that the patch does not name before it",
        """
        containers: [{name: a, image: a}, {name: b, image: b, volumeMounts: [{name: v, mountPath: /v}]}]
        """,
        """
        containers: [{name: b, volumeMounts: [{$patch: delete, name: v}]}, {image: c}]
        """,
        """
        containers:
        - name: b
          image: b
          volumeMounts: []
        """,
    ),
    merges(
        "volumes and mounts",
        """
        volumes: [{name: v, emptyDir: {}}, {name: w, configMap: {name: c}}]
        containers: [{name: a, volumeMounts: [{name: v, mountPath: /v}, {name: w, mountPath: /w}]}]
        """,
        """
        volumes: [{name: v, emptyDir: {sizeLimit: 1Gi}}, {name: x, emptyDir: {}}]
        containers: [{name: a, volumeMounts: [{mountPath: /v, name: x}, {mountPath: /x, name: x}]}]
        """,
        """
        volumes:
        - name: v
          emptyDir: {sizeLimit: 1Gi}
        - name: x
          emptyDir: {}
        - name: w
          configMap: {name: c}
        containers:
        - name: a
          volumeMounts:
          - {name: x, mountPath: /v}
          - {mountPath: /x, name: x}
          - {name: w, mountPath: /w}
        """,
    ),
    merges(
        "tolerations are replaced",
        """
        tolerations: [{key: a, operator: Exists}]
        """,
        """
        tolerations: [{key: b, operator: Exists}]
        """,
        """
        tolerations:
        - {key: b, operator: Exists}
        """,
    ),
    merges(
        "host aliases, pull secrets and spread constraints",
        """
        hostAliases: [{ip: 10.0.0.1, hostnames: [a]}]
        imagePullSecrets: [{name: a}]
        topologySpreadConstraints: [{topologyKey: zone, whenUnsatisfiable: DoNotSchedule, maxSkew: 1}]
        """,
        """
        hostAliases: [{ip: 10.0.0.1, hostnames: [b]}]
        imagePullSecrets: [{name: b}]
        topologySpreadConstraints: [{topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, maxSkew: 2},
          {topologyKey: host, whenUnsatisfiable: DoNotSchedule}]
        """,
        """
        hostAliases:
        - ip: 10.0.0.1
          hostnames: [b]
        imagePullSecrets:
        - {name: b}
        - {name: a}
        topologySpreadConstraints:
        - {topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, maxSkew: 2}
        - {topologyKey: host, whenUnsatisfiable: DoNotSchedule}
        - {topologyKey: zone, whenUnsatisfiable: DoNotSchedule, maxSkew: 1}
        """,
    ),
    merges(
        "requests and limits",
        """
        containers: [{name: a, resources: {requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 2}}}]
        """,
        """
        containers: [{name: a, resources: {requests: {cpu: 500m}, limits: {cpu: null, memory: 2Gi}}}]
        """,
        """
        containers:
        - name: a
          resources:
            requests: {cpu: 500m, memory: 1Gi}
            limits: {memory: 2Gi}
        """,
    ),
    merges(
        "an empty list and an empty mapping",
        """
        containers: [{name: a}]
        nodeSelector: {a: b}
        tolerations: [{key: a}]
        """,
        """
        containers: []
        nodeSelector: {}
        tolerations: []
        """,
        """
        containers:
        - {name: a}
        nodeSelector: {a: b}
        tolerations: []
        """,
    ),
    merges(
        "the same twice in a patch",
        """
        containers: [{name: a, image: a}]
        """,
        """
        containers: [{name: a, image: b}, {name: a, command: [c]}]
        """,
        """
        containers:
        - {name: a, image: b}
        """,
    ),
    merges(
        "the same twice in an object",
        """
        containers: [{name: a, image: a}, {name: a, image: b}]
        """,
        """
        containers: [{name: a, image: c}]
        """,
        """
        containers:
        - {name: a, image: b}
        """,
    ),
    merges(
        "fields that are new",
        """
        restartPolicy: Always
        """,
        """
        containers: [{name: a, image: a, ports: [{containerPort: 80}]}]
        nodeSelector: {a: b, c: null}
        """,
        """
        restartPolicy: Always
        containers:
        - name: a
          image: a
          ports:
          - {containerPort: 80}
        nodeSelector: {a: b}
        """,
    ),
    merges(
        "a patch in the middle of a deep mapping",
        """
        affinity:
          nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: []}]}}
        """,
        """
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]
        """,
        """
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
              - matchExpressions:
                - {key: a, operator: Exists}
        """,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_patches_are_merged_as_kustomize_does(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
