"""Policies of the user, written into a configuration, and what is reported by them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from quotalint.cli import run

PEAK = {
    "id": "QLC101",
    "severity": "error",
    "message": "{resource} {peak}",
    "expression": "entry.peak <= entry.hard * 0.8",
}


def written(folder: Path, *policies: object, **files: str) -> None:
    configuration = {"policies": list(policies)}
    (folder / ".quotalint.yaml").write_text(json.dumps(configuration))
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text)


def reported(capsys: Any, *arguments: str) -> list[tuple[str, str, str]]:
    """Severity, place and message of what policies say."""
    run(["check", "--format", "json", *arguments])
    out, err = capsys.readouterr()
    assert err == ""
    return [
        (finding["severity"], f"{finding['file']}:{finding['line']}", finding["message"])
        for finding in json.loads(out)["findings"]
        if finding["rule"].startswith("QLC")
    ]


def policy(expression: str, **more: object) -> dict[str, object]:
    return {"id": "QLC1", "message": "broken", "severity": "error", "expression": expression, **more}
