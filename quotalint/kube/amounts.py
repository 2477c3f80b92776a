"""Resource lists as manifests write them → exact amounts, as the API server stores them."""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import lru_cache

from quotalint.kube import quantity
from quotalint.kube.quantity import BadQuantity, Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path

# What a template engine would have replaced: ${VAR}, $(VAR), $VAR, {{ … }}, <% … %>, @VAR@, __VAR__.
_PLACEHOLDER = re.compile(r"\$\{|\$\(|^\$[A-Za-z_]|\{\{|<%|^@[A-Za-z_]+@$|^__[A-Za-z_]+__$|^<[^<>]+>$")
# What people write where another name is to stand. A name in capitals can be none; of valid ones, those that say so.
_STAND_IN = re.compile(
    r"^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$|^[A-Z]{2,}$|^\[.*\]$|^%.+%$"
    r"|(?i:^(change|replace|fill)[-_ ]?(me|this|in)$)"
    r"|(?i:^(your|insert|enter|replace)[-_](your[-_])?(name|namespace|ns|team|project|tenant))"
)


class UnknownAmount(NamedTuple):
    """A value that cannot be known here: a placeholder nobody replaced, or something that is no amount."""

    path: Path
    reason: str
    unreadable: str = ""
    """In the API server's words, why it refuses whatever this stands in; empty for a placeholder."""


def is_placeholder(value: object) -> bool:
    """Whether a value is (or holds) something that a template engine would replace."""
    return isinstance(value, str) and _holds_placeholder(value)


def is_stand_in(value: object) -> bool:
    """Whether a name stands where somebody was to write another: a placeholder, `CHANGEME`, `TEAM_NAME`."""
    return isinstance(value, str) and _is_stand_in(value)


# Of every object its name and namespace are asked about, several times.
@lru_cache(maxsize=4096)
def _holds_placeholder(text: str) -> bool:
    return _PLACEHOLDER.search(text) is not None


@lru_cache(maxsize=4096)
def _is_stand_in(text: str) -> bool:
    return _holds_placeholder(text) or _STAND_IN.search(text) is not None


def amount(value: object) -> Quantity | BadQuantity:
    """One quantity, rounded up to thousandths as every stored resource list is (SetDefaults_ResourceList)."""
    if isinstance(value, str):
        return _stored_text(value)
    if isinstance(value, Hashable):
        return _stored_scalar(value, type(value).__name__)
    return quantity.parse(value)


class Listed(NamedTuple):
    """What a resource list says."""

    known: dict[str, Quantity]
    unknowns: tuple[UnknownAmount, ...] = ()
    """What of it is no quantity."""


def amounts(value: object, path: Path) -> Listed:
    """A resource list, which stands at the path."""
    if not isinstance(value, dict):
        what = UnknownAmount(path, "is not a mapping of resource names to quantities")
        return Listed({}, () if value is None else (what,))
    result = {}
    unknowns: list[UnknownAmount] = []
    for name, written in value.items():
        parsed = amount(written)
        if isinstance(parsed, Quantity):
            result[name] = parsed
        elif is_placeholder(written):
            unknowns.append(UnknownAmount((*path, name), f"is the placeholder {written!r}"))
        else:
            unknowns.append(UnknownAmount((*path, name), f"is not a quantity: {str(written)[:40]!r}", parsed.message))
    return Listed(result, tuple(unknowns))


@lru_cache(maxsize=65536)
def _stored_text(value: str) -> Quantity | BadQuantity:
    parsed = quantity.parse(value)
    return quantity.stored_quantity(parsed) if isinstance(parsed, Quantity) else parsed


@lru_cache(maxsize=4096)
def _stored_scalar(value: Hashable, kind: str) -> Quantity | BadQuantity:
    # `kind` keeps 1, 1.0 and True apart in the cache.
    parsed = quantity.parse(value)
    return quantity.stored_quantity(parsed) if isinstance(parsed, Quantity) else parsed
