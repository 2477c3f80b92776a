"""Accumulates what a kustomization lists: resources, generators and components (accumulateTarget)."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import Protocol

from quotalint.gitops.kustomize.generation import generate_resources
from quotalint.gitops.kustomize.kustomization import kustomization
from quotalint.gitops.kustomize.kustomization_fields import CONFIGURATION, misfits_of, respell_fields
from quotalint.gitops.kustomize.kustomize_yaml import is_common
from quotalint.gitops.kustomize.traced import Traced
from quotalint.gitops.kustomize.transformer_config import (
    BLANK,
    KNOWN,
    FieldConflictError,
    TransformerConfig,
    config_of,
    config_of_definitions,
)
from quotalint.gitops.kustomize.work import Built, HelmChart, Work
from quotalint.kube.fields import dig, mapping, text
from quotalint.named_tuples import NamedTuple
from quotalint.text.guards import why_content_is_elsewhere
from quotalint.text.place import Place
from quotalint.text.tree import KUSTOMIZATION_NAMES, is_within, join_path
from quotalint.unknowns.problems import MISSING


class PathRenderer(Protocol):
    """Renders the files and folders that a kustomization names. `above` holds the folders that build on it, outermost
    first."""

    @property
    def helm_chart(self) -> HelmChart | None: ...

    def file(self, name: str) -> Built: ...

    def folder(self, folder: str, above: tuple[str, ...], namespace: str) -> Built: ...

    def is_component(self, folder: str) -> bool: ...

    def component(self, folder: str, above: tuple[str, ...], before: Built, namespace: str) -> Built: ...


class Accumulation(NamedTuple):
    """Accumulates the entries of one kustomization."""

    renderer: PathRenderer
    above: tuple[str, ...]
    """The folders that are being built, this one last."""

    def accumulate_entries(self, work: Work) -> None:
        """Accumulate all entries, in Kustomize's order."""
        for entry in work.kustomization.entries("resources", "bases"):
            self.add_resource(work, entry)
        learn_configurations(work)
        if work.kustomization.only_lists:
            return
        generate_resources(work, self.renderer.helm_chart, self.add_resource)
        for entry in work.kustomization.entries("components"):
            self._add_component(work, entry)

    def add_resource(self, work: Work, entry: Traced) -> None:
        """Add the resources of one entry of `resources`."""
        path = text(entry.value)
        if not isinstance(entry.value, str) or not path:
            if not entry.value:  # kustomization_fields.py reports other types
                work.note_problem(entry.place, "a resource is a path")
            return
        target = work.locate(path)
        if self._is_kustomization_file(work, target):
            work.used.add(target)
            target = posixpath.dirname(target)
            if not self._inner_folder(target):  # the cycle noted below is the worse error
                reason = f"{path} is a kustomization itself, which Kustomize takes by its folder"
                work.note_problem(entry.place, f"{reason}: write {posixpath.dirname(path) or '.'}")
        if work.tree.is_file(target) and not path.endswith("/"):
            data = b"" if is_common(work.tree, target) else work.tree.data(target) or b""
            elsewhere = why_content_is_elsewhere(data)
            if elsewhere:
                work.used.add(target)
                work.note_problem(entry.place, f"{path} is {elsewhere}", MISSING)
                return
            built = self.renderer.file(target)
            if self._is_of_builder_above(target):
                # The result depends on the folder from which the build starts, as with a cycle.
                problems = tuple(problem._replace(cycle=True) for problem in built.problems)
                built = built._replace(problems=problems)
            work.note_outside(entry, target)
        elif work.tree.is_folder(target):
            if not self._is_buildable(work, entry, target):
                return
            built = self.renderer.folder(target, self.above, work.namespace)
            if self.renderer.is_component(target):
                work.note_problem(entry.place, f"{path} is a Component; it belongs under `components`")
        else:
            work.note_missing(entry, path)
            return
        work.note_built(built, entry)
        work.append_resources(resource._replace(via=(entry.place, *resource.via)) for resource in built.resources)
        work.learn_configuration(entry.place, built.config, built.variables)

    def _is_kustomization_file(self, work: Work, target: str) -> bool:
        """Whether a file is the kustomization of another folder. With a metadata.name it would be an ordinary
        object."""
        folder, name = posixpath.split(target)
        if name not in KUSTOMIZATION_NAMES or folder in self.above or not work.tree.is_file(target):
            return False
        target_kustomization, _ = kustomization(work.tree, folder)
        return target_kustomization is not None and not dig(target_kustomization.body, "metadata", "name")

    def _is_of_builder_above(self, target: str) -> bool:
        """Whether a file is named like the kustomization of a folder that builds on this one."""
        folder, name = posixpath.split(target)
        return name in KUSTOMIZATION_NAMES and folder in self.above[:-1]

    def _is_buildable(self, work: Work, entry: Traced, target: str) -> bool:
        path = text(entry.value)
        if target in self.above:
            work.note_problem(entry.place, f"{path} is a cycle: it builds on itself", MISSING, cycle=True)
        elif not work.tree.kustomizations(target):
            work.note_absent(entry.place, f"there is no kustomization in the folder {path}", target)
        else:
            self._note_folder_around(work, entry, target)
            return True
        return False

    def _note_folder_around(self, work: Work, entry: Traced, target: str) -> None:
        """Note an entry that contains a folder building on it: Kustomize reports a cycle
        (api/internal/loader/fileloader.go, errIfArgEqualOrHigher)."""
        within = self._inner_folder(target)
        if within and not work.tree.vendored(text(entry.value)):  # a clone lies elsewhere
            subject = "this kustomization" if within == work.folder else f"{within}, which builds on it"
            reason = f"{text(entry.value)} contains {subject}, which Kustomize takes for a cycle"
            cure = "move what it lists into a folder of its own, such as base/"
            # Whether this is a cycle depends on the folder from which the build starts.
            work.note_problem(entry.place, f"{reason}: {cure}", cycle=within != work.folder)

    def _inner_folder(self, target: str) -> str:
        """The innermost folder inside `target` that is being built; empty if there is none."""
        return next((folder for folder in reversed(self.above) if is_within(folder, target)), "")

    def _add_component(self, work: Work, entry: Traced) -> None:
        path = text(entry.value)
        if not isinstance(entry.value, str) or not path:
            if not entry.value:
                work.note_problem(entry.place, "a component is a path")
            return
        target = work.locate(path)
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


