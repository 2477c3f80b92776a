"""Which findings of some namespaces are what they would be among those of all others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from quotalint.finding import Finding
from quotalint.named_tuples import NamedTuple
from quotalint.slices.joined import JoinedSlices, KnownSlices
from quotalint.slices.kept import Deploying
from quotalint.slices.local_kinds import is_local_kind
from quotalint.slices.told_lines import repaired_places
from quotalint.text.place import Place


class SurePlaces(NamedTuple):
    """Where nothing is said of another namespace, by what is known of some in both states."""

    deploys: Deploying
    documents: frozenset[tuple[str, int]]
    """By file and number, of files that are applied as they are: those that these namespaces alone have."""
    shared: frozenset[tuple[str, str]]
    """By which rule something is said of which file that is not said of these namespaces."""
    inexact: frozenset[str]
    """The files of which it is not known where all is that is made of them."""

    def holds(self, finding: Finding) -> bool:
        """Whether a finding is what it is, as no other one can be about the same place, and shows places that are
        known."""
        if finding.object is None or not is_local_kind(finding.object.body, deploys=self.deploys):
            return False
        shown = (finding.file, *(related.file for related in finding.related))
        rule, place = finding.rule.id, finding.object.place
        is_in_document = place.source == finding.file and self._is_own_document(place)
        is_own = is_in_document or (rule, finding.file) not in self.shared
        return (
            is_own
            and self.inexact.isdisjoint(shown)
            and all(
                self._is_own_document(repaired) or (rule, repaired.file) not in self.shared
                for repaired in repaired_places(finding.fix)
            )
        )

    def may_move(self, file: str) -> bool:
        """Whether nothing but what is said of these namespaces names a line of a file."""
        return all(file != other for _, other in self.shared)

    def _is_own_document(self, place: Place) -> bool:
        return place.made is None and (place.source, place.document) in self.documents


def sure_places(
    of: JoinedSlices,
    before: KnownSlices,
    after: KnownSlices,
    standing: Iterable[Mapping[str, Any]],
    findings: Iterable[Finding],
) -> SurePlaces:
    """Those of both states, where `standing` is said of everything before, as a report in JSON has it, and these
    `findings` are what of it is said of the namespaces. What is said of others stays as it is."""
    own = Counter((finding.fingerprint, finding.file) for finding in findings)
    shared: set[tuple[str, str]] = set()
    for plain in standing:
        key = plain["fingerprint"], plain["file"]
        if own[key]:
            own[key] -= 1
        else:
            shared.update((plain["rule"], about["file"]) for about in (plain, *plain["related"]))
    return SurePlaces(of.slices.deploys, of.documents, frozenset(shared), before.inexact | after.inexact)
