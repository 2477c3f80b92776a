"""Many hits of one cause → one hit that counts them and names a few."""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.checks.hit import MANY, Hit, Related
from quotalint.text.words import list_some

_NAMES = 4  # that a sentence names
_PLACES = 8  # that are shown; the rest is counted


def merge_hits(hits: Sequence[Hit]) -> Hit:
    """One hit for several of one group, at the place of the first."""
    first = hits[0]
    places = list(dict.fromkeys(hit.place.real for hit in hits))
    names = list(dict.fromkeys(name for hit in hits if (name := hit.values["name"].partition("?")[0])))
    wheres = list(dict.fromkeys(hit.values["namespaces"] for hit in hits))
    things = {(hit.place.real, hit.values.get("subject", "")) for hit in hits}
    number = max(len(things), len(names))
    if number == 1:
        return first._replace(values={**first.values, "namespaces": _namespace_words(wheres)})
    values = {
        **first.values,
        "number": str(number),
        "names": f" ({list_some(_single(names), _NAMES)})" if names else "",
        "namespaces": _namespace_words(wheres),
        "key": first.group[0],
        "reason": first.group[0],
    }
    values.pop("together", None)  # what one of them has in common with others is not what all have
    others = [hit for hit in hits if hit.place.real != places[0]]
    hits_by_place = {places[0]: first} | {hit.place.real: hit for hit in reversed(others)}
    related = [
        Related("also", place, hits_by_place[place].values.get("subject") or hits_by_place[place].values["name"])
        for place in places[1 : _PLACES + 1]
    ]
    return first._replace(variant=first.values.get("many", MANY), values=values, related=tuple(related))


def _single(names: Sequence[str]) -> Sequence[str]:
    """Each name once, where a cause has several."""
    return list(dict.fromkeys(single for name in names for single in name.split(", ")))


def _namespace_words(wheres: Sequence[str]) -> str:
    if "any namespace" in wheres:
        return "any namespace"
    names = [where.removeprefix("namespace ") for where in wheres]
    return f"namespace {names[0]}" if len(names) == 1 else f"the namespaces {list_some(names, _NAMES)}"
