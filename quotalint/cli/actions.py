"""What the commands do, once the command line has been understood. Nothing here knows click."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

from quotalint.catalogue import SEVERITIES, rule_ids
from quotalint.gitops.kustomize.problems import Problem
from quotalint.gitops.snapshot import MAX_SNAPSHOT, Snapshot, snapshot
from quotalint.pipeline import Result, run
from quotalint.reports.summary import summary
from quotalint.reports.terminal import Terminal
from quotalint.settings import Options, Settings, describe, load
from quotalint.text.documents import Failure
from quotalint.text.files import content
from quotalint.text.reading import processors
from quotalint.text.sources import find

STATUS_FINDINGS = 1


class CannotRun(Exception):  # noqa: N818  # what happened, not a class of errors
    """The run itself failed; the message says why, in words for whoever typed the command."""


class Request(NamedTuple):
    """What the command line asks for."""

    paths: tuple[str, ...] = ()
    format: str = "text"
    color: str = "auto"
    quiet: bool = False
    verbose: bool = False
    jobs: int | None = None
    snapshots: tuple[str, ...] = ()
    options: Options = Options()


def check(request: Request) -> int:
    """Print what is wrong; the exit status."""
    result = _result(request)
    numbers = summary(result.environments, result.findings)
    if request.format == "json":
        from quotalint.reports.json import render as render_json
        from quotalint.reports.quota_table import quota_tables

        tables = quota_tables(result.environments, result.locate)
        write(render_json(result.environments[0].repository, result.findings, tables, numbers))
    else:
        from quotalint.reports.text import render

        to = terminal(request.color)
        write(render(result.findings, numbers, result.environments, result.content, to, request.quiet, request.verbose))
    return _status(result)


def usage(request: Request) -> int:
    """Print the quota table; the exit status."""
    from quotalint.reports.quota_table import quota_tables

    result = _result(request)
    tables = quota_tables(result.environments, result.locate)
    numbers = summary(result.environments, result.findings)
    if request.format == "json":
        from quotalint.reports.json import render_usage

        write(render_usage(tables, numbers))
    else:
        from quotalint.reports.usage import render

        write(render(tables, numbers, result.environments[0].settings, terminal(request.color)))
    return 0


def render(request: Request, root: str | None) -> int:
    """Print the objects as they will be applied; the exit status."""
    from quotalint.reports.manifests import render as render_manifests

    if root is not None:
        return _render_root(request, root)
    result = _result(request)
    write(render_manifests([(one.environment, one.cluster.objects) for one in result.environments], result.locate))
    _tell({problem for one in result.environments for problem in one.problems})
    return 0


def _render_root(request: Request, root: str) -> int:
    from quotalint.pipeline import render_root
    from quotalint.reports.manifests import render as render_manifests

    folder = os.path.relpath(root).replace(os.sep, "/")
    found = render_root("" if folder == "." else folder, _settings((root,), request.options))
    if found is None:
        raise CannotRun(f"--root {root}: there is no kustomization in this folder")
    rendering, locate = found
    write(render_manifests([("", rendering.objects)], locate))
    _tell(rendering.problems)
    return 0


def _tell(problems: Iterable[Problem]) -> None:
    """What is missing in what was printed goes where people look, not into the manifests."""
    for line in sorted({f"quotalint: {one.place.real.source}: {one.reason}" for one in problems}):
        sys.stderr.write(f"{line}\n")


def terminal(color: str) -> Terminal:
    """What the report is written to; `color` is `auto`, `always` or `never`."""
    is_terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    colored = color == "always" or (color == "auto" and is_terminal and not os.environ.get("NO_COLOR"))
    width = min(max(_columns(), 60), 140) if is_terminal else 100
    return Terminal(color=colored, bars=color == "always" or (color == "auto" and is_terminal), width=width)


def write(text: str) -> None:
    """Print a report."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        nobody_reads()
    except OSError as error:
        raise CannotRun(f"standard output cannot be written: {error.strerror}") from None


def nobody_reads() -> None:
    """The reader has seen enough (`| head`). What is left in the buffer must not be flushed at exit either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _result(request: Request) -> Result:
    paths = request.paths or (".",)
    settings = _settings(paths, request.options)
    found = find(paths, settings.root, settings.exclude)
    if found.missing:
        raise CannotRun("\n".join(f"no such file or folder: {path}" for path in found.missing))
    if not found.sources and not found.unreadable:
        sys.stderr.write(f"quotalint: nothing to check: no YAML or JSON file below {', '.join(paths)}\n")
    snapshots = tuple(map(_snapshot, request.snapshots))
    return run(found, settings, _stdin(), request.jobs or processors(), snapshots)


def _settings(paths: tuple[str, ...], options: Options) -> Settings:
    settings = load(paths, options, frozenset(rule_ids()))
    if not isinstance(settings, Settings):
        raise CannotRun("\n".join(map(describe, settings)))
    return settings


def _snapshot(given: str) -> Snapshot:
    """FILE, or ENVIRONMENT=FILE."""
    environment, equals, path = given.partition("=")
    if not equals or os.path.exists(given):
        environment, path = "", given
    try:
        data = content(path, MAX_SNAPSHOT) if path else None
    except (OSError, ValueError) as error:
        raise CannotRun(f"--with {given}: {getattr(error, 'strerror', None) or error}") from None
    if data is None:
        raise CannotRun(f"--with {given}: it is no file")
    if len(data) > MAX_SNAPSHOT:
        raise CannotRun(f"--with {given}: it is larger than {MAX_SNAPSHOT >> 20} MiB")
    found = snapshot(data, os.path.relpath(path).replace(os.sep, "/"), environment)
    if isinstance(found, Failure):
        raise CannotRun(f"--with {given}: line {found.line}: {found.message}")
    return found


def _stdin() -> Callable[[], bytes]:
    # Without a standard input (`<&-`) there is none to read.
    return cache(lambda: sys.stdin.buffer.read() if sys.stdin else b"")


def _status(result: Result) -> int:
    fail_on = result.environments[0].settings.fail_on
    failing = () if fail_on == "never" else SEVERITIES[: SEVERITIES.index(fail_on) + 1]
    return STATUS_FINDINGS if any(finding.severity in failing for finding in result.findings) else 0


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except OSError:
        return 100
