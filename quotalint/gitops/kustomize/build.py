"""A kustomization → its objects (api/internal/target/kusttarget.go, release 5.8).

What cannot be rendered is left out by name and the rest is rendered; Kustomize itself would stop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from quotalint.gitops.kustomize import generators, patches, transformers
from quotalint.gitops.kustomize.field_specs import FieldSpec, field_specs
from quotalint.gitops.kustomize.kustomization import DECLINED, Kustomization, is_remote, kustomization
from quotalint.gitops.kustomize.name_references import with_references
from quotalint.gitops.kustomize.problems import LOAD, MISSING, REFUSED, TEXT, UNRENDERED, Problem
from quotalint.gitops.kustomize.reading import is_folded, written
from quotalint.gitops.kustomize.replacements import ReplacementError, replaced
from quotalint.gitops.kustomize.resources import Kind, Resource, resource
from quotalint.gitops.kustomize.selectors import SelectorError
from quotalint.gitops.kustomize.traced import Traced, child, elements, with_child
from quotalint.gitops.tree import Tree, join
from quotalint.kube.fields import mapping, text
from quotalint.kube.objects import objects
from quotalint.text.place import Place

_INTERNAL = ("internal.config.kubernetes.io/", "config.kubernetes.io/path", "config.kubernetes.io/index")
_FOLDED = "a folded text (`>`) with indented lines: Kustomize adds line breaks to it"
_LOCAL = "config.kubernetes.io/local-config"
_METADATA_LABELS = FieldSpec(("metadata", "labels"), Kind("", "", ""), True)


class Built(NamedTuple):
    """What a kustomization yields."""

    resources: tuple[Resource, ...]
    problems: tuple[Problem, ...]
    used: frozenset[str]
    """The files and folders that it builds on."""


HelmChart = Callable[[Traced, Kustomization, str], "tuple[list[Resource], list[Problem]]"]


class Builder:
    """Renders kustomizations of one repository; what several of them build on is rendered once."""

    def __init__(self, tree: Tree, helm_chart: HelmChart | None = None) -> None:
        self._tree = tree
        self._helm_chart = helm_chart
        self._accumulated: dict[tuple[str, str], Built] = {}
        self._files: dict[str, Built] = {}

    def build(self, folder: str) -> Built:
        """The objects that `kustomize build` prints for a folder, and why it might not."""
        built = self._folder(folder, (), "")
        resources = [generators.with_hash(one) for one in built.resources]
        resources = [_plain(one) for one in with_references(resources)]
        return built._replace(resources=tuple(one for one in resources if not _is_local(one)))

    def _folder(self, folder: str, above: tuple[str, ...], namespace: str) -> Built:
        key = (folder, namespace)
        if key not in self._accumulated:
            found, wrong = kustomization(self._tree, folder)
            problems = [Problem(one.place, one.reason, REFUSED) for one in wrong]
            used = frozenset({folder, *self._tree.kustomizations(folder)})
            if found is None:
                missing = [one._replace(kind=MISSING) for one in problems]
                built = Built((), tuple(missing), used)
            else:
                built = _Build(self, found, folder, above, namespace).accumulated((), problems, used)
            if any(one.cycle for one in built.problems):
                return built  # what a cycle cuts off depends on where one comes from
            self._accumulated[key] = built
        return self._accumulated[key]

    def _component(self, folder: str, above: tuple[str, ...], resources: tuple[Resource, ...], namespace: str) -> Built:
        """The resources after a Component, which works on those of the kustomization that names it."""
        found, wrong = kustomization(self._tree, folder)
        problems = [Problem(one.place, one.reason, REFUSED) for one in wrong]
        used = frozenset({folder, *self._tree.kustomizations(folder)})
        if found is None:
            return Built(resources, tuple(one._replace(kind=MISSING) for one in problems), used)
        return _Build(self, found, folder, above, namespace).accumulated(resources, problems, used)

    def _file(self, name: str) -> Built:
        """The objects of a file."""
        if name not in self._files:
            reading = written(self._tree, name)
            problems = [Problem(Place(name), _FOLDED, TEXT)] if is_folded(self._tree, name) else []
            if reading is not None and reading.failures:
                first = reading.failures[0]
                problems.append(Problem(Place(name), f"{name} cannot be read: {first.message}", MISSING))
            found = []
            for document in reading.documents if reading is not None else ():
                place = Place(name, document.index)
                here = list(objects(document.value, place))
                found += [resource(Traced(obj.body, obj.place)) for obj in here]
                if not here and not _is_empty_list(document.value):
                    problems.append(Problem(place, f"{name} holds something that is no object", REFUSED))
            self._files[name] = Built(tuple(found), tuple(problems), frozenset({name}))
        return self._files[name]


def _is_empty_list(value: object) -> bool:
    return text(mapping(value).get("kind")).endswith("List")


def _is_local(one: Resource) -> bool:
    annotations = mapping(one.metadata.get("annotations"))
    return _LOCAL in annotations and text(annotations[_LOCAL]) != "false"


def _plain(one: Resource) -> Resource:
    """Without the annotations that Kustomize keeps for itself, and the others as text (RemoveBuildAnnotations)."""
    annotations = one.metadata.get("annotations")
    if not isinstance(annotations, dict):
        return one
    kept = {key: text(value) for key, value in annotations.items() if not key.startswith(_INTERNAL)}
    if kept and kept == annotations:
        return one
    metadata = child(one.traced, "metadata") or one.traced
    old = child(metadata, "annotations") or metadata
    new = with_child(metadata, "annotations", Traced(kept, old.origin) if kept else None)
    return one.changed(with_child(one.traced, "metadata", new))


class _Build:
    """One kustomization at work."""

    def __init__(self, builder: Builder, found: Kustomization, folder: str, above: tuple[str, ...], namespace: str):
        self._builder = builder
        self._tree = builder._tree
        self._kustomization = found
        self._folder = folder
        self._above = (*above, folder)
        self._resources: list[Resource] = []
        self._problems: list[Problem] = []
        self._used: set[str] = set()
        own = found.field("namespace")
        self._namespace = text(own.value) if own is not None else namespace

    def accumulated(self, resources: tuple[Resource, ...], problems: Iterable[Problem], used: frozenset[str]) -> Built:
        """The resources after this kustomization (accumulateTarget)."""
        self._resources = list(resources)
        self._problems = list(problems)
        self._used = set(used)
        self._declined()
        for entry in self._kustomization.entries("resources", "bases"):
            self._resource(entry)
        self._generated()
        for entry in self._kustomization.entries("components"):
            self._component(entry)
        self._transformed()
        return Built(tuple(self._resources), tuple(self._problems), frozenset(self._used))

    def _problem(self, place: Place, reason: str, kind: str = REFUSED, cycle: bool = False) -> None:
        self._problems.append(Problem(place, reason, kind, cycle=cycle))

    def _declined(self) -> None:
        for field, reason in DECLINED.items():
            found = self._kustomization.field(field)
            if found is None or (field.startswith("helmChart") and self._builder._helm_chart):
                continue
            hides = field in ("generators", "transformers", "helmCharts", "helmChartInflationGenerator")
            self._problem(found.place, reason, MISSING if hides else UNRENDERED)

    def _resource(self, entry: Traced) -> None:
        path = text(entry.value)
        if not isinstance(entry.value, str) or not path:
            self._problem(entry.place, "a resource is a path")
            return
        target = join(self._folder, path)
        if self._tree.is_file(target) and not path.endswith("/"):
            built = self._builder._file(target)
            self._outside(entry, target)
        elif self._tree.is_folder(target):
            if target in self._above:
                self._problem(entry.place, f"{path} is a cycle: it builds on itself", MISSING, cycle=True)
                return
            built = self._builder._folder(target, self._above, self._namespace)
            found, _ = kustomization(self._tree, target)
            if found is not None and found.is_component:
                self._problem(entry.place, f"{path} is a Component; it belongs under `components`")
        else:
            self._missing(entry, path)
            return
        self._used |= built.used
        self._problems += [one.through(entry.place) for one in built.problems]
        self._append(one._replace(via=(entry.place, *one.via)) for one in built.resources)

    def _append(self, new: Iterable[Resource]) -> None:
        """Add resources; one whose id is already there is given twice, and Kustomize refuses."""
        ids = {(one.id.kind, one.id.name, one.id.effective): one for one in self._resources}
        for one in new:
            key = (one.id.kind, one.id.name, one.id.effective)
            if key in ids and one.id.name:
                reason = f"{one.id.kind.kind} {one.id.name} is already there ({ids[key].traced.place.source})"
                self._problem(one.via[0] if one.via else one.traced.place, reason)
                continue
            ids[key] = one
            self._resources.append(one)

    def _missing(self, entry: Traced, path: str) -> None:
        if is_remote(path):
            self._problem(entry.place, f"{path} is remote", MISSING)
        elif not self._tree.contains(join(self._folder, path)):
            self._problem(entry.place, f"{path} lies outside of the repository", MISSING)
        else:
            self._problem(entry.place, f"there is no {path}", MISSING)

    def _outside(self, entry: Traced, target: str) -> None:
        if not _below(target, self._folder):
            reason = f"{target} lies outside of the kustomization's folder: `kustomize build` refuses it, Flux does not"
            self._problem(entry.place, reason, LOAD)

    def _component(self, entry: Traced) -> None:
        path = text(entry.value)
        target = join(self._folder, path)
        if not self._tree.is_folder(target):
            self._missing(entry, path)
            return
        if target in self._above:
            self._problem(entry.place, f"{path} is a cycle: it builds on itself", MISSING, cycle=True)
            return
        found, _ = kustomization(self._tree, target)
        if found is not None and not found.is_component:
            self._problem(entry.place, f"{path} is no Component (kind: Component)")
        before = {one.traced.place: one for one in self._resources}
        built = self._builder._component(target, self._above, tuple(self._resources), self._namespace)
        self._used |= built.used
        self._problems += [one.through(entry.place) for one in built.problems]
        self._resources = [
            one if one.traced.place in before else one._replace(via=(entry.place, *one.via)) for one in built.resources
        ]

    def _generated(self) -> None:
        options = mapping(self._kustomization.body.get("generatorOptions"))
        for field, kind in (("configMapGenerator", "ConfigMap"), ("secretGenerator", "Secret")):
            for entry in self._kustomization.entries(field):
                try:
                    made = generators.generated(kind, entry, options, partial(self._data, entry))
                    self._resources = generators.absorbed(self._resources, made.resource)
                except generators.GeneratorError as error:
                    self._problem(entry.place, str(error))
                    continue
                for path in made.missing:
                    self._problem(entry.place, f"there is no {path}")
            if field == "configMapGenerator" and self._builder._helm_chart is not None:
                self._charts()

    def _charts(self) -> None:
        for entry in self._kustomization.entries("helmCharts", "helmChartInflationGenerator"):
            if self._builder._helm_chart is not None:
                made, problems = self._builder._helm_chart(entry, self._kustomization, self._namespace)
                self._problems += problems
                self._append(made)

    def _data(self, entry: Traced, path: str) -> bytes | None:
        target = join(self._folder, path)
        self._used.add(target)
        found = self._tree.data(target)
        if found is not None:
            self._outside(entry, target)
        return found

    def _transformed(self) -> None:
        self._patched()
        self._named()
        self._labelled()
        self._json_patched()
        self._counted()
        self._replaced()

    def _patched(self) -> None:
        found = self._kustomization
        strategic = found.entries("patchesStrategicMerge")
        general = found.entries("patches")
        if found.legacy_patches:
            self._problem(
                general[0].place, "`patches` lists files: Kustomize refuses it since release 5, write `- path: …`"
            )
            strategic, general = strategic + general, []
        for entry in strategic:
            self._patch(patches.from_path_or_text(entry, self._load))
        for entry in general:
            self._patch(patches.from_entry(entry, self._load))

    def _json_patched(self) -> None:
        for entry in self._kustomization.entries("patchesJson6902"):
            self._patch(patches.from_json_entry(entry, self._load))

    def _patch(self, patch: patches.Patch) -> None:
        self._resources, wrong = patches.applied(self._resources, patch)
        self._problems += wrong

    def _load(self, path: str, entry: Traced) -> patches.Loaded | None:
        target = join(self._folder, path)
        self._used.add(target)
        reading = written(self._tree, target) if self._tree.is_file(target) else None
        if reading is None:
            return None
        self._outside(entry, target)
        return patches.Loaded(target, reading)

    def _named(self) -> None:
        namespace = self._kustomization.field("namespace")
        if namespace is not None:
            self._resources = transformers.with_namespace(self._resources, namespace)
            for one in transformers.conflicts(self._resources):
                self._problem(namespace.place, f"the namespace makes several {one.kind.kind} {one.name} one object")
        for field, before in (("namePrefix", True), ("nameSuffix", False)):
            affix = self._kustomization.field(field)
            if affix is not None:
                self._resources = transformers.with_affix(self._resources, affix, before)

    def _labelled(self) -> None:
        for entry in self._kustomization.entries("labels"):
            pairs = child(entry, "pairs")
            if pairs is not None:
                self._resources = transformers.with_pairs(self._resources, pairs, _label_specs(entry))
        for field in ("commonLabels", "commonAnnotations"):
            pairs = self._kustomization.field(field)
            if pairs is not None:
                self._resources = transformers.with_pairs(self._resources, pairs, field_specs(field))

    def _counted(self) -> None:
        for entry in self._kustomization.entries("replicas"):
            name, number = text(mapping(entry.value).get("name")), child(entry, "count")
            if number is None:
                self._problem(entry.place, "the entry of `replicas` has no count")
                continue
            changed = transformers.with_replicas(self._resources, name, number)
            if changed is None:
                self._problem(entry.place, f"there is no workload {name} to give replicas to")
            else:
                self._resources = changed
        for entry in self._kustomization.entries("images", "imageTags"):
            self._resources = transformers.with_image(self._resources, mapping(entry.value), entry.place)

    def _replaced(self) -> None:
        for entry in self._kustomization.entries("replacements"):
            for one in self._replacements(entry):
                try:
                    self._resources = replaced(self._resources, one)
                except (ReplacementError, SelectorError) as error:
                    self._problem(one.place, f"the replacement is not done: {error}", UNRENDERED)

    def _replacements(self, entry: Traced) -> list[Traced]:
        path = text(mapping(entry.value).get("path"))
        if not path:
            return [entry]
        loaded = self._load(path, entry)
        if loaded is None or loaded.reading.failures:
            self._problem(entry.place, f"there is no readable {path}")
            return []
        found = []
        for document in loaded.reading.documents[:1]:
            whole = Traced(document.value, Place(loaded.name, document.index))
            found += elements(whole) if isinstance(document.value, list) else [whole]
        return found


def _label_specs(entry: Traced) -> list[FieldSpec]:
    body = mapping(entry.value)
    specs = []
    for written in map(mapping, [one.value for one in elements(child(entry, "fields") or entry)]):
        kind = Kind(*(text(written.get(field)) for field in ("group", "version", "kind")))
        specs.append(FieldSpec(tuple(text(written.get("path")).split("/")), kind, written.get("create") is True))
    if body.get("includeSelectors") is True:
        return [*specs, *field_specs("commonLabels")]
    if body.get("includeTemplates") is True:
        specs += field_specs("templateLabels")
    if body.get("includeVolumeClaimTemplates") is True:
        specs += field_specs("volumeClaimTemplateLabels")
    return [*specs, _METADATA_LABELS]


def _below(name: str, folder: str) -> bool:
    return not folder or name.startswith(folder + "/")
