"""Renders the releases of a helmfile."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence

from quotalint.gitops.charts import Charts
from quotalint.gitops.helm import Parameter, Release, ValuesLayer
from quotalint.gitops.helm.chart_provenance import WrittenTemplate, WrittenValues
from quotalint.gitops.helm.value_layers import merge_layers
from quotalint.gitops.helmfile import HelmfileError
from quotalint.gitops.helmfile.absent import Absent, guess_digested_values, guesses_of, outer_folder
from quotalint.gitops.helmfile.helmfile_releases import DeclaredRelease
from quotalint.gitops.helmfile.helmfile_states import HelmfileState, Written
from quotalint.gitops.helmfile.patching import patch_release
from quotalint.gitops.helmfile.value_entries import value_entries
from quotalint.gitops.remote_sources import locate_chart
from quotalint.gitops.rendering import Rendering
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import mapping, sequence, text
from quotalint.kube.guess import CONTENT, Guess
from quotalint.kube.objects import Object, objects
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Derivation, Place
from quotalint.text.tree import Tree, join_path
from quotalint.unknowns.causes import HELMFILE_CHART, OUTSIDE_VALUES, Reason, SharedCause, cause_of
from quotalint.unknowns.problems import MISSING, Problem
from quotalint.unknowns.unseen import Unseen

_DIGEST = lazy_pattern(r"@sha(?:256|512):[0-9a-f]+$")


def _without_digest(chart: str) -> str:
    """The chart reference without its digest. Other uses of `@` are kept, as in `git@`."""
    return _DIGEST.sub("", chart)


class Releases:
    """Renders releases, whose chart is a chart or a folder of manifests."""

    def __init__(
        self, tree: Tree, charts: Charts, folders: Sequence[str], manifests: Callable[[str], Rendering]
    ) -> None:
        """`folders` are the repository's chart folders; `manifests` renders any other folder."""
        self._tree = tree
        self._charts = charts
        self._folders = folders
        self._manifests = manifests
        self._named: Mapping[str, tuple[str, ...]] | None = None

    def render_release(self, declared_release: DeclaredRelease, state: HelmfileState) -> Rendering:
        """The rendering of a release; its destination is the cluster of its `kubeContext`."""
        return self._render_declared(declared_release, state)._replace(
            destination=_kube_context(declared_release, state)
        )

    def _render_declared(self, declared_release: DeclaredRelease, state: HelmfileState) -> Rendering:
        body = declared_release.body
        name, namespace = text(body.get("name")), _release_namespace(declared_release, state)
        handler = text(body.get("missingFileHandler")) or text(state.body.get("missingFileHandler"))
        try:
            entries = value_entries(_value_files(declared_release), declared_release.templating, handler)
            chart, guess = self._chart_folder(_chart_of(declared_release, state), text(body.get("version")), state)
            parameters = tuple(_set_parameters(declared_release))
        except HelmfileError as error:
            return unknown_release(declared_release.written, name, namespace, str(error))
        release = Release(
            chart,
            name,
            namespace,
            parameters=parameters,
            file_parameters=tuple(_file_parameters(declared_release, state)),
            api_versions=tuple(map(text, _own_or_default(declared_release, state, "apiVersions"))),
            kube_version=_known_text(body.get("kubeVersion")) or _known_text(state.body.get("kubeVersion")),
            skip_schema=_either_flag(declared_release, state, "skipSchemaValidation"),
            skip_crds=_either_flag(declared_release, state, "skipCRDs"),
            layers=entries.layers,
            filled_in=state.layers,
        )
        secrets = (Absent(f"the values of {text(secret)} are encrypted") for secret in sequence(body.get("secrets")))
        absent = (
            *state.absent,
            *map(Absent, declared_release.notes),
            *entries.absent,
            *secrets,
            *_external_values(declared_release, state),
        )
        guesses = (*([guess] if guess else []), *guesses_of(absent))
        release = release._replace(lacks_values=bool(absent or guess))
        rendering = self._render_chart(release, declared_release, entries.layers)
        try:
            rendering = patch_release(rendering, declared_release, mapping(state.body.get("helmDefaults")))
        except HelmfileError as error:
            return unknown_release(declared_release.written, name, namespace, str(error))
        digested = (
            tuple(guess_digested_values(entries.layers, rendering.objects, outer_folder(absent))) if absent else ()
        )
        guesses += digested
        objects = tuple(obj._replace(guesses=(*obj.guesses, *guesses)) for obj in rendering.objects)
        problems = (_with_values_cause(problem, outer_folder(absent), name) for problem in rendering.problems)
        unseen = (
            *rendering.unseen,
            *(Unseen(namespace, f"{declared_release.written.place.source}: {hidden.reason}") for hidden in digested),
        )
        return rendering._replace(objects=objects, problems=tuple(problems), unseen=unseen, namespace=namespace)

    def _render_chart(
        self, release: Release, declared_release: DeclaredRelease, layers: tuple[ValuesLayer, ...]
    ) -> Rendering:
        if not self._charts.is_chart(release.chart) and self._tree.is_folder(release.chart):
            return self._manifests(release.chart)
        if not self._charts.is_chart(release.chart):
            raw = (
                raw_objects(layers, release, declared_release.written.place) if release.chart.endswith("/raw") else None
            )
            chart = _without_digest(release.chart)
            short = chart.rpartition("/")[2] if "://" in chart else chart
            why = Reason(f"its chart {chart} is remote", HELMFILE_CHART, short)
            return raw or unknown_release(declared_release.written, release.name, release.namespace, why)
        return self._charts.render_chart(release, declared_release.written.place)

    def _chart_folder(self, written: str, version: str, state: HelmfileState) -> tuple[str, Guess | None]:
        """The folder of a chart, or its name if it is remote; and the guess behind that."""
        if not written:
            raise HelmfileError("it names no chart")
        folder = join_path(state.folder, written)
        if not posixpath.isabs(written) and self._charts.is_chart(folder):
            return self._tree.canonical_name(folder), None
        if not posixpath.isabs(written) and self._tree.is_folder(folder):
            return self._tree.canonical_name(folder), None  # a folder of manifests or a kustomization
        if written.startswith((".", "/")):
            raise HelmfileError(f"there is no chart {written}")
        vendored = locate_chart(*_address_of(_without_digest(written), state), version, self._tree)
        if isinstance(vendored, Reason):
            raise HelmfileError(vendored)
        if vendored:
            return vendored, None
        name = _without_digest(written).rpartition("/")[2]
        alike = self._by_name().get(name, ())
        if len(alike) == 1:
            return alike[0], Guess(
                CONTENT,
                _assumed_chart_reason(written, alike[0]),
                "give the chart by its path",
            )
        if name == "raw":
            return written, Guess(
                CONTENT,
                f"the chart {written} is not in view and is assumed to print `resources` of its values",
                "keep the chart in the repository",
            )
        return written, None

    def _by_name(self) -> Mapping[str, tuple[str, ...]]:
        if self._named is None:
            named: dict[str, tuple[str, ...]] = {}
            for folder in self._folders:
                reading = self._tree.reading(join_path(folder, "Chart.yaml"))
                body = mapping(reading.documents[0].value) if reading is not None and reading.documents else {}
                name = text(body.get("name")) or posixpath.basename(folder)
                named[name] = (*named.get(name, ()), folder)
            self._named = named
        return self._named


