"""Twice as much takes about twice the work: lines of ours that run are counted, so that every machine will do."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import quotalint
from quotalint.cli import run

PACKAGE = str(Path(quotalint.__file__).parent)
LINEAR = 2.5
"""What twice as much may take, in lines, where once as much holds what every run does besides."""


def lines_of(work: Callable[[], object], part: str = "") -> int:
    """How many lines of ours run, or of a part of the package."""
    count = 0
    wanted = PACKAGE + part

    def within(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line"
        return within

    def entering(frame: FrameType, event: str, _: Any) -> Any:
        return within if frame.f_code.co_filename.startswith(wanted) else None

    before = sys.gettrace()
    sys.settrace(entering)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def limit_range(name: str, namespace: str) -> str:
    return (
        f"apiVersion: v1\nkind: LimitRange\nmetadata: {{name: {name}, namespace: {namespace}}}\n"
        "spec: {limits: [{type: Pod, max: {cpu: 2}}, {type: Container, max: {cpu: 1}, default: {cpu: 1}}]}\n---\n"
    )


@pytest.mark.parametrize("namespaces", ["one", "each"])
def test_limit_ranges_that_bound_whole_pods(namespaces: str, tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    lines = []
    for count in (150, 300):
        spaces = [f"team-{number}" if namespaces == "each" else "team" for number in range(count)]
        text = "".join(limit_range(f"limits-{number}", space) for number, space in enumerate(spaces))
        (tmp_path / "limits.yaml").write_text(text)
        lines.append(lines_of(lambda: run(["--jobs", "1", "."]), "/checks/whole_pods.py"))
        assert "No findings" in capsys.readouterr().out
    assert 1000 < lines[1] < LINEAR * lines[0]
