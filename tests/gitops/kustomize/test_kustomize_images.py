"""Other images and other numbers of replicas."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import Case, amended, deployment, expected, names, over, rendered, tree

POD = tree("images-of-a-pod")["all.yaml"]


def retagged(name: str, images: str, *containers: str) -> Case:
    """A row of what becomes of the images of the containers init, a, b, c and d; "" for what stays."""
    places = ("initContainers/0", *(f"containers/{number}" for number in range(4)))
    changed = {f"/spec/{place}/image": image for place, image in zip(places, containers, strict=True) if image}
    return over(name, "images-of-a-pod", f"resources: [all.yaml]\n{images}", {"Pod/p": changed})


CASES = [
    retagged(
        "images of a pod",
        "images: [{name: nginx, newTag: '2'}, {name: 'registry:5000/nginx', newName: elsewhere/nginx},\n"
        "  {name: nginx-extra, digest: 'sha256:abcd'}, {name: unknown, newTag: '9'}]",
        *("nginx:2", "nginx:2", "nginx:2", "elsewhere/nginx:1", "nginx-extra@sha256:abcd"),
    ),
    retagged(
        "another name, a name and a tag, a name and a digest",
        "images: [{name: nginx, newName: caddy}, {name: nginx-extra, newName: caddy-extra, newTag: v2},\n"
        "  {name: 'registry:5000/nginx', newName: quay.io/nginx, newTag: v3, digest: 'sha256:abcd'}]",
        *("caddy:1", "caddy", "caddy:1.0@sha256:0123", "quay.io/nginx:v3@sha256:abcd", "caddy-extra:v2"),
    ),
    retagged(
        "a suffix of the tag",
        "images: [{name: nginx, tagSuffix: -x}]",
        *("nginx:1-x-x", "nginx:-x-x", "nginx:1.0-x-x", "", ""),
    ),
    retagged(
        "one entry after the other",
        "images: [{name: nginx, newName: caddy}, {name: caddy, newTag: '7'}]",
        *("caddy:7", "caddy:7", "caddy:7", "", ""),
    ),
    retagged(
        "the legacy field imageTags",
        "imageTags: [{name: nginx, newTag: '2'}]",
        *("nginx:2", "nginx:2", "nginx:2", "", ""),
    ),
    Case(
        "images of templates, of custom kinds and of image volumes, but not of definitions",
        {
            "kustomization.yaml": "resources: [all.yaml]\nimages: [{name: a, newTag: v2}]",
            "all.yaml": """
                apiVersion: batch/v1
                kind: CronJob
                metadata: {name: cj}
                spec:
                  jobTemplate:
                    spec:
                      template:
                        spec:
                          containers: [{name: a, image: a}]
                          volumes: [{name: v, image: {reference: a}}]
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: p}
                spec: {containers: [], volumes: [{name: v, image: {reference: a}}]}
                ---
                {apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {image: a,
                  containers: [{image: a}]}}
                ---
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: w.example.com}
                spec: {containers: [{image: a}]}
                """,
        },
        """
        apiVersion: batch/v1
        kind: CronJob
        metadata: {name: cj}
        spec:
          jobTemplate:
            spec:
              template:
                spec:
                  containers:
                  - {name: a, image: 'a:v2'}
                  volumes:
                  - name: v
                    image: {reference: a}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: p}
        spec:
          containers: []
          volumes:
          - name: v
            image: {reference: 'a:v2'}
        ---
        apiVersion: example.com/v1
        kind: Widget
        metadata: {name: w}
        spec:
          image: a
          containers:
          - {image: 'a:v2'}
        ---
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: w.example.com}
        spec:
          containers:
          - {image: a}
        """,
    ),
    Case(
        "a base that sets the tag and an overlay that sets it again",
        {
            "base/kustomization.yaml": "resources: [p.yaml]\nimages: [{name: nginx, newName: caddy, newTag: '1'}]",
            "base/p.yaml": POD,
            "top/kustomization.yaml": "resources: [../base]\nimages: [{name: caddy, newTag: '2'}]",
        },
        amended(
            POD,
            {
                "Pod/p": {
                    "/spec/initContainers/0/image": "caddy:2",
                    "/spec/containers/0/image": "caddy:2",
                    "/spec/containers/1/image": "caddy:2",
                }
            },
        ),
        folder="top",
    ),
    Case(
        "replicas of all kinds of one name",
        {
            "kustomization.yaml": """
                resources: [all.yaml]
                replicas: [{name: web, count: 5}, {name: rc, count: 0}, {name: other, count: 7}]
                """,
            "all.yaml": """
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 1}}
                ---
                {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}}
                ---
                {apiVersion: apps/v1, kind: DaemonSet, metadata: {name: web}, spec: {}}
                ---
                {apiVersion: v1, kind: ReplicationController, metadata: {name: rc}, spec: {}}
                ---
                {apiVersion: example.com/v1, kind: Deployment, metadata: {name: other}, spec: {replicas: 2}}
                """,
        },
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec: {replicas: 5}
        ---
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: web}
        spec: {replicas: 5}
        ---
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {name: web}
        spec: {}
        ---
        apiVersion: v1
        kind: ReplicationController
        metadata: {name: rc}
        spec: {replicas: 0}
        ---
        apiVersion: example.com/v1
        kind: Deployment
        metadata: {name: other}
        spec: {replicas: 7}
        """,
    ),
    Case(
        "replicas by the name of a base",
        {
            "base/kustomization.yaml": "resources: [web.yaml]\nnamePrefix: x-",
            "base/web.yaml": deployment(1),
            "top/kustomization.yaml": "resources: [../base]\nnamePrefix: y-\nreplicas: [{name: web, count: 3}]",
        },
        deployment(3, name="y-x-web"),
        folder="top",
    ),
    Case(
        "replicas of what is not there",
        {
            "kustomization.yaml": "resources: [web.yaml]\nreplicas: [{name: db, count: 3}]",
            "web.yaml": deployment(1),
        },
        deployment(1),
        problems=(("refused", "there is no workload db to give replicas to"),),
        kubectl="refuses",
    ),
    Case(
        "replicas without a count",
        {
            "kustomization.yaml": "resources: [web.yaml]\nreplicas: [{name: web}]",
            "web.yaml": deployment(1),
        },
        deployment(0),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_images_and_replicas_are_set_as_kustomize_does(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
