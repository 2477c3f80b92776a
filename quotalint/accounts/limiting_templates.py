"""Templates of ResourceQuotas or LimitRanges that are not rendered here, with the command that would render them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from quotalint.deployed import View
from quotalint.kube.fields import mapping, text
from quotalint.kube.objects import Object
from quotalint.runtime.recall import recalled_each
from quotalint.text.chart_files import is_chart_file
from quotalint.text.files import content
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.reading import YTT, File
from quotalint.text.sources import TERRAFORM_SUFFIXES, Found, Source, TemplateFile
from quotalint.text.template_words import TemplateWords, template_words
from quotalint.unknowns.causes import UNRENDERED_CHART
from quotalint.unknowns.unseen import CHART, LIMITING, TEMPLATE, Skipped

_LARGEST = 1 << 20
"""The most bytes of a chart's description that are searched."""
_IS_LIBRARY = lazy_pattern(rb"""^type:[ \t]*["']?library\b""", re.MULTILINE)
_DEPTH = 16
_JINJA = ("a Jinja template", "`jinja2 {name} | quotalint -`")
_GO = ("a Go template", "`gomplate -f {name} | quotalint -`")
_YTT = ("a template of ytt", "`ytt -f {name} | quotalint -`")
_TEXT = ("a template", "what fills it in, piped into `quotalint -`,")
_LIBRARY = ("a template of a library chart", "`helm template` of a chart that includes it, piped into `quotalint -`,")
_TERRAFORM = ("a file of Terraform", "a plan (`terraform show -json PLAN | quotalint -`)")
_HOW = {
    **dict.fromkeys((".j2", ".jinja", ".jinja2"), _JINJA),
    **dict.fromkeys((".gotmpl", ".tmpl"), _GO),
    ".erb": ("an ERB template", "`erb {name} | quotalint -`"),
    ".jsonnet": ("a file of Jsonnet", "`jsonnet {name} | quotalint -`"),
    ".libsonnet": ("a library of Jsonnet", "`jsonnet` of what imports it, piped into `quotalint -`,"),
    ".cue": ("a file of CUE", "`cue export {name} --out yaml | quotalint -`"),
    ".k": ("a file of KCL", "`kcl run {name} | quotalint -`"),
    ".dhall": ("a file of Dhall", "`dhall-to-yaml --file {name} | quotalint -`"),
    **dict.fromkeys(TERRAFORM_SUFFIXES, _TERRAFORM),
    ".pp": ("a manifest of Puppet", "a snapshot of the cluster with `--with`"),
}


def limiting_templates(
    walked: Found,
    files: Sequence[File],
    skipped: Sequence[Skipped],
    view: View,
    templates: Mapping[str, TemplateWords],
) -> tuple[Skipped, ...]:
    """The skipped files, with a reason for each template of quotas or LimitRanges. `templates` has the words of each
    template, by its name. Files and charts with rendered objects in `view` are left out."""
    if not (templates or any(file.limiting for file in files) or len(files) < len(walked.sources)):
        return tuple(skipped)
    chart_paths = {
        posixpath.dirname(source.name): source.path for source in walked.sources if is_chart_file(source.name)
    }
    folders = set(chart_paths)
    limits = [(name, words.limiting) for name, words in templates.items() if words.limiting]
    limits += _of_files(files)
    read_names = {file.source.name for file in files}
    if folders:
        limits += _of_charts(walked, folders, read_names, _rendered_charts(folders, view.objects))
    if not any(kinds for _, kinds in limits):
        return tuple(skipped)
    of_ytt = {file.source.name for file in files if any(failure.message == YTT for failure in file.reading.failures)}
    taken = set().union(
        *(
            recalled_each(("sources", environment.name), tuple(environment.objects), (), _source_of)
            for environment in view.environments
        )
    )
    by_name = {name: kinds for name, kinds in limits if kinds and name not in taken}
    if not by_name:
        return tuple(skipped)
    charts = {posixpath.dirname(source.name): source.reason for source in skipped if source.kind == CHART}
    has_helmfile = any(posixpath.basename(source.name).startswith("helmfile") for source in walked.sources)
    old = {source.name: source for source in skipped}
    new = [
        _skipped_template(
            name,
            kinds,
            old.get(name),
            _YTT if name in of_ytt else _rendering_words(name, chart_paths, charts, has_helmfile=has_helmfile),
        )
        for name, kinds in sorted(by_name.items())
    ]
    of_charts = {posixpath.join(folder, "Chart.yaml") for folder in charts if _holds_any(folder, by_name)}
    return tuple(
        sorted((*(source for source in skipped if source.name not in by_name and source.name not in of_charts), *new))
    )


