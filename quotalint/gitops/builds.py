"""Who builds kustomizations: the built-in renderer, the program, or nobody (`renderers.kustomize`)."""

from __future__ import annotations

from collections.abc import Callable

from quotalint.gitops.kustomize.build import Builder
from quotalint.gitops.kustomize.built import Built
from quotalint.gitops.kustomize.kustomize_resource import Resource, resource_of
from quotalint.gitops.kustomize.problems import EXPENSIVE, MISSING, Problem
from quotalint.gitops.kustomize.traced import Traced
from quotalint.gitops.tree import Tree
from quotalint.kube.objects import objects
from quotalint.text.place import Place, Whole

Build = Callable[[str], Built]


def build_with(renderer: str, builder: Builder, tree: Tree) -> Build:
    """The function that builds a folder: `builtin`, which `auto` is another word for, `binary` or `off`. What is on
    PATH changes nothing unless it is asked for."""
    if renderer == "off":
        return lambda folder: nothing_built(tree, folder, "`renderers.kustomize` is off")
    return _Program(tree).build_folder if renderer == "binary" else builder.build


def nothing_built(tree: Tree, folder: str, reason: str, *, judged: bool = True) -> Built:
    """A folder of which nothing is known but why."""
    names = tree.kustomizations(folder)
    place = Place(names[0] if names else folder)
    problem = Problem(place, f"the kustomization is not rendered: {reason}", MISSING)
    if not judged:
        problem = Problem(place, f"{reason} ({folder or '.'})", MISSING, cause=EXPENSIVE)
    return Built((), (problem,), frozenset({folder}))


class _Program:
    """The program `kustomize` or `kubectl`, looked for when it is first needed."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._command: tuple[str, ...] | None = None
        self._looked = False

    def build_folder(self, folder: str) -> Built:
        """What the program prints for a folder. Its objects have no lines: they stand in the kustomization."""
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
