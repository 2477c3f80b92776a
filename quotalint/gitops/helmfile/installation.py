"""The helmfiles of a repository → what each environment of each installs."""

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
from quotalint.gitops.tree import Tree, join_path, matching_files
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.named_tuples import NamedTuple


class Heritage(NamedTuple):
    """Fields of a helmfile that another one takes where it says nothing itself."""

    body: Body
    api_versions: tuple[Written, ...]
    environment: Inheritance | None
    """The values of its environment."""


NOTHING = Heritage({}, (), None)
_MAPS = ("helmDefaults", "commonLabels", "templates")


def heritage_of(state: HelmfileState, wanted: tuple[str, ...]) -> Heritage:
    """What a helmfile hands down of what is wanted."""
    body = {name: state.body[name] for name in (*_MAPS, "kubeVersion") if name in wanted and name in state.body}
    values = Inheritance(state.values, state.layers, state.absent) if "environments" in wanted else None
    return Heritage(body, state.lists.get("apiVersions", ()) if "apiVersions" in wanted else (), values)


def inherit_state(state: HelmfileState, heritage: Heritage) -> HelmfileState:
    """A helmfile with what it inherits besides values: what it says itself wins."""
    body = dict(state.body)
    for name in _MAPS:
        if name in heritage.body:
            body[name] = {**mapping(heritage.body[name]), **mapping(body.get(name))}
    if not text(body.get("kubeVersion")) and "kubeVersion" in heritage.body:
        body["kubeVersion"] = heritage.body["kubeVersion"]
    lists = dict(state.lists)
    if heritage.api_versions:
        lists["apiVersions"] = (*heritage.api_versions, *lists.get("apiVersions", ()))
    return state._replace(body=body, lists=lists)


_MOST_HELMFILES = 2000
_MOST_NESTED = 10


class Installed(NamedTuple):
    """What one release comes to."""

    environment: str
    """Empty: helmfile's `default`, the one of those who name none."""
    rendering: Rendering


class Installation(NamedTuple):
    """What a helmfile installs."""

    releases: tuple[Installed, ...]
    files: frozenset[str]
    """The helmfiles and bases that it was read from."""
    failures: tuple[tuple[str, str], ...]
    """Environments that could not be read, and why."""


class Helmfiles:
    """Reads the helmfiles of one repository."""

    def __init__(
        self,
        tree: Tree,
        charts: Charts,
        folders: Sequence[str],
        manifests: Callable[[str], Rendering] = lambda folder: Rendering(folder=folder),
    ) -> None:
        """`folders`: those of the charts of the repository; `manifests` gives the objects of any other folder."""
        self._tree = tree
        self._rendered = Releases(tree, charts, folders, manifests)
        self._left = _MOST_HELMFILES

    def installation(self, file: str) -> Installation:
        """What one helmfile installs, environment by environment."""
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
        """What could be read, and why not all."""
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
        heritage: Heritage = NOTHING,
    ) -> Iterator[tuple[frozenset[str], list[Rendering]]]:
        """The files that were read and what they install, helmfile by helmfile."""
        self._left -= 1
        if depth > _MOST_NESTED or self._left < 0:
            raise HelmfileError("too many helmfiles include each other")
        state = inherit_state(
            load_state(self._tree, file, environment, overriding, absent=absent, before=heritage.environment), heritage
        )
        yield state.files, list(self._render_releases(state, selectors))
        for entry in state.lists.get("helmfiles", ()):
            body = {"path": entry.value} if isinstance(entry.value, str) else mapping(entry.value)
            own = "selectors" in body and body.get("selectorsInherited") is not True
            inner = tuple(map(text, sequence(body.get("selectors")))) if own else selectors
            heritage = heritage_of(state, tuple(map(text, sequence(body.get("inherits")))))
            for name in self._nested_files(state, text(body.get("path"))):
                is_given = bool(body.get("values")) or heritage.environment is not None
                if not is_for(self._tree, name, environment, is_given_values=is_given):
                    continue  # helmfile passes over what does not know the environment
                values, unseen = _given_values(body, entry, state, self._tree)
                yield from self._of_environment(name, environment, inner, values, depth + 1, unseen, heritage)

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
    """The environment that a release belongs to: those of several clusters (`kubeContext`) are apart."""
    names = (environment, rendering.destination if are_several else "")
    return "/".join(name for name in names if name)


def _given_values(
    body: Mapping[str, object], entry: Written, state: HelmfileState, tree: Tree
) -> tuple[Mapping[str, object], tuple[Absent, ...]]:
    """What a helmfile gives one that it includes, `values` in files or as maps, and what of it is not in view."""
    notes: list[str] = []
    data = state_data(state.environment, state.values, hidden=bool(state.absent))
    listed = ((value, entry.place, True) for value in sequence(body.get("values")))
    entries = value_entries(listed, HelmfileTemplating(tree, state.folder, data, notes.append), "")
    return values_of(entries), (*entries.absent, *map(Absent, notes), *(state.absent if entries.layers else ()))


def referred_helmfiles(tree: Tree, files: Iterable[str]) -> frozenset[str]:
    """The files that others include, as bases or as helmfiles: they are installed with those."""
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
