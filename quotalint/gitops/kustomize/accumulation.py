"""What a kustomization is made of: resources, generators, components (accumulateTarget)."""

from __future__ import annotations

from typing import Protocol

from quotalint.gitops.kustomize.built import Built, HelmChart
from quotalint.gitops.kustomize.configurations import learn_configurations
from quotalint.gitops.kustomize.generation import generate_resources
from quotalint.gitops.kustomize.kustomization import kustomization
from quotalint.gitops.kustomize.kustomize_yaml import is_common
from quotalint.gitops.kustomize.problems import MISSING
from quotalint.gitops.kustomize.traced import Traced
from quotalint.gitops.kustomize.work import Work
from quotalint.gitops.tree import join_path
from quotalint.kube.fields import text
from quotalint.named_tuples import NamedTuple
from quotalint.text.guards import GIT_CRYPT


class PathRenderer(Protocol):
    """Who renders what a kustomization builds on. `above` are the folders that build on it, the outermost first."""

    @property
    def helm_chart(self) -> HelmChart | None: ...

    def file(self, name: str) -> Built: ...

    def folder(self, folder: str, above: tuple[str, ...], namespace: str) -> Built: ...

    def component(self, folder: str, above: tuple[str, ...], before: Built, namespace: str) -> Built: ...


class Accumulation(NamedTuple):
    """Puts together what a kustomization is made of."""

    renderer: PathRenderer
    above: tuple[str, ...]
    """The folders that are being built, this one last."""

    def accumulate_entries(self, work: Work) -> None:
        """Put it together, in the order of Kustomize."""
        for entry in work.kustomization.entries("resources", "bases"):
            self.add_resource(work, entry)
        learn_configurations(work)
        generate_resources(work, self.renderer.helm_chart, self.add_resource)
        for entry in work.kustomization.entries("components"):
            self._add_component(work, entry)

    def add_resource(self, work: Work, entry: Traced) -> None:
        """Add what an entry of `resources` leads to."""
        path = text(entry.value)
        if not isinstance(entry.value, str) or not path:
            if not entry.value:  # what has another type was said where the types are looked at
                work.note_problem(entry.place, "a resource is a path")
            return
        target = work.tree.canonical_name(work.tree.vendored(path) or join_path(work.folder, path))
        if work.tree.is_file(target) and not path.endswith("/"):
            if not is_common(work.tree, target) and (work.tree.data(target) or b"").startswith(GIT_CRYPT):
                work.used.add(target)
                work.note_problem(entry.place, f"{path} is encrypted by git-crypt", MISSING)
                return
            built = self.renderer.file(target)
            work.note_outside(entry, target)
        elif work.tree.is_folder(target):
            if not self._is_buildable(work, entry, target):
                return
            built = self.renderer.folder(target, self.above, work.namespace)
            target_kustomization, _ = kustomization(work.tree, target)
            if target_kustomization is not None and target_kustomization.is_component:
                work.note_problem(entry.place, f"{path} is a Component; it belongs under `components`")
        else:
            work.note_missing(entry, path)
            return
        work.note_built(built, entry)
        work.append_resources(resource._replace(via=(entry.place, *resource.via)) for resource in built.resources)
        work.learn_configuration(entry.place, built.config, built.variables)

    def _is_buildable(self, work: Work, entry: Traced, target: str) -> bool:
        path = text(entry.value)
        if target in self.above:
            work.note_problem(entry.place, f"{path} is a cycle: it builds on itself", MISSING, cycle=True)
        elif not work.tree.kustomizations(target):
            work.note_absent(entry.place, f"there is no kustomization in the folder {path}")
        else:
            return True
        return False

    def _add_component(self, work: Work, entry: Traced) -> None:
        path = text(entry.value)
        if not isinstance(entry.value, str) or not path:
            if not entry.value:
                work.note_problem(entry.place, "a component is a path")
            return
        target = work.tree.canonical_name(work.tree.vendored(path) or join_path(work.folder, path))
        if not work.tree.is_folder(target):
            work.note_missing(entry, path, "folder " if work.tree.is_file(target) else "")
            return
        if not self._is_buildable(work, entry, target):
            return
        target_kustomization, _ = kustomization(work.tree, target)
        if target_kustomization is not None and not target_kustomization.is_component:
            work.note_problem(entry.place, f"{path} is not a Component (kind: Component)")
        before = {resource.traced.place: resource for resource in work.resources}
        built = self.renderer.component(target, self.above, work.build_of_work, work.namespace)
        work.note_built(built, entry)
        work.resources = [
            resource if resource.traced.place in before else resource._replace(via=(entry.place, *resource.via))
            for resource in built.resources
        ]
        work.config, work.variables = built.config, built.variables
