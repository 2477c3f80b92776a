"""Builds a kustomization: renders the objects of a folder (api/internal/target/kusttarget.go, release 5.8).

Parts that cannot be rendered become problems, and the rest is rendered; Kustomize itself would stop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from itertools import chain

from quotalint.gitops.kustomize.accumulation import Accumulation
from quotalint.gitops.kustomize.finishing import finish_build
from quotalint.gitops.kustomize.kustomization import Kustomization, calls_itself_component, kustomization
from quotalint.gitops.kustomize.kustomization_fields import Misfit, misfits_of
from quotalint.gitops.kustomize.kustomize_resource import Resource, resource_of
from quotalint.gitops.kustomize.kustomize_yaml import find_misread_key, is_common, is_folded, read_objects
from quotalint.gitops.kustomize.merge_types import MergeTypes, builtin_types
from quotalint.gitops.kustomize.openapi import merge_types
from quotalint.gitops.kustomize.traced import Traced
from quotalint.gitops.kustomize.transformation import transform_resources
from quotalint.gitops.kustomize.work import Built, HelmChart, Work
from quotalint.kube.fields import mapping, text
from quotalint.kube.objects import objects
from quotalint.named_tuples import NamedTuple
from quotalint.runtime import budget
from quotalint.text.aliases import aliased_share
from quotalint.text.place import Place
from quotalint.text.reading import sops_kinds
from quotalint.text.tree import Tree
from quotalint.unknowns.problems import (
    EMPTY_KUSTOMIZATION,
    EXPENSIVE,
    MISSING,
    REFUSED,
    TEXT,
    Problem,
)

_MAX_DEPTH = 100
MAX_WORK = 50_000
"""Work limit of one build, in objects that pass through folders. It bounds bases that are included twice at each
level."""
_FOLDER = 10  # fixed cost of a folder, in objects

__all__ = ["Builder", "Built", "HelmChart"]

_Key = tuple[str, str, int, bool]
"""Folder, namespace set from above, identity of the schema seen so far, and whether another folder builds on it.
Kustomize checks more fields in the folder that is built itself."""


class _Accumulated(NamedTuple):
    """The result of accumulating a folder, before the finishing steps."""

    built: Built
    before: MergeTypes | None
    """Schema types before this folder. Keeping a reference keeps the identity used in the key valid."""
    types: MergeTypes | None
    """Schema types after this folder."""
    cost: float
    """Cost in objects that passed through this folder and through those first reached from it."""


class Builder:
    """Renders the kustomizations of one repository; shared bases are rendered once."""

    def __init__(self, tree: Tree, helm_chart: HelmChart | None = None) -> None:
        self._tree = tree
        self._accumulated: dict[_Key, _Accumulated] = {}
        self._types: MergeTypes | None = None
        """Types of the first schema that the build meets; they apply to everything after it."""
        self._files: dict[str, Built] = {}
        self._read: dict[str, frozenset[str]] = {}
        """Files read for each folder; recorded only inside `recording_reads`."""
        self._weights: dict[str, float] = {}
        self._left: float = 0
        self._lasting: dict[_Key, float] = {}
        """Cost of each result kept from before files changed; the next build that uses it is charged for it."""
        self.helm_chart = helm_chart

    def build(self, folder: str) -> Built:
        """The objects that `kustomize build` prints for a folder, and its problems."""
        self._left, self._types = MAX_WORK, None
        return finish_build(self.folder(folder, (), ""))

    def overlay(self, over: Kustomization, folder: str) -> Built:
        """Build a kustomization that is not a file: one that Flux or Argo CD puts over a folder."""
        self._left, self._types = MAX_WORK, None
        work = Work(self._tree, over, folder, "")
        work.used |= {folder, *self._tree.kustomizations(folder)}  # the folder's own files are part of the input
        return finish_build(self._accumulate_work(work, ()))

    def folder(self, folder: str, above: tuple[str, ...], namespace: str) -> Built:
        """The accumulated result of a folder that the folders in `above` build on."""
        key = (folder, namespace, id(self._types), bool(above))
        if key in self._accumulated:
            self._tree.record_reads(self._read[folder])
            self._left -= self._lasting.pop(key, 0)
        else:
            before, left = self._types, self._left
            with self._tree.recording_reads() as names:
                built = self.component(folder, above, Built((), (), frozenset()), namespace)
            self._read[folder] = self._read.get(folder, frozenset()) | names
            if any(problem.cycle for problem in built.problems):
                return built  # where a cycle is cut depends on the starting folder
            self._accumulated[key] = _Accumulated(built, before, self._types, left - self._left)
        built, _, self._types, _ = self._accumulated[key]
        return built

    def forget(self, names: Set[str]) -> None:
        """Drop the results that read these files. Kept results cost the next build as much as new ones."""
        self._files = {name: built for name, built in self._files.items() if name not in names}
        self._weights = {name: weight for name, weight in self._weights.items() if name not in names}
        stale = {folder for folder, read in self._read.items() if not read.isdisjoint(names)}
        self._read = {folder: read for folder, read in self._read.items() if folder not in stale}
        self._accumulated = {key: built for key, built in self._accumulated.items() if key[0] not in stale}
        self._lasting = {key: accumulated.cost for key, accumulated in self._accumulated.items()}

    def forget_changed(self, is_changed: Callable[[str], bool]) -> None:
        """Drop the results that read a file for which `is_changed` is true."""
        looked_at = chain(self._files, *self._read.values())
        self.forget({name for name in dict.fromkeys(looked_at) if is_changed(name)})

    def take_over(self, earlier: Builder) -> None:
        """Take the results of another builder; nothing has changed since, except the files it forgot."""
        self._files, self._weights, self._read = earlier._files, earlier._weights, earlier._read
        self._accumulated, self._lasting = earlier._accumulated, earlier._lasting

    def is_component(self, folder: str) -> bool:
        """Whether a folder's kustomization declares `kind: Component`."""
        return calls_itself_component(self._tree, folder)

    def component(self, folder: str, above: tuple[str, ...], before: Built, namespace: str) -> Built:
        """The result after a Component is applied to `before`, the resources accumulated by the kustomization that
        lists it."""
        self._left -= _FOLDER
        if len(above) > _MAX_DEPTH or self._left < 0:
            reason = "it is nested too deeply" if self._left >= 0 else "too much is built on it"
            names = self._tree.kustomizations(folder)
            place = Place(names[0] if names and self._left < 0 else folder)
            cause = EXPENSIVE if self._left < 0 else ""
            problem = Problem(place, reason, MISSING, cycle=True, cause=cause)
            return before._replace(problems=(problem,), used=frozenset({folder}))
        own_kustomization, wrong = kustomization(self._tree, folder)
        problems = [
            Problem(misfit.place, misfit.reason, EMPTY_KUSTOMIZATION if misfit.is_empty else REFUSED)
            for misfit in wrong
        ]
        used = frozenset({folder, *self._tree.kustomizations(folder)})
        if own_kustomization is None:
            # An empty kustomization hides nothing.
            hides = any(not misfit.is_empty for misfit in wrong)
            problems = [problem._replace(kind=MISSING) if hides else problem for problem in problems]
            return before._replace(problems=tuple(problems), used=used)
        if not own_kustomization.lists_paths:
            refused = refused_fields(own_kustomization, is_top=not above)
            problems += [Problem(refusal.place, refusal.reason, REFUSED) for refusal in refused]
        work = Work(self._tree, own_kustomization, folder, namespace, before)
        work.problems += problems
        work.used |= used
        return self._accumulate_work(work, above)

    def _accumulate_work(self, work: Work, above: tuple[str, ...]) -> Built:
        own_types = merge_types(work, is_top=not above)
        self._types = self._types or own_types
        accumulation = Accumulation(self, (*above, work.folder))
        accumulation.accumulate_entries(work)
        work.types = self._types or builtin_types()
        self._spend_objects(work.resources, work.folder)
        transform_resources(work, accumulation.add_resource)
        return work.build_of_work

    def _spend_objects(self, resources: Sequence[Resource], folder: str) -> None:
        """Charge the objects that pass through a folder to the limits, weighted by the size of their file."""
        units: float = len(resources)
        if self._weights:
            units = sum(self._weights.get(resource.traced.place.source, 1) for resource in resources)
        self._left -= units
        budget.spend(units, f"more objects pass through {folder or '.'} and what builds on it than one run may follow")

    def file(self, name: str) -> Built:
        """The objects of a manifest file."""
        if name not in self._files:
            resources = resources_of(self._tree, name)
            budget.allow(budget.FOR_A_FILE * self._tree.size(name) / 1000)
            if resources.resources and not is_common(self._tree, name) and self._may_name_again(name):
                more = aliased_share(resource.traced.value for resource in resources.resources)
                self._weights[name] = 1 + more / budget.VALUES / len(resources.resources)
            self._files[name] = resources
        self._tree.record_reads((name,))
        return self._files[name]

    def _may_name_again(self, name: str) -> bool:
        data = self._tree.data(name) or b""
        return b"&" in data and b"*" in data


