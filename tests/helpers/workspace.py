"""A repository in a folder of its own, and what the command line says of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from written_files import Files, write

from quotalint.cli import run


class Workspace:
    """Runs the real command line in a folder of its own."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys

    def put(self, files: Files) -> None:
        """Add files."""
        write(self.folder, files)

    def report(self, *arguments: str) -> dict[str, Any]:
        """The JSON report."""
        self.status = run([*arguments, "--format", "json"])
        out, self.err = self.capsys.readouterr()
        report: dict[str, Any] = json.loads(out) if self.status != 2 else {}
        return report

    def lines(self, *arguments: str) -> list[str]:
        """`file:line:column RULE[ by what in file:line[: reason]]`, in order."""
        return [line(finding) for finding in self.report("check", *arguments)["findings"]]

    def text(self, *arguments: str) -> tuple[int, str, str]:
        """The exit status and what is printed."""
        status = run(list(arguments))
        return status, *self.capsys.readouterr()


def line(finding: dict[str, Any]) -> str:
    """One finding of a report."""
    why = finding["suppressed"]
    reason = f": {why['reason']}" if why and why["reason"] else ""
    by = f" {why['by']} {why['file']}:{why['line']}{reason}" if why else ""
    return f"{finding['file']}:{finding['line']}:{finding['column']} {finding['rule']}{by}"
