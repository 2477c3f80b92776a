"""Pods that name a PriorityClass which does not exist, or set a priority without a class.

Source: Kubernetes 1.36, plugin/pkg/admission/priority/admission.go (admitPod).
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.accounts.facts import Facts
from quotalint.admission import Admitted
from quotalint.checks.hit import Hit
from quotalint.checks.invalid_pods import forbidden_message
from quotalint.checks.lazy.security import is_ever_made
from quotalint.checks.unmatched_scopes import names_in_files
from quotalint.kube.api_error import field_path
from quotalint.kube.guess import CONTENT, NAMESPACE, Guess
from quotalint.kube.objects import Object
from quotalint.kube.spelling import most_similar
from quotalint.text.place import Path

_KIND = ("scheduling.k8s.io", "PriorityClass")
_CLASS: Path = ("spec", "priorityClassName")


def priority_hits(obj: Object, facts: Facts) -> Iterator[Hit]:
    """One hit for each template of an object whose pods are refused."""
    fields = set()
    for admitted in facts.invalid.get(obj.identity, ()):
        if is_ever_made(admitted) and admitted.demand.place is not None:
            for hit in _hits_of(admitted, obj, facts):
                if hit.field not in fields:
                    fields.add(hit.field)
                    yield hit


def _hits_of(admitted: Admitted, obj: Object, facts: Facts) -> Iterator[Hit]:
    own_guesses = tuple(guess for guess in obj.guesses if guess.about != NAMESPACE)
    if admitted.missing_class and admitted.missing_class not in names_in_files(facts, _KIND):
        classes = facts.cluster.of(*_KIND)
        defined = sorted({other.name for other in classes})
        # Where all classes in view are assumed to be of this cluster, others may be too.
        assumed = classes[0].guesses[:1] if all(other.guesses for other in classes) else ()
        suggestion = most_similar(admitted.missing_class, defined) or ""
        values = {"class": admitted.missing_class, "defined": ", ".join(defined), "suggestion": suggestion}
        # A class with nearly the same name is what was meant.
        elsewhere = () if suggestion or admitted.is_forbidden else tuple(_elsewhere(facts))
        detail = f"no PriorityClass with name {admitted.missing_class} was found"
        hit = _hit(admitted, obj, _CLASS, detail, "suggested" if suggestion else "default")
        yield hit._replace(values={**hit.values, **values}, guesses=(*own_guesses, *assumed, *elsewhere))
    for error in (error for error in admitted.invalid if error.of_priority):
        yield _hit(admitted, obj, error.path, error.detail, "priority")._replace(guesses=own_guesses)


def _elsewhere(facts: Facts) -> Iterator[Guess]:
    """The guess that what could not be rendered has no such class."""
    for unseen in facts.unseen[:1]:
        reason = f"the class may be in what could not be rendered: {unseen.reason}"
        yield Guess(CONTENT, reason, "show the classes of the cluster with `--with`")


def _hit(admitted: Admitted, obj: Object, path: Path, detail: str, variant: str) -> Hit:
    itself = obj.kind == "Pod"
    place = admitted.demand.place_of(*path)
    field = field_path(place.path[len(obj.place.path) :])
    values = {
        "subject": f"Pod {obj.name}" if itself else f"The pods of {obj.kind} {obj.name}",
        "is": "is" if itself else "are",
        "kind": obj.kind,
        "name": obj.name,
        "message": forbidden_message(obj, detail),
        "field": field,
        "path": str(path[-1]),
    }
    return Hit(place, values, obj, field, variant)
