"""Finds the suppression of each finding, and records which suppressions were used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from quotalint.accounts.facts import Facts
from quotalint.checks.hit import Hit
from quotalint.settings import Settings
from quotalint.suppression import Silence, Suppression, has_ignore_annotation, ignore_silences, silences_of
from quotalint.text.place import Place, Span

if TYPE_CHECKING:
    from quotalint.suppression.baseline import Baseline, BaselineEntry
    from quotalint.suppression.ignore_comments import Comments
    from quotalint.suppression.trust import Trust


def silences_of_hit(rule: str, hit: Hit, settings: Settings, trust: Trust | None) -> Iterator[Silence]:
    """The suppressions of a hit that do not depend on its line: from the configuration and its object."""
    if settings.ignore:
        yield from ignore_silences(settings, rule, hit.place.file, hit.resource)
    if hit.object is not None and has_ignore_annotation(hit.object):
        for silence in silences_of(hit.object):
            if silence.covers(rule) and (trust is None or trust.has_annotation(silence, hit.object)):
                yield silence


class SuppressionMatcher:
    """The suppressions in files and the baseline. It is a class because it records which are used."""

    __slots__ = ("_files", "_left", "_spans", "_trust", "comments", "used")

    def __init__(
        self,
        comments: Mapping[str, Comments],
        baseline: Baseline | None,
        spans: Mapping[Place, Span],
        fingerprints: Iterable[tuple[str, str]],
        trust: Trust | None = None,
    ) -> None:
        self.comments = comments
        self.used: set[Silence] = set()
        self._left = baseline.by_fingerprint() if baseline else {}
        self._files = set(fingerprints) if baseline else frozenset[tuple[str, str]]()
        self._spans = spans
        self._trust = trust

    def suppression(
        self, rule: str, file: str, line: int, fingerprint: str, silences: Iterable[Silence]
    ) -> Suppression | None:
        """Why a finding is not reported; None if it is. All matching suppressions count as used; a baseline entry only
        if nothing else matches."""
        matching = list(silences)
        trust = self._trust
        if file in self.comments:
            comment_silences = self.comments[file].silencing(rule, line)
            matching += comment_silences if trust is None else filter(trust.has_comment, comment_silences)
        entry = None if matching else self._take_entry(fingerprint, file)
        if entry is not None and (trust is None or trust.has_entry(entry.silence, fingerprint)):
            matching.append(entry.silence)
        if not matching:
            return None
        self.used.update(matching)
        first = matching[0]
        return Suppression(first.by, first.reason, first.place.source, first.line or self._spans[first.place].line)

    def left_entries(self) -> tuple[BaselineEntry, ...]:
        """The entries of the baseline without a finding."""
        return tuple(entry for entries in self._left.values() for _, entry in entries)

    def _take_entry(self, fingerprint: str, file: str) -> BaselineEntry | None:
        """Takes a baseline entry for this finding: one for the file, or one for a file where the finding no longer is.
        An entry for a file where it still is stays for that finding."""
        entries = self._left.get(fingerprint, [])
        usable = [number for number, (source, _) in enumerate(entries) if (fingerprint, source) not in self._files]
        own = [number for number, (source, _) in enumerate(entries) if source == file]
        return entries.pop((own or usable)[0])[1] if own or usable else None


def read_suppressions(
    environments: Sequence[Facts],
    fingerprints: Sequence[tuple[str, str]],
    content: Callable[[str], bytes],
    baseline: Baseline | None,
    spans: Mapping[Place, Span],
    trust: Trust | None,
) -> SuppressionMatcher:
    """The suppressions in files; only files with a marker are read again. Rendered findings may be in files outside the
    given paths. `fingerprints` has the fingerprint and file of each finding."""
    files = environments[0].repository.files
    marked = [file.source.name for file in files if file.marked]
    others = dict.fromkeys(file for _, file in fingerprints).keys() - marked
    unmarked = {file.source.name for file in files if file.source.name in others and not file.marked} if others else ()
    wanted = [*marked, *(name for name in others if name not in unmarked)]
    comments = {}
    if wanted:
        from quotalint.suppression.ignore_comments import comments_in

        comments = {name: comments_in(content(name), name) for name in wanted}
        for name, file_comments in comments.items() if trust is not None else ():
            if file_comments.all and trust is not None:
                trust.take_comments(content(name), name)
    return SuppressionMatcher(comments, baseline, spans, fingerprints, trust)
