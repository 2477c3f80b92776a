"""A kustomization → its objects (api/internal/target/kusttarget.go, release 5.8).

What cannot be rendered is left out by name and the rest is rendered; Kustomize itself would stop.
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
from quotalint.gitops.kustomize.problems import (
    EMPTY_KUSTOMIZATION,
    EXPENSIVE,
    MISSING,
    REFUSED,
    TEXT,
    Problem,
)
from quotalint.gitops.kustomize.traced import Traced
from quotalint.gitops.kustomize.transformation import transform_resources
from quotalint.gitops.kustomize.work import Built, HelmChart, Work
from quotalint.gitops.tree import Tree
from quotalint.kube.fields import mapping, text
from quotalint.kube.objects import objects
from quotalint.named_tuples import NamedTuple
from quotalint.runtime import budget
from quotalint.text.aliases import aliased_share
from quotalint.text.place import Place
from quotalint.text.reading import sops_kinds

_MAX_DEPTH = 100
MAX_WORK = 50_000
"""What a build may take, in objects that pass through folders: what builds twice on what builds twice … has no end."""
_FOLDER = 10  # what a folder costs besides, in objects

__all__ = ["Builder", "Built", "HelmChart"]

_Key = tuple[str, str, int, bool]
"""A folder, the namespace that what builds on it gives, the identity of what schemas said until then, and whether
anything builds on it: of what is built itself Kustomize looks at more."""


class _Accumulated(NamedTuple):
    """What a folder comes to before anything is finished."""

    built: Built
    before: MergeTypes | None
    """What schemas said when it was reached: as long as this is here, nothing else has its identity."""
    types: MergeTypes | None
    """What they say from there on."""
    cost: float
    """In objects that passed through it, and through what was first reached from it."""


class Builder:
    """Renders kustomizations of one repository; what several of them build on is rendered once."""

    def __init__(self, tree: Tree, helm_chart: HelmChart | None = None) -> None:
        self._tree = tree
        self._accumulated: dict[_Key, _Accumulated] = {}
        self._types: MergeTypes | None = None
        """What the first schema says that the build comes to: it counts for all that follows."""
        self._files: dict[str, Built] = {}
        self._read: dict[str, frozenset[str]] = {}
        """By folder: the files that were read for it, where somebody listens."""
        self._weights: dict[str, float] = {}
        self._left: float = 0
        self._lasting: dict[_Key, float] = {}
        """What was accumulated before files changed, and what that costs a build that meets it."""
        self.helm_chart = helm_chart

    def build(self, folder: str) -> Built:
        """The objects that `kustomize build` prints for a folder, and why it might not."""
        self._left, self._types = MAX_WORK, None
        return finish_build(self.folder(folder, (), ""))

    def overlay(self, over: Kustomization, folder: str) -> Built:
        """The same for a kustomization that stands in no file of its own: what Flux and Argo CD put over a folder."""
        self._left, self._types = MAX_WORK, None
        work = Work(self._tree, over, folder, "")
        work.used |= {folder, *self._tree.kustomizations(folder)}  # what is put over the folder's own brings it too
        return finish_build(self._accumulate_work(work, ()))

    def folder(self, folder: str, above: tuple[str, ...], namespace: str) -> Built:
        """What a folder comes to before anything is finished, for the folders above, which build on it."""
        key = (folder, namespace, id(self._types), bool(above))
        if key in self._accumulated:
            self._tree.hear(self._read[folder])
            self._left -= self._lasting.pop(key, 0)
        else:
            before, left = self._types, self._left
            with self._tree.listening() as names:
                built = self.component(folder, above, Built((), (), frozenset()), namespace)
            self._read[folder] = self._read.get(folder, frozenset()) | names
            if any(problem.cycle for problem in built.problems):
                return built  # what a cycle cuts off depends on where one comes from
            self._accumulated[key] = _Accumulated(built, before, self._types, left - self._left)
        built, _, self._types, _ = self._accumulated[key]
        return built

    def forget(self, names: Set[str]) -> None:
        """These files have changed: what was made of them goes, and what is left costs as if it were made anew."""
        self._files = {name: built for name, built in self._files.items() if name not in names}
        self._weights = {name: weight for name, weight in self._weights.items() if name not in names}
        stale = {folder for folder, read in self._read.items() if not read.isdisjoint(names)}
        self._read = {folder: read for folder, read in self._read.items() if folder not in stale}
        self._accumulated = {key: built for key, built in self._accumulated.items() if key[0] not in stale}
        self._lasting = {key: accumulated.cost for key, accumulated in self._accumulated.items()}

    def forget_changed(self, is_changed: Callable[[str], bool]) -> None:
        """The same for the names that have changed."""
        looked_at = chain(self._files, *self._read.values())
        self.forget({name for name in dict.fromkeys(looked_at) if is_changed(name)})

    def take_over(self, earlier: Builder) -> None:
        """Take what another builder came to, in a state that has not changed but for what it forgot."""
        self._files, self._weights, self._read = earlier._files, earlier._weights, earlier._read
        self._accumulated, self._lasting = earlier._accumulated, earlier._lasting

    def is_component(self, folder: str) -> bool:
        """Whether a folder says that it is a Component."""
        return calls_itself_component(self._tree, folder)

    def component(self, folder: str, above: tuple[str, ...], before: Built, namespace: str) -> Built:
        """What is there after a Component, which works on what the kustomization that names it has so far."""
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
        """Objects pass through a folder, each of them as heavy as those of its file."""
        units: float = len(resources)
        if self._weights:
            units = sum(self._weights.get(resource.traced.place.source, 1) for resource in resources)
        self._left -= units
        budget.spend(units, f"more objects pass through {folder or '.'} and what builds on it than one run may follow")

    def file(self, name: str) -> Built:
        """The objects of a file."""
        if name not in self._files:
            resources = resources_of(self._tree, name)
            budget.allow(budget.FOR_A_FILE * self._tree.size(name) / 1000)
            if resources.resources and not is_common(self._tree, name) and self._may_name_again(name):
                more = aliased_share(resource.traced.value for resource in resources.resources)
                self._weights[name] = 1 + more / budget.VALUES / len(resources.resources)
            self._files[name] = resources
        self._tree.hear((name,))
        return self._files[name]

    def _may_name_again(self, name: str) -> bool:
        data = self._tree.data(name) or b""
        return b"&" in data and b"*" in data


_METADATA = ("managedByLabel", "originAnnotations", "transformerAnnotations")
_ORDERS = ("fifo", "legacy")


def refused_fields(kustomization: Kustomization, *, is_top: bool) -> Iterator[Misfit]:
    """What Kustomize refuses about the fields of a kustomization; the order is looked at in the one that is built."""
    # That `patches` is a list of files is told by what it is, better than by its type.
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


# The objects of a file that a kustomization names (api/resource/factory.go, `SliceFromBytes`).
_FOLDED = "a folded string (`>`) with indented lines: Kustomize adds line breaks to it"


def resources_of(tree: Tree, name: str) -> Built:
    """The objects of a file, and what Kustomize would refuse about it."""
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
    """Whether it has a kind and a name and no apiVersion: Kustomize takes it along, the API server does not."""
    body = mapping(value)
    named = text(body.get("kind")) and text(mapping(body.get("metadata")).get("name"))
    return bool(named) and not body.get("apiVersion")
