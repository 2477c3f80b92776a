"""`quotalint.dev/ignore: QL301,QL4` on an object silences what is found of that object."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import mapping
from quotalint.kube.objects import Object
from quotalint.suppression import ANNOTATION, Silence, split_rule_ids

IGNORE = "quotalint.dev/ignore"
_MOST = 1000
"""How many rules an annotation may name; there are some hundred."""


def asks_for_silence(obj: Object) -> bool:
    """Whether an object asks for silence; asked of every object that something is found of."""
    metadata = obj.body.get("metadata")
    return isinstance(metadata, dict) and IGNORE in mapping(metadata.get("annotations"))


def silences_of(obj: Object) -> Iterator[Silence]:
    """What an object asks not to be told of, and where it says so."""
    rules = mapping(obj.metadata.get("annotations")).get(IGNORE)
    if isinstance(rules, str):
        place = obj.at("metadata", "annotations", IGNORE).real._replace(made=None)
        for rule in split_rule_ids(rules)[:_MOST]:
            yield Silence(ANNOTATION, rule, place)
