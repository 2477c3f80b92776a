"""Renders charts with Helm's Go library (the extra `helm`), in one child process per run.

Charts are not trusted: a template can loop forever or exhaust memory. So the child has time and memory limits and an
empty environment, and is restarted when killed. Charts with anything but regular files are copied for it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from quotalint.gitops.helm import (
    Release,
    RenderedChart,
    RenderedTemplate,
    dependencies_missing,
    failed_template,
    no_application,
)
from quotalint.gitops.helm.allowance import USED_UP, Allowance
from quotalint.gitops.helm.chart_copy import CopyError, Locate, copy_chart, nothing_vendored, size_in_place
from quotalint.gitops.helm.values_schemas import NAME as SCHEMA
from quotalint.kube.fields import dig
from quotalint.kube.guess import Guess
from quotalint.programs import MAX_MEMORY, MAX_OUTPUT, in_repository, name_in, one_line
from quotalint.runtime.scratch import end_by_exception
from quotalint.runtime.transcript import note_doubt
from quotalint.runtime.workers import Worker
from quotalint.text.disk import is_folder, real_path
from quotalint.text.documents import read
from quotalint.text.lazy_patterns import lazy_pattern

TIMEOUT = 5
"""CPU seconds that a release may take; most take a few hundredths."""

_FOR_A_RELEASE = 0.1
"""CPU seconds that each release adds to the common limit."""

MODULE = "helm_python"

_REFUSALS = ("HelmRenderError", "HelmValuesError")
"""Library errors about the templates and values, not about this run."""


def is_installed() -> bool:
    """Whether the extra is installed, without importing it."""
    from importlib.util import find_spec

    return find_spec(MODULE) is not None


_ChartKey = tuple[str, bool, bool, tuple[str, ...]]


def _chart_key(release: Release) -> _ChartKey:
    """Everything that determines the folder in which the library reads a chart."""
    return release.chart, release.own_values, release.skip_schema, release.left_out


class Library:
    """Renders releases of charts in one repository, given by its absolute root."""

    def __init__(
        self, root: str, timeout: int = TIMEOUT, memory: int = MAX_MEMORY, locate: Locate = nothing_vendored
    ) -> None:
        """`locate` finds vendored dependencies."""
        self._root = root
        self._locate = locate
        self._timeout = timeout
        self._memory = memory
        end_by_exception()
        self._folder = os.path.realpath(tempfile.mkdtemp(prefix="quotalint-"))
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._folders: dict[_ChartKey, str] = {}
        self._refused: dict[_ChartKey, str] = {}
        self._guesses: dict[_ChartKey, tuple[Guess, ...]] = {}
        self._worker: Worker | None = None
        self._allowance = Allowance(_FOR_A_RELEASE, timeout)

    def render_release(self, release: Release, values: Mapping[str, object]) -> RenderedChart:
        """The rendering of a release, whose chart is an absolute path; only `values` are used, not the release's.

        Errors in the repository are returned, not raised.
        """
        folder, refused = self._folder_of_chart(release)
        if refused:
            return RenderedChart((), one_line(refused))
        options: dict[str, Any] = {"name": release.name, "namespace": release.namespace or "default"}
        if release.kube_version:
            options["kube_version"] = release.kube_version
        if release.api_versions:
            options["api_versions"] = release.api_versions
        seconds = int(self._allowance.add_release())
        request = {"chart": folder, "values": values, "options": options, "skip_crds": release.skip_crds}
        request |= {"seconds": seconds, "without_dependencies": release.without_dependencies}
        try:
            line = json.dumps(request, allow_nan=False, default=dict).encode()
        except (TypeError, ValueError, RecursionError) as error:
            return RenderedChart((), one_line(f"its values cannot be passed to helm: {error}"))
        answer = self._ask_worker(line, seconds)
        guesses = self._guesses.get(_chart_key(release), ())
        if "refused" in answer:
            return RenderedChart((), _refusal_reason(answer))
        if "error" in answer:
            reason = one_line(_repository_words(answer["error"], folder, name_in(self._root, release.chart)))
            # A file omitted from the copy may cause the error.
            is_refused = answer.get("by") in _REFUSALS and not guesses
            return RenderedChart((), reason, is_refused=is_refused, failed=failed_template(reason))
        below = len(answer["name"]) + 1
        texts = [(name[below:], text) for name, text in (*answer["crds"], *answer["templates"])]
        return templates_of(texts, skip_hooks=release.skip_hooks)._replace(guesses=guesses)

    def _folder_of_chart(self, release: Release) -> tuple[str, str]:
        """The folder where the library reads a chart, with its values.yaml and schemas or without; or why it must
        not."""
        chart, key = release.chart, _chart_key(release)
        if key not in self._folders:
            self._folders[key] = os.path.join(self._folder, str(len(self._folders)), os.path.basename(chart) or "chart")
            name = name_in(self._root, chart)
            try:
                if not in_repository(chart, self._root):
                    self._refused[key] = f"the chart {name} lies outside the repository"
                elif not is_folder(chart):
                    self._refused[key] = f"there is no folder {name}"
                else:
                    self._folders[key] = self._readable_folder(release, self._folders[key])
            except CopyError as refused:
                self._refused[key] = f"the chart {name} is not rendered: {refused}"
            except (OSError, ValueError) as error:
                note_doubt("a chart cannot be read")
                self._refused[key] = f"the chart {name} cannot be read: {getattr(error, 'strerror', '') or error}"
        return self._folders[key], self._refused.get(key, "")

    def _readable_folder(self, release: Release, target: str) -> str:
        """The chart's own folder if it can be read in place, otherwise that of its copy. Raises CopyError, OSError and
        ValueError."""
        chart = real_path(release.chart)
        is_whole = release.own_values and not release.skip_schema and not release.left_out
        size = size_in_place(chart, self._locate) if is_whole else None
        if size is not None:
            self._allowance.take_in(size)
            return chart
        self._guesses[_chart_key(release)] = copy_chart(release.chart, self._root, target, self._locate)
        self._allowance.take_in(_size_below(target))
        if not release.own_values:
            with suppress(FileNotFoundError):
                os.remove(os.path.join(target, "values.yaml"))
        for template in release.left_out:
            os.remove(os.path.join(target, template))
        if release.skip_schema:
            for top, _, names in os.walk(target):
                if SCHEMA in names:
                    os.remove(os.path.join(top, SCHEMA))
        return target

    def _ask_worker(self, request: bytes, seconds: int) -> dict[str, Any]:
        """The worker's answer to a request, with a CPU limit in seconds."""
        if self._allowance.is_used_up():
            return {"error": USED_UP}
        if self._worker is None:
            try:
                self._worker = _start_worker(self._folder, self._memory, int(self._allowance.longest))
            except OSError as error:
                note_doubt("helm could not be started")
                return {"error": f"helm could not be started: {error.strerror or error}"}
        answer = self._worker.ask(request)
        self._allowance.spend(answer.pop("seconds", 0.0))  # the seconds of failed requests are counted below
        if not self._worker.is_alive:
            note_doubt("helm did not finish")
            self._worker = None
            all_used = seconds < self._timeout and "took longer" in answer["error"]
            self._allowance.note_stopped(all_used=all_used)
            if all_used:
                return {"error": USED_UP}
        return answer


