"""Copies the files of a kustomization for the program that builds it.

Kustomizations are written anew from their parsed fields, with every path pointing into the copy.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Mapping

from quotalint.gitops.kustomize.kustomization import is_remote, kustomization
from quotalint.gitops.kustomize.kustomization_fields import (
    CHARTS,
    FIELDS,
    FILE,
    FOLDER,
    NAMED_FILE,
    PATCH,
    PLUGIN,
    PLUGINS,
    RESOURCE,
    Leaf,
)
from quotalint.gitops.kustomize.kustomize_yaml import read_inline, read_objects
from quotalint.kube.fields import mapping, text
from quotalint.named_tuples import NamedTuple
from quotalint.programs import MAX_ENTRIES, in_repository, name_in
from quotalint.text.disk import real_path
from quotalint.text.documents import Reading
from quotalint.text.tree import Tree, join_path

MAX_COPIED = 64 * 1024 * 1024
"""The largest total size of a kustomization's files, in bytes."""


class CopyRefusedError(Exception):
    """A file that the program must not read, or a field that is not understood."""


class Copied(NamedTuple):
    """The files that a program may read."""

    root: str
    top: str
    """The folder to build, relative to the root like all names."""
    files: Mapping[str, bytes]
    """The content of each file."""


def copy_kustomization(folder: str, root: str) -> Copied:
    """A copy of everything that a folder's kustomization builds on. Raises CopyRefusedError."""
    if not in_repository(folder, root):
        raise CopyRefusedError(f"the folder {name_in(root, folder)} lies outside the repository")
    copy = _Copy(root)
    top = copy.enter_folder(os.path.relpath(real_path(folder), real_path(root)))
    while copy.pending:
        here = copy.pending.pop()
        loaded_kustomization, wrong = kustomization(copy.tree, here)
        for unloaded in wrong:
            raise CopyRefusedError(f"{unloaded.place.source or '.'}: {unloaded.reason}")
        if loaded_kustomization is not None:
            try:
                copy.put_file(
                    loaded_kustomization.name,
                    _encode_json(_copied_fields(copy, here, loaded_kustomization.traced.value, FIELDS)),
                )
            except CopyRefusedError as refusal:
                raise CopyRefusedError(f"{loaded_kustomization.name}: {refusal}") from None
    return Copied(copy.tree.root, top, copy.files)


class _Copy:
    """A copy in progress."""

    def __init__(self, root: str) -> None:
        self.tree = Tree(root, {}, root)
        self.files: dict[str, bytes] = {}
        self.pending: list[str] = []
        """Folders whose kustomization is not copied yet."""
        self._entered: set[str] = set()
        self._size = 0

    def enter_folder(self, folder: str) -> str:
        """Queue a folder for copying; returns its name by its real path."""
        name = join_path("", folder.replace(os.sep, "/"))
        if name not in self._entered:
            self._entered.add(name)
            self.pending.append(name)
        return name

    def put_file(self, name: str, data: bytes) -> None:
        if name not in self.files:
            self._size += len(data)
        if self.files.setdefault(name, data) != data:
            raise CopyRefusedError(f"{name} is a kustomization and something else at once")
        if self._size > MAX_COPIED or len(self.files) > MAX_ENTRIES:
            raise CopyRefusedError(
                f"the files of the kustomization are more than {MAX_ENTRIES}, "
                f"or larger than {MAX_COPIED // 1024 // 1024} MiB together"
            )

    def add_file(self, folder: str, data: bytes) -> str:
        """Add a generated file; returns its path from the folder."""
        name = join_path(folder, f"quotalint-{len(self.files)}.yaml")
        self.put_file(name, data)
        return _path_between(folder, name)

    def take_file(self, folder: str, path: object) -> str:
        """Copy a file; returns its path from the folder."""
        name = self.local_name(folder, path)
        data = self.tree.data(name)
        if data is None:
            raise CopyRefusedError(f"{path} cannot be read" if self.tree.is_file(name) else f"there is no file {path}")
        self.put_file(name, data)
        return _path_between(folder, name)

    def take_folder(self, folder: str, path: object) -> str:
        """Queue the folder of a kustomization; returns its path from the folder."""
        name = self.local_name(folder, path)
        if not self.tree.is_folder(name):
            raise CopyRefusedError(f"there is no folder {path}")
        return _path_between(folder, self.enter_folder(os.path.relpath(self.tree.real_path_of(name), self.tree.root)))

    def local_name(self, folder: str, path: object) -> str:
        """The name of a path's target. As for Kustomize, the target must be inside the repository; steps on the way
        need not."""
        if not isinstance(path, str) or not path:
            raise CopyRefusedError("a path is expected")
        if is_remote(path) or "://" in path:
            raise CopyRefusedError(f"{path} is remote")
        if posixpath.isabs(path):
            raise CopyRefusedError(f"{path} is an absolute path")
        name = join_path(folder, path)
        if not self.tree.contains(name):
            raise CopyRefusedError(f"{path} leads out of the repository")
        return name