_METADATA = ("managedByLabel", "originAnnotations", "transformerAnnotations")
_ORDERS = ("fifo", "legacy")


def refused_fields(kustomization: Kustomization, *, is_top: bool) -> Iterator[Misfit]:
    """Fields and options that Kustomize refuses. `sortOptions` is checked only in the kustomization that is built."""
    # A list of files in `patches` has its own, clearer message.
    left_out = ("patches",) if kustomization.legacy_patches else ()
    checked = {key: value for key, value in kustomization.body.items() if key not in left_out}
    yield from misfits_of(checked, kustomization.place)
    yield from _refused_options(kustomization, is_top=is_top)


def _refused_options(kustomization: Kustomization, *, is_top: bool) -> Iterator[Misfit]:
    for entry in kustomization.entries("buildMetadata"):
        if text(entry.value) not in _METADATA:
            yield Misfit(entry.place, f"`buildMetadata` is none of {', '.join(_METADATA)}")
    options = kustomization.field("sortOptions") if is_top else None
    if options is None:
        return
    order = text(mapping(options.value).get("order"))
    if order not in _ORDERS:
        yield Misfit(options.place, f"`order` of `sortOptions` is none of {' and '.join(_ORDERS)}")
    elif order != "legacy" and mapping(options.value).get("legacySortOptions") is not None:
        yield Misfit(options.place, "`legacySortOptions` are only for the order `legacy`")


