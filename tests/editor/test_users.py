"""An exceeded quota is also shown where somebody types what exceeds it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from manifests import web
from written_files import write

from quotalint.editor.looking import Look, Workspace, lines_of_text
from quotalint.editor.place_answers import hover, tightest

QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: base, namespace: a}\nspec:\n  hard:\n    pods: '2'\n"
FILES = {"quota.yaml": QUOTA, "web.yaml": web(5, "a", cpu="1")}


def look_at(folder: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], *opened: str) -> Look:
    """What an editor shows in which these files are open."""
    write(folder, files)
    monkeypatch.chdir(folder)
    workspace = Workspace(".")
    for name in opened:
        workspace.buffers[os.path.realpath(name)] = Path(name).read_bytes()
    return workspace.look()


def exceeded_at(look: Look) -> list[tuple[str, int]]:
    assert look.result is not None
    return [(item.file, item.span.line) for item in look.result.findings if item.rule.id == "QL301"]


def test_the_replicas_of_an_open_workload_have_the_finding_of_its_quota(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = look_at(tmp_path, monkeypatch, FILES, "web.yaml")
    assert look.result is not None
    at_quota, at_user = (finding for finding in look.result.findings if finding.rule.id == "QL301")
    assert (at_quota.file, at_quota.span.line, at_quota.related[0].file) == ("quota.yaml", 6, "web.yaml")
    assert (at_user.file, at_user.span.line, at_user.severity) == ("web.yaml", 5, "error")
    assert at_user.message == ("a asks for pods 5; quota base allows 2 (quota.yaml:6). Deployment web: 5 pods × 1 = 5")
    assert [(place.file, place.span.line) for place in at_user.related] == [("quota.yaml", 6)]
    assert at_user.ways == at_quota.ways


def test_a_closed_workload_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert exceeded_at(look_at(tmp_path, monkeypatch, FILES, "quota.yaml")) == [("quota.yaml", 6)]


def test_one_pod_that_is_too_large_has_it_at_its_resources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"quota.yaml": QUOTA.replace("pods: '2'", "requests.cpu: '2'"), "web.yaml": web(1, "a", cpu="3")}
    assert exceeded_at(look_at(tmp_path, monkeypatch, files, "web.yaml")) == [("quota.yaml", 6), ("web.yaml", 9)]


def test_an_object_without_pods_has_it_at_its_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "quota.yaml": QUOTA.replace("pods: '2'", "configmaps: '0'"),
        "map.yaml": "# a\n# b\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: a}\n",
    }
    assert ("map.yaml", 3) in exceeded_at(look_at(tmp_path, monkeypatch, files, "map.yaml"))


def test_an_overlay_has_it_where_it_sets_the_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "base/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n",
        "base/quota.yaml": QUOTA,
        "base/web.yaml": web(1, "a"),
        "prod/kustomization.yaml": "resources: [../base]\nreplicas: [{name: web, count: 9}]\n",
    }
    look = look_at(tmp_path, monkeypatch, files, "prod/kustomization.yaml", "base/web.yaml")
    assert exceeded_at(look) == [("base/quota.yaml", 6), ("prod/kustomization.yaml", 2)]


def test_an_environment_in_which_it_fits_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "base/kustomization.yaml": "resources: [quota.yaml]\n",
        "base/quota.yaml": QUOTA,
        **{f"{name}/kustomization.yaml": "resources: [../base, web.yaml]\n" for name in ("dev", "prod")},
        "dev/web.yaml": web(1, "a"),
        "prod/web.yaml": web(3, "a"),
    }
    look = look_at(tmp_path, monkeypatch, files, "dev/web.yaml", "prod/web.yaml")
    assert exceeded_at(look) == [("base/quota.yaml", 6), ("prod/web.yaml", 5)]


def test_one_line_has_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: ResourceQuota, metadata: {name: base, "
        "namespace: a}, spec: {hard: {pods: 0}}}, {apiVersion: v1, kind: Pod, metadata: {name: p, namespace: a}, "
        "spec: {containers: [{name: a, image: a}]}}]}\n"
    )
    assert exceeded_at(look_at(tmp_path, monkeypatch, {"all.yaml": text}, "all.yaml")) == [("all.yaml", 1)]


def test_it_stays_while_a_line_is_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    workspace, real = Workspace("."), os.path.realpath("web.yaml")
    workspace.buffers[real] = FILES["web.yaml"].encode()
    workspace.look()
    workspace.buffers[real] = b"# one more line\n" + FILES["web.yaml"].encode() + b"  - {\n"
    glance = workspace.glance({real})
    assert glance is not None
    assert exceeded_at(glance) == [("quota.yaml", 6), ("web.yaml", 5)]


TOGETHER = f"{web(1, 'a', cpu='1')}---\napiVersion: v1\nkind: Secret\n---\n# a quota\n{QUOTA}"


def test_a_hover_works_in_every_line_of_a_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    look = look_at(tmp_path, monkeypatch, {"all.yaml": TOGETHER})
    lines = lines_of_text(TOGETHER.encode())
    shown = [hover(look, "all.yaml", number, lines) for number in range(1, len(lines) + 1)]
    beginnings = [text.partition("\n")[0] for text in shown]
    assert beginnings == [
        *["**Deployment `web`** takes of `a / base`:"] * 9,
        *[""] * 5,
        *["**ResourceQuota** `a / base`"] * 5,
        "**`pods`** 1 of 2 (`a / base`)",
        "**ResourceQuota** `a / base`",
    ]
    assert "| `pods` | 1 | 1 | 2 | 50 % | 2 | 2 |" in shown[0]
    assert "| `pods` | 1 | 2 | 50 % | 2 | 2 |" in shown[15]


def test_the_tightest_entry_of_the_namespaces_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    second = QUOTA.replace("base", "more").replace("pods: '2'", "pods: '20'\n    requests.cpu: '4'")
    service = "apiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: a}\n"
    other = service.replace("namespace: a", "namespace: b")
    files = {**FILES, "more.yaml": second, "service.yaml": service, "other.yaml": other}
    look = look_at(tmp_path, monkeypatch, files)
    for name in ("quota.yaml", "more.yaml", "web.yaml", "service.yaml"):
        found = tightest(look, name)
        assert found is not None
        assert (found.text, found.percent) == ("pods 5 of 2 (250 %)", 250)
        assert (found.file, found.line) == ("quota.yaml", 6)
        assert found.tooltip.index("`a / base`") < found.tooltip.index("`a / more`")
    assert tightest(look, "other.yaml") is None
    assert tightest(look, "nothing.yaml") is None
