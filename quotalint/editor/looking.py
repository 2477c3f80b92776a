"""The repository with the buffers of an editor in place of files, checked again after each change."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache, partial
from importlib import import_module
from pkgutil import walk_packages

import quotalint.checks
import quotalint.quota
import quotalint.text
from quotalint.accounts.quota_table import QuotaTable, quota_tables
from quotalint.cache.census import Census, census
from quotalint.catalogue import rule_ids
from quotalint.editor.users import repeat_at_users
from quotalint.named_tuples import NamedTuple
from quotalint.pipeline import Result, run
from quotalint.runtime.recall import Memory, recalling
from quotalint.settings import Options, Settings, describe_error
from quotalint.settings.loading import load_settings
from quotalint.snapshots.snapshot import Snapshot
from quotalint.suppression import baseline_file
from quotalint.text.files import pretend_contents
from quotalint.text.reading import File, read_all
from quotalint.text.sources import Found, Source, find

Stamp = tuple[int, int, int] | bytes
"""A value that changes with the file; for a buffer its content."""


def _no_tables() -> tuple[QuotaTable, ...]:
    return ()


class Look(NamedTuple):
    """The result of a check."""

    result: Result | None
    problem: str = ""
    """Why there is no result: an error in the configuration."""
    tabulate: Callable[[], tuple[QuotaTable, ...]] = _no_tables
    broken: frozenset[str] = frozenset()
    """The files, by their names in reports, with a current syntax error; everything else is from the former check."""

    @property
    def tables(self) -> tuple[QuotaTable, ...]:
        """The quota tables: made on demand, because findings do not need them."""
        return self.tabulate()


class Workspace:
    """A folder, its open buffers, and the files that were read. A class because it lasts as long as the editor."""

    def __init__(self, root: str, snapshots: Sequence[Snapshot] = ()) -> None:
        self.root = root
        self._snapshots = snapshots
        self.buffers: dict[str, bytes] = {}
        """By real path."""
        self._judged: tuple[Look, Mapping[str, bytes]] = Look(None), {}
        """The last look at everything, and what the buffers held then."""
        self._read: dict[str, tuple[Stamp, File]] = {}
        """By real path: what was read, and what the file was like then."""
        self._stamps: dict[str, Stamp] = {}
        """The stamps of the files at the last look, by real path."""
        self._found: tuple[Settings, Found] | None = None
        """The files that there were then, and the settings that say which."""
        self._census: Census | None = None
        """The census of the repository's folder at the last look."""
        self._memory = Memory()
        self._sources: dict[str, list[Source]] = {}
        """The files that there were then, by real path."""
        self._known: dict[str, File | None] = {}
        """What was read in the files, by name."""
        self._reals: dict[str, str] = {}
        """The real paths of paths; a link that changes is seen when the server starts again."""

    def look(self, typed: Collection[str] = ()) -> Look:
        """Check everything from the working directory, reading only changed files. If only buffers were `typed` in
        (real paths) since the last check, files on disk count as unchanged. No content of a file raises."""
        settings = load_settings([self.root], Options(), frozenset(rule_ids()))
        if not isinstance(settings, Settings):
            return Look(None, "\n".join(map(describe_error, settings)))
        file = baseline_file(None, settings)
        baseline = None
        if os.path.isfile(file):
            from quotalint.suppression.baseline import Baseline, read_baseline

            parsed = read_baseline(file)
            baseline = parsed if isinstance(parsed, Baseline) else None
        self._memory.forget_unused()
        with self._pretending(), recalling(self._memory):
            files = self._files(settings, typed)
            result = run(
                files, settings, bytes, 1, self._snapshots, baseline, known=lambda source: self._known.get(source.name)
            )
            self._remember(result.environments[0].repository.files)
            opened = {source.name for real in self.buffers for source in self._sources.get(real, ())}
            result = result._replace(findings=(*result.findings, *repeat_at_users(result, opened)))
        self._memory.keep("owners", "consumers")
        buffers = dict(self.buffers)
        self._judged = Look(result, tabulate=cache(partial(self._tables, result, buffers))), buffers
        return self._judged[0]

    def glance(self, typed: Collection[str]) -> Look | None:
        """A quick answer if none of the `typed` buffers can be parsed; None if everything must be checked."""
        from quotalint.editor.glance import is_broken, with_breaks

        judged, before = self._judged
        result = judged.result
        if result is None or not typed or not before.keys() & self._sources.keys() >= set(typed):
            return None
        sources = [source for real in typed for source in self._sources[real]]
        with self._pretending():
            files = read_all(sources, bytes, 1, self._unchanged)
            broken = [file for file in files if isinstance(file, File) and is_broken(file, result)]
            if len(broken) < len(files):
                return None
            reals = {file.source.name: self._real(file.source.path) for file in broken}
            texts = {name: (before[real], self.buffers[real]) for name, real in reals.items()}
            return judged._replace(result=with_breaks(result, broken, texts), broken=frozenset(texts))

    def _tables(self, result: Result, buffers: Mapping[str, bytes]) -> tuple[QuotaTable, ...]:
        with pretend_contents(buffers, self._real), recalling(self._memory):
            return quota_tables(result.environments, result.locate)

    def _pretending(self) -> AbstractContextManager[None]:
        return pretend_contents(self.buffers, self._real)

    def content(self, look: Look, name: str) -> bytes:
        """The text of a file, by its name in reports, as the editor has it."""
        if look.result is None:
            return b""
        with self._pretending():
            return look.result.content(name)

    def is_as_it_was(self) -> bool:
        """Whether nothing on disk has changed since the last look."""
        if self._found is None or self._census is None:
            return False
        now = _census(self._found[0])
        then = self._census
        return now is not None and (now.names, now.numbers, now.links) == (then.names, then.numbers, then.links)

    def _files(self, settings: Settings, typed: Collection[str]) -> Found:
        """The existing files: the same value if the disk is not searched again."""
        if self._found is not None and self._found[0] == settings and typed and self._read.keys() >= set(typed):
            for source in (source for path in typed for source in self._sources[path]):
                self._known[source.name] = self._unchanged(source)
            return self._found[1]
        self._stamps.clear()
        self._census = _census(settings)
        files = find([self.root], settings.root, settings.exclude)
        self._found = settings, files
        self._sources = {}
        for source in files.sources:
            self._sources.setdefault(self._real(source.path), []).append(source)
        self._known = {source.name: self._unchanged(source) for source in files.sources}
        self._read = {real: self._read[real] for real in self._sources if real in self._read}
        return files

    def _unchanged(self, source: Source) -> File | None:
        """The stored reading of a file, if the file is unchanged."""
        read = self._read.get(self._real(source.path))
        if read is None or read[0] != self._stamp(source.path):
            return None
        return read[1] if read[1].source == source else read[1]._replace(source=source)

    def _remember(self, files: Sequence[File]) -> None:
        for file in files:
            name, path = file.source.name, file.source.path
            if self._known.get(name) is not file:
                self._known[name] = file
                self._read[self._real(path)] = self._stamp(path), file

    def _real(self, path: str) -> str:
        if path not in self._reals:
            self._reals[path] = os.path.realpath(path)
        return self._reals[path]

    def _stamp(self, path: str) -> Stamp:
        real = self._real(path)
        buffer = self.buffers.get(real)
        if buffer is not None:
            return buffer
        if real not in self._stamps:
            try:
                status = os.stat(path)
                self._stamps[real] = status.st_mtime_ns, status.st_size, status.st_ino
            except OSError:
                self._stamps[real] = b""
        return self._stamps[real]


def import_for_findings() -> None:
    """Import the modules for findings before anybody types, because a clean check does not import them and the first
    finding would be slow."""
    for room in (quotalint.checks, quotalint.quota, quotalint.text):
        for module in walk_packages(room.__path__, f"{room.__name__}."):
            import_module(module.name)


def _census(settings: Settings) -> Census | None:
    return census((os.path.realpath(settings.repository),), _MOST)


_MOST = 200_000  # names; in a larger repository everything is looked at again


def lines_of_text(data: bytes) -> list[str]:
    """The lines of a file, as editors count them."""
    return data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n").split("\n")


def by_file(look: Look) -> Mapping[str, list[int]]:
    """The numbers of findings by file."""
    numbers: dict[str, list[int]] = {}
    for number, finding in enumerate(look.result.findings if look.result else ()):
        if finding.suppressed is None:
            numbers.setdefault(finding.file, []).append(number)
    return numbers
