"""Checks of a change to claims: what the API server refuses of it, so that they, and their quota, stay as they are.

Source: Kubernetes 1.36, pkg/apis/core/validation/validation.go (ValidatePersistentVolumeClaimUpdate),
pkg/apis/apps/validation/validation.go (ValidateStatefulSetUpdate) and
plugin/pkg/admission/storage/persistentvolume/resize/admission.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.accounts.facts import Facts
from quotalint.checks.hit import Hit, check
from quotalint.kube.amounts import is_stand_in
from quotalint.kube.api_error import field_path
from quotalint.kube.claim import Claim, claim
from quotalint.kube.fields import dig, mapping, sequence, text
from quotalint.kube.guess import guesses_of_both
from quotalint.kube.objects import Object
from quotalint.kube.quantity import show
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path

CLAIM, SET = ("", "PersistentVolumeClaim"), ("apps", "StatefulSet")
_STORAGE: Path = ("spec", "resources", "requests", "storage")
_CLASS: Path = ("spec", "storageClassName")
_SHRUNK = "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity"
_NO_GROWTH = (
    "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize"
)
_IMMUTABLE = (
    "spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for "
    "bound claims"
)
_OF_SET = (
    "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
    "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are "
    "forbidden"
)


class ClaimChange(NamedTuple):
    """What is said otherwise of a claim than before, as far as its quota counts that."""

    path: Path
    """From the claim, or its template, down."""
    words: str
    is_less: bool = False


@check("QL407", Object, kinds=(CLAIM, SET))
def immutable_claim(obj: Object, facts: Facts) -> Iterator[Hit]:
    old = facts.claims_before.get(obj.ref)
    if old is None or obj.foreign or obj.namespace not in facts.enforced or _is_made_anew(obj):
        return
    hits = _set_hits(old, obj) if (obj.group, obj.kind) == SET else _claim_hits(old, obj, facts)
    guesses = guesses_of_both(old.guesses, obj.guesses)
    yield from (hit._replace(guesses=guesses) for hit in hits)


def _is_made_anew(obj: Object) -> bool:
    """Whether who applies an object deletes and creates it where the update is refused: gitops-engine,
    pkg/sync/common/types.go (SyncOptionForce); Flux, kustomize-controller, docs/spec/v1/kustomizations.md."""
    annotations = mapping(obj.metadata.get("annotations"))
    options = text(annotations.get("argocd.argoproj.io/sync-options")).replace(" ", "").split(",")
    forced = text(annotations.get("kustomize.toolkit.fluxcd.io/force")).lower()
    return "Force=true" in options or forced == "enabled"


def _claim_hits(old: Object, obj: Object, facts: Facts) -> Iterator[Hit]:
    old_claim, new_claim = claim(old.body), claim(obj.body)
    stated = old_claim.requests.get("storage")
    if stated is not None and stated.nano <= 0:
        return  # no such claim was ever made
    class_name = new_claim.storage_class or ""
    for change in _claim_changes(old_claim, new_claim):
        if change.path == _CLASS:
            yield _hit(obj, change, "class", _IMMUTABLE)
        elif change.is_less:
            yield _hit(obj, change, "default", _SHRUNK)
        elif _is_fixed(class_name, facts):
            yield _hit(obj, change, "fixed", _NO_GROWTH, class_name)


def _set_hits(old: Object, obj: Object) -> Iterator[Hit]:
    """That of the first template which is not as it was: all of them are refused together."""
    written = [state.spec.get("volumeClaimTemplates") for state in (old, obj)]
    olds, news = map(_templates, written)
    if any(map(is_stand_in, (*written, *olds, *news))):
        return  # nobody knows which of them is which
    path: Path = ("spec", "volumeClaimTemplates")
    for index, (name, template) in enumerate(news.items()):
        changes = _claim_changes(olds[name], template) if name in olds else [ClaimChange((), f"{name} comes")]
        for change in changes:
            words = f"{change.words} in {name}" if change.path else change.words
            yield _hit(obj, ClaimChange((*path, index, *change.path), words), "templates", _OF_SET)
            return
    gone = [name for name in olds if name not in news]
    if gone:
        yield _hit(obj, ClaimChange(path, f"{gone[0]} goes"), "templates", _OF_SET)


def _templates(written: object) -> dict[str, Claim]:
    templates = map(mapping, sequence(written))
    return {text(dig(template, "metadata", "name")): claim(template) for template in templates}


def _claim_changes(old: Claim, new: Claim) -> list[ClaimChange]:
    """What differs of what both of them state."""
    changes = []
    was, now = old.requests.get("storage"), new.requests.get("storage")
    if was is not None and now is not None and was.nano != now.nano:
        words = f"storage changes from {show(was)} to {show(now)}"
        changes.append(ClaimChange(_STORAGE, words, now.nano < was.nano))
    if old.storage_class and new.storage_class and old.storage_class != new.storage_class:
        words = f"the storage class changes from {old.storage_class} to {new.storage_class}"
        changes.append(ClaimChange(_CLASS, words))
    return changes


def _is_fixed(class_name: str, facts: Facts) -> bool:
    """Whether the repository says that no volume of a class grows; of what a snapshot shows that is not kept."""
    classes = facts.cluster.of("storage.k8s.io", "StorageClass")
    return any(
        obj.name == class_name and not obj.foreign and obj.body.get("allowVolumeExpansion") in (None, False)
        for obj in classes
    )


def _hit(obj: Object, change: ClaimChange, variant: str, message: str, class_name: str = "") -> Hit:
    values = {"kind": obj.kind, "name": obj.name, "change": change.words, "message": message, "class": class_name}
    field = field_path(change.path, keyed=("requests",))
    return Hit(obj.at(*change.path), values, obj, field, variant)
