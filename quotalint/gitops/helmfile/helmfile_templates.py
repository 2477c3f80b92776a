"""Fills in helmfile's templates."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping

from quotalint.gitops.go.go_templates import RenderedText, render_template
from quotalint.gitops.go.hidden import HiddenValue, changeable_copy, entry_of, open_values
from quotalint.gitops.go.values import MISSING, GoError, Implementation, type_name
from quotalint.gitops.helmfile import HelmfileError
from quotalint.kube.fields import mapping
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.tree import Tree, join_path

UNFILLED = "cannot be filled in"
_MOST_STEPS = 2_000_000
_MOST_NESTED = 20  # nested `tpl` calls


class HelmfileTemplating(NamedTuple):
    """The data and functions for templates of the files in one folder."""

    tree: Tree
    folder: str
    data: Mapping[str, object]
    """`.Values`, `.Environment`, `.Release` and so on."""
    note: Callable[[str], None] = lambda _: None
    """Receives assumptions about values that are not in view, as clauses."""
    depth: int = 0

    def fill_text(self, text: str, what: str) -> str:
        """A text with its template filled in. Raises HelmfileError, which mentions `what` the text is."""
        if "{{" not in text:
            return text
        data = changeable_copy(self.data) if _CHANGES.search(text) else dict(self.data)
        result = render_template(text, data, "error", functions=self._template_functions(), most_steps=_MOST_STEPS)
        if result.error:
            raise HelmfileError(f"{what} {UNFILLED}: {result.error}")
        self._note_assumptions(result)
        return result.text

    def _template_functions(self) -> Functions:
        return helmfile_functions(self.tree, self.folder, self._evaluate_nested, self.note)

    def _evaluate_nested(self, text: str, data: object) -> str:
        if self.depth > _MOST_NESTED:
            raise GoError("tpl is nested too deeply")
        inner = self._replace(depth=self.depth + 1)
        result = render_template(text, data, "error", functions=inner._template_functions(), most_steps=_MOST_STEPS)
        if result.error:
            raise GoError(f"tpl: {result.error}")
        self._note_assumptions(result)
        return result.text

    def _note_assumptions(self, result: RenderedText) -> None:
        for clause in result.assumed:
            self.note(clause)


_CHANGES = lazy_pattern(r"\b(?:set|unset|merge|mergeOverwrite|mustMerge|mustMergeOverwrite)\b")


def state_data(environment: str, values: Mapping[str, object], *, hidden: bool) -> dict[str, object]:
    """The data for templates of a state file (pkg/state/types.go, EnvironmentTemplateData). `hidden`: some values are
    not in view."""
    if hidden:
        values = mapping(open_values(values))
    return {
        "Environment": {"Name": environment, "KubeContext": "", "Values": values},
        "Namespace": "",
        "Values": values,
        "StateValues": values,
    }


# helmfile's own template functions, besides Go's and sprig's (pkg/tmpl/context_funcs.go).
Functions = Mapping[str, tuple[str, Implementation]]


def helmfile_functions(
    tree: Tree, folder: str, evaluate: Callable[[str, object], str], note: Callable[[str], None]
) -> Functions:
    """The functions for templates in a folder. `evaluate` renders a text with data; `note` receives assumptions."""
    return {
        "env": ("s", _optional_variable(note)),
        "expandenv": ("s", _unavailable_function("expandenv", "reads the environment")),
        "requiredEnv": ("s", _required_variable),
        "exec": ("sv*", _unavailable_function("exec", "runs a program")),
        "envExec": ("vsv*", _unavailable_function("envExec", "runs a program")),
        "fetchSecretValue": ("s", _unavailable_function("fetchSecretValue", "reads a secret")),
        "expandSecretRefs": ("v", _unavailable_function("expandSecretRefs", "reads secrets")),
        "readFile": ("s", _file_function(tree, folder, lambda file, name: _file_content(tree, file, name))),
        "isFile": ("s", _file_function(tree, folder, lambda file, _: tree.is_file(file))),
        "isDir": ("s", _file_function(tree, folder, lambda file, _: tree.is_folder(file))),
        "readDir": ("s", _file_function(tree, folder, lambda file, name: _folder_names(tree, file, name))),
        "readDirEntries": ("s", _unavailable_function("readDirEntries", "gives values of Go's own")),
        "get": ("sv*", _get_value),
        "getOrNil": ("sv", lambda path, value: _get_value(path, None, value)),
        "setValueAtPath": ("svv", _with_value),
        "required": ("sv", _required_value),
        "tpl": ("sv", evaluate),
    }


def _unavailable_function(name: str, what: str) -> Implementation:
    return lambda *_: HiddenValue(name, f"`{name}` {what}, which is not done here")


def _required_variable(name: str) -> object:
    return HiddenValue(name, _unknown_variable(name))


def _optional_variable(note: Callable[[str], None]) -> Implementation:
    """The function `env`: a variable is assumed to be empty, with a note."""

    def read_variable(name: str) -> object:
        note(f"{_unknown_variable(name)}: it is assumed to be empty")
        return ""

    return read_variable


def _unknown_variable(name: str) -> str:
    return f"the environment variable {name} is not known here"


def _file_function(tree: Tree, folder: str, look: Callable[[str, str], object]) -> Implementation:
    """A function on a file name: `look` receives the repository path and the name as written."""

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
    """The value at a path: `get PATH [DEFAULT] OBJECT`."""
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
    """The value with another one at a path. It is a copy, so that arguments stay unchanged; helmfile modifies the
    map."""
    key, _, path_below = path.partition(".")
    if not isinstance(values, dict) or (path_below and key not in values):
        raise GoError(f'failed to set value at path "{path}": there is no map {key} in {type_name(values)}')
    return {**values, key: _with_value(path_below, value, values[key]) if path_below else value}


def _required_value(warning: str, value: object) -> object:
    if value is None or value == "":
        raise GoError(warning)
    return value
