"""A text that cannot be read shows where it breaks; what else was found stays until it is mended or saved."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from manifests import web
from written_files import write

from quotalint.editor.looking import Look, Workspace
from quotalint.kube.quantity import parse

QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: base, namespace: a}\nspec:\n  hard:\n    pods: '2'\n"
BREAK = "  - {\n"


def shown_lines(look: Look) -> list[tuple[str, str, int]]:
    assert look.result is not None
    return sorted((item.rule.id, item.file, item.span.line) for item in look.result.findings)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A quota of two pods and a Deployment of five, both open and looked at."""
    write(tmp_path, {"quota.yaml": QUOTA, "web.yaml": web(5, "a", cpu="1")})
    monkeypatch.chdir(tmp_path)
    workspace = Workspace(".")
    for name in ("quota.yaml", "web.yaml"):
        workspace.buffers[os.path.realpath(name)] = Path(name).read_bytes()
    workspace.look()
    return workspace


def glance_at(workspace: Workspace, name: str, text: str) -> Look | None:
    real = os.path.realpath(name)
    workspace.buffers[real] = text.encode()
    return workspace.glance((real,))


def test_a_break_is_shown_beside_what_was_found_before(workspace: Workspace) -> None:
    look = glance_at(workspace, "web.yaml", web(5, "a", cpu="1") + BREAK)
    assert look is not None and look.broken == {"web.yaml"}
    shown = [(rule, file) for rule, file, _ in shown_lines(look)]
    assert shown == [("QL001", "web.yaml"), ("QL301", "quota.yaml"), ("QL301", "web.yaml")]


def test_what_was_found_below_a_break_moves_with_its_line(workspace: Workspace) -> None:
    look = glance_at(workspace, "quota.yaml", QUOTA.replace("spec:", "\n  - {\nspec:"))
    assert look is not None
    assert ("QL301", "quota.yaml", 8) in shown_lines(look)
    look = glance_at(workspace, "quota.yaml", QUOTA + BREAK)
    assert look is not None
    assert ("QL301", "quota.yaml", 6) in shown_lines(look)


def test_only_the_latest_break_is_shown(workspace: Workspace) -> None:
    glance_at(workspace, "quota.yaml", QUOTA + BREAK)
    look = glance_at(workspace, "quota.yaml", QUOTA + "\n\n" + BREAK)
    assert look is not None
    assert sum(rule == "QL001" for rule, _, _ in shown_lines(look)) == 1


def test_everything_is_judged_again_once_the_text_is_mended_or_saved(workspace: Workspace) -> None:
    assert glance_at(workspace, "web.yaml", web(5, "a", cpu="1") + BREAK) is not None
    saved = workspace.look()
    assert [rule for rule, _, _ in shown_lines(saved)] == ["QL001"]
    assert saved.broken == frozenset()
    assert glance_at(workspace, "web.yaml", web(1, "a", cpu="1")) is None


@pytest.mark.parametrize(
    "text", [web(4, "a", cpu="1"), "a: [", "{{ x }}\n- {"], ids=["a number", "no manifest any more", "a template"]
)
def test_what_is_no_break_of_a_manifest_is_judged_at_once(workspace: Workspace, text: str) -> None:
    assert glance_at(workspace, "web.yaml", text) is None


def test_a_file_that_nobody_has_looked_at_is_judged_at_once(workspace: Workspace) -> None:
    assert glance_at(workspace, "new.yaml", QUOTA + BREAK) is None
    assert workspace.glance(()) is None
    assert Workspace(".").glance((os.path.realpath("quota.yaml"),)) is None


def test_the_configuration_still_silences_what_it_silenced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ignore = "ignore: {QL001: [quota.yaml]}\n"
    write(tmp_path, {"quota.yaml": QUOTA, ".quotalint.yaml": ignore})
    monkeypatch.chdir(tmp_path)
    workspace = Workspace(".")
    workspace.buffers[os.path.realpath("quota.yaml")] = QUOTA.encode()
    workspace.look()
    look = glance_at(workspace, "quota.yaml", QUOTA + BREAK)
    assert look is not None and look.result is not None
    assert [finding.suppressed is not None for finding in look.result.findings if finding.rule.id == "QL001"] == [True]


def test_tables_are_those_of_the_texts_that_could_be_read(workspace: Workspace) -> None:
    look = glance_at(workspace, "quota.yaml", "- {\n" * 3 + QUOTA)
    assert look is not None
    (table,) = look.tables
    assert [(row.resource, row.hard) for row in table.rows] == [("pods", parse("2"))]
