"""Values that are copied from one object into others."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import Case, expected, names, rendered

ALL = """
{apiVersion: v1, kind: ConfigMap, metadata: {name: src, labels: {app: shop}}, data: {host: a.example.com:8080,
  count: "3", empty: ""}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - {name: a, image: "nginx:1", env: [{name: HOST, value: old}, {name: URL, value: "http://old:80/path"}]}
      - {name: b.c, image: "caddy:1"}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: other, annotations: {a.b/c: old}}, spec: {replicas: 2}}
"""


def replaces(name: str, replacement: str, objects: str) -> Case:
    """One entry of `replacements`, in a file of its own."""
    files = {"kustomization.yaml": "resources: [all.yaml]\nreplacements: [{path: r.yaml}]", "all.yaml": ALL}
    return Case(name, {**files, "r.yaml": replacement}, objects)


def wrong(name: str, replacement: str, reason: str) -> Case:
    """One that Kustomize refuses."""
    problem = ("refused", f"the replacement is not made: {reason}")
    return replaces(name, replacement, ALL)._replace(problems=(problem,), kubectl="refuses")


CASES = [
    replaces(
        "a name",
        """
        source: {kind: ConfigMap, name: src}
        targets: [{select: {kind: Deployment}, fieldPaths: [spec.a], options: {create: true}}]
        """,
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: src
          labels: {app: shop}
        data: {host: 'a.example.com:8080', count: '3', empty: ''}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 1
          template:
            spec:
              containers:
              - name: a
                image: nginx:1
                env:
                - {name: HOST, value: old}
                - {name: URL, value: 'http://old:80/path'}
              - {name: b.c, image: 'caddy:1'}
          a: src
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: other
          annotations: {a.b/c: old}
        spec: {replicas: 2, a: src}
        """,
    ),
    replaces(
        "several fields of several objects",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets:
        - {select: {kind: Deployment}, fieldPaths: [spec.replicas]}
        - {select: {name: web}, fieldPaths: ["spec.template.spec.containers.[name=a].env.[name=HOST].value",
          "spec.template.spec.containers.1.image"]}
        """,
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: src
          labels: {app: shop}
        data: {host: 'a.example.com:8080', count: '3', empty: ''}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 3
          template:
            spec:
              containers:
              - name: a
                image: nginx:1
                env:
                - {name: HOST, value: '3'}
                - {name: URL, value: 'http://old:80/path'}
              - {name: b.c, image: '3'}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: other
          annotations: {a.b/c: old}
        spec: {replicas: 3}
        """,
    ),
    replaces(
        "a part of the source",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.host, options: {delimiter: ":", index: 0}}
        targets: [{select: {name: web}, fieldPaths: ["spec.template.spec.containers.[name=a].env.[name=HOST].value"]}]
        """,
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: src
          labels: {app: shop}
        data: {host: 'a.example.com:8080', count: '3', empty: ''}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 1
          template:
            spec:
              containers:
              - name: a
                image: nginx:1
                env:
                - {name: HOST, value: a.example.com}
                - {name: URL, value: 'http://old:80/path'}
              - {name: b.c, image: 'caddy:1'}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: other
          annotations: {a.b/c: old}
        spec: {replicas: 2}
        """,
    ),
    replaces(
        "a part of the target",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets: [{select: {name: web}, fieldPaths: ["spec.template.spec.containers.*.image"],
          options: {delimiter: ":", index: 1}}]
        """,
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: src
          labels: {app: shop}
        data: {host: 'a.example.com:8080', count: '3', empty: ''}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 1
          template:
            spec:
              containers:
              - name: a
                image: nginx:3
                env:
                - {name: HOST, value: old}
                - {name: URL, value: 'http://old:80/path'}
              - {name: b.c, image: 'caddy:3'}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: other
          annotations: {a.b/c: old}
        spec: {replicas: 2}
        """,
    ),
    replaces(
        "before and behind the parts of the target",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets:
        - {select: {name: web}, fieldPaths: ["spec.template.spec.containers.[name=a].image"],
          options: {delimiter: ":", index: -1}}
        - {select: {name: web}, fieldPaths: ["spec.template.spec.containers.[name=b.c].image"],
          options: {delimiter: ":", index: 9}}
        """,
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: src
          labels: {app: shop}
        data: {host: 'a.example.com:8080', count: '3', empty: ''}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 1
          template:
            spec:
              containers:
              - name: a
                image: 3:nginx:1
                env:
                - {name: HOST, value: old}
                - {name: URL, value: 'http://old:80/path'}
              - {name: b.c, image: 'caddy:1:3'}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: other
          annotations: {a.b/c: old}
        spec: {replicas: 2}
        """,
    ),
    replaces(
        "a mapping",
        """
        source: {kind: ConfigMap, name: src, fieldPath: metadata.labels}
        targets: [{select: {kind: Deployment}, fieldPaths: [spec.selector.matchLabels], options: {create: true}}]
        """,
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: src
          labels: {app: shop}
        data: {host: 'a.example.com:8080', count: '3', empty: ''}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 1
          template:
            spec:
              containers:
              - name: a
                image: nginx:1
                env:
                - {name: HOST, value: old}
                - {name: URL, value: 'http://old:80/path'}
              - {name: b.c, image: 'caddy:1'}
          selector:
            matchLabels: {app: shop}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: other
          annotations: {a.b/c: old}
        spec:
          replicas: 2
          selector:
            matchLabels: {app: shop}
        """,
    ),
    replaces(
        "fields that are created",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets: [{select: {name: other}, fieldPaths: [spec.template.spec.x, metadata.labels.count,
          "spec.list.[name=q].value"], options: {create: true}}]
        """,
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: src
          labels: {app: shop}
        data: {host: 'a.example.com:8080', count: '3', empty: ''}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 1
          template:
            spec:
              containers:
              - name: a
                image: nginx:1
                env:
                - {name: HOST, value: old}
                - {name: URL, value: 'http://old:80/path'}
              - {name: b.c, image: 'caddy:1'}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: other
          annotations: {a.b/c: old}
          labels: {count: 3}
        spec:
          replicas: 2
          template:
            spec: {x: 3}
          list:
          - {name: q, value: 3}
        """,
    ),
    replaces(
        "a key with dots",
        r"""
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets: [{select: {name: other}, fieldPaths: ["metadata.annotations.[a.b/c]"]}, {select: {name: other},
          fieldPaths: ['metadata.annotations.d\.e'], options: {create: true}}]
        """,
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: src
          labels: {app: shop}
        data: {host: 'a.example.com:8080', count: '3', empty: ''}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 1
          template:
            spec:
              containers:
              - name: a
                image: nginx:1
                env:
                - {name: HOST, value: old}
                - {name: URL, value: 'http://old:80/path'}
              - {name: b.c, image: 'caddy:1'}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: other
          annotations: {a.b/c: '3', d.e: '3'}
        spec: {replicas: 2}
        """,
    ),
    replaces(
        "a number for a number, a text for a text",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets: [{select: {kind: Deployment}, fieldPaths: [spec.replicas]}, {select: {kind: ConfigMap},
          fieldPaths: [data.host]}]
        """,
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: src
          labels: {app: shop}
        data: {host: '3', count: '3', empty: ''}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 3
          template:
            spec:
              containers:
              - name: a
                image: nginx:1
                env:
                - {name: HOST, value: old}
                - {name: URL, value: 'http://old:80/path'}
              - {name: b.c, image: 'caddy:1'}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: other
          annotations: {a.b/c: old}
        spec: {replicas: 3}
        """,
    ),
    replaces(
        "rejected objects",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets: [{select: {kind: Deployment}, reject: [{name: other}], fieldPaths: [spec.replicas]}]
        """,
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: src
          labels: {app: shop}
        data: {host: 'a.example.com:8080', count: '3', empty: ''}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 3
          template:
            spec:
              containers:
              - name: a
                image: nginx:1
                env:
                - {name: HOST, value: old}
                - {name: URL, value: 'http://old:80/path'}
              - {name: b.c, image: 'caddy:1'}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: other
          annotations: {a.b/c: old}
        spec: {replicas: 2}
        """,
    ),
    replaces(
        "objects of a label",
        """
        source: {kind: Deployment, name: other, fieldPath: spec.replicas}
        targets: [{select: {labelSelector: app=shop}, fieldPaths: [data.count]}]
        """,
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: src
          labels: {app: shop}
        data: {host: 'a.example.com:8080', count: '2', empty: ''}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 1
          template:
            spec:
              containers:
              - name: a
                image: nginx:1
                env:
                - {name: HOST, value: old}
                - {name: URL, value: 'http://old:80/path'}
              - {name: b.c, image: 'caddy:1'}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: other
          annotations: {a.b/c: old}
        spec: {replicas: 2}
        """,
    ),
    replaces(
        "a value in the kustomization",
        """
        sourceValue: fixed
        targets: [{select: {name: other}, fieldPaths: ["metadata.annotations.[a.b/c]"]}]
        """,
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: src
          labels: {app: shop}
        data: {host: 'a.example.com:8080', count: '3', empty: ''}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 1
          template:
            spec:
              containers:
              - name: a
                image: nginx:1
                env:
                - {name: HOST, value: old}
                - {name: URL, value: 'http://old:80/path'}
              - {name: b.c, image: 'caddy:1'}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: other
          annotations: {a.b/c: fixed}
        spec: {replicas: 2}
        """,
    ),
    replaces(
        "a list of replacements in a file",
        """
        - source: {kind: ConfigMap, name: src, fieldPath: data.count}
          targets: [{select: {name: web}, fieldPaths: [spec.replicas]}]
        - source: {kind: Deployment, name: web, fieldPath: spec.replicas}
          targets: [{select: {name: other}, fieldPaths: [spec.replicas]}]
        """,
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: src
          labels: {app: shop}
        data: {host: 'a.example.com:8080', count: '3', empty: ''}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 3
          template:
            spec:
              containers:
              - name: a
                image: nginx:1
                env:
                - {name: HOST, value: old}
                - {name: URL, value: 'http://old:80/path'}
              - {name: b.c, image: 'caddy:1'}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: other
          annotations: {a.b/c: old}
        spec: {replicas: 3}
        """,
    ),
    replaces(
        "a target by a pattern",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets: [{select: {name: o.*r, kind: Deploy.*}, fieldPaths: [spec.replicas]}]
        """,
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: src
          labels: {app: shop}
        data: {host: 'a.example.com:8080', count: '3', empty: ''}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 1
          template:
            spec:
              containers:
              - name: a
                image: nginx:1
                env:
                - {name: HOST, value: old}
                - {name: URL, value: 'http://old:80/path'}
              - {name: b.c, image: 'caddy:1'}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: other
          annotations: {a.b/c: old}
        spec: {replicas: 3}
        """,
    ),
    replaces(
        "the target without fields is the name",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets: [{select: {name: other}}]
        """,
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: src
          labels: {app: shop}
        data: {host: 'a.example.com:8080', count: '3', empty: ''}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 1
          template:
            spec:
              containers:
              - name: a
                image: nginx:1
                env:
                - {name: HOST, value: old}
                - {name: URL, value: 'http://old:80/path'}
              - {name: b.c, image: 'caddy:1'}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: '3'
          annotations: {a.b/c: old}
        spec: {replicas: 2}
        """,
    ),
    wrong(
        "a source that is not there",
        """
        source: {kind: Secret, name: src}
        targets: [{select: {name: web}, fieldPaths: [spec.replicas]}]
        """,
        "its source, Secret src, is not there",
    ),
    wrong(
        "a source that could be several",
        """
        source: {kind: Deployment}
        targets: [{select: {name: web}, fieldPaths: [spec.replicas]}]
        """,
        "its source, Deployment, could be several objects",
    ),
    wrong(
        "a source without the field",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.none}
        targets: [{select: {name: web}, fieldPaths: [spec.replicas]}]
        """,
        "its source, ConfigMap src, has no data.none",
    ),
    wrong(
        "a source without that part",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.host, options: {delimiter: ":", index: 5}}
        targets: [{select: {name: web}, fieldPaths: [spec.replicas]}]
        """,
        "its source has no part 5",
    ),
    wrong(
        "a target without the field",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets: [{select: {name: web}, fieldPaths: [spec.none]}]
        """,
        "Deployment web has no field spec.none",
    ),
    wrong(
        "a target without select",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets: [{fieldPaths: [spec.replicas]}]
        """,
        "a target has no select",
    ),
    wrong(
        "no targets",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        """,
        "the replacement has no targets",
    ),
    wrong(
        "no source",
        """
        targets: [{select: {name: web}, fieldPaths: [spec.replicas]}]
        """,
        "the replacement has no source",
    ),
    wrong(
        "a list without the item",
        """
        source: {kind: ConfigMap, name: src, fieldPath: data.count}
        targets: [{select: {name: web}, fieldPaths: [spec.template.spec.containers.7.image]}]
        """,
        "the list has no item 7",
    ),
    Case(
        "replacements in the kustomization, in a base, and names afterwards",
        {
            "base/kustomization.yaml": """
                resources: [all.yaml]
                replacements:
                - source: {kind: ConfigMap, name: src, fieldPath: data.count}
                  targets: [{select: {name: web}, fieldPaths: [spec.replicas]}]
                """,
            "base/all.yaml": ALL,
            "top/kustomization.yaml": """
                namePrefix: x-
                resources: [../base]
                replacements:
                - source: {kind: ConfigMap, name: src, fieldPath: metadata.name}
                  targets: [{select: {kind: Deployment, name: web}, fieldPaths: [spec.conf], options: {create: true}}]
                """,
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: x-src
          labels: {app: shop}
        data: {host: 'a.example.com:8080', count: '3', empty: ''}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: x-web}
        spec:
          replicas: 3
          template:
            spec:
              containers:
              - name: a
                image: nginx:1
                env:
                - {name: HOST, value: old}
                - {name: URL, value: 'http://old:80/path'}
              - {name: b.c, image: 'caddy:1'}
          conf: x-src
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: x-other
          annotations: {a.b/c: old}
        spec: {replicas: 2}
        """,
        folder="top",
    ),
    Case(
        "a file of replacements that is not there",
        {"kustomization.yaml": "resources: [all.yaml]\nreplacements: [{path: none.yaml}]", "all.yaml": ALL},
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: src
          labels: {app: shop}
        data: {host: 'a.example.com:8080', count: '3', empty: ''}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 1
          template:
            spec:
              containers:
              - name: a
                image: nginx:1
                env:
                - {name: HOST, value: old}
                - {name: URL, value: 'http://old:80/path'}
              - {name: b.c, image: 'caddy:1'}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: other
          annotations: {a.b/c: old}
        spec: {replicas: 2}
        """,
        problems=(("refused", "there is no readable none.yaml"),),
        kubectl="refuses",
    ),
    Case(
        "an empty text as the source",
        {
            "kustomization.yaml": """
                resources: [all.yaml]
                replacements:
                - source: {kind: ConfigMap, name: a, fieldPath: data.empty}
                  targets: [{select: {name: b}, fieldPaths: [data.k]}]
                """,
            "all.yaml": """
                {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {empty: ''}}
                ---
                {apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {k: v}}
                """,
        },
        """
        {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {empty: ''}}
        ---
        {apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {k: ''}}
        """,
    ),
    Case(
        "fields of JSON in a text",
        {
            "kustomization.yaml": """
                resources: [all.yaml]
                replacements:
                - sourceValue: new
                  targets:
                  - select: {name: a}
                    fieldPaths: [data.compact.x.y, data.pretty.x.1.n, 'data.pretty.l.[n=b].n', data.flow.x]
                - sourceValue: "7"
                  targets: [{select: {name: a}, fieldPaths: [data.compact.n]}]
                - source: {kind: ConfigMap, name: a, fieldPath: data.flow}
                  targets: [{select: {name: a}, fieldPaths: [data.nested.x]}]
                - sourceValue: a-b
                  targets: [{select: {name: a}, fieldPaths: [data.parts.x], options: {delimiter: '/', index: 1}}]
                - sourceValue: made
                  targets: [{select: {name: a}, fieldPaths: [data.nested.y.z], options: {create: true}}]
                - sourceValue: lost
                  targets: [{select: {name: a}, fieldPaths: ['several.*.t.lost']}]
                """,
            "all.yaml": """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a}
                data:
                  compact: '{"x": {"y": "old", "<": "&"}, "n": 5, "big": 12345678901234567890, "f": 1.0}'
                  pretty: |
                    {
                      "x": [ 1, {"n": "old"} ], "l": [{"n": "a"}, {"n": "b", "v": 1.5e3}],
                      "b": true
                    }
                  flow: '{x: 5}'
                  nested: '{"x": "old"}'
                  parts: '{"x": "k/l/m"}'
                several: [{t: '{"lost": ""}'}]
                """,
        },
        r"""
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        data:
          compact: '{"big":12345678901234567890,"f":1,"n":7,"x":{"\u003c":"\u0026","y":"new"}}'
          pretty: |-
            {
              "b": true,
              "l": [
                {
                  "n": "a"
                },
                {
                  "n": "new",
                  "v": 1500
                }
              ],
              "x": [
                1,
                {
                  "n": "new"
                }
              ]
            }
          flow: '{x: 5}'
          nested: '{"x":"{x: 5}","y":{"z":"made"}}'
          parts: '{"x":"a-b"}'
        several: [{t: '{"lost": ""}'}]
        """,
    ),
    Case(
        "a field of YAML in a text",
        {
            "kustomization.yaml": """
                resources: [all.yaml]
                replacements:
                - sourceValue: new
                  targets: [{select: {name: a}, fieldPaths: [data.yaml.x.0.k]}]
                """,
            "all.yaml": """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a}
                data:
                  yaml: |
                    x:
                    - k: old
                """,
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        data:
          yaml: |-
            x:
            - k: new
        """,
        problems=(("text", "YAML inside a string is rewritten and may look different"),),
    ),
    Case(
        "a field that JSON in a text does not have",
        {
            "kustomization.yaml": """
                resources: [all.yaml]
                replacements:
                - sourceValue: new
                  targets: [{select: {name: a}, fieldPaths: [data.json.x]}]
                """,
            "all.yaml": """{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {json: '{"y": 1}'}}""",
        },
        """{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {json: '{"y": 1}'}}""",
        problems=(("refused", "the replacement is not made: there is no `x` in the string"),),
        kubectl="refuses",
    ),
    Case(
        "a source that a remote base may hold",
        {
            "kustomization.yaml": """
                resources: [a.yaml, 'https://example.com/base?ref=v1']
                replacements:
                - source: {kind: ConfigMap, name: elsewhere}
                  targets: [{select: {name: a}}]
                """,
            "a.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}",
        },
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}",
        problems=(
            ("missing", "https://example.com/base?ref=v1 is remote"),
            ("unrendered", "the replacement is not made: its source, ConfigMap elsewhere, is not there"),
        ),
        kubectl="unasked",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_replacements(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
