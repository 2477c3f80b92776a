"""The lists, by kind, that a strategic merge patch merges item by item."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.data import load_table


class ListRule(NamedTuple):
    """How the lists in a field merge."""

    keys: tuple[str, ...] | None
    """The merge keys; empty for plain values, None if the patch replaces the whole list."""
    type: str


class MergeTypes(NamedTuple):
    """The merge rules of lists, by type."""

    kinds: Mapping[str, str]
    """`apiVersion kind` → type name."""
    types: Mapping[str, Mapping[str, ListRule]]

    def type_of(self, body: Body) -> str:
        """The type name of an object; empty if unknown, so that its lists are replaced."""
        return self.kinds.get(f"{text(body.get('apiVersion'))} {text(body.get('kind'))}", "")


@cache
def builtin_types() -> MergeTypes:
    """The types built into Kustomize, for Kubernetes' own kinds."""
    list_table = load_table("kustomize-lists")
    types = {
        name: {field: _list_rule(mapping(rule)) for field, rule in mapping(fields).items()}
        for name, fields in mapping(list_table["types"]).items()
    }
    return MergeTypes({kind: text(name) for kind, name in mapping(list_table["kinds"]).items()}, types)


def _list_rule(rule: Body) -> ListRule:
    keys = tuple(map(text, sequence(rule["merge"]))) if "merge" in rule else None
    return ListRule(keys, text(rule.get("type")))
