"""Loads a helmfile for one environment: its parts, bases and values (pkg/app/desired_state_file_loader.go)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from quotalint.gitops.go.values import NO_ENTRY
from quotalint.gitops.helm import ValuesLayer
from quotalint.gitops.helm.value_layers import merge_layers
from quotalint.gitops.helmfile import HelmfileError
from quotalint.gitops.helmfile.absent import Absent
from quotalint.gitops.helmfile.helmfile_templates import UNFILLED, HelmfileTemplating, state_data
from quotalint.gitops.helmfile.value_entries import Entries, value_entries, values_of
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.named_tuples import NamedTuple
from quotalint.text.documents import read
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Place
from quotalint.text.tree import Tree, join_path

DEFAULT = "default"
"""The environment if none is named."""

_LISTS = ("releases", "helmfiles", "repositories", "bases", "values", "hooks", "apiVersions")


class Written(NamedTuple):
    """An entry of a list in a helmfile."""

    value: object
    place: Place
    is_flat: bool
    """Whether the places of its parts are unknown, because a template produced it."""

    def written_below(self, value: object, *path: str | int) -> Written:
        """A part of this entry, with its place."""
        return Written(value, self.place if self.is_flat else self.place.at(*path), self.is_flat)


class HelmfileState(NamedTuple):
    """A helmfile evaluated for one environment."""

    file: str
    environment: str
    environments: Mapping[str, object]
    body: Body
    """All fields that are not lists of entries."""
    lists: Mapping[str, tuple[Written, ...]]
    """`releases`, `helmfiles` and so on."""
    values: Mapping[str, object]
    files: frozenset[str]
    """The files that were read."""
    layers: tuple[ValuesLayer, ...]
    """The values with their places; the last layer wins."""
    absent: tuple[Absent, ...]
    """The environment's values that are not in view."""
    folder: str
    """The folder for relative paths; for a base, that of the helmfile that includes it."""


class Inheritance(NamedTuple):
    """Values that a helmfile inherits from the one that includes it."""

    values: Mapping[str, object]
    layers: tuple[ValuesLayer, ...]
    absent: tuple[Absent, ...]


def environment_names(tree: Tree, file: str) -> tuple[str, ...]:
    """The environments declared by a helmfile or its bases, in order. `default` is included if it has settings, or if
    there is no other.

    A template may produce the names; it is filled in without values.
    """
    environments = declared_environments(tree, file)
    return tuple(name for name, value in environments.items() if name != DEFAULT or mapping(value)) or (DEFAULT,)


def is_for(tree: Tree, file: str, environment: str, *, is_given_values: bool) -> bool:
    """Whether an included helmfile applies to an environment: it declares it, or it declares none and receives values
    (pkg/app/desired_state_file_loader.go, load)."""
    declared = declared_environments(tree, file)
    return environment in declared or environment == DEFAULT or (not declared and is_given_values)


def declared_environments(tree: Tree, file: str) -> dict[str, object]:
    """The environments declared by a helmfile or its bases, by name."""
    merged: dict[str, object] = {}
    for body in _lenient_bodies(tree, file):
        merged |= {str(name): value for name, value in mapping(body.get("environments")).items()}
        for base in sequence(body.get("bases")):
            for inner in _lenient_bodies(tree, join_path(posixpath.dirname(file), text(base))):
                merged |= {str(name): value for name, value in mapping(inner.get("environments")).items()}
    return merged


def written_references(tree: Tree, file: str) -> Iterator[str]:
    """The bases and helmfiles that a helmfile includes, as far as their paths can be read without values."""
    for body in _lenient_bodies(tree, file):
        for entry in (*sequence(body.get("bases")), *sequence(body.get("helmfiles"))):
            path = entry if isinstance(entry, str) else text(mapping(entry).get("path"))
            if path and "{{" not in path:
                yield path


def is_helmfile(tree: Tree, file: str) -> bool:
    """Whether a file has releases or includes other helmfiles."""
    if _INSTALLS.search((tree.data(file) or b"").decode(errors="replace")):
        return True
    return any(body.get(key) for body in _lenient_bodies(tree, file) for key in ("releases", "helmfiles", "bases"))


_INSTALLS = lazy_pattern(r"(?m)^(?:releases|helmfiles|bases):[ \t]*(?:#.*)?$")


