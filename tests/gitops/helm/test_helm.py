"""Charts are rendered as helm renders them for a release, and a chart has no means to do more than that."""

from __future__ import annotations

import base64
import json
import math
import os
import shutil
import socket
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from quotalint.gitops.helm import Parameter, Release, RenderedChart, RenderedTemplate
from quotalint.gitops.helm.program import render_release
from quotalint.programs import MAX_LINE

CHART = {
    "shop/Chart.yaml": "{apiVersion: v2, name: shop, version: 1.2.3}",
    "shop/values.yaml": "{image: web, replicas: 1, list: [a], note: ''}",
    "shop/templates/values.yaml": "{{ toJson .Values }}",
}
DEFAULTS = {"image": "web", "replicas": 1, "list": ["a"], "note": ""}


@pytest.fixture(scope="session")
def helm() -> str:
    found = os.environ.get("QUOTALINT_TEST_HELM") or shutil.which("helm")
    if not found:
        pytest.skip("there is no helm on PATH, and QUOTALINT_TEST_HELM does not name one")
    return found


def repository(tmp_path: Path, files: Mapping[str, str]) -> str:
    root = tmp_path / "repository"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return str(root)


def release(root: str, chart: str = "shop") -> Release:
    return Release(f"{root}/{chart}", "web", "team-a")


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
    one = release(root)._replace(kube_version="1.29", api_versions=("a/v1", "example.com/v1"))
    known = {"name": "web", "namespace": "team-a", "install": True, "version": "29", "served": True}
    rendered = (render_release(one, root, helm), render_release(one._replace(namespace=""), root, helm))
    assert rendered == (
        RenderedChart((RenderedTemplate("templates/values.yaml", (known,)),)),
        RenderedChart((RenderedTemplate("templates/values.yaml", ({**known, "namespace": "default"},)),)),
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
            "its dependency redis is not vendored (charts/ is missing it); "
            "run `helm dependency build`, or keep charts/ in the repository",
            id="a dependency is missing",
        ),
        pytest.param(
            {name: text for name, text in FULL.items() if "charts/" not in name},
            "its dependencies redis, kafka are not vendored (charts/ is missing them); "
            "run `helm dependency build`, or keep charts/ in the repository",
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
    assert render_release(release(root), root, helm) == RenderedChart((), error)


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


# From here on with a program that is not helm.


def fake(tmp_path: Path, text: str, interpreter: str = "/bin/sh") -> str:
    path = tmp_path / "bin" / "helm"
    path.parent.mkdir(parents=True)
    path.write_text(f"#!{interpreter}\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        pytest.param("exec sleep 60", RenderedChart((), "helm took longer than 0.3 s"), id="sleeps"),
        pytest.param("exec yes", RenderedChart((), "helm printed more than 16 MiB"), id="prints forever"),
        pytest.param("exit 4", RenderedChart((), "helm ended with status 4"), id="fails silently"),
        pytest.param("kill -9 $$", RenderedChart((), "helm ended with status -9"), id="is killed"),
        pytest.param("echo level=x >&2; echo 'Error: a' >&2; exit 1", RenderedChart((), "a"), id="logs and fails"),
        pytest.param("echo 'panic: b' >&2; echo trace >&2; exit 2", RenderedChart((), "panic: b"), id="panics"),
        pytest.param(
            "echo 'fatal error: runtime: out of memory' >&2; exit 2",
            RenderedChart((), "helm ran out of memory"),
            id="needs too much memory",
        ),
        pytest.param(
            "echo 'Error: unknown flag: --skip-schema-validation' >&2; exit 1",
            RenderedChart((), "helm is too old: 3.16 or later is needed"),
            id="is too old",
        ),
        pytest.param("echo level=INFO >&2", RenderedChart(()), id="has nothing to say"),
        pytest.param(
            "printf -- '---\n# Source: shop/templates/a.yaml\nok: 1\n---\n# Source: shop/templates/b.yaml\na:\n- [\n'",
            RenderedChart(
                (),
                "templates/b.yaml, line 2 of what it renders to: "
                "did not find expected node content, while parsing a flow node",
            ),
            id="prints what is not YAML",
        ),
        pytest.param("echo 'a: 1'", RenderedChart((RenderedTemplate("", ({"a": 1},)),)), id="does not say where from"),
    ],
)
def test_whatever_helm_does_is_a_value(text: str, rendered: RenderedChart, tmp_path: Path) -> None:
    root = repository(tmp_path, CHART)
    timeout = 0.3 if "sleep" in text else 30
    assert render_release(release(root), root, fake(tmp_path, text), timeout) == rendered


TELL = """
import json, os, sys
files = {name: open(name).read() for name in sorted(os.listdir())}
homes = {name: value.replace(os.getcwd(), "") for name, value in os.environ.items() if name.startswith("HELM_")}
told = {"arguments": sys.argv[1:], "files": files, "helm": homes, "secret": "SECRET" in os.environ}
print("---\\n# Source: shop/told\\n" + json.dumps(told))
"""


