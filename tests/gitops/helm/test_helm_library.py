"""Helm's library in its worker gives what the program gives, and a chart can do no harm there but take its time."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest
from gitops_outcome import needed_helm
from helm_repositories import repository
from hypothesis import given
from hypothesis import strategies as st

from quotalint.gitops.helm import Release, RenderedChart, RenderedTemplate
from quotalint.gitops.helm.library import Library, documents_in
from quotalint.gitops.helm.program import render_release
from quotalint.runtime.resource_limits import was_stopped

pytest.importorskip("helm_python")

CHART = {
    "shop/Chart.yaml": "{apiVersion: v2, name: shop, version: 1.2.3}",
    "shop/values.yaml": "{image: web, replicas: 1, list: [a], note: '', big: 1234567}",
    "shop/templates/values.yaml": "{{ toJson .Values }}",
}
SUBCHART = {
    "shop/charts/redis/Chart.yaml": "{apiVersion: v2, name: redis, version: 1.0.0}",
    "shop/charts/redis/values.yaml": "{size: 1, global: {zone: a}}",
    "shop/charts/redis/templates/sts.yaml": "kind: StatefulSet\nspec: {{ toJson .Values }}\n",
}
REDIS = "dependencies: [{name: redis, version: 1.0.0, repository: 'https://example.com'"


@given(st.lists(st.sampled_from(["\n", "\n", "---", " ", "a", "\t", "\r\n", "\u2028"])).map("".join))
def test_documents_are_cut_as_by_helm(written: str) -> None:
    assert documents_in(written) == re.split(r"(?:^|\s*\n)---\s*", written.strip())


@pytest.fixture
def helm() -> str:
    return needed_helm()


def release(root: str, **fields: Any) -> Release:
    return Release(f"{root}/shop", "web", "team-a")._replace(**fields)


def chart(head: str = "", **files: str) -> dict[str, str]:
    """A chart with more in its `Chart.yaml`, and with these templates."""
    templates = {f"shop/templates/{name}.yaml": text for name, text in files.items()}
    return {**CHART, "shop/Chart.yaml": f"apiVersion: v2\nname: shop\nversion: 1.2.3\n{head}\n", **templates}


def in_order(rendered: RenderedChart) -> tuple[object, ...]:
    """The program sorts documents by kind, the library does not: what is applied is the same."""
    pairs = [
        (rendered_template.source, document)
        for rendered_template in rendered.templates
        for document in rendered_template.documents
    ]
    return (rendered.error, sorted(pairs, key=repr))


HOOKED = "kind: {}\nmetadata: {{annotations: {{helm.sh/hook: '{}'}}}}\n"
SAME: dict[str, tuple[dict[str, str], dict[str, Any]]] = {
    "the chart's own values": (CHART, {}),
    "values over them": (CHART, {"values": {"image": "a", "list": [], "note": None, "more": {"a": [1, 2.5, None]}}}),
    "a large number": (chart(a="a: {{ .Values.big }} {{ .Values.more }}"), {"values": {"more": 1000000}}),
    "a version of Kubernetes": (chart(a="a: {{ .Capabilities.KubeVersion.Minor }}"), {"kube_version": "1.29"}),
    "its whole name": (chart(a="a: {{ .Capabilities.KubeVersion.Version }}"), {"kube_version": "1.29"}),
    "what is served": (
        chart(a='a: {{ .Capabilities.APIVersions.Has "a.com/v1" }} {{ .Capabilities.APIVersions.Has "b.com/v1" }}'),
        {"api_versions": ("a.com/v1",)},
    ),
    "a wanted version": (chart("kubeVersion: '>=1.20.0-0'"), {"kube_version": "1.30"}),
    "another version wanted": (chart("kubeVersion: '>=1.99.0'"), {"kube_version": "1.30"}),
    "a hook": (chart(a=HOOKED.format("Job", "pre-install, post-upgrade")), {}),
    "a hook that Helm does not know": (chart(a=HOOKED.format("Job", "crd-install")), {}),
    "one among others": (chart(a=HOOKED.format("Job", "pre-install, nope")), {}),
    "a hook without a name": (chart(a=HOOKED.format("Job", "")), {}),
    "a hook in capitals": (chart(a=HOOKED.format("Job", " Pre-Install ")), {}),
    "a schema that is passed over": (
        {**CHART, "shop/values.schema.json": '{"required": ["absent"]}'},
        {"skip_schema": True},
    ),
    "no hooks wanted": (chart(a=HOOKED.format("Job", "pre-install")), {"skip_hooks": True}),
    "a test": (chart(a=HOOKED.format("Pod", "test")), {}),
    "an old test": (chart(a=HOOKED.format("Pod", "test-success")), {}),
    "notes": ({**CHART, "shop/templates/NOTES.txt": "Have fun: {{ .Release.Name }}"}, {}),
    "a partial": (
        {**chart(a='a: {{ include "b" . }}'), "shop/templates/_b.tpl": '{{ define "b" }}{{ .Release.Name }}{{ end }}'},
        {},
    ),
    "documents with no space between them": (chart(a="a: 1\n---b: 2\n--- # note\nc: 3\n"), {}),
    "a line of dashes in a text": (chart(a="a: |\n  ---\n  b\n"), {}),
    "nothing": (chart(a="{{ if .Values.absent }}kind: Pod{{ end }}\n# a comment\n"), {}),
    "definitions": ({**CHART, "shop/crds/a.yaml": "kind: A\n---\nkind: B\n"}, {}),
    "no definitions wanted": ({**CHART, "shop/crds/a.yaml": "kind: A\n"}, {"skip_crds": True}),
    "a subchart": ({**chart(REDIS + "}]"), **SUBCHART}, {"values": {"redis": {"size": 3}, "global": {"zone": "b"}}}),
    "a subchart that is off": (
        {**chart(REDIS + ", condition: redis.on}]"), **SUBCHART},
        {"values": {"redis": {"on": False}}},
    ),
    "a subchart by a tag": ({**chart(REDIS + ", tags: [cache]}]"), **SUBCHART}, {"values": {"tags": {"cache": False}}}),
    "a subchart under an alias": (
        {**chart(REDIS + ", alias: cache}]"), **SUBCHART},
        {"values": {"cache": {"size": 4}}},
    ),
    "imported values": ({**chart(REDIS + ", import-values: [{child: global, parent: up}]}]"), **SUBCHART}, {}),
    "files": ({**chart(a='a: {{ .Files.Get "b.txt" }}'), "shop/b.txt": "text"}, {}),
    "ignored files": (
        {**chart(a='a: "{{ .Files.Get `b.txt` }}"'), "shop/b.txt": "x", "shop/.helmignore": "*.txt\n"},
        {},
    ),
    "an ignored template": ({**chart(a="a: 1"), "shop/.helmignore": "a.yaml\n"}, {}),
    "random is not compared": (chart(a="a: {{ len (randAlphaNum 5) }}"), {}),
    "a library": (chart("type: library"), {}),
    "a missing dependency": (chart(REDIS + "}]"), {}),
    "a missing value": (chart(a='a: {{ required "image.tag is required" .Values.absent }}'), {}),
    "a null": (chart(a="a: {{ .Values.a.b.c }}"), {}),
    "a syntax error": (chart(a="{{ if }}"), {}),
    "an unknown function": (chart(a='{{ exec "ls" }}'), {}),
    "the cluster and name servers": (
        chart(a='{{ dict "found" (lookup "v1" "Pod" "a" "b") "address" (getHostByName "localhost") | toJson }}'),
        {},
    ),
    "values that its schema refuses": (
        {**CHART, "shop/values.schema.json": '{"properties": {"replicas": {"type": "integer", "maximum": 3}}}'},
        {"values": {"replicas": 4}},
    ),
    "values that its schema takes": (
        {
            **CHART,
            "shop/values.schema.json": '{"$schema": "http://json-schema.org/draft-07/schema#", "$defs": '
            '{"n": {"maximum": 3}}, "properties": {"replicas": {"$ref": "#/$defs/n"}}}',
        },
        {},
    ),
    "a schema of a subchart": (
        {**chart(REDIS + "}]"), **SUBCHART, "shop/charts/redis/values.schema.json": '{"required": ["absent"]}'},
        {},
    ),
    "a schema that is none": ({**CHART, "shop/values.schema.json": "{"}, {}),
    "a chart without a version": ({**CHART, "shop/Chart.yaml": "{apiVersion: v2, name: shop}"}, {}),
    "a chart of the first version": (
        {
            **{name: text.replace("v2", "v1") for name, text in {**CHART, **SUBCHART}.items()},
            "shop/requirements.yaml": REDIS + "}]",
        },
        {},
    ),
}


@pytest.mark.parametrize("case", SAME)
def test_the_library_gives_what_the_program_gives(case: str, helm: str, tmp_path: Path) -> None:
    files, fields = SAME[case]
    root = repository(tmp_path, files)
    wanted = release(root, **fields)
    by_library = Library(root).render_release(wanted, wanted.values or {})
    by_program = render_release(wanted, root, helm)
    assert in_order(by_library) == in_order(by_program)


def test_a_neighbour_is_a_dependency(tmp_path: Path) -> None:
    files = {**chart("dependencies: [{name: redis, version: 1.0.0, repository: 'file://../redis'}]"), **SUBCHART}
    moved = {name.replace("shop/charts/", ""): text for name, text in files.items()}
    root = repository(tmp_path, moved)
    sources = [
        rendered_template.source for rendered_template in Library(root).render_release(release(root), {}).templates
    ]
    assert sources == ["charts/redis/templates/sts.yaml", "templates/values.yaml"]


ENDLESS = '{{ define "b" }}{{ include "b" . }}{{ end }}'
LOOP = "{{ range until 90000 }}{{ range until 90000 }}{{ end }}{{ end }}"
DOUBLED = '{{ $a := "0123456789abcdef" }}{{ range until 40 }}{{ $a = print $a $a }}{{ end }}a: {{ $a }}'
HOSTILE = {
    "a loop without end": (chart(a=LOOP), "helm took longer than 1 s"),
    "2^40 strings": (chart(a=DOUBLED), "ran out of memory"),
    "a long answer": (chart(a='a: {{ repeat 20000000 "x" }}'), "it renders to more than 16 MiB"),
    "recursion": (chart(a=ENDLESS + '{{ include "b" . }}'), "rendering template has a nested reference name"),
    "templates in each other": (
        chart(a=ENDLESS.replace("include", "template") + '{{ template "b" . }}'),
        "maximum template depth",
    ),
    "a file outside": (chart(a='a: {{ .Files.Get "../../secret" | required "nothing there" }}'), "nothing there"),
    "an absolute file": (chart(a='a: {{ .Files.Get "/etc/hostname" | required "nothing there" }}'), "nothing there"),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_chart_is_given_up_and_the_next_is_rendered(case: str, tmp_path: Path) -> None:
    files, reason = HOSTILE[case]
    (tmp_path / "secret").write_text("secret")
    root = repository(tmp_path, {**files, "next/Chart.yaml": "{apiVersion: v2, name: next, version: 1.0.0}"})
    library = Library(root, timeout=1 if "loop" in case else 10, memory=1024 * 1024 * 1024)
    hostile = library.render_release(release(root), {})
    after = library.render_release(release(root, chart=f"{root}/next"), {})
    assert (hostile.templates, reason in hostile.error, after) == ((), True, RenderedChart(())), hostile.error


def test_releases_have_a_bound_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them takes less than one may; what the process of the library computes is counted over all."""
    monkeypatch.setattr("quotalint.gitops.helm.allowance.allowed_seconds", lambda read, *_: read * 1e-9)
    monkeypatch.setattr("quotalint.gitops.helm.library._FOR_A_RELEASE", 0)
    root = repository(tmp_path, chart(a="a: {{ range until 30000 }}{{ end }}1"))
    library = Library(root)
    errors = [library.render_release(release(root), {}).error for _ in range(3)]
    spent = "charts have used up what one run may spend on them (--max-seconds allows more)"
    assert (errors, was_stopped()) == (["", spent, spent], True)


