"""Charts are rendered as helm renders them for a release, and a chart has no means to do more than that."""

from __future__ import annotations

import base64
import json
import socket
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
from gitops_outcome import needed_helm
from helm_repositories import CHART, release, repository

from quotalint.gitops.helm import RenderedChart, RenderedTemplate
from quotalint.gitops.helm.program import render_release
from quotalint.programs import MAX_LINE

DEFAULTS = {"image": "web", "replicas": 1, "list": ["a"], "note": ""}


@pytest.fixture(scope="session")
def helm() -> str:
    return needed_helm()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param({}, {}, id="the chart's own"),
        pytest.param({"values_files": ["1.yaml"]}, {"image": "one", "replicas": 2}, id="a file"),
        pytest.param({"values_files": ["1.yaml", "2.yaml"]}, {"image": "two", "replicas": 2}, id="two files"),
        pytest.param({"values_files": ["2.yaml", "1.yaml"]}, {"image": "one", "replicas": 2}, id="the other way round"),
        pytest.param({"values_files": ["a,b.yaml"]}, {"image": "comma"}, id="a comma in a file's name"),
        pytest.param({"values_files": ["linked.yaml"]}, {"image": "one", "replicas": 2}, id="a link to a file"),
        pytest.param(
            {"values_files": ["1.yaml"], "values": {"image": "inline"}},
            {"image": "inline", "replicas": 2},
            id="inline values win over files",
        ),
        pytest.param(
            {"values": {"image": "inline"}, "parameters": (("image", "set", False),)},
            {"image": "set"},
            id="parameters win over values",
        ),
        pytest.param(
            {"parameters": (("image", "set", False),), "file_parameters": [("image", "text")]},
            {"image": "in, a {file}\n"},
            id="parameters from files win over all",
        ),
        pytest.param({"parameters": (("replicas", "3", False),)}, {"replicas": 3}, id="a number"),
        pytest.param({"parameters": (("replicas", "3", True),)}, {"replicas": "3"}, id="a number as a string"),
        pytest.param({"parameters": (("image", "a,b=c\\,d", False),)}, {"image": "a,b=c,d"}, id="commas"),
        pytest.param({"parameters": (("list", "{x,y}", False),)}, {"list": ["x", "y"]}, id="a list"),
        pytest.param({"parameters": (("a.b[0].c\\.d", "1", False),)}, {"a": {"b": [{"c.d": 1}]}}, id="a path"),
        pytest.param({"values": {"image": None}}, {"image": ...}, id="null takes away"),
        pytest.param(
            {"values": MappingProxyType({"list": (MappingProxyType({"a": 1}),)})},
            {"list": [{"a": 1}]},
            id="read-only values",
        ),
    ],
)
def test_values_are_what_helm_makes_of_them(
    given: dict[str, object], expected: dict[str, object], helm: str, tmp_path: Path
) -> None:
    files = {
        "1.yaml": "{image: one, replicas: 2}",
        "2.yaml": "image: two",
        "a,b.yaml": "image: comma",
        "text": "in, a {file}\n",
    }
    root = repository(tmp_path, {**CHART, **files})
    (tmp_path / "repository" / "linked.yaml").symlink_to("1.yaml")
    given = dict(given)
    if "values_files" in given:
        given["values_files"] = tuple(f"{root}/{name}" for name in given["values_files"])  # type: ignore[attr-defined]  # of strings
    if "file_parameters" in given:
        given["file_parameters"] = tuple((key, f"{root}/{name}") for key, name in given["file_parameters"])  # type: ignore[attr-defined]  # of pairs
    values = {key: value for key, value in {**DEFAULTS, **expected}.items() if value is not ...}
    rendered = render_release(release(root)._replace(**given), root, helm)  # type: ignore[arg-type]  # a table of fields
    assert rendered == RenderedChart((RenderedTemplate("templates/values.yaml", (values,)),))


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "null",
        "0x10",
        "quote \" and ' and \\",
        "a\nb\tc\r\0\x1b",
        "{{ .Values.image }} # no comment",
        "\x7f\x80\x85\x9f\u2028\u2029\ufeff\ufffe\uffff",
        "\u00e4\u4e2d\U0001f600",
    ],
)
def test_every_text_reaches_the_chart_as_it_is(text: str, helm: str, tmp_path: Path) -> None:
    root = repository(tmp_path, {**CHART, "shop/templates/values.yaml": "text: {{ b64enc .Values.image }}"})
    rendered = render_release(release(root)._replace(values={"image": text}), root, helm)
    encoded = base64.b64encode(text.encode()).decode()
    assert rendered == RenderedChart((RenderedTemplate("templates/values.yaml", ({"text": encoded},)),))


