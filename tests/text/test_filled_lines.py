"""A file that only another program makes YAML of is a template: `envsubst` puts whole lines where a variable stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from quotalint.text.reading import File, read_all
from quotalint.text.sources import Source

_CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata:\n  config.py: |\n"


@pytest.mark.parametrize(
    ("written", "is_template"),
    [
        pytest.param(_CONFIG + "${WEB_CONFIG}\n---\n", True, id="lines of a text"),
        pytest.param(_CONFIG + "$WEB_CONFIG\n---\n", True, id="without braces"),
        pytest.param("kind: Ingress\napiVersion: v1\nspec:\n  ${TLS}\n  rules: []\n", True, id="entries of a mapping"),
        pytest.param("kind: A\napiVersion: v1\nspec:\n  <#if env>\n  env: 1\n  </#if>\n", True, id="of FreeMarker"),
        pytest.param("kind: A\napiVersion: v1\nspec:\n<% if env %>\n  env: 1\n<% end %>\n", True, id="of ERB"),
        pytest.param("kind: A\napiVersion: v1\nspec:\n  <TLS_OF_WEB>\n  rules: []\n", True, id="in angle brackets"),
        pytest.param("kind: A\napiVersion: v1\nspec:\n  @TLS@\n  rules: []\n", True, id="between at signs"),
        pytest.param("kind: A\napiVersion: v1\nspec:\n  __TLS__\n  rules: []\n", True, id="between underscores"),
        pytest.param("kind: A\napiVersion: v1\nspec:\n  <your name>\n  rules: []\n", False, id="words for people"),
        pytest.param("kind: A\napiVersion: v1\n<<<<<<< HEAD\nspec: {}\n", False, id="a conflict of git"),
        pytest.param(
            _CONFIG + "    <% if a %>\n    <% end %>\n    x\nkind: [\n", False, id="one inside, and a mistake"
        ),
        pytest.param(_CONFIG + "    ${RUN}\n    exit\nkind: [\n", False, id="a script, and a mistake elsewhere"),
        pytest.param(_CONFIG + "    ${RUN}\n", False, id="a script that is read"),
        pytest.param(_CONFIG + "    x\nspec: {a: ${TLS}\n", False, id="a value beside a mistake"),
        pytest.param(_CONFIG + "    x\nspec: {a: ${TLS}, b: [${A_B}]}\n", True, id="values between braces"),
        pytest.param("kind: A\napiVersion: v1\nmetadata:\n  name: %TEAM%-sa-%ENV%\n", True, id="between percent signs"),
        pytest.param("kind: A\napiVersion: v1\nmetadata:\n  name: @TEAM@\n", True, id="a value between at signs"),
        pytest.param("kind: A\napiVersion: v1\nspec: {a: %TEAM%, b: [}\n", False, id="between them, and a mistake"),
        pytest.param("kind: A\napiVersion: v1\nspec: {a: 50%, b: %\n", False, id="percentages"),
    ],
)
def test_a_variable_that_stands_for_lines_makes_a_template(written: str, is_template: bool) -> None:
    (file,) = read_all([Source("<stdin>", "", explicit=True)], written.encode, 1)
    assert isinstance(file, File)
    assert file.templated is is_template


@pytest.mark.parametrize(
    ("name", "is_template"),
    [("web.ftl.yaml", True), ("deploy/web.J2.yml", True), ("template.yaml", False), ("web.yaml", False)],
)
def test_what_is_called_a_template_is_one(name: str, is_template: bool, tmp_path: Path) -> None:
    path = tmp_path / "manifest"
    path.write_text("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a: ${b}\n")
    (file,) = read_all([Source(name, str(path), explicit=False)], bytes, 1)
    assert isinstance(file, File)
    assert file.templated is is_template
