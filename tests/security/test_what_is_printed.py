"""Nothing of a repository acts on what shows the output: terminals obey escapes, runners `::` and `##[`."""

from __future__ import annotations

import ast
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from manifests import quota, web
from rooms import PACKAGE, nodes_of
from workspace import Workspace

from quotalint.cli import run
from quotalint.cli.printing import clean_text, tell

ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]|^[^\\S\n]*::|##\\[", re.MULTILINE)
EVIL = "\x1b]0;x\x07\n::set-output name=a::b\n##[error]x\x9b31m\u202e"
PLAIN_KINDS = ("text", "markdown", "yaml", "patch")

any_text = st.text(st.sampled_from("a :#[]\n\t\r\x1b\x07\x9b\u2028\u202e0m;\"'"), max_size=60)


@given(any_text, st.sampled_from(PLAIN_KINDS))
def test_text_acts_on_nothing(text: str, kind: str) -> None:
    printed = clean_text(text, kind)
    assert not ACTING.search(printed.replace("\r\n", "\n") if kind == "patch" else printed)


@given(any_text)
def test_what_is_cleaned_once_is_clean(text: str) -> None:
    assert clean_text(clean_text(text)) == clean_text(text)


@given(any_text)
def test_json_says_what_it_said(text: str) -> None:
    printed = clean_text(json.dumps({text: text}, ensure_ascii=False), "json")
    assert (json.loads(printed), ACTING.search(printed)) == ({text: text}, None)


@given(st.text(st.sampled_from("a#[\x80\x9b\u2028\u202e "), max_size=40))
def test_xml_says_what_it_said(text: str) -> None:
    printed = clean_text(f"<a>{text}</a>", "junit")
    assert (ElementTree.fromstring(printed).text or "", ACTING.search(printed)) == (text, None)


@given(any_text)
def test_colours_alone_stay(text: str) -> None:
    printed = clean_text(f"\x1b[31m{text}\x1b[0m", colored=True)
    assert not ACTING.search(re.sub(r"\x1b\[[0-9;]*m", "", printed))


def test_our_own_commands_stay() -> None:
    line = "::error file=a,line=1::x"
    assert clean_text(f"{line}\n::set-output name=a::b\n", "github") == f"{line}\n\\x3a:set-output name=a::b\n"


def test_line_ends_of_windows_stay_in_a_patch() -> None:
    assert clean_text("+a\r\n+b\rc\n", "patch") == "+a\r\n+b\\rc\n"


def test_a_line_on_standard_error_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    tell(f"quotalint: {EVIL}")
    errors = capsys.readouterr().err
    assert (errors.count("\n"), ACTING.search(errors)) == (1, None)


@given(any_text)
def test_what_is_rendered_is_the_same_to_its_reader(text: str) -> None:
    from quotalint.text.dumping import dump_yaml

    printed = dump_yaml([{"kind": "ConfigMap", "data": {"k": text, f"key {text}": [text, {text: "x"}]}}])
    assert clean_text(printed, "yaml") == printed
    assert yaml.safe_load(printed)["data"]["k"] == text
    assert not ACTING.search(printed)


def test_render_cleans_what_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kustomization.yaml").write_text(f"resources: [{json.dumps(EVIL)}]\n")
    assert run(["render", "."]) == 0
    errors = capsys.readouterr().err
    assert ("set-output" in errors, ACTING.search(errors)) == (True, None)


@pytest.mark.parametrize("command", [["rules"], ["explain", "QLC101"], ["explain", "--all", "QLC101"]])
@pytest.mark.parametrize("color", ["never", "always"])
def test_a_policy_paints_nothing(
    color: str, command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Colours are ours alone: those of a policy could hide what it says."""
    pytest.importorskip("cel_expr_python")
    monkeypatch.chdir(tmp_path)
    hidden = "\x1b[8mhidden"
    example = {"title": hidden, "expect": [hidden], "files": {"a.yaml": f"a: 1 # {hidden}\n"}}
    words = dict.fromkeys(("message", "help", "summary", "rationale"), hidden)
    policy = {"id": "QLC101", "expression": "entry.peak < 1", "bad": [example], **words}
    (tmp_path / ".quotalint.yaml").write_text(json.dumps({"policies": [policy]}))
    assert run([*command, "--color", color]) == 0
    printed = capsys.readouterr().out
    assert ("\\x1b[8mhidden" in printed, "\x1b[8m" in printed, "\x1b" in printed) == (True, False, color == "always")


def test_a_patch_cleans_its_surroundings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(
        "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: a}\n"
        "spec: {hard: {nvidia.com/gpu: '3'}}\n---\nx: \x1b[31m\n::error::x\n##[error]x\n"
    )
    run(["--fix", "--diff", "."])
    printed = capsys.readouterr().out
    assert ("+spec" in printed, "error" in printed, ACTING.search(printed)) == (True, True, None)


def test_an_amount_is_shown_by_its_beginning(workspace: Workspace) -> None:
    workspace.put({"quota.yaml": quota("shop", hard=f"pods: {DIGITS}"), "web.yaml": web(2, "shop", cpu=DIGITS)})
    findings = workspace.report("check")["findings"]
    assert {finding["rule"] for finding in findings} == {"QL103", "QL404"}
    assert not [finding["rule"] for finding in findings if DIGITS[:100] in json.dumps(finding)]


DIGITS = "9" * 1000


@pytest.mark.parametrize("report", ["text", "json", "html", "sarif"])
def test_a_name_as_long_as_a_file_does_not_fill_the_report(report: str, workspace: Workspace) -> None:
    """A namespace of 300,000 letters came to 4.5 MB of JSON: everything in it says its name."""
    long = "a" * 300_000
    workspace.put({"quota.yaml": quota(long, hard="pods: 1"), "web.yaml": web(3, long)})
    status, printed, _ = workspace.text("check", "--format", report)
    assert (status, len(printed) < 1_500_000) == (1, True)


def test_one_place_writes() -> None:
    allowed = {"cli/printing.py", "cli/__init__.py", "__main__.py"}  # the last two: streams made ready, the version
    writers = {
        str(path.relative_to(PACKAGE))
        for path, node in nodes_of(r"\bsys\b")
        if isinstance(node, ast.Attribute)
        and node.attr in ("write", "writelines", "buffer")
        and ast.unparse(node.value) in ("sys.stdout", "sys.stderr")
    }
    assert writers - allowed == set()
