"""The functions that helmfile's templates have beside Go's and sprig's (pkg/tmpl/context_funcs.go)."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping

from quotalint.gitops.go.values import GoError, Implementation, type_name
from quotalint.gitops.tree import Tree, join

Functions = Mapping[str, tuple[str, Implementation]]


def helmfile_functions(tree: Tree, folder: str, evaluate: Callable[[str, object], str]) -> Functions:
    """The functions as a template in a folder has them; `evaluate` gives what another text comes to with some data."""
    return {
        "env": ("s", lambda name: ""),
        "expandenv": ("s", _refusal("expandenv reads the environment")),
        "requiredEnv": ("s", _required_variable),
        "exec": ("sv*", _refusal("exec runs a program")),
        "envExec": ("vsv*", _refusal("envExec runs a program")),
        "fetchSecretValue": ("s", _refusal("fetchSecretValue reads a secret")),
        "expandSecretRefs": ("v", _refusal("expandSecretRefs reads a secret")),
        "readFile": ("s", lambda name: _content(tree, _here(tree, folder, name), name)),
        "isFile": ("s", lambda name: tree.is_file(_here(tree, folder, name))),
        "isDir": ("s", lambda name: tree.is_folder(_here(tree, folder, name))),
        "readDir": ("s", lambda name: _names(tree, _here(tree, folder, name), name)),
        "get": ("sv*", _get),
        "getOrNil": ("sv", lambda path, value: _get(path, None, value)),
        "setValueAtPath": ("svv", _with_value),
        "required": ("sv", _required),
        "tpl": ("sv", evaluate),
    }


def _refusal(reason: str) -> Implementation:
    def refuse(*_: object) -> object:
        raise GoError(f"{reason}, which is not done here")

    return refuse


def _required_variable(name: str) -> object:
    raise GoError(f"requiredEnv: the variable {name} of the environment is not known here")


def _here(tree: Tree, folder: str, name: str) -> str:
    found = join(folder, name)
    if posixpath.isabs(name) or not tree.contains(found):
        raise GoError(f"the file {name} lies outside the repository")
    return found


def _content(tree: Tree, name: str, written: str) -> str:
    data = tree.data(name)
    if data is None:
        raise GoError(f"there is no file {written}")
    return data.decode(errors="replace")


def _names(tree: Tree, folder: str, written: str) -> list[object]:
    if not tree.is_folder(folder):
        raise GoError(f"there is no folder {written}")
    names = tree.files(folder, lambda _: True, lambda _: False)
    return [posixpath.join(written, posixpath.basename(name)) for name in names]


def _get(path: str, *arguments: object) -> object:
    """`get PATH [DEFAULT] OBJECT`."""
    if len(arguments) not in (1, 2):
        raise GoError(f"get wants a path, perhaps a default, and an object, not {len(arguments)} more")
    value = arguments[-1]
    for key in path.split(".") if path else ():
        if not isinstance(value, dict) or key not in value:
            if len(arguments) == 2:
                return arguments[0]
            raise GoError(f'no value exist for key "{key}"')
        value = value[key]
    return value


def _with_value(path: str, value: object, values: object) -> object:
    """A copy, where helmfile changes the map itself: a parameter stays what it is."""
    key, _, rest = path.partition(".")
    if not isinstance(values, dict) or (rest and key not in values):
        raise GoError(f'failed to set value at path "{path}": there is no map {key} in {type_name(values)}')
    return {**values, key: _with_value(rest, value, values[key]) if rest else value}


def _required(warning: str, value: object) -> object:
    if value is None or value == "":
        raise GoError(warning)
    return value
