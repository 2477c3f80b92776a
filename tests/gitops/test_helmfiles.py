"""What helmfile installs is not in view, and of which namespaces that is so."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import checked, quota, unknowns, web

from quotalint.gitops.layout import OTHER, TEMPLATE, Skipped

REDIS = "releases:\n- {name: redis, namespace: team-a, chart: bitnami/redis}\n"
SAID = "helmfile installs redis, which is not rendered"


def skipped(folder: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Skipped, ...]:
    result = checked(folder, {name: text, "web.yaml": web(namespace="team-a")}, monkeypatch)
    return result.environments[0].repository.skipped


@pytest.mark.parametrize(
    ("text", "namespaces", "anywhere"),
    [
        pytest.param(REDIS, ("team-a",), False, id="a namespace"),
        pytest.param("namespace: team-b\nreleases: [{name: redis, chart: x}]\n", ("team-b",), False, id="one for all"),
        pytest.param("releases: [{name: redis, chart: x}]\n", (), True, id="none"),
        pytest.param("releases: [{name: redis, namespace: '{{ .Env.NS }}'}]\n", (), True, id="a placeholder"),
        pytest.param("a: 1\n---\n" + REDIS, ("team-a",), False, id="a second part"),
        pytest.param(
            "releases: [{name: redis, inherit: [{template: x}], namespace: a}]\n", ("a",), False, id="inherited"
        ),
    ],
)
def test_namespaces(
    text: str, namespaces: tuple[str, ...], anywhere: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = skipped(tmp_path, "deploy/helmfile.yaml", text, monkeypatch)
    assert found == (Skipped("deploy/helmfile.yaml", SAID, OTHER, namespaces, anywhere),)


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
    assert skipped(tmp_path, "apps.yaml", REDIS, monkeypatch) == (Skipped("apps.yaml", SAID, OTHER, ("team-a",)),)


def test_many_releases_are_not_all_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "releases:\n" + "".join(
        f"- {{name: r{number}, namespace: n{number % 2}, chart: x}}\n" for number in range(5)
    )
    reason = "helmfile installs r0, r1, r2 and 2 more, which is not rendered"
    assert skipped(tmp_path, "helmfile.yaml", text, monkeypatch) == (
        Skipped("helmfile.yaml", reason, OTHER, ("n0", "n1")),
    )


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
def test_templates(
    name: str,
    line: str,
    namespaces: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = f"releases:\n{{{{- range .x }}}}\n- name: a\n  {line}\n{{{{- end }}}}\n"
    reason = "a template of helmfile, whose releases are not rendered"
    assert skipped(tmp_path, name, text, monkeypatch) == (Skipped(name, reason, TEMPLATE, namespaces),)


def test_its_namespaces_may_hold_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"{name}.yaml": quota(name) + "---\n" + web(namespace=name) for name in ("team-a", "team-b")}
    result = checked(tmp_path, {**files, "helmfile.yaml": REDIS}, monkeypatch)
    assert unknowns(result) == {"team-a/base pods": (f"helmfile.yaml: {SAID}",)}
