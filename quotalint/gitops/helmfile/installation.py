"""The helmfiles of a repository → what each environment of each installs."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from quotalint.gitops.causes import OUTSIDE_VALUES, Cause
from quotalint.gitops.charts import Charts
from quotalint.gitops.helm import Layer, Parameter, Release
from quotalint.gitops.helmfile import HelmfileError
from quotalint.gitops.helmfile.absent import Absent, digested, guesses_of, outer_folder
from quotalint.gitops.helmfile.patching import patched
from quotalint.gitops.helmfile.raw_chart import raw_objects
from quotalint.gitops.helmfile.releases import DeclaredRelease, declared_releases, is_selected
from quotalint.gitops.helmfile.states import DEFAULT, State, Written, environment_names, load_state
from quotalint.gitops.helmfile.templates import Templating, state_data
from quotalint.gitops.helmfile.value_entries import matching_files, value_entries, values_of
from quotalint.gitops.kustomize.problems import MISSING, Problem
from quotalint.gitops.rendering import Rendering, Unseen
from quotalint.gitops.tree import Tree, join
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import mapping, sequence, text
from quotalint.kube.guess import CONTENT, Guess

_MOST_HELMFILES = 2000
_MOST_NESTED = 10


class Installed(NamedTuple):
    """What one release comes to."""

    environment: str
    """Empty: helmfile's `default`, the one of those who name none."""
    rendering: Rendering


class Installation(NamedTuple):
    """What a helmfile installs."""

    file: str
    releases: tuple[Installed, ...]
    files: frozenset[str]
    """The helmfiles and bases that it was read from."""
    failures: tuple[tuple[str, str], ...]
    """Environments that could not be read, and why."""


