"""What becomes of objects that are created: the values that say it.

Source: Kubernetes 1.36, apiserver/pkg/registry/generic/registry/store.go (Create: mutation, validation, then validating
admission), pkg/admission/plugin/resourcequota/controller.go (CheckRequest).
"""

from __future__ import annotations

from enum import Enum

from quotalint.named_tuples import NamedTuple
from quotalint.quota.charges import Charge
from quotalint.quota.pools import Shortage
from quotalint.quota.quotas import Quota


class RefusalCause(Enum):
    """What refuses an object, in the order in which the API server asks."""

    INVALID = "validation"
    LIMIT_RANGE = "LimitRanger"
    MUST_SPECIFY = "a quota that wants requests stated"
    LIMITED = "what is limited by default"
    QUOTA = "a quota without room"
    OWNER = "something that it needs is refused"


class Fate(NamedTuple):
    """What becomes of the objects of one demand."""

    charge: Charge
    admitted: int
    refused: int
    cause: RefusalCause | None = None
    """Why the first of those is refused; None where none is."""
    shortage: Shortage | None = None
    """Of Cause.QUOTA: what was used when there was no more room."""
    because: Charge | None = None
    """Of Cause.OWNER: what is refused first."""


class Pending(NamedTuple):
    """Pods of one demand that are created and never scheduled."""

    charge: Charge
    quota: Quota
    """The first one that has no room."""
    number: int
    names: tuple[str, ...]
    """Its entries that the first of the pods exceeds."""
    message: str
    """What the scheduler says of it."""
