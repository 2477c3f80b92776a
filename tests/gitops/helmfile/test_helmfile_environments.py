"""The environments of a helmfile, and what one helmfile hands down to another."""

# ruff: noqa: E501 - a table of files
from __future__ import annotations

from pathlib import Path

import pytest
from installed_helmfiles import RELEASE, installed
from written_files import Files

CASES: dict[str, tuple[Files, dict[str, list[str]]]] = {
    "environments": (
        {
            "helmfile.yaml.gotmpl": """
                environments:
                  dev: {values: [{size: 1}]}
                  prod: {values: [prod.yaml]}
                ---
                releases:
                - {name: web, namespace: team, chart: ./charts/web, values: [{size: {{ .Values.size }}, env: {{ .Environment.Name }}}]}
                """,
            "prod.yaml": "size: 9\n",
        },
        {"dev": ["team/web charts/web {'size': 1, 'env': 'dev'}"], "prod": ["team/web charts/web {'size': 9, 'env': 'prod'}"]},
    ),
    "a default that says something is an environment": (
        {"helmfile.yaml": "environments: {default: {values: [{a: 1}]}, prod: {}}\n---\n" + RELEASE + "}]"},
        {"default": ["team/web charts/web {}"], "prod": ["team/web charts/web {}"]},
    ),
    "files of environments that may all be missing": (
        {"helmfile.yaml": "missingFileHandler: Info\nenvironments: {prod: {values: [none.yaml]}}\n---\n" + RELEASE + "}]"},
        {"prod": ["team/web charts/web {}"]},
    ),
    "a default that says nothing is none": (
        {"helmfile.yaml": "environments: {default: {}, prod: {}}\n---\n" + RELEASE + "}]"},
        {"prod": ["team/web charts/web {}"]},
    ),
    "defaults of all environments": (
        {
            "helmfile.yaml.gotmpl": """
                values: [{size: 1, kind: a}]
                environments:
                  prod: {values: [{size: 9}]}
                ---
                releases:
                - {name: web, namespace: team, chart: ./charts/web, values: [{size: {{ .Values.size }}, kind: {{ .Values.kind }}}]}
                """
        },
        {"prod": ["team/web charts/web {'size': 9, 'kind': 'a'}"]},
    ),
    "a template of an environment's values": (
        {
            "helmfile.yaml.gotmpl": """
                environments: {prod: {values: [{size: 9}]}}
                ---
                environments: {prod: {values: [more.yaml.gotmpl]}}
                ---
                releases: [{name: web, namespace: team, chart: ./charts/web, values: [{twice: {{ .Values.twice }}}]}]
                """,
            "more.yaml.gotmpl": "twice: {{ mul 2 .Values.size }}\n",
        },
        {"prod": ["team/web charts/web {'twice': 18}"]},
    ),
    "names of values files": (
        {
            "helmfile.yaml": "environments: {prod: {}}\n---\n" + RELEASE + ", values: ['{{ .Release.Name }}-{{ .Environment.Name }}.yaml']}]",
            "web-prod.yaml": "a: 1\n",
        },
        {"prod": ["team/web charts/web {'a': 1}"]},
    ),
    "bases": (
        {
            "sub/helmfile.yaml": """
                bases: [../environments.yaml]
                ---
                releases: [{name: web, namespace: team, chart: ../charts/web, values: ['{{ .Values.file }}']}]
                """,
            "environments.yaml": "environments: {prod: {values: [values/prod.yaml]}}\n",
            "sub/values/prod.yaml": "file: web.yaml\n",
            "sub/web.yaml": "a: 1\n",
        },
        {"prod": ["team/web charts/web {'a': 1}"]},
    ),
    "helmfiles in a helmfile": (
        {
            "helmfile.yaml": """
                environments: {prod: {}}
                ---
                helmfiles:
                - path: apps/*.yaml
                  values: [{size: 5}]
                - {path: more/helmfile.yaml, selectors: [tier=web]}
                """,
            "apps/a.yaml": "environments: {prod: {values: [{size: 1}]}}\n---\nreleases:\n- {name: a, namespace: team, chart: ../charts/web, values: [v.yaml.gotmpl]}\n",
            "apps/v.yaml.gotmpl": "size: {{ .Values.size }}",
            "apps/b.yaml": "environments: {dev: {}}\n---\nreleases: [{name: b, namespace: team, chart: ../charts/web}]",
            "more/helmfile.yaml": """
                environments: {prod: {}}
                ---
                commonLabels: {team: x}
                releases:
                - {name: c, namespace: team, chart: ../charts/web, labels: {tier: web}}
                - {name: d, namespace: team, chart: ../charts/web, labels: {tier: db}}
                """,
        },
        {"prod": ["team/a charts/web {'size': 5}", "team/c charts/web {}"]},
    ),
    "a variable of the environment": (
        {"helmfile.yaml.gotmpl": "releases: [{name: {{ requiredEnv `NAME` }}, chart: ./charts/web}]"},
        {"": ["/$(NAME) charts/web {}"]},
    ),
    "functions": (
        {
            "helmfile.yaml.gotmpl": """
                environments: {prod: {values: [{a: {b: c}, files: [x, z]}]}}
                ---
                releases:
                - name: web
                  namespace: team
                  chart: ./charts/web
                  values:
                  - get: {{ .Values | get "a.b" }}
                    default: {{ .Values | get "a.x" "none" }}
                    nil: {{ .Values | getOrNil "x.y" | default "nil" }}
                    set: {{ (.Values | setValueAtPath "a.b" "d").a.b }}
                    read: {{ readFile "text.txt" | trim }}
                    is: {{ isFile "text.txt" }}{{ isFile "none" }}{{ isDir "charts" }}
                    dir: {{ readDir "charts/web" | join "," }}
                    tpl: {{ tpl "{{ .Values.a.b }}" . }}
                    parsed: {{ (readFile "text.yaml" | fromYaml).k }}
                    yaml: {{ toYaml .Values.a | nindent 6 }}
                    list: {{- range .Values.files }}
                    - {{ . }}{{ end }}
                """,
            "text.txt": "text\n",
            "text.yaml": "k: v\n",
        },
        {
            "prod": [
                "team/web charts/web {'get': 'c', 'default': 'none', 'nil': 'nil', 'set': 'd', 'read': 'text', "
                "'is': 'truefalsetrue', 'dir': 'charts/web/Chart.yaml', 'tpl': 'c', 'parsed': 'v', "
                "'yaml': {'b': 'c'}, 'list': ['x', 'z']}"
            ]
        },
    ),
    "the old way, every file a template": (
        {
            "helmfile.yaml": """
                environments: {prod: {values: [{names: [a, b]}]}}
                ---
                releases:
                {{- range .Values.names }}
                - {name: {{ . }}, namespace: team, chart: ./charts/web}
                {{- end }}
                """
        },
        {"prod": ["team/a charts/web {}", "team/b charts/web {}"]},
    ),
    "selectors of those in between": (
        {
            "helmfile.yaml": "helmfiles: [{path: outer.yaml, selectors: [tier=web]}]",
            "outer.yaml": "helmfiles: [{path: one.yaml}, {path: two.yaml, selectors: []}, {path: two.yaml, selectors: [tier=db], selectorsInherited: true}]",
            "one.yaml": "releases: [{name: a, namespace: team, chart: ./charts/web}, {name: b, namespace: team, chart: ./charts/web, labels: {tier: web}}]",
            "two.yaml": "releases: [{name: c, namespace: team, chart: ./charts/web}, {name: d, namespace: team, chart: ./charts/web, labels: {tier: web}}]",
        },
        {"": ["team/b charts/web {}", "team/c charts/web {}", "team/d charts/web {}", "team/d charts/web {}"]},
    ),
    "included helmfiles that know the environment, or none and are given values": (
        {
            "helmfile.yaml": """
                environments: {test: {}}
                ---
                helmfiles:
                - {path: knows.yaml}
                - {path: other.yaml, values: [{a: 1}]}
                - {path: none.yaml, values: [{a: 1}]}
                - {path: bare.yaml}
                """,
            "knows.yaml": "environments: {test: {}}\n---\nreleases: [{name: knows, namespace: team, chart: ./charts/web}]",
            "other.yaml": "environments: {prod: {}}\n---\nreleases: [{name: other, namespace: team, chart: ./charts/web}]",
            "none.yaml": "releases: [{name: none, namespace: team, chart: ./charts/web}]",
            "bare.yaml": "releases: [{name: bare, namespace: team, chart: ./charts/web}]",
        },
        {"test": ["team/knows charts/web {}", "team/none charts/web {}"]},
    ),
    "what is handed down": (
        {
            "helmfile.yaml": """
                environments: {prod: {values: [{size: 5}]}}
                ---
                templates:
                  web: {namespace: team, values: [{from: above}]}
                helmfiles: [{path: sub/helmfile.yaml.gotmpl, inherits: [templates, environments]}, {path: sub/helmfile.yaml.gotmpl}]
                """,
            "sub/helmfile.yaml.gotmpl": "releases: [{name: web, inherit: [{template: web}], chart: ../charts/web, values: [{size: {{ .Values.size }}}]}]",
        },
        {"prod": ["team/web charts/web {'from': 'above', 'size': 5}"]},
    ),
    "a context a cluster": (
        {"helmfile.yaml": "helmDefaults: {kubeContext: east}\n" + RELEASE + "}, {name: b, namespace: team, chart: ./charts/web, kubeContext: west}]"},
        {"east": ["team/web charts/web {}"], "west": ["team/b charts/web {}"]},
    ),
    "one context": (
        {"helmfile.yaml": "kubeContext: east\n" + RELEASE + "}, {name: b, namespace: team, chart: ./charts/web, kubeContext: east}]"},
        {"": ["team/web charts/web {}", "team/b charts/web {}"]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_an_environment_has_its_releases_or_says_what_is_missing(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, expected = CASES[case]
    file = next(name for name in files if "helmfile" in name)
    assert installed(tmp_path, files, monkeypatch, file) == expected
