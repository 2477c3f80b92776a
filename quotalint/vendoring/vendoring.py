"""What `quotalint vendor` does: asks what a repository needs, and fetches what is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from quotalint.lockfile.lock import LockedSource, RemoteSource, digest_of
from quotalint.named_tuples import NamedTuple
from quotalint.text.semver import SemverError, satisfies
from quotalint.text.sources import MANIFEST_SUFFIXES
from quotalint.vendoring import Fetched, FetchError, Limits
from quotalint.vendoring.store import Store

_MOST_ROUNDS = 8  # what is fetched may deploy further sources
Fetch = Callable[[RemoteSource], Fetched]
Tell = Callable[[str], None]
EVERYTHING = "*"


class Asked(NamedTuple):
    """What a repository asks for."""

    sources: tuple[RemoteSource, ...]
    is_everything: bool
    """Whether the whole repository was looked at."""


class Outcome(NamedTuple):
    """What became of the sources."""

    entries: dict[RemoteSource, LockedSource]
    """The entries of the new lock."""
    failures: dict[RemoteSource, str]
    """Why others could not be fetched."""


def vendor(ask: Callable[[], Asked], store: Store, update: Sequence[str], fetch: Fetch, tell: Tell) -> Outcome:
    """Fetch the missing sources. `ask` looks at the repository, with what is fetched so far; `update` are the
    names whose versions are resolved anew. Raises OSError and LockError."""
    locked = store.entries()
    outcome, asked = Outcome({}, {}), ask()
    for _ in range(_MOST_ROUNDS):
        new = [source for source in asked.sources if source not in outcome.entries and source not in outcome.failures]
        if not new:
            break
        for source in new:
            tell(f"fetching {source.words}")
            is_kept = not any(is_named(source, name) for name in update)
            known = locked.get(source) if is_kept else None
            try:
                outcome.entries[source] = _vendor_source(source, known, store, fetch)
            except (FetchError, ValueError) as error:  # ValueError: no address at all
                outcome.failures[source] = str(error)
                if source in locked:
                    outcome.entries[source] = locked[source]
        store.write_lock({**locked, **outcome.entries})  # the next look reads it
        asked = ask()
    if locked or outcome.entries:
        # What lies outside the given paths is not asked for.
        store.write_lock(outcome.entries if asked.is_everything else {**locked, **outcome.entries})
    return outcome


def _vendor_source(source: RemoteSource, known: LockedSource | None, store: Store, fetch: Fetch) -> LockedSource:
    """The entry of a source whose files are in the store. Raises FetchError and OSError."""
    if known is not None and store.holds(known):
        return known
    fetched = fetch(source if known is None else _pinned(known))
    entry = LockedSource(source, fetched.resolved, digest_of(fetched.files.items()))
    if known is not None and entry.digest != known.digest:
        cure = f"`quotalint vendor --update {source.chart or source.url}` takes it"
        raise FetchError(f"version {known.resolved} has another content than the lock names; {cure}")
    if not store.holds(entry):
        store.put(entry, fetched.files)
    return entry


def _pinned(entry: LockedSource) -> RemoteSource:
    """The source with the version that the lock names. A tag such as `latest` and a digest stay as they are."""
    source = entry.source
    try:
        is_pinned = not source.chart or satisfies(source.version or "*", entry.resolved)
    except SemverError:
        is_pinned = False
    return source._replace(version=entry.resolved) if is_pinned else source


def is_named(source: RemoteSource, name: str) -> bool:
    """Whether a name means a source: its chart, its address, or the last part of that."""
    return name in (EVERYTHING, source.chart, source.url, source.url.rpartition("/")[2].removesuffix(".git"))


def missing_sources(asked: Iterable[RemoteSource], store: Store) -> list[tuple[RemoteSource, str]]:
    """The sources that are not vendored, each with the reason. Raises LockError."""
    locked = store.entries()
    missing = []
    for source in asked:
        entry = locked.get(source)
        if entry is None:
            missing.append((source, "not in the lock"))
        elif not store.holds(entry):
            missing.append((source, f"{entry.folder} is missing or has another content"))
    return missing


def fetch_source(source: RemoteSource, limits: Limits, root: str, protocols: str = "") -> Fetched:
    """The files of a source from its server; `protocols` are those that git may use, if not the usual ones. Raises
    FetchError."""
    if source.chart and source.url.startswith(("https://", "http://")):
        from quotalint.vendoring.helm_settings import access_for
        from quotalint.vendoring.http_charts import fetch_http_chart

        return fetch_http_chart(source, access_for(source.url), limits)
    if source.chart and source.url.startswith(("oci://", "oci+http://")):
        from quotalint.vendoring.oci_charts import fetch_oci_chart

        return fetch_oci_chart(source, limits, root)
    if not source.chart and source.url.partition("?")[0].endswith(MANIFEST_SUFFIXES):
        return _fetch_file(source, limits)
    if not source.chart:
        from quotalint.vendoring.git_sources import PROTOCOLS, fetch_repository

        return fetch_repository(source, limits, root, protocols or PROTOCOLS)
    raise FetchError("nothing fetches such an address")


def _fetch_file(source: RemoteSource, limits: Limits) -> Fetched:
    """A single manifest over HTTP."""
    from quotalint.vendoring.web import Access, download

    name = source.url.partition("?")[0].rpartition("/")[2]
    return Fetched("", {name: download(source.url, Access(), limits)})
