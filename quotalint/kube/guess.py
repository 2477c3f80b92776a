"""What is guessed of an object because nothing in view says it: the namespace it goes to, or the cluster."""

from __future__ import annotations

from collections.abc import Iterable

from quotalint.named_tuples import NamedTuple

NAMESPACE, MEMBERSHIP, CONTENT, LEFT_OUT = "namespace", "membership", "content", "left-out"


class Guess(NamedTuple):
    """Something that was taken to be so. What rests on it is at most a warning."""

    about: str
    """NAMESPACE: where the object goes. MEMBERSHIP: that it is applied here, together with the rest.
    CONTENT: what it says. LEFT_OUT: that it stays as it is here, though something was left out that may change it, so
    that sums are not known."""
    reason: str
    """What was guessed and from what, as a clause: `the folder common/ names no environment, so it counts in each`."""
    cure: str
    """What would settle it, as a phrase that follows `to settle it, `."""


def guesses_of_both(first: Iterable[Guess], second: Iterable[Guess]) -> tuple[Guess, ...]:
    """What rests on two objects rests on. That each is applied somewhere is no guess where the same was taken to be so
    of the other: wherever one is, there is the other."""
    ours, theirs = tuple(first), tuple(second)
    shared = {guess for guess in ours if guess.about == MEMBERSHIP and guess in theirs}
    return tuple(guess for guess in dict.fromkeys((*ours, *theirs)) if guess not in shared)
