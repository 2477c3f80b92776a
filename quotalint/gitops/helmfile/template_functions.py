"""The functions that helmfile's templates have beside Go's and sprig's (pkg/tmpl/context_funcs.go)."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping

from quotalint.gitops.go.hidden import HiddenValue, entry_of
from quotalint.gitops.go.values import MISSING, GoError, Implementation, type_name
from quotalint.gitops.tree import Tree, join_path

Functions = Mapping[str, tuple[str, Implementation]]


def helmfile_functions(tree: Tree, folder: str, evaluate: Callable[[str, object], str]) -> Functions:
    """The functions as a template in a folder has them; `evaluate` gives what another text comes to with some data."""
    return {
        "env": ("s", lambda name: ""),
        "expandenv": ("s", _not_run("expandenv", "reads the environment")),
        "requiredEnv": ("s", _required_variable),
        "exec": ("sv*", _not_run("exec", "runs a program")),
        "envExec": ("vsv*", _not_run("envExec", "runs a program")),
        "fetchSecretValue": ("s", _not_run("fetchSecretValue", "reads a secret")),
        "expandSecretRefs": ("v", _not_run("expandSecretRefs", "reads secrets")),
        "readFile": ("s", _of_file(tree, folder, lambda file, name: _file_content(tree, file, name))),
        "isFile": ("s", _of_file(tree, folder, lambda file, _: tree.is_file(file))),
        "isDir": ("s", _of_file(tree, folder, lambda file, _: tree.is_folder(file))),
        "readDir": ("s", _of_file(tree, folder, lambda file, name: _folder_names(tree, file, name))),
        "readDirEntries": ("s", _not_run("readDirEntries", "gives values of Go's own")),
        "get": ("sv*", _get_value),
        "getOrNil": ("sv", lambda path, value: _get_value(path, None, value)),
        "setValueAtPath": ("svv", _with_value),
        "required": ("sv", _required_value),
        "tpl": ("sv", evaluate),
    }


def _not_run(name: str, what: str) -> Implementation:
    return lambda *_: HiddenValue(name, f"`{name}` {what}, which is not done here")


def _required_variable(name: str) -> object:
    return HiddenValue(name, f"the environment variable {name} is not known here")


def _of_file(tree: Tree, folder: str, look: Callable[[str, str], object]) -> Implementation:
    """What `look` gives for a file of the repository and the name that it was asked for by."""

    def ask_file(name: str) -> object:
        path = tree.vendored(name) if posixpath.isabs(name) else join_path(folder, name)
        if path is None or not tree.contains(path):
            return HiddenValue(name, f"{name} lies outside the repository")
        return look(path, name)

    return ask_file


def _file_content(tree: Tree, name: str, written: str) -> str:
    data = tree.data(name)
    if data is None:
        raise GoError(f"there is no file {written}")
    return data.decode(errors="replace")


def _folder_names(tree: Tree, folder: str, written: str) -> list[object]:
    if not tree.is_folder(folder):
        raise GoError(f"there is no folder {written}")
    names = tree.files(folder, lambda _: True, lambda _: False)
    return [posixpath.join(written, posixpath.basename(name)) for name in names]


def _get_value(path: str, *arguments: object) -> object:
    """`get PATH [DEFAULT] OBJECT`."""
    if len(arguments) not in (1, 2):
        raise GoError(f"get takes a path, perhaps a default, and an object, not {len(arguments) + 1} arguments")
    value = arguments[-1]
    for key in path.split(".") if path else ():
        entry = entry_of(value, key) if isinstance(value, dict) else MISSING
        if entry is MISSING or isinstance(entry, HiddenValue):
            if len(arguments) == 2:
                return arguments[0]
            if entry is MISSING:
                raise GoError(f'no value exist for key "{key}"')
            return entry
        value = entry
    return value


def _with_value(path: str, value: object, values: object) -> object:
    """A copy, where helmfile changes the map itself: a parameter stays what it is."""
    key, _, path_below = path.partition(".")
    if not isinstance(values, dict) or (path_below and key not in values):
        raise GoError(f'failed to set value at path "{path}": there is no map {key} in {type_name(values)}')
    return {**values, key: _with_value(path_below, value, values[key]) if path_below else value}


def _required_value(warning: str, value: object) -> object:
    if value is None or value == "":
        raise GoError(warning)
    return value