class Helmfiles:
    """Reads the helmfiles of one repository."""

    def __init__(self, tree: Tree, charts: Charts, folders: Sequence[str]) -> None:
        """`folders`: those of the charts of the repository."""
        self._tree = tree
        self._charts = charts
        self._folders = folders
        self._named: Mapping[str, tuple[str, ...]] | None = None
        self._left = _MOST_HELMFILES

    def installation(self, file: str) -> Installation:
        """What one helmfile installs, environment by environment."""
        releases: list[Installed] = []
        files = {file}
        failures = []
        environments = environment_names(self._tree, file)
        for environment in environments:
            found, why = self._attempt(file, environment)
            name = "" if environments == (DEFAULT,) else environment
            for read, renderings in found:
                files |= read
                releases += (Installed(name, one) for one in renderings)
            if why:
                failures.append((environment, why))
        return Installation(file, tuple(releases), frozenset(files), tuple(failures))

    def _attempt(self, file: str, environment: str) -> tuple[list[tuple[frozenset[str], list[Rendering]]], str]:
        """What could be read, and why not all."""
        found: list[tuple[frozenset[str], list[Rendering]]] = []
        try:
            found += self._of_environment(file, environment, (), {}, 0)
        except HelmfileError as error:
            return found, str(error)
        return found, ""

    def _of_environment(
        self,
        file: str,
        environment: str,
        selectors: Sequence[str],
        given: Mapping[str, object],
        depth: int,
        absent: tuple[Absent, ...] = (),
    ) -> Iterator[tuple[frozenset[str], list[Rendering]]]:
        """The files that were read and what they install, helmfile by helmfile."""
        self._left -= 1
        if depth > _MOST_NESTED or self._left < 0:
            raise HelmfileError("there are too many helmfiles in each other")
        state = load_state(self._tree, file, environment, given, absent=absent)
        yield state.files, list(self._releases(state, selectors))
        for entry in state.lists.get("helmfiles", ()):
            body = {"path": entry.value} if isinstance(entry.value, str) else mapping(entry.value)
            inner = tuple(map(text, sequence(body.get("selectors")))) or selectors
            for name in self._nested_files(state, text(body.get("path"))):
                if environment not in environment_names(self._tree, name):
                    continue  # helmfile passes over what does not know the environment
                values, unseen = _given_values(body, entry, state, self._tree)
                yield from self._of_environment(name, environment, inner, values, depth + 1, unseen)

    def _nested_files(self, state: State, path: str) -> list[str]:
        if "://" in path or "::" in path:
            raise HelmfileError(f"the helmfile {path} is remote")
        names = matching_files(self._tree, state.folder, path)
        folder = join(state.folder, path)
        if not names and self._tree.is_folder(folder):
            names = [
                *matching_files(self._tree, folder, "*.y*ml"),
                *matching_files(self._tree, folder, "*.y*ml.gotmpl"),
            ]
        return sorted(names)

    def _releases(self, state: State, selectors: Sequence[str]) -> Iterator[Rendering]:
        for found in declared_releases(state, self._tree):
            if isinstance(found, tuple) and not isinstance(found, DeclaredRelease):
                written, why = found
                body = mapping(written.value)
                yield _unknown(written, text(body.get("name")), text(body.get("namespace")), why)
            elif is_selected(found.body, selectors):
                yield self._rendered(found, state)

    def _rendered(self, found: DeclaredRelease, state: State) -> Rendering:
        body = found.body
        name, namespace = text(body.get("name")), _namespace(found, state)
        handler = text(body.get("missingFileHandler")) or text(state.body.get("missingFileHandler"))
        try:
            entries = value_entries(
                ((one.value, one.place, one.is_flat) for one in found.entries), found.templating, handler
            )
            chart, guess = self._chart(text(body.get("chart")), state)
            parameters = tuple(_parameters(found))
        except HelmfileError as error:
            return _unknown(found.written, name, namespace, str(error))
        release = Release(
            chart,
            name,
            namespace,
            parameters=parameters,
            file_parameters=tuple(_file_parameters(found, state)),
            api_versions=tuple(map(text, _either(found, state, "apiVersions"))),
            kube_version=_known(body.get("kubeVersion")) or _known(state.body.get("kubeVersion")),
            skip_crds=_either_flag(found, state, "skipCRDs"),
            layers=entries.layers,
            filled_in=state.layers,
        )
        secrets = (Absent(f"the values of {text(one)} are encrypted") for one in sequence(body.get("secrets")))
        absent = (*state.absent, *map(Absent, found.notes), *entries.absent, *secrets)
        guesses = (*([guess] if guess else []), *guesses_of(absent))
        rendering = self._given(release, found, entries.layers)
        try:
            rendering = patched(rendering, found)
        except HelmfileError as error:
            return _unknown(found.written, name, namespace, str(error))
        lost = tuple(digested(entries.layers, rendering.objects, outer_folder(absent))) if absent else ()
        guesses += lost
        objects = tuple(obj._replace(guesses=(*obj.guesses, *guesses)) for obj in rendering.objects)
        problems = (_for_want_of(problem, outer_folder(absent), name) for problem in rendering.problems)
        unseen = (
            *rendering.unseen,
            *(Unseen(namespace, f"{found.written.place.source}: {one.reason}") for one in lost),
        )
        return rendering._replace(objects=objects, problems=tuple(problems), unseen=unseen, namespace=namespace)

    def _given(self, release: Release, found: DeclaredRelease, layers: tuple[Layer, ...]) -> Rendering:
        if not self._charts.is_chart(release.chart):
            raw = raw_objects(layers, release, found.written.place) if release.chart.endswith("/raw") else None
            why = f"its chart {release.chart} is remote"
            return raw or _unknown(found.written, release.name, release.namespace, why)
        return self._charts.rendered(release, found.written.place)

    def _chart(self, written: str, state: State) -> tuple[str, Guess | None]:
        """The folder of a chart, or its name where it is remote, and what is guessed of it."""
        if not written:
            raise HelmfileError("it names no chart")
        folder = join(state.folder, written)
        if not posixpath.isabs(written) and self._charts.is_chart(folder):
            return self._tree.name(folder), None
        if written.startswith((".", "/")):
            raise HelmfileError(f"there is no chart {written}")
        name = written.rpartition("/")[2]
        alike = self._by_name().get(name, ())
        if len(alike) == 1:
            return alike[0], Guess(
                CONTENT,
                _taken_for(written, alike[0]),
                "give the chart by its path",
            )
        if name == "raw":
            return written, Guess(
                CONTENT,
                f"the chart {written} is not in view and is taken for one that prints `resources` of its values",
                "keep the chart in the repository",
            )
        return written, None

    def _by_name(self) -> Mapping[str, tuple[str, ...]]:
        if self._named is None:
            named: dict[str, tuple[str, ...]] = {}
            for folder in self._folders:
                reading = self._tree.reading(join(folder, "Chart.yaml"))
                body = mapping(reading.documents[0].value) if reading is not None and reading.documents else {}
                name = text(body.get("name")) or posixpath.basename(folder)
                named[name] = (*named.get(name, ()), folder)
            self._named = named
        return self._named


