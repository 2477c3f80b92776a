"""The rooms of the package: the floors that docs/design.md gives them, and what they import."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

TOP = Path(__file__).parents[2]
PACKAGE = TOP / "quotalint"
PAGE = TOP / "docs" / "design.md"
ROW = re.compile(r"^\| (\d+) \| `([\w.]+?)(?:/|\.py)?` \|.*\|$", re.MULTILINE)
"""A line of the table of rooms: floor and name."""
_IMPORTS = re.compile(r"^ *(?:from quotalint[\w.]* import (?:\([^)]*\)|.*)|import quotalint.*)", re.MULTILINE)


@cache
def stated_floors() -> Mapping[str, int]:
    """Room → floor, as the table of docs/design.md has it; 0 is the ground."""
    return {name: int(floor) for floor, name in ROW.findall(PAGE.read_text(encoding="utf-8"))}


def package_files() -> Iterator[Path]:
    """The modules of the package."""
    return (path for path in sorted(PACKAGE.rglob("*.py")) if "_data" not in path.parts)


def room_of(path: Path) -> str:
    """The folder below the package that a module lies in, or its own name at the top."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def syntax_tree(path: Path) -> ast.Module:
    """A module as it is parsed, once for all that look at it."""
    return ast.parse(_text(path))


def nodes_of(words: str) -> Iterator[tuple[Path, ast.AST]]:
    """Every node of the modules of the package in whose text an expression is found: to parse all of them takes
    seconds, and what a test looks for has a word that few of them have."""
    for path in package_files():
        if re.search(words, _text(path)):
            yield from ((path, node) for node in ast.walk(syntax_tree(path)))


@cache
def package_imports(path: Path) -> tuple[tuple[str, str], ...]:
    """Module and name of what a module imports of the package, anywhere in it; no name where all of the module is.

    Only the lines that import are parsed.
    """
    lines = "\n".join(line.strip() for line in _IMPORTS.findall(_text(path)))
    return tuple(imports_among(ast.parse(lines).body))


def imports_among(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    """Module and name of what some nodes import of the package."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module and f"{node.module}.".startswith("quotalint."):
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.startswith("quotalint."))


@cache
def imported_modules(path: Path) -> frozenset[str]:
    """What a module imports of the package, anywhere in it, as `room.module`."""
    whole = (name if module == "quotalint" else module for module, name in package_imports(path))
    return frozenset(name.removeprefix("quotalint.") for name in whole)


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def imported_rooms(path: Path) -> frozenset[str]:
    """The rooms that a module imports from."""
    return frozenset(name.partition(".")[0] for name in imported_modules(path))


def room_imports() -> dict[str, set[str]]:
    """Room → the other rooms that it imports from; the package itself is none."""
    imports: dict[str, set[str]] = {}
    for path in package_files():
        room = room_of(path)
        if room != "__init__":
            imports.setdefault(room, set()).update(imported_rooms(path) - {room})
    return imports


def lowest_floors(imports: Mapping[str, set[str]]) -> dict[str, int]:
    """Room → the lowest floor that lies above all that it imports. ValueError where rooms import each other."""
    floors: dict[str, int] = {}

    def floor_of(room: str, above: tuple[str, ...]) -> int:
        if room in above:
            raise ValueError(f"rooms import each other: {' → '.join((*above[above.index(room) :], room))}")
        if room not in floors:
            below = sorted(imports[room])
            floors[room] = max((floor_of(other, (*above, room)) + 1 for other in below), default=0)
        return floors[room]

    for room in imports:
        floor_of(room, ())
    return floors
