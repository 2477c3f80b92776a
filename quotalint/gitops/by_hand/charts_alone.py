"""Charts alone: where nothing in a repository deploys anything, each chart is rendered once with its own values.

Release name and namespace are assumed, as is that nobody passes other values. Files such as `values-prod.yaml` are
alternatives, each an environment of its own.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence, Set

from quotalint.gitops.deployer import Sources
from quotalint.gitops.deployers import DEPLOYING_KINDS
from quotalint.gitops.helm import Release
from quotalint.gitops.nodes import NO_ROOTS, FoundRoots, Node, Root
from quotalint.gitops.rendering import Rendering
from quotalint.kube.fields import mapping, sequence, text
from quotalint.kube.guess import CONTENT, Guess
from quotalint.kube.kinds import LIMITING
from quotalint.kube.objects import Object
from quotalint.kube.pod_specs import POD_SPECS
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Place
from quotalint.text.tree import Tree, join_path
from quotalint.unknowns.causes import UNRENDERED_CHART
from quotalint.unknowns.unseen import CHART, Skipped

_OWN = "default"
"""The environment of a chart's own values beside those of tests in ci/."""
_VALUES = lazy_pattern(r"values[-.](.+)\.ya?ml")
_CI_VALUES = lazy_pattern(r"(.+)-values\.ya?ml")
_DEPLOYING = tuple(name for name, kind in DEPLOYING_KINDS.items() if kind.deploys_folders)
_MOST = 12
"""How many alternatives of values one chart has at most."""
_MANY_CHARTS = 100
"""Up to how many charts of a repository are rendered."""


class _Alternative(NamedTuple):
    """A way to install a chart."""

    environment: str
    values: tuple[str, ...] = ()
    """The values file beside the chart's own."""


def find_charts_alone(sources: Sources, roots: Sequence[Root]) -> FoundRoots:
    """The roots of the charts that nothing deploys, given the roots that are applied. None of these deploys others. No
    roots if these run pods, because the charts are then not alone; nor if a chart may deploy folders itself: which
    ones depends on its values."""
    applied = [obj for root in roots for node in root.nodes for obj in node.rendering.objects]
    runs_pods = any((obj.group, obj.kind) in POD_SPECS for obj in applied)
    if runs_pods or any(_may_deploy(chart, sources.folders.tree) for chart in sources.chart_folders):
        return NO_ROOTS
    namespace = _namespace_with_quotas(sources, applied)
    taken = {obj.ref for obj in applied if (obj.group, obj.kind) in LIMITING}
    found: list[Root] = []
    skipped: list[Skipped] = []
    loose: set[str] = set()
    for chart in _charts(sources):
        nodes, why = _rendered_chart(chart, namespace, sources)
        objects = [obj for node in nodes for obj in node.rendering.objects]
        if not taken.isdisjoint(obj.ref for obj in objects):
            nodes, why = (), "what it deploys is applied here in another way"
        if nodes:
            found.append(Root(chart.folder, nodes, is_kustomization=False))
            if any(_is_loose(node.rendering, sources.folders.tree) for node in nodes):
                loose.add(chart.folder)
        else:
            why = why or "its own values make no object"
            skipped.append(Skipped(chart.file, f"{UNRENDERED_CHART}{why}", CHART, anywhere=not chart.is_library))
    return FoundRoots(tuple(_told_apart(found, loose)), tuple(skipped))


class _Chart(NamedTuple):
    """A chart that nothing deploys."""

    folder: str
    name: str
    is_library: bool

    @property
    def file(self) -> str:
        """The file by which reports name it."""
        return join_path(self.folder, "Chart.yaml")


def _charts(sources: Sources) -> Sequence[_Chart]:
    """The charts that nothing deploys, and that are no dependency of another."""
    charts = []
    parts = set()
    for folder in sources.chart_folders[:_MANY_CHARTS]:
        reading = sources.folders.tree.reading(join_path(folder, "Chart.yaml"))
        body = mapping(reading.documents[0].value) if reading is not None and reading.documents else {}
        charts.append(_Chart(folder, text(body.get("name")), text(body.get("type")) == "library"))
        urls = (text(mapping(entry).get("repository")) for entry in sequence(body.get("dependencies")))
        parts |= {join_path(folder, url[len("file://") :]) for url in urls if url.startswith("file://")}
    others = parts | sources.deployed_charts()
    return [chart for chart in charts if chart.folder not in others]