def _source_of(obj: Object) -> str:
    return obj.place.file


def _skipped_template(name: str, kinds: Sequence[str], old: Skipped | None, rendering: tuple[str, str]) -> Skipped:
    kind_words = " and ".join(f"{kind}s" for kind in kinds)
    description, how = rendering
    if old is not None and old.kind != TEMPLATE:
        description = old.reason
    elif old is not None and "helmfile" in old.reason:
        description, how = old.reason, "`helmfile template | quotalint -`"
    command = how.replace("{name}", name)
    reason = f"{description}; it writes {kind_words}, which are not checked here: {command} would show them"
    before = old or Skipped(name, reason)
    return before._replace(reason=reason, kind=LIMITING)


def _rendering_words(
    name: str, chart_paths: Mapping[str, str], reasons: Mapping[str, str], *, has_helmfile: bool
) -> tuple[str, str]:
    folder = max((chart for chart in chart_paths if _lies_in(name, chart)), key=len, default=None)
    if folder is not None and _IS_LIBRARY.search(_bytes_of(chart_paths[folder])):
        return _LIBRARY  # Helm refuses to render one by itself
    if folder is not None:
        why = reasons.get(folder, "")
        chart = why if why.startswith(UNRENDERED_CHART) else "a Helm chart that is not rendered"
        return f"a template of {chart}", f"`helm template {folder or '.'} | quotalint -`"
    if "helmfile" in name:
        return "a template of helmfile", "`helmfile template | quotalint -`"
    suffix = posixpath.splitext(name)[1]
    if suffix == ".gotmpl" and has_helmfile:
        return "a values template of helmfile", "`helmfile template | quotalint -`"
    if suffix in (".yaml", ".yml", ".json"):
        return "a template", "what renders it, piped into `quotalint -`,"
    return _HOW.get(suffix, _TEXT)


def _of_files(files: Iterable[File]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Templates among YAML files: unreadable files, or objects inside something else."""
    for file in files:
        if not file.limiting:
            continue
        if file.reading.failures:
            if file.templated and file.source.path:
                yield file.source.name, _written_kinds(file.source)
        else:
            bodies = [document.value for document in file.reading.documents if "kind" not in mapping(document.value)]
            yield file.source.name, tuple(sorted({kind for body in bodies for kind in _nested_kinds(body, _DEPTH)}))


def _nested_kinds(value: object, depth: int) -> Iterator[str]:
    if isinstance(value, dict):
        if value.get("kind") in ("ResourceQuota", "LimitRange") and value.get("apiVersion") == "v1":
            yield text(value["kind"])
        for inner in value.values() if depth else ():
            yield from _nested_kinds(inner, depth - 1)
    elif isinstance(value, list):
        for inner in value if depth else ():
            yield from _nested_kinds(inner, depth - 1)


def _of_charts(
    walked: Found, folders: set[str], read_names: set[str], rendered: Iterable[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    wanted = folders - set(rendered)
    for source in walked.sources if wanted else ():
        if (
            source.name not in read_names
            and "templates/" in source.name
            and any(_lies_in(source.name, folder) for folder in wanted)
        ):
            yield source.name, _written_kinds(source)


def _rendered_charts(folders: set[str], objects: Iterable[Object]) -> frozenset[str]:
    """The charts with at least one rendered object."""
    places = {posixpath.dirname(obj.place.file) for obj in objects if obj.place.made is not None}
    places |= {posixpath.dirname(place.source) for obj in objects if obj.place.made for place in obj.place.made.via}
    return frozenset(folder for folder in folders if any(_lies_in(f"{place}/", folder) for place in places))


def _written_kinds(source: Source) -> tuple[str, ...]:
    """The limiting kinds that a file writes."""
    return template_words(TemplateFile(source.name, source.path)).limiting


def _bytes_of(path: str) -> bytes:
    try:
        return content(path, _LARGEST) or b""
    except (OSError, ValueError):
        return b""


def _holds_any(folder: str, names: Iterable[str]) -> bool:
    return any(_lies_in(name, folder) for name in names)


def _lies_in(name: str, folder: str) -> bool:
    return not folder or name.startswith(f"{folder}/")
