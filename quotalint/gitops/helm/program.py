"""Renders Helm charts of the repository with the `helm` program. The program is trusted, charts are not."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress

from quotalint.gitops.helm import (
    Release,
    RenderedChart,
    RenderedTemplate,
    dependencies_missing,
    failed_template,
    no_application,
)
from quotalint.gitops.helm.allowance import USED_UP, Allowance
from quotalint.gitops.helm.values_schemas import outer_references
from quotalint.programs import Stopped, in_repository, is_brought_along, name_in, one_line, refused_tree, run
from quotalint.programs import program as program
from quotalint.runtime.scratch import scratch_folder
from quotalint.runtime.transcript import note_doubt
from quotalint.text.disk import FolderEntry, entries_of, is_file, is_folder, names_in, real_path, stand_in_at, status_of
from quotalint.text.documents import read
from quotalint.text.files import copy, copy_folder
from quotalint.text.lazy_patterns import lazy_pattern

_TIMEOUT = 5
"""CPU seconds that a release may take, as with the library."""

_CLOCK = 6
"""The wall-clock limit, as a multiple of the CPU limit."""

_FOR_A_RELEASE = 0.3
"""CPU seconds that each release adds to the common limit; starting the program takes a tenth."""


_TOO_LONG = "helm took longer than "
_TIME_TOLERANCE = 0.2  # seconds; some processes run a second longer after a signal


class Program:
    """Renders releases of charts in one repository with the program at the path `helm`. It is a class because all
    releases share a limit."""

    def __init__(self, root: str, helm: str) -> None:
        self._root = root
        self._helm = helm
        self._allowance = Allowance(_FOR_A_RELEASE, _TIMEOUT)
        self._counted: set[str] = set()

    def render_release(self, release: Release) -> RenderedChart:
        """The rendering of a release, or an error if the charts' common limit is used up."""
        if self._allowance.is_used_up():
            return RenderedChart((), USED_UP)
        if release.chart not in self._counted:
            self._counted.add(release.chart)
            self._allowance.take_in(_size_of_chart(release.chart))
        seconds = int(min(self._allowance.add_release(), self._allowance.longest))
        before = _cpu_seconds()
        rendered = render_release(release, self._root, self._helm, _CLOCK * seconds, seconds)
        self._allowance.spend(_cpu_seconds() - before)
        if rendered.error.startswith(_TOO_LONG):
            note_doubt("helm did not finish")
            self._allowance.note_stopped()
        return rendered


def _cpu_seconds() -> float:
    """CPU seconds of all child processes that have ended."""
    of = os.times()
    return of.children_user + of.children_system


def _size_of_chart(chart: str) -> int:
    """The size of a chart in bytes, without following links."""
    size = 0
    with suppress(OSError):
        for entry in _entries_below(chart, follows_links=False):
            if entry.is_file():
                size += status_of(entry.path).st_size
    return size


def _entries_below(folder: str, *, follows_links: bool) -> Iterator[FolderEntry]:
    """All entries below a folder."""
    pending_folders = [folder]
    while pending_folders:
        for entry in entries_of(pending_folders.pop()):
            if entry.is_dir() and (follows_links or not entry.is_symlink()):
                pending_folders.append(entry.path)
            yield entry


def render_release(
    release: Release, root: str, helm: str, timeout: float = float(_CLOCK * _TIMEOUT), seconds: int = _TIMEOUT
) -> RenderedChart:
    """The rendering of a release. `root` is the repository, `helm` the program's path; `timeout` limits wall-clock
    seconds, `seconds` CPU seconds.

    Nothing outside `root` is read, no network is used, and helm gets none of the user's settings. Errors in the
    repository are returned, not raised.
    """
    refusal = _why_not_started(release, root, helm)
    if refusal:
        return RenderedChart((), one_line(refusal))
    try:
        with scratch_folder() as folder:
            _lay_out(release, folder)
            before = _cpu_seconds()
            ended = run(
                (helm, *_template_arguments(release, _chart_for_program(release, root, folder))),
                folder,
                _helm_environment(folder),
                timeout,
                seconds=seconds,
            )
    except (OSError, TypeError, ValueError, RecursionError) as error:  # ValueError: NaN, a cycle, a lone surrogate
        note_doubt("what helm reads could not be written")
        return RenderedChart((), one_line(f"its values cannot be passed to helm: {error}"))
    if isinstance(ended, Stopped):
        return RenderedChart((), one_line(f"helm {ended.reason}"))
    if ended.status < 0 and _cpu_seconds() - before > seconds - _TIME_TOLERANCE:
        return RenderedChart((), f"{_TOO_LONG}{seconds} s")
    if ended.status:
        message = _with_repository_names(ended.errors.decode(errors="replace"), release, root, folder)
        reason = one_line(_explain_failure(message) or f"helm ended with status {ended.status}")
        is_refused = _REFUSAL.search(message) is not None
        return RenderedChart((), reason, is_refused=is_refused, failed=failed_template(reason))
    return _split_templates(ended.output)


