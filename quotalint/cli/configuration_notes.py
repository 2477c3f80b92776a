"""Notes about settings without effect: patterns that match no file, and configurations that do not count."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from quotalint.cli.printing import tell
from quotalint.pipeline import Result
from quotalint.settings import Settings
from quotalint.settings.loading import NAMES, configurations_in
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.patterns import compile_patterns, covers
from quotalint.text.sources import Found, find

_MOST = 20  # notes


def tell_of_configuration(settings: Settings, found_files: Found, result: Result, paths: Sequence[str]) -> None:
    """Print the first notes on standard error, with the key. Patterns are judged only if the paths cover everything."""
    idle = _idle_pattern_lines(settings, found_files, result, paths) if found_files.whole else ()
    lines = chain(_other_configuration_lines(settings, found_files), idle)
    for line in islice(lines, _MOST):
        tell(f"quotalint: {line}")
    if next(lines, None) is not None:
        tell(f"quotalint: {settings.file or 'the configuration'}: more keys have no effect; mend these first")


def _other_configuration_lines(settings: Settings, found_files: Found) -> Iterator[str]:
    used = os.path.realpath(settings.file) if settings.file else ""
    for source in found_files.sources:
        if os.path.basename(source.path) in NAMES and source.path != used and not source.explicit:
            folder = os.path.dirname(source.path)
            if source.path in map(os.path.realpath, configurations_in(folder)):
                by = f"this run goes by {settings.file}" if settings.file else "it lies below what is checked"
                yield f"{source.name} does not count here: {by}; check that folder by itself"


def _idle_pattern_lines(settings: Settings, found_files: Found, result: Result, paths: Sequence[str]) -> Iterator[str]:
    if not settings.file:
        return
    file_names = [settings.way(source.name) for source in found_files.sources]
    for pattern in _idle_excludes(settings, paths):
        yield f"{settings.file}: `exclude`: no file matches {pattern}"
    for pattern, _ in settings.namespaces:
        if not _any_matches(pattern, file_names):
            yield f"{settings.file}: `namespaces`: no file matches {pattern}"
    for name, patterns in settings.environments:
        for pattern in patterns:
            if not _any_matches(pattern, file_names):
                yield f"{settings.file}: `environments.{name}`: no file matches {pattern}"
    environments = {facts.environment for facts in result.environments}
    for name in settings.particulars:
        if name not in environments:
            yield f"{settings.file}: `environments.{name}`: there is no environment of this name"


def _any_matches(pattern: str, file_names: Sequence[str]) -> bool:
    patterns = compile_patterns((pattern,))
    return any(covers(patterns, name) for name in file_names)


def _idle_excludes(settings: Settings, paths: Sequence[str]) -> Iterator[str]:
    """The patterns of `exclude` that match no file."""
    others = []
    for pattern in settings.exclude:
        if _LITERAL.fullmatch(pattern):
            if not os.path.lexists(os.path.join(settings.root, pattern.strip("/"))):
                yield pattern
        elif not pattern.startswith("!"):
            others.append(pattern)
    if others:
        all_names = [settings.way(source.name) for source in find(paths, settings.root, ()).sources]
        yield from (pattern for pattern in others if not _any_matches(pattern, all_names))


_LITERAL = lazy_pattern(r"/[\w./-]+")
