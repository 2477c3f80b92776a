"""Runs Kustomize for one repository. Imported on first use, because it is half of all code."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Set
from functools import partial

from quotalint.gitops.charts import Charts
from quotalint.gitops.helm import Release, ValuesLayer
from quotalint.gitops.helm.value_layers import ValuesError, file_layer
from quotalint.gitops.kustomize.build import Builder
from quotalint.gitops.kustomize.kustomization import Kustomization
from quotalint.gitops.kustomize.kustomize_resource import Resource, resource_of
from quotalint.gitops.kustomize.traced import Traced, child
from quotalint.gitops.kustomize.work import Built, HelmChart
from quotalint.gitops.remote_sources import locate_chart
from quotalint.gitops.rendering import RecordedRendering, Rendering, object_of, rendering_of
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.objects import objects
from quotalint.runtime.faults import attempt
from quotalint.runtime.recall import memory_in_use
from quotalint.text.place import Place, Whole
from quotalint.text.tree import ANYTHING, CHART, Tree, join_path
from quotalint.unknowns.causes import REMOTE_CHART, Reason, cause_of
from quotalint.unknowns.problems import EXPENSIVE, MISSING, Problem


class Renderer:
    """Renders folders, and overlays that Flux and Argo CD put on them."""

    def __init__(self, tree: Tree, charts: Charts, which: str, earlier: Renderer | None = None) -> None:
        """`which` is the setting `renderers.kustomize`. `earlier` is the last look's renderer, without results of
        changed files."""
        self._tree = tree
        self._which = which
        self._builder = Builder(tree, chart_inflater(tree, charts))
        if earlier is not None:
            self._builder.take_over(earlier._builder)
        self._build = build_with(which, self._builder, tree)

    def kustomization(self, folder: str) -> Rendering:
        """The rendering of a folder's kustomization."""
        return self._attempt_render(partial(self.render_again, None, folder), folder)

    def overlay(self, over: Kustomization, folder: str) -> Rendering:
        """The rendering of a kustomization that is not a file."""
        return self._attempt_render(partial(self.render_again, over, folder), folder)

    def render_again(self, over: Kustomization | None, folder: str) -> Rendering:
        """The rendering of a folder, optionally with an overlay. Raises if it exceeds the limits."""
        build = partial(self._recorded_rendering, over, folder)
        # The output of an external program may differ next time.
        if memory_in_use() is None or (over is None and self._which == "binary"):
            return build().rendering
        from quotalint.gitops.remembered_builds import remembered_rendering

        return remembered_rendering(self._tree, over, folder, build)

    def _recorded_rendering(self, over: Kustomization | None, folder: str) -> RecordedRendering:
        with self._tree.recording_reads() as names:
            built = self._build(folder) if over is None else self._builder.overlay(over, folder)
            rendering = _rendering_of(built, folder)
        return RecordedRendering(frozenset(names), rendering)

    def forget(self, names: Set[str]) -> None:
        """Drop results that read these files."""
        self._builder.forget(names)

    def forget_paths(self, paths: Set[str]) -> None:
        """Drop results that read these real paths, which were added, removed or edited."""

        def is_changed(name: str) -> bool:
            return name == ANYTHING or name.startswith(CHART) or self._tree.real_path_of(name) in paths

        self._builder.forget_changed(is_changed)

    def _attempt_render(self, render: Callable[[], Rendering], folder: str) -> Rendering:
        def instead(reason: str, is_expensive: bool) -> Rendering:
            return _rendering_of(nothing_built(self._tree, folder, reason, judged=not is_expensive), folder)

        return attempt("rendering", folder or ".", render, instead)


def _rendering_of(built: Built, folder: str) -> Rendering:
    objects = tuple(object_of(resource) for resource in built.resources if resource.id.kind.version)
    return rendering_of(objects, built.problems, built.used, folder)


# The three ways to build kustomizations: built-in, external program, or off (`renderers.kustomize`).
Build = Callable[[str], Built]


def build_with(renderer: str, builder: Builder, tree: Tree) -> Build:
    """The function that builds a folder: `builtin` or its alias `auto`, `binary`, or `off`. Programs on PATH are used
    only with `binary`."""
    if renderer == "off":
        return lambda folder: nothing_built(tree, folder, "`renderers.kustomize` is off")
    return _Program(tree).build_folder if renderer == "binary" else builder.build


def nothing_built(tree: Tree, folder: str, reason: str, *, judged: bool = True) -> Built:
    """The build of a folder that was not rendered, with the reason only."""
    names = tree.kustomizations(folder)
    place = Place(names[0] if names else folder)
    problem = Problem(place, f"the kustomization is not rendered: {reason}", MISSING)
    if not judged:
        problem = Problem(place, f"{reason} ({folder or '.'})", MISSING, cause=EXPENSIVE)
    return Built((), (problem,), frozenset({folder}))


