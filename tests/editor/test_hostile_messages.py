"""Messages that no sensible editor sends: the server answers, goes on, and ends without a complaint."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fuzz.editors import framed, read_answers

QUOTA = (
    "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: \"q\U0001f600\", namespace: a}\nspec: {hard: {nope: '1'}}\n"
)
ODD = (
    "",
    "untitled:Untitled-1",
    "file:///",
    "file:///%00",
    "file:///\ud800",
    "file:///%FF%FE",
    "file://[::1/x",
    "file:///dev/zero",
    "http://example.com/a.yaml",
    f"file:///{'a/' * 3000}",
)
FAR = {"line": 2**31 - 1, "character": 2**31 - 1}


def test_addresses_and_positions_that_there_are_not(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(QUOTA, encoding="utf-8")
    here = (tmp_path / "a.yaml").as_uri()
    messages: list[tuple[str, dict[str, Any]]] = []
    for uri in (*ODD, here):
        document = {"uri": uri}
        opened = {**document, "languageId": "yaml", "version": 9, "text": QUOTA}
        change = {"range": {"start": {"line": 3, "character": 2}, "end": FAR}, "text": "\U0001f600\ud83d"}
        messages += [
            ("textDocument/didOpen", {"textDocument": opened}),
            ("textDocument/didChange", {"textDocument": {**document, "version": 1}, "contentChanges": [change]}),
            ("textDocument/hover", {"textDocument": document, "position": FAR}),
            ("textDocument/definition", {"textDocument": document, "position": FAR}),
            ("textDocument/codeLens", {"textDocument": document}),
            (
                "textDocument/codeAction",
                {
                    "textDocument": document,
                    "range": {"start": FAR, "end": {"line": 0, "character": 0}},
                    "context": {"diagnostics": []},
                },
            ),
            ("textDocument/didClose", {"textDocument": document}),
            ("textDocument/didClose", {"textDocument": document}),
        ]
    answers, status, errors = _converse(tmp_path, messages)
    assert ([answer for answer in answers if "error" in answer], status, errors) == ([], 0, "")
    assert not [answer for answer in answers if "bug in quotalint" in json.dumps(answer)]


def test_an_untrusted_folder_runs_nothing_and_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, ran = tmp_path / "folder", tmp_path / "ran"
    (folder / "bin").mkdir(parents=True)
    for name in ("git", "helm", "kubectl", "kustomize"):
        (folder / "bin" / name).write_text(f"#!/bin/sh\necho {name} >>{ran}\n")
        (folder / "bin" / name).chmod(0o755)
    (folder / "pygls.py").write_text(f"open({str(ran)!r}, 'w')\n")
    (folder / ".quotalint.yaml").write_text("renderers: {helm: program, kustomize: binary}\n")
    (folder / "kustomization.yaml").write_text("resources: [a.yaml]\n")
    (folder / "a.yaml").write_text(QUOTA, encoding="utf-8")
    before = sorted(folder.rglob("*"))
    monkeypatch.setenv("PATH", f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
    document = {"uri": (folder / "a.yaml").as_uri(), "languageId": "yaml", "version": 1, "text": QUOTA}
    asked = ("textDocument/codeLens", {"textDocument": {"uri": document["uri"]}})
    answers, status, _ = _converse(folder, [("textDocument/didOpen", {"textDocument": document}), asked])
    assert "QL102" in json.dumps(answers)
    assert (status, ran.exists(), sorted(folder.rglob("*"))) == (0, False, before)


def _converse(folder: Path, messages: list[tuple[str, dict[str, Any]]]) -> tuple[list[dict[str, Any]], int, str]:
    """What a server says from beginning to end, its exit status, and its standard error."""
    begin: dict[str, Any] = {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}}
    sent: list[tuple[str, Any]] = [
        ("initialize", begin),
        ("initialized", {}),
        *messages,
        ("shutdown", None),
        ("exit", None),
    ]
    command = [sys.executable, "-m", "quotalint", "lsp"]
    ended = subprocess.run(command, cwd=folder, input=framed(sent), capture_output=True, timeout=60, check=False)
    return list(read_answers(ended.stdout)), ended.returncode, ended.stderr.decode()
