"""Imports point down the list of rooms, so that each room can be understood with those below it alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import quotalint

PACKAGE = Path(quotalint.__file__).parent
# From the bottom up; rooms in one line may import each other.
LAYERS = (
    ("version", "transcript", "streams"),
    ("data", "faults", "scratch", "budget", "backstop", "workers", "kubernetes_releases"),
    ("text",),
    ("programs",),
    ("settings", "init", "catalogue"),
    ("kube",),
    ("cel",),
    ("fixes",),
    ("gitops",),
    ("deployed",),
    ("imagined",),
    ("losses", "server_limits", "limiting_templates", "joining"),
    ("cluster",),
    ("workloads", "admission", "evaluators"),
    ("quota",),
    ("facts",),
    ("accounting",),
    ("checks",),
    ("suppression",),
    ("selection", "grouping"),
    ("finding",),
    ("findings",),
    ("sizing",),
    ("reports", "diff", "snapshots"),
    ("pipeline",),
    ("proposals", "suggestion", "whatif", "repositories", "editor"),
    ("cache",),
    ("cli",),
    ("answering",),
    ("__main__",),
)
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}


def test_what_is_deployed_has_one_door() -> None:
    around = [
        str(path.relative_to(PACKAGE))
        for path in _files()
        if _room(path) not in ("gitops", "deployed") and "gitops" in _imports(path)
    ]
    assert around == []


def test_what_is_deployed_knows_nothing_of_quotas() -> None:
    rooms = {"admission", "checks", "evaluators", "quota", "workloads"}
    imported = {room for path in _files() if _room(path) in ("gitops", "deployed") for room in _imports(path)}
    assert imported & rooms == set()


def test_every_room_has_a_level() -> None:
    assert {_room(path) for path in _files()} - {"__init__"} == set(LEVEL)


def test_imports_point_down() -> None:
    upward = [
        f"{path.relative_to(PACKAGE)} imports {imported}"
        for path in _files()
        for imported in _imports(path)
        if LEVEL[imported] > LEVEL.get(_room(path), len(LAYERS))
    ]
    assert upward == []


def test_only_the_command_line_prints_or_exits() -> None:
    calls = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in _files()
        if _room(path) not in ("cli", "__main__")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("print", "sys.exit", "exit", "quit")
    ]
    assert calls == []


def _files() -> Iterator[Path]:
    return (path for path in sorted(PACKAGE.rglob("*.py")) if "_data" not in path.parts)


def _room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("quotalint"):
            parts = node.module.split(".")
            yield from (parts[1:2] if len(parts) > 1 else [alias.name for alias in node.names])
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("quotalint."):
                    yield alias.name.split(".")[1]
