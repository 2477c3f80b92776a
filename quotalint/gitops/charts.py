"""Renders the repository's Helm charts into objects that know their template and values."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from quotalint.gitops.rendering import Rendering
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import dig, mapping, sequence, text
from quotalint.kube.guess import CONTENT, VERSION, Guess
from quotalint.kube.kinds import is_surely_served
from quotalint.kube.objects import Object, objects
from quotalint.text.documents import parts
from quotalint.text.guards import why_content_is_elsewhere
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Derivation, Path, Place
from quotalint.text.progress import Tell, tell_nobody
from quotalint.text.tree import ANYTHING, Tree, join_path
from quotalint.text.words import list_some
from quotalint.unknowns.causes import ABSENT_FOLDER, Reason, cause_of
from quotalint.unknowns.problems import HELM, LIBRARY, MISSING, REFUSED_CHART, Problem
from quotalint.unknowns.unseen import Unseen

if TYPE_CHECKING:
    from quotalint.gitops.helm import Release, RenderedChart, ValuesLayer
    from quotalint.gitops.helm.chart_provenance import WrittenTemplate, WrittenValues
    from quotalint.gitops.helm.library import Library
    from quotalint.gitops.helm.partial import PartialChart
    from quotalint.gitops.helm.program import Program
    from quotalint.gitops.helm.value_layers import BrokenFile

# Hooks that run on deletion or rollback; they compete with nothing at installation.
_NOT_AT_INSTALL = ("pre-delete", "post-delete", "pre-rollback", "post-rollback")

_LIMITS = lazy_pattern(r"kind[\"']?: *[\"']?(?:ResourceQuota|LimitRange)\b")
# Cluster lookups give different results here (pkg/engine/lookup_func.go: nothing without a cluster).
_LOOKS_UP = lazy_pattern(r"""\blookup\s+["'`(.$]""")
_ASKS_CLUSTER = lazy_pattern(r"\blookup\b|\.Capabilities\b")
_ASKS_VERSIONS = lazy_pattern(r"\.Capabilities\.APIVersions\b")
_KIND = lazy_pattern(r"(?m)^[ -]*kind: *(.*?) *$")
_HARMLESS = frozenset(
    (
        *("ClusterRole", "ClusterRoleBinding", "ConfigMap", "Ingress", "NetworkPolicy", "PodDisruptionBudget"),
        *("PodMonitor", "PrometheusRule", "Role", "RoleBinding", "Secret", "ServiceAccount", "ServiceMonitor"),
    )
)
_NAMED = 3
"""How many templates that are left out a message names."""
_UNPARSABLE = "parse error at "
_COMMENT = lazy_pattern(r"\{\{-?\s*/\*")
NOT_INSTALLED = "it needs Helm's library (`pip install 'quotalint[helm]'`)"


