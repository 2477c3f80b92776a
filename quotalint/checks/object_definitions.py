"""Objects with an unknown kind or field, and objects that are defined twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quotalint.accounts.facts import Facts
from quotalint.checks.hit import Hit, Related, check
from quotalint.kube import kinds
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.api_error import field_path
from quotalint.kube.cluster import Overwritten
from quotalint.kube.config_sync import selectors_of
from quotalint.kube.discovery import Discovery, count_name, kind_of
from quotalint.kube.fields import dig
from quotalint.kube.guess import MEMBERSHIP, Guess
from quotalint.kube.limit_range import FIELDS
from quotalint.kube.objects import Object
from quotalint.kube.schema import errors
from quotalint.kube.spelling import most_similar
from quotalint.text.place import Place
from quotalint.workloads import makes_pods
from quotalint.workloads.autoscalers import MAXIMUM_PATHS

_KEYED = (*FIELDS, "hard")
_COUNTED = tuple(("", kind) for kind in ("LimitRange", "PersistentVolumeClaim", "ResourceQuota", "Service"))
_DECIDING = frozenset(
    (
        *MAXIMUM_PATHS,
        *("DeviceClass", "PriorityClass", "RuntimeClass", "StorageClass", "VerticalPodAutoscaler"),
        "VolumeAttributesClass",
    )
)
"""Kinds that decide what other objects are charged, or which quota counts them."""


@check("QL004", Object)
def unknown_field(obj: Object, facts: Facts) -> Iterator[Hit]:
    meant = meant_kind(obj, facts.cluster.discovery)
    if not meant and (obj.group or obj.kind not in MEANT):
        yield from _name_hits(obj)
        return
    values = _written_values(obj)
    if meant:
        yield _no_such_kind(obj, meant, values)
        return
    for error in errors(obj.kind, obj.body):
        if is_placeholder(dig(obj.body, *error.path)):
            continue  # the substituted value may be valid
        place, field = obj.at(*error.path), field_path(error.path, keyed=_KEYED)
        manifest = f"{obj.place.source} {obj.place.document}"
        yield Hit(place, {**values, "reason": error.message, "manifest": manifest}, obj, field)


def _no_such_kind(obj: Object, meant: str, values: Mapping[str, str]) -> Hit:
    wrong = {"kind": meant} if obj.kind != meant else {}
    if obj.api_version != VERSION:
        wrong["apiVersion"] = VERSION
    field = next(iter(wrong))
    write = " and ".join(f"`{name}: {value}`" for name, value in wrong.items())
    return Hit(obj.at(field), {**values, "write": write}, obj, field, variant="kind")


def _written_values(obj: Object) -> dict[str, str]:
    return {"kind": obj.kind, "name": obj.name, "version": obj.api_version}


def _name_hits(obj: Object) -> Iterator[Hit]:
    """For other built-in kinds, only names that YAML reads as booleans or numbers, such as `n` and `123`."""
    metadata = obj.metadata
    for field in ("name", "namespace"):
        written = metadata.get(field)
        if isinstance(written, (bool, int, float)) and kinds.by_kind(obj.group, obj.kind) is not None:
            type_words = f"the boolean {str(written).lower()}" if isinstance(written, bool) else f"the number {written}"
            reason = f"metadata.{field} must be a string, found {type_words}"
            path = ("metadata", field)
            yield Hit(obj.at(*path), {**_written_values(obj), "reason": reason}, obj, field_path(path), variant="name")


@check("QL005", Overwritten)
def duplicate_object(overwritten: Overwritten, facts: Facts) -> Iterator[Hit]:
    winner = overwritten.winner
    related = [
        Related("replaced", _shown_place(obj, winner), f"this {obj.kind} is overwritten") for obj in overwritten.others
    ]
    counted = (winner.group, winner.kind) in _COUNTED or makes_pods(winner, facts.settings.workloads)
    if len({_membership_guesses(obj) for obj in (winner, *overwritten.others)}) > 1:
        return  # only a guess says that both are applied to one cluster
    if any(selectors_of(obj) != selectors_of(winner) for obj in overwritten.others):
        return  # each goes to its own clusters or namespaces
    if not facts.settings.select and not _affects_limits(winner, counted=counted, facts=facts):
        return
    limits = winner.kind in ("LimitRange", "ResourceQuota")
    if not limits and all(obj.body == winner.body for obj in overwritten.others):
        return  # an identical copy, such as one file with everything beside its parts
    is_one_place = all(obj.place.real == winner.place.real for obj in overwritten.others)
    if limits and _is_rendered_copy(winner, overwritten.others):
        return
    is_in_one_folder = not is_one_place and any(
        obj.place.made is None and obj.folder == winner.folder for obj in overwritten.others
    )
    alarming = is_in_one_folder or (counted and not winner.homeless)
    if not alarming and is_one_place:
        return  # a base that several entries render, as in a catalogue
    if not alarming and winner.homeless and not counted:
        return  # the namespaces may differ
    entry_places = map(_entry_into, (winner, *overwritten.others))
    entries = ["" if entry is None else entry.file for entry in entry_places]
    values = {
        **_object_values(winner),
        "namespaces": f"namespace {winner.namespace}" if winner.namespace else "the cluster",
        "subject": f"{winner.kind} {winner.name}",
        **_source_words(entries),
    }
    yield Hit(
        winner.place,
        values,
        winner,
        related=tuple(related),
        severity="" if alarming else "info",
        group=(" ".join(entries), winner.namespace) if all(entries) else (),
    )


def _is_rendered_copy(winner: Object, others: Sequence[Object]) -> bool:
    """Whether one of the objects is rendered by a kustomization and the other is an identical plain file."""
    plain = [obj for obj in (winner, *others) if obj.place.made is None]
    contents = [{**obj.body, "metadata": None} for obj in (winner, *others)]
    return len(plain) == 1 and all(content == contents[0] for content in contents)


def _source_words(entries: Sequence[str]) -> dict[str, str]:
    """The words for the files through which the objects come, the winner's first."""
    through, *others = dict.fromkeys(entries)
    if not others:
        return {"sources": f"more than once by {through}", "winning_source": "the last"}
    return {"sources": f"both by {through} and by {' and by '.join(others)}", "winning_source": through}


