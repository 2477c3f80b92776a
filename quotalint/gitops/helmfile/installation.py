"""Renders what each environment of each helmfile installs."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from quotalint.gitops.charts import Charts
from quotalint.gitops.helmfile import HelmfileError
from quotalint.gitops.helmfile.absent import Absent
from quotalint.gitops.helmfile.helmfile_releases import DeclaredRelease, declared_releases, is_selected
from quotalint.gitops.helmfile.helmfile_states import (
    DEFAULT,
    HelmfileState,
    Inheritance,
    Written,
    environment_names,
    is_for,
    load_state,
)
from quotalint.gitops.helmfile.helmfile_templates import HelmfileTemplating, state_data
from quotalint.gitops.helmfile.rendered import Releases, unknown_release
from quotalint.gitops.helmfile.value_entries import value_entries, values_of
from quotalint.gitops.rendering import Rendering
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.named_tuples import NamedTuple
from quotalint.text.tree import Tree, join_path, matching_files


class InheritedFields(NamedTuple):
    """Fields that an included helmfile takes from the including one if it does not set them."""

    body: Body
    api_versions: tuple[Written, ...]
    environment: Inheritance | None
    """The values of the including helmfile's environment."""


NOTHING = InheritedFields({}, (), None)
_MAPS = ("helmDefaults", "commonLabels", "templates")


def inherited_fields(state: HelmfileState, wanted: tuple[str, ...]) -> InheritedFields:
    """The `wanted` fields of a helmfile, for the helmfiles it includes."""
    body = {name: state.body[name] for name in (*_MAPS, "kubeVersion") if name in wanted and name in state.body}
    values = Inheritance(state.values, state.layers, state.absent) if "environments" in wanted else None
    return InheritedFields(body, state.lists.get("apiVersions", ()) if "apiVersions" in wanted else (), values)


def inherit_state(state: HelmfileState, inherited: InheritedFields) -> HelmfileState:
    """A helmfile with inherited fields except values; its own fields win."""
    body = dict(state.body)
    for name in _MAPS:
        if name in inherited.body:
            body[name] = {**mapping(inherited.body[name]), **mapping(body.get(name))}
    if not text(body.get("kubeVersion")) and "kubeVersion" in inherited.body:
        body["kubeVersion"] = inherited.body["kubeVersion"]
    lists = dict(state.lists)
    if inherited.api_versions:
        lists["apiVersions"] = (*inherited.api_versions, *lists.get("apiVersions", ()))
    return state._replace(body=body, lists=lists)


_MOST_HELMFILES = 2000
_MOST_NESTED = 10


class Installed(NamedTuple):
    """The rendering of one release."""

    environment: str
    """Empty for helmfile's `default` environment."""
    rendering: Rendering


class Installation(NamedTuple):
    """Everything that one helmfile installs."""

    releases: tuple[Installed, ...]
    files: frozenset[str]
    """The helmfiles and bases that were read."""
    failures: tuple[tuple[str, str], ...]
    """Environments that could not be read, each with the reason."""


