"""What is guessed of an object because nothing in view says it: the namespace it goes to, or the cluster."""

from __future__ import annotations

from typing import NamedTuple

NAMESPACE, MEMBERSHIP, CONTENT = "namespace", "membership", "content"


class Guess(NamedTuple):
    """Something that was taken to be so. What rests on it is at most a warning."""

    about: str
    """NAMESPACE: where the object goes. MEMBERSHIP: that it is applied here, together with the rest.
    CONTENT: what it says."""
    reason: str
    """What was guessed and from what, as a clause: `the folder common/ names no environment, so it counts in each`."""
    cure: str
    """What would settle it, as a phrase that follows `to settle it, `."""