def _size_below(folder: str) -> int:
    return sum(os.path.getsize(os.path.join(top, name)) for top, _, names in os.walk(folder) for name in names)


def _start_worker(folder: str, memory: int, timeout: int) -> Worker:
    from importlib.util import find_spec

    module_spec = find_spec(MODULE)
    above = (
        os.path.dirname(os.path.dirname(module_spec.origin)) if module_spec is not None and module_spec.origin else ""
    )
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "helm_worker.py")
    # The worker handles one request at a time. A higher GOGC avoids garbage collections while the library loads; the
    # memory limit makes them frequent again when needed.
    go = {"GOMAXPROCS": "1", "GOGC": "400", "GOMEMLIMIT": str(memory // 2)}
    return Worker("helm", script, (above, str(memory), str(MAX_OUTPUT), str(timeout)), folder, timeout, go)


def _refusal_reason(answer: dict[str, Any]) -> str:
    if answer["refused"] == "dependencies":
        return dependencies_missing(answer["missing"])
    return no_application(answer["type"])


def _repository_words(message: str, folder: str, chart: str) -> str:
    """A message of the library with the repository's paths."""
    message = message.replace(folder, chart)
    return re.sub(r"^(?:render|values|chart load|chart)(?: error| failed)?: ", "", message)


# Helm's own separator (pkg/release/v1/util/manifest.go), which YAML does not have: `---kind: Pod`.
#
# Matching white space before it first would take longer than everything else.
_BETWEEN = lazy_pattern(r"\n---\s*")


def documents_in(written: str) -> list[str]:
    """The documents in a template's output."""
    return list(map(str.strip, _BETWEEN.split("\n" + written.strip())))


# These hooks run only on `helm test`.
_TESTS = frozenset({"test", "test-success"})
_HOOKS = _TESTS | {
    f"{when}-{what}" for when in ("pre", "post") for what in ("install", "upgrade", "delete", "rollback")
}


def templates_of(texts: Iterable[tuple[str, str]], *, skip_hooks: bool) -> RenderedChart:
    """The documents of rendered templates, given as pairs of a path in the chart's folder and its output."""
    manifests = []
    for source, written in texts:
        if source.endswith("NOTES.txt"):
            continue
        documents: list[object] = []
        for part in documents_in(written):
            reading = read(part.encode("utf-8", "surrogatepass"))
            for failure in reading.failures[:1]:
                where = f"{source}, line {failure.line} of what it renders to"
                return RenderedChart((), one_line(f"{where}: {failure.message}"), failed=source)
            documents += (document.value for document in reading.documents)
        applied_documents = tuple(
            document for document in documents if not _is_left_out(document, skip_hooks=skip_hooks)
        )
        if applied_documents:
            manifests.append(RenderedTemplate(source, applied_documents))
    return RenderedChart(tuple(manifests))


def _is_left_out(document: object, *, skip_hooks: bool) -> bool:
    written = dig(document, "metadata", "annotations", "helm.sh/hook")
    if not isinstance(written, str):
        return False
    hooks = {hook.strip().lower() for hook in written.split(",")}
    # Objects with an unknown hook are ignored (pkg/release/v1/util/manifest_sorter.go, `sort`).
    return skip_hooks or hooks <= _TESTS or not hooks <= _HOOKS