def _lenient_bodies(tree: Tree, file: str) -> Iterator[Body]:
    for number, part in enumerate(_state_parts(tree, file) if tree.data(file) is not None else ()):
        try:
            templating = HelmfileTemplating(tree, posixpath.dirname(file), state_data(DEFAULT, {}, hidden=True))
            documents = _part_documents(part, file, number, templating)
        except HelmfileError:
            documents = _documents_without_actions(part)
        for document, _, _ in documents:
            yield document


def _documents_without_actions(part: str) -> list[tuple[Body, int, bool]]:
    """The documents of a part that cannot be filled in without values, read from its lines without template actions."""
    lines = [line for line in part.split("\n") if "{{" not in line]
    return [(mapping(document.value), 0, True) for document in read("\n".join(lines).encode()).documents]


def load_state(
    tree: Tree,
    file: str,
    environment: str,
    overriding: Mapping[str, object],
    base_of: str | None = None,
    absent: tuple[Absent, ...] = (),
    before: Inheritance | None = None,
) -> HelmfileState:
    """A helmfile evaluated for an environment. `overriding` values win over its own; `absent` are those of them not in
    view.

    `base_of` is the folder of the helmfile that includes it as a base. Its own values win over those in `before`.
    Raises HelmfileError.
    """
    folder = posixpath.dirname(file) if base_of is None else base_of
    state = HelmfileState(file, environment, {}, {}, {}, {}, frozenset({file}), (), absent, folder)
    if before is not None:
        state = state._replace(values=before.values, layers=before.layers, absent=(*before.absent, *absent))
    for number, part in enumerate(_state_parts(tree, file)):
        state_so_far = state._replace(values=merge_layers((state.values, overriding)))
        state = _with_part(tree, state, part, number, state_so_far, overriding, is_base=base_of is not None)
    return state._replace(values=merge_layers((state.values, overriding)))


def _state_parts(tree: Tree, file: str) -> list[str]:
    data = tree.data(file)
    if data is None:
        raise HelmfileError(f"there is no file {file}")
    return data.decode(errors="replace").replace("\r\n", "\n").split("\n---\n")


def _with_part(
    tree: Tree,
    state: HelmfileState,
    part: str,
    number: int,
    earlier_state: HelmfileState,
    overriding: Mapping[str, object],
    *,
    is_base: bool,
) -> HelmfileState:
    """The state extended by one part of its file, which may use the values of earlier parts."""
    notes: list[str] = []
    data = state_data(state.environment, earlier_state.values, hidden=bool(state.absent))
    templating = HelmfileTemplating(tree, state.folder, data, notes.append)
    try:
        new = _written_state(state, part, number, templating)
    except HelmfileError:
        values, hidden = _with_own_values(tree, state, part, number, earlier_state)
        templating = templating._replace(data=state_data(state.environment, values, hidden=hidden))
        try:
            new = _written_state(state, part, number, templating)
        except HelmfileError as error:
            if not str(error).startswith(f"{state.file} {UNFILLED}: {NO_ENTRY}"):
                raise
            # It is installed somewhere, so someone passes the missing values.
            templating = templating._replace(data=state_data(state.environment, values, hidden=True))
            new = _written_state(state, part, number, templating)
            state = state._replace(
                absent=(
                    *state.absent,
                    Absent(f"values for {state.file} are passed when helmfile runs"),
                )
            )
    bases = new.lists.get("bases", ())
    if bases and is_base:
        raise HelmfileError("a base has bases, which helmfile refuses")
    layers = []
    for base in bases:
        name = join_path(state.folder, text(_fill_path(base.value, templating)))
        if not tree.is_file(name):
            raise HelmfileError(f"there is no base {name}")
        layers.append(
            load_state(
                tree,
                name,
                state.environment,
                merge_layers((earlier_state.values, overriding)),
                state.folder,
                state.absent,
            )
        )
    own = new
    for number, layer in enumerate((*layers, own)):
        new = layer if number == 0 else _join_states(new, layer, appends=True)
    entries = _environment_values(new, templating)
    joined = _join_states(state, new, appends=False)
    return joined._replace(
        values=merge_layers((state.values, values_of(entries))),
        layers=(*state.layers, *new.layers, *entries.layers),
        absent=tuple(dict.fromkeys((*state.absent, *new.absent, *entries.absent, *map(Absent, notes)))),
        files=state.files | new.files,
    )


def _written_state(state: HelmfileState, part: str, number: int, templating: HelmfileTemplating) -> HelmfileState:
    new = HelmfileState(state.file, state.environment, {}, {}, {}, {}, frozenset(), (), (), state.folder)
    for body, index, is_flat in _part_documents(part, state.file, number, templating):
        new = _join_states(new, _state_of(state, body, index, is_flat=is_flat), appends=True)
    return new