def _address_of(chart: str, state: HelmfileState) -> tuple[str, str]:
    """The URL of a chart's repository, and the chart's name there; empty texts if the helmfile does not name it."""
    repository, _, name = chart.rpartition("/") if "://" in chart else chart.partition("/")
    if "://" in repository:
        return repository, name
    for entry in (mapping(written.value) for written in state.lists.get("repositories", ())):
        if text(entry.get("name")) == repository:
            url = text(entry.get("url"))
            return f"oci://{url}" if entry.get("oci") is True and "://" not in url else url, name
    return "", ""


def _release_namespace(declared_release: DeclaredRelease, state: HelmfileState) -> str:
    """The namespace of a release; the helmfile's own overrides it. Empty: the current one when helmfile runs."""
    return text(state.body.get("namespace")) or text(declared_release.body.get("namespace"))


def _assumed_chart_reason(written: str, folder: str) -> str:
    repository, above = written.rpartition("/")[0], posixpath.dirname(folder)
    if posixpath.basename(folder) == written.rpartition("/")[2]:
        return f"charts of {repository} are assumed to be the only ones with the same names in {above or 'this folder'}"
    return f"the chart {written} of a server is assumed to be {folder}, the only one of that name here"


def _known_text(value: object) -> str:
    return "" if is_placeholder(value) else text(value)


def _kube_context(declared_release: DeclaredRelease, state: HelmfileState) -> str:
    """The kubectl context with which a release is installed."""
    environment = mapping(state.environments.get(state.environment))
    defaults = mapping(state.body.get("helmDefaults"))
    sources = (declared_release.body, environment, defaults, state.body)
    return next((name for body in sources if (name := text(body.get("kubeContext")))), "")


def _chart_of(declared_release: DeclaredRelease, state: HelmfileState) -> str:
    """The chart of a release, `directory` being an alias; the helmfile's own overrides it."""
    return (
        text(state.body.get("chart"))
        or text(declared_release.body.get("chart"))
        or text(declared_release.body.get("directory"))
    )