def _why_not_started(release: Release, root: str, helm: str) -> str:
    """Why helm must not be started; empty if it may."""
    if not os.path.isabs(helm) or is_brought_along(helm, root):
        return "the helm program lies inside the repository"
    if not release.own_values:
        return f"the values.yaml of {name_in(root, release.chart)} must not count: the program has no option for it"
    if not in_repository(release.chart, root):
        return f"the chart {name_in(root, release.chart)} lies outside the repository"
    if not is_folder(release.chart):
        return f"there is no folder {name_in(root, release.chart)}"
    for path in (*release.values_files, *(path for _, path in release.file_parameters)):
        if not in_repository(path, root):
            return f"the file {name_in(root, path)} lies outside the repository"
        if not is_file(path):
            return f"there is no file {name_in(root, path)}"
    for name, _ in release.file_parameters:
        # helm would parse further names and files from such a name.
        if re.search(r"[=,]", name):
            return f"the parameter {name} cannot take its value from a file"
    # Helm follows symbolic links in a chart (internal/sympath/walk.go).
    refused = refused_tree(release.chart, root)
    return f"the chart {name_in(root, release.chart)} is not rendered: {refused}" if refused else ""


def _has_archives(chart: str) -> bool:
    folder = os.path.join(chart, "charts")
    return any(name.endswith(".tgz") for name in names_in(folder))


# Helm's errors about templates and values, not about this run.
_REFUSAL = lazy_pattern(
    r"^Error: (?:execution error at|parse error at|YAML parse error on|values don't meet|.*:\d+:\d+\n +executing)",
    re.MULTILINE,
)

_INLINE = "inline-values.json"


def _lay_out(release: Release, folder: str) -> None:
    """Provide helm's input files under plain names, because helm splits file names at commas."""
    for number, path in enumerate(release.values_files):
        _lay_out_file(path, os.path.join(folder, _values_file(number)))
    for number, (_, path) in enumerate(release.file_parameters):
        _lay_out_file(path, os.path.join(folder, _parameter_file(number)))
    if release.values:
        import json

        text = json.dumps(release.values, ensure_ascii=False, allow_nan=False, default=dict)
        # Characters that are valid in JSON strings but not in YAML, or are line breaks there.
        text = re.sub(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]", lambda alien: f"\\u{ord(alien[0]):04x}", text)
        with open(os.path.join(folder, _INLINE), "wb") as file:
            file.write(text.encode())


def _lay_out_file(path: str, at: str) -> None:
    if stand_in_at(path) is None:
        os.symlink(os.path.realpath(path), at)
    else:
        copy(path, at)


_COPY = "repository"


def _chart_for_program(release: Release, root: str, folder: str) -> str:
    """The folder where the program reads the chart. It is a copy if the chart is not on disk, or if it contains `.git`,
    which helm would read as chart files."""
    if stand_in_at(release.chart) is None and not release.left_out and not _holds_git(release.chart):
        return os.path.realpath(release.chart)
    copied = os.path.normpath(os.path.join(folder, _COPY, name_in(root, release.chart)))
    copy_folder(release.chart, copied)
    for template in release.left_out:
        os.remove(os.path.join(copied, template))
    return copied


def _holds_git(chart: str) -> bool:
    """Whether a chart or a folder below it contains `.git`."""
    return any(entry.name == ".git" for entry in _entries_below(chart, follows_links=True))