class Charts:
    """Renders the charts of one repository, each release once."""

    def __init__(
        self,
        tree: Tree,
        kube_version: str,
        which: str = "auto",
        find: Callable[[], str | None] | None = None,
        tell: Tell = tell_nobody,
    ) -> None:
        """`which` is the setting `renderers.helm`: auto (the library if installed), sdk, program or off. `find` returns
        the program's path."""
        self._tree = tree
        self._kube_version = kube_version
        self._which = which
        self._find = find
        self._tell = tell
        self._missing: str | None = None
        self._program: Program | None = None
        self._library: Library | None = None
        self._rendered: dict[str, RenderedChart] = {}
        self.deployed_charts: set[str] = set()
        """The folders of charts that something deploys, rendered or not."""
        self._limiting: dict[str, bool] = {}

    def is_chart(self, folder: str) -> bool:
        return self._tree.is_file(join_path(folder, "Chart.yaml"))

    def render_chart(self, release: Release, asked: Place) -> Rendering:
        """The rendering of a release. Its paths are names in the tree; `asked` is the place that declares it."""
        self.deployed_charts.add(release.chart)
        self._tree.record_reads((ANYTHING,))
        missing = self._renderer_missing
        if not self.is_chart(release.chart):
            return self._failed_rendering(release, asked, self._why_no_chart(release.chart), "")
        if missing:
            cause = LIBRARY if missing == NOT_INSTALLED else HELM
            return self._failed_rendering(release, asked, missing, cause, writes_limits=self._writes_limits(release))
        from quotalint.gitops.helm.partial import render_partially
        from quotalint.gitops.helm.value_layers import ValuesError, given_layers

        try:
            for name in release.values_files:
                elsewhere = why_content_is_elsewhere(self._tree.data(name) or b"")
                if elsewhere:
                    raise ValuesError(f"{name} is {elsewhere}")
            layers = given_layers(release, self._tree.reading, asked)
            part = render_partially(
                release,
                lambda of: self._render_layers(of, layers),
                lambda name: self._is_template(release.chart, name),
                lambda: self._needs_dependencies(release.chart),
            )
            rendered = part.rendered
        except ValuesError as error:
            broken = error.broken if error.broken is not None and self._is_plain(error.broken.place.source) else None
            return self._failed_rendering(
                release,
                asked,
                str(error),
                REFUSED_CHART if broken is not None else "",
                writes_limits=self._writes_limits(release),
                broken=broken,
            )
        if rendered.error:
            is_refused = rendered.is_refused and (
                # A template that cannot be parsed fails with any values and in any cluster.
                rendered.error.startswith(_UNPARSABLE)
                or not (release.lacks_values or self._is_in_templates(_ASKS_CLUSTER, release.chart))
            )
            cause = REFUSED_CHART if is_refused else ""
            return self._failed_rendering(
                release, asked, rendered.error, cause, writes_limits=self._writes_limits(release)
            )
        release_objects = tuple(self._rendered_objects(rendered, release, layers, asked))
        folders, used = frozenset({release.chart}), frozenset(release.values_files)
        rendering = Rendering(
            release_objects, (), (), folders, used, release.namespace or "default", folder=release.chart
        )
        return rendering.lacking(*self._missing_parts(part, release, asked))

    def _missing_parts(self, part: PartialChart, release: Release, asked: Place) -> Iterator[Problem]:
        """What is not rendered of a chart that is rendered in part."""
        subject = f"release {release.name}"
        problem = Problem(
            asked,
            f"the chart {release.chart or '.'} ({subject}) is rendered in part: ",
            MISSING,
            namespace="" if is_placeholder(release.namespace) else release.namespace,
            subject=subject,
        )
        if part.missing:
            yield problem._replace(reason=problem.reason + part.missing, shared=cause_of(part.missing))
        if part.left_out:
            names = [join_path(release.chart, name) for name in part.left_out]
            why = f"{list_some(names, _NAMED)} {'is' if len(names) == 1 else 'are'} left out: {part.error}"
            yield problem._replace(
                reason=problem.reason + why,
                limits=self._is_in_files(_LIMITS, names),
                only=_harmless_kinds([self._tree.data(name) or b"" for name in names]),
            )

    def _is_template(self, chart: str, name: str) -> bool:
        """Whether an error names a template that may be left out; its text is not trusted."""
        is_plain = name == posixpath.normpath(name) and name.startswith(("templates/", "charts/"))
        return is_plain and not posixpath.basename(name).startswith("_") and self._tree.is_file(join_path(chart, name))

    def _needs_dependencies(self, chart: str) -> bool:
        """Whether a chart takes values of its own from dependencies."""
        bodies = (self._file_body(join_path(chart, name)) for name in ("Chart.yaml", "requirements.yaml"))
        return any("import-values" in mapping(entry) for body in bodies for entry in sequence(body.get("dependencies")))

    def _why_no_chart(self, folder: str) -> str:
        if self._tree.is_folder(folder):
            return "there is no chart in the folder"
        return Reason(f"there is no folder {folder} in this repository", ABSENT_FOLDER, folder)

    def _writes_limits(self, release: Release) -> bool:
        """Whether a chart's templates or a release's values define a quota or LimitRange."""
        if release.chart not in self._limiting:
            self._limiting[release.chart] = self._is_in_templates(_LIMITS, release.chart)
        written = repr([layer.values for layer in release.layers] + [release.values])
        values_have_limits = _LIMITS.search(written) is not None or self._is_in_files(_LIMITS, release.values_files)
        return values_have_limits or self._limiting[release.chart]

    def _is_in_templates(self, pattern: re.Pattern[str], chart: str) -> bool:
        return self._is_in_files(pattern, self._tree.files(chart, lambda name: "/templates/" in name, lambda _: True))

    def _is_in_files(self, pattern: re.Pattern[str], names: Iterable[str]) -> bool:
        return any(pattern.search((self._tree.data(name) or b"").decode(errors="replace")) for name in names)

    def _is_plain(self, name: str) -> bool:
        """Whether a file is read by Helm as it is: not a template, encrypted or a pointer."""
        data = self._tree.data(name) or b""
        return not why_content_is_elsewhere(data) and not any(mark in data for mark in (b"{{", b"{%", b"#@"))

    def _failed_rendering(
        self,
        release: Release,
        asked: Place,
        why: str,
        cause: str,
        *,
        writes_limits: bool = False,
        broken: BrokenFile | None = None,
    ) -> Rendering:
        subject = f"release {release.name}"
        reason = f"the chart {release.chart or '.'} ({subject}) is not rendered: {why}"
        target = "" if is_placeholder(release.namespace) else release.namespace
        problem = Problem(
            asked,
            reason,
            MISSING,
            namespace=target,
            cause=cause,
            shared=cause_of(why),
            subject=subject,
            limits=writes_limits,
        )
        if broken is not None:
            problem = problem._replace(place=broken.place, line=broken.line, column=broken.column, via=(asked,))
        hidden = Unseen(target, f"{asked.file}: {reason}")  # the place of the problem may be a file of the chart
        folders, namespace = frozenset({release.chart}), release.namespace or "default"
        return Rendering((), (problem,), (hidden,), folders, folders, namespace, folder=release.chart)

    @property
    def _renderer_missing(self) -> str:
        """Why no renderer for charts is available; empty if one is."""
        if self._missing is None:
            self._missing = self._find_renderer()
        return self._missing

    def _find_renderer(self) -> str:
        if self._which == "off":
            return "`renderers.helm` is off"
        if self._which == "program":
            from quotalint.gitops.helm.program import Program
            from quotalint.programs import program

            helm = self._find() if self._find else program("helm", self._tree.root)
            self._program = Program(self._tree.root, helm) if helm else None
            return "" if self._program else "it needs the program `helm` on PATH"
        from quotalint.gitops.helm.library import Library, is_installed

        if not is_installed():
            return NOT_INSTALLED
        self._library = Library(self._tree.root, locate=self._dependency_folder)
        return ""

    def _dependency_folder(self, repository: str, name: str, version: str) -> str:
        """The real path of a vendored dependency; empty if there is none."""
        from quotalint.gitops.remote_sources import locate_chart

        folder = locate_chart(repository, name, version, self._tree)
        return "" if not folder or isinstance(folder, Reason) else self._tree.real_path_of(folder)

    def _render_layers(self, release: Release, layers: tuple[ValuesLayer, ...]) -> RenderedChart:
        key = repr(release._replace(filled_in=()))
        if key not in self._rendered:
            self._tell(f"rendering the chart {release.chart or '.'}")
            self._rendered[key] = self._render_uncached(release, layers)
        return self._rendered[key]

    def _render_uncached(self, release: Release, layers: tuple[ValuesLayer, ...]) -> RenderedChart:
        from quotalint.gitops.helm.value_layers import merge_layers, with_release_parameters

        path = self._tree.real_path_of
        there = release._replace(chart=path(release.chart), kube_version=release.kube_version or self._kube_version)
        if self._library is not None:
            values = merge_layers(tuple(layer.values for layer in layers))
            return self._library.render_release(there, with_release_parameters(values, release, self._tree.data))
        assert self._program is not None  # _find_renderer has set one of the two
        inline = merge_layers(tuple(layer.values for layer in layers[len(release.values_files) :]))
        there = there._replace(
            values_files=tuple(map(path, release.values_files)),
            file_parameters=tuple((name, path(file)) for name, file in release.file_parameters),
            values=inline or None,
            layers=(),
        )
        return self._program.render_release(there)

    def _rendered_objects(
        self, rendered: RenderedChart, release: Release, layers: tuple[ValuesLayer, ...], asked: Place
    ) -> Iterator[Object]:
        from quotalint.gitops.helm.chart_provenance import (
            WrittenTemplate,
            WrittenValues,
            document_of,
            lines_that_name_values,
        )
        from quotalint.gitops.helm.value_layers import parameter_layers

        own = tuple(
            own_value for own_value in self._own_values(release.chart, (), 0) if own_value.scope or release.own_values
        )
        written = WrittenValues((*own, *layers, *parameter_layers(release, asked)), release.filled_in)
        files = tuple(Place(file) for file in release.values_files)
        for template in rendered.templates:
            name = self._template_file(release.chart, template.source)
            data = self._tree.data(name) or b""
            lines = tuple(data.decode(errors="replace").splitlines())
            parted = tuple(part.text.decode(errors="replace") for part in parts(data))
            origin = WrittenTemplate(Place(name), _values_scope(template.source), lines_that_name_values(lines))
            guesses = (*rendered.guesses, *_lookup_guesses(name, lines, release))
            for number, document in enumerate(template.documents):
                for obj in objects(document, Place(name, number)):
                    if not _is_never_installed(obj):
                        at = document_of(obj.kind, parted)
                        own_origin = origin if at is None else origin._replace(place=Place(name, at), is_parallel=True)
                        own_guesses = (*guesses, *self._version_guesses(obj, release))
                        yield _from_template(obj, written, own_origin, (asked,), files)._replace(guesses=own_guesses)

    def _version_guesses(self, obj: Object, release: Release) -> Iterator[Guess]:
        """A guess if a chart asks the cluster for its API versions, and writes one that it may lack. Helm's own list,
        which is used here, also has versions that servers have removed."""
        if release.without_cluster or is_surely_served(obj.group, obj.version, obj.kind):
            return
        if self._is_in_templates(_ASKS_VERSIONS, release.chart):
            asks = f"the chart {release.chart} asks the cluster whether it serves {obj.api_version}"
            reason = f"{asks}, and may write another"
            yield Guess(VERSION, reason, "write in the chart a version that every supported server has")

    def _template_file(self, chart: str, source: str) -> str:
        """The file of a template. A subchart with an alias is in the folder of its name."""
        name = join_path(chart, source)
        if self._tree.is_file(name):
            return name
        first, _, path_below = source.partition("/")
        alias, _, below = path_below.partition("/")
        if first != "charts" or not below:
            return name
        for entry in map(mapping, sequence(self._file_body(join_path(chart, "Chart.yaml")).get("dependencies"))):
            if text(entry.get("alias")) == alias:
                return self._template_file(join_path(chart, f"charts/{text(entry.get('name'))}"), below)
        return name

    def _own_values(self, chart: str, scope: Path, depth: int) -> Iterator[ValuesLayer]:
        """The values.yaml layers of a chart and its subcharts; subcharts come first and lose."""
        from quotalint.gitops.helm import ValuesLayer

        for entry in map(mapping, sequence(self._file_body(join_path(chart, "Chart.yaml")).get("dependencies"))):
            name = text(entry.get("name"))
            if depth < 5 and name and posixpath.basename(name) == name:
                yield from self._own_values(
                    join_path(chart, f"charts/{name}"), (*scope, text(entry.get("alias")) or name), depth + 1
                )
        values = self._file_body(join_path(chart, "values.yaml"))
        if values:
            nested: Mapping[str, object] = values
            place = Place(join_path(chart, "values.yaml"))
            yield ValuesLayer(nested, place, scope=scope)

    def _file_body(self, name: str) -> Mapping[str, object]:
        reading = self._tree.reading(name) if self._tree.is_file(name) else None
        return mapping(reading.documents[0].value) if reading is not None and reading.documents else {}