def _with_own_values(
    tree: Tree, state: HelmfileState, part: str, number: int, earlier_state: HelmfileState
) -> tuple[Mapping[str, object], bool]:
    """The values for the second rendering of a part, which may use values that it declares itself
    (pkg/app/two_pass_renderer.go). Also returns whether some of them are not in view."""
    first = HelmfileTemplating(tree, state.folder, state_data(state.environment, earlier_state.values, hidden=True))
    try:
        own = _environment_values(_written_state(state, part, number, first), first)
    except HelmfileError:
        own = Entries(())
    return merge_layers((values_of(own), earlier_state.values)), bool(state.absent or own.absent)


def _state_of(state: HelmfileState, body: Body, index: int, *, is_flat: bool) -> HelmfileState:
    lists = {
        key: tuple(
            Written(item, Place(state.file, 0 if is_flat else index, () if is_flat else (key, at)), is_flat)
            for at, item in enumerate(sequence(body.get(key)))
        )
        for key in _LISTS
        if body.get(key)
    }
    plain_fields = {key: value for key, value in body.items() if key not in (*_LISTS, "environments")}
    environments = {str(name): value for name, value in mapping(body.get("environments")).items()}
    return HelmfileState(
        state.file, state.environment, environments, plain_fields, lists, {}, frozenset(), (), (), state.folder
    )


def _join_states(first: HelmfileState, second: HelmfileState, *, appends: bool) -> HelmfileState:
    """Two states combined: maps are merged; lists are concatenated with `appends`, otherwise replaced."""
    lists = dict(first.lists)
    for key, items in second.lists.items():
        lists[key] = (*lists.get(key, ()), *items) if appends else items
    environments = dict(first.environments)
    for name, value in second.environments.items():
        before, after = mapping(environments.get(name)), mapping(value)
        entries = [*(sequence(before.get("values")) if appends else ()), *sequence(after.get("values"))]
        environments[name] = {**before, **after, "values": entries or sequence(before.get("values"))}
    return first._replace(
        environments=environments,
        body=merge_layers((first.body, second.body)),
        lists=lists,
        files=first.files | second.files,
        absent=(*first.absent, *second.absent),
    )


def _environment_values(state: HelmfileState, templating: HelmfileTemplating) -> Entries:
    specification = mapping(state.environments.get(state.environment))
    handler = text(specification.get("missingFileHandler")) or text(state.body.get("missingFileHandler"))
    nowhere = Place(state.file)
    defaults = value_entries(
        ((value.value, value.place, True) for value in state.lists.get("values", ())), templating, handler
    )
    listed = [(_fill_path(entry, templating), nowhere, True) for entry in sequence(specification.get("values"))]
    if text(specification.get("mergeStrategy")) == "fallback":
        listed.reverse()
    own = value_entries(listed, templating, handler)
    absent = [*defaults.absent, *own.absent]
    absent += (
        Absent(f"the values of {text(secret)} are encrypted") for secret in sequence(specification.get("secrets"))
    )
    return Entries((*defaults.layers, *own.layers), tuple(absent))


def _fill_path(entry: object, templating: HelmfileTemplating) -> object:
    """A path with template actions filled in, such as the environment's name."""
    return templating.fill_text(entry, "a path") if isinstance(entry, str) and "{{" in entry else entry


def _part_documents(part: str, file: str, number: int, templating: HelmfileTemplating) -> list[tuple[Body, int, bool]]:
    """The documents of a part, each with its index in the file and whether a template produced it."""
    is_template = _is_template(part, file)
    if is_template:
        part = templating.fill_text(part, file)
    reading = read(part.encode("utf-8", "surrogatepass"))
    if reading.failures:
        failure = reading.failures[0]
        raise HelmfileError(f"it cannot be read: line {failure.line} of part {number + 1}: {failure.message}")
    return [(mapping(document.value), number + document.index, is_template) for document in reading.documents]


def _is_template(part: str, file: str) -> bool:
    """Whether helmfile renders a file before reading it: since 1.0 only `.gotmpl`, before that all files."""
    if file.endswith(".gotmpl"):
        return "{{" in part
    # A file was written for 0.x if it is not YAML as it stands, quotes actions, or has them on lines of their own.
    # Other actions are filled in per release.
    return "{{" in part and bool("{{`" in part or _BETWEEN_LINES.search(part) or read(part.encode()).failures)


_BETWEEN_LINES = lazy_pattern(r"(?m)^\s*\{\{")