def _values_file(number: int) -> str:
    return f"values-file-{number}.yaml"


def _parameter_file(number: int) -> str:
    return f"parameter-file-{number}.txt"


def _template_arguments(release: Release, chart: str) -> Iterator[str]:
    yield from ("template", "--skip-tests", f"--namespace={release.namespace or 'default'}")
    # Helm would fetch the files and servers that a schema refers to, from localhost even past a proxy.
    if release.skip_schema or _has_archives(release.chart) or any(outer_references(release.chart)):
        yield "--skip-schema-validation"
    if not release.skip_crds:
        yield "--include-crds"
    if release.skip_hooks:
        yield "--no-hooks"
    if release.kube_version:
        yield f"--kube-version={release.kube_version}"
    yield from (f"--api-versions={version}" for version in release.api_versions)
    yield from (f"--values={_values_file(number)}" for number in range(len(release.values_files)))
    if release.values:
        yield f"--values={_INLINE}"
    for name, value, is_string, *_ in release.parameters:
        yield f"--{'set-string' if is_string else 'set'}={name}={one_value(value)}"
    for number, (name, _) in enumerate(release.file_parameters):
        yield f"--set-file={name}={_parameter_file(number)}"
    yield from ("--", release.name, chart)


def one_value(value: str) -> str:
    """A value for `--set` with commas escaped, which would separate names; a list keeps them (argo-cd util/helm/cmd.go,
    `cleanSetParameters`)."""
    return value if value.startswith("{") and value.endswith("}") else re.sub(r"(?<!\\),", r"\\,", value)


def _helm_environment(folder: str) -> dict[str, str]:
    """An environment with an empty home for helm: no plugins, repositories or registries."""
    home = os.path.join(folder, "helm")
    homes = dict.fromkeys(("HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME"), home)
    return {**homes, "HELM_PLUGINS": os.path.join(home, "plugins"), "HELM_NO_PLUGINS": "1", "NO_COLOR": "1"}


def _with_repository_names(message: str, release: Release, root: str, folder: str) -> str:
    """A message of helm with the repository's paths."""
    for above in (os.path.join(folder, _COPY), folder, real_path(root), root):
        message = message.replace(above.rstrip(os.sep) + os.sep, "") if above != os.sep else message
    for number, path in enumerate(release.values_files):
        message = message.replace(_values_file(number), name_in(root, path))
    for number, (_, path) in enumerate(release.file_parameters):
        message = message.replace(_parameter_file(number), name_in(root, path))
    return message


def _explain_failure(message: str) -> str:
    """The reason in a message of helm, without log lines."""
    missing = re.search(r"missing in charts/ directory: (.+)", message)
    if missing:
        return dependencies_missing(missing[1].split(", "))
    if "library charts are not installable" in message:
        return no_application("library")
    if "unknown flag: --skip-" in message:
        return "helm is too old: 3.16 or later is needed"
    reason = re.search(r"^Error: (.*?)(?:\n\n|\Z)", message, re.MULTILINE | re.DOTALL)
    if reason:
        return reason[1]
    if re.search(r"out of memory|cannot allocate memory", message):
        return "helm ran out of memory"
    return (message.strip().splitlines() or [""])[0]


_HEADER = lazy_pattern(rb"^---\n# Source: (.*)\n", re.MULTILINE)


def _split_templates(output: bytes) -> RenderedChart:
    """The documents in helm's output per template. Helm splits output at `---` and writes each document's source above
    it."""
    before, *parts = _HEADER.split(output)
    by_path: dict[str, list[object]] = {}
    for header, text in zip([b"", *parts[::2]], [before, *parts[1::2]], strict=True):
        source = os.fsdecode(header).partition("/")[2]  # below the chart's name
        reading = read(text)
        for failure in reading.failures[:1]:
            where = f"{source or 'the output'}, line {failure.line} of what it renders to"
            return RenderedChart((), one_line(f"{where}: {failure.message}"), failed=source)
        for document in reading.documents:
            by_path.setdefault(source, []).append(document.value)
    return RenderedChart(tuple(RenderedTemplate(source, tuple(documents)) for source, documents in by_path.items()))