def test_helm_is_told_no_more_than_the_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "1")
    monkeypatch.setenv("HELM_NAMESPACE", "mine")
    monkeypatch.setenv("HELM_KUBEAPISERVER", "https://cluster.example.com")
    root = repository(tmp_path, {**CHART, "a.yaml": "a: 1", "b": "c"})
    one = Release(
        chart=f"{root}/shop",
        name="-web",
        namespace="--post-renderer=x",
        values_files=(f"{root}/a.yaml",),
        values={"b": 1},
        parameters=(Parameter("a", "1,2"), Parameter("b", "x", True)),
        file_parameters=(("c", f"{root}/b"),),
        kube_version="1.34",
        api_versions=("a/v1",),
    )
    told = {
        "arguments": [
            "template",
            "--skip-tests",
            "--namespace=--post-renderer=x",
            "--include-crds",
            "--kube-version=1.34",
            "--api-versions=a/v1",
            "--values=values-file-0.yaml",
            "--values=inline-values.json",
            "--set=a=1\\,2",
            "--set-string=b=x",
            "--set-file=c=parameter-file-0.txt",
            "--",
            "-web",
            f"{root}/shop",
        ],
        "files": {"inline-values.json": '{"b": 1}', "parameter-file-0.txt": "c", "values-file-0.yaml": "a: 1"},
        "helm": {
            "HELM_CACHE_HOME": "/helm",
            "HELM_CONFIG_HOME": "/helm",
            "HELM_DATA_HOME": "/helm",
            "HELM_PLUGINS": "/helm/plugins",
            "HELM_NO_PLUGINS": "1",
        },
        "secret": False,
    }
    helm = fake(tmp_path, TELL, sys.executable)
    assert render_release(one, root, helm) == RenderedChart((RenderedTemplate("told", (told,)),))


@pytest.mark.parametrize(
    ("change", "error"),
    [
        pytest.param({"chart": "/etc"}, "the chart /etc lies outside the repository", id="chart"),
        pytest.param({"chart": "{root}/out"}, "the chart out lies outside the repository", id="chart by a link"),
        pytest.param({"chart": "{root}/a.yaml"}, "there is no folder a.yaml", id="a file for a chart"),
        pytest.param({"chart": "{root}/\0"}, "the chart lies outside the repository", id="no path"),
        pytest.param(
            {"chart": "{root}/linked"},
            "the chart linked is not rendered: what linked/secret links to lies outside the repository",
            id="link in the chart",
        ),
        pytest.param(
            {"values_files": ("{root}/a.yaml", "{root}/../secret")},
            "the file ../secret lies outside the repository",
            id="values file",
        ),
        pytest.param(
            {"values_files": ("{root}/linked/secret",)},
            "the file linked/secret lies outside the repository",
            id="values file by a link",
        ),
        pytest.param({"values_files": ("{root}/b.yaml",)}, "there is no file b.yaml", id="absent values file"),
        pytest.param(
            {"file_parameters": (("a", "/etc/passwd"),)},
            "the file /etc/passwd lies outside the repository",
            id="parameter from a file",
        ),
        pytest.param(
            {"file_parameters": (("a=/etc/passwd,b", "{root}/a.yaml"),)},
            "the parameter a=/etc/passwd,b cannot take its value from a file",
            id="a second file in the name of a parameter",
        ),
        pytest.param(
            {"values": {"a": math.nan}},
            "its values cannot be passed to helm: Out of range float values are not JSON compliant",
            id="a value that is not JSON",
        ),
        pytest.param({"name": "a\0"}, "helm could not be started: embedded null byte", id="no argument"),
    ],
)
def test_what_must_not_be_rendered_is_refused(change: dict[str, object], error: str, tmp_path: Path) -> None:
    root = repository(tmp_path, {**CHART, "linked/Chart.yaml": CHART["shop/Chart.yaml"], "a.yaml": ""})
    (tmp_path / "secret").write_text("a: 1")
    (tmp_path / "repository" / "out").symlink_to(tmp_path)
    (tmp_path / "repository" / "linked" / "secret").symlink_to("../../secret")
    change = {key: placed(value, root) for key, value in change.items()}
    rendered = render_release(release(root)._replace(**change), root, fake(tmp_path, "echo ran"))  # type: ignore[arg-type]  # a table of fields
    assert (rendered.templates, rendered.error.partition(": nan")[0]) == ((), error)


def placed(value: object, root: str) -> object:
    if isinstance(value, tuple):
        return tuple(placed(part, root) for part in value)
    return value.replace("{root}", root) if isinstance(value, str) else value


@pytest.mark.parametrize("values", ["\ud800", {1, 2}, object()], ids=["half a character", "a set", "anything"])
def test_values_of_no_format_are_an_error_not_an_exception(values: object, tmp_path: Path) -> None:
    root = repository(tmp_path, CHART)
    rendered = render_release(release(root)._replace(values={"a": values}), root, fake(tmp_path, "echo ran"))
    assert rendered.error.startswith("its values cannot be passed to helm: ")


def test_a_repository_does_not_bring_its_own_helm(tmp_path: Path) -> None:
    root = repository(tmp_path, CHART)
    helm = fake(tmp_path / "repository", "echo ran")
    (tmp_path / "helm").symlink_to(helm)
    refused = RenderedChart((), "the helm program lies inside the repository")
    assert [render_release(release(root), root, path) for path in (helm, str(tmp_path / "helm"), "helm")] == [
        refused
    ] * 3
