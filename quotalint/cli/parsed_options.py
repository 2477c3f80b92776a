"""Parsed options → a request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from quotalint.cli.fixing import Fixes
from quotalint.cli.formats import PageOptions
from quotalint.cli.outputs import Output, wanted_outputs
from quotalint.cli.request import CannotRun, Request
from quotalint.runtime.resource_limits import limit
from quotalint.settings import FAIL_ON, Options


def request_of(
    paths: tuple[str, ...],
    *,
    format: str | None = None,  # noqa: A002  # the option's name
    outputs: tuple[Output, ...] = (),
    color: str = "auto",
    jobs: int | None = None,
    snapshots: tuple[str, ...] = (),
    quotas: tuple[str, ...] = (),
    quiet: bool = False,
    verbose: bool = False,
    select: str | None = None,
    ignore: str | None = None,
    baseline: str | None = None,
    write_baseline: bool = False,
    fix: bool = False,
    unsafe_fixes: bool = False,
    diff: bool = False,
    no_cache: bool = False,
    trust_head_config: bool = False,
    staged: bool = False,
    max_seconds: int | None = None,
    max_memory: int | None = None,
    link: str = "",
    history: tuple[str, ...] = (),
    fail_on: Sequence[Sequence[str]] = (),
    **options: Any,
) -> Request:
    """The request for the options of a command that reads a repository. Raises UsageError."""
    limit(max_seconds, max_memory)
    fails_on = [word for words in fail_on for word in words]
    severity = max((word for word in fails_on if word != "unknown"), key=FAIL_ON.index, default=None)
    if severity is None and fails_on:
        severity = "error"
    options["fail_on"] = severity
    wanted = Options(select=_split_list(select), ignore=_split_list(ignore), **options)
    written = wanted_outputs(format, outputs)
    if isinstance(written, str):
        raise CannotRun(written)
    if diff and written[-1].format != "text":
        raise CannotRun(f"--diff and a report as {written[-1].format}: only one of them can go to standard output")
    fixes = Fixes(fix or unsafe_fixes, unsafe_fixes, diff)
    if staged and (fixes.write or diff or write_baseline):
        raise CannotRun("--staged only checks: --fix, --diff and --write-baseline need the working tree")
    if quotas:  # these are read as though they were named beside the paths
        paths = (*(paths or (".",)), *quotas)
    request = Request(paths, written, color, quiet, verbose, jobs, snapshots, wanted, baseline, write_baseline, fixes)
    request = request._replace(fails_on_unknown="unknown" in fails_on)
    return request._replace(trust_head_config=trust_head_config, staged=staged, asked=_asked_of_page(link, history))


def _asked_of_page(link: str, history: Sequence[str]) -> PageOptions:
    """The page options; wrong ones raise before anything is read."""
    command: Any = click.get_current_context().find_root().obj
    if not link and not history:
        return PageOptions(command or ())
    from quotalint.cli.given_files import earlier_reports
    from quotalint.cli.run_origin import asked_links

    if link:
        asked_links(link, "", "")
    return PageOptions(command or (), link, earlier_reports(history))


def _split_list(value: str | None) -> tuple[str, ...] | None:
    return None if value is None else tuple(part.strip() for part in value.split(",") if part.strip())
