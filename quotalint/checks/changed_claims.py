"""Checks of changed claims: changes that the API server refuses, so that the claim and its charge stay as they were.

Source: Kubernetes 1.36, pkg/apis/core/validation/validation.go (ValidatePersistentVolumeClaimUpdate),
pkg/apis/apps/validation/validation.go (ValidateStatefulSetUpdate) and
plugin/pkg/admission/storage/persistentvolume/resize/admission.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
    """A change in a claim that affects its charge."""

    path: Path
    """The path from the claim or its template."""
    words: str
    is_less: bool = False


@check("QL407", Object, kinds=(CLAIM, SET))
def immutable_claim(obj: Object, facts: Facts) -> Iterator[Hit]:
    old = facts.claims_before.get(obj.ref)
    if old is None:
        return
    guesses = guesses_of_both(old.guesses, obj.guesses)
    yield from (hit._replace(guesses=guesses) for hit in _hits(old, obj, facts))


def is_update_refused(old: Object, obj: Object, facts: Facts) -> bool:
    """Whether the API server refuses the update of a claim or a StatefulSet, so that its charge stays as it was."""
    return next(iter(_hits(old, obj, facts)), None) is not None


def _hits(old: Object, obj: Object, facts: Facts) -> Iterable[Hit]:
    if obj.foreign or obj.namespace not in facts.enforced or _is_recreated(obj):
        return ()
    return _set_hits(old, obj) if (obj.group, obj.kind) == SET else _claim_hits(old, obj, facts)


def _is_recreated(obj: Object) -> bool:
    """Whether a deployer deletes and recreates an object if its update is refused: gitops-engine,
    pkg/sync/common/types.go (SyncOptionForce); Flux, kustomize-controller, docs/spec/v1/kustomizations.md."""
    annotations = mapping(obj.metadata.get("annotations"))
    options = text(annotations.get("argocd.argoproj.io/sync-options")).replace(" ", "").split(",")
    forced = text(annotations.get("kustomize.toolkit.fluxcd.io/force")).lower()
    return "Force=true" in options or forced == "enabled"


def _claim_hits(old: Object, obj: Object, facts: Facts) -> Iterator[Hit]:
    old_claim, new_claim = claim(old.body), claim(obj.body)
    stated = old_claim.requests.get("storage")
    if stated is not None and stated.nano <= 0:
        return  # no such claim can exist
    class_name = new_claim.storage_class or ""
    for change in _claim_changes(old_claim, new_claim):
        if change.path == _CLASS:
            yield _hit(obj, change, "class", _IMMUTABLE)
        elif change.is_less:
            yield _hit(obj, change, "default", _SHRUNK)
        elif _forbids_expansion(class_name, facts):
            yield _hit(obj, change, "fixed", _NO_GROWTH, class_name)


def _set_hits(old: Object, obj: Object) -> Iterator[Hit]:
    """The hit for the first changed template: the API server refuses all of them together."""
    written_templates = [state.spec.get("volumeClaimTemplates") for state in (old, obj)]
    old_templates, new_templates = map(_templates, written_templates)
    if any(map(is_stand_in, (*written_templates, *old_templates, *new_templates))):
        return  # the templates cannot be matched by name
    path: Path = ("spec", "volumeClaimTemplates")
    for index, (name, template) in enumerate(new_templates.items()):
        changes = (
            _claim_changes(old_templates[name], template)
            if name in old_templates
            else [ClaimChange((), f"{name} comes")]
        )
        for change in changes:
            words = f"{change.words} in {name}" if change.path else change.words
            yield _hit(obj, ClaimChange((*path, index, *change.path), words), "templates", _OF_SET)
            return
    removed = [name for name in old_templates if name not in new_templates]
    if removed:
        yield _hit(obj, ClaimChange(path, f"{removed[0]} goes"), "templates", _OF_SET)


def _templates(written: object) -> dict[str, Claim]:
    templates = map(mapping, sequence(written))
    return {text(dig(template, "metadata", "name")): claim(template) for template in templates}


def _claim_changes(old: Claim, new: Claim) -> list[ClaimChange]:
    """The differences between two claims in fields that both state."""
    changes = []
    old_storage, new_storage = old.requests.get("storage"), new.requests.get("storage")
    if old_storage is not None and new_storage is not None and old_storage.nano != new_storage.nano:
        words = f"storage changes from {show(old_storage)} to {show(new_storage)}"
        changes.append(ClaimChange(_STORAGE, words, new_storage.nano < old_storage.nano))
    if old.storage_class and new.storage_class and old.storage_class != new.storage_class:
        words = f"the storage class changes from {old.storage_class} to {new.storage_class}"
        changes.append(ClaimChange(_CLASS, words))
    return changes


def _forbids_expansion(class_name: str, facts: Facts) -> bool:
    """Whether the repository forbids the expansion of a storage class; snapshots do not record that."""
    classes = facts.cluster.of("storage.k8s.io", "StorageClass")
    return any(
        obj.name == class_name and not obj.foreign and obj.body.get("allowVolumeExpansion") in (None, False)
        for obj in classes
    )


def _hit(obj: Object, change: ClaimChange, variant: str, message: str, class_name: str = "") -> Hit:
    values = {"kind": obj.kind, "name": obj.name, "change": change.words, "message": message, "class": class_name}
    field = field_path(change.path, keyed=("requests",))
    return Hit(obj.at(*change.path), values, obj, field, variant)
