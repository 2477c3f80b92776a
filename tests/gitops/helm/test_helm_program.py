"""Whatever takes the place of helm: what it is told, what it answers, and what it is not started for."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest
from helm_repositories import CHART, fake, release, repository

from quotalint.gitops.helm import Parameter, Release, RenderedChart, RenderedTemplate
from quotalint.gitops.helm.allowance import USED_UP
from quotalint.gitops.helm.program import Program, render_release
from quotalint.runtime.resource_limits import was_stopped


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
                failed="templates/b.yaml",
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
    release = Release(
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
    messages = {
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
    assert render_release(release, root, helm) == RenderedChart((RenderedTemplate("told", (messages,)),))


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


def test_releases_have_a_bound_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them takes less than one may; what the program computes is counted over all."""
    monkeypatch.setattr("quotalint.gitops.helm.allowance.allowed_seconds", lambda read, *_: read * 1e-9)
    monkeypatch.setattr("quotalint.gitops.helm.program._FOR_A_RELEASE", 0)
    root = repository(tmp_path, CHART)
    busy = "i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done"
    program = Program(root, fake(tmp_path, busy))
    errors = [program.render_release(release(root)).error for _ in range(3)]
    assert (errors, was_stopped()) == (["", USED_UP, USED_UP], True)


def test_a_release_may_compute_for_so_long_and_after_four_none_is_rendered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quotalint.gitops.helm.program._TIMEOUT", 1)
    root = repository(tmp_path, CHART)
    program = Program(root, fake(tmp_path, "while :; do :; done"))
    errors = [program.render_release(release(root)).error for _ in range(6)]
    assert errors == ["helm took longer than 1 s"] * 4 + [USED_UP] * 2