def test_no_process_and_no_file_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    root = repository(tmp_path, chart(a=LOOP))
    before = children()
    library = Library(root, timeout=1)
    library.render_release(release(root), {})
    killed = children() - before
    library.render_release(release(root, chart=f"{root}/none"), {})
    (tmp_path / "repository" / "shop" / "templates" / "a.yaml").unlink()
    del library
    assert (killed, children() - before, [path.name for path in tmp_path.iterdir()]) == (set(), set(), ["repository"])


def children() -> set[str]:
    """The processes that this one has started, and that are not waited for."""
    if not Path("/proc/self/task").is_dir():
        pytest.skip("the system does not list the children of a process")
    return {number for path in Path("/proc/self/task").glob("*/children") for number in path.read_text().split()}


def test_a_link_out_of_the_repository_is_refused(tmp_path: Path) -> None:
    root = repository(tmp_path, CHART)
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "repository" / "shop" / "secret.txt").symlink_to("../../secret")
    error = Library(root).render_release(release(root), {}).error
    assert error == "the chart shop is not rendered: what shop/secret.txt links to lies outside the repository"


def test_a_link_within_the_repository_is_a_file(tmp_path: Path) -> None:
    root = repository(tmp_path, {**chart(a='a: {{ .Files.Get "b.txt" }}'), "shared.txt": "text"})
    (tmp_path / "repository" / "shop" / "b.txt").symlink_to("../shared.txt")
    assert Library(root).render_release(release(root), {}).templates[0] == RenderedTemplate(
        "templates/a.yaml", ({"a": "text"},)
    )


