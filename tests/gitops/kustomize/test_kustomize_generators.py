"""ConfigMaps and Secrets that are generated, their hashes, and who names them."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import Case, amended, config_map, expected, names, rendered, together, tree

FOLDER = tree("generated-names")
USER = FOLDER["p.yaml"]
PLAIN = "generatorOptions: {disableNameSuffixHash: true}\n"


CASES = [
    Case(
        "literals with a hash, and who uses them",
        {
            "kustomization.yaml": """
                resources: [p.yaml]
                configMapGenerator: [{name: conf, literals: [a=1, "b=x y", "c='quoted'", 'd="too"', e=, f=g=h]}]
                secretGenerator: [{name: conf, literals: [password=secret], type: example.com/kind}]
                """,
            **FOLDER,
        },
        together(
            amended(
                USER,
                {
                    "Pod/p": {
                        "/spec/volumes/0/configMap/name": "conf-b2b89bdmdm",
                        "/spec/volumes/1/secret/secretName": "conf-b2kb42c7tt",
                        "/spec/containers/0/envFrom/0/configMapRef/name": "conf-b2b89bdmdm",
                    }
                },
            ),
            """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: conf-b2b89bdmdm}
        data: {a: '1', b: x y, c: quoted, d: too, e: '', f: g=h}
        ---
        apiVersion: v1
        kind: Secret
        metadata: {name: conf-b2kb42c7tt}
        type: example.com/kind
        data: {password: c2VjcmV0}
        """,
        ),
    ),
    Case(
        "an empty one, and one in a namespace",
        {"kustomization.yaml": "configMapGenerator: [{name: empty}, {name: away, namespace: other, literals: [a=b]}]"},
        together(config_map("empty-6ct58987ht"), config_map("away-4h2mbtbbt6", {"a": "b"}, namespace="other")),
    ),
    Case(
        "files, by their name and by another",
        {
            "kustomization.yaml": PLAIN
            + "configMapGenerator: [{name: conf, files: [etc/a.txt, key=etc/b, etc/empty]}]",
            "etc/a.txt": "first\nsecond\n",
            "etc/b": "no end",
            "etc/empty": "",
        },
        config_map("conf", {"a.txt": "first\nsecond\n", "empty": "", "key": "no end"}),
    ),
    Case(
        "env files",
        {
            "kustomization.yaml": PLAIN + "configMapGenerator: [{name: conf, envs: [a.env, b.env], env: c.env}]",
            "a.env": "# comment\n\nA=1\n  B=with = and # kept  \nEMPTY=\n",
            "b.env": 'QUOTED="q"\nUNICODE=é\r\n',
            "c.env": "C=3",
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: conf}
        data: {A: '1', B: 'with = and # kept  ', C: '3', EMPTY: '', QUOTED: '"q"', UNICODE: é}
        """,
    ),
    Case(
        "labels, annotations and immutability",
        {
            "kustomization.yaml": """
                generatorOptions: {labels: {all: "1"}, annotations: {note: all}, immutable: true}
                configMapGenerator:
                - name: conf
                  literals: [a=1]
                  options: {labels: {own: "2"}, annotations: {note: own}, disableNameSuffixHash: true}
                - {name: other}
                """,
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: conf
          labels: {all: '1', own: '2'}
          annotations: {note: own}
        data: {a: '1'}
        immutable: true
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: other-6ct58987ht
          labels: {all: '1'}
          annotations: {note: all}
        immutable: true
        """,
    ),
    Case(
        "merge and replace what a base generates",
        {
            "base/kustomization.yaml": """
                resources: [p.yaml]
                configMapGenerator:
                - {name: conf, literals: [a=1, b=2], options: {labels: {from: base}}}
                - {name: other, literals: [a=1, b=2]}
                """,
            "base/p.yaml": USER,
            "top/kustomization.yaml": """
                resources: [../base]
                namePrefix: x-
                configMapGenerator:
                - {name: conf, behavior: merge, literals: [b=new, c=3], options: {labels: {more: top}}}
                - {name: other, behavior: replace, literals: [c=3]}
                """,
        },
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: x-p}
        spec:
          volumes:
          - name: c
            configMap: {name: x-conf-h854gmb2c2}
          - name: s
            secret: {secretName: conf}
          containers:
          - name: c
            envFrom:
            - configMapRef: {name: x-conf-h854gmb2c2}
            - configMapRef: {name: x-other-c966fbk687}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: x-conf-h854gmb2c2
          labels: {from: base, more: top}
        data: {a: '1', b: new, c: '3'}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: x-other-c966fbk687}
        data: {c: '3'}
        """,
        folder="top",
    ),
    Case(
        "merge into a ConfigMap of a file",
        {
            "kustomization.yaml": """
                resources: [conf.yaml]
                configMapGenerator: [{name: conf, behavior: merge, literals: [b=2]}]
                """,
            "conf.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: conf, labels: {a: b}}, data: {a: '1'}}",
        },
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: conf
          labels: {a: b}
        data: {a: '1', b: '2'}
        """,
    ),
    Case(
        "merge into a Secret",
        {
            "base/kustomization.yaml": "secretGenerator: [{name: s, literals: [a=1, b=2]}]",
            "top/kustomization.yaml": """
                resources: [../base]
                secretGenerator: [{name: s, behavior: merge, literals: [b=3]}]
                """,
        },
        """
        apiVersion: v1
        kind: Secret
        metadata: {name: s-6ftthf486d}
        type: Opaque
        data: {a: MQ==, b: Mw==}
        """,
        folder="top",
    ),
    Case(
        "merge with what got its namespace from a base",
        {
            "base/kustomization.yaml": "namespace: shop\nconfigMapGenerator: [{name: conf, literals: [a=1]}]",
            "top/kustomization.yaml": """
                namespace: shop
                resources: [../base]
                configMapGenerator: [{name: conf, behavior: merge, literals: [b=2]}]
                """,
        },
        config_map("conf-7gdc49gk6d", {"a": "1", "b": "2"}, namespace="shop"),
        folder="top",
    ),
    Case(
        "merge with the namespace of the one merged into",
        {
            "base/kustomization.yaml": "namespace: shop\nconfigMapGenerator: [{name: conf, literals: [a=1]}]",
            "top/kustomization.yaml": """
                resources: [../base]
                configMapGenerator: [{name: conf, namespace: shop, behavior: merge, literals: [b=2]}]
                """,
        },
        config_map("conf-7gdc49gk6d", {"a": "1", "b": "2"}, namespace="shop"),
        folder="top",
    ),
    Case(
        "a hash that only the overlay refuses",
        {
            "base/kustomization.yaml": "configMapGenerator: [{name: conf, literals: [a=1]}]",
            "top/kustomization.yaml": """
                resources: [../base]
                configMapGenerator:
                - {name: conf, behavior: merge, literals: [b=2], options: {disableNameSuffixHash: true}}
                """,
        },
        config_map("conf", {"a": "1", "b": "2"}),
        folder="top",
    ),
    Case(
        "the hash is over what patches left",
        {
            "kustomization.yaml": """
                configMapGenerator: [{name: conf, literals: [a=1]}]
                patches:
                - patch: |
                    {apiVersion: v1, kind: ConfigMap, metadata: {name: conf}, data: {b: "2"}}
                """,
        },
        config_map("conf-7gdc49gk6d", {"a": "1", "b": "2"}),
    ),
    Case(
        "an empty literal list, and letters that JSON escapes",
        {"kustomization.yaml": "configMapGenerator: [{name: conf, literals: ['html=<a href=\"x\">&é'], files: []}]"},
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: conf-772kt88gbf}
        data: {html: <a href="x">&é}
        """,
    ),
    Case(
        "long secrets in lines of seventy letters",
        {"kustomization.yaml": f"secretGenerator: [{{name: s, literals: [long={'0123456789' * 6}]}}]"},
        r"""
        apiVersion: v1
        kind: Secret
        metadata: {name: s-dkf4h22hmc}
        type: Opaque
        data:
          long: "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMT\nIzNDU2Nzg5\n"
        """,
    ),
    Case(
        "a generated name with a suffix and a reference",
        {
            "kustomization.yaml": """
                nameSuffix: -v1
                resources: [p.yaml]
                configMapGenerator: [{name: conf, literals: [a=1]}]
                """,
            **FOLDER,
        },
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p-v1}
        spec:
          volumes:
          - name: c
            configMap: {name: conf-v1-h29d89cmmt}
          - name: s
            secret: {secretName: conf}
          containers:
          - name: c
            envFrom:
            - configMapRef: {name: conf-v1-h29d89cmmt}
            - configMapRef: {name: other}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: conf-v1-h29d89cmmt}
        data: {a: '1'}
        """,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_generators_are_rendered_as_kustomize_does(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
