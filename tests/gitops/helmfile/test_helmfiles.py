"""What helmfile installs is not in view, and of which namespaces that is so."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import checked, unknowns
from manifests import quota, web

from quotalint.unknowns.unseen import TEMPLATE, Skipped

REDIS = "releases:\n- {name: redis, namespace: team-a, chart: bitnami/redis}\n"


def skipped(folder: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Skipped, ...]:
    result = checked(folder, {name: text, "web.yaml": web(namespace="team-a")}, monkeypatch)
    return result.environments[0].repository.skipped


def hidden(folder: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Namespaces that may hold more, and why."""
    result = checked(folder, {name: text, "web.yaml": web(namespace="team-a")}, monkeypatch)
    return [(unseen.namespace, unseen.reason) for facts in result.environments for unseen in facts.unseen]


@pytest.mark.parametrize(
    ("text", "namespace"),
    [
        pytest.param(REDIS, "team-a", id="a namespace"),
        pytest.param("namespace: team-b\nreleases: [{name: redis, chart: x/redis}]\n", "team-b", id="one for all"),
        pytest.param("releases: [{name: redis, chart: x/redis}]\n", "", id="none"),
        pytest.param("a: 1\n---\n" + REDIS, "team-a", id="a second part"),
    ],
)
def test_a_remote_chart_leaves_its_namespace_unknown(
    text: str, namespace: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chart = "bitnami/redis" if "bitnami" in text else "x/redis"
    reason = f"helmfile.yaml: the release redis of helmfile.yaml is not rendered: its chart {chart} is remote"
    assert hidden(tmp_path, "helmfile.yaml", text, monkeypatch) == [(namespace, reason)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("helmfile.yaml", "releases: [{name: redis, chart: x, installed: false}]\n", id="not installed"),
        pytest.param("helmfile.yaml", "releases: []\n", id="no releases"),
        pytest.param("helmfile.yaml", "releases: 3\n---\n- 4\n", id="no list"),
        pytest.param("changes.yaml", "releases: [{name: v1.0, date: 2020}]\n", id="releases of another kind"),
        pytest.param("x.yaml", "apiVersion: a/v1\nkind: K\nmetadata: {name: x}\n" + REDIS, id="an object"),
    ],
)
def test_what_installs_nothing(name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert skipped(tmp_path, name, text, monkeypatch) == ()


def test_it_may_have_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reason = "apps.yaml: the release redis of apps.yaml is not rendered: its chart bitnami/redis is remote"
    assert hidden(tmp_path, "apps.yaml", REDIS, monkeypatch) == [("team-a", reason)]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(REDIS.replace("}", ", wave: 1}"), id="of a release"),
        pytest.param("environment: dev\n" + REDIS, id="beside the releases"),
    ],
)
def test_no_helmfile_has_fields_that_helmfile_refuses(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hidden(tmp_path, "environments/dev/releases.yaml", text, monkeypatch) == []


def test_one_of_any_name_may_inherit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "templates: {a: &a {namespace: team-a}}\nreleases: [{<<: *a, name: redis, chart: bitnami/redis}]\n"
    reason = "apps.yaml: the release redis of apps.yaml is not rendered: its chart bitnami/redis is remote"
    assert hidden(tmp_path, "apps.yaml", text, monkeypatch) == [("team-a", reason)]


@pytest.mark.parametrize(
    ("line", "namespaces"),
    [
        pytest.param("namespace: team-b  # ours", ("team-b",), id="a namespace"),
        pytest.param('- namespace: "team-b"', ("team-b",), id="in quotes"),
        pytest.param("namespace: {{ .x }}", (), id="a placeholder"),
        pytest.param("", (), id="none"),
    ],
)
@pytest.mark.parametrize("name", ["helmfile.yaml", "helmfile.d/10-apps.yaml"])
def test_a_template_says_which_namespaces_it_may_reach(
    name: str,
    line: str,
    namespaces: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = f"releases:\n{{{{- range .x }}}}\n- name: a\n  {line}\n{{{{- end }}}}\n"
    reason = (
        'a template of helmfile, whose releases are not rendered: {} cannot be filled in: map has no entry for key "x"'
    )
    assert skipped(tmp_path, name, text, monkeypatch) == (Skipped(name, reason.format(name), TEMPLATE, namespaces),)


def test_its_namespaces_may_hold_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"{name}.yaml": quota(name) + "---\n" + web(namespace=name) for name in ("team-a", "team-b")}
    result = checked(tmp_path, {**files, "helmfile.yaml": REDIS}, monkeypatch)
    assert unknowns(result) == {
        "team-a/base pods": (
            "helmfile.yaml: the release redis of helmfile.yaml is not rendered: its chart bitnami/redis is remote",
        )
    }
