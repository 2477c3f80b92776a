"""Kustomize at work for one repository. Imported where there is something to render: it is half of all the code."""

from __future__ import annotations

from collections.abc import Callable, Set
from functools import partial
from typing import TYPE_CHECKING

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
from quotalint.recall import memory_in_use

if TYPE_CHECKING:
    from quotalint.gitops.noted_builds import NotedBuilds


class Renderer:
    """Renders folders, and what Flux and Argo CD put over them."""

    def __init__(self, tree: Tree, charts: Charts, which: str, noted: NotedBuilds | None = None) -> None:
        """`which` is what `renderers.kustomize` says; `noted`: where to note what was built, if anywhere."""
        self._tree = tree
        self._noted = noted
        self._which = which
        self._builder = Builder(tree, chart_inflater(tree, charts))
        self._build = build_with(which, self._builder, tree)

    def kustomization(self, folder: str) -> Rendering:
        """The objects of a kustomization."""
        return self._attempt_render(partial(self.render_again, None, folder), folder)

    def overlay(self, over: Kustomization, folder: str) -> Rendering:
        """The objects of a kustomization that no file holds."""
        return self._attempt_render(partial(self.render_again, over, folder), folder)

    def render_again(self, over: Kustomization | None, folder: str) -> Rendering:
        """The objects of a folder, also with a kustomization `over` it. Raises what that takes too much for."""
        build = partial(self._build, folder) if over is None else partial(self._builder.overlay, over, folder)
        make = partial(_rendering_of, folder=folder)
        if memory_in_use() is None:
            with self._tree.listening() as names:
                rendering = make(build())
            if self._noted is not None:
                self._noted.note(over, folder, frozenset(names), rendering)
            return rendering
        # What a program makes of files is not known to be the same again.
        if over is None and self._which == "binary":
            self._note_unknown()
            return make(build())
        from quotalint.gitops.remembered_builds import remembered_rendering

        return remembered_rendering(self._tree, over, folder, build, make)

    def forget(self, names: Set[str]) -> None:
        """These files have changed."""
        self._builder.forget(names)

    def _attempt_render(self, render: Callable[[], Rendering], folder: str) -> Rendering:
        def instead(reason: str, is_expensive: bool) -> Rendering:
            self._note_unknown()
            return _rendering_of(nothing_built(self._tree, folder, reason, judged=not is_expensive), folder)

        return attempt("rendering", folder or ".", render, instead)

    def _note_unknown(self) -> None:
        """What something is made of is not known, where anybody remembers that."""
        memory = memory_in_use()
        if memory is not None:
            from quotalint.gitops.remembered_builds import builds_of

            builds_of(memory).are_all_known = False


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
