"""Which findings of some namespaces are what they would be among those of all others."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

from quotalint.finding import Finding
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.slices.joined import JoinedSlices, KnownSlices
from quotalint.slices.kept import Deploying
from quotalint.slices.outline import is_local_kind
from quotalint.slices.told_lines import repaired_places
from quotalint.text.place import Place


class SurePlaces(NamedTuple):
    """Where nothing is said of another namespace, by what is known of some in both states."""

    deploys: Deploying
    documents: frozenset[tuple[str, int]]
    """By file and number, of files that are applied as they are: those that these namespaces alone have."""
    shared: frozenset[str]
    """The files of which something is said that is not said of these namespaces."""
    inexact: frozenset[str]
    """The files of which it is not known where all is that is made of them."""

    def holds(self, finding: Finding) -> bool:
        """Whether a finding is what it is, as no other one can be about the same place, and shows places that are
        known."""
        if finding.object is None or not is_local_kind(finding.object.body, deploys=self.deploys):
            return False
        shown = (finding.file, *(related.file for related in finding.related))
        is_own = finding.file not in self.shared or self._is_in_document(finding.file, finding.object)
        return is_own and self.inexact.isdisjoint(shown) and all(map(self._is_own, repaired_places(finding.fix)))

    def _is_in_document(self, file: str, obj: Object) -> bool:
        return obj.place.made is None and obj.place.source == file and self._is_own(obj.place)

    def _is_own(self, place: Place) -> bool:
        is_document = place.made is None and (place.source, place.document) in self.documents
        return is_document or place.file not in self.shared


def sure_places(
    of: JoinedSlices, before: KnownSlices, after: KnownSlices, standing: str, findings: Iterable[Finding]
) -> SurePlaces:
    """Those of both states, where `standing` is said of everything before, as a report in JSON has it, and these
    `findings` are what of it is said of the namespaces. What is said of others stays as it is."""
    own = Counter((finding.fingerprint, finding.file) for finding in findings)
    shared: set[str] = set()
    for plain in json.loads(standing):
        key = plain["fingerprint"], plain["file"]
        if not own[key]:
            shared.update((plain["file"], *(related["file"] for related in plain["related"])))
        own[key] -= own[key] > 0
    return SurePlaces(of.slices.deploys, of.documents, frozenset(shared), before.inexact | after.inexact)
