"""Imports point down the floors of docs/design.md, so that each room can be understood with those below it alone."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from rooms import (
    PACKAGE,
    imported_modules,
    imported_rooms,
    lowest_floors,
    nodes_of,
    package_files,
    package_imports,
    room_of,
    stated_floors,
)

FLOORS = stated_floors()
BOOKS = ("admission", "evaluators", "quota.admissions", "quota.charges", "quota.creation", "quota.pools")
"""Where objects are admitted, charged and summed up."""


def test_what_is_deployed_has_one_door() -> None:
    around = [
        str(path.relative_to(PACKAGE))
        for path in package_files()
        if room_of(path) not in ("gitops", "deployed") and "gitops" in imported_rooms(path)
    ]
    assert around == []


def test_what_is_deployed_knows_nothing_of_quotas() -> None:
    rooms = {"admission", "checks", "evaluators", "quota", "workloads"}
    imported = {
        room for path in package_files() if room_of(path) in ("gitops", "deployed") for room in imported_rooms(path)
    }
    assert imported & rooms == set()


def test_what_it_costs_has_one_door() -> None:
    """Nobody but `accounting` admits, charges or sums up: the rooms above it are handed facts."""
    above = {room for room, floor in FLOORS.items() if floor > FLOORS["accounts"]} - {"accounting"}
    around = [
        f"{path.relative_to(PACKAGE)} imports {module}.{name}"
        for path in package_files()
        if room_of(path) in above
        for module, name in _functions_imported(path)
        if f"{module}.".startswith(tuple(f"{book}." for book in BOOKS))
    ]
    # Which class a claim is of says its manifest; nothing is charged for that.
    assert [line for line in around if not line.endswith("persistentvolumeclaims.class_of")] == []


def test_every_room_has_a_floor() -> None:
    assert {room_of(path) for path in package_files()} - {"__init__"} == set(FLOORS)


def test_imports_point_down() -> None:
    upward = [
        f"{path.relative_to(PACKAGE)} imports {imported}"
        for path in package_files()
        for imported in imported_rooms(path) - {room_of(path)}
        if FLOORS[imported] >= FLOORS.get(room_of(path), len(FLOORS))
    ]
    assert upward == [], "if that is meant, `.ci/draw` writes the floors of docs/design.md anew"


def test_rooms_that_import_each_other_have_no_floors() -> None:
    assert lowest_floors({"a": {"b"}, "b": {"c"}, "c": set()}) == {"a": 2, "b": 1, "c": 0}
    with pytest.raises(ValueError, match="b → c → b"):
        lowest_floors({"a": {"b"}, "b": {"c"}, "c": {"b"}})


def test_an_import_is_seen_wherever_it_stands() -> None:
    assert "gitops.view" in imported_modules(PACKAGE / "deployed.py")
    assert "sizing.suggestion" in imported_modules(PACKAGE / "cli" / "suggesting.py")


def test_only_the_command_line_prints_or_exits() -> None:
    calls = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path, node in nodes_of(r"\b(print|exit|quit)\b")
        if room_of(path) not in ("cli", "__main__")
        if isinstance(node, ast.Call) and _is_output_or_exit(node.func)
    ]
    assert calls == []


def _is_output_or_exit(function: ast.expr) -> bool:
    """`print`, `exit` and `quit`, or `sys.exit`."""
    if isinstance(function, ast.Attribute):
        return function.attr == "exit" and isinstance(function.value, ast.Name) and function.value.id == "sys"
    return isinstance(function, ast.Name) and function.id in ("print", "exit", "quit")


def _functions_imported(path: Path) -> list[tuple[str, str]]:
    """Module and name of what is imported of the package and is no type or constant."""
    return [
        (module.removeprefix("quotalint."), name)
        for module, name in package_imports(path)
        if name and module != "quotalint" and not name[0].isupper()
    ]
