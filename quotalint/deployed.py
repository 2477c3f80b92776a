"""The public entry point to `gitops/`: what a repository applies to which cluster.

Files go in; environments come out, with objects, the places of their fields, problems and what is not in view. It knows
no quotas and no rules, so other programs may use it: they need only `render`. All other packages of quotalint import
`gitops` through this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from quotalint.gitops.default_namespaces import with_resolved_namespaces
from quotalint.gitops.rendering import Environment, Rendering, View
from quotalint.gitops.skipped_files import holds_objects, links_to_data, with_broken_manifests
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.runtime import budget
from quotalint.runtime.recall import Memory, memory_in_use, recalled
from quotalint.settings import Options, Settings
from quotalint.settings.loading import load_settings
from quotalint.text.progress import Tell, tell_nobody
from quotalint.text.reading import File, read_all
from quotalint.text.sources import Found, Source, TemplateFile, Unreadable, find
from quotalint.unknowns.problems import Problem
from quotalint.unknowns.unseen import Skipped, Unseen

if TYPE_CHECKING:
    from quotalint.gitops.deployers import APPLIED_AS_WRITTEN, is_deployer, is_deployer_file
    from quotalint.gitops.kustomize_program import kustomize_renderer
    from quotalint.gitops.remembered_builds import Changed
    from quotalint.gitops.view import kustomization_alone, view_repository
    from quotalint.text.documents import Reading
    from quotalint.text.template_words import TemplateWords

__all__ = [
    "APPLIED_AS_WRITTEN",
    "Deployed",
    "Environment",
    "Problem",
    "Rendering",
    "Skipped",
    "Unseen",
    "View",
    "deployed",
    "expect_changes",
    "holds_objects",
    "is_deployer",
    "is_deployer_file",
    "kustomization_alone",
    "kustomize_renderer",
    "render",
    "view_repository",
    "with_resolved_namespaces",
]


# Not needed by callers that already have objects, so imported on first use.
_LATER = {
    "APPLIED_AS_WRITTEN": "deployers",
    "is_deployer": "deployers",
    "is_deployer_file": "deployers",
    "kustomization_alone": "view",
    "kustomize_renderer": "kustomize_program",
    "view_repository": "view",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(f"quotalint.gitops.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class Deployed(NamedTuple):
    """The result of rendering a repository, with the files read."""

    view: View
    files: tuple[File, ...]
    """The files that were read."""
    unreadable: tuple[Unreadable, ...]
    templates: Mapping[str, TemplateWords]
    """The words of templates that are not rendered, by name, if they write anything of interest."""


def deployed(
    files_found: Found,
    settings: Settings,
    stdin: Callable[[], bytes] = bytes,
    jobs: int = 1,
    shown: Sequence[Object] = (),
    known: Callable[[Source], File | None] | None = None,
    tell: Tell = tell_nobody,
) -> Deployed:
    """Render these sources. `shown` are snapshot objects; files for which `known` returns a value are not read."""
    from quotalint.text.chart_files import in_charts

    outside, charts = recalled("charts", (files_found.sources,), None, lambda: in_charts(files_found.sources))
    read = read_all(outside, stdin, jobs, known, tell)
    files = with_broken_manifests(tuple(file for file in read if isinstance(file, File)))
    data_links = links_to_data(files_found.unreadable, files)
    broken = (file for file in files_found.unreadable if file not in data_links)
    unreadable = (*broken, *(file for file in read if isinstance(file, Unreadable)))
    budget.renew()
    budget.allow(budget.FOR_A_FILE * sum(len(file.reading.documents) for file in files))
    skipped = (*(Skipped(*skip) for skip in files_found.passed), *(Skipped(*link[:2]) for link in data_links))

    templates = _words_of(files_found.templates)

    def view_files() -> View:
        from quotalint.gitops.view import view_repository

        view = view_repository(files, unreadable, charts, skipped, settings, shown, tell, files_found, templates)
        if not (templates or any(file.templated and file.reading.failures for file in files)):
            return view
        from quotalint.gitops.workload_templates import with_unseen_template_workloads

        return with_unseen_template_workloads(view, templates, files)

    memory = memory_in_use()
    if memory is None:
        return Deployed(view_files(), files, tuple(unreadable), templates)
    from quotalint.gitops.remembered_builds import Changed, builds_of
    from quotalint.gitops.same_objects import with_earlier_objects, with_earlier_values

    earlier = memory.lasting("deployed", _Earlier)
    about = settings, shown, unreadable
    changed = earlier.changed if earlier.about[:2] == about[:2] else None
    is_edited = earlier.found is files_found and earlier.about == about
    readings: dict[str, Reading] = {}
    if is_edited and [file.source for file in earlier.files] == [file.source for file in files]:
        files = tuple(map(with_earlier_values, earlier.files, files))
        new = [now for before, now in zip(earlier.files, files, strict=True) if before is not now]
        readings = {file.source.name: file.reading for file in new}
        changed = Changed(frozenset(file.source.path for file in new), is_readings=True)
    builds = builds_of(memory)
    builds.forget(changed, readings)
    earlier.seen = view_files() if earlier.seen is None else with_earlier_objects(earlier.seen, view_files())
    builds.end_view()
    earlier.found, earlier.about, earlier.files = files_found, about, files
    earlier.changed = None
    return Deployed(earlier.seen, files, tuple(unreadable), templates)


def _words_of(templates: Sequence[TemplateFile]) -> Mapping[str, TemplateWords]:
    """The words of templates by name, without templates that write nothing of interest."""
    if not templates:
        return {}
    from quotalint.text.template_words import NO_WORDS, template_words

    return {template.name: words for template in templates if (words := template_words(template)) != NO_WORDS}


def expect_changes(memory: Memory, paths: Iterable[str]) -> None:
    """Note the real paths of all files and folders added, removed or edited since the last look."""
    from quotalint.gitops.remembered_builds import changed_paths

    memory.lasting("deployed", _Earlier).changed = changed_paths(paths)


class _Earlier:
    """The last look; a mutable class because the next look replaces it."""

    def __init__(self) -> None:
        self.found: Found | None = None
        """The same object as long as the files have not been searched again."""
        self.about: tuple[object, ...] = ()
        self.files: tuple[File, ...] = ()
        self.seen: View | None = None
        self.changed: Changed | None = None
        """The known changes since; None if anything may have changed."""


def render(folder: str = ".", settings: Settings | None = None) -> View:
    """The rendered folder: its environments with their objects, and what is not applied. Names are relative to the
    working directory.

    Without `settings`, the folder's configuration file is used, as far as it can be read.
    """
    if settings is None:
        loaded = load_settings([folder], Options())
        settings = loaded if isinstance(loaded, Settings) else Settings(folder, None, repository=folder)
    return deployed(find([folder], settings.root, settings.exclude), settings).view