class _Program:
    """The program `kustomize` or `kubectl`, located on first use."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._command: tuple[str, ...] | None = None
        self._looked = False

    def build_folder(self, folder: str) -> Built:
        """The program's output for a folder. Its objects have no lines, only the place of the kustomization."""
        from quotalint.gitops.kustomize_program import find_program, run_build

        if not self._looked:
            self._command, self._looked = find_program(self._tree.root), True
        if self._command is None:
            return nothing_built(self._tree, folder, "it needs the program `kustomize` or `kubectl` on PATH")
        printed = run_build(self._tree.real_path_of(folder), self._tree.root, self._command)
        if printed.error:
            return nothing_built(self._tree, folder, printed.error)
        names = self._tree.kustomizations(folder)
        place = Place(names[0] if names else folder)
        resources: list[Resource] = [
            resource_of(Traced(obj.body, Whole(place)))
            for document in printed.documents
            for obj in objects(document, place)
        ]
        return Built(tuple(resources), (), frozenset({folder, *names}))


# `helmCharts` of a kustomization, for charts in the repository (api/types/helmchartargs.go).
def chart_inflater(tree: Tree, charts: Charts) -> HelmChart:
    """The function that renders an entry of `helmCharts`."""

    def render(entry: Traced, kustomization: Kustomization, namespace: str) -> tuple[list[Resource], list[Problem]]:
        body = mapping(entry.value)
        folder = posixpath.dirname(kustomization.name)
        chart = _chart_folder(body, kustomization.body, folder, tree)
        name = text(body.get("name"))
        if not chart or isinstance(chart, Reason):
            where = text(body.get("repo"))
            reason = chart or (
                Reason(f"the chart {name} is remote ({where})", REMOTE_CHART, name)
                if where
                else f"there is no chart {name}"
            )
            problem = Problem(entry.place, reason, MISSING, namespace=namespace)
            shared = cause_of(reason)
            return [], [problem._replace(shared=shared, subject=f"chart {name}") if shared else problem]
        release = Release(
            chart,
            text(body.get("releaseName")) or "release-name",
            text(body.get("namespace")) or namespace,
            kube_version=text(body.get("kubeVersion")),
            api_versions=tuple(map(text, sequence(body.get("apiVersions")))),
            skip_crds=body.get("includeCRDs") is not True,
            skip_hooks=body.get("skipHooks") is True,
            without_cluster=True,
        )
        try:
            release = release._replace(layers=tuple(_value_layers(entry, folder, chart, tree)))
        except ValuesError as error:
            reason = f"the chart {chart} (release {release.name}) is not rendered: {error}"
            return [], [Problem(entry.place, reason, MISSING, namespace=namespace)]
        tree.record_reads((CHART + chart,))
        rendered = charts.render_chart(release, entry.place)
        problems = [problem._replace(namespace=namespace) for problem in rendered.problems]
        return [resource_of(Traced(obj.body, obj.place.origin)) for obj in rendered.objects], problems

    return render


def _value_layers(entry: Traced, folder: str, chart: str, tree: Tree) -> Iterator[ValuesLayer]:
    """The values of an entry (kustomize api/internal/builtins/HelmChartInflationGenerator.go). Inline values are merged
    with the values file, by default the chart's own; additional files override both."""
    body = mapping(entry.value)
    inline, how = child(entry, "valuesInline"), text(body.get("valuesMerge")) or "override"
    if how not in ("override", "merge", "replace"):
        raise ValuesError(f"valuesMerge must be merge, override or replace, not {how}")
    own = text(body.get("valuesFile"))
    file = join_path(folder, own) if own else join_path(chart, "values.yaml")
    layers = [file_layer(file, tree.reading(file))] if own or tree.is_file(file) else []
    if inline is not None and mapping(inline.value):
        written = ValuesLayer(mapping(inline.value), inline.place)
        layers = [written] if how == "replace" else [written, *layers] if how == "merge" else [*layers, written]
    yield from layers
    for name in map(text, sequence(body.get("additionalValuesFiles"))):
        yield file_layer(join_path(folder, name), tree.reading(join_path(folder, name)))


def _chart_folder(entry: Body, kustomization: Body, folder: str, tree: Tree) -> str:
    """The folder of the chart; empty if it is not in the repository, a Reason if what is vendored must not count."""
    home = text(dig(kustomization, "helmGlobals", "chartHome")) or text(entry.get("chartHome")) or "charts"
    name, version = text(entry.get("name") or entry.get("chartName")), text(entry.get("version"))
    pulled = [f"{home}/{name}-{version}/{name}"] if version else []
    places = (join_path(folder, path) for path in (*pulled, f"{home}/{name}"))
    place = next((place for place in places if name and tree.is_file(join_path(place, "Chart.yaml"))), "")
    return place or locate_chart(text(entry.get("repo")).rstrip("/"), name, version, tree)
