"""`render`: prints the objects as they will be applied, and what is missing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from quotalint.cli import printing
from quotalint.cli.actions import note_basis, print_report, result_of, settings_of, tell_of_programs
from quotalint.cli.request import CannotRun, Request
from quotalint.kube.objects import Object, ObjectId
from quotalint.runtime.faults import attempt
from quotalint.runtime.resource_limits import begin_stage
from quotalint.runtime.transcript import note_pure
from quotalint.settings import Settings
from quotalint.text.words import list_some
from quotalint.unknowns.problems import Problem


def render(request: Request, root: str | None) -> int:
    """Print the objects as they will be applied; the exit status."""
    from quotalint.reports.manifests import render as render_manifests

    note_pure()
    if root is not None:
        return _render_root(request, root)
    result = result_of(request)
    settings = result.environments[0].settings
    objects_by_environment = [(facts.environment, facts.cluster.objects) for facts in result.environments]
    left_out = _too_large_objects(obj for _, objects in objects_by_environment for obj in objects)
    status = _print_objects(
        lambda: render_manifests(objects_by_environment, result.locate, settings.kube_version, left_out)
    )
    _tell_renderer(settings)
    _tell_problems({problem for facts in result.environments for problem in facts.problems})
    return status


def _print_objects(work: Callable[[], str]) -> int:
    """Print the objects; the exit status."""

    def tell_unprinted(reason: str, is_expensive: bool) -> None:
        printing.tell(f"quotalint: the objects cannot be printed: {reason}")

    begin_stage()
    text = attempt("printing objects", "", work, tell_unprinted)
    print_report(text or "", "yaml")
    return 0 if text is not None else 2


def _render_root(request: Request, root: str) -> int:
    from quotalint.deployed import kustomization_alone
    from quotalint.reports.manifests import render_bare

    if not root:
        raise CannotRun("--root is empty; for the working directory, write --root .")
    folder = os.path.relpath(root).replace(os.sep, "/")
    settings = settings_of((root,), request.options)
    note_basis(settings, (root,))
    tell_of_programs(settings.repository)
    rendering = kustomization_alone("" if folder == "." else folder, settings)
    if rendering is None:
        raise CannotRun(f"--root {root}: this folder has no kustomization")
    status = _print_objects(lambda: render_bare(rendering.objects, _too_large_objects(rendering.objects)))
    _tell_renderer(settings)
    _tell_problems(rendering.problems)
    return status


def _too_large_objects(objects: Iterable[Object]) -> frozenset[ObjectId]:
    """The objects that are too large to print, by identity; their names are printed."""
    from quotalint.reports.manifests import too_large

    left_out = list(too_large(objects))
    by_file: dict[str, list[Object]] = {}
    for obj in left_out:
        by_file.setdefault(obj.place.file, []).append(obj)
    for file, large_objects in by_file.items():
        object_names = list_some([f"{obj.kind} {obj.name}" for obj in large_objects], 3)
        printing.tell(f"quotalint: {file}: not printed: too expensive: {object_names}")
    return frozenset(obj.identity for obj in left_out)


def _tell_renderer(settings: Settings) -> None:
    """Print the renderer on standard error."""
    from quotalint.deployed import kustomize_renderer

    name = kustomize_renderer(settings.renderers.kustomize, settings.repository)
    printing.tell(f"quotalint: kustomizations: {name}")


def _tell_problems(problems: Iterable[Problem]) -> None:
    """Print what could not be rendered on standard error, not into the manifests."""
    for line in sorted({f"quotalint: {problem.place.file}: {problem.reason}" for problem in problems}):
        printing.tell(line)
