"""Labels and annotations for everything: which fields they are written to."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import Case, expected, names, rendered

ALL = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: old, kept: "1"}, annotations: {note: old}}
spec:
  selector: {matchLabels: {tier: front}}
  template:
    metadata: {labels: {tier: front}}
    spec:
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchLabels: {tier: front}}},
            {topologyKey: x}]
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec: {volumeClaimTemplates: [{metadata: {name: data}}]}
---
{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {tier: front}}}
---
{apiVersion: v1, kind: Service, metadata: {name: outside}, spec: {type: ExternalName}}
---
{apiVersion: batch/v1, kind: CronJob, metadata: {name: cj}, spec: {jobTemplate: {spec: {template: {spec: {}}}}}}
---
{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {template: {spec: {}}}}
---
{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: np}, spec: {podSelector: {},
  ingress: [{from: [{podSelector: {matchLabels: {tier: front}}}]}]}}
---
{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: pdb},
  spec: {selector: {matchLabels: {tier: front}}}}
---
{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {selector: {matchLabels: {a: b}},
  template: {metadata: {}}}}
"""

CASES = [
    Case(
        "common labels",
        {"kustomization.yaml": "resources: [all.yaml]\ncommonLabels: {app: shop}", "all.yaml": ALL},
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: web
          labels: {app: shop, kept: '1'}
          annotations: {note: old}
        spec:
          selector:
            matchLabels: {tier: front, app: shop}
          template:
            metadata:
              labels: {tier: front, app: shop}
            spec:
              affinity:
                podAntiAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                  - labelSelector:
                      matchLabels: {tier: front, app: shop}
                  - {topologyKey: x}
        ---
        apiVersion: apps/v1
        kind: StatefulSet
        metadata:
          name: db
          labels: {app: shop}
        spec:
          volumeClaimTemplates:
          - metadata:
              name: data
              labels: {app: shop}
          selector:
            matchLabels: {app: shop}
          template:
            metadata:
              labels: {app: shop}
        ---
        apiVersion: v1
        kind: Service
        metadata:
          name: web
          labels: {app: shop}
        spec:
          selector: {tier: front, app: shop}
        ---
        apiVersion: v1
        kind: Service
        metadata:
          name: outside
          labels: {app: shop}
        spec:
          type: ExternalName
          selector: {app: shop}
        ---
        apiVersion: batch/v1
        kind: CronJob
        metadata:
          name: cj
          labels: {app: shop}
        spec:
          jobTemplate:
            spec:
              template:
                spec: {}
                metadata:
                  labels: {app: shop}
            metadata:
              labels: {app: shop}
        ---
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: j
          labels: {app: shop}
        spec:
          template:
            spec: {}
            metadata:
              labels: {app: shop}
        ---
        apiVersion: networking.k8s.io/v1
        kind: NetworkPolicy
        metadata:
          name: np
          labels: {app: shop}
        spec:
          podSelector: {}
          ingress:
          - from:
            - podSelector:
                matchLabels: {tier: front, app: shop}
        ---
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata:
          name: pdb
          labels: {app: shop}
        spec:
          selector:
            matchLabels: {tier: front, app: shop}
        ---
        apiVersion: example.com/v1
        kind: Widget
        metadata:
          name: w
          labels: {app: shop}
        spec:
          selector:
            matchLabels: {a: b}
          template:
            metadata: {}
        """,
    ),
    Case(
        "common annotations",
        {"kustomization.yaml": "resources: [all.yaml]\ncommonAnnotations: {note: new}", "all.yaml": ALL},
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: web
          labels: {app: old, kept: '1'}
          annotations: {note: new}
        spec:
          selector:
            matchLabels: {tier: front}
          template:
            metadata:
              labels: {tier: front}
              annotations: {note: new}
            spec:
              affinity:
                podAntiAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                  - labelSelector:
                      matchLabels: {tier: front}
                  - {topologyKey: x}
        ---
        apiVersion: apps/v1
        kind: StatefulSet
        metadata:
          name: db
          annotations: {note: new}
        spec:
          volumeClaimTemplates:
          - metadata: {name: data}
          template:
            metadata:
              annotations: {note: new}
        ---
        apiVersion: v1
        kind: Service
        metadata:
          name: web
          annotations: {note: new}
        spec:
          selector: {tier: front}
        ---
        apiVersion: v1
        kind: Service
        metadata:
          name: outside
          annotations: {note: new}
        spec: {type: ExternalName}
        ---
        apiVersion: batch/v1
        kind: CronJob
        metadata:
          name: cj
          annotations: {note: new}
        spec:
          jobTemplate:
            spec:
              template:
                spec: {}
                metadata:
                  annotations: {note: new}
            metadata:
              annotations: {note: new}
        ---
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: j
          annotations: {note: new}
        spec:
          template:
            spec: {}
            metadata:
              annotations: {note: new}
        ---
        apiVersion: networking.k8s.io/v1
        kind: NetworkPolicy
        metadata:
          name: np
          annotations: {note: new}
        spec:
          podSelector: {}
          ingress:
          - from:
            - podSelector:
                matchLabels: {tier: front}
        ---
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata:
          name: pdb
          annotations: {note: new}
        spec:
          selector:
            matchLabels: {tier: front}
        ---
        apiVersion: example.com/v1
        kind: Widget
        metadata:
          name: w
          annotations: {note: new}
        spec:
          selector:
            matchLabels: {a: b}
          template:
            metadata: {}
        """,
    ),
    Case(
        "labels of metadata alone",
        {"kustomization.yaml": "resources: [all.yaml]\nlabels: [{pairs: {app: shop}}]", "all.yaml": ALL},
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: web
          labels: {app: shop, kept: '1'}
          annotations: {note: old}
        spec:
          selector:
            matchLabels: {tier: front}
          template:
            metadata:
              labels: {tier: front}
            spec:
              affinity:
                podAntiAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                  - labelSelector:
                      matchLabels: {tier: front}
                  - {topologyKey: x}
        ---
        apiVersion: apps/v1
        kind: StatefulSet
        metadata:
          name: db
          labels: {app: shop}
        spec:
          volumeClaimTemplates:
          - metadata: {name: data}
        ---
        apiVersion: v1
        kind: Service
        metadata:
          name: web
          labels: {app: shop}
        spec:
          selector: {tier: front}
        ---
        apiVersion: v1
        kind: Service
        metadata:
          name: outside
          labels: {app: shop}
        spec: {type: ExternalName}
        ---
        apiVersion: batch/v1
        kind: CronJob
        metadata:
          name: cj
          labels: {app: shop}
        spec:
          jobTemplate:
            spec:
              template:
                spec: {}
        ---
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: j
          labels: {app: shop}
        spec:
          template:
            spec: {}
        ---
        apiVersion: networking.k8s.io/v1
        kind: NetworkPolicy
        metadata:
          name: np
          labels: {app: shop}
        spec:
          podSelector: {}
          ingress:
          - from:
            - podSelector:
                matchLabels: {tier: front}
        ---
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata:
          name: pdb
          labels: {app: shop}
        spec:
          selector:
            matchLabels: {tier: front}
        ---
        apiVersion: example.com/v1
        kind: Widget
        metadata:
          name: w
          labels: {app: shop}
        spec:
          selector:
            matchLabels: {a: b}
          template:
            metadata: {}
        """,
    ),
    Case(
        "labels in selectors",
        {
            "kustomization.yaml": "resources: [all.yaml]\nlabels: [{pairs: {app: shop}, includeSelectors: true}]",
            "all.yaml": ALL,
        },
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: web
          labels: {app: shop, kept: '1'}
          annotations: {note: old}
        spec:
          selector:
            matchLabels: {tier: front, app: shop}
          template:
            metadata:
              labels: {tier: front, app: shop}
            spec:
              affinity:
                podAntiAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                  - labelSelector:
                      matchLabels: {tier: front, app: shop}
                  - {topologyKey: x}
        ---
        apiVersion: apps/v1
        kind: StatefulSet
        metadata:
          name: db
          labels: {app: shop}
        spec:
          volumeClaimTemplates:
          - metadata:
              name: data
              labels: {app: shop}
          selector:
            matchLabels: {app: shop}
          template:
            metadata:
              labels: {app: shop}
        ---
        apiVersion: v1
        kind: Service
        metadata:
          name: web
          labels: {app: shop}
        spec:
          selector: {tier: front, app: shop}
        ---
        apiVersion: v1
        kind: Service
        metadata:
          name: outside
          labels: {app: shop}
        spec:
          type: ExternalName
          selector: {app: shop}
        ---
        apiVersion: batch/v1
        kind: CronJob
        metadata:
          name: cj
          labels: {app: shop}
        spec:
          jobTemplate:
            spec:
              template:
                spec: {}
                metadata:
                  labels: {app: shop}
            metadata:
              labels: {app: shop}
        ---
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: j
          labels: {app: shop}
        spec:
          template:
            spec: {}
            metadata:
              labels: {app: shop}
        ---
        apiVersion: networking.k8s.io/v1
        kind: NetworkPolicy
        metadata:
          name: np
          labels: {app: shop}
        spec:
          podSelector: {}
          ingress:
          - from:
            - podSelector:
                matchLabels: {tier: front, app: shop}
        ---
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata:
          name: pdb
          labels: {app: shop}
        spec:
          selector:
            matchLabels: {tier: front, app: shop}
        ---
        apiVersion: example.com/v1
        kind: Widget
        metadata:
          name: w
          labels: {app: shop}
        spec:
          selector:
            matchLabels: {a: b}
          template:
            metadata: {}
        """,
    ),
    Case(
        "labels in templates",
        {
            "kustomization.yaml": "resources: [all.yaml]\nlabels: [{pairs: {app: shop}, includeTemplates: true}]",
            "all.yaml": ALL,
        },
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: web
          labels: {app: shop, kept: '1'}
          annotations: {note: old}
        spec:
          selector:
            matchLabels: {tier: front}
          template:
            metadata:
              labels: {tier: front, app: shop}
            spec:
              affinity:
                podAntiAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                  - labelSelector:
                      matchLabels: {tier: front}
                  - {topologyKey: x}
        ---
        apiVersion: apps/v1
        kind: StatefulSet
        metadata:
          name: db
          labels: {app: shop}
        spec:
          volumeClaimTemplates:
          - metadata:
              name: data
              labels: {app: shop}
          template:
            metadata:
              labels: {app: shop}
        ---
        apiVersion: v1
        kind: Service
        metadata:
          name: web
          labels: {app: shop}
        spec:
          selector: {tier: front}
        ---
        apiVersion: v1
        kind: Service
        metadata:
          name: outside
          labels: {app: shop}
        spec: {type: ExternalName}
        ---
        apiVersion: batch/v1
        kind: CronJob
        metadata:
          name: cj
          labels: {app: shop}
        spec:
          jobTemplate:
            spec:
              template:
                spec: {}
                metadata:
                  labels: {app: shop}
            metadata:
              labels: {app: shop}
        ---
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: j
          labels: {app: shop}
        spec:
          template:
            spec: {}
            metadata:
              labels: {app: shop}
        ---
        apiVersion: networking.k8s.io/v1
        kind: NetworkPolicy
        metadata:
          name: np
          labels: {app: shop}
        spec:
          podSelector: {}
          ingress:
          - from:
            - podSelector:
                matchLabels: {tier: front}
        ---
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata:
          name: pdb
          labels: {app: shop}
        spec:
          selector:
            matchLabels: {tier: front}
        ---
        apiVersion: example.com/v1
        kind: Widget
        metadata:
          name: w
          labels: {app: shop}
        spec:
          selector:
            matchLabels: {a: b}
          template:
            metadata: {}
        """,
    ),
    Case(
        "labels in fields",
        {
            "kustomization.yaml": """
                resources: [all.yaml]
                labels:
                - pairs: {app: shop}
                  fields:
                  - {path: spec/deep/labels, kind: Widget, create: true}
                  - {path: spec/template/metadata/labels, kind: Deployment}
                """,
            "all.yaml": ALL,
        },
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: web
          labels: {app: shop, kept: '1'}
          annotations: {note: old}
        spec:
          selector:
            matchLabels: {tier: front}
          template:
            metadata:
              labels: {tier: front, app: shop}
            spec:
              affinity:
                podAntiAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                  - labelSelector:
                      matchLabels: {tier: front}
                  - {topologyKey: x}
        ---
        apiVersion: apps/v1
        kind: StatefulSet
        metadata:
          name: db
          labels: {app: shop}
        spec:
          volumeClaimTemplates:
          - metadata: {name: data}
        ---
        apiVersion: v1
        kind: Service
        metadata:
          name: web
          labels: {app: shop}
        spec:
          selector: {tier: front}
        ---
        apiVersion: v1
        kind: Service
        metadata:
          name: outside
          labels: {app: shop}
        spec: {type: ExternalName}
        ---
        apiVersion: batch/v1
        kind: CronJob
        metadata:
          name: cj
          labels: {app: shop}
        spec:
          jobTemplate:
            spec:
              template:
                spec: {}
        ---
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: j
          labels: {app: shop}
        spec:
          template:
            spec: {}
        ---
        apiVersion: networking.k8s.io/v1
        kind: NetworkPolicy
        metadata:
          name: np
          labels: {app: shop}
        spec:
          podSelector: {}
          ingress:
          - from:
            - podSelector:
                matchLabels: {tier: front}
        ---
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata:
          name: pdb
          labels: {app: shop}
        spec:
          selector:
            matchLabels: {tier: front}
        ---
        apiVersion: example.com/v1
        kind: Widget
        metadata:
          name: w
          labels: {app: shop}
        spec:
          selector:
            matchLabels: {a: b}
          template:
            metadata: {}
          deep:
            labels: {app: shop}
        """,
    ),
    Case(
        "values that are no texts, several entries, and both ways at once",
        {
            "kustomization.yaml": """
                resources: [a.yaml]
                commonLabels: {b: "2", common: "true"}
                commonAnnotations: {note: "1"}
                labels:
                - pairs: {a: "1", b: "1"}
                - {pairs: {c: "3"}, includeSelectors: true}
                """,
            "a.yaml": "{apiVersion: v1, kind: Service, metadata: {name: a}}",
        },
        """
        apiVersion: v1
        kind: Service
        metadata:
          name: a
          labels: {a: '1', b: '2', c: '3', common: 'true'}
          annotations: {note: '1'}
        spec:
          selector: {c: '3', b: '2', common: 'true'}
        """,
    ),
    Case(
        "labels of a base and of an overlay",
        {
            "base/kustomization.yaml": "resources: [a.yaml]\ncommonLabels: {app: base, from: base}",
            "base/a.yaml": "{apiVersion: v1, kind: ReplicationController, metadata: {name: a}, spec: {template: {}}}",
            "top/kustomization.yaml": "resources: [../base]\ncommonLabels: {app: top}",
        },
        """
        apiVersion: v1
        kind: ReplicationController
        metadata:
          name: a
          labels: {app: top, from: base}
        spec:
          template:
            metadata:
              labels: {app: top, from: base}
          selector: {app: top, from: base}
        """,
        folder="top",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_labels(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