# The objects of a manifest file that a kustomization lists (api/resource/factory.go, `SliceFromBytes`).
_FOLDED = "a folded string (`>`) with indented lines: Kustomize adds line breaks to it"


def resources_of(tree: Tree, name: str) -> Built:
    """The objects of a manifest file, and what Kustomize would refuse in it."""
    reading = read_objects(tree, name)
    is_alike = is_common(tree, name)
    problems = [Problem(Place(name), _FOLDED, TEXT)] if not is_alike and is_folded(tree, name) else []
    if reading is not None and reading.failures:
        first = reading.failures[0]
        only = sops_kinds(reading)
        problems.append(Problem(Place(name), f"it cannot be read: {first.message}", MISSING, only=only))
    key = "" if is_alike else find_misread_key(tree.data(name) or b"")
    if key:
        problems.append(Problem(Place(name), f"{name} has the key `{key}`, which is not a string; quote it", REFUSED))
    resources = []
    for document in reading.documents if reading is not None else ():
        place = Place(name, document.index)
        if document.duplicates:
            repeated = min(document.duplicates, key=lambda duplicate: duplicate.line)
            others = len(document.duplicates) - 1
            more = f", and {others} more key{'s' * (others > 1)}" if others else ""
            reason = f"{name} gives the key `{repeated.key}` twice (line {repeated.line}){more}"
            problems.append(Problem(place, reason, REFUSED))
        here = [resource_of(Traced(obj.body, obj.place)) for obj in objects(document.value, place)]
        if not here and _is_versionless(document.value):
            here = [resource_of(Traced(document.value, place))]
        problems += [
            Problem(candidate.traced.place, f"{name} holds a {candidate.id.kind.kind} without a name", REFUSED)
            for candidate in here
            if not candidate.id.name and not candidate.id.kind.kind.endswith("List")
        ]
        if not here and not text(mapping(document.value).get("kind")).endswith("List"):
            problems.append(Problem(place, f"{name} holds something that is not an object", REFUSED))
        resources += here
    return Built(tuple(resources), tuple(problems), frozenset({name}))


def _is_versionless(value: object) -> bool:
    """Whether a value has kind and name but no apiVersion: Kustomize accepts it, the API server does not."""
    body = mapping(value)
    named = text(body.get("kind")) and text(mapping(body.get("metadata")).get("name"))
    return bool(named) and not body.get("apiVersion")
