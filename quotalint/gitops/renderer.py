"""Kustomize at work for one repository. Imported where there is something to render: it is half of all the code."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from quotalint.faults import attempt
from quotalint.gitops.builds import build_with, nothing_built
from quotalint.gitops.charts import Charts
from quotalint.gitops.kustomize.build import Builder
from quotalint.gitops.kustomize.built import Built
from quotalint.gitops.kustomize.kustomization import Kustomization
from quotalint.gitops.kustomize.problems import MISSING
from quotalint.gitops.kustomize_charts import chart_inflater
from quotalint.gitops.rendering import Rendering, object_of, unseen_of
from quotalint.gitops.tree import Tree
from quotalint.recall import memory_in_use, recalled


class Renderer:
    """Renders folders, and what Flux and Argo CD put over them."""

    def __init__(self, tree: Tree, charts: Charts, which: str) -> None:
        """`which` is what `renderers.kustomize` says."""
        self._tree = tree
        self._which = which
        self._builder = Builder(tree, chart_inflater(tree, charts))
        self._build = build_with(which, self._builder, tree)

    def kustomization(self, folder: str) -> Rendering:
        """The objects of a kustomization."""
        # What a program makes of files is not known to be the same again.
        return self._render_built(None, folder, partial(self._build, folder), is_lasting=self._which != "binary")

    def overlay(self, over: Kustomization, folder: str) -> Rendering:
        """The objects of a kustomization that no file holds."""
        return self._render_built(over, folder, partial(self._builder.overlay, over, folder), is_lasting=True)

    def _render_built(
        self, over: Kustomization | None, folder: str, build: Callable[[], Built], is_lasting: bool
    ) -> Rendering:
        if is_lasting and memory_in_use() is not None:
            from quotalint.gitops.remembered_builds import remembered_build

            build = partial(remembered_build, self._tree, over, folder, build)
        built = self._attempt_build(build, folder)
        return recalled("rendering", (built,), folder, partial(_rendering_of, built, folder))

    def _attempt_build(self, build: Callable[[], Built], folder: str) -> Built:
        def instead(reason: str, is_expensive: bool) -> Built:
            return nothing_built(self._tree, folder, reason, judged=not is_expensive)

        return attempt("rendering", folder or ".", build, instead)


def _rendering_of(built: Built, folder: str) -> Rendering:
    hidden = [unseen_of(problem) for problem in built.problems if problem.kind == MISSING]
    return Rendering(
        tuple(object_of(resource) for resource in built.resources if resource.id.kind.version),
        built.problems,
        tuple(dict.fromkeys(hidden)),
        frozenset({folder, *built.used}),
        built.used,
        folder=folder,
    )