# Files named by `configurations` and `crds` (builtinconfig/loaddefaultconfig.go, loadconfigfromcrds.go).
def learn_configurations(work: Work) -> None:
    """Merge the kustomization's own `configurations` and `crds` into the transformer configuration."""
    own = KNOWN
    for entry in work.kustomization.entries("configurations"):
        own = _with_configuration(work, own, entry, _read_configuration)
    work.learn_configuration(work.kustomization.place, own, ())
    for entry in work.kustomization.entries("crds"):
        work.config = _with_configuration(work, work.config, entry, _read_definitions)


def _with_configuration(
    work: Work, config: TransformerConfig, entry: Traced, read: Callable[[Work, Traced], TransformerConfig]
) -> TransformerConfig:
    body = _configuration_body(work, entry)
    try:
        return config if body is None else config.merge_config(read(work, body))
    except FieldConflictError as error:
        work.note_problem(entry.place, f"{text(entry.value)}: {error}")
        return config


def _configuration_body(work: Work, entry: Traced) -> Traced | None:
    path = text(entry.value)
    target = work.tree.canonical_name(join_path(work.folder, path))
    work.used.add(target)
    reading = work.tree.reading(target) if work.tree.is_file(target) else None
    if reading is None:
        work.note_missing(entry, path)
        return None
    work.note_outside(entry, target)
    if reading.failures:
        work.note_problem(entry.place, f"{path} cannot be read: {reading.failures[0].message}")
        return None
    document = reading.documents[0] if reading.documents else None
    if document is not None and document.duplicates:
        work.note_problem(entry.place, f"{path} gives the key `{document.duplicates[0].key}` twice")
    return Traced(document.value, Place(target, document.index)) if document is not None else None


def _read_configuration(work: Work, body: Traced) -> TransformerConfig:
    body = respell_fields(body, CONFIGURATION)
    wrong = list(misfits_of(body.value, body.place, CONFIGURATION, "a configuration"))
    for misfit in wrong:
        work.note_problem(misfit.place, misfit.reason)
    return BLANK if wrong else config_of(mapping(body.value))


def _read_definitions(work: Work, body: Traced) -> TransformerConfig:
    definitions = mapping(body.value)
    if not isinstance(body.value, dict) or not all(
        isinstance(definition, (dict, type(None))) for definition in definitions.values()
    ):
        reason = "`crds` takes OpenAPI definitions by name; a CustomResourceDefinition belongs under `resources`"
        work.note_problem(body.place, reason)
        return BLANK
    return config_of_definitions(definitions)