def _path_between(folder: str, name: str) -> str:
    """The path from a folder to a name; it begins with a dot, so that Kustomize never takes it for a URL."""
    path = posixpath.relpath("/" + name, "/" + folder)
    return path if path.startswith("../") else f"./{path}"


def _encode_json(value: object) -> bytes:
    """A value as JSON that is also YAML, which escapes characters beyond 16 bits differently."""
    import json

    encoded = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return re.sub(r"[^ -~]", lambda alien: f"\\U{ord(alien[0]):08x}", encoded).encode()


def _copied_value(copy: _Copy, folder: str, value: object, wanted: object) -> object:
    """The part of a kustomization to write into the copy; files that it names are copied. Raises CopyRefusedError.

    Go matches field names case-insensitively, so unknown fields may be known to Go.
    """
    if isinstance(wanted, Mapping):
        return _copied_fields(copy, folder, value, wanted)
    if isinstance(wanted, Leaf):
        return _FORMS[wanted.form](copy, folder, value) if wanted.form else value
    if not isinstance(wanted, tuple):
        return value
    if not isinstance(value, list):
        raise CopyRefusedError("a list is expected")
    items: list[object] = value
    if isinstance(wanted[0], Leaf) and wanted[0].form == PLUGIN:
        # Kustomize runs inline plugins before those in files (api/internal/target/kusttarget.go,
        # `configureExternalTransformers`).
        items = sorted(items, key=lambda entry: _inline_reading(entry) is None)
    return [_copied_value(copy, folder, item, wanted[0]) for item in items]


def _copied_fields(copy: _Copy, folder: str, value: object, known_fields: Mapping[str, object]) -> object:
    if not isinstance(value, dict):
        raise CopyRefusedError("a mapping is expected")
    result = {}
    for key, field_value in value.items():
        if key not in known_fields:
            raise CopyRefusedError(f"the field `{key}` is not known")
        try:
            if field_value is not None and known_fields is FIELDS and key in CHARTS:
                raise CopyRefusedError("charts are rendered by helm")
            if field_value is not None:
                result[key] = _copied_value(copy, folder, field_value, known_fields[key])
        except CopyRefusedError as refusal:
            raise CopyRefusedError(f"`{key}`: {refusal}") from None
    return result


def _copy_resource(copy: _Copy, folder: str, value: object) -> object:
    is_folder = copy.tree.is_folder(copy.local_name(folder, value))
    return copy.take_folder(folder, value) if is_folder else copy.take_file(folder, value)


def _copy_keyed_path(copy: _Copy, folder: str, value: object) -> object:
    """A file entry with its key written out: `path` or `key=path` (api/internal/generators/utils.go,
    `ParseFileSource`)."""
    key, equals, path = text(value).rpartition("=")
    if "=" in key or bool(key) != bool(equals):
        raise CopyRefusedError(f"{text(value)} is not [key=]path")
    return f"{key or posixpath.basename(path.rstrip('/'))}={copy.take_file(folder, path)}"


def _path_or_patch(copy: _Copy, folder: str, value: object) -> object:
    """The path of a patch file; an inline patch is written to a file, because Kustomize would guess which it is."""
    inline = _inline_reading(value)
    return copy.take_file(folder, value) if inline is None else copy.add_file(folder, text(value).encode())


def _inline_reading(value: object) -> Reading | None:
    """The documents of an inline value; None if the value is a path."""
    reading = read_inline(text(value).encode())
    objects = [isinstance(document.value, dict) for document in reading.documents]
    return reading if objects and all(objects) and not reading.failures else None


def _copy_plugin(copy: _Copy, folder: str, value: object) -> str:
    """The path of a plugin configuration, written anew because it may name files."""
    reading = _inline_reading(value)
    if reading is None:
        name = copy.local_name(folder, value)
        if copy.tree.is_folder(name):
            raise CopyRefusedError(f"{value} is a folder, which may make anything of what it holds")
        reading = read_objects(copy.tree, name)
    if reading is None:
        raise CopyRefusedError(f"there is no file {value}")
    if reading.failures:
        raise CopyRefusedError(f"{value}: {reading.failures[0].message}")
    configurations = []
    for document in reading.documents:
        body = mapping(document.value)
        kind = text(body.get("kind"))
        if body.get("apiVersion") != "builtin" or kind not in PLUGINS or kind == _CHART_PLUGIN:
            raise CopyRefusedError(f"{kind or 'something without a kind'} is a plugin, which is not run")
        plugin_fields = {"apiVersion": FIELDS["apiVersion"], "kind": FIELDS["kind"], **PLUGINS[kind]}
        configurations.append(_encode_json(_copied_fields(copy, folder, document.value, plugin_fields)))
    return copy.add_file(folder, b"\n---\n".join(configurations))


_CHART_PLUGIN = "HelmChartInflationGenerator"
_FORMS: Mapping[str, Callable[[_Copy, str, object], object]] = {
    FILE: _Copy.take_file,
    NAMED_FILE: _copy_keyed_path,
    FOLDER: _Copy.take_folder,
    RESOURCE: _copy_resource,
    PATCH: _path_or_patch,
    PLUGIN: _copy_plugin,
}
"""The copy function for each form of a path."""
