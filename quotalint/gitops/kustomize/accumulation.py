"""What a kustomization is made of: resources, generators, components (accumulateTarget)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Protocol

from quotalint.gitops.kustomize import generators
from quotalint.gitops.kustomize.built import Built, HelmChart
from quotalint.gitops.kustomize.builtin_transformers import configurations
from quotalint.gitops.kustomize.kustomization import DECLINED, kustomization
from quotalint.gitops.kustomize.problems import MISSING, TEXT, UNRENDERED
from quotalint.gitops.kustomize.reading import raw
from quotalint.gitops.kustomize.resources import Resource
from quotalint.gitops.kustomize.traced import Traced, elements
from quotalint.gitops.kustomize.work import Work
from quotalint.gitops.tree import join
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.kube.objects import objects
from quotalint.text.guards import GIT_CRYPT
from quotalint.text.place import Place


class Renderer(Protocol):
    """Who renders what a kustomization builds on. `above` are the folders that build on it, the outermost first."""

    @property
    def helm_chart(self) -> HelmChart | None: ...

    def file(self, name: str) -> Built: ...

    def folder(self, folder: str, above: tuple[str, ...], namespace: str) -> Built: ...

    def component(
        self, folder: str, above: tuple[str, ...], resources: tuple[Resource, ...], namespace: str
    ) -> Built: ...


def accumulate(work: Work, renderer: Renderer, above: tuple[str, ...]) -> None:
    """Put together what a kustomization is made of, in the order of Kustomize."""
    _decline(work, renderer)
    for entry in work.kustomization.entries("resources", "bases"):
        _resource(work, renderer, above, entry)
    _generate(work, renderer)
    for entry in work.kustomization.entries("components"):
        _component(work, renderer, above, entry)


def _decline(work: Work, renderer: Renderer) -> None:
    for field, reason in DECLINED.items():
        found = work.kustomization.field(field)
        if found is None or (field.startswith("helmChart") and renderer.helm_chart):
            continue
        if field == "generators":
            _plugins(work, found)
            continue
        if field == "transformers" and all(configurations(work, one)[1] for one in elements(found)):
            continue
        hides = field in ("transformers", "helmCharts", "helmChartInflationGenerator")
        work.problem(found.place, reason, MISSING if hides else TEXT if field == "buildMetadata" else UNRENDERED)


def _plugins(work: Work, found: Traced) -> None:
    """Generator plugins are never run; of those that are known, what they would make is known."""
    for entry in elements(found):
        target = join(work.folder, text(entry.value))
        work.used.add(target)
        inline = "\n" in text(entry.value)
        reading = raw(text(entry.value).encode()) if inline else work.tree.reading(target)
        bodies = [mapping(one.value) for one in reading.documents] if reading is not None else []
        kinds = sorted({text(body.get("kind")) or "unknown" for body in bodies}) or ["unknown"]
        only = _decrypted(work, bodies) if kinds == ["ksops"] else ()
        reason = f"the generator {', '.join(kinds)} is a plugin, which is not run"
        if only:
            reason += f"; it makes {', '.join(f'{kind}s' for kind in only)} alone"
        work.problem(entry.place, reason, MISSING, only=only)


def _decrypted(work: Work, bodies: Iterable[Body]) -> tuple[str, ...]:
    """The kinds that ksops makes: those of the files that it decrypts, in which sops leaves the kind as it is."""
    kinds = {"Secret"}
    for path in (path for body in bodies for path in sequence(body.get("files"))):
        reading = work.tree.reading(join(work.folder, text(path)))
        documents = reading.documents if reading is not None else ()
        kinds.update(obj.kind for document in documents for obj in objects(document.value, Place(text(path))))
    return tuple(sorted(kinds))


def _resource(work: Work, renderer: Renderer, above: tuple[str, ...], entry: Traced) -> None:
    path = text(entry.value)
    if not isinstance(entry.value, str) or not path:
        if not entry.value:  # what has another type was said where the types are looked at
            work.problem(entry.place, "a resource is a path")
        return
    target = work.tree.name(join(work.folder, path))
    if work.tree.is_file(target) and not path.endswith("/"):
        if (work.tree.data(target) or b"").startswith(GIT_CRYPT):
            work.used.add(target)
            work.problem(entry.place, f"{path} is encrypted by git-crypt", MISSING)
            return
        built = renderer.file(target)
        work.outside(entry, target)
    elif work.tree.is_folder(target):
        if target in above:
            work.problem(entry.place, f"{path} is a cycle: it builds on itself", MISSING, cycle=True)
            return
        if not work.tree.kustomizations(target):
            work.absent(entry.place, f"there is no kustomization in the folder {path}")
            return
        built = renderer.folder(target, above, work.namespace)
        found, _ = kustomization(work.tree, target)
        if found is not None and found.is_component:
            work.problem(entry.place, f"{path} is a Component; it belongs under `components`")
    else:
        work.missing(entry, path)
        return
    work.noted(built, entry)
    work.append(one._replace(via=(entry.place, *one.via)) for one in built.resources)


def _component(work: Work, renderer: Renderer, above: tuple[str, ...], entry: Traced) -> None:
    path = text(entry.value)
    if not isinstance(entry.value, str) or not path:
        if not entry.value:
            work.problem(entry.place, "a component is a path")
        return
    target = work.tree.name(join(work.folder, path))
    if not work.tree.is_folder(target):
        work.missing(entry, path, "folder " if work.tree.is_file(target) else "")
        return
    if target in above:
        work.problem(entry.place, f"{path} is a cycle: it builds on itself", MISSING, cycle=True)
        return
    if not work.tree.kustomizations(target):
        work.absent(entry.place, f"there is no kustomization in the folder {path}")
        return
    found, _ = kustomization(work.tree, target)
    if found is not None and not found.is_component:
        work.problem(entry.place, f"{path} is no Component (kind: Component)")
    before = {one.traced.place: one for one in work.resources}
    built = renderer.component(target, above, tuple(work.resources), work.namespace)
    work.noted(built, entry)
    work.resources = [
        one if one.traced.place in before else one._replace(via=(entry.place, *one.via)) for one in built.resources
    ]


def _generate(work: Work, renderer: Renderer) -> None:
    options = mapping(work.kustomization.body.get("generatorOptions"))
    for entry in work.kustomization.entries("configMapGenerator"):
        _made(work, "ConfigMap", entry, options)
    if renderer.helm_chart is not None:
        for entry in work.kustomization.entries("helmCharts", "helmChartInflationGenerator"):
            resources, problems = renderer.helm_chart(entry, work.kustomization, work.namespace)
            work.problems += problems
            work.append(resources)
    for entry in work.kustomization.entries("secretGenerator"):
        _made(work, "Secret", entry, options)


def _made(work: Work, kind: str, entry: Traced, options: Body) -> None:
    try:
        made = generators.generated(kind, entry, options, partial(work.data, entry))
        work.resources = generators.absorbed(work.resources, made.resource)
    except generators.GeneratorError as error:
        work.problem(entry.place, str(error))
        return
    for path in made.missing:
        work.problem(entry.place, f"there is no {path}")
