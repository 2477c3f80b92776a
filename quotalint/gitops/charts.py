"""Helm charts of the repository → objects that know the template they come from."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from quotalint.gitops.kustomize.problems import HELM, MISSING, Problem
from quotalint.gitops.rendering import Rendering, Unseen
from quotalint.gitops.tree import Tree, join
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import dig, mapping, text
from quotalint.kube.objects import Object, objects
from quotalint.text.place import Made, Place, Whole
from quotalint.text.progress import Tell, untold

if TYPE_CHECKING:
    from quotalint.gitops.helm import Release, Rendered

# Hooks of these kinds run when a release goes, or is taken back: nobody waits for them to fit.
_NOT_AT_INSTALL = ("pre-delete", "post-delete", "pre-rollback", "post-rollback")


class Charts:
    """Renders the charts of one repository, each release once."""

    def __init__(
        self,
        tree: Tree,
        kube_version: str,
        enabled: bool = True,
        find: Callable[[], str | None] | None = None,
        tell: Tell = untold,
    ) -> None:
        self._tree = tree
        self._kube_version = kube_version
        self._enabled = enabled
        self._find = find
        self._tell = tell
        self._helm: str | None = None
        self._looked = False
        self._rendered: dict[str, Rendered] = {}
        self._asked: set[str] = set()

    @property
    def asked(self) -> frozenset[str]:
        """The folders of the charts that something deploys, rendered or not."""
        return frozenset(self._asked)

    def is_chart(self, folder: str) -> bool:
        return self._tree.is_file(join(folder, "Chart.yaml"))

    def rendered(self, release: Release, asked: Place) -> Rendering:
        """The objects of a release. Its paths are names of the tree; `asked` is what declares it."""
        units = frozenset({release.chart})
        self._asked.add(release.chart)
        from quotalint.gitops.helm import Rendered

        namespace = release.namespace or "default"
        reason = self._impossible(release)
        found = Rendered((), reason) if reason else self._render(release)
        if found.error:
            reason = f"the chart {release.chart or '.'} (release {release.name}) is not rendered: {found.error}"
            target = "" if is_placeholder(release.namespace) else release.namespace
            cause = HELM if self.is_chart(release.chart) and self._impossible(release) else ""
            problem = Problem(asked, reason, MISSING, namespace=target, cause=cause)
            hidden = Unseen(target, f"{asked.real.source}: {reason}")
            return Rendering((), (problem,), (hidden,), units, units, namespace, folder=release.chart)
        made = []
        for template in found.templates:
            name = join(release.chart, template.source)
            for number, document in enumerate(template.documents):
                made += [
                    _from_template(obj, name, asked, release)
                    for obj in objects(document, Place(name, number))
                    if not _is_never_installed(obj)
                ]
        used = frozenset(release.values_files)
        return Rendering(tuple(made), (), (), units, used, namespace, folder=release.chart)

    def _impossible(self, release: Release) -> str:
        if not self.is_chart(release.chart):
            return "there is no chart in the folder"
        if not self._enabled:
            return "`renderers.helm` is off"
        if not self._looked:
            from quotalint.gitops.helm import program

            self._helm, self._looked = (self._find or program)(), True
        return "" if self._helm else "it needs the program `helm` on PATH"

    def _render(self, release: Release) -> Rendered:
        from quotalint.gitops.helm import Rendered, render

        key = repr(release)
        if key not in self._rendered:
            self._tell(f"rendering the chart {release.chart or '.'}")
            path = self._tree.path
            absolute = release._replace(
                chart=path(release.chart),
                values_files=tuple(map(path, release.values_files)),
                file_parameters=tuple((name, path(file)) for name, file in release.file_parameters),
                kube_version=self._kube_version,
            )
            missing = [name for name in release.values_files if not os.path.isfile(path(name))]
            self._rendered[key] = (
                Rendered((), f"there is no {', '.join(missing)}")
                if missing
                else render(absolute, self._tree.root, self._helm or "")
            )
        return self._rendered[key]


def _is_never_installed(obj: Object) -> bool:
    hooks = text(dig(obj.body, "metadata", "annotations", "helm.sh/hook"))
    return bool(hooks) and all(hook.strip() in _NOT_AT_INSTALL for hook in hooks.split(","))


def _from_template(obj: Object, name: str, asked: Place, release: Release) -> Object:
    """Every field stands in the template; which line of it made which field, helm does not say."""
    values = tuple(Place(file) for file in release.values_files)
    # The template has no line for a field: its first line is as near as one can point.
    place = obj.place._replace(made=Made(Whole(Place(name)), len(obj.place.path), (asked,), values))
    return obj._replace(place=place, body=mapping(obj.body))