class Helmfiles:
    """Reads the helmfiles of one repository."""

    def __init__(
        self,
        tree: Tree,
        charts: Charts,
        folders: Sequence[str],
        manifests: Callable[[str], Rendering] = lambda folder: Rendering(folder=folder),
    ) -> None:
        """`folders` are the repository's chart folders; `manifests` renders any other folder."""
        self._tree = tree
        self._rendered = Releases(tree, charts, folders, manifests)
        self._left = _MOST_HELMFILES

    def installation(self, file: str) -> Installation:
        """The releases of one helmfile in all its environments."""
        releases: list[Installed] = []
        files = {file}
        failures = []
        environments = environment_names(self._tree, file)
        for environment in environments:
            installed_renderings, why = self._attempt_environment(file, environment)
            name = "" if environments == (DEFAULT,) else environment
            contexts = {rendering.destination for _, renderings in installed_renderings for rendering in renderings}
            for read, renderings in installed_renderings:
                files |= read
                releases += (
                    Installed(_environment_of(name, rendering, are_several=len(contexts) > 1), rendering)
                    for rendering in renderings
                )
            if why:
                failures.append((environment, why))
        return Installation(tuple(releases), frozenset(files), tuple(failures))

    def _attempt_environment(
        self, file: str, environment: str
    ) -> tuple[list[tuple[frozenset[str], list[Rendering]]], str]:
        """The renderings of an environment, and the reason if some of it cannot be read."""
        installed_renderings: list[tuple[frozenset[str], list[Rendering]]] = []
        try:
            installed_renderings += self._of_environment(file, environment, (), {}, 0)
        except HelmfileError as error:
            return installed_renderings, str(error)
        return installed_renderings, ""

    def _of_environment(
        self,
        file: str,
        environment: str,
        selectors: Sequence[str],
        overriding: Mapping[str, object],
        depth: int,
        absent: tuple[Absent, ...] = (),
        inherited: InheritedFields = NOTHING,
    ) -> Iterator[tuple[frozenset[str], list[Rendering]]]:
        """For each helmfile, the files that were read and the renderings of its releases."""
        self._left -= 1
        if depth > _MOST_NESTED or self._left < 0:
            raise HelmfileError("too many helmfiles include each other")
        state = inherit_state(
            load_state(self._tree, file, environment, overriding, absent=absent, before=inherited.environment),
            inherited,
        )
        yield state.files, list(self._render_releases(state, selectors))
        for entry in state.lists.get("helmfiles", ()):
            body = {"path": entry.value} if isinstance(entry.value, str) else mapping(entry.value)
            own = "selectors" in body and body.get("selectorsInherited") is not True
            inner = tuple(map(text, sequence(body.get("selectors")))) if own else selectors
            inherited = inherited_fields(state, tuple(map(text, sequence(body.get("inherits")))))
            for name in self._nested_files(state, text(body.get("path"))):
                is_given = bool(body.get("values")) or inherited.environment is not None
                if not is_for(self._tree, name, environment, is_given_values=is_given):
                    continue  # helmfile skips a file that does not have the environment
                values, unseen = _given_values(body, entry, state, self._tree)
                yield from self._of_environment(name, environment, inner, values, depth + 1, unseen, inherited)

    def _nested_files(self, state: HelmfileState, path: str) -> list[str]:
        if "://" in path or "::" in path:
            raise HelmfileError(f"the helmfile {path} is remote")
        names = matching_files(self._tree, state.folder, path)
        folder = join_path(state.folder, path)
        if not names and self._tree.is_folder(folder):
            names = [
                *matching_files(self._tree, folder, "*.y*ml"),
                *matching_files(self._tree, folder, "*.y*ml.gotmpl"),
            ]
        return sorted(names)

    def _render_releases(self, state: HelmfileState, selectors: Sequence[str]) -> Iterator[Rendering]:
        for declared_release in declared_releases(state, self._tree):
            if isinstance(declared_release, tuple) and not isinstance(declared_release, DeclaredRelease):
                written, why = declared_release
                body = mapping(written.value)
                yield unknown_release(written, text(body.get("name")), text(body.get("namespace")), why)
            elif is_selected(declared_release.body, selectors):
                yield self._rendered.render_release(declared_release, state)


def _environment_of(environment: str, rendering: Rendering, *, are_several: bool) -> str:
    """The environment of a release; with several clusters, `kubeContext` is part of its name."""
    names = (environment, rendering.destination if are_several else "")
    return "/".join(name for name in names if name)


def _given_values(
    body: Mapping[str, object], entry: Written, state: HelmfileState, tree: Tree
) -> tuple[Mapping[str, object], tuple[Absent, ...]]:
    """The `values` that a helmfile passes to one it includes, and those not in view."""
    notes: list[str] = []
    data = state_data(state.environment, state.values, hidden=bool(state.absent))
    listed = ((value, entry.place, True) for value in sequence(body.get("values")))
    entries = value_entries(listed, HelmfileTemplating(tree, state.folder, data, notes.append), "")
    return values_of(entries), (*entries.absent, *map(Absent, notes), *(state.absent if entries.layers else ()))


def referred_helmfiles(tree: Tree, files: Iterable[str]) -> frozenset[str]:
    """The files that helmfiles include as bases or helmfiles; they are not installed on their own."""
    from quotalint.gitops.helmfile.helmfile_states import written_references

    names: set[str] = set()
    for file in files:
        folder = posixpath.dirname(file)
        for path in written_references(tree, file):
            names.update(matching_files(tree, folder, path))
            below = join_path(folder, path)
            if tree.is_folder(below):
                names.update(matching_files(tree, below, "*.y*ml"), matching_files(tree, below, "*.y*ml.gotmpl"))
    return frozenset(names)