def test_a_chart_without_end_of_links_is_refused(tmp_path: Path) -> None:
    root = repository(tmp_path, CHART)
    (tmp_path / "repository" / "shop" / "again").symlink_to("../shop")
    error = Library(root).render_release(release(root), {}).error
    assert error == "the chart shop is not rendered: shop/again links to a folder that contains it"


def test_a_large_chart_is_refused(tmp_path: Path) -> None:
    root = repository(tmp_path, CHART)
    with open(f"{root}/shop/values.yaml", "wb") as file:
        file.truncate(200 * 1024 * 1024)
    assert (
        Library(root).render_release(release(root), {}).error
        == "the chart shop is not rendered: it has more than 64 MiB"
    )


def test_a_schema_sends_nobody_anywhere(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        schema = json.dumps({"$ref": f"http://127.0.0.1:{server.getsockname()[1]}/schema.json"})
        root = repository(tmp_path, {**CHART, "shop/values.schema.json": schema})
        rendered = Library(root).render_release(release(root), {})
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()
    reason = f"shop/values.schema.json refers to {json.loads(schema)['$ref']}, which is not fetched"
    assert rendered.error == ""
    assert [guess.reason for guess in rendered.guesses] == [f"{reason}: values are assumed to satisfy it"]


def test_a_schema_in_an_archive_sends_nobody_anywhere(tmp_path: Path) -> None:
    root = repository(tmp_path, {**chart(REDIS + "}]"), "redis/Chart.yaml": SUBCHART["shop/charts/redis/Chart.yaml"]})
    (Path(root) / "redis" / "values.schema.json").write_text('{"$ref": "http://127.0.0.1:1/schema.json"}')
    (Path(root) / "shop" / "charts").mkdir()
    with tarfile.open(f"{root}/shop/charts/redis-1.0.0.tgz", "w:gz") as archive:
        archive.add(f"{root}/redis", "redis")
    assert Library(root).render_release(release(root), {}).error == (
        "the chart shop is not rendered: the schema in shop/charts/redis-1.0.0.tgz refers to "
        "http://127.0.0.1:1/schema.json"
    )


def test_the_worker_has_no_network() -> None:
    script = (
        "import socket, sys\nfrom quotalint.gitops.helm.helm_worker import leave_network\n"
        "if not leave_network(): sys.exit(77)\nsocket.create_connection(('127.0.0.1', int(sys.argv[1])), 5)\n"
    )
    with socket.create_server(("127.0.0.1", 0)) as server:
        ended = subprocess.run(
            [sys.executable, "-c", script, str(server.getsockname()[1])], capture_output=True, check=False
        )
    if ended.returncode == 77:
        pytest.skip("the system lets nobody leave the network")
    assert b"Network is unreachable" in ended.stderr


def test_the_worker_knows_nothing_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "1")
    monkeypatch.setenv("HELM_C_LIB", str(tmp_path))  # which the library would take for itself
    root = repository(tmp_path, CHART)
    before = children()  # of other tests, and of their engines
    library = Library(root)
    assert library.render_release(release(root), {}).error == ""
    (worker,) = children() - before
    environment = Path(f"/proc/{worker}/environ").read_bytes().split(b"\0")
    assert sorted(content.partition(b"=")[0] for content in environment if content) == [
        b"GOGC",
        b"GOMAXPROCS",
        b"GOMEMLIMIT",
        b"HOME",
        b"KUBECONFIG",
        b"LANG",
        b"TMPDIR",
    ]


def test_a_worker_that_waits_is_not_given_up_for_what_it_computed_before(tmp_path: Path) -> None:
    """Each release has seconds of its own: ten that need half of them are rendered by one worker."""
    busy = "{{ range until 1000 }}{{ range until 700 }}{{ end }}{{ end }}a: {{ .Release.Name }}"
    root = repository(tmp_path, chart(a=busy))
    before = children()
    library = Library(root, timeout=2)
    errors = [library.render_release(release(root, name=f"web-{number}"), {}).error for number in range(8)]
    assert (errors, len(children() - before)) == ([""] * 8, 1)


@pytest.mark.parametrize("value", [float("nan"), object(), {1, 2}], ids=["no number", "anything", "a set"])
def test_values_of_no_format_are_an_error_not_an_exception(value: object, tmp_path: Path) -> None:
    root = repository(tmp_path, CHART)
    assert (
        Library(root)
        .render_release(release(root), {"a": value})
        .error.startswith("its values cannot be passed to helm: ")
    )
