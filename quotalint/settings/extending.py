"""Reads `extends`: settings from another file of the repository, or of an installed package."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from quotalint.named_tuples import NamedTuple
from quotalint.settings import ConfigError
from quotalint.settings.checking import Checks, string_list
from quotalint.text.disk import is_file, is_folder, is_there, real_path
from quotalint.text.files import lies_in, lies_in_repository
from quotalint.text.place import Path

Fields = dict[str, Any]
Read = Callable[[str, str, tuple[str, ...]], tuple[Fields, tuple[ConfigError, ...]]]
"""Reads a configuration: its path, its name in reports, and the files that extend it."""

PACKAGE = "package:"
_MOST = 10  # files that extend each other
_MAPS = frozenset({"severity", "workloads", "particulars"})
_ADDED = frozenset({"exclude", "ignore", "policies"})
_FIRST = frozenset({"namespaces"})  # the first match counts, so a file's own entries come first


def read_extends(value: object, path: Path, checks: Checks) -> tuple[str, ...]:
    """Reads the files that a configuration extends."""
    must = "the path of a file, or package:NAME/FILE"
    return string_list([value] if isinstance(value, str) else value, path, checks, must)


def with_bases(
    fields: Fields, file: str, shown: str, visited: tuple[str, ...], read: Read
) -> tuple[Fields, list[ConfigError]]:
    """The fields of a file merged over those of the files that it extends; later files override earlier ones."""
    errors: list[ConfigError] = []
    merged: Fields = {}
    for name in fields.pop("extends", ()):
        base = locate_base(name, file)
        if real_path(base.path) in visited or len(visited) > _MOST:
            reason = "it extends itself" if len(visited) <= _MOST else f"more than {_MOST} files extend each other"
        else:
            reason = base.reason
        if reason:
            errors.append(ConfigError(f"`extends` {name}: {reason}", shown, None, "extends"))
            continue
        shown_path = base.path if name.startswith(PACKAGE) else os.path.relpath(base.path).replace(os.sep, "/")
        base_fields, base_errors = read(base.path, shown_path, (*visited, real_path(base.path)))
        errors += base_errors
        merged = _merge_over(base_fields, merged)
    return _merge_over(fields, merged), errors


class Base(NamedTuple):
    """The path of an extended file, or why it cannot be used."""

    path: str = ""
    reason: str = ""


def locate_base(name: str, file: str, *, also_folders: bool = False) -> Base:
    """The file for a name in `extends`. It must be in the repository: other files may be private, and errors would show
    their content."""
    if name.startswith(PACKAGE):
        return _packaged_base(name.removeprefix(PACKAGE))
    folder = os.path.dirname(os.path.abspath(file))
    path = os.path.join(folder, name)
    root = real_path(_enclosing_repository(folder))
    if not lies_in_repository(real_path(path), root):
        return Base(path, "it leads out of the repository")
    exists = is_file(path) or (also_folders and is_folder(path))
    return Base(path, "" if exists else "there is no such file")


def _packaged_base(name: str) -> Base:
    from importlib.util import find_spec

    package, slash, inner = name.partition("/")
    if not slash or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", package):
        return Base("", "write package:NAME/FILE")
    # A package without a dot in its name is found without running its code.
    package_spec = find_spec(package)
    for folder in package_spec.submodule_search_locations or () if package_spec else ():
        path = os.path.join(folder, inner)
        if is_file(path) and lies_in(real_path(path), real_path(folder)):
            return Base(path)
    return Base(
        "", f"there is no such file in the package {package}" if package_spec else f"{package} is not installed"
    )


def _enclosing_repository(folder: str) -> str:
    ancestor = folder
    while not is_there(os.path.join(ancestor, ".git")):
        if ancestor == os.path.dirname(ancestor):
            return folder
        ancestor = os.path.dirname(ancestor)
    return ancestor


def _merge_over(own: Mapping[str, Any], base: Mapping[str, Any]) -> Fields:
    merged: Fields = {**base, **own}
    for name in own.keys() & base.keys():
        if name in _ADDED:
            merged[name] = (*base[name], *own[name])
        elif name in _FIRST:
            merged[name] = (*own[name], *base[name])
        elif name in _MAPS:
            merged[name] = MappingProxyType({**base[name], **own[name]})
    return merged
