"""What helmfile installs, as helmfile 1.x documents and does it: environment by environment, release by release."""

# ruff: noqa: E501 - a table of files
from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from gitops_outcome import Files, write

from quotalint.gitops.charts import Charts
from quotalint.gitops.helm import Release
from quotalint.gitops.helm.value_layers import merge_layers, with_release_parameters
from quotalint.gitops.helmfile.installation import Helmfiles
from quotalint.gitops.rendering import Rendering
from quotalint.gitops.tree import Tree
from quotalint.text.place import Place

WEB = {"charts/web/Chart.yaml": "{apiVersion: v2, name: web, version: 1.0.0}\n"}
RELEASE = "releases: [{name: web, namespace: team, chart: ./charts/web"


class Listening(Charts):
    """Charts that are not rendered: what they would be rendered with is kept."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree, "", "off")
        self.tree = tree
        self.asked_for: list[str] = []

    def render_chart(self, release: Release, asked: Place) -> Rendering:
        values = merge_layers(tuple(layer.values for layer in release.layers))
        given = with_release_parameters(values, release, self.tree.data)
        self.asked_for.append(f"{release.namespace}/{release.name} {release.chart} {given}")
        return Rendering()


def installed(folder: Path, files: Files, monkeypatch: pytest.MonkeyPatch, file: str) -> dict[str, list[str]]:
    """`namespace/name chart values` of the releases by environment; what is unknown by its reason."""
    write(folder, {**WEB, **files})
    monkeypatch.chdir(folder)
    tree = Tree(".", {})
    charts = Listening(tree)
    found: dict[str, list[str]] = {}
    installation = Helmfiles(tree, charts, ("charts/web",)).installation(file)
    known = iter(charts.asked_for)
    for environment, rendering in installation.releases:
        reasons = [problem.reason.partition("not rendered: ")[2] for problem in rendering.problems]
        found.setdefault(environment, []).append(f"? {reasons[0]}" if reasons else next(known))
    for environment, reason in installation.failures:
        found.setdefault(environment.replace("default", ""), []).append(f"! {reason}")
    return found


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
    "a template of values": (
        {
            "helmfile.yaml": "environments: {prod: {values: [{size: 9}]}}\n---\n" + RELEASE + ", values: [web.yaml.gotmpl]}]",
            "web.yaml.gotmpl": "size: {{ .Values.size }}\nname: {{ .Release.Name }}\nsecret: {{ env `SECRET` | quote }}\n",
        },
        {"prod": ["team/web charts/web {'size': 9, 'name': 'web', 'secret': ''}"]},
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
    "a variable of the environment": (
        {"helmfile.yaml.gotmpl": "releases: [{name: {{ requiredEnv `NAME` }}, chart: ./charts/web}]"},
        {"": ["/$(NAME) charts/web {}"]},
    ),
    "a file outside": (
        {"helmfile.yaml.gotmpl": "releases: [{name: {{ readFile `../../etc/passwd` }}, chart: ./charts/web}]"},
        {"": ["/$(../../etc/passwd) charts/web {}"]},
    ),
    "a value that is missing": (
        {"helmfile.yaml.gotmpl": "releases: [{name: {{ .Values.name }}, chart: ./charts/web}]"},
        {"": ["/$(Values.name) charts/web {}"]},
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
    "selectors of those in between": (
        {
            "helmfile.yaml": "helmfiles: [{path: outer.yaml, selectors: [tier=web]}]",
            "outer.yaml": "helmfiles: [{path: one.yaml}, {path: two.yaml, selectors: []}, {path: two.yaml, selectors: [tier=db], selectorsInherited: true}]",
            "one.yaml": "releases: [{name: a, namespace: team, chart: ./charts/web}, {name: b, namespace: team, chart: ./charts/web, labels: {tier: web}}]",
            "two.yaml": "releases: [{name: c, namespace: team, chart: ./charts/web}, {name: d, namespace: team, chart: ./charts/web, labels: {tier: web}}]",
        },
        {"": ["team/b charts/web {}", "team/c charts/web {}", "team/d charts/web {}", "team/d charts/web {}"]},
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
def test_releases(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, expected = CASES[case]
    file = next(name for name in files if "helmfile" in name)
    assert installed(tmp_path, files, monkeypatch, file) == expected


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        pytest.param("/etc/values.yaml", "values files in /etc lie outside the repository", id="a machine's"),
        pytest.param("../../x.yaml", "values files in ../.. lie outside the repository", id="above"),
        pytest.param(
            "https://example.com/v.yaml?ref=x", "the values https://example.com/v.yaml are remote", id="remote"
        ),
        pytest.param("v.hcl", "the values file v.hcl is HCL, which is not supported here", id="of another language"),
    ],
)
def test_values_out_of_view_are_a_guess(
    entry: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gitops_outcome import checked, quota

    files = {
        "helmfile.yaml": f"releases: [{{name: raw, namespace: team, chart: x/raw, values: [q.yaml, '{entry}']}}]",
        "v.hcl": 'values { a = "b" }\n',
        "q.yaml": f"resources:\n- {quota('team').strip().replace(chr(10), chr(10) + '  ')}\n",
    }
    result = checked(tmp_path, cast("Files", files), monkeypatch)
    (quotas,) = (facts.quotas for facts in result.environments)
    assert [guess.reason for guess in quotas[0].object.guesses][1:] == [f"{reason}, and may change what is counted"]
    assert (quotas[0].object.place.real.source, quotas[0].object.place.real.path) == ("q.yaml", ("resources", 0))


DEPLOYED = """
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: {{ .Release.Name }}}
    spec:
      replicas: {{ .Values.replicas }}
      selector: {matchLabels: {app: a}}
      template: {metadata: {labels: {app: a}}, spec: {containers: [{name: a, image: a}]}}
    """


def test_patches_change_what_a_chart_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("helm_python")
    from gitops_outcome import outcome, quota

    files = {
        **WEB,
        "charts/web/templates/web.yaml": DEPLOYED,
        "charts/web/values.yaml": "replicas: 1\n",
        "quota.yaml": quota("team", hard="pods: 20"),
        "patch.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: file}\nspec: {replicas: 3}\n",
        "helmfile.yaml": """
            releases:
            - name: inline
              namespace: team
              chart: ./charts/web
              strategicMergePatches:
              - {apiVersion: apps/v1, kind: Deployment, metadata: {name: inline}, spec: {replicas: 7}}
            - {name: file, namespace: team, chart: ./charts/web, strategicMergePatches: [patch.yaml]}
            - name: json
              namespace: team
              chart: ./charts/web
              jsonPatches:
              - target: {kind: Deployment, name: json}
                patch: [{op: replace, path: /spec/replicas, value: 5}]
            """,
    }
    assert outcome(tmp_path, cast("Files", files), monkeypatch).quotas == ["team/base pods 15/20 exact"]


@pytest.mark.parametrize(
    ("field", "quotas", "reason"),
    [
        pytest.param("postRenderer: ./x.sh", "?/20 unknown", "`postRenderer` of the release web", id="a post-renderer"),
        pytest.param("transformers: [x.yaml]", "?/20 unknown", "`transformers` of the release web", id="transformers"),
        pytest.param("dependencies: [{chart: x/y}]", "2/20 at-least", "`dependencies` of the release web", id="others"),
        pytest.param("adopt: [deployment/web]", "2/20 exact", "", id="what takes over"),
    ],
)
def test_what_would_change_a_release_and_is_not_done(
    field: str, quotas: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("helm_python")
    from gitops_outcome import checked, outcome_of, quota

    files = {
        **WEB,
        "charts/web/templates/web.yaml": DEPLOYED,
        "charts/web/values.yaml": "replicas: 2\n",
        "quota.yaml": quota("team", hard="pods: 20"),
        "helmfile.yaml": RELEASE + f", {field}}}]",
    }
    result = checked(tmp_path, cast("Files", files), monkeypatch)
    assert outcome_of(result).quotas == [f"team/base pods {quotas}"]
    assert [(one.rule.id, reason in one.message) for one in result.findings] == ([("QL003", True)] if reason else [])


@pytest.mark.parametrize("is_kustomization", [False, True])
def test_a_release_of_manifests(is_kustomization: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gitops_outcome import outcome, quota, web

    files = {
        "app/web.yaml": web(replicas=3),
        "quota.yaml": quota("team", hard="pods: 20"),
        "helmfile.yaml": "releases: [{name: web, namespace: team, chart: ./app}]",
    }
    if is_kustomization:
        files["app/kustomization.yaml"] = "resources: [web.yaml]\nreplicas: [{name: web, count: 5}]\n"
    pods = 5 if is_kustomization else 3
    assert outcome(tmp_path, cast("Files", files), monkeypatch).quotas == [f"team/base pods {pods}/20 exact"]


def test_a_manifest_given_as_a_text_is_reported_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("helm_python")
    from gitops_outcome import checked

    files = {
        **WEB,
        "charts/web/templates/extra.yaml": "{{ range .Values.extraDeploy }}\n---\n{{ tpl . $ }}\n{{ end }}",
        "more.yaml": """
            extraDeploy:
            - |
              apiVersion: v1
              kind: ResourceQuota
              metadata: {name: {{ .Release.Name }}}
              spec: {hard: {pods: 1x}}
            """,
        "helmfile.yaml": "releases: [{name: q, namespace: team, chart: ./charts/web, values: [more.yaml]}]",
    }
    result = checked(tmp_path, cast("Files", files), monkeypatch)
    assert [(one.rule.id, one.file, one.span.line) for one in result.findings] == [("QL103", "more.yaml", 2)]
