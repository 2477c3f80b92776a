"""ApplicationSets expand to the Applications that Argo CD makes of them, and say what is not known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quotalint.gitops.argocd.generated_applications import Application, ExpandedSet, RepositoryFiles, expand_set
from quotalint.gitops.argocd.set_generators import MAX_SETS
from quotalint.settings import ConfiguredCluster

HERE = "https://git.example.com/apps"
FILES: Mapping[str, object] = {
    "apps/web/config.yaml": {"name": "web", "size": 3, "in": {"zones": ["a", "b"]}},
    "apps/db/config.yaml": [{"name": "db-1"}, {"name": "db-2"}],
    "apps/db/deep/config.yaml": {"name": "deep"},
    "apps/broken.yaml": None,
}
REPOSITORY = RepositoryFiles(
    folders=lambda: ("", ".hidden", "apps", "apps/db", "apps/db/deep", "apps/web", "other"),
    files=lambda: tuple(sorted(FILES)),
    read=FILES.get,
    is_here=lambda url: url == HERE,
)
CLUSTERS = (
    ConfiguredCluster("Prod_1", "https://prod", {"env": "prod"}, {"zone": "a"}),
    ConfiguredCluster("dev", "https://dev", {"env": "dev"}),
)


def names(*generators: object, name: str = "{{name}}", go: bool = False, **spec: Any) -> tuple[Any, ...]:
    """The names of the Applications that generators give, and what is unknown."""
    template = {"metadata": {"name": name}, "spec": {}}
    body = {"spec": {"generators": list(generators), "template": template, "goTemplate": go, **spec}}
    expanded_set = expand_set(body, REPOSITORY, CLUSTERS)
    named = tuple(application.body["metadata"]["name"] for application in expanded_set.applications)  # type: ignore[index]  # dict
    return named, expanded_set.unknown


def list_of(*elements: Mapping[str, object]) -> dict[str, object]:
    return {"list": {"elements": list(elements)}}


def git(**fields: object) -> dict[str, object]:
    return {"git": {"repoURL": HERE, **fields}}


A_B = list_of({"name": "a"}, {"name": "b"})
FOLDERS = git(directories=[{"path": "apps/*"}])


@pytest.mark.parametrize(
    ("generator", "name", "go", "expected"),
    [
        pytest.param(A_B, "x-{{ name }}", False, ("x-a", "x-b"), id="list"),
        pytest.param(A_B, "x-{{ .name }}", True, ("x-a", "x-b"), id="list, Go"),
        pytest.param({"list": {"elementsYaml": "[{name: a}]"}}, "{{name}}", False, ("a",), id="elementsYaml"),
        pytest.param(
            list_of({"values": {"a": "b"}}), "{{values.a}}", False, ("b",), id="values of a list's element"
        ),
        pytest.param(FOLDERS, "{{path}}:{{path[1]}}", False, ("apps/db:db", "apps/web:web"), id="folders"),
        pytest.param(
            FOLDERS, "{{.path.path}}:{{index .path.segments 1}}", True, ("apps/db:db", "apps/web:web"), id="folders, Go"
        ),
        pytest.param(
            git(directories=[{"path": "*"}, {"path": "other", "exclude": True}]),
            "{{path.basenameNormalized}}",
            False,
            ("apps",),
            id="a folder excluded, a hidden one, and the root",
        ),
        pytest.param(
            git(directories=[{"path": "apps/*"}], pathParamPrefix="p", values={"v": "{{p.path.basename}}!"}),
            "{{p.path}} {{values.v}}",
            False,
            ("apps/db db!", "apps/web web!"),
            id="prefix and values",
        ),
        pytest.param(
            git(files=[{"path": "apps/*/config.yaml"}, {"path": "apps/db/deep/*", "exclude": True}]),
            "{{name}}-{{path.basename}}-{{path.filename}}",
            False,
            ("db-1-db-config.yaml", "db-2-db-config.yaml", "web-web-config.yaml"),
            id="files, a star crossing folders",
        ),
        pytest.param(
            git(files=[{"path": "apps/web"}]), "{{size}}-{{in.zones.1}}", False, ("3-b",), id="flat parameters"
        ),
        pytest.param(
            git(files=[{"path": "**/web/*.yaml"}]),
            "{{.size}}-{{index .in.zones 1}}-{{.path.filenameNormalized}}",
            True,
            ("3-b-config.yaml",),
            id="nested parameters of a file",
        ),
        pytest.param(
            {"clusters": {"values": {"v": "{{name}}"}}},
            "{{nameNormalized}}:{{server}}:{{values.v}}",
            False,
            (
                "prod-1:https://prod:Prod_1",
                "dev:https://dev:dev",
                "in-cluster:https://kubernetes.default.svc:in-cluster",
            ),
            id="clusters, and the one that Argo CD is in",
        ),
        pytest.param(
            {"clusters": {"selector": {"matchLabels": {"argocd.argoproj.io/secret-type": "cluster"}}}},
            "{{.metadata.labels.env}}{{.metadata.annotations.zone}}",
            True,
            ("proda", "dev<no value>"),
            id="clusters by the label that all have",
        ),
        pytest.param(
            {"clusters": {"selector": {"matchExpressions": [{"key": "env", "operator": "NotIn", "values": ["dev"]}]}}},
            "{{name}}",
            False,
            ("Prod_1",),
            id="clusters by expression",
        ),
        pytest.param(
            {"clusters": {"flatList": True}},
            "{{ range $i, $c := .clusters }}{{ if $i }}+{{ end }}{{ .name }}{{ end }}",
            True,
            ("Prod_1+dev+in-cluster",),
            id="clusters in one list",
        ),
        pytest.param(
            {"matrix": {"generators": [FOLDERS, list_of({"e": "{{path.basename}}-1"}, {"e": "2"})]}},
            "{{path.basename}}:{{e}}",
            False,
            ("db:db-1", "db:2", "web:web-1", "web:2"),
            id="matrix",
        ),
        pytest.param(
            {
                "matrix": {
                    "generators": [
                        git(files=[{"path": "apps/web/*"}]),
                        {"list": {"elementsYaml": "{{ .in.zones | toJson | replace `\"` `` | replace `[` `[{z: ` "
                         "| replace `,` `}, {z: ` | replace `]` `}]` }}"}},
                    ]
                }
            },
            "{{.name}}-{{.z}}",
            True,
            ("web-a", "web-b"),
            id="matrix whose list comes from a file",
        ),
        pytest.param(
            {
                "matrix": {
                    "generators": [
                        A_B,
                        git(directories=[{"path": "apps/*"}], values={"n": "{{.name}}", "p": "{{.path.basename}}"}),
                    ]
                }
            },
            "{{.values.n}}-{{.values.p}}",
            True,
            ("a-db", "a-web", "b-db", "b-web"),
            id="values that name what both generators give",
        ),
        pytest.param(
            {
                "merge": {
                    "mergeKeys": ["name"],
                    "generators": [list_of({"name": "a", "v": "1"}, {"name": "b"}), list_of({"name": "b", "v": "3"})],
                }
            },
            "{{name}}{{v}}",
            False,
            ("a1", "b3"),
            id="merge",
        ),
        pytest.param(
            {**A_B, "selector": {"matchLabels": {"name": "b"}}}, "{{name}}", False, ("b",), id="selected parameters"
        ),
        pytest.param(
            {"list": {"elements": [{"name": "a"}], "template": {"metadata": {"name": "own-{{name}}"}}}},
            "{{name}}",
            False,
            ("own-a",),
            id="the generator's own template",
        ),
    ],
)  # fmt: skip
def test_a_generator_gives_parameters(generator: object, name: str, go: bool, expected: tuple[str, ...]) -> None:
    assert names(generator, name=name, go=go) == (expected, ())


@pytest.mark.parametrize(
    ("generators", "expected"),
    [
        pytest.param(
            [list_of({"name": "a-{{b}}"})],
            (("a-{{b}}",), ("an Application is named a-{{b}}: nothing fills in the braces",)),
            id="a name that is not filled in",
        ),
        pytest.param(
            [{"pullRequest": {}}, A_B],
            (("a", "b"), ("the pullRequest generator asks a code host which pull requests are open",)),
            id="a service",
        ),
        pytest.param(
            [{"git": {"repoURL": "https://elsewhere", "directories": [{"path": "*"}]}}],
            ((), ("the git generator reads another repository, https://elsewhere",)),
            id="another repository",
        ),
        pytest.param(
            [git(files=[{"path": "apps/broken.yaml"}])],
            ((), ("apps/broken.yaml cannot be read, so what the git generator takes from it is not known",)),
            id="a file that cannot be read",
        ),
        pytest.param(
            [{"matrix": {"generators": [{"plugin": {}}, A_B]}}],
            ((), ("the plugin generator asks a program of your own",)),
            id="a service within a matrix",
        ),
        pytest.param(
            [{"matrix": {"generators": [A_B]}}], ((), ("the matrix generator takes two generators, not 1",)), id="half"
        ),
        pytest.param(
            [{"matrix": {"generators": [A_B, list_of({"name": "c"})]}}],
            ((), ("a matrix's generators give name two values: a and c",)),
            id="a conflict",
        ),
        pytest.param(
            [A_B, list_of({"name": "a"})],
            (("b",), ("2 Applications are named a, so Argo CD creates none of them",)),
            id="one name twice",
        ),
        pytest.param(
            [list_of({"name": 1})],
            (
                (),
                (
                    "the list generator takes only strings without goTemplate, and name is not one (quote it, or "
                    "turn goTemplate on)",
                ),
            ),
            id="a number",
        ),
        pytest.param([{"lists": {}}], ((), ("there is no generator of type lists",)), id="an unknown generator"),
    ],
)
def test_what_is_not_known_is_said(generators: list[object], expected: object) -> None:
    assert names(*generators) == expected


@pytest.mark.parametrize(
    ("generator", "name", "failing"),
    [
        pytest.param(list_of({"name": 1}), "{{name}}", 1, id="what Argo CD refuses"),
        pytest.param(list_of({"name": "a"}), "{{name", 0, id="what it takes"),
        pytest.param(list_of({"name": "a"}), "{{a}} {{name", 1, id="a template that it refuses"),
        pytest.param(
            list_of(*[{"name": str(n)} for n in range(MAX_SETS + 1)]), "{{name}}", 0, id="what is too much here"
        ),
    ],
)
def test_argocd_fails_where_it_refuses_and_not_where_too_much_is_to_be_followed(
    generator: Mapping[str, object], name: str, failing: int
) -> None:
    template = {"metadata": {"name": name}, "spec": {}}
    expanded_set = expand_set({"spec": {"generators": [generator], "template": template}}, REPOSITORY, ())
    assert len(expanded_set.failures) == failing
    assert set(expanded_set.failures) <= set(expanded_set.unknown)


def test_without_configured_clusters_none_is_assumed() -> None:
    body: dict[str, object] = {"spec": {"generators": [{"clusters": {}}]}}
    expected = ExpandedSet((), ("the cluster generator needs `clusters` in .quotalint.yaml",))
    assert expand_set(body, REPOSITORY, ()) == expected


def test_a_missing_key_can_be_an_error() -> None:
    expected = ((), ('{{.x}}: map has no entry for key "x"',))
    assert names(list_of({"a": "b"}), name="{{.x}}", go=True, goTemplateOptions=["missingkey=error"]) == expected


def test_an_application_has_template_and_patch_filled_in() -> None:
    spec: dict[str, object] = {
        "goTemplate": True,
        "generators": [list_of({"name": "web", "replicas": 2, "prune": True})],
        "template": {
            "metadata": {"name": "{{.name}}", "labels": {"{{.name}}": "{{.replicas}}"}, "annotations": None},
            "spec": {
                "project": "p",
                "sources": [{"path": "apps/{{.name}}"}],
                "destination": {"namespace": "a"},
            },
        },
        "templatePatch": "spec:\n  project: q\n  destination: {namespace: null, name: '{{ .name }}'}\n"
        "{{- if .prune }}\n  syncPolicy: {automated: {prune: {{ .prune }}}}\n{{- end }}",
    }
    body: dict[str, object] = {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {"name": "web", "labels": {"web": "2"}, "namespace": "argocd"},
        "spec": {
            "project": "p",
            "sources": [{"path": "apps/web"}],
            "destination": {"name": "web"},
            "syncPolicy": {"automated": {"prune": True}},
        },
    }
    parameters = {"name": "web", "replicas": 2.0, "prune": True}
    expanded_set = expand_set({"metadata": {"namespace": "argocd"}, "spec": spec}, REPOSITORY, ())
    assert expanded_set == ExpandedSet((Application(body, parameters),), ())


KEYS = st.sampled_from(
    tuple(
        """spec generators list elements elementsYaml git directories files path exclude repoURL clusters selector
        matchLabels matchExpressions key operator values matrix merge mergeKeys template metadata name goTemplate
        templatePatch""".split()  # noqa: SIM905  # words read better than a list of 25 lines
    )
)
LEAVES = st.sampled_from([None, True, 0, "", "{{name}}", "{{ .name }}", "{{", "a", "*", "[", HERE, "In", "- {a: b}"])
BODIES = st.recursive(LEAVES, lambda b: st.lists(b, max_size=3) | st.dictionaries(KEYS, b, max_size=4), max_leaves=30)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.dictionaries(KEYS, BODIES, max_size=3), max_size=3), BODIES, st.booleans())
def test_any_body_expands(generators: list[object], template: object, go: bool) -> None:
    body = {"spec": {"generators": generators, "template": template, "goTemplate": go, "templatePatch": template}}
    assert isinstance(expand_set(body, REPOSITORY, CLUSTERS), ExpandedSet)
