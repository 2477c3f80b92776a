"""What helmfile installs, as helmfile 1.x documents and does it: environment by environment, release by release."""

# ruff: noqa: E501 - a table of files
from __future__ import annotations

from pathlib import Path

import pytest
from installed_helmfiles import RELEASE, installed
from written_files import Files

CASES: dict[str, tuple[Files, dict[str, list[str]]]] = {
    "inline values": ({"helmfile.yaml": RELEASE + ", values: [{a: 1}, {b: {c: 2}}, {b: {d: 3}}]}]"}, {"": ["team/web charts/web {'a': 1, 'b': {'c': 2, 'd': 3}}"]}),
    "files, the last of which wins": (
        {"helmfile.yaml": RELEASE + ", values: [a.yaml, b.yaml]}]", "a.yaml": "a: 1\nb: 1\n", "b.yaml": "b: 2\n"},
        {"": ["team/web charts/web {'a': 1, 'b': 2}"]},
    ),
    "a file that is not there": (
        {"helmfile.yaml": RELEASE + ", values: [none.yaml]}]"},
        {"": ["? there is no values file none.yaml"]},
    ),
    "a file that may be missing": (
        {"helmfile.yaml": RELEASE + ", missingFileHandler: Warn, values: [none.yaml, {a: 1}]}]"},
        {"": ["team/web charts/web {'a': 1}"]},
    ),
    "files that may all be missing": (
        {"helmfile.yaml": "missingFileHandler: Info\n" + RELEASE + ", values: [none.yaml]}]"},
        {"": ["team/web charts/web {}"]},
    ),
    "a glob": (
        {"helmfile.yaml": RELEASE + ", values: ['values/*.yaml']}]", "values/a.yaml": "a: 1", "values/x/b.yaml": "b: 1"},
        {"": ["team/web charts/web {'a': 1}"]},
    ),
    "set": (
        {"helmfile.yaml": RELEASE + ", values: [{a: 1, l: [x]}], set: [{name: a, value: 2}, {name: b.c, value: 'x,{y}'}, {name: l, values: [p, q]}]}]"},
        {"": ["team/web charts/web {'a': 2, 'l': ['p', 'q'], 'b': {'c': 'x,{y}'}}"]},
    ),
    "set as a string": (
        {"helmfile.yaml": RELEASE + ", setString: [{name: a, value: 2}]}]"},
        {"": ["team/web charts/web {'a': '2'}"]},
    ),
    "set from a file": (
        {"helmfile.yaml": RELEASE + ", set: [{name: a, file: text.txt}]}]", "text.txt": "x,{y}\n"},
        {"": ["team/web charts/web {'a': 'x,{y}\\n'}"]},
    ),
    "a template of values": (
        {
            "helmfile.yaml": "environments: {prod: {values: [{size: 9}]}}\n---\n" + RELEASE + ", values: [web.yaml.gotmpl]}]",
            "web.yaml.gotmpl": "size: {{ .Values.size }}\nname: {{ .Release.Name }}\nsecret: {{ env `SECRET` | quote }}\n",
        },
        {"prod": ["team/web charts/web {'size': 9, 'name': 'web', 'secret': ''}"]},
    ),
    "an anchor": (
        {
            "helmfile.yaml": """
                templates: {default: &default {namespace: team, chart: ./charts/web, values: [{a: 1}]}}
                releases:
                - {name: one, <<: *default}
                - {name: two, <<: *default, values: [{b: 2}]}
                """
        },
        {"": ["team/one charts/web {'a': 1}", "team/two charts/web {'b': 2}"]},
    ),
    "inherit": (
        {
            "helmfile.yaml": """
                templates:
                  base: {namespace: team, values: [{a: 1}], labels: {x: y}}
                  web: {inherit: [{template: base}], chart: ./charts/web, values: [{b: 2}]}
                releases:
                - {name: one, inherit: [{template: web}], values: [{c: 3}]}
                - {name: two, inherit: [{template: web, except: [values]}]}
                - {name: three, inherit: [{template: none}]}
                """
        },
        {
            "": [
                "team/one charts/web {'a': 1, 'b': 2, 'c': 3}",
                "team/two charts/web {}",
                "? it inherits from a template none, which does not exist",
            ]
        },
    ),
    "inheritance without end": (
        {"helmfile.yaml": "templates: {a: {inherit: [{template: a}]}}\nreleases: [{name: web, inherit: [{template: a}]}]"},
        {"": ["? cyclic inheritance detected: a->a"]},
    ),
    "what is not installed": (
        {
            "helmfile.yaml": """
                environments: {prod: {values: [{a: {enabled: false}, b: {enabled: true}}]}}
                ---
                releases:
                - {name: no, chart: ./charts/web, installed: false}
                - {name: off, chart: ./charts/web, condition: a.enabled}
                - {name: never, chart: ./charts/web, installedTemplate: '{{ eq .Environment.Name "dev" }}'}
                - {name: up, namespace: team, chart: ./charts/web, condition: b.enabled}
                - {name: some, namespace: team, chart: ./charts/web, installedTemplate: '{{ .Values.b.enabled }}'}
                """
        },
        {"prod": ["team/up charts/web {}", "team/some charts/web {}"]},
    ),
    "a namespace for all": (
        {"helmfile.yaml": "namespace: all\n" + RELEASE + "}]"},
        {"": ["all/web charts/web {}"]},
    ),
    "a chart of a server that lies here": (
        {"helmfile.yaml": "releases: [{name: a, namespace: team, chart: acme/web}, {name: b, namespace: team, chart: acme/redis}]"},
        {"": ["team/a charts/web {}", "? its chart acme/redis is remote"]},
    ),
    "a program": (
        {"helmfile.yaml.gotmpl": "releases: [{name: {{ exec `id` (list) }}, chart: ./charts/web}]"},
        {"": ["/$(exec) charts/web {}"]},
    ),
    "a file outside": (
        {"helmfile.yaml.gotmpl": "releases: [{name: {{ readFile `../../etc/passwd` }}, chart: ./charts/web}]"},
        {"": ["/$(../../etc/passwd) charts/web {}"]},
    ),
    "a value that is missing": (
        {"helmfile.yaml.gotmpl": "releases: [{name: {{ .Values.name }}, chart: ./charts/web}]"},
        {"": ["/$(Values.name) charts/web {}"]},
    ),
    "another word for the chart": (
        {"helmfile.yaml": "releases: [{name: web, namespace: team, directory: ./charts/web}]"},
        {"": ["team/web charts/web {}"]},
    ),
    "one chart for all": (
        {"helmfile.yaml": "chart: ./charts/web\nreleases: [{name: web, namespace: team, chart: acme/redis}]"},
        {"": ["team/web charts/web {}"]},
    ),
    "a prefix for values files": (
        {"helmfile.yaml": RELEASE + ", valuesPathPrefix: conf/, values: [a.yaml, {b: 2}]}]", "conf/a.yaml": "a: 1\n"},
        {"": ["team/web charts/web {'a': 1, 'b': 2}"]},
    ),
    "needs change nothing": (
        {"helmfile.yaml": RELEASE + ", needs: [other/db], adopt: [deployment/web], hooks: [{events: [prepare], command: rm}]}]"},
        {"": ["team/web charts/web {}"]},
    ),
    "templates with names": (
        {
            "helmfile.yaml.gotmpl": """
                {{ define "values" }}{size: {{ .size }}, of: {{ template "name" . }}}{{ end }}
                {{- define "name" }}{{ .name | upper }}{{ end }}
                releases:
                - name: web
                  namespace: team
                  chart: ./charts/web
                  values: [{{ template "values" dict "size" 3 "name" "x" }}, {{ block "own" 4 }}{more: {{ . }}}{{ end }}]
                """,
        },
        {"": ["team/web charts/web {'size': 3, 'of': 'X', 'more': 4}"]},
    ),
    "a label of each release": (
        {
            "helmfile.yaml": "helmfiles: [{path: all.yaml, selectors: [tier=web]}]",
            "all.yaml": """
                commonLabels: {tier: web}
                releases:
                - {name: a, namespace: team, chart: ./charts/web}
                - {name: b, namespace: team, chart: ./charts/web, labels: {tier: db}}
                """,
        },
        {"": ["team/a charts/web {}", "team/b charts/web {}"]},
    ),
    "selectors that exclude": (
        {
            "helmfile.yaml": "helmfiles: [{path: all.yaml, selectors: ['tier!=db,name!=c', 'chart=web,name=b']}]",
            "all.yaml": """
                releases:
                - {name: a, namespace: team, chart: ./charts/web}
                - {name: b, namespace: team, chart: ./charts/web, labels: {tier: db}}
                - {name: c, namespace: team, chart: ./charts/web}
                """,
        },
        {"": ["team/a charts/web {}", "team/b charts/web {}"]},
    ),
    "quoted actions": (
        {
            "helmfile.yaml": """
                environments: {prod: {}}
                ---
                releases:
                - {name: web, namespace: team, chart: ./charts/web, values: ["{{`{{ .Release.Name }}`}}.yaml"]}
                """,
            "web.yaml": "a: 1",
        },
        {"prod": ["team/web charts/web {'a': 1}"]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_release_is_installed_or_says_what_is_missing(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, expected = CASES[case]
    file = next(name for name in files if "helmfile" in name)
    assert installed(tmp_path, files, monkeypatch, file) == expected