def test_templates_know_the_release_and_the_cluster_it_is_for(helm: str, tmp_path: Path) -> None:
    template = (
        "{{ dict `name` .Release.Name `namespace` .Release.Namespace `install` .Release.IsInstall"
        " `version` .Capabilities.KubeVersion.Minor `served` (.Capabilities.APIVersions.Has `example.com/v1`)"
        " | toJson }}"
    )
    root = repository(tmp_path, {**CHART, "shop/templates/values.yaml": template})
    answer = release(root)._replace(kube_version="1.29", api_versions=("a/v1", "example.com/v1"))
    release_values = {"name": "web", "namespace": "team-a", "install": True, "version": "29", "served": True}
    rendered = (render_release(answer, root, helm), render_release(answer._replace(namespace=""), root, helm))
    assert rendered == (
        RenderedChart((RenderedTemplate("templates/values.yaml", (release_values,)),)),
        RenderedChart((RenderedTemplate("templates/values.yaml", ({**release_values, "namespace": "default"},)),)),
    )


FULL = {
    "shop/Chart.yaml": """
        apiVersion: v2
        name: shop
        version: 1.2.3
        dependencies:
        - {name: redis, version: 1.0.0, repository: "https://charts.example.com"}
        - {name: kafka, version: 1.0.0, repository: "file://../kafka", condition: kafka.enabled}
        """,
    "shop/values.yaml": "kafka: {enabled: false}",
    "shop/crds/crd.yaml": "kind: A\n---\nkind: B\n",
    "shop/templates/_names.tpl": '{{ define "shop.name" }}shop{{ end }}',
    "shop/templates/NOTES.txt": "Have fun",
    "shop/templates/empty.yaml": "{{ if .Values.absent }}kind: Pod{{ end }}\n# a comment\n",
    # Helm puts the documents of a template in the order of installation.
    "shop/templates/many.yaml": "kind: Deployment\n---\n# Source: evil/templates/x.yaml\nkind: ConfigMap\n---\n",
    "shop/templates/hook.yaml": "kind: Job\nmetadata: {annotations: {helm.sh/hook: pre-install}}\n",
    "shop/templates/tests/test.yaml": "kind: Pod\nmetadata: {annotations: {helm.sh/hook: test}}\n",
    "shop/charts/redis/Chart.yaml": "{apiVersion: v2, name: redis, version: 1.0.0}",
    "shop/charts/redis/templates/sts.yaml": 'kind: StatefulSet\nmetadata: {name: {{ include "shop.name" . }}}\n',
    "shop/charts/kafka/Chart.yaml": "{apiVersion: v2, name: kafka, version: 1.0.0}",
    "shop/charts/kafka/templates/sts.yaml": "kind: StatefulSet\n",
}


def test_documents_come_with_the_template_they_come_from(helm: str, tmp_path: Path) -> None:
    root = repository(tmp_path, FULL)
    crds = RenderedTemplate("crds/crd.yaml", ({"kind": "A"}, {"kind": "B"}))
    others = (
        RenderedTemplate("templates/many.yaml", ({"kind": "ConfigMap"}, {"kind": "Deployment"})),
        RenderedTemplate("charts/redis/templates/sts.yaml", ({"kind": "StatefulSet", "metadata": {"name": "shop"}},)),
        RenderedTemplate(
            "templates/hook.yaml",
            ({"kind": "Job", "metadata": {"annotations": {"helm.sh/hook": "pre-install"}}},),
        ),
    )
    rendered = (
        render_release(release(root), root, helm),
        render_release(release(root)._replace(skip_crds=True), root, helm),
    )
    assert rendered == (RenderedChart((crds, *others)), RenderedChart(others))


@pytest.mark.parametrize(
    ("files", "error"),
    [
        pytest.param(
            {**CHART, "shop/Chart.yaml": "{apiVersion: v2, name: lib, version: 1.0.0, type: library}"},
            "it is a library chart, made for other charts to use: it renders nothing itself",
            id="a library",
        ),
        pytest.param(
            {name: text for name, text in FULL.items() if "charts/redis" not in name},
            "its dependency redis is not vendored (charts/ is missing it)",
            id="a dependency is missing",
        ),
        pytest.param(
            {name: text for name, text in FULL.items() if "charts/" not in name},
            "its dependencies redis, kafka are not vendored (charts/ is missing them)",
            id="dependencies are missing, one of which is not enabled",
        ),
        pytest.param(
            {**CHART, "shop/templates/web.yaml": 'a: {{ required "image is required" .Values.absent }}'},
            "execution error at (shop/templates/web.yaml:1:6): image is required",
            id="a value is missing",
        ),
        pytest.param(
            {"other/Chart.yaml": CHART["shop/Chart.yaml"]},
            "there is no folder shop",
            id="no folder",
        ),
    ],
)
def test_why_a_chart_cannot_be_rendered_is_told_in_one_line(
    files: Mapping[str, str], error: str, helm: str, tmp_path: Path
) -> None:
    root = repository(tmp_path, files)
    rendered = render_release(release(root), root, helm)
    assert rendered[:3] == RenderedChart((), error)[:3]
    assert rendered.is_refused == error.startswith("execution error")