def _entry_into(obj: Object) -> Place | None:
    """The entry of a kustomization through which an object comes if several entries share a base."""
    made = obj.place.made
    return made.via[0] if made is not None and made.via else None


def _membership_guesses(obj: Object) -> tuple[Guess, ...]:
    """The guesses about the clusters that an object is applied to; they are equal for all objects of a folder."""
    return tuple(guess for guess in obj.guesses if guess.about == MEMBERSHIP)


def _affects_limits(obj: Object, *, counted: bool, facts: Facts) -> bool:
    """Whether quotas or LimitRanges depend on which one is applied: it is one, is counted by one, or changes the charge
    of others."""
    if obj.kind in ("LimitRange", "ResourceQuota"):
        return True
    if not obj.namespace:
        return obj.kind in _DECIDING and bool(facts.quotas)
    if counted or obj.kind in _DECIDING:
        return obj.namespace in facts.charges
    name = count_name(facts.cluster.discovery, obj.group, obj.kind)
    return any(name in quota.hard for quota in facts.enforced.get(obj.namespace, ()))


def _shown_place(obj: Object, winner: Object) -> Place:
    """The place of an object; if both come from one place, the entry through which it comes."""
    entry = _entry_into(obj)
    return obj.place if entry is None or obj.place.real != winner.place.real else entry


def _object_values(obj: Object) -> dict[str, str]:
    where = f"namespace {obj.namespace}" if obj.namespace else "the cluster"
    return {"kind": obj.kind, "name": obj.name, "where": where, "winner": obj.place.file}


MEANT = ("LimitRange", "ResourceQuota")
VERSION = "v1"


def meant_kind(obj: Object, discovery: Discovery) -> str:
    """The kind of `v1` that an object was meant to be; empty if it is valid, or of an unrelated kind.

    Custom groups may have kinds of the same name. A group without a dot is no custom group, because the API server
    requires of CustomResourceDefinitions: "should be a domain with at least one dot" (1.34,
    staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go).
    """
    if "." in obj.group and not obj.group.endswith(".k8s.io"):
        return ""
    if obj.kind in MEANT:
        is_right = (obj.group, obj.version) == ("", VERSION) or is_placeholder(obj.api_version)
        return "" if is_right or (obj.group, obj.kind) in discovery.by_kind else obj.kind
    # Lists of these kinds, and other kinds of the group.
    if obj.kind.endswith("List") or obj.kind[:1] not in "RrLl" or kind_of(discovery, obj.group, obj.kind) is not None:
        return ""
    return most_similar(obj.kind, MEANT, 0.9) or ""
