"""Transformers and generators that a kustomization configures itself, in files and in place."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import Case, config_map, expected, names, rendered

WEB = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 1, template: {spec: {}}}}"
HEAD = "apiVersion: builtin\nmetadata: {name: t}\n"


def transformed(name: str, configuration: str, objects: str, base: str = WEB, **files: str) -> Case:
    """One transformer in a file of its own."""
    tree = {"kustomization.yaml": "resources: [base.yaml]\ntransformers: [t.yaml]", "base.yaml": base}
    extra = {key.replace("_", "."): text for key, text in files.items()}
    return Case(name, {**tree, **extra, "t.yaml": HEAD + configuration}, objects)


CASES = [
    transformed(
        "replicas",
        "kind: ReplicaCountTransformer\nreplica: {name: web, count: 4}\n"
        "fieldSpecs: [{path: spec/replicas, create: true, kind: Deployment}]",
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 4, template: {spec: {}}}}",
    ),
    transformed(
        "replicas of what is not there",
        "kind: ReplicaCountTransformer\nreplica: {name: other, count: 4}\nfieldSpecs: [{path: spec/replicas}]",
        WEB,
    )._replace(problems=(("refused", "there is no workload other to give replicas to"),), kubectl="refuses"),
    transformed(
        "labels, of which one is a number",
        "kind: LabelTransformer\nlabels: {a: b, num: 5}\nfieldSpecs: [{path: spec/selector, create: true}]",
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, "
        "spec: {replicas: 1, template: {spec: {}}, selector: {a: b, num: '5'}}}",
    ),
    transformed(
        "annotations",
        "kind: AnnotationsTransformer\nannotations: {a: b}\nfieldSpecs: [{path: metadata/annotations, create: true}]",
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, annotations: {a: b}}, "
        "spec: {replicas: 1, template: {spec: {}}}}",
    ),
    transformed(
        "a prefix",
        "kind: PrefixTransformer\nprefix: x-\nfieldSpecs: [{path: metadata/name}, {path: spec/class, kind: Widget}]",
        "{apiVersion: example.com/v1, kind: Widget, metadata: {name: x-w}, spec: {class: x-c}}",
        "{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {class: c}}",
    ),
    transformed(
        "a prefix and a suffix",
        "kind: PrefixSuffixTransformer\nprefix: x-\nsuffix: -y\nfieldSpecs: [{path: metadata/name}]",
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: x-a-y}}",
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}",
    ),
    transformed("a suffix without fields", "kind: SuffixTransformer\nsuffix: -y", WEB)._replace(
        problems=(("refused", "`fieldSpecs` is missing: no field gets the affix"),), kubectl="refuses"
    ),
    transformed(
        "an image",
        "kind: ImageTagTransformer\nimageTag: {name: nginx, newTag: v2}\nfieldSpecs: [{path: spec/image}]",
        "{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {image: 'nginx:v2', other: 'nginx:v1'}}",
        "{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {image: nginx, other: 'nginx:v1'}}",
    ),
    transformed(
        "a patch",
        "kind: PatchTransformer\ntarget: {kind: Deployment}\npatch: '[{op: replace, path: /spec/replicas, value: 3}]'",
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 1, template: {spec: {}}}}",
    )._replace(
        problems=(("refused", "the patch is not applied: what starts with `[` must be JSON"),), kubectl="refuses"
    ),
    transformed(
        "a patch by name",
        "kind: PatchTransformer\npath: p.yaml",
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 3, template: {spec: {}}}}",
        p_yaml="{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 3}}",
    ),
    transformed(
        "a merge patch in place, and one in a file",
        "kind: PatchStrategicMergeTransformer\npaths: [p.yaml]\npatches: |-\n"
        "  {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {paused: true}}",
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, "
        "spec: {replicas: 3, template: {spec: {}}, paused: true}}",
        p_yaml="{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 3}}",
    ),
    transformed(
        "operations in a file that is called JSON",
        "kind: PatchJson6902Transformer\ntarget: {kind: Deployment, name: web}\npath: p.json",
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 3, template: {spec: {}}}}",
        p_json="- op: replace\n  path: /spec/replicas\n  value: 3\n",
    ),
    transformed(
        "operations in place and in a file",
        "kind: PatchJson6902Transformer\ntarget: {name: web}\npath: p.json\n"
        'jsonOp: \'[{"op": "remove", "path": "/spec"}]\'',
        WEB,
        p_json="[]",
    )._replace(
        problems=(("refused", "the patch is not applied: it gives both operations and `path`"),), kubectl="refuses"
    ),
    transformed(
        "replacements",
        "kind: ReplacementTransformer\nreplacements:\n- source: {kind: Deployment, fieldPath: metadata.name}\n"
        "  targets: [{select: {kind: Deployment}, fieldPaths: [spec.of], options: {create: true}}]",
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, "
        "spec: {replicas: 1, template: {spec: {}}, of: web}}",
    ),
    transformed(
        "a value",
        "kind: ValueAddTransformer\nvalue: new\ntargets:\n- {fieldPath: metadata/namespace}\n"
        "- {selector: {kind: Widget}, fieldPath: spec/path, filePathPosition: 2}\n"
        "- {selector: {kind: Widget}, fieldPath: spec/made/here}",
        "{apiVersion: example.com/v1, kind: Widget, metadata: {name: w, namespace: new}, "
        "spec: {path: /a/new/b, made: {here: new}}}\n---\n"
        "{apiVersion: v1, kind: Namespace, metadata: {name: team}}",
        "{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {path: /a/b}}\n---\n"
        "{apiVersion: v1, kind: Namespace, metadata: {name: team}}",
    ),
    transformed("a value without targets", "kind: ValueAddTransformer\nvalue: new", WEB)._replace(
        problems=(("refused", "the value is not added: it has no targets"),), kubectl="refuses"
    ),
    transformed("a generator as a transformer", "kind: ConfigMapGenerator\nname: a", WEB)._replace(
        problems=(("refused", "ConfigMapGenerator is a generator; it belongs under `generators`"),), kubectl="refuses"
    ),
    Case(
        "transformers in place come before those in files and folders",
        {
            "kustomization.yaml": """
                resources: [base.yaml]
                transformers:
                - t.yaml
                - more
                - |-
                  apiVersion: builtin
                  kind: SuffixTransformer
                  metadata: {name: s}
                  suffix: -1
                  fieldSpecs: [{path: metadata/name}]
                """,
            "base.yaml": config_map("a"),
            "t.yaml": HEAD + "kind: SuffixTransformer\nsuffix: -2\nfieldSpecs: [{path: metadata/name}]",
            "more/kustomization.yaml": "resources: [u.yaml]\npatches: [{path: p.yaml}]",
            "more/u.yaml": "apiVersion: builtin\nkind: SuffixTransformer\nmetadata: {name: u}\nsuffix: -3\n"
            "fieldSpecs: [{path: metadata/name}]",
            "more/p.yaml": "{apiVersion: builtin, kind: SuffixTransformer, metadata: {name: u}, suffix: -4}",
        },
        config_map("a-1-2-4"),
    ),
    Case(
        "generators",
        {
            "kustomization.yaml": """
                generators:
                - g.yaml
                - |-
                  apiVersion: builtin
                  kind: SecretGenerator
                  metadata: {name: s, namespace: team}
                  literals: [k=v]
                  options: {disableNameSuffixHash: true}
                - |-
                  apiVersion: builtin
                  kind: IAMPolicyGenerator
                  metadata: {name: i}
                  cloud: gke
                  kubernetesService: {name: sa, namespace: team}
                  serviceAccount: {name: gsa, projectId: proj}
                """,
            "g.yaml": HEAD + "kind: ConfigMapGenerator\nname: c\nenvs: [v.env]",
            "v.env": "a=b\n",
        },
        """
        apiVersion: v1
        kind: Secret
        metadata: {name: s, namespace: team}
        type: Opaque
        data: {k: dg==}
        ---
        apiVersion: v1
        kind: ServiceAccount
        metadata:
          annotations: {iam.gke.io/gcp-service-account: gsa@proj.iam.gserviceaccount.com}
          name: sa
          namespace: team
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: c-4h2mbtbbt6}
        data: {a: b}
        """,
    ),
    Case(
        "a validator that is a transformer",
        {
            "kustomization.yaml": "resources: [base.yaml]\nvalidators: [t.yaml]",
            "base.yaml": config_map("a"),
            "t.yaml": HEAD + "kind: SuffixTransformer\nsuffix: -2\nfieldSpecs: [{path: metadata/name}]",
        },
        config_map("a"),
        problems=(("refused", "a validator changes objects, which it must not"),),
        kubectl="refuses",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_a_transformer_that_is_no_builtin_is_run_or_named(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