@pytest.mark.parametrize(
    ("files", "parts"),
    [
        pytest.param({"templates/b.yaml": "{{ if }}"}, ["shop/templates/b.yaml:1", "if"], id="a syntax error"),
        pytest.param(
            {"templates/b.yaml": "a: {{ .Values.a.b.c }}"},
            ["shop/templates/b.yaml:1:13", "<.Values.a.b.c>: nil pointer evaluating"],
            id="a null",
        ),
        pytest.param({"templates/b.yaml": "a: b: c"}, ["shop/templates/b.yaml", "mapping values"], id="no YAML"),
        pytest.param({"templates/b.yaml": '{{ env "HOME" }}'}, ['function "env" not defined'], id="the environment"),
        pytest.param({"templates/b.yaml": '{{ exec "ls" }}'}, ['function "exec" not defined'], id="a program"),
        pytest.param({"templates/b.yaml": '{{ fail "a\\n\\x1b[2Jb" }}'}, ["a [2Jb"], id="escape sequences"),
        pytest.param(
            {"templates/b.yaml": '{{ fail (repeat 9999 "x") }}'}, ["execution error", " … "], id="a long tale"
        ),
        pytest.param({"values.yaml": "a: ["}, ["values.yaml", "line 1"], id="values that are no YAML"),
        pytest.param({"Chart.yaml": "{apiVersion: v2, name: shop}"}, ["version is required"], id="an invalid chart"),
        pytest.param(
            {"Chart.yaml": "{apiVersion: v2, name: shop, version: 1.0.0, kubeVersion: '>1.99'}"},
            ["kubeVersion: >1.99"],
            id="another cluster",
        ),
    ],
)
def test_what_helm_says_is_passed_on(files: Mapping[str, str], parts: list[str], helm: str, tmp_path: Path) -> None:
    root = repository(tmp_path, {**CHART, **{f"shop/{name}": text for name, text in files.items()}})
    error = render_release(release(root), root, helm).error
    unwelcome = [text for text in ("Error:", "level=", "--debug", "\n", "\x1b", str(tmp_path)) if text in error]
    assert ([part for part in parts if part not in error], unwelcome, len(error) <= MAX_LINE + 3) == ([], [], True)


def test_a_values_file_is_called_by_its_own_name(helm: str, tmp_path: Path) -> None:
    root = repository(tmp_path, {**CHART, "env/prod.yaml": "a: ["})
    error = render_release(release(root)._replace(values_files=(f"{root}/env/prod.yaml",)), root, helm).error
    assert error.startswith("failed to parse env/prod.yaml: ")


def test_a_template_sees_no_cluster_and_no_name_server(helm: str, tmp_path: Path) -> None:
    template = '{{ dict "found" (lookup "v1" "Pod" "a" "b") "address" (getHostByName "localhost") | toJson }}'
    root = repository(tmp_path, {**CHART, "shop/templates/values.yaml": template})
    assert render_release(release(root), root, helm) == RenderedChart(
        (RenderedTemplate("templates/values.yaml", ({"found": {}, "address": ""},)),)
    )


def test_a_schema_sends_helm_nowhere(helm: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        schema = json.dumps({"$ref": f"http://127.0.0.1:{server.getsockname()[1]}/schema.json"})
        root = repository(tmp_path, {**CHART, "shop/values.schema.json": schema})
        rendered = render_release(release(root), root, helm)
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()
    assert rendered == RenderedChart((RenderedTemplate("templates/values.yaml", (DEFAULTS,)),))


def test_a_chart_without_end_is_given_up(helm: str, tmp_path: Path) -> None:
    loop = "{{ range until 90000 }}{{ range until 90000 }}{{ end }}{{ end }}"
    root = repository(tmp_path, {**CHART, "shop/templates/loop.yaml": loop})
    assert render_release(release(root), root, helm, 0.3) == RenderedChart((), "helm took longer than 0.3 s")