def _value_files(declared_release: DeclaredRelease) -> Iterator[tuple[object, Place, bool]]:
    prefix = text(declared_release.body.get("valuesPathPrefix"))
    for entry in declared_release.entries:
        yield (f"{prefix}{entry.value}" if isinstance(entry.value, str) else entry.value), entry.place, entry.is_flat


def _external_values(declared_release: DeclaredRelease, state: HelmfileState) -> Iterator[Absent]:
    """Values from helm's command line or from environment variables, which are not in view."""
    defaults = mapping(state.body.get("helmDefaults"))
    for argument in (*sequence(defaults.get("args")), *sequence(defaults.get("syncArgs"))):
        name = text(argument).partition("=")[0]
        if name in _GIVING:
            yield Absent(f"`helmDefaults.args` give values with {name}")
    for variable in map(mapping, sequence(declared_release.body.get("env"))):
        yield Absent(f"the environment variable {text(variable.get('value'))} is not known here")


_GIVING = ("--set", "--set-string", "--set-file", "--set-json", "--set-literal", "--values", "-f", "--post-renderer")


def _own_or_default(declared_release: DeclaredRelease, state: HelmfileState, field: str) -> Sequence[object]:
    return sequence(declared_release.body.get(field)) or [layer.value for layer in state.lists.get(field, ())]


def _either_flag(declared_release: DeclaredRelease, state: HelmfileState, field: str) -> bool:
    value = declared_release.body.get(field)
    return (mapping(state.body.get("helmDefaults")).get(field) if value is None else value) is True


def _set_parameters(declared_release: DeclaredRelease) -> Iterator[Parameter]:
    for field, is_string in (("setTemplate", False), ("set", False), ("setString", True)):
        for number, entry in enumerate(map(mapping, sequence(declared_release.body.get(field)))):
            place = declared_release.written.written_below(entry, field, number).place
            name = _escape_value(text(entry.get("name")))
            value = entry.get("value")
            if isinstance(entry.get("values"), list):
                items = ",".join(_escape_value(_scalar_text(item)) for item in sequence(entry.get("values")))
                yield Parameter(name, f"{{{items}}}", is_string, place)
            elif value is not None and value != "":
                yield Parameter(name, _escape_value(_scalar_text(value)), is_string, place)


def _file_parameters(declared_release: DeclaredRelease, state: HelmfileState) -> Iterator[tuple[str, str]]:
    for assignment in map(mapping, sequence(declared_release.body.get("set"))):
        if assignment.get("file") and not assignment.get("value"):
            yield text(assignment.get("name")), join_path(state.folder, text(assignment.get("file")))


def _scalar_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _escape_value(value: str) -> str:
    """A value with braces and commas escaped, which helmfile takes literally (pkg/state/state.go, escape)."""
    return value.replace("{", "\\{").replace("}", "\\}").replace(",", "\\,")


def _with_values_cause(problem: Problem, folder: str, name: str) -> Problem:
    """The problem of a release that is not rendered. If values of it are in a folder elsewhere, that is the probable
    cause."""
    if not folder or problem.cause or problem.shared is not None:
        return problem
    return problem._replace(shared=SharedCause(OUTSIDE_VALUES, folder), subject=f"release {name}")


def unknown_release(written: Written, name: str, namespace: str, why: str) -> Rendering:
    """The rendering of a release that is not in view."""
    target = "" if is_placeholder(namespace) or "{{" in namespace else namespace
    reason = f"the release {name} of {written.place.source} is not rendered: {why}"
    shared = cause_of(why)
    subject = f"release {name}" if shared is not None else ""
    return Rendering().lacking(
        Problem(written.place, reason, MISSING, namespace=target, shared=shared, subject=subject)
    )


def raw_objects(layers: tuple[ValuesLayer, ...], release: Release, asked: Place) -> Rendering | None:
    """The rendering of a `raw` chart, which prints its values; None if the values do not have that form."""
    values = merge_layers(tuple(layer.values for layer in layers))
    if set(values) - {"resources"} or not values:
        return None
    chart_objects = tuple(_objects(values["resources"], WrittenValues(layers, release.filled_in), asked))
    return Rendering(chart_objects, namespace=release.namespace, folder=release.chart)


def _objects(resources: object, written: WrittenValues, asked: Place) -> Iterator[Object]:
    template = WrittenTemplate(asked, (), ())
    listed = sequence(resources) if isinstance(resources, list) else list(mapping(resources).values())
    for document in listed:
        for obj in objects(document, asked._replace(path=())):
            body = mapping(obj.body)
            derivation = Derivation(written.origin_of(body, template), len(obj.place.path), (asked,))
            yield obj._replace(place=obj.place._replace(made=derivation), body=body)
