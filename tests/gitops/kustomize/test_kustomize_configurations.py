"""Variables, and what `configurations`, `crds` and `openapi` teach Kustomize."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import Case, config_map, expected, names, rendered

WIDGET = "{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {uses: a, image: nginx, pods: 1}}\n"
A = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v, num: '8080', empty: ''}}\n"
WEB = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {of: $(NAME) and $(NONE), escaped: $$(NAME), whole: $(REPLICAS)}}
spec:
  replicas: 3
  template:
    spec:
      containers: [{name: web, args: [$(NAME), $(REPLICAS)-x], env: [{name: K, value: $(EMPTY)}]}]
"""


def taught(name: str, kustomization: str, configuration: str, objects: str) -> Case:
    """A file of `configurations`."""
    files = {"kustomization.yaml": f"resources: [all.yaml]\nconfigurations: [c.yaml]\n{kustomization}"}
    return Case(name, {**files, "all.yaml": WIDGET + "---\n" + A, "c.yaml": configuration}, objects)


def widget(name: str, rest: str) -> str:
    """The widget as it comes out."""
    return f"{{apiVersion: example.com/v1, kind: Widget, metadata: {{name: {name}}}, spec: {{{rest}}}}}\n---\n"


CASES = [
    taught(
        "names that refer to others",
        "namePrefix: x-",
        "nameReference: [{kind: ConfigMap, version: v1, fieldSpecs: [{path: spec/uses, kind: Widget}]}]",
        widget("x-w", "uses: x-a, image: nginx, pods: 1") + A.replace("name: a", "name: x-a"),
    ),
    taught(
        "fields for every transformer",
        "images: [{name: nginx, newTag: v2}]\nreplicas: [{name: w, count: 5}]\ncommonAnnotations: {num: m}\n"
        "labels: [{pairs: {l: m}}]\nnamespace: team",
        "images: [{path: spec/image}]\nreplicas: [{path: spec/pods, kind: Widget}]\n"
        "commonAnnotations: [{path: spec/notes, kind: Widget, create: true}]\n"
        "labels: [{path: spec/tags, kind: Widget, create: true}]\n"
        "namespace: [{path: spec/in, kind: Widget, create: true}]",
        "{apiVersion: example.com/v1, kind: Widget, "
        "metadata: {name: w, namespace: team, labels: {l: m}, annotations: {num: m}}, "
        "spec: {uses: a, image: 'nginx:v2', pods: 5, in: team, tags: {l: m}, notes: {num: m}}}\n---\n"
        "{apiVersion: v1, kind: ConfigMap, "
        "metadata: {name: a, namespace: team, labels: {l: m}, annotations: {num: m}}, "
        "data: {k: v, num: '8080', empty: ''}}",
    ),
    taught(
        "one kind alone that gets a prefix",
        "NamePrefix: x-",
        "namePrefix: [{path: metadata/name, kind: Widget}]",
        widget("x-w", "uses: a, image: nginx, pods: 1") + A,
    ),
    taught(
        "a field that is not known",
        "",
        "nameReferences: []",
        widget("w", "uses: a, image: nginx, pods: 1") + A,
    )._replace(problems=(("refused", "a configuration has no field `nameReferences`"),), kubectl="refuses"),
    taught(
        "a field that is made, and one that is not",
        "",
        "images: [{path: a/b}, {path: a/b, create: true}]",
        widget("w", "uses: a, image: nginx, pods: 1") + A,
    )._replace(problems=(("refused", "c.yaml: the field a/b is given with `create` and without"),), kubectl="refuses"),
    Case(
        "what a base teaches counts above it, too",
        {
            "kustomization.yaml": "resources: [base]\nnamePrefix: y-",
            "base/kustomization.yaml": "resources: [all.yaml]\nnamePrefix: x-\nconfigurations: [c.yaml]",
            "base/all.yaml": WIDGET + "---\n" + A,
            "base/c.yaml": "nameReference: [{kind: ConfigMap, fieldSpecs: [{path: spec/uses, kind: Widget}]}]",
        },
        widget("y-x-w", "uses: y-x-a, image: nginx, pods: 1") + A.replace("name: a", "name: y-x-a"),
    ),
    Case(
        "a definition that says what it refers to",
        {
            "kustomization.yaml": "resources: [all.yaml]\ncrds: [crd.json]\nnamePrefix: x-\ncommonLabels: {l: m}",
            "all.yaml": "{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {uses: {name: a}}}\n"
            "---\n" + A,
            "crd.json": """
                {"com.example.v1.Widget": {"Schema": {"properties": {
                  "kind": {"type": "string"}, "apiVersion": {"type": "string"}, "metadata": {"type": "object"},
                  "spec": {"$ref": "com.example.v1.WidgetSpec"}}}},
                 "com.example.v1.WidgetSpec": {"Schema": {"properties": {
                  "uses": {"x-kubernetes-object-ref-api-version": "v1", "x-kubernetes-object-ref-kind": "ConfigMap"},
                  "tags": {"x-kubernetes-label-selector": ""}}}}}
                """,
        },
        "{apiVersion: example.com/v1, kind: Widget, metadata: {name: x-w, labels: {l: m}}, "
        "spec: {uses: {name: x-a}}}\n---\n"
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: x-a, labels: {l: m}}, "
        "data: {k: v, num: '8080', empty: ''}}",
    ),
    Case(
        "a CustomResourceDefinition among the definitions",
        {
            "kustomization.yaml": "resources: [all.yaml]\ncrds: [crd.yaml]",
            "all.yaml": A,
            "crd.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b}\n",
        },
        A,
        problems=(
            (
                "refused",
                "`crds` takes OpenAPI definitions by name; a CustomResourceDefinition belongs under `resources`",
            ),
        ),
        kubectl="refuses",
    ),
    Case(
        "a schema that says which lists merge",
        {
            "kustomization.yaml": "resources: [all.yaml]\nopenapi: {path: s.json}\npatches: [{path: p.yaml}]",
            "all.yaml": "{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, "
            "spec: {parts: [{name: a, num: 1}, {name: b, num: 1}]}}",
            "p.yaml": "{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, "
            "spec: {parts: [{name: b, num: 2}]}}",
            "s.json": """
                {"definitions": {"com.example.v1.Widget": {
                  "x-kubernetes-group-version-kind": [{"group": "example.com", "version": "v1", "kind": "Widget"}],
                  "properties": {"spec": {"properties": {"parts": {"type": "array", "items": {"type": "object"},
                    "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name"}}}}}}}
                """,
        },
        "{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, "
        "spec: {parts: [{name: b, num: 2}, {name: a, num: 1}]}}",
    ),
    Case(
        "a schema that is not there, and a version that is not known",
        {
            "kustomization.yaml": "resources: [base]\nopenapi: {version: v1.0.0}",
            "base/kustomization.yaml": "resources: [a.yaml]\nopenapi: {path: nowhere.json}",
            "base/a.yaml": A,
        },
        A,
        problems=(
            ("refused", "`openapi` names the version v1.0.0, which Kustomize does not have"),
            ("refused", "there is no nowhere.json"),
        ),
        kubectl="refuses",
    ),
    Case(
        "metadata of the build, and its order",
        {
            "kustomization.yaml": "resources: [a.yaml]\nbuildMetadata: [other]\nsortOptions: {order: lifo}",
            "a.yaml": A,
        },
        A,
        problems=(
            ("refused", "`buildMetadata` is none of managedByLabel, originAnnotations, transformerAnnotations"),
            ("refused", "`order` of `sortOptions` is none of fifo and legacy"),
        ),
        kubectl="refuses",
    ),
    Case(
        "variables",
        {
            "kustomization.yaml": "resources: [base]\nnamePrefix: x-",
            "base/kustomization.yaml": """
                resources: [all.yaml]
                vars:
                - {name: NAME, objref: {apiVersion: apps/v1, kind: Deployment, name: web}}
                - name: REPLICAS
                  objref: {apiVersion: apps/v1, kind: Deployment, name: web}
                  fieldref: {fieldpath: spec.replicas}
                - name: EMPTY
                  objref: {apiVersion: v1, kind: ConfigMap, name: a}
                  fieldref: {fieldPath: data.empty}
                """,
            "base/all.yaml": A + "---" + WEB,
        },
        """
        {apiVersion: v1, kind: ConfigMap, metadata: {name: x-a}, data: {k: v, num: '8080', empty: ''}}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: x-web, annotations: {of: x-web and $(NONE), escaped: $(NAME), whole: '3'}}
        spec:
          replicas: 3
          template:
            spec:
              containers: [{name: web, args: [x-web, 3-x], env: [{name: K, value: ''}]}]
        """,
    ),
    Case(
        "a variable in a field of its own",
        {
            "kustomization.yaml": """
                resources: [all.yaml]
                configurations: [c.yaml]
                vars:
                - name: PODS
                  objref: {apiVersion: apps/v1, kind: Deployment, name: web}
                  fieldref: {fieldpath: 'spec.ports[1].num'}
                """,
            "all.yaml": """
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {ports: [{num: 1}, {num: 2}]}}
                ---
                {apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {pods: $(PODS)}}
                """,
            "c.yaml": "varReference: [{path: spec/pods, kind: Widget}]",
        },
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {ports: [{num: 1}, {num: 2}]}}\n---\n"
        "{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {pods: 2}}",
    ),
    Case(
        "variables about nothing",
        {
            "kustomization.yaml": """
                resources: [a.yaml]
                vars:
                - {name: GONE, objref: {apiVersion: v1, kind: ConfigMap, name: gone}}
                - {name: FIELD, objref: {apiVersion: v1, kind: ConfigMap, name: a}, fieldref: {fieldPath: data.no}}
                - {name: GONE, objref: {apiVersion: v1, kind: ConfigMap, name: a}}
                """,
            "a.yaml": A,
        },
        A,
        problems=(
            ("refused", "the variable GONE is given twice"),
            ("refused", "ConfigMap a has no data.no, which the variable refers to"),
        ),
        kubectl="refuses",
    ),
    Case(
        "a variable about what a remote base may hold",
        {
            "kustomization.yaml": """
                resources: [a.yaml, 'https://example.com/base?ref=v1']
                vars: [{name: GONE, objref: {apiVersion: v1, kind: ConfigMap, name: gone}}]
                """,
            "a.yaml": A,
        },
        A,
        problems=(
            ("missing", "https://example.com/base?ref=v1 is remote"),
            ("unrendered", "the variable GONE refers to an object that does not exist"),
        ),
        kubectl="unasked",
    ),
    Case(
        "a Component in a kustomization whose base is remote",
        {
            "kustomization.yaml": "resources: ['https://example.com/base?ref=v1']\ncomponents: [c]",
            "c/kustomization.yaml": """
                kind: Component
                patches:
                - patch: "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: w}}"
                configMapGenerator: [{name: b, behavior: merge, literals: [k=v]}]
                """,
        },
        "",
        problems=(("missing", "https://example.com/base?ref=v1 is remote"),),
        kubectl="unasked",
    ),
    Case(
        "a patch for another namespace",
        {
            "kustomization.yaml": """
                resources: [a.yaml]
                patches:
                - patch: "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: other}, data: {k: w}}"
                - patch: "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: w}}"
                """,
            "a.yaml": config_map("a", namespace="team"),
        },
        config_map("a", namespace="team"),
        problems=(
            (
                "refused",
                "the patch is not applied: there is no ConfigMap a in namespace other (v1); "
                "there is one in namespace team",
            ),
            ("refused", "the patch is not applied: there is no ConfigMap a (v1); there is one in namespace team"),
        ),
        kubectl="refuses",
    ),
    Case(
        "an image whose name is an expression, and one that is none",
        {
            "kustomization.yaml": "resources: [all.yaml]\n"
            "images: [{name: '.*/nginx|caddy', newTag: v2}, {name: '[', newTag: v3}]",
            "all.yaml": "{apiVersion: v1, kind: Pod, metadata: {name: p}, "
            "spec: {containers: [{image: 'a.b/nginx:v1'}, {image: 'nginx:v1'}, {image: 'caddy:1'}]}}",
        },
        "{apiVersion: v1, kind: Pod, metadata: {name: p}, "
        "spec: {containers: [{image: 'a.b/nginx:v2'}, {image: 'nginx:v1'}, {image: 'caddy:v2'}]}}",
        problems=(("refused", "the image is not changed: `[` is not a regular expression"),),
        kubectl="refuses",
    ),
    Case(
        "an object without an apiVersion",
        {"kustomization.yaml": "resources: [a.yaml]\nnamePrefix: x-", "a.yaml": "{kind: Odd, metadata: {name: o}}"},
        "{kind: Odd, metadata: {name: x-o}}",
    ),
    Case(
        "a kustomization of a version that there is none of",
        {"kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1\nresources: [a.yaml]", "a.yaml": A},
        A,
        problems=(("refused", "apiVersion of a Kustomization is kustomize.config.k8s.io/v1beta1"),),
        kubectl="refuses",
    ),
    Case(
        "secrets without data",
        {
            "kustomization.yaml": """
                secretGenerator: [{name: s, options: {disableNameSuffixHash: true}}, {name: h}]
                configMapGenerator: [{name: c, options: {disableNameSuffixHash: true}}]
                """
        },
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}\n---\n"
        "{apiVersion: v1, kind: Secret, metadata: {name: s}, type: Opaque, data: {}}"
        "\n---\n{apiVersion: v1, kind: Secret, metadata: {name: h-46f8b28mk5}, type: Opaque, data: {}}",
    ),
    Case(
        "lists that hold nothing",
        {"kustomization.yaml": "resources:\nbases:\npatches:\nconfigMapGenerator: [{name: c, literals: [a=b]}]\n"},
        config_map("c-4h2mbtbbt6", {"a": "b"}),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_configurations_are_followed_as_kustomize_does(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