def _may_deploy(chart: str, tree: Tree) -> bool:
    """Whether a chart has a template for objects that deploy folders."""
    return any(
        tree.mentions(name, kind.encode()) and tree.mentions(name, f"{group}/".encode())
        for name in _templates(chart, tree)
        for group, kind in _DEPLOYING
    )


def _templates(chart: str, tree: Tree) -> Sequence[str]:
    return tree.files(chart, lambda name: "/templates/" in f"/{name}", lambda _: True)


def _namespace_with_quotas(sources: Sources, applied: Iterable[Object]) -> str:
    """The only namespace with a quota that is in view; empty if there is none or several."""
    names = {obj.namespace or "default" for obj in applied if obj.kind == "ResourceQuota"} | sources.limited
    return next(iter(names)) if len(names) == 1 else ""


def _rendered_chart(chart: _Chart, namespace: str, sources: Sources) -> tuple[tuple[Node, ...], str]:
    """The nodes of a chart, one for each alternative that can be rendered; and why one cannot."""
    nodes: list[Node] = []
    why = ""
    for environment, values in _alternatives(chart.folder, sources.folders.tree):
        release = Release(chart.folder, chart.name, namespace, values, lacks_values=True)
        rendering = sources.charts.render_chart(release, Place(chart.file))
        if rendering.objects:
            assumed = _assumed(rendering, release, namespace, sources.folders.tree)
            followed = sources.follow(assumed._replace(files=assumed.files | {chart.file}))
            nodes += [node._replace(destination=node.destination or environment) for node in followed]
        elif rendering.problems:
            why = why or rendering.problems[0].reason.partition("not rendered: ")[2]
    return tuple(nodes), why


def _alternatives(chart: str, tree: Tree) -> Iterator[_Alternative]:
    """The ways to install a chart: with one of its values files if it has any, else with its own values; and with those
    of its tests."""
    here = [(found[1], name) for name in tree.listing(chart).names if (found := _VALUES.fullmatch(name))]
    ci = join_path(chart, "ci")
    tests = [(found[1], f"ci/{name}") for name in tree.listing(ci).names if (found := _CI_VALUES.fullmatch(name))]
    if not here:
        yield _Alternative(_OWN if tests else "")
    for name, file in (*here, *((f"ci/{name}", file) for name, file in tests))[:_MOST]:
        yield _Alternative(name, (join_path(chart, file),))


def _assumed(rendering: Rendering, release: Release, namespace: str, tree: Tree) -> Rendering:
    """The rendering with what is assumed of the release."""
    folder, files = release.chart or ".", ", ".join(release.values_files)
    fields = f"release: {release.name}, namespace: {rendering.namespace}" + (f", values: [{files}]" if files else "")
    cure = f"write `renderers: {{helm: {{{folder}: {{{fields}}}}}}}` into .quotalint.yaml"
    where = ""
    if _is_loose(rendering, tree):
        where = f", in namespace {rendering.namespace}{', the only one with a quota' if namespace else ''}"
    reason = f"nothing in view deploys the chart {folder}, so it counts with {files or 'its own values'}{where}"
    return rendering.with_guess(Guess(CONTENT, reason, cure))


def _told_apart(charts: Sequence[Root], loose: Set[str]) -> Iterator[Root]:
    """The roots of charts, each an environment of its own if it names no namespace and there are others: nothing says
    that two charts share one."""
    for root in charts:
        if len(loose) < 2 or root.folder not in loose:
            yield root
            continue
        name = posixpath.basename(root.folder)
        yield root._replace(
            nodes=tuple(
                node._replace(destination=f"{name}/{node.destination}" if node.destination else name)
                for node in root.nodes
            )
        )


def _is_loose(rendering: Rendering, tree: Tree) -> bool:
    """Whether objects that count go to the namespace of the release, which is assumed."""
    counted = [obj for obj in rendering.objects if (obj.group, obj.kind) in (*POD_SPECS, *LIMITING)]
    if not all(obj.namespace for obj in counted):
        return True
    in_release = any(obj.namespace == rendering.namespace for obj in counted)
    return in_release and any(tree.mentions(name, b"Release.Namespace") for name in _templates(rendering.folder, tree))
