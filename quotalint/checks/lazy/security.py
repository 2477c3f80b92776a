"""Pods that Pod Security refuses, and what to write so that it admits them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quotalint.accounts.facts import Facts
from quotalint.admission import Admitted
from quotalint.admission.pod_security import Forbidden
from quotalint.checks.hit import Hit, Note, Related
from quotalint.checks.invalid_pods import forbidden_message
from quotalint.kube.api_error import field_path
from quotalint.kube.objects import Object
from quotalint.kube.pod import Pod
from quotalint.kube.pod_security import BASELINE, PRIVILEGED, Cure
from quotalint.kube.pod_security_labels import ENFORCE, label_errors
from quotalint.text.words import join_with_and


def forbidden_pods(obj: Object, facts: Facts) -> Iterator[Hit]:
    """One hit for each template of an object whose pods are refused."""
    places = set()
    for admitted in facts.invalid.get(obj.identity, ()):
        why, place = admitted.forbidden, admitted.demand.place
        if why is not None and place is not None and place not in places and is_ever_made(admitted):
            places.add(place)
            yield _forbidden_hit(obj, admitted, why, facts)


def is_ever_made(admitted: Admitted) -> bool:
    """Whether there will be such pods at some time."""
    demand = admitted.demand
    finished = isinstance(admitted.item, Pod) and admitted.item.finished
    return demand.size.numbers.peak + demand.number > 0 and not finished


def _forbidden_hit(obj: Object, admitted: Admitted, why: Forbidden, facts: Facts) -> Hit:
    assert admitted.demand.place is not None
    itself = obj.kind == "Pod"
    place = admitted.demand.place.at(*why.violations[0].path)
    field = field_path(place.path[len(obj.place.path) :], keyed=("annotations",))
    needed = PRIVILEGED if any(violation.level == BASELINE for violation in why.violations) else BASELINE
    cures = [cure for violation in why.violations for cure in violation.cures]
    # All that `restricted` asks for beyond `baseline` is that fields are written.
    is_fillable = needed == BASELINE and not why.guesses and not any(cure.is_advice for cure in cures)
    values = {
        "kind": obj.kind,
        "name": obj.name,
        "level": why.by.level,
        "message": forbidden_message(obj, why.message),
        "remedy": _remedy(cures),
        "elsewhere": _ELSEWHERE if is_fillable else "",
        "needed": needed,
        "reasons": ", ".join(violation.reason for violation in why.violations),
        "field": field,
    }
    related = [
        Related("because", namespace.at("metadata", "labels", ENFORCE), f"Namespace {namespace.name}: {why.by.policy}")
        for namespace in facts.cluster.of("", "Namespace")
        if namespace.name == obj.namespace
    ]
    notes = []
    if facts.enforced.get(obj.namespace) and admitted.is_forbidden:
        notes.append(Note("note", "the sums of quotas are without these pods" if not itself else "sums are without it"))
    variant = "itself" if itself else "default"
    return Hit(place, values, obj, field, variant, tuple(related), tuple(notes), guesses=why.guesses)


_ELSEWHERE = "; if a policy of another repository writes these fields, show it with `--with POLICY.yaml`"


def _remedy(cures: Iterable[Cure]) -> str:
    """What to write and where, as one sentence."""
    of_pod: list[str] = []
    of_containers: dict[tuple[str, ...], list[str]] = {}
    advice: list[str] = []
    for cure in dict.fromkeys(cures):
        if cure.is_advice:
            advice.append(cure.write)
        else:
            (of_containers.setdefault(cure.containers, []) if cure.containers else of_pod).append(f"`{cure.write}`")
    parts = [f"write {join_with_and(of_pod)} in the securityContext of the pod"] if of_pod else []
    for names, writes in of_containers.items():
        whose = f"container {names[0]}" if len(names) == 1 else f"containers {join_with_and(names)}"
        where = f"in that of {whose}" if parts else f"in the securityContext of {whose}"
        parts.append(f"{'' if parts else 'write '}{join_with_and(writes)} {where}")
    return "; ".join((*parts, *advice))


def invalid_labels(namespace: Object) -> Iterator[Hit]:
    """The labels of Pod Security with which a Namespace is refused."""
    for key, message in label_errors(namespace):
        values = {"name": namespace.name, "message": message, "label": key}
        place = namespace.at("metadata", "labels", key)
        yield Hit(place, values, namespace, f"metadata.labels[{key}]", "label")
