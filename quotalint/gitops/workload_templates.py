"""Templates of workloads among manifests: their output is applied with these, but is not in view.

Only templates beside plain manifests that nothing deploys count: kustomizations list their files, and the files that
Flux and Argo CD read are known. A template beside a manifest of the same name was rendered into it. Templates below a
kluctl project file count anywhere, for the namespaces they name.
"""

from __future__ import annotations

import posixpath
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from quotalint.gitops.layout import Layout
from quotalint.gitops.rendering import Environment, View
from quotalint.kube.kinds import limits_namespace
from quotalint.named_tuples import NamedTuple
from quotalint.text.reading import File
from quotalint.text.sources import TemplateFile
from quotalint.text.template_words import TemplateWords, template_words
from quotalint.text.tree import is_within
from quotalint.unknowns.unseen import Unseen

_PROJECTS = (".kluctl.yaml", ".kluctl.yml")


def with_unseen_template_workloads(view: View, templates: Mapping[str, TemplateWords], files: Iterable[File]) -> View:
    """The view with an Unseen value for each namespace that workload templates add to. `templates` maps file names to
    what was read in them. Only namespaces with limits are considered."""
    words = dict(templates)
    projects = []
    for file in files:
        name = file.source.name
        if makes_project(name):
            projects.append(posixpath.dirname(name))
        is_template = file.reading.failures and file.templated and file.claims
        if is_template and name not in view.layout.kustomized and name not in view.layout.deployed_unread:
            words[name] = template_words(TemplateFile(name, file.source.path))
    by_folder: dict[str, list[str]] = {}
    for name in sorted(name for name, of in words.items() if of.workload):
        by_folder.setdefault(posixpath.dirname(name), []).append(name)
    by_folder = {folder: names for folder, names in by_folder.items() if folder not in view.layout.kustomizations}
    if not by_folder:
        return view
    written = {
        folder: found_templates
        for folder, names in by_folder.items()
        if (found_templates := tuple(_workload_templates(names, words, _stems(view.layout, folder, words))))
    }
    if not written:
        return view
    of_projects = {
        template
        for folder, found_templates in written.items()
        if any(is_within(folder, project) for project in projects)
        for template in found_templates
    }
    environments = tuple(_with_unseen(environment, written, of_projects) for environment in view.environments)
    return view._replace(environments=environments)


def makes_project(name: str) -> bool:
    """Whether a file of this name marks a project whose templates name their own namespaces."""
    return posixpath.basename(name) in _PROJECTS


class _WorkloadTemplate(NamedTuple):
    """A template that writes a workload."""

    name: str
    kind: str
    namespaces: frozenset[str]
    """The namespaces it names."""


def _stems(layout: Layout, folder: str, templates: Container[str]) -> frozenset[str]:
    """The names of a folder's manifests without suffixes."""
    return frozenset(_stem(name) for name in layout.plain.get(folder, ()) if name not in templates)


def _stem(name: str) -> str:
    return posixpath.basename(name).partition(".")[0]


def _workload_templates(
    names: Iterable[str], words: Mapping[str, TemplateWords], rendered: frozenset[str]
) -> Iterator[_WorkloadTemplate]:
    for name in names:
        if _stem(name) not in rendered:
            yield _WorkloadTemplate(name, words[name].workload, words[name].namespaces)


def _with_unseen(
    environment: Environment,
    written: Mapping[str, Sequence[_WorkloadTemplate]],
    of_projects: Iterable[_WorkloadTemplate],
) -> Environment:
    limited = {obj.namespace for obj in environment.objects if limits_namespace(obj)}
    hidden = {
        (namespace, template.name, template.kind)
        for template in of_projects
        for namespace in template.namespaces & limited
    }
    for rendering in environment.renderings:
        for obj in () if rendering.deployer else rendering.objects:
            if obj.place.made is None and obj.namespace in limited:
                hidden.update(
                    (obj.namespace, template.name, template.kind)
                    for template in written.get(posixpath.dirname(obj.place.source), ())
                    if not template.namespaces or obj.namespace in template.namespaces
                )
    more = tuple(
        Unseen(namespace, f"{name}: a template that writes a {kind}, which is not read")
        for namespace, name, kind in sorted(hidden)
    )
    return environment._replace(unseen=(*environment.unseen, *more)) if more else environment
