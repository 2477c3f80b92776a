"""`vendor`: fetches the remote sources that a repository names. No other command fetches anything."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from quotalint.cli import actions, printing
from quotalint.cli.manual import Manual
from quotalint.cli.options import config, limit_options, option
from quotalint.cli.parsed_options import request_of
from quotalint.cli.request import CannotRun
from quotalint.lockfile.lock import LockError, RemoteSource
from quotalint.reports.terminal import count_noun
from quotalint.text.disk import is_there
from quotalint.text.files import LED_OUT, leads_out

if TYPE_CHECKING:
    from quotalint.settings import Settings
    from quotalint.vendoring.store import Store
    from quotalint.vendoring.vendoring import Asked


@click.command(
    cls=Manual,
    examples=(
        ("quotalint vendor", "Fetch what is missing, and write quotalint.lock."),
        ("quotalint vendor --update", "Also take newer versions of ranges and branches."),
        ("quotalint vendor --update redis,base", "Only newer versions of these charts or repositories."),
        ("quotalint vendor --check", "Say what is missing; uses no network."),
    ),
    appendix=(
        (
            "Exit status",
            (
                ("0", "Everything that the repository asks for is vendored."),
                ("1", "Something is not. Standard error says what, and why."),
                ("2", "The run itself failed."),
            ),
        ),
    ),
)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path())
@option("--check", "only_check", is_flag=True, help="Fetch nothing; exit with 1 if something is not vendored.")
@option(
    "--update",
    is_flag=False,
    flag_value="*",
    multiple=True,
    metavar="[NAME[,NAME]]",
    help="Resolve versions anew: of these charts and repositories, or of all.",
)
@config
@limit_options
def vendor(paths: tuple[str, ...], *, only_check: bool, update: Sequence[str], **options: Any) -> int:
    """Fetch the charts, bases and repositories that manifests name, for all other commands to read.

    It writes quotalint.lock (each source, its version and its digest) and the folder
    .quotalint/sources, and changes nothing else. Commit both, or keep the folder in a cache. Charts come over HTTP and
    from registries, other repositories with git. Credentials come from Helm's and git's own configuration, and go to no
    other server than that names. Use it on branches that you trust: a change may name any address.
    """
    from quotalint.vendoring.store import store_of

    update, paths = _names(update, paths)
    request = request_of(paths or (".",), **options)
    settings = actions.settings_of(request.paths, request.options)
    store = store_of(settings)
    for path in (store.lock, os.path.join(store.folder, "any")):
        if leads_out(path):
            raise CannotRun(f"{path}: {LED_OUT}")
    try:
        ask = partial(_asked, request.paths, settings)
        if only_check:
            return _check(ask().sources, store)
        return _fetch(ask, settings.repository, store, update)
    except LockError as error:
        raise CannotRun(f"quotalint.lock {error}") from None
    except OSError as error:
        raise CannotRun(f"{error.filename or store.folder}: {error.strerror or error}") from None


def _names(update: Sequence[str], paths: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names after `--update`, and the paths: what is no path is one more name."""
    names = tuple(name for written in update for name in written.split(",") if name)
    more = tuple(path for path in paths if names and not is_there(path))
    return names + more, tuple(path for path in paths if path not in more)


def _check(asked: Sequence[RemoteSource], store: Store) -> int:
    from quotalint.vendoring.vendoring import missing_sources

    missing = missing_sources(asked, store)
    for source, reason in missing:
        printing.tell(f"not vendored: {source.words}: {reason}")
    actions.print_report(f"{len(asked) - len(missing)} of {count_noun(len(asked), 'remote source')} vendored.\n")
    return int(bool(missing))


def _fetch(ask: Callable[[], Asked], root: str, store: Store, update: Sequence[str]) -> int:
    from quotalint.cli.progress_line import Progress
    from quotalint.vendoring import Limits
    from quotalint.vendoring.vendoring import fetch_source, is_named, vendor

    before = store.entries()
    with Progress(wanted=True) as tell:
        outcome = vendor(ask, store, update, partial(fetch_source, limits=Limits(), root=root), tell)
    for name in update:
        if not any(is_named(source, name) for source in (*outcome.entries, *outcome.failures)):
            printing.tell(f"quotalint: --update {name}: no remote source has this name")
    for source, reason in outcome.failures.items():
        printing.tell(f"quotalint: not fetched: {source.words}: {reason}")
    lines = [
        f"{entry.source.words}: {entry.resolved}\n"
        for entry in sorted(outcome.entries.values())
        if before.get(entry.source) != entry
    ]
    asked = outcome.entries.keys() | outcome.failures.keys()
    number = len(asked) - len(outcome.failures)
    actions.print_report(f"{''.join(lines)}{number} of {count_noun(len(asked), 'remote source')} vendored.\n")
    return int(bool(outcome.failures))


def _asked(paths: Sequence[str], settings: Settings) -> Asked:
    """The remote sources that the repository asks for, as far as it is in view."""
    from quotalint.deployed import deployed
    from quotalint.text.sources import find
    from quotalint.vendoring.vendoring import Asked

    found = find(paths, settings.root, settings.exclude)
    if found.missing:
        from quotalint.cli.asked_paths import missing_paths

        raise CannotRun(missing_paths(found.missing))
    sources = deployed(found, settings).view.remote
    return Asked(tuple(RemoteSource(*source) for source in sources), found.whole)
