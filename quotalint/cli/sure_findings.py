"""Which findings of some namespaces are what they would be among those of all others."""

from __future__ import annotations

from quotalint.finding import Finding
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.slices.joined import JoinedSlices, KnownSlices
from quotalint.slices.kept import Deploying
from quotalint.slices.outline import is_local_kind
from quotalint.slices.told_lines import repaired_places
from quotalint.text.place import Place


class SurePlaces(NamedTuple):
    """Where nothing is said of another namespace, and nothing repaired, by what is known of some in both states."""

    deploys: Deploying
    documents: frozenset[tuple[str, int]]
    """By file and number; of files that are applied as they are."""
    files: frozenset[str]
    """Those all of which is such."""
    inexact: frozenset[str]
    """The files of which it is not known where all is that is made of them."""

    def holds(self, finding: Finding) -> bool:
        """Whether a finding is what it is, as no other one can be about the same place, and shows places that are
        known."""
        if finding.object is None or not is_local_kind(finding.object.body, deploys=self.deploys):
            return False
        shown = (finding.file, *(related.file for related in finding.related))
        is_own = finding.file in self.files or self._is_in_document(finding.file, finding.object)
        return is_own and self.inexact.isdisjoint(shown) and all(map(self._is_own, repaired_places(finding.fix)))

    def _is_in_document(self, file: str, obj: Object) -> bool:
        return obj.place.made is None and obj.place.source == file and self._is_own(obj.place)

    def _is_own(self, place: Place) -> bool:
        is_document = place.made is None and (place.source, place.document) in self.documents
        return is_document or place.file in self.files


def sure_places(of: JoinedSlices, before: KnownSlices, after: KnownSlices) -> SurePlaces:
    """Those of both states."""
    files, inexact = before.whole & after.whole, before.inexact | after.inexact
    return SurePlaces(of.slices.deploys, of.documents, files, inexact)
