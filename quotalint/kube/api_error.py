"""A refusal of the API server."""

from __future__ import annotations

from enum import Enum

from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path


class Wrong(Enum):
    """What is wrong with an object that the API server refuses."""

    NAME = "its name"
    RESOURCE = "the name of a resource"
    AMOUNT = "an amount that cannot be read"
    NEGATIVE = "an amount below zero"
    FRACTION = "a count that is not whole"
    SCOPE = "the name of a scope"
    CONFLICT = "two scopes that exclude each other"
    NOT_IN_SCOPE = "a resource that a scope does not admit"
    OPERATOR = "the operator of a scope"
    VALUES = "the values of a scope"
    LIMITS = "anything in a LimitRange"
    ELSEWHERE = "what stands around amounts and scopes"
    TYPE = "a value of a wrong type, for which nothing else is looked at"


class ApiError(NamedTuple):
    """One reason why the API server refuses an object."""

    wrong: Wrong
    field: str
    """The field path as the API server writes it: `spec.hard[requests.cpu]`."""
    path: Path
    """Where it stands in the object."""
    detail: str
    """The API server's words."""
    value: str = ""
    """What was found there."""
    subject: str = ""
    """What it is about, where that is not the value: the resource of a scope conflict."""


UNDECODABLE = ApiError(Wrong.TYPE, "", (), "")
"""Why an object is refused that cannot be decoded; its schema says more (`kube/schema.py`)."""


def field_path(path: Path, *, keyed: tuple[str, ...] = ()) -> str:
    """A path as `field.Path` prints it; children of the fields in `keyed` are map keys."""
    shown = ""
    parent = ""
    for step in path:
        if isinstance(step, int) or parent in keyed:
            shown += f"[{step}]"
        else:
            shown += f".{step}" if shown else step
        parent = str(step)
    return shown