def _harmless_kinds(templates: Iterable[bytes]) -> tuple[str, ...]:
    """The kinds of objects that templates write, if no quota counts these but by their own number; else empty, for any
    kind."""
    kinds = {kind for template in templates for kind in _KIND.findall(template.decode(errors="replace")) or ("",)}
    return tuple(sorted(kinds)) if kinds <= _HARMLESS else ()


def _values_scope(source: str) -> Path:
    """The names of the subcharts to which a template belongs."""
    parts = source.split("/")
    names = []
    while len(parts) > 2 and parts[0] == "charts":
        names.append(parts[1])
        parts = parts[2:]
    return tuple(names)


def _lookup_guesses(name: str, lines: Sequence[str], release: Release) -> Iterator[Guess]:
    """A guess if a template uses `lookup`, which returns nothing here."""
    if not release.without_cluster and _looks_up("\n".join(lines)):
        asks = f"{name} asks the cluster (`lookup`) where release {release.name} is installed"
        reason = f"{asks}, and is taken to find nothing there"
        yield Guess(CONTENT, reason, "pass a snapshot of the cluster with `--with`")


def _looks_up(template: str) -> bool:
    """Whether a template's actions call `lookup`; comments and literal text do not count."""
    first, *others = _COMMENT.split(template)
    without_comments = first + "".join(rest.partition("*/")[2] for rest in others)
    return any(_LOOKS_UP.search(action.partition("}}")[0]) for action in without_comments.split("{{")[1:])


def _is_never_installed(obj: Object) -> bool:
    hooks = text(dig(obj.body, "metadata", "annotations", "helm.sh/hook"))
    return bool(hooks) and all(hook.strip().lower() in _NOT_AT_INSTALL for hook in hooks.split(","))


def _from_template(
    obj: Object, written: WrittenValues, template: WrittenTemplate, via: tuple[Place, ...], files: tuple[Place, ...]
) -> Object:
    """An object whose fields originate from values, otherwise from the template as a whole."""
    body = mapping(obj.body)
    derivation = Derivation(written.origin_of(body, template), len(obj.place.path), via, files)
    return obj._replace(place=obj.place._replace(made=derivation), body=body)