def _given_values(
    body: Mapping[str, object], entry: Written, state: State, tree: Tree
) -> tuple[Mapping[str, object], tuple[Absent, ...]]:
    """What a helmfile gives one that it includes, `values` in files or as maps, and what of it is not in view."""
    notes: list[str] = []
    data = state_data(state.environment, state.values, bool(state.absent))
    listed = ((one, entry.place, True) for one in sequence(body.get("values")))
    entries = value_entries(listed, Templating(tree, state.folder, data, notes.append), "")
    return values_of(entries), (*entries.absent, *map(Absent, notes), *(state.absent if entries.layers else ()))


def _namespace(found: DeclaredRelease, state: State) -> str:
    """That of the helmfile as a whole wins. Empty: whichever is current where helmfile is run."""
    return text(state.body.get("namespace")) or text(found.body.get("namespace"))


def _taken_for(written: str, folder: str) -> str:
    repository, above = written.rpartition("/")[0], posixpath.dirname(folder)
    if posixpath.basename(folder) == written.rpartition("/")[2]:
        return f"charts of {repository} are taken for those in {above or 'this folder'} that alone have their names"
    return f"the chart {written} of a server is taken for {folder}, the only one of that name here"


def _known(value: object) -> str:
    return "" if is_placeholder(value) else text(value)


def _either(found: DeclaredRelease, state: State, field: str) -> Sequence[object]:
    return sequence(found.body.get(field)) or [one.value for one in state.lists.get(field, ())]


def _either_flag(found: DeclaredRelease, state: State, field: str) -> bool:
    value = found.body.get(field)
    return (mapping(state.body.get("helmDefaults")).get(field) if value is None else value) is True


def _parameters(found: DeclaredRelease) -> Iterator[Parameter]:
    for field, is_string in (("setTemplate", False), ("set", False), ("setString", True)):
        for number, one in enumerate(map(mapping, sequence(found.body.get(field)))):
            place = found.written.below(one, field, number).place
            name = _escaped(text(one.get("name")))
            value = one.get("value")
            if isinstance(one.get("values"), list):
                items = ",".join(_escaped(_scalar(item)) for item in sequence(one.get("values")))
                yield Parameter(name, f"{{{items}}}", is_string, place)
            elif value is not None and value != "":
                yield Parameter(name, _escaped(_scalar(value)), is_string, place)


def _file_parameters(found: DeclaredRelease, state: State) -> Iterator[tuple[str, str]]:
    for one in map(mapping, sequence(found.body.get("set"))):
        if one.get("file") and not one.get("value"):
            yield text(one.get("name")), join(state.folder, text(one.get("file")))


def _scalar(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _escaped(value: str) -> str:
    """helmfile takes braces and commas as they are (pkg/state/state.go, escape)."""
    return value.replace("{", "\\{").replace("}", "\\}").replace(",", "\\,")


def _for_want_of(problem: Problem, folder: str, name: str) -> Problem:
    """Why a release is not rendered: where values of it lie in a folder elsewhere, most likely for want of them."""
    if not folder or problem.cause or problem.shared is not None:
        return problem
    return problem._replace(shared=Cause(OUTSIDE_VALUES, folder), subject=f"release {name}")


def _unknown(written: Written, name: str, namespace: str, why: str) -> Rendering:
    """A release that is not in view."""
    target = "" if is_placeholder(namespace) or "{{" in namespace else namespace
    reason = f"the release {name} of {written.place.source} is not rendered: {why}"
    problem = Problem(written.place, reason, MISSING, namespace=target)
    return Rendering(problems=(problem,), unseen=(Unseen(target, f"{written.place.source}: {reason}"),))


def referred_helmfiles(tree: Tree, files: Iterable[str]) -> frozenset[str]:
    """The files that others include, as bases or as helmfiles: they are installed with those."""
    from quotalint.gitops.helmfile.states import written_references

    found: set[str] = set()
    for file in files:
        folder = posixpath.dirname(file)
        for path in written_references(tree, file):
            found.update(matching_files(tree, folder, path))
            below = join(folder, path)
            if tree.is_folder(below):
                found.update(matching_files(tree, below, "*.y*ml"), matching_files(tree, below, "*.y*ml.gotmpl"))
    return frozenset(found)
