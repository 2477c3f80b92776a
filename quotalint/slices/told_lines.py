"""Which lines of files are told of what was found, and which objects have anything to do with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from quotalint.checks.container_neighbours import extreme_amounts
from quotalint.facts import Facts
from quotalint.finding import Finding
from quotalint.fixes.fix import Fix
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Mixed, Origin, Place, place_of
from quotalint.transcript import digest

_OF_SUBJECTS = frozenset(("also for", "through"))
"""Labels of places that only show which objects a finding is true of, and what they come through."""


class ToldLines(NamedTuple):
    """Where there is something to say."""

    repaired: frozenset[str]
    """The files that are changed by what repairs a finding."""
    lines: Mapping[str, frozenset[int]]
    """By file, which lines are told."""
    sources: frozenset[str]
    """The files of both in which anything of an object is written."""
    subjects: frozenset[tuple[str, str, str]]
    """Kind, namespace and name of each object of which a finding is true."""
    extreme: frozenset[str]
    """The files with amounts that are extreme by themselves, which are compared with all others of their file."""


def told_lines(findings: Iterable[Finding], environments: Iterable[Facts]) -> ToldLines:
    """Those of these findings. Amounts that are extreme count as told."""
    extreme = frozenset(_extreme_sources(environments))
    repaired: set[str] = set()
    sources = set(extreme)
    subjects: set[tuple[str, str, str]] = set()
    lines: dict[str, set[int]] = {}
    for finding in findings:
        subjects |= finding.subjects
        sources.add(finding.file)
        sources.update(related.file for related in finding.related if related.label not in _OF_SUBJECTS)
        for file, span in ((finding.file, finding.span), *((place.file, place.span) for place in finding.related)):
            lines.setdefault(file, set()).update((span.line, span.end_line))
        if finding.object is not None:
            sources |= _written_in(finding.object.place)
        for way in finding.ways:
            sources.update(source for place in repaired_places(way) for source in _written_in(place))
        for place in repaired_places(finding.fix):
            written_in = _written_in(place)
            sources |= written_in
            repaired |= written_in
            repaired.update(at.source for at in (place.made.via if place.made is not None else ()))
    told = {file: frozenset(numbers) for file, numbers in lines.items()}
    return ToldLines(frozenset(repaired), told, frozenset(sources), frozenset(subjects), extreme)


def _written_in(place: Place) -> set[str]:
    made = place.made
    return {place.source, place.file, *(at.source for at in (made.patches if made is not None else ()))}


def repaired_places(fix: Fix | None) -> Iterator[Place]:
    """What a repair changes."""
    while fix is not None:
        yield from (edit.place for edit in (*fix.edits, *fix.others))
        fix = fix.otherwise


def _extreme_sources(environments: Iterable[Facts]) -> Iterator[str]:
    for facts in environments:
        yield from (place.source for place in extreme_amounts(facts.cluster.objects, facts.settings.workloads))


def line_sources(obj: Object) -> Iterator[str]:
    """The files in which anything of an object is written."""
    made = obj.place.made
    yield obj.place.source
    if made is not None:
        yield from (patch.source for patch in made.patches)
        yield from _origin_sources(made.origin)


def _origin_sources(origin: Origin) -> Iterator[str]:
    waiting: list[Origin] = [origin]
    while waiting:
        origin = waiting.pop()
        yield place_of(origin).source
        waiting += origin.below.values() if isinstance(origin, Mixed) else ()


def lines_digests(objects: Iterable[Object]) -> Iterator[bytes]:
    """Two digests for each of these objects: of where it and all its fields are written, and of the places in
    kustomizations by which it comes from there."""
    for obj in objects:
        made = obj.place.made
        ways = made.via if made is not None else ()
        written = (*obj.place[:3], made and (made.depth, [way.source for way in ways], made.patches, made.origin))
        yield b"".join(digest(repr(part).encode("utf-8", "surrogatepass")) for part in (written, ways))
