"""Labels and annotations for everything: which fields they are written to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from kustomize_trees import Case, amended, expected, names, rendered, tree

FOLDER = tree("labels")
"""One object of each kind that has labels in a place of its own."""

METADATA = dict.fromkeys(
    (
        "Deployment/web",
        "StatefulSet/db",
        "Service/web",
        "Service/outside",
        "CronJob/cj",
        "Job/j",
        "NetworkPolicy/np",
        "PodDisruptionBudget/pdb",
        "Widget/w",
    ),
    ("/metadata",),
)
TEMPLATES = {
    "Deployment/web": ("/spec/template/metadata",),
    "StatefulSet/db": ("/spec/template/metadata",),
    "CronJob/cj": ("/spec/jobTemplate/metadata", "/spec/jobTemplate/spec/template/metadata"),
    "Job/j": ("/spec/template/metadata",),
}
CLAIMS = {"StatefulSet/db": ("/spec/volumeClaimTemplates/0/metadata",)}
AFFINITY = "/spec/template/spec/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution/0/labelSelector"
SELECTORS = {
    "Deployment/web": ("/spec/selector/matchLabels", f"{AFFINITY}/matchLabels"),
    "StatefulSet/db": ("/spec/selector/matchLabels",),
    "Service/web": ("/spec/selector",),
    "Service/outside": ("/spec/selector",),
    "NetworkPolicy/np": ("/spec/ingress/0/from/0/podSelector/matchLabels",),
    "PodDisruptionBudget/pdb": ("/spec/selector/matchLabels",),
}

Places = Mapping[str, tuple[str, ...]]
"""`Kind/name` → JSON pointers."""


def labelled(
    name: str, kustomization: str, metadata: tuple[Places, ...], mappings: tuple[Places, ...], entry: str = "labels/app"
) -> Case:
    """What a kustomization writes to the metadata, and to other mappings, at these places, and nowhere else."""
    _, key = entry.split("/")
    value = {"app": "shop", "note": "new"}[key]
    changes: dict[str, dict[str, object]] = {}
    for group, below in (*((group, entry) for group in metadata), *((group, key) for group in mappings)):
        for called, pointers in group.items():
            changes.setdefault(called, {}).update({f"{pointer}/{below}": value for pointer in pointers})
    return Case(name, {**FOLDER, "kustomization.yaml": kustomization}, amended(FOLDER["all.yaml"], changes))


CASES = [
    labelled(
        "common labels",
        "resources: [all.yaml]\ncommonLabels: {app: shop}",
        (METADATA, TEMPLATES, CLAIMS),
        (SELECTORS,),
    ),
    labelled(
        "common annotations",
        "resources: [all.yaml]\ncommonAnnotations: {note: new}",
        (METADATA, TEMPLATES),
        (),
        "annotations/note",
    ),
    labelled(
        "labels of metadata alone",
        "resources: [all.yaml]\nlabels: [{pairs: {app: shop}}]",
        (METADATA,),
        (),
    ),
    labelled(
        "labels in selectors",
        "resources: [all.yaml]\nlabels: [{pairs: {app: shop}, includeSelectors: true}]",
        (METADATA, TEMPLATES, CLAIMS),
        (SELECTORS,),
    ),
    labelled(
        "labels in templates",
        "resources: [all.yaml]\nlabels: [{pairs: {app: shop}, includeTemplates: true}]",
        (METADATA, TEMPLATES, CLAIMS),
        (),
    ),
    labelled(
        "labels in fields",
        """
        resources: [all.yaml]
        labels:
        - pairs: {app: shop}
          fields:
          - {path: spec/deep/labels, kind: Widget, create: true}
          - {path: spec/template/metadata/labels, kind: Deployment}
        """,
        (METADATA, {"Deployment/web": TEMPLATES["Deployment/web"]}),
        ({"Widget/w": ("/spec/deep/labels",)},),
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
def test_labels_are_set_as_kustomize_does(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
