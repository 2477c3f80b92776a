"""Which lines of files are told of what was found, and which objects have anything to do with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from quotalint.checks.container_neighbours import extreme_amounts
from quotalint.facts import Facts
from quotalint.finding import Finding
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Mixed, Origin, Place, place_of
from quotalint.transcript import digest

_OF_SUBJECTS = frozenset(("also for", "through"))
"""Labels of places that only show which objects a finding is true of, and what they come through."""


class ToldLines(NamedTuple):
    """Where there is something to say."""

    files: frozenset[str]
    """The files in which lines are told, or may be changed by what repairs a finding."""
    sources: frozenset[str]
    """Those of these in which anything of an object is written."""
    subjects: frozenset[tuple[str, str, str]]
    """Kind, namespace and name of each object of which a finding is true."""
    extreme: frozenset[str]
    """The files with amounts that are extreme by themselves, which are compared with all others of their file."""


def told_lines(findings: Iterable[Finding], environments: Iterable[Facts]) -> ToldLines:
    """Those of these findings. Amounts that are extreme count as told."""
    extreme = frozenset(_extreme_sources(environments))
    sources, through = set(extreme), set[str]()
    subjects: set[tuple[str, str, str]] = set()
    for finding in findings:
        subjects |= finding.subjects
        sources.add(finding.file)
        for related in finding.related:
            (through if related.label in _OF_SUBJECTS else sources).add(related.file)
        for place in _places_of(finding):
            made = place.made
            sources |= {place.source, place.file}
            if made is not None:
                sources |= {at.source for at in made.patches}
                through |= {at.source for at in made.via}
    return ToldLines(frozenset(sources | through), frozenset(sources), frozenset(subjects), extreme)


def _places_of(finding: Finding) -> Iterator[Place]:
    """Where its object is, and what a repair of it changes."""
    if finding.object is not None:
        yield finding.object.place
    fixes = [fix for fix in (finding.fix, *finding.ways) if fix is not None]
    while fixes:
        fix = fixes.pop()
        yield from (edit.place for edit in (*fix.edits, *fix.others))
        fixes += [fix.otherwise] if fix.otherwise else []


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


def lines_digest(objects: Sequence[Object], numbers: Iterable[int]) -> bytes:
    """What stands for where these of the objects and all their fields are written."""
    lines: list[object] = []
    for obj in (objects[number] for number in numbers):
        made = obj.place.made
        lines.append((*obj.place[:3], made and (made.depth, made.via, made.patches, made.origin)))
    return digest(repr(lines).encode("utf-8", "surrogatepass"))
